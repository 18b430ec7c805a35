//! What a tree knows of [exchanges](crate::mcts::exchange) with other engines.

use crate::sync::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// Which exchanges have begun with a tree, and whether it has got anything from them.
#[derive(Debug)]
pub(crate) struct Exchanged {
    begun: AtomicU32,
    has_absorbed: AtomicBool,
    has_proofs: AtomicBool,
    /// The team, and the visits of the root from which on it is none: from the low bits on 16 for
    /// the number, 16 for the engines, 32 for the visits. 0 is no team.
    team: AtomicU64,
}

/// Which of the engines that search together one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Team {
    /// Below that of the engines.
    pub(crate) number: u16,
    pub(crate) engines: u16,
}

impl Team {
    pub(crate) const ALONE: Self = Self { number: 0, engines: 1 };

    /// The number of a round of this engine among those of all, and how many these are, if each
    /// engine has `rounds` of them under way.
    pub(crate) fn among_rounds(self, number: u32, rounds: u32) -> (u32, u32) {
        (u32::from(self.number) * rounds + number, u32::from(self.engines) * rounds)
    }
}

/// A team is one until the root has this number of times the visits that it had when all had
/// exchanged: if some of its engines are gone by then, the others do their part as well.
const GROWTH_WITHOUT_EXCHANGE: u32 = 4;

impl Default for Exchanged {
    fn default() -> Self {
        Self {
            begun: AtomicU32::new(0),
            has_absorbed: AtomicBool::new(false),
            has_proofs: AtomicBool::new(false),
            team: AtomicU64::new(0),
        }
    }
}

impl Exchanged {
    /// A mark for the nodes that a new exchange knows, not 0: another one than that of the exchange
    /// before.
    pub(crate) fn begin(&self) -> u8 {
        let number = self.begun.fetch_add(1, Ordering::Relaxed);
        (number % u32::from(u8::MAX)) as u8 + 1
    }

    /// Whether visits of other engines are in the tree.
    pub(crate) fn has_absorbed(&self) -> bool {
        self.has_absorbed.load(Ordering::Relaxed)
    }

    /// Notes that visits of other engines are about to come.
    pub(crate) fn note_absorbed(&self) {
        self.has_absorbed.store(true, Ordering::Relaxed);
    }

    /// Whether a branch may know more than the position it leads to, as another engine has proven
    /// it.
    pub(crate) fn has_proofs(&self) -> bool {
        self.has_proofs.load(Ordering::Relaxed)
    }

    /// Notes that a proof of another engine is about to come.
    pub(crate) fn note_proof(&self) {
        self.has_proofs.store(true, Ordering::Relaxed);
    }

    /// Notes that the engines of a team have exchanged all that they knew, when the root had these
    /// visits.
    pub(crate) fn search_together(&self, Team { number, engines }: Team, visits: u32) {
        let until = u64::from(visits.saturating_mul(GROWTH_WITHOUT_EXCHANGE));
        let word = u64::from(number) | u64::from(engines) << 16 | until << 32;
        self.team.store(word, Ordering::Relaxed);
    }

    /// Notes that no others search what this engine does.
    pub(crate) fn search_alone(&self) {
        self.team.store(0, Ordering::Relaxed);
    }

    /// The engines that search together, when the root has these visits.
    pub(crate) fn team(&self, visits: u32) -> Team {
        // Relaxed: whenever a round sees it, it is as right as a moment before.
        let word = self.team.load(Ordering::Relaxed);
        if u64::from(visits) < word >> 32 {
            Team { number: word as u16, engines: (word >> 16) as u16 }
        } else {
            Team::ALONE
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{Exchanged, Team};

    #[test]
    fn a_team_is_one_as_long_as_it_exchanges() {
        let exchanged = Exchanged::default();
        assert_eq!(exchanged.team(0), Team::ALONE);
        let team = Team { number: 4094, engines: 4095 };
        exchanged.search_together(team, 100);
        assert_eq!([0, 399, 400].map(|visits| exchanged.team(visits)), [team, team, Team::ALONE]);
        exchanged.search_together(team, u32::MAX);
        assert_eq!(exchanged.team(u32::MAX - 1), team);
        exchanged.search_alone();
        assert_eq!(exchanged.team(1), Team::ALONE);
    }
}
