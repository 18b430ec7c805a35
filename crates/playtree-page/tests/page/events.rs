//! What a page gets while it looks on.

use std::time::Instant;

use serde_json::json;

use crate::client::{Client, small, start};

#[test]
fn the_first_event_is_the_game_and_the_last_of_a_search_its_end() {
    let client = Client::new(start(small()));
    let mut session = client.open(&json!({ "game": "connect4" }));
    let events = session.events();
    let (name, view) = events.next();
    assert_eq!((name.as_str(), &view), ("view", &session.view));
    let (began, mut reports, mut last) = (Instant::now(), 0, 0);
    let begun = session.ask("think", &json!({ "seconds": 0.7 })).granted();
    let end = loop {
        let (name, search) = events.next();
        assert_eq!((&search["search"], &search["ply"]), (&begun["search"], &json!(0)));
        if name == "end" {
            break search;
        }
        assert_eq!((name.as_str(), &search["thinking"]), ("search", &json!(true)));
        let found = search["report"]["simulations"].as_u64().unwrap_or(0);
        assert!(found >= last, "{found} after {last}");
        (reports, last) = (reports + 1, found);
    };
    // At most ten a second, one at the start, and one as a timer is true to a millisecond only.
    let most = 2 + (began.elapsed().as_secs_f64() / 0.1) as u32;
    assert!((1..=most).contains(&reports), "{reports} reports, at most {most}");
    assert_eq!((&end["thinking"], &end["error"]), (&json!(false), &json!(null)));
    assert_eq!(end["report"]["stop_reason"], "time");
    assert!(end["report"]["simulations"].as_u64() >= Some(last));
    assert!(end["simulations_per_second"].as_f64() > Some(0.0));
    assert!(end["memory_bytes"].as_u64() > Some(0));
    session.play("4");
    assert_eq!(events.next(), ("view".to_owned(), session.view.clone()));
}

#[test]
fn a_search_that_an_order_ends_is_told_before_what_the_order_has_done() {
    let client = Client::new(start(small()));
    let session = client.open(&json!({ "game": "hex" }));
    let events = session.events();
    events.next_of("view");
    let mut searches = Vec::new();
    let orders = [
        ("play", json!({ "move": "f6" })),
        ("undo", json!({})),
        ("redo", json!({})),
        ("engine", json!({ "settings": { "mcts": { "threads": 1 } } })),
        ("position", json!({ "position": "5:" })),
    ];
    for (order, body) in &orders {
        searches.push(session.ask("think", &json!({})).granted()["search"].clone());
        session.ask(order, body).granted();
        let end = events.next_of("end");
        assert_eq!((&end["search"], &end["thinking"]), (searches.last().unwrap(), &json!(false)));
        assert_eq!(events.next().0, "view", "{order}");
    }
    // A search that another one takes the place of ends as well.
    searches.push(session.ask("think", &json!({})).granted()["search"].clone());
    searches.push(session.ask("think", &json!({ "simulations": 10 })).granted()["search"].clone());
    let ends = [events.next_of("end"), events.next_of("end")].map(|end| end["search"].clone());
    assert_eq!(ends, searches[orders.len()..]);
    assert_eq!(searches, (1..=searches.len()).map(|number| json!(number)).collect::<Vec<_>>());
}

#[test]
fn one_who_comes_later_gets_the_game_and_the_last_search() {
    let client = Client::new(start(small()));
    let session = client.open(&json!({ "game": "nim" }));
    for simulations in [10, 20, 30] {
        session.search(&json!({ "simulations": simulations }));
    }
    let events = session.events();
    assert_eq!(events.next().0, "view");
    let (name, end) = events.next();
    assert_eq!((name.as_str(), &end["search"]), ("end", &json!(3)));
}

#[test]
fn a_session_has_some_listeners_and_no_more() {
    let client = Client::new(start(small()));
    let session = client.open(&json!({ "game": "nim" }));
    let listeners: Vec<_> = (0..8).map(|_| session.events()).collect();
    for events in &listeners {
        events.next_of("view");
    }
    // What is not refused has no end.
    let one_more = client.get_raw(&format!("{}/events", session.path));
    assert_eq!(one_more.status().as_u16(), 429);
}
