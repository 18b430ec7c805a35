//! What selection knows of the branches of a node: a copy of their statistics, eight side by side.

use crate::mcts::config::InFlight;
use crate::mcts::tree::node::{Edge, Node};
use crate::mcts::tree::value::{Limit, ONE};

use super::lanes::{LANES, Lanes};
use super::read::{FOUR, Four};
use super::{Rules, UNTRIED};

/// The mean of a branch that is left out.
pub(super) const LEFT_OUT: f32 = f32::NEG_INFINITY;

/// From fixed point to a mean in `[0, 1]`.
pub(super) const TO_MEAN: f32 = 1.0 / ONE as f32;

/// Some branches that lie side by side. Those beyond the last one of the node are left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branches {
    /// Visits of each branch as the policy counts them: those of this round always, those
    /// of other workers as [`InFlight`] says.
    pub(super) visits: Lanes,
    /// Mean score of the side to move; [`LEFT_OUT`] for a branch that is left out.
    pub(super) means: Lanes,
    /// Mean squared score, for policies that use it.
    pub(super) squares: Lanes,
    pub(super) scores: Lanes,
    /// Visits and in-flight simulations of each branch, exactly, for the warm-up.
    pub(super) drawn: [u32; LANES],
    /// Visits given in this division.
    pub(super) taken: [u32; LANES],
}

impl Branches {
    /// What two readings say, without scores.
    #[inline]
    pub(super) fn of(low: Four, high: Four) -> Self {
        Self {
            visits: join(low.visits, high.visits),
            means: join(low.means, high.means),
            squares: [0.0; LANES],
            scores: [0.0; LANES],
            drawn: join(low.drawn, high.drawn),
            taken: [0; LANES],
        }
    }

    /// Whether a branch is not left out.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.means.iter().any(|&mean| mean > LEFT_OUT)
    }

    /// A bit for each branch that is not left out and has fewer visits than this.
    #[inline]
    pub(super) fn open_below(&self, visits: u32) -> u32 {
        let branches = (0..).zip(self.means.iter().zip(&self.drawn));
        branches.fold(0, |bits, (lane, (&mean, &drawn))| {
            bits | u32::from((mean > LEFT_OUT) & (drawn < visits)) << lane
        })
    }
}

/// How the edges of one node are read.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) rules: &'a Rules,
    /// The node's mean, in fixed point.
    pub(super) score: u32,
    /// The values that leave a branch out.
    pub(super) left_out: Limit,
    /// Which bits of the number of simulations in flight count: all or none.
    pub(super) flying: u32,
    /// Whether a branch is worth what it says, without a loss for those in flight or an urgency.
    plain: bool,
}

impl<'a> View<'a> {
    #[inline]
    pub(super) fn new(rules: &'a Rules, node: &Node) -> Self {
        let value = node.value();
        let lossless = !matches!(rules.in_flight, InFlight::VirtualLoss { .. });
        Self {
            rules,
            score: value.score(),
            left_out: if rules.proofs { value.bounds().no_better() } else { Limit::NOTHING },
            flying: if rules.in_flight == InFlight::Ignore { 0 } else { u32::MAX },
            plain: lossless && rules.urgency.is_none(),
        }
    }

    /// The branches, at most 64, that have fewer visits than the warm-up asks for.
    #[inline]
    pub(super) fn unfinished(&self, edges: &[Edge]) -> u64 {
        (0..64).step_by(FOUR).zip(edges.chunks(FOUR)).fold(0, |bits, (branch, edges)| {
            bits | u64::from(self.unfinished_of_four(edges)) << branch
        })
    }

    /// Reads one branch for each lane, or fewer: the lanes beyond are left out.
    #[inline(always)]
    pub(super) fn read(&self, edges: &[Edge]) -> Branches {
        let (low, high) = edges.split_at(edges.len().min(FOUR));
        let mut branches = Branches::of(self.read_four(low), self.read_four(high));
        if !self.plain {
            self.adjust(&mut branches, edges);
        }
        branches
    }

    /// What virtual losses and an urgency make of the branches of these edges.
    fn adjust(&self, branches: &mut Branches, edges: &[Edge]) {
        for (lane, edge) in edges.iter().enumerate().take(LANES) {
            let (visits, mean) = (&mut branches.visits[lane], &mut branches.means[lane]);
            let drawn = branches.drawn[lane];
            if *mean == LEFT_OUT {
                continue;
            }
            if let InFlight::VirtualLoss { weight } = self.rules.in_flight {
                // Read once more, and perhaps others have come back since.
                let returned = edge.stats().visits.min(drawn);
                let alone = returned as f32;
                *visits = alone + (drawn - returned) as f32 * weight as f32;
                *mean *= if *visits > 0.0 { alone / *visits } else { 1.0 };
            }
            if let Some(urgency) = self.rules.urgency
                && drawn == 0
            {
                (*visits, *mean) = (UNTRIED, *mean + urgency);
            }
        }
    }
}

/// Two halves side by side.
#[inline]
fn join<T>([a, b, c, d]: [T; FOUR], [e, f, g, h]: [T; FOUR]) -> [T; LANES] {
    [a, b, c, d, e, f, g, h]
}
