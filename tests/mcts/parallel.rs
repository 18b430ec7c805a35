//! Many workers on small games: nothing is lost, nothing is left behind, and a panic of the
//! game reaches the caller.

#![cfg(feature = "games")]

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use playtree::budget::{Hint, Progress, StopRule};
use playtree::game::RolloutPolicy;
use playtree::games::{ConnectFour, NormalNim, TicTacToe};
use playtree::mcts::{
    self, Expansion, InFlight, LockPolicy, Parallelism, RoundSize, Selection, Sharing, TableLocks,
    WarmUpDraw,
};
use playtree::{
    Budget, GameState, Mcts, MctsBuilder, Notation, Outcome, Rng, StopReason, StopToken,
};

const POLICIES: [LockPolicy; 3] = [LockPolicy::Yield, LockPolicy::Block, LockPolicy::Defer];

const GRAPH: Sharing = Sharing::Shared;

fn root_visits<M>(report: &mcts::Report<M>) -> u64 {
    report.moves.iter().map(|m| m.visits).sum()
}

/// Searches twice and audits after each search. Without proofs, so that the small games do
/// not end the search.
fn contend<G: GameState>(
    name: &str,
    state: &G,
    simulations: u64,
    scheme: Sharing,
    settings: impl Fn(MctsBuilder<G>) -> MctsBuilder<G>,
) {
    for policy in POLICIES {
        for workers in [1, 2, 8] {
            let builder = Mcts::builder().proofs(false).threads(workers).oversubscribe(true);
            let mut mcts = settings(builder.lock_policy(policy).sharing(scheme)).build().unwrap();
            let place = format!("{name}, {policy:?}, {workers} worker(s)");
            let mut visits = 0;
            for turn in 0..2 {
                let report = mcts.search(state, &Budget::simulations(simulations)).unwrap();
                let audit = mcts.audit().unwrap_or_else(|error| panic!("{place}: {error}"));
                assert_eq!(report.simulations, simulations, "{place}");
                assert_eq!(report.workers, workers, "{place}");
                assert_eq!(audit.root_visits, root_visits(&report), "{place}");
                let gain = audit.root_visits - visits;
                assert_eq!(gain + report.dropped, simulations, "{place}, search {turn}");
                if policy != LockPolicy::Yield {
                    assert_eq!(report.dropped, 0, "{place}");
                }
                if policy != LockPolicy::Defer {
                    assert_eq!(report.deferred, 0, "{place}");
                }
                if workers == 1 {
                    assert_eq!(report.contended, 0, "{place}");
                }
                if turn == 1 {
                    println!(
                        "{place}: {} dropped, {} deferred, {} contended of {simulations}",
                        report.dropped, report.deferred, report.contended
                    );
                }
                // As a tree every search starts anew.
                visits = if scheme == Sharing::Shared { audit.root_visits } else { 0 };
            }
        }
    }
}

/// With this number of simulations rounds are long, and those that would crowd a node are turned
/// away.
#[test]
fn simulations_that_are_turned_away_are_done_later() {
    const SIMULATIONS: u64 = 200_000;
    let parallelism =
        [Parallelism::Shared, Parallelism::Rounds, Parallelism::Simulated { workers: 3 }];
    for (parallelism, workers) in parallelism.into_iter().flat_map(|p| [(p, 1), (p, 2)]) {
        let builder = Mcts::builder().proofs(false).threads(workers).oversubscribe(true);
        let mut mcts = builder.parallelism(parallelism).build().unwrap();
        let report = mcts.search(&ConnectFour::new(), &Budget::simulations(SIMULATIONS)).unwrap();
        let place = format!("{parallelism:?}, {workers} worker(s)");
        let audit = mcts.audit().unwrap_or_else(|error| panic!("{place}: {error}"));
        assert_eq!(report.simulations, SIMULATIONS, "{place}");
        assert_eq!(audit.root_visits, SIMULATIONS, "{place}");
        assert_eq!(report.stop_reason, StopReason::Simulations, "{place}");
    }
}

#[test]
fn counts_agree_one_by_one() {
    let state = TicTacToe::new();
    contend("tic-tac-toe", &state, 40_000, GRAPH, |b| b.round_size(RoundSize::Fixed(1)));
}

#[test]
fn counts_agree_in_rounds() {
    let nim = NormalNim::parse_position("2,3").unwrap();
    contend("Nim 2,3", &nim, 40_000, GRAPH, |b| b);
    contend("Nim 2,3, rounds of 32", &nim, 40_000, GRAPH, |b| b.round_size(RoundSize::Fixed(32)));
}

#[test]
fn counts_agree_under_every_setting() {
    let state = TicTacToe::new();
    contend("tuned", &state, 10_000, GRAPH, |b| b.selection(Selection::Ucb1Tuned));
    contend("as a tree", &state, 10_000, Sharing::PerPath, |b| b);
    contend("in flight ignored", &state, 10_000, GRAPH, |b| b.in_flight(InFlight::Ignore));
    contend("virtual loss", &state, 10_000, GRAPH, |b| {
        b.in_flight(InFlight::VirtualLoss { weight: 1.0 })
    });
    contend("literal", &state, 10_000, GRAPH, |b| {
        b.expansion(Expansion::Everything)
            .table(TableLocks::OneLock)
            .warm_up(3)
            .warm_up_draw(WarmUpDraw::AnyBranch)
            .round_size(RoundSize::Fixed(1))
    });
    contend("from the fifth visit", &ConnectFour::new(), 10_000, GRAPH, |b| {
        b.expansion(Expansion::OnePerSimulation { from_visit: 5 })
    });
}

/// With one worker, no proofs and no repetition a position has the visits of the branches
/// that lead to it.
#[test]
fn positions_and_branches_count_the_same() {
    for scheme in [Sharing::Shared, Sharing::PerPath] {
        for from_visit in [1, 2, 7] {
            let mut mcts = Mcts::builder()
                .threads(1)
                .proofs(false)
                .sharing(scheme)
                .expansion(Expansion::OnePerSimulation { from_visit })
                .build()
                .unwrap();
            mcts.search(&ConnectFour::new(), &Budget::simulations(30_000)).unwrap();
            let audit = mcts.audit().unwrap();
            assert_eq!(audit.node_visits, audit.edge_visits, "{scheme:?} {from_visit}: {audit:?}");
            assert_eq!(audit.root_visits, 30_000);
        }
    }
}

#[test]
fn proofs_agree_with_each_other() {
    for policy in POLICIES {
        for workers in [1, 2, 8] {
            for seed in 0..5 {
                let builder = Mcts::builder().threads(workers).oversubscribe(true).seed(seed);
                let mut mcts = builder.lock_policy(policy).build().unwrap();
                let state = NormalNim::parse_position("1,3,5").unwrap();
                let report = mcts.search(&state, &Budget::simulations(200_000)).unwrap();
                mcts.audit().unwrap_or_else(|error| panic!("{policy:?}, {workers}: {error}"));
                assert_eq!(report.stop_reason, StopReason::Proven, "{policy:?}, {workers}");
                assert_eq!(state.move_text(&report.best_move), "3-3");
            }
        }
    }
}

/// Stress by time, not by count: that is what finds races.
#[test]
fn counts_agree_for_as_long_as_it_takes() {
    for policy in POLICIES {
        let builder = Mcts::builder().threads(8).oversubscribe(true).proofs(false);
        let mut mcts = builder.lock_policy(policy).build().unwrap();
        let state = NormalNim::parse_position("1,2").unwrap();
        let mut visits = 0;
        for _ in 0..10 {
            let budget = Budget::time(Duration::from_millis(50));
            let report = mcts.search(&state, &budget).unwrap();
            let audit = mcts.audit().unwrap_or_else(|error| panic!("{policy:?}: {error}"));
            assert_eq!(report.stop_reason, StopReason::Time);
            assert_eq!(audit.root_visits - visits + report.dropped, report.simulations);
            visits = audit.root_visits;
        }
    }
}

/// Says when some simulations have come back, however busy the machine is.
#[derive(Clone, Debug, Default)]
struct UnderWay(Arc<AtomicBool>);

impl StopRule for UnderWay {
    fn check(&self, progress: &Progress) -> Hint {
        self.0.fetch_or(progress.simulations > 0, Ordering::Relaxed);
        Hint::go_on()
    }
}

#[test]
fn a_token_stops_the_search_from_another_thread() {
    for workers in [1, 2] {
        let token = StopToken::new();
        let mut mcts = Mcts::builder().threads(workers).oversubscribe(true).build().unwrap();
        let under_way = UnderWay::default();
        let budget = Budget::until(&token).and(under_way.clone());
        let report = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !under_way.0.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
                token.stop();
            });
            mcts.search(&ConnectFour::new(), &budget).unwrap()
        });
        assert_eq!(report.stop_reason, StopReason::Stopped);
        assert!(report.simulations > 0);
        mcts.audit().unwrap();
    }
}

// ---- a game that panics -----------------------------------------------------------------

/// Where the game panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trap {
    Moves,
    Apply,
    Outcome,
    Rollout,
    RandomMove,
    Key,
    Mover,
    Plies,
}

/// Tic-tac-toe that panics at one of its methods when the fuse has burnt down. The position
/// searched is not the one that panics: the caller's own calls are not counted.
#[derive(Clone, Debug)]
struct Trapped {
    game: TicTacToe,
    trap: Trap,
    fuse: Arc<AtomicI64>,
}

impl Trapped {
    fn step(&self, at: Trap) {
        if self.trap == at && self.fuse.fetch_sub(1, Ordering::Relaxed) == 0 {
            panic!("trapped");
        }
    }
}

impl GameState for Trapped {
    type Key = u32;
    type Move = <TicTacToe as GameState>::Move;

    fn key(&self) -> u32 {
        self.step(Trap::Key);
        self.game.key()
    }

    fn mover(&self) -> usize {
        self.step(Trap::Mover);
        self.game.mover()
    }

    fn plies(&self) -> u32 {
        self.step(Trap::Plies);
        self.game.plies()
    }

    fn moves(&self, moves: &mut Vec<Self::Move>) {
        self.step(Trap::Moves);
        self.game.moves(moves);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.step(Trap::Outcome);
        self.game.outcome()
    }

    fn apply(&self, mv: &Self::Move) -> Self {
        self.step(Trap::Apply);
        Self { game: self.game.apply(mv), ..self.clone() }
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        TrappedRollouts
    }
}

struct TrappedRollouts;

impl RolloutPolicy<Trapped> for TrappedRollouts {
    fn next_move(
        &self,
        state: &Trapped,
        rng: &mut Rng,
        buffer: &mut Vec<<Trapped as GameState>::Move>,
    ) -> Option<<Trapped as GameState>::Move> {
        state.step(Trap::RandomMove);
        TicTacToe::rollouts().next_move(&state.game, rng, buffer)
    }

    fn play(&self, state: &Trapped, rng: &mut Rng) -> Option<Outcome> {
        state.step(Trap::Rollout);
        if state.trap == Trap::Rollout {
            TicTacToe::rollouts().play(&state.game, rng)
        } else {
            None
        }
    }
}

#[test]
fn a_panic_of_the_game_reaches_the_caller_and_leaves_nothing_in_flight() {
    let traps = [
        Trap::Moves,
        Trap::Apply,
        Trap::Outcome,
        Trap::Rollout,
        Trap::RandomMove,
        Trap::Key,
        Trap::Mover,
        Trap::Plies,
    ];
    let mut rng = Rng::from_seed(1);
    for trap in traps {
        for policy in POLICIES {
            for workers in [1, 2] {
                for size in [RoundSize::Fixed(1), RoundSize::Fixed(16)] {
                    for scheme in [Sharing::Shared, Sharing::PerPath] {
                        if trap == Trap::Key && scheme == Sharing::PerPath {
                            continue; // Without a table no search asks for keys.
                        }
                        for parallelism in PARALLELISMS {
                            let fuse = Arc::new(AtomicI64::new(rng.below(100) as i64));
                            let state =
                                Trapped { game: TicTacToe::new(), trap, fuse: fuse.clone() };
                            let builder = Mcts::builder()
                                .threads(workers)
                                .round_size(size)
                                .sharing(scheme)
                                .parallelism(parallelism);
                            survive(&state, policy, builder);
                        }
                    }
                }
            }
        }
    }
}

const PARALLELISMS: [Parallelism; 3] =
    [Parallelism::Shared, Parallelism::Rounds, Parallelism::Simulated { workers: 5 }];

fn survive(state: &Trapped, policy: LockPolicy, builder: MctsBuilder<Trapped>) {
    let place = format!("{:?}, {builder:?}", state.trap);
    let mut mcts = builder.oversubscribe(true).lock_policy(policy).build().unwrap();
    let budget = Budget::simulations(1_000_000);
    // The message of the panic belongs in no test's output.
    let result = quietly(|| mcts.search(state, &budget).map(drop));
    let payload = result.expect_err(&place);
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"trapped"), "{place}");
    mcts.audit().unwrap_or_else(|error| panic!("{place}: after the panic: {error}"));
    // The fuse has burnt down, so the game behaves from here on. Under `Yield` a worker that
    // the system puts aside with a lock in its hands costs the others all they do meanwhile.
    let mut report = mcts.search(state, &budget).unwrap();
    while policy == LockPolicy::Yield && report.stop_reason != StopReason::Proven {
        assert!(report.dropped > 0, "{place}: {report:?}");
        report = mcts.search(state, &budget).unwrap();
    }
    mcts.audit().unwrap_or_else(|error| panic!("{place}: after the next search: {error}"));
    assert_eq!(report.stop_reason, StopReason::Proven, "{place}: {report:?}");
    assert_eq!(report.win_rate, 0.5, "{place}: tic-tac-toe is a draw");
}

/// Runs `work` without the message that a panic prints.
fn quietly<T>(work: impl FnOnce() -> T) -> std::thread::Result<T> {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if info.payload().downcast_ref::<&str>() != Some(&"trapped") {
                usual(info);
            }
        }));
    });
    panic::catch_unwind(AssertUnwindSafe(work))
}
