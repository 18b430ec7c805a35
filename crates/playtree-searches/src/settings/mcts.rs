//! The settings of the Monte Carlo search.

use std::path::PathBuf;

use playtree::games::{Hex, ReferenceGame};
use playtree::mcts::{
    Expansion, InFlight, LockPolicy, Parallelism, RolloutMoves, Root, RoundSize, Selection,
    Sharing, TableLocks, WarmUpDraw,
};
use playtree::{ConfigError, Mcts, MctsBuilder};
use serde::{Deserialize, Serialize};

use super::{network, set};
use crate::error::Error;

/// The settings of the Monte Carlo search: each is what the setter of that name says of
/// [`MctsBuilder`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs, reason = "each is a setter of the builder, by its name")]
pub struct MctsSettings {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oversubscribe: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<Selection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warm_up: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warm_up_draw: Option<WarmUpDraw>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expansion: Option<Expansion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lock_policy: Option<LockPolicy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<TableLocks>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_flight: Option<InFlight>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sharing: Option<Sharing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proofs: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reuse: Option<bool>,
    /// In bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_limit: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallelism: Option<Parallelism>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round_size: Option<RoundSize>,
    /// In plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rollout_limit: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rollout_moves: Option<RolloutMoves>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rollouts_per_leaf: Option<u32>,
    /// Bytes of the table for [endgames](MctsBuilder::endgames).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endgames: Option<usize>,
    /// In plies; needs an evaluation, as the next two. Where it is not set, nor anything else that
    /// says how positions are valued or branches picked, it is 0 in a game that
    /// [plays better so](ReferenceGame::VALUES_AT_ONCE).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut_off: Option<u32>,
    /// In visits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prior: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_play_urgency: Option<f64>,
    /// A player, and what a draw is worth less to him, in points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contempt: Option<(usize, f64)>,
    /// What is special about the root of each search; needs a network unless it is plain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<Root>,
    /// The ONNX file of a network for the game. In no JSON: whoever may send settings may not name
    /// files.
    #[serde(skip)]
    pub network: Option<PathBuf>,
}

impl MctsSettings {
    /// Refuses what an engine of every game would refuse.
    ///
    /// # Errors
    /// If a setting is out of its range, or two contradict each other.
    pub fn check(&self) -> Result<(), ConfigError> {
        let mut general = Self { endgames: None, first_play_urgency: None, ..self.clone() };
        if self.network.is_some() {
            // Whether they go with it is seen when it is there.
            (general.root, general.selection) = (None, None);
        }
        let builder = general.general().threads(1);
        builder.check()
    }

    /// A builder with those that every game has, of one game: it is a lot of code.
    #[inline(never)]
    fn general(&self) -> MctsBuilder<Hex> {
        let mut builder = Mcts::<Hex>::builder();
        set!(builder, self: threads, oversubscribe, seed, selection, warm_up, warm_up_draw, expansion,
            lock_policy, table, in_flight, sharing, proofs, reuse, parallelism, round_size,
            rollout_limit, rollout_moves, rollouts_per_leaf, first_play_urgency, root);
        if let Some(bytes) = self.memory_limit {
            builder = builder.memory_limit(Some(bytes));
        }
        if let Some((player, contempt)) = self.contempt {
            builder = builder.contempt(player, contempt);
        }
        builder
    }

    /// The plies after which rollouts are cut off: what is set, or none at all in a game whose
    /// evaluation plays better, if nothing is said of how positions are valued and branches picked.
    fn cut_off_in<G: ReferenceGame>(&self) -> Option<u32> {
        let says_nothing = self.selection.is_none()
            && self.warm_up.is_none()
            && self.expansion.is_none()
            && self.rollout_limit.is_none()
            && self.rollout_moves.is_none()
            && self.rollouts_per_leaf.is_none()
            && self.prior.is_none()
            && self.network.is_none();
        self.cut_off.or((G::VALUES_AT_ONCE && says_nothing).then_some(0))
    }

    /// A builder with these settings.
    pub(crate) fn builder<G: ReferenceGame>(&self) -> Result<MctsBuilder<G>, Error> {
        let evaluation = |setting| {
            let game = G::INFO.name;
            G::evaluation().ok_or(Error::NoEvaluation { setting, game })
        };
        let mut builder = self.general().for_game::<G>();
        if let Some(file) = &self.network {
            builder = network::from_file(builder, file)?;
        }
        if let Some(bytes) = self.endgames {
            builder = builder.endgames(bytes);
        }
        if let Some(plies) = self.cut_off_in::<G>() {
            builder = builder.cut_off(plies, evaluation("cut_off")?);
        }
        if let Some(visits) = self.prior {
            builder = builder.prior(visits, evaluation("prior")?);
        }
        Ok(builder)
    }
}
