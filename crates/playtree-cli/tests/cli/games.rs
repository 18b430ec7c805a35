//! `playtree games`.

use playtree::games::GAMES;

use crate::{json_of, text_of};

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
