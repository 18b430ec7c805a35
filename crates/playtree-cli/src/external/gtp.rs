//! The Go Text Protocol, version 2 (G. Farnebäck 2002), which programs for Othello, Hex and
//! other games speak too: a vertex is a move as the game writes it, in upper or lower case.
//! Player 0 is black, player 1 white.

use std::time::Duration;

use playtree::GameState;
use playtree::budget::GameClock;
use playtree::games::othello::size_of_text;
use playtree_session::{Game, Position};

use super::{Limits, Talk, legal_move};
use crate::foreign::hex;
use crate::player::{Answer, Clocks, Failure, ForfeitKind, Player, Record, Seat, Work};
use crate::spec::ProgramSettings;

/// The time that a program may take to answer what needs no thought.
const REPLY_TIME: Duration = Duration::from_secs(10);

/// Bytes of an answer of several lines, beyond which no line is kept.
const LONGEST_ANSWER: usize = 1 << 16;

/// A program that speaks the protocol.
#[derive(Debug)]
pub(super) struct Gtp {
    talk: Talk,
    game: Game,
    limits: Limits,
    /// Moves of the game that the program knows.
    sent: usize,
    /// Whether it wants to know its clock before each move.
    time_left: bool,
}

/// The colours by the number of the player.
const COLOURS: [&str; 2] = ["black", "white"];

impl Gtp {
    pub(super) fn start(
        talk: Talk,
        settings: &ProgramSettings,
        limits: Limits,
        start: &Position,
        seat: Seat<'_>,
    ) -> Result<Self, Failure> {
        let mut gtp = Self { talk, game: seat.game, limits, sent: 0, time_left: false };
        for (given, key) in [
            (limits.depth.is_some(), "depth"),
            (limits.nodes.is_some(), "nodes"),
            (settings.variant.is_some(), "variant"),
            (settings.threads.is_some(), "threads"),
            (settings.options.is_some(), "options"),
        ] {
            if given {
                return Err(gtp.talk.refuse(&format!(
                    "expected time, level, args or timeout, which are all that GTP knows, found {key}"
                )));
            }
        }
        // Hex and Gomoku may have another size and no move; GTP can set that.
        let size = board_size(seat.game.name(), &start.position_text());
        if !(seat.usual_start || size.is_some() && start.plies() == 0) {
            return Err(gtp.talk.refuse(
                "expected a match from the start of the game, as GTP cannot set up another \
                 position, found --position",
            ));
        }
        let commands = gtp.ask_at_first("list_commands")?;
        let knows = |command: &str| commands.lines().any(|line| line.trim() == command);
        for command in ["clear_board", "play", "genmove"] {
            if !knows(command) {
                return Err(gtp.talk.refuse(&format!(
                    "expected a program with the command {command}, found {}",
                    commands.split_whitespace().collect::<Vec<_>>().join(" ")
                )));
            }
        }
        if let Some(size) = size {
            gtp.ask_at_first(&format!("boardsize {size}"))?;
        }
        gtp.ask_at_first("clear_board")?;
        if let Some(time) = limits.time.filter(|_| knows("time_settings")) {
            // No main time, then this for every single move; whole seconds only.
            let seconds = (time.as_millis() / 1000).max(1);
            gtp.ask_at_first(&format!("time_settings 0 {seconds} 1"))?;
        }
        if let Some(clocks) = seat.clocks {
            let expected = "a clock of at least a second, as GTP tells whole seconds";
            let settings =
                time_settings(clocks.own).ok_or_else(|| gtp.talk.refuse_clock(expected))?;
            gtp.time_left = knows("time_left");
            if knows("time_settings") {
                gtp.ask_at_first(&settings)?;
            }
        }
        Ok(gtp)
    }

    /// Sends a command and waits for its answer: the text after `=`, or after `?`.
    fn ask(
        &mut self,
        command: &str,
        patience: Duration,
    ) -> Result<Result<String, String>, Failure> {
        self.talk.say(command);
        let mut answer: Option<(bool, String)> = None;
        let what = format!("an answer to '{command}'");
        self.talk
            .listen(&what, patience, |line| match &mut answer {
                Some((_, text)) if line.trim().is_empty() => Some(text.trim().to_owned()),
                Some((_, text)) => {
                    // An answer without an end is waited for, not kept.
                    if text.len() < LONGEST_ANSWER {
                        text.push('\n');
                        text.push_str(line);
                    }
                    None
                }
                None => {
                    let good = line.starts_with('=');
                    if good || line.starts_with('?') {
                        let text = line[1..].trim_start_matches(|c: char| c.is_ascii_digit());
                        answer = Some((good, text.to_owned()));
                    }
                    None
                }
            })
            .map(|text| match answer {
                Some((false, _)) => Err(text),
                _ => Ok(text),
            })
    }

    /// As `ask`, before the first move.
    fn ask_at_first(&mut self, command: &str) -> Result<String, Failure> {
        match self.ask(command, super::START_TIME) {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => Err(self
                .talk
                .refuse(&format!("expected an answer to '{command}', found '? {error}'"))),
            Err(Failure::Forfeit(forfeit)) => Err(self.talk.refuse(&forfeit.detail)),
            Err(other) => Err(other),
        }
    }
}

/// The time control before the game: main time, then a time for a number of moves, in whole
/// seconds. There are no words for an increment, nor for more than one period of byo-yomi: the
/// program gets more time than the command says. `None` of less than a second.
fn time_settings(clock: GameClock) -> Option<String> {
    let (main, period, moves) = match clock {
        GameClock::PerMove { time } => (0, time.as_secs(), 1),
        GameClock::SuddenDeath { remaining } | GameClock::Fischer { remaining, .. } => {
            (remaining.as_secs(), 0, 0)
        }
        GameClock::ByoYomi { remaining, period, .. } => (remaining.as_secs(), period.as_secs(), 1),
        GameClock::MovesToGo { remaining, moves, .. } => (0, remaining.as_secs(), moves),
        _ => return None,
    };
    // No time at all would be no limit.
    let is_limit = if moves > 0 { period > 0 } else { main > 0 };
    is_limit.then(|| format!("time_settings {main} {period} {moves}"))
}

/// What is left on a clock: whole seconds, and the moves to be made in them, 0 in main time.
fn time_left(clock: GameClock, colour: &str) -> String {
    let (time, moves) = match clock {
        GameClock::ByoYomi { remaining, period, .. } if remaining.as_secs() == 0 => (period, 1),
        GameClock::ByoYomi { remaining, .. } => (remaining, 0),
        GameClock::PerMove { time } => (time, 1),
        GameClock::MovesToGo { remaining, moves, .. } => (remaining, moves),
        other => (other.remaining(), 0),
    };
    format!("time_left {colour} {} {moves}", time.as_secs())
}

/// The size of the board for the command that sets it, of games that have one.
fn board_size(game: &str, position: &str) -> Option<String> {
    match game {
        "othello" => size_of_text(position).ok().map(|size| size.to_string()),
        // Columns and rows where they are unequal.
        "hex" => Some(position.split([':', ' ']).next()?.replace('x', " ")),
        "gomoku" => {
            let size: u32 = position.split([':', ' ']).next()?.parse().ok()?;
            Some(size.to_string())
        }
        _ => None,
    }
}

impl Player for Gtp {
    fn choose(&mut self, record: &Record, clocks: Option<Clocks>) -> Result<Answer, Failure> {
        for (text, state) in record.texts_from(self.sent).zip(&record.states()[self.sent..]) {
            let vertex = hex::vertex(self.game, &text);
            let command = format!("play {} {vertex}", COLOURS[state.mover()]);
            let refused = self.ask(&command, REPLY_TIME)?.err();
            // Some programs pass by themselves where they must, and take no word for it.
            if let Some(error) = refused.filter(|_| !is_forced_pass(state, &text)) {
                let detail = format!("expected that it takes '{command}', found '? {error}'");
                return Err(Failure::forfeit(ForfeitKind::Protocol, &detail));
            }
        }
        self.sent = record.len();
        let state = record.last();
        let colour = COLOURS[state.mover()];
        if let Some(clocks) = clocks.filter(|_| self.time_left) {
            // A program that does not take it plays by its own clock.
            let _ = self.ask(&time_left(clocks.own, colour), REPLY_TIME)?;
        }
        let command = format!("genmove {colour}");
        match self.ask(&command, self.limits.patience(clocks))? {
            Ok(text) if text.eq_ignore_ascii_case("resign") => Ok(Answer::Resigned),
            Ok(text) => {
                self.sent += 1;
                let mv = legal_move(state, &text.to_ascii_lowercase())?;
                Ok(Answer::Move(mv, Work::default()))
            }
            Err(error) => {
                let detail = format!("expected a move, found '? {error}'");
                Err(Failure::forfeit(ForfeitKind::Protocol, &detail))
            }
        }
    }
}

/// Whether this is a pass and there is no other move.
fn is_forced_pass(state: &Position, text: &str) -> bool {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    text == "pass" && moves.len() == 1
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use playtree::Notation;
    use playtree::budget::GameClock;
    use playtree::games::Othello;

    use super::{board_size, time_left, time_settings};

    #[test]
    fn clocks_are_told_in_whole_seconds() {
        let ms = Duration::from_millis;
        let both = |clock| (time_settings(clock), time_left(clock, "black"));
        let text = |settings: &str, left: &str| {
            (Some(format!("time_settings {settings}")), format!("time_left black {left}"))
        };
        let sudden = GameClock::SuddenDeath { remaining: ms(9900) };
        assert_eq!(both(sudden), text("9 0 0", "9 0"));
        let fischer = GameClock::Fischer { remaining: ms(60_000), increment: ms(1000) };
        assert_eq!(both(fischer), text("60 0 0", "60 0"));
        let byo_yomi = |main| GameClock::ByoYomi { remaining: main, period: ms(5000), periods: 3 };
        assert_eq!(both(byo_yomi(ms(7000))), text("7 5 1", "7 0"));
        assert_eq!(both(byo_yomi(ms(700))), text("0 5 1", "5 1"));
        let session = GameClock::MovesToGo {
            remaining: ms(8000),
            moves: 4,
            session_time: ms(9000),
            session_moves: 5,
        };
        assert_eq!(both(session), text("0 8 4", "8 4"));
        assert_eq!(both(GameClock::PerMove { time: ms(2000) }), text("0 2 1", "2 1"));
        assert_eq!(time_settings(GameClock::SuddenDeath { remaining: ms(900) }), None);
        assert_eq!(time_settings(GameClock::PerMove { time: ms(900) }), None);
    }

    #[test]
    fn the_size_is_read_from_the_position() {
        let size = |game: &str, text: &str| board_size(game, text).unwrap_or_default();
        assert_eq!(size("hex", "11: f6"), "11");
        assert_eq!(size("hex", "11 swap: a2"), "11");
        assert_eq!(size("hex", "7x6:"), "7 6");
        assert_eq!(size("gomoku", "15 exact: h8"), "15");
        assert_eq!(board_size("gomoku", "4x4x3:"), None);
        assert_eq!(size("othello", &Othello::new().position_text()), "8");
        assert_eq!(size("othello", "-----OX--XO----- X"), "4");
        assert_eq!(board_size("connect4", "44"), None);
    }
}
