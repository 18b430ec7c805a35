//! A page without networks: what it offers, and what it says to whoever asks for one. With one it is
//! tested where there are networks, by the command line.

use playtree_page::local::Local;
use playtree_page::networks::Networks;
use serde_json::{Value, json};

use crate::client::{Client, small, start};

#[test]
fn a_page_without_networks_offers_none() {
    let client = Client::new(start(small()));
    let games = client.get("/api/games").granted();
    let starts = games.as_array().unwrap().iter().flat_map(|game| game["starts"].as_array());
    assert!(starts.flatten().all(|start| start["network"] == false), "{games}");
    let mut session = client.open(&json!({ "game": "connect4" }));
    assert_eq!(session.view["network"], false);
    let asking = json!({ "settings": { "mcts": {} }, "network": true });
    assert_eq!(session.ask("engine", &asking).refused(400), "settings.network");
    // The engine before is still there.
    session.play("4");
    let new = json!({ "game": "connect4", "network": true });
    assert_eq!(client.post("/api/sessions", &new).refused(400), "settings.network");
    let answer = Local::new(16 << 20, 1).ask("POST", "sessions", &new.to_string());
    let body: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!((answer.status, &body["error"]["code"]), (400, &json!("settings.network")));
}

#[test]
fn a_file_that_is_not_there_is_no_network() {
    Networks::open(&["no such file"]).unwrap_err();
    Networks::open::<&str>(&[]).unwrap();
}
