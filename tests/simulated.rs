//! Simulated workers: one is the ordinary search, many are the same search each time, and
//! whatever they had under way is taken back.

#![cfg(feature = "games")]

use std::time::Duration;

use playtree::games::{ConnectFour, NormalNim, Othello};
use playtree::{
    Budget, Expansion, GameState, InFlight, LockPolicy, Mcts, MctsBuilder, Notation, Parallelism,
    Report, RoundSize, Selection, StopReason, ValueScheme,
};

fn simulated<G: GameState>(workers: usize) -> MctsBuilder<G> {
    Mcts::builder().parallelism(Parallelism::Simulated { workers })
}

/// Everything in a report but the time it took.
fn text<M: std::fmt::Debug>(mut report: Report<M>) -> String {
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
    same(&state, &budget, |b| b.selection(Selection::Ucb1Tuned).value_scheme(ValueScheme::Tree));
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
                assert!(report.simulations > 0, "{budget:?}");
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
        assert_eq!((error.setting, error.found), ("parallelism", workers.to_string()));
    }
}
