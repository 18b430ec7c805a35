//! Random games recorded with another implementation (OpenSpiel): the same players, legal
//! moves and results at every ply.
//!
//! The recordings are test data beside the repository, not part of it: where they are
//! absent the tests say so and pass.

use std::collections::{BTreeMap, BTreeSet};

use playtree::Notation;
use playtree::games::{
    Breakthrough, ConnectFour, Gomoku, Hex, LargeGomoku, LargeHex, MisereNim, NormalNim, Othello,
    TicTacToe,
};
use serde_json::Value;

use crate::data::data;

/// The file's lines, the header first; `None`, with a message, where it is absent.
fn recording(name: &str) -> Option<Vec<Value>> {
    let text = data(&format!("traces/{name}"))?;
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn action(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("an action, not {value}"))
}

fn actions(value: &Value) -> BTreeSet<u64> {
    value.as_array().into_iter().flatten().map(action).collect()
}

/// The legal actions of a step: listed, or as the difference to the step before, whose
/// actions and choice are given.
fn legal_actions(step: &Value, before: &BTreeSet<u64>, chosen: u64) -> BTreeSet<u64> {
    if step["l"].is_array() {
        return actions(&step["l"]);
    }
    let mut legal = before.clone();
    match &step["rm"] {
        Value::String(_) => drop(legal.remove(&chosen)),
        removed => legal.retain(|action| !actions(removed).contains(action)),
    }
    legal.extend(actions(&step["ad"]));
    legal
}

/// Replays every game of the recording from `start`; `text` gives an action's move.
fn replay<G: Notation>(name: &str, start: &G, games: usize, text: impl Fn(u64) -> String) {
    let Some(lines) = recording(name) else { return };
    assert_eq!(lines.len(), games + 1, "{name}: the header and the games");
    let mut plies = 0;
    for game in &lines[1..] {
        let mut state = start.clone();
        let (mut legal, mut chosen) = (BTreeSet::new(), u64::MAX);
        for (ply, step) in (0..).zip(game["steps"].as_array().unwrap()) {
            let place = format!("{name}, game {}, ply {ply}", game["i"]);
            legal = legal_actions(step, &legal, chosen);
            chosen = action(&step["a"]);
            assert_eq!(state.outcome(), None, "{place}");
            assert_eq!(state.mover() as u64, action(&step["p"]), "{place}");
            assert_eq!(state.plies(), ply, "{place}");
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let ours: BTreeSet<String> = moves.iter().map(|mv| state.move_text(mv)).collect();
            let theirs: BTreeSet<String> = legal.iter().map(|&action| text(action)).collect();
            assert_eq!(ours, theirs, "{place}");
            state = state.apply(&state.parse_move(&text(chosen)).unwrap());
            plies += 1;
        }
        let outcome = state.outcome().unwrap_or_else(|| panic!("{name}, game {}", game["i"]));
        for (player, result) in game["returns"].as_array().unwrap().iter().enumerate() {
            // A return of -1, 0 or 1 is a score of 0, 1/2 or 1.
            let score = (result.as_f64().unwrap() + 1.0) / 2.0;
            assert_eq!(outcome.score(player), score, "{name}, game {}", game["i"]);
        }
    }
    println!("{name}: {games} games, {plies} plies agree");
}

#[test]
fn tictactoe() {
    replay("tic_tac_toe.jsonl", &TicTacToe::new(), 200, |action| (action + 1).to_string());
}

#[test]
fn connect_four() {
    replay("connect_four.jsonl", &ConnectFour::new(), 200, |action| (action + 1).to_string());
}

/// The cell numbered row by row from the top left, column first.
fn cell(action: u64, size: u64) -> String {
    format!("{}{}", char::from(b'a' + (action % size) as u8), action / size + 1)
}

#[test]
fn othello() {
    replay("othello.jsonl", &Othello::new(), 200, |action| match action {
        64 => "pass".to_owned(),
        square => cell(square, 8),
    });
}

#[test]
fn hex() {
    replay("hex11.jsonl", &Hex::new(11).unwrap(), 200, |action| cell(action, 11));
    replay("hex5.jsonl", &Hex::new(5).unwrap(), 100, |action| cell(action, 5));
    replay("hex11.jsonl", &LargeHex::new(11).unwrap(), 200, |action| cell(action, 11));
}

/// OpenSpiel's player 0 begins above and moves down: its board is ours upside down. An action
/// is the row from the top, the column, the direction and whether it takes, in mixed base.
fn advance(action: u64, columns: u64) -> String {
    let square = action / 12;
    let (row, column) = (square / columns + 1, square % columns);
    let direction = action / 2 % 6;
    let name = |column: u64, row: u64| format!("{}{row}", char::from(b'a' + column as u8));
    let to = if direction < 3 { row + 1 } else { row - 1 };
    name(column, row) + &name(column + direction % 3 - 1, to)
}

#[test]
fn breakthrough() {
    let start = Breakthrough::default();
    replay("breakthrough.jsonl", &start, 200, |action| advance(action, 8));
    let start = Breakthrough::new(5, 6).unwrap();
    replay("breakthrough_6x5.jsonl", &start, 100, |action| advance(action, 5));
}

#[test]
fn gomoku() {
    let start = Gomoku::default();
    replay("gomoku15.jsonl", &start, 200, |action| cell(action, 15));
    let start = LargeGomoku::new(15, start.rule()).unwrap();
    replay("gomoku15.jsonl", &start, 200, |action| cell(action, 15));
}

#[test]
fn four_by_four_with_three_in_a_row() {
    let start = Gomoku::parse_position("4x4x3:").unwrap();
    replay("mnk_4_4_3.jsonl", &start, 100, |action| cell(action, 4));
}

/// Moves by action, from the header: `pile:2, take:3;` is `2-3`.
fn takes(name: &str) -> BTreeMap<u64, String> {
    let lines = recording(name).unwrap_or_default();
    let names = lines.first().and_then(|header| header["start_actions"].as_object());
    let takes = names.into_iter().flatten().map(|(action, name)| {
        let number = |word: &str| word.trim_matches(|c: char| !c.is_ascii_digit()).to_owned();
        let (pile, take) = name.as_str().unwrap().split_once(',').unwrap();
        (action.parse().unwrap(), format!("{}-{}", number(pile), number(take)))
    });
    takes.collect()
}

#[test]
fn nim() {
    let moves = takes("nim.jsonl");
    replay("nim.jsonl", &MisereNim::default(), 200, |action| moves[&action].clone());
    replay("nim_normal.jsonl", &NormalNim::default(), 100, |action| moves[&action].clone());
}
