//! Published wins by continuous fours: found again with the hints of the evaluation, in the same
//! number of moves and with the same first moves, by both rules.
//!
//! The puzzles are test data beside the repository, not part of it: where they are absent the
//! test says so and passes.

use std::collections::{BTreeSet, HashMap};

use playtree::games::gomoku::Point;
use playtree::games::{Gomoku, GomokuEvaluation};
use playtree::{Evaluate, GameState, Notation};
use serde_json::Value;

use crate::data::lines;

/// What is proven of an attack: positions and the moves it was given without a win.
type Failed = HashMap<<Gomoku as GameState>::Key, u32>;

fn noisy(state: &Gomoku) -> Vec<Point> {
    let mut moves = Vec::new();
    GomokuEvaluation::new().noisy_moves(state, &mut moves);
    moves
}

fn wins(state: &Gomoku, mv: &Point) -> bool {
    state.apply(mv).outcome().is_some()
}

/// Whether the side to move wins by fours alone, the five included in `moves` moves.
fn attack(state: &Gomoku, moves: u32, failed: &mut Failed) -> bool {
    let fours = noisy(state);
    if fours.iter().any(|mv| wins(state, mv)) {
        return moves > 0;
    }
    if moves < 2 || failed.get(&state.key()).is_some_and(|&tried| tried >= moves) {
        return false;
    }
    let found = fours.iter().any(|four| holds(state, four, moves, failed));
    if !found {
        failed.insert(state.key(), moves);
    }
    found
}

/// Whether a four wins by fours alone, itself and the five included in `moves` moves.
fn holds(state: &Gomoku, four: &Point, moves: u32, failed: &mut Failed) -> bool {
    // A four that leaves the other side a five is no threat.
    let next = state.apply(four);
    if noisy(&next).iter().any(|mv| wins(&next, mv)) {
        return false;
    }
    // The other side must stop the five, wherever it can.
    let mut replies = Vec::new();
    next.moves(&mut replies);
    let evaluation = GomokuEvaluation::new();
    let stops: Vec<Gomoku> = replies
        .iter()
        .map(|mv| next.apply(mv))
        .filter(|after| evaluation.evaluate(after) < WON)
        .collect();
    match stops.as_slice() {
        [] => moves >= 2,
        [only] => attack(only, moves - 1, failed),
        _ => false,
    }
}

/// What the evaluation says of a side that has five next.
const WON: i32 = 3_000;

fn name(value: &Value) -> String {
    value.as_str().unwrap().to_lowercase()
}

#[test]
fn wins_by_fours_are_found_in_as_many_moves_with_the_same_beginnings() {
    let puzzles = lines("gomoku/vcf.jsonl");
    if puzzles.is_empty() {
        return;
    }
    let mut checked = 0;
    for puzzle in puzzles {
        let [black, white] = ["black", "white"].map(|side| puzzle[side].as_array().unwrap());
        for (rule, head) in [("freestyle", "15:"), ("exact5", "15 exact:")] {
            let mut text = head.to_owned();
            for (at, stone) in black.iter().enumerate() {
                for stone in [Some(stone), white.get(at)].into_iter().flatten() {
                    text = format!("{text} {}", name(stone));
                }
            }
            let state = Gomoku::parse_position(&text).unwrap();
            assert_eq!(state.mover() == 0, puzzle["to_move"] == "black");
            let moves = puzzle[format!("vcf_moves_{rule}")].as_u64().unwrap() as u32;
            let expected: BTreeSet<String> = puzzle[format!("vcf_first_moves_{rule}")]
                .as_array()
                .unwrap()
                .iter()
                .map(name)
                .collect();
            let mut failed = Failed::new();
            assert!(!attack(&state, moves - 1, &mut failed), "shorter than {puzzle}");
            let found: BTreeSet<String> = noisy(&state)
                .iter()
                .filter(|four| {
                    wins(&state, four) && moves == 1 || holds(&state, four, moves, &mut failed)
                })
                .map(|four| state.move_text(four))
                .collect();
            assert_eq!(found, expected, "{rule}: {puzzle}");
            checked += 1;
        }
    }
    println!("{checked} puzzles agree");
    assert_eq!(checked, 2 * 66);
}
