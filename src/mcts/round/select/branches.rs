//! What selection knows of the branches of a node: a copy of their statistics, eight side by side,
//! read four at a time and without a jump that depends on what the edges say.

use crate::mcts::config::InFlight;
use crate::mcts::tree::node::{Edge, Node};
use crate::mcts::tree::value::{Limit, ONE};

use super::lanes::{LANES, Lanes};
use super::{Rules, UNTRIED};

/// The mean of a branch that is left out.
pub(super) const LEFT_OUT: f32 = f32::NEG_INFINITY;

/// From fixed point to a mean in `[0, 1]`.
pub(super) const TO_MEAN: f32 = 1.0 / ONE as f32;

/// Some branches that lie side by side. Those beyond the last one of the node are left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branches {
    /// Visits of each branch as the policy counts them: those of this round always, those
    /// of other workers as [`InFlight`] says.
    pub(super) visits: Lanes,
    /// Mean score of the side to move; [`LEFT_OUT`] for a branch that is left out.
    pub(super) means: Lanes,
    /// What else a policy goes by: the mean squared score, or the prior. 0 for other policies.
    pub(super) seconds: Lanes,
    pub(super) scores: Lanes,
    /// Visits and in-flight simulations of each branch, exactly, for the warm-up.
    pub(super) drawn: [u32; LANES],
    /// Visits given in this division.
    pub(super) taken: [u32; LANES],
}

impl Branches {
    /// What two readings say, without scores.
    #[inline]
    pub(super) fn of(low: Four, high: Four) -> Self {
        Self {
            visits: join(low.visits, high.visits),
            means: join(low.means, high.means),
            seconds: [0.0; LANES],
            scores: [0.0; LANES],
            drawn: join(low.drawn, high.drawn),
            taken: [0; LANES],
        }
    }

    /// Whether a branch is not left out.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.means.iter().any(|&mean| mean > LEFT_OUT)
    }

    /// A bit for each branch that is not left out and has fewer visits than this.
    #[inline]
    pub(super) fn open_below(&self, visits: u32) -> u32 {
        let branches = (0..).zip(self.means.iter().zip(&self.drawn));
        branches.fold(0, |bits, (lane, (&mean, &drawn))| {
            bits | u32::from((mean > LEFT_OUT) & (drawn < visits)) << lane
        })
    }
}

/// How the edges of one node are read.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) rules: &'a Rules,
    /// The node's mean, in fixed point.
    pub(super) score: u32,
    /// The values that leave a branch out.
    pub(super) left_out: Limit,
    /// Which bits of the number of simulations in flight count: all or none.
    pub(super) flying: u32,
    /// Whether a branch is worth what it says, without a loss for those in flight or an urgency.
    plain: bool,
}

impl<'a> View<'a> {
    #[inline]
    pub(super) fn new(rules: &'a Rules, node: &Node) -> Self {
        let value = node.value();
        let lossless = !matches!(rules.in_flight, InFlight::VirtualLoss { .. });
        Self {
            rules,
            score: value.score(),
            left_out: if rules.proofs { value.bounds().no_better() } else { Limit::NOTHING },
            flying: if rules.in_flight == InFlight::Ignore { 0 } else { u32::MAX },
            plain: lossless && rules.urgency.is_none(),
        }
    }

    /// The branches, at most 64, that have fewer visits than the warm-up asks for.
    #[inline]
    pub(super) fn unfinished(&self, edges: &[Edge]) -> u64 {
        (0..64).step_by(FOUR).zip(edges.chunks(FOUR)).fold(0, |bits, (branch, edges)| {
            bits | u64::from(self.unfinished_of_four(edges)) << branch
        })
    }

    /// Reads one branch for each lane, or fewer: the lanes beyond are left out.
    #[inline(always)]
    pub(super) fn read(&self, edges: &[Edge]) -> Branches {
        let (low, high) = edges.split_at(edges.len().min(FOUR));
        let mut branches = Branches::of(self.read_four(low), self.read_four(high));
        if !self.plain {
            self.adjust(&mut branches, edges);
        }
        branches
    }

    /// What virtual losses and an urgency make of the branches of these edges.
    fn adjust(&self, branches: &mut Branches, edges: &[Edge]) {
        for (lane, edge) in edges.iter().enumerate().take(LANES) {
            let (visits, mean) = (&mut branches.visits[lane], &mut branches.means[lane]);
            let drawn = branches.drawn[lane];
            if *mean == LEFT_OUT {
                continue;
            }
            if let InFlight::VirtualLoss { weight } = self.rules.in_flight {
                // Read once more, and perhaps others have come back since.
                let returned = edge.stats().visits.min(drawn);
                let alone = returned as f32;
                *visits = alone + (drawn - returned) as f32 * weight as f32;
                *mean *= if *visits > 0.0 { alone / *visits } else { 1.0 };
            }
            if let Some(urgency) = self.rules.urgency
                && drawn == 0
            {
                (*visits, *mean) = (UNTRIED, *mean + urgency);
            }
        }
    }
}

/// Two halves side by side.
#[inline]
fn join<T>([a, b, c, d]: [T; FOUR], [e, f, g, h]: [T; FOUR]) -> [T; LANES] {
    [a, b, c, d, e, f, g, h]
}

/// The number of edges that are read together.
const FOUR: usize = 4;

/// What four edges say: as in [`Branches`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Four {
    pub(super) visits: [f32; FOUR],
    pub(super) means: [f32; FOUR],
    pub(super) drawn: [u32; FOUR],
}

impl Four {
    /// Four branches that are left out.
    pub(super) const NONE: Self =
        Self { visits: [1.0; FOUR], means: [LEFT_OUT; FOUR], drawn: [0; FOUR] };
}

#[cfg(target_arch = "x86_64")]
mod sse2 {
    use std::arch::x86_64::{
        __m128, __m128i, _mm_add_epi32, _mm_add_ps, _mm_and_ps, _mm_and_si128, _mm_andnot_ps,
        _mm_andnot_si128, _mm_castps_si128, _mm_castsi128_ps, _mm_cmpeq_epi32, _mm_cmpgt_epi32,
        _mm_cvtepi32_ps, _mm_movemask_ps, _mm_mul_ps, _mm_or_ps, _mm_set_epi32, _mm_set_epi64x,
        _mm_set1_epi32, _mm_set1_ps, _mm_setzero_si128, _mm_shuffle_ps, _mm_srli_epi32,
        _mm_storeu_ps, _mm_storeu_si128, _mm_xor_si128,
    };

    use crate::mcts::tree::node::Edge;
    use crate::mcts::tree::value::{SCORE_BITS, SCORE_MASK};

    use super::{FOUR, Four, LEFT_OUT, TO_MEAN, View};

    /// The words of four edges, by what they mean.
    struct Words {
        values: __m128i,
        visits: __m128i,
        /// Visits with those in flight.
        drawn: __m128i,
        /// No bits for a branch that is left out, all for another.
        open: __m128,
    }

    impl View<'_> {
        /// Of up to four edges; there is one at least. Lanes beyond the last edge read it again,
        /// and are left out.
        #[inline]
        fn words(&self, edges: &[Edge]) -> Words {
            const THERE: [[i32; FOUR]; FOUR] =
                [[-1, 0, 0, 0], [-1, -1, 0, 0], [-1, -1, -1, 0], [-1; 4]];
            let last = edges.len().clamp(1, FOUR) - 1;
            let four: [&Edge; FOUR] = match edges.first_chunk() {
                Some(four) => four.each_ref(),
                None => [&edges[0], &edges[last.min(1)], &edges[last.min(2)], &edges[last]],
            };
            let stats = |lane: usize| four[lane].stats_word() as i64;
            let flying = |lane: usize| four[lane].in_flight() as i32;
            let [a, b, c, d] = THERE[last];
            // SAFETY: the instructions are part of every x86-64.
            unsafe {
                let low = _mm_castsi128_ps(_mm_set_epi64x(stats(1), stats(0)));
                let high = _mm_castsi128_ps(_mm_set_epi64x(stats(3), stats(2)));
                // The low halves of the words, and the high ones.
                let values = _mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(low, high));
                let visits = _mm_castps_si128(_mm_shuffle_ps::<0b11_01_11_01>(low, high));
                let flying = _mm_set_epi32(flying(3), flying(2), flying(1), flying(0));
                let flying = _mm_and_si128(flying, _mm_set1_epi32(self.flying as i32));
                let bounds = _mm_srli_epi32::<{ SCORE_BITS as i32 }>(values);
                let limit = _mm_set1_epi32(self.left_out.code() as i32 - 1);
                let open =
                    _mm_andnot_si128(_mm_cmpgt_epi32(bounds, limit), _mm_set_epi32(d, c, b, a));
                let drawn = _mm_add_epi32(visits, flying);
                Words { values, visits, drawn, open: _mm_castsi128_ps(open) }
            }
        }

        #[inline]
        pub(super) fn read_four(&self, edges: &[Edge]) -> Four {
            let mut four = Four::NONE;
            if edges.is_empty() {
                return four;
            }
            let Words { values, visits, drawn, open } = self.words(edges);
            // SAFETY: the instructions are part of every x86-64, and each of the lists has room for
            // the four numbers of 32 bits that are stored there.
            unsafe {
                let choose =
                    |mask, yes, no| _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no));
                let unvisited = _mm_castsi128_ps(_mm_cmpeq_epi32(visits, _mm_setzero_si128()));
                let score = _mm_and_si128(values, _mm_set1_epi32(SCORE_MASK as i32));
                let of_node = _mm_set1_ps(self.score as f32);
                let score = choose(unvisited, of_node, _mm_cvtepi32_ps(score));
                let means = _mm_mul_ps(score, _mm_set1_ps(TO_MEAN));
                // There is no conversion of unsigned numbers. Their halves are exact, so that the
                // sum is rounded once, as it should be.
                let high = _mm_cvtepi32_ps(_mm_srli_epi32::<16>(drawn));
                let low = _mm_cvtepi32_ps(_mm_and_si128(drawn, _mm_set1_epi32(0xffff)));
                let counted = _mm_add_ps(_mm_mul_ps(high, _mm_set1_ps(65536.0)), low);
                let counted = choose(open, counted, _mm_set1_ps(1.0));
                let means = choose(open, means, _mm_set1_ps(LEFT_OUT));
                _mm_storeu_ps(four.visits.as_mut_ptr(), counted);
                _mm_storeu_ps(four.means.as_mut_ptr(), means);
                _mm_storeu_si128(four.drawn.as_mut_ptr().cast(), drawn);
            }
            four
        }

        #[inline]
        pub(super) fn unfinished_of_four(&self, edges: &[Edge]) -> u32 {
            if edges.is_empty() {
                return 0;
            }
            let Words { drawn, open, .. } = self.words(edges);
            // SAFETY: the instructions are part of every x86-64.
            unsafe {
                // The comparison is one of signed numbers: the highest bit is turned.
                let turned = |number| _mm_xor_si128(number, _mm_set1_epi32(i32::MIN));
                let warm_up = _mm_set1_epi32(self.rules.warm_up as i32);
                let below = _mm_cmpgt_epi32(turned(warm_up), turned(drawn));
                _mm_movemask_ps(_mm_and_ps(open, _mm_castsi128_ps(below))) as u32
            }
        }
    }
}

/// The same without instructions of one processor.
#[cfg(any(test, not(target_arch = "x86_64")))]
mod portable {
    use crate::mcts::tree::node::{Edge, EdgeStats};

    use super::{FOUR, Four, LEFT_OUT, TO_MEAN, View};

    pub(super) fn read_four(view: &View<'_>, edges: &[Edge]) -> Four {
        let mut four = Four::NONE;
        for (lane, edge) in edges.iter().enumerate().take(FOUR) {
            let EdgeStats { visits, value } = edge.stats();
            let drawn = visits + (edge.in_flight() & view.flying);
            four.drawn[lane] = drawn;
            if !view.left_out.is_met_by(value) {
                let score = if visits > 0 { value.score() } else { view.score };
                (four.visits[lane], four.means[lane]) = (drawn as f32, score as f32 * TO_MEAN);
            }
        }
        four
    }

    pub(super) fn unfinished_of_four(view: &View<'_>, edges: &[Edge]) -> u32 {
        let Four { drawn, means, .. } = read_four(view, edges);
        let lanes = (0..).zip(drawn.iter().zip(&means));
        lanes.fold(0, |bits, (lane, (&drawn, &mean))| {
            bits | u32::from(drawn < view.rules.warm_up && mean > LEFT_OUT) << lane
        })
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl View<'_> {
    #[inline]
    fn read_four(&self, edges: &[Edge]) -> Four {
        portable::read_four(self, edges)
    }

    #[inline]
    fn unfinished_of_four(&self, edges: &[Edge]) -> u32 {
        portable::unfinished_of_four(self, edges)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Rules;
    use super::{FOUR, Four, View, portable};
    use crate::mcts::tree::node::{Access, Edge, EdgeStats, Node};
    use crate::mcts::tree::value::{Bounds, ONE, Value};
    use crate::mcts::{InFlight, Selection, WarmUpDraw};
    use crate::rng::Rng;

    #[test]
    fn edges_are_read_alike_by_both_ways() {
        let mut rng = Rng::from_seed(8);
        let mut left_out = 0;
        let turns = if cfg!(miri) { 50 } else { 5_000 };
        for turn in 0..turns {
            let any = |rng: &mut Rng| match rng.below(4) {
                0 => 0,
                1 => 1 + rng.below(3) as u32,
                2 => rng.below(1 << 20) as u32,
                _ => u32::MAX - (1 << 24) - rng.below(1 << 20) as u32,
            };
            let mut value =
                || Value::new(rng.below(ONE as usize) as u32, Bounds::ALL[rng.below(6)]);
            let node = Node::default();
            node.set_value(value());
            let values: Vec<_> = (0..1 + turn % 8).map(|_| value()).collect();
            let edge = |value| {
                let edge = Edge::default();
                edge.reset();
                edge.set_stats(EdgeStats { visits: any(&mut rng), value });
                edge.mark(rng.below(3) as u32, Access::Alone);
                edge
            };
            let edges: Vec<_> = values.into_iter().map(edge).collect();
            let rules = Rules {
                selection: Some(Selection::default()),
                warm_up: any(&mut rng),
                warm_up_draw: WarmUpDraw::default(),
                in_flight: [InFlight::Count, InFlight::Ignore][rng.below(2)],
                proofs: rng.below(2) == 0,
                urgency: None,
            };
            let view = View::new(&rules, &node);
            for edges in edges.chunks(FOUR) {
                let four = view.read_four(edges);
                left_out += four.means.iter().filter(|mean| mean.is_infinite()).count();
                // What lanes beyond the last edge have drawn is of no use.
                let there =
                    |four: Four| (four.visits, four.means, four.drawn[..edges.len()].to_vec());
                let portable = portable::read_four(&view, edges);
                assert_eq!(there(four), there(portable), "turn {turn}");
                let unfinished = view.unfinished_of_four(edges);
                assert_eq!(unfinished, portable::unfinished_of_four(&view, edges), "turn {turn}");
            }
        }
        assert!(left_out > turns, "{left_out}");
    }
}
