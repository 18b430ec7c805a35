//! Thinking in the person's time, as the page does it.

use serde_json::{Value, json};

use crate::client::{Client, Session, small, start};

fn best(end: &Value) -> String {
    end["report"]["best_move"].as_str().expect("a move").to_owned()
}

/// The engine moves, and the person answers with the move that is expected most.
fn exchange(client: &Client, ponder: bool) -> (Session, u64) {
    let mut session = client.open(&json!({ "game": "othello" }));
    let end = session.search(&json!({ "simulations": 500 }));
    session.play(&best(&end));
    let expected = if ponder {
        let events = session.events();
        session.ask("think", &json!({})).granted();
        loop {
            let search = events.next_of("search");
            if search["report"]["simulations"].as_u64() > Some(20_000) {
                break best(&search);
            }
        }
    } else {
        session.moves()[0].clone()
    };
    let node = session.ask("node", &json!({ "line": [expected], "at_most": 0 })).granted();
    session.play(&expected);
    (session, node["visits"].as_u64().expect("a number"))
}

#[test]
fn what_was_found_in_the_persons_time_is_known_at_the_next_move() {
    let client = Client::new(start(small()));
    let (session, visits) = exchange(&client, true);
    let end = session.search(&json!({ "simulations": 300 }));
    let known = end["known_before"].as_u64().expect("a number");
    println!("pondering: {visits} visits seen on the way, {known} known at the next move");
    // What is under way when the search is stopped is taken back.
    assert!(visits > 1_000 && known >= visits / 10 * 9, "{known} known of {visits}");
    let (session, visits) = exchange(&client, false);
    let end = session.search(&json!({ "simulations": 300 }));
    let without = end["known_before"].as_u64().expect("a number");
    println!("without: {visits} visits seen on the way, {without} known");
    assert!(without < 500 && without < known, "{without} without pondering");
}

#[test]
fn a_new_engine_knows_nothing() {
    let client = Client::new(start(small()));
    let (mut session, _) = exchange(&client, true);
    let settings = session.view["settings"].clone();
    session.order("engine", &json!({ "settings": settings }));
    let end = session.search(&json!({ "simulations": 300 }));
    assert_eq!(end["known_before"], 0);
}
