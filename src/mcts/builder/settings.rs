//! The settings that are of no game.

use crate::helpers::Workers;
use crate::mcts::config::{
    Expansion, InFlight, LockPolicy, Parallelism, RolloutMoves, Root, RoundSize, Selection,
    Sharing, TableLocks, WarmUpDraw,
};

/// What the setters of those names have set.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) workers: Workers,
    pub(super) seed: u64,
    /// The default if `None`, which depends on what is known of the game; likewise `warm_up` and
    /// `urgency`.
    pub(super) selection: Option<Selection>,
    pub(super) root: Root,
    pub(super) warm_up: Option<u32>,
    pub(super) urgency: Option<f64>,
    pub(super) warm_up_draw: WarmUpDraw,
    pub(super) expansion: Expansion,
    pub(super) lock_policy: LockPolicy,
    pub(super) table: TableLocks,
    pub(super) in_flight: InFlight,
    pub(super) sharing: Sharing,
    pub(super) proofs: bool,
    pub(super) memory_limit: Option<usize>,
    pub(super) parallelism: Parallelism,
    pub(super) round_size: RoundSize,
    pub(super) rollout_limit: u32,
    pub(super) rollout_moves: RolloutMoves,
    pub(super) rollouts_per_leaf: u32,
    pub(super) contempt: (usize, f64),
    pub(super) reuse: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            workers: Workers::default(),
            seed: 0,
            selection: None,
            root: Root::default(),
            warm_up: None,
            urgency: None,
            warm_up_draw: WarmUpDraw::default(),
            expansion: Expansion::default(),
            lock_policy: LockPolicy::default(),
            table: TableLocks::default(),
            in_flight: InFlight::default(),
            sharing: Sharing::default(),
            proofs: true,
            memory_limit: None,
            parallelism: Parallelism::default(),
            round_size: RoundSize::default(),
            rollout_limit: 10_000,
            rollout_moves: RolloutMoves::default(),
            rollouts_per_leaf: 4,
            contempt: (0, 0.0),
            reuse: true,
        }
    }
}
