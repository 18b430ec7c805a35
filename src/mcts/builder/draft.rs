//! What an engine is made by: its settings with the defaults of its game, checked.
//!
//! Nothing here depends on the type of the game, so it is compiled once for all of them.

use crate::error::ConfigError;
use crate::game::DefaultUse;
use crate::mcts::config::{Parallelism, ProgressiveHistory, Selection, Sharing, TableLocks};
use crate::mcts::learned::Tables;
use crate::mcts::round::RoundRules;
use crate::mcts::round::select::Rules;
use crate::mcts::tree::arena::MOST_RAISED;
use crate::mcts::tree::planes::PlaneLayout;
use crate::mcts::tree::value::DrawScores;
use crate::mcts::tree::{TreeRules, ValueBytes};
use crate::mcts::worker::ROUNDS_UNDER_WAY;
use crate::pool::Pool;
use crate::pool::bank::Needs;

use super::settings::Settings;

/// What there is of a game and of the user's own code, which settings are checked against.
pub(super) struct Given {
    pub(super) players: usize,
    pub(super) values: ValueBytes,
    /// The codes of its moves.
    pub(super) codes: Option<GivenCodes>,
    /// How many codes the rollout policy has for moves.
    pub(super) learned_codes: Option<usize>,
    /// The plies after which an evaluation cuts rollouts off.
    pub(super) cut_off: Option<u32>,
    /// The visits that an evaluation gives to new positions.
    pub(super) prior: Option<u32>,
    pub(super) network: bool,
    /// Whether a policy that picks branches, if there is one, needs mean squares.
    pub(super) own_needs_squares: Option<bool>,
    /// The bytes of a table for endgames.
    pub(super) endgames: Option<usize>,
}

/// The codes of a game's moves.
pub(super) struct GivenCodes {
    pub(super) count: usize,
    pub(super) default: DefaultUse,
}

/// Which codes moves are noted by.
#[derive(Clone, Copy, Debug)]
pub(super) enum Coding {
    OfGame,
    OfRollouts,
}

/// What an engine is made by.
pub(super) struct Design {
    pub(super) workers: usize,
    pub(super) proofs: bool,
    pub(super) round: RoundRules,
    pub(super) tree: TreeRules,
    pub(super) needs: Needs,
    /// What of the memory limit each of the rounds under way has, in bytes.
    pub(super) room: Option<u64>,
    /// Whether the moves of simulations are noted for the selection.
    pub(super) notes_moves: bool,
    /// The codes by which the moves of the tree alone are noted, if they are.
    pub(super) history: Option<Coding>,
    /// The codes by which rollouts learn, if they do.
    pub(super) lessons: Option<Coding>,
}

/// Settings for a game, as far as its type does not matter.
pub(super) struct Draft<'a> {
    pub(super) settings: &'a Settings,
    pub(super) given: Given,
}

impl Draft<'_> {
    /// What the engine is made by.
    ///
    /// # Errors
    /// If a setting is out of its range, or ruled out by the game or another one.
    pub(super) fn design(&self) -> Result<Design, ConfigError> {
        self.check()?;
        let settings = self.settings;
        let selection = self.selection();
        let urgency = self.urgency();
        let by_itself = selection.is_none_or(needs_no_warm_up);
        let round = RoundRules {
            select: Rules {
                selection,
                warm_up: settings.warm_up.unwrap_or(u32::from(urgency.is_none() && !by_itself)),
                urgency: urgency.map(|urgency| urgency as f32),
                warm_up_draw: settings.warm_up_draw,
                in_flight: settings.in_flight,
                proofs: self.proofs(),
            },
            expansion: settings.expansion,
            round_size: settings.round_size,
            lock_policy: settings.lock_policy,
            layout: self.layout(),
            draws: self.draws(),
            rollout_limit: settings.rollout_limit,
            rollouts_per_leaf: settings.rollouts_per_leaf,
        };
        let tree = self.tree_rules(self.measure_of_chunks());
        let beside = self.given.endgames.unwrap_or(0) as u64 + self.bytes_to_learn();
        Ok(Design {
            workers: self.workers(),
            proofs: self.proofs(),
            round,
            needs: tree.needs(self.given.values, beside),
            room: room_of_round(tree.memory_limit, tree.rounds),
            tree,
            notes_moves: self.notes_moves(),
            history: self.history(),
            lessons: self.lessons(),
        })
    }

    fn workers(&self) -> usize {
        match self.settings.parallelism {
            Parallelism::Simulated { workers } => workers,
            Parallelism::Shared | Parallelism::Rounds => self.settings.workers.count(),
        }
    }

    fn proofs(&self) -> bool {
        self.settings.proofs && self.given.players <= 2
    }

    fn layout(&self) -> PlaneLayout {
        PlaneLayout::new(self.given.players, self.keeps_squares())
    }

    fn draws(&self) -> DrawScores {
        let (player, contempt) = self.settings.contempt;
        DrawScores::new(self.given.players, player, contempt)
    }

    /// The limit that the chunks of memory are made for. In a pool all engines have the same ones:
    /// each may get the most that any of them can.
    fn measure_of_chunks(&self) -> Option<usize> {
        let bank = self.settings.workers.pool.as_ref().and_then(Pool::bank);
        let part = bank.map(|bank| bank.bytes() / MOST_RAISED);
        let part = part.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        part.into_iter().chain(self.settings.memory_limit).min()
    }

    /// The rules of the tree with this memory limit.
    fn tree_rules(&self, memory_limit: Option<usize>) -> TreeRules {
        let shards = match (self.settings.sharing, self.settings.table) {
            (Sharing::PerPath, _) => None,
            (Sharing::Shared, TableLocks::OneLock) => Some(1),
            (Sharing::Shared, TableLocks::Shards(shards)) => Some(shards),
        };
        let memory_limit = memory_limit.map(|bytes| bytes as u64);
        let rounds = match self.settings.parallelism {
            // However many workers there are: the report must not depend on it.
            Parallelism::Rounds => ROUNDS_UNDER_WAY as usize,
            Parallelism::Shared | Parallelism::Simulated { .. } => self.workers(),
        };
        let room = room_of_round(memory_limit, rounds);
        let codes = self.given.codes.as_ref().filter(|_| self.notes_moves());
        TreeRules {
            shards,
            planes: self.layout().count(),
            priors: self.keeps_priors(),
            amaf_codes: codes.map(|codes| codes.count),
            proofs: self.proofs(),
            draws: self.draws(),
            rounds,
            memory_limit,
            reserved: room.unwrap_or(0) * rounds as u64,
        }
    }

    /// The least memory limit from `bytes` on that has room for a position and its moves.
    pub(super) fn least_memory(&self, mut bytes: usize) -> usize {
        loop {
            let needed = self.tree_rules(Some(bytes)).bytes_of_root(self.given.values);
            match usize::try_from(needed) {
                Ok(needed) if needed > bytes => bytes = needed,
                _ => return bytes,
            }
        }
    }

    /// Whether the moves of simulations are noted: where the selection asks for them.
    fn notes_moves(&self) -> bool {
        self.given.codes.is_some() && matches!(self.selection(), Some(Selection::Grave(_)))
    }

    /// The codes by which the moves of the tree are noted: where the selection asks for that. Those
    /// of the policy serve as well, which may be finer.
    pub(super) fn history(&self) -> Option<Coding> {
        let history = matches!(self.selection(), Some(Selection::ProgressiveHistory(_)));
        let of_game = self.given.codes.as_ref().map(|_| Coding::OfGame);
        of_game.or(self.of_rollouts()).filter(|_| history)
    }

    /// The codes by which rollouts learn: where they do. Those that moves are noted by anyway, or
    /// else those of the policy.
    pub(super) fn lessons(&self) -> Option<Coding> {
        let noted = if self.notes_moves() { Some(Coding::OfGame) } else { self.history() };
        noted.or(self.of_rollouts()).filter(|_| self.settings.rollout_moves.learn())
    }

    fn of_rollouts(&self) -> Option<Coding> {
        self.given.learned_codes.map(|_| Coding::OfRollouts)
    }

    /// The bytes of the tables of what they learn.
    fn bytes_to_learn(&self) -> u64 {
        let count = self.lessons().and_then(|coding| match coding {
            Coding::OfGame => self.given.codes.as_ref().map(|codes| codes.count),
            Coding::OfRollouts => self.given.learned_codes,
        });
        let Settings { rollout_moves, .. } = self.settings;
        count.map_or(0, |count| Tables::bytes(rollout_moves, self.given.players, count))
    }

    /// Whether mean squares are kept beside mean scores.
    fn keeps_squares(&self) -> bool {
        let needs_squares = self.given.own_needs_squares;
        needs_squares.unwrap_or_else(|| self.selection() == Some(Selection::Ucb1Tuned))
    }

    /// Whether priors are kept.
    pub(super) fn keeps_priors(&self) -> bool {
        match self.selection() {
            Some(selection) => matches!(selection, Selection::Puct(_)),
            None => self.given.network,
        }
    }

    /// The selection, `None` if it is the policy of the user's own.
    pub(super) fn selection(&self) -> Option<Selection> {
        if self.given.own_needs_squares.is_some() {
            return None;
        }
        Some(self.settings.selection.unwrap_or_else(|| self.default_selection()))
    }

    /// The selection if none is asked for.
    fn default_selection(&self) -> Selection {
        let Given { network, cut_off, prior, codes, .. } = &self.given;
        let codes = codes.as_ref().map_or(DefaultUse::Nothing, |codes| codes.default);
        if *network {
            return Selection::puct();
        }
        if self.values_at_once() {
            let exploration = EXPLORATION_OF_VALUES;
            // An urgency is another way to say what a branch is worth that was never tried.
            return match codes {
                DefaultUse::History if self.settings.urgency.is_none() => {
                    let weight = HISTORY_OF_VALUES;
                    Selection::ProgressiveHistory(ProgressiveHistory { exploration, weight })
                }
                _ => Selection::Ucb1 { exploration },
            };
        }
        match codes {
            _ if cut_off.is_some() || prior.is_some() => Selection::default(),
            DefaultUse::Grave => Selection::grave(),
            DefaultUse::History => Selection::progressive_history(),
            DefaultUse::Nothing => Selection::default(),
        }
    }

    /// Whether positions are valued as they are, without random moves.
    fn values_at_once(&self) -> bool {
        self.given.cut_off == Some(0)
    }

    /// The first-play urgency, if there is one.
    fn urgency(&self) -> Option<f64> {
        let by_itself = self.selection().is_none_or(needs_no_warm_up);
        let default = self.settings.warm_up.is_none() && self.values_at_once() && !by_itself;
        self.settings.urgency.or(default.then_some(URGENCY))
    }
}

/// Whether a selection says by itself what a branch is worth that was never tried.
fn needs_no_warm_up(selection: Selection) -> bool {
    match selection {
        Selection::Grave(_) | Selection::Puct(_) | Selection::ProgressiveHistory(_) => true,
        Selection::Ucb1 { .. } | Selection::Ucb1Tuned => false,
    }
}

/// The exploration constant where rollouts are cut off at once, by matches in
/// `docs/measurements/evaluations.md`.
const EXPLORATION_OF_VALUES: f64 = 0.05;

/// The weight of progressive history there, by matches in `docs/measurements/selection.md`.
const HISTORY_OF_VALUES: f64 = 0.3;

/// The first-play urgency there, by matches in `docs/measurements/evaluations.md`.
const URGENCY: f64 = 0.05;

/// Part of a memory limit that is kept for the rounds under way: one in `ROUNDS_PART`.
const ROUNDS_PART: u64 = 16;

/// What of a memory limit each of the rounds under way has, in bytes; `None` for no limit.
fn room_of_round(memory_limit: Option<u64>, rounds: usize) -> Option<u64> {
    memory_limit.map(|limit| limit / ROUNDS_PART / rounds as u64)
}
