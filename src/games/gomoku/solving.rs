//! What a solver knows of Gomoku and the other m,n,k-games without a search: the ends of the game
//! two plies ahead, who can still win, boards that are alike, and which points to try first.

use crate::game::GameState;
use crate::games::bits::{down, each_word, ones};
use crate::solvable::{Limits, Solvable, Worth};

use super::evaluation::total;
use super::{GomokuBoard, Point};

impl<const WORDS: usize> GomokuBoard<WORDS> {
    /// Whether there are `k` points in a row without a stone of the side that is not `player`.
    #[inline]
    fn can_win(&self, player: usize) -> bool {
        let free = self.free_for(player);
        self.steps().into_iter().any(|step| {
            let (mut rows, mut at) = (free, free);
            for _ in 1..self.k() {
                at = down(&at, step);
                rows = each_word(|i| rows[i] & at[i]);
            }
            rows != [0; WORDS]
        })
    }

    /// A board of one word mirrored left to right if bit 0 of `how` is set, top to bottom if bit 1
    /// is, and, only if it is square, along the diagonal from `a1` if bit 2 is.
    fn image(&self, how: u32) -> Self {
        let (last_column, last_row) = (self.columns - 1, self.rows - 1);
        let mut image = *self;
        for (words, stones) in image.stones.iter_mut().zip(&self.stones) {
            words[0] = ones(stones[0]).fold(0, |word, bit| {
                let Point { mut column, mut row } = self.point_of(bit);
                if how & 1 != 0 {
                    column = last_column - column;
                }
                if how & 2 != 0 {
                    row = last_row - row;
                }
                if how & 4 != 0 {
                    (column, row) = (row, column);
                }
                word | 1 << self.bit(Point { column, row })
            });
        }
        image
    }
}

impl<const WORDS: usize> Solvable for GomokuBoard<WORDS> {
    /// A win in 1 or a loss in 2 plies is exact. Otherwise the next ends of the game are a win in
    /// 3, if 3 points are free, and a loss in 4, if 4 are; both only if a row without a stone of
    /// the other side is left.
    #[inline]
    fn limits(&self) -> Limits {
        let (mover, left) = (self.mover(), self.left());
        if self.chances(mover).wins != [0; WORDS] {
            return Limits::exactly(Worth { points: 1, plies: 1 });
        }
        // One point can be taken, two cannot.
        if total(&self.chances(1 - mover).wins) > 1 {
            return Limits::exactly(Worth { points: -1, plies: 2 });
        }
        let can_lose = left >= 4 && self.can_win(1 - mover);
        let can_win = left >= 3 && self.can_win(mover);
        Limits {
            least: if can_lose { Worth { points: -1, plies: 4 } } else { Worth::DRAW },
            most: if can_win { Worth { points: 1, plies: 3 } } else { Worth::DRAW },
        }
    }

    /// The least key of the mirrored boards, where a board fits in one word. Larger ones are out of
    /// reach but for their last plies, in which few positions are alike.
    #[inline]
    fn canonical_key(&self) -> Self::Key {
        let images = match self.stride() * self.rows() {
            65.. => 1,
            _ if self.columns == self.rows => 8,
            _ => 4,
        };
        (1..images).fold(self.key(), |least, how| least.min(self.image(how).key()))
    }

    /// The points that win at once; or else those where the other side would; or else all.
    #[inline]
    fn moves_to_solve(&self, moves: &mut Vec<Point>) {
        let sides = [self.mover(), 1 - self.mover()];
        let wins = sides.map(|player| self.chances(player).wins);
        match wins.into_iter().find(|points| points != &[0; WORDS]) {
            None => self.moves(moves),
            Some(points) => {
                for (i, word) in points.into_iter().enumerate() {
                    moves.extend(ones(word).map(|bit| self.point_of(64 * i + bit)));
                }
            }
        }
    }

    /// How many rows the side that has moved can still fill where it has begun, less those of the
    /// other side; a point where it would win counts for ten.
    #[inline]
    fn promise(&self, _mv: &Point, after: &Self) -> i32 {
        let [mine, theirs] = [self.mover(), after.mover()].map(|player| after.chances(player));
        let rows = |rows: [i32; 3]| rows.iter().sum::<i32>();
        10 * total(&mine.wins) + rows(mine.rows) - rows(theirs.rows)
    }
}

#[cfg(test)]
mod tests {
    use crate::game::random_move;
    use std::collections::{HashMap, HashSet};

    use crate::game::{GameState, Notation, Outcome};
    use crate::games::Gomoku;
    use crate::games::gomoku::{Point, Rule};
    use crate::rng::Rng;
    use crate::solvable::{Limits, Solvable, Worth};
    use crate::testing::check_solvable;

    fn moves(state: &Gomoku) -> Vec<Point> {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        moves
    }

    /// The positions of random games where the game goes on and at most `free` points are free.
    fn positions(start: &Gomoku, free: usize, games: usize, rng: &mut Rng) -> Vec<Gomoku> {
        let mut found = Vec::new();
        for _ in 0..games {
            let mut state = *start;
            while state.outcome().is_none() {
                if state.left() <= free {
                    found.push(state);
                }
                let mv = random_move(&state, rng, &mut Vec::new()).expect("the game goes on");
                state = state.apply(&mv);
            }
        }
        found
    }

    #[test]
    fn what_is_said_is_true_where_few_points_are_free() {
        let mut rng = Rng::from_seed(1);
        // Won at once, lost in 2, no win left, no loss left, and neither.
        let mut seen = [0; 5];
        for (columns, rows, k) in [(3, 3, 3), (4, 4, 3), (5, 3, 4), (4, 4, 4), (6, 5, 4), (5, 5, 5)]
        {
            for rule in [Rule::KOrMore, Rule::ExactlyK] {
                let start = Gomoku::mnk(columns, rows, k, rule).unwrap();
                for state in positions(&start, 8, 20, &mut rng) {
                    assert_eq!(check_solvable(&state, 2, 1), Ok(()), "{state:?}");
                    let Limits { least, most } = state.limits();
                    seen[0] += usize::from(least.plies == 1);
                    seen[1] += usize::from(most.plies == 2);
                    seen[2] += usize::from(least != most && most == Worth::DRAW);
                    seen[3] += usize::from(least != most && least == Worth::DRAW);
                    seen[4] += usize::from(least == most && most == Worth::DRAW);
                }
            }
        }
        assert!(seen.iter().all(|&seen| seen > 10), "{seen:?}");
    }

    #[test]
    fn the_next_two_plies_are_seen_on_every_board() {
        let mut rng = Rng::from_seed(2);
        let wins = |state: &Gomoku| {
            let won = |mv: &Point| state.apply(mv).outcome() == Some(Outcome::Win(state.mover()));
            moves(state).into_iter().filter(won).collect::<Vec<_>>()
        };
        let mut seen = [0; 3];
        for text in ["15:", "9x7x3 exact:", "12x4x4:", "3x15x3:", "8x8x6:"] {
            let start = Gomoku::parse_position(text).unwrap();
            for state in positions(&start, usize::MAX, 12, &mut rng) {
                let (mine, exact) = (wins(&state), state.limits().exact());
                let mut safe = moves(&state);
                safe.retain(|mv| wins(&state.apply(mv)).is_empty());
                let lost = mine.is_empty() && safe.is_empty() && state.left() > 1;
                assert_eq!(exact == Some(Worth::new(1, 1)), !mine.is_empty(), "{state:?}");
                assert_eq!(exact == Some(Worth::new(-1, 2)), lost, "{state:?}");
                let mut tried = Vec::new();
                state.moves_to_solve(&mut tried);
                if !mine.is_empty() {
                    assert_eq!(tried, mine, "{state:?}");
                } else if !lost {
                    assert_eq!(tried, safe, "{state:?}");
                }
                seen[usize::from(!mine.is_empty()) + 2 * usize::from(lost)] += 1;
            }
        }
        assert!(seen.iter().all(|&seen| seen > 20), "{seen:?}");
    }

    #[test]
    fn a_board_shares_its_canonical_key_with_its_mirror_images_only() {
        let mut rng = Rng::from_seed(3);
        for (text, images) in [("5x4x4:", 4), ("4x5x4 exact:", 4), ("7x7x6:", 8), ("8x8x5:", 1)] {
            let start = Gomoku::parse_position(text).unwrap();
            let mut boards = HashMap::new();
            for state in positions(&start, usize::MAX, 40, &mut rng) {
                // The order of play says where each stone goes.
                let moves = state.position_text();
                let (_, moves) = moves.split_once(':').expect("a colon");
                let keys: HashSet<_> = (0..images)
                    .map(|how| {
                        let image = moves.split_whitespace().fold(start, |image, mv| {
                            let Point { column, row } = start.parse_move(mv).expect("a point");
                            let column =
                                if how & 1 == 0 { column } else { start.columns - 1 - column };
                            let row = if how & 2 == 0 { row } else { start.rows - 1 - row };
                            let turned = how & 4 != 0;
                            let (column, row) = if turned { (row, column) } else { (column, row) };
                            image.apply(&Point { column, row })
                        });
                        assert_eq!(image.canonical_key(), state.canonical_key(), "{state:?}");
                        image.key()
                    })
                    .collect();
                let first = boards.entry(state.canonical_key()).or_insert_with(|| keys.clone());
                assert_eq!(*first, keys, "{state:?}");
            }
            assert!(boards.len() > 200, "{text}: {}", boards.len());
        }
    }

    /// The rows of `k` points with a stone of `player` and none of the other side, by the stones
    /// that are missing.
    fn rows_begun(state: &Gomoku, player: usize) -> Vec<usize> {
        let stone = |side: usize, column: i32, row: i32| {
            let point = state.point(usize::try_from(column).ok()?, usize::try_from(row).ok()?)?;
            let bit = state.bit(point);
            Some(state.stones[side][bit / 64] >> (bit % 64) & 1 == 1)
        };
        let mut missing = Vec::new();
        for (column, row) in
            (0..state.columns()).flat_map(|c| (0..state.rows()).map(move |r| (c, r)))
        {
            for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let count = |side| {
                    (0..state.k() as i32)
                        .map(|at| stone(side, column as i32 + right * at, row as i32 + up * at))
                        .try_fold(0, |sum, stone| Some(sum + usize::from(stone?)))
                };
                if let (Some(own @ 1..), Some(0)) = (count(player), count(1 - player)) {
                    missing.push(state.k() - own);
                }
            }
        }
        missing
    }

    #[test]
    fn a_move_promises_its_rows_less_those_of_the_other_side() {
        let mut rng = Rng::from_seed(4);
        let (mut seen, mut winning) = (0, 0);
        for text in ["3x3x3:", "4x3x3:", "5x4x4:", "7x6x5:", "15:", "9x12x6:", "4x13x8:"] {
            let start = Gomoku::parse_position(text).unwrap();
            for state in positions(&start, usize::MAX, 3, &mut rng) {
                for mv in moves(&state) {
                    let after = state.apply(&mv);
                    if after.outcome().is_some() {
                        continue;
                    }
                    let rows = |player| {
                        let begun = rows_begun(&after, player);
                        begun.iter().filter(|&missing| (2..=4).contains(missing)).count() as i32
                    };
                    let mut again = after;
                    again.plies -= 1;
                    let won =
                        |mv: &Point| again.apply(mv).outcome() == Some(Outcome::Win(state.mover()));
                    let wins = moves(&after).iter().filter(|mv| won(mv)).count() as i32;
                    let expected = 10 * wins + rows(state.mover()) - rows(after.mover());
                    assert_eq!(state.promise(&mv, &after), expected, "{after:?}");
                    seen += 1;
                    winning += wins;
                }
            }
        }
        assert!(seen > 1_000 && winning > 100, "{seen} {winning}");
    }
}
