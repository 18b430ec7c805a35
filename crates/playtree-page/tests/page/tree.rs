//! Looking into the tree.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::client::{Client, small, start};

fn numbers(top: &Value) -> HashSet<u64> {
    let positions = top["positions"].as_array().expect("a list");
    positions.iter().map(|found| found["number"].as_u64().expect("a number")).collect()
}

#[test]
fn any_line_is_walked_and_the_board_follows() {
    let client = Client::new(start(small()));
    let mut session = client.open(&json!({ "game": "tictactoe" }));
    let node = |line: Value, at_most: u32| json!({ "line": line, "at_most": at_most });
    // Before any search the board is there and nothing is known.
    let found = session.ask("node", &node(json!(["5"]), 3)).granted();
    assert_eq!((&found["visits"], &found["number"]), (&json!(0), &json!(null)));
    assert_eq!((&found["board"]["cells"][4], &found["mover"]), (&json!("0"), &json!(1)));
    assert_eq!(found["board"]["last"], json!([4]));
    session.search(&json!({ "simulations": 3000 }));
    let root = session.ask("node", &node(json!([]), 2)).granted();
    assert_eq!((root["branches"].as_array().unwrap().len(), &root["branch_count"]), (2, &json!(9)));
    let best = root["branches"][0]["move"].clone();
    let child = session.ask("node", &node(json!([best]), 9)).granted();
    assert_eq!(child["visits"], root["branches"][0]["child_visits"]);
    assert_eq!(child["moves_text"], json!([best]));
    // The line begins where the game is, also after a move.
    session.play(best.as_str().unwrap());
    let now = session.ask("node", &node(json!([]), 9)).granted();
    assert_eq!((&now["number"], &now["visits"]), (&child["number"], &child["visits"]));
    // The search was elsewhere: nothing is known of what was before.
    session.search(&json!({ "simulations": 100 }));
    session.order("undo", &json!({}));
    let before = session.ask("node", &node(json!([]), 9)).granted();
    assert_eq!(before["number"], json!(null));
    assert_eq!(session.ask("node", &node(json!(["5", "5"]), 1)).refused(400), "notation");
    assert_eq!(session.ask("node", &node(json!([]), 501)).refused(400), "too-many");
    let ended = session.ask("node", &node(json!(["1", "4", "2", "5", "3"]), 1)).granted();
    assert_eq!(ended["outcome"]["scores"], json!([1.0, 0.0]));
}

#[test]
fn the_top_of_the_tree_is_a_file() {
    let client = Client::new(start(small()));
    let session = client.open(&json!({ "game": "connect4" }));
    let export = |query: &str| client.get(&format!("{}/export{query}", session.path));
    assert_eq!(export("").refused(409), "session.no-tree");
    session.search(&json!({ "simulations": 20_000 }));
    let top = export("?depth=3&at_most=50").granted();
    let positions = top["positions"].as_array().unwrap();
    assert_eq!((positions.len(), numbers(&top).len()), (50, 50));
    assert_eq!(top["root"], positions[0]["number"]);
    let plies = positions.iter().map(|found| found["line"].as_array().unwrap().len());
    let plies: Vec<usize> = plies.collect();
    assert!(plies.iter().all(|&plies| plies <= 3), "{plies:?}");
    // The best line is gone down before the worst first move.
    let best_line = plies.iter().position(|&plies| plies == 3);
    let worst_move = plies.iter().rposition(|&plies| plies == 1);
    assert!(best_line.is_some() && best_line < worst_move, "{plies:?}");
    for found in positions {
        let line = &found["line"];
        let node = session.ask("node", &json!({ "line": line, "at_most": 1 })).granted();
        assert_eq!((&node["number"], &node["visits"]), (&found["number"], &found["visits"]));
    }
    let dot = export("?format=dot&depth=2&at_most=20").granted();
    let dot = dot.as_str().expect("a text");
    assert!(dot.starts_with("digraph \"connect4\" {\n") && dot.ends_with("}\n"), "{dot}");
    assert_eq!(dot.lines().filter(|line| line.contains(" [label=\"#")).count(), 20);
    assert!(dot.lines().filter(|line| line.contains(" -> ")).count() >= 19, "{dot}");
    for (query, code) in [
        ("?format=xml", "query"),
        ("?depth=-1", "query"),
        ("?size=3", "query"),
        ("?depth=0", "too-many"),
        ("?at_most=2001", "too-many"),
    ] {
        assert_eq!(export(query).refused(400), code, "{query}");
    }
}
