//! One search of each kind with a fixed seed and budget, to be compared between two machines: a
//! page of a browser has no threads, no clock of the system, and memory that is never given back.
//!
//! `ci/wasm.sh` runs them here and in node.

use std::fmt::Write;

use playtree::budget::Depth;
use playtree::games::{
    ConnectFour, ConnectFourEvaluation, NormalNim, Othello, OthelloEvaluation, TicTacToe,
};
use playtree::mcts::{Report, Selection};
use playtree::{
    AlphaBeta, Budget, Evaluate, GameState, Mcts, MctsBuilder, Notation, SearchError, Solvable,
    Solver,
};

/// The names of all searches, in order.
pub const NAMES: [&str; 12] = [
    "mcts connect4, 10 000 simulations",
    "mcts connect4, 200 000 simulations",
    "mcts othello, 20 000 simulations",
    "mcts othello, GRAVE, memory limit",
    "mcts in steps",
    "alphabeta connect4, depth 9",
    "alphabeta connect4, depth 12",
    "alphabeta othello, depth 6",
    "alphabeta othello, depth 10",
    "solver tic-tac-toe, nim",
    "solver connect4, 12 stones",
    "no threads",
];

/// What a search has found, without the time that it took; or its error.
#[must_use]
pub fn run(number: usize) -> String {
    let found = match number {
        0 => mcts(&ConnectFour::new(), Mcts::builder(), 10_000),
        1 => mcts(&ConnectFour::new(), Mcts::builder(), 200_000),
        2 => mcts(&Othello::new(), Mcts::builder(), 20_000),
        3 => {
            let builder = Mcts::builder().selection(Selection::grave());
            mcts(&Othello::new(), builder.memory_limit(Some(1 << 20)), 20_000)
        }
        4 => steps(),
        5 => alphabeta(&ConnectFour::new(), ConnectFourEvaluation::default(), 9),
        6 => alphabeta(&ConnectFour::new(), ConnectFourEvaluation::default(), 12),
        7 => alphabeta(&Othello::new(), OthelloEvaluation::default(), 6),
        8 => alphabeta(&Othello::new(), OthelloEvaluation::default(), 10),
        9 => solve_small(),
        10 => solve(&position::<ConnectFour>("444444112255")),
        11 => no_threads(),
        _ => Ok(format!("expected a number below {}, found {number}", NAMES.len())),
    };
    found.unwrap_or_else(|error| format!("error: {error}"))
}

fn mcts<G: GameState + Notation>(
    state: &G,
    builder: MctsBuilder<G>,
    simulations: u64,
) -> Result<String, SearchError> {
    let mut mcts = builder.threads(1).seed(1).build().expect("settings in range");
    let report = mcts.search(state, &Budget::simulations(simulations))?;
    Ok(text(state, &report))
}

/// What a report says, but for the time.
fn text<G: Notation>(state: &G, report: &Report<G::Move>) -> String {
    let mut text = format!("{} nodes, {} evicted", report.nodes, report.evicted);
    for found in &report.moves {
        let _ = write!(text, ", {} {} {:?}", state.move_text(&found.mv), found.visits, found.lcb);
    }
    text
}

/// The same as the first search.
fn steps() -> Result<String, SearchError> {
    let state = ConnectFour::new();
    let mut mcts = Mcts::builder().threads(1).seed(1).build().expect("settings in range");
    let mut steps = mcts.begin(&state, &Budget::simulations(10_000))?;
    while steps.step(777)? {}
    let report = steps.finish()?;
    Ok(text(&state, &report))
}

fn alphabeta<G: Notation + 'static>(
    state: &G,
    evaluation: impl Evaluate<G> + 'static,
    depth: u32,
) -> Result<String, SearchError> {
    let mut engine = AlphaBeta::builder(evaluation).threads(1).build().expect("settings in range");
    let report = engine.search(state, &Budget::unlimited().and(Depth(depth)))?;
    let pv: Vec<_> = report.in_notation(state).moves[0].pv.clone();
    Ok(format!("{} after {} positions: {}", report.score, report.nodes, pv.join(" ")))
}

fn solve<G: Solvable + Notation>(state: &G) -> Result<String, SearchError> {
    let mut solver = Solver::builder().threads(1).build().expect("settings in range");
    let solution = solver.solve(state, &Budget::nodes(10_000_000))?;
    Ok(format!("{} after {} positions", solution.limits, solution.nodes))
}

fn solve_small() -> Result<String, SearchError> {
    let piles = position::<NormalNim>("3,4,5");
    Ok(format!("{}; {}", solve(&TicTacToe::new())?, solve(&piles)?))
}

fn position<G: Notation>(text: &str) -> G {
    G::parse_position(text).expect("a position")
}

/// More workers than one, and a search in the background: where there are no threads, the first
/// worker searches alone, and the second is an error.
fn no_threads() -> Result<String, SearchError> {
    let state = ConnectFour::new();
    let builder = || Mcts::builder().threads(2).oversubscribe(true);
    let mut mcts = builder().build().expect("settings in range");
    let report = mcts.search(&state, &Budget::simulations(1_000))?;
    let mut thinking = mcts.start(&state, &Budget::simulations(1_000));
    let background = match thinking.wait() {
        Ok(_) => "a thread",
        Err(SearchError::NoThread { .. }) => "no thread",
        Err(error) => return Err(error),
    };
    let same = if (report.workers > 1) == (background == "a thread") { "as" } else { "unlike" };
    Ok(format!("{} simulations, helpers {same} the background", report.simulations))
}

/// What the host of a WebAssembly module calls.
#[cfg(target_family = "wasm")]
mod host {
    use std::time::Duration;

    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Milliseconds since any fixed moment.
        fn now() -> f64;
        fn show(text: *const u8, bytes: usize);
    }

    /// Sets the clock.
    #[unsafe(no_mangle)]
    extern "C" fn begin() -> bool {
        // SAFETY: the host gives a function without arguments, which returns a number.
        playtree::budget::set_clock(|| Duration::from_secs_f64(unsafe { now() } / 1e3))
    }

    /// Does a search and shows what it has found.
    #[unsafe(no_mangle)]
    extern "C" fn run(number: usize) {
        let text = super::run(number);
        // SAFETY: the host reads this many bytes from there before it returns.
        unsafe { show(text.as_ptr(), text.len()) }
    }
}
