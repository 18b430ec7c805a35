//! `playtree trace` against random games of OpenSpiel, where they are at hand.
//!
//! The games are not part of this project: they are read from `shared/data` beside the
//! repository, and a test says that it skipped if they are not there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::run_with_input;

/// How a game of the data is written here.
struct Game {
    /// The data's file and ours.
    file: &'static str,
    name: &'static str,
    position: Option<&'static str>,
    /// An action number as the text of a move.
    text: fn(u64) -> String,
}

/// Everything that one answer must hold.
#[derive(Debug, PartialEq)]
struct Replay {
    players: Vec<u64>,
    legal: Vec<BTreeSet<String>>,
    scores: Option<Vec<f64>>,
}

fn square(action: u64, size: u64) -> String {
    format!("{}{}", char::from(b'a' + (action % size) as u8), action / size + 1)
}

fn nim(action: u64) -> String {
    format!("{}-{}", action % 4 + 1, action / 4 + 1)
}

fn compare(game: &Game) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/traces");
    let Ok(text) = fs::read_to_string(folder.join(game.file).with_extension("jsonl")) else {
        println!("skipped {}: no data in {}", game.file, folder.display());
        return;
    };
    let games: Vec<Value> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(games.len() >= 100, "{} games", games.len());
    let mut input = String::new();
    for played in &games {
        let moves: Vec<String> = steps(played)
            .iter()
            .map(|step| (game.text)(step["a"].as_u64().expect("an action")))
            .collect();
        let line = json!({ "position": game.position, "moves": moves });
        input.push_str(&format!("{line}\n"));
    }
    let run = run_with_input(&["trace", game.name], &input);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(run.stdout.lines().count(), games.len());
    for (number, (answer, played)) in run.stdout.lines().zip(&games).enumerate() {
        let answer = answered(&serde_json::from_str(answer).expect("JSON"));
        assert_eq!(answer, expected(game, played), "{} game {number}", game.file);
    }
    println!("{}: {} games agree", game.file, games.len());
}

fn steps(played: &Value) -> &Vec<Value> {
    played["steps"].as_array().expect("steps")
}

/// What the data says. Legal actions are given in full (`l`), or as the difference to the
/// step before: removed (`rm`, where `"a"` stands for the action just played), added (`ad`).
fn expected(game: &Game, played: &Value) -> Replay {
    let numbers = |list: &Value| -> Vec<u64> {
        list.as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
    };
    let mut replay = Replay { players: Vec::new(), legal: Vec::new(), scores: None };
    let mut actions: BTreeSet<u64> = BTreeSet::new();
    let mut last = None;
    for step in steps(played) {
        if step["l"].is_array() {
            actions = numbers(&step["l"]).into_iter().collect();
        } else if step["rm"] == "a" {
            actions.remove(&last.expect("an action before"));
        } else {
            let removed = numbers(&step["rm"]);
            actions.retain(|action| !removed.contains(action));
        }
        actions.extend(numbers(&step["ad"]));
        replay.players.push(step["p"].as_u64().expect("a player"));
        replay.legal.push(actions.iter().map(|&action| (game.text)(action)).collect());
        last = step["a"].as_u64();
    }
    if played["truncated"] == false {
        let returns = played["returns"].as_array().expect("returns");
        let score = |value: &Value| (value.as_f64().expect("a number") + 1.0) / 2.0;
        replay.scores = Some(returns.iter().map(score).collect());
    }
    replay
}

/// What we answered.
fn answered(answer: &Value) -> Replay {
    let plies = answer["plies"].as_array().expect("plies");
    let moves = |ply: &Value| -> BTreeSet<String> {
        let moves = ply["moves"].as_array().expect("moves");
        let set: BTreeSet<String> =
            moves.iter().map(|mv| mv.as_str().expect("text").to_owned()).collect();
        assert_eq!(set.len(), moves.len(), "no move twice");
        set
    };
    let scores = answer["outcome"]["scores"].as_array();
    Replay {
        players: plies.iter().map(|ply| ply["player"].as_u64().expect("a number")).collect(),
        legal: plies.iter().map(moves).collect(),
        scores: scores.map(|scores| scores.iter().filter_map(Value::as_f64).collect()),
    }
}

#[test]
fn tictactoe() {
    let text = |action: u64| (action + 1).to_string();
    compare(&Game { file: "tic_tac_toe", name: "tictactoe", position: None, text });
}

#[test]
fn connect4() {
    let text = |action: u64| (action + 1).to_string();
    compare(&Game { file: "connect_four", name: "connect4", position: None, text });
}

#[test]
fn othello() {
    let text = |action| if action == 64 { "pass".into() } else { square(action, 8) };
    compare(&Game { file: "othello", name: "othello", position: None, text });
}

#[test]
fn hex() {
    let large = |action| square(action, 11);
    compare(&Game { file: "hex11", name: "hex", position: Some("11:"), text: large });
    let small = |action| square(action, 5);
    compare(&Game { file: "hex5", name: "hex", position: Some("5:"), text: small });
}

#[test]
fn nim_both_forms() {
    // OpenSpiel's nim is the misère form unless it is asked for the other.
    compare(&Game { file: "nim", name: "nim-misere", position: Some("1,3,5,7"), text: nim });
    compare(&Game { file: "nim_normal", name: "nim", position: Some("1,3,5,7"), text: nim });
}
