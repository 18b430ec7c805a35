//! A searcher of ours as a player. It keeps its table from move to move, and knows what was played.

use std::time::Duration;

use playtree::{Budget, GameState};
use playtree_session::{Engine, Report, Root};

use super::{Answer, AtCtrlC, Clocks, Failure, Player, Record, Seat, Work};
use crate::error::{CliError, session_error};
use crate::spec::{AlphaBetaSettings, MctsSettings};

/// An engine with its table.
#[derive(Debug)]
pub(super) struct Searcher {
    engine: Box<dyn Engine>,
    limits: Limits,
    /// Of a move, if the settings have no limit.
    time: Duration,
    stop: AtCtrlC,
}

/// What the settings say of the limits of a move.
#[derive(Debug)]
enum Limits {
    Mcts(Box<MctsSettings>),
    AlphaBeta(Box<AlphaBetaSettings>),
}

impl Limits {
    /// The budget of a move on a clock.
    fn on_a_clock(&self, clock: Budget) -> Budget {
        match self {
            Self::Mcts(settings) => settings.on_a_clock(clock),
            Self::AlphaBeta(settings) => settings.on_a_clock(clock),
        }
    }

    /// The budget of a move without a clock.
    fn of_a_move(&self, time: Duration) -> Budget {
        match self {
            Self::Mcts(settings) => settings.budget(time),
            Self::AlphaBeta(settings) => settings.budget(time),
        }
    }
}

impl Searcher {
    pub(super) fn by_mcts(settings: &MctsSettings, seat: Seat<'_>) -> Result<Self, CliError> {
        let mut all = settings.settings(seat.game, seat.threads)?;
        all.seed = Some(seat.seed);
        let engine = seat.game.mcts(&all).map_err(session_error)?;
        Ok(Self::new(engine, Limits::Mcts(settings.clone().into()), seat))
    }

    pub(super) fn by_alphabeta(
        settings: &AlphaBetaSettings,
        seat: Seat<'_>,
    ) -> Result<Self, CliError> {
        let mut all = settings.settings();
        all.seed = Some(seat.seed);
        all.threads = all.threads.or(seat.threads);
        let engine = seat.game.alphabeta(&all).map_err(session_error)?;
        Ok(Self::new(engine, Limits::AlphaBeta(settings.clone().into()), seat))
    }

    fn new(engine: Box<dyn Engine>, limits: Limits, seat: Seat<'_>) -> Self {
        Self { engine, limits, time: seat.time, stop: seat.stop.clone() }
    }
}

impl Player for Searcher {
    fn choose(&mut self, record: &Record, clocks: Option<Clocks>) -> Result<Answer, Failure> {
        let state = record.last();
        let budget = match clocks {
            Some(clocks) => self.limits.on_a_clock(clocks.budget(state.plies())),
            None => self.limits.of_a_move(self.time),
        };
        let budget = budget.and_until(&self.stop.token());
        let mut root = Root::new();
        root.except = record.losing_repetitions();
        let report = self
            .engine
            .search(record.as_played(), &budget, &root)
            .map_err(|error| Failure::Error(CliError::usage(error)))?;
        if self.stop.has_given_up() {
            return Err(Failure::Stopped);
        }
        let mut work = Work { mover_win_rate: report.win_rate(), ..Work::default() };
        match &report {
            Report::Mcts(report) => work.simulations = Some(report.simulations),
            Report::AlphaBeta(report) => {
                (work.nodes, work.depth) = (Some(report.nodes), Some(report.depth));
            }
            _ => {}
        }
        let mv = state.parse_move(report.best_move()).map_err(|error| {
            Failure::Error(CliError::usage(format_args!("the move of a search: {error}")))
        })?;
        Ok(Answer::Move(mv, work))
    }
}
