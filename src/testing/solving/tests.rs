//! Games that each break one law, and games that break none.

use crate::game::{GameState, Outcome, Scores};
use crate::solvable::{Limits, Solvable, Worth};
use crate::testing::{Law, LawBroken, Place, check_solvable};

/// Two piles; a move takes one, two or three from one of them. Who has taken more in the end wins
/// by the difference. `FLAW` names the law that it breaks.
#[derive(Clone)]
struct Toy<const FLAW: u8> {
    piles: [u32; 2],
    taken: [i32; 3],
    plies: u32,
}

const NONE: u8 = 0;
const UNCOUNTED: u8 = 1;
const THREE: u8 = 2;
const UNSETTLED: u8 = 3;
const PASS: u8 = 4;
const KEY: u8 = 5;
const STUCK: u8 = 6;
const NO_POINTS: u8 = 7;
const BEYOND: u8 = 8;
const THREE_BEYOND: u8 = 9;
const BOTH_WIN: u8 = 10;
const UPSIDE_DOWN: u8 = 11;
const LEAST: u8 = 12;
const MOST: u8 = 13;
const LATE: u8 = 14;
const COUNTED: u8 = 15;
const SWAPPED: u8 = 16;
const EARLY: u8 = 17;
const AT_ONCE: u8 = 18;
const BELOW: u8 = 19;
const ABOVE: u8 = 20;
const ALIKE_SCORES: u8 = 21;
const ALIKE_SIDES: u8 = 22;
const NO_MOVES: u8 = 23;
const ILLEGAL: u8 = 24;
const CLEARED: u8 = 25;
const LEFT_OUT: u8 = 26;
const SUDDEN: u8 = 27;

impl<const FLAW: u8> Toy<FLAW> {
    fn new() -> Self {
        let piles = match FLAW {
            EARLY => [30, 30],
            SUDDEN => [3, 40],
            _ => [6, 4],
        };
        Self { piles, taken: [0; 3], plies: 0 }
    }

    fn left(&self) -> u32 {
        self.piles.iter().sum()
    }

    /// Of the first player.
    fn lead(&self) -> i32 {
        self.taken[0] - self.taken[1]
    }

    fn movers_lead(&self) -> i32 {
        if self.mover() == 0 { self.lead() } else { -self.lead() }
    }
}

impl<const FLAW: u8> GameState for Toy<FLAW> {
    type Key = ([u32; 2], i32, usize);
    type Move = (usize, u32);

    const PLAYERS: usize = if matches!(FLAW, THREE | THREE_BEYOND) { 3 } else { 2 };

    fn key(&self) -> Self::Key {
        (self.piles, if FLAW == KEY { 0 } else { self.lead() }, self.mover())
    }

    fn mover(&self) -> usize {
        self.plies as usize % Self::PLAYERS
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<(usize, u32)>) {
        if FLAW == STUCK && self.piles == [1, 1] || self.outcome().is_some() {
            return;
        }
        for (pile, &sticks) in self.piles.iter().enumerate() {
            moves.extend((1..=sticks.min(3)).map(|take| (pile, take)));
        }
        if FLAW == PASS && self.piles == [1, 1] {
            moves.push((0, 0));
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let is_over = if FLAW == SUDDEN { self.piles.contains(&0) } else { self.left() == 0 };
        is_over.then(|| match self.lead() {
            0 => Outcome::Draw,
            1.. => Outcome::Win(0),
            _ => Outcome::Win(1),
        })
    }

    fn apply(&self, &(pile, take): &(usize, u32)) -> Self {
        let mut after = self.clone();
        after.piles[pile] -= take;
        after.taken[self.mover()] += take as i32;
        if FLAW == SUDDEN && after.piles[pile] == 0 {
            after.taken[self.mover()] += 40;
        }
        after.plies += 1;
        after
    }
}

impl<const FLAW: u8> Solvable for Toy<FLAW> {
    const SETTLED_BY_KEY: bool = FLAW != UNSETTLED;
    const MAX_POINTS: i32 = match FLAW {
        NO_POINTS => 0,
        BEYOND => 4,
        EARLY => 60,
        SUDDEN => 43,
        _ => 10,
    };
    const COUNTS_PLIES: bool = !matches!(FLAW, UNCOUNTED | COUNTED);

    fn points(&self, _: &Outcome, player: usize) -> i32 {
        match FLAW {
            THREE => self.taken[player],
            THREE_BEYOND => 8 + self.taken[player],
            BOTH_WIN => self.lead().abs(),
            _ => self.lead() * if (player == 0) == (FLAW == UPSIDE_DOWN) { -1 } else { 1 },
        }
    }

    fn limits(&self) -> Limits {
        if matches!(FLAW, KEY | SUDDEN) {
            return Limits::of_game::<Self>();
        }
        let (lead, left) = (self.movers_lead(), self.left() as i32);
        let soon = self.piles.iter().map(|sticks| sticks.div_ceil(3)).sum();
        let late = self.left() + u32::from(FLAW == PASS);
        let worth = |points: i32, plies| {
            Worth::new(points, if Self::COUNTS_PLIES || FLAW == COUNTED { plies } else { 0 })
        };
        let (least, most) = match FLAW {
            // Even who makes the last move takes one of the sticks.
            LEAST => (lead - left + 3, lead + left),
            MOST => (lead - left, lead + left - 1),
            EARLY if left == 50 => (lead - left, lead - left),
            _ => (lead - left, lead + left),
        };
        let least = worth(least, if least < 0 { soon } else { late });
        let most = worth(most, if most > 0 { soon + u32::from(FLAW == LATE) } else { late });
        if FLAW == SWAPPED { Limits { least: most, most: least } } else { Limits { least, most } }
    }

    fn points_at_once(&self, alpha: i32, beta: i32) -> Option<i32> {
        let (lead, left) = (self.movers_lead(), self.left() as i32);
        let (least, most) = (lead - left, lead + left);
        match FLAW {
            KEY | SUDDEN => None,
            AT_ONCE if left == 2 => Some(most),
            BELOW if left == 5 => Some(alpha),
            ABOVE if left == 5 => Some(beta),
            _ if most <= alpha => Some(most),
            _ if least >= beta => Some(least),
            _ => (left == 1).then_some(most),
        }
    }

    fn canonical_key(&self) -> Self::Key {
        let mut piles = self.piles;
        piles.sort_unstable();
        match FLAW {
            KEY | SUDDEN => self.key(),
            ALIKE_SCORES => (piles, 0, self.mover()),
            ALIKE_SIDES => (piles, self.lead(), 0),
            // A lead of the side to move is worth the same to either side.
            _ => (piles, self.movers_lead(), 0),
        }
    }

    fn moves_to_solve(&self, moves: &mut Vec<(usize, u32)>) {
        match FLAW {
            NO_MOVES if self.piles == [2, 2] => return,
            ILLEGAL if self.piles == [2, 2] => moves.push((0, 3)),
            CLEARED => moves.clear(),
            _ => {}
        }
        let before = moves.len();
        self.moves(moves);
        if self.piles[0] == self.piles[1] && FLAW != KEY {
            // The second pile is as good as the first.
            moves.truncate(before + self.piles[0].min(3) as usize);
        }
        if FLAW == LEFT_OUT && self.left() == 4 {
            moves.truncate(before + 1);
        }
        if FLAW == SUDDEN {
            moves.retain(|mv| *mv != (0, 3));
        }
    }
}

fn check<const FLAW: u8>() -> Result<(), LawBroken> {
    check_solvable(&Toy::<FLAW>::new(), 100, 1)
}

#[test]
fn right_games_pass() {
    assert_eq!(check::<NONE>(), Ok(()));
    assert_eq!(check::<UNCOUNTED>(), Ok(()));
    assert_eq!(check::<THREE>(), Ok(()));
}

#[test]
fn each_flaw_is_found() {
    let laws = [
        (check::<UNSETTLED>(), Law::NoRepetition),
        (check::<PASS>(), Law::NoRepetition),
        (check::<KEY>(), Law::SettledByKey),
        (check::<STUCK>(), Law::MovesUntilTheEnd),
        (check::<NO_POINTS>(), Law::Points),
        (check::<BEYOND>(), Law::Points),
        (check::<THREE_BEYOND>(), Law::Points),
        (check::<BOTH_WIN>(), Law::Points),
        (check::<UPSIDE_DOWN>(), Law::Points),
        (check::<LEAST>(), Law::Limits),
        (check::<MOST>(), Law::Limits),
        (check::<LATE>(), Law::Limits),
        (check::<COUNTED>(), Law::Limits),
        (check::<SWAPPED>(), Law::Limits),
        (check::<EARLY>(), Law::Limits),
        (check::<AT_ONCE>(), Law::PointsAtOnce),
        (check::<BELOW>(), Law::PointsAtOnce),
        (check::<ABOVE>(), Law::PointsAtOnce),
        (check::<ALIKE_SCORES>(), Law::CanonicalKey),
        (check::<ALIKE_SIDES>(), Law::CanonicalKey),
        (check::<NO_MOVES>(), Law::MovesToSolve),
        (check::<ILLEGAL>(), Law::MovesToSolve),
        (check::<CLEARED>(), Law::MovesToSolve),
        (check::<LEFT_OUT>(), Law::MovesToSolve),
        (check::<SUDDEN>(), Law::MovesToSolve),
    ];
    for (at, (found, expected)) in laws.into_iter().enumerate() {
        let law = found.as_ref().err().map(|broken| broken.law);
        assert_eq!(law, Some(expected), "flaw {}: {found:?}", at + usize::from(UNSETTLED));
    }
}

/// At its start, long before anything is solved.
#[test]
fn a_move_that_wins_at_once_is_missed_at_once() {
    let broken = check::<SUDDEN>().unwrap_err();
    assert_eq!(broken.place, Place { game: 0, ply: 0 });
}

#[test]
fn the_message_says_what_and_where() {
    let broken = check::<AT_ONCE>().unwrap_err();
    let text = broken.to_string();
    assert!(text.starts_with("points found at once are those of best play: expected "), "{text}");
    assert!(text.contains(" points between ") && text.contains(", found "), "{text}");
}

/// A pile of six; a move takes one or two. Who takes the last has `SHARE` per mille of the point,
/// and more by a tenth if the last move took two.
#[derive(Clone)]
struct Shared<const SHARE: u32, const POINTS: i32> {
    left: u32,
    plies: u32,
    last: u32,
}

impl<const SHARE: u32, const POINTS: i32> GameState for Shared<SHARE, POINTS> {
    type Key = (u32, usize, u32);
    type Move = u32;

    fn key(&self) -> Self::Key {
        (self.left, self.mover(), if self.left == 0 { self.last } else { 0 })
    }

    fn mover(&self) -> usize {
        self.plies as usize % 2
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(1..=self.left.min(2));
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| {
            let own = f64::from(SHARE + 100 * (self.last - 1)) / 1_000.0;
            let mut scores = [own; 2];
            scores[self.mover()] = 1.0 - own;
            Outcome::Scores(Scores::new(&scores).unwrap())
        })
    }

    fn apply(&self, take: &u32) -> Self {
        Self { left: self.left - take, plies: self.plies + 1, last: *take }
    }
}

impl<const SHARE: u32, const POINTS: i32> Solvable for Shared<SHARE, POINTS> {
    const MAX_POINTS: i32 = POINTS;
}

fn check_shared<const SHARE: u32, const POINTS: i32>() -> Option<String> {
    let start = Shared::<SHARE, POINTS> { left: 6, plies: 0, last: 0 };
    let broken = check_solvable(&start, 50, 1).err()?;
    assert_eq!(broken.law, Law::Points, "{broken}");
    Some(broken.expected)
}

#[test]
fn scores_that_are_rounded_away_are_found() {
    // 0.64 and 0.36 become a draw.
    let sign = "points above 0 for a win, below 0 for a loss, 0 for a draw";
    assert_eq!(check_shared::<640, 1>().as_deref(), Some(sign));
    // 0.8 and 0.9 become a win.
    let order = check_shared::<800, 1>().expect("a broken law");
    assert!(order.contains("points for a score of 0."), "{order}");
    // Ten points tell a tenth of a score from another one.
    assert_eq!(check_shared::<800, 10>(), None);
    assert_eq!(check_shared::<640, 10>(), None);
}
