//! Programs of others as players, over the protocols that they speak.
//!
//! | protocol | games | said in |
//! |---|---|---|
//! | UCI | Xiangqi, Breakthrough (as Fairy-Stockfish does) | `uci.rs` |
//! | UCCI | Xiangqi | `ucci.rs`, the rest as UCI |
//! | xboard (CECP 2) | Xiangqi (as XBoard and HoiXiangqi do) | `xboard.rs` |
//! | GTP | every game here: a vertex is a move as the game writes it | `gtp.rs` |
//!
//! A program that cannot be started or does not know the game is an error before the first game.
//! After that its faults are its losses: it has ended, has not answered in time, has played an
//! illegal move, or has refused a legal one.

mod gtp;
mod process;
mod ucci;
mod uci;
mod xboard;

use std::time::{Duration, Instant};

use playtree::dynamic::AnyMove;
use playtree_session::Position;

use self::process::{Process, Silence};
use crate::harmless::shortened;
use crate::player::{AtCtrlC, Clocks, Failure, ForfeitKind, LONGEST_DETAIL, Player, Seat};
use crate::spec::{ProgramSettings, Protocol};

/// The time in which a program must say what it is.
const START_TIME: Duration = Duration::from_secs(10);
/// The time that a move may take beyond its limit; a longer one is a loss.
const GRACE: Duration = Duration::from_secs(2);
/// The time that a move without a limit of time may take.
const LONGEST_MOVE: Duration = Duration::from_secs(60);
/// A program on a clock is waited for until its clock is used up for sure.
const PAST_THE_CLOCK: Duration = Duration::from_millis(5);
/// Characters of a move, or of a word of a program in a message.
const LONGEST_WORD: usize = 80;
/// Nothing is waited for longer.
const LONGEST_WAIT: Duration = Duration::from_secs(1_000_000);

/// A player that is a program.
///
/// # Errors
/// If it cannot be started, does not speak the protocol, or does not know the game.
pub(crate) fn make(
    protocol: Protocol,
    program: &str,
    settings: &ProgramSettings,
    start: &Position,
    seat: Seat<'_>,
) -> Result<Box<dyn Player>, Failure> {
    let mut args: Vec<String> =
        settings.args.iter().flat_map(|args| args.split_whitespace()).map(str::to_owned).collect();
    args.extend(settings.level.map(|level| format!("--level={level}")));
    let process = Process::start(program, &args).map_err(|error| {
        Failure::Unfit(format!("expected a program to run, found '{program}': {error}"))
    })?;
    let limits = Limits::new(settings, seat);
    let talk = Talk { process, program: program.to_owned(), stop: seat.stop.clone() };
    Ok(match protocol {
        Protocol::Uci => Box::new(uci::Uci::start(uci::UCI, talk, settings, limits, seat)?),
        Protocol::Ucci => Box::new(uci::Uci::start(ucci::UCCI, talk, settings, limits, seat)?),
        Protocol::Xboard => Box::new(xboard::Xboard::start(talk, settings, limits, start, seat)?),
        Protocol::Gtp => Box::new(gtp::Gtp::start(talk, settings, limits, start, seat)?),
    })
}

/// What a program may spend on a move.
#[derive(Clone, Copy, Debug)]
struct Limits {
    time: Option<Duration>,
    depth: Option<u32>,
    nodes: Option<u64>,
    /// After which it has lost; on a clock only if it was asked for.
    timeout: Option<Duration>,
}

impl Limits {
    fn new(settings: &ProgramSettings, seat: Seat<'_>) -> Self {
        let ProgramSettings { time, depth, nodes, .. } = *settings;
        if seat.clocks.is_some() {
            // A clock takes the place of a time of its own.
            return Self { time: None, depth, nodes, timeout: settings.timeout };
        }
        // A level is a limit too, but a program may need a time besides.
        let limited = depth.is_some() || nodes.is_some() || settings.level.is_some();
        let time = time.or((!limited).then_some(seat.time));
        let timeout = settings.timeout.unwrap_or(time.map_or(LONGEST_MOVE, |time| time + GRACE));
        Self { time, depth, nodes, timeout: Some(timeout) }
    }

    /// How long to wait for a move.
    fn patience(&self, clocks: Option<Clocks>) -> Duration {
        let clock = clocks.map(|clocks| clocks.own.remaining().saturating_add(PAST_THE_CLOCK));
        self.timeout.into_iter().chain(clock).min().unwrap_or(LONGEST_MOVE)
    }
}

/// A conversation with a program: lines out, lines in, and whose fault it is if none come.
#[derive(Debug)]
struct Talk {
    process: Process,
    program: String,
    stop: AtCtrlC,
}

impl Talk {
    fn say(&mut self, line: &str) {
        self.process.say(line);
    }

    /// Reads lines until `wanted` makes something of one. `what` is what is waited for.
    fn listen<T>(
        &mut self,
        what: &str,
        patience: Duration,
        mut wanted: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Failure> {
        let deadline = Instant::now() + patience.min(LONGEST_WAIT);
        let stop = self.stop.token();
        let mut last = None;
        loop {
            match self.process.line(deadline, &stop) {
                Ok(line) => {
                    if let Some(found) = wanted(&line) {
                        return Ok(found);
                    }
                    if !line.trim().is_empty() {
                        last = Some(line);
                    }
                }
                Err(Silence::Stopped) => return Err(Failure::Stopped),
                Err(Silence::Late) => {
                    let last = last_words(last.as_deref());
                    let detail = format!("expected {what} within {patience:?}, found {last}");
                    return Err(Failure::forfeit(ForfeitKind::Timeout, &detail));
                }
                Err(Silence::Ended(how)) => {
                    let last = last_words(last.as_deref());
                    let detail =
                        format!("expected {what}, found that it ended ({how}) after {last}");
                    return Err(Failure::forfeit(ForfeitKind::Crash, &detail));
                }
            }
        }
    }

    /// As [`listen`](Self::listen), before the first move.
    fn greet<T>(
        &mut self,
        what: &str,
        wanted: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Failure> {
        self.listen(what, START_TIME, wanted).map_err(|failure| match failure {
            Failure::Forfeit(forfeit) => {
                self.refuse(&format!("{} (does it speak another protocol?)", forfeit.detail))
            }
            other => other,
        })
    }

    /// The program cannot be played with on this clock: the protocol has no words for it.
    fn refuse_clock(&self, expected: &str) -> Failure {
        self.refuse(&format!("expected {expected}, found another --clock"))
    }

    /// The program cannot be played with.
    fn refuse(&self, detail: &str) -> Failure {
        let detail = shortened(detail, LONGEST_DETAIL);
        Failure::Unfit(format!("{}: {detail}", self.program))
    }
}

/// The last words of a program, cut to what a person will read.
fn last_words(last: Option<&str>) -> String {
    match last {
        Some(line) => format!("'{}'", shortened(line, LONGEST_WORD)),
        None => "no word".into(),
    }
}

/// Reads a move as the game writes it; what cannot be read or played is the program's loss.
fn legal_move(state: &Position, text: &str) -> Result<AnyMove, Failure> {
    // The error may quote all of it.
    let text = shortened(text, LONGEST_WORD);
    state
        .parse_move(&text)
        .map_err(|error| Failure::forfeit(ForfeitKind::IllegalMove, &format!("{text}: {error}")))
}
