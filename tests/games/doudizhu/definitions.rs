//! The moves of random hands, of one deck and of two, against the definitions of the plays tried
//! on every choice of cards.

use std::collections::HashMap;

use playtree::Rng;
use playtree::games::doudizhu::{Cards, Kind, Play, RANKS, Rules, leads};

type Counts = [u32; RANKS.len()];

const ACE: usize = 11;

/// Which kinds there are: cards of each rank, the fewest and the most ranks, kickers for each rank
/// and cards of each kicker.
const KINDS: [(Kind, u32, usize, usize, u32, u32); 12] = [
    (Kind::Single, 1, 1, 1, 0, 0),
    (Kind::Pair, 2, 1, 1, 0, 0),
    (Kind::Triple, 3, 1, 1, 0, 0),
    (Kind::TripleSingle, 3, 1, 1, 1, 1),
    (Kind::TriplePair, 3, 1, 1, 1, 2),
    (Kind::Straight, 1, 5, 12, 0, 0),
    (Kind::PairStraight, 2, 3, 12, 0, 0),
    (Kind::Plane, 3, 2, 12, 0, 0),
    (Kind::PlaneSingles, 3, 2, 12, 1, 1),
    (Kind::PlanePairs, 3, 2, 12, 1, 2),
    (Kind::QuadSingles, 4, 1, 1, 2, 1),
    (Kind::QuadPairs, 4, 1, 1, 2, 2),
];

/// Whether `kickers` may go with the ranks of `body`.
fn may_go_with(kind: Kind, kickers: &Counts, body: std::ops::Range<usize>, rules: Rules) -> bool {
    let both_jokers = kickers[13] > 0 && kickers[14] > 0;
    let apart = body.into_iter().all(|rank| kickers[rank] == 0);
    let [at_most_one, at_most_a_pair] =
        [1, 2].map(|most| kickers.iter().all(|&count| count <= most));
    let pairs = kickers.iter().all(|count| count % 2 == 0);
    let lenient = rules == Rules::Lenient;
    match kind {
        Kind::TripleSingle => apart,
        Kind::TriplePair => {
            apart && pairs && ![Rules::NoThreePlusTwo, Rules::Minimal].contains(&rules)
        }
        Kind::PlaneSingles => lenient || apart && at_most_one && !both_jokers,
        Kind::PlanePairs => {
            pairs
                && (lenient || apart && at_most_a_pair && !both_jokers)
                && ![Rules::NoThreePlusTwo, Rules::Minimal].contains(&rules)
        }
        Kind::QuadSingles | Kind::QuadPairs
            if [Rules::NoFourPlusTwo, Rules::Minimal].contains(&rules) =>
        {
            false
        }
        Kind::QuadSingles => apart && (rules != Rules::Strict || at_most_one && !both_jokers),
        Kind::QuadPairs => {
            apart
                && pairs
                && (lenient || at_most_a_pair)
                && (rules != Rules::Strict || !both_jokers)
        }
        _ => true,
    }
}

/// What exactly these cards are: kind, length and the highest rank of each.
fn meanings(cards: &Counts, rules: Rules) -> HashMap<(Kind, usize), usize> {
    let total: u32 = cards.iter().sum();
    let mut found = HashMap::new();
    for (kind, each, fewest, most, kickers, size) in KINDS {
        for length in fewest..=most {
            if total != length as u32 * (each + kickers * size) {
                continue;
            }
            let ends = if most > 1 { ACE } else { RANKS.len() - 1 };
            for rank in 0..=ends + 1 - length {
                let body = rank..rank + length;
                if body.clone().any(|rank| cards[rank] < each) {
                    continue;
                }
                let others = std::array::from_fn(|rank| {
                    cards[rank] - if body.contains(&rank) { each } else { 0 }
                });
                if may_go_with(kind, &others, body, rules) {
                    // Ranks come upwards, so that the highest stays.
                    found.insert((kind, length), rank);
                }
            }
        }
    }
    let ranks: Vec<usize> = (0..RANKS.len()).filter(|&rank| cards[rank] > 0).collect();
    if let [rank] = ranks[..]
        && total >= 4
    {
        found.insert((Kind::Bomb, total as usize), rank);
    }
    if ranks == [13, 14] && cards[13] == cards[14] {
        found.insert((Kind::Rocket, cards[13] as usize), 13);
    }
    found
}

/// Calls `see` with every part of `hand`.
fn parts(hand: &Counts, rank: usize, part: &mut Counts, see: &mut impl FnMut(&Counts)) {
    if rank == hand.len() {
        return see(part);
    }
    for count in 0..=hand[rank] {
        part[rank] = count;
        parts(hand, rank + 1, part, see);
    }
    part[rank] = 0;
}

fn cards(counts: &Counts) -> Cards {
    let names = RANKS.chars().zip(counts);
    names
        .flat_map(|(name, &count)| (0..count).map(move |_| name))
        .collect::<String>()
        .parse()
        .unwrap()
}

/// `size` cards at random of at most `ranks` neighbouring ranks of `decks` decks, with the 2 and
/// the jokers among them now and then.
fn random_hand(rng: &mut Rng, size: u32, ranks: usize, decks: u32) -> Counts {
    let first = rng.below(RANKS.len() + 1 - ranks);
    let mut hand = [0; RANKS.len()];
    let most = |rank: usize| decks * if rank < 13 { 4 } else { 1 };
    let room: u32 = (first..first + ranks).map(most).sum();
    for _ in 0..size.min(room) {
        let mut rank = first + rng.below(ranks);
        while hand[rank] == most(rank) {
            rank = first + rng.below(ranks);
        }
        hand[rank] += 1;
    }
    hand
}

#[test]
fn moves_are_those_that_the_definitions_allow() {
    let mut rng = Rng::from_seed(5);
    let (mut plays_seen, mut kinds_seen) = (0, HashMap::new());
    for game in 0..240 {
        let decks = 1 + game % 2;
        let hand = random_hand(&mut rng, 16, 4 + game as usize % 5, decks);
        let rules = Rules::ALL[game as usize / 2 % Rules::ALL.len()];
        let mut expected = HashMap::new();
        parts(&hand, 0, &mut [0; RANKS.len()], &mut |part| {
            for ((kind, length), rank) in meanings(part, rules) {
                expected.insert((cards(part), kind, length), rank);
            }
        });
        let mut plays: Vec<Play> = Vec::new();
        leads(cards(&hand), rules, u32::MAX, &mut plays);
        let place = format!("{rules} {}", cards(&hand));
        assert!(plays.is_sorted_by_key(|play| std::cmp::Reverse(play.cards().total())), "{place}");
        assert_eq!(plays.len(), expected.len(), "{place}");
        for play in &plays {
            let found = expected.get(&(play.cards(), play.kind(), play.length()));
            assert_eq!(found, Some(&play.rank()), "{place}: {play:?}");
            *kinds_seen.entry(play.kind()).or_insert(0) += 1;
        }
        plays_seen += plays.len();
    }
    println!("{plays_seen} plays agree: {kinds_seen:?}");
    assert_eq!(kinds_seen.len(), 14, "every kind but the pass: {kinds_seen:?}");
}
