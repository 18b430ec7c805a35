//! All moves as first: how well a side has done in the rollouts below a position in which it
//! played a move, now or later.
//!
//! B. Brügmann, "Monte Carlo Go" (1993); as used by GRAVE, T. Cazenave, "Generalized Rapid Action
//! Value Estimation" (IJCAI 2015). A position far down the tree knows little, so GRAVE reads
//! the statistics of the closest position above it that knows enough.
//!
//! Only positions with some visits have a table. It says what is likely, and nothing rests on it:
//! it is read and written without a lock, and what two workers write to one entry at the same
//! moment may count once.

use crate::sync::{AtomicU64, Mutex, Ordering};
use crate::zeroed::Memory;

use super::arena::{Block, Counter, Meter, Row, Slab, chunk_shift, most_slots};
use super::node::{EdgeStats, Node};
use super::value::ONE;

/// The most tables of a chunk, as a power of two, and the most bytes that it should have.
const MOST_OF_CHUNK: u32 = 10;
const CHUNK_BYTES: usize = 1 << 24;

/// The most tables; positions that come after have none.
const MOST_TABLES: u64 = 1 << 24;

/// The most rollouts that a table counts: the sums of their scores fit in half a word, and more
/// would tell nothing new.
const MOST_ROLLOUTS: u64 = 1 << 24;

/// A score of 1 in a table.
pub(crate) const POINT: u32 = 128;

/// Visits of a branch that count when a table begins.
const MOST_OF_BRANCH: u32 = 1 << 16;

/// A score in fixed point as tables have it.
#[inline]
pub(crate) fn to_points(score: u32) -> u8 {
    ((score + ONE / POINT / 2) / (ONE / POINT)) as u8
}

/// The tables of a tree.
///
/// The first word of a table is the number of its rollouts. Then for each player and each move
/// code: rollouts in which the player has played such a move (low half), and the sum of their
/// scores for that player, each up to [`POINT`] (high half).
#[derive(Debug)]
pub(crate) struct AmafTables {
    slab: Slab<AtomicU64, Row>,
    counter: Counter,
    codes: usize,
    /// The first of the tables that were given back; each names the next one.
    free: Mutex<Option<u32>>,
}

/// The table of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AmafTable<'a> {
    words: &'a [AtomicU64],
    codes: usize,
}

/// What is known of the moves of one player below a position.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AmafMoves<'a>(&'a [AtomicU64]);

impl AmafMoves<'_> {
    /// The rollouts in which a move with this code was played, and the sum of their scores.
    #[inline]
    pub(crate) fn read(self, code: usize) -> (u32, u32) {
        // A code that the game does not have is that of a move about which nothing is known.
        let word = self.0.get(code).map_or(0, |word| word.load(Ordering::Relaxed));
        (word as u32, (word >> 32) as u32)
    }
}

impl AmafTables {
    /// For a game of `players` players and `codes` move codes, within a memory limit.
    pub(crate) fn new(players: usize, codes: usize, limit: Option<u64>) -> Self {
        let width = 1 + players * codes;
        let bytes = width * size_of::<AtomicU64>();
        let most_of_chunk = (CHUNK_BYTES / bytes).max(1).ilog2().min(MOST_OF_CHUNK);
        let shift = chunk_shift(limit, bytes, (0, most_of_chunk));
        let most = most_slots(limit, bytes);
        Self {
            slab: Slab::new(Row(width), shift, most.min(MOST_TABLES)),
            counter: Counter::new(shift, bytes as u64),
            codes,
            free: Mutex::default(),
        }
    }

    /// What a table takes, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.slab.slot_bytes()
    }

    /// The table of a node, if it has one.
    #[inline]
    pub(crate) fn of(&self, node: &Node) -> Option<AmafTable<'_>> {
        let index = node.amaf()?;
        Some(AmafTable { words: self.slab.range(index, 1), codes: self.codes })
    }

    /// Gives a node a table, unless it has one or there is no memory for it: then false.
    pub(crate) fn give(
        &self,
        node: &Node,
        block: &mut Block,
        in_haste: bool,
        meter: &Meter,
    ) -> bool {
        if node.amaf().is_some() {
            return false;
        }
        let Some(index) = self.take(block, in_haste, meter) else { return false };
        for word in self.slab.range(index, 1) {
            word.store(0, Ordering::Relaxed);
        }
        let won = node.set_amaf(index);
        if !won {
            self.give_back(index);
        }
        won
    }

    fn take(&self, block: &mut Block, in_haste: bool, meter: &Meter) -> Option<u32> {
        block.take(1).or_else(|| self.take_free()).or_else(|| {
            *block = self.counter.block(1, meter, |index| self.slab.grow(index))?;
            self.slab.provide(*block, in_haste);
            block.take(1)
        })
    }

    fn take_free(&self) -> Option<u32> {
        let mut free = self.free.lock();
        let index = (*free)?;
        let next = self.slab.range(index, 1)[0].load(Ordering::Relaxed);
        *free = (next as u32).checked_sub(1);
        Some(index)
    }

    /// What gives out its indices, and the number of its chunks.
    pub(super) fn arena(&self) -> (&Counter, usize) {
        (&self.counter, self.slab.chunks())
    }

    /// Empties the list of free tables; the first of those that were in it.
    pub(super) fn detach(&self) -> Option<u32> {
        self.free.lock().take()
    }

    /// Takes tables back that were detached, from `first` on, at most `most`, which is less by
    /// their number then; the next one.
    pub(super) fn give_all(&self, first: u32, most: &mut u32) -> Option<u32> {
        let mut next = Some(first);
        while let Some(index) = next.filter(|_| *most > 0) {
            // Read before it is given back, which writes over it.
            next = (self.slab.range(index, 1)[0].load(Ordering::Relaxed) as u32).checked_sub(1);
            self.give_back(index);
            *most -= 1;
        }
        next
    }

    /// Gives the pages of a chunk back.
    ///
    /// # Safety
    /// As for [`Slab::discard`].
    pub(super) unsafe fn discard(&self, chunk: usize) {
        // SAFETY: as the caller says.
        unsafe { self.slab.discard(chunk) };
    }

    /// Takes back a table that no worker knows, unless its chunk is closed.
    pub(crate) fn give_back(&self, index: u32) {
        let mut free = self.free.lock();
        if self.counter.is_closed(index) {
            return;
        }
        let next = free.replace(index).map_or(0, |next| u64::from(next) + 1);
        self.slab.range(index, 1)[0].store(next, Ordering::Relaxed);
    }

    /// Gives up all tables. Their memory is freed with what is returned.
    pub(crate) fn give_up(&mut self) -> impl Iterator<Item = Memory> {
        self.slab.give_up()
    }

    /// Forgets all tables. No worker may hold a block.
    pub(crate) fn clear(&mut self) {
        self.counter.clear();
        self.free = Mutex::default();
    }
}

impl<'a> AmafTable<'a> {
    /// Rollouts that the table has counted.
    #[inline]
    pub(crate) fn rollouts(self) -> u64 {
        self.words[0].load(Ordering::Relaxed)
    }

    /// What is known of the moves of a player.
    #[inline]
    pub(crate) fn of(self, player: usize) -> AmafMoves<'a> {
        AmafMoves(self.words[1..].chunks_exact(self.codes).nth(player).unwrap_or_default())
    }

    /// Adds what a branch knows to a table that has just begun: its visits are rollouts in which
    /// `player` has played its move.
    pub(crate) fn begin_with(self, player: usize, code: usize, stats: EdgeStats) {
        let Some(entry) = self.of(player).0.get(code) else { return };
        let visits = u64::from(stats.visits.min(MOST_OF_BRANCH));
        let points = visits * u64::from(stats.value.score()) / u64::from(ONE / POINT);
        entry.fetch_add(points << 32 | visits, Ordering::Relaxed);
        self.words[0].fetch_add(visits, Ordering::Relaxed);
    }

    /// Copies the words to the end of `words`, for an [exchange](crate::mcts::exchange).
    pub(crate) fn read_words(self, words: &mut Vec<u64>) {
        words.extend(self.words.iter().map(|word| word.load(Ordering::Relaxed)));
    }

    /// Adds what other engines have counted, in words as the table has them: whether there was
    /// room for it.
    pub(crate) fn add_words(self, words: impl ExactSizeIterator<Item = u64> + Clone) -> bool {
        let rollouts = words.clone().next().unwrap_or(0);
        if self.rollouts().saturating_add(rollouts) > MOST_ROLLOUTS {
            return false;
        }
        for (word, more) in self.words.iter().zip(words) {
            if more > 0 {
                word.fetch_add(more, Ordering::Relaxed);
            }
        }
        true
    }

    /// Adds rollouts that were summed up before.
    pub(crate) fn add_sums(self, sums: &mut AmafSums) {
        if self.rollouts() >= MOST_ROLLOUTS || sums.rollouts == 0 {
            return;
        }
        self.words[0].fetch_add(sums.rollouts, Ordering::Relaxed);
        sums.sums.iter_mut().for_each(Sum::add_waiting);
        let (entries, digits) = (&self.words[1..], sums.digits());
        let sets = sums.sums.chunks_exact(self.codes.div_ceil(64));
        for (entries, sets) in entries.chunks_exact(self.codes).zip(sets) {
            for (entries, Sum { rollouts, points, .. }) in entries.chunks(64).zip(sets) {
                for (code, entry) in entries.iter().enumerate() {
                    let more = points.of(code, digits) << 32 | rollouts.of(code, digits);
                    if more > 0 {
                        entry.fetch_add(more, Ordering::Relaxed);
                    }
                }
            }
        }
    }

    /// Adds a rollout: for each player the moves played from the table's position on, in words, and
    /// the score, up to [`POINT`].
    #[inline]
    pub(crate) fn add<'b>(self, played: impl Iterator<Item = (&'b [u64], &'b u8)>) {
        let rollouts = self.rollouts();
        if rollouts >= MOST_ROLLOUTS {
            return;
        }
        self.words[0].store(rollouts + 1, Ordering::Relaxed);
        let mut first = 1;
        for (set, points) in played {
            let more = 1 | u64::from(*points) << 32;
            let entries = &self.words[first..][..self.codes];
            first += self.codes;
            for_each_code(set, |code| {
                let entry = &entries[code];
                entry.store(entry.load(Ordering::Relaxed) + more, Ordering::Relaxed);
            });
        }
    }
}

/// Binary digits of a sum: enough for the points of [`MOST_SUMMED`].
const DIGITS: usize = 24;

/// The most rollouts that are summed up.
const MOST_SUMMED: u64 = 1 << 16;

/// Rollouts that are added at a time.
const AT_ONCE: usize = 8;

/// Rollouts that are to be added to a table, all at once: 64 codes are counted side by side.
#[derive(Debug, Default)]
pub(crate) struct AmafSums {
    rollouts: u64,
    /// For each word of the sets of each player.
    sums: Vec<Sum>,
}

/// What the entries of 64 codes are to get.
#[derive(Clone, Copy, Debug)]
struct Sum {
    rollouts: Digits,
    points: Digits,
    /// The sets of the last rollouts, which are not in the sums yet, and what each has scored.
    waiting: [u64; AT_ONCE],
    scored: [u8; AT_ONCE],
}

/// A number for each of 64 codes: the digits from the lowest, each for all codes in a word.
#[derive(Clone, Copy, Debug)]
struct Digits([u64; DIGITS]);

impl Sum {
    const ZERO: Self = Self {
        rollouts: Digits([0; DIGITS]),
        points: Digits([0; DIGITS]),
        waiting: [0; AT_ONCE],
        scored: [0; AT_ONCE],
    };

    /// Adds the rollouts that wait.
    fn add_waiting(&mut self) {
        let sets = std::mem::take(&mut self.waiting);
        let points = std::mem::take(&mut self.scored);
        self.rollouts.add(0, sets);
        let any = points.iter().fold(0, |any, points| any | points);
        for digit in (0..u8::BITS).filter(|digit| any >> digit & 1 == 1) {
            let mut scored = sets;
            for (set, points) in scored.iter_mut().zip(points) {
                *set *= u64::from(points >> digit & 1);
            }
            self.points.add(digit as usize, scored);
        }
    }
}

impl Digits {
    /// Adds 1, at the digit `lowest`, to the codes of each set: first the sets to each other, so
    /// that little is carried (W. Mula, N. Kurz and D. Lemire: *Faster Population Counts Using AVX2
    /// Instructions*, 2018).
    #[inline]
    fn add(&mut self, lowest: usize, [a, b, c, d, e, f, g, h]: [u64; AT_ONCE]) {
        let [ones, twos, fours, higher @ ..] = &mut self.0[lowest..] else { return };
        let sum = |a: u64, b: u64, c: u64| (a ^ b ^ c, a & b | (a ^ b) & c);
        let (one, first) = sum(*ones, a, b);
        let (one, second) = sum(one, c, d);
        let (two, low) = sum(*twos, first, second);
        let (one, first) = sum(one, e, f);
        let (one, second) = sum(one, g, h);
        let (two, high) = sum(two, first, second);
        let (four, mut carry) = sum(*fours, low, high);
        (*ones, *twos, *fours) = (one, two, four);
        for digit in higher {
            if carry == 0 {
                return;
            }
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
    }

    /// The number of a code, if it has no more than `digits` digits.
    #[inline]
    fn of(&self, code: usize, digits: usize) -> u64 {
        let digits = self.0[..digits].iter();
        (0..).zip(digits).fold(0, |number, (place, digit)| number | (digit >> code & 1) << place)
    }
}

impl AmafSums {
    /// The memory of sums for a number of players and move codes, in bytes.
    pub(crate) const fn bytes(players: usize, codes: usize) -> usize {
        players * codes.div_ceil(64) * size_of::<Sum>()
    }

    /// No rollouts, for sets of a number of words, those of all players together.
    pub(crate) fn clear(&mut self, words: usize) {
        self.rollouts = 0;
        self.sums.clear();
        self.sums.resize(words, Sum::ZERO);
    }

    /// As [`AmafTable::add`].
    #[inline]
    pub(crate) fn add<'b>(&mut self, played: impl Iterator<Item = (&'b [u64], &'b u8)>) {
        let place = (self.rollouts % AT_ONCE as u64) as usize;
        let sets = played.flat_map(|(set, &points)| set.iter().map(move |&set| (set, points)));
        for (sum, (set, points)) in self.sums.iter_mut().zip(sets) {
            (sum.waiting[place], sum.scored[place]) = (set, points);
        }
        self.rollouts += 1;
        if place == AT_ONCE - 1 {
            self.sums.iter_mut().for_each(Sum::add_waiting);
        }
    }

    /// Whether another rollout may be added.
    #[inline]
    pub(crate) fn has_room(&self) -> bool {
        self.rollouts < MOST_SUMMED
    }

    /// The digits that any of the sums may have.
    fn digits(&self) -> usize {
        let most = self.rollouts.saturating_mul(POINT.into());
        (u64::BITS - most.leading_zeros()).min(DIGITS as u32) as usize
    }
}

/// Calls `act` with each code of a set.
#[inline]
fn for_each_code(set: &[u64], mut act: impl FnMut(usize)) {
    for (at, &codes) in set.iter().enumerate() {
        let (mut codes, base) = (codes, at * u64::BITS as usize);
        while codes != 0 {
            act(base + codes.trailing_zeros() as usize);
            codes &= codes - 1;
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{AmafSums, AmafTables, Block, Node, to_points};
    use crate::mcts::tree::arena::meter_of;
    use crate::mcts::tree::node::EdgeStats;
    use crate::mcts::tree::value::{Bounds, ONE, Value};
    use crate::rng::Rng;

    #[test]
    fn a_table_holds_what_was_added() {
        let (tables, meter) = (AmafTables::new(2, 70, None), meter_of(None));
        let (node, mut block) = (Node::default(), Block::default());
        assert!(tables.of(&node).is_none());
        assert!(
            tables.give(&node, &mut block, false, &meter)
                && !tables.give(&node, &mut block, false, &meter)
        );
        assert_eq!((tables.bytes(), meter.held() > 0), (8 * 141, true));
        let table = tables.of(&node).unwrap();
        let value = Value::new(ONE / 4, Bounds::Open);
        table.begin_with(0, 69, EdgeStats { visits: 6, value });
        table.begin_with(0, 70, EdgeStats { visits: 6, value });
        let sets = [[1 | 1 << 63, 1 << 5], [1 << 1, 0]];
        for points in [[128, 0], [64, 64]] {
            table.add(sets.iter().map(|set| &set[..]).zip(&points));
        }
        let all = |player| {
            let codes = (0..80).map(|code| (code, table.of(player).read(code)));
            codes.filter(|&(_, known)| known != (0, 0)).collect::<Vec<_>>()
        };
        assert_eq!(table.rollouts(), 8);
        assert_eq!(all(0), [(0, (2, 192)), (63, (2, 192)), (69, (8, 384))]);
        assert_eq!(all(1), [(1, (2, 64))]);
        assert_eq!(all(2), []);
        // The same rollouts, summed up before.
        let mut sums = AmafSums::default();
        sums.clear(4);
        for points in [[128, 0], [64, 64]] {
            sums.add(sets.iter().map(|set| &set[..]).zip(&points));
        }
        table.add_sums(&mut sums);
        assert_eq!(table.rollouts(), 10);
        assert_eq!(all(0), [(0, (4, 384)), (63, (4, 384)), (69, (10, 576))]);
        assert_eq!(all(1), [(1, (4, 128))]);
        sums.clear(4);
        table.add_sums(&mut sums);
        assert_eq!(table.rollouts(), 10);
    }

    #[test]
    fn rollouts_that_are_summed_up_are_those_that_are_added_one_by_one() {
        let mut rng = Rng::from_seed(6);
        for turn in 0..60 {
            let (codes, count) = (1 + rng.below(150), rng.below(600));
            let (tables, meter) = (AmafTables::new(2, codes, None), meter_of(None));
            let nodes = [Node::default(), Node::default()];
            let [one, other] = nodes.each_ref().map(|node| {
                tables.give(node, &mut Block::default(), false, &meter);
                tables.of(node).unwrap()
            });
            let words = codes.div_ceil(64);
            let mut sums = AmafSums::default();
            sums.clear(2 * words);
            for _ in 0..count {
                let last = u64::MAX >> (64 * words - codes);
                let mut set = || -> Vec<u64> {
                    let masks =
                        (0..words).map(|word| if word + 1 < words { u64::MAX } else { last });
                    masks.map(|mask| rng.next_u64() & mask).collect()
                };
                let sets = [set(), set()];
                // Wins and losses, and in some turns any score.
                let points = [(); 2].map(|()| match turn % 3 {
                    0 => rng.below(129) as u8,
                    _ => 128 * rng.below(2) as u8,
                });
                one.add(sets.iter().map(|set| &set[..]).zip(&points));
                sums.add(sets.iter().map(|set| &set[..]).zip(&points));
            }
            other.add_sums(&mut sums);
            let [mut expected, mut found] = [Vec::new(), Vec::new()];
            one.read_words(&mut expected);
            other.read_words(&mut found);
            assert_eq!(found, expected, "turn {turn}: {count} rollouts of {codes} codes");
        }
    }

    #[test]
    fn scores_and_many_visits_fit() {
        assert_eq!([0, ONE / 2, ONE / 4 * 3, ONE].map(to_points), [0, 64, 96, 128]);
        let (tables, meter) = (AmafTables::new(1, 1, None), meter_of(None));
        let node = Node::default();
        tables.give(&node, &mut Block::default(), false, &meter);
        let table = tables.of(&node).unwrap();
        let value = Value::new(ONE, Bounds::Open);
        table.begin_with(0, 0, EdgeStats { visits: u32::MAX, value });
        assert_eq!(table.of(0).read(0), (1 << 16, 128 << 16));
        // A table for millions of codes has a chunk of its own.
        assert_eq!(AmafTables::new(2, 1 << 22, None).bytes(), 8 + (1 << 26));
    }

    #[test]
    fn tables_given_back_are_given_out_empty() {
        let (tables, meter) = (AmafTables::new(2, 3, Some(1 << 16)), meter_of(Some(1 << 16)));
        let mut block = Block::default();
        let nodes: Vec<Node> = (0..2_000).map(|_| Node::default()).collect();
        let given =
            nodes.iter().take_while(|node| tables.give(node, &mut block, false, &meter)).count();
        assert!((1_000..=1_171).contains(&given), "{given} tables of 56 bytes in 65 536");
        for node in &nodes[..2] {
            let set: &[u64] = &[7];
            tables.of(node).unwrap().add([set, set].into_iter().zip(&[128, 0]));
            tables.give_back(node.amaf().unwrap());
        }
        let later = [Node::default(), Node::default(), Node::default()];
        let given = later.each_ref().map(|node| tables.give(node, &mut block, false, &meter));
        assert_eq!(given, [true, true, false]);
        assert_eq!(later[0].amaf(), nodes[1].amaf());
        let table = tables.of(&later[0]).unwrap();
        assert_eq!((table.rollouts(), table.of(0).read(1)), (0, (0, 0)));
    }
}
