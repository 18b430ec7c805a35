//! The handle of a solver, where it is not as that of every searcher: what is certain, and its
//! table.

use std::sync::Arc;
use std::time::Duration;

use playtree::games::{ConnectFour, Othello, TicTacToe};
use playtree::solver::{Limits, Method, RootMoves, Solution};
use playtree::{
    Budget, GameState, Handle, Outcome, Proven, SearchError, Solvable, Solver, SolverBuilder,
    StopReason,
};

use crate::positions::Traced;
use crate::subject::{Move, Subject, check_reports, measure_stops, well_under_way};

const METHODS: [Method; 2] = [Method::AlphaBeta, Method::ProofNumbers];

fn workers<G: Solvable>(threads: usize) -> SolverBuilder<G> {
    Solver::builder().threads(threads).oversubscribe(true).memory_limit(4 << 20)
}

/// Whether nothing that was certain is forgotten.
fn is_within(now: Limits, before: Limits) -> bool {
    before.least <= now.least && now.least <= now.most && now.most <= before.most
}

impl<G: Solvable + 'static> Subject for Solver<G> {
    const VARIANTS: usize = METHODS.len();
    const SPENT: StopReason = StopReason::Nodes;

    fn build(variant: usize, threads: usize) -> Self {
        workers(threads).method(METHODS[variant]).build().unwrap()
    }

    fn start(self, state: &G, budget: &Budget) -> Handle<Self> {
        Solver::start(self, state, budget)
    }

    fn search(&mut self, state: &G, budget: &Budget) -> Result<Self::Report, SearchError> {
        Solver::solve(self, state, budget)
    }

    fn budget(count: u64) -> Budget {
        Budget::nodes(count)
    }

    fn work(report: &Self::Report) -> u64 {
        report.nodes
    }

    fn stop_reason(report: &Self::Report) -> StopReason {
        report.stop_reason
    }

    fn elapsed(report: &Self::Report) -> Duration {
        report.elapsed
    }

    fn best(report: &Self::Report) -> Move<Self> {
        report.moves[0].mv.clone()
    }

    fn moves(report: &Self::Report) -> Vec<Move<Self>> {
        report.moves.iter().map(|found| found.mv.clone()).collect()
    }

    fn text(report: &Self::Report) -> String {
        let mut report = report.clone();
        report.elapsed = Duration::ZERO;
        format!("{report:?}")
    }

    fn is_far(report: &Self::Report) -> bool {
        report.nodes >= 100_000
    }

    fn check(_: &G, before: &Self::Report, now: &Self::Report) {
        assert!(!now.is_complete && is_within(now.limits, before.limits), "{now:?}");
        for known in &now.moves {
            let earlier = before.moves.iter().find(|found| found.mv == known.mv).unwrap();
            assert!(is_within(known.limits, earlier.limits), "{known:?} after {earlier:?}");
            assert!(known.limits.least <= now.limits.most, "{known:?} of {:?}", now.limits);
        }
        let rank = |limits: Limits| (limits.least, limits.most);
        assert!(now.moves.is_sorted_by(|one, other| rank(one.limits) >= rank(other.limits)));
        assert!((0.0..=1.0).contains(&now.question_share), "{}", now.question_share);
        assert!((0.0..=1.0).contains(&now.table_used), "{}", now.table_used);
        assert!(now.peak_bytes >= before.peak_bytes);
        assert!(now.workers > 0);
    }

    fn check_kept(before: &Self::Report, now: &Self::Report) {
        assert!(is_within(now.limits, before.limits), "{:?}, {:?}", before.limits, now.limits);
    }

    fn is_drawn(report: &Self::Report) -> bool {
        report.is_complete && report.proven() == Some(Proven::Draw)
    }
}

/// The table that a search begins with.
const SMALL_TABLE: u64 = 2 << 20;

#[test]
fn a_search_can_be_read_while_its_table_grows() {
    for (threads, moves) in [(1, RootMoves::All), (3, RootMoves::Best)] {
        let solver = workers(threads).memory_limit(64 << 20).root_moves(moves).build().unwrap();
        let is_far = |report: &Solution<_>| report.nodes >= 400_000;
        let end = check_reports::<Solver<ConnectFour>>(solver, &ConnectFour::new(), is_far);
        assert!(end.peak_bytes > SMALL_TABLE, "{} bytes", end.peak_bytes);
    }
}

/// Also what was found out with a smaller table.
#[test]
fn a_change_of_budget_keeps_what_is_certain() {
    let solver = workers(1).memory_limit(64 << 20).build().unwrap();
    let mut solving = solver.start(&ConnectFour::new(), &Budget::nodes(400_000));
    let first = solving.wait().unwrap();
    assert!(first.limits != Limits::of_game::<ConnectFour>(), "nothing is certain");
    solving.set_budget(&Budget::nodes(10));
    let second = solving.wait().unwrap();
    assert!(is_within(second.limits, first.limits), "{:?}, {:?}", first.limits, second.limits);
}

#[test]
fn what_is_solved_is_answered_at_once() {
    let start = TicTacToe::new();
    let mut solving = workers(1).build().unwrap().start(&start, &Budget::unlimited());
    let first = solving.wait().unwrap();
    assert!(first.is_complete && first.question_share == 1.0, "{first:?}");
    solving.set_budget(&Budget::unlimited());
    let again = solving.wait().unwrap();
    assert_eq!(again.limits, first.limits);
    println!("{} nodes, and {} again", first.nodes, again.nodes);
    assert!(again.nodes < first.nodes, "{} after {}", again.nodes, first.nodes);
}

#[test]
fn after_pondering_every_reply_is_known() {
    let (start, unlimited) = (TicTacToe::new(), Budget::unlimited());
    let solver = || workers(1).build().unwrap();
    let mut solving = solver().start(&start, &Budget::nodes(50));
    let theirs = start.apply(&solving.wait().unwrap().moves[0].mv);
    // Ends by itself.
    solving.ponder(&theirs);
    let pondered = solving.wait().unwrap();
    assert_eq!(pondered.stop_reason, StopReason::Proven);
    let (mut cold, mut warm) = (0, 0);
    for reply in &pondered.moves {
        let state = theirs.apply(&reply.mv);
        let alone = solver().solve(&state, &unlimited).unwrap();
        solving.think(&state, &unlimited);
        let after = solving.wait().unwrap();
        assert_eq!(after.limits, alone.limits);
        (cold, warm) = (cold + alone.nodes, warm + after.nodes);
    }
    println!("{cold} nodes cold, {warm} warm");
    assert!(warm < cold, "{warm} of {cold}");
}

/// A pile from which three players take one to three sticks each; who takes the last one wins.
#[derive(Clone)]
struct Pile {
    left: u32,
    plies: u32,
}

impl GameState for Pile {
    const PLAYERS: usize = 3;
    type Key = (u32, usize);
    type Move = u32;

    fn key(&self) -> Self::Key {
        (self.left, self.mover())
    }

    fn mover(&self) -> usize {
        self.plies as usize % 3
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(1..=self.left.min(3));
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| Outcome::Win((self.plies as usize + 2) % 3))
    }

    fn apply(&self, taken: &u32) -> Self {
        Self { left: self.left - taken, plies: self.plies + 1 }
    }
}

impl Solvable for Pile {}

#[test]
fn a_game_of_three_players_is_solved_in_the_background() {
    let (state, unlimited) = (Pile { left: 30, plies: 0 }, Budget::unlimited());
    let mut solving = workers(1).build().unwrap().start(&state, &unlimited);
    let behind = solving.wait().unwrap();
    assert!(behind.is_complete && behind.question_share == 1.0, "{behind:?}");
    assert!(behind.moves.iter().all(|found| found.worth().is_some()), "{behind:?}");
    let before = solving.into_engine().solve(&state, &unlimited).unwrap();
    assert_eq!(Solver::<Pile>::text(&behind), Solver::<Pile>::text(&before));
    // Stopped before it begins, it has moves all the same.
    let mut solving = workers(1).build().unwrap().start(&state, &unlimited);
    assert_eq!(solving.stop().unwrap().moves.len(), 3);
}

/// After a stop each worker goes back at the next position that it comes to. Counted in lists of
/// moves, not in time, so that it does not depend on how busy the machine is.
#[test]
fn a_stop_is_noticed_at_the_next_position() {
    for method in METHODS {
        for threads in [1, 3] {
            let state = Traced::new();
            let gate = Arc::clone(&state.gate);
            let solver = workers(threads).method(method).build().unwrap();
            let mut solving = solver.start(&state, &Budget::unlimited());
            for _ in 0..4 {
                solving.think(&state, &Budget::unlimited());
                well_under_way(&solving);
                gate.shut(threads);
                // Every worker is in the gate, and learns of the end behind it.
                let before = gate.passed();
                solving.think(&state.finished(), &Budget::unlimited());
                gate.open();
                assert_eq!(solving.wait().unwrap_err(), SearchError::GameOver(Outcome::Win(0)));
                let begun = gate.passed() - before;
                assert!(begun <= threads, "{begun} positions searched after the stop");
            }
        }
    }
}

/// `cargo test --release --test background measure_stop -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn measure_stop() {
    for (method, threads) in [(METHODS[0], 1), (METHODS[0], 2), (METHODS[1], 2)] {
        let solver = workers(threads).method(method).build().unwrap();
        let solving = solver.start(&Othello::new(), &Budget::unlimited());
        measure_stops(&format!("{method:?} x{threads}"), solving);
    }
}
