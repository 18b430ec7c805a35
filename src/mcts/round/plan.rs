//! The plan of a round: how many simulations it has, how many of them a position lets pass, how
//! many go together, and which are marked.
//!
//! The simulations of a round do not learn from each other. That costs little as long as what is
//! not known of them is little beside what is known, and each rule says so of one place:
//!
//! - **The root** is asked for one simulation for each [`VISITS_PER_SIMULATION`] of its visits.
//! - **A position** lets pass [`SIMULATIONS_PER_VISIT`] for each of its visits, and gives the others
//!   back. To look again whenever a number has grown by a fixed factor costs no more than a constant
//!   factor in regret (UCB2; P. Auer, N. Cesa-Bianchi and P. Fischer: *Finite-time Analysis of the
//!   Multiarmed Bandit Problem*, 2002).
//! - **A proof** saves later simulations from going where nothing is left to be found, but not those
//!   of its own round. So in the round before each simulation that has come to what was proven takes
//!   one of the others away, and twice what is left is the most: where half of them or more learn
//!   from proofs and from nothing else they go one at a time.
//! - **A network** is asked about many positions at a time: a round is as long as its batch, once
//!   the root has [`VISITS_PER_QUESTION`] visits for each question under way.
//! - **A search** of few simulations is one in which each counts: see [`longest`].

use crate::mcts::config::{InFlight, Parallelism, RoundSize};

// Each constant was measured: docs/measurements/rounds.md.

/// Visits of the root for each simulation of a round.
const VISITS_PER_SIMULATION: u32 = 16;

/// Visits of the root for each question under way, in all rounds together.
const VISITS_PER_QUESTION: u32 = 8;

/// Simulations of a round that a position below the root lets pass for each of its visits.
const SIMULATIONS_PER_VISIT: u32 = 4;

/// One in this number is few: of the simulations under way those that go together, of the visits of
/// a node the simulations that others have under way there without marks.
const FEW: u32 = 64;

/// Simulations of a search whose longest round is one. It grows with the square: 4 in a search that
/// is twice as long, 16 in one that is four times as long.
const LONG_SEARCH: u64 = 8_192;

/// The most simulations of an adaptive round in a search of `simulations`, if this number is set.
pub(crate) fn longest(parallelism: Parallelism, simulations: Option<u64>) -> u32 {
    match (parallelism, simulations) {
        // What all workers roll out together cannot be one simulation.
        (_, None) | (Parallelism::Rounds, _) => u32::MAX,
        (Parallelism::Shared | Parallelism::Simulated { .. }, Some(simulations)) => {
            let square = u128::from(simulations).pow(2) / u128::from(LONG_SEARCH).pow(2);
            square.clamp(1, u32::MAX.into()) as u32
        }
    }
}

/// What the size of a round depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// Visits of the root.
    pub(crate) visits: u32,
    /// The round before, if positions are proven.
    pub(crate) last: Option<LastRound>,
    /// The most simulations by the budget.
    pub(crate) by_budget: u32,
    /// The most that the memory of a round is enough for.
    pub(crate) by_memory: u32,
    /// With a network: how many questions a round may have, and the rounds under way.
    pub(crate) questions: Option<(u32, u32)>,
}

/// What the last round of a search has come to; zeros before the first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LastRound {
    pub(crate) simulations: u32,
    /// Those of them that have come to what was proven: also the end of the game, if it was won,
    /// drawn or lost.
    pub(crate) proven: u32,
}

/// Questions that may be under way, with all workers together, for a root with these visits.
pub(crate) fn questions_under_way(visits: u32) -> u32 {
    visits / VISITS_PER_QUESTION
}

impl LastRound {
    /// Both together.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            simulations: self.simulations + other.simulations,
            proven: self.proven + other.proven,
        }
    }

    /// The most simulations of the next round, by what is left to be learnt otherwise than by
    /// proofs.
    fn most_of_next(self) -> u32 {
        let left = self.simulations.saturating_sub(self.proven.saturating_mul(2));
        left.saturating_mul(2)
    }
}

impl RoundSize {
    /// Simulations for a worker's next round.
    pub(crate) fn simulations(self, known: Known) -> u32 {
        let wanted = match self {
            Self::Fixed(size) => size,
            Self::Adaptive { most } => {
                let by_root = match known.questions {
                    None => known.visits / VISITS_PER_SIMULATION,
                    Some((batch, rounds)) => {
                        (questions_under_way(known.visits) / rounds.max(1)).min(batch)
                    }
                };
                let by_proofs = known.last.map_or(u32::MAX, LastRound::most_of_next);
                by_root.min(by_proofs).min(known.by_budget).min(most)
            }
        };
        wanted.min(known.by_memory).max(1)
    }
}

/// How a round of a number of simulations is to go down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RoundPlan {
    /// Simulations that go down together, to be rolled out from the same leaf.
    pub(crate) together: u32,
    /// Whether positions turn away simulations that would crowd them.
    turns_away: bool,
    /// Whether each of the rounds under way takes its part of the simulations of all of them,
    /// instead of marks on the way.
    pub(crate) in_parts: bool,
}

impl RoundPlan {
    /// For one simulation, alone.
    pub(crate) const ONE: Self = Self { together: 1, turns_away: false, in_parts: false };

    /// For a round of `simulations` that is one of `rounds` under way, if at most `most` are rolled
    /// out from the same leaf.
    pub(crate) fn new(
        size: RoundSize,
        (simulations, rounds): (u32, u32),
        most: u32,
        in_flight: InFlight,
    ) -> Self {
        match size {
            RoundSize::Fixed(_) => Self::ONE,
            RoundSize::Adaptive { .. } => {
                let turns_away = simulations > 1;
                let under_way = simulations.saturating_mul(rounds);
                Self {
                    together: (under_way / FEW).min(simulations).clamp(1, most),
                    turns_away,
                    in_parts: turns_away && in_flight == InFlight::Count,
                }
            }
        }
    }

    /// Simulations that a position with `visits` visits lets pass: one group at least.
    #[inline]
    pub(super) fn passing(self, visits: u32) -> u32 {
        if self.turns_away {
            visits.saturating_mul(SIMULATIONS_PER_VISIT).max(self.together)
        } else {
            u32::MAX
        }
    }
}

/// Whether `under_way` simulations may change what a node with `visits` visits would choose.
#[inline]
pub(super) fn are_many(under_way: u64, visits: u32) -> bool {
    under_way * u64::from(FEW) > u64::from(visits)
}

#[cfg(test)]
mod tests {
    use super::{Known, LastRound, RoundPlan, are_many, longest};
    use crate::mcts::{InFlight, Parallelism, RoundSize};

    const ADAPTIVE: RoundSize = RoundSize::Adaptive { most: 2048 };

    const KNOWN: Known =
        Known { visits: 0, last: None, by_budget: u32::MAX, by_memory: u32::MAX, questions: None };

    #[test]
    fn rounds_grow_with_the_visits_of_the_root() {
        let of = |visits| ADAPTIVE.simulations(Known { visits, ..KNOWN });
        assert_eq!([0, 15, 16, 31, 32, 16_000].map(of), [1, 1, 1, 1, 2, 1000]);
        assert_eq!([32_768, u32::MAX].map(of), [2048, 2048]);
        assert_eq!(RoundSize::Fixed(7).simulations(Known { by_budget: 1, ..KNOWN }), 7);
    }

    #[test]
    fn the_least_of_the_limits_counts() {
        let known = Known { visits: 32_000, ..KNOWN };
        let of = |known| ADAPTIVE.simulations(known);
        assert_eq!(of(Known { by_budget: 9, ..known }), 9);
        assert_eq!(of(Known { by_memory: 0, ..known }), 1);
        assert_eq!(RoundSize::Fixed(7).simulations(Known { by_memory: 3, ..known }), 3);
    }

    #[test]
    fn rounds_are_short_where_simulations_come_to_what_is_proven() {
        let after = |simulations, proven| Known {
            visits: 16_000,
            last: Some(LastRound { simulations, proven }),
            ..KNOWN
        };
        let of = |(simulations, proven)| ADAPTIVE.simulations(after(simulations, proven));
        let grown = [(0, 0), (1, 0), (2, 0), (499, 0), (501, 0), (u32::MAX, 0)].map(of);
        assert_eq!(grown, [1, 2, 4, 998, 1000, 1000]);
        let proven = [(400, 0), (400, 50), (400, 100), (400, 150), (400, 200), (1, 1)].map(of);
        assert_eq!(proven, [800, 600, 400, 200, 1, 1]);
        assert_eq!(RoundSize::Fixed(7).simulations(after(1, 1)), 7);
    }

    #[test]
    fn a_search_of_few_simulations_has_short_rounds() {
        let shared = |simulations| longest(Parallelism::Shared, Some(simulations));
        let few = [0, 1, 10_000, 11_586, 16_384, 1 << 20].map(shared);
        assert_eq!(few, [1, 1, 1, 2, 4, 16_384]);
        assert_eq!(shared(u64::MAX), u32::MAX);
        assert_eq!(longest(Parallelism::Shared, None), u32::MAX);
        assert_eq!(longest(Parallelism::Rounds, Some(1)), u32::MAX);
    }

    #[test]
    fn a_position_lets_some_pass_for_each_of_its_visits() {
        let of = |size, simulations| RoundPlan::new(size, (simulations, 1), 4, InFlight::Count);
        assert_eq!(of(ADAPTIVE, 1), RoundPlan::ONE);
        let long = of(ADAPTIVE, 256);
        assert_eq!((long.together, long.turns_away, long.in_parts), (4, true, true));
        assert_eq!([0, 1, 5, u32::MAX].map(|visits| long.passing(visits)), [4, 4, 20, u32::MAX]);
        assert_eq!(of(RoundSize::Fixed(4096), 4096).passing(0), u32::MAX);
        let ignoring = RoundPlan::new(ADAPTIVE, (256, 1), 4, InFlight::Ignore);
        assert_eq!((ignoring.turns_away, ignoring.in_parts), (true, false));
    }

    #[test]
    fn only_long_adaptive_rounds_go_in_groups() {
        let of = |simulations, rounds, most| {
            RoundPlan::new(ADAPTIVE, (simulations, rounds), most, InFlight::Count).together
        };
        let alone = [0, 127, 128, 255, 256].map(|simulations| of(simulations, 1, 4));
        assert_eq!(alone, [1, 1, 2, 3, 4]);
        // Those of the other rounds count, but no group is longer than its round.
        assert_eq!([of(128, 2, 4), of(2, 1024, 4), of(u32::MAX, u32::MAX, 4)], [4, 2, 4]);
        assert_eq!(of(2048, 1, 1), 1);
    }

    #[test]
    fn simulations_are_many_for_a_node_with_few_visits() {
        assert_eq!([are_many(1, 63), are_many(1, 64)], [true, false]);
        // One worker alone has no others to mark branches for.
        assert!(!are_many(0, 0));
        assert!(are_many(u64::from(u32::MAX) * 4096, u32::MAX));
    }
}
