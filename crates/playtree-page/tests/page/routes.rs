//! Each route, once as it is meant and once not.

use serde_json::{Value, json};

use crate::client::{Client, small, start};

#[test]
fn what_the_server_has_is_said() {
    let client = Client::new(start(small()));
    let about = client.get("/api/about").granted();
    assert_eq!((&about["workers"], &about["sessions"]), (&json!(2), &json!(16)));
    assert_eq!(about["memory_bytes"], (256 << 20) / 16);
    let games = client.get("/api/games").granted();
    let names: Vec<&str> =
        games.as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap()).collect();
    let known: Vec<&str> = playtree::games::GAMES.iter().map(|info| info.name).collect();
    assert_eq!(names, known);
    let xiangqi = &games[8];
    assert_eq!((&xiangqi["evaluation"], &xiangqi["solvable"]), (&json!(true), &json!(false)));
}

#[test]
fn a_game_is_played_taken_back_and_played_again() {
    let client = Client::new(start(small()));
    let mut session = client.open(&json!({ "game": "connect4", "moves": ["4", "4"] }));
    assert_eq!(session.view["position"], "44");
    session.play("4");
    session.order("undo", &json!({ "plies": 2 }));
    assert_eq!((&session.view["position"], &session.view["undone"]), (&json!("4"), &json!(2)));
    session.order("redo", &json!({}));
    assert_eq!((&session.view["position"], &session.view["undone"]), (&json!("44"), &json!(1)));
    // The move that was taken back: what followed it can still be played again.
    session.order("undo", &json!({ "plies": 1 }));
    session.play("4");
    assert_eq!(session.view["undone"], 1);
    // Another move: what was taken back does not follow it any more.
    session.order("undo", &json!({ "plies": 1 }));
    assert_eq!(session.view["undone"], 2);
    session.order("redo", &json!({}));
    session.play("3");
    assert_eq!((&session.view["position"], &session.view["undone"]), (&json!("443"), &json!(0)));
    session.order("undo", &json!({ "plies": 2 }));
    session.play("5");
    assert_eq!((&session.view["position"], &session.view["undone"]), (&json!("45"), &json!(0)));
    session.order("position", &json!({ "moves": ["4", "4", "3"] }));
    assert_eq!(session.view["played"], json!(["4", "4", "3"]));
    assert_eq!(session.view["link"], "#game=connect4&moves=4,4,3");
    assert_eq!(session.ask("redo", &json!({})).refused(409), "session.no-move");
    assert_eq!(session.ask("undo", &json!({ "plies": 4 })).refused(409), "session.no-move");
    assert_eq!(session.ask("undo", &json!({ "plies": 0 })).refused(400), "plies");
    assert_eq!(session.ask("play", &json!({ "move": "8" })).refused(400), "notation");
    assert_eq!(client.get(&session.path).granted(), session.view);
    session.order("position", &json!({ "position": "7", "moves": ["1"] }));
    assert_eq!((&session.view["position"], &session.view["start"]), (&json!("71"), &json!("7")));
    assert_eq!(session.view["link"], "#game=connect4&position=7&moves=1");
    assert_eq!(session.ask("position", &json!({ "position": "9" })).refused(400), "notation");
    let after = session.ask("position", &json!({ "moves": ["1", "9"] }));
    assert!(after.body["error"]["message"].as_str().unwrap().starts_with("move 2: "), "{after:?}");
    assert_eq!(client.get(&session.path).granted(), session.view);
}

#[test]
fn an_engine_is_chosen_within_the_share() {
    let client = Client::new(start(small()));
    let mut session = client.open(&json!({ "game": "othello" }));
    let settings = &session.view["settings"];
    assert_eq!(settings, &json!({ "mcts": { "threads": 2, "memory_limit": 16 << 20 } }));
    let engine = |settings: Value| json!({ "settings": settings });
    session.order("engine", &engine(json!({ "alphabeta": { "threads": 1 } })));
    let end = session.search(&json!({ "depth": 4 }));
    assert_eq!((&end["report"]["depth"], &end["thinking"]), (&json!(4), &json!(false)));
    let simulations = json!({ "simulations": 9 });
    assert_eq!(session.ask("think", &simulations).refused(400), "think.limit");
    session.order("engine", &engine(json!({ "mcts": { "threads": 1, "seed": 7 } })));
    let end = session.search(&json!({ "simulations": 400 }));
    assert_eq!(end["report"]["simulations"], 400);
    // The numbers of searches go on.
    assert_eq!(end["search"], 2);
    for (settings, code) in [
        (json!({ "mcts": { "threads": 3 } }), "settings.threads"),
        (json!({ "mcts": { "memory_limit": 17 << 20 } }), "settings.memory"),
        (json!({ "mcts": { "endgames": 16 << 20 } }), "settings.memory"),
        (json!({ "solver": { "memory_limit": 1_u64 << 40 } }), "settings.memory"),
        (json!({ "alphabeta": { "table_bytes": 1_u64 << 40 } }), "settings.memory"),
        (json!({ "mcts": { "thread": 1 } }), "body"),
        (json!({ "magic": {} }), "body"),
    ] {
        assert_eq!(
            session.ask("engine", &engine(settings.clone())).refused(400),
            code,
            "{settings}"
        );
    }
    let hex = client.open(&json!({ "game": "hex" }));
    let cut_off = engine(json!({ "mcts": { "cut_off": 2 } }));
    assert_eq!(hex.ask("engine", &cut_off).refused(400), "session.no-evaluation");
}

#[test]
fn a_search_is_stopped_and_says_what_it_has_found() {
    let client = Client::new(start(small()));
    let mut session = client.open(&json!({ "game": "gomoku" }));
    assert_eq!(session.ask("stop", &json!({})).refused(409), "session.no-search");
    let begun = session.ask("think", &json!({})).granted();
    assert_eq!(client.get(&session.path).granted()["thinking"], begun["search"]);
    let stopped = session.ask("stop", &json!({})).granted();
    assert_eq!(stopped["search"], begun["search"]);
    assert_eq!(stopped["report"]["stop_reason"], "stopped");
    assert_eq!(client.get(&session.path).granted()["thinking"], Value::Null);
    // Only a move that is asked for, and none that is forbidden.
    let only = session.search(&json!({ "simulations": 200, "only": ["a1", "h8"] }));
    assert_eq!(only["report"]["moves"].as_array().unwrap().len(), 2);
    let except = session.search(&json!({ "simulations": 2000, "except": ["h8"] }));
    let moves = except["report"]["moves"].as_array().unwrap();
    assert!(moves.len() == 224 && moves.iter().all(|mv| mv["move"] != "h8"));
    assert_eq!(session.ask("think", &json!({ "only": ["z1"] })).refused(400), "notation");
    session.order("position", &json!({ "position": "4x4x3: a1 b1 a2 b2 a3" }));
    assert!(session.is_over() && session.moves().is_empty());
    assert_eq!(session.ask("think", &json!({})).refused(409), "search.game-over");
    assert_eq!(session.ask("play", &json!({ "move": "d4" })).refused(409), "search.game-over");
}

#[test]
fn a_session_ends_when_it_is_closed() {
    let client = Client::new(start(small()));
    let session = client.open(&json!({ "game": "nim" }));
    let events = session.events();
    session.ask("think", &json!({})).granted();
    client.delete(&session.path).granted();
    events.next_of("bye");
    assert_eq!(client.get(&session.path).refused(404), "no-session");
    assert_eq!(client.delete(&session.path).refused(404), "no-session");
    assert_eq!(session.ask("think", &json!({})).refused(404), "no-session");
}

#[test]
fn what_there_is_not_is_said() {
    let client = Client::new(start(small()));
    assert_eq!(client.get("/api/nothing").refused(404), "no-route");
    assert_eq!(client.delete("/api/games").refused(405), "method");
    assert_eq!(client.get("/api/sessions/0123").refused(404), "no-session");
    assert_eq!(
        client.post("/api/sessions", &json!({ "game": "go" })).refused(400),
        "session.unknown-game"
    );
    assert_eq!(client.post("/api/sessions", &json!({})).refused(400), "body");
    let position = json!({ "game": "hex", "position": "x".repeat(9000) });
    assert_eq!(client.post("/api/sessions", &position).refused(400), "too-long");
}
