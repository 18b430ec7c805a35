//! What chooses the moves of one side of a game: a searcher of ours, chance, or a program.

mod random;
mod record;
mod searcher;

use std::fmt;
use std::time::Duration;

use playtree::budget::{GameClock, TimeManager};
use playtree::dynamic::AnyMove;
use playtree::{Budget, StopToken};
use playtree_session::{Game, Position};

pub(crate) use self::record::Record;
pub(crate) use self::searcher::{Purpose, Searcher, Wishes};
use crate::error::CliError;
use crate::external;
use crate::harmless::shortened;
use crate::interrupt::Interrupt;
use crate::makes::Makes;
use crate::spec::{PlayerSpec, Spec};

/// One side of one game. A new game has a new player.
pub(crate) trait Player: Send {
    /// What this side does at the end of `record`, where it is to move. `clocks` are there if the
    /// game is played on a clock. May block as long as its limits and its clock say.
    fn choose(&mut self, record: &Record, clocks: Option<Clocks>) -> Result<Answer, Failure>;

    /// Begins to think about the end of `record`, where the other side is to move, until it is
    /// asked for a move. A player that cannot do that does nothing.
    fn ponder(&mut self, record: &Record) {
        let _ = record;
    }

    /// The player as a searcher of ours, which can be looked at while it thinks; `None` of any
    /// other.
    fn searcher(&mut self) -> Option<&mut Searcher> {
        None
    }
}

/// The clocks of a game when a side is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clocks {
    /// Of the side to move.
    pub(crate) own: GameClock,
    pub(crate) other: GameClock,
    /// What divides the time of a searcher of ours.
    pub(crate) manager: TimeManager,
}

impl Clocks {
    /// What a searcher of ours may spend on the move after `plies` plies.
    fn budget(&self, plies: u32) -> Budget {
        self.manager.budget(self.own, plies)
    }

    /// The most that any move may take, less what it costs beyond its thinking; it is the time of
    /// the move where the clock is one for each move.
    pub(crate) fn limit(&self) -> Duration {
        self.manager.plan(self.own, 0).limit
    }
}

/// Takes the time of a move from a clock; if less was left, says how much was left and how much
/// the move took.
pub(crate) fn press(clock: &mut GameClock, time: Duration) -> Option<String> {
    match clock.after_move(time) {
        Some(left) => {
            *clock = left;
            None
        }
        None => {
            let remaining = clock.remaining();
            Some(format!("expected a move within {remaining:.3?} on the clock, found {time:.3?}"))
        }
    }
}

/// What a side does when it is to move.
#[derive(Clone, Debug)]
pub(crate) enum Answer<M = AnyMove> {
    /// It plays a move. Whether that is legal is for the caller to see.
    Move(M, Work),
    /// It gives up.
    Resigned,
    /// It says that the game is drawn, and plays no more.
    ClaimedDraw,
}

/// What a move has cost and what its side expects of it, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Work {
    pub(crate) simulations: Option<u64>,
    /// Visits of the position before it was its turn, if it has thought meanwhile.
    pub(crate) known: Option<u64>,
    pub(crate) nodes: Option<u64>,
    /// In plies.
    pub(crate) depth: Option<u32>,
    /// The score that the side to move expects, in [0, 1].
    pub(crate) mover_win_rate: Option<f64>,
}

/// Why a side has no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It is the fault of an external program: its loss.
    Forfeit(Forfeit),
    /// A program cannot play this game at all, or does not begin to: what was expected and what
    /// was found.
    Unfit(String),
    /// Ctrl-C.
    Stopped,
    /// Ours, or the system's.
    Error(CliError),
}

/// How a program has lost without the rules of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Forfeit {
    pub(crate) kind: ForfeitKind,
    /// What was expected and what was found.
    pub(crate) detail: String,
}

/// The ways to lose without the rules of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForfeitKind {
    /// The program has ended.
    Crash,
    /// It has not answered in time.
    Timeout,
    /// Its move is not legal.
    IllegalMove,
    /// It refuses a legal move, has no move, or says what the protocol does not know.
    Protocol,
}

impl fmt::Display for Failure {
    /// What was expected and what was found.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forfeit(forfeit) => f.write_str(&forfeit.detail),
            Self::Unfit(detail) => f.write_str(detail),
            Self::Stopped => f.write_str("stopped"),
            Self::Error(error) => error.fmt(f),
        }
    }
}

impl Failure {
    /// As an error of the player whose spec stands at `place`.
    pub(crate) fn at(self, place: &str) -> CliError {
        match self {
            Self::Error(error) => error.of_player(place),
            other => CliError::at(place, other),
        }
    }

    /// A loss by a fault. What a program has said is [cut](LONGEST_DETAIL) to what a person reads.
    pub(crate) fn forfeit(kind: ForfeitKind, detail: &str) -> Self {
        let detail = shortened(detail, LONGEST_DETAIL).into_owned();
        Self::Forfeit(Forfeit { kind, detail })
    }
}

/// Characters of what was expected and what was found.
pub(crate) const LONGEST_DETAIL: usize = 300;

/// What a player learns of the game it is to play.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat<'a> {
    pub(crate) game: Game,
    /// Whether the game begins where the rules of the game say.
    pub(crate) usual_start: bool,
    /// Its own in every game.
    pub(crate) seed: u64,
    /// Of each move, for a player whose settings have no limit, without a clock.
    pub(crate) time: Duration,
    /// The clocks before the first move, if the game is played on a clock.
    pub(crate) clocks: Option<Clocks>,
    /// Of a searcher of ours whose settings do not say; `None` for what the library takes.
    pub(crate) threads: Option<usize>,
    pub(crate) stop: &'a AtCtrlC,
    /// Of the engine of a Monte Carlo search.
    pub(crate) maker: &'a dyn Makes,
}

/// What a side does at Ctrl-C while it thinks.
#[derive(Clone, Debug)]
pub(crate) enum AtCtrlC {
    /// It has no answer any more.
    GivesUp(StopToken),
    /// A searcher of ours moves at once; a program has no answer.
    Moves(Interrupt),
}

impl AtCtrlC {
    /// What stops the thinking that begins now.
    pub(crate) fn token(&self) -> StopToken {
        match self {
            Self::GivesUp(token) => token.clone(),
            Self::Moves(interrupt) => interrupt.token(),
        }
    }

    /// Whether what a stopped search has found does not count.
    fn has_given_up(&self) -> bool {
        matches!(self, Self::GivesUp(token) if token.is_stopped())
    }
}

/// A player for a game that begins at `start`. A program has said that it is ready.
///
/// # Errors
/// If there is no such player: its program cannot be started, or does not know the game.
pub(crate) fn make(
    spec: &Spec,
    start: &Position,
    seat: Seat<'_>,
) -> Result<Box<dyn Player>, Failure> {
    Ok(match &spec.player {
        PlayerSpec::Random => Box::new(random::Random::new(seat.seed)),
        PlayerSpec::Mcts(settings) => {
            Box::new(Searcher::by_mcts(settings, seat).map_err(Failure::Error)?)
        }
        PlayerSpec::AlphaBeta(settings) => {
            Box::new(Searcher::by_alphabeta(settings, seat).map_err(Failure::Error)?)
        }
        PlayerSpec::Program { protocol, program, settings } => {
            external::make(*protocol, program, settings, start, seat)?
        }
    })
}
