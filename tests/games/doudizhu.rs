//! Dou Dizhu against data that others wrote, against the definitions of the plays, and what a
//! user may get wrong.
//!
//! The data lies beside the repository; where it is absent the tests say so and pass.

mod definitions;
mod endgames;
mod generation;
mod texts;

use playtree::games::Doudizhu;
use playtree::games::doudizhu::Play;
use playtree::{GameState, Notation};
use serde_json::Value;

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
