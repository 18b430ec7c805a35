//! `playtree bench`: that its figures fit together.

use serde_json::Value;

use crate::{Scratch, json_of, text_of};

const QUICK: [&str; 6] = ["--simulations", "2000", "--repetitions", "2", "--threads", "2"];

#[test]
fn the_figures_of_a_game_fit_together() {
    let args = [&["bench", "connect4", "nim", "--json", "--oversubscribe"], &QUICK[..]].concat();
    let json = json_of(&args);
    let games = json["games"].as_array().expect("games");
    assert_eq!(games.len(), 2);
    for game in games {
        assert_eq!((&game["simulations"], &game["repetitions"]), (&2000.into(), &2.into()));
        let lines = game["workers"].as_array().expect("workers");
        assert_eq!(lines.len(), 2);
        assert!((1..=2).contains(&game["recommended_workers"].as_u64().expect("a number")));
        for (workers, line) in (1u64..).zip(lines) {
            let number = |field: &str| line[field].as_f64().expect("a number");
            assert_eq!(line["workers"], workers);
            assert!(number("simulations_per_second") > 0.0 && number("bytes_per_node") > 0.0);
            assert!((0.0..=1.0).contains(&number("drop_rate")));
            let ratio = number("simulations_per_second") / number("rollouts_per_second");
            assert!((ratio - number("ratio")).abs() < 1e-9);
        }
        assert_eq!(lines[0]["speed_up"], 1.0);
    }
}

#[test]
fn the_text_has_a_table_for_each_game() {
    let text = text_of(&[&["bench", "tictactoe"], &QUICK[..]].concat());
    assert!(text.starts_with("tictactoe: 2,000 simulations, median of 2, proofs off\n"), "{text}");
    assert!(text.contains("\nrecommended workers: "), "{text}");
}

#[test]
fn latencies_are_distributions_in_milliseconds() {
    let args = ["bench", "othello", "hex", "--latency", "--calls", "3", "--time", "2ms", "--json"];
    let json = json_of(&[&args[..], &["--threads", "2", "--oversubscribe"]].concat());
    let games = json["games"].as_array().expect("games");
    assert_eq!(games.len(), 2);
    for (game, name) in games.iter().zip(["othello", "hex"]) {
        assert_eq!((&game["game"], &game["calls"]), (&name.into(), &3.into()));
        assert_eq!((&game["time_ms"], &game["workers"]), (&2.0.into(), &2.into()));
        for kind in ["overshoot_ms", "stop_latency_ms"] {
            let of = |field: &str| game[kind][field].as_f64().expect("a number");
            let times = ["p50", "p90", "p99", "max"].map(of);
            assert!(times[0] >= 0.0 && times.is_sorted(), "{game}");
        }
    }
}

#[test]
fn the_text_of_latencies_has_a_line_for_each_kind() {
    let args = ["bench", "hex", "--latency", "--calls", "2", "--time", "1ms", "--threads", "1"];
    let text = text_of(&args);
    let mut lines = text.lines();
    let heading = "hex: milliseconds until the answer, 2 calls of 1 ms each, 1 worker";
    assert_eq!(lines.next(), Some(heading));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split("  ").collect()).collect();
    assert_eq!(rows[0].iter().filter(|cell| !cell.is_empty()).count(), 5, "{text}");
    assert!(text.contains("\nthe time limit  ") && text.contains("\na stop  "), "{text}");
}

/// A short measurement of the alpha-beta search.
const ALPHABETA: [&str; 5] =
    ["--alphabeta=memory=1MiB", "--repetitions", "1", "--openings-plies", "6"];

#[test]
fn alpha_beta_is_measured_in_every_mode_beside_one_thread() {
    let args =
        ["bench", "connect4", "--depth", "6", "--openings", "2", "--threads", "1,2", "--json"];
    let limits = ["--min-split-depth", "1,3", "--max-threads-per-split", "2"];
    let json = json_of(&[&args[..], &ALPHABETA, &limits].concat());
    let game = &json["games"][0];
    assert_eq!((&game["depth"], &game["bytes_per_entry"]), (&6.into(), &16.0.into()));
    assert_eq!(game["positions"].as_array().map(Vec::len), Some(2));
    let results = game["results"].as_array().expect("results");
    let of = |line: &Value| {
        let field = |name: &str| line[name].clone();
        (field("mode"), field("threads"), field("min_split_depth"), field("max_threads_per_split"))
    };
    let expected = [
        (Value::Null, 1, Value::Null, Value::Null),
        ("split_points".into(), 2, 1.into(), 2.into()),
        ("split_points".into(), 2, 3.into(), 2.into()),
        ("shared_table".into(), 2, Value::Null, Value::Null),
        ("root_tasks".into(), 2, Value::Null, Value::Null),
    ];
    let expected = expected.map(|(mode, threads, least, most)| (mode, threads.into(), least, most));
    assert_eq!(results.iter().map(of).collect::<Vec<_>>(), expected);
    let one = &results[0];
    for line in results {
        let number = |field: &str| line[field].as_f64().expect("a number");
        let sum = |field: &str| -> f64 {
            let positions = line["by_position"].as_array().expect("positions");
            positions.iter().map(|position| position[field].as_f64().expect("a number")).sum()
        };
        assert!(number("nodes") > 0.0 && number("nodes") == sum("nodes"), "{line}");
        assert!((number("seconds") - sum("seconds")).abs() < 1e-9, "{line}");
        let overhead = number("nodes") / one["nodes"].as_f64().expect("a number");
        assert!((number("overhead") - overhead).abs() < 1e-9, "{line}");
        assert!(number("wasted_nodes") <= number("nodes"), "{line}");
    }
    assert_eq!(
        (&one["overhead"], &one["speed_up"], &one["splits"]),
        (&1.0.into(), &1.0.into(), &0.into())
    );
}

#[test]
fn positions_to_measure_come_from_a_file() {
    let file = Scratch::new("positions");
    let lines = "# two openings\nmoves h2e2 h9g7\n\nmoves b2e2 # the other cannon\n";
    std::fs::write(&file.0, lines).expect("the file is written");
    let args = ["bench", "xiangqi", "--alphabeta", "--depth", "2", "--threads", "1"];
    let args = [&args[..], &["--repetitions", "1", "--positions", file.path()]].concat();
    let json = json_of(&[&args[..], &["--json"]].concat());
    let positions = json["games"][0]["positions"].as_array().expect("positions");
    let boards: Vec<&str> = positions.iter().filter_map(|text| text.as_str()?.get(..21)).collect();
    assert_eq!(boards, ["rnbakab1r/9/1c4nc1/p1", "rnbakabnr/9/1c5c1/p1p"]);
    let text = text_of(&args);
    assert!(text.starts_with("xiangqi: 2 positions to depth 2 (0 solved before)"), "{text}");
    assert!(text.contains("\none thread "), "{text}");
}
