//! Xiangqi against data that others wrote: counts, games, mates and verdicts.
//!
//! The data lies beside the repository; where it is absent the tests say so and pass. Its ranks
//! count from 1 to 10, those of our moves (as in the UCCI protocol) from 0 to 9.

mod counts;
mod games;
mod mates;
mod repetition;

use playtree::games::Xiangqi;
use playtree::games::xiangqi::Step;
use playtree::{GameState, Notation};
use serde_json::Value;

use crate::data::text;

/// The texts of a list.
fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

/// The position of a line of data.
fn position(line: &Value) -> Xiangqi {
    Xiangqi::parse_position(text(line, "fen")).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// Our text of a move whose ranks count from 1.
fn ours(theirs: &str) -> String {
    let second = 1 + theirs[1..].find(|c: char| c.is_ascii_lowercase()).unwrap();
    let point = |text: &str| format!("{}{}", &text[..1], text[1..].parse::<u32>().unwrap() - 1);
    point(&theirs[..second]) + &point(&theirs[second..])
}

/// The text of one of our moves in the data's way.
fn theirs(ours: &str) -> String {
    let point = |text: &str| format!("{}{}", &text[..1], text[1..].parse::<u32>().unwrap() + 1);
    point(&ours[..2]) + &point(&ours[2..])
}

/// The legal moves.
fn legal(position: &Xiangqi) -> Vec<<Xiangqi as GameState>::Move> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves
}

/// Plays a move of the data.
fn play(position: &Xiangqi, theirs: &str) -> Xiangqi {
    let mv = position.parse_move(&ours(theirs)).unwrap_or_else(|error| panic!("{error}"));
    position.apply(&mv)
}

#[test]
fn the_two_ways_to_count_ranks_are_told_apart() {
    assert_eq!(ours("a1i10"), "a0i9");
    assert_eq!(theirs("h9a0"), "h10a1");
}

#[test]
fn a_move_from_a_file_stays_on_the_board() {
    let read = serde_json::from_str::<Step>;
    assert_eq!(read("[0,89]").unwrap(), Step::new(0, 89).unwrap());
    let error = read("[90,0]").unwrap_err().to_string();
    assert!(error.contains("expected two points from 0 to 89, found 90 and 0"), "{error}");
}
