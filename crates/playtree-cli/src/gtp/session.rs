//! The commands of the Go Text Protocol on one board.

use std::time::{Duration, Instant};

use playtree_session::{Game, Position};

use super::Settings;
use super::analysis::Dialect;
use super::board;
use super::clock::SideClock;
use super::command::Command;
use super::sgf;
use super::stream::Stream;
use crate::foreign::hex;
use crate::games::read_move;
use crate::player::{self, Answer, AtCtrlC, Clocks, Failure, Player, Seat};
use crate::protocols::{LONGEST_LINE, Line};
use crate::spec::PlayerSpec;

/// What follows when a session is over.
#[derive(Debug)]
pub(super) enum After {
    /// Nothing.
    Quit,
    /// Another one that begins at this position, with these moves by black (0) and white.
    Resize { board: (Game, Position), moves: Vec<(usize, String)> },
}

/// A board, the game on it, and its player.
pub(super) struct Session<'a> {
    /// Where a game begins.
    start: Position,
    pub(super) line: board::Line,
    /// Whether the game does not begin at the start.
    pub(super) is_set_up: bool,
    pub(super) settings: &'a mut Settings,
    /// Made before the first move of each game.
    pub(super) player: Option<Box<dyn Player>>,
    stop: &'a AtCtrlC,
    /// An analysis that was begun and not yet shown.
    pub(super) stream: Option<Stream>,
}

/// The answer to a command, or what was wrong with it.
type Said = Result<String, String>;

impl<'a> Session<'a> {
    /// A session on an empty board, with `moves` played there as far as they can be.
    pub(super) fn new(
        start: Position,
        moves: &[(usize, String)],
        settings: &'a mut Settings,
        stop: &'a AtCtrlC,
    ) -> Self {
        let game = settings.game;
        // They were looked at before.
        let line = board::Line::replay(game, start.clone(), moves)
            .unwrap_or_else(|_| board::Line::new(start.clone()));
        let is_set_up = !line.earlier.is_empty();
        Self { start, line, is_set_up, settings, player: None, stop, stream: None }
    }

    /// The answer to a line, nothing for one without a command, and whether the session is over.
    pub(super) fn answer(&mut self, line: &Line) -> (String, Option<After>) {
        // The time of a move runs from here: what is read before it is the line alone.
        let begin = Instant::now();
        let mut words: Vec<&str> = line.text.split_whitespace().collect();
        let id = match words.first() {
            Some(first) if first.bytes().all(|b| b.is_ascii_digit()) => words.remove(0),
            _ => "",
        };
        let Some((&name, words)) = words.split_first() else {
            return (String::new(), None);
        };
        let mut after = None;
        let said = match Command::find(name) {
            _ if line.is_cut => {
                Err(format!("line too long: expected at most {LONGEST_LINE} bytes, found more"))
            }
            Some(command) => self.obey(command, words, begin, &mut after),
            None => Err("unknown command".into()),
        };
        if self.stream.is_some() {
            // What is found follows, and then an empty line.
            return (format!("={id}\n"), after);
        }
        let (sign, text) = match &said {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        // An empty line would end the answer.
        let lines: Vec<&str> = text
            .trim_end()
            .split('\n')
            .enumerate()
            .filter(|(number, line)| *number == 0 || !line.trim().is_empty())
            .map(|(_, line)| line)
            .collect();
        (format!("{sign}{id} {}\n\n", lines.join("\n")), after)
    }

    fn obey(
        &mut self,
        command: Command,
        words: &[&str],
        begin: Instant,
        after: &mut Option<After>,
    ) -> Said {
        let done = |()| String::new();
        match (command, words) {
            (Command::ProtocolVersion, []) => Ok("2".into()),
            (Command::Name, []) => Ok("playtree".into()),
            (Command::Version, []) => Ok(env!("CARGO_PKG_VERSION").into()),
            (Command::IsKnown, [name]) => Ok(Command::find(name).is_some().to_string()),
            (Command::ListCommands, []) => {
                let names: Vec<&str> = Command::ALL.iter().map(|(_, name, _)| *name).collect();
                Ok(names.join("\n"))
            }
            (Command::Quit, []) => {
                *after = Some(After::Quit);
                Ok(String::new())
            }
            (Command::BoardSize, [size]) => self.resize(size, size, after).map(done),
            (Command::BoardSize, [columns, rows]) => self.resize(columns, rows, after).map(done),
            (Command::ClearBoard, []) => {
                self.begin(board::Line::new(self.start.clone()), false);
                // So that its making costs no time on the clock; what is wrong is said by genmove.
                let _ = self.player();
                Ok(String::new())
            }
            // No game here is counted with one.
            (Command::Komi, [komi]) => match komi.parse::<f64>() {
                Ok(komi) if komi.is_finite() => Ok(String::new()),
                _ => Err(format!("syntax error: expected a number, found '{komi}'")),
            },
            (Command::Play, [colour, vertex]) => self.play(colour, vertex).map(done),
            (Command::GenMove, [colour]) => self.choose(colour, begin, true),
            (Command::RegGenMove, [colour]) => self.choose(colour, begin, false),
            (Command::Undo, []) => {
                if !self.line.take_back() {
                    return Err("cannot undo".into());
                }
                self.forget_program();
                Ok(String::new())
            }
            (Command::ShowBoard, []) => Ok(format!("\n{}", self.line.record.last().board_text())),
            (Command::SetFreeHandicap, [_, _, ..]) => self.set_handicap(words).map(done),
            (Command::FinalScore, []) => self.final_score(),
            (Command::LoadSgf, [path]) => self.load(path, usize::MAX, after).map(done),
            (Command::LoadSgf, [path, number]) => match number.parse::<usize>() {
                Ok(number @ 1..) => self.load(path, number - 1, after).map(done),
                _ => Err(format!("syntax error: expected the number of a move, found '{number}'")),
            },
            (Command::TimeSettings, [main, period, moves]) => {
                self.set_clock(SideClock::read(main, period, moves)?).map(done)
            }
            (Command::KgsTimeSettings, words @ [_, ..]) => {
                self.set_clock(SideClock::read_kgs(words)?).map(done)
            }
            (Command::TimeLeft, [colour, time, moves]) => {
                self.set_time_left(colour, time, moves).map(done)
            }
            (Command::Analyze | Command::LeelaAnalyze, words) => {
                self.begin_stream(Dialect::Leela, words, None).map(done)
            }
            (Command::KataAnalyze, words) => {
                self.begin_stream(Dialect::Kata, words, None).map(done)
            }
            (Command::GenMoveAnalyze | Command::LeelaGenMoveAnalyze, words @ [_, ..]) => {
                self.begin_stream(Dialect::Leela, words, Some(begin)).map(done)
            }
            (Command::KataGenMoveAnalyze, words @ [_, ..]) => {
                self.begin_stream(Dialect::Kata, words, Some(begin)).map(done)
            }
            (command, words) => Err(command.syntax_error(words)),
        }
    }

    /// A new game, or another one.
    fn begin(&mut self, line: board::Line, is_set_up: bool) {
        self.line = line;
        self.is_set_up = is_set_up;
        self.player = None;
        self.settings.clocks = self.settings.clock.map(|clock| [clock; 2]);
    }

    /// Makes a program a new one: what it knows of the game is wrong now.
    pub(super) fn forget_program(&mut self) {
        if matches!(self.settings.spec.player, PlayerSpec::Program { .. }) {
            self.player = None;
        }
    }

    fn play(&mut self, colour: &str, vertex: &str) -> Result<(), String> {
        let player = player_of(colour)?;
        let vertex = self.settings.letters.to_ours(vertex);
        let handed_over =
            self.line.play(self.settings.game, player, |state| read_move(state, &vertex))?;
        if handed_over {
            self.is_set_up = true;
            self.forget_program();
        }
        Ok(())
    }

    /// The player's move, played or only said.
    fn choose(&mut self, colour: &str, begin: Instant, plays: bool) -> Said {
        let player = player_of(colour)?;
        let was_set_up = self.is_set_up;
        let handed_over = self.line.turn_to(self.settings.game, player)?;
        if handed_over {
            self.is_set_up = true;
            self.forget_program();
        }
        let chosen = self.chosen(player, begin);
        let said = match chosen {
            Ok(Answer::Move(mv, _)) => {
                let text = self.line.record.last().move_text(&mv);
                let text = hex::vertex(self.settings.game, &text);
                let text = self.settings.letters.to_theirs(text);
                if plays {
                    self.line.record.play(mv);
                    if let Some(clocks) = &mut self.settings.clocks {
                        clocks[player] = clocks[player].after_move(begin.elapsed());
                    }
                    return Ok(text);
                }
                // A program has played it on its board.
                self.forget_program();
                Ok(text)
            }
            Ok(Answer::Resigned) => Ok("resign".into()),
            Ok(Answer::ClaimedDraw) => Err("the player has claimed a draw".into()),
            Err(failure) => Err(failure.to_string()),
        };
        // Nothing was played: it is the turn of the same side as before.
        if handed_over {
            self.line.give_back();
            self.is_set_up = was_set_up;
            self.forget_program();
        }
        said
    }

    fn chosen(&mut self, player: usize, begin: Instant) -> Result<Answer, Failure> {
        self.player()?;
        // After the player was made, which costs time too.
        let clocks = self.clocks(player, begin.elapsed());
        match &mut self.player {
            Some(player) => player.choose(&self.line.record, clocks),
            None => Err(Failure::Unfit("expected a player, found none".into())),
        }
    }

    /// The clocks as the player sees them, when `spent` of its move is gone.
    pub(super) fn clocks(&self, player: usize, spent: Duration) -> Option<Clocks> {
        let both = self.settings.clocks?;
        Some(Clocks {
            own: both[player].after_waiting(spent),
            other: both[1 - player].after_waiting(Duration::ZERO),
            manager: self.settings.manager,
        })
    }

    /// Makes the player, if there is none. Blocks until it is there.
    ///
    /// # Errors
    /// If there is no such player.
    pub(super) fn player(&mut self) -> Result<(), Failure> {
        if self.player.is_none() {
            let clocks = self.clocks(0, Duration::ZERO);
            let Settings { game, ref spec, time, seed, .. } = *self.settings;
            // A board of another size has no move on it: every protocol can say that.
            let usual_start = !self.is_set_up;
            let (threads, stop) = (Some(1), self.stop);
            let maker = &crate::Here;
            let seat = Seat { game, usual_start, seed, time, clocks, threads, stop, maker };
            let start = &self.line.record.states()[0];
            self.player = Some(player::make(spec, start, seat)?);
            self.settings.seed = seed.wrapping_add(1);
        }
        Ok(())
    }

    /// Another board, if this size needs one.
    fn resize(
        &mut self,
        columns: &str,
        rows: &str,
        after: &mut Option<After>,
    ) -> Result<(), String> {
        let start = self.start.position_text();
        let other = board::resized(self.settings.game, &start, columns, rows)?;
        *after = other.map(|board| After::Resize { board, moves: Vec::new() });
        Ok(())
    }

    fn set_handicap(&mut self, vertices: &[&str]) -> Result<(), String> {
        if self.line.record.len() > 0 || self.is_set_up {
            return Err("board not empty".into());
        }
        let letters = self.settings.letters;
        let vertices: Vec<String> = vertices.iter().map(|text| letters.to_ours(text)).collect();
        let state = board::with_handicap(self.settings.game, &self.start, &vertices)?;
        self.begin(board::Line::new(state), true);
        Ok(())
    }

    /// By how many points the game has ended: 1 where the game is only won or lost.
    fn final_score(&self) -> Said {
        let state = self.line.record.last();
        let Some(outcome) = self.line.record.outcome() else {
            return Err("cannot score: the game is not over".into());
        };
        let points = self.settings.game.points(state, &outcome, 0);
        Ok(match points.map_err(|error| error.to_string())? {
            0 => "0".into(),
            points @ 1.. => format!("B+{points}"),
            points => format!("W+{}", -points),
        })
    }

    /// The first `count` moves of the record in a file.
    fn load(&mut self, path: &str, count: usize, after: &mut Option<After>) -> Result<(), String> {
        let cannot = |error: String| format!("cannot load file: {error}");
        let game = self.settings.game;
        let mut record = sgf::load(path).map_err(cannot)?;
        record.moves.truncate(count);
        let own = self.start.position_text();
        let start = board::with_swap_rule(game, &own, &record.moves);
        let mut other = match &record.size {
            Some((columns, rows)) => board::resized(game, &start, columns, rows).map_err(cannot)?,
            None => None,
        };
        if other.is_none() && start != own {
            let board = Game::open(game.name(), Some(&start));
            other = Some(board.map_err(|error| cannot(error.to_string()))?);
        }
        if let Some((game, start)) = other {
            // It is seen now whether the moves can be played there.
            board::Line::replay(game, start.clone(), &record.moves).map_err(cannot)?;
            self.settings.clocks = self.settings.clock.map(|clock| [clock; 2]);
            *after = Some(After::Resize { board: (game, start), moves: record.moves });
            return Ok(());
        }
        let line = board::Line::replay(game, self.start.clone(), &record.moves).map_err(cannot)?;
        let is_set_up = !line.earlier.is_empty();
        self.begin(line, is_set_up);
        Ok(())
    }

    /// The clock of each side from now on, in this game and those to come.
    fn set_clock(&mut self, clock: Option<SideClock>) -> Result<(), String> {
        let before = (self.settings.clock, self.settings.clocks);
        self.settings.clock = clock;
        self.settings.clocks = clock.map(|clock| [clock; 2]);
        self.forget_program();
        // A program may have no words for it.
        self.player().map_err(|failure| {
            (self.settings.clock, self.settings.clocks) = before;
            failure.to_string()
        })
    }

    /// What a side has left, by the client's clock.
    fn set_time_left(&mut self, colour: &str, time: &str, moves: &str) -> Result<(), String> {
        let player = player_of(colour)?;
        let before = self.settings.clocks.map(|clocks| clocks[player]);
        let clock = SideClock::by_client(before, time, moves)?;
        self.settings.clocks.get_or_insert([clock; 2])[player] = clock;
        Ok(())
    }
}

/// The number of the player of a colour.
pub(super) fn player_of(colour: &str) -> Result<usize, String> {
    match colour.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(0),
        "w" | "white" => Ok(1),
        _ => Err(format!("syntax error: expected black or white, found '{colour}'")),
    }
}

#[cfg(test)]
mod tests;
