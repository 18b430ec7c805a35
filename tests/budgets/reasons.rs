//! Every reason to stop, in a search: that it stops, that it is named, and that what it
//! promises of the answer holds.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use playtree::alphabeta::{self, Score};
use playtree::budget::{
    All, Bytes, CannotBeOvertaken, Depth, GameClock, Hint, OnlyMove, Progress, Settled,
    Simulations, StopRule, TimeManager,
};
use playtree::games::{ConnectFour, Hex, Othello, TicTacToe};
use playtree::mcts::{self, Parallelism};
use playtree::solver::Limits;
use playtree::{
    AlphaBeta, Budget, Evaluate, GameState, Mcts, MctsBuilder, Notation, Outcome, SearchError,
    Solver, StopReason, StopToken,
};

pub(crate) const LONG: Duration = Duration::from_secs(60);

pub(crate) fn builder<G: GameState>(workers: usize) -> MctsBuilder<G> {
    Mcts::builder().threads(workers).oversubscribe(true).seed(3)
}

pub(crate) fn search<G: GameState>(
    workers: usize,
    state: &G,
    budget: &Budget,
) -> mcts::Report<G::Move> {
    let mut mcts = builder(workers).proofs(false).build().unwrap();
    let report = mcts.search(state, budget).unwrap();
    mcts.audit().unwrap();
    report
}

fn text<M: std::fmt::Debug>(mut report: mcts::Report<M>) -> String {
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

/// Ten plies; every second one is forced.
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

/// Budgets that leave no time to search, and the reason to stop that each has.
fn nothing() -> Vec<(Budget, StopReason)> {
    let stopped = StopToken::new();
    stopped.stop();
    vec![
        (Budget::time(Duration::ZERO), StopReason::Time),
        (Budget::until(&stopped), StopReason::Stopped),
        (Budget::nodes(0), StopReason::Nodes),
        (Budget::time(LONG).and(Depth(0)), StopReason::Depth),
        (Budget::time(LONG).and(All::of(Depth(0)).and(OnlyMove)), StopReason::OnlyMove),
    ]
}

/// That a report which rests on no simulation says so, and does not look like one of a lost
/// position.
fn says_nothing<M: PartialEq + std::fmt::Debug>(report: &mcts::Report<M>, legal: &[M]) {
    let context = || format!("{report:?}");
    assert_eq!((report.visits(), report.proven), (0, None), "{}", context());
    assert_eq!(report.win_rate, 0.5, "{}", context());
    assert!(report.scores.iter().all(|&score| score == 0.5), "{}", context());
    assert!(legal.contains(&report.best_move), "{}", context());
    assert_eq!(report.moves.len(), legal.len(), "{}", context());
    for found in &report.moves {
        assert_eq!((found.win_rate, found.lcb, found.proven), (None, None, None));
    }
}

fn legal<G: GameState>(state: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves
}

/// A search, one of the first moves alone, and one in the background.
pub(crate) fn search_for_nothing<G: GameState + 'static>(
    state: &G,
    parallelism: Parallelism,
    (budget, reason): &(Budget, StopReason),
) {
    let new = || builder::<G>(2).parallelism(parallelism).build().unwrap();
    let (mut mcts, moves) = (new(), legal(state));
    let report = mcts.search(state, budget).unwrap();
    assert_eq!(report.stop_reason, *reason, "{parallelism:?}, {budget:?}");
    says_nothing(&report, &moves);
    let few = &moves[..moves.len().min(2)];
    let options = mcts::Options::new().only(few.to_vec());
    says_nothing(&mcts.search_with(state, budget, &options).unwrap(), few);
    let mut thinking = new().start(state, budget);
    if let Some(report) = thinking.report() {
        says_nothing(&report, &moves);
    }
    let report = thinking.wait().unwrap();
    assert_eq!(report.stop_reason, *reason, "{parallelism:?}, {budget:?}");
    says_nothing(&report, &moves);
}

#[test]
fn nothing_searched_does_not_look_lost() {
    let simulated = Parallelism::Simulated { workers: 2 };
    for parallelism in [Parallelism::Shared, Parallelism::Rounds, simulated] {
        let budgets = [
            (Budget::simulations(0), StopReason::Simulations),
            (Budget::time(LONG).and(Bytes(0)), StopReason::Bytes),
        ];
        for case in nothing().into_iter().chain(budgets) {
            search_for_nothing(&forced(), parallelism, &case);
            if case.1 != StopReason::OnlyMove {
                search_for_nothing(&ConnectFour::new(), parallelism, &case);
                search_for_nothing(&Three { left: 6, plies: 0 }, parallelism, &case);
            }
        }
    }
}

/// A value that is not even, so that it shows.
struct Sixty;

impl<G: GameState> Evaluate<G> for Sixty {
    fn evaluate(&self, _: &G) -> i32 {
        60
    }
}

#[test]
fn an_alpha_beta_search_of_nothing_says_what_the_evaluation_says() {
    let (state, one) = (ConnectFour::new(), forced());
    let even = Evaluate::<ConnectFour>::win_rate(&Sixty, 60);
    for (budget, reason) in nothing() {
        let mut searcher =
            AlphaBeta::builder(Sixty).threads(2).oversubscribe(true).build().unwrap();
        let report = if reason == StopReason::OnlyMove {
            let mut searcher = AlphaBeta::builder(Sixty).build().unwrap();
            let report = searcher.search(&one, &budget).unwrap();
            assert_eq!((report.best_move, report.moves[0].score), (0, None));
            assert_eq!((report.score, report.win_rate), (Score::Value(60), even));
            assert_eq!((report.depth, report.stop_reason), (0, reason));
            continue;
        } else {
            searcher.search(&state, &budget).unwrap()
        };
        let thinking = searcher.start(&state, &budget).wait().unwrap();
        let mut searcher = AlphaBeta::builder(Sixty).build().unwrap();
        let only = legal(&state)[2..4].to_vec();
        let options = alphabeta::Options::new().only(only.clone());
        let some = searcher.search_with(&state, &budget, &options).unwrap();
        for (report, moves) in [(report, legal(&state)), (thinking, legal(&state)), (some, only)] {
            assert_eq!((report.depth, report.stop_reason), (0, reason), "{budget:?}");
            assert_eq!((report.score, report.proven), (Score::Value(60), None), "{budget:?}");
            assert_eq!(report.win_rate, even, "{budget:?}");
            assert!(moves.contains(&report.best_move));
            assert_eq!(report.moves.len(), moves.len());
            assert!(report.moves.iter().all(|found| found.score.is_none()));
        }
    }
}

#[test]
fn a_solver_that_has_searched_nothing_knows_nothing() {
    for (budget, reason) in nothing() {
        // A solver completes no depth one after the other.
        if matches!(reason, StopReason::OnlyMove | StopReason::Depth) {
            continue;
        }
        let state = TicTacToe::new();
        let mut solver = Solver::builder().threads(2).oversubscribe(true).build().unwrap();
        let solution = solver.solve(&state, &budget).unwrap();
        assert_eq!((solution.is_complete, solution.stop_reason), (false, reason), "{budget:?}");
        assert_eq!(solution.limits, Limits::of_game::<TicTacToe>(), "{budget:?}");
        assert_eq!((solution.proven(), solution.best_moves().count()), (None, 0));
        assert_eq!(solution.moves.len(), 9);
        assert!(solution.moves.iter().all(|mv| mv.points().is_none()), "{solution:?}");
    }
}

/// One pile for three players; who takes the last stick wins.
#[derive(Clone, Copy)]
struct Three {
    left: u32,
    plies: u32,
}

impl GameState for Three {
    type Key = (u32, usize);
    type Move = u32;

    const PLAYERS: usize = 3;

    fn key(&self) -> (u32, usize) {
        (self.left, self.mover())
    }

    fn mover(&self) -> usize {
        self.plies as usize % 3
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(1..=self.left.min(2));
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| Outcome::Win((self.plies as usize + 2) % 3))
    }

    fn apply(&self, take: &u32) -> Self {
        Self { left: self.left - take, plies: self.plies + 1 }
    }
}
