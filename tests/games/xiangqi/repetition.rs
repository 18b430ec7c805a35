//! The verdicts on positions that come again.

use playtree::game::{Line, Record};
use playtree::games::Xiangqi;
use playtree::{GameState, Notation, Outcome};

use crate::data::{lines, text};
use crate::xiangqi::{ours, position, texts};

#[test]
fn the_recorded_cases_have_the_federations_verdicts() {
    let mut differ = Vec::new();
    for line in lines("xiangqi/repetition_cases.jsonl") {
        let mut record = Record::new(position(&line));
        for mv in texts(&line["moves"]) {
            let mv = record.position().parse_move(&ours(mv)).unwrap();
            record.play(mv);
        }
        let known = match line["winner"].as_str() {
            Some("red") => Outcome::Win(0),
            Some("black") => Outcome::Win(1),
            _ => Outcome::Draw,
        };
        let found = record.repetition();
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
        assert_eq!(record.repetition(), None);
        let mv = record.position().parse_move(text).unwrap();
        record.play(mv);
        line.push(*record.position());
    }
    let round: Vec<&Xiangqi> = line[..cycle.len()].iter().collect();
    let verdict = line[cycle.len()].repetition(&Line::new(&round, &line[cycle.len()]));
    assert_eq!(record.repetition(), Some(verdict));
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
    assert_eq!(start.repetition(&Line::new(&[&start], &start)), Outcome::Draw);
    assert_eq!(start.repetition(&Line::new(&[&start, &start], &start)), Outcome::Draw);
    assert_eq!(start.repetition(&Line::new(&[], &start)), Outcome::Draw);
}

/// A game from its first position, move by move: how it ends, and after how many plies.
fn game(fen: &str, moves: &str) -> (Option<Outcome>, usize) {
    let mut record = Record::new(Xiangqi::parse_position(fen).unwrap());
    for text in moves.split(' ') {
        if record.outcome().is_some() {
            break;
        }
        let mv = record.position().parse_move(text).unwrap();
        record.play(mv);
    }
    (record.outcome(), record.moves().len())
}

#[test]
fn a_perpetual_check_loses_also_where_the_key_tells_the_plies() {
    let round = "a6e6 e9f9 e6f6 f9e9 f6e6 e9f9 e6f6 f9e9 f6e6";
    for quiet in [0, 60, 92, 95, 98, 99, 100, 104, 110] {
        let fen = format!("4k4/9/9/R8/9/9/9/9/9/3K5 w - - {quiet} 60");
        assert_eq!(game(&fen, round), (Some(Outcome::Win(1)), 9), "{quiet}");
    }
    // At the limit the game is drawn before.
    let fen = "4k4/9/9/R8/9/9/9/9/9/3K5 w - - 113 60";
    assert_eq!(game(fen, round), (Some(Outcome::Draw), 7));
}

#[test]
fn all_that_was_played_since_the_first_time_is_judged() {
    // Of the two rounds only the second one is a perpetual check.
    let fen = "5k3/9/9/5R3/9/9/9/9/9/3K5 b";
    let moves = "f9e9 f6a6 e9f9 a6f6 f9e9 f6e6 e9f9 e6f6";
    assert_eq!(game(fen, moves), (Some(Outcome::Draw), 8));
    let moves = "f9e9 f6e6 e9f9 e6f6 f9e9 f6e6 e9f9 e6f6";
    assert_eq!(game(fen, moves), (Some(Outcome::Win(1)), 8));
}
