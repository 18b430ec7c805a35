//! Ctrl-C ends a search, which then says what it knows.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::Read;
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::{Scratch, command};

/// Whether a process has a handler for the signal of Ctrl-C, number 2.
fn listens(pid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("Linux");
    u64::from_str_radix(caught.trim(), 16).expect("a mask") >> (2 - 1) & 1 == 1
}

/// Sends Ctrl-C to a process when it listens.
fn interrupt(child: &Child) {
    while !listens(child.id()) {
        thread::sleep(Duration::from_millis(1));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("there is a kill").success());
}

/// Starts the binary, ends it with Ctrl-C when it listens, and reads its answer.
fn interrupted(args: &[&str]) -> Value {
    let child = command(args).spawn().expect("the binary starts");
    interrupt(&child);
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    serde_json::from_slice(&output.stdout).expect("a report")
}

#[test]
fn without_a_limit_a_search_goes_on_until_ctrl_c() {
    let json = interrupted(&["analyze", "othello", "--memory", "16MiB", "--json"]);
    assert_eq!(json["stop_reason"], "stopped");
    assert_eq!(json["moves"].as_array().expect("the moves").len(), 4);
}

#[test]
fn a_match_ends_at_ctrl_c_without_the_game_under_way() {
    let (a, b) = ("mcts:simulations=10", "mcts:time=1h");
    let json = interrupted(&["match", "othello", "--a", a, "--b", b, "--json"]);
    assert_eq!((&json["stopped"], &json["games"]), (&Value::from(true), &Value::from([0; 0])));
}

#[test]
fn a_solution_is_unfinished_at_ctrl_c() {
    let json = interrupted(&["solve", "connect4", "--memory", "16MiB", "--json"]);
    assert_eq!((&json["complete"], &json["stop_reason"]), (&false.into(), &"stopped".into()));
    assert_eq!(json["moves"].as_array().expect("the moves").len(), 7);
}

#[test]
fn a_count_of_lines_keeps_the_depths_that_were_counted_before_ctrl_c() {
    let args = ["perft", "connect4", "--depth", "42"];
    let json = interrupted(&[&args[..], &["--divide", "--json"]].concat());
    assert_eq!((&json["complete"], &json["divide"]), (&false.into(), &Value::Null));
    let counts = json["counts"].as_array().expect("counts");
    assert!(counts.len() < 42, "{json}");
    let child = command(&args).spawn().expect("the binary starts");
    interrupt(&child);
    let output = child.wait_with_output().expect("the binary ends");
    let text = String::from_utf8(output.stdout).expect("it is UTF-8");
    assert!(text.starts_with("depth "), "{text}");
    assert!(text.contains("\nstopped while depth "), "{text}");
}

#[test]
fn a_walk_ends_at_ctrl_c_while_it_waits_for_a_move() {
    let facts = Scratch::new("walk");
    let args = ["solve", "nim", "--position", "3,4,5", "--walk", "--save", facts.path()];
    let mut child = command(&args).spawn().expect("the binary starts");
    // It stays open: nothing but Ctrl-C ends the wait.
    let _input = child.stdin.take();
    let mut out = child.stdout.take().expect("it is piped");
    let mut shown = Vec::new();
    while !shown.ends_with(b"\n> ") {
        let mut byte = [0];
        out.read_exact(&mut byte).expect("a prompt");
        shown.push(byte[0]);
    }
    interrupt(&child);
    let status = child.wait().expect("the binary ends");
    assert_eq!(status.code(), Some(0));
    assert!(fs::metadata(facts.path()).is_ok_and(|file| file.len() > 0), "the facts are saved");
}

#[test]
fn an_engine_that_is_thinking_moves_at_ctrl_c_and_the_game_goes_on() {
    let args = ["play", "othello", "--side", "second", "--engine", "mcts:time=1h,memory=16MiB"];
    let child = command(&args).spawn().expect("the binary starts");
    interrupt(&child);
    // The input ends only now: the prompt comes back.
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    let text = String::from_utf8(output.stdout).expect("it is UTF-8");
    assert!(text.contains("\nthe engine plays ") && text.ends_with("\n> \n"), "{text}");
}

#[test]
fn limits_are_not_chosen_before_they_are_compared() {
    let args = ["autotune", "xiangqi", "--depth", "60", "--settings", "oversubscribe"];
    let json = interrupted(&[&args[..], &["--threads", "2", "--json"]].concat());
    assert_eq!((&json["complete"], &json["spec"]), (&false.into(), &Value::Null));
    assert_eq!(json["depth_trials"], Value::from([0; 0]));
}
