//! What the exchanges of a search have brought and cost.

use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::carrier::CarrierError;

/// What the exchanges of one search have brought and cost, as this rank sees it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Tally {
    /// All ranks.
    pub ranks: usize,
    /// How the search has ended among them.
    pub end: End,
    /// Exchanges that have come to their end.
    pub exchanges: u64,
    /// Positions of the last one.
    pub lines: u64,
    /// What this rank has given to broadcasts and sums.
    pub bytes: u64,
    /// What exchanges have taken of this rank's time, without waiting.
    #[serde(serialize_with = "in_seconds", rename = "work_seconds")]
    pub work: Duration,
    /// Simulations of the other ranks that have come to this one.
    pub visits: u64,
    /// Branches that others have proven, and this rank had not.
    pub proofs: u64,
    /// Simulations of all ranks that were there at the end, `None` if this one was alone then.
    pub simulations: Option<u64>,
    /// Ranks that were not there at the end; `None` if this one was alone then, and knows of none.
    pub missing: Option<usize>,
    /// Sums that came after their search: what was in them is lost to this rank.
    pub late: u64,
    /// Shares and sums that were refused, as they did not fit the search.
    pub refused: u64,
    /// What has ended the exchange.
    #[serde(serialize_with = "as_text")]
    pub error: Option<CarrierError>,
}

/// How a search has ended among the ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum End {
    /// With an exchange of all: they know the same.
    Together,
    /// There is one rank only.
    Alone,
    /// Others did not answer in time: this rank knows what it has found, and what came before.
    Lost,
    /// Rank 0 has begun another search.
    Superseded,
}

impl Tally {
    pub(super) fn new(ranks: usize) -> Self {
        Self {
            ranks,
            end: End::Alone,
            exchanges: 0,
            lines: 0,
            bytes: 0,
            work: Duration::ZERO,
            visits: 0,
            proofs: 0,
            simulations: None,
            missing: None,
            late: 0,
            refused: 0,
            error: None,
        }
    }

    /// Notes what the last exchange says.
    pub(super) fn take_last(&mut self, simulations: i64, present: i64) {
        self.simulations = Some(simulations as u64);
        self.missing = Some(self.ranks.saturating_sub(present as usize));
    }
}

fn in_seconds<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64(time.as_secs_f64())
}

fn as_text<S: Serializer>(error: &Option<CarrierError>, to: S) -> Result<S::Ok, S::Error> {
    error.as_ref().map(ToString::to_string).serialize(to)
}
