//! Endgames of Dou Dizhu that others have solved: winners and winning first moves.

use std::collections::BTreeSet;

use playtree::games::Doudizhu;
use playtree::games::doudizhu::Rules;
use playtree::solver::Aim;
use playtree::{Budget, Notation, Rng, Solver};
use serde_json::Value;

use crate::data::{self, text};

/// The bytes that an endgame may take.
const MEMORY: usize = 256 << 20;

fn lines(name: &str) -> Vec<Value> {
    data::lines(&format!("doudizhu/{name}.jsonl"))
}

fn hands(line: &Value) -> String {
    format!("{}/{}", text(line, "first"), text(line, "second"))
}

/// Solves an endgame and returns whether its first player wins, and by which moves.
fn solve(rules: &str, hands: &str, threads: usize) -> (bool, BTreeSet<String>) {
    let state = Doudizhu::parse_position(&format!("{rules} {hands}")).unwrap();
    let solver = Solver::builder().threads(threads).oversubscribe(true);
    let mut solver = solver.aim(Aim::Points).memory_limit(MEMORY).build().unwrap();
    let solution = solver.solve(&state, &Budget::unlimited()).unwrap();
    assert!(solution.is_complete && solution.peak_bytes <= MEMORY as u64);
    let wins = solution.points() == Some(1);
    let best = solution.best_moves().map(|mv| state.move_text(mv)).collect();
    (wins, if wins { best } else { BTreeSet::new() })
}

/// The moves of a line of data as we write them.
fn names(hands: &str, moves: &Value) -> BTreeSet<String> {
    let state = Doudizhu::parse_position(hands).unwrap();
    let moves = moves.as_array().unwrap().iter().map(|mv| mv.as_str().unwrap());
    moves.map(|mv| state.move_text(&state.parse_move(mv).unwrap())).collect()
}

#[test]
fn generated_endgames_have_their_winners_and_first_moves() {
    for line in lines("endgames_generated") {
        let hands = hands(&line);
        for rules in Rules::ALL {
            let (wins, best) = solve(&rules.to_string(), &hands, 1);
            assert_eq!(Some(wins), line["first_wins"].as_bool(), "{rules} {hands}");
            if rules == Rules::Classic {
                assert_eq!(best, names(&hands, &line["winning_first_moves_classic"]), "{hands}");
            }
        }
        let (wins, _) = solve("classic", &hands, 2);
        assert_eq!(Some(wins), line["first_wins"].as_bool(), "{hands}, two threads");
    }
}

#[test]
fn published_endgames_have_their_winners_and_first_moves() {
    for line in lines("endgames_published") {
        let hands = hands(&line);
        for (rules, winner) in line["by_variant"].as_object().unwrap() {
            let same = rules == line["rules"].as_str().unwrap();
            let (wins, best) = solve(rules, &hands, if same { 2 } else { 1 });
            assert_eq!(wins, winner == "win", "{rules} {hands}");
            if same {
                assert_eq!(best, names(&hands, &line["winning_first_moves"]), "{hands}");
            }
        }
    }
}

#[test]
fn a_random_deal_is_one_deck_at_most() {
    let mut rng = Rng::from_seed(1);
    for cards in 1..=20 {
        let state = Doudizhu::deal(&mut rng, cards, 21 - cards, Rules::Strict).unwrap();
        let [first, second] = state.hands();
        assert_eq!((first.total(), second.total()), (cards, 21 - cards));
        for rank in 0..15 {
            let most = if rank < 13 { 4 } else { 1 };
            assert!(first.of(rank) + second.of(rank) <= most, "{state:?}");
        }
    }
    let error = Doudizhu::deal(&mut rng, 33, 22, Rules::Classic).unwrap_err();
    assert_eq!(error.to_string(), "expected at most the 54 cards of a deck, found 55");
}
