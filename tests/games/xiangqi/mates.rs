//! Mates, found by the alpha-beta search.

use std::collections::BTreeSet;
use std::time::Duration;

use playtree::games::Xiangqi;
use playtree::games::xiangqi::XiangqiEvaluation;
use playtree::{AlphaBeta, Budget, GameState, Notation, Proven};
use serde_json::Value;

use crate::data::{lines, text};
use crate::xiangqi::{ours, position, texts};

type Engine = AlphaBeta<Xiangqi, XiangqiEvaluation>;

/// A search that tells all moves that are as good as the best one from worse ones, and leaves
/// nothing out by a guess.
fn engine() -> Engine {
    let builder = AlphaBeta::builder(XiangqiEvaluation);
    builder.threads(2).null_move(false).random_choice(true).build().unwrap()
}

/// Far more than any of the mates takes.
fn patience() -> Budget {
    Budget::time(Duration::from_secs(120))
}

/// Prints the median and the greatest of some times.
fn print_times(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    if let (Some(median), Some(worst)) = (times.get(times.len() / 2), times.last()) {
        let count = times.len();
        println!("{what}: {count} positions, median {median:.1?}, worst {worst:.1?}");
    }
}

#[test]
fn mates_in_up_to_three_have_exactly_the_known_first_moves() {
    let mut times = Vec::new();
    for line in lines("xiangqi/mate_exact_1_3.jsonl") {
        let state = position(&line);
        let moves = line["mate_in"].as_u64().unwrap() as u32;
        let report = engine().search(&state, &patience()).unwrap();
        times.push(report.elapsed);

        assert_eq!(report.proven, Some(Proven::Win { plies: 2 * moves - 1 }), "{line}");
        let found: BTreeSet<String> = report.best_moves().map(|mv| state.move_text(mv)).collect();
        let known = texts(&line["winning_first_moves"]).into_iter().map(ours).collect();
        assert_eq!(found, known, "{line}");
    }
    print_times("mates in one to three", times);
}

/// Searches a mate of the file of longer ones: the plies it takes, and the time.
fn long_mate(line: &Value) -> (u32, Duration) {
    let mut state = position(line);
    let report = engine().search(&state, &patience()).unwrap();
    let Some(Proven::Win { plies }) = report.proven else { panic!("{line}: {}", report.score) };
    for mv in &report.pv {
        state = state.apply(mv);
    }
    (plies, report.elapsed)
}

#[test]
#[ignore = "a minute"]
fn mates_in_four_to_six_are_found() {
    let mut times = Vec::new();
    for line in lines("xiangqi/mate_4_6.jsonl") {
        let (plies, time) = long_mate(&line);
        println!("{:12} mate in {}, {time:.2?}", text(&line, "name"), plies.div_ceil(2));
        let known = line["fsf_mate_in"].as_u64().unwrap() as u32;
        assert!(plies < 2 * known, "{line}: {plies} plies");
        times.push(time);
    }
    print_times("mates in four to six", times);
}
