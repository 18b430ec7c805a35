//! What a user gets wrong: one line that says what was expected and found, exit code 2.

use crate::run;

/// The command fails with exit code 2, nothing on stdout, and one line on stderr that holds
/// each of `parts`.
fn refused(args: &[&str], parts: &[&str]) {
    let run = run(args);
    let line = format!("playtree {}: {}", args.join(" "), run.stderr);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{line}");
    assert_eq!(run.stderr.lines().count(), 1, "{line}");
    for part in ["playtree: ", "expected", "found"].iter().chain(parts) {
        assert!(run.stderr.contains(part), "'{part}' in {line}");
    }
    // One kind of quotes, no placeholder behind an option, no template that was not filled in.
    for part in ["`", "> ", ">:", "{}", "::"] {
        let message = run.stderr.replace("<GAME> ", "");
        assert!(!message.contains(part), "'{part}' in {line}");
    }
}

#[test]
fn an_unknown_game() {
    for command in ["analyze", "trace", "bench", "autotune"] {
        refused(&[command, "chess"], &["connect4", "chess"]);
    }
    refused(&["perft", "chess", "--depth", "1"], &["connect4", "chess"]);
    refused(&["bench", "nim", "chess"], &["chess"]);
}

#[test]
fn an_unreadable_position() {
    for (game, position) in [
        ("tictactoe", "XO"),
        ("tictactoe", "XXXX....."),
        ("connect4", "8"),
        ("connect4", "1111111"),
        ("othello", "-"),
        ("hex", "20:"),
        ("hex", "11:a1 a1"),
        ("nim", "one"),
        ("nim", ""),
    ] {
        refused(&["analyze", game, "--position", position], &["--position"]);
        refused(&["perft", game, "--position", position, "--depth", "2"], &["--position"]);
    }
}

#[test]
fn a_finished_game() {
    for (game, position) in [("tictactoe", "XXXOO...."), ("connect4", "1212121"), ("nim", "0,0")] {
        refused(&["analyze", game, "--position", position], &["finished game"]);
        let perft = ["perft", game, "--position", position, "--depth", "1"];
        refused(&perft, &["finished game"]);
    }
}

#[test]
fn contradictory_options() {
    for options in [
        "--selection ucb1-tuned --exploration 1.4",
        "--expansion everything --from-visit 2",
        "--expansion adaptive --from-visit 2",
        "--table one-lock --shards 8",
        "--in-flight count --virtual-loss 1",
        "--in-flight ignore --virtual-loss 1",
        "--parallelism rounds --simulated-workers 4",
        "--parallelism shared --simulated-workers 4",
        "--values tree --shards 8",
        "--values tree --table one-lock",
        "--literal --expansion one",
        "--literal --from-visit 2",
        "--literal --warm-up-draw any",
        "--literal --table one-lock",
        "--literal --shards 8",
        "--literal --round-size 1",
        "--json --top 3",
        "--time 1s --time 2s",
        "--time 1s --clock 5m",
        "--engine alphabeta --exploration 1",
        "--engine alphabeta --temperature 1",
    ] {
        let options: Vec<&str> = options.split(' ').collect();
        let named = options.iter().rfind(|option| option.starts_with("--")).expect("an option");
        refused(&[&["analyze", "tictactoe"], &options[..]].concat(), &[named]);
    }
}

#[test]
fn moves_that_are_not_legal_or_all_left_out() {
    refused(&["analyze", "tictactoe", "--position", "X........", "--only", "2,1"], &["--only"]);
    let args = ["analyze", "nim", "--position", "1,1"];
    refused(&[&args[..], &["--except", "1-1,2-1"]].concat(), &["2 legal"]);
}

#[test]
fn a_value_out_of_range() {
    for options in [
        "--time 1",
        "--time 0s",
        "--time fast",
        "--simulations 0",
        "--simulations -5",
        "--nodes none",
        "--soft-time 0s --time 1s",
        "--bytes none",
        "--depth 0",
        "--settled 0",
        "--settled soon",
        "--cannot-be-overtaken 1.5",
        "--clock 5m+3",
        "--clock fast",
        "--threads 0",
        "--threads -1",
        "--threads 5000",
        "--seed -1",
        "--exploration nan",
        "--exploration -1",
        "--warm-up 0",
        "--from-visit 0",
        "--parallelism leaf",
        "--simulated-workers 0",
        "--simulated-workers 5000",
        "--shards 0",
        "--shards 1000000",
        "--virtual-loss 0",
        "--memory 64mb",
        "--round-size 0",
        "--round-size 5000",
        "--rollout-limit 0",
        "--rollouts-per-leaf 0",
        "--rollouts-per-leaf 65",
        "--cut-off -1",
        "--cut-off 0",
        "--prior 0",
        "--prior 4",
        "--first-play-urgency 2",
        "--first-play-urgency 0.1",
        "--lock-policy spin",
        "--selection puct",
        "--top 0",
        "--only 0",
        "--only 1,1,10",
        "--except x",
        "--detailed 0",
        "--visit-floor 0",
        "--temperature -1",
        "--temperature hot",
        "--contempt 0.6",
        "--contempt nan",
    ] {
        let options: Vec<&str> = options.split(' ').collect();
        refused(&[&["analyze", "tictactoe"], &options[..]].concat(), &[options[0]]);
    }
    refused(&["perft", "nim", "--depth", "0"], &["--depth"]);
    refused(&["bench", "nim", "--repetitions", "0"], &["--repetitions"]);
    refused(&["bench", "hex", "--latency", "--calls", "0"], &["--calls"]);
    refused(&["bench", "hex", "--latency", "--time", "20"], &["--time"]);
    let bench = ["bench", "hex", "--alphabeta", "--depth", "2"];
    refused(&[&bench[..], &["--threads", "1,0"]].concat(), &["--threads"]);
    refused(&[&bench[..], &["--modes", "split,lazy"]].concat(), &["--modes"]);
    refused(&[&bench[..], &["--min-split-depth", "0"]].concat(), &["--min-split-depth"]);
    refused(&[&bench[..], &["--max-threads-per-split", "1"]].concat(), &["max-threads-per-split"]);
    refused(&["autotune", "hex", "--depth", "1"], &["--depth", "2 plies"]);
    refused(&["autotune", "hex", "--threads", "1"], &["--threads", "2 threads"]);
    refused(&["autotune", "hex", "--settings", "no-pvs,mode=root"], &["--settings", "'mode'"]);
    refused(&["autotune", "hex", "--repetitions", "0"], &["--repetitions"]);
    let wrong = run(&["bench", "hex", "--alphabeta=memroy=1MiB", "--depth", "2"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("--alphabeta: expected a key"), "{}", wrong.stderr);
}

#[test]
fn arguments_that_are_not_there_or_not_known() {
    refused(&["analyse", "nim"], &["analyze", "'analyse'"]);
    refused(&["analyze"], &["<GAME>"]);
    refused(&["perft", "nim"], &["--depth"]);
    refused(&["trace"], &["<GAME>"]);
    refused(&["analyze", "nim", "--soft-time", "1s"], &["--time"]);
    refused(&["analyze", "nim", "--lag", "1s"], &["--clock"]);
    let players = ["match", "nim", "--a", "random", "--b", "random"];
    refused(&[&players[..], &["--lag", "1s"]].concat(), &["--clock"]);
    refused(&[&players[..], &["--clock", "5m", "--time", "1s"]].concat(), &["--clock", "--time"]);
    refused(&[&players[..], &["--clock", "5m+"]].concat(), &["--clock", "5m+3s", "'5m+'"]);
    refused(&["analyze", "nim", "--tim", "1s"], &["'--tim'", "'--time'"]);
    refused(&["analyze", "nim", "extra"], &["'extra'"]);
    refused(&["bench", "hex", "--calls", "9"], &["--latency"]);
    refused(&["bench", "hex", "--latency", "--simulations", "9"], &["--latency", "--simulations"]);
    refused(&["bench", "hex", "--threads", "1,2"], &["--threads", "--alphabeta"]);
    refused(&["bench", "hex", "--alphabeta"], &["--depth"]);
    refused(&["bench", "--alphabeta", "--depth", "2"], &["GAME"]);
    refused(&["bench", "hex", "--modes", "root"], &["--alphabeta"]);
    let missing = ["bench", "hex", "--alphabeta", "--depth", "2", "--positions", "/nowhere"];
    refused(&missing, &["--positions", "/nowhere"]);
    refused(&["bench", "hex", "--openings", "3"], &["--alphabeta"]);
    refused(&["autotune", "hex", "--positions", "/nowhere"], &["--positions", "/nowhere"]);
    refused(&["autotune"], &["<GAME>"]);
    // There is nothing to wait for: it is proven at once.
    let args = ["bench", "tictactoe", "--latency", "--time", "1m"];
    refused(&args, &["tictactoe", "proven"]);
    refused(&["analyze", "nim", "--time"], &["--time"]);
}

#[test]
fn help_and_version_are_no_errors() {
    for args in [&["--help"][..], &["--version"], &["analyze", "--help"], &["help", "bench"]] {
        let run = run(args);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{args:?}");
        assert!(!run.stdout.is_empty());
    }
    let bare = run(&[]);
    assert_eq!((bare.code, bare.stdout.as_str()), (Some(2), ""));
    assert!(bare.stderr.contains("Usage: playtree <COMMAND>"));
}

#[test]
fn numbers_that_are_too_large() {
    let long = "99999999999999999999";
    let most = "expected a whole number of at most 18446744073709551615, found '99999";
    refused(&["analyze", "nim", "--simulations", long], &["--simulations: ", most]);
    let most = "expected a number of plies of at most 4294967295, found '99999";
    refused(&["solve", "nim", &format!("--strategy={long}")], &["--strategy: ", most]);
}

#[test]
fn more_plies_than_a_game_has() {
    let expected =
        "--openings-plies: expected fewer plies, after which the game goes on, found '16'";
    refused(&["autotune", "nim"], &[expected]);
}

#[test]
fn an_option_that_needs_another_one() {
    let expected = "--save-every: expected --save beside it, found nothing";
    refused(&["analyze", "nim", "--save-every", "1s"], &[expected]);
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let mut command = crate::command(&["analyze", "nim", "--position"]);
    let output = command.arg(OsStr::from_bytes(b"\xff1")).output().expect("the binary starts");
    let stderr = String::from_utf8(output.stderr).expect("it is UTF-8");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stderr, "playtree: expected arguments in UTF-8, found other bytes\n");
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written() {
    for arguments in [&["--version"][..], &["--help"], &["analyze", "--help"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux");
        let output = crate::command(arguments).stdout(full).output().expect("the binary starts");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    }
}
