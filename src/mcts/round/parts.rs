//! Parts: how the rounds under way divide the tree among themselves.
//!
//! Workers that each send a whole round down the same tree pass the same positions, one after the
//! other, with few simulations each, and choose alike, since none knows of the others' yet. So a
//! long round divides, from the root on, the simulations of *all* rounds under way, and takes its
//! own part of them: the first round the first ones, in the order of the branches, and so on.
//!
//! ```text
//!     1024 simulations of each of two rounds    | first            | second           |
//!     divided among the branches of the root    | a     | b  | c             | d  | e |
//! ```
//!
//! Here all that is below a and b is the first round's alone, and all that is below d and e the
//! second one's. At c both are; there they divide its simulations again, all of them, and again at
//! the one of its branches that both have a part in. So the positions that several rounds pass are
//! few: the line from the root along which one part ends and the next one begins, and what is
//! reached by other ways as well.
//!
//! No worker waits for another. What the others are to do is taken for granted; if they are late,
//! or see other statistics, the next divisions make up for it, as each begins with the visits that
//! there are.

/// Simulations that other rounds have at a step that this round has only a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Those before its own, in the order of the branches, and those behind them.
    pub(super) before: u32,
    pub(super) behind: u32,
}

impl Part {
    /// All simulations of a step, `own` ones among them.
    pub(super) fn of_all(self, own: u32) -> u32 {
        self.before + own + self.behind
    }

    /// The part, and the own simulations, if all there are has to be `most`. At least one is left.
    pub(super) fn shrink(self, own: u32, most: u32) -> (Self, u32) {
        let (all, most) = (self.of_all(own), most.max(1));
        let share = |of: u32| (u64::from(of) * u64::from(most) / u64::from(all)) as u32;
        let own = share(own).max(1);
        let before = share(self.before).min(most - own);
        (Self { before, behind: most - own - before }, own)
    }
}

/// The steps that a round has only a part of, at most two on each level, and those that have joined
/// others.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// By the place of the step.
    list: Vec<(u32, Part)>,
}

impl Parts {
    /// A new round, of `rounds` with `count` simulations each the one with this `number`.
    pub(super) fn begin(&mut self, count: u32, number: u32, rounds: u32) {
        self.list.clear();
        let times = |rounds: u32| count.saturating_mul(rounds);
        self.add(0, Part { before: times(number), behind: times(rounds - 1 - number) });
    }

    /// A new round that has all of every step.
    pub(super) fn clear(&mut self) {
        self.list.clear();
    }

    /// The part of a step; `None` if all of it is this round's.
    #[inline]
    pub(super) fn of(&self, at: usize) -> Option<Part> {
        if self.list.is_empty() {
            return None;
        }
        self.find(at).ok().map(|place| self.list[place].1)
    }

    /// Notes the part of a step, unless all of it is this round's.
    pub(super) fn add(&mut self, at: usize, part: Part) {
        if part.before == 0 && part.behind == 0 {
            return;
        }
        match self.find(at) {
            Ok(place) => {
                let known = &mut self.list[place].1;
                known.before = known.before.saturating_add(part.before);
                known.behind = known.behind.saturating_add(part.behind);
            }
            Err(place) => self.list.insert(place, (at as u32, part)),
        }
    }

    /// Changes the part of a step that has one.
    pub(super) fn set(&mut self, at: usize, part: Part) {
        if let Ok(place) = self.find(at) {
            self.list[place].1 = part;
        }
    }

    /// Notes that the simulations of a step go on with those of another one.
    #[inline]
    pub(super) fn join(&mut self, from: usize, to: usize) {
        if let Some(part) = self.of(from) {
            self.add(to, part);
        }
    }

    /// The place of a step in the list, or the one where it would stand.
    fn find(&self, at: usize) -> Result<usize, usize> {
        self.list.binary_search_by_key(&(at as u32), |&(step, _)| step)
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, Parts};

    #[test]
    fn parts_are_found_by_their_steps() {
        let part = |before, behind| Part { before, behind };
        let mut parts = Parts::default();
        assert_eq!(parts.of(0), None);
        parts.begin(100, 1, 4);
        assert_eq!((parts.of(0), parts.of(1)), (Some(part(100, 200)), None));
        for (at, own) in [(3, part(0, 7)), (9, part(5, 0)), (5, part(0, 0))] {
            parts.add(at, own);
        }
        assert_eq!([3, 5, 9].map(|at| parts.of(at)), [Some(part(0, 7)), None, Some(part(5, 0))]);
        // One with a part joins one without, then one without one with, then both have one.
        parts.join(3, 6);
        parts.join(5, 9);
        parts.join(6, 9);
        assert_eq!([6, 9].map(|at| parts.of(at)), [Some(part(0, 7)), Some(part(5, 7))]);
        parts.begin(100, 0, 1);
        assert!((0..10).all(|at| parts.of(at).is_none()));
    }

    #[test]
    fn a_smaller_whole_leaves_each_its_share() {
        let part = Part { before: 100, behind: 300 };
        assert_eq!(part.of_all(200), 600);
        assert_eq!(part.shrink(200, 60), (Part { before: 10, behind: 30 }, 20));
        // At least one is left, whatever the others have.
        for most in 0..4 {
            let (rest, own) = Part { before: 999, behind: 1 }.shrink(1, most);
            assert_eq!((own, rest.of_all(own)), (1, most.max(1)));
        }
    }
}
