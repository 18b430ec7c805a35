//! Reports with charts: their numbers are those of the JSON form of the same run.

use std::fs;

use serde_json::Value;

use crate::{Scratch, json_of, run};

/// The JSON form of a run, and the page that it has written.
fn report_of(name: &str, args: &[&str]) -> (Value, String) {
    let file = Scratch::new(name);
    fs::write(&file.0, "what was there before").expect("a file");
    let json = json_of(&[args, &["--json", "--report", file.path()]].concat());
    let page = fs::read_to_string(&file.0).expect("a page");
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"), "{page}");
    // It loads nothing, and no name of a player ends an element of the page.
    for word in ["http", "<script", "<link", "src=", "url("] {
        assert!(!page.contains(word), "{word} in {page}");
    }
    for element in ["svg", "g", "table", "tr", "td", "ul", "li", "figure", "text", "circle"] {
        let count = |text: String| page.matches(text.as_str()).count();
        let begun = count(format!("<{element}>")) + count(format!("<{element} "));
        assert_eq!(begun, count(format!("</{element}>")), "{element}");
    }
    (json, page)
}

/// What stands between these two texts, at each place.
fn between<'a>(text: &'a str, before: &'a str, after: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(before).skip(1).filter_map(move |rest| rest.split(after).next())
}

/// The points of every line that shows this field.
fn lines(page: &str, field: &str) -> Vec<Vec<[f64; 2]>> {
    let number = |text: Option<&str>| text.and_then(|text| text.parse().ok()).expect("a number");
    let point = |text: &str| {
        [number(text.split('"').next()), number(between(text, "data-y=\"", "\"").next())]
    };
    let lines = page.split("<g class=\"line\" data-field=\"").skip(1);
    let lines = lines.filter(|line| line.starts_with(&format!("{field}\"")));
    let inside = lines.map(|line| line.split("</g>").next().expect("a line"));
    inside.map(|line| line.split("data-x=\"").skip(1).map(point).collect()).collect()
}

/// The numbers in the cells of this name.
fn cells(page: &str, name: &str) -> Vec<f64> {
    let begin = format!("<data class=\"{name}\" value=\"");
    let found: Vec<f64> =
        between(page, &begin, "\"").map(|text| text.parse().expect("a number")).collect();
    found
}

/// Compares numbers: a text of one may be read as the number beside it.
#[track_caller]
fn same(found: &[f64], expected: &[f64], what: &str) {
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-14 * b.abs();
    let all = found.iter().zip(expected).all(near);
    assert!(found.len() == expected.len() && all, "{what}: {found:?}, expected {expected:?}");
}

fn numbers(list: &Value, field: &str) -> Vec<f64> {
    let list = list.as_array().expect("a list").iter();
    list.map(|value| value[field].as_f64().expect("a number")).collect()
}

#[test]
fn of_a_measurement_of_speed() {
    let args = ["bench", "connect4", "tictactoe", "--simulations", "2000", "--repetitions", "1"];
    let args = [&args[..], &["--threads", "3", "--oversubscribe"]].concat();
    let (json, page) = report_of("report-bench.html", &args);
    let games = json["games"].as_array().expect("games");
    assert_eq!(games.len(), 2);
    for field in ["simulations_per_second", "rollouts_per_second", "speed_up", "drop_rate"] {
        let found = lines(&page, field);
        assert_eq!(found.len(), 2, "{field}");
        let mut all = Vec::new();
        for (line, game) in found.iter().zip(games) {
            let results = &game["workers"];
            let axis = |at: usize| line.iter().map(|point| point[at]).collect::<Vec<_>>();
            same(&axis(0), &numbers(results, "workers"), field);
            same(&axis(1), &numbers(results, field), field);
            all.extend(numbers(results, field));
        }
        same(&cells(&page, field), &all, field);
    }
    let bytes: Vec<f64> = lines(&page, "bytes").concat().iter().map(|point| point[1]).collect();
    let expected = games.iter().flat_map(|game| {
        let (nodes, each) =
            (numbers(&game["workers"], "nodes"), numbers(&game["workers"], "bytes_per_node"));
        nodes.into_iter().zip(each).map(|(nodes, each)| nodes * each).collect::<Vec<_>>()
    });
    same(&bytes, &expected.collect::<Vec<_>>(), "bytes");
}

#[test]
fn of_a_match() {
    let args = ["match", "tictactoe", "--a", "mcts:simulations=200", "--b", "random"];
    let (json, page) = report_of("report-match.html", &[&args[..], &["--games", "6"]].concat());
    let games = json["games"].as_array().expect("games");
    for field in ["wins", "draws", "losses"] {
        assert_eq!(cells(&page, field), [json[field].as_f64().expect("a number")]);
    }
    let score = json["score"]["value"].as_f64().expect("a number");
    same(&cells(&page, "score-value"), &[score], "score");
    assert_eq!(cells(&page, "game_score"), numbers(&json["games"], "score"));
    let running = lines(&page, "running_score").concat();
    same(&[running.len() as f64, running[5][0], running[5][1]], &[6.0, 6.0, score], "running");
    let rates = lines(&page, "win_rates");
    assert_eq!(rates.len(), 4);
    let mut found = 0;
    for (line, game) in rates.iter().zip(games) {
        // Player b says nothing: every other ply has a point.
        let after = game["opening"].as_array().expect("moves").len() as f64 + 1.0;
        let all = game["win_rates"].as_array().expect("a list").iter().enumerate();
        let expected = all.filter_map(|(at, rate)| Some([after + at as f64, rate.as_f64()?]));
        same(&line.concat(), &expected.collect::<Vec<_>>().concat(), "win rates");
        assert_eq!(
            game["win_rates"].as_array().map(Vec::len),
            game["moves"].as_array().map(Vec::len)
        );
        found += line.len();
    }
    assert!(found >= 6, "{rates:?}");
}

#[test]
fn of_a_position() {
    let args = ["analyze", "connect4", "--position", "44", "--simulations", "3000"];
    let (json, page) = report_of("report-mcts.html", &args);
    assert_eq!(cells(&page, "visits"), numbers(&json["moves"], "visits"));
    same(&cells(&page, "move_win_rate"), &numbers(&json["moves"], "win_rate"), "win rates");
    same(&cells(&page, "win_rate"), &[json["win_rate"].as_f64().expect("a number")], "win rate");
    let best = json["best_move"].as_str().expect("a move");
    assert!(page.contains(&format!("<strong class=\"best\">{best}</strong>")), "{page}");
    let line: Vec<&str> =
        json["moves"][0]["pv"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    assert!(page.contains(&format!("<code>{}</code>", line.join(" "))), "{line:?}");
    // The tree begins with the most visited move, and has the plies after it.
    let tree = between(&page, "<ul class=\"tree\">", "</body>").next().expect("a tree");
    let first = between(tree, "<strong>", "</strong>").next();
    assert_eq!(first, json["moves"][0]["move"].as_str());
    assert!(tree.matches("<ul>").count() > 4, "{tree}");
    let args = ["analyze", "connect4", "--engine", "alphabeta", "--depth", "4"];
    let (json, page) = report_of("report-alphabeta.html", &args);
    assert_eq!(cells(&page, "nodes")[1..], numbers(&json["moves"], "nodes"));
    assert!(!page.contains("class=\"tree\""));
}

#[test]
fn what_cannot_be_written_is_refused_before_the_work() {
    let refused = |args: &[&str], part: &str| {
        let run = run(args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
        assert!(run.stderr.contains("--report") && run.stderr.contains(part), "{}", run.stderr);
    };
    let folder = std::env::temp_dir();
    let folder = folder.to_str().expect("a path in UTF-8");
    refused(&["analyze", "hex", "--time", "1h", "--report", folder], "found a folder");
    refused(&["bench", "hex", "--report", "/nowhere/page.html"], "a folder /nowhere");
    let match_args = ["match", "hex", "--a", "mcts", "--b", "mcts", "--games", "1000"];
    refused(&[&match_args[..], &["--report", "/dev/null"]].concat(), "a device");
    refused(&["bench", "hex", "--latency", "--report", "a.html"], "--latency");
}
