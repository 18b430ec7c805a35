//! What is joined in Hex, whatever the other side does: chains whose gaps are bridges.

use crate::game::GameState;
use crate::games::bits::{down, each_word, members, up};
use crate::games::hex::board::{Shape, beside};
use crate::games::hex::{HexBoard, Swap};

/// A set of cells.
type Cells<const WORDS: usize> = [u64; WORDS];

/// Pairs of cells next to each other, as in [`Bridges`](super::bridges::Bridges): the first cells,
/// by where the second one lies.
type Pairs<const WORDS: usize> = [Cells<WORDS>; 3];

#[inline(always)]
fn and<const WORDS: usize>(a: &Cells<WORDS>, b: &Cells<WORDS>) -> Cells<WORDS> {
    each_word(|i| a[i] & b[i])
}

#[inline(always)]
fn or<const WORDS: usize>(a: &Cells<WORDS>, b: &Cells<WORDS>) -> Cells<WORDS> {
    each_word(|i| a[i] | b[i])
}

#[inline(always)]
fn without<const WORDS: usize>(a: &Cells<WORDS>, b: &Cells<WORDS>) -> Cells<WORDS> {
    each_word(|i| a[i] & !b[i])
}

/// The board as one side sees it, which joins two of its edges.
struct Side<const WORDS: usize> {
    player: usize,
    columns: usize,
    shape: &'static Shape<WORDS>,
    own: Cells<WORDS>,
}

/// What a flood from an edge has come to.
struct Reached<const WORDS: usize> {
    /// The stones that are joined to the edge.
    stones: Cells<WORDS>,
    /// The fewest bridges on the way to the other edge, if that is joined too.
    bridges: Option<u32>,
}

impl<const WORDS: usize> Side<WORDS> {
    fn of(state: &HexBoard<WORDS>, player: usize) -> Self {
        let (columns, own) = (state.columns(), state.stones[player]);
        Self { player, columns, shape: Shape::of(columns, state.rows()), own }
    }

    /// Of these pairs those that lie at an edge, which is one of their ends.
    #[inline(always)]
    fn at_edge(&self, pairs: &Pairs<WORDS>, edge: usize) -> Pairs<WORDS> {
        let edge = &self.shape.sides[self.player][edge];
        let mut at_edge = [[0; WORDS]; 3];
        at_edge[self.player] = and(&pairs[self.player], edge);
        at_edge
    }

    /// Of these pairs those that have one of these cells as an end, which both cells of the pair
    /// are next to.
    #[inline(always)]
    fn beginning_at(&self, cells: &Cells<WORDS>, pairs: &Pairs<WORDS>) -> Pairs<WORDS> {
        let [left, right] = &self.shape.sides[1];
        let (not_left, not_right) = (without(cells, left), without(cells, right));
        let below = down(cells, self.columns);
        let [a, b, c] = pairs;
        [
            and(a, &or(&up(&not_left, self.columns - 1), &below)),
            and(b, &or(&down(&not_left, 1), &down(&not_right, self.columns - 1))),
            and(c, &or(&up(&not_right, 1), &below)),
        ]
    }

    /// The cells that are ends of these pairs.
    #[inline(always)]
    fn ends(&self, [right, below, below_left]: &Pairs<WORDS>) -> Cells<WORDS> {
        let [first_column, last_column] = &self.shape.sides[1];
        let above = or(&up(right, self.columns), &down(right, self.columns - 1));
        let beside = or(
            &up(&without(below, last_column), 1),
            &up(&without(below, first_column), self.columns - 1),
        );
        let behind = or(&up(below_left, self.columns), &down(below_left, 1));
        or(&or(&above, &beside), &behind)
    }

    /// The neighbours of these cells, also beyond the last row.
    #[inline(always)]
    fn beside(&self, cells: &Cells<WORDS>) -> Cells<WORDS> {
        beside(cells, self.columns, &self.shape.sides[1])
    }

    /// Floods from an edge over stones, and over `bridges` to other stones.
    fn reached(&self, edge: usize, bridges: &Pairs<WORDS>) -> Reached<WORDS> {
        let goal = &self.shape.sides[self.player][1 - edge];
        let at_goal = self.at_edge(bridges, 1 - edge)[self.player];
        let mut crossed = 0;
        let mut stones = and(&self.own, &self.shape.sides[self.player][edge]);
        let mut open = self.at_edge(bridges, edge);
        loop {
            loop {
                let grown = and(&or(&stones, &self.beside(&stones)), &self.own);
                if grown == stones {
                    break;
                }
                stones = grown;
            }
            if and(&stones, goal) != [0; WORDS] {
                return Reached { stones, bridges: Some(crossed) };
            }
            let begun = self.beginning_at(&stones, bridges);
            if and(&begun[self.player], &at_goal) != [0; WORDS] {
                return Reached { stones, bridges: Some(crossed + 1) };
            }
            for (open, begun) in open.iter_mut().zip(&begun) {
                *open = or(open, begun);
            }
            let grown = or(&stones, &and(&self.ends(&open), &self.own));
            if grown == stones {
                return Reached { stones, bridges: None };
            }
            (stones, crossed) = (grown, crossed + 1);
        }
    }
}

impl<const WORDS: usize> HexBoard<WORDS> {
    /// Whether `player` may be joined by bridges as soon as it has `more` stones: with one in each
    /// second row or column. Not while a stone may yet be taken over.
    #[inline(always)]
    fn may_join(&self, player: usize, more: usize) -> bool {
        let length = if player == 0 { self.rows() } else { self.columns() };
        let most = usize::from(self.plies).div_ceil(2) + more;
        let is_settled = self.swap != Swap::Rule || self.plies >= 2;
        most >= length / 2 && is_settled
    }

    /// Floods from the first edge of `player`, with the bridges that it has now.
    fn flood(&self, player: usize) -> Reached<WORDS> {
        Side::of(self, player).reached(0, &self.bridges_of(player, &mut self.empty()))
    }

    /// The fewest bridges that are missing to join the edges of `player`, if nothing else is: the
    /// other side can take one cell of each, and the player then takes the other one.
    #[inline]
    pub(super) fn bridges_missing(&self, player: usize) -> Option<u32> {
        if self.may_join(player, 0) { self.flood(player).bridges } else { None }
    }

    /// The cells where a stone of the side to move may join its edges by bridges. Where bridges share
    /// cells, one may join them by another choice of bridges that is not among these.
    #[inline]
    pub(super) fn joining_cells(&self) -> Cells<WORDS> {
        let player = self.mover();
        if !self.may_join(player, 1) {
            return [0; WORDS];
        }
        let side = Side::of(self, player);
        let bridges = self.bridges_of(player, &mut self.empty());
        // Two steps are as far as a bridge, and further.
        let near = [0, 1].map(|edge| {
            let stones = side.reached(edge, &bridges).stones;
            let first = or(&side.beside(&stones), &side.shape.sides[player][edge]);
            or(&first, &side.beside(&first))
        });
        and(&and(&near[0], &near[1]), &self.empty())
    }

    /// The fewest bridges that are missing after the best stone of the side to move, if nothing else
    /// is.
    pub(super) fn bridges_missing_after_a_stone(&self) -> Option<u32> {
        let player = self.mover();
        let with_stone = |cell: usize| {
            let mut next = *self;
            next.stones[player][cell / 64] |= 1 << (cell % 64);
            next.flood(player).bridges
        };
        members(&self.joining_cells()).filter_map(with_stone).min()
    }

    /// About how many stones `player` has to put down until bridges join its edges.
    pub(super) fn stones_missing(&self, player: usize) -> i32 {
        let side = Side::of(self, player);
        let free = self.empty();
        let [left, right] = &side.shape.sides[1];
        let pairs = [
            without(&and(&free, &down(&free, 1)), right),
            and(&free, &down(&free, side.columns)),
            without(&and(&free, &down(&free, side.columns - 1)), left),
        ];
        let [start, goal] = side.shape.sides[player];
        let goal = or(&goal, &side.ends(&side.at_edge(&pairs, 1)));
        // Cells that are joined to the first edge as soon as they have a stone.
        let mut near = or(&start, &side.ends(&side.at_edge(&pairs, 0)));
        let (mut reached, mut missing) = ([0; WORDS], 0);
        let grow = |reached: &mut Cells<WORDS>, near: &mut Cells<WORDS>, by: &Cells<WORDS>| {
            let grown = or(reached, &and(near, by));
            let grows = grown != *reached;
            *reached = grown;
            let over = side.ends(&side.beginning_at(&grown, &pairs));
            *near = or(near, &or(&side.beside(&grown), &over));
            grows
        };
        loop {
            while grow(&mut reached, &mut near, &side.own) {}
            if and(&reached, &goal) != [0; WORDS] {
                return missing;
            }
            if !grow(&mut reached, &mut near, &free) {
                return i32::from(self.columns) + i32::from(self.rows);
            }
            missing += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::game::{GameState, Notation, Outcome};
    use crate::games::bits::members;
    use crate::games::hex::{Cell, Hex, HexBoard, LargeHex};
    use crate::rng::Rng;
    use crate::solvable::Solvable;

    /// The second cells of the bridges by their first ones.
    fn pairs<const WORDS: usize>(state: &HexBoard<WORDS>, player: usize) -> Vec<[usize; 2]> {
        let bridges = state.bridges_of(player, &mut state.empty());
        let steps = [1, state.columns(), state.columns() - 1];
        let of = |(first, step): (&[u64; WORDS], usize)| {
            members(first).map(|cell| [cell, cell + step]).collect::<Vec<_>>()
        };
        bridges.iter().zip(steps).flat_map(of).collect()
    }

    /// The fewest of these bridges on a way between the edges of `player`, by the rules.
    fn fewest_bridges<const WORDS: usize>(
        state: &HexBoard<WORDS>,
        player: usize,
        pairs: &[[usize; 2]],
    ) -> Option<u32> {
        let (columns, rows) = (state.columns() as i32, state.rows() as i32);
        let place = |cell: usize| (cell as i32 / columns, cell as i32 % columns);
        let beside = |a: (i32, i32), b: (i32, i32)| {
            [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)].contains(&(b.0 - a.0, b.1 - a.1))
        };
        // The stones, and the two edges behind them.
        let stones: Vec<_> = members(&state.stones[player]).map(place).collect();
        let last = if player == 0 { rows } else { columns } - 1;
        let touches = |node: usize, at: (i32, i32)| match node.checked_sub(stones.len()) {
            None => beside(stones[node], at),
            Some(edge) => (if player == 0 { at.0 } else { at.1 }) == last * edge as i32,
        };
        let count = stones.len() + 2;
        let mut fewest = vec![u32::MAX; count];
        fewest[count - 2] = 0;
        for _ in 0..count {
            for (a, b) in (0..count).flat_map(|a| (0..count).map(move |b| (a, b))) {
                let direct = a < stones.len() && touches(b, stones[a])
                    || b < stones.len() && touches(a, stones[b]);
                let over = |pair: &[usize; 2]| {
                    pair.iter().all(|cell| touches(a, place(*cell)) && touches(b, place(*cell)))
                };
                if a != b && fewest[a] != u32::MAX && (direct || pairs.iter().any(over)) {
                    fewest[b] = fewest[b].min(fewest[a] + u32::from(!direct));
                }
            }
        }
        Some(fewest[count - 1]).filter(|bridges| *bridges != u32::MAX)
    }

    /// Plays on at random. `player` answers in each of the bridges, and must win in time.
    fn holds<const WORDS: usize>(state: &HexBoard<WORDS>, player: usize, rng: &mut Rng) {
        let mut open = pairs(state, player);
        let (mut state, mut answer) = (*state, None);
        while state.outcome().is_none() {
            let free: Vec<_> = members(&state.empty()).collect();
            let cell = answer.take().unwrap_or_else(|| free[rng.below(free.len())]);
            open.retain(|pair| match pair.iter().position(|of| *of == cell) {
                None => true,
                Some(at) => {
                    answer = Some(pair[1 - at]).filter(|_| state.mover() != player);
                    false
                }
            });
            state = state.apply(&Cell(cell as u16));
        }
        assert_eq!(state.outcome(), Some(Outcome::Win(player)), "{state:?}");
    }

    /// The number of these moves that join the edges, and the number of those among them that are not
    /// said to end the game: where another choice of bridges that share cells joins them.
    fn joining<const WORDS: usize>(state: &HexBoard<WORDS>, moves: &[Cell]) -> [usize; 2] {
        let may_end = state.may_end();
        let mut found = [0; 2];
        for mv in moves {
            let after = state.apply(mv);
            assert!(after.outcome().is_none() || may_end(mv), "{mv:?} in {state:?}");
            if after.outcome().is_some() || after.foreseen().is_some() {
                found[0] += 1;
                found[1] += usize::from(!may_end(mv));
            }
        }
        found
    }

    fn check<const WORDS: usize>(start: &str, games: usize) {
        let mut rng = Rng::from_seed(8);
        let (mut seen, mut left_out) = ([0; 3], 0);
        for _ in 0..games {
            let mut state = HexBoard::<WORDS>::parse_position(start).unwrap();
            while state.outcome().is_none() {
                for (player, seen) in seen[..2].iter_mut().enumerate() {
                    let missing = state.bridges_missing(player);
                    let expected = fewest_bridges(&state, player, &pairs(&state, player));
                    assert_eq!(missing, expected, "player {player} in {state:?}");
                    if missing.is_some() {
                        *seen += 1;
                        holds(&state, player, &mut rng);
                    }
                }
                let free: Vec<_> = members(&state.empty()).map(|cell| Cell(cell as u16)).collect();
                if state.bridges_missing(state.mover()).is_none() {
                    let found = joining(&state, &free);
                    (seen[2], left_out) = (seen[2] + found[0], left_out + found[1]);
                }
                state = state.apply(&free[rng.below(free.len())]);
            }
        }
        // The side with the longer way is seldom joined.
        assert!(seen[0] + seen[1] > games / 5 && seen[2] > games, "{start}: {seen:?}");
        assert!(5 * left_out < seen[2], "{start}: {left_out} of {seen:?}");
    }

    #[test]
    fn joined_sides_are_those_of_the_rules_and_win() {
        for (start, games) in [("11:", 20), ("7:", 60), ("5x8:", 40), ("8x5:", 40), ("3:", 100)] {
            check::<2>(start, games);
        }
        check::<6>("13x14:", 10);
    }

    #[test]
    fn stones_that_are_missing() {
        for (text, missing) in [
            // Rows 2, 4, 6, 8 and 10.
            ("11:", [5, 5]),
            ("3:", [1, 1]),
            // The first side is joined. The other one would take b3, c3 and d3.
            ("5: c2 a1 b4 e5", [0, 3]),
        ] {
            let state = Hex::parse_position(text).unwrap();
            assert_eq!([0, 1].map(|player| state.stones_missing(player)), missing, "{text}");
        }
    }

    #[test]
    fn nothing_is_certain_while_a_stone_may_be_taken_over() {
        let joined = |text| Hex::parse_position(text).unwrap().limits().points();
        assert_eq!(
            ["3: b2", "3 swap: b2", "3:", "3 swap:"].map(joined),
            [Some(-1), None, Some(1), None]
        );
        let large = LargeHex::parse_position("3: b2").unwrap();
        assert_eq!(large.limits().points(), Some(-1));
    }
}
