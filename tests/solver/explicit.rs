//! Explicit trees and graphs: random ones against plain minimax, and those of the data.

use std::collections::HashMap;

use playtree::solver::Worth;
use playtree::testing::check_solvable;
use playtree::{Budget, GameState, Solvable, Solver};

use crate::trees::{Explicit, indices, number, rows};

impl<const PLAYERS: usize, const REACH: i32> Solvable for Explicit<PLAYERS, REACH> {
    const MAX_POINTS: i32 = REACH;
}

/// The worth for the side to move, by looking at everything.
fn plain<G: Solvable<Key = usize>>(state: &G, known: &mut HashMap<usize, Worth>) -> Worth {
    if let Some(&worth) = known.get(&state.key()) {
        return worth;
    }
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let answer = |mv: &G::Move| {
        let after = state.apply(mv);
        if let Some(outcome) = after.outcome() {
            return Worth::new(after.points(&outcome, state.mover()), 1);
        }
        let Worth { points, plies } = plain(&after, known);
        let points = if after.mover() == state.mover() { points } else { -points };
        Worth::new(points, plies + 1)
    };
    let best = moves.iter().map(answer).max().expect("a move");
    known.insert(state.key(), best);
    best
}

#[test]
fn random_graphs_have_the_value_of_plain_minimax() {
    for seed in 0..40 {
        let state = Explicit::<2, 1>::random(seed, 12, 12);
        let fine = Explicit::<2, 4>::random(seed, 12, 12);
        // Scores of quarters are rounded to one point, which is against the law and still solved.
        check(&state, seed);
        assert_eq!(check_solvable(&fine, 20, seed), Ok(()));
        check(&fine, seed);
    }
}

fn check<G: Solvable<Key = usize>>(state: &G, seed: u64) {
    let worth = plain(state, &mut HashMap::new());
    for threads in [1, 2, 8] {
        // A table of four positions, and one that forgets nothing.
        for memory in [64, 1 << 20] {
            let solver = Solver::builder().threads(threads).oversubscribe(true);
            let mut solver = solver.memory_limit(memory).build().unwrap();
            let solution = solver.solve(state, &Budget::unlimited()).unwrap();
            assert!(solution.is_complete);
            assert_eq!(solution.limits.exact(), Some(worth), "{seed}, {threads}, {memory}");
        }
    }
}

/// The payoff of the side to move, and the moves that reach it.
fn check_rows<const PLAYERS: usize, const REACH: i32>(kind: &str) {
    for row in rows(kind) {
        let state = Explicit::<PLAYERS, REACH>::of_row(&row);
        assert_eq!(check_solvable(&state, 20, 1), Ok(()), "{}", row["id"]);
        let payoff = number(&row["root_value"][state.mover()]) as i32;
        for threads in [1, 2] {
            let solver = Solver::builder().threads(threads).oversubscribe(true);
            let mut solver = solver.build().unwrap();
            let solution = solver.solve(&state, &Budget::unlimited()).unwrap();
            let place = format!("{}, {threads} thread(s)", row["id"]);
            assert_eq!(solution.points(), Some(payoff), "{place}");
            let mut best: Vec<_> = solution.best_moves().copied().collect();
            best.sort_unstable();
            assert_eq!(best, indices(&row["best_moves"]), "{place}");
            for mv in &solution.moves {
                let payoff = number(&row["child_values"][mv.mv]) as i32;
                let limits = mv.limits;
                assert!((limits.least.points..=limits.most.points).contains(&payoff), "{place}");
            }
        }
    }
}

#[test]
fn the_trees_of_the_data_have_their_values() {
    check_rows::<2, 1>("wdl2");
    check_rows::<2, 1>("wdl2_nonalt");
    check_rows::<2, 1>("dag2");
    check_rows::<2, 100>("score2");
    check_rows::<1, 100>("single");
    check_rows::<3, 400>("maxn3");
}
