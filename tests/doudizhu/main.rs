//! Dou Dizhu against data that others wrote, against the definitions of the plays, and what a
//! user may get wrong.
//!
//! The data lies beside the repository; where it is absent the tests say so and pass.

#![cfg(feature = "games")]

mod definitions;
mod endgames;
mod generation;
mod texts;

use std::path::PathBuf;

use playtree::games::Doudizhu;
use playtree::games::doudizhu::Play;
use playtree::{GameState, Notation};
use serde_json::Value;

/// The text of a file of data; `None`, with a message, where it is absent.
fn file(name: &str) -> Option<String> {
    let path: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "../shared/data/doudizhu", name].iter().collect();
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        println!("skipped: {} is not there", path.display());
    }
    text
}

/// The lines of a file but the first, which says where it comes from.
fn lines(name: &str) -> Vec<Value> {
    let text = file(name).unwrap_or_default();
    text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A text of a line of data.
fn text<'a>(line: &'a Value, field: &str) -> &'a str {
    line[field].as_str().unwrap_or_else(|| panic!("{field} in {line}"))
}

/// The texts of a list.
fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

fn position(text: &str) -> Doudizhu {
    Doudizhu::parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn legal(position: &Doudizhu) -> Vec<Play> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves
}
