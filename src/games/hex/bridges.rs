//! Bridges of Hex: cells that a side joins whatever the other one does.

use crate::games::bits::{down, each_word, up};
use crate::games::hex::HexBoard;
use crate::games::hex::board::Shape;
use crate::rng::Rng;

/// Pairs of empty cells next to each other, both of them next to the same two stones of a side, or
/// to a stone and an edge of it. If the other side takes one cell this side takes the other, so
/// that the stones are as good as joined (a two-bridge; C. Browne: *Hex Strategy*, 2000).
///
/// No cell is in two pairs: where bridges share a cell some are left out.
#[derive(Clone, Copy)]
pub(super) struct Bridges<const WORDS: usize> {
    /// The cells of all pairs.
    pub(super) cells: [u64; WORDS],
    /// The first cell of each pair, by where the second one lies: to the right, below on the right,
    /// below on the left.
    first: [[u64; WORDS]; 3],
    /// How much higher the number of the second cell is.
    steps: [usize; 3],
}

impl<const WORDS: usize> Bridges<WORDS> {
    /// Gives one cell of each pair to each side at random: those of the first player.
    #[inline]
    pub(super) fn shared_out(&self, rng: &mut Rng) -> [u64; WORDS] {
        let mut cells = [0; WORDS];
        for (first, step) in self.first.iter().zip(self.steps) {
            if *first != [0; WORDS] {
                let taken: [u64; WORDS] = each_word(|i| first[i] & rng.next_u64());
                let second = up(&each_word::<WORDS>(|i| first[i] & !taken[i]), step);
                cells = each_word(|i| cells[i] | taken[i] | second[i]);
            }
        }
        cells
    }
}

impl<const WORDS: usize> HexBoard<WORDS> {
    /// The bridges of both sides.
    #[inline]
    pub(super) fn bridges(&self) -> Bridges<WORDS> {
        let empty = self.empty();
        let mut free = empty;
        let [own, other] = [0, 1].map(|player| self.bridges_of(player, &mut free));
        let mut first = own;
        for (both, other) in first.iter_mut().zip(&other) {
            *both = each_word(|i| both[i] | other[i]);
        }
        let cells = each_word(|i| empty[i] & !free[i]);
        Bridges { cells, first, steps: self.steps() }
    }

    /// How much higher the number of the second cell of a pair is, by where it lies.
    #[inline]
    fn steps(&self) -> [usize; 3] {
        [1, self.columns(), self.columns() - 1]
    }

    /// The first cells of the bridges of `player` by where the second one lies, as in [`Bridges`]:
    /// pairs of `free` cells, which they are no longer afterwards.
    #[inline]
    pub(super) fn bridges_of(&self, player: usize, free: &mut [u64; WORDS]) -> [[u64; WORDS]; 3] {
        let [left, right] = Shape::<WORDS>::of(self.columns(), self.rows()).sides[1];
        // The first cells whose second one would lie round the edge.
        let wrong = [right, [0; WORDS], left];
        let joined = self.joined(player);
        let mut bridges = [[0; WORDS]; 3];
        for (direction, step) in self.steps().into_iter().enumerate() {
            let (joined, wrong) = (&joined[direction], &wrong[direction]);
            let second = down(free, step);
            let pairs: [u64; WORDS] = each_word(|i| joined[i] & free[i] & second[i] & !wrong[i]);
            if pairs == [0; WORDS] {
                continue;
            }
            let behind = up(&pairs, step);
            let first: [u64; WORDS] = each_word(|i| pairs[i] & !behind[i]);
            let second = up(&first, step);
            *free = each_word(|i| free[i] & !(first[i] | second[i]));
            bridges[direction] = first;
        }
        bridges
    }

    /// By where a second cell lies, as in [`Bridges`]: the cells that have, together with that one,
    /// two neighbours that are stones or an edge of `player`.
    #[inline]
    fn joined(&self, player: usize) -> [[u64; WORDS]; 3] {
        let (columns, own) = (self.columns(), &self.stones[player]);
        let shape = Shape::<WORDS>::of(columns, self.rows());
        let [left, right] = shape.sides[1];
        let edge = |of: usize, which: usize| match of == player {
            true => shape.sides[of][which],
            false => [0; WORDS],
        };
        let [above_edge, below_edge] = [edge(0, 0), edge(0, 1)];
        let [left_edge, right_edge] = [edge(1, 0), edge(1, 1)];
        let not_left = each_word::<WORDS>(|i| own[i] & !left[i]);
        let not_right = each_word::<WORDS>(|i| own[i] & !right[i]);
        let (to_left, to_right) = (up(&not_right, 1), down(&not_left, 1));
        let (above_right, below_left) = (up(&not_left, columns - 1), down(&not_right, columns - 1));
        let below = down(own, columns);
        [
            each_word(|i| (above_right[i] | above_edge[i]) & (below[i] | below_edge[i])),
            each_word(|i| (to_right[i] | right_edge[i]) & (below_left[i] | left_edge[i])),
            each_word(|i| to_left[i] & below[i]),
        ]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::game::{GameState, Notation};
    use crate::games::bits::members;
    use crate::games::hex::{Cell, Hex, LargeHex};

    fn cells<const WORDS: usize>(set: &[u64; WORDS]) -> Vec<usize> {
        members(set).collect()
    }

    /// The bridges by the rules, each pair with its side; they may share cells.
    fn by_rules<const WORDS: usize>(state: &HexBoard<WORDS>) -> Vec<(usize, [usize; 2])> {
        let (columns, rows) = (state.columns() as i32, state.rows() as i32);
        // The player that a place belongs to: a stone, or an edge; none if it is empty.
        let owner = |(row, column): (i32, i32)| {
            if (0..columns).contains(&column) && (0..rows).contains(&row) {
                state.stone(state.cell(row as usize, column as usize).unwrap())
            } else if (0..columns).contains(&column) {
                Some(0)
            } else {
                (0..rows).contains(&row).then_some(1)
            }
        };
        let around = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)];
        let empty = |(row, column): (i32, i32)| {
            (0..columns).contains(&column)
                && (0..rows).contains(&row)
                && owner((row, column)).is_none()
        };
        let mut found = Vec::new();
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)))
        {
            for direction in 0..3 {
                let [before, next, after] = [5, 6, 7]
                    .map(|turn| around[(direction + turn) % 6])
                    .map(|(down, right)| (row + down, column + right));
                if empty((row, column))
                    && empty(next)
                    && let (Some(a), Some(b)) = (owner(before), owner(after))
                    && a == b
                {
                    let second = columns * next.0 + next.1;
                    found.push((a, [(columns * row + column) as usize, second as usize]));
                }
            }
        }
        found
    }

    fn check<const WORDS: usize>(start: HexBoard<WORDS>, rng: &mut Rng) -> [usize; 2] {
        let mut seen = [0; 2];
        for _ in 0..40 {
            let mut state = start;
            while state.outcome().is_none() {
                let by_rules = by_rules(&state);
                let bridges = state.bridges();
                let mut sharing = HashMap::new();
                for cell in by_rules.iter().flat_map(|(_, pair)| pair) {
                    *sharing.entry(*cell).or_insert(0) += 1;
                }
                let mut covered = Vec::new();
                for (first, step) in bridges.first.iter().zip(bridges.steps) {
                    for cell in cells(first) {
                        let pair = [cell, cell + step];
                        assert!(by_rules.iter().any(|bridge| bridge.1 == pair), "{state:?}");
                        covered.extend(pair);
                        seen[0] += 1;
                    }
                }
                covered.sort_unstable();
                assert_eq!(covered, cells(&bridges.cells), "a cell in two pairs: {state:?}");
                for (player, pair) in by_rules {
                    if pair.iter().all(|cell| sharing[cell] == 1) {
                        assert!(pair.iter().all(|cell| covered.contains(cell)), "{state:?}");
                        seen[1] += player;
                    }
                }
                let free = cells(&state.empty());
                state = state.apply(&Cell(free[rng.below(free.len())] as u16));
            }
        }
        seen
    }

    #[test]
    fn bridges_are_those_of_the_rules() {
        let mut rng = Rng::from_seed(5);
        for text in ["11:", "7x5:", "5x8:", "2:", "3:"] {
            let [pairs, alone] = check(Hex::parse_position(text).unwrap(), &mut rng);
            assert!(text.len() < 3 || pairs > 300 && alone > 50, "{text} {pairs} {alone}");
        }
        let [pairs, alone] = check(LargeHex::parse_position("14x13:").unwrap(), &mut rng);
        assert!(pairs > 1_000 && alone > 300, "{pairs} {alone}");
    }

    #[test]
    fn each_side_gets_one_cell_of_each_pair() {
        // Two stones of the first player with two empty cells between them, and the edge below.
        let state = Hex::parse_position("5: c2 a1 b4 e5").unwrap();
        let pairs = [["b3", "c3"], ["a5", "b5"]];
        let bit = |text: &str| state.parse_move(text).unwrap().index();
        let mut rng = Rng::from_seed(6);
        let mut firsts = [0; 2];
        for _ in 0..1_000 {
            let given = cells(&state.bridges().shared_out(&mut rng));
            assert_eq!(2 * given.len(), cells(&state.bridges().cells).len());
            for (count, pair) in firsts.iter_mut().zip(pairs) {
                let [first, second] = pair.map(|cell| given.contains(&bit(cell)));
                assert!(first != second, "{given:?}");
                *count += usize::from(first);
            }
        }
        assert!(firsts.iter().all(|first| (400..600).contains(first)), "{firsts:?}");
    }
}
