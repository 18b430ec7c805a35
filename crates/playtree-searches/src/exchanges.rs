//! What a Monte Carlo search does in an exchange with others.

use playtree::games::ReferenceGame;
use playtree::mcts::exchange::{Absorbed, Exchange, ExchangeError, Lines};
use playtree::{Handle, Mcts};

/// A search that exchanges statistics.
#[derive(Debug)]
pub enum Exchanging<'a, G: ReferenceGame> {
    /// The last one of an engine.
    Idle(&'a mut Mcts<G>),
    /// One in the background.
    Thinking(&'a mut Handle<Mcts<G>>),
}

/// The calls of an [`Exchange`].
#[derive(Debug)]
#[allow(clippy::type_complexity, reason = "each is the type of one function")]
pub struct Exchanges<G: ReferenceGame> {
    /// [`Exchange::lines`].
    pub lines: fn(&mut Exchange, Exchanging<'_, G>, usize) -> Result<Lines, ExchangeError>,
    /// [`Exchange::share`].
    pub share: fn(&mut Exchange, Exchanging<'_, G>, &Lines) -> Result<Vec<i64>, ExchangeError>,
    /// [`Exchange::absorb`].
    pub absorb: fn(&mut Exchange, Exchanging<'_, G>, &[i64]) -> Result<Absorbed, ExchangeError>,
}

impl<G: ReferenceGame> Exchanges<G> {
    pub(crate) const fn new() -> Self {
        Self {
            lines: |exchange, search, at_most| match search {
                Exchanging::Idle(engine) => exchange.lines(engine, at_most),
                Exchanging::Thinking(handle) => exchange.lines(handle, at_most),
            },
            share: |exchange, search, lines| match search {
                Exchanging::Idle(engine) => exchange.share(engine, lines),
                Exchanging::Thinking(handle) => exchange.share(handle, lines),
            },
            absorb: |exchange, search, sum| match search {
                Exchanging::Idle(engine) => exchange.absorb(engine, sum),
                Exchanging::Thinking(handle) => exchange.absorb(handle, sum),
            },
        }
    }
}
