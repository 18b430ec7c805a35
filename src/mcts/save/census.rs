//! Which positions are kept where not all of them fit: those with most visits.

/// Positions by their visits: each number up to [`EXACT`] has a class of its own, above
/// that each power of two has [`STEPS`].
#[derive(Debug)]
pub(super) struct Census {
    bytes: Vec<u64>,
    costs: (u64, u64),
}

const EXACT: u32 = 64;
const STEPS: u32 = 16;
const CLASSES: usize = (EXACT + (u32::BITS - EXACT.ilog2()) * STEPS) as usize;

/// The class of a number of visits; more visits have a higher one.
fn class(visits: u32) -> usize {
    if visits < EXACT {
        return visits as usize;
    }
    let power = visits.ilog2();
    let step = (visits >> (power - STEPS.ilog2())) % STEPS;
    (EXACT + (power - EXACT.ilog2()) * STEPS + step) as usize
}

/// Memory that a position takes in the worst case: its node and key, two slots of the
/// table and two thirds (three eighths of all slots are in use after the table has grown),
/// and its edges, which share a block of 256 with others as long as they fit.
fn cost((node, edge): (u64, u64), branches: u32) -> u64 {
    let branches = u64::from(branches);
    let edges =
        if branches < 64 { branches + branches / 3 } else { branches.next_multiple_of(256) };
    node + 22 + edges * edge
}

impl Census {
    /// Counts with these costs of a node and of an edge, in bytes.
    pub(super) fn new(costs: (u64, u64)) -> Self {
        Self { bytes: vec![0; CLASSES], costs }
    }

    /// Counts a position.
    pub(super) fn count(&mut self, visits: u32, branches: u32) {
        let bytes = &mut self.bytes[class(visits)];
        *bytes = bytes.saturating_add(cost(self.costs, branches));
    }

    /// Those that fit into `limit` bytes, the most visited first.
    pub(super) fn choose(&self, limit: u64) -> Choice {
        let mut left = limit;
        for (class, &bytes) in self.bytes.iter().enumerate().rev() {
            match left.checked_sub(bytes) {
                Some(rest) => left = rest,
                None => return Choice { above: Some(class), left, costs: self.costs },
            }
        }
        Choice::all()
    }
}

/// Which positions are kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// All of the classes above this one, and of this one what fits in `left` bytes.
    above: Option<usize>,
    left: u64,
    costs: (u64, u64),
}

impl Choice {
    /// All positions.
    pub(super) fn all() -> Self {
        Self { above: None, left: 0, costs: (0, 0) }
    }

    /// Whether a position is kept. To be asked once for each.
    pub(super) fn admits(&mut self, visits: u32, branches: u32) -> bool {
        let Some(above) = self.above else { return true };
        let found = class(visits);
        if found != above {
            return found > above;
        }
        match self.left.checked_sub(cost(self.costs, branches)) {
            Some(rest) => {
                self.left = rest;
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CLASSES, Census, class};

    #[test]
    fn classes_rise_with_visits() {
        let visits = (0..5_000).chain([1 << 20, 1 << 31, u32::MAX - 1, u32::MAX]);
        let classes: Vec<_> = visits.map(class).collect();
        assert!(classes.is_sorted());
        assert!(classes.last().is_some_and(|&last| last == CLASSES - 1));
        assert_eq!((classes[63], classes[64], classes[67], classes[68]), (63, 64, 64, 65));
    }

    #[test]
    fn the_most_visited_are_kept() {
        let mut census = Census::new((78, 10));
        let all = [(1, 0), (1, 0), (1, 0), (9, 0), (1_000, 3)];
        for (visits, branches) in all {
            census.count(visits, branches);
        }
        // 100 bytes each, and 40 for the branches.
        for (limit, kept) in [(0, 0), (99, 0), (140, 1), (240, 2), (339, 2), (340, 3), (540, 5)] {
            let mut choice = census.choose(limit);
            let found = all.iter().filter(|(v, b)| choice.admits(*v, *b)).count();
            assert_eq!(found, kept, "{limit}");
        }
    }
}
