//! Long lines of large positions on small stacks.

use std::thread;

use playtree::error::{ConfigError, GamePart};
use playtree::solver::{Method, PLIES_LIMIT};
use playtree::{Budget, GameState, Mcts, Outcome, SearchError, Solvable, Solver};

/// One line of play: both moves of a position lead to the same one.
#[derive(Clone)]
struct Line<const PLAYERS: usize, const BYTES: usize, const KEY_BYTES: usize> {
    plies: u32,
    end: u32,
    ballast: [u8; BYTES],
}

impl<const PLAYERS: usize, const BYTES: usize, const KEY_BYTES: usize> GameState
    for Line<PLAYERS, BYTES, KEY_BYTES>
{
    type Key = (u32, [u8; KEY_BYTES]);
    type Move = u32;

    const PLAYERS: usize = PLAYERS;

    fn key(&self) -> Self::Key {
        (self.plies, [0; KEY_BYTES])
    }

    fn mover(&self) -> usize {
        self.plies as usize % PLAYERS
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(0..2);
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.plies >= self.end).then_some(Outcome::Win(0))
    }

    fn apply(&self, _: &u32) -> Self {
        let mut next = self.clone();
        next.plies += 1;
        next.ballast[0] ^= 1;
        next
    }
}

impl<const PLAYERS: usize, const BYTES: usize, const KEY_BYTES: usize> Solvable
    for Line<PLAYERS, BYTES, KEY_BYTES>
{
}

/// A thread of a server has 2 MiB.
const STACK: usize = 2 << 20;

/// Points of a line of this many plies, solved in a thread with a small stack.
fn points<const PLAYERS: usize, const BYTES: usize, const KEY_BYTES: usize>(
    method: Method,
    threads: usize,
    plies: u32,
) -> Result<Option<i32>, SearchError> {
    let work = move || {
        let state = Line::<PLAYERS, BYTES, KEY_BYTES> { plies: 0, end: plies, ballast: [0; BYTES] };
        let builder = Solver::builder().threads(threads).oversubscribe(true);
        let mut solver = builder.method(method).memory_limit(16 << 20).build().unwrap();
        solver.solve(&state, &Budget::unlimited()).map(|solution| solution.points())
    };
    thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap()
}

#[test]
fn lines_of_large_positions_fit_in_a_small_stack() {
    let longest = PLIES_LIMIT - 2;
    for method in [Method::AlphaBeta, Method::ProofNumbers] {
        for threads in [1, 2] {
            assert_eq!(points::<2, 16, 0>(method, threads, longest), Ok(Some(1)));
            assert_eq!(points::<2, 16_384, 0>(method, threads, longest), Ok(Some(1)));
        }
    }
    assert_eq!(points::<3, 16_384, 4_096>(Method::AlphaBeta, 1, longest), Ok(Some(1)));
}

/// Workers that follow one line overtake each other: what one of them has proven is above another.
#[test]
fn workers_that_are_overtaken_go_on() {
    for _ in 0..20 {
        let found = points::<2, 16_384, 0>(Method::ProofNumbers, 2, PLIES_LIMIT - 2);
        assert_eq!(found, Ok(Some(1)));
    }
}

#[test]
fn a_line_that_is_too_long_is_an_error() {
    let too_deep = Err(SearchError::TooDeep { plies: PLIES_LIMIT });
    for method in [Method::AlphaBeta, Method::ProofNumbers] {
        assert_eq!(points::<2, 16, 0>(method, 2, 2 * PLIES_LIMIT), too_deep);
    }
    assert_eq!(points::<3, 16, 0>(Method::AlphaBeta, 1, 2 * PLIES_LIMIT), too_deep);
}

#[test]
fn what_is_too_large_for_a_stack_is_refused() {
    type Large = Line<2, { 64 << 10 }, 0>;
    type LargeKey = Line<2, 16, { 64 << 10 }>;
    let part = |error| match error {
        ConfigError::TooLarge { part, .. } => part,
        other => panic!("{other}"),
    };
    let solver = Solver::<Large>::builder().build().unwrap_err();
    assert_eq!(part(solver), GamePart::Position);
    assert_eq!(part(Solver::<LargeKey>::builder().build().unwrap_err()), GamePart::Key);
    assert_eq!(part(Mcts::<Large>::builder().build().unwrap_err()), GamePart::Position);
}
