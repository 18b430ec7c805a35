//! `playtree serve --network`: what the page offers, and games that a network plays.

/// The network of the repository, which a run of `playtree-train` has left.
const NETWORK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../playtree-train/nets/connect4.onnx");

#[cfg(not(feature = "network"))]
#[test]
fn a_build_without_networks_says_how_to_get_them() {
    let refused = crate::run(&["serve", "--port", "0", "--network", NETWORK]);
    assert_eq!(refused.code, Some(2));
    let expected = "playtree: --network: no networks in this build: cargo run --release --features \
                    serve,network -- serve ...";
    assert_eq!(refused.stderr.trim_end(), expected);
}

#[cfg(feature = "network")]
mod with_them {
    use std::time::{Duration, Instant};

    use serde_json::{Value, json};

    use super::NETWORK;
    use crate::run;
    use crate::serve::Server;

    /// A status and the JSON of an answer.
    fn ask(server: &Server, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let answer = server.ask(method, path, &body);
        // A visitor learns nothing of the files of the server.
        assert!(!answer.contains("onnx") && !answer.contains("playtree-train"), "{answer}");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.expect("a status"), serde_json::from_str(body).expect("JSON"))
    }

    fn granted(server: &Server, method: &str, path: &str, body: &Value) -> Value {
        let (status, answer) = ask(server, method, path, body);
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    /// The path of a new session.
    fn open(server: &Server, new: &Value) -> (String, Value) {
        let view = granted(server, "POST", "/api/sessions", new);
        (format!("/api/sessions/{}", view["session"].as_str().expect("a number")), view)
    }

    /// What a search of this number of simulations finds.
    fn search(server: &Server, session: &str, simulations: u32) -> Value {
        let limit = json!({ "simulations": simulations });
        granted(server, "POST", &format!("{session}/think"), &limit);
        let patience = Instant::now() + Duration::from_secs(60);
        while !granted(server, "GET", session, &Value::Null)["thinking"].is_null() {
            assert!(Instant::now() < patience, "the search goes on");
            std::thread::sleep(Duration::from_millis(20));
        }
        granted(server, "POST", &format!("{session}/stop"), &json!({}))["report"].clone()
    }

    #[test]
    fn a_visitor_plays_against_the_network_of_the_server() {
        let server = Server::start(&["--network", NETWORK]);
        let games = granted(&server, "GET", "/api/games", &Value::Null);
        for game in games.as_array().expect("a list") {
            for start in game["starts"].as_array().expect("a list") {
                assert_eq!(start["network"], game["name"] == "connect4", "{game}");
            }
        }
        let settings = json!({ "mcts": { "threads": 1 } });
        let new = json!({ "game": "connect4", "settings": settings, "network": true });
        let (session, view) = open(&server, &new);
        assert_eq!(view["network"], true);
        for ply in 0..8 {
            let report = search(&server, &session, 40);
            // It was asked about each position, but for those of the search before.
            let asked = report["network"]["evaluations"].as_u64().expect("it was asked");
            assert!((1..=41).contains(&asked), "{report}");
            let moves = report["moves"].as_array().expect("a list");
            let priors = moves.iter().map(|found| found["prior"].as_f64().expect("a prior"));
            assert!((priors.sum::<f64>() - 1.0).abs() < 1e-2, "{report}");
            if ply == 0 {
                assert_eq!(report["best_move"], "4");
            }
            let mv = json!({ "move": report["best_move"] });
            let view = granted(&server, "POST", &format!("{session}/play"), &mv);
            assert_eq!(view["played"].as_array().expect("a list").len(), ply + 1);
        }
        // Another position keeps it, another engine need not have it.
        let position = json!({ "position": "44" });
        let view = granted(&server, "POST", &format!("{session}/position"), &position);
        assert_eq!(view["network"], true);
        assert!(search(&server, &session, 10)["network"].is_object());
        let engine = json!({ "settings": settings });
        let view = granted(&server, "POST", &format!("{session}/engine"), &engine);
        assert_eq!(view["network"], false);
        assert!(search(&server, &session, 10)["network"].is_null());
        let engine = json!({ "settings": settings, "network": true });
        let view = granted(&server, "POST", &format!("{session}/engine"), &engine);
        assert_eq!(view["network"], true);
        assert!(search(&server, &session, 10)["network"].is_object());
    }

    #[test]
    fn a_visitor_names_no_file_and_gets_no_network_that_is_not_there() {
        let server = Server::start(&["--network", NETWORK]);
        for (new, code) in [
            (json!({ "game": "othello", "network": true }), "settings.network"),
            (json!({ "game": "hex", "network": true }), "settings.network"),
            (
                json!({ "game": "connect4", "settings": { "solver": {} }, "network": true }),
                "settings.network",
            ),
            (json!({ "game": "connect4", "network": "/etc/passwd" }), "body"),
            (json!({ "game": "connect4", "settings": { "mcts": { "network": "net" } } }), "body"),
        ] {
            let (status, answer) = ask(&server, "POST", "/api/sessions", &new);
            assert_eq!((status, &answer["error"]["code"]), (400, &json!(code)), "{new}: {answer}");
        }
        let none = Server::start(&[]);
        let new = json!({ "game": "connect4", "network": true });
        let (status, answer) = ask(&none, "POST", "/api/sessions", &new);
        assert_eq!((status, &answer["error"]["code"]), (400, &json!("settings.network")));
        let text = answer["error"]["message"].as_str().expect("a text");
        assert!(text.contains("a server with networks"), "{text}");
    }

    #[test]
    fn a_file_that_is_no_network_is_one_error() {
        for (file, expected) in [
            ("no such file", "no such file: expected a file"),
            (concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"), "expected an ONNX file"),
        ] {
            let refused = run(&["serve", "--port", "0", "--network", file]);
            assert_eq!(refused.code, Some(2), "{}", refused.stderr);
            assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
            assert!(refused.stderr.starts_with("playtree: --network: "), "{}", refused.stderr);
            assert!(refused.stderr.contains(expected), "{}", refused.stderr);
        }
    }
}
