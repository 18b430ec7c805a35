//! `playtree analyze`: the form of its answers, and that a seed fixes them.

use std::fmt;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::games::names;
use crate::{json_of, run, text_of};

/// The names of an object's fields, in their order.
struct Keys(Vec<String>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeysVisitor;
        impl<'de> Visitor<'de> for KeysVisitor {
            type Value = Keys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut keys = Vec::new();
                while let Some((key, IgnoredAny)) = map.next_entry()? {
                    keys.push(key);
                }
                Ok(Keys(keys))
            }
        }
        deserializer.deserialize_map(KeysVisitor)
    }
}

/// A report whose moves are kept as lists of keys.
#[derive(Deserialize)]
struct MoveKeys {
    moves: Vec<Keys>,
}

#[test]
fn the_json_fields_are_fixed_and_in_order() {
    let text = text_of(&["analyze", "connect4", "--simulations", "500", "--json"]);
    let Keys(keys) = serde_json::from_str(&text).expect("an object");
    let expected = "game position best_move win_rate scores proven proven_plies simulations \
        seconds simulations_per_second nodes bytes dropped deferred contended workers stop_reason \
        memory_full evicted moves";
    assert_eq!(keys.join(" "), expected);
    let MoveKeys { moves } = serde_json::from_str(&text).expect("an object with moves");
    assert_eq!(moves.len(), 7);
    for Keys(keys) in moves {
        assert_eq!(keys.join(" "), "move visits win_rate lcb proven proven_plies pv");
    }
}

#[test]
fn the_json_numbers_are_in_their_ranges() {
    let args = ["analyze", "hex", "--position", "5:", "--simulations", "3000", "--threads", "2"];
    let json = json_of(&[&args[..], &["--json"]].concat());
    assert_eq!((&json["game"], &json["position"]), (&"hex".into(), &"5:".into()));
    assert_eq!(
        (json["simulations"].as_u64(), &json["stop_reason"]),
        (Some(3000), &"simulations".into())
    );
    let share = |value: &Value| value.as_f64().is_some_and(|v| (0.0..=1.0).contains(&v));
    assert!(share(&json["win_rate"]) && json["seconds"].as_f64() > Some(0.0));
    assert!(json["nodes"].as_u64() > Some(0) && json["bytes"].as_u64() > json["nodes"].as_u64());
    assert!((1..=2).contains(&json["workers"].as_u64().expect("a number")));
    let moves = json["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 25);
    for found in moves {
        let unvisited = found["visits"] == 0;
        assert_eq!(found["win_rate"].is_null(), unvisited, "{found}");
        assert_eq!(found["lcb"].is_null(), unvisited, "{found}");
        assert!(unvisited || (share(&found["win_rate"]) && share(&found["lcb"])), "{found}");
        assert!(unvisited || found["pv"][0] == found["move"], "{found}");
    }
    assert_eq!(moves[0]["move"], json["best_move"]);
}

#[test]
fn a_win_in_one_is_found_and_proven() {
    let args = ["analyze", "connect4", "--position", "112233", "--simulations", "100000"];
    let json = json_of(&[&args[..], &["--json"]].concat());
    assert_eq!(json["best_move"], "4");
    assert_eq!((json["proven"].as_str(), json["win_rate"].as_f64()), (Some("win"), Some(1.0)));
    assert_eq!(json["stop_reason"], "proven");
    let text = text_of(&args);
    assert!(text.contains("best move 4, win rate 100.0 %, proven win in 1"), "{text}");
}

#[test]
fn the_pv_is_a_line_of_play() {
    // The texts of the moves depend on the position where they are played, and each must
    // be legal there: a replay tells.
    let args = ["analyze", "othello", "--simulations", "2000", "--seed", "3", "--json"];
    for found in json_of(&args)["moves"].as_array().expect("moves") {
        let line = serde_json::json!({ "moves": found["pv"] }).to_string();
        let replay = crate::run_with_input(&["trace", "othello"], &format!("{line}\n"));
        assert_eq!((replay.code, replay.stderr.as_str()), (Some(0), ""), "{line}");
    }
}

#[test]
fn one_thread_and_a_seed_fix_the_answer() {
    let options = ["--threads", "1", "--seed", "5", "--simulations", "2000", "--json"];
    for game in names() {
        let args = [&["analyze", game], &options[..]].concat();
        let text = || {
            let mut json = json_of(&args);
            // The two fields that depend on the machine's speed.
            json["seconds"] = Value::Null;
            json["simulations_per_second"] = Value::Null;
            json.to_string()
        };
        assert_eq!(text(), text(), "{game}");
    }
}

#[test]
fn rounds_give_the_same_answer_for_any_number_of_workers() {
    let options = "--parallelism rounds --oversubscribe --simulations 5000 --json --threads";
    for game in names() {
        let text = |threads| {
            let mut args = vec!["analyze", game];
            args.extend(options.split(' ').chain([threads]));
            let text = text_of(&args);
            let workers = format!("\"workers\":{threads},");
            assert!(text.contains(&workers), "{text}");
            without(&text.replace(&workers, ""), ["seconds", "simulations_per_second"])
        };
        let alone = text("1");
        assert_eq!(text("2"), alone, "{game}");
        assert_eq!(text("8"), alone, "{game}");
    }
}

/// The bytes of an object in JSON but for these fields, which hold numbers.
fn without(text: &str, fields: [&str; 2]) -> String {
    fields.iter().fold(text.to_owned(), |text, field| {
        let (before, field_on) = text.split_once(&format!("\"{field}\":")).expect("the field");
        let (_, after) = field_on.split_once(',').expect("another field");
        format!("{before}{after}")
    })
}

#[test]
fn simulated_workers_are_one_thread() {
    let args = ["analyze", "connect4", "--simulations", "500", "--simulated-workers", "64"];
    let json = json_of(&[&args[..], &["--threads", "8", "--oversubscribe", "--json"]].concat());
    assert_eq!((&json["workers"], &json["simulations"]), (&1.into(), &500.into()));
}

#[test]
fn every_option_of_the_engine_is_taken() {
    for options in [
        "--selection ucb1 --exploration 1.4 --warm-up 2 --warm-up-draw any",
        "--selection ucb1-tuned --warm-up-draw unfinished --lock-policy yield",
        "--expansion one --from-visit 1 --lock-policy block --table one-lock",
        "--expansion everything --lock-policy defer --table shards --shards 8",
        "--in-flight ignore --no-proofs --rollout-limit 500 --rollouts-per-leaf 8",
        "--rollouts uniform+decisive+mast+lgr",
        "--rollouts anti-decisive+nst-gibbs:0.2",
        "--in-flight count --memory 64MiB --round-size 4",
        "--in-flight virtual-loss --virtual-loss 3 --round-size adaptive:16",
        "--values tree --virtual-loss 2",
        "--values graph --threads 3 --oversubscribe",
        "--parallelism shared --threads 2",
        "--parallelism rounds --threads 2 --round-size 16",
        "--parallelism simulated --simulated-workers 16 --round-size 1",
        "--literal --lock-policy yield",
        "--time 20s --nodes 100000",
    ] {
        let args = ["analyze", "connect4", "--simulations", "500", "--json"];
        let options: Vec<&str> = options.split(' ').collect();
        let json = json_of(&[&args[..], &options].concat());
        assert_eq!(json["simulations"], 500, "{options:?}");
    }
}

#[test]
fn the_text_shows_the_board_the_moves_and_a_summary() {
    let text = text_of(&["analyze", "hex", "--simulations", "1000", "--top", "3"]);
    assert!(text.starts_with("hex, player 1 of 2 to move\n"), "{text}");
    assert!(text.contains("\n... and 118 more (--top 121 shows all)\n"), "{text}");
    assert!(text.contains("\nbest move ") && text.contains("1,000 simulations in "), "{text}");
    let heading = text.lines().find(|line| line.starts_with("move ")).expect("a heading");
    assert_eq!(
        heading.split_whitespace().collect::<Vec<_>>().join(" "),
        "move visits win rate lcb proven pv"
    );
}

#[test]
fn no_progress_line_without_a_terminal() {
    let run = run(&["analyze", "othello", "--time", "1800ms"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn every_limit_stops_the_search_under_its_name() {
    for (options, reason) in [
        ("--time 50ms", "time"),
        ("--time 60s --soft-time 10ms", "soft_time"),
        ("--simulations 500", "simulations"),
        ("--nodes 500", "nodes"),
        ("--bytes 100kB", "bytes"),
        ("--depth 4 --time 60s", "depth"),
        ("--settled 2000 --time 60s", "settled"),
        ("--settled 5ms --time 60s", "settled"),
        ("--simulations 100000 --cannot-be-overtaken 1", "cannot_be_overtaken"),
        ("--clock 10m/move --lag 1s --expected-plies 42 --simulations 1", "simulations"),
        ("--clock 1ms", "time"),
    ] {
        let options: Vec<&str> = options.split(' ').collect();
        let args = [&["analyze", "connect4", "--json"], &options[..]].concat();
        assert_eq!(json_of(&args)["stop_reason"], reason, "{options:?}");
    }
    for option in [&["--only-move"][..], &["--clock", "5m+3s"], &["--clock", "3x30s"]] {
        let args = ["analyze", "nim", "--position", "1", "--no-proofs", "--json"];
        let json = json_of(&[&args[..], option].concat());
        assert_eq!((&json["stop_reason"], &json["simulations"]), (&"only_move".into(), &0.into()));
    }
}

#[test]
fn the_moves_asked_for_are_searched() {
    let args = ["analyze", "connect4", "--simulations", "2000", "--threads", "1", "--json"];
    let moves = |options: &[&str]| -> Vec<Value> {
        let json = json_of(&[&args[..], options].concat());
        let moves = json["moves"].as_array().expect("moves").clone();
        assert_eq!(json["best_move"], moves[0]["move"]);
        moves
    };
    let names = |moves: &[Value]| -> Vec<String> {
        let mut names: Vec<_> =
            moves.iter().map(|m| m["move"].as_str().expect("a text").to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&moves(&["--only", "2, 6"])), ["2", "6"]);
    assert_eq!(names(&moves(&["--except", "4", "--except", "1,7"])), ["2", "3", "5", "6"]);
    assert_eq!(names(&moves(&["--only", "1,2,3", "--except", "2"])), ["1", "3"]);
    let detailed = moves(&["--detailed", "2", "--visit-floor", "400"]);
    let line = |number: usize| detailed[number]["pv"].as_array().expect("a line").len();
    assert!(line(0) > 1 && line(1) > 1 && line(2) == 1, "{detailed:?}");
    assert!(detailed[1]["visits"].as_u64().expect("a number") >= 400);
}

#[test]
fn a_draw_is_worth_what_contempt_says() {
    let args = ["analyze", "tictactoe", "--position", "X...O....", "--contempt", "-0.2", "--json"];
    let json = json_of(&args);
    assert_eq!(json["proven"], "draw");
    assert!((json["win_rate"].as_f64().expect("a number") - 0.7).abs() < 1e-6);
}

#[test]
fn the_temperature_varies_the_best_move() {
    let args = ["analyze", "connect4", "--simulations", "300", "--threads", "1", "--json"];
    let played = |seed: &str| {
        let json = json_of(&[&args[..], &["--temperature", "1e6", "--seed", seed]].concat());
        json["best_move"].as_str().expect("a text").to_owned()
    };
    let moves: std::collections::HashSet<_> = ["1", "2", "3", "4", "5", "6"].map(played).into();
    assert!(moves.len() > 1, "{moves:?}");
    assert_eq!(played("1"), played("1"));
}

#[test]
fn alpha_beta_answers_without_simulations_and_with_more() {
    let base = ["analyze", "othello", "--threads", "1", "--json"];
    let text = text_of(&[&base[..], &["--engine", "alphabeta", "--depth", "4"]].concat());
    let Keys(keys) = serde_json::from_str(&text).expect("an object");
    let expected = "game position best_move win_rate proven proven_plies seconds nodes bytes \
        workers stop_reason moves pv depth selective_depth score nodes_per_second splits \
        aborted_splits wasted_nodes idle_seconds table_entries table_used";
    assert_eq!(keys.join(" "), expected);
    let MoveKeys { moves } = serde_json::from_str(&text).expect("an object with moves");
    for Keys(keys) in moves {
        assert_eq!(keys.join(" "), "move proven pv score bound depth nodes");
    }
    let found: Value = serde_json::from_str(&text).expect("an object");
    assert_eq!((&found["depth"], &found["workers"]), (&4.into(), &1.into()));
    assert!(found["nodes"].as_u64() > Some(10) && found["score"]["value"].is_i64(), "{found}");
    // The left column wins at once.
    let args = ["analyze", "connect4", "--position", "171717", "--engine", "alphabeta:depth=6"];
    let won = json_of(&[&args[..], &["--json"]].concat());
    assert_eq!((&won["best_move"], &won["proven"]), (&"1".into(), &"win".into()));
    assert_eq!(won["score"], serde_json::json!({ "value": null, "plies": 1, "proven": "win" }));
}

#[test]
fn an_evaluation_speaks_where_the_game_has_one() {
    let search = |options: &[&str]| {
        let base = ["analyze", "othello", "--simulations", "500", "--threads", "1", "--json"];
        json_of(&[&base[..], options].concat())
    };
    let plain = search(&["--rollouts", "default"]);
    // What plays best in this game is its default.
    assert_eq!(search(&[])["win_rate"], search(&["--cut-off", "0"])["win_rate"]);
    for options in [
        &[][..],
        &["--cut-off", "0"],
        &["--cut-off", "8"],
        &["--cut-off", "0", "--first-play-urgency", "-0.1"],
        &["--cut-off", "0", "--literal"],
        &["--prior", "4"],
    ] {
        let found = search(options);
        assert_eq!(found["simulations"], 500, "{options:?}");
        assert_ne!(found["win_rate"], plain["win_rate"], "{options:?}");
    }
    let refused =
        run(&["analyze", "hex", "--position", "5:", "--simulations", "9", "--cut-off", "0"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("othello") && refused.stderr.contains("--cut-off"));
}

/// A rook that gives check for ever, and has done so twice.
const CHECKED: &str = "4k4/9/9/R8/9/9/9/9/9/3K5 w moves a6e6 e9f9 e6f6 f9e9 f6e6 e9f9 e6f6 f9e9";

#[test]
fn a_position_may_come_with_the_game_before_it() {
    for engine in ["mcts", "alphabeta"] {
        let rate = |position: &str| {
            let args = ["analyze", "xiangqi", "--position", position, "--json", "--threads", "1"];
            // There is a mate in one.
            let others = match engine {
                "mcts" => ["--simulations", "2000", "--rollouts", "default", "--except", "f6f8"],
                _ => ["--engine", "alphabeta", "--depth", "2", "--except", "f6f8"],
            };
            let json = json_of(&[&args[..], &others].concat());
            let moves = json["moves"].as_array().expect("moves");
            let again = moves.iter().find(|mv| mv["move"] == "f6e6").expect("a legal move");
            (again["win_rate"].as_f64(), json["best_move"] == "f6e6", json["position"].clone())
        };
        // To check once more loses by the rules; without the game before it is a move as any other.
        let (ruled, is_best, position) = rate(CHECKED);
        assert!(!is_best, "{engine}");
        let (alone, _, same) = rate(position.as_str().expect("a text"));
        assert_eq!(position, same);
        // The other searcher does not say what a move is worth that is not the best.
        if engine == "mcts" {
            assert!(ruled.is_some_and(|rate| rate < 0.05), "{ruled:?}");
            assert!(alone.is_some_and(|rate| rate > 0.4), "{alone:?}");
        }
    }
}

#[test]
fn a_game_that_repetition_has_ended_is_none_to_search() {
    let position = format!("{CHECKED} f6e6");
    for command in
        [&["analyze", "xiangqi"][..], &["match", "xiangqi", "--a", "mcts", "--b", "mcts"]]
    {
        let run = run(&[command, &["--position", &position]].concat());
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains("found a finished game (scores 0 - 1)"), "{}", run.stderr);
    }
    let run = run(&["analyze", "xiangqi", "--position", "moves h2e2 h2e2"]);
    assert!(run.stderr.contains("--position: move 2: expected "), "{}", run.stderr);
}
