//! Sequential halving of moves drawn with Gumbel numbers, as [`Gumbel`] says.

use crate::maths::exp;
use crate::mcts::config::Gumbel;
use crate::mcts::tree::value::ONE;
use crate::rng::Rng;
use crate::sync::Mutex;

use super::ln_of_share;
use super::noise::gumbel;

/// What is known of a branch of the root.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) visits: u32,
    /// Its mean, for the side to move at the root.
    pub(crate) mean: f32,
    /// Its value is proven.
    pub(crate) is_exact: bool,
}

impl Seen {
    fn is_known(self) -> bool {
        self.visits > 0 || self.is_exact
    }
}

/// The halving of one search, shared by its workers.
#[derive(Debug)]
pub(crate) struct Halving {
    gumbel: Gumbel,
    /// Of each branch the logarithm of its prior, and that with noise.
    logits: Vec<f32>,
    drawn: Vec<f32>,
    /// Whether a series ends the search, as its budget has a number of simulations.
    is_one: bool,
    series: Mutex<Series>,
}

/// A series of phases.
#[derive(Debug)]
struct Series {
    /// For each simulation, how many the branch has had in this series that it goes to.
    wanted: Vec<u32>,
    /// Simulations that have begun.
    begun: usize,
    /// Those of each branch.
    given: Vec<u32>,
    /// The branches of the last phase of the series before.
    last: Vec<bool>,
}

/// The simulations of the first series for each move considered, if the budget has no number.
const FIRST_SERIES: usize = 4;

impl Halving {
    pub(super) fn new(
        settings: Gumbel,
        priors: &[u32],
        simulations: Option<u64>,
        rng: &mut Rng,
    ) -> Self {
        let logit = |&prior: &u32| ln_of_share(prior as f32 / ONE as f32);
        let logits: Vec<f32> = priors.iter().map(logit).collect();
        let noise = settings.noise as f32;
        let drawn = logits.iter().map(|logit| logit + noise * gumbel(rng)).collect();
        let considered = considered(settings, priors.len());
        let length = simulations.and_then(|simulations| usize::try_from(simulations).ok());
        // A list for more than this would be long, and halving is for few simulations.
        let length = length.filter(|&length| length <= LONGEST_SERIES);
        let first = length.unwrap_or(FIRST_SERIES * considered);
        let series = Series {
            wanted: wanted(considered, first),
            begun: 0,
            given: vec![0; priors.len()],
            last: Vec::new(),
        };
        let is_one = length.is_some();
        Self { gumbel: settings, logits, drawn, is_one, series: Mutex::new(series) }
    }

    /// Divides `count` simulations among the branches: how many each gets. None if all are proven.
    pub(crate) fn divide(&self, count: u32, seen: &[Seen], value: Option<f32>) -> Vec<u32> {
        let scores = self.scores(seen, value);
        let mut shares = vec![0; seen.len()];
        let open: Vec<usize> = (0..seen.len()).filter(|&at| !seen[at].is_exact).collect();
        let mut series = self.series.lock();
        for _ in 0..if open.is_empty() { 0 } else { count } {
            let given = &series.given;
            let wanted = match series.wanted.get(series.begun) {
                Some(&wanted) => wanted,
                // What was given back is for the best.
                None => open.iter().map(|&at| given[at]).max().unwrap_or(0),
            };
            let best = open.iter().copied().min_by(|&a, &b| {
                let off = |at: usize| given[at].abs_diff(wanted);
                off(a).cmp(&off(b)).then(scores[b].total_cmp(&scores[a]))
            });
            let Some(best) = best else { break };
            shares[best] += 1;
            series.given[best] += 1;
            series.begun += 1;
            if !self.is_one && series.begun == series.wanted.len() {
                series.begin_next(considered(self.gumbel, seen.len()));
            }
        }
        shares
    }

    /// The branch to play, of those that `may_be_played`; `None` if there is none.
    pub(crate) fn choose(
        &self,
        seen: &[Seen],
        value: Option<f32>,
        may_be_played: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let scores = self.scores(seen, value);
        let series = self.series.lock();
        let most = series.given.iter().max().copied().unwrap_or(0);
        let is_last = |at: usize| match series.last.get(at) {
            Some(&last) => last,
            None => series.given[at] == most,
        };
        let highest = |among: &dyn Fn(usize) -> bool| {
            let branches = (0..scores.len()).filter(|&at| may_be_played(at) && among(at));
            branches.max_by(|&a, &b| scores[a].total_cmp(&scores[b]).then(b.cmp(&a)))
        };
        // What is proven needs no visits.
        highest(&|at| is_last(at) || seen[at].is_exact).or_else(|| highest(&|_| true))
    }

    /// The policy that the search has made of the network's: the share of each branch.
    pub(crate) fn policy(&self, seen: &[Seen], value: Option<f32>) -> Vec<f64> {
        let bonuses = self.bonuses(seen, value);
        let improved: Vec<f32> = self.logits.iter().zip(bonuses).map(|(l, b)| l + b).collect();
        let highest = improved.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let shares = improved.iter().map(|&logit| exp(f64::from(logit - highest)));
        let sum: f64 = shares.clone().sum();
        shares.map(|share| share / sum).collect()
    }

    /// The score of each branch, with noise.
    fn scores(&self, seen: &[Seen], value: Option<f32>) -> Vec<f32> {
        self.drawn.iter().zip(self.bonuses(seen, value)).map(|(drawn, b)| drawn + b).collect()
    }

    /// What the win rate of each branch adds to its logarithm; `value` is what the network says of
    /// the root.
    fn bonuses(&self, seen: &[Seen], value: Option<f32>) -> Vec<f32> {
        let means = self.completed(seen, value);
        let most = seen.iter().map(|seen| seen.visits).max().unwrap_or(0);
        let low = means.iter().copied().fold(f32::INFINITY, f32::min);
        let high = means.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let weight = (self.gumbel.visits as f32 + most as f32) * self.gumbel.scale as f32;
        let span = (high - low).max(1e-8);
        means.iter().map(|mean| weight * (mean - low) / span).collect()
    }

    /// The mean of each branch; of those without one, a mean of the network's value and of what was
    /// seen, by the priors.
    fn completed(&self, seen: &[Seen], value: Option<f32>) -> Vec<f32> {
        let (mut visits, mut weights, mut sum) = (0.0, 0.0, 0.0);
        for (&logit, seen) in self.logits.iter().zip(seen).filter(|(_, seen)| seen.is_known()) {
            let prior = exp(f64::from(logit)) as f32;
            visits += seen.visits as f32;
            weights += prior;
            sum += prior * seen.mean;
        }
        // A position that is proven before it is asked about has no value of its own.
        let value = value.unwrap_or(0.5);
        let mixed =
            if weights > 0.0 { (value + visits * (sum / weights)) / (1.0 + visits) } else { value };
        seen.iter().map(|seen| if seen.is_known() { seen.mean } else { mixed }).collect()
    }
}

impl Series {
    /// Begins another one, twice as long.
    fn begin_next(&mut self, considered: usize) {
        let most = self.given.iter().max().copied().unwrap_or(0);
        self.last = self.given.iter().map(|&given| given == most).collect();
        self.given.fill(0);
        self.begun = 0;
        let length = (2 * self.wanted.len()).min(LONGEST_SERIES);
        self.wanted = wanted(considered, length);
    }
}

/// The longest series.
const LONGEST_SERIES: usize = 1 << 20;

/// The moves that are considered of this number of branches.
fn considered(settings: Gumbel, branches: usize) -> usize {
    branches.min(usize::try_from(settings.considered).unwrap_or(usize::MAX)).max(1)
}

/// For each of the simulations of a series, how many the branch has had that it goes to.
fn wanted(considered: usize, simulations: usize) -> Vec<u32> {
    let phases = considered.next_power_of_two().ilog2() as usize;
    let mut had = vec![0; considered];
    let (mut left, mut list) = (considered, Vec::with_capacity(simulations));
    while list.len() < simulations {
        let each = (simulations / (phases * left).max(1)).max(1);
        for _ in 0..each.min(simulations) {
            let room = simulations - list.len();
            list.extend_from_slice(&had[..left.min(room)]);
            had[..left].iter_mut().for_each(|had| *had += 1);
        }
        left = (left / 2).max(2.min(considered));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::{Halving, ONE, Seen, wanted};
    use crate::mcts::config::Gumbel;
    use crate::rng::Rng;

    #[test]
    fn half_of_the_moves_go_on() {
        // As mctx has it: 4 moves twice each, then 2 of them four times each.
        let phases = wanted(4, 16);
        assert_eq!(phases, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert_eq!(wanted(1, 3), [0, 1, 2]);
        assert_eq!(wanted(16, 2), [0, 0]);
        assert_eq!(wanted(3, 7), [0, 0, 0, 1, 1, 2, 2]);
    }

    #[test]
    fn what_was_never_tried_is_worth_what_the_network_and_the_search_say() {
        let priors = [ONE / 2, ONE / 4, ONE / 4];
        let halving = Halving::new(Gumbel::default(), &priors, Some(8), &mut Rng::from_seed(1));
        let of = |visits, mean| Seen { visits, mean, is_exact: false };
        let seen = [of(2, 0.8), of(1, 0.2), of(0, 0.0)];
        // 0.6 was seen, by priors of 2 to 1, at 3 visits: (0.4 + 3 * 0.6) / 4.
        let means = halving.completed(&seen, Some(0.4));
        assert!((means[2] - 0.55).abs() < 1e-5, "{means:?}");
        assert_eq!(means[..2], [0.8, 0.2]);
        // 52 visits of weight 0.1 are 5.2 for the best, none for the worst.
        let bonuses = halving.bonuses(&seen, Some(0.4));
        assert!((bonuses[0] - 5.2).abs() < 1e-4 && bonuses[1] == 0.0, "{bonuses:?}");
        let policy = halving.policy(&seen, Some(0.4));
        let ratio = policy[0] / policy[1];
        assert!((ratio / (2.0 * 5.2f64.exp()) - 1.0).abs() < 1e-3, "{ratio}");
        assert!((policy.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
