//! How many simulations a round has, how many of them a position lets pass, and how many are marked.
//!
//! The simulations of a round do not learn from each other, so there are few while the root knows
//! little. Once it knows much, rounds are long, and what they do not know is how little is known
//! further down: there a position turns away what would crowd it. In a search of few simulations each of
//! them counts, and they go one at a time.

use crate::mcts::config::{Parallelism, RoundSize};

/// Visits of the root for each simulation of a worker's round, as long as they are few. In self-play on
/// Connect Four at 10 000 simulations a move, rounds of one in 512 score 47.2 +- 2.0 % against these, one in 256 45.5 +- 2.1 % (2000 games each), and
/// one simulation at a time 54.7 +- 3.1 % (800 games), at half the speed.
const CAREFUL: u64 = 1024;

/// Branches of the root that these sizes are for. With more branches each gets less of a round, and
/// the round is longer by the factor by which they are more. In Hex 11x11 with one worker, 150
/// games each at 10 ms and 100 at 40 ms a move, this scores 58.0 and 56.0 % (UCB1), 62.0 and 53.0 %
/// (GRAVE) against rounds that do not look at the branches, as the first 4 096 simulations take
/// half the time; at 5 000 simulations 39.5 and 48.0 % (200 games).
const BRANCHES: u32 = 8;

/// Branches that make no round longer any more: one in 64 visits is enough.
const MANY_BRANCHES: u32 = 128;

/// Visits of a root with few branches from which on rounds grow with the square of the visits, to one in
/// [`BOLD`]. Against growth from 4 096 visits this scores, at equal time with one worker, 57.9 +- 3.7 % in
/// Connect Four at 4 ms a move (600 games, with 1.8 times the simulations), 50.4 +- 4.5 % at 10 ms (400) and
/// 50.7 +- 6.2 % at 30 ms (200), and with two workers 50.7 +- 4.1 % at 5 ms (400); in Othello 50.9 +- 4.5 %
/// at 10 ms (400, 1.5 times), in Breakthrough 48.6 +- 3.6 % (720). From 512 visits it is 52.6 +- 3.6 % (600)
/// in Connect Four at 4 ms against this, and 46.2 +- 8.1 % in Othello at 10 ms (160).
const MANY_VISITS: u32 = 1 << 10;

/// The same if positions are proven. What a simulation has proven saves the next one from going there, if it
/// is of another round: to take 1 to 10 from 400 is proven with 5 000 simulations one at a time, 19 000 if
/// rounds never grow, 190 000 with growth from here and more than 1 000 000 with growth from 1 024 visits.
const MANY_VISITS_WITH_PROOFS: u32 = 1 << 12;

/// Visits of the root for each simulation of a worker's round, when it no longer grows faster than they do.
const BOLD: u64 = 128;

/// Simulations of a bold round, at least: the size of a round when it begins to grow with the
/// square of the visits, if positions are proven.
const BOLDNESS: u32 = 4;

/// Simulations of a bold round that a node lets pass for each of its visits, and one group more. In
/// Connect Four at 100 ms a move this scores 57.3 +- 4.9 % against rounds that crowd (320 games), with a
/// third of the simulations. In careful rounds it gains nothing: 49.4 +- 2.5 % at 10 000 simulations a
/// move (1200 games).
const CROWD: u32 = 4;

/// Groups under way at a time, at least, if simulations go down in groups. In Connect Four at 100 ms a
/// move, one worker, groups of four score 58.3 +- 5.8 % against simulations that go alone (200 games);
/// 55.8 +- 6.3 % if a round may be one group, 52.8 +- 6.4 % if only bold rounds have groups.
const GROUPS: u32 = 8;

/// Visits of a node for each simulation that others may have under way there, if these are few. On
/// P-games at 4096 simulations, each worker one at a time, 4 and 16 workers play 0.65 and 1.23 % losing
/// moves with one in 64, 0.72 and 1.65 % with one in 16, and 0.65 and 1.32 % if all are marked (6000
/// games, standard error 0.15).
const FEW: u64 = 32;

/// A search of 2^`MANY_SIMULATIONS` simulations may have rounds of 2^[`LONG`]. In a search of fewer
/// the longest round is shorter, by the cube of their number: it has 4 simulations in a search of
/// 16 384. In one of 10 000 each simulation goes alone, which is half as fast. In Connect Four
/// against the crate treant that scores 66.1 %, and with rounds of 4 and of 16 at the most 62.8 and
/// 61.9 % (800 games each, standard error 1.6).
const MANY_SIMULATIONS: u32 = 17;
const LONG: u32 = 11;

/// The most simulations of an adaptive round in a search of `simulations`, if this number is set,
/// from a root with this number of `branches`.
pub(crate) fn longest(parallelism: Parallelism, simulations: Option<u64>, branches: u32) -> u32 {
    let simulations = match (parallelism, simulations) {
        // What all workers roll out together cannot be one simulation.
        (_, None) | (Parallelism::Rounds, _) => return u32::MAX,
        (Parallelism::Shared | Parallelism::Simulated { .. }, Some(simulations)) => simulations,
    };
    let cube = u128::from(simulations).saturating_pow(3) >> (3 * MANY_SIMULATIONS - LONG);
    let cube = u64::try_from(cube).unwrap_or(u64::MAX);
    spread(cube, branches).clamp(1, u32::MAX.into()) as u32
}

impl RoundSize {
    /// Simulations for a worker's next round, at most `longest`, from a root with these numbers of
    /// `visits` and `branches`, in a search with proofs or without.
    pub(crate) fn simulations(
        self,
        (visits, branches): (u32, u32),
        longest: u32,
        proofs: bool,
    ) -> u32 {
        match self {
            Self::Fixed(size) => size,
            Self::Adaptive { most } => {
                let visits = u64::from(visits);
                let careful = spread(visits, branches) / CAREFUL;
                careful.max(growing(visits, proofs)).clamp(1, most.min(longest).into()) as u32
            }
        }
    }

    /// Simulations that go down together, at most `most`, in a round of `simulations` that is one
    /// of `rounds` under way.
    pub(super) fn together(self, simulations: u32, rounds: u32, most: u32) -> u32 {
        match self {
            Self::Fixed(_) => 1,
            Self::Adaptive { .. } => {
                let under_way = simulations.saturating_mul(rounds);
                (under_way / GROUPS).min(simulations).clamp(1, most)
            }
        }
    }

    /// Whether a round of `simulations` is so long that positions have to turn some of them away.
    pub(super) fn is_bold(self, simulations: u32) -> bool {
        matches!(self, Self::Adaptive { .. }) && simulations >= BOLDNESS
    }
}

/// Simulations of a round that grows with the square of the visits, to one in [`BOLD`] of them.
fn growing(root_visits: u64, proofs: bool) -> u64 {
    let many = if proofs { MANY_VISITS_WITH_PROOFS } else { MANY_VISITS };
    let by_square = root_visits * root_visits / (CAREFUL * u64::from(many));
    by_square.min(root_visits / BOLD)
}

/// Scales `number`, which holds for up to [`BRANCHES`] branches, in proportion to `branches`; more
/// than [`MANY_BRANCHES`] count no more.
#[inline]
pub(super) fn spread(number: u64, branches: u32) -> u64 {
    let branches = branches.clamp(BRANCHES, MANY_BRANCHES);
    number.saturating_mul(branches.into()) / u64::from(BRANCHES)
}

/// Simulations of a bold round that a position with `visits` visits lets pass, if they go down in
/// groups of `together`.
#[inline]
pub(super) fn crowd(visits: u32, together: u32) -> u32 {
    visits.saturating_mul(CROWD).saturating_add(together)
}

/// Whether `under_way` simulations may change what a node with `visits` visits would choose.
#[inline]
pub(super) fn are_many(under_way: u64, visits: u32) -> bool {
    under_way * FEW > u64::from(visits)
}

#[cfg(test)]
mod tests {
    use super::{BOLDNESS, MANY_VISITS, are_many, crowd, longest};
    use crate::mcts::{Parallelism, RoundSize};

    #[test]
    fn rounds_grow_with_the_visits_of_the_root() {
        let adaptive = RoundSize::Adaptive { most: 2048 };
        let of = |visits| adaptive.simulations((visits, 7), u32::MAX, false);
        assert_eq!([0, MANY_VISITS - 1].map(of), [1, 1]);
        let doubled = [1, 2, 4, 8, 16, 128, 256, 512].map(|times| of(times * MANY_VISITS));
        assert_eq!(doubled, [1, 4, 16, 64, 128, 1024, 2048, 2048]);
        let with_proofs = |visits| adaptive.simulations((visits, 7), u32::MAX, true);
        assert_eq!([2048, 4096, 8192, 32_768].map(with_proofs), [2, 4, 16, 256]);
        let most = (u32::MAX, u32::MAX);
        assert_eq!([of(u32::MAX), adaptive.simulations(most, 100, false)], [2048, 100]);
        assert_eq!(RoundSize::Fixed(7).simulations(most, 1, true), 7);
    }

    #[test]
    fn rounds_grow_with_the_branches_of_the_root() {
        let of = |branches| RoundSize::default().simulations((1024, branches), u32::MAX, true);
        assert_eq!([0, 1, 8, 15, 16, 127, 128, u32::MAX].map(of), [1, 1, 1, 1, 2, 15, 16, 16]);
    }

    #[test]
    fn a_search_of_few_simulations_has_short_rounds() {
        let shared = |simulations| longest(Parallelism::Shared, Some(simulations), 7);
        assert_eq!([0, 1, 10_000, 16_384, 131_072].map(shared), [1, 1, 1, 4, 2048]);
        assert_eq!(shared(u64::MAX), u32::MAX);
        assert_eq!(longest(Parallelism::Shared, Some(16_384), 16), 8);
        assert_eq!(longest(Parallelism::Shared, None, 7), u32::MAX);
        assert_eq!(longest(Parallelism::Rounds, Some(1), 7), u32::MAX);
    }

    #[test]
    fn only_long_adaptive_rounds_are_bold() {
        let adaptive = RoundSize::default();
        assert_eq!([adaptive.is_bold(BOLDNESS - 1), adaptive.is_bold(BOLDNESS)], [false, true]);
        assert!(!RoundSize::Fixed(4096).is_bold(4096));
        assert_eq!(
            [crowd(0, 1), crowd(2, 1), crowd(2, 4), crowd(u32::MAX, 4)],
            [1, 9, 12, u32::MAX]
        );
    }

    #[test]
    fn only_long_adaptive_rounds_go_in_groups() {
        let adaptive = RoundSize::default();
        let of = |simulations, rounds| adaptive.together(simulations, rounds, 4);
        assert_eq!([of(0, 1), of(15, 1), of(16, 1), of(31, 1), of(32, 1)], [1, 1, 2, 3, 4]);
        // Those of the other rounds count, but no group is longer than its round.
        assert_eq!([of(16, 2), of(2, 1024), of(u32::MAX, u32::MAX)], [4, 2, 4]);
        assert_eq!(adaptive.together(2048, 1, 1), 1);
        assert_eq!(RoundSize::Fixed(4096).together(4096, 1, 4), 1);
    }

    #[test]
    fn simulations_are_many_for_a_node_with_few_visits() {
        assert_eq!([are_many(1, 31), are_many(1, 32)], [true, false]);
        // One worker alone has no others to mark branches for.
        assert!(!are_many(0, 0));
        assert!(are_many(u64::from(u32::MAX) * 4096, u32::MAX));
    }
}
