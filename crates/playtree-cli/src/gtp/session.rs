//! The commands of the Go Text Protocol on one board.

use std::time::Duration;

use playtree::games::othello::size_of_text;
use playtree::{Notation, Solvable, StopToken};

use super::Settings;
use crate::error::CliError;
use crate::player::{self, Answer, Failure, Player, Record, Seat};

/// The commands that are known.
const COMMANDS: [&str; 13] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "play",
    "genmove",
    "undo",
    "showboard",
    "time_settings",
];

/// What follows when a session is over.
#[derive(Debug)]
pub(super) enum After {
    /// Nothing.
    Quit,
    /// Another one that begins at this position.
    Resize(String),
}

/// A board, the game on it, and who plays it.
pub(super) struct Session<'a, G: Notation> {
    record: Record<G>,
    settings: &'a mut Settings,
    /// Made for the first move of each game.
    player: Option<Box<dyn Player<G>>>,
    stop: &'a StopToken,
}

/// The answer to a command, or what was wrong with it.
type Said = Result<String, String>;

impl<'a, G: Notation + Solvable + 'static> Session<'a, G> {
    pub(super) fn new(start: G, settings: &'a mut Settings, stop: &'a StopToken) -> Self {
        Self { record: Record::new(start), settings, player: None, stop }
    }

    /// The answer to a line, nothing for one without a command, and whether the session is over.
    ///
    /// # Errors
    /// Only if a player of ours fails.
    pub(super) fn answer(&mut self, line: &str) -> Result<(String, Option<After>), CliError> {
        let text = line.split('#').next().unwrap_or_default();
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let id = match words.first() {
            Some(first) if first.bytes().all(|b| b.is_ascii_digit()) => words.remove(0),
            _ => "",
        };
        let Some((&command, words)) = words.split_first() else {
            return Ok((String::new(), None));
        };
        let mut after = None;
        let said = match (command, words) {
            ("protocol_version", []) => Ok("2".into()),
            ("name", []) => Ok("playtree".into()),
            ("version", []) => Ok(env!("CARGO_PKG_VERSION").into()),
            ("known_command", [name]) => Ok(COMMANDS.contains(name).to_string()),
            ("list_commands", []) => Ok(COMMANDS.join("\n")),
            ("quit", []) => {
                after = Some(After::Quit);
                Ok(String::new())
            }
            ("boardsize", [size]) => self.resize(size).map(|resized| {
                after = resized;
                String::new()
            }),
            ("clear_board", []) => {
                self.record = Record::new(self.record.states()[0].clone());
                self.player = None;
                Ok(String::new())
            }
            ("play", [colour, vertex]) => self.play(colour, vertex),
            ("genmove", [colour]) => self.choose(colour)?,
            ("undo", []) if self.record.take_back() => {
                // What a program of somebody else knows of the game is wrong now.
                self.player = None;
                Ok(String::new())
            }
            ("undo", []) => Err("cannot undo".into()),
            ("showboard", []) => Ok(format!("\n{}", self.record.last().board_text())),
            ("time_settings", [main, period, moves]) => self.set_time(main, period, moves),
            (known, words) if COMMANDS.contains(&known) => {
                Err(format!("syntax error: found {} arguments", words.len()))
            }
            _ => Err("unknown command".into()),
        };
        let (sign, text) = match &said {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        Ok((format!("{sign}{id} {}\n\n", text.trim_end()), after))
    }

    /// Checks that it is the turn of a colour.
    fn turn(&self, colour: &str) -> Result<(), String> {
        let player = match colour.to_ascii_lowercase().as_str() {
            "b" | "black" => 0,
            "w" | "white" => 1,
            _ => return Err(format!("syntax error: expected black or white, found {colour}")),
        };
        match self.record.last() {
            _ if self.record.outcome().is_some() => Err("the game is over".into()),
            state if state.mover() != player => {
                Err(format!("expected the other side to move, found {colour}"))
            }
            _ => Ok(()),
        }
    }

    fn play(&mut self, colour: &str, vertex: &str) -> Said {
        self.turn(colour)?;
        let state = self.record.last();
        let mv = state
            .parse_move(vertex)
            .or_else(|_| state.parse_move(&vertex.to_ascii_lowercase()))
            .map_err(|error| format!("illegal move: {error}"))?;
        self.record.play(mv);
        Ok(String::new())
    }

    fn choose(&mut self, colour: &str) -> Result<Said, CliError> {
        if let Err(error) = self.turn(colour) {
            return Ok(Err(error));
        }
        match self.chosen() {
            Ok(Answer::Move(mv, _)) => {
                let text = self.record.last().move_text(&mv);
                self.record.play(mv);
                Ok(Ok(text))
            }
            Ok(Answer::Resigned) => Ok(Ok("resign".into())),
            Ok(Answer::ClaimedDraw) => Ok(Err("the player has claimed a draw".into())),
            Err(Failure::Forfeit(forfeit)) => Ok(Err(forfeit.detail)),
            Err(Failure::Unfit(detail)) => Ok(Err(detail)),
            Err(Failure::Stopped) => Ok(Err("stopped".into())),
            Err(Failure::Error(error)) => Err(error),
        }
    }

    fn chosen(&mut self) -> Result<Answer<G::Move>, Failure> {
        let player = match &mut self.player {
            Some(player) => player,
            none => {
                let Settings { info, ref spec, time, seed } = *self.settings;
                let start = &self.record.states()[0];
                // Those of another size hold the size and no more: every protocol can say them.
                let (game, stop) = (info, self.stop);
                let seat = Seat { game, usual_start: true, seed, time, clocks: None, stop };
                self.settings.seed = seed.wrapping_add(1);
                none.insert(player::make(spec, start, seat)?)
            }
        };
        player.choose(&self.record, None)
    }

    /// Another start, if this size needs one.
    fn resize(&self, size: &str) -> Result<Option<After>, String> {
        let start = self.record.states()[0].position_text();
        let info = self.settings.info;
        let squares = size_of_text(&start).map_or(String::new(), |size| size.to_string());
        let (found, rest) = match info.start.split_once(':') {
            // Hex and Gomoku: a size, a colon, no move.
            Some(_) => start.split_once([':', ' ']).unwrap_or((&start, "")),
            None if info.name == "othello" => (squares.as_str(), ""),
            None => return Err("unacceptable size".into()),
        };
        if found == size {
            return Ok(None);
        }
        let resized = if rest.is_empty() { format!("{size}:") } else { format!("{size} {rest}") };
        // A number: the size in the text of a game may say more, for which GTP has no words.
        let fits = info.start.contains(':')
            && size.bytes().all(|digit| digit.is_ascii_digit())
            && playtree::games::with_game(info.name, Some(&resized), Fits).is_ok();
        if fits { Ok(Some(After::Resize(resized))) } else { Err("unacceptable size".into()) }
    }

    /// A time for so many moves, and no time before that.
    fn set_time(&mut self, main: &str, period: &str, moves: &str) -> Said {
        let number = |text: &str| text.parse::<u32>().map_err(|_| "syntax error".to_owned());
        match (number(main)?, number(period)?, number(moves)?) {
            (0, period @ 1.., moves @ 1..) => {
                self.settings.time = Duration::from_secs(period.into()) / moves;
                self.player = None;
                Ok(String::new())
            }
            _ => Err("expected no main time, and a time for some moves".into()),
        }
    }
}

/// Looks whether a text is a position.
struct Fits;

impl playtree::games::GameVisitor for Fits {
    type Output = ();
    fn visit<G: Notation + Solvable + 'static>(self, _: G) {}
}

#[cfg(test)]
mod tests {
    use playtree::games::{Gomoku, Hex, Othello, find};
    use playtree::{Solvable, StopToken};

    use super::{After, Notation, Session, Settings};
    use std::time::Duration;

    fn answers<G: Notation + Solvable + 'static>(
        game: &str,
        lines: &[&str],
    ) -> (String, Option<After>) {
        let info = find(game).unwrap();
        let spec = "mcts:simulations=50".parse().unwrap();
        let mut settings = Settings { info, spec, time: Duration::from_secs(1), seed: 1 };
        let stop = StopToken::new();
        let start = G::parse_position(info.start).unwrap();
        let mut session = Session::new(start, &mut settings, &stop);
        let (mut text, mut after) = (String::new(), None);
        for line in lines {
            let (answer, then) = session.answer(line).unwrap();
            text.push_str(&answer);
            after = after.or(then);
        }
        (text, after)
    }

    #[test]
    fn commands_are_answered_with_their_number() {
        let lines = ["7 protocol_version", "", "# nothing", "8 fly", "known_command play", "undo"];
        let (text, after) = answers::<Othello>("othello", &lines);
        assert_eq!(text, "=7 2\n\n?8 unknown command\n\n= true\n\n? cannot undo\n\n");
        assert!(after.is_none());
    }

    #[test]
    fn moves_are_played_in_turn_and_taken_back() {
        let lines = ["play B F5", "play black d6", "play w f4", "undo", "play W f6", "play b a1"];
        let (text, _) = answers::<Othello>("othello", &lines);
        let signs: String = text.lines().filter_map(|line| line.chars().next()).collect();
        assert_eq!(signs, "=?===?", "{text}");
    }

    #[test]
    fn a_size_that_fits_begins_another_session() {
        let (text, after) = answers::<Hex>("hex", &["boardsize 11", "boardsize 5"]);
        assert_eq!(text, "= \n\n= \n\n");
        assert!(matches!(after, Some(After::Resize(start)) if start == "5:"));
        for size in ["1", "40", "x", ""] {
            let (text, after) = answers::<Hex>("hex", &[&format!("boardsize {size}")]);
            assert!(text.starts_with('?') && after.is_none(), "{size}: {text}");
        }
        for (size, sign) in [("9", '='), ("4", '?'), ("4x4x3", '?'), ("9x9x5", '?')] {
            let (text, _) = answers::<Gomoku>("gomoku", &[&format!("boardsize {size}")]);
            assert!(text.starts_with(sign), "{size}: {text}");
        }
        assert_eq!(answers::<Othello>("othello", &["boardsize 8"]).0, "= \n\n");
        assert_eq!(answers::<Othello>("othello", &["boardsize 9"]).0, "? unacceptable size\n\n");
    }
}
