//! Every reason to stop beside every searcher: it stops, or it is refused at the start.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use playtree::budget::{
    All, Bytes, CannotBeOvertaken, Depth, Hint, Nodes, OnlyMove, Progress, Settled, Simulations,
    StopRule,
};
use playtree::games::{ConnectFour, TicTacToe};
use playtree::mcts::Parallelism;
use playtree::solver::Method;
use playtree::{
    AlphaBeta, Budget, Evaluate, GameState, Notation, Outcome, SearchError, Solvable, Solver,
    StopReason, StopToken,
};

use crate::reasons::{LONG, builder, search};

/// A large game without transpositions: three moves a position, or one at the root; its numbers are
/// those of a hash.
#[derive(Clone, Debug)]
struct Wood<const PLAYERS: usize> {
    path: u64,
    plies: u32,
    /// Moves of the root.
    width: u64,
    /// What a look at its moves takes.
    pause: Duration,
}

impl<const PLAYERS: usize> Wood<PLAYERS> {
    fn new(width: u64) -> Self {
        Self { path: 1, plies: 0, width, pause: Duration::ZERO }
    }
}

impl<const PLAYERS: usize> GameState for Wood<PLAYERS> {
    type Key = u64;
    type Move = u64;

    const PLAYERS: usize = PLAYERS;

    fn key(&self) -> u64 {
        self.path
    }

    fn mover(&self) -> usize {
        self.plies as usize % PLAYERS
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u64>) {
        if self.pause > Duration::ZERO {
            thread::sleep(self.pause);
        }
        moves.extend(0..if self.plies == 0 { self.width } else { 3 });
    }

    fn outcome(&self) -> Option<Outcome> {
        let noise = self.path.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        (self.plies >= 36).then_some(Outcome::Win(noise as usize % PLAYERS))
    }

    fn apply(&self, mv: &u64) -> Self {
        let path = self.path.wrapping_mul(3).wrapping_add(*mv);
        Self { path, plies: self.plies + 1, ..*self }
    }
}

impl<const PLAYERS: usize> Solvable for Wood<PLAYERS> {
    const COUNTS_PLIES: bool = false;
}

struct Nothing;

impl Evaluate<Wood<2>> for Nothing {
    fn evaluate(&self, _: &Wood<2>) -> i32 {
        0
    }
}

/// What searches.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Mcts(Parallelism),
    AlphaBeta,
    Solver(Method),
    MaxN,
}

const KINDS: [Kind; 7] = [
    Kind::Mcts(Parallelism::Shared),
    Kind::Mcts(Parallelism::Rounds),
    Kind::Mcts(Parallelism::Simulated { workers: 3 }),
    Kind::AlphaBeta,
    Kind::Solver(Method::AlphaBeta),
    Kind::Solver(Method::ProofNumbers),
    Kind::MaxN,
];

impl Kind {
    /// Why a search of a position with this many moves stops.
    fn run(
        self,
        workers: usize,
        width: u64,
        pause: Duration,
        budget: &Budget,
    ) -> Result<StopReason, SearchError> {
        let two = Wood::<2> { pause, ..Wood::new(width) };
        match self {
            Kind::Mcts(parallelism) => {
                let builder = builder(workers).proofs(false).parallelism(parallelism);
                let report = builder.build().unwrap().search(&two, budget)?;
                Ok(report.stop_reason)
            }
            Kind::AlphaBeta => {
                let builder = AlphaBeta::builder(Nothing).threads(workers).oversubscribe(true);
                Ok(builder.build().unwrap().search(&two, budget)?.stop_reason)
            }
            Kind::Solver(method) => {
                let builder = Solver::builder().threads(workers).oversubscribe(true);
                let builder = builder.method(method).memory_limit(1 << 20);
                Ok(builder.build().unwrap().solve(&two, budget)?.stop_reason)
            }
            Kind::MaxN => {
                let three = Wood::<3> { pause, ..Wood::new(width) };
                let mut solver = Solver::builder().threads(workers).build().unwrap();
                Ok(solver.solve(&three, budget)?.stop_reason)
            }
        }
    }
}

/// Stops after 300 simulations, for a reason of its own.
#[derive(Debug)]
struct Own;

impl StopRule for Own {
    fn check(&self, progress: &Progress) -> Hint {
        Hint::stop_if(progress.simulations >= 300, StopReason::Other("own"))
    }
}

#[test]
fn every_reason_stops_every_searcher_or_is_refused_by_it() {
    // Whether a Monte Carlo search, alpha-beta, and a solver know it.
    const ALL: [bool; 3] = [true; 3];
    const TREE: [bool; 3] = [true, false, false];
    const PLAYS: [bool; 3] = [true, true, false];
    let long = || Budget::time(LONG);
    let set = StopToken::new();
    set.stop();
    let moments = Duration::from_millis(5);
    let table = [
        (3, Budget::time(moments), StopReason::Time, ALL),
        (3, Budget::soft_time(moments, LONG), StopReason::SoftTime, PLAYS),
        (3, long().and_simulations(1_000), StopReason::Simulations, TREE),
        (3, long().and_nodes(2_000), StopReason::Nodes, ALL),
        (3, long().and_until(&set), StopReason::Stopped, ALL),
        (3, long().and(set.clone()), StopReason::Stopped, ALL),
        (3, long().and(Simulations(1_000)), StopReason::Simulations, ALL),
        (3, long().and(Nodes(2_000)), StopReason::Nodes, ALL),
        (3, long().and(Bytes(1 << 18)), StopReason::Bytes, TREE),
        (3, long().and(Depth(4)), StopReason::Depth, PLAYS),
        (1, long().and(OnlyMove), StopReason::OnlyMove, ALL),
        (3, long().and(Settled::Simulations(500)), StopReason::Settled, PLAYS),
        (3, long().and(Settled::Time(moments)), StopReason::Settled, PLAYS),
        (
            1,
            Budget::time(Duration::from_secs(4)).and(CannotBeOvertaken::EXACT),
            StopReason::CannotBeOvertaken,
            PLAYS,
        ),
        (3, long().and(Own), StopReason::Other("own"), ALL),
        (1, long().and(All::of(Simulations(500)).and(OnlyMove)), StopReason::OnlyMove, ALL),
        (3, long().and(All::of(Simulations(9)).and(Bytes(1 << 18))), StopReason::Bytes, TREE),
        (3, long().and(All::of(Depth(3)).and(Nodes(900))), StopReason::Nodes, PLAYS),
    ];
    for (width, budget, reason, knows) in table {
        for kind in KINDS {
            let known = match kind {
                Kind::Mcts(_) => knows[0],
                Kind::AlphaBeta => knows[1],
                Kind::Solver(_) | Kind::MaxN => knows[2],
            };
            for workers in [1, 2] {
                let found = kind.run(workers, width, Duration::ZERO, &budget);
                let place = format!("{kind:?}, {workers} worker(s), {budget:?}");
                if known {
                    assert_eq!(found, Ok(reason), "{place}");
                } else {
                    let refused = matches!(
                        found,
                        Err(SearchError::Simulations { .. } | SearchError::Uncounted { .. })
                    );
                    assert!(refused, "{place}: {found:?}");
                }
            }
        }
    }
}

#[test]
fn a_refused_rule_is_named() {
    let budget = Budget::unlimited().and(All::of(Nodes(1)).and(Depth(5)));
    let found = Kind::MaxN.run(1, 3, Duration::ZERO, &budget).unwrap_err();
    assert_eq!(
        found.to_string(),
        "expected rules that can stop a solver, found All([Nodes(1), Depth(5)]), which waits for a \
         depth",
    );
    let budget = Budget::unlimited().and(Bytes(7));
    let found = Kind::AlphaBeta.run(1, 3, Duration::ZERO, &budget).unwrap_err();
    assert_eq!(
        found.to_string(),
        "expected rules that can stop an alpha-beta search, found Bytes(7), which waits for memory \
         that grows",
    );
}

/// Counts its looks; wants to be asked again within some simulations, or some time.
#[derive(Debug)]
struct Looks {
    simulations: Option<u64>,
    time: Option<Duration>,
    looks: Arc<AtomicU64>,
    last: AtomicU64,
}

impl StopRule for Looks {
    fn check(&self, progress: &Progress) -> Hint {
        self.looks.fetch_add(1, Ordering::Relaxed);
        let last = self.last.swap(progress.simulations, Ordering::Relaxed);
        let mut hint = Hint::go_on();
        if let Some(most) = self.simulations {
            assert!(progress.simulations - last <= most, "{last}, {}", progress.simulations);
            hint = hint.within_simulations(most);
        }
        if let Some(time) = self.time {
            hint = hint.within_time(time);
        }
        hint
    }
}

/// Looks in a search of this many simulations, or positions, with one worker.
fn looks(
    kind: Kind,
    count: u64,
    pause: Duration,
    (simulations, time): (Option<u64>, Option<Duration>),
) -> u64 {
    let looks = Arc::default();
    let rule = Looks { simulations, time, looks: Arc::clone(&looks), last: AtomicU64::new(0) };
    // Without a time limit, which would have the clock looked at all the same.
    let budget = Budget::unlimited().and(rule).and(Simulations(count));
    assert_eq!(kind.run(1, 3, pause, &budget), Ok(StopReason::Simulations), "{kind:?}");
    looks.load(Ordering::Relaxed)
}

#[test]
fn every_searcher_follows_hints() {
    let at_once = Duration::ZERO;
    for kind in [
        Kind::Mcts(Parallelism::Shared),
        Kind::AlphaBeta,
        Kind::Solver(Method::AlphaBeta),
        Kind::Solver(Method::ProofNumbers),
        Kind::MaxN,
    ] {
        let none = looks(kind, 5_000, at_once, (None, None));
        assert!((15..=60).contains(&none), "{kind:?}: {none}");
        let few = looks(kind, 5_000, at_once, (Some(50), None));
        assert!((100..=150).contains(&few), "{kind:?}: {few}");
        let each = looks(kind, 500, at_once, (Some(1), None));
        assert!((500..=550).contains(&each), "{kind:?}: {each}");
        // Most positions take longer than the hint says. Without it there are two looks or three at
        // so few of them.
        let pause = Duration::from_millis(1);
        let timed = looks(kind, 100, pause, (None, Some(Duration::from_micros(100))));
        assert!(timed >= 8, "{kind:?}: {timed}");
    }
}

#[test]
fn a_limit_of_growth_alone_ends_every_search() {
    let mut alpha_beta = AlphaBeta::builder(Nothing).threads(1).build().unwrap();
    let budget = Budget::unlimited().and(Depth(5));
    let report = alpha_beta.search(&Wood::new(3), &budget).unwrap();
    assert_eq!((report.depth, report.stop_reason), (5, StopReason::Depth));
    let report = search(1, &ConnectFour::new(), &budget);
    assert_eq!(report.stop_reason, StopReason::Depth);
    // Two sides to a limit that is reached at the same time.
    let both = Budget::unlimited().and(All::of(Depth(3)).and(Simulations(400)));
    assert_eq!(search(1, &ConnectFour::new(), &both).stop_reason, StopReason::Simulations);

    // A tree that ends sooner, with all that is to be known of it in the table.
    let ending = TicTacToe::parse_position("XOXO.....").unwrap();
    for workers in [1, 2] {
        for budget in [
            Budget::unlimited().and(Depth(50)),
            Budget::nodes(1 << 20),
            Budget::unlimited().and(Bytes(1 << 30)),
            Budget::nodes(1 << 20).and_until(&StopToken::new()),
        ] {
            let report = search(workers, &ending, &budget);
            assert_eq!(report.stop_reason, StopReason::Exhausted, "{budget:?}");
            assert!(report.nodes > 20 && report.simulations >= 100_000, "{report:?}");
        }
    }
    // More memory than the engine may have.
    let mut mcts = builder(1).proofs(false).memory_limit(Some(200_000)).build().unwrap();
    let report =
        mcts.search(&ConnectFour::new(), &Budget::unlimited().and(Bytes(1 << 20))).unwrap();
    assert_eq!(report.stop_reason, StopReason::Exhausted);
}
