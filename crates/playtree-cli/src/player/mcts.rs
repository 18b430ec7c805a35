//! The Monte Carlo search as a player. It keeps its table from move to move.

use std::time::Duration;

use playtree::games::ReferenceGame;
use playtree::{Budget, GameState, Mcts, mcts};

use super::{Answer, AtCtrlC, Clocks, Failure, Player, Record, Seat, Work};
use crate::error::CliError;
use crate::options::config_error;
use crate::spec::MctsSettings;

/// A search with its table.
#[derive(Debug)]
pub(super) struct MctsPlayer<G: GameState> {
    engine: Mcts<G>,
    settings: MctsSettings,
    /// Of a move, if the settings have no limit.
    time: Duration,
    stop: AtCtrlC,
}

impl<G: ReferenceGame> MctsPlayer<G> {
    pub(super) fn new(settings: &MctsSettings, seat: Seat<'_>) -> Result<Self, CliError> {
        let builder = settings.builder(seat.threads)?.seed(seat.seed);
        let engine = builder.build().map_err(|error| config_error(&error))?;
        Ok(Self { engine, settings: settings.clone(), time: seat.time, stop: seat.stop.clone() })
    }
}

impl<G: GameState> Player<G> for MctsPlayer<G> {
    fn choose(
        &mut self,
        record: &Record<G>,
        clocks: Option<Clocks>,
    ) -> Result<Answer<G::Move>, Failure> {
        let state = record.last();
        let mut budget = match clocks {
            Some(clocks) => self.settings.on_a_clock(clocks.budget(state.plies())),
            None => self.settings.and_limits(Budget::unlimited()),
        };
        if budget.is_unlimited() {
            budget = budget.and_time(self.time);
        }
        let budget = budget.and_until(&self.stop.token());
        let options = mcts::Options::new()
            .except(record.losing_repetitions())
            .played(record.states().iter().cloned());
        let report = self
            .engine
            .search_with(state, &budget, &options)
            .map_err(|error| Failure::Error(CliError::usage(error)))?;
        if self.stop.has_given_up() {
            return Err(Failure::Stopped);
        }
        let (simulations, mover_win_rate) = (Some(report.simulations), Some(report.win_rate));
        let work = Work { simulations, mover_win_rate, ..Work::default() };
        Ok(Answer::Move(report.best_move, work))
    }
}
