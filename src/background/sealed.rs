//! What a searcher does for its handle: the part of [`Searcher`](super::Searcher) that only this
//! crate can name, so that only this crate can implement it.

use std::sync::Arc;

use crate::budget::Budget;
use crate::error::SearchError;
use crate::pool::Pool;
use crate::pool::bank::Purse;

use super::Order;

/// What searches positions `P` as options `O` say, and finds reports `R`.
pub trait Searches<P, O, R>: Sized + Send + 'static {
    /// What stops a search, and has its clock.
    type Stops: Send + Sync + 'static;
    /// What a report is read from while a search is under way.
    type View: Send + 'static;
    /// What its table is saved from; nothing, if it cannot be saved while it searches.
    type Table: Clone + Send + 'static;

    /// Starts the clock of a search.
    fn begin(budget: &Budget) -> Self::Stops;

    /// Ends a search soon, also one that has not begun.
    fn stop(stops: &Self::Stops);

    /// Whether a search has begun in a pool, and none of its threads has its turn now.
    fn is_waiting(stops: &Self::Stops) -> bool;

    /// The searchers that it takes turns with.
    fn pool(&self) -> Option<&Pool>;

    /// What its memory is paid from.
    fn purse(&self) -> &Arc<Purse>;

    /// What the table is saved from between two searches.
    fn table(&self) -> Self::Table;

    /// What it is saved from during one.
    fn table_of(view: &Self::View) -> Self::Table;

    /// What is known now. One reader at a time. Of the game's code it calls `Clone` and `Drop`
    /// alone.
    fn read(view: &Self::View) -> Option<R>;

    /// Searches what was ordered. `show` gets what to read as soon as there is something; what it
    /// got is gone before the next order comes.
    fn obey(
        &mut self,
        order: Order<P, O, Self::Stops>,
        show: &mut dyn FnMut(Self::View),
    ) -> Result<R, SearchError>;
}
