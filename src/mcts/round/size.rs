//! How many simulations a round has, how many of them a position lets pass, and how many are
//! marked.
//!
//! The simulations of a round do not learn from each other, so there are few while the root knows
//! little. Once it knows much, rounds are long, and what they do not know is how little is known
//! further down: there a position turns away what would crowd it. In a search of few simulations
//! each of them counts, and they go one at a time.

use crate::mcts::config::{Parallelism, RoundSize};

// Each constant was measured: docs/measurements/rounds.md.

/// Visits of the root for each simulation of a round while they are few. With fewer the simulations
/// of a round know too little of each other; with more each round costs too much.
const VISITS_PER_SIMULATION: u64 = 1_024;

/// Branches of the root that these sizes are for. With more of them each gets less of a round, and
/// the round is longer by that factor.
const BRANCHES: u32 = 8;

/// Branches that make no round longer any more: one simulation in 64 visits is enough.
const MOST_BRANCHES: u32 = 128;

/// Visits of a root with few branches from which on rounds grow with the square of the visits, to
/// one simulation in [`VISITS_PER_SIMULATION_BOLD`].
const VISITS_OF_GROWTH: u32 = 1 << 10;

/// The same if positions are proven: what a simulation has proven saves one of a later round from
/// going there, so that long rounds cost proofs.
const VISITS_OF_GROWTH_WITH_PROOFS: u32 = 1 << 12;

/// Visits of the root for each simulation of a round that does not grow with the square any more.
const VISITS_PER_SIMULATION_BOLD: u64 = 128;

/// Simulations of a bold round, at least: the size of a round when it begins to grow with the
/// square of the visits, if positions are proven.
const SIMULATIONS_OF_BOLD_ROUND: u32 = 4;

/// Simulations of a bold round that a node lets pass for each of its visits, and one group more.
const SIMULATIONS_PER_VISIT: u32 = 4;

/// Groups under way at a time, at least, if simulations go down in groups.
const GROUPS: u32 = 8;

/// Visits of a node for each simulation that others may have under way there unmarked: more change
/// what the others would choose.
const VISITS_PER_UNMARKED: u64 = 32;

/// The base-2 logarithms of the simulations of a search that may have the longest rounds, and of
/// the simulations of such a round. In a shorter search the longest round is shorter by the cube of
/// the factor: 4 simulations in a search of 16 384, one in a search of 10 000.
const LOG2_LONG_SEARCH: u32 = 17;
const LOG2_LONGEST_ROUND: u32 = 11;

/// The most simulations of an adaptive round in a search of `simulations`, if this number is set,
/// from a root with this number of `branches`.
pub(crate) fn longest(parallelism: Parallelism, simulations: Option<u64>, branches: u32) -> u32 {
    let simulations = match (parallelism, simulations) {
        // What all workers roll out together cannot be one simulation.
        (_, None) | (Parallelism::Rounds, _) => return u32::MAX,
        (Parallelism::Shared | Parallelism::Simulated { .. }, Some(simulations)) => simulations,
    };
    let cube =
        u128::from(simulations).saturating_pow(3) >> (3 * LOG2_LONG_SEARCH - LOG2_LONGEST_ROUND);
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
                let careful = spread(visits, branches) / VISITS_PER_SIMULATION;
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
        matches!(self, Self::Adaptive { .. }) && simulations >= SIMULATIONS_OF_BOLD_ROUND
    }
}

/// Simulations of a round that grows with the square of the visits, to one in
/// [`VISITS_PER_SIMULATION_BOLD`] of them.
fn growing(root_visits: u64, proofs: bool) -> u64 {
    let many = if proofs { VISITS_OF_GROWTH_WITH_PROOFS } else { VISITS_OF_GROWTH };
    let by_square = root_visits * root_visits / (VISITS_PER_SIMULATION * u64::from(many));
    by_square.min(root_visits / VISITS_PER_SIMULATION_BOLD)
}

/// Scales `number`, which holds for up to [`BRANCHES`] branches, in proportion to `branches`; more
/// than [`MOST_BRANCHES`] count no more.
#[inline]
pub(super) fn spread(number: u64, branches: u32) -> u64 {
    let branches = branches.clamp(BRANCHES, MOST_BRANCHES);
    number.saturating_mul(branches.into()) / u64::from(BRANCHES)
}

/// Simulations of a bold round that a position with `visits` visits lets pass, if they go down in
/// groups of `together`.
#[inline]
pub(super) fn crowd(visits: u32, together: u32) -> u32 {
    visits.saturating_mul(SIMULATIONS_PER_VISIT).saturating_add(together)
}

/// Whether `under_way` simulations may change what a node with `visits` visits would choose.
#[inline]
pub(super) fn are_many(under_way: u64, visits: u32) -> bool {
    under_way * VISITS_PER_UNMARKED > u64::from(visits)
}

#[cfg(test)]
mod tests {
    use super::{SIMULATIONS_OF_BOLD_ROUND, VISITS_OF_GROWTH, are_many, crowd, longest};
    use crate::mcts::{Parallelism, RoundSize};

    #[test]
    fn rounds_grow_with_the_visits_of_the_root() {
        let adaptive = RoundSize::Adaptive { most: 2048 };
        let of = |visits| adaptive.simulations((visits, 7), u32::MAX, false);
        assert_eq!([0, VISITS_OF_GROWTH - 1].map(of), [1, 1]);
        let doubled = [1, 2, 4, 8, 16, 128, 256, 512].map(|times| of(times * VISITS_OF_GROWTH));
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
        assert_eq!(
            [
                adaptive.is_bold(SIMULATIONS_OF_BOLD_ROUND - 1),
                adaptive.is_bold(SIMULATIONS_OF_BOLD_ROUND)
            ],
            [false, true]
        );
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
