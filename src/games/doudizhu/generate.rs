//! All plays that a hand holds, the largest first.
//!
//! A hand is turned into one bit per rank that has enough cards; a chain is then a run of such
//! bits, found for all ranks at once by shifting. Kickers are chosen rank by rank from a supply
//! that says how many each rank can give.

use super::cards::{Cards, MAX_OF_RANK, RANK_BITS};
use super::play::{Kind, Play, Shape, shapes_up_to};
use super::rules::Rules;

/// The ranks that a chain can have: 3 to A.
const CHAIN_RANKS: u64 = !(!0 << (12 * RANK_BITS));
/// Every rank.
const ANY_RANK: u64 = !0;

/// The ranks above `rank`.
#[inline]
fn above(rank: usize) -> u64 {
    !0 << (RANK_BITS * (rank + 1))
}

/// The lowest rank that has a bit set in `ones`.
#[inline]
fn lowest(ones: u64) -> usize {
    ones.trailing_zeros() as usize / RANK_BITS
}

/// Where runs of `length` of the ranks in `ones` begin.
#[inline]
fn runs(ones: u64, length: usize) -> u64 {
    if length == 1 {
        return ones;
    }
    let ones = ones & CHAIN_RANKS;
    (1..length).fold(ones, |runs, step| runs & (ones >> (RANK_BITS * step)))
}

/// How long the longest run of the ranks in `ones` is: 1 if they make no chain, 0 if there are
/// none.
#[inline]
fn longest_run(ones: u64) -> usize {
    let (mut left, mut length) = (ones & CHAIN_RANKS, 0);
    while left != 0 {
        left &= left >> RANK_BITS;
        length += 1;
    }
    length.max(usize::from(ones != 0))
}

/// Appends what `hand` can play on `last`, the largest first, without a pass.
#[inline]
pub(super) fn replies(hand: Cards, last: Play, rules: Rules, plays: &mut Vec<Play>) {
    let shape = last.shape();
    let generator = Generator { hand, rules, plays };
    if shape.kind == Kind::Pass {
        return generator.leads(hand.total());
    }
    let can_bomb = hand.at_least(4) != 0 || hand.has_both_jokers();
    generator.beating(shape, last.rank(), can_bomb);
}

/// Appends every play of at most `most` cards from `hand`, the largest first, the bombs last among
/// plays of the same number of cards: what can be led.
///
/// With the lenient rules a hand of thirty cards can have tens of thousands, a whole deck millions.
///
/// # Examples
/// ```
/// use playtree::games::doudizhu::{Rules, leads};
///
/// let mut plays = Vec::new();
/// leads("TTT44".parse()?, Rules::Classic, 4, &mut plays);
/// let texts: Vec<String> = plays.iter().map(|play| play.cards().to_string()).collect();
/// assert_eq!(texts, ["TTT4", "TTT", "44", "TT", "4", "T"]);
/// # Ok::<(), playtree::game::NotationError>(())
/// ```
pub fn leads(hand: Cards, rules: Rules, most: u32, plays: &mut Vec<Play>) {
    Generator { hand, rules, plays }.leads(most.min(hand.total()));
}

/// What exactly these cards can be played as.
pub(super) fn readings(cards: Cards, rules: Rules) -> Vec<Play> {
    let (size, mut plays) = (cards.total(), Vec::new());
    let mut generator = Generator { hand: cards, rules, plays: &mut plays };
    for &shape in shapes_up_to(size).iter().take_while(|shape| shape.size() == size) {
        generator.shape(shape, ANY_RANK);
    }
    plays
}

struct Generator<'a> {
    hand: Cards,
    rules: Rules,
    plays: &'a mut Vec<Play>,
}

impl Generator<'_> {
    fn leads(mut self, most: u32) {
        // Most shapes are chains, and most hands hold but short ones.
        let longest: [usize; MAX_OF_RANK as usize + 1] = std::array::from_fn(|each| match each {
            0 => 0,
            _ => longest_run(self.hand.at_least(each as u64)),
        });
        for &shape in shapes_up_to(most) {
            let (length, each) = shape.body();
            if length <= longest[each as usize] {
                self.shape(shape, ANY_RANK);
            }
        }
    }

    fn beating(mut self, last: Shape, rank: usize, can_bomb: bool) {
        let higher = above(rank);
        if last.kind == Kind::Rocket {
            return;
        }
        if !can_bomb {
            return self.shape(last, higher);
        }
        for &shape in shapes_up_to(self.hand.total()) {
            let ranks = match (shape.kind, last.kind) {
                (Kind::Rocket, _) => ANY_RANK,
                (Kind::Bomb, Kind::Bomb) if shape.length < last.length => continue,
                (Kind::Bomb, Kind::Bomb) if shape.length == last.length => higher,
                (Kind::Bomb, _) => ANY_RANK,
                _ if shape == last => higher,
                _ => continue,
            };
            self.shape(shape, ranks);
        }
    }

    /// Appends the plays of a shape whose rank is one of `ranks`, the lowest first.
    #[inline]
    fn shape(&mut self, shape: Shape, ranks: u64) {
        if shape.kind == Kind::Rocket {
            let rocket = Play::rocket(shape.length);
            if self.hand.contains(rocket.cards()) {
                self.plays.push(rocket);
            }
            return;
        }
        let (length, each) = shape.body();
        let mut starts = runs(self.hand.at_least(each), length) & ranks;
        if starts == 0 || !self.allowed(shape.kind) {
            return;
        }
        let (kickers, _) = shape.kickers();
        while starts != 0 {
            let rank = lowest(starts);
            starts &= starts - 1;
            let body = Cards::run(rank, length, each);
            if kickers == 0 {
                self.plays.push(Play::new(body, shape, rank));
            } else {
                self.with_kickers(shape, rank, body);
            }
        }
    }

    fn allowed(&self, kind: Kind) -> bool {
        match kind {
            Kind::TriplePair | Kind::PlanePairs => self.rules.three_plus_two(),
            Kind::QuadSingles | Kind::QuadPairs => self.rules.four_plus_two(),
            _ => true,
        }
    }

    /// Appends `body` with every choice of kickers.
    fn with_kickers(&mut self, shape: Shape, rank: usize, body: Cards) {
        let (kickers, cards) = shape.kickers();
        let supply = self.supply(shape, body, cards);
        let jokers = match shape.kind {
            Kind::QuadSingles | Kind::QuadPairs => self.rules.free_quad_kickers(),
            _ => self.rules.any_kickers(),
        };
        let any = self.rules.any_kickers();
        let plays = &mut *self.plays;
        choose(supply, supply.total(), kickers, 0, &mut |chosen| {
            let chosen = Cards(chosen * cards);
            if !jokers && chosen.has_both_jokers() {
                return;
            }
            let all = Cards(body.0 + chosen.0);
            // Only there can the same cards be one kind in two ways.
            if !any || !has_higher_reading(all, shape, rank) {
                plays.push(Play::new(all, shape, rank));
            }
        });
    }

    /// The number of kickers of `cards` cards that each rank can give.
    fn supply(&self, shape: Shape, body: Cards, cards: u64) -> Cards {
        let others = self.hand.without_ranks(body);
        let any = self.rules.any_kickers();
        match (shape.kind, cards) {
            (Kind::PlaneSingles, _) if any => Cards(self.hand.0 - body.0),
            (Kind::PlanePairs, _) if any => pairs(Cards(self.hand.0 - body.0)),
            (Kind::QuadSingles, _) if self.rules.free_quad_kickers() => others,
            (Kind::QuadPairs, _) if any => pairs(others),
            _ => Cards(others.at_least(cards)),
        }
    }
}

/// How many pairs there are of each rank.
#[inline]
fn pairs(cards: Cards) -> Cards {
    Cards(cards.0 >> 1 & 0x7777_7777_7777_7777)
}

/// Calls `found` with each way to choose `count` of a `supply` that is `total` in all, low ranks
/// first; `chosen` is what has been chosen of ranks no longer in the supply.
fn choose(supply: Cards, total: u32, count: u32, chosen: u64, found: &mut impl FnMut(u64)) {
    if count == 0 {
        return found(chosen);
    }
    if total < count {
        return;
    }
    let rank = lowest(supply.0);
    let here = supply.of(rank);
    let (rest, total) = (Cards(supply.0 & above(rank)), total - here);
    for take in (0..=here.min(count)).rev() {
        choose(rest, total, count - take, chosen + (u64::from(take) << (RANK_BITS * rank)), found);
    }
}

/// Whether these cards are also a play of this shape with a higher rank and any kickers.
fn has_higher_reading(cards: Cards, shape: Shape, rank: usize) -> bool {
    let (length, each) = shape.body();
    let mut starts = runs(cards.at_least(each), length) & above(rank);
    match shape.kind {
        // What another chain leaves is the same number of cards, and any will do.
        Kind::PlaneSingles => starts != 0,
        // Here it must be pairs, those of a quad not of its own rank.
        Kind::PlanePairs | Kind::QuadPairs => {
            while starts != 0 {
                let body = Cards::run(lowest(starts), length, each);
                let left = Cards(cards.0 - body.0);
                let apart = shape.kind == Kind::PlanePairs || left.without_ranks(body) == left;
                if apart && pairs(left).0 << 1 == left.0 {
                    return true;
                }
                starts &= starts - 1;
            }
            false
        }
        _ => false,
    }
}
