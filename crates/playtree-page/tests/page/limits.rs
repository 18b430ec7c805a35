//! Limits of searches, as a page gives them.

use serde_json::json;

use crate::client::{Client, small, start};

#[test]
fn a_move_has_the_time_that_it_was_given() {
    let client = Client::new(start(small()));
    for game in ["othello", "xiangqi", "hex"] {
        let session = client.open(&json!({ "game": game }));
        for seconds in [0.2, 0.5] {
            let end = session.search(&json!({ "seconds": seconds }));
            let report = &end["report"];
            let taken = report["seconds"].as_f64().expect("a time");
            println!("{game}: {taken:.3} s of {seconds} s");
            assert_eq!(report["stop_reason"], "time");
            // On a machine that does other things it may come late, and never early.
            assert!(taken >= seconds && taken < seconds + 2.0, "{taken} of {seconds}");
        }
    }
}

#[test]
fn a_limit_out_of_its_range_is_refused() {
    let client = Client::new(start(small()));
    let session = client.open(&json!({ "game": "othello" }));
    for limit in [
        json!({ "seconds": 0 }),
        json!({ "seconds": -1 }),
        json!({ "seconds": 3601 }),
        json!({ "seconds": 1e300 }),
        json!({ "simulations": 0 }),
        json!({ "simulations": u64::MAX }),
        json!({ "nodes": 0 }),
        json!({ "depth": 3 }),
    ] {
        assert_eq!(session.ask("think", &limit).refused(400), "think.limit", "{limit}");
    }
    for limit in [json!({ "minutes": 1 }), json!({ "seconds": "1" }), json!({ "nodes": -1 })] {
        assert_eq!(session.ask("think", &limit).refused(400), "body", "{limit}");
    }
    let alphabeta = json!({ "game": "othello", "settings": { "alphabeta": {} } });
    let session = client.open(&alphabeta);
    for depth in [0, 1001] {
        let depth = json!({ "depth": depth });
        assert_eq!(session.ask("think", &depth).refused(400), "think.limit", "{depth}");
    }
}
