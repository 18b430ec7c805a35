//! What the tests of handles ask of a searcher, and what they share.

use std::thread;
use std::time::{Duration, Instant};

use playtree::{Budget, GameState, Handle, SearchError, Searcher, StopReason};

pub(crate) type Move<S> = <<S as Searcher>::State as GameState>::Move;

/// A searcher whose handle is tested.
pub(crate) trait Subject: Searcher {
    /// The ways in which it divides its work among threads, or does it.
    const VARIANTS: usize;

    /// Why a search ends that has spent its [budget](Self::budget).
    const SPENT: StopReason;

    /// In one of its variants, with this number of workers. The same answers each time with one.
    fn build(variant: usize, threads: usize) -> Self;

    fn start(self, state: &Self::State, budget: &Budget) -> Handle<Self>;

    fn search(&mut self, state: &Self::State, budget: &Budget)
    -> Result<Self::Report, SearchError>;

    /// A budget of simulations, if it makes them, or else of positions.
    fn budget(count: u64) -> Budget;

    /// Simulations or positions of this search.
    fn work(report: &Self::Report) -> u64;

    fn stop_reason(report: &Self::Report) -> StopReason;

    fn elapsed(report: &Self::Report) -> Duration;

    /// The move to play.
    fn best(report: &Self::Report) -> Move<Self>;

    /// Every move that was searched, best first.
    fn moves(report: &Self::Report) -> Vec<Move<Self>>;

    /// The report without what differs from run to run.
    fn text(report: &Self::Report) -> String;

    /// Whether a search has gone far enough to have been read in all its stages.
    fn is_far(report: &Self::Report) -> bool;

    /// Panics unless `now` makes sense at `state`, and after `before`, of the same search.
    fn check(state: &Self::State, before: &Self::Report, now: &Self::Report);

    /// Panics unless a search that has ended rests on what an earlier one of the same position
    /// knew.
    fn check_kept(before: &Self::Report, now: &Self::Report);

    /// Whether the position is proven to be a draw.
    fn is_drawn(report: &Self::Report) -> bool;

    /// Panics if the searcher has come out of a search damaged.
    fn audit(&self) {}
}

/// A searcher whose options may leave out moves of the root.
pub(crate) trait Restrictable: Subject {
    fn start_with(
        self,
        state: &Self::State,
        budget: &Budget,
        options: &Self::Options,
    ) -> Handle<Self>;

    /// All moves but this one.
    fn without(mv: Move<Self>) -> Self::Options;
}

/// Begins with two workers.
pub(crate) fn start<S: Subject>(state: &S::State) -> Handle<S> {
    S::build(0, 2).start(state, &Budget::unlimited())
}

/// Waits until the search has done some more.
pub(crate) fn well_under_way<S: Subject>(thinking: &Handle<S>) -> S::Report {
    let report = || thinking.report().expect("the search goes on");
    let enough = S::work(&report()) + 2_000;
    loop {
        let now = report();
        if S::work(&now) >= enough {
            return now;
        }
        assert!(thinking.is_thinking(), "the search has ended");
        thread::yield_now();
    }
}

/// That a search has used up a budget of `count`, and done no less.
pub(crate) fn check_spent<S: Subject>(report: &S::Report, count: u64) {
    assert_eq!(S::stop_reason(report), S::SPENT);
    let work = S::work(report);
    let exact = S::SPENT == StopReason::Simulations;
    assert!(work == count || work > count && !exact, "{work} of {count}");
}

pub(crate) fn is_legal<G: GameState>(state: &G, mv: &G::Move) -> bool {
    legal_moves(state).contains(mv)
}

pub(crate) fn legal_moves<G: GameState>(state: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves
}

/// That every move of a line of play is legal.
pub(crate) fn check_line<G: GameState>(state: &G, line: &[G::Move]) {
    let mut state = state.clone();
    for mv in line {
        assert!(is_legal(&state, mv), "the variation leaves the rules");
        state = state.apply(mv);
    }
}

/// Reads a search again and again until it `is_far`: whatever is seen makes sense by itself and
/// after what was seen before, and everything agrees in the end.
pub(crate) fn check_reports<S: Subject>(
    engine: S,
    state: &S::State,
    is_far: impl Fn(&S::Report) -> bool,
) -> S::Report {
    let mut thinking = engine.start(state, &Budget::unlimited());
    let mut before = thinking.report().unwrap();
    while !is_far(&before) {
        let now = thinking.report().unwrap();
        assert_eq!(S::stop_reason(&now), StopReason::Running);
        check::<S>(state, &before, &now);
        before = now;
    }
    let end = thinking.stop().unwrap();
    assert_eq!(S::stop_reason(&end), StopReason::Stopped);
    check::<S>(state, &before, &end);
    assert!(!thinking.is_thinking());
    assert_eq!(S::text(&thinking.report().unwrap()), S::text(&end));
    thinking.into_engine().audit();
    end
}

/// What is so of the reports of every searcher, and of this one.
pub(crate) fn check<S: Subject>(state: &S::State, before: &S::Report, now: &S::Report) {
    assert!(S::work(now) >= S::work(before), "{} after {}", S::work(now), S::work(before));
    assert!(S::elapsed(now) >= S::elapsed(before));
    let (moves, legal) = (S::moves(now), legal_moves(state));
    assert_eq!(moves.len(), legal.len());
    assert!(legal.iter().all(|mv| moves.contains(mv)), "a move is missing");
    assert!(legal.contains(&S::best(now)));
    S::check(state, before, now);
}

/// Prints how long a search takes to stop.
pub(crate) fn measure_stops<S: Subject>(what: &str, mut thinking: Handle<S>) {
    let mut took = Vec::new();
    for number in 0..200 {
        thinking.set_budget(&Budget::unlimited());
        thread::sleep(Duration::from_millis(5 + number % 20));
        let begun = Instant::now();
        assert!(thinking.stop().is_ok());
        took.push(begun.elapsed());
    }
    took.sort();
    let [median, most_of_all, longest] = [100, 198, 199].map(|at| took[at]);
    println!(
        "{what}: stop took {median:?} (median), {most_of_all:?} (99 of 100), {longest:?} at most"
    );
}
