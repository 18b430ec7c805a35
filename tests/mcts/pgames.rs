//! Wrong moves on P-games: random game trees whose exact values are known.
//!
//! - **Tree** (S. Smith and D. Nau 1994; L. Kocsis and C. Szepesvári 2006): every move has a
//!   random value, in 0..=127 for the first player and in -127..=0 for the second; the first
//!   player wins if the sum along the path is above 0. Branching 2, depth 20.
//! - **Graph**: every move adds a number of -1, 0 and 1 (**narrow**) or of -10 to 10 (**wide**),
//!   which is fixed by the depth, the sum so far and the move. So a position is (depth, sum)
//!   and is reached by many paths. The first player wins if the sum is above 0. Branching 5,
//!   depth 31.
//!
//! Only decisive games count: the root has a winning and a losing move. An error is a game in
//! which the search plays a losing one.

use std::sync::LazyLock;

use playtree::game::RolloutPolicy;
use playtree::games::ConnectFour;
use playtree::mcts::{
    Expansion, InFlight, LockPolicy, RoundSize, Selection, Sharing, TableLocks, WarmUpDraw,
};
use playtree::{Budget, GameState, Mcts, MctsBuilder, Rng};

use crate::pgame::{Decisive, Form, PGame, TREE, decisive};

const NARROW: Form = Form { branching: 5, depth: 31, spread: Some(1) };
const WIDE: Form = Form { spread: Some(10), ..NARROW };

static TREES: LazyLock<Vec<Decisive>> = LazyLock::new(|| decisive(TREE, 200));
static GRAPHS: LazyLock<Vec<Decisive>> = LazyLock::new(|| decisive(NARROW, 200));
static WIDE_GRAPHS: LazyLock<Vec<Decisive>> = LazyLock::new(|| decisive(WIDE, 200));

/// The best constant for these games, and the one of the figures in the literature.
const CONSTANT: Selection = Selection::Ucb1 { exploration: 0.7 };

/// The share of games in which a search of `simulations` plays a losing move.
fn error(
    games: &[Decisive],
    simulations: u64,
    settings: impl Fn(MctsBuilder<PGame>) -> MctsBuilder<PGame>,
) -> f64 {
    let wrong = |(seed, decisive): &(u64, &Decisive)| {
        let base = Mcts::builder().threads(1).seed(*seed).selection(CONSTANT);
        let mut mcts = settings(base).build().unwrap();
        let mv = mcts.best_move(&decisive.game, &Budget::simulations(simulations)).unwrap();
        !decisive.wins[mv as usize]
    };
    (0..).zip(games).filter(wrong).count() as f64 / games.len() as f64
}

fn errors<const N: usize>(
    games: &[Decisive],
    simulations: [u64; N],
    settings: impl Fn(MctsBuilder<PGame>) -> MctsBuilder<PGame>,
) -> [f64; N] {
    simulations.map(|simulations| error(games, simulations, &settings))
}

/// The textbook's UCT with the same constant, one simulation at a time, in a plain tree: the
/// move with most visits.
fn plain(game: &PGame, simulations: u64, seed: u64) -> u64 {
    /// A position: visits, wins of the player who moved into it, first child.
    #[derive(Clone, Copy)]
    struct Node(f64, f64, usize);
    let branching = game.form.branching as usize;
    let (mut nodes, mut rng) = (vec![Node(0.0, 0.0, 0)], Rng::from_seed(seed));
    for _ in 0..simulations {
        let (mut state, mut path) = (*game, vec![(0, 1)]);
        while state.outcome().is_none() {
            let Node(visits, _, mut first) = nodes[path[path.len() - 1].0];
            if first == 0 {
                if visits == 0.0 && path.len() > 1 {
                    break;
                }
                first = nodes.len();
                nodes.extend(std::iter::repeat_n(Node(0.0, 0.0, 0), branching));
                nodes[path[path.len() - 1].0].2 = first;
            }
            let score = |mv: usize| match nodes[first + mv] {
                // Untried moves first, in random order.
                Node(0.0, ..) => 10.0 + rng.unit(),
                Node(n, wins, _) => wins / n + 0.7 * (visits.ln() / n).sqrt(),
            };
            let scores: Vec<f64> = (0..branching).map(score).collect();
            let mv = (0..branching).max_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap();
            path.push((first + mv, state.mover()));
            state = state.step(mv as u64);
        }
        let end = state.outcome().or_else(|| PGame::rollouts().play(&state, &mut rng)).unwrap();
        for (node, mover) in path {
            nodes[node].0 += 1.0;
            nodes[node].1 += end.score(mover);
        }
    }
    let first = nodes[0].2;
    (0..branching).max_by(|a, b| nodes[first + a].0.total_cmp(&nodes[first + b].0)).unwrap() as u64
}

/// The share of games in which the plain search plays a losing move.
fn plain_errors<const N: usize>(games: &[Decisive], simulations: [u64; N]) -> [f64; N] {
    simulations.map(|simulations| {
        let wrong = |(seed, decisive): &(u64, &Decisive)| {
            !decisive.wins[plain(&decisive.game, simulations, *seed) as usize]
        };
        (0..).zip(games).filter(wrong).count() as f64 / games.len() as f64
    })
}

const ON_TREES: [u64; 3] = [256, 1024, 4096];
const ON_GRAPHS: [u64; 3] = [128, 512, 2048];

/// The shares of wrong moves that are allowed.
const LIMITS_ON_TREES: [f64; 3] = [0.08, 0.035, 0.01];
const LIMITS_ON_GRAPHS: [f64; 3] = [0.12, 0.06, 0.02];

fn print(name: &str, errors: &[f64]) {
    let errors: Vec<_> = errors.iter().map(|error| format!("{error:.3}")).collect();
    println!("{name:44} {}", errors.join("  "));
}

fn assert_at_most(errors: [f64; 3], limits: [f64; 3]) {
    let kept = errors.iter().zip(limits).all(|(error, limit)| *error <= limit);
    assert!(kept, "{errors:?}, not at most {limits:?}");
}

static MANY_TREES: LazyLock<Vec<Decisive>> = LazyLock::new(|| decisive(TREE, 3_000));

/// Enough games for a standard error of 0.5, 0.3 and 0.3 of a hundred at the limits.
#[test]
fn few_moves_are_wrong_on_trees() {
    let [short, middle, long] = ON_TREES;
    let defaults = |b: MctsBuilder<_>| b.proofs(false);
    let [first, second] = errors(&MANY_TREES, [short, middle], defaults);
    let wrong = [first, second, error(&MANY_TREES[..1_000], long, defaults)];
    print("defaults, proofs off", &wrong);
    // The limits, and a standard error of this number of games.
    assert_at_most(wrong, [0.085, 0.0385, 0.012]);
}

/// Far enough below the limits for fewer games.
#[test]
fn few_moves_are_wrong_on_trees_of_every_state() {
    let wrong = errors(&MANY_TREES[..1_000], ON_TREES, every_state);
    print("every state, proofs off", &wrong);
    assert_at_most(wrong, LIMITS_ON_TREES);
}

/// Prints a table and asserts nothing.
#[test]
#[ignore = "takes minutes"]
fn wrong_moves_in_many_trees() {
    let many = &MANY_TREES;
    println!("P-game, branching 2, depth 20, {} decisive games:", many.len());
    println!("wrong moves at {ON_TREES:?}");
    print("defaults, proofs off", &errors(many, ON_TREES, |b| b.proofs(false)));
    print("defaults, proofs on", &errors(many, ON_TREES, |b| b));
    let one_by_one = |b: MctsBuilder<_>| b.proofs(false).round_size(RoundSize::Fixed(1));
    print("one by one, proofs off", &errors(many, ON_TREES, one_by_one));
    print("every state, proofs off", &errors(many, ON_TREES, every_state));
    print("plain search", &plain_errors(many, ON_TREES));
}

/// A node for every state of a simulation, so that later ones meet it.
fn every_state(builder: MctsBuilder<PGame>) -> MctsBuilder<PGame> {
    builder.proofs(false).expansion(Expansion::Everything)
}

/// Says which games follow.
fn announce(name: &str, games: &[Decisive]) {
    println!("P-game with transpositions, {name}, branching 5, depth 31, {} games:", games.len());
    println!("wrong moves at {ON_GRAPHS:?}");
    print("graph, defaults, proofs on", &errors(games, ON_GRAPHS, |b| b));
}

/// The graph search keeps to the limits, and all budgets taken together makes at most `part` of
/// the errors of the same search without sharing. `settings` leave proofs off.
fn assert_sharing_pays(
    name: &str,
    games: &[Decisive],
    settings: impl Fn(MctsBuilder<PGame>) -> MctsBuilder<PGame>,
    limits: [f64; 3],
    part: f64,
) {
    let shared = errors(games, ON_GRAPHS, &settings);
    let tree = errors(games, ON_GRAPHS, |b| settings(b).sharing(Sharing::PerPath));
    print(&format!("graph, {name}, proofs off"), &shared);
    print(&format!("tree, {name}, proofs off"), &tree);
    assert_at_most(shared, limits);
    let (sum, of_tree) = (shared.iter().sum::<f64>(), tree.iter().sum::<f64>());
    assert!(sum <= part * of_tree, "{shared:?} {tree:?}");
}

#[test]
fn sharing_positions_makes_fewer_moves_wrong() {
    announce("narrow", &GRAPHS);
    // Clearly better: about half the errors.
    assert_sharing_pays("defaults", &GRAPHS, |b| b.proofs(false), LIMITS_ON_GRAPHS, 0.6);
    assert_sharing_pays("every state", &GRAPHS, every_state, LIMITS_ON_GRAPHS, 0.5);
}

/// Fewer paths meet here, so there is less to share.
#[test]
fn sharing_few_positions_makes_fewer_moves_wrong() {
    announce("wide", &WIDE_GRAPHS);
    assert_sharing_pays("defaults", &WIDE_GRAPHS, |b| b.proofs(false), [0.2, 0.06, 0.02], 0.8);
    assert_sharing_pays("every state", &WIDE_GRAPHS, every_state, LIMITS_ON_GRAPHS, 0.5);
}

const ADAPTIVE: [(&str, RoundSize); 4] = [
    ("adaptive to 16", RoundSize::Adaptive { most: 16 }),
    ("adaptive to 32", RoundSize::Adaptive { most: 32 }),
    ("adaptive to 64", RoundSize::Adaptive { most: 64 }),
    ("adaptive to 128", RoundSize::Adaptive { most: 128 }),
];

const FIXED: [(&str, RoundSize); 3] = [
    ("one by one", RoundSize::Fixed(1)),
    ("rounds of 8", RoundSize::Fixed(8)),
    ("rounds of 32", RoundSize::Fixed(32)),
];

const POLICIES: [(&str, InFlight); 3] = [
    ("counted", InFlight::Count),
    ("ignored", InFlight::Ignore),
    ("lost", InFlight::VirtualLoss { weight: 1.0 }),
];

/// Prints what the settings of a round cost with one worker.
fn tabulate(
    trees: &[Decisive],
    graphs: &[Decisive],
    sizes: &[(&str, RoundSize)],
    policies: &[(&str, InFlight)],
) {
    println!("wrong moves, proofs off, one worker: on {} trees at {ON_TREES:?},", trees.len());
    println!("on {} narrow graphs at {ON_GRAPHS:?}", graphs.len());
    for &(size_name, size) in sizes {
        for from_visit in [1, 2] {
            for &(policy_name, policy) in policies {
                let settings = |b: MctsBuilder<_>| {
                    b.proofs(false)
                        .round_size(size)
                        .in_flight(policy)
                        .expansion(Expansion::OnePerSimulation { from_visit })
                };
                let tree = errors(trees, ON_TREES, settings);
                let graph = errors(graphs, ON_GRAPHS, settings);
                let name = format!("{size_name}, from visit {from_visit}, in flight {policy_name}");
                print(&name, &[tree, graph].concat());
            }
        }
    }
}

/// Prints a table and asserts nothing: the defaults are chosen by it.
#[test]
#[ignore = "a measurement: run it alone, in release"]
fn rounds_and_expansion() {
    let sizes = [&FIXED[..], &ADAPTIVE[3..]].concat();
    tabulate(&TREES[..100], &GRAPHS[..100], &sizes, &POLICIES);
}

/// The same in enough games to make a difference of 0.01 significant.
#[test]
#[ignore = "takes minutes"]
fn rounds_and_expansion_in_many_games() {
    let sizes = [&FIXED[..], &ADAPTIVE[..]].concat();
    let trees = decisive(TREE, 1_000);
    print("plain search", &plain_errors(&trees, ON_TREES));
    tabulate(&trees, &decisive(NARROW, 1_000), &sizes, &POLICIES[..1]);
}

/// Which exploration constant is best.
#[test]
#[ignore = "takes minutes"]
fn constants_in_many_games() {
    let (trees, graphs) = (decisive(TREE, 1_000), decisive(NARROW, 1_000));
    println!("wrong moves, proofs off, one worker: on {} trees at {ON_TREES:?},", trees.len());
    println!("on {} narrow graphs at {ON_GRAPHS:?}", graphs.len());
    print("plain search, 0.7", &plain_errors(&trees, ON_TREES));
    for exploration in [0.4, 0.5, 0.6, 0.7, 0.85, 1.0, 1.2, 1.4] {
        let settings =
            |b: MctsBuilder<_>| b.proofs(false).selection(Selection::Ucb1 { exploration });
        let tree = errors(&trees, ON_TREES, settings);
        let graph = errors(&graphs, ON_GRAPHS, settings);
        print(&format!("UCB1, {exploration}"), &[tree, graph].concat());
    }
}

/// One row for each lock policy and number of workers, and for the literal design: what the
/// table in `docs/measurements/literal-and-fast.md` says. Speed is that of Connect Four.
#[test]
#[ignore = "a measurement: run it alone, in release"]
fn lock_policies_and_the_literal_design() {
    println!("| setting | workers | simulations/s | dropped | wrong moves at 1024 |");
    println!("|---|--:|--:|--:|--:|");
    let literal = |literal: bool| (if literal { "literal" } else { "fast" }, literal);
    for (design, is_literal) in [literal(false), literal(true)] {
        for (name, policy) in [
            ("yield", LockPolicy::Yield),
            ("block", LockPolicy::Block),
            ("defer", LockPolicy::Defer),
        ] {
            for workers in [1, 2, 8] {
                let row = Row { is_literal, policy, workers };
                let (speed, dropped) = row.speed();
                println!(
                    "| {design}, {name} | {workers} | {:.0} 000 | {:.3} % | {:.3} |",
                    speed / 1e3,
                    100.0 * dropped,
                    row.wrong_moves()
                );
            }
        }
    }
}

/// A row of the table of lock policies.
#[derive(Clone, Copy)]
struct Row {
    is_literal: bool,
    policy: LockPolicy,
    workers: usize,
}

impl Row {
    fn builder<G: GameState>(self, seed: u64) -> MctsBuilder<G> {
        let builder = Mcts::builder()
            .threads(self.workers)
            .oversubscribe(true)
            .seed(seed)
            .selection(CONSTANT)
            .lock_policy(self.policy)
            .proofs(false);
        if !self.is_literal {
            return builder;
        }
        builder
            .expansion(Expansion::Everything)
            .warm_up_draw(WarmUpDraw::AnyBranch)
            .table(TableLocks::OneLock)
            .in_flight(InFlight::Ignore)
            .round_size(RoundSize::Fixed(1))
    }

    /// Simulations per second on Connect Four, the median of five searches, and the share
    /// of simulations that were dropped.
    fn speed(self) -> (f64, f64) {
        let simulations = if self.is_literal { 50_000 } else { 1_000_000 };
        let mut speeds = Vec::new();
        let mut dropped = 0;
        for seed in 0..5 {
            let mut mcts = self.builder(seed).build().unwrap();
            let budget = Budget::simulations(simulations);
            let report = mcts.search(&ConnectFour::new(), &budget).unwrap();
            speeds.push(report.simulations_per_second());
            dropped += report.dropped;
        }
        speeds.sort_by(f64::total_cmp);
        (speeds[2], dropped as f64 / (5 * simulations) as f64)
    }

    fn wrong_moves(self) -> f64 {
        let wrong = |(seed, decisive): &(u64, &Decisive)| {
            let mut mcts = self.builder(*seed).build().unwrap();
            let mv = mcts.best_move(&decisive.game, &Budget::simulations(1024)).unwrap();
            !decisive.wins[mv as usize]
        };
        (0..).zip(TREES.iter()).filter(wrong).count() as f64 / TREES.len() as f64
    }
}
