//! Selection: which branches of a node a number of simulations take.

mod ucb1;
mod ucb1_tuned;

use crate::rng::Rng;
use crate::sync::{AtomicU32, Ordering};

use super::config::{InFlight, Selection, WarmUpDraw};
use super::node::{Edge, Node};
use super::value::{ONE, Value};

/// The settings that decide how branches are picked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) selection: Selection,
    pub(crate) warm_up: u32,
    pub(crate) warm_up_draw: WarmUpDraw,
    pub(crate) in_flight: InFlight,
    /// Whether proven branches are left out.
    pub(crate) proofs: bool,
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
    /// Mean score of the side to move; negative infinity for a branch that is left out.
    means: Vec<f32>,
    /// Mean squared score, for policies that use it.
    squares: Vec<f32>,
    scores: Vec<f32>,
    /// Visits and in-flight simulations of each branch, exactly, for the warm-up.
    drawn: Vec<u32>,
    taken: Vec<u32>,
    /// The result of the last call of `pick`.
    shares: Vec<Share>,
}

/// The branches are padded to a multiple of this, so that the loops over them have no rest.
const LANES: usize = 8;

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
            shares: Vec::new(),
        }
    }

    /// Divides `count` simulations among the branches. Call it with the node locked; it runs
    /// none of the game's code. The shares are in order of branches.
    ///
    /// `squares` is the plane of mean squares of the edges with its stride, if one is kept.
    /// An empty answer means that every branch is proven.
    pub(crate) fn pick(
        &mut self,
        node: &Node,
        edges: &[Edge],
        squares: Option<(&[AtomicU32], usize)>,
        count: u32,
        rng: &mut Rng,
    ) -> &[Share] {
        self.shares.clear();
        let value = node.value();
        let total = self.load(edges, squares, value);
        let open = self.means.iter().filter(|&&mean| mean > f32::NEG_INFINITY).count();
        if open == 0 {
            return &self.shares;
        }
        self.taken.clear();
        self.taken.resize(edges.len(), 0);
        let warm_up = self.rules.warm_up;
        let mut left = count;
        if node.warm.load(Ordering::Relaxed) == 0 {
            let mut unfinished = self.unfinished();
            while unfinished > 0 && left > 0 {
                let branch = self.draw(unfinished, open, rng);
                self.drawn[branch] += 1;
                self.visits[branch] += 1.0;
                self.taken[branch] += 1;
                unfinished -= usize::from(self.drawn[branch] == warm_up);
                left -= 1;
            }
            if unfinished == 0 && left == count {
                // Nobody has to look again. Relaxed: whoever sees the old value looks.
                node.warm.store(1, Ordering::Relaxed);
            }
        }
        if left > 0 {
            self.score_all(total);
            while left > 0 {
                let branch = argmax(&self.scores);
                self.taken[branch] += 1;
                left -= 1;
                if left > 0 {
                    self.visits[branch] += 1.0;
                    self.score_one(branch, total);
                }
            }
        }
        for (branch, &visits) in (0..).zip(&self.taken) {
            if visits > 0 {
                self.shares.push(Share { branch, visits });
            }
        }
        &self.shares
    }

    /// Copies the statistics of the edges, and returns the visits of all of them.
    fn load(&mut self, edges: &[Edge], squares: Option<(&[AtomicU32], usize)>, node: Value) -> f32 {
        let padded = edges.len().next_multiple_of(LANES);
        self.visits.clear();
        self.means.clear();
        self.drawn.clear();
        let to_mean = 1.0 / ONE as f32;
        let unknown = node.score() as f32 * to_mean;
        let low = node.bounds().low();
        let mut total = 0.0;
        for edge in edges {
            let stats = edge.stats();
            let flying = match self.rules.in_flight {
                InFlight::Ignore => 0,
                InFlight::Count | InFlight::VirtualLoss { .. } => edge.in_flight(),
            };
            let mut visits = stats.visits as f32;
            let mut mean =
                if stats.visits > 0 { stats.value.score() as f32 * to_mean } else { unknown };
            if flying > 0 {
                match self.rules.in_flight {
                    InFlight::Ignore => {}
                    InFlight::Count => visits += flying as f32,
                    InFlight::VirtualLoss { weight } => {
                        let lost = flying as f32 * weight as f32;
                        mean *= visits / (visits + lost);
                        visits += lost;
                    }
                }
            }
            total += visits;
            if self.rules.proofs {
                let bounds = stats.value.bounds();
                if bounds.is_exact() || bounds.high() <= low {
                    mean = f32::NEG_INFINITY;
                }
            }
            self.visits.push(visits);
            self.means.push(mean);
            self.drawn.push(stats.visits + flying);
        }
        self.visits.resize(padded, 1.0);
        self.means.resize(padded, f32::NEG_INFINITY);
        if let Some((plane, stride)) = squares {
            self.squares.clear();
            let squares = plane.iter().step_by(stride);
            self.squares.extend(squares.map(|s| s.load(Ordering::Relaxed) as f32 * to_mean));
            self.squares.resize(padded, 0.0);
        }
        total
    }

    /// How many branches have fewer visits than the warm-up asks for.
    fn unfinished(&self) -> usize {
        let open = self.means.iter().zip(&self.drawn);
        open.filter(|&(&mean, &drawn)| mean > f32::NEG_INFINITY && drawn < self.rules.warm_up)
            .count()
    }

    /// A branch for a warm-up visit, drawn uniformly.
    fn draw(&self, unfinished: usize, open: usize, rng: &mut Rng) -> usize {
        let mut branches = (0..self.drawn.len()).filter(|&branch| {
            self.means[branch] > f32::NEG_INFINITY
                && (self.rules.warm_up_draw == WarmUpDraw::AnyBranch
                    || self.drawn[branch] < self.rules.warm_up)
        });
        let among = match self.rules.warm_up_draw {
            WarmUpDraw::AnyBranch => open,
            WarmUpDraw::UnfinishedBranch => unfinished,
        };
        branches.nth(rng.below(among)).expect("the number drawn is below the number of branches")
    }

    fn score_all(&mut self, total: f32) {
        self.scores.clear();
        self.scores.resize(self.means.len(), 0.0);
        match self.rules.selection {
            Selection::Ucb1 { exploration } => {
                let factor = ucb1::factor(exploration, total);
                ucb1::scores(factor, &self.visits, &self.means, &mut self.scores);
            }
            Selection::Ucb1Tuned => ucb1_tuned::scores(
                ln(total),
                &self.visits,
                &self.means,
                &self.squares,
                &mut self.scores,
            ),
        }
    }

    fn score_one(&mut self, branch: usize, total: f32) {
        let (visits, mean) = (self.visits[branch], self.means[branch]);
        self.scores[branch] = match self.rules.selection {
            Selection::Ucb1 { exploration } => {
                ucb1::score(ucb1::factor(exploration, total), visits, mean)
            }
            Selection::Ucb1Tuned => {
                ucb1_tuned::score(ln(total), visits, mean, self.squares[branch])
            }
        };
    }
}

/// The first of the highest scores. `scores` is not empty.
#[inline]
fn argmax(scores: &[f32]) -> usize {
    // Eight running maxima, which the compiler keeps in vector registers, and then the
    // first place where their maximum stands.
    let mut lanes = [f32::NEG_INFINITY; LANES];
    for chunk in scores.chunks_exact(LANES) {
        for (lane, &score) in lanes.iter_mut().zip(chunk) {
            *lane = if score > *lane { score } else { *lane };
        }
    }
    let highest = lanes.iter().fold(f32::NEG_INFINITY, |a, &b| if b > a { b } else { a });
    scores.iter().position(|&score| score == highest).unwrap_or(0)
}

/// The natural logarithm of `x >= 1`, else 0, to about 7 digits.
///
/// Our own, because that of the system's mathematics library may differ in the last digit
/// from machine to machine, and with it the search.
#[inline]
fn ln(x: f32) -> f32 {
    if x <= 1.0 {
        return 0.0;
    }
    // x = 2^e * m with m in [sqrt(1/2), sqrt(2)), ln m = 2 artanh(t), t = (m - 1) / (m + 1).
    let shifted = x.to_bits().wrapping_sub(std::f32::consts::FRAC_1_SQRT_2.to_bits());
    let exponent = (shifted as i32) >> 23;
    let m = f32::from_bits(x.to_bits().wrapping_sub((exponent << 23) as u32));
    let t = (m - 1.0) / (m + 1.0);
    let t2 = t * t;
    let series = 1.0 + t2 * (1.0 / 3.0 + t2 * (1.0 / 5.0 + t2 * (1.0 / 7.0 + t2 / 9.0)));
    exponent as f32 * std::f32::consts::LN_2 + 2.0 * t * series
}

#[cfg(test)]
mod tests {
    use super::{argmax, ln};

    #[test]
    fn the_logarithm_is_right() {
        let mut x = 1.0f32;
        while x < 4.3e9 {
            let exact = f64::from(x).ln();
            assert!((f64::from(ln(x)) - exact).abs() <= 3e-7 * exact.max(1.0), "ln {x}");
            x *= 1.0007;
        }
        assert_eq!(ln(0.0), 0.0);
    }

    #[test]
    fn the_first_of_equal_scores_is_taken() {
        let mut scores = [0.0; 24];
        scores[9] = 2.0;
        scores[17] = 2.0;
        assert_eq!(argmax(&scores), 9);
        scores[3] = f32::NEG_INFINITY;
        assert_eq!(argmax(&scores[..8]), 0);
    }
}
