//! Rounds: the same report for any number of workers, byte for byte, whatever the settings;
//! and the search ends, whatever happens in it.

#![cfg(feature = "games")]

use std::time::Duration;

use playtree::game::RolloutPolicy;
use playtree::games::{ConnectFour, Hex, NormalNim, Othello};
use playtree::mcts::{
    self, Expansion, InFlight, LockPolicy, Parallelism, RoundSize, Selection, Sharing,
};
use playtree::{
    Budget, GameState, Mcts, MctsBuilder, Notation, Outcome, Rng, Scores, SearchError, StopReason,
    StopToken,
};

fn rounds<G: GameState>(workers: usize) -> MctsBuilder<G> {
    Mcts::builder().parallelism(Parallelism::Rounds).threads(workers).oversubscribe(true)
}

/// Everything in a report but the time it took and the number of workers.
fn text<M: std::fmt::Debug>(mut report: mcts::Report<M>) -> String {
    report.elapsed = Duration::ZERO;
    report.workers = 0;
    format!("{report:?}")
}

/// Two searches of one engine with each number of workers: all give the same two reports.
fn agree<G: GameState>(
    state: &G,
    budget: &Budget,
    settings: impl Fn(MctsBuilder<G>) -> MctsBuilder<G>,
) {
    let run = |workers| {
        let mut mcts = settings(rounds(workers)).build().unwrap();
        assert_eq!(mcts.workers(), workers);
        let mut search = || {
            let report = mcts.search(state, budget).unwrap();
            assert_eq!((report.workers, report.contended), (workers, 0));
            mcts.audit().unwrap();
            text(report)
        };
        [search(), search()]
    };
    let alone = run(1);
    for workers in [2, 8] {
        assert_eq!(run(workers), alone, "{workers} workers");
    }
}

const SIMULATIONS: u64 = 6_000;

#[test]
fn the_number_of_workers_does_not_change_the_report() {
    let budget = Budget::simulations(SIMULATIONS);
    agree(&ConnectFour::new(), &budget, |b| b);
    agree(&Othello::new(), &budget, |b| b.seed(1));
    agree(&Hex::new(5).unwrap(), &budget, |b| b.selection(Selection::Ucb1Tuned));
    agree(&Hex::new(6).unwrap(), &budget, |b| b.selection(Selection::grave()));
    agree(&ConnectFour::new(), &budget, |b| b.selection(Selection::progressive_history()));
    let nim = NormalNim::parse_position("3,4,5").unwrap();
    agree(&nim, &Budget::simulations(100_000), |b| b);
    agree(&Trio { path: 1, plies: 0 }, &budget, |b| b);
    agree(&Trio { path: 2, plies: 0 }, &budget, |b| b.selection(Selection::Ucb1Tuned));
}

#[test]
fn no_setting_changes_that() {
    let state = ConnectFour::new();
    let budget = Budget::simulations(SIMULATIONS);
    for size in [1, 3, 4, 64, 4096] {
        agree(&state, &budget, |b| b.round_size(RoundSize::Fixed(size)));
    }
    for policy in [LockPolicy::Yield, LockPolicy::Defer] {
        agree(&state, &budget, |b| b.lock_policy(policy).in_flight(InFlight::Ignore));
    }
    agree(&state, &budget, |b| b.sharing(Sharing::PerPath).expansion(Expansion::Everything));
    agree(&state, &budget, |b| b.memory_limit(Some(100_000)).proofs(false));
    agree(&state, &Budget::nodes(2_000), |b| b.round_size(RoundSize::Fixed(50)));
}

#[test]
fn another_seed_is_another_search() {
    let report = |seed| {
        let mut mcts = rounds(2).seed(seed).build().unwrap();
        text(mcts.search(&ConnectFour::new(), &Budget::simulations(SIMULATIONS)).unwrap())
    };
    assert_ne!(report(1), report(2));
    assert_eq!(report(1), report(1));
}

#[test]
fn every_simulation_is_done_and_backed_up() {
    for workers in [1, 2, 8] {
        for simulations in [1, 2, 100, 20_001] {
            let mut mcts = rounds(workers).proofs(false).build().unwrap();
            let budget = Budget::simulations(simulations);
            let report = mcts.search(&ConnectFour::new(), &budget).unwrap();
            assert_eq!((report.simulations, report.dropped), (simulations, 0));
            assert_eq!(mcts.audit().unwrap().root_visits, simulations);
        }
    }
}

#[test]
fn rounds_find_what_can_be_proven() {
    for workers in [1, 8] {
        let state = NormalNim::parse_position("1,3,5").unwrap();
        let mut mcts = rounds(workers).build().unwrap();
        let report = mcts.search(&state, &Budget::simulations(200_000)).unwrap();
        assert_eq!(report.stop_reason, StopReason::Proven);
        assert_eq!(state.move_text(&report.best_move), "3-3");
    }
}

#[test]
fn time_and_tokens_end_the_search() {
    for workers in [1, 2, 8] {
        for size in [RoundSize::Fixed(1), RoundSize::Fixed(4096), RoundSize::default()] {
            let mut mcts = rounds(workers).proofs(false).round_size(size).build().unwrap();
            let budget = Budget::time(Duration::from_millis(30));
            let report = mcts.search(&Othello::new(), &budget).unwrap();
            assert_eq!(report.stop_reason, StopReason::Time);
            assert_eq!(mcts.audit().unwrap().root_visits, report.simulations);
            let token = StopToken::new();
            let report = std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(30));
                    token.stop();
                });
                mcts.search(&Othello::new(), &Budget::until(&token)).unwrap()
            });
            assert_eq!(report.stop_reason, StopReason::Stopped);
            mcts.audit().unwrap();
        }
    }
}

/// A stop must reach rollouts that never end by themselves, in every worker's hands.
#[test]
fn a_stop_reaches_long_rollouts() {
    let settings = |b: MctsBuilder<Trio>| b.round_size(RoundSize::Fixed(64));
    let mut mcts = settings(rounds(4)).rollout_limit(u32::MAX).build().unwrap();
    let budget = Budget::time(Duration::from_millis(50));
    let report = mcts.search(&Trio { path: ENDLESS, plies: 0 }, &budget).unwrap();
    assert_eq!(report.stop_reason, StopReason::Time);
    mcts.audit().unwrap();
}

#[test]
fn a_broken_law_is_an_error_in_anybodys_hands() {
    for workers in [1, 2, 8] {
        // Positions get nodes late, so that there are many rollouts.
        let expansion = Expansion::OnePerSimulation { from_visit: 1_000 };
        let settings = rounds(workers).round_size(RoundSize::Fixed(256)).expansion(expansion);
        let mut mcts = settings.build().unwrap();
        let state = Trio { path: LAWLESS, plies: 0 };
        let error = mcts.search(&state, &Budget::simulations(100_000)).unwrap_err();
        assert!(matches!(error, SearchError::PolicyMove { .. }), "{error}");
        mcts.audit().unwrap();
        let report = mcts.search(&Trio { path: 1, plies: 0 }, &Budget::simulations(1_000));
        assert_eq!(report.unwrap().simulations, 1_000);
        mcts.audit().unwrap();
    }
}

/// Three players, three moves each time, eight plies; the path says what each one gets.
#[derive(Clone, Copy)]
struct Trio {
    path: u64,
    plies: u32,
}

/// The start of a game that goes on for ever.
const ENDLESS: u64 = 1 << 40;

/// The start of a game in which rollouts find no move.
const LAWLESS: u64 = 1 << 41;

impl Trio {
    fn came_from(&self, start: u64) -> bool {
        (start..start << 1).contains(&self.path)
    }
}

impl GameState for Trio {
    type Key = (u64, u32);
    type Move = u64;
    const PLAYERS: usize = 3;

    fn key(&self) -> (u64, u32) {
        (self.path, self.plies)
    }
    fn mover(&self) -> usize {
        self.plies as usize % 3
    }
    fn plies(&self) -> u32 {
        self.plies
    }
    fn moves(&self, moves: &mut Vec<u64>) {
        moves.extend(0..3);
    }
    fn outcome(&self) -> Option<Outcome> {
        if self.plies < 8 || self.came_from(ENDLESS) {
            return None;
        }
        let mut rng = Rng::from_seed(self.path);
        Some(Outcome::Scores(Scores::new(&[rng.unit(), rng.unit(), rng.unit()]).unwrap()))
    }
    fn apply(&self, mv: &u64) -> Self {
        let path = if self.path < ENDLESS { 3 * self.path + mv } else { self.path + 1 };
        Self { path, plies: self.plies + 1 }
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        Random
    }
}

struct Random;

impl RolloutPolicy<Trio> for Random {
    fn next_move(&self, state: &Trio, rng: &mut Rng, _: &mut Vec<u64>) -> Option<u64> {
        let lost = state.came_from(LAWLESS) && state.plies == 7 && rng.below(50) == 0;
        (!lost).then(|| rng.below(3) as u64)
    }
}
