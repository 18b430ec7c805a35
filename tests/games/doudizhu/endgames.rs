//! Endgames with known winners, by a plain search of every position.

use std::collections::{BTreeSet, HashMap};

use playtree::games::Doudizhu;
use playtree::games::doudizhu::Rules;
use playtree::{GameState, Notation, Outcome};

use crate::data::{lines, text};
use crate::doudizhu::{legal, position, texts};

/// Whether the side to move wins.
fn wins(state: &Doudizhu, known: &mut HashMap<[u64; 2], bool>) -> bool {
    if let Some(outcome) = state.outcome() {
        return outcome == Outcome::Win(state.mover());
    }
    if let Some(&found) = known.get(&state.key()) {
        return found;
    }
    let found = legal(state).iter().any(|mv| !wins(&state.apply(mv), known));
    known.insert(state.key(), found);
    found
}

/// The first moves that win.
fn winning_leads(state: &Doudizhu, known: &mut HashMap<[u64; 2], bool>) -> BTreeSet<String> {
    let winning = legal(state).into_iter().filter(|mv| !wins(&state.apply(mv), known));
    winning.map(|mv| state.move_text(&mv)).collect()
}

/// The given moves as we write them: our parser knows the suffixes of the data.
fn names(state: &Doudizhu, moves: &[&str]) -> BTreeSet<String> {
    moves.iter().map(|text| state.move_text(&state.parse_move(text).unwrap())).collect()
}

#[test]
fn generated_endgames_have_their_winners_under_all_rules() {
    let (mut solved, mut positions) = (0, 0);
    for line in lines("doudizhu/endgames_generated.jsonl") {
        let hands = format!("{}/{}", text(&line, "first"), text(&line, "second"));
        for rules in Rules::ALL {
            let state = position(&format!("{rules} {hands}"));
            let mut known = HashMap::new();
            let found = wins(&state, &mut known);
            assert_eq!(Some(found), line["first_wins"].as_bool(), "{rules} {hands}");
            if rules == Rules::Classic {
                let moves = texts(&line["winning_first_moves_classic"]);
                assert_eq!(winning_leads(&state, &mut known), names(&state, &moves), "{hands}");
            }
            positions += known.len();
        }
        solved += 1;
    }
    println!("{solved} endgames, {positions} positions");
}

#[test]
fn published_endgames_have_their_winners_under_all_rules() {
    let (mut solved, mut positions) = (0, 0);
    for line in lines("doudizhu/endgames_published.jsonl") {
        let hands = format!("{}/{}", text(&line, "first"), text(&line, "second"));
        for (name, winner) in line["by_variant"].as_object().unwrap() {
            let state = position(&format!("{name} {hands}"));
            let mut known = HashMap::new();
            let found = if wins(&state, &mut known) { "win" } else { "loss" };
            assert_eq!(Some(found), winner.as_str(), "{name} {hands}");
            if name == text(&line, "rules") {
                let moves = texts(&line["winning_first_moves"]);
                assert_eq!(winning_leads(&state, &mut known), names(&state, &moves), "{hands}");
            }
            positions += known.len();
        }
        solved += 1;
    }
    println!("{solved} endgames, {positions} positions");
}
