//! `playtree gtp` as a client sees it: what is sent, and every byte that comes back.

use std::io::Write;
use std::time::{Duration, Instant};

use crate::{command, run as run_of, run_with_input};

/// What is answered to these bytes, each answer without the empty line after it. The session ends
/// well.
fn transcript(args: &[&str], input: &[u8]) -> Vec<String> {
    let mut child = command(&[&["gtp"], args].concat()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("the writer does not panic");
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
    let text = String::from_utf8(output.stdout).expect("it is UTF-8");
    text.split_terminator("\n\n").map(str::to_owned).collect()
}

#[test]
fn no_byte_ends_a_session() {
    let input =
        b"\xef\xbb\xbf1 name\r\n2 play b e7 # caf\xe9\n3 pl\0ay\tw d6\x1b\n\xff\xfe\xfd\n4 name\n";
    let answers = transcript(&["hex", "random"], input);
    assert_eq!(answers, ["=1 playtree", "=2 ", "=3 ", "? unknown command", "=4 playtree"]);
}

#[test]
fn a_line_without_end_is_thrown_away() {
    let input = ["7 name ".to_owned(), "x".repeat(3_000_000), "\n8 name\n".into()].concat();
    let answers = transcript(&["hex", "random"], input.as_bytes());
    let expected = "?7 line too long: expected at most 65536 bytes, found more";
    assert_eq!(answers, [expected, "=8 playtree"]);
    // What is dropped does not count.
    let input = ["# ".to_owned(), "x".repeat(3_000_000), "\n9 name".into(), "\0".repeat(99_999)];
    assert_eq!(transcript(&["hex", "random"], input.concat().as_bytes()), ["=9 playtree"]);
}

#[test]
fn every_form_of_a_clock_is_taken() {
    let input = b"time_settings 300 0 0\ntime_settings 0 1 1\ntime_settings 60 30 5\n\
        time_settings 300 30 0\ntime_settings 0 0 0\nkgs-time_settings none\n\
        kgs-time_settings absolute 300\nkgs-time_settings byoyomi 60 10 3\n\
        kgs-time_settings canadian 60 30 5\ntime_left b 55 0\ntime_left white 30 5\n\
        genmove b\ntime_settings 0 0 1\ntime_settings -1 0 0\nkgs-time_settings fischer 1 1\n";
    let answers = transcript(&["tictactoe", "mcts:simulations=50"], input);
    let signs: String = answers.iter().filter_map(|answer| answer.chars().next()).collect();
    assert_eq!(signs, "============???", "{answers:?}");
}

#[test]
fn a_clock_takes_the_place_of_a_time_of_the_player() {
    // Either alone would think for an hour.
    for args in
        [&["hex", "mcts:time=1h"][..], &["hex", "alphabeta:time=1h"], &["hex", "--time", "1h"]]
    {
        let begin = Instant::now();
        let answers = transcript(args, b"time_settings 0 1 1\ntime_left b 0 1\ngenmove b\n");
        assert_eq!(answers.len(), 3, "{answers:?}");
        assert!(begin.elapsed() < Duration::from_secs(600), "{args:?}");
    }
}

#[test]
fn komi_sizes_and_two_stones_in_a_row() {
    let input = b"1 komi 6.5\n2 boardsize 11 11\n3 boardsize 1 5\n4 play b a1\n5 play b a2\n";
    let answers = transcript(&["hex", "random"], input);
    assert_eq!(
        answers,
        [
            "=1 ",
            "=2 ",
            "?3 unacceptable size",
            "=4 ",
            "?5 illegal move: expected white to move, found black: the sides of hex move by turns",
        ]
    );
    let input = b"set_free_handicap a1 h8\nplay w f4\nfinal_score\n";
    let answers = transcript(&["othello", "random"], input);
    assert_eq!(answers, ["= ", "= ", "? cannot score: the game is not over"]);
}

#[test]
fn a_game_on_a_board_of_another_size_is_loaded() {
    let file = crate::Scratch::new("gtp.sgf");
    std::fs::write(file.path(), "(;GM[11]SZ[3]AP[x];B[b2];W[a1];B[c1];W[a2])").expect("a file");
    let input = format!("loadsgf {}\nplay b a3\nfinal_score\nplay w b1\n", file.path());
    let answers = transcript(&["hex", "random"], input.as_bytes());
    assert_eq!(answers, ["= ", "= ", "= B+1", "? illegal move: the game is over"]);
}

#[test]
fn a_player_that_cannot_be_made_is_an_error_before_the_first_command() {
    let run = run_with_input(&["gtp", "hex", "mcts:cut-off=3"], "name\n");
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.starts_with("playtree: SPEC: cut-off: expected"), "{}", run.stderr);
    let missing = run_of(&["gtp", "hex", "gtp:no-such-program"]);
    assert_eq!((missing.code, missing.stdout.as_str()), (Some(2), ""));
    assert!(missing.stderr.contains("SPEC: expected a program to run"), "{}", missing.stderr);
    assert_eq!(run_with_input(&["gtp", "hex", "random"], "").code, Some(0));
}
