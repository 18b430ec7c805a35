//! Moves and keys without size, and the ends of the range of every number that a caller can give.

use std::time::Duration;

use playtree::budget::Depth;
use playtree::games::{ConnectFour, TicTacToe};
use playtree::{AlphaBeta, Budget, Evaluate, GameState, Mcts, Outcome, Solver, mcts};

use crate::faults::{doing, fault, watchdog, without_panic};

/// Nine plies with one move each.
#[derive(Clone, Debug)]
struct Unit {
    ply: u32,
}

impl GameState for Unit {
    type Key = u32;
    type Move = ();

    fn key(&self) -> u32 {
        self.ply
    }

    fn mover(&self) -> usize {
        self.ply as usize % 2
    }

    fn plies(&self) -> u32 {
        self.ply
    }

    fn moves(&self, moves: &mut Vec<()>) {
        if self.ply < 9 {
            moves.push(());
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.ply >= 9).then_some(Outcome::Draw)
    }

    fn apply(&self, _: &()) -> Self {
        Self { ply: self.ply + 1 }
    }
}

/// A walk whose author did not think that plies matter.
#[derive(Clone, Debug)]
struct Walk {
    at: i32,
    turn: usize,
}

impl GameState for Walk {
    type Key = (i32, usize);
    type Move = i32;

    fn key(&self) -> (i32, usize) {
        (self.at, self.turn)
    }

    fn mover(&self) -> usize {
        self.turn
    }

    fn plies(&self) -> u32 {
        0
    }

    fn moves(&self, moves: &mut Vec<i32>) {
        if self.at.abs() < 3 {
            moves.extend([-1, 1]);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.at.abs() >= 3).then_some(Outcome::Win(usize::from(self.at > 0)))
    }

    fn apply(&self, step: &i32) -> Self {
        Self { at: self.at + step, turn: 1 - self.turn }
    }
}

struct Zero;

impl Evaluate<TicTacToe> for Zero {
    fn evaluate(&self, _: &TicTacToe) -> i32 {
        0
    }
}

/// Runs a case, which has to answer or to refuse.
fn case<T: std::fmt::Debug, E: std::fmt::Display>(
    name: &str,
    run: impl FnOnce() -> Result<T, E>,
) -> u64 {
    doing(name);
    match without_panic(name, run) {
        Some(Ok(answer)) => println!("{name}: {answer:?}"),
        Some(Err(error)) => println!("{name}: error: {error}"),
        None => println!("{name}: panic"),
    }
    1
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

pub(crate) fn run() -> String {
    watchdog(20);
    let start = TicTacToe::new();
    let mcts = || Mcts::<TicTacToe>::builder().threads(2).oversubscribe(true);
    let mut cases = case("moves without size", || {
        let mut mcts = Mcts::builder().threads(1).proofs(false).build().map_err(text)?;
        let report = mcts.search(&Unit { ply: 0 }, &Budget::simulations(1_000)).map_err(text)?;
        if report.simulations != 1_000 {
            fault!("moves without size: {} simulations of 1000", report.simulations);
        }
        Ok::<_, String>(report.simulations)
    });
    for floor in [1, 1 << 20, u32::MAX] {
        cases += case(&format!("a floor of {floor} visits"), || {
            let mut mcts = Mcts::builder().threads(2).oversubscribe(true).build().map_err(text)?;
            let options = mcts::Options::new().visit_floor(floor);
            let budget = Budget::simulations(20_000);
            mcts.search_with(&ConnectFour::new(), &budget, &options)
                .map(|report| report.simulations)
                .map_err(text)
        });
    }
    for temperature in [0.0, f64::MIN_POSITIVE, 1e-300, 1e300, f64::INFINITY, f64::NAN, -1.0] {
        cases += case(&format!("temperature {temperature}"), || {
            let options = mcts::Options::new().temperature(temperature);
            let mut mcts = mcts().build().map_err(text)?;
            mcts.search_with(&start, &Budget::simulations(50), &options)
                .map(|report| report.simulations)
                .map_err(text)
        });
    }
    cases += case("usize::MAX detailed lines", || {
        let options = mcts::Options::new().detailed(usize::MAX);
        let mut mcts = mcts().build().map_err(text)?;
        mcts.search_with(&start, &Budget::simulations(50), &options)
            .map(|report| report.simulations)
            .map_err(text)
    });
    for (name, budget) in budgets() {
        cases += case(&format!("Mcts, {name}"), || {
            let mut mcts = mcts().warm_up(u32::MAX).build().map_err(text)?;
            mcts.search(&start, &budget.clone().and(Depth(4)))
                .map(|report| (report.simulations, report.stop_reason))
                .map_err(text)
        });
        cases += case(&format!("AlphaBeta, {name}"), || {
            let mut engine =
                AlphaBeta::builder(Zero).threads(2).oversubscribe(true).build().map_err(text)?;
            engine
                .search(&start, &budget.clone().and(Depth(4)))
                .map(|report| (report.depth, report.stop_reason))
                .map_err(text)
        });
        cases += case(&format!("Solver, {name}"), || {
            let mut solver =
                Solver::builder().threads(2).oversubscribe(true).build().map_err(text)?;
            solver.solve(&start, &budget).map(|solution| solution.stop_reason).map_err(text)
        });
    }
    for bytes in [0, 1, 64, 1_000_000_000_000, usize::MAX / 2, usize::MAX] {
        cases += case(&format!("AlphaBeta, a table of {bytes} bytes"), || {
            let engine = AlphaBeta::builder(Zero).table_bytes(Some(bytes)).build();
            let mut engine = engine.map_err(text)?;
            engine.search(&start, &Budget::nodes(1_000)).map(|report| report.depth).map_err(text)
        });
        cases += case(&format!("Solver, a limit of {bytes} bytes"), || {
            let mut solver = Solver::builder().memory_limit(bytes).build().map_err(text)?;
            solver.solve(&start, &Budget::nodes(1_000)).map(|solution| solution.nodes).map_err(text)
        });
        cases += case(&format!("Mcts, a limit of {bytes} bytes"), || {
            let mut mcts = mcts().memory_limit(Some(bytes)).build().map_err(text)?;
            let budget = Budget::simulations(1_000);
            mcts.search(&start, &budget).map(|report| report.simulations).map_err(text)
        });
    }
    cases += case("plies always 0", || {
        let mut mcts = Mcts::builder().threads(1).build().map_err(text)?;
        let walk = Walk { at: 0, turn: 0 };
        mcts.search(&walk, &Budget::simulations(50)).map(|report| report.simulations).map_err(text)
    });
    format!("{cases} cases")
}

fn budgets() -> [(&'static str, Budget); 8] {
    [
        ("u64::MAX simulations", Budget::simulations(u64::MAX)),
        ("u64::MAX nodes", Budget::nodes(u64::MAX)),
        ("the longest time", Budget::time(Duration::MAX)),
        ("the longest soft time", Budget::soft_time(Duration::MAX, Duration::MAX)),
        ("0 simulations", Budget::simulations(0)),
        ("0 nodes", Budget::nodes(0)),
        ("no time", Budget::time(Duration::ZERO)),
        ("1 ns", Budget::time(Duration::from_nanos(1))),
    ]
}
