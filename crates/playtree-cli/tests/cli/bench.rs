//! `playtree bench`: that its figures fit together.

use crate::{json_of, text_of};

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
