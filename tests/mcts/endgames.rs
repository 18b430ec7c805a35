//! Positions near the end of a game that the search lets the solver decide: what is proven with its
//! help is so, however many workers there are.

#![cfg(feature = "games")]

use std::time::Duration;

use playtree::game::random_move;
use playtree::games::{ConnectFour, Hex, Othello, TicTacToe};
use playtree::mcts::{self, Expansion};
use playtree::solver::Aim;
use playtree::{Budget, GameState, Mcts, MctsBuilder, Proven, Rng, Solvable, Solver, StopReason};

const TABLE: usize = 1 << 20;

/// Positions of random games after at least `plies` plies, where the game goes on.
fn late<G: GameState>(start: &G, plies: usize, count: usize) -> Vec<G> {
    let (mut found, mut buffer) = (Vec::new(), Vec::new());
    let mut rng = Rng::from_seed(7);
    while found.len() < count {
        let mut state = start.clone();
        for _ in 0..plies + rng.below(6) {
            let Some(mv) = random_move(&state, &mut rng, &mut buffer) else { break };
            state = state.apply(&mv);
        }
        if state.outcome().is_none() {
            found.push(state);
        }
    }
    found
}

fn sign(proven: Option<Proven>) -> Option<i32> {
    proven.map(|proven| (2.0 * proven.score() - 1.0) as i32)
}

fn builder<G: Solvable + 'static>(workers: usize, seed: u64) -> MctsBuilder<G> {
    Mcts::builder().threads(workers).oversubscribe(true).seed(seed).endgames(TABLE)
}

/// Compares the proofs of the search, of the position and of each of its moves, with the solver's.
/// Returns how many simulations the proofs took.
fn agree<G: Solvable + std::fmt::Debug + 'static>(states: &[G]) -> u64 {
    let mut solver = Solver::<G>::builder().aim(Aim::Winner).threads(1).build().unwrap();
    let mut winner =
        |state: &G| sign(solver.solve(state, &Budget::unlimited()).unwrap().proven()).unwrap();
    let mut simulations = 0;
    for (seed, state) in (0..).zip(states) {
        let exact = winner(state);
        for workers in [1, 2] {
            let mut mcts = builder(workers, seed).build().unwrap();
            let report = mcts.search(state, &Budget::simulations(200_000)).unwrap();
            mcts.audit().unwrap();
            assert_eq!(report.stop_reason, StopReason::Proven, "{state:?} x{workers}");
            assert_eq!(sign(report.proven), Some(exact), "{state:?} x{workers}");
            simulations += report.simulations;
            for of_move in &report.moves {
                let Some(found) = sign(of_move.proven) else { continue };
                let after = state.apply(&of_move.mv);
                let own = if after.mover() == state.mover() { 1 } else { -1 };
                let exact = match after.outcome() {
                    Some(outcome) => (2.0 * outcome.score(state.mover()) - 1.0) as i32,
                    None => own * winner(&after),
                };
                assert_eq!(found, exact, "{state:?} {:?} x{workers}", of_move.mv);
            }
        }
    }
    simulations
}

#[test]
fn connect_four_is_proven_as_the_solver_says() {
    let states = late(&ConnectFour::new(), 24, 60);
    assert!(states.iter().any(|state| !state.is_endgame()));
    let simulations = agree(&states);
    println!("{} positions, {simulations} simulations", states.len());
}

#[test]
fn othello_is_proven_as_the_solver_says() {
    let states = late(&Othello::new(), 47, 40);
    assert!(states.iter().any(|state| !state.is_endgame()));
    let simulations = agree(&states);
    println!("{} positions, {simulations} simulations", states.len());
}

/// What the solver has proven saves the search simulations; where no game says when the end is
/// near, nothing changes.
#[test]
fn it_is_asked_near_the_end_only() {
    fn simulations<G: Solvable + 'static>(state: &G, asks: bool) -> (u64, String) {
        // A search that asks has each simulation find a leaf of its own, and nodes sooner in a
        // large tree.
        let expansion = Expansion::OnePerSimulation { from_visit: 1 };
        let builder = Mcts::builder().threads(1).seed(3).rollouts_per_leaf(1).expansion(expansion);
        let builder = if asks { builder.endgames(TABLE) } else { builder };
        let mut mcts = builder.build().unwrap();
        let report = mcts.search(state, &Budget::simulations(100_000)).unwrap();
        (report.simulations, text(report))
    }
    for state in late(&ConnectFour::new(), 30, 10) {
        let (with, without) = (simulations(&state, true).0, simulations(&state, false).0);
        assert!(with <= without, "{state:?}: {with}, not {without}");
    }
    let state = TicTacToe::new();
    assert_eq!(simulations(&state, true), simulations(&state, false));
    let state = Hex::new(4).unwrap();
    assert_eq!(simulations(&state, true), simulations(&state, false));
}

/// Everything in a report but the time it took.
fn text<M: std::fmt::Debug>(mut report: mcts::Report<M>) -> String {
    report.elapsed = Duration::ZERO;
    format!("{report:?}")
}

fn forgets<G: Solvable + 'static>(state: &G) {
    // Two engines of one builder share nothing.
    let builder = builder(1, 5);
    let mut mcts = builder.clone().build().unwrap();
    let budget = Budget::simulations(2_000);
    let first = text(mcts.search(state, &budget).unwrap());
    mcts.forget();
    assert_eq!(text(mcts.search(state, &budget).unwrap()), first);
    let mut other = builder.build().unwrap();
    assert_eq!(text(other.search(state, &budget).unwrap()), first);
}

#[test]
fn forgetting_gives_the_same_report_again() {
    for state in late(&ConnectFour::new(), 18, 3) {
        forgets(&state);
    }
    for state in late(&Othello::new(), 42, 3) {
        forgets(&state);
    }
}
