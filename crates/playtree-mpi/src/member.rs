//! What searches on a rank, as the exchange sees it.

use std::fmt;
use std::time::Duration;

use playtree::mcts::exchange::{Absorbed, Exchange, ExchangeError, Lines};
use playtree::{GameState, Handle, Mcts, StopReason};

/// A search that runs on a rank while it exchanges what it finds.
pub trait Member {
    /// Chooses the positions of an exchange, as [`Exchange::lines`].
    ///
    /// # Errors
    /// As there.
    fn lines(&mut self, at_most: usize) -> Result<Lines, ExchangeError>;

    /// What this rank has found there, as [`Exchange::share`].
    ///
    /// # Errors
    /// As there.
    fn share(&mut self, lines: &Lines) -> Result<Vec<i64>, ExchangeError>;

    /// Takes what all have found, as [`Exchange::absorb`].
    ///
    /// # Errors
    /// As there.
    fn absorb(&mut self, sum: &[i64]) -> Result<Absorbed, ExchangeError>;

    /// Waits for the end of the search, at most this long: whether it has ended.
    fn wait_for(&mut self, time: Duration) -> bool;

    /// Ends the search, and waits until no worker searches any more.
    fn stop(&mut self);

    /// What has ended the search, [`Running`](StopReason::Running) while it goes on, and its
    /// simulations.
    fn progress(&mut self) -> (StopReason, u64);
}

/// A search in the background with its part in the exchange.
///
/// The part is kept from search to search: it knows what the engine has said and got.
pub struct Seat<'a, G: GameState + 'static> {
    handle: &'a mut Handle<Mcts<G>>,
    exchange: &'a mut Exchange,
}

impl<'a, G: GameState + 'static> Seat<'a, G> {
    /// The search of a handle.
    pub fn new(handle: &'a mut Handle<Mcts<G>>, exchange: &'a mut Exchange) -> Self {
        Self { handle, exchange }
    }
}

impl<G: GameState + 'static> fmt::Debug for Seat<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seat").field("exchange", &self.exchange).finish_non_exhaustive()
    }
}

impl<G: GameState + 'static> Member for Seat<'_, G> {
    fn lines(&mut self, at_most: usize) -> Result<Lines, ExchangeError> {
        self.exchange.lines(self.handle, at_most)
    }

    fn share(&mut self, lines: &Lines) -> Result<Vec<i64>, ExchangeError> {
        self.exchange.share(self.handle, lines)
    }

    fn absorb(&mut self, sum: &[i64]) -> Result<Absorbed, ExchangeError> {
        self.exchange.absorb(self.handle, sum)
    }

    fn wait_for(&mut self, time: Duration) -> bool {
        self.handle.watcher().wait_for(time)
    }

    fn stop(&mut self) {
        // An error of the search is there for the owner of the handle to see.
        let _ = self.handle.stop();
    }

    fn progress(&mut self) -> (StopReason, u64) {
        let is_thinking = self.handle.is_thinking();
        match self.handle.report() {
            Some(report) if is_thinking => (StopReason::Running, report.simulations),
            Some(report) => (report.stop_reason, report.simulations),
            None if is_thinking => (StopReason::Running, 0),
            None => (StopReason::Stopped, 0),
        }
    }
}
