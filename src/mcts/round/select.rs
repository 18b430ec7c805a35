//! Selection: which branches of a node a number of simulations take.

mod branches;
mod floor;
mod grave;
mod history;
mod lanes;
mod level;
pub(crate) mod own;
mod puct;
mod ucb1;
mod ucb1_tuned;

use crate::maths::ln;
use crate::rng::Rng;
use crate::sync::{AtomicU32, Ordering};

use crate::mcts::config::{
    BranchView, Grave, InFlight, ProgressiveHistory, Puct, Selection, WarmUpDraw,
};
use crate::mcts::tree::node::{Edge, Node};

use branches::{Branches, LEFT_OUT, TO_MEAN, View};
pub(crate) use floor::Floor;
use grave::Amaf;
use lanes::{LANES, Lanes, highest, two_highest};
use level::Falling;
use own::OwnPolicy;
use puct::Puct1;
use ucb1::Ucb1;

/// The settings that decide how branches are picked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// `None`: the policy of the user's own.
    pub(crate) selection: Option<Selection>,
    pub(crate) warm_up: u32,
    pub(crate) warm_up_draw: WarmUpDraw,
    pub(crate) in_flight: InFlight,
    /// Whether proven branches are left out.
    pub(crate) proofs: bool,
    /// First-play urgency: how much more a branch that was never tried is taken to be worth than
    /// the node, until it is tried. `None`: it comes first.
    pub(crate) urgency: Option<f32>,
}

impl Rules {
    /// What the numbers of a network's policy are divided by before they are made priors; `None` if
    /// no priors are wanted.
    pub(crate) fn temperature(&self) -> Option<f64> {
        match self.selection {
            Some(Selection::Puct(Puct { temperature, .. })) => Some(temperature),
            Some(_) => None,
            None => Some(Puct::default().temperature),
        }
    }

    /// Whether the simulations that are in flight count.
    pub(crate) fn counts_in_flight(&self) -> bool {
        self.in_flight != InFlight::Ignore
    }

    /// Rollouts that a position must have counted before its table is read for what moves are worth
    /// as later ones; `None` if no table is read.
    #[inline]
    pub(crate) fn reference(&self) -> Option<u32> {
        match self.selection {
            Some(Selection::Grave(Grave { reference, .. })) => Some(reference),
            _ => None,
        }
    }
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
    /// The branches, in groups of [`LANES`].
    groups: Vec<Branches>,
    /// Branches that a warm-up visit may take.
    candidates: Vec<usize>,
    /// A bit for each branch that has fewer visits than the warm-up asks for.
    unfinished: Vec<u64>,
    /// Whether the node's warm-up is complete.
    warm: bool,
    /// Visits of the node.
    total: f32,
    /// Groups with a branch that is above the level to which many visits may bring the scores.
    reached: Vec<usize>,
    /// What is known of the branches' moves as later ones, if the policy asks.
    amaf: Vec<Amaf>,
    /// What the branches' moves are worth wherever they are made, if the policy asks.
    history: Vec<Lanes>,
    /// The policy of the user's own, if it is the one, and what it is shown of the branches.
    own: Option<OwnPolicy>,
    views: Vec<BranchView>,
    shares: Vec<Share>,
}

/// From this number of visits on it pays to give them together.
const WORTH_POURING: u32 = 8;

/// Steps towards the level, at most; rarely more than six are needed.
const STEPS_TO_LEVEL: usize = 32;

/// Visits that may be missing for the level.
const NEARLY_NONE: f32 = 0.125;

/// The visits of a branch that was never tried, where that has an urgency: a number so large that
/// it has no bonus, and its score is its mean.
const UNTRIED: f32 = 1e30;

impl Picker {
    /// With the policy of the user's own, if `rules` have none.
    pub(crate) fn new(rules: Rules, own: Option<OwnPolicy>) -> Self {
        Self {
            rules,
            own,
            views: Vec::new(),
            groups: Vec::new(),
            candidates: Vec::new(),
            unfinished: Vec::new(),
            warm: false,
            total: 0.0,
            reached: Vec::new(),
            amaf: Vec::new(),
            history: Vec::new(),
            shares: Vec::new(),
        }
    }

    /// The branches chosen last and their visits, in order of branches. None: every branch
    /// is proven.
    pub(crate) fn shares(&self) -> &[Share] {
        &self.shares
    }

    /// Notes what is known of the branches' moves as later ones: of each the number of rollouts and
    /// the sum of their scores.
    #[inline]
    pub(crate) fn set_amaf<M>(&mut self, moves: &[M], known: impl Fn(&M) -> (u32, u32)) {
        self.amaf.clear();
        for moves in moves.chunks(LANES) {
            self.amaf.push(Amaf::of(moves, &known));
        }
    }

    /// Notes what the branches' moves, which have these codes, are worth wherever they are made.
    #[inline]
    pub(crate) fn set_history(&mut self, codes: &[u32], worth: impl Fn(u32) -> f32) {
        self.history.clear();
        for codes in codes.chunks(LANES) {
            let mut lanes = [0.0; LANES];
            lanes.iter_mut().zip(codes).for_each(|(lane, &code)| *lane = worth(code));
            self.history.push(lanes);
        }
    }

    /// Picks a branch for `visits` simulations that go together where that needs no copy of the
    /// edges; false where it does. Call it with the node locked.
    #[inline]
    pub(crate) fn pick_one(
        &mut self,
        node: &Node,
        edges: &[Edge],
        visits: u32,
        rng: &mut Rng,
    ) -> bool {
        let exploration = match self.rules.selection {
            Some(
                Selection::Ucb1 { exploration }
                | Selection::Grave(Grave { exploration, .. })
                | Selection::ProgressiveHistory(ProgressiveHistory { exploration, .. }),
            ) => exploration,
            // They go by more than the edges say.
            Some(Selection::Ucb1Tuned | Selection::Puct(_)) | None => return false,
        };
        let view = View::new(&self.rules, node);
        self.shares.clear();
        if self.rules.warm_up > 0 && !node.is_warm() {
            if self.rules.warm_up_draw != WarmUpDraw::UnfinishedBranch {
                return false;
            }
            if let Some(branch) = draw_unfinished(&view, edges, &mut self.unfinished, rng) {
                self.shares.push(Share { branch, visits });
                return true;
            }
            // No worker has to look again.
            node.set_warm();
        }
        let factor = ucb1::factor(exploration, node.visits() as f32);
        let best = match self.rules.selection {
            Some(Selection::Grave(Grave { bias, .. })) => best(&view, edges, |group, branches| {
                grave::blend(bias as f32, branches, &self.amaf[group]);
                // Without a bonus there is none to be worked out.
                match exploration {
                    0.0 => grave::scores(branches),
                    _ => ucb1::scores(factor, branches),
                }
            }),
            Some(Selection::ProgressiveHistory(ProgressiveHistory { weight, .. })) => {
                best(&view, edges, |group, branches| {
                    history::add(weight as f32, branches, &self.history[group]);
                    ucb1::scores(factor, branches)
                })
            }
            _ => best(&view, edges, |_, branches| ucb1::scores(factor, branches)),
        };
        if let Some(branch) = best {
            self.shares.push(Share { branch, visits });
        }
        true
    }

    /// Divides `count` simulations among the branches that [`copy`](Self::copy) was called for,
    /// first among those that are below the `floor`. They go in groups of `together`; a few may go
    /// in smaller groups.
    pub(crate) fn divide(
        &mut self,
        count: u32,
        together: u32,
        floor: Option<Floor>,
        rng: &mut Rng,
    ) {
        let mut left = count - self.warm_up(count, together, rng);
        if let Some(floor) = floor {
            left -= self.lift(left, floor);
        }
        if left > 0 && self.groups.iter().any(Branches::is_open) {
            let bonus = self.bonus();
            self.score_all(bonus);
            self.take(left, together, bonus);
        }
        self.share_out();
    }

    /// Makes `shares` of what was taken. No jump depends on which branches of a group that are.
    fn share_out(&mut self) {
        self.shares.resize(self.groups.len() * LANES + 1, Share { branch: 0, visits: 0 });
        let mut len = 0;
        for (group, Branches { taken, .. }) in self.groups.iter().enumerate() {
            if *taken == [0; LANES] {
                continue;
            }
            for (lane, &visits) in taken.iter().enumerate() {
                self.shares[len] = Share { branch: (group * LANES + lane) as u32, visits };
                len += usize::from(visits > 0);
            }
        }
        self.shares.truncate(len);
    }

    /// Keeps of the simulations that were divided, in the order of branches, only `visits`, behind
    /// the first `before`. Returns what was cut off from the first branch that keeps any, and from
    /// the last one.
    pub(crate) fn cut(&mut self, before: u32, visits: u32) -> (u32, u32) {
        let (mut skip, mut left) = (before, visits);
        let (mut cut_before, mut cut_behind) = (0, 0);
        self.shares.retain_mut(|share| {
            let skipped = share.visits.min(skip);
            let own = (share.visits - skipped).min(left);
            skip -= skipped;
            left -= own;
            if own == 0 {
                return false;
            }
            cut_before += skipped;
            cut_behind = share.visits - skipped - own;
            share.visits = own;
            true
        });
        (cut_before, cut_behind)
    }

    /// The group and the lane of a branch.
    #[inline]
    fn place(&mut self, branch: usize) -> (&mut Branches, usize) {
        (&mut self.groups[branch / LANES], branch % LANES)
    }

    /// Draws branches for up to `count` visits, in groups of `together`, while some have not
    /// finished their warm-up. Returns the number of visits given.
    fn warm_up(&mut self, count: u32, together: u32, rng: &mut Rng) -> u32 {
        if self.warm {
            return 0;
        }
        let warm_up = self.rules.warm_up;
        let any = self.rules.warm_up_draw == WarmUpDraw::AnyBranch;
        self.candidates.clear();
        let mut unfinished = 0;
        for (first, branches) in (0..).step_by(LANES).zip(&self.groups) {
            let below = branches.open_below(warm_up);
            unfinished += below.count_ones();
            let mut drawn_from = if any { branches.open_below(u32::MAX) } else { below };
            while drawn_from != 0 {
                self.candidates.push(first + drawn_from.trailing_zeros() as usize);
                drawn_from &= drawn_from - 1;
            }
        }
        let mut given = 0;
        while unfinished > 0 && given < count {
            let place = rng.below(self.candidates.len());
            let branch = self.candidates[place];
            let (branches, lane) = self.place(branch);
            let (run, before) = (together.min(count - given), branches.drawn[lane]);
            branches.drawn[lane] += run;
            branches.visits[lane] += run as f32;
            branches.taken[lane] += run;
            given += run;
            if (before..branches.drawn[lane]).contains(&(warm_up - 1)) {
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
    /// `seconds` is the plane of what else the policy goes by, mean squares or priors, with its
    /// stride, if one is kept.
    pub(crate) fn copy(
        &mut self,
        node: &Node,
        edges: &[Edge],
        seconds: Option<(&[AtomicU32], usize)>,
    ) {
        let view = View::new(&self.rules, node);
        self.total = node.visits() as f32;
        self.warm = node.is_warm();
        self.groups.clear();
        for edges in edges.chunks(LANES) {
            self.groups.push(view.read(edges));
        }
        match self.rules.selection {
            Some(Selection::Grave(Grave { bias, .. })) => {
                for (group, amaf) in self.groups.iter_mut().zip(&self.amaf) {
                    grave::blend(bias as f32, group, amaf);
                }
            }
            Some(Selection::ProgressiveHistory(ProgressiveHistory { weight, .. })) => {
                for (group, worth) in self.groups.iter_mut().zip(&self.history) {
                    history::add(weight as f32, group, worth);
                }
            }
            _ => {}
        }
        if !self.warm && self.groups.iter().all(|b| b.open_below(self.rules.warm_up) == 0) {
            // No worker has to look again.
            node.set_warm();
            self.warm = true;
        }
        if let Some((plane, stride)) = seconds {
            let seconds = plane.iter().step_by(stride);
            for (to, second) in self.groups.iter_mut().flat_map(|b| &mut b.seconds).zip(seconds) {
                *to = second.load(Ordering::Relaxed) as f32 * TO_MEAN;
            }
            if let Some(Selection::Puct(Puct { reduction, .. })) = self.rules.selection {
                puct::reduce(reduction, &mut self.groups, edges);
            }
        }
    }

    /// Goes by these priors, in fixed point, instead of those that were copied.
    pub(crate) fn set_priors(&mut self, priors: &[u32]) {
        for (to, &prior) in self.groups.iter_mut().flat_map(|b| &mut b.seconds).zip(priors) {
            *to = prior as f32 * TO_MEAN;
        }
    }

    /// Takes these visits of each branch for the ones chosen.
    pub(crate) fn set_shares(&mut self, visits: &[u32]) {
        self.shares.clear();
        let shares = (0..).zip(visits).map(|(branch, &visits)| Share { branch, visits });
        self.shares.extend(shares.filter(|share| share.visits > 0));
    }

    /// Gives `left` visits to the branches, in groups of `together`, each group to the one whose
    /// score is highest then.
    fn take(&mut self, mut left: u32, together: u32, bonus: Bonus) {
        if left >= WORTH_POURING {
            left -= match bonus {
                Bonus::Ucb1(bonus) => self.pour(left, together, bonus),
                Bonus::Puct(bonus) => self.pour(left, together, bonus),
                Bonus::Tuned { .. } => 0,
            };
        }
        while left > 0 {
            let (best, second) = two_highest(self.groups.iter().map(|branches| &branches.scores));
            let (branches, lane) = self.place(best);
            // The best keeps the lead for a number of visits that some formulas can tell.
            let mut run = 1;
            if left > 1 {
                run = bonus.lead(second, branches, lane, left);
            }
            if branches.visits[lane] == UNTRIED {
                run = 1;
            }
            if together > 1 {
                run = run.next_multiple_of(together).min(left);
            }
            left -= run;
            self.give(best, run);
            if left > 0 {
                self.score_one(best, bonus);
            }
        }
    }

    /// Gives a branch visits. One that was never tried then has the mean of the node.
    fn give(&mut self, branch: usize, visits: u32) {
        let urgency = self.rules.urgency;
        let (branches, lane) = self.place(branch);
        if visits > 0 && branches.visits[lane] == UNTRIED {
            branches.visits[lane] = 0.0;
            branches.means[lane] -= urgency.unwrap_or(0.0);
        }
        branches.visits[lane] += visits as f32;
        branches.taken[lane] += visits;
    }

    /// Gives most of many visits at once, as water finds its level: one by one they would bring the
    /// scores of all branches that get any down to about the same level. Returns the number given,
    /// to each branch whole groups that go `together`; the rest is for `take`, and the result is
    /// nearly the same.
    fn pour(&mut self, count: u32, together: u32, bonus: impl Falling) -> u32 {
        let wanted = count as f32;
        // No branch sinks deeper than it would with all the visits, so these are not enough for
        // this level. From there Newton's method takes no step too far: the higher the level, the
        // more slowly the number of visits falls.
        let mut level = level::highest_after(wanted, bonus, &self.groups);
        // What is not above it gets no visit.
        self.reached.clear();
        self.reached.extend((0..self.groups.len()).filter(|&group| {
            self.groups[group].scores.iter().fold(false, |any, &score| any | (score > level))
        }));
        for _ in 0..STEPS_TO_LEVEL {
            let reached = self.reached.iter().map(|&group| &self.groups[group]);
            let (needed, slope) = level::visits_to(level, bonus, reached);
            let missing = needed - wanted;
            let next = level + missing / slope;
            // Where a branch has very many visits neighbouring levels are whole visits apart.
            if missing < NEARLY_NONE || next == level {
                break;
            }
            level = next;
        }
        let mut given = 0;
        let part = 1.0 / together as f32;
        for &group in &self.reached {
            let Branches { visits, means, seconds, scores, taken, .. } = &mut self.groups[group];
            let branches = visits.iter_mut().zip(&*means).zip(&*seconds);
            for (((visits, &mean), &second), taken) in branches.zip(taken) {
                let (share, _) = bonus.visits_to(level, *visits, mean, second);
                let share = ((share * part) as u32 * together).min(count - given);
                *taken += share;
                *visits += share as f32;
                given += share;
            }
            for (lane, score) in scores.iter_mut().enumerate() {
                *score = bonus.score(visits[lane], means[lane], seconds[lane]);
            }
        }
        given
    }

    /// The bonus of the policy at this node.
    fn bonus(&self) -> Bonus {
        let ucb1 = |exploration| Bonus::Ucb1(Ucb1(ucb1::factor(exploration, self.total)));
        match self.rules.selection {
            Some(
                Selection::Ucb1 { exploration }
                | Selection::ProgressiveHistory(ProgressiveHistory { exploration, .. }),
            ) => ucb1(exploration),
            Some(Selection::Grave(Grave { exploration, .. })) => {
                ucb1(exploration.max(grave::SPREAD))
            }
            Some(Selection::Ucb1Tuned) => Bonus::Tuned { ln_total: ln(self.total) },
            Some(Selection::Puct(puct)) => Bonus::Puct(Puct1(puct::factor(puct, self.total))),
            // Asked visit by visit, in `own`.
            None => unreachable!("a policy of the user's own has no formula here"),
        }
    }

    /// The scores of all branches.
    fn score_all(&mut self, bonus: Bonus) {
        for branches in &mut self.groups {
            branches.scores = bonus.scores(branches);
        }
    }

    /// The score of one branch.
    fn score_one(&mut self, branch: usize, bonus: Bonus) {
        let (branches, lane) = self.place(branch);
        let (visits, mean) = (branches.visits[lane], branches.means[lane]);
        let second = branches.seconds[lane];
        branches.scores[lane] = match bonus {
            Bonus::Ucb1(bonus) => bonus.score(visits, mean, second),
            Bonus::Tuned { ln_total } => ucb1_tuned::score(ln_total, visits, mean, second),
            Bonus::Puct(bonus) => bonus.score(visits, mean, second),
        };
    }
}

/// What a policy adds to the mean of a branch, with what is the same for all branches of a node.
#[derive(Clone, Copy, Debug)]
enum Bonus {
    Ucb1(Ucb1),
    Tuned { ln_total: f32 },
    Puct(Puct1),
}

impl Bonus {
    /// The scores of a group of branches.
    #[inline]
    fn scores(self, branches: &Branches) -> Lanes {
        match self {
            Self::Ucb1(Ucb1(factor)) => ucb1::scores(factor, branches),
            Self::Tuned { ln_total } => ucb1_tuned::scores(ln_total, branches),
            Self::Puct(bonus) => puct::scores(bonus, branches),
        }
    }

    /// The visits that the best branch gets before another one, whose score is `second`: 1 where
    /// the formula cannot tell, and at most `left`.
    #[inline]
    fn lead(self, second: f32, branches: &Branches, lane: usize, left: u32) -> u32 {
        let (visits, mean) = (branches.visits[lane], branches.means[lane]);
        let lead = match self {
            Self::Ucb1(bonus) => bonus.lead(second, visits, mean, branches.seconds[lane]),
            Self::Puct(bonus) => bonus.lead(second, visits, mean, branches.seconds[lane]),
            Self::Tuned { .. } => return 1,
        };
        lead.map_or(left, |lead| (lead as u32).saturating_add(1).min(left))
    }
}

/// The branch with the highest of the `scores` of each group of branches; `None` if all are left
/// out.
#[inline]
fn best(
    view: &View<'_>,
    edges: &[Edge],
    scores: impl Fn(usize, &mut Branches) -> Lanes,
) -> Option<u32> {
    let mut best = (0, LEFT_OUT);
    for (group, edges) in edges.chunks(LANES).enumerate() {
        let (lane, score) = highest(&scores(group, &mut view.read(edges)));
        if score > best.1 {
            best = ((group * LANES) as u32 + lane, score);
        }
    }
    (best.1 > LEFT_OUT).then_some(best.0)
}

/// Draws a branch that has fewer visits than the warm-up asks for; `None` if there is none. `words`
/// is scratch space.
#[inline]
fn draw_unfinished(
    view: &View<'_>,
    edges: &[Edge],
    words: &mut Vec<u64>,
    rng: &mut Rng,
) -> Option<u32> {
    // They are noted in the bits of words; most nodes need but one.
    if edges.len() <= 64 {
        let unfinished = view.unfinished(edges);
        let count = unfinished.count_ones() as usize;
        return (count > 0).then(|| nth_bit(unfinished, rng.below(count)));
    }
    words.clear();
    words.extend(edges.chunks(64).map(|edges| view.unfinished(edges)));
    let count = words.iter().map(|word| word.count_ones()).sum::<u32>() as usize;
    if count == 0 {
        return None;
    }
    let mut nth = rng.below(count);
    for (first, &word) in (0..).step_by(64).zip(&*words) {
        let here = word.count_ones() as usize;
        if nth < here {
            return Some(first + nth_bit(word, nth));
        }
        nth -= here;
    }
    None
}

/// The position of a bit that is set, with `before` others below it.
#[inline]
fn nth_bit(mut bits: u64, before: usize) -> u32 {
    for _ in 0..before {
        bits &= bits - 1;
    }
    bits.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::branches::Four;
    use super::{Bonus, Branches, LANES, Picker, Rules, Ucb1, two_highest, ucb1};
    use crate::mcts::tree::node::{Edge, EdgeStats, Node};
    use crate::mcts::tree::value::{Bounds, ONE, Value};
    use crate::mcts::{InFlight, Selection, WarmUpDraw};
    use crate::rng::Rng;
    use crate::sync::AtomicU32;

    const RULES: Rules = Rules {
        selection: Some(Selection::Ucb1 { exploration: 0.7 }),
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
                0 => Some(Selection::Ucb1Tuned),
                _ => Some(Selection::Ucb1 { exploration: 0.5 }),
            };
            let mut picker = Picker::new(Rules { selection, proofs: true, ..RULES }, None);
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
                node.add_visits(visits);
            }
            let open = left_out.contains(&false);
            let squares: Vec<_> = (0..branches).map(|_| AtomicU32::new(ONE / 2)).collect();
            let count = 1 + rng.below(30) as u32;
            picker.copy(&node, &edges, Some((&squares, 1)));
            picker.divide(count, 1, None, &mut rng);
            let given: u32 = picker.shares().iter().map(|share| share.visits).sum();
            assert_eq!(given, if open { count } else { 0 }, "turn {turn}");
            let gets =
                |picker: &Picker| picker.shares().iter().any(|s| left_out[s.branch as usize]);
            assert!(!gets(&picker), "turn {turn}");
            if picker.pick_one(&node, &edges, 1, &mut rng) {
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
            let mut picker = Picker::new(RULES, None);
            let none = Branches::of(Four::NONE, Four::NONE);
            picker.groups.resize(branches.div_ceil(LANES), none);
            for branch in 0..branches {
                let (branches, lane) = picker.place(branch);
                branches.visits[lane] = 1.0 + rng.below(1_000) as f32;
                branches.means[lane] = rng.unit() as f32;
                picker.total += picker.groups[branch / LANES].visits[branch % LANES];
            }
            let count = 1 + rng.below(1_000) as u32;

            let bonus = Bonus::Ucb1(Ucb1(ucb1::factor(0.7, picker.total)));
            assert_one_by_one(&mut picker, bonus, count, turn);
        }
    }

    /// Visits that are given together are those that are given one by one, nearly.
    fn assert_one_by_one(picker: &mut Picker, bonus: Bonus, count: u32, turn: u32) {
        let mut one_by_one = picker.groups.clone();
        let mut expected = vec![0; one_by_one.len() * LANES];
        for _ in 0..count {
            let scores: Vec<_> = one_by_one.iter().map(|b| bonus.scores(b)).collect();
            let (best, _) = two_highest(scores.iter());
            one_by_one[best / LANES].visits[best % LANES] += 1.0;
            expected[best] += 1;
        }
        picker.score_all(bonus);
        picker.take(count, 1, bonus);
        let taken: Vec<_> = picker.groups.iter().flat_map(|b| b.taken).collect();
        let off: u32 = taken.iter().zip(&expected).map(|(a, b)| a.abs_diff(*b)).sum();
        // Each branch may have got one that another would have got, if it got any.
        let some = expected.iter().filter(|&&visits| visits > 0).count() as u32;
        assert!(off <= some.max(2), "turn {turn}: {taken:?}, one by one {expected:?}");
        assert_eq!(taken.iter().sum::<u32>(), count);
    }

    #[test]
    fn visits_given_together_by_priors_are_those_given_one_by_one() {
        let mut rng = Rng::from_seed(4);
        for turn in 0..2_000 {
            let branches = 2 + rng.below(40);
            let selection = Some(Selection::puct());
            let mut picker = Picker::new(Rules { selection, warm_up: 0, ..RULES }, None);
            let none = Branches::of(Four::NONE, Four::NONE);
            picker.groups.resize(branches.div_ceil(LANES), none);
            for branch in 0..branches {
                let (branches, lane) = picker.place(branch);
                branches.visits[lane] = rng.below(300) as f32;
                branches.means[lane] = rng.unit() as f32;
                // Far below this a level of 32 bits cannot tell one visit from the next.
                branches.seconds[lane] = (rng.unit().powi(2) as f32).max(2e-3);
                picker.total += picker.groups[branch / LANES].visits[branch % LANES];
            }
            let count = 1 + rng.below(1_000) as u32;
            let bonus = picker.bonus();
            assert!(matches!(bonus, Bonus::Puct(_)), "{bonus:?}");
            assert_one_by_one(&mut picker, bonus, count, turn);
        }
    }

    #[test]
    fn what_was_never_tried_is_worth_less_the_more_priors_were_tried() {
        let selection = Some(Selection::puct());
        let mut picker = Picker::new(Rules { selection, warm_up: 0, ..RULES }, None);
        let node = Node::default();
        node.set_value(Value::new(ONE / 2, Bounds::Open));
        let edges: Vec<_> = (0..3).map(|_| Edge::default()).collect();
        edges.iter().for_each(Edge::reset);
        edges[1].set_stats(EdgeStats { visits: 2, value: Value::new(ONE / 4, Bounds::Open) });
        let priors = [ONE / 4, ONE / 2, ONE / 4].map(AtomicU32::new);
        picker.copy(&node, &edges, Some((&priors, 1)));
        let less = 0.5 - 0.1 * 0.5f32.sqrt();
        assert_eq!(picker.groups[0].means[..3], [less, 0.25, less]);
        assert_eq!(picker.groups[0].seconds[..3], [0.25, 0.5, 0.25]);
    }

    #[test]
    fn parts_that_are_cut_off_are_the_whole() {
        let mut rng = Rng::from_seed(9);
        let mut shared = 0;
        for turn in 0..1_000 {
            let mut picker = Picker::new(RULES, None);
            let node = Node::default();
            let edges: Vec<_> = (0..1 + rng.below(20)).map(|_| Edge::default()).collect();
            for edge in &edges {
                edge.reset();
                let (visits, score) = (1 + rng.below(50) as u32, rng.below(ONE as usize) as u32);
                edge.set_stats(EdgeStats { visits, value: Value::new(score, Bounds::Open) });
                node.add_visits(visits);
            }
            let parts: Vec<_> = (0..1 + rng.below(5)).map(|_| 1 + rng.below(40) as u32).collect();
            let all = parts.iter().sum();
            let mut divide = |before, own| {
                picker.copy(&node, &edges, None);
                picker.divide(all, 1, None, &mut rng);
                let cut = picker.cut(before, own);
                (picker.shares().to_vec(), cut)
            };
            let (whole, cut) = divide(0, all);
            assert_eq!(cut, (0, 0));
            let (mut before, mut sum) = (0, vec![0; edges.len()]);
            for &own in &parts {
                let (shares, cut) = divide(before, own);
                before += own;
                assert_eq!(
                    shares.iter().map(|share| share.visits).sum::<u32>(),
                    own,
                    "turn {turn}"
                );
                // What was cut off is what the others have of the first and the last branch.
                let ends = [shares.first(), shares.last()].map(Option::unwrap);
                let cut_off = ends.map(|end| {
                    let of_all = whole.iter().find(|share| share.branch == end.branch).unwrap();
                    (of_all.visits - end.visits, sum[end.branch as usize])
                });
                assert_eq!(cut.0, cut_off[0].1, "turn {turn}");
                let behind = if shares.len() == 1 { cut_off[1].0 - cut.0 } else { cut_off[1].0 };
                assert_eq!(cut.1, behind, "turn {turn}");
                shared += usize::from(cut.0 > 0);
                shares.iter().for_each(|share| sum[share.branch as usize] += share.visits);
            }
            let of_all: Vec<_> = (0..).zip(sum).filter(|&(_, visits)| visits > 0).collect();
            assert!(whole.iter().map(|share| (share.branch, share.visits)).eq(of_all));
        }
        assert!(shared > 500, "{shared} branches were cut");
    }

    #[test]
    fn simulations_that_go_together_are_not_parted() {
        let mut rng = Rng::from_seed(7);
        for turn in 0..2_000 {
            let (warm_up, together) = (rng.below(3) as u32, 1 + rng.below(8) as u32);
            let selection = match turn % 3 {
                0 => Some(Selection::Ucb1Tuned),
                _ => Some(Selection::Ucb1 { exploration: 0.5 }),
            };
            let mut picker = Picker::new(Rules { selection, warm_up, ..RULES }, None);
            let node = Node::default();
            let edges: Vec<_> = (0..1 + rng.below(20)).map(|_| Edge::default()).collect();
            for edge in &edges {
                edge.reset();
                let visits = (warm_up == 0) as u32 + rng.below(3) as u32;
                let score = rng.below(ONE as usize) as u32;
                edge.set_stats(EdgeStats { visits, value: Value::new(score, Bounds::Open) });
                node.add_visits(visits);
            }
            let squares: Vec<_> = edges.iter().map(|_| AtomicU32::new(ONE / 2)).collect();
            let count = together * (1 + rng.below(30) as u32);
            picker.copy(&node, &edges, Some((&squares, 1)));
            picker.divide(count, together, None, &mut rng);
            let given: Vec<_> = picker.shares().iter().map(|share| share.visits).collect();
            assert_eq!(given.iter().sum::<u32>(), count, "turn {turn}");
            assert!(given.iter().all(|visits| visits % together == 0), "turn {turn}: {given:?}");
            if picker.pick_one(&node, &edges, together, &mut rng) {
                let given: Vec<_> = picker.shares().iter().map(|share| share.visits).collect();
                assert_eq!(given, [together], "turn {turn}");
            }
        }
    }
}
