//! `playtree match` against programs: one that behaves, and some that do not.
//!
//! The one that behaves is `playtree gtp`; the others are written here.

#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{json_of, run, run_with_input};

/// A folder that is gone with its owner.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("playtree-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    /// A shell script that can be run.
    fn script(&self, text: &str) -> String {
        let path = self.0.join("program");
        let mut file = fs::OpenOptions::new()
            .create(true)
            .truncate(true)
            .write(true)
            .mode(0o755)
            .open(&path)
            .expect("a file");
        file.write_all(format!("#!/bin/sh\n{text}\n").as_bytes()).expect("it can be written");
        path.to_str().expect("UTF-8").to_owned()
    }

    /// A program that speaks GTP until it has to choose a move, and then does `deed`. Its number
    /// is in the file `pid`.
    fn gtp(&self, deed: &str) -> String {
        let pid = self.0.join("pid");
        self.script(&format!(
            "echo $$ >> {}\nwhile read -r command rest; do case $command in\n\
             list_commands) printf '= clear_board\\nplay\\ngenmove\\n\\n';;\n\
             genmove) {deed};;\n\
             quit) printf '=\\n\\n'; exit 0;;\n\
             *) printf '=\\n\\n';;\nesac; done",
            pid.display()
        ))
    }

    /// The programs that were started and have not ended.
    fn running(&self) -> Vec<String> {
        let pids = fs::read_to_string(self.0.join("pid")).expect("it has started");
        let alive = |pid: &&str| Path::new("/proc").join(pid).exists();
        pids.lines().filter(alive).map(str::to_owned).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Four games against a program that does `deed` when it is to move, and how they all end.
fn against(name: &str, deed: &str, reason: &str, score: f64) {
    let folder = Folder::new(name);
    let program = folder.gtp(deed);
    // Only silence has to be noticed soon: the rest may take the time that a busy machine wants.
    let timeout = if reason == "timeout" { "1s" } else { "60s" };
    let b = format!("gtp:{program},timeout={timeout}");
    let begin = Instant::now();
    let a = "mcts:simulations=10";
    let result = json_of(&["match", "othello", "--a", a, "--b", &b, "--games", "4", "--json"]);
    let took = begin.elapsed();
    let games = result["games"].as_array().expect("games");
    assert_eq!(games.len(), 4);
    for game in games {
        let found = (game["reason"].as_str(), game["score"].as_f64());
        assert_eq!(found, (Some(reason), Some(score)), "{name}: {game}");
    }
    let faults = if reason == "resigned" { 0 } else { 4 };
    assert_eq!(result["players"][1]["forfeits"], faults, "{name}");
    assert!(took < Duration::from_secs(60), "{name}: {took:?}");
    if cfg!(target_os = "linux") {
        assert_eq!(folder.running(), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_crash_is_a_loss() {
    against("crash", "exit 3", "crash", 1.0);
}

#[test]
fn silence_is_a_loss_and_the_program_is_ended_with_all_it_started() {
    against("silence", "sleep 1000", "timeout", 1.0);
    against("deaf", "trap '' TERM HUP INT; while :; do sleep 1000; done", "timeout", 1.0);
    against("chatter", "while :; do echo thinking; done", "timeout", 1.0);
}

#[test]
fn an_illegal_move_is_a_loss() {
    against("illegal", "printf '= a1\\n\\n'", "illegal_move", 1.0);
    against("nonsense", "printf '= checkmate\\n\\n'", "illegal_move", 1.0);
}

#[test]
fn a_refusal_is_a_loss_and_so_is_giving_up() {
    against("refusal", "printf '? I will not\\n\\n'", "protocol", 1.0);
    against("resign", "printf '= resign\\n\\n'", "resigned", 1.0);
}

/// Two games on a clock, the second begun by `b`; the result, and the lines that `b` got.
fn on_a_clock(folder: &Folder, game: &str, b: &str, clock: &str) -> (Value, Vec<String>) {
    let args = ["match", game, "--a", "random", "--b", b, "--games", "2", "--openings-plies", "0"];
    let result = json_of(&[&args[..], &["--clock", clock, "--json"]].concat());
    let log = fs::read_to_string(folder.0.join("log")).expect("it got some lines");
    (result, log.lines().map(str::to_owned).collect())
}

#[test]
fn a_clock_that_is_used_up_is_a_loss_on_time() {
    let folder = Folder::new("on-time");
    let program = folder.gtp("sleep 1000");
    fs::write(folder.0.join("log"), "").expect("a file");
    let (result, _) = on_a_clock(&folder, "othello", &format!("gtp:{program}"), "1s");
    for game in result["games"].as_array().expect("games") {
        assert_eq!((&game["reason"], &game["score"]), (&"on_time".into(), &1.0.into()), "{game}");
        let detail = game["detail"].as_str().expect("a detail");
        assert!(
            detail.starts_with("expected a move within 1.000s on the clock, found "),
            "{detail}"
        );
    }
    let b = &result["players"][1];
    assert_eq!((&b["losses_on_time"], &b["forfeits"]), (&2.into(), &0.into()));
}

#[test]
fn programs_are_told_their_clocks_by_each_protocol() {
    let folder = Folder::new("clocks");
    let log = format!("echo \"$line\" >> {}", folder.0.join("log").display());
    // Each says what it must until it is to move, and then no move at all.
    let listens = |answers: &str| {
        let loop_of = format!("while read -r line; do {log}; case $line in {answers} esac; done");
        fs::write(folder.0.join("log"), "").expect("a file");
        folder.script(&loop_of)
    };
    let uci = "uci*) echo uciok;; ucci) echo ucciok;; isready) echo readyok;; \
               go*) echo bestmove none;; quit) exit 0;;";
    let program = listens(uci);
    let (_, sent) = on_a_clock(&folder, "xiangqi", &format!("uci:{program}"), "9s+2s");
    let go = sent.iter().rfind(|line| line.starts_with("go")).expect("it was to move");
    assert_eq!(go, "go wtime 9000 btime 9000 winc 2000 binc 2000");

    let program = listens(uci);
    let (_, sent) = on_a_clock(&folder, "xiangqi", &format!("ucci:{program}"), "9s/40");
    let go = sent.iter().rfind(|line| line.starts_with("go")).expect("it was to move");
    assert_eq!(go, "go time 9000 movestogo 40 opptime 9000 oppmovestogo 40");

    let program =
        listens("protover*) echo feature ping=0 done=1;; go) echo move none;; quit) exit 0;;");
    let (_, sent) = on_a_clock(&folder, "xiangqi", &format!("xboard:{program}"), "90s+2s");
    assert!(sent.contains(&"level 0 1:30 2".to_owned()), "{sent:?}");
    let go = sent.iter().rposition(|line| line == "go").expect("it was to move");
    assert_eq!(sent[go - 2..go], ["time 9000", "otim 9000"]);

    let program = listens(
        "list_commands) printf '= clear_board\\nplay\\ngenmove\\ntime_settings\\ntime_left\\n\\n';; \
         genmove*) printf '= none\\n\\n';; quit) exit 0;; *) printf '=\\n\\n';;",
    );
    let (_, sent) = on_a_clock(&folder, "othello", &format!("gtp:{program}"), "90s+3x10s");
    assert!(sent.contains(&"time_settings 90 10 1".to_owned()), "{sent:?}");
    let genmove = sent.iter().rposition(|line| line == "genmove black").expect("it was to move");
    assert_eq!(sent[genmove - 1], "time_left black 90 0");
}

#[test]
fn a_clock_without_words_in_a_protocol_is_an_error() {
    let folder = Folder::new("byo-yomi");
    let uci = folder.script(
        "while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
         quit) exit 0;; esac; done",
    );
    let b = format!("uci:{uci}");
    let run = run(&["match", "xiangqi", "--a", "random", "--b", &b, "--clock", "3x30s"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("expected a clock such as 5m"), "{}", run.stderr);
}

#[test]
fn a_program_that_cannot_be_played_with_is_an_error() {
    let folder = Folder::new("unfit");
    let mute = folder.script("exit 7");
    for (b, parts) in [
        ("gtp:no-such-program".to_owned(), &["a program to run", "no-such-program"][..]),
        (format!("gtp:{mute}"), &["list_commands", "ended", "7"]),
        (format!("uci:{mute}"), &["uci", "othello"]),
        (format!("xboard:{mute}"), &["xboard", "othello"]),
        (format!("gtp:{mute},depth=3"), &["depth"]),
    ] {
        let run = run(&["match", "othello", "--a", "random", "--b", &b, "--games", "2"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{b}: {}", run.stderr);
        for part in ["--b: ", "expected", "found"].iter().chain(parts) {
            assert!(run.stderr.contains(part), "'{part}' in {}", run.stderr);
        }
    }
}

#[test]
fn our_own_program_plays_over_uci() {
    let program = env!("CARGO_BIN_EXE_playtree");
    for game in ["breakthrough", "xiangqi"] {
        let b = format!(r#"uci:"{program}",args="uci {game} mcts:simulations=20",nodes=20"#);
        let a = "mcts:simulations=20";
        let options = ["--games", "2", "--max-plies", "30", "--json"];
        let found = json_of(&[&["match", game, "--a", a, "--b", &b][..], &options].concat());
        assert_eq!(found["players"][1]["forfeits"], 0, "{game}: {found}");
    }
}

/// A match against `playtree gtp`.
fn against_ourselves(game: &str, options: &[&str]) -> Value {
    let program = env!("CARGO_BIN_EXE_playtree");
    let b = format!(r#"gtp:"{program}",args="gtp {game} mcts:simulations=20""#);
    let a = "mcts:simulations=20";
    let mut args = vec!["match", game, "--a", a, "--b", &b, "--games", "4", "--json"];
    args.extend(options);
    json_of(&args)
}

#[test]
fn our_own_program_plays_every_game_to_its_end() {
    for (game, options) in [
        ("tictactoe", &[][..]),
        ("connect4", &[]),
        ("othello", &["--concurrency", "2"]),
        ("hex", &["--position", "5:"]),
        ("nim", &[]),
    ] {
        let result = against_ourselves(game, options);
        for played in result["games"].as_array().expect("games") {
            assert_eq!(played["reason"], "rules", "{game}: {played}");
        }
        assert_eq!(result["players"][1]["forfeits"], 0, "{game}");
    }
}

#[test]
fn a_session_of_ours_can_be_held_by_hand() {
    let input = "1 name\n2 boardsize 4\n3 play b b2\n4 genmove w\n5 genmove w\n6 quit\n7 name\n";
    let run = run_with_input(&["gtp", "hex", "mcts:simulations=50"], input);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let answers: Vec<&str> = run.stdout.split("\n\n").map(str::trim).collect();
    assert_eq!(answers.len(), 7, "{answers:?}");
    assert_eq!(&answers[..3], ["=1 playtree", "=2", "=3"]);
    assert!(answers[3].starts_with("=4 ") && answers[3].len() == 5, "{answers:?}");
    assert!(answers[4].starts_with("?5 ") && answers[5] == "=6", "{answers:?}");
}

/// Four games against an external program; none ends by a fault.
fn agrees_with(program: &str, game: &str, b: &str) {
    agrees_with_options(program, game, b, &[]);
}

/// As `agrees_with`, with more options of the match.
fn agrees_with_options(program: &str, game: &str, b: &str, options: &[&str]) {
    if !Path::new("/usr/games").join(program).exists() {
        println!("skipped: there is no {program} (ci/opponents.sh)");
        return;
    }
    let args = ["match", game, "--a", "mcts:simulations=50", "--b", b, "--games", "4", "--json"];
    let result = json_of(&[&args[..], options].concat());
    for game in result["games"].as_array().expect("games") {
        assert_eq!(game["detail"], Value::Null, "{game}");
    }
}

#[test]
fn programs_of_others_play_by_our_rules() {
    agrees_with("gtp-rhino", "othello", "gtp:gtp-rhino,level=1");
    agrees_with("hoixiangqi", "xiangqi", "xboard:hoixiangqi,depth=2");
    agrees_with("fairy-stockfish", "xiangqi", "uci:fairy-stockfish,depth=2");
    agrees_with("fairy-stockfish", "xiangqi", "ucci:fairy-stockfish,nodes=500,threads=1");
    agrees_with("fairy-stockfish", "xiangqi", "uci:fairy-stockfish,time=10ms,options=Hash=4");
    for b in ["uci:fairy-stockfish,options=Hash=4", "ucci:fairy-stockfish,options=Hash=4"] {
        agrees_with_options(
            "fairy-stockfish",
            "xiangqi",
            b,
            &["--clock", "2s+100ms", "--max-plies", "30"],
        );
    }
    agrees_with_options(
        "hoixiangqi",
        "xiangqi",
        "xboard:hoixiangqi",
        &["--clock", "3s/40", "--max-plies", "30"],
    );
}

/// Starts a match against a program that does `deed` when it is to move, sends it these signals as
/// soon as it does so, and waits until neither is left.
#[cfg(target_os = "linux")]
fn ended_by(name: &str, deed: &str, signals: &[&str]) {
    let folder = Folder::new(name);
    let deaf = folder.0.join("deaf");
    let deed = format!("echo $$ > {}; {deed}", deaf.display());
    let b = format!("gtp:{},timeout=1h", folder.gtp(&deed));
    let args = ["match", "othello", "--a", "random", "--b", &b, "--games", "2"];
    let mut child = crate::command(&args).spawn().expect("the binary starts");
    while fs::read_to_string(&deaf).unwrap_or_default().is_empty() {
        assert!(child.try_wait().expect("a child").is_none(), "{name}: it has ended early");
        std::thread::sleep(Duration::from_millis(5));
    }
    // The handler of Ctrl-C is there before the first program is.
    for signal in signals {
        let pid = child.id().to_string();
        let kill = std::process::Command::new("kill").args([*signal, pid.as_str()]).status();
        assert!(kill.expect("there is a kill").success());
    }
    child.wait_with_output().expect("the binary ends");
    let begin = Instant::now();
    while !folder.running().is_empty() {
        assert!(begin.elapsed() < Duration::from_secs(30), "{name}: it outlives its owner");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether this process ignores a signal, as one that `nohup` has started ignores SIGHUP: what it
/// starts does so as well.
#[cfg(target_os = "linux")]
fn is_ignored(number: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").expect("there is /proc");
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("a mask");
    u64::from_str_radix(mask.trim(), 16).expect("hexadecimal digits") >> (number - 1) & 1 == 1
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_ends_with_the_match_whatever_ends_that() {
    // What it starts is in the file as well.
    let deed = |folder: &str| {
        let pid = std::env::temp_dir().join(format!("playtree-{}-{folder}", std::process::id()));
        let pid = pid.join("pid");
        format!("trap '' TERM HUP INT; sleep 1000 & echo $! >> {}; wait; sleep 1000", pid.display())
    };
    for (signals, numbers) in [
        (&["-TERM"][..], &[15][..]),
        (&["-HUP"], &[1]),
        (&["-KILL"], &[9]),
        (&["-INT", "-INT", "-TERM"], &[2, 15]),
    ] {
        let name = format!("ended{}", signals.concat());
        if numbers.iter().any(|&number| is_ignored(number)) {
            println!("skipped: {name}: the signal is ignored here, so the match ignores it too");
            continue;
        }
        ended_by(&name, &deed(&name), signals);
    }
}

#[test]
fn what_a_program_says_is_shown_without_harm() {
    let folder = Folder::new("harm");
    let long = "%0200000d";
    let deeds = [
        format!("printf '? \\033[2J\\007{long}\\n\\n' 1"),
        format!("printf '= \\033]0;x\\007{long}\\n\\n' 1"),
        "printf 'b\\302\\233ye\\r\\033c\\n'; exit 1".to_owned(),
    ];
    for deed in deeds {
        let b = format!("gtp:{}", folder.gtp(&deed));
        let run = run(&["match", "othello", "--a", "random", "--b", &b, "--games", "2"]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{deed}");
        let acts = |c: char| c.is_control() && c != '\n';
        assert!(!run.stdout.contains(acts), "{deed}: {:?}", run.stdout);
        assert!(run.stdout.contains(r"\u{1b}"), "{deed}: {}", run.stdout);
        assert!(run.stdout.lines().all(|line| line.len() < 500), "{deed}");
    }
    // Before the first move, in the one line of an error.
    let program = folder.script("printf '\\033[31m%01000d\\n' 1; exit 1");
    let run = run(&["match", "othello", "--a", "random", "--b", &format!("gtp:{program}")]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains(r"\u{1b}[31m0000") && run.stderr.len() < 800, "{}", run.stderr);
    assert!(!run.stderr.trim_end().contains(char::is_control), "{:?}", run.stderr);
}
