//! Every reason to stop, in a search: that it stops, that it is named, and that what it
//! promises of the answer holds.

#![cfg(feature = "games")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use playtree::budget::{
    All, Bytes, CannotBeOvertaken, Depth, GameClock, Hint, Nodes, OnlyMove, Progress, Settled,
    Simulations, StopRule, TimeManager,
};
use playtree::games::{ConnectFour, Hex, Othello, TicTacToe};
use playtree::{
    AlphaBeta, Budget, Evaluate, GameState, Mcts, MctsBuilder, Method, Notation, Outcome,
    Parallelism, Report, SearchError, Solvable, Solver, StopReason, StopToken,
};

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

    fn outcome(&self) -> Option<Outcome> {
        (self.plies >= 10).then_some(Outcome::Draw)
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
        Budget::default().and(Settled::Simulations(10)).and(OnlyMove),
        Budget::default().and(All::of(Depth(1)).and(OnlyMove)),
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
    /// Why a search of a position with so many moves stops.
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

/// Looks in a search of so many simulations, or positions, with one worker.
fn looks(
    kind: Kind,
    count: u64,
    pause: Duration,
    (simulations, time): (Option<u64>, Option<Duration>),
) -> u64 {
    let looks = Arc::default();
    let rule = Looks { simulations, time, looks: Arc::clone(&looks), last: AtomicU64::new(0) };
    let budget = Budget::time(LONG).and(rule).and(Simulations(count));
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
        // A position takes some tenths of a millisecond, so a look every millisecond is one every few.
        let pause = Duration::from_micros(200);
        let timed = looks(kind, 200, pause, (None, Some(Duration::from_millis(1))));
        assert!(timed >= 15, "{kind:?}: {timed}");
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
