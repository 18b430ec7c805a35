//! The verdicts on positions that come again.

use playtree::games::Xiangqi;
use playtree::games::xiangqi::Record;
use playtree::{GameState, Notation, Outcome};

use crate::data::{lines, text};
use crate::{ours, position, texts};

#[test]
fn the_recorded_cases_have_the_federations_verdicts() {
    let mut differ = Vec::new();
    for line in lines("xiangqi/repetition_cases.jsonl") {
        let mut record = Record::new(position(&line));
        for mv in texts(&line["moves"]) {
            let mv = record.position().parse_move(&ours(mv)).unwrap();
            record.play(&mv);
        }
        let known = match line["winner"].as_str() {
            Some("red") => Outcome::Win(0),
            Some("black") => Outcome::Win(1),
            _ => Outcome::Draw,
        };
        let found = record.repetition_verdict();
        if found != Some(known) {
            differ.push(format!("{}: expected {known:?}, found {found:?}", text(&line, "comment")));
        }
    }
    assert!(differ.is_empty(), "{differ:#?}");
}

/// The verdict after going round `cycle` twice, which has to agree with that on one round.
fn verdict(fen: &str, cycle: &[&str]) -> Outcome {
    let mut record = Record::new(Xiangqi::parse_position(fen).unwrap());
    let mut line = vec![*record.position()];
    for text in [cycle, cycle].concat() {
        assert_eq!(record.repetition_verdict(), None);
        let mv = record.position().parse_move(text).unwrap();
        record.play(&mv);
        line.push(*record.position());
    }
    let round: Vec<&Xiangqi> = line[..cycle.len()].iter().collect();
    let verdict = line[cycle.len()].repetition(&round);
    assert_eq!(record.repetition_verdict(), Some(verdict));
    verdict
}

#[test]
fn perpetual_check_loses_and_check_with_chase_is_a_draw() {
    let fen = "4k4/9/9/4R4/9/9/9/9/9/3K5 b";
    assert_eq!(verdict(fen, &["e9f9", "e6f6", "f9e9", "f6e6"]), Outcome::Win(1));
    // One check, one chase of the cannon (the federation's rule 12).
    let fen = "4k4/9/9/4R4/9/9/6c2/9/9/3K5 b";
    let round = ["e9f9", "e6f6", "f9e9", "f6g6", "g3h3", "g6h6", "h3g3", "h6e6"];
    assert_eq!(verdict(fen, &round), Outcome::Draw);
}

#[test]
fn an_unprotected_piece_may_not_be_chased_and_a_protected_one_may() {
    // A rook follows a cannon from file to file.
    let fen = "3k5/9/9/9/6c2/9/9/7R1/9/5K3 w";
    assert_eq!(verdict(fen, &["h2g2", "g5h5", "g2h2", "h5g5"]), Outcome::Win(1));
    // The same with two rooks behind that protect the cannon on both files.
    let fen = "3k2rr1/9/9/9/6c2/9/9/7R1/9/5K3 w";
    assert_eq!(verdict(fen, &["h2g2", "g5h5", "g2h2", "h5g5"]), Outcome::Draw);
}

#[test]
fn a_line_with_a_pass_is_a_draw() {
    let start = Xiangqi::parse_position("4k4/9/9/4R4/9/9/9/9/9/3K5 b").unwrap();
    assert_eq!(start.repetition(&[&start]), Outcome::Draw);
    assert_eq!(start.repetition(&[&start, &start]), Outcome::Draw);
    assert_eq!(start.repetition(&[]), Outcome::Draw);
}
