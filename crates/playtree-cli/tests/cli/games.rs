//! `playtree games`.

use playtree::games::GAMES;

use crate::{json_of, run, text_of};

/// The names of the games of the library.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|info| info.name)
}

#[test]
fn every_game_is_listed_with_its_notation() {
    let text = text_of(&["games"]);
    for name in names() {
        assert!(text.lines().any(|line| line == name), "{name} in:\n{text}");
    }
}

#[test]
fn the_json_list_has_a_help_text_for_everything() {
    let list = json_of(&["games", "--json"]);
    let games = list.as_array().expect("a list");
    for name in names() {
        assert!(games.iter().any(|game| game["name"] == name), "{name} in {list}");
    }
    for game in games {
        for field in ["name", "rules", "position", "moves"] {
            assert!(!game[field].as_str().unwrap_or("").is_empty(), "{field} in {game}");
        }
    }
}

#[test]
fn every_listed_start_is_a_position() {
    for game in json_of(&["games", "--json"]).as_array().expect("a list") {
        let name = game["name"].as_str().expect("a name");
        let start = game["start"].as_str().expect("a start");
        let args = ["perft", name, "--position", start, "--depth", "1", "--json"];
        assert!(json_of(&args)["counts"][0]["count"].as_u64() > Some(0), "{name} {start}");
    }
}

#[test]
fn a_game_alone_has_an_example_and_commands_that_work() {
    for name in names() {
        let text = text_of(&["games", name]);
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
        assert!(text.starts_with(&format!("{name}\n  rules    ")), "{text}");
        for part in ["\n  players  2\n", "\n  search   mcts; alphabeta ", "\n  settings cut-off"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(text.contains(&format!("\n  playtree play {name}\n")), "{text}");
        // What is to be tried is a position.
        let analyze = text.lines().last().expect("a command");
        let moves = analyze.split('"').nth(1).expect("a text in quotes");
        let args = ["perft", name, "--depth", "1", "--json", "--position", moves];
        assert!(json_of(&args)["counts"][0]["count"].as_u64() > Some(0), "{analyze}");
    }
}

#[test]
fn a_game_alone_says_what_works_for_it() {
    for (name, parts) in [
        ("connect4", &["with the evaluation", "; solve,", "of mcts work;", "does not work"][..]),
        ("hex", &["without an evaluation", "; solve,", "need an evaluation", "grave works"]),
        ("xiangqi", &["not solve, as positions can come again"]),
    ] {
        let text = text_of(&["games", name]).replace("\n           ", " ");
        for part in parts {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
    let json = json_of(&["games", "Hex", "--json"]);
    assert_eq!((&json["name"], &json["players"]), (&"hex".into(), &2.into()));
    assert_eq!((&json["evaluation"], &json["move_codes"]), (&false.into(), &true.into()));
    let (position, moves) = (&json["example"]["position"], &json["example"]["moves"]);
    let moves: Vec<&str> =
        moves.as_array().expect("moves").iter().filter_map(|mv| mv.as_str()).collect();
    let position = position.as_str().expect("a position");
    assert!(position.starts_with("11: ") && moves.len() == 6, "{json}");
    assert!(moves.iter().all(|mv| position.contains(mv)), "{json}");
}

#[test]
fn the_list_leads_on_and_a_slip_is_seen() {
    assert!(
        text_of(&["games"])
            .ends_with("'playtree games GAME' tells more of one game, with an example.\n")
    );
    let wrong = run(&["games", "gomuko"]);
    assert_eq!((wrong.code, wrong.stdout.as_str()), (Some(2), ""));
    assert!(wrong.stderr.ends_with("found 'gomuko'; is 'gomoku' meant?\n"), "{}", wrong.stderr);
}
