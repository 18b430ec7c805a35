//! What a user reads: it fits a terminal of 80 columns, has one kind of quotes, and names what was
//! typed.

use crate::{command, run, run_with_input, text_of};

/// Every command.
const COMMANDS: [&str; 17] = [
    "games",
    "play",
    "analyze",
    "solve",
    "perft",
    "table",
    "trace",
    "bench",
    "autotune",
    "match",
    "gtp",
    "uci",
    "xboard",
    "piskvork",
    "serve",
    "completions",
    "man",
];

/// No line is wider than a terminal, and words are quoted in one way.
fn fits(what: &str, text: &str) {
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{what}: {line}");
    }
    assert!(!text.contains('`'), "{what}: {text}");
}

fn help_of(name: &str) -> String {
    let output = command(&[name, "--help"]).env("COLUMNS", "200").output().expect("it starts");
    String::from_utf8(output.stdout).expect("it is UTF-8")
}

#[test]
fn every_help_fits_a_terminal() {
    fits("playtree", &text_of(&["--help"]));
    for name in COMMANDS {
        fits(name, &help_of(name));
        fits(name, &text_of(&[name, "-h"]));
    }
    // A line for each command, its first sentence.
    let all = text_of(&["--help"]);
    assert!(
        all.contains(
            "  match     Let two players play against each other, and say which is stronger"
        ),
        "{all}"
    );
    assert!(!help_of("match").contains("chance,"));
}

/// The option lines under each heading of a help.
fn headings(help: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for line in help.lines() {
        if !line.starts_with(' ') && line.ends_with(':') {
            found.push((line.to_owned(), Vec::new()));
        } else if let (Some(option), Some((_, options))) =
            (line.trim_start().strip_prefix("--"), found.last_mut())
            && line.starts_with("      --")
        {
            let end = option.find([' ', '[', '=']).unwrap_or(option.len());
            options.push(option[..end].to_owned());
        }
    }
    found
}

#[test]
fn options_stand_under_the_heading_that_they_belong_to() {
    let analyze = headings(&help_of("analyze"));
    let under = |all: &[(String, Vec<String>)], option: &str| {
        let found = all.iter().find(|(_, options)| options.iter().any(|one| one == option));
        found.map(|(heading, _)| heading.clone()).unwrap_or_default()
    };
    for (option, heading) in [
        ("threads", "Options:"),
        ("seed", "Options:"),
        ("no-proofs", "Options:"),
        ("top", "Options:"),
        ("json", "Options:"),
        ("time", "Limits:"),
        ("only", "Moves at the root:"),
        ("load", "Saved table:"),
        ("compress", "Saved table:"),
        ("selection", "Engine:"),
        ("literal", "Engine:"),
    ] {
        assert_eq!(under(&analyze, option), heading, "--{option}");
    }
    let bench = headings(&help_of("bench"));
    for (option, heading) in [
        ("json", "Options:"),
        ("latency", "With --latency:"),
        ("time", "With --latency:"),
        ("depth", "With --alphabeta:"),
        ("openings", "With --alphabeta:"),
        ("modes", "With --alphabeta:"),
        ("selection", "Engine:"),
    ] {
        assert_eq!(under(&bench, option), heading, "--{option}");
    }
    let solve = headings(&help_of("solve"));
    assert_eq!(
        (under(&solve, "walk"), under(&solve, "save")),
        ("Options:".into(), "Saved table:".into())
    );
}

#[test]
fn tables_and_summaries_fit_a_terminal() {
    for args in [
        &["games"][..],
        &["analyze", "xiangqi", "--simulations", "500", "--threads", "2", "--seed", "1"],
        &[
            "analyze",
            "xiangqi",
            "--engine",
            "alphabeta:memory=1MiB",
            "--depth",
            "3",
            "--threads",
            "1",
        ],
        &["analyze", "hex", "--simulations", "500", "--lock-policy", "yield"],
        &["solve", "nim", "--threads", "1"],
        &["match", "nim", "--a", "mcts:simulations=9", "--b", "random", "--games", "4"],
        &[
            "bench",
            "nim",
            "--simulations",
            "99",
            "--repetitions",
            "1",
            "--threads",
            "2",
            "--oversubscribe",
        ],
        &[
            "bench",
            "nim",
            "--alphabeta=memory=1MiB",
            "--depth",
            "3",
            "--threads",
            "1,2",
            "--openings",
            "2",
            "--repetitions",
            "1",
            "--openings-plies",
            "1",
        ],
    ] {
        fits(&args.join(" "), &text_of(args));
    }
    let args = ["match", "nim", "--a", "random", "--b", "random", "--games", "2"];
    assert!(text_of(&args).contains("games lost on time"));
}

/// The one line of a failure, without the name of the program.
fn error_of(args: &[&str]) -> String {
    let run = run(args);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let line = run.stderr.lines().next().unwrap_or_default();
    line.strip_prefix("playtree: ").expect("the name of the program").to_owned()
}

#[test]
fn an_error_says_what_was_typed_what_was_expected_and_what_was_found() {
    for (args, expected) in [
        (
            "analyze nim --selection ucb1 --bias 1",
            "expected --selection grave with --bias 1, found --selection ucb1",
        ),
        (
            "analyze nim --reference 5",
            "expected --selection grave with --reference 5, found no --selection",
        ),
        (
            "analyze nim --engine alphabeta --exploration 1",
            "expected --engine or --exploration, found both",
        ),
        (
            "analyze nim --engine alphabeta --literal --shards 3",
            "expected --engine or --shards, --literal, found both",
        ),
        (
            "analyze nim --time 1",
            "--time: expected a duration with its unit such as 250ms, 1.5s or 2m, found '1'",
        ),
        (
            "analyze nim --engine mcts:c=1",
            "--engine: expected mcts and its settings as options of the command, such as \
             --exploration 1, found 'mcts:c=1'",
        ),
        (
            "analyze nim --engine random",
            "--engine: expected mcts, or alphabeta with its settings, found 'random'",
        ),
        ("analyze nim --time 1s --time 2s", "expected --time once, found it more often"),
        ("analyze nim --soft-time 1s", "--soft-time: expected --time beside it, found nothing"),
        ("analyze nim --literal=3", "--literal: expected --literal without a value, found '3'"),
        (
            "analyze nim --exploration -1",
            "--exploration: expected an exploration constant of 0 to 1000000, found '-1'",
        ),
        (
            "analyze nim --selection grave",
            "--selection: expected a game in which grave can tell moves apart (breakthrough, gomoku, \
             hex, othello), found another one",
        ),
        (
            "analyze connect4 --first-play-urgency 0.1",
            "--first-play-urgency: expected --cut-off or --prior beside it, found neither",
        ),
        (
            "analyze nim --position 1,1 --except 1-1,2-1",
            "--except: expected a move to search among the 2 legal ones, found all of them left out",
        ),
        (
            "analyze connect4 --position 8",
            "--position: expected a column, 1 to 7, found '8' as move 1",
        ),
        (
            "analyze nim --load /etc/passwd",
            "--load: /etc/passwd: expected a table or facts saved by playtree, found another kind of file",
        ),
        (
            "bench hex --modes root",
            "--modes: expected --depth and --alphabeta beside it, found nothing",
        ),
        ("bench hex --calls 9", "--calls: expected --latency beside it, found nothing"),
        (
            "match nim --a random --b random --concurrency 0",
            "--concurrency: expected a number of games from 1 to 1024, found '0'",
        ),
        (
            "match nim --a random --b random --openings-plies 99",
            "--openings-plies: expected fewer plies, after which the game goes on, found '99'",
        ),
        (
            "match nim --a random --b mcts:cut-off=3",
            "--b: cut-off: expected a game with an evaluation (breakthrough, connect4, gomoku, othello, xiangqi), found another one",
        ),
        (
            "match nim --a random --b mcts:soft-time=1s",
            "--b: expected time beside it, found nothing (character 6)",
        ),
        (
            "match nim --a random --b mcts:literal=yes",
            "--b: expected literal without a value, found 'yes' (character 6)",
        ),
        (
            "match nim --a random --b mcts:c=1,ucb=tuned",
            "--b: expected ucb ucb1 with c 1, found ucb tuned (character 10)",
        ),
        (
            "match nim --a random --b mcts:time=1s,time=2s",
            "--b: expected time once, found it more often (character 14)",
        ),
        (
            "analyse nim",
            "expected one of games, play, analyze, solve, perft, table, trace, bench, autotune, match, gtp, \
             uci, xboard, piskvork, serve, completions, man, found 'analyse'; is 'analyze' meant?",
        ),
        (
            "analyze nim --selection grav",
            "--selection: expected one of ucb1, ucb1-tuned, grave, history, puct, found 'grav'; \
             is 'grave' meant?",
        ),
        (
            "analyze nim --engine alphbeta",
            "--engine: expected one of mcts, alphabeta, random, uci, ucci, xboard, gtp, found 'alphbeta'; \
             is 'alphabeta' meant? (character 1)",
        ),
        (
            "match nim --a random --b alphabeta:mode=spilt",
            "--b: expected one of root, split, table, found 'spilt'; is 'split' meant? (character 16)",
        ),
    ] {
        let words: Vec<&str> = args.split(' ').collect();
        assert_eq!(error_of(&words), expected, "playtree {args}");
    }
    let game = error_of(&["analyze", "tictatoe"]);
    assert!(game.ends_with("found 'tictatoe'; is 'tictactoe' meant?"), "{game}");
    let key = error_of(&["match", "nim", "--a", "random", "--b", "mcts:simulation=9"]);
    assert!(key.ends_with("found 'simulation'; is 'simulations' meant? (character 6)"), "{key}");
    let raw = error_of(&["analyze", "\u{1b}[2J\nchess"]);
    assert!(raw.ends_with("found ' [2J chess'"), "{raw}");
    let long = error_of(&["analyze", &"x".repeat(100_000)]);
    assert!(long.len() < 5_000 && long.ends_with("xxx..."));
    let wrong = run(&["bench", "hex", "--alphabeta=memroy=1MiB", "--depth", "2"]);
    assert!(
        wrong.stderr.ends_with(
            "found 'memroy'; is 'memory' meant? (character 1)\n  memroy=1MiB\n  ^^^^^^\n"
        ),
        "{}",
        wrong.stderr
    );
}

#[test]
fn a_line_that_is_no_game_is_described_in_our_words() {
    for (line, found) in [
        ("{", "the end of the line before the end of the object"),
        ("nul", "no JSON"),
        ("x", "no JSON"),
        (r#"{"moves" ["1"]}"#, "no JSON at character 10"),
        ("[]", "a list instead of an object"),
        (r#"{"moves":["1",2]}"#, "2 for move 2"),
        (r#"{"moves":"1"}"#, "a text for the moves"),
        (r#"{"position":{},"moves":[]}"#, "an object for the position"),
        (r#"{"moves":[],"x":1}"#, "the unknown field 'x'"),
        ("{}", "no moves"),
    ] {
        let run = run_with_input(&["trace", "tictactoe"], &format!("{line}\n"));
        let expected = r#"line 1: expected {"position": text or absent, "moves": [text, ...]}"#;
        assert_eq!(run.stderr, format!("playtree: {expected}, found {found}\n"), "{line}");
    }
    let endless = "x".repeat((1 << 26) + 1);
    let run = run_with_input(&["trace", "tictactoe"], &endless);
    assert!(run.stderr.starts_with("playtree: line 1: expected at most 67108864 bytes"));
}
