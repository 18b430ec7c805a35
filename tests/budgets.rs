//! Every reason to stop, in a search: that it stops, that it is named, and that what it
//! promises of the answer holds.

#![cfg(feature = "games")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use playtree::budget::{
    All, Bytes, CannotBeOvertaken, Depth, GameClock, Hint, OnlyMove, Progress, Settled,
    Simulations, StopRule, TimeManager,
};
use playtree::games::{ConnectFour, Hex, Othello, TicTacToe};
use playtree::{Budget, GameState, Mcts, MctsBuilder, Notation, Report, SearchError, StopReason};

const LONG: Duration = Duration::from_secs(60);

fn builder<G: GameState>(workers: usize) -> MctsBuilder<G> {
    Mcts::builder().threads(workers).oversubscribe(true).seed(3)
}

fn search<G: GameState>(workers: usize, state: &G, budget: &Budget) -> Report<G::Move> {
    let mut mcts = builder(workers).proofs(false).build().unwrap();
    let report = mcts.search(state, budget).unwrap();
    mcts.audit().unwrap();
    report
}

fn text<M: std::fmt::Debug>(mut report: Report<M>) -> String {
    report.elapsed = Duration::ZERO;
    format!("{report:?}")
}

/// One in which X wins at 4, and everything else is far behind.
fn sharp() -> ConnectFour {
    ConnectFour::parse_position("112233").unwrap()
}

#[test]
fn every_rule_stops_a_search_and_is_named() {
    let long = || Budget::time(LONG);
    for workers in [1, 2] {
        for (budget, reason) in [
            (long().and(Bytes(1 << 20)), StopReason::Bytes),
            (long().and(Depth(6)), StopReason::Depth),
            (long().and(Settled::Simulations(5_000)), StopReason::Settled),
            (long().and(Settled::Time(Duration::from_millis(20))), StopReason::Settled),
            (Budget::soft_time(Duration::from_millis(20), LONG), StopReason::SoftTime),
            (
                Budget::simulations(50_000).and(CannotBeOvertaken::EXACT),
                StopReason::CannotBeOvertaken,
            ),
            (
                Budget::time(Duration::from_secs(5)).and(CannotBeOvertaken { share: 0.0 }),
                StopReason::CannotBeOvertaken,
            ),
            (long().and(All::of(Simulations(3_000)).and(Depth(3))), StopReason::Depth),
        ] {
            let report = search(workers, &ConnectFour::new(), &budget);
            assert_eq!(report.stop_reason, reason, "{workers} worker(s), {budget:?}");
        }
    }
}

#[test]
fn limits_of_memory_and_depth_are_kept() {
    let start = ConnectFour::new();
    let report = search(1, &start, &Budget::default().and(Bytes(4 << 20)));
    assert!((4 << 20..6 << 20).contains(&report.bytes), "{}", report.bytes);
    let shallow = search(1, &start, &Budget::simulations(100_000).and(Depth(4)));
    let deep = search(1, &start, &Budget::simulations(100_000).and(Depth(9)));
    assert!(shallow.simulations < deep.simulations && deep.simulations < 100_000);
    assert!(shallow.moves.iter().map(|found| found.pv.len()).max() <= Some(5), "{shallow:?}");
}

/// The whole budget, and the same one that stops when nothing can change: the same best move.
fn exact<G: GameState>(state: &G, simulations: u64) -> bool {
    let budget = Budget::simulations(simulations);
    let whole = search(1, state, &budget);
    let report = search(1, state, &budget.and(CannotBeOvertaken::EXACT));
    assert_eq!(report.best_move, whole.best_move);
    assert!(report.simulations <= whole.simulations);
    let stopped = report.stop_reason == StopReason::CannotBeOvertaken;
    assert_eq!(stopped, report.simulations < whole.simulations);
    let visits = |of: usize| report.moves[of].visits;
    let left = simulations - report.simulations;
    assert!(!stopped || visits(0) > visits(1) + left, "{report:?}");
    stopped
}

#[test]
fn what_cannot_be_overtaken_is_the_answer_of_the_whole_budget() {
    let mut stopped = 0;
    for simulations in [1_000, 5_000, 20_000] {
        for line in ["", "4", "444", "4455", "112233", "43", "3332"] {
            let state = ConnectFour::parse_position(line).unwrap();
            stopped += usize::from(exact(&state, simulations));
        }
        stopped += usize::from(exact(&Hex::new(5).unwrap(), simulations));
        stopped += usize::from(exact(&Othello::new(), simulations));
        stopped += usize::from(exact(&TicTacToe::new(), simulations));
    }
    assert!(stopped >= 10, "only {stopped} of 30 searches were shortened");
}

#[test]
fn with_many_workers_the_leader_is_not_overtaken_either() {
    for workers in [2, 4] {
        let budget = Budget::simulations(20_000).and(CannotBeOvertaken::EXACT);
        let report = search(workers, &sharp(), &budget);
        assert_eq!(report.stop_reason, StopReason::CannotBeOvertaken);
        let left = 20_000 - report.simulations;
        assert!(report.moves[0].visits > report.moves[1].visits + left, "{report:?}");
    }
}

#[test]
fn rules_that_count_are_deterministic_and_change_nothing_before_they_stop() {
    let start = ConnectFour::new();
    for rule in [Settled::Simulations(3_000), Settled::Simulations(u64::MAX)] {
        let budget = Budget::simulations(30_000).and(rule).and(Depth(30)).and(OnlyMove);
        let first = search(1, &start, &budget);
        let plain = search(1, &start, &Budget::simulations(first.simulations));
        assert_eq!(text(search(1, &start, &budget)), text(first.clone()));
        if first.stop_reason == StopReason::Simulations {
            assert_eq!(text(plain), text(first));
        }
    }
}

#[test]
fn one_legal_move_is_answered_at_once() {
    // Without a rule it is searched.
    let state = forced();
    let report = search(1, &state, &Budget::simulations(100));
    assert_eq!((report.simulations, report.stop_reason), (100, StopReason::Simulations));
    let clock = GameClock::PerMove { time: LONG };
    for budget in
        [TimeManager::new().budget(clock, state.plies()), Budget::time(LONG).and(OnlyMove)]
    {
        for workers in [1, 2] {
            let report = search(workers, &state, &budget);
            assert_eq!((report.simulations, report.stop_reason), (0, StopReason::OnlyMove));
            assert_eq!(report.moves.len(), 1);
        }
    }
}

/// A position with one legal move that does not end the game at once.
fn forced() -> Pass {
    Pass { plies: 0 }
}

/// Ten plies, of which every second is forced.
#[derive(Clone, Copy)]
struct Pass {
    plies: u32,
}

impl GameState for Pass {
    type Key = u32;
    type Move = u32;

    fn key(&self) -> u32 {
        self.plies
    }

    fn mover(&self) -> usize {
        self.plies as usize % 2
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(0..1 + self.plies % 2);
    }

    fn outcome(&self) -> Option<playtree::Outcome> {
        (self.plies >= 10).then_some(playtree::Outcome::Draw)
    }

    fn apply(&self, _mv: &u32) -> Self {
        Self { plies: self.plies + 1 }
    }
}

#[test]
fn no_time_at_all_is_answered_at_once() {
    for workers in [1, 2] {
        for clock in [
            GameClock::SuddenDeath { remaining: Duration::ZERO },
            GameClock::PerMove { time: Duration::from_millis(1) },
        ] {
            let budget = TimeManager::new().budget(clock, 0);
            let report = search(workers, &ConnectFour::new(), &budget);
            assert_eq!((report.simulations, report.stop_reason), (0, StopReason::Time));
            assert!(report.moves.len() == 7 && report.best_move.index() < 7);
        }
    }
}

#[test]
fn a_rule_alone_is_a_budget_only_if_it_is_a_limit() {
    let mut mcts = builder(1).build().unwrap();
    let state = ConnectFour::new();
    for budget in [
        Budget::default().and(OnlyMove).and(CannotBeOvertaken::EXACT),
        Budget::default().and_soft_time(Duration::ZERO),
        Budget::default().and(Settled::Simulations(10)).and(Depth(1)),
    ] {
        assert_eq!(mcts.search(&state, &budget).unwrap_err(), SearchError::Unlimited);
    }
    let report = mcts.search(&state, &Budget::default().and(Simulations(700))).unwrap();
    assert_eq!((report.simulations, report.stop_reason), (700, StopReason::Simulations));
}

/// Counts its looks, and wants to be asked every `every` simulations.
#[derive(Debug)]
struct Counting {
    every: Option<u64>,
    looks: AtomicU64,
    last: AtomicU64,
}

impl StopRule for &'static Counting {
    fn check(&self, progress: &Progress) -> Hint {
        let last = self.last.swap(progress.simulations, Ordering::Relaxed);
        self.looks.fetch_add(1, Ordering::Relaxed);
        assert!(progress.best.visits >= progress.second.map_or(0, |second| second.visits));
        assert!(progress.simulations_left() == Some(10_000 - progress.simulations));
        match self.every {
            Some(every) => {
                assert!(progress.simulations - last <= every);
                Hint::go_on().within_simulations(every)
            }
            None => Hint::go_on(),
        }
    }
}

#[test]
fn hints_set_the_next_look() {
    let run = |every| {
        let counting = Counting { every, looks: AtomicU64::new(0), last: AtomicU64::new(0) };
        let rule: &'static Counting = Box::leak(Box::new(counting));
        let report = search(1, &ConnectFour::new(), &Budget::simulations(10_000).and(rule));
        assert_eq!(report.simulations, 10_000);
        rule.looks.load(Ordering::Relaxed)
    };
    assert_eq!(run(Some(1)), 10_001);
    assert_eq!(run(Some(100)), 101);
    let looks = run(None);
    assert!((20..=42).contains(&looks), "{looks}");
}

#[test]
fn a_game_on_the_clock_is_played_to_its_end() {
    // The clock is left as it is: how busy the machine is must not decide this test.
    let manager = TimeManager::new().lag(Duration::from_millis(5)).expected_plies(42);
    let mut mcts = builder(2).build().unwrap();
    let mut state = ConnectFour::new();
    let clock = GameClock::SuddenDeath { remaining: Duration::from_millis(500) };
    while state.outcome().is_none() {
        let report = mcts.search(&state, &manager.budget(clock, state.plies())).unwrap();
        assert!(matches!(
            report.stop_reason,
            StopReason::Time
                | StopReason::SoftTime
                | StopReason::CannotBeOvertaken
                | StopReason::OnlyMove
                | StopReason::Proven
        ));
        state = state.apply(&report.best_move);
    }
}
