//! Games, lines and mates that others recorded.

use std::collections::BTreeSet;

use playtree::game::Record;
use playtree::games::Xiangqi;
use playtree::{GameState, Notation, Outcome};
use serde_json::Value;

use crate::data::{lines, text};
use crate::xiangqi::{legal, ours, play, position, texts, theirs};

#[test]
fn two_hundred_master_games_are_legal_and_end_where_they_did() {
    let mut plies = 0;
    for line in lines("xiangqi/master_games.jsonl") {
        let mut state = Xiangqi::new();
        for mv in texts(&line["moves"]) {
            state = play(&state, mv);
            plies += 1;
        }
        assert_eq!(state.position_text(), text(&line, "final_fen"), "{line}");
        assert_eq!(legal(&state).len() as u64, line["final_legal_moves"].as_u64().unwrap());
        assert_eq!(Value::from(state.in_check()), line["in_check"], "{line}");
    }
    println!("{plies} plies agree");
}

#[test]
fn published_lines_end_in_checkmate_or_stalemate() {
    for line in lines("xiangqi/mate_lines.jsonl") {
        let state =
            texts(&line["moves"]).iter().fold(position(&line), |state, mv| play(&state, mv));
        assert_eq!(state.outcome(), Some(Outcome::Win(1 - state.mover())), "{line}");
        assert_eq!(state.is_checkmate(), line["kind"] == "checkmate", "{line}");
    }
}

/// Whether the side to move wins within `moves` of its own, by trying everything.
fn wins(state: &Xiangqi, moves: u32) -> bool {
    moves > 0 && legal(state).iter().any(|mv| loses(&state.apply(mv), moves - 1))
}

/// Whether the side to move loses within `moves` of the other side's, all its answers tried.
fn loses(state: &Xiangqi, moves: u32) -> bool {
    match state.outcome() {
        Some(outcome) => outcome == Outcome::Win(1 - state.mover()),
        None => moves > 0 && legal(state).iter().all(|mv| wins(&state.apply(mv), moves)),
    }
}

#[test]
fn mates_in_one_and_two_have_exactly_the_known_first_moves() {
    let mut mates = 0;
    for line in lines("xiangqi/mate_exact_1_3.jsonl") {
        let state = position(&line);
        assert_eq!(legal(&state).len() as u64, line["legal_moves"].as_u64().unwrap(), "{line}");
        let length = line["mate_in"].as_u64().unwrap() as u32;
        if length > 2 {
            continue;
        }
        let first = legal(&state).into_iter().filter(|mv| loses(&state.apply(mv), length - 1));
        let found: BTreeSet<String> = first.map(|mv| state.move_text(&mv)).collect();
        let known = texts(&line["winning_first_moves"]).into_iter().map(ours).collect();
        assert_eq!(found, known, "{line}");
        assert!(!wins(&state, length - 1), "{line}");
        mates += 1;
    }
    println!("{mates} mates in one and two agree");
}

/// The legal moves of each step of a random game: listed, or as the difference to the step before
/// (`rm`, `ad`).
fn legal_by_step<T: Ord + Clone>(
    game: &Value,
    read: impl Fn(&Value) -> T,
) -> Vec<(BTreeSet<T>, T)> {
    let list = |value: &Value| -> BTreeSet<T> {
        value.as_array().into_iter().flatten().map(&read).collect()
    };
    let mut steps: Vec<(BTreeSet<T>, T)> = Vec::new();
    for step in game["steps"].as_array().unwrap() {
        let moves = if step["l"].is_array() {
            list(&step["l"])
        } else {
            let (before, chosen) = steps.last().expect("a first step has a list");
            let mut moves = before.clone();
            if step["rm"] == "a" {
                moves.remove(chosen);
            } else {
                let removed = list(&step["rm"]);
                moves.retain(|mv| !removed.contains(mv));
            }
            moves.extend(list(&step["ad"]));
            moves
        };
        steps.push((moves, read(&step["a"])));
    }
    steps
}

/// Compares the legal moves with the data's.
fn same_moves(state: &Xiangqi, known: &BTreeSet<String>, place: &str) {
    let found: BTreeSet<String> =
        legal(state).iter().map(|mv| theirs(&state.move_text(mv))).collect();
    assert_eq!(&found, known, "{place}");
}

#[test]
fn random_games_have_the_same_moves_and_ends_as_with_fairy_stockfish() {
    let (mut plies, mut ends) = (0, [0; 3]);
    for game in lines("traces/xiangqi_pyffish.jsonl.gz") {
        let mut record = Record::new(Xiangqi::new());
        for (known, chosen) in legal_by_step(&game, |mv| mv.as_str().unwrap().to_owned()) {
            let place = format!("game {}, ply {}", game["i"], record.moves().len());
            assert_eq!(record.outcome(), None, "{place}");
            same_moves(record.position(), &known, &place);
            let mv = record.position().parse_move(&ours(&chosen)).unwrap();
            record.play(mv);
            plies += 1;
        }
        let place = format!("game {}: {} {}", game["i"], game["result"], game["reason"]);
        let (end, outcome) = match (text(&game, "reason"), text(&game, "result")) {
            ("max_plies", _) => (0, None),
            ("repetition", "draw") => (1, Some(Outcome::Draw)),
            ("checkmate", winner) => (2, Some(Outcome::Win(usize::from(winner == "black")))),
            _ => panic!("{place}"),
        };
        ends[end] += 1;
        assert_eq!(record.outcome(), outcome, "{place}");
        assert_eq!(record.position().is_checkmate(), end == 2, "{place}");
    }
    println!("{plies} plies agree; unfinished, repetition, checkmate: {ends:?}");
}

/// OpenSpiel's action is `90 * from + to`, points row by row from the top left. It ends no game
/// by repetition or without captures, but all after 500 plies.
#[test]
fn random_games_have_the_same_moves_and_mates_as_with_openspiel() {
    let name = |action: u64| {
        let point = |at: u64| format!("{}{}", char::from(b'a' + (at % 9) as u8), 10 - at / 9);
        point(action / 90) + &point(action % 90)
    };
    let (mut plies, mut longer) = (0, 0);
    for game in lines("traces/xiangqi_openspiel.jsonl.gz") {
        let mut state = Xiangqi::new();
        let steps = legal_by_step(&game, |action| action.as_u64().unwrap());
        for (ply, (known, chosen)) in steps.iter().enumerate() {
            if state.outcome() == Some(Outcome::Draw) {
                // Theirs goes on after our limit without a capture.
                assert_eq!(state.quiet_plies(), playtree::games::xiangqi::QUIET_LIMIT);
                longer += 1;
                break;
            }
            let known = known.iter().map(|&action| name(action)).collect();
            same_moves(&state, &known, &format!("game {}, ply {ply}", game["i"]));
            state = play(&state, &name(*chosen));
            plies += 1;
        }
        if steps.len() < 500 && state.outcome() != Some(Outcome::Draw) {
            let red = game["returns"][0].as_f64().unwrap();
            assert_eq!(state.outcome().map(|end| end.score(0)), Some((red + 1.0) / 2.0), "{game}");
        }
    }
    println!("{plies} plies agree; {longer} games reach our limit without a capture");
}
