//! Positions near the end of a game that the search lets the solver decide.

#![cfg(feature = "games")]

use playtree::alphabeta::ParallelMode;
use playtree::game::random_move;
use playtree::games::{ConnectFour, ConnectFourEvaluation, Othello, OthelloEvaluation};
use playtree::solver::Aim;
use playtree::{AlphaBeta, Budget, Evaluate, GameState, Proven, Rng, Solvable, Solver, StopReason};

const MODES: [ParallelMode; 3] =
    [ParallelMode::RootTasks, ParallelMode::SplitPoints, ParallelMode::SharedTable];

const TABLE: usize = 1 << 20;

/// A position of a random game after `plies` plies, where the game goes on.
fn late<G: GameState>(start: &G, plies: usize, rng: &mut Rng) -> G {
    let mut buffer = Vec::new();
    loop {
        let mut state = start.clone();
        for _ in 0..plies {
            let Some(mv) = random_move(&state, rng, &mut buffer) else { break };
            state = state.apply(&mv);
        }
        if state.outcome().is_none() {
            return state;
        }
    }
}

fn sign(proven: Option<Proven>) -> i32 {
    proven.map_or(9, |proven| (2.0 * proven.score() - 1.0) as i32)
}

/// The solver's value of a position, for `player`.
fn exact<G: Solvable>(solver: &mut Solver<G>, state: &G, player: usize) -> i32 {
    if let Some(outcome) = state.outcome() {
        return (2.0 * outcome.score(player) - 1.0) as i32;
    }
    let found = sign(solver.solve(state, &Budget::unlimited()).unwrap().proven());
    if state.mover() == player { found } else { -found }
}

fn agree<G: Solvable + std::fmt::Debug + 'static, E: Evaluate<G> + Clone>(
    start: &G,
    plies: usize,
    count: usize,
    evaluation: &E,
) {
    let mut solver = Solver::<G>::builder().aim(Aim::Winner).threads(1).build().unwrap();
    let mut rng = Rng::from_seed(11);
    let (mut with, mut without) = (0, 0);
    for index in 0..count {
        let state = late(start, plies + rng.below(6), &mut rng);
        let player = state.mover();
        let value = exact(&mut solver, &state, player);
        let (mode, threads) = (MODES[index % 3], 1 + index % 2);
        let builder = || {
            let builder = AlphaBeta::builder(evaluation.clone()).table_bytes(Some(1 << 20));
            builder.threads(threads).oversubscribe(true).mode(mode)
        };
        let mut engine = builder().endgames(TABLE).build().unwrap();
        let report = engine.search(&state, &Budget::nodes(1 << 24)).unwrap();
        let place = format!("{state:?} {mode:?} x{threads}");
        assert_eq!(report.stop_reason, StopReason::Proven, "{place}");
        assert_eq!(sign(report.proven), value, "{place}");
        let kept = exact(&mut solver, &state.apply(&report.best_move), player);
        assert_eq!(kept, value, "{place}: {:?} gives the value away", report.best_move);
        // How much two threads look at is up to the system as well.
        if threads == 1 {
            with += report.nodes;
            let plain = builder().build().unwrap().search(&state, &Budget::nodes(1 << 24)).unwrap();
            without += plain.nodes;
        }
    }
    println!("{with} nodes with the solver, {without} without");
    assert!(with < without / 2, "{with} nodes with the solver, {without} without");
}

#[test]
fn connect_four_is_proven_as_the_solver_says() {
    agree(&ConnectFour::new(), 26, 60, &ConnectFourEvaluation::default());
}

#[test]
fn othello_is_proven_as_the_solver_says() {
    agree(&Othello::new(), 49, 30, &OthelloEvaluation::default());
}

#[test]
fn forgetting_gives_the_same_report_again() {
    let state = late(&ConnectFour::new(), 20, &mut Rng::from_seed(2));
    let builder = AlphaBeta::builder(ConnectFourEvaluation::default()).threads(1).endgames(TABLE);
    let mut engine = builder.clone().build().unwrap();
    let mut report = || {
        let report = engine.search(&state, &Budget::nodes(20_000)).unwrap();
        engine.forget();
        (report.nodes, report.score, report.best_move, report.pv)
    };
    let first = report();
    assert_eq!(report(), first);
    let other = builder.build().unwrap().search(&state, &Budget::nodes(20_000)).unwrap();
    assert_eq!((other.nodes, other.score, other.best_move, other.pv), first);
}
