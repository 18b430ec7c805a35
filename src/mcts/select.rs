//! Selection: which branches of a node a number of simulations take.

mod floor;
mod lanes;
mod ucb1;
mod ucb1_tuned;

use crate::maths::ln;
use crate::rng::Rng;
use crate::sync::{AtomicU32, Ordering};

use super::config::{InFlight, Selection, WarmUpDraw};
use super::node::{Edge, Node};
use super::value::{ONE, Value};

pub(crate) use floor::Floor;
use lanes::{LANES, Lanes, two_highest};

/// The settings that decide how branches are picked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) selection: Selection,
    pub(crate) warm_up: u32,
    pub(crate) warm_up_draw: WarmUpDraw,
    pub(crate) in_flight: InFlight,
    /// Whether proven branches are left out.
    pub(crate) proofs: bool,
    /// First-play urgency: how much more a branch that was never tried is taken to be worth than
    /// the node, until it is tried. `None`: it comes first.
    pub(crate) urgency: Option<f32>,
}

/// A branch of a node and how many of the simulations take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    pub(crate) branch: u32,
    pub(crate) visits: u32,
}

/// Divides simulations among the branches of a node, on a copy of the edges' statistics.
#[derive(Debug)]
pub(crate) struct Picker {
    rules: Rules,
    /// Visits of each branch as the policy counts them: those of this round always, those
    /// of other workers as [`InFlight`] says.
    visits: Vec<f32>,
    /// Mean score of the side to move; [`LEFT_OUT`] for a branch that is left out.
    means: Vec<f32>,
    /// Mean squared score, for policies that use it.
    squares: Vec<f32>,
    scores: Vec<f32>,
    /// Visits and in-flight simulations of each branch, exactly, for the warm-up.
    drawn: Vec<u32>,
    /// Visits given in this division.
    taken: Vec<u32>,
    /// Branches that a warm-up visit may take.
    candidates: Vec<usize>,
    /// Branches that are not left out.
    open: usize,
    /// Whether the node's warm-up is complete.
    warm: bool,
    /// Visits of the node.
    total: f32,
    shares: Vec<Share>,
}

/// From so many visits on it pays to give them together.
const WORTH_POURING: u32 = 8;

/// Steps towards the level, at most; rarely more than six are needed.
const STEPS_TO_LEVEL: usize = 32;

/// Visits that may be missing for the level.
const NEARLY_NONE: f32 = 0.125;

/// The visits of a branch that was never tried, where that has an urgency: so many that it has no
/// bonus, and its score is its mean.
const UNTRIED: f32 = 1e30;

/// How the edges of one node are read.
struct View {
    rules: Rules,
    node: Value,
}

/// From fixed point to a mean in `[0, 1]`.
const TO_MEAN: f32 = 1.0 / ONE as f32;

impl View {
    /// Visits and mean of a branch as the settings count them, and its visits with those in
    /// flight, exactly. A branch that is left out has the mean [`LEFT_OUT`].
    #[inline]
    fn read(&self, edge: &Edge) -> (f32, f32, u32) {
        let stats = edge.stats();
        let mut visits = stats.visits as f32;
        // A branch that was never visited may be in flight: it is taken to be worth as much
        // as the node.
        let value = if stats.visits > 0 { stats.value } else { self.node };
        let mut mean = value.score() as f32 * TO_MEAN;
        let mut drawn = stats.visits;
        match self.rules.in_flight {
            InFlight::Ignore => {}
            InFlight::Count => {
                let flying = edge.in_flight();
                drawn += flying;
                visits = drawn as f32;
            }
            InFlight::VirtualLoss { weight } => {
                let flying = edge.in_flight();
                drawn += flying;
                let counted = visits + flying as f32 * weight as f32;
                mean *= if counted > 0.0 { visits / counted } else { 1.0 };
                visits = counted;
            }
        }
        if self.rules.proofs {
            let bounds = stats.value.bounds();
            if bounds.is_exact() || bounds.high() <= self.node.bounds().low() {
                // With any visits but none: with none it had an infinite bonus.
                (visits, mean) = (1.0, LEFT_OUT);
            }
        }
        if let Some(urgency) = self.rules.urgency
            && drawn == 0
        {
            (visits, mean) = (UNTRIED, mean + urgency);
        }
        (visits, mean, drawn)
    }

    /// The branches, at most 64, that have fewer visits than the warm-up asks for.
    #[inline]
    fn unfinished(&self, edges: &[Edge]) -> u64 {
        (0..).zip(edges).fold(0, |bits, (branch, edge)| {
            let (_, mean, drawn) = self.read(edge);
            let unfinished = mean > LEFT_OUT && drawn < self.rules.warm_up;
            bits | u64::from(unfinished) << branch
        })
    }

    /// The branch with the highest UCB1 score; `None` if all are left out.
    #[inline]
    fn best_of(&self, edges: &[Edge], factor: f32) -> Option<u32> {
        let (mut best, mut highest) = (None, LEFT_OUT);
        for (first, chunk) in (0..).step_by(LANES).zip(edges.chunks(LANES)) {
            let (mut visits, mut means, mut scores) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
            self.read_lanes(chunk, &mut visits, &mut means, &mut [0; LANES]);
            ucb1::scores(factor, &visits, &means, &mut scores);
            let (lane, score) = lanes::highest(&scores);
            if score > highest {
                (best, highest) = (Some(first + lane), score);
            }
        }
        best
    }

    /// [`read`](Self::read) for as many branches as there are lanes, or fewer: the lanes beyond hold
    /// branches that are left out.
    #[inline]
    fn read_lanes(
        &self,
        edges: &[Edge],
        visits: &mut Lanes,
        means: &mut Lanes,
        drawn: &mut [u32; LANES],
    ) {
        if edges.len() < LANES {
            (*visits, *means, *drawn) = ([1.0; LANES], [LEFT_OUT; LANES], [0; LANES]);
        }
        for (lane, edge) in edges.iter().enumerate().take(LANES) {
            (visits[lane], means[lane], drawn[lane]) = self.read(edge);
        }
    }
}

/// The mean of a branch that is left out.
const LEFT_OUT: f32 = f32::NEG_INFINITY;

impl Picker {
    pub(crate) fn new(rules: Rules) -> Self {
        Self {
            rules,
            visits: Vec::new(),
            means: Vec::new(),
            squares: Vec::new(),
            scores: Vec::new(),
            drawn: Vec::new(),
            taken: Vec::new(),
            candidates: Vec::new(),
            open: 0,
            warm: false,
            total: 0.0,
            shares: Vec::new(),
        }
    }

    /// The branches chosen last and their visits, in order of branches. None: every branch
    /// is proven.
    pub(crate) fn shares(&self) -> &[Share] {
        &self.shares
    }

    /// Picks a branch for one simulation where that needs no copy of the edges; false where
    /// it does. Call it with the node locked.
    #[inline]
    pub(crate) fn pick_one(&mut self, node: &Node, edges: &[Edge], rng: &mut Rng) -> bool {
        let Selection::Ucb1 { exploration } = self.rules.selection else { return false };
        let view = View { rules: self.rules, node: node.value() };
        self.shares.clear();
        if self.rules.warm_up > 0 && node.warm.load(Ordering::Relaxed) == 0 {
            // The branches still in their warm-up are noted in the bits of one word.
            if edges.len() > 64 || self.rules.warm_up_draw != WarmUpDraw::UnfinishedBranch {
                return false;
            }
            let unfinished = view.unfinished(edges);
            if unfinished != 0 {
                let branch = random_bit(unfinished, rng);
                self.shares.push(Share { branch, visits: 1 });
                return true;
            }
            // Nobody has to look again. Relaxed: whoever sees the old value looks.
            node.warm.store(1, Ordering::Relaxed);
        }
        let best = view.best_of(edges, ucb1::factor(exploration, node.visits() as f32));
        self.shares.extend(best.map(|branch| Share { branch, visits: 1 }));
        true
    }

    /// Divides `count` simulations among the branches of which `copy` was called, first among
    /// those that are below the `floor`.
    pub(crate) fn divide(&mut self, count: u32, floor: Option<Floor>, rng: &mut Rng) {
        let mut left = count - self.warm_up(count, rng);
        if let Some(floor) = floor {
            left -= self.lift(left, floor);
        }
        if left > 0 && self.open > 0 {
            let factor = self.factor();
            self.score_all(factor);
            self.take(left, factor);
        }
        self.share_out();
    }

    /// Makes `shares` of what was taken. No jump depends on which branches that are.
    fn share_out(&mut self) {
        self.shares.resize(self.taken.len() + 1, Share { branch: 0, visits: 0 });
        let mut len = 0;
        for (branch, &visits) in (0..).zip(&self.taken) {
            self.shares[len] = Share { branch, visits };
            len += usize::from(visits > 0);
        }
        self.shares.truncate(len);
    }

    /// Draws branches for up to `count` visits while some have not finished their warm-up.
    /// Returns the number of visits given.
    fn warm_up(&mut self, count: u32, rng: &mut Rng) -> u32 {
        if self.warm {
            return 0;
        }
        let warm_up = self.rules.warm_up;
        let any = self.rules.warm_up_draw == WarmUpDraw::AnyBranch;
        self.candidates.clear();
        let mut unfinished = 0;
        for (branch, (&mean, &drawn)) in self.means.iter().zip(&self.drawn).enumerate() {
            let open = mean > LEFT_OUT;
            unfinished += usize::from(open && drawn < warm_up);
            if open && (any || drawn < warm_up) {
                self.candidates.push(branch);
            }
        }
        let mut given = 0;
        while unfinished > 0 && given < count {
            let place = rng.below(self.candidates.len());
            let branch = self.candidates[place];
            self.drawn[branch] += 1;
            self.visits[branch] += 1.0;
            self.taken[branch] += 1;
            given += 1;
            if self.drawn[branch] == warm_up {
                unfinished -= 1;
                if !any {
                    self.candidates.swap_remove(place);
                }
            }
        }
        given
    }

    /// Copies the statistics of a node's edges. Call it with the node locked; what follows
    /// works on the copy.
    ///
    /// `squares` is the plane of mean squares of the edges with its stride, if one is kept.
    pub(crate) fn copy(
        &mut self,
        node: &Node,
        edges: &[Edge],
        squares: Option<(&[AtomicU32], usize)>,
    ) {
        let view = View { rules: self.rules, node: node.value() };
        let padded = edges.len().next_multiple_of(LANES);
        self.total = node.visits() as f32;
        self.warm = node.warm.load(Ordering::Relaxed) != 0;
        self.visits.resize(padded, 0.0);
        self.means.resize(padded, 0.0);
        self.scores.resize(padded, 0.0);
        self.drawn.resize(padded, 0);
        self.taken.resize(padded, 0);
        self.taken.fill(0);
        let visits = self.visits.as_chunks_mut().0.iter_mut();
        let means = self.means.as_chunks_mut().0.iter_mut();
        let drawn = self.drawn.as_chunks_mut().0.iter_mut();
        for (((edges, visits), means), drawn) in
            edges.chunks(LANES).zip(visits).zip(means).zip(drawn)
        {
            view.read_lanes(edges, visits, means, drawn);
        }
        self.open = edges.len();
        if self.rules.proofs {
            self.open = self.means.iter().filter(|&&mean| mean > LEFT_OUT).count();
        }
        if !self.warm && !self.is_unfinished() {
            // Nobody has to look again. Relaxed: whoever sees the old value looks.
            node.warm.store(1, Ordering::Relaxed);
            self.warm = true;
        }
        if let Some((plane, stride)) = squares {
            self.squares.clear();
            let squares = plane.iter().step_by(stride);
            self.squares.extend(squares.map(|s| s.load(Ordering::Relaxed) as f32 * TO_MEAN));
            self.squares.resize(padded, 0.0);
        }
    }

    /// Whether a branch has fewer visits than the warm-up asks for.
    fn is_unfinished(&self) -> bool {
        let mut branches = self.means.iter().zip(&self.drawn);
        branches.any(|(&mean, &drawn)| mean > LEFT_OUT && drawn < self.rules.warm_up)
    }

    /// Gives `left` visits to the branches, each to the one whose score is highest then.
    fn take(&mut self, mut left: u32, factor: Option<f32>) {
        if let Some(factor) = factor
            && left >= WORTH_POURING
        {
            left -= self.pour(left, factor);
        }
        while left > 0 {
            let (best, second) = two_highest(&self.scores);
            // The best keeps the lead for a number of visits that UCB1 can tell: its score
            // falls to `second` at n = factor / (second - q)^2.
            let mut run = 1;
            if let Some(factor) = factor
                && left > 1
            {
                let gap = second - self.means[best];
                let lead = factor / (gap * gap) - self.visits[best];
                run = if gap > 0.0 { (lead as u32).saturating_add(1).min(left) } else { left };
            }
            if self.visits[best] == UNTRIED {
                run = 1;
            }
            left -= run;
            self.give(best, run);
            if left > 0 {
                self.score_one(best, factor);
            }
        }
    }

    /// Gives a branch visits. One that was never tried is worth as much as the node then.
    fn give(&mut self, branch: usize, visits: u32) {
        if visits > 0 && self.visits[branch] == UNTRIED {
            self.visits[branch] = 0.0;
            self.means[branch] -= self.rules.urgency.unwrap_or(0.0);
        }
        self.visits[branch] += visits as f32;
        self.taken[branch] += visits;
    }

    /// Gives most of many visits at once, as water finds its level: one by one they would
    /// bring the scores of all branches that get any down to about the same level. Returns
    /// the number given; the rest is for `take`, and the result is nearly the same.
    fn pour(&mut self, count: u32, factor: f32) -> u32 {
        let (visits, means) = (&mut self.visits[..], &self.means[..]);
        let wanted = count as f32;
        // No branch sinks deeper than it would with all the visits, so these are not enough for
        // this level. From there Newton's method takes no step too far: the higher the level, the
        // more slowly the number of visits falls.
        let mut level = ucb1::highest_after(wanted, factor, visits, means);
        for _ in 0..STEPS_TO_LEVEL {
            let (needed, slope) = ucb1::visits_to(level, factor, visits, means);
            let missing = needed - wanted;
            if missing < NEARLY_NONE {
                break;
            }
            level += missing / slope;
        }
        let mut given = 0;
        for ((visits, &mean), taken) in visits.iter_mut().zip(means).zip(&mut self.taken) {
            let (share, _) = ucb1::visits_of_one_to(level, factor, *visits, mean);
            let share = (share as u32).min(count - given);
            *taken += share;
            *visits += share as f32;
            given += share;
        }
        self.score_all(Some(factor));
        given
    }

    /// The factor of UCB1; `None` if the policy is UCB1-Tuned.
    fn factor(&self) -> Option<f32> {
        match self.rules.selection {
            Selection::Ucb1 { exploration } => Some(ucb1::factor(exploration, self.total)),
            Selection::Ucb1Tuned => None,
        }
    }

    /// The scores of all branches, with the [`factor`](Self::factor).
    fn score_all(&mut self, factor: Option<f32>) {
        match factor {
            Some(factor) => {
                ucb1::scores(factor, &self.visits, &self.means, &mut self.scores);
            }
            None => ucb1_tuned::scores(
                ln(self.total),
                &self.visits,
                &self.means,
                &self.squares,
                &mut self.scores,
            ),
        }
    }

    /// The score of one branch, with the [`factor`](Self::factor).
    fn score_one(&mut self, branch: usize, factor: Option<f32>) {
        let (visits, mean) = (self.visits[branch], self.means[branch]);
        self.scores[branch] = match factor {
            Some(factor) => ucb1::score(factor, visits, mean),
            None => ucb1_tuned::score(ln(self.total), visits, mean, self.squares[branch]),
        };
    }
}

/// A bit of `bits`, which is not 0, drawn uniformly: its position.
#[inline]
fn random_bit(mut bits: u64, rng: &mut Rng) -> u32 {
    for _ in 0..rng.below(bits.count_ones() as usize) {
        bits &= bits - 1;
    }
    bits.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::{LANES, Picker, Rules, two_highest, ucb1};
    use crate::mcts::node::{Edge, EdgeStats, Node};
    use crate::mcts::value::{Bounds, ONE, Value};
    use crate::mcts::{InFlight, Selection, WarmUpDraw};
    use crate::rng::Rng;
    use crate::sync::{AtomicU32, Ordering};

    const RULES: Rules = Rules {
        selection: Selection::Ucb1 { exploration: 0.7 },
        warm_up: 1,
        warm_up_draw: WarmUpDraw::UnfinishedBranch,
        in_flight: InFlight::Ignore,
        proofs: false,
        urgency: None,
    };

    #[test]
    fn branches_that_are_left_out_get_no_visits() {
        let mut rng = Rng::from_seed(5);
        for turn in 0..2_000 {
            let selection = match turn % 3 {
                0 => Selection::Ucb1Tuned,
                _ => Selection::Ucb1 { exploration: 0.5 },
            };
            let mut picker = Picker::new(Rules { selection, proofs: true, ..RULES });
            let node = Node::default();
            let branches = 1 + rng.below(20);
            let edges: Vec<_> = (0..branches).map(|_| Edge::default()).collect();
            let mut left_out = vec![false; branches];
            for (edge, left_out) in edges.iter().zip(&mut left_out) {
                edge.reset();
                // Proven by visits, or known as an end from the start.
                *left_out = rng.below(3) == 0;
                let bounds = if *left_out { Bounds::Loss } else { Bounds::Open };
                let visits = if *left_out && turn % 2 == 0 { 0 } else { 1 + rng.below(50) as u32 };
                let score = rng.below(ONE as usize) as u32;
                edge.set_stats(EdgeStats { visits, value: Value::new(score, bounds) });
                node.visits.fetch_add(visits, Ordering::Relaxed);
            }
            let open = left_out.contains(&false);
            let squares: Vec<_> = (0..branches).map(|_| AtomicU32::new(ONE / 2)).collect();
            let count = 1 + rng.below(30) as u32;
            picker.copy(&node, &edges, Some((&squares, 1)));
            picker.divide(count, None, &mut rng);
            let given: u32 = picker.shares().iter().map(|share| share.visits).sum();
            assert_eq!(given, if open { count } else { 0 }, "turn {turn}");
            let gets =
                |picker: &Picker| picker.shares().iter().any(|s| left_out[s.branch as usize]);
            assert!(!gets(&picker), "turn {turn}");
            if picker.pick_one(&node, &edges, &mut rng) {
                assert_eq!(picker.shares().len(), usize::from(open), "turn {turn}");
                assert!(!gets(&picker), "turn {turn}");
            }
        }
    }

    #[test]
    fn visits_given_together_are_those_given_one_by_one() {
        let mut rng = Rng::from_seed(3);
        for turn in 0..2_000 {
            let branches = 2 + rng.below(40);
            let mut picker = Picker::new(RULES);
            for _ in 0..branches {
                picker.visits.push(1.0 + rng.below(1_000) as f32);
                picker.means.push(rng.unit() as f32);
            }
            picker.total = picker.visits.iter().sum();
            let padded = branches.next_multiple_of(LANES);
            picker.visits.resize(padded, 1.0);
            picker.means.resize(padded, f32::NEG_INFINITY);
            picker.scores.resize(padded, 0.0);
            picker.taken.resize(branches, 0);
            let count = 1 + rng.below(1_000) as u32;

            let (mut visits, mut expected) = (picker.visits.clone(), vec![0; branches]);
            let factor = ucb1::factor(0.7, picker.total);
            for _ in 0..count {
                let scores: Vec<f32> = visits
                    .iter()
                    .zip(&picker.means)
                    .map(|(&n, &mean)| ucb1::score(factor, n, mean))
                    .collect();
                let (best, _) = two_highest(&scores);
                visits[best] += 1.0;
                expected[best] += 1;
            }
            picker.score_all(Some(factor));
            picker.take(count, Some(factor));
            let off: u32 = picker.taken.iter().zip(&expected).map(|(a, b)| a.abs_diff(*b)).sum();
            // Each branch may have got one that another would have got, if it got any.
            let some = expected.iter().filter(|&&visits| visits > 0).count() as u32;
            assert!(off <= some.max(2), "turn {turn}: {:?}, one by one {expected:?}", picker.taken);
            assert_eq!(picker.taken.iter().sum::<u32>(), count);
        }
    }
}
