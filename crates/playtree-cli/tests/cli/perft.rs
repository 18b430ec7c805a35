//! `playtree perft`, against figures that other programs have published.

use serde_json::Value;

use crate::{json_of, text_of};

fn counts(args: &[&str]) -> Vec<u64> {
    let json = json_of(&[&["perft", "--json"], args].concat());
    let counts = json["counts"].as_array().expect("counts");
    for (depth, count) in (1u64..).zip(counts) {
        assert_eq!(count["depth"], depth);
        assert!(count["seconds"].as_f64() >= Some(0.0));
    }
    assert_eq!(json["complete"], true);
    counts.iter().map(|count| count["count"].as_u64().expect("a number")).collect()
}

#[test]
fn tictactoe_has_the_known_counts() {
    let known = [9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872];
    assert_eq!(counts(&["tictactoe", "--depth", "9"]), known);
    assert_eq!(counts(&["tictactoe", "--depth", "11"])[9..], [0, 0]);
}

#[test]
fn connect4_has_the_known_counts() {
    // Counts of lines as OpenSpiel 2.0.2 gives them.
    let known = [7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234];
    assert_eq!(counts(&["connect4", "--depth", "8"]), known);
}

#[test]
fn othello_has_the_known_counts() {
    // Aart Bik's figures; a forced pass is a ply.
    let known = [4, 12, 56, 244, 1396, 8200, 55_092, 390_216];
    assert_eq!(counts(&["othello", "--depth", "8"]), known);
}

#[test]
fn three_by_three_with_three_in_a_row_is_tictactoe() {
    let mnk = counts(&["gomoku", "--position", "3x3x3:", "--depth", "9"]);
    assert_eq!(mnk, counts(&["tictactoe", "--depth", "9"]));
}

#[test]
fn hex_and_nim_can_be_counted_by_hand() {
    assert_eq!(counts(&["hex", "--position", "3:", "--depth", "3"]), [9, 72, 504]);
    // Piles of one and two: 1-1 leaves (0,2), 2-1 leaves (1,1), 2-2 leaves (1,0).
    assert_eq!(counts(&["nim", "--position", "1,2", "--depth", "3"]), [3, 5, 3]);
}

#[test]
fn divide_adds_up_to_the_count() {
    let args = ["perft", "othello", "--depth", "5", "--divide"];
    let json = json_of(&[&args[..], &["--json"]].concat());
    let branches = json["divide"].as_array().expect("branches");
    let moves: Vec<_> = branches.iter().map(|branch| branch["move"].as_str().unwrap()).collect();
    assert_eq!(moves.len(), 4, "{moves:?}");
    let sum: u64 = branches.iter().filter_map(|branch| branch["count"].as_u64()).sum();
    assert_eq!(sum, 1396);
    assert!(text_of(&args).lines().any(|line| line == "d3      349"));
    assert_eq!(json_of(&["perft", "nim", "--depth", "1", "--json"])["divide"], Value::Null);
}
