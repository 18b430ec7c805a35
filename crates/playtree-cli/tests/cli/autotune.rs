//! `playtree autotune`: that it compares what it says, and that its player can be used.

use serde_json::Value;

use crate::{Scratch, json_of, text_of};

/// Three threads wherever the test runs.
const QUICK: [&str; 4] = ["--threads", "3", "--settings", "memory=1MiB,oversubscribe"];

#[test]
fn the_limits_are_those_of_the_best_trials_and_the_player_has_them() {
    let args = ["autotune", "connect4", "--depth", "4", "--openings", "2", "--openings-plies", "4"];
    let json = json_of(&[&args[..], &QUICK, &["--repetitions", "2", "--json"]].concat());
    for (field, value) in [("depth", 4), ("threads", 3), ("repetitions", 2)] {
        assert_eq!(json[field], value, "{field}");
    }
    assert_eq!((&json["game"], &json["complete"]), (&"connect4".into(), &true.into()));
    assert_eq!(json["positions"].as_array().map(Vec::len), Some(2));
    let limits = |name: &str| -> Vec<(u64, u64)> {
        let trials = json[name].as_array().expect("trials").iter();
        let of = |trial: &Value, field: &str| trial[field].as_u64().expect("a number");
        trials
            .map(|trial| (of(trial, "min_split_depth"), of(trial, "max_threads_per_split")))
            .collect()
    };
    let plies = json["min_split_depth"].as_u64().expect("a depth");
    assert_eq!(limits("depth_trials"), [(2, 3), (3, 3), (4, 3)]);
    assert_eq!(limits("thread_trials"), [(plies, 2), (plies, 3)]);
    for (name, field) in
        [("depth_trials", "min_split_depth"), ("thread_trials", "max_threads_per_split")]
    {
        let trials = json[name].as_array().expect("trials");
        let number = |trial: &Value, field: &str| trial[field].as_f64().expect("a number");
        let relative = trials.iter().map(|trial| number(trial, "relative"));
        assert_eq!(relative.fold(f64::INFINITY, f64::min), 1.0, "{json}");
        let chosen: Vec<&Value> = trials.iter().filter(|trial| trial["chosen"] == true).collect();
        assert_eq!(chosen.len(), 1, "{json}");
        assert_eq!(chosen[0][field], json[field], "{json}");
        assert!(number(chosen[0], "relative") <= 1.0301, "{json}");
        for trial in trials {
            assert_eq!(trial["positions"], 2);
            assert!(number(trial, "wasted_nodes") <= number(trial, "nodes"), "{trial}");
        }
    }
    let most = &json["max_threads_per_split"];
    let spec = json["spec"].as_str().expect("a player");
    assert_eq!(
        spec,
        format!(
            "alphabeta:memory=1MiB,oversubscribe,threads=3,min-split-depth={plies},\
             max-threads-per-split={most}"
        )
    );
    let analysis = json_of(&["analyze", "connect4", "--engine", spec, "--depth", "3", "--json"]);
    assert_eq!(analysis["workers"], 3);
}

#[test]
fn the_text_ends_with_the_player_and_finds_a_depth_by_itself() {
    let file = Scratch::new("autotune");
    std::fs::write(&file.0, "moves 5 1\nmoves 1 9\n").expect("the file is written");
    let args = ["autotune", "tictactoe", "--positions", file.path(), "--repetitions", "1"];
    let settings = ["--threads", "2", "--settings", "memory=1MiB,oversubscribe"];
    let text = text_of(&[&args[..], &settings].concat());
    let heading = text.lines().next().expect("a heading");
    let depth = heading
        .strip_prefix("tictactoe: 2 positions to depth ")
        .and_then(|rest| rest.strip_suffix(", 2 threads, sums of medians of 1"));
    let depth: u32 = depth.and_then(|depth| depth.parse().ok()).expect(heading);
    // As deep as it takes to solve them.
    assert!((2..=7).contains(&depth), "{text}");
    // Two threads are all: there is one table.
    assert_eq!(text.matches("least depth  most threads").count(), 1, "{text}");
    assert_eq!(text.matches("chosen").count(), 1, "{text}");
    let last = text.lines().last().expect("a player");
    let start = "alphabeta:memory=1MiB,oversubscribe,threads=2,min-split-depth=";
    assert!(last.starts_with(start) && last.ends_with(",max-threads-per-split=2"), "{last}");
}

#[test]
fn the_mark_that_a_file_of_text_may_begin_with_is_no_position() {
    let file = Scratch::new("marked");
    std::fs::write(file.path(), "\u{feff}moves 4\r\nmoves 3\r\n").expect("the file is written");
    let few = ["--depth", "2", "--repetitions", "1", "--threads", "2", "--json"];
    json_of(&[&["autotune", "connect4", "--positions", file.path()], &few[..]].concat());
}
