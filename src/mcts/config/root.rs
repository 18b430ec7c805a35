//! How the moves of the root are chosen where a network is asked.

use serde::{Deserialize, Serialize};

use super::ranges::read;

/// What is special about the root of a search that asks a [network](crate::MctsBuilder::network)
/// and picks branches by [PUCT](super::Puct).
///
/// The random numbers are those of the engine's seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Root {
    /// Nothing: its branches are picked as those of any position.
    #[default]
    Plain,
    /// Noise in its priors: for games that a network is to learn from.
    Dirichlet(Dirichlet),
    /// Few moves, the worse half of them left out again and again: for few simulations, and for
    /// policies that a network is to learn from.
    Gumbel(Gumbel),
}

/// Noise in the priors of the root (Silver et al. 2017): `(1 - share) p + share d`, where `d` is
/// drawn from a symmetric Dirichlet distribution, anew for each search.
///
/// The noise is in a copy of the priors: the position keeps its own, and so do reports.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Dirichlet {
    /// How even the noise is, 0.001 to 1 000: the smaller, the fewer moves have most of it.
    /// Default: 0.3, as for chess; 10 divided by the usual number of moves is a good start.
    #[serde(deserialize_with = "read::alpha")]
    pub alpha: f64,
    /// The share of the noise, 0 to 1. Default: 0.25.
    #[serde(deserialize_with = "read::share")]
    pub share: f64,
}

impl Default for Dirichlet {
    fn default() -> Self {
        Self { alpha: 0.3, share: 0.25 }
    }
}

/// Sequential halving of moves drawn by the policy (Danihelka, Guez, Schrittwieser and Silver:
/// Policy improvement by planning with Gumbel, 2022).
///
/// The moves with the highest `g + l` are considered, where `l` is the logarithm of the prior and
/// `g` a Gumbel number, drawn anew for each search. The simulations of the budget are divided among
/// them evenly, in phases, each with half of the moves of the one before, those with the highest
/// `g + l + (visits + n) scale q`: `n` is the most visits of a move, and `q` its win rate, from 0
/// for the lowest to 1 for the highest. A move without visits has a mean of the network's value and
/// of what was seen. The best of the last phase is played.
///
/// A budget without a number of simulations has one series of phases after another, each twice as
/// long as the one before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Gumbel {
    /// The most moves that are considered, at least 1. Default: 16.
    #[serde(deserialize_with = "read::considered")]
    pub considered: u32,
    /// How much win rates count beside the policy, 0.001 to 1 000. Default: 0.1.
    #[serde(deserialize_with = "read::scale")]
    pub scale: f64,
    /// Visits that win rates count as if a move had them more, 0 to 1 000 000. Default: 50.
    #[serde(deserialize_with = "read::extra_visits")]
    pub visits: f64,
    /// How strong the noise is, 0 to 10. With 0 the search plays its best instead of trying moves
    /// out. Default: 1.
    #[serde(deserialize_with = "read::noise")]
    pub noise: f64,
}

impl Default for Gumbel {
    fn default() -> Self {
        Self { considered: 16, scale: 0.1, visits: 50.0, noise: 1.0 }
    }
}

impl Root {
    /// [`Dirichlet`](Self::Dirichlet) with its defaults.
    #[must_use]
    pub fn dirichlet() -> Self {
        Self::Dirichlet(Dirichlet::default())
    }

    /// [`Gumbel`](Self::Gumbel) with its defaults.
    #[must_use]
    pub fn gumbel() -> Self {
        Self::Gumbel(Gumbel::default())
    }
}
