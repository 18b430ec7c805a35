//! The Chess Engine Communication Protocol, version 2 (T. Mann and H. G. Muller 2009), which
//! XBoard speaks, for Xiangqi with ranks from 0.

use std::time::Duration;

use playtree::GameState;
use playtree::budget::{GameClock, TimeManager};
use playtree_session::Position;

use super::{Limits, Talk, legal_move};
use crate::player::{Answer, Clocks, Failure, ForfeitKind, Player, Record, Seat, Work};
use crate::spec::ProgramSettings;

/// A program that speaks the protocol. It is held in force mode, in which it only takes notes,
/// and gets `go` for one move at a time.
#[derive(Debug)]
pub(super) struct Xboard {
    talk: Talk,
    limits: Limits,
    /// Moves of the game that the program knows.
    sent: usize,
    features: Features,
}

/// What the program says it can do; at first what the protocol says of those that say nothing.
#[derive(Clone, Copy, Debug, Default)]
struct Features {
    /// A move is to be sent behind `usermove`.
    usermove: bool,
    ping: bool,
    setboard: bool,
    smp: bool,
    /// It wants to know the clocks before each move, which it does unless it says otherwise.
    time: bool,
}

impl Features {
    /// Takes the features of a line; whether it is the last one.
    fn read(&mut self, line: &str) -> bool {
        let on = |name: &str| {
            line.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
        };
        for (name, flag) in [
            ("usermove", &mut self.usermove),
            ("ping", &mut self.ping),
            ("setboard", &mut self.setboard),
            ("smp", &mut self.smp),
            ("time", &mut self.time),
        ] {
            if let Some(value) = on(name) {
                *flag = value == "1";
            }
        }
        on("done") == Some("1")
    }
}

impl Xboard {
    pub(super) fn start(
        mut talk: Talk,
        settings: &ProgramSettings,
        limits: Limits,
        start: &Position,
        seat: Seat<'_>,
    ) -> Result<Self, Failure> {
        if seat.game.name() != "xiangqi" {
            return Err(talk.refuse(&format!(
                "expected a game that can be played over xboard (xiangqi), found {}",
                seat.game.name()
            )));
        }
        if limits.nodes.is_some() {
            return Err(talk.refuse(
                "expected time or depth, which is all that the xboard protocol can limit, found nodes",
            ));
        }
        talk.say("xboard");
        talk.say("protover 2");
        let mut features = Features { time: true, ..Features::default() };
        talk.greet("'feature ... done=1' in answer to 'protover 2'", |line| {
            let said = line.trim_start().strip_prefix("feature ")?;
            features.read(said).then_some(())
        })?;
        for feature in ["ping", "setboard", "usermove", "smp", "time", "done"] {
            talk.say(&format!("accepted {feature}"));
        }
        talk.say("new");
        talk.say(&format!("variant {}", settings.variant.as_deref().unwrap_or("xiangqi")));
        for line in ["force", "easy", "post"] {
            talk.say(line);
        }
        if let Some(threads) = settings.threads {
            if !features.smp {
                return Err(talk.refuse("expected the feature smp for threads, found none"));
            }
            talk.say(&format!("cores {threads}"));
        }
        for (name, value) in settings.options.iter().flat_map(|options| &options.0) {
            talk.say(&format!("option {name}={value}"));
        }
        if !seat.usual_start {
            if !features.setboard {
                return Err(talk.refuse("expected the feature setboard for a position, found none"));
            }
            talk.say(&format!("setboard {}", super::uci::fen(&start.position_text())));
        }
        if let Some(time) = limits.time {
            talk.say(&time_limit(time).map_err(|expected| talk.refuse(&expected))?);
        }
        if let Some(clocks) = seat.clocks {
            talk.say(&level(clocks).ok_or_else(|| {
                let expected = "a clock such as 5m, 5m+3s, 5m/40 or 10s/move in whole seconds, as the \
                                xboard protocol tells it";
                talk.refuse_clock(expected)
            })?);
        }
        if let Some(depth) = limits.depth {
            talk.say(&format!("sd {depth}"));
        }
        if features.ping {
            talk.say("ping 1");
            talk.greet("'pong 1' in answer to 'ping 1'", |line| {
                (line.trim() == "pong 1").then_some(())
            })?;
        }
        Ok(Self { talk, limits, sent: 0, features })
    }
}

/// `st` knows whole seconds only.
fn time_limit(time: Duration) -> Result<String, String> {
    if time.subsec_nanos() != 0 {
        return Err(format!(
            "expected whole seconds, as the xboard protocol tells the time, found {time:?}"
        ));
    }
    Ok(format!("st {}", time.as_secs()))
}

/// The time control before the game; `None` of one that the protocol has no words for. It knows
/// whole seconds only.
fn level(clocks: Clocks) -> Option<String> {
    let whole = |time: Duration| (time.subsec_nanos() == 0).then_some(time.as_secs());
    let (moves, base, increment) = match clocks.own {
        GameClock::PerMove { time } => return time_limit(time).ok(),
        GameClock::SuddenDeath { remaining } => (0, whole(remaining)?, 0),
        GameClock::Fischer { remaining, increment } => (0, whole(remaining)?, whole(increment)?),
        GameClock::MovesToGo { remaining, moves, .. } => (moves, whole(remaining)?, 0),
        _ => return None,
    };
    let base = match (base / 60, base % 60) {
        (minutes, 0) => minutes.to_string(),
        (minutes, seconds) => format!("{minutes}:{seconds:02}"),
    };
    Some(format!("level {moves} {base} {increment}"))
}

/// The time on a clock; where it is one for each move, less what the move costs beyond its
/// thinking, which the program does not know and `st` cannot say.
fn time_of(clock: GameClock, manager: TimeManager) -> Duration {
    match clock {
        GameClock::PerMove { .. } => manager.plan(clock, 0).limit,
        other => other.remaining(),
    }
}

/// What a line can mean for us.
#[derive(Debug)]
enum Said {
    Move(String),
    Resigned,
    Drawn,
    /// It does not take what we said, or claims what is not so.
    Refused(String),
}

/// A line of the program that is to move as player 0, or not.
fn understand(line: &str, first: bool) -> Option<Said> {
    let line = line.trim();
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let lost = if first { "0-1" } else { "1-0" };
    match word {
        "move" => Some(Said::Move(rest.trim().to_owned())),
        "resign" => Some(Said::Resigned),
        "1/2-1/2" => Some(Said::Drawn),
        "0-1" | "1-0" if word == lost => Some(Said::Resigned),
        "0-1" | "1-0" | "Illegal" | "Error" | "tellusererror" => Some(Said::Refused(line.into())),
        _ => None,
    }
}

impl Player for Xboard {
    fn choose(&mut self, record: &Record, clocks: Option<Clocks>) -> Result<Answer, Failure> {
        for text in record.texts_from(self.sent) {
            let prefix = if self.features.usermove { "usermove " } else { "" };
            self.talk.say(&format!("{prefix}{text}"));
        }
        self.sent = record.len();
        if let Some(Clocks { own, other, manager }) = clocks.filter(|_| self.features.time) {
            for (word, time) in [("time", time_of(own, manager)), ("otim", time_of(other, manager))]
            {
                // In hundredths of a second.
                self.talk.say(&format!("{word} {}", time.as_millis() / 10));
            }
        }
        self.talk.say("go");
        let mut work = Work::default();
        let first = record.last().mover() == 0;
        let said = self.talk.listen("'move'", self.limits.patience(clocks), |line| {
            // `post`: depth, score, hundredths of a second, nodes, line of play.
            let mut numbers = line.split_whitespace().map_while(|word| word.parse::<i64>().ok());
            if let [Some(depth), Some(_), Some(_), Some(nodes)] = [(); 4].map(|()| numbers.next()) {
                work.depth = depth.try_into().ok();
                work.nodes = nodes.try_into().ok();
            }
            understand(line, first)
        })?;
        self.talk.say("force");
        match said {
            Said::Move(text) => {
                self.sent += 1;
                Ok(Answer::Move(legal_move(record.last(), &text)?, work))
            }
            Said::Resigned => Ok(Answer::Resigned),
            Said::Drawn => Ok(Answer::ClaimedDraw),
            Said::Refused(line) => Err(Failure::forfeit(
                ForfeitKind::Protocol,
                &format!("expected a move, found '{line}'"),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read_from_several_lines() {
        let mut features = Features::default();
        assert!(!features.read(r#"myname="A B" ping=1 setboard=1 usermove=0"#));
        assert!(features.read("usermove=1 smp=1 done=1"));
        assert!(features.ping && features.setboard && features.usermove && features.smp);
    }

    #[test]
    fn a_result_is_a_resignation_only_by_the_loser() {
        assert!(matches!(understand("0-1 {resigns}", true), Some(Said::Resigned)));
        assert!(matches!(understand("0-1 {mate}", false), Some(Said::Refused(_))));
        assert!(matches!(understand("1/2-1/2 {repetition}", true), Some(Said::Drawn)));
        assert!(matches!(understand("move e2c2", true), Some(Said::Move(text)) if text == "e2c2"));
        assert!(understand("1 4 0 45 2. Ce2xe6+", true).is_none());
    }

    #[test]
    fn a_clock_is_told_in_minutes_and_seconds() {
        let s = Duration::from_secs;
        let text = |own| level(Clocks { own, other: own, manager: TimeManager::new() });
        let fischer =
            |remaining, increment| text(GameClock::Fischer { remaining: s(remaining), increment });
        assert_eq!(fischer(305, s(3)).as_deref(), Some("level 0 5:05 3"));
        assert_eq!(fischer(305, s(3) / 2), None);
        let sudden = text(GameClock::SuddenDeath { remaining: s(30) });
        assert_eq!(sudden.as_deref(), Some("level 0 0:30 0"));
        let session = text(GameClock::MovesToGo {
            remaining: s(300),
            moves: 40,
            session_time: s(300),
            session_moves: 40,
        });
        assert_eq!(session.as_deref(), Some("level 40 5 0"));
        assert_eq!(text(GameClock::PerMove { time: s(2) }).as_deref(), Some("st 2"));
        assert_eq!(text(GameClock::ByoYomi { remaining: s(9), period: s(9), periods: 1 }), None);
    }

    #[test]
    fn a_clock_for_each_move_leaves_time_for_the_way_of_the_answer() {
        let time = Duration::from_secs(2);
        let manager = TimeManager::new().lag(Duration::from_millis(100));
        assert_eq!(time_of(GameClock::PerMove { time }, manager), Duration::from_millis(1900));
        assert_eq!(time_of(GameClock::SuddenDeath { remaining: time }, manager), time);
    }

    #[test]
    fn time_is_told_in_seconds() {
        assert_eq!(time_limit(Duration::from_secs(2)), Ok("st 2".into()));
        assert!(time_limit(Duration::from_millis(1500)).is_err());
    }
}
