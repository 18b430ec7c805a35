//! Selection by policies of the user's own: what they are shown, what comes of it, and what ends a
//! search.

#![cfg(feature = "games")]

mod refused;

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use playtree::games::{ConnectFour, Hex, NormalNim, Othello, TicTacToe};
use playtree::mcts::{
    BranchView, InFlight, NodeView, Options, Parallelism, Puct, Report, Root, RoundSize, Selection,
    SelectionPolicy, Sharing,
};
use playtree::save;
use playtree::{Budget, GameState, GameTag, Mcts, MctsBuilder, Notation, Proven, Rng};

use super::networks::{Noise, OfTrio, Trio};

/// UCB1, as the engine has it.
struct OwnUcb1(f64);

impl SelectionPolicy for OwnUcb1 {
    fn score(&self, node: &NodeView<'_>, branch: &BranchView) -> f64 {
        let total = branch.total();
        if total == 0 {
            return f64::INFINITY;
        }
        // None has come back as long as the first ones are in flight.
        let visits = f64::from(node.visits.max(1));
        branch.mean + self.0 * (visits.ln() / f64::from(total)).sqrt()
    }
}

/// PUCT, as the engine has it.
struct OwnPuct;

impl SelectionPolicy for OwnPuct {
    fn score(&self, node: &NodeView<'_>, branch: &BranchView) -> f64 {
        let Puct { exploration, growth, reduction, .. } = Puct::default();
        let visits = f64::from(node.visits.max(1));
        let c = exploration + ((visits + growth + 1.0) / growth).ln() / 2.0;
        let prior = |branch: &BranchView| branch.prior.expect("there is a network");
        let tried = node.branches.iter().filter(|branch| branch.visits > 0).map(prior);
        let mean = match branch.visits {
            0 => node.mean - reduction * tried.sum::<f64>().sqrt(),
            _ => branch.mean,
        };
        mean + c * prior(branch) * visits.sqrt() / (1.0 + f64::from(branch.total()))
    }
}

/// The best branch, but for a part of the simulations any one.
struct EpsilonGreedy(f64);

impl SelectionPolicy for EpsilonGreedy {
    fn score(&self, _: &NodeView<'_>, branch: &BranchView) -> f64 {
        if branch.total() == 0 { f64::INFINITY } else { branch.mean }
    }

    fn pick(&self, node: &NodeView<'_>, rng: &mut Rng) -> Option<usize> {
        let is_any = rng.unit() < self.0;
        let place = is_any.then(|| rng.below(node.open().count()))?;
        node.open().nth(place).map(|(at, _)| at)
    }
}

/// Calls back for each branch that a policy is asked about.
struct Watched<P, F> {
    policy: P,
    squares: bool,
    watch: F,
}

impl<P: SelectionPolicy, F: Fn(&NodeView<'_>, &BranchView) + Send + Sync> SelectionPolicy
    for Watched<P, F>
{
    fn score(&self, node: &NodeView<'_>, branch: &BranchView) -> f64 {
        (self.watch)(node, branch);
        self.policy.score(node, branch)
    }

    fn needs_squares(&self) -> bool {
        self.squares
    }
}

fn own<G: GameState>(policy: impl SelectionPolicy + 'static) -> MctsBuilder<G> {
    Mcts::builder().threads(1).seed(5).select_by(policy)
}

/// UCB1 that has squares kept.
fn squares() -> impl SelectionPolicy {
    let watch = |_: &NodeView<'_>, _: &BranchView| ();
    Watched { policy: OwnUcb1(0.5), squares: true, watch }
}

/// The report of a search, with all that may differ between two runs taken out.
fn report_text<G: GameState>(mcts: &mut Mcts<G>, state: &G, simulations: u64) -> String
where
    G::Move: std::fmt::Debug,
{
    let mut report = mcts.search(state, &Budget::simulations(simulations)).unwrap();
    mcts.audit().unwrap();
    (report.elapsed, report.workers) = (Duration::ZERO, 0);
    format!("{report:?}")
}

/// What part of the visits of the root two reports have given to other moves.
fn apart<M: PartialEq>(one: &Report<M>, other: &Report<M>) -> f64 {
    let visits = |report: &Report<M>, mv: &M| {
        report.moves.iter().find(|found| found.mv == *mv).map_or(0, |found| found.visits)
    };
    let moves = one.moves.iter().map(|found| &found.mv);
    let off: u64 = moves.map(|mv| visits(one, mv).abs_diff(visits(other, mv))).sum();
    off as f64 / one.visits() as f64
}

#[test]
fn the_formulas_of_the_engine_find_the_same_as_policies() {
    let budget = Budget::simulations(3_000);
    // One by one: those of a round are given in bulk by the engine's own.
    let one = RoundSize::Fixed(1);
    let builder = || Mcts::<ConnectFour>::builder().threads(1).seed(5).round_size(one).warm_up(1);
    let ucb1 = Selection::Ucb1 { exploration: 0.6 };
    let state = ConnectFour::new();
    let built_in = builder().selection(ucb1).build().unwrap().search(&state, &budget).unwrap();
    let own = builder().select_by(OwnUcb1(0.6)).build().unwrap().search(&state, &budget).unwrap();
    assert!(apart(&own, &built_in) < 0.01, "{own:?}\n{built_in:?}");
    let other = builder().select_by(OwnUcb1(1.2)).build().unwrap().search(&state, &budget);
    assert!(apart(&other.unwrap(), &built_in) > 0.1);

    let builder = || Mcts::<Othello>::builder().threads(1).seed(5).round_size(one).network(Noise);
    let state = Othello::new();
    let built_in = builder().build().unwrap().search(&state, &budget).unwrap();
    let own = builder().select_by(OwnPuct).build().unwrap().search(&state, &budget).unwrap();
    assert!(apart(&own, &built_in) < 0.02, "{own:?}\n{built_in:?}");
    let priors = |report: &Report<_>| report.moves.iter().all(|found| found.prior.is_some());
    assert!(priors(&own));
}

#[test]
fn one_worker_and_a_seed_give_the_same_report() {
    let run = |seed| {
        let mut mcts = own::<Othello>(EpsilonGreedy(0.2)).seed(seed).build().unwrap();
        report_text(&mut mcts, &Othello::new(), 5_000)
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn rounds_give_the_same_report_for_any_number_of_workers() {
    fn run<G: GameState>(state: &G, workers: usize, builder: MctsBuilder<G>) -> [String; 2]
    where
        G::Move: std::fmt::Debug,
    {
        let builder = builder.parallelism(Parallelism::Rounds).threads(workers);
        let mut mcts = builder.oversubscribe(true).build().unwrap();
        [(); 2].map(|()| report_text(&mut mcts, state, 4_000))
    }
    for workers in [2, 8] {
        let greedy = || own::<Othello>(EpsilonGreedy(0.1));
        assert_eq!(run(&Othello::new(), workers, greedy()), run(&Othello::new(), 1, greedy()));
        let puct = || own::<Hex>(OwnPuct).network(Noise);
        let hex = Hex::new(5).unwrap();
        assert_eq!(run(&hex, workers, puct()), run(&hex, 1, puct()));
        let three = || own::<Trio>(OwnUcb1(0.5)).proofs(false);
        let trio = Trio::new();
        assert_eq!(run(&trio, workers, three()), run(&trio, 1, three()));
    }
}

#[test]
fn audits_hold_under_every_setting() {
    let start = ConnectFour::new();
    for parallelism in
        [Parallelism::Shared, Parallelism::Rounds, Parallelism::Simulated { workers: 3 }]
    {
        for builder in [
            own(OwnUcb1(0.5)),
            own(EpsilonGreedy(0.1)).sharing(Sharing::PerPath),
            own(EpsilonGreedy(0.3)).memory_limit(Some(1 << 18)),
            own(OwnUcb1(0.5)).in_flight(InFlight::Ignore).proofs(false),
            own(OwnPuct).network(Noise),
            own(OwnPuct).network(Noise).memory_limit(Some(1 << 18)),
            own(OwnUcb1(0.5)).warm_up(3).rollouts_per_leaf(8),
        ] {
            let builder = builder.parallelism(parallelism).threads(4).oversubscribe(true);
            let mut mcts = builder.build().unwrap();
            let mut state = start;
            for _ in 0..3 {
                let report = mcts.search(&state, &Budget::simulations(8_000)).unwrap();
                mcts.audit().unwrap();
                assert_eq!(report.simulations, 8_000);
                let root = mcts.node(&[], 7).unwrap();
                assert!(root.branches.iter().all(|branch| branch.in_flight == 0));
                state = state.apply(&report.best_move);
            }
        }
    }
}

#[test]
fn what_is_shown_is_what_is_known() {
    let (asked, flying, proven) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let counts = Arc::new([asked, flying, proven]);
    let noted = Arc::clone(&counts);
    let watch = move |node: &NodeView<'_>, branch: &BranchView| {
        let add = |at: usize| noted[at].fetch_add(1, Ordering::Relaxed);
        add(0);
        assert!(branch.is_open && branch.least <= branch.most && branch.prior.is_none());
        // What is proven is no better than what the side to move has for sure.
        assert!(branch.least < branch.most, "{branch:?}");
        assert!((0.0..=1.0).contains(&branch.mean) && (0.0..=1.0).contains(&node.mean));
        assert!(node.mover < 2 && node.total() >= u64::from(node.visits));
        assert_eq!(branch.mean_square.is_some(), branch.visits > 0);
        let variance = branch.variance();
        assert!(variance.is_none_or(|variance| variance < 0.26), "{branch:?}");
        if branch.visits == 0 {
            assert_eq!(branch.mean, node.mean);
        }
        if node.is_root {
            assert_eq!(node.branches.len(), 9);
            let visits: u32 = node.branches.iter().map(|branch| branch.visits).sum();
            assert!(visits <= node.visits, "{visits} of {}", node.visits);
        }
        let is_flying = node.branches.iter().any(|branch| branch.in_flight > 0);
        if is_flying {
            add(1);
        }
        if node.branches.iter().any(|branch| !branch.is_open) {
            add(2);
        }
    };
    let policy = Watched { policy: OwnUcb1(0.7), squares: true, watch };
    let mut mcts = own::<TicTacToe>(policy).build().unwrap();
    let report = mcts.search(&TicTacToe::new(), &Budget::simulations(500_000)).unwrap();
    // Solved: the search goes by the proofs.
    assert_eq!(report.proven, Some(Proven::Draw));
    mcts.audit().unwrap();
    let [asked, flying, proven] = [0, 1, 2].map(|at| counts[at].load(Ordering::Relaxed));
    assert!(asked > 10_000 && flying > 1_000 && proven > 1_000, "{asked} {flying} {proven}");
}

#[test]
fn squares_are_those_of_the_scores() {
    // A win or a loss in each game of Nim: the square of a score is the score.
    let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
    let watch = move |_: &NodeView<'_>, branch: &BranchView| {
        if let Some(square) = branch.mean_square {
            assert!(near(square, branch.mean), "{branch:?}");
            assert!(near(branch.variance().unwrap(), square * (1.0 - square)), "{branch:?}");
        }
    };
    let policy = Watched { policy: OwnUcb1(0.7), squares: true, watch };
    let nim = NormalNim::parse_position("5,6,7").unwrap();
    let mut mcts = own(policy).proofs(false).build().unwrap();
    mcts.search(&nim, &Budget::simulations(3_000)).unwrap();
}

#[test]
fn a_policy_sees_the_moves_that_are_allowed_and_keeps_the_floor() {
    let state = ConnectFour::new();
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let seen = Arc::new(Mutex::new(HashSet::new()));
    let noted = Arc::clone(&seen);
    let watch = move |node: &NodeView<'_>, _: &BranchView| {
        if node.is_root {
            noted.lock().unwrap().insert(node.branches.len());
        }
    };
    let policy = Watched { policy: EpsilonGreedy(0.0), squares: false, watch };
    let mut mcts = own(policy).build().unwrap();
    let budget = Budget::simulations(4_000);
    let options = Options::new().only(moves[..3].iter().copied());
    let report = mcts.search_with(&state, &budget, &options).unwrap();
    assert_eq!((report.moves.len(), seen.lock().unwrap().clone()), (3, HashSet::from([3])));
    let few = |report: &Report<_>| report.moves.iter().filter(|mv| mv.visits < 100).count();
    let options = Options::new().visit_floor(100);
    assert!(few(&mcts.search(&state, &budget).unwrap()) > 0);
    let report = mcts.search_with(&state, &budget, &options.detailed(7)).unwrap();
    assert_eq!(few(&report), 0, "{report:?}");
    mcts.audit().unwrap();
}

#[test]
fn noise_and_halving_at_the_root_go_with_it() {
    let sums = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&sums);
    let watch = move |node: &NodeView<'_>, _: &BranchView| {
        if node.is_root {
            let priors: Vec<_> = node.branches.iter().map(|branch| branch.prior.unwrap()).collect();
            noted.lock().unwrap().push(priors);
        }
    };
    let watched = Watched { policy: OwnPuct, squares: false, watch };
    let mut mcts = own(watched).network(Noise).root(Root::dirichlet()).build().unwrap();
    let report = mcts.search(&ConnectFour::new(), &Budget::simulations(500)).unwrap();
    let shown = sums.lock().unwrap().first().unwrap().clone();
    let kept: f64 = report.moves.iter().map(|mv| mv.prior.unwrap()).sum();
    assert!((shown.iter().sum::<f64>() - 1.0).abs() < 1e-3 && (kept - 1.0).abs() < 1e-3);
    // Noise is in what is shown, and not in what the position keeps.
    let is_kept =
        |shown: &f64| report.moves.iter().any(|mv| (mv.prior.unwrap() - shown).abs() < 1e-6);
    assert!(!shown.iter().all(is_kept), "{shown:?}");
    let mut mcts = own(OwnPuct).network(Noise).root(Root::gumbel()).build().unwrap();
    let report = mcts.search(&ConnectFour::new(), &Budget::simulations(500)).unwrap();
    assert!(report.moves.iter().all(|mv| mv.policy.is_some()));
    mcts.audit().unwrap();
}

#[test]
fn each_of_three_players_goes_by_his_own_value() {
    for parallelism in [Parallelism::Shared, Parallelism::Rounds] {
        for with_network in [false, true] {
            let movers = Arc::new(Mutex::new(HashSet::new()));
            let noted = Arc::clone(&movers);
            let watch = move |node: &NodeView<'_>, _: &BranchView| {
                noted.lock().unwrap().insert(node.mover);
            };
            let policy = Watched { policy: OwnUcb1(0.2), squares: false, watch };
            let mut builder = own(policy).parallelism(parallelism);
            if with_network {
                builder = builder.network(OfTrio);
            }
            let mut mcts = builder.build().unwrap();
            let mut state = Trio::new();
            while state.outcome().is_none() {
                let report = mcts.search(&state, &Budget::simulations(2_000)).unwrap();
                mcts.audit().unwrap();
                assert_eq!(report.best_move, 2, "after {} plies", state.plies());
                state = state.apply(&2);
            }
            assert_eq!(*movers.lock().unwrap(), HashSet::from([0, 1, 2]));
        }
    }
}

#[test]
fn tables_are_saved_and_loaded() {
    let file = std::env::temp_dir().join(format!("playtree-own-{}", std::process::id()));
    let (tag, state) = (GameTag::new("connect4", 1), ConnectFour::new());
    let budget = Budget::simulations(2_000);
    let mut saved = own(squares()).build().unwrap();
    saved.search(&state, &budget).unwrap();
    saved.save(&file, &tag, &save::Options::default()).unwrap();
    // Into one with UCB1-Tuned, which keeps squares as well, and none without them.
    let tuned = Mcts::builder().threads(1).selection(Selection::Ucb1Tuned);
    for builder in [own(squares()), tuned] {
        let mut mcts = builder.build().unwrap();
        mcts.load(&file, &tag).unwrap();
        assert!(mcts.search(&state, &budget).unwrap().visits() > 3_900);
        mcts.audit().unwrap();
    }
    own::<ConnectFour>(OwnUcb1(0.5)).build().unwrap().load(&file, &tag).unwrap_err();
    // With a network the priors are asked for again.
    let mut plain = own(OwnUcb1(0.5)).build().unwrap();
    plain.search(&state, &budget).unwrap();
    plain.save(&file, &tag, &save::Options::default()).unwrap();
    let mut mcts = own(OwnPuct).network(Noise).build().unwrap();
    mcts.load(&file, &tag).unwrap();
    let report = mcts.search(&state, &budget).unwrap();
    assert!(report.moves.iter().map(|mv| mv.prior.unwrap()).sum::<f64>() > 0.99);
    mcts.audit().unwrap();
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn the_settings_of_one_game_keep_the_policy_for_another() {
    let asked = Arc::new(AtomicU64::new(0));
    let noted = Arc::clone(&asked);
    let watch = move |_: &NodeView<'_>, _: &BranchView| {
        noted.fetch_add(1, Ordering::Relaxed);
    };
    let policy = Watched { policy: OwnUcb1(0.5), squares: false, watch };
    let mut mcts = own::<TicTacToe>(policy).for_game::<Othello>().build().unwrap();
    mcts.search(&Othello::new(), &Budget::simulations(100)).unwrap();
    assert!(asked.load(Ordering::Relaxed) > 100);
}
