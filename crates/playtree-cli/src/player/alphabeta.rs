//! The alpha-beta search as a player. It keeps its table from move to move, and knows what was
//! played.

use std::time::Duration;

use playtree::games::ReferenceGame;
use playtree::{AlphaBeta, GameState, alphabeta};

use super::{Answer, AtCtrlC, Clocks, Failure, Player, Record, Seat, Work};
use crate::error::CliError;
use crate::evaluations::{self, Evaluation};
use crate::options::config_error;
use crate::spec::AlphaBetaSettings;

/// A search with its table.
#[derive(Debug)]
pub(super) struct AlphaBetaPlayer<G: GameState + 'static> {
    engine: AlphaBeta<G, Evaluation<G>>,
    settings: AlphaBetaSettings,
    /// Of a move, if the settings have no limit.
    time: Duration,
    stop: AtCtrlC,
}

impl<G: ReferenceGame> AlphaBetaPlayer<G> {
    pub(super) fn new(settings: &AlphaBetaSettings, seat: Seat<'_>) -> Result<Self, CliError> {
        let builder = settings.builder(evaluations::of_game::<G>());
        let mut builder = builder.seed(seat.seed);
        if let Some(threads) = settings.threads().or(seat.threads) {
            builder = builder.threads(threads);
        }
        let engine = builder.build().map_err(|error| config_error(&error))?;
        Ok(Self { engine, settings: settings.clone(), time: seat.time, stop: seat.stop.clone() })
    }
}

impl<G: GameState + 'static> Player<G> for AlphaBetaPlayer<G> {
    fn choose(
        &mut self,
        record: &Record<G>,
        clocks: Option<Clocks>,
    ) -> Result<Answer<G::Move>, Failure> {
        let budget = match clocks {
            Some(clocks) => self.settings.on_a_clock(clocks.budget(record.last().plies())),
            None => self.settings.budget(self.time),
        };
        let budget = budget.and_until(&self.stop.token());
        let options = alphabeta::Options::new()
            .except(record.losing_repetitions())
            .played(record.states().iter().cloned());
        let report = self
            .engine
            .search_with(record.last(), &budget, &options)
            .map_err(|error| Failure::Error(CliError::usage(error)))?;
        if self.stop.has_given_up() {
            return Err(Failure::Stopped);
        }
        let (nodes, depth) = (Some(report.nodes), Some(report.depth));
        let mover_win_rate = Some(report.win_rate);
        let work = Work { nodes, depth, mover_win_rate, ..Work::default() };
        Ok(Answer::Move(report.best_move, work))
    }
}
