//! The alpha-beta search as a player. It keeps its table from move to move, and knows what was
//! played.

use std::time::Duration;

use playtree::games::ReferenceGame;
use playtree::{AlphaBeta, GameState, StopToken, alphabeta};

use super::{Answer, Clocks, Failure, Player, Record, Seat, Work};
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
    stop: StopToken,
}

impl<G: ReferenceGame> AlphaBetaPlayer<G> {
    pub(super) fn new(settings: &AlphaBetaSettings, seat: Seat<'_>) -> Result<Self, CliError> {
        let builder = settings.builder(evaluations::of_game::<G>());
        // A match is one of equals: each side has one thread, unless it says more.
        let builder = builder.threads(settings.threads().unwrap_or(1)).seed(seat.seed);
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
        let budget = budget.and_until(&self.stop);
        let options = alphabeta::Options::new()
            .except(record.losing_repetitions())
            .played(record.states().iter().cloned());
        let report = self
            .engine
            .search_with(record.last(), &budget, &options)
            .map_err(|error| Failure::Error(CliError::usage(error)))?;
        if self.stop.is_stopped() {
            return Err(Failure::Stopped);
        }
        let (nodes, depth) = (Some(report.nodes), Some(report.depth));
        Ok(Answer::Move(report.best_move, Work { nodes, depth, ..Work::default() }))
    }
}
