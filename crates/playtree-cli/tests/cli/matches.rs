//! `playtree match`: who plays, how games end, and what is counted.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{json_of, run, text_of};

/// A match as JSON.
fn match_of(game: &str, a: &str, b: &str, options: &str) -> Value {
    let mut args = vec!["match", game, "--a", a, "--b", b, "--json"];
    args.extend(options.split_whitespace());
    json_of(&args)
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn each_opening_is_played_with_both_sides_and_everything_adds_up() {
    let options = "--games 12 --openings-plies 3 --seed 5";
    let result = match_of("connect4", "mcts:simulations=60", "mcts:simulations=20", options);
    let games = list(&result["games"]);
    assert_eq!(games.len(), 12);
    let mut openings = BTreeSet::new();
    for pair in games.chunks(2) {
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
        assert_eq!((&pair[0]["first"], &pair[1]["first"]), (&"a".into(), &"b".into()));
        assert_eq!(list(&pair[0]["opening"]).len(), 3);
        openings.insert(pair[0]["opening"].to_string());
    }
    assert_eq!((openings.len(), &result["openings"]), (6, &6.into()));
    let points: f64 = games.iter().map(|game| number(&game["score"])).sum();
    let [won, drawn, lost] = ["wins", "draws", "losses"].map(|key| number(&result[key]));
    assert_eq!(won + drawn + lost, 12.0);
    assert_eq!(won + drawn / 2.0, points);
    assert!((number(&result["score"]["value"]) - points / 12.0).abs() < 1e-9);
    assert_eq!(list(&result["pairs"]).iter().map(number).sum::<f64>(), 6.0);
    for game in games {
        let plies = number(&game["plies"]) as usize;
        assert_eq!(plies, 3 + list(&game["moves"]).len());
        assert_eq!(number(&game["a"]["moves"]) + number(&game["b"]["moves"]) + 3.0, plies as f64);
        assert!(number(&game["a"]["simulations"]) <= 60.0 * number(&game["a"]["moves"]));
        assert_eq!(game["reason"], "rules");
    }
}

#[test]
fn a_seed_fixes_a_match_whatever_the_concurrency() {
    let moves = |options: &str| {
        let result = match_of("othello", "mcts:simulations=30", "random", options);
        let games = list(&result["games"]).iter();
        games.map(|game| format!("{}{}", game["moves"], game["score"])).collect::<Vec<_>>()
    };
    let alone = moves("--games 7 --seed 3");
    assert_eq!(alone, moves("--games 7 --seed 3 --concurrency 3"));
    assert_ne!(alone, moves("--games 7 --seed 4"));
    assert_eq!(alone.iter().collect::<BTreeSet<_>>().len(), 7, "{alone:?}");
}

#[test]
fn a_test_ends_a_clear_match_early() {
    let options = "--games 400 --sprt 0,100";
    let result = match_of("connect4", "mcts:simulations=100", "random", options);
    let test = &result["sprt"];
    assert_eq!(test["accepted"], "elo1");
    assert!(number(&test["llr"]) >= number(&test["upper"]), "{test}");
    let games = list(&result["games"]).len();
    assert!((4..100).contains(&games), "{games} games");
    let result = match_of("connect4", "random", "mcts:simulations=100", options);
    assert_eq!(result["sprt"]["accepted"], "elo0");
}

#[test]
fn a_game_that_is_too_long_is_a_draw() {
    let result = match_of("connect4", "random", "random", "--games 4 --max-plies 6");
    for game in list(&result["games"]) {
        assert_eq!((&game["reason"], number(&game["score"])), (&"max_plies".into(), 0.5));
        assert_eq!(number(&game["plies"]), 6.0);
    }
    assert_eq!(number(&result["draws"]), 4.0);
}

#[test]
fn a_game_on_a_clock_is_within_it_for_searchers_of_ours() {
    let options = "--games 2 --clock 4s+5ms --expected-plies 42 --lag 100ms";
    let result = match_of("connect4", "mcts", "alphabeta:depth=3", options);
    assert_eq!(result["clock"], "4s+5ms");
    for game in list(&result["games"]) {
        assert_eq!(game["reason"], "rules", "{game}");
        for side in ["a", "b"] {
            let increments = 0.005 * number(&game[side]["moves"]);
            assert!(number(&game[side]["seconds"]) <= 4.0 + increments, "{game}");
        }
    }
    assert_eq!(result["players"][0]["losses_on_time"], 0);
}

#[test]
fn a_player_with_a_time_of_its_own_has_no_clock() {
    for (a, b, place) in [("mcts:time=1s", "random", "--a"), ("random", "alphabeta:time=1s", "--b")]
    {
        let run = run(&["match", "nim", "--a", a, "--b", b, "--clock", "5m"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
        let expected = format!("playtree: {place}: expected a player without a time of its own");
        assert!(run.stderr.starts_with(&expected), "{}", run.stderr);
    }
}

#[test]
fn the_text_says_who_won() {
    let args = "match nim --a mcts:simulations=500 --b random --games 6 --verbose";
    let text = text_of(&args.split(' ').collect::<Vec<_>>());
    for part in ["game 1: a - b", "game 6: b - a", "nim, 6 games from 3 openings"] {
        assert!(text.contains(part), "'{part}' in {text}");
    }
    for part in ["a  mcts:simulations=500\nb  random\n", "Elo difference", "ends: rules 6\n"] {
        assert!(text.contains(part), "'{part}' in {text}");
    }
}

#[test]
fn openings_that_come_again_are_mentioned() {
    let args = ["match", "connect4", "--a", "mcts:simulations=9", "--b", "random", "--games"];
    for (games, plies, expected) in [("4", "0", true), ("2", "0", false), ("4", "2", false)] {
        let text = text_of(&[&args[..], &[games, "--openings-plies", plies]].concat());
        assert_eq!(text.contains("The openings came again"), expected, "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

#[test]
fn a_wrong_player_is_shown_with_the_place() {
    let run = run(&["match", "nim", "--a", "random", "--b", "mcts:time=1s,threads=x"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(
        lines,
        [
            "playtree: --b: expected a number of threads from 1 to 1024, found 'x' (character 22)",
            "  mcts:time=1s,threads=x",
            "                       ^",
        ]
    );
}

#[test]
fn a_won_ending_is_not_repeated_away() {
    // A rook and two horses are enough. A search that does not know what was played comes to the
    // same position for the third time after 49 plies.
    let position = "2bak4/4a4/4b4/9/9/9/9/4N4/9/R3K2N1 w";
    let players = ["--a", "mcts:simulations=400", "--b", "alphabeta:depth=3"];
    let game = ["--position", position, "--games", "1", "--openings-plies", "0", "--seed", "2"];
    let result = json_of(&[&["match", "xiangqi", "--json"], &players[..], &game].concat());
    let game = &result["games"][0];
    assert_eq!((number(&game["score"]), &game["reason"]), (1.0, &"rules".into()), "{game}");
}

#[test]
fn one_game_is_one_game_from_one_opening() {
    let args = ["match", "nim", "--a", "random", "--b", "random", "--openings-plies", "0"];
    for (games, line) in [("1", "nim, 1 game from 1 opening\n"), ("2", "2 games from 1 opening\n")]
    {
        let text = text_of(&[&args[..], &["--games", games]].concat());
        assert!(text.contains(line), "{text}");
    }
}
