//! What is refused when it is read: what was expected, what was found, and in which field.

use std::fmt::Debug;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, from_str, from_value, json, to_value};

use super::pile::{PILE, Pile};
use super::values::{SHORT, WIN, node, report, search_content, solution, table_info, worth};
use crate::budget::{All, Hint, Progress, StopRule, ThinkingTime};
use crate::game::{Record, Scores};
use crate::mcts::{
    Expansion, Grave, InFlight, NodeReport, Parallelism, RoundSize, Selection, TableLocks,
};
use crate::save::{Info, SearchContent};
use crate::solver::{Limits, Solution, Strategy, StrategyOptions, Worth};
use crate::statistics::{Estimate, MatchScore, Sprt};
use crate::{Budget, GameTag, Outcome, SearchId, Solver, StopReason, StopToken, alphabeta, mcts};

/// Refuses `json`, with these words.
#[track_caller]
fn refuses<T: DeserializeOwned + Debug>(json: Value, expected: &str) {
    let error = from_str::<T>(&json.to_string()).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

fn changed(value: &impl Serialize, path: &str, to: Value) -> Value {
    let mut json = to_value(value).unwrap();
    *json.pointer_mut(path).unwrap() = to;
    json
}

#[test]
fn reports_that_cannot_be_are_refused() {
    type Report = mcts::Report<String>;
    let found = report(WIN);
    let share = "expected a number from 0 to 1, found";
    refuses::<Report>(changed(&found, "/win_rate", json!(7)), &format!("win_rate: {share} 7"));
    refuses::<Report>(changed(&found, "/scores/1", json!(-1)), &format!("scores: {share} -1"));
    refuses::<Report>(changed(&found, "/scores", json!([])), "1 to 8 players, found 0");
    let rate = changed(&found, "/moves/1/lcb", json!(1.5));
    refuses::<Report>(rate, &format!("lcb: {share} 1.5"));
    let visits = changed(&found, "/moves/0/visits", json!(u64::MAX));
    refuses::<Report>(visits, "moves: expected fewer than 2^64 visits together");
    refuses::<Report>(changed(&found, "/proven", json!(null)), "proven_plies: expected the plies");
    refuses::<Report>(changed(&found, "/proven_plies", json!(null)), "proven_plies: expected");
    refuses::<Report>(changed(&found, "/seconds", json!(-1.0)), "expected seconds, at least 0");
    let longest = changed(&found, "/seconds", json!(1e300));
    assert_eq!(from_value::<Report>(longest).unwrap().elapsed, Duration::MAX);

    let branches = changed(&node(), "/branch_count", json!(0));
    refuses::<NodeReport<u32>>(branches, "branch_count: expected at least 1, found 0");
    let mover = changed(&node(), "/mover", json!(3));
    refuses::<NodeReport<u32>>(mover, "mover: expected one of 3 players, found 3");

    type Score = alphabeta::Score;
    let score = |value: Value, plies: Value, proven: Value| json!({ "value": value, "plies": plies, "proven": proven });
    refuses::<Score>(score(json!(1), json!(2), json!("win")), "value or proven, found both");
    refuses::<Score>(score(json!(null), json!(null), json!(null)), "found neither");
    refuses::<Score>(score(json!(i32::MAX), json!(null), json!(null)), "value: expected a number");

    let limits = Limits { least: worth(1, 1), most: worth(1, 1) };
    let most = json!({ "points": -1, "plies": 3 });
    refuses::<Limits>(
        changed(&limits, "/most", most),
        "most: expected at least as much as win in 1",
    );
    refuses::<Worth>(json!({ "points": 1_001, "plies": 0 }), "points: expected -1000 to 1000");
    refuses::<Worth>(json!({ "points": 0, "plies": 1 }), "plies: expected at most 0 for 0 points");
    let share = changed(&solution(limits), "/table_used", json!(2));
    refuses::<Solution<u32>>(share, "table_used: expected a number from 0 to 1");
}

#[test]
fn settings_out_of_their_range_are_refused() {
    refuses::<Selection>(json!({ "ucb1": { "exploration": -1.0 } }), "selection: expected an exp");
    let grave = json!({ "grave": { "bias": 1e7 } });
    refuses::<Selection>(grave, "selection: expected a bias of 0 to 1000000, found 10000000");
    refuses::<Grave>(json!({ "referenced": 1 }), "unknown field `referenced`");
    let expansion = json!({ "one_per_simulation": { "from_visit": 0 } });
    refuses::<Expansion>(expansion, "expansion: expected from the first visit or later, found");
    refuses::<TableLocks>(json!({ "shards": 0 }), "table: expected 1 to 65536 shards, found 0");
    let weight = json!({ "virtual_loss": { "weight": 0 } });
    refuses::<InFlight>(weight, "in_flight: expected a weight above 0");
    refuses::<RoundSize>(json!({ "fixed": 5_000 }), "round_size: expected 1 to 4096 simulations");
    refuses::<RoundSize>(json!({ "adaptive": { "most": 0 } }), "round_size: expected");
    refuses::<Parallelism>(json!({ "simulated": { "workers": 0 } }), "parallelism: expected 1 to");
    refuses::<mcts::Options<Pile>>(json!({ "temperature": -1.0 }), "temperature");
    refuses::<alphabeta::AutotuneOptions>(json!({ "repetitions": 0 }), "repetitions: expected at");
    refuses::<GameTag>(json!({ "name": "", "encoding": 1 }), "name: expected 1 to 255 bytes");
    refuses::<SearchId>(json!(0), "expected the number of a search, at least 1, found 0");
    refuses::<Outcome>(json!({ "win": 8 }), "expected a player below 8, found 8");
    refuses::<Scores>(json!([0.5, 1.5]), "expected a score in [0, 1] for player 1, found 1.5");
    refuses::<Scores>(json!(vec![0.0; 9]), "expected at most 8 scores, found 9");
    refuses::<MatchScore>(json!({ "pairs": [0.5, 2.0] }), "pairs: expected a number from 0 to 1");
    let sprt =
        |elo0: f64, alpha: f64| json!({ "elo0": elo0, "elo1": 5, "alpha": alpha, "beta": 0.1 });
    refuses::<Sprt>(sprt(5.0, 0.1), "elo1: expected more than elo0, 5, found 5");
    refuses::<Sprt>(sprt(0.0, 0.5), "alpha: expected a chance between 0 and 1/2, found 0.5");
    refuses::<Estimate>(
        json!({ "value": "much", "low": 0, "high": 1 }),
        "a number, inf, -inf or NaN",
    );
    let hint = |simulations: u64, reason| json!({ "reason": reason, "simulations": simulations, "time": null });
    refuses::<Hint>(hint(0, None::<&str>), "simulations: expected at least 1, found 0");
    refuses::<Hint>(hint(1, Some("time")), "reason: expected nothing to wait for beside it");
    let draws = changed(&search_content(), "/draws/0", json!(2));
    refuses::<SearchContent>(draws, "expected a number from 0 to 1, found 2");
    let time = ThinkingTime { target: SHORT, limit: SHORT, saves: true };
    let later = changed(&time, "/target/secs", json!(2));
    refuses::<ThinkingTime>(later, "target: expected at most 1.999999999s");
    refuses::<Info>(changed(&table_info(), "/layout", json!("abc")), "16 hexadecimal digits");
    refuses::<Info>(changed(&table_info(), "/players", json!(9)), "players: expected 1 to 8");
    let both = json!({ "facts": 1 });
    let mut json = to_value(table_info()).unwrap();
    json.as_object_mut().unwrap().extend(both.as_object().unwrap().clone());
    refuses::<Info>(json, "expected nodes or facts, found both");
}

#[test]
fn budgets_that_are_no_plain_data_are_refused() {
    #[derive(Debug)]
    struct Own;

    impl StopRule for Own {
        fn check(&self, _: &Progress) -> Hint {
            Hint::go_on()
        }
    }

    let refused = |budget: Budget| serde_json::to_string(&budget).unwrap_err().to_string();
    let token = StopToken::new();
    assert!(refused(Budget::until(&token)).starts_with("expected a budget without a stop token"));
    assert!(refused(Budget::unlimited().and(token.clone())).contains("found StopToken"));
    assert!(refused(Budget::unlimited().and(All::of(Own))).contains("plain data, found Own"));
    let options = alphabeta::AutotuneOptions::new().until(&token);
    assert!(serde_json::to_string(&options).unwrap_err().to_string().contains("stop token"));

    refuses::<Budget>(json!({ "simulation": 1 }), "unknown field `simulation`");
    refuses::<Budget>(json!({ "rules": ["token"] }), "unknown variant `token`");
    let soft = json!({ "soft_time": { "secs": 1, "nanos": 0 } });
    refuses::<Budget>(soft, "soft_time: expected a rule soft_time of 1s as well, found none");
    // As deep as a budget may be, and deeper: the stack of a thread stays as it is.
    let nested = |depth| (1..depth).fold(json!([]), |inner, _| json!([{ "all": inner }]));
    assert!(from_value::<All>(nested(32)).is_ok());
    refuses::<All>(nested(33), "all: expected at most 32 in each other, found 33");
    assert!(from_value::<All>(nested(32)).is_ok());
}

#[test]
fn games_that_were_not_played_are_refused() {
    let record = |moves: &[u32]| json!({ "start": { "left": 2, "plies": 0 }, "moves": moves });
    assert_eq!(from_value::<Record<Pile>>(record(&[1, 1])).unwrap().position().left, 0);
    refuses::<Record<Pile>>(
        record(&[3]),
        "moves: expected one of 2 legal moves as move 1, found 3",
    );
    refuses::<Record<Pile>>(record(&[2, 1]), "expected one of 0 legal moves as move 2, found 1");

    let mut engine = Solver::builder().threads(1).build().unwrap();
    let found = engine.strategy(&PILE, &StrategyOptions::new(), &Budget::unlimited()).unwrap();
    refuses::<Strategy<Pile>>(changed(&found, "/positions", json!([])), "positions: expected at");
    refuses::<Strategy<Pile>>(changed(&found, "/player", json!(2)), "player: expected one of 2");
    let to = |number: u32| changed(&found, "/positions/0/moves/0/to", json!(number));
    refuses::<Strategy<Pile>>(to(0), "position 0: to: expected the position after the move");
    refuses::<Strategy<Pile>>(to(99), "position 0: to: expected below");
    let kind = changed(&found, "/positions/0/kind", json!("beyond"));
    refuses::<Strategy<Pile>>(
        kind,
        "kind: expected reply or answers with 1 moves, found \"beyond\"",
    );
    let mv = changed(&found, "/positions/0/moves/0/move", json!("3"));
    refuses::<Strategy<Pile>>(mv, "position 0: expected 1 or 2, found 3");
    let lost = changed(&found, "/positions/0/moves", json!([]));
    refuses::<Strategy<Pile>>(lost, "kind: expected");
}

#[test]
fn names_of_rules_take_a_limited_memory() {
    let long = json!({ "other": "x".repeat(257) });
    refuses::<StopReason>(long, "expected the name of a rule of at most 256 bytes, found 257");
    // Those that other tests read are known, then, whichever is first.
    for name in ["time", ""] {
        from_value::<StopReason>(json!({ "other": name })).unwrap();
    }
    let name = |number: u32| from_value::<StopReason>(json!({ "other": format!("rule {number}") }));
    let refused = (0..2_000).find_map(|number| name(number).err()).unwrap().to_string();
    assert!(refused.starts_with("expected at most 1024 different names of rules"), "{refused}");
    assert_eq!(name(0).unwrap(), StopReason::Other("rule 0"));
}
