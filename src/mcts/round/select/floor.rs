//! The floor: visits that each of the best branches of the root is to get.

use super::Picker;
use super::branches::LEFT_OUT;
use super::lanes::LANES;

/// A floor for `moves` branches: each is to get `visits` visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Floor {
    pub(crate) visits: u32,
    /// The number of branches, not 0.
    pub(crate) moves: u32,
}

impl Floor {
    /// The visits that each branch is to have when the node has `total`: half of them, shared
    /// by the branches. So the other half goes on finding out which branches are the best.
    fn so_far(self, total: f32, branches: usize) -> u32 {
        ((total / (2 * branches.max(1)) as f32) as u32).min(self.visits)
    }
}

impl Picker {
    /// Gives up to `count` visits to those of the best branches that are below the floor.
    /// Returns the number given.
    ///
    /// The best are those with most visits, as in the report. Proven branches need none.
    pub(super) fn lift(&mut self, count: u32, floor: Floor) -> u32 {
        let groups = &self.groups;
        let drawn = |branch: usize| groups[branch / LANES].drawn[branch % LANES];
        let mean = |branch: usize| groups[branch / LANES].means[branch % LANES];
        self.candidates.clear();
        let open = (0..groups.len() * LANES).filter(|&branch| mean(branch) > LEFT_OUT);
        self.candidates.extend(open);
        self.candidates.sort_unstable_by(|&a, &b| {
            let by_mean = mean(b).total_cmp(&mean(a));
            drawn(b).cmp(&drawn(a)).then(by_mean).then(a.cmp(&b))
        });
        self.candidates.truncate(floor.moves as usize);
        let level = floor.so_far(self.total + count as f32, self.candidates.len());
        let mut given = 0;
        for at in 0..self.candidates.len() {
            let branch = self.candidates[at];
            let (branches, lane) = self.place(branch);
            let share = level.saturating_sub(branches.drawn[lane]).min(count - given);
            branches.drawn[lane] += share;
            self.give(branch, share);
            given += share;
        }
        given
    }
}
