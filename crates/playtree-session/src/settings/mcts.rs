//! The settings of the Monte Carlo search.

use playtree::games::{Hex, ReferenceGame};
use playtree::mcts::{
    Expansion, InFlight, LockPolicy, Parallelism, RoundSize, Selection, Sharing, TableLocks,
    WarmUpDraw,
};
use playtree::{ConfigError, GameState, Mcts, MctsBuilder};

use super::set;
use crate::error::Error;

/// The settings of the Monte Carlo search: each is what the setter of that name says of
/// [`MctsBuilder`].
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "each is a setter of the builder, by its name")]
pub struct MctsSettings {
    pub threads: Option<usize>,
    pub oversubscribe: Option<bool>,
    pub seed: Option<u64>,
    pub selection: Option<Selection>,
    pub warm_up: Option<u32>,
    pub warm_up_draw: Option<WarmUpDraw>,
    pub expansion: Option<Expansion>,
    pub lock_policy: Option<LockPolicy>,
    pub table: Option<TableLocks>,
    pub in_flight: Option<InFlight>,
    pub sharing: Option<Sharing>,
    pub proofs: Option<bool>,
    pub reuse: Option<bool>,
    /// In bytes.
    pub memory_limit: Option<usize>,
    pub parallelism: Option<Parallelism>,
    pub round_size: Option<RoundSize>,
    /// In plies.
    pub rollout_limit: Option<u32>,
    pub rollouts_per_leaf: Option<u32>,
    /// Bytes of the table for [endgames](MctsBuilder::endgames).
    pub endgames: Option<usize>,
    /// In plies; needs an evaluation, as the next two.
    pub cut_off: Option<u32>,
    /// In visits.
    pub prior: Option<u32>,
    pub first_play_urgency: Option<f64>,
    /// A player, and what a draw is worth less to him, in points.
    pub contempt: Option<(usize, f64)>,
}

impl MctsSettings {
    /// Refuses what an engine of every game would refuse.
    ///
    /// # Errors
    /// If a setting is out of its range, or two contradict each other.
    pub fn check(&self) -> Result<(), ConfigError> {
        let general = Self { endgames: None, first_play_urgency: None, ..self.clone() };
        let builder = general.general::<Hex>().threads(1);
        builder.build().map(drop)
    }

    /// A builder with those that every game has.
    fn general<G: GameState>(&self) -> MctsBuilder<G> {
        let mut builder = Mcts::<G>::builder();
        set!(builder, self: threads, oversubscribe, seed, selection, warm_up, warm_up_draw, expansion,
            lock_policy, table, in_flight, sharing, proofs, reuse, parallelism, round_size,
            rollout_limit, rollouts_per_leaf, first_play_urgency);
        if let Some(bytes) = self.memory_limit {
            builder = builder.memory_limit(Some(bytes));
        }
        if let Some((player, contempt)) = self.contempt {
            builder = builder.contempt(player, contempt);
        }
        builder
    }

    /// A builder with these settings.
    pub(crate) fn builder<G: ReferenceGame>(&self) -> Result<MctsBuilder<G>, Error> {
        let evaluation = |setting| {
            let game = G::INFO.name;
            G::evaluation().ok_or(Error::NoEvaluation { setting, game })
        };
        let mut builder = self.general::<G>();
        if let Some(bytes) = self.endgames {
            builder = builder.endgames(bytes);
        }
        if let Some(plies) = self.cut_off {
            builder = builder.cut_off(plies, evaluation("cut_off")?);
        }
        if let Some(visits) = self.prior {
            builder = builder.prior(visits, evaluation("prior")?);
        }
        Ok(builder)
    }
}
