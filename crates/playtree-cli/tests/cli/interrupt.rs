//! Ctrl-C ends a search, which then says what it knows.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::command;

/// Whether a process has a handler for the signal of Ctrl-C, number 2.
fn listens(pid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("Linux");
    u64::from_str_radix(caught.trim(), 16).expect("a mask") >> (2 - 1) & 1 == 1
}

#[test]
fn without_a_limit_a_search_goes_on_until_ctrl_c() {
    let child = command(&["analyze", "othello", "--memory", "16MiB", "--json"]).spawn();
    let child = child.expect("the binary starts");
    while !listens(child.id()) {
        thread::sleep(Duration::from_millis(1));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("there is a kill").success());
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    let json: Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(json["stop_reason"], "stopped");
    assert_eq!(json["moves"].as_array().expect("the moves").len(), 4);
}
