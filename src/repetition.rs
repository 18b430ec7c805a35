//! One rule of repetition: when a position has come again, what the game's verdict looks at, and
//! the referee of a game as it has been played.
//!
//! A game says three things of its own ([`GameState`]): how often a position must be there for the
//! game to end ([`REPETITIONS`](GameState::REPETITIONS)), by what positions are compared
//! ([`repetition_key`](GameState::repetition_key)), and who has won then
//! ([`repetition`](GameState::repetition)). A [`Record`] applies them to a game. A search ends a
//! line at the first return to a position, be it one of the line or of the game before.

use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::game::{GameState, Outcome};
use crate::hash::hash_of;

/// Whether two positions are the same for the rule of repetition.
#[inline]
pub(crate) fn is_same<G: GameState>(a: &G, b: &G) -> bool {
    match (a.repetition_key(), b.repetition_key()) {
        (None, None) => a.key() == b.key(),
        (of_a, of_b) => of_a.unwrap_or_else(|| a.key()) == of_b.unwrap_or_else(|| b.key()),
    }
}

/// The hash of what positions are compared by for the rule of repetition.
#[inline]
pub(crate) fn hash_for_repetition<G: GameState>(state: &G) -> u64 {
    state.repetition_key().map_or_else(|| hash_of(&state.key()), |key| hash_of(&key))
}

/// The first of `plies` positions that the present one, which follows them, can be equal to.
#[inline]
pub(crate) fn first_reversible<G: GameState>(present: &G, plies: usize) -> usize {
    plies.saturating_sub(present.reversible_plies() as usize)
}

/// What was played before a position that has come again, for [`GameState::repetition`].
///
/// # Examples
/// The player who has played the same two positions twice over has lost:
/// ```
/// use playtree::{GameState, Outcome};
/// use playtree::game::Line;
///
/// fn verdict<G: GameState>(present: &G, line: &Line<'_, G>) -> Outcome {
///     let twice = line.rounds(2);
///     let is_won = line.times() == 2 && twice.len() == 4;
///     if is_won { Outcome::Win(present.mover()) } else { Outcome::Draw }
/// }
/// ```
pub struct Line<'a, G> {
    positions: &'a [&'a G],
    present: &'a G,
}

impl<'a, G: GameState> Line<'a, G> {
    /// The line of these positions, in order of play, to `present`.
    #[must_use]
    pub fn new(positions: &'a [&'a G], present: &'a G) -> Self {
        Self { positions, present }
    }

    /// The positions since the last move that cannot be undone, in order of play, without the
    /// present one. In a search from a position without a history none is before that.
    #[must_use]
    pub fn positions(&self) -> &'a [&'a G] {
        self.positions
    }

    /// How often the present position has been among them.
    #[must_use]
    pub fn times(&self) -> usize {
        self.places().count()
    }

    /// The positions since the present one was there for the `count`th time, counted backwards;
    /// since the first time if it was not there as often; none if it was not there at all.
    #[must_use]
    pub fn rounds(&self, count: usize) -> &'a [&'a G] {
        let first = self.places().take(count).last();
        first.map_or(&[], |first| &self.positions[first..])
    }

    /// The positions since the present one was there last: first the one that has come again,
    /// then what was played between.
    #[must_use]
    pub fn cycle(&self) -> &'a [&'a G] {
        self.rounds(1)
    }

    /// Where the present position has been, the last place first.
    fn places(&self) -> impl Iterator<Item = usize> {
        let is_it = |place: &usize| is_same(self.positions[*place], self.present);
        (0..self.positions.len()).rev().filter(is_it)
    }
}

impl<G> fmt::Debug for Line<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Line").field("positions", &self.positions.len()).finish_non_exhaustive()
    }
}

/// A game as it has been played: the referee that knows when a position has come too often.
///
/// A position by itself does not know what was before. When one is there for the time that
/// [`GameState::REPETITIONS`] says, the game ends with the verdict of [`GameState::repetition`].
///
/// Serialized it is its first position and its moves; those are played when it is read.
///
/// # Examples
/// ```
/// # #[cfg(feature = "games")] {
/// use playtree::games::Xiangqi;
/// use playtree::{Notation, Outcome};
/// use playtree::game::Record;
///
/// // The rook gives check for ever.
/// let mut game = Record::new(Xiangqi::parse_position("4k4/9/9/R8/9/9/9/9/9/3K5 w")?);
/// for text in "a6e6 e9f9 e6f6 f9e9 f6e6 e9f9 e6f6 f9e9 f6e6".split(' ') {
///     assert_eq!(game.outcome(), None);
///     game.play(game.position().parse_move(text)?);
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Win(1)));
/// # }
/// # Ok::<(), playtree::game::NotationError>(())
/// ```
#[derive(Clone)]
pub struct Record<G: GameState> {
    /// From the first to the present one; one more than there are moves.
    positions: Vec<G>,
    moves: Vec<G::Move>,
    /// The hash of each position, by which most are seen to be others.
    hashes: Vec<u64>,
}

impl<G: GameState> Record<G> {
    /// A game that begins with `start`.
    #[must_use]
    pub fn new(start: G) -> Self {
        let hashes = vec![hash_for_repetition(&start)];
        Self { positions: vec![start], moves: Vec::new(), hashes }
    }

    /// The present position.
    #[must_use]
    pub fn position(&self) -> &G {
        &self.positions[self.moves.len()]
    }

    /// Every position, the start first, the present one last.
    #[must_use]
    pub fn positions(&self) -> &[G] {
        &self.positions
    }

    /// The moves that have been played.
    #[must_use]
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// Plays a legal move of the present position.
    pub fn play(&mut self, mv: G::Move) {
        let next = self.position().apply(&mv);
        self.hashes.push(hash_for_repetition(&next));
        self.positions.push(next);
        self.moves.push(mv);
    }

    /// Takes the last move back; `None` if there is none.
    pub fn take_back(&mut self) -> Option<G::Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        self.hashes.pop();
        Some(mv)
    }

    /// How the game has ended: by the present position, or by repetition; `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.position().outcome().or_else(|| self.repetition())
    }

    /// The verdict of the game, if the present position is there for the time that ends it.
    #[must_use]
    pub fn repetition(&self) -> Option<Outcome> {
        let before = self.moves.len();
        self.verdict(self.position(), self.hashes[before], before)
    }

    /// The verdict if this move of the present position is played and ends the game by
    /// repetition.
    #[must_use]
    pub fn repetition_after(&self, mv: &G::Move) -> Option<Outcome> {
        let next = self.position().apply(mv);
        self.verdict(&next, hash_for_repetition(&next), self.positions.len())
    }

    /// The legal moves that end the game at once, by a repetition, with less than a draw for the
    /// side to move; none if there are no other moves.
    #[must_use]
    pub fn losing_repetitions(&self) -> Vec<G::Move> {
        let mover = self.position().mover();
        let mut moves = Vec::new();
        self.position().moves(&mut moves);
        let legal = moves.len();
        moves.retain(|mv| {
            self.repetition_after(mv).is_some_and(|outcome| outcome.score(mover) < 0.5)
        });
        if moves.len() < legal { moves } else { Vec::new() }
    }

    /// The verdict on a position that follows the first `plies` ones.
    fn verdict(&self, state: &G, hash: u64, plies: usize) -> Option<Outcome> {
        let first = first_reversible(state, plies);
        let wanted = G::REPETITIONS.max(2) - 1;
        let hashes = &self.hashes[first..plies];
        if hashes.iter().filter(|&&other| other == hash).count() < wanted {
            return None;
        }
        let positions: Vec<&G> = self.positions[first..plies].iter().collect();
        let line = Line::new(&positions, state);
        (line.times() >= wanted).then(|| state.repetition(&line))
    }
}

/// The first position and the moves.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Record")]
struct RecordForm<G, M> {
    start: G,
    moves: M,
}

impl<G: GameState<Move: Serialize> + Serialize> Serialize for Record<G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RecordForm { start: &self.positions[0], moves: &self.moves }.serialize(serializer)
    }
}

/// Plays the moves: an illegal one is refused.
impl<'de, G> Deserialize<'de> for Record<G>
where
    G: GameState<Move: Deserialize<'de>> + Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = RecordForm::<G, Vec<G::Move>>::deserialize(deserializer)?;
        let mut record = Self::new(form.start);
        let mut legal = Vec::new();
        for (at, mv) in form.moves.into_iter().enumerate() {
            legal.clear();
            if record.position().outcome().is_none() {
                record.position().moves(&mut legal);
            }
            if !legal.contains(&mv) {
                let count = legal.len();
                return Err(D::Error::custom(format!(
                    "moves: expected one of {count} legal moves as move {}, found {mv:?}",
                    at + 1
                )));
            }
            record.play(mv);
        }
        Ok(record)
    }
}

impl<G: GameState> fmt::Debug for Record<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record").field("moves", &self.moves).finish_non_exhaustive()
    }
}

/// What was played before the root of a search and can come again below it.
#[derive(Clone)]
pub(crate) struct Before<G: GameState> {
    /// In order of play, without the root.
    positions: Vec<G>,
    /// The hash of each, and the root's behind them.
    hashes: Vec<u64>,
    filter: Filter,
    /// Whether a position among them, the root included, ends the game if it comes once more.
    is_critical: bool,
}

impl<G: GameState> Before<G> {
    /// What can come again of the positions of a game before `root`; `None` if nothing can.
    pub(crate) fn new(played: &[G], root: &G) -> Option<Self> {
        let positions = &played[first_reversible(root, played.len())..];
        if positions.is_empty() {
            return None;
        }
        let all = positions.iter().chain([root]);
        let hashes: Vec<u64> = all.map(hash_for_repetition).collect();
        let mut filter = Filter::default();
        hashes.iter().for_each(|&hash| filter.add(hash));
        let wanted = G::REPETITIONS.max(2) - 1;
        let times = |hash: &u64| hashes.iter().filter(|&other| other == hash).count();
        let is_critical = hashes.iter().any(|hash| times(hash) >= wanted);
        Some(Self { positions: positions.to_vec(), hashes, filter, is_critical })
    }

    /// The positions, in order of play, without the root.
    pub(crate) fn positions(&self) -> &[G] {
        &self.positions
    }

    /// The hash of each position, and the root's behind them.
    pub(crate) fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Whether a position among them, the root included, ends the game if it comes once more.
    pub(crate) fn is_critical(&self) -> bool {
        self.is_critical
    }

    /// Whether a position of this hash may be among them, the root included.
    #[inline]
    pub(crate) fn may_hold(&self, hash: u64) -> bool {
        self.filter.may_hold(hash)
    }
}

impl<G: GameState> fmt::Debug for Before<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Before").field("positions", &self.positions.len()).finish_non_exhaustive()
    }
}

/// A bit for each of some hashes: most others are seen by it not to be among them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filter([u64; FILTER_WORDS]);

const FILTER_WORDS: usize = 64;

impl Default for Filter {
    fn default() -> Self {
        Self([0; FILTER_WORDS])
    }
}

impl Filter {
    #[inline]
    fn bit(hash: u64) -> (usize, u64) {
        ((hash >> 58) as usize, 1 << (hash >> 52 & 63))
    }

    #[inline]
    pub(crate) fn add(&mut self, hash: u64) {
        let (word, bit) = Self::bit(hash);
        self.0[word] |= bit;
    }

    #[inline]
    pub(crate) fn may_hold(&self, hash: u64) -> bool {
        let (word, bit) = Self::bit(hash);
        self.0[word] & bit != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two players walk on a ring of four; the one who comes to a place for the third time by going
    /// up has lost. The key tells the plies from the 100th on.
    #[derive(Clone, Debug, PartialEq)]
    struct Ring {
        place: u8,
        plies: u32,
        up: bool,
        /// Plies since a player has jumped.
        walked: u32,
    }

    impl GameState for Ring {
        type Key = (u8, usize, u32);
        type Move = i8;
        fn key(&self) -> Self::Key {
            (self.place, self.mover(), (self.plies + 1).saturating_sub(100))
        }
        fn mover(&self) -> usize {
            self.plies as usize % 2
        }
        fn plies(&self) -> u32 {
            self.plies
        }
        fn moves(&self, moves: &mut Vec<i8>) {
            moves.extend([1, -1, 0]);
        }
        fn outcome(&self) -> Option<Outcome> {
            None
        }
        fn apply(&self, step: &i8) -> Self {
            let place = (self.place as i8 + 4 + step) as u8 % 4 + 4 * u8::from(*step == 0);
            let walked = if *step == 0 { 0 } else { self.walked + 1 };
            Self { place, plies: self.plies + 1, up: *step > 0, walked }
        }
        fn reversible_plies(&self) -> u32 {
            self.walked
        }
        fn repetition_key(&self) -> Option<Self::Key> {
            (self.plies >= 100).then(|| (self.place, self.mover(), 0))
        }
        fn repetition(&self, line: &Line<'_, Self>) -> Outcome {
            assert_eq!(line.positions().first().map(|state| state.walked), Some(0));
            assert_eq!(line.positions().last().map(|state| state.plies + 1), Some(self.plies));
            assert_eq!((line.times(), line.cycle()[0].place), (2, self.place));
            assert_eq!(line.rounds(2).len(), 4);
            if self.up { Outcome::Win(self.mover()) } else { Outcome::Draw }
        }
    }

    fn walk(plies: u32, steps: &[i8]) -> Record<Ring> {
        let mut record = Record::new(Ring { place: 0, plies, up: false, walked: 0 });
        for (number, step) in steps.iter().enumerate() {
            assert_eq!(record.repetition(), None, "before step {number}");
            record.play(*step);
        }
        record
    }

    #[test]
    fn the_third_time_ends_the_game_by_its_own_verdict() {
        // Around the 100th ply the key begins to tell the plies, and the rule does not.
        for plies in [0, 96, 98, 120] {
            let there_and_back = [1, -1, 1, -1];
            assert_eq!(walk(plies, &there_and_back).repetition(), Some(Outcome::Draw));
            let mut record = walk(plies, &[-1, 1, -1, 1]);
            assert_eq!(record.repetition(), Some(Outcome::Win(0)));
            assert_eq!(record.outcome(), Some(Outcome::Win(0)));
            assert_eq!(record.take_back(), Some(1));
            assert_eq!(record.repetition(), None);
            record.play(1);
            assert_eq!(record.repetition(), Some(Outcome::Win(0)));
        }
    }

    #[test]
    fn a_move_that_loses_by_repetition_is_known_before_it_is_played() {
        assert_eq!(walk(97, &[-1, 1, -1]).losing_repetitions(), [1]);
        assert!(walk(97, &[1, -1, 1]).losing_repetitions().is_empty());
        assert!(walk(97, &[]).losing_repetitions().is_empty());
        assert_eq!(walk(0, &[1, -1, 1]).repetition_after(&-1), Some(Outcome::Draw));
        assert_eq!(walk(0, &[1, -1, 1]).repetition_after(&1), None);
    }

    #[test]
    fn what_cannot_come_again_is_left_out() {
        let record = walk(0, &[1, 0, 1, -1, 1, -1]);
        let (root, before) = record.positions().split_last().unwrap();
        let before = Before::new(before, root).unwrap();
        assert_eq!((before.positions().len(), before.hashes().len()), (4, 5));
        assert!(before.is_critical() && before.may_hold(hash_for_repetition(root)));
        let root = root.apply(&0);
        assert!(Before::new(record.positions(), &root).is_none());
    }
}
