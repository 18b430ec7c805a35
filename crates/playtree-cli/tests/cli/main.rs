//! Runs the built binary as a user or a script would.

mod analyze;
mod autotune;
mod bench;
mod data;
mod errors;
mod games;
mod gtp;
mod interrupt;
mod matches;
mod network;
mod perft;
mod play;
mod programs;
mod protocols;
mod report;
mod saved;
mod serve;
mod shell;
mod solve;
mod texts;
mod trace;

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use serde_json::Value;

/// What a run of the binary left behind.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// The binary with these arguments, not yet started.
fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_playtree"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the binary with these arguments and this text on stdin.
fn run_with_input(args: &[&str], input: &str) -> Run {
    let mut child = command(args).spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let input = input.to_owned();
    // Written from a thread: the answers may fill their pipe before the input is through.
    // A run that ends early closes stdin, which is no failure of the test.
    let writer = thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().expect("the binary ends");
    writer.join().expect("the writer does not panic");
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
    }
}

/// Runs the binary with these arguments.
fn run(args: &[&str]) -> Run {
    run_with_input(args, "")
}

/// Runs the binary and gives its stdout; fails if it complains.
fn text_of(args: &[&str]) -> String {
    let run = run(args);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "playtree {}", args.join(" "));
    run.stdout
}

/// Runs the binary and reads its stdout as one JSON value on one line.
fn json_of(args: &[&str]) -> Value {
    let text = text_of(args);
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).expect("stdout is JSON")
}

/// A file of a name that no other test uses, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("playtree-cli-{name}-{}", std::process::id())))
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a path in UTF-8")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
