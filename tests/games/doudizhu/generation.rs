//! Moves against those of RLCard 1.2.0.
//!
//! Its rules about kickers are none of ours: any cards outside the chain, two of a rank too, but
//! not both jokers, not four of a rank, no triple that would make the chain longer; the two pairs
//! of a quad differ. All of that our lenient rules allow, so that its moves are ours without what
//! [`of_rlcard`] refuses.

use std::collections::{BTreeMap, BTreeSet};

use playtree::games::doudizhu::{Cards, Kind, Play, RANKS, Rules, leads};
use serde_json::Value;

use crate::data::{data, lines, text};
use crate::doudizhu::{legal, position, texts};

const SMALL_JOKER: usize = 13;
const BIG_JOKER: usize = 14;
/// Chains end at the ace.
const ACE: usize = 11;

/// How many of each rank are kickers.
fn kickers(play: Play) -> [u32; RANKS.len()] {
    let each = match play.kind() {
        Kind::QuadSingles | Kind::QuadPairs => 4,
        _ => 3,
    };
    let body = play.rank()..play.rank() + play.length();
    std::array::from_fn(|rank| play.cards().of(rank) - if body.contains(&rank) { each } else { 0 })
}

fn of_rlcard(play: Play) -> bool {
    let chain = play.rank()..play.rank() + play.length();
    match play.kind() {
        Kind::PlaneSingles | Kind::QuadSingles => {
            let kickers = kickers(play);
            let longer = |rank: usize| rank <= ACE && kickers[rank] >= 3;
            let extended = play.kind() == Kind::PlaneSingles
                && (longer(chain.end) || chain.start > 0 && longer(chain.start - 1));
            let both_jokers = kickers[SMALL_JOKER] > 0 && kickers[BIG_JOKER] > 0;
            !both_jokers
                && !extended
                && chain.into_iter().all(|rank| kickers[rank] == 0)
                && kickers.iter().all(|&count| count < 4)
        }
        Kind::PlanePairs | Kind::QuadPairs => {
            let kickers = kickers(play);
            chain.into_iter().all(|rank| kickers[rank] == 0)
                && kickers.iter().all(|&count| count == 0 || count == 2)
        }
        _ => true,
    }
}

/// RLCard's name of the kind.
fn kind_name(play: Play) -> String {
    let chain = |name: &str| format!("{name}_chain_{}", play.length());
    match play.kind() {
        Kind::Pass => "pass".to_owned(),
        Kind::Single => "solo".to_owned(),
        Kind::Pair => "pair".to_owned(),
        Kind::Triple => "trio".to_owned(),
        Kind::TripleSingle => "trio_solo".to_owned(),
        Kind::TriplePair => "trio_pair".to_owned(),
        Kind::Straight => chain("solo"),
        Kind::PairStraight => chain("pair"),
        Kind::Plane => chain("trio"),
        Kind::PlaneSingles => chain("trio_solo"),
        Kind::PlanePairs => chain("trio_pair"),
        Kind::QuadSingles => "four_two_solo".to_owned(),
        Kind::QuadPairs => "four_two_pair".to_owned(),
        Kind::Bomb => "bomb".to_owned(),
        Kind::Rocket => "rocket".to_owned(),
    }
}

fn counts_by_kind(plays: impl IntoIterator<Item = Play>) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for play in plays {
        *counts.entry(kind_name(play)).or_default() += 1;
    }
    counts
}

fn counts(value: &Value) -> BTreeMap<String, u64> {
    let counts = value.as_object().unwrap().iter();
    counts.map(|(kind, count)| (kind.clone(), count.as_u64().unwrap())).collect()
}

/// RLCard writes cards from the lowest up.
fn ascending(play: Play) -> String {
    play.cards().to_string().chars().rev().collect()
}

#[test]
fn a_full_deck_has_27472_moves_of_at_most_twenty_cards() {
    let Some(text) = data("doudizhu/action_space_counts.json") else { return };
    let known: Value = serde_json::from_str(&text).unwrap();
    let four_of_each: String = RANKS[..13].chars().flat_map(|rank| [rank; 4]).collect();
    let deck: Cards = (four_of_each + "BR").parse().unwrap();
    let mut plays = Vec::new();
    leads(deck, Rules::Lenient, 20, &mut plays);
    let all = plays.len();
    plays.retain(|&play| of_rlcard(play));
    assert_eq!(counts_by_kind(plays.iter().copied()), counts(&known["by_type"]));
    let different: BTreeSet<String> = plays.iter().map(|&play| ascending(play)).collect();
    // The pass is a move, too.
    assert_eq!(different.len() + 1, 27_472);
    println!("{all} lenient plays, {} of RLCard's", plays.len());
}

#[test]
fn every_hand_has_the_known_leads_and_replies() {
    let (mut hands, mut replies) = (0, 0);
    for line in lines("doudizhu/movegen_rlcard.jsonl") {
        let hand = text(&line, "hand");
        let mut plays = legal(&position(&format!("lenient {hand}/3")));
        plays.retain(|&play| of_rlcard(play));
        let found: BTreeSet<String> = plays.iter().map(|&play| ascending(play)).collect();
        let known = texts(&line["leads"]);
        assert_eq!(found, known.iter().map(ToString::to_string).collect(), "{hand}");
        assert_eq!(plays.len(), known.len(), "{hand}");
        assert_eq!(counts_by_kind(plays), counts(&line["by_type"]), "{hand}");
        for reply in line["replies"].as_array().unwrap() {
            let target = text(reply, "target");
            let place = format!("lenient {hand}/3/{target}");
            let position = position(&place);
            assert_eq!(kind_name(position.last()), text(reply, "target_type"), "{place}");
            let mut plays = legal(&position);
            assert_eq!(plays.pop(), Some(Play::PASS), "{place}");
            let beating = plays.into_iter().filter(|&play| of_rlcard(play));
            let found: BTreeSet<String> = beating.map(ascending).collect();
            let known = texts(&reply["beats"]);
            assert_eq!(found, known.iter().map(ToString::to_string).collect(), "{place}");
            replies += 1;
        }
        hands += 1;
    }
    println!("{hands} hands and {replies} replies agree");
}

/// The classic rules, and those that the source of an endgame plays.
#[test]
fn endgames_have_the_known_number_of_leads() {
    let published = lines("doudizhu/endgames_published.jsonl");
    let generated = lines("doudizhu/endgames_generated.jsonl");
    let published = published.iter().map(|line| (line, text(line, "rules"), "legal_first_moves"));
    let generated = generated.iter().map(|line| (line, "classic", "legal_first_moves_classic"));
    for (line, rules, count) in published.chain(generated) {
        let text = format!("{rules} {}/{}", text(line, "first"), text(line, "second"));
        assert_eq!(legal(&position(&text)).len() as u64, line[count].as_u64().unwrap(), "{text}");
    }
}
