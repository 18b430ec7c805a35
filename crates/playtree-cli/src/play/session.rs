//! A person at the prompt: what becomes of a line that was typed, and what is shown.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anstyle::Style;
use playtree::budget::{GameClock, TimeManager};
use playtree::games::GameInfo;

use super::board::{Chooser, Table};
use super::command::{self, Command};
use super::ending::Ending;
use crate::error::CliError;
use crate::harmless::{harmless, shortened};
use crate::interrupt::Interrupt;
use crate::lines::{BYTE_ORDER_MARK, Lines};
use crate::output;
use crate::paint::{self, Paint};
use crate::player::{Answer, Clocks, Failure, LONGEST_DETAIL, Work, press};
use crate::progress;
use crate::shell;
use crate::suggest;

/// What is the same in all games of a session.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) info: &'static GameInfo,
    /// As it was written.
    pub(super) engine: String,
    /// Of each side at the beginning, if the game is played on a clock.
    pub(super) clock: Option<GameClock>,
    pub(super) manager: TimeManager,
    /// Whether the engine thinks in the person's time.
    pub(super) ponders: bool,
}

/// A game between a person and an engine.
pub(super) struct Session<'a> {
    board: &'a mut Table<'a>,
    rules: Rules,
    /// The person's side.
    person: usize,
    paint: Paint,
    out: &'a mut dyn Write,
    /// How the game has ended, if its rules do not say.
    ending: Option<Ending>,
    /// Moves that were taken back, the last one first.
    undone: Vec<String>,
    /// The clocks of the two players before each move and now; none without a clock.
    clocks: Vec<[GameClock; 2]>,
    /// When the person's turn has begun.
    turn: Instant,
    /// Whether the engine has found no move, and is not asked again by itself.
    is_stuck: bool,
    /// The board that was shown last.
    shown: String,
}

impl<'a> Session<'a> {
    /// A session that begins with the game on `board`.
    pub(super) fn new(
        board: &'a mut Table<'a>,
        rules: Rules,
        person: usize,
        paint: Paint,
        out: &'a mut dyn Write,
    ) -> Self {
        let clocks = rules.clock.map(|clock| [clock; 2]).into_iter().collect();
        Self {
            board,
            rules,
            person,
            paint,
            out,
            ending: None,
            undone: Vec::new(),
            clocks,
            turn: Instant::now(),
            is_stuck: false,
            shown: String::new(),
        }
    }

    /// Plays until the person has enough, the input ends, or Ctrl-C at the prompt.
    pub(super) fn play(mut self, lines: &Lines, interrupt: &Interrupt) -> Result<(), CliError> {
        let Rules { info, ref engine, .. } = self.rules;
        let (name, person) = (info.name, self.person + 1);
        let heading = format!("{name}: you are player {person}, the engine is {engine}");
        self.say(paint::STRONG, &heading)?;
        self.say(PLAIN, &format!("a move is {}; 'help' lists the commands", info.move_help))?;
        self.show_position()?;
        loop {
            while self.mover() != self.person && !self.is_over() && !self.is_stuck {
                self.let_engine_move()?;
            }
            if self.rules.ponders && !self.is_over() {
                self.board.ponder();
            }
            self.prompt()?;
            // What was pressed while the engine was thinking has had its effect.
            interrupt.renew();
            let Some(line) = lines.next(&interrupt.token())? else {
                return Ok(writeln!(self.out)?);
            };
            if !self.take(line.trim())? {
                return Ok(());
            }
        }
    }

    fn mover(&self) -> usize {
        self.board.mover_after(self.board.plies())
    }

    fn is_over(&self) -> bool {
        self.ending.is_some() || self.board.end().is_some()
    }

    /// Takes what the person has typed. Returns whether to go on.
    fn take(&mut self, line: &str) -> Result<bool, CliError> {
        let time = self.turn.elapsed();
        let is_turn = self.mover() == self.person && !self.is_over();
        // What is a move is no command.
        let text = shortened(line, LONGEST_MOVE);
        let refused = match is_turn.then(|| self.board.play(&text)) {
            Some(Ok(text)) => {
                self.played(&text, time, None)?;
                return Ok(true);
            }
            Some(Err(error)) => error,
            None if self.is_over() => {
                format!("expected a command, as the game is over, found '{text}'")
            }
            None => format!("expected a command, as it is the engine's turn, found '{text}'"),
        };
        match command::parse(line) {
            _ if line.is_empty() => {}
            Some(Ok(command)) => return self.obey(command),
            Some(Err(error)) => self.refuse(&error)?,
            None => {
                let moves = if is_turn { self.board.legal_moves() } else { Vec::new() };
                let moves = moves.iter().map(String::as_str);
                let names = command::names().chain(moves);
                let hint = suggest::hint(line, names);
                let list = if is_turn { "'moves' and 'help' list what there is" } else { LISTED };
                self.refuse(&format!("{refused}{hint} ({list})"))?;
            }
        }
        Ok(true)
    }

    /// Does what a command says. Returns whether to go on.
    fn obey(&mut self, command: Command) -> Result<bool, CliError> {
        let is_over = self.is_over();
        match command {
            Command::Quit => return Ok(false),
            Command::Help => {
                for (typed, effect) in command::ALL {
                    self.say(PLAIN, &format!("  {typed:<11}{effect}"))?;
                }
            }
            Command::Board => self.show_position()?,
            Command::New => {
                self.board.restart();
                self.begin_game()?;
            }
            Command::Undo => self.undo()?,
            Command::Redo => self.redo()?,
            Command::Save { file, may_replace } => self.save(&file, may_replace)?,
            Command::Load { file } => self.load(&file)?,
            Command::Flip => {
                self.person = 1 - self.person;
                self.begin_turn();
                self.say(PLAIN, &format!("you are player {} now", self.person + 1))?;
            }
            Command::Hint | Command::Go | Command::Moves | Command::Resign if is_over => {
                self.refuse("expected a game that goes on, found one that is over")?;
            }
            Command::Hint => self.give_hint()?,
            Command::Go => self.let_engine_move()?,
            Command::Moves => {
                let moves = self.board.legal_moves();
                let count = output::counted(moves.len() as u64, "move");
                self.say(PLAIN, &format!("{count}: {}", moves.join(", ")))?;
            }
            Command::Resign => self.end(Ending::Resigned(self.person))?,
        }
        Ok(true)
    }

    /// Shows a game that has taken the place of the one before, and gives each side its whole time.
    fn begin_game(&mut self) -> Result<(), CliError> {
        self.clocks.truncate(1);
        self.undone.clear();
        self.goes_on();
        self.show_position()
    }

    /// Lets a game go on whatever has ended it besides its rules.
    fn goes_on(&mut self) {
        self.ending = None;
        self.begin_turn();
    }

    /// The time of the side to move begins now, and an engine is asked again.
    fn begin_turn(&mut self) {
        self.is_stuck = false;
        self.turn = Instant::now();
    }

    /// Lets the engine move for the side to move, on the clock of that side.
    fn let_engine_move(&mut self) -> Result<(), CliError> {
        let mover = self.mover();
        let clocks = self.clocks.last().map(|both| Clocks {
            own: both[mover],
            other: both[1 - mover],
            manager: self.rules.manager,
        });
        let (answer, time) = self.think(Chooser::Engine, clocks)?;
        match answer {
            Ok(Answer::Move(text, work)) => match self.board.play(&text) {
                Ok(text) => self.played(&text, time, Some(work)),
                Err(error) => self.end(Ending::Failed(error)),
            },
            Ok(Answer::Resigned) => self.end(Ending::Resigned(1 - self.person)),
            Ok(Answer::ClaimedDraw) => self.end(Ending::ClaimedDraw),
            Err(Failure::Forfeit(forfeit)) => self.end(Ending::Failed(forfeit.detail)),
            Err(failure) => {
                self.is_stuck = true;
                self.refuse(&format!("the engine has no move: {failure} ('go' asks it again)"))
            }
        }
    }

    /// Asks a player, and meanwhile shows that it is thinking. Gives its time too.
    fn think(
        &mut self,
        chooser: Chooser,
        clocks: Option<Clocks>,
    ) -> Result<(Result<Answer<String>, Failure>, Duration), CliError> {
        // What was said before is read meanwhile.
        self.out.flush()?;
        let begin = Instant::now();
        let answer = progress::while_running("thinking, Ctrl-C ends it", None, || {
            self.board.choose(chooser, clocks)
        });
        Ok((answer, begin.elapsed()))
    }

    /// The best move for the person.
    fn give_hint(&mut self) -> Result<(), CliError> {
        let (answer, time) = self.think(Chooser::Adviser, None)?;
        match answer {
            Ok(Answer::Move(text, work)) => {
                self.say(paint::ENGINE, &format!("hint: {text} ({})", cost(work, time)))
            }
            Ok(Answer::Resigned | Answer::ClaimedDraw) => self.say(paint::ENGINE, "hint: give up"),
            Err(failure) => self.refuse(&format!("there is no hint: {failure}")),
        }
    }

    /// Shows a move that was played in this time, takes the time from the clock of its side, and
    /// says what becomes of the game. An engine has done some work for it.
    fn played(&mut self, text: &str, time: Duration, work: Option<Work>) -> Result<(), CliError> {
        let mover = self.board.mover_after(self.board.plies() - 1);
        if let Some(mut both) = self.clocks.last().copied() {
            if let Some(late) = press(&mut both[mover], time) {
                self.board.take_back();
                return self.end(Ending::OnTime(mover, late));
            }
            self.clocks.push(both);
        }
        self.undone.clear();
        self.is_stuck = false;
        let work = work.map(|work| format!(": {}", cost(work, time)));
        self.show_move(mover, text, &work.unwrap_or_default())?;
        self.show_board()?;
        self.show_end()?;
        self.turn = Instant::now();
        Ok(())
    }

    /// Takes back the person's last move and all that came after it; or that the person has given
    /// up or was too late.
    fn undo(&mut self) -> Result<(), CliError> {
        match &self.ending {
            Some(Ending::Resigned(loser) | Ending::OnTime(loser, _)) if *loser == self.person => {
                self.goes_on();
                return self.show_position();
            }
            _ => {}
        }
        let plies = self.board.plies();
        let Some(to) = (0..plies).rev().find(|&ply| self.board.mover_after(ply) == self.person)
        else {
            return self.refuse("expected a move of yours to take back, found none");
        };
        for _ in to..plies {
            self.undone.extend(self.board.last_move());
            self.board.take_back();
            if self.clocks.len() > 1 {
                self.clocks.pop();
            }
        }
        self.goes_on();
        self.show_position()
    }

    /// Plays again what was taken back, up to the person's next turn.
    fn redo(&mut self) -> Result<(), CliError> {
        if self.undone.is_empty() {
            return self.refuse("expected a move that was taken back, found none");
        }
        while let Some(text) = self.undone.pop() {
            let mover = self.mover();
            // It was legal here before.
            if self.board.play(&text).is_err() {
                break;
            }
            self.clocks.extend(self.clocks.last().copied());
            self.show_move(mover, &text, "")?;
            if self.mover() == self.person {
                break;
            }
        }
        self.goes_on();
        self.show_board()?;
        self.show_end()
    }

    /// Writes the game to a file, which is replaced only if that was asked for.
    fn save(&mut self, file: &str, may_replace: bool) -> Result<(), CliError> {
        let text = self.board.position() + "\n";
        let new = OpenOptions::new().write(true).create_new(true).open(file);
        let is_there = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
        let saved = match new {
            Ok(mut new) => new.write_all(text.as_bytes()).map(|()| "saved to"),
            Err(_) if Path::new(file).is_dir() => {
                return self
                    .refuse(&format!("expected a file to save to, found the folder {file}"));
            }
            Err(error) if is_there(&error) && may_replace => {
                fs::write(file, text).map(|()| "saved in place of the old")
            }
            Err(error) if is_there(&error) => {
                let expected = "expected a file that is not there yet";
                return self
                    .refuse(&format!("{expected}, found {file} ('save! {file}' replaces it)"));
            }
            Err(error) => Err(error),
        };
        match saved {
            // No search begins where a game is over.
            Ok(saved) if self.board.end().is_some() => self.say(PLAIN, &format!("{saved} {file}")),
            Ok(saved) => {
                let side = if self.person == 0 { "" } else { " --side second" };
                let options = format!("--position \"$(cat {})\"{side}", shell::word(file));
                self.say(PLAIN, &format!("{saved} {file}; go on later with {options}"))
            }
            Err(error) => {
                self.refuse(&format!("expected a file that can be written, found {file}: {error}"))
            }
        }
    }

    /// Goes on with the game of a file, as `--position` would.
    fn load(&mut self, file: &str) -> Result<(), CliError> {
        let loaded = read(file).and_then(|text| self.board.load(&text, file));
        match loaded {
            Ok(()) => {
                self.begin_game()?;
                self.show_end()
            }
            Err(error) => self.refuse(&error),
        }
    }

    fn end(&mut self, ending: Ending) -> Result<(), CliError> {
        self.ending = Some(ending);
        self.show_end()
    }

    /// Says how the game has ended, if it has.
    fn show_end(&mut self) -> Result<(), CliError> {
        let ending = self.ending.clone().or_else(|| self.board.end().map(Ending::ByRules));
        let Some(ending) = ending else { return Ok(()) };
        self.say(paint::STRONG, &ending.text(self.person))?;
        self.say(PLAIN, "'new' begins another game, 'undo' takes back, 'quit' ends")
    }

    /// Names a move and whose it was.
    fn show_move(&mut self, mover: usize, text: &str, more: &str) -> Result<(), CliError> {
        let (style, what) = match mover == self.person {
            true => (paint::STRONG, format!("you play {text}{more}")),
            false => (paint::ENGINE, format!("the engine plays {text}{more}")),
        };
        self.say(style, &what)
    }

    /// Shows the board and the last move.
    fn show_position(&mut self) -> Result<(), CliError> {
        self.show_board()?;
        let Some(text) = self.board.last_move() else { return Ok(()) };
        let mover = self.board.mover_after(self.board.plies() - 1);
        let by = if mover == self.person { "you" } else { "the engine" };
        self.say(PLAIN, &format!("last move: {text} by {by}"))
    }

    fn show_board(&mut self) -> Result<(), CliError> {
        let board = self.board.text();
        writeln!(self.out, "\n{}\n", self.paint.changes(&self.shown, &board))?;
        self.shown = board;
        Ok(())
    }

    /// The prompt, and above it the clocks.
    fn prompt(&mut self) -> Result<(), CliError> {
        if let (Some(both), false) = (self.clocks.last(), self.is_over()) {
            let left = |player: usize| seconds(both[player].remaining());
            let [you, engine] = [left(self.person), left(1 - self.person)];
            self.say(PLAIN, &format!("clocks: you {you}, the engine {engine}"))?;
        }
        write!(self.out, "{}", self.paint.text(paint::STRONG, "> "))?;
        Ok(self.out.flush()?)
    }

    /// Says what was expected of the person, and what was found.
    fn refuse(&mut self, text: &str) -> Result<(), CliError> {
        self.say(paint::WRONG, &shortened(text, LONGEST_DETAIL))
    }

    /// Writes a text, broken where it does not fit. It may quote what others have written.
    fn say(&mut self, style: Style, text: &str) -> Result<(), CliError> {
        let lines = output::broken(&harmless(text), 2);
        Ok(writeln!(self.out, "{}", self.paint.text(style, &lines))?)
    }
}

/// The text of a file that a game was saved to.
fn read(file: &str) -> Result<String, String> {
    let mut text = String::new();
    let read = File::open(file).and_then(|file| file.take(LONGEST_GAME).read_to_string(&mut text));
    match read {
        Ok(bytes) if bytes as u64 == LONGEST_GAME => {
            Err(format!("expected a saved game, found {file} with {LONGEST_GAME} bytes or more"))
        }
        Ok(_) => Ok(text.trim_start_matches(BYTE_ORDER_MARK).trim_end().to_owned()),
        Err(error) => Err(format!("expected a file that can be read, found {file}: {error}")),
    }
}

/// Bytes that no saved game has.
const LONGEST_GAME: u64 = 1 << 20;

/// Characters of a move.
const LONGEST_MOVE: usize = 60;

/// Where the commands are.
const LISTED: &str = "'help' lists them";

/// Of what needs no style.
const PLAIN: Style = Style::new();

/// What is known of a move that was chosen in this time.
fn cost(work: Work, time: Duration) -> String {
    let Work { simulations, known, nodes, depth, mover_win_rate } = work;
    let parts = [
        mover_win_rate.map(|rate| format!("win rate {}", output::percent(rate))),
        simulations.map(|count| output::counted(count, "simulation")),
        known.map(|count| format!("{} known before", output::grouped(count))),
        nodes.map(|count| output::counted(count, "node")),
        depth.map(|depth| format!("depth {depth}")),
        Some(seconds(time)),
    ];
    parts.into_iter().flatten().collect::<Vec<String>>().join(", ")
}

/// `1.2 s`
fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}
