//! Lines of play from many positions, with the checks, captures and mates among their last moves.

use playtree::GameState;
use playtree::games::Xiangqi;
use playtree::testing::{check_game, check_notation, perft};

use crate::data::{lines, text};
use crate::xiangqi::{legal, position};

/// Counts of the last moves of all lines.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    nodes: u64,
    checks: u64,
    captures: u64,
    mates: u64,
}

fn count(state: &Xiangqi, depth: u32, counts: &mut Counts) {
    for mv in legal(state) {
        let next = state.apply(&mv);
        if depth > 1 {
            count(&next, depth - 1, counts);
            continue;
        }
        counts.nodes += 1;
        counts.checks += u64::from(next.in_check());
        counts.captures += u64::from(state.is_capture(mv));
        counts.mates += u64::from(next.is_checkmate());
    }
}

/// Compares the counts of up to `most` lines with the data.
fn compare(least: u64, most: u64) -> usize {
    let mut rows = 0;
    for line in lines("xiangqi/perft.jsonl") {
        let start = position(&line);
        for (depth, row) in line["perft"].as_object().unwrap() {
            let nodes = row["nodes"].as_u64().unwrap();
            if !(least..most).contains(&nodes) {
                continue;
            }
            let mut counts = Counts::default();
            count(&start, depth.parse().unwrap(), &mut counts);
            let place = format!("{} depth {depth}", text(&line, "fen"));
            let expected = |name: &str, found: u64| row[name].as_u64().unwrap_or(found);
            let expected = Counts {
                nodes,
                checks: expected("checks", counts.checks),
                captures: expected("captures", counts.captures),
                mates: expected("mates", counts.mates),
            };
            assert_eq!(counts, expected, "{place}");
            rows += 1;
        }
    }
    println!("{rows} counts from {least} to {most} lines agree");
    rows
}

#[test]
fn lines_checks_captures_and_mates_agree_up_to_five_million() {
    compare(0, 5_000_000);
}

#[test]
#[ignore = "two hundred million lines: a minute"]
fn lines_checks_and_captures_agree_up_to_two_hundred_million() {
    compare(5_000_000, 200_000_000);
}

#[test]
#[ignore = "five thousand million lines: minutes"]
fn the_lines_of_six_plies_agree() {
    for line in lines("xiangqi/perft.jsonl").iter().take(1) {
        assert_eq!(perft(&position(line), 6), line["perft"]["6"]["nodes"].as_u64().unwrap());
    }
}

#[test]
fn the_start_has_133_million_lines_of_five_plies() {
    let lines: Vec<u64> = (1..=5).map(|depth| perft(&Xiangqi::new(), depth)).collect();
    assert_eq!(lines, [44, 1_920, 79_666, 3_290_240, 133_312_995]);
}

#[test]
fn xiangqi_keeps_the_laws() {
    assert_eq!(check_game(&Xiangqi::new(), 3, 1), Ok(()));
    assert_eq!(check_notation(&Xiangqi::new(), 2, 2), Ok(()));
}
