//! The program as its user runs it, killed and begun again, and with what it cannot do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("playtree-train-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn train(game: &str, folder: &Path, options: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_playtree-train"));
    command.arg(game).arg("--out").arg(folder);
    command.args("--blocks 1 --channels 4 --games 24 --simulations 4 --measure 2".split(' '));
    command.args("--measure-games 4 --measure-simulations 4 --opponent 20".split(' '));
    command.args(options.split_whitespace());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(game: &str, folder: &Path, options: &str) -> Output {
    train(game, folder, options).output().expect("the program runs")
}

fn trained(game: &str, folder: &Path, options: &str) -> Vec<u8> {
    let output = run(game, folder, options);
    assert!(output.status.success(), "{output:?}");
    fs::read(folder.join("net.onnx")).unwrap()
}

#[test]
fn a_run_that_was_killed_gives_the_same_network() {
    for game in ["connect4", "othello6"] {
        let (whole, killed) = (Folder::new("whole"), Folder::new("killed"));
        let expected = trained(game, &whole.0, "--iterations 6 --threads 1");

        // Killed again and again, in whatever it does, while it gets on.
        let state = killed.0.join("state");
        let mut kills = 0;
        let (mut before, began) = (None, Instant::now());
        while kills < 4 && began.elapsed() < Duration::from_secs(120) {
            let mut child = train(game, &killed.0, "--iterations 6 --threads 2").spawn().unwrap();
            let is_over = loop {
                let now = fs::metadata(&state).and_then(|found| found.modified()).ok();
                let is_over = child.try_wait().unwrap().is_some();
                if is_over || now != before {
                    before = now;
                    break is_over;
                }
                thread::sleep(Duration::from_millis(1));
            };
            // Not always at the same place of the next iteration.
            thread::sleep(Duration::from_millis(3 + 20 * kills));
            child.kill().unwrap();
            child.wait().unwrap();
            if is_over {
                break;
            }
            kills += 1;
        }
        assert!(kills >= 2, "{game}: killed {kills} times");
        let found = trained(game, &killed.0, "--iterations 6 --threads 2");
        assert!(found == expected, "{game}: another network after {kills} kills");
        let other = Folder::new("other");
        assert!(trained(game, &other.0, "--iterations 6 --seed 2") != expected);
    }
}

#[test]
fn other_settings_are_another_run() {
    let folder = Folder::new("settings");
    trained("connect4", &folder.0, "--iterations 1");
    let output = run("connect4", &folder.0, "--iterations 1 --seed 2");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    assert!(text.contains("expected the settings that this run was begun with"), "{text}");
    assert!(text.contains("seed 1") && text.contains("seed 2"), "{text}");
    let output = run("othello6", &folder.0, "--iterations 1");
    assert!(!output.status.success());
    // Nothing is left to be done: the folder stays as it is.
    let before = fs::read(folder.0.join("state")).unwrap();
    trained("connect4", &folder.0, "--iterations 1");
    assert_eq!(fs::read(folder.0.join("state")).unwrap(), before);
}

#[test]
fn what_it_cannot_do_is_one_clear_error() {
    let folder = Folder::new("errors");
    fs::create_dir_all(&folder.0).unwrap();
    fs::write(folder.0.join("state"), "no state").unwrap();
    fs::write(folder.0.join("bad.tsv"), "44\t1 2 3\n").unwrap();
    let positions = format!("--iterations 1 --positions {}", folder.0.display());
    let missing = "--iterations 1 --positions /no/such/folder";
    for (game, options, expected) in [
        ("connect4", "--iterations 1", "expected a state of playtree-train"),
        ("connect4", &*positions, "bad.tsv:1: expected a score for each of 7 columns"),
        ("othello6", &*positions, "expected connect4 with --positions"),
        ("connect4", missing, "/no/such/folder: "),
    ] {
        let output = run(game, &folder.0, options);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.starts_with("playtree-train: ") && text.contains(expected), "{text}");
    }
    for options in ["--minutes -1", "--games 0", "--blocks x", "--minutes 1 --iterations 2"] {
        assert_eq!(run("connect4", &folder.0, options).status.code(), Some(2), "{options}");
    }
}

#[test]
fn what_it_prints_fits_a_terminal() {
    let folder = Folder::new("prints");
    let output = run("connect4", &folder.0, "--iterations 2");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().filter(|line| line.contains("games  loss")).count(), 2, "{text}");
    let paths = |line: &&str| !line.contains("net.onnx");
    assert!(text.lines().filter(paths).all(|line| line.len() <= 80), "{text}");
    assert!(text.contains("score"), "the second iteration is measured: {text}");
    let curve = fs::read_to_string(folder.0.join("curve.svg")).unwrap();
    assert!(curve.contains("polyline"));
}
