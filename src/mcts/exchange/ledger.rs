//! The ledger: what of a position's counts is accounted for. The rest is new.

use crate::game::GameState;
use crate::mcts::tree::Tree;
use crate::mcts::tree::later_moves::POINT;
use crate::mcts::tree::node::{EdgeStats, Node, NodeId};
use crate::mcts::tree::update;
use crate::mcts::tree::value::ONE;
use crate::sync::Ordering;

use super::lines::PartsMut;
use super::proof;

/// The most visits of a position that one share says: with the most engines the sum of their scores
/// has 63 bits. Of more it says a half, a quarter, ... of each number.
pub(super) const MOST_SHARED: u64 = 1 << 23;

/// The most rollouts of a table that one share says.
pub(super) const MOST_ROLLOUTS: i64 = 1 << 24;

/// What of a position is accounted for: found by this engine and shared, or found by others and
/// absorbed. What the position has more than that is new, and this engine's own.
///
/// The numbers are in groups as those of a line, see [`Layout`](super::lines::Layout).
#[derive(Debug, Default)]
pub(super) struct Entry {
    groups: Vec<u64>,
    /// The words of its table of all moves as first; empty if it had none.
    table: Vec<u64>,
}

/// What a position says at one moment.
#[derive(Debug, Default)]
pub(super) struct Totals {
    groups: Vec<u64>,
    proofs: Vec<i64>,
    table: Vec<u64>,
}

impl Totals {
    /// Reads a position that has edges, under its lock, and gives it the mark of an exchange.
    /// Returns whether it had it.
    pub(super) fn read<G: GameState>(
        &mut self,
        tree: &Tree<G>,
        (id, node): (NodeId, &Node),
        (stride, with_table): (usize, bool),
        mark: u8,
    ) -> bool {
        let Self { groups, proofs, table } = self;
        groups.clear();
        proofs.clear();
        table.clear();
        groups.resize((1 + node.edge_count() as usize) * stride, 0);
        let (own, branches) = groups.split_at_mut(stride);
        let (holder, _) = update::hold(node);
        let was_marked = node.exchange_mark() == mark;
        node.set_exchange_mark(mark);
        own[0] = node.own().into();
        own[1] = node.score();
        if let Some(planes) = tree.planes() {
            for (own, total) in own[2..].iter_mut().zip(planes.totals.range(id.0, 1)) {
                *own = total.load(Ordering::Relaxed);
            }
        }
        // What is left of the sums without the branches is that of the own rollouts.
        for ((index, edge), group) in
            tree.indexed_edges(node).zip(branches.chunks_exact_mut(stride))
        {
            let EdgeStats { visits, value } = edge.stats();
            let visits = u64::from(visits);
            group[0] = visits;
            group[1] = visits * u64::from(value.score());
            own[1] = own[1].saturating_sub(group[1]);
            if let Some(planes) = tree.planes() {
                let seen = planes.seen.range(index, 1);
                for ((sum, own), seen) in group[2..].iter_mut().zip(&mut own[2..]).zip(seen) {
                    *sum = visits * u64::from(seen.load(Ordering::Relaxed));
                    *own = own.saturating_sub(*sum);
                }
            }
            let is_exact = value.is_exact();
            let plies = if is_exact { tree.distance_below(edge) } else { 0 };
            proofs.push(proof::to_word(value.bounds(), plies));
        }
        update::release(tree, id, node, holder);
        if let Some(words) = tree.amaf(node).filter(|_| with_table) {
            words.read_words(table);
        }
        was_marked
    }

    /// What is proven, which is said each time.
    pub(super) fn share_proofs(&self, out: &mut [i64]) {
        for (out, &word) in out.iter_mut().zip(&self.proofs) {
            *out = word;
        }
    }
}

impl Entry {
    /// All that the position says is accounted for.
    pub(super) fn of(totals: &Totals) -> Self {
        Self { groups: totals.groups.clone(), table: totals.table.clone() }
    }

    /// Nothing is.
    pub(super) fn empty(totals: &Totals) -> Self {
        Self { groups: vec![0; totals.groups.len()], table: vec![0; totals.table.len()] }
    }

    /// Writes what is new in the position, which is accounted for from now on.
    pub(super) fn share(&mut self, now: &Totals, stride: usize, out: &mut PartsMut<'_>) {
        self.share_groups(&now.groups, stride, out.groups);
        self.share_table(&now.table, out);
    }

    fn share_groups(&mut self, now: &[u64], stride: usize, out: &mut [i64]) {
        let before = self.groups.iter().step_by(stride);
        let mut new = 0;
        let mut fell = self.groups.len() != now.len();
        for (&before, &now) in before.zip(now.iter().step_by(stride)) {
            fell |= now < before;
            new += now.saturating_sub(before);
        }
        if fell {
            // Halved since: what is new is not known.
            self.groups = now.to_vec();
            return;
        }
        let shift = shift_to(new, MOST_SHARED);
        let groups = self.groups.chunks_exact_mut(stride).zip(now.chunks_exact(stride));
        for ((known, now), out) in groups.zip(out.chunks_exact_mut(stride)) {
            let visits = now[0] - known[0];
            let kept = visits >> shift;
            known[0] = now[0];
            out[0] = kept as i64;
            // The worth of the visits before may have changed as well. A share says of it what
            // rollouts could say, and the next ones the rest.
            let (most, most_kept) = (visits * u64::from(ONE), kept * u64::from(ONE));
            for ((known, &now), out) in known.iter_mut().zip(now).zip(out).skip(1) {
                let new = now.saturating_sub(*known).min(most);
                *known += new;
                *out = (new >> shift).min(most_kept) as i64;
            }
        }
    }

    fn share_table(&mut self, now: &[u64], out: &mut PartsMut<'_>) {
        if self.table.len() == now.len() && now.len() == out.counts.len() && !now.is_empty() {
            let rollouts = now[0].saturating_sub(self.table[0]).min(MOST_ROLLOUTS as u64) as i64;
            let outs = out.counts.iter_mut().zip(out.points.iter_mut());
            for ((&known, &now), (count, points)) in self.table.iter().zip(now).zip(outs) {
                let new = |half: fn(u64) -> u32| i64::from(half(now)) - i64::from(half(known));
                // Of what two workers write at the same moment a part may be lost.
                *count = new(|word| word as u32).clamp(0, rollouts);
                *points = new(|word| (word >> 32) as u32).clamp(0, *count * i64::from(POINT));
            }
        }
        self.table = now.to_vec();
    }

    /// Accounts for what other engines have found: of a position, in groups as it has them.
    pub(super) fn add_groups(&mut self, foreign: impl Iterator<Item = u64>) {
        for (known, more) in self.groups.iter_mut().zip(foreign) {
            *known += more;
        }
    }

    /// The same of a table.
    pub(super) fn add_table(&mut self, foreign: impl Iterator<Item = u64>) {
        for (known, more) in self.table.iter_mut().zip(foreign) {
            *known += more;
        }
    }
}

/// By what shift right `number` becomes at most `most`.
pub(super) fn shift_to(number: u64, most: u64) -> u32 {
    (0..u64::BITS).find(|&shift| number >> shift <= most).unwrap_or(0)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{Entry, MOST_SHARED, ONE, shift_to};

    /// Two groups of a position.
    fn share(entry: &mut Entry, now: [u64; 4]) -> [i64; 4] {
        let mut out = [0; 4];
        entry.share_groups(&now, 2, &mut out);
        out
    }

    #[test]
    fn a_share_says_what_is_new_once() {
        let mut entry = Entry { groups: vec![0; 4], table: Vec::new() };
        assert_eq!(share(&mut entry, [3, 9, 5, 20]), [3, 9, 5, 20]);
        assert_eq!(share(&mut entry, [3, 9, 5, 20]), [0; 4]);
        // What others have found is not said again.
        entry.add_groups([1, 2, 7, 8].into_iter());
        assert_eq!(share(&mut entry, [5, 12, 12, 30]), [1, 1, 0, 0]);
        assert_eq!(share(&mut entry, [5, 12, 13, 40]), [0, 0, 1, 12]);
    }

    #[test]
    fn what_visits_are_worth_is_said_in_what_rollouts_can_say() {
        let one = u64::from(ONE);
        let mut entry = Entry { groups: vec![0; 4], table: Vec::new() };
        assert_eq!(share(&mut entry, [0, 0, 10, 10 * one]), [0, 0, 10, 10 * one as i64]);
        // Worth less now: the next visits are worth nothing, until it is made up for.
        assert_eq!(share(&mut entry, [0, 0, 12, 9 * one]), [0, 0, 2, 0]);
        assert_eq!(share(&mut entry, [0, 0, 16, 11 * one]), [0, 0, 4, one as i64]);
        // Halved: nothing is said, and the count goes on.
        assert_eq!(share(&mut entry, [0, 0, 8, 8 * one]), [0; 4]);
        assert_eq!(share(&mut entry, [0, 0, 9, 8 * one]), [0, 0, 1, 0]);
    }

    #[test]
    fn more_visits_than_a_sum_holds_are_said_in_part() {
        let most = MOST_SHARED;
        assert_eq!([0, most, most + 1, 4 * most].map(|n| shift_to(n, most)), [0, 0, 1, 2]);
        let mut entry = Entry { groups: vec![0; 4], table: Vec::new() };
        let visits = 2 * most + 1;
        let out = share(&mut entry, [0, 0, visits, visits * u64::from(ONE)]);
        assert_eq!(out[2..], [most as i64, (most * u64::from(ONE)) as i64]);
        assert_eq!(share(&mut entry, [0, 0, visits, visits * u64::from(ONE)]), [0; 4]);
    }
}
