//! The sessions of a page without a server, asked as a server is.

use std::time::{Duration, Instant};

use playtree_page::local::{Event, Local};
use serde_json::{Value, json};

const SLICE: Duration = Duration::from_millis(5);

fn ask(local: &mut Local, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let answer = local.ask(method, path, &body.to_string());
    (answer.status, serde_json::from_str(&answer.body).unwrap())
}

fn post(local: &mut Local, path: &str, body: &Value) -> Value {
    let (status, answer) = ask(local, "POST", path, body);
    assert_eq!(status, 200, "{path}: {answer}");
    answer
}

fn data(event: &Event) -> Value {
    serde_json::from_str(&event.data).unwrap()
}

#[test]
fn every_game_is_played_by_its_engine() {
    let mut local = Local::new(16 << 20, 2);
    let games = ask(&mut local, "GET", "games", &json!({})).1;
    let clock = Instant::now();
    for game in games.as_array().unwrap() {
        let opened = post(&mut local, "sessions", &json!({ "game": game["name"] }));
        let id = opened["session"].as_str().unwrap();
        for _ in 0..2 {
            let began =
                post(&mut local, &format!("sessions/{id}/think"), &json!({ "simulations": 200 }));
            while local.step(SLICE, clock.elapsed()) {}
            let stopped = post(&mut local, &format!("sessions/{id}/stop"), &json!({}));
            assert_eq!(stopped["search"], began["search"]);
            let mv = &stopped["report"]["best_move"];
            post(&mut local, &format!("sessions/{id}/play"), &json!({ "move": mv }));
        }
        let closed = ask(&mut local, "DELETE", &format!("sessions/{id}"), &json!({}));
        assert_eq!(closed, (200, json!({})));
    }
}

#[test]
fn one_who_listens_hears_all_in_order() {
    let mut local = Local::new(16 << 20, 2);
    assert_eq!(local.listen("1"), None);
    post(&mut local, "sessions", &json!({ "game": "othello" }));
    let (first, other) = (local.listen("1").unwrap(), local.listen("1").unwrap());
    post(&mut local, "sessions/1/think", &json!({ "seconds": 60 }));
    let mut events = local.events(Duration::ZERO);
    for step in 1..=5 {
        assert!(local.step(SLICE, step * Duration::from_millis(50)));
        events.extend(local.events(step * Duration::from_millis(50)));
    }
    local.leave(other);
    post(&mut local, "sessions/1/play", &json!({ "move": "d3" }));
    events.extend(local.events(Duration::from_secs(1)));
    let names = |listener: u64| {
        let own = events.iter().filter(|event| event.listener == listener);
        own.map(|event| event.name).collect::<Vec<_>>()
    };
    // At most ten a second: not one at each step.
    assert_eq!(names(first), ["view", "search", "search", "search", "end", "view"]);
    assert_eq!(names(other), ["view", "search", "search", "search"]);
    let own: Vec<_> = events.iter().filter(|event| event.listener == first).collect();
    let end = data(own[4]);
    assert_eq!((&end["search"], &end["thinking"]), (&json!(1), &json!(false)));
    assert_eq!(data(own[5])["played"], json!(["d3"]));
    // One who comes later learns how the last search has ended.
    let late = local.listen("1").unwrap();
    let news = local.events(Duration::from_secs(2));
    let news: Vec<_> = news.iter().map(|event| event.name).collect();
    assert_eq!(news, ["view", "end"]);
    ask(&mut local, "DELETE", "sessions/1", &json!({}));
    let bye = local.events(Duration::from_secs(3));
    assert_eq!(bye.len(), 2);
    assert!(bye.iter().all(|event| event.name == "bye"));
    assert!(bye.iter().any(|event| event.listener == late));
    assert!(local.events(Duration::from_secs(4)).is_empty());
}

#[test]
fn two_sessions_search_in_turns() {
    let mut local = Local::new(16 << 20, 2);
    for game in ["hex", "xiangqi"] {
        let id = post(&mut local, "sessions", &json!({ "game": game }))["session"].clone();
        let id = id.as_str().unwrap();
        local.listen(id);
        post(&mut local, &format!("sessions/{id}/think"), &json!({}));
    }
    for _ in 0..3 {
        assert!(local.step(SLICE, Duration::ZERO));
    }
    let events = local.events(Duration::ZERO);
    for listener in 1..=2 {
        let own = |event: &&Event| event.listener == listener && event.name == "search";
        let found = data(events.iter().find(own).expect("it searches"));
        assert!(found["report"]["simulations"].as_u64() > Some(0), "{listener}: {found}");
    }
    for id in ["1", "2"] {
        let report = post(&mut local, &format!("sessions/{id}/stop"), &json!({}))["report"].clone();
        assert!(report["simulations"].as_u64() > Some(0), "{report}");
        let text = local.ask("GET", &format!("sessions/{id}/export"), r#"{"format": "dot"}"#);
        assert!(text.status == 200 && text.body.starts_with("digraph"));
    }
}

#[test]
fn what_is_wrong_is_refused_as_by_a_server() {
    let mut local = Local::new(16 << 20, 1);
    post(&mut local, "sessions", &json!({ "game": "nim" }));
    let refused = [
        ("POST", "sessions", json!({ "game": "nim" }), 429, "full"),
        ("GET", "sessions/2", json!({}), 404, "no-session"),
        ("POST", "sessions/1/play", json!({ "move": "z" }), 400, "notation"),
        ("POST", "sessions/1/play", json!({ "moves": "1-1" }), 400, "body"),
        ("POST", "sessions/1/undo", json!({}), 409, "session.no-move"),
        ("POST", "sessions/1/stop", json!({}), 409, "session.no-search"),
        ("GET", "sessions/1/export", json!({}), 409, "session.no-tree"),
        ("GET", "sessions/1/play", json!({}), 404, "no-route"),
        ("GET", "elsewhere", json!({}), 404, "no-route"),
    ];
    for (method, path, body, status, code) in refused {
        let (found, answer) = ask(&mut local, method, path, &body);
        assert_eq!((found, answer["error"]["code"].as_str()), (status, Some(code)), "{path}");
    }
}
