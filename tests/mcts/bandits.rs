//! The bandits of P. Auer, N. Cesa-Bianchi and P. Fischer: Finite-time Analysis of the
//! Multiarmed Bandit Problem, Machine Learning 47 (2002), section 4.
//!
//! A bandit is a game of one player and one ply: the arms are the moves, and each rollout
//! behind an arm draws a new reward. Regret is what the plays would have brought with the
//! best arm alone, less what they were worth.

use playtree::game::RolloutPolicy;
use playtree::mcts::{Expansion, InFlight, RoundSize, Selection};
use playtree::{Budget, GameState, Mcts, Outcome, Rng, Scores};

/// Arms that pay 1 with these probabilities, else 0.
#[derive(Clone)]
struct Bandit {
    arms: &'static [f64],
    pulled: Option<usize>,
    paid: bool,
}

impl GameState for Bandit {
    type Key = (Option<usize>, bool);
    type Move = usize;
    const PLAYERS: usize = 1;

    fn key(&self) -> Self::Key {
        (self.pulled, self.paid)
    }

    fn mover(&self) -> usize {
        0
    }

    fn plies(&self) -> u32 {
        u32::from(self.pulled.is_some()) + u32::from(self.paid)
    }

    fn moves(&self, moves: &mut Vec<usize>) {
        if !self.paid {
            // Behind an arm there is one move, which takes the reward.
            moves.extend(0..if self.pulled.is_some() { 1 } else { self.arms.len() });
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.paid.then_some(Outcome::Draw)
    }

    fn apply(&self, mv: &usize) -> Self {
        let paid = self.pulled.is_some();
        Self { pulled: self.pulled.or(Some(*mv)), paid, ..self.clone() }
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        Pull
    }
}

struct Pull;

impl RolloutPolicy<Bandit> for Pull {
    fn play(&self, state: &Bandit, rng: &mut Rng) -> Option<Outcome> {
        let pays = rng.unit() < state.arms[state.pulled?];
        Some(Outcome::Scores(Scores::new(&[f64::from(u8::from(pays))]).ok()?))
    }
}

/// The paper's number of a distribution and its arms, the best one first.
const DISTRIBUTIONS: [(u32, &[f64]); 7] = [
    (1, &[0.9, 0.6]),
    (2, &[0.9, 0.8]),
    (3, &[0.55, 0.45]),
    (11, &[0.9, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6]),
    (12, &[0.9, 0.8, 0.8, 0.8, 0.7, 0.7, 0.7, 0.6, 0.6, 0.6]),
    (13, &[0.9, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8]),
    (14, &[0.55, 0.45, 0.45, 0.45, 0.45, 0.45, 0.45, 0.45, 0.45, 0.45]),
];

/// Regret at 100 000 plays of an independent program, mean of 40 runs: UCB1 with the square
/// root of 2, UCB1 with 0.5, UCB1-Tuned.
const ELSEWHERE: [[f64; 3]; 7] = [
    [70.7, 9.8, 9.2],
    [176.0, 26.9, 23.6],
    [175.0, 26.1, 23.1],
    [640.0, 82.9, 80.9],
    [1019.0, 142.0, 141.0],
    [1517.0, 215.0, 246.0],
    [1496.0, 219.0, 231.0],
];

const PLAYS: u64 = 100_000;
const RUNS: u64 = 10;

/// The bound of Theorem 1 on the regret of UCB1.
fn bound(arms: &[f64]) -> f64 {
    let gaps = arms.iter().map(|arm| arms[0] - arm).filter(|&gap| gap > 0.0);
    let pi = std::f64::consts::PI;
    gaps.map(|gap| 8.0 * (PLAYS as f64).ln() / gap + (1.0 + pi * pi / 3.0) * gap).sum()
}

/// The regret of one run, and the share of the plays that the best arm got.
fn play(arms: &'static [f64], selection: Selection, seed: u64) -> (f64, f64) {
    let mut mcts = Mcts::builder()
        .threads(1)
        .seed(seed)
        .selection(selection)
        .warm_up(1)
        .in_flight(InFlight::Ignore)
        .round_size(RoundSize::Fixed(1))
        // The arms never become nodes: each play is a new draw.
        .expansion(Expansion::OnePerSimulation { from_visit: u32::MAX })
        .build()
        .unwrap();
    let bandit = Bandit { arms, pulled: None, paid: false };
    let report = mcts.search(&bandit, &Budget::simulations(PLAYS)).unwrap();
    mcts.audit().unwrap();
    let visits = report.moves.iter().map(|m| m.visits);
    assert_eq!(visits.sum::<u64>(), PLAYS);
    let regret = report.moves.iter().map(|m| (arms[0] - arms[m.mv]) * m.visits as f64);
    let best = report.moves.iter().find(|m| m.mv == 0).map_or(0, |m| m.visits);
    (regret.sum(), best as f64 / PLAYS as f64)
}

/// The means over the runs.
fn mean(arms: &'static [f64], selection: Selection) -> (f64, f64) {
    let runs = (0..RUNS).map(|seed| play(arms, selection, seed));
    let (regret, best) = runs.fold((0.0, 0.0), |sum, run| (sum.0 + run.0, sum.1 + run.1));
    (regret / RUNS as f64, best / RUNS as f64)
}

#[test]
fn regret_is_below_the_bound_and_tuned_is_five_times_better() {
    println!("regret at {PLAYS} plays, mean of {RUNS} runs (in brackets: elsewhere)");
    println!("dist    UCB1(sqrt 2)      UCB1(0.5)        Tuned   bound   best arm %");
    let mut broken = Vec::new();
    for ((number, arms), elsewhere) in DISTRIBUTIONS.into_iter().zip(ELSEWHERE) {
        let constant = |exploration| Selection::Ucb1 { exploration };
        let (ucb1, ucb1_best) = mean(arms, constant(std::f64::consts::SQRT_2));
        let (half, half_best) = mean(arms, constant(0.5));
        let (tuned, tuned_best) = mean(arms, Selection::Ucb1Tuned);
        let bound = bound(arms);
        println!(
            "{number:4} {ucb1:7.1} ({:6.1}) {half:6.1} ({:5.1}) {tuned:6.1} ({:5.1}) {bound:7.0}  \
             {:5.1} {:5.1} {:5.1}",
            elsewhere[0],
            elsewhere[1],
            elsewhere[2],
            100.0 * ucb1_best,
            100.0 * half_best,
            100.0 * tuned_best,
        );
        if ucb1 >= bound {
            broken.push(format!("{number}: UCB1 {ucb1:.1} is not below the bound {bound:.1}"));
        }
        if tuned > ucb1 / 5.0 {
            broken.push(format!("{number}: Tuned {tuned:.1} is above a fifth of {ucb1:.1}"));
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}
