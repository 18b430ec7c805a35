//! Random games side by side, one in each lane of the processor's vectors.
//!
//! A position of some words is kept word by word: the first word of all lanes, then the second one.
//! What is done to a lane is plain arithmetic on its words without a jump, in a loop over the
//! lanes, and the compiler makes that vector instructions of the width that it may use. It does so
//! with loops that have no other loop in them: several moves are a loop around that over the lanes.

use crate::games::bits::{BYTES, TOP_BITS, set_bits};
use crate::rng::Rng;

/// Games that are played side by side: the number of words in the widest vectors of today. It is
/// the same on every machine, as the random numbers of a game depend on the lane it is played in.
pub(super) const LANES: usize = 8;

/// A word of each lane.
pub(super) type Words = [u64; LANES];

/// Random games of one kind in lanes.
///
/// Methods are to be `#[inline(always)]`: what is not inlined is not compiled for wide vectors.
pub(super) trait SideBySide<G> {
    /// Puts a position in which the game goes on into a lane.
    fn set_up(&mut self, lane: usize, position: &G);

    /// Plays random moves in all lanes. Not 0 for each lane in which the game has ended.
    fn advance(&mut self, rng: &mut LaneRng) -> Words;

    /// Leaves a lane empty: nothing in it comes to an end.
    fn take_down(&mut self, lane: usize);
}

/// Plays a random game from each position. At the end of each game `ended` gets its lane, and the
/// index of the position from which it was played.
pub(super) fn play<G, S: SideBySide<G>>(
    games: S,
    positions: &[&G],
    rng: &mut Rng,
    ended: impl FnMut(&S, usize, usize),
) {
    let rng = LaneRng::new(rng);
    widest(Play { games, positions, rng, ended });
}

struct Play<'a, G, S, E> {
    games: S,
    positions: &'a [&'a G],
    rng: LaneRng,
    ended: E,
}

impl<G, S: SideBySide<G>, E: FnMut(&S, usize, usize)> Work for Play<'_, G, S, E> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { mut games, positions, mut rng, mut ended } = self;
        let (mut playing, mut left) = ([None; LANES], positions.len());
        let mut waiting = positions.iter().enumerate();
        // Lanes that are free for a waiting position: at first all.
        let mut free = u8::MAX;
        loop {
            while free != 0 {
                let lane = free.trailing_zeros() as usize % LANES;
                free &= free - 1;
                if let Some(index) = playing[lane] {
                    ended(&games, lane, index);
                    left -= 1;
                }
                playing[lane] = match waiting.next() {
                    Some((index, position)) => {
                        games.set_up(lane, position);
                        Some(index)
                    }
                    None => {
                        games.take_down(lane);
                        None
                    }
                };
            }
            if left == 0 {
                return;
            }
            let over = games.advance(&mut rng);
            for (lane, over) in over.iter().enumerate() {
                free |= u8::from(*over != 0) << lane;
            }
        }
    }
}

/// Something to be done with vectors of any width.
pub(super) trait Work {
    type Output;

    /// To be `#[inline(always)]`, with all that it calls.
    fn run(self) -> Self::Output;
}

/// Does the work, compiled for the widest vectors that the machine has. The results are those of
/// any other machine: there are only whole numbers in it.
#[inline]
pub(super) fn widest<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if x86_64::has_avx512() {
            // SAFETY: the machine has what the function was compiled for.
            return unsafe { x86_64::with_avx512(work) };
        }
        if x86_64::has_avx2() {
            // SAFETY: the same.
            return unsafe { x86_64::with_avx2(work) };
        }
    }
    work.run()
}

/// Vectors of eight and of four words. What every x86-64 has are vectors of two.
#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use super::Work;

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn with_avx512<W: Work>(work: W) -> W::Output {
        work.run()
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn with_avx2<W: Work>(work: W) -> W::Output {
        work.run()
    }

    pub(super) fn has_avx512() -> bool {
        has_avx2()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
    }

    pub(super) fn has_avx2() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }
}

/// A generator of random numbers in each lane: xoshiro256++ (Blackman and Vigna 2019).
#[derive(Debug)]
pub(super) struct LaneRng([Words; 4]);

impl LaneRng {
    /// Generators whose states are taken from `rng`.
    fn new(rng: &mut Rng) -> Self {
        Self([(); 4].map(|()| [(); LANES].map(|()| rng.next_u64())))
    }

    /// 64 uniformly random bits for a lane.
    #[inline(always)]
    pub(super) fn next(&mut self, lane: usize) -> u64 {
        let [a, b, c, d] = &mut self.0;
        let [a, b, c, d] = [&mut a[lane], &mut b[lane], &mut c[lane], &mut d[lane]];
        let bits = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        bits
    }
}

/// In byte `i` the sum of the bytes from `i` on. From below it would be the same work, but of that
/// the compiler makes a multiplication, and not all vectors have one of 64 bits.
#[inline(always)]
fn running_sums(bytes: u64) -> u64 {
    let pairs = bytes.wrapping_add(bytes >> 8);
    let fours = pairs.wrapping_add(pairs >> 16);
    fours.wrapping_add(fours >> 32)
}

/// How many bits are set.
#[inline(always)]
pub(super) fn count(word: u64) -> u64 {
    if cfg!(target_family = "wasm") {
        // Its vectors count the bits of bytes only.
        running_sums(set_bits(word)[2]) & 0xff
    } else {
        word.count_ones().into()
    }
}

/// The lowest byte of a number, in each byte.
#[inline(always)]
fn in_each_byte(number: u64) -> u64 {
    let highest = number << 56;
    let pairs = highest | highest >> 8;
    let fours = pairs | pairs >> 16;
    fours | fours >> 32
}

/// One of the bits that are set in `word`, by 32 random bits; 0 if there is none. Each is equally
/// likely but for a bias below 2^-25.
///
/// As [`random_bit`](super::bits::random_bit), with arithmetic only: nothing is looked up, and no
/// lane shifts by a number of its own.
#[inline(always)]
pub(super) fn random_bit(word: u64, random: u64) -> u64 {
    let [pairs, fours, bytes] = set_bits(word);
    let sums = running_sums(bytes);
    let count = sums & 0xff;
    // It is the k-th of them, counted from 0 and from the highest one down; the top bit of each
    // byte is set beside it, so that no byte takes anything from the next one.
    let from_below = ((random & 0xffff_ffff) * count) >> 32;
    let k = in_each_byte(count.wrapping_sub(from_below + 1)) | TOP_BITS;
    // That bit stays set where the sum is at most `k`: the highest other byte has it.
    let above = (k.wrapping_sub(sums) & TOP_BITS) >> 7;
    let from_here = above.wrapping_sub(1) & !above;
    let here = from_here & !(from_here >> 8);
    // Which one it is there: in place, as are the numbers of bits set in the upper four of that
    // byte, then in the upper two of four, and in the upper one of two.
    let top = here & TOP_BITS;
    let left = k.wrapping_sub(sums >> 8) & here;
    let (is_upper, left) = within(left, fours >> 4 & here & LOWER_FOURS, top);
    let four = here & (LOWER_FOURS ^ is_upper);
    let pairs = pick(is_upper, pairs, pairs >> 4);
    let (is_upper, left) = within(left, pairs >> 2 & here & LOWEST_PAIRS, top);
    let pair = four & word & (LOWER_PAIRS ^ is_upper);
    let upper = if left == top { pair & UPPER_BITS } else { 0 };
    if upper != 0 { upper } else { pair & !UPPER_BITS }
}

/// Of each byte the lower four bits, the lowest two; of each four the lower two; of each two the
/// upper one.
const LOWER_FOURS: u64 = 0x0f * BYTES;
const LOWEST_PAIRS: u64 = 0x03 * BYTES;
const LOWER_PAIRS: u64 = 0x33 * BYTES;
const UPPER_BITS: u64 = 0xaa * BYTES;

/// Whether the bit of this number is one of the first `count`: a mask; and its number among those,
/// or among the others. The numbers have the bits of `top` set beside them.
#[inline(always)]
fn within(number: u64, count: u64, top: u64) -> (u64, u64) {
    let mask = less(number, count | top);
    (mask, number.wrapping_sub(count & !mask))
}

/// All bits if `this` is less than `other`, else none. The highest bit of both is the same. Not all
/// vectors compare numbers without a sign, and the compiler does so where it knows that this bit is
/// 0: then it takes the lanes one by one.
#[inline(always)]
pub(super) fn less(this: u64, other: u64) -> u64 {
    if cfg!(target_family = "wasm") {
        if (this as i64) < other as i64 { u64::MAX } else { 0 }
    } else {
        // What plain x86-64 has: a sign in all bits, and no comparison of words.
        (this.wrapping_sub(other) as i64 >> 63) as u64
    }
}

/// `other` where the bits of the mask are set, else `this`. Without a jump.
#[inline(always)]
pub(super) fn pick(mask: u64, this: u64, other: u64) -> u64 {
    this ^ (this ^ other) & mask
}

#[cfg(test)]
mod tests {
    use super::{LANES, LaneRng, Play, SideBySide, Words, Work, random_bit, widest};
    use crate::games::bits::ones;
    use crate::rng::Rng;

    /// Takes random bits out of a word until none is left.
    #[derive(Clone, Default)]
    struct Taking {
        left: Words,
        busy: [bool; LANES],
        /// What was taken, in order.
        history: Words,
    }

    impl SideBySide<u64> for Taking {
        #[inline(always)]
        fn set_up(&mut self, lane: usize, position: &u64) {
            (self.left[lane], self.busy[lane], self.history[lane]) = (*position, true, 0);
        }

        #[inline(always)]
        fn advance(&mut self, rng: &mut LaneRng) -> Words {
            let mut over = [0; LANES];
            for (lane, over) in over.iter_mut().enumerate() {
                let bit = random_bit(self.left[lane], rng.next(lane));
                self.left[lane] ^= bit;
                self.history[lane] = self.history[lane].rotate_left(5) ^ bit;
                *over = u64::from(self.busy[lane] && self.left[lane] == 0);
            }
            over
        }

        #[inline(always)]
        fn take_down(&mut self, lane: usize) {
            (self.left[lane], self.busy[lane]) = (0, false);
        }
    }

    #[test]
    fn each_game_ends_once_and_the_same_with_vectors_of_any_width() {
        let mut rng = Rng::from_seed(1);
        for count in [1, 2, 7, 8, 9, 50] {
            let positions: Vec<u64> =
                (0..count).map(|_| rng.next_u64() & rng.next_u64() | 1).collect();
            let positions: Vec<&u64> = positions.iter().collect();
            let ends = |width: Width| {
                let mut ends = vec![None; count];
                let ended = |games: &Taking, lane: usize, index: usize| {
                    assert_eq!(ends[index].replace(games.history[lane]), None, "{index} twice");
                };
                let rng = LaneRng::new(&mut Rng::from_seed(count as u64));
                let play = Play { games: Taking::default(), positions: &positions, rng, ended };
                match width {
                    Width::Any => play.run(),
                    Width::Widest => widest(play),
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: asked for only where the machine has what it was compiled for.
                    Width::Avx2 => unsafe { super::x86_64::with_avx2(play) },
                }
                ends
            };
            let expected = ends(Width::Any);
            assert!(expected.iter().all(Option::is_some), "{expected:?}");
            assert_eq!(ends(Width::Widest), expected);
            #[cfg(target_arch = "x86_64")]
            if super::x86_64::has_avx2() {
                assert_eq!(ends(Width::Avx2), expected);
            }
        }
    }

    /// What a test lets the compiler use.
    #[derive(Clone, Copy)]
    enum Width {
        Any,
        Widest,
        #[cfg(target_arch = "x86_64")]
        Avx2,
    }

    #[test]
    fn a_random_bit_is_the_one_at_its_part_of_the_range() {
        let mut rng = Rng::from_seed(1);
        for round in 0..2000 {
            let mut word = rng.next_u64();
            for _ in 0..round % 6 {
                word &= rng.next_u64();
            }
            let count = u64::from(word.count_ones());
            for (k, bit) in (0u64..).zip(ones(word)) {
                let first = (k << 32).div_ceil(count);
                let last = ((k + 1) << 32).div_ceil(count) - 1;
                for random in [first, u64::midpoint(first, last), last] {
                    assert_eq!(random_bit(word, random), 1 << bit, "{word:#x} {k}");
                    assert_eq!(random_bit(word, random | 7 << 40), 1 << bit, "{word:#x} {k}");
                }
            }
        }
        assert_eq!([random_bit(0, 0), random_bit(0, u64::MAX)], [0, 0]);
        assert_eq!([random_bit(u64::MAX, 0), random_bit(u64::MAX, u64::MAX)], [1, 1 << 63]);
    }

    #[test]
    fn each_lane_draws_numbers_of_its_own() {
        let mut lanes = LaneRng::new(&mut Rng::from_seed(1));
        let mut bits = [0u32; LANES];
        let mut seen = std::collections::HashSet::new();
        for _ in 0..1000 {
            for (lane, bits) in bits.iter_mut().enumerate() {
                let number = lanes.next(lane);
                assert!(seen.insert(number));
                *bits += number.count_ones();
            }
        }
        // Mean 32 000, standard deviation 126.
        assert!(bits.iter().all(|bits| (31_300..32_700).contains(bits)), "{bits:?}");
    }
}
