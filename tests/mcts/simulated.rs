//! Simulated workers: one is the ordinary search, many are the same search each time, and
//! whatever they had under way is taken back.

use std::time::Duration;

use playtree::error::Setting;
use playtree::games::{ConnectFour, NormalNim, Othello};
use playtree::mcts::{
    self, Expansion, InFlight, LockPolicy, Parallelism, RoundSize, Selection, Sharing,
};
use playtree::{Budget, GameState, Mcts, MctsBuilder, Notation, StopReason};

use crate::data::data;
use crate::pgame::{Decisive, PGame, TREE, decisive};

fn simulated<G: GameState>(workers: usize) -> MctsBuilder<G> {
    Mcts::builder().parallelism(Parallelism::Simulated { workers })
}

/// Everything in a report but the time it took.
fn text<M: std::fmt::Debug>(mut report: mcts::Report<M>) -> String {
    report.elapsed = Duration::ZERO;
    format!("{report:?}")
}

/// The reports of two searches of one engine.
fn reports<G: GameState>(builder: MctsBuilder<G>, state: &G, budget: &Budget) -> [String; 2] {
    let mut mcts = builder.build().unwrap();
    assert_eq!(mcts.workers(), 1);
    let mut search = || {
        let report = mcts.search(state, budget).unwrap();
        mcts.audit().unwrap();
        text(report)
    };
    [search(), search()]
}

#[test]
fn one_simulated_worker_is_the_ordinary_search() {
    fn same<G: GameState>(
        state: &G,
        budget: &Budget,
        settings: impl Fn(MctsBuilder<G>) -> MctsBuilder<G>,
    ) {
        let ordinary = settings(Mcts::builder()).threads(1);
        assert_eq!(
            reports(settings(simulated(1)), state, budget),
            reports(ordinary, state, budget)
        );
    }
    let state = ConnectFour::new();
    let budget = Budget::simulations(5_000);
    same(&state, &budget, |b| b);
    same(&state, &budget, |b| b.seed(3).round_size(RoundSize::Fixed(1)));
    same(&state, &budget, |b| b.round_size(RoundSize::Fixed(20)).lock_policy(LockPolicy::Defer));
    same(&state, &budget, |b| b.selection(Selection::Ucb1Tuned).sharing(Sharing::PerPath));
    same(&state, &budget, |b| b.expansion(Expansion::Everything).proofs(false));
    same(&Othello::new(), &Budget::nodes(2_000), |b| b.in_flight(InFlight::Ignore));
    let nim = NormalNim::parse_position("3,4,5").unwrap();
    same(&nim, &Budget::simulations(100_000), |b| b);
}

const LOST: InFlight = InFlight::VirtualLoss { weight: 1.0 };

#[test]
fn many_are_the_same_search_each_time_and_take_everything_back() {
    let state = ConnectFour::new();
    let budget = Budget::simulations(3_001);
    let mut seen = Vec::new();
    for workers in [2, 4, 16, 64, 256, 1024] {
        for policy in [InFlight::Ignore, InFlight::Count, LOST] {
            let builder =
                simulated(workers).in_flight(policy).round_size(RoundSize::Fixed(1)).proofs(false);
            let found = reports(builder.clone(), &state, &budget);
            assert_eq!(found, reports(builder.clone().threads(7), &state, &budget));
            assert!(!seen.contains(&found), "{workers} workers, {policy:?}: seen before");
            seen.push(found);
            let mut mcts = builder.build().unwrap();
            let report = mcts.search(&state, &budget).unwrap();
            assert_eq!(report.simulations, 3_001);
            assert_eq!(mcts.audit().unwrap().root_visits, 3_001);
            assert_eq!((report.dropped, report.deferred, report.contended), (0, 0, 0));
        }
    }
}

#[test]
fn counts_agree_under_every_policy_and_limit() {
    for lock_policy in [LockPolicy::Yield, LockPolicy::Block, LockPolicy::Defer] {
        for in_flight in [InFlight::Ignore, InFlight::Count, LOST] {
            let builder = simulated(50).lock_policy(lock_policy).in_flight(in_flight);
            let mut mcts = builder.build().unwrap();
            for budget in [
                Budget::simulations(7),
                Budget::simulations(20_000),
                Budget::nodes(20_000),
                Budget::time(Duration::from_millis(10)),
            ] {
                let report = mcts.search(&ConnectFour::new(), &budget).unwrap();
                mcts.audit().unwrap();
                if let Some(limit) = budget.simulations_limit() {
                    assert_eq!(report.simulations, limit);
                }
            }
        }
    }
}

#[test]
fn simulated_workers_find_what_can_be_proven() {
    let state = NormalNim::parse_position("1,3,5").unwrap();
    let mut mcts = simulated(64).build().unwrap();
    let report = mcts.search(&state, &Budget::simulations(200_000)).unwrap();
    assert_eq!(report.stop_reason, StopReason::Proven);
    assert_eq!(state.move_text(&report.best_move), "3-3");
    mcts.audit().unwrap();
}

#[test]
fn a_number_of_workers_out_of_range_is_an_error() {
    for workers in [0, 1025] {
        let error = simulated::<ConnectFour>(workers).build().unwrap_err();
        assert_eq!(error.setting(), Some(Setting::Parallelism));
        assert_eq!(error.found(), workers.to_string());
    }
}

/// An engine whose workers select one simulation each before the first result is applied.
fn one_each<G: GameState>(workers: usize, policy: InFlight, seed: u64) -> Mcts<G> {
    let builder = simulated(workers).round_size(RoundSize::Fixed(1)).proofs(false);
    builder.in_flight(policy).selection(CONSTANT).seed(seed).build().unwrap()
}

const CONSTANT: Selection = Selection::Ucb1 { exploration: 0.7 };

/// The share of P-games in which a losing move is played.
fn error(games: &[Decisive], simulations: u64, workers: usize, policy: InFlight) -> f64 {
    let wrong = |(seed, decisive): &(u64, &Decisive)| {
        let mut mcts = one_each::<PGame>(workers, policy, *seed);
        let mv = mcts.best_move(&decisive.game, &Budget::simulations(simulations)).unwrap();
        !decisive.wins[mv as usize]
    };
    (0..).zip(games).filter(wrong).count() as f64 / games.len() as f64
}

/// With one worker for each simulation there is nothing to go by but what is under way. In 300
/// games the standard error is below 0.03.
#[test]
fn who_ignores_what_is_under_way_knows_nothing() {
    let games = decisive(TREE, 300);
    let ignored = error(&games, 256, 256, InFlight::Ignore);
    let counted = error(&games, 256, 256, InFlight::Count);
    let lost = error(&games, 256, 256, LOST);
    println!("256 workers: ignored {ignored:.3}, counted {counted:.3}, lost {lost:.3}");
    assert!((0.4..0.6).contains(&ignored), "{ignored}");
    assert!(counted < 0.25 && lost < 0.25, "{counted} {lost}");
    // What it costs even so.
    let alone = error(&games, 1024, 1, InFlight::Count);
    let many = error(&games, 1024, 256, InFlight::Count);
    println!("1024 simulations: one worker {alone:.3}, 256 workers {many:.3}");
    assert!(alone < many, "{alone} {many}");
}

/// What the table in `docs/measurements/workers.md` says. In 2000 games the standard error is 0.002
/// to 0.004.
#[test]
#[ignore = "takes a minute in release"]
fn sixteen_workers_do_better_if_they_count_each_other() {
    let games = decisive(TREE, 2_000);
    let [alone, counted, lost, ignored] = [
        error(&games, 4096, 1, InFlight::Count),
        error(&games, 4096, 16, InFlight::Count),
        error(&games, 4096, 16, LOST),
        error(&games, 4096, 16, InFlight::Ignore),
    ];
    println!("alone {alone:.4}, counted {counted:.4}, lost {lost:.4}, ignored {ignored:.4}");
    assert!(ignored > 1.5 * lost && ignored > 1.2 * counted, "{ignored} {lost} {counted}");
    assert!(lost < 2.0 * alone + 0.01 && counted < 2.0 * alone + 0.01);
}

/// Positions of Connect Four, and for each column the result for the side to move: 1, 0, -1,
/// or `None` if it is full. Empty, with a message, if the file beside the repository is absent.
fn midgames() -> Vec<(ConnectFour, Vec<Option<i32>>)> {
    let text = data("connect4/random_midgame_allmoves.tsv").unwrap_or_default();
    let read = |line: &str| {
        let (line, scores) = line.split_once('\t').unwrap();
        let mut state = ConnectFour::new();
        for mv in line.chars() {
            state = state.apply(&state.parse_move(&mv.to_string()).unwrap());
        }
        let scores = scores.split_whitespace();
        (state, scores.map(|score| score.parse().ok().map(i32::signum)).collect())
    };
    text.lines().filter(|line| !line.starts_with('#')).map(read).collect()
}

/// The share of positions of Connect Four in which a move is played that gives away a win or
/// a draw. Prints a table and asserts nothing.
#[test]
#[ignore = "a measurement: run it in release"]
fn connect_four_with_many_workers() {
    const SEEDS: u64 = 5;
    let positions = midgames();
    println!("bad moves in %, Connect Four, {} positions, {SEEDS} seeds", positions.len());
    for simulations in [1024, 4096] {
        println!("{simulations} simulations: workers, ignored, counted, 1 lost, 3 lost");
        for workers in [1, 4, 16, 64, 256] {
            let lost = |weight| InFlight::VirtualLoss { weight };
            let policies = [InFlight::Ignore, InFlight::Count, lost(1.0), lost(3.0)];
            let shares = policies.map(|policy| {
                let mut bad = 0;
                for (state, results) in &positions {
                    let best = results.iter().flatten().max();
                    for seed in 0..SEEDS {
                        let mut mcts = one_each::<ConnectFour>(workers, policy, seed);
                        let budget = Budget::simulations(simulations);
                        let mv = mcts.best_move(state, &budget).unwrap();
                        bad += u64::from(results[mv.index()].as_ref() != best);
                    }
                }
                format!("{:.2}", 100.0 * bad as f64 / (SEEDS * positions.len() as u64) as f64)
            });
            println!("{workers:4} {}", shares.join(" "));
        }
    }
}
