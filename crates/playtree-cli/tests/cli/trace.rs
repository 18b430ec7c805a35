//! `playtree trace`, against cases made by hand.

use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};

use crate::{command, run_with_input};

fn trace(game: &str, lines: &[Value]) -> Vec<Value> {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let run = run_with_input(&["trace", game], &input);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The legal moves before the last move.
fn last_moves(answer: &Value) -> Vec<&str> {
    let ply = answer["plies"].as_array().and_then(|plies| plies.last()).expect("a ply");
    let mut moves: Vec<&str> =
        ply["moves"].as_array().expect("moves").iter().map(|mv| mv.as_str().unwrap()).collect();
    moves.sort_unstable();
    moves
}

#[test]
fn the_mark_that_a_file_of_text_may_begin_with_is_no_part_of_the_first_line() {
    let run = run_with_input(&["trace", "tictactoe"], "\u{feff}{\"moves\": []}\r\n");
    assert_eq!((run.code, run.stdout.lines().count()), (Some(0), 1), "{}", run.stderr);
}

#[test]
fn an_empty_line_is_no_game_and_counts_as_a_line() {
    let input = "\n{\"moves\": []}\n \t\r\n{\"moves\": [\"5\"]}\n\n";
    let run = run_with_input(&["trace", "tictactoe"], input);
    assert_eq!((run.code, run.stdout.lines().count()), (Some(0), 2), "{}", run.stderr);
    let run = run_with_input(&["trace", "tictactoe"], "\n\nno game\n");
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.starts_with("playtree: line 3: expected "), "{}", run.stderr);
}

#[test]
fn a_game_is_replayed_to_its_end() {
    let answers = trace(
        "tictactoe",
        &[
            json!({"moves": ["1", "4", "2", "5", "3"]}),
            json!({"moves": ["1", "4", "2", "5", "7", "6"]}),
            json!({"position": null, "moves": ["1", "2", "3", "5", "4", "6", "8", "7", "9"]}),
            json!({"moves": []}),
        ],
    );
    assert_eq!(answers[0]["outcome"], json!({"scores": [1.0, 0.0]}));
    assert_eq!(answers[1]["outcome"], json!({"scores": [0.0, 1.0]}));
    assert_eq!(answers[2]["outcome"], json!({"scores": [0.5, 0.5]}));
    assert_eq!(answers[3], json!({"plies": [], "outcome": null}));
    let players: Vec<_> =
        answers[0]["plies"].as_array().unwrap().iter().map(|ply| &ply["player"]).collect();
    assert_eq!(players, [0, 1, 0, 1, 0]);
    assert_eq!(last_moves(&answers[0]), ["3", "6", "7", "8", "9"]);
}

#[test]
fn a_game_may_start_anywhere() {
    let answers = trace("tictactoe", &[json!({"position": "XX.OO....", "moves": ["3"]})]);
    assert_eq!(answers[0]["plies"][0]["player"], 0);
    assert_eq!(last_moves(&answers[0]), ["3", "6", "7", "8", "9"]);
    assert_eq!(answers[0]["outcome"]["scores"], json!([1.0, 0.0]));
    let nim = trace("nim-misere", &[json!({"position": "0,2", "moves": ["2-1", "2-1"]})]);
    assert_eq!(nim[0]["plies"][0]["moves"], json!(["2-1", "2-2"]));
    // The player that takes the last one loses.
    assert_eq!(nim[0]["outcome"]["scores"], json!([1.0, 0.0]));
}

#[test]
fn each_answer_comes_before_the_next_question() {
    let mut child = command(&["trace", "connect4"]).spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
    for moves in [json!(["4"]), json!(["4", "4", "4", "4", "4", "4", "1"])] {
        writeln!(stdin, "{}", json!({ "moves": moves })).expect("the binary listens");
        let mut answer = String::new();
        stdout.read_line(&mut answer).expect("the binary answers");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(answer["plies"].as_array().map(Vec::len), moves.as_array().map(Vec::len));
    }
    drop(stdin);
    assert!(child.wait().expect("the binary ends").success());
}

#[test]
fn a_bad_line_ends_the_run_after_the_good_ones() {
    let bad = [
        ("not JSON", "line 2: expected"),
        ("[]", "line 2: expected"),
        (r#"{"move": []}"#, "line 2: expected"),
        (r#"{"moves": [1]}"#, "line 2: expected"),
        (r#"{"moves": ["10"]}"#, "line 2: move 1: expected"),
        (r#"{"moves": ["1", "1"]}"#, "line 2: move 2: expected"),
        (r#"{"position": "XXX", "moves": []}"#, "line 2: position: expected"),
        (r#"{"position": "XXXOO....", "moves": ["9"]}"#, "line 2: move 1: expected no move"),
    ];
    for (line, complaint) in bad {
        let input = format!("{{\"moves\": [\"5\"]}}\n{line}\n{{\"moves\": [\"5\"]}}\n");
        let run = run_with_input(&["trace", "tictactoe"], &input);
        assert_eq!(run.code, Some(2), "{line}");
        assert_eq!(run.stdout.lines().count(), 1, "{line}");
        assert_eq!(run.stderr.lines().count(), 1, "{line}: {}", run.stderr);
        let start = format!("playtree: {complaint}");
        assert!(run.stderr.starts_with(&start) && run.stderr.contains("found"), "{}", run.stderr);
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = command(&["trace", "tictactoe"]).spawn().expect("the binary starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("stdin is piped");
    // The pipe may be closed before all is written.
    let _ = stdin.write_all("{\"moves\": [\"5\"]}\n".repeat(10).as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn a_position_that_comes_too_often_ends_the_game_by_the_rules() {
    // From the 100th ply without a capture on the key tells the number, and the rule does not.
    let checks = "a6e6 e9f9 e6f6 f9e9 f6e6 e9f9 e6f6 f9e9 f6e6";
    let checks: Vec<&str> = checks.split(' ').collect();
    let late = "4k4/9/9/R8/9/9/9/9/9/3K5 w - - 98 60";
    // Only the second of the two rounds is a perpetual check.
    let other = "5k3/9/9/5R3/9/9/9/9/9/3K5 b";
    let draw: Vec<&str> = "f9e9 f6a6 e9f9 a6f6 f9e9 f6e6 e9f9 e6f6".split(' ').collect();
    let with_history = format!("{late} moves {}", checks[..4].join(" "));
    let answers = trace(
        "xiangqi",
        &[
            json!({"position": late, "moves": checks}),
            json!({"position": other, "moves": draw}),
            json!({"position": late, "moves": checks[..8]}),
            json!({"position": with_history, "moves": checks[4..]}),
        ],
    );
    assert_eq!(answers[0]["outcome"], json!({"scores": [0.0, 1.0]}));
    assert_eq!(answers[1]["outcome"], json!({"scores": [0.5, 0.5]}));
    assert_eq!(answers[2]["outcome"], json!(null));
    assert_eq!(answers[3]["outcome"], json!({"scores": [0.0, 1.0]}));
    let more: Vec<&str> = checks.iter().copied().chain(["e9f9"]).collect();
    let run = run_with_input(
        &["trace", "xiangqi"],
        &format!("{}\n", json!({"position": late, "moves": more})),
    );
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("expected no move in a finished game, found 'e9f9'"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_server_of_gtp_knows_that_a_game_has_ended_by_repetition() {
    // Horses go there and back twice.
    let round = ["play b b0c2", "play w b9c7", "play b c2b0", "play w c7b9"];
    let lines = [&round[..], &round, &["play b b0c2", "undo", "play w c7b9"]].concat().join("\n");
    let run = run_with_input(&["gtp", "xiangqi", "mcts:simulations=10"], &lines);
    let signs: Vec<&str> = run.stdout.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(signs.len(), 11, "{}", run.stdout);
    assert!(signs[..8].iter().all(|line| line.starts_with('=')), "{}", run.stdout);
    assert_eq!(signs[8], "? illegal move: the game is over");
    assert!(signs[9..].iter().all(|line| line.starts_with('=')), "{}", run.stdout);
}
