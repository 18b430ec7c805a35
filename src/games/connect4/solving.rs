//! What is known of Connect Four without a search: the ends of the game three plies ahead and those
//! to which a side has no choice but to come, what can still be won, mirrored boards, and which
//! columns to try first.
//!
//! Which columns lose at once, and that the squares on which a move would win tell its promise, is
//! after Pons, *Solving Connect 4: how to build a perfect AI*, parts 9 and 10
//! (blog.gamesolver.org).

use crate::game::GameState;
use crate::proven::Proven;
use crate::solvable::{Limits, Solvable, Worth};

use super::evaluation::completions;
use super::{BOARD, BOTTOM, Column, ConnectFour, STRIDE, WIDTH, has_four};

/// The columns from the centre to the edges.
const FROM_CENTRE: [u8; WIDTH] = [3, 2, 4, 1, 5, 0, 6];

/// With at most this number of free squares other searches may ask for an exact solution.
const ENDGAME: u32 = 12;

const COLUMN: u64 = (1 << STRIDE) - 1;

impl ConnectFour {
    /// The landing squares after which the other side does not win at once. Where the side to move
    /// wins at once itself, they need not hold that square.
    #[inline]
    fn safe_landings(&self) -> u64 {
        safe(completions(self.own ^ self.all), self.landings())
    }

    /// The end to which the sides come, if the next one to have a choice has lost or wins at once:
    /// until then each has to take the square where the other one would make four.
    #[inline]
    pub(super) fn forced_end(&self) -> Option<Proven> {
        let (mut own, mut all) = (self.own, self.all);
        let mut fours = (completions(own), completions(own ^ all));
        let mut plies = 0;
        let end =
            |plies| if plies % 2 == 1 { Proven::Win { plies } } else { Proven::Loss { plies } };
        loop {
            let landings = (all + BOTTOM) & BOARD;
            if fours.0 & landings != 0 {
                return Some(end(plies + 1));
            }
            if landings != 0 && safe(fours.1, landings) == 0 {
                return Some(end(plies + 2));
            }
            let now = fours.1 & landings;
            if now == 0 {
                return None;
            }
            (own, all, plies) = (own | now, all | now, plies + 1);
            fours = (fours.1, completions(own));
            own ^= all;
        }
    }
}

/// The landing squares after which the other side does not win at once, if it makes four on
/// `theirs`, squares that are taken or not.
#[inline]
fn safe(theirs: u64, landings: u64) -> u64 {
    let now = theirs & landings;
    // One threat is to be answered, two cannot be.
    let open = match now.count_ones() {
        0 => landings,
        1 => now,
        _ => 0,
    };
    // Nor may a stone raise the other side to a square that wins.
    open & !(theirs >> 1)
}

/// The key of the mirrored board. A column's seven bits carry into no other column, so they are
/// moved as they are.
#[inline]
fn mirrored(key: u64) -> u64 {
    let mut mirrored = 0;
    for column in 0..WIDTH {
        mirrored |= (key >> (STRIDE * column) & COLUMN) << (STRIDE * (WIDTH - 1 - column));
    }
    mirrored
}

impl Solvable for ConnectFour {
    const ENDS_EARLY: bool = true;

    /// A win in 1 or a loss in 2 plies is exact. Otherwise the next ends of the game are a win in
    /// 3, if 3 squares are free, and a loss in 4, if 4 are; both only if a line of four without a
    /// stone of the other side is left. An end to which the sides are forced is exact as well: the
    /// solver comes to it by the one move that there is each time.
    #[inline]
    fn limits(&self) -> Limits {
        let theirs = self.own ^ self.all;
        if completions(self.own) & self.landings() != 0 {
            return Limits::exactly(Worth { points: 1, plies: 1 });
        }
        let free = (BOARD & !self.all).count_ones();
        if self.safe_landings() == 0 {
            return Limits::exactly(Worth { points: -1, plies: 2 });
        }
        let can_lose = free >= 4 && has_four(BOARD & !self.own);
        let can_win = free >= 3 && has_four(BOARD & !theirs);
        Limits {
            least: if can_lose { Worth { points: -1, plies: 4 } } else { Worth::DRAW },
            most: if can_win { Worth { points: 1, plies: 3 } } else { Worth::DRAW },
        }
    }

    #[inline]
    fn canonical_key(&self) -> u64 {
        let key = self.key();
        key.min(mirrored(key))
    }

    /// The columns after which the other side does not win at once, or all of them if there is
    /// none; from the centre.
    #[inline]
    fn moves_to_solve(&self, moves: &mut Vec<Column>) {
        let landings = self.landings();
        let wins = completions(self.own) & landings;
        let safe = self.safe_landings();
        let open = match (wins, safe) {
            (0, 0) => landings,
            (0, safe) => safe,
            (wins, _) => wins,
        };
        let is_open = |column: &u8| open >> (STRIDE * usize::from(*column)) & COLUMN != 0;
        moves.extend(FROM_CENTRE.into_iter().filter(is_open).map(Column));
    }

    /// On how many empty squares the side that has moved would have four in a row.
    #[inline]
    fn promise(&self, _mv: &Column, after: &Self) -> i32 {
        let mine = after.own ^ after.all;
        (completions(mine) & !after.all).count_ones() as i32
    }

    /// At most twelve squares are free.
    #[inline]
    fn is_endgame(&self) -> bool {
        (BOARD & !self.all).count_ones() <= ENDGAME
    }
}

#[cfg(test)]
mod tests {
    use crate::game::random_move;
    use std::collections::HashMap;

    use super::super::{BOARD, ConnectFour};
    use super::mirrored;
    use crate::game::{GameState, Notation};
    use crate::rng::Rng;
    use crate::solvable::{Limits, Solvable, Worth};
    use crate::testing::check_solvable;

    /// Random positions where the game goes on and at most `free` squares are free.
    fn positions(free: u32, count: usize, seed: u64) -> Vec<ConnectFour> {
        let (mut rng, mut buffer, mut found) = (Rng::from_seed(seed), Vec::new(), Vec::new());
        while found.len() < count {
            let mut state = ConnectFour::new();
            while state.outcome().is_none() {
                if (BOARD & !state.all).count_ones() <= free {
                    found.push(state);
                }
                let mv = random_move(&state, &mut rng, &mut buffer).expect("the game goes on");
                state = state.apply(&mv);
            }
        }
        found
    }

    #[test]
    fn what_is_said_is_true_where_few_squares_are_free() {
        let late = positions(11, 6_000, 1);
        for state in late.iter().step_by(10) {
            assert_eq!(check_solvable(state, 2, 1), Ok(()), "{state:?}");
        }
        // Won at once, lost in 2, no win left, no loss left, and neither.
        let mut seen = [0; 5];
        for state in late {
            let Limits { least, most } = state.limits();
            seen[0] += usize::from(least.plies == 1);
            seen[1] += usize::from(most.plies == 2);
            seen[2] += usize::from(least != most && most == Worth::DRAW);
            seen[3] += usize::from(least != most && least == Worth::DRAW);
            seen[4] += usize::from(least == most && most == Worth::DRAW);
        }
        assert!(seen.iter().all(|&seen| seen > 20), "{seen:?}");
    }

    #[test]
    fn the_next_two_plies_are_seen_on_every_board() {
        let moves = |state: &ConnectFour| {
            let mut moves = Vec::new();
            state.moves(&mut moves);
            moves
        };
        let wins = |state: &ConnectFour| moves(state).iter().any(|mv| state.apply(mv).won);
        let mut seen = [0; 3];
        for state in positions(42, 20_000, 2) {
            let (won, exact) = (wins(&state), state.limits().exact());
            let mut safe = moves(&state);
            safe.retain(|mv| !wins(&state.apply(mv)));
            let lost = !won && safe.is_empty();
            assert_eq!(exact == Some(Worth { points: 1, plies: 1 }), won, "{state:?}");
            assert_eq!(exact == Some(Worth { points: -1, plies: 2 }), lost, "{state:?}");
            let mut tried = Vec::new();
            state.moves_to_solve(&mut tried);
            if won {
                assert!(tried.iter().all(|mv| state.apply(mv).won), "{state:?}");
            } else {
                let expected = if lost { moves(&state) } else { safe };
                tried.sort_by_key(|mv| mv.index());
                assert_eq!(tried, expected, "{state:?}");
            }
            seen[usize::from(won) + 2 * usize::from(lost)] += 1;
        }
        assert!(seen.iter().all(|&seen| seen > 200), "{seen:?}");
    }

    #[test]
    fn a_board_shares_its_canonical_key_with_its_mirror_image_only() {
        let mut boards: HashMap<u64, (u64, u64)> = HashMap::new();
        for state in positions(42, 5_000, 3) {
            let text = state.position_text();
            let turned: String =
                text.chars().map(|digit| char::from(b'0' + b'8' - digit as u8)).collect();
            let image = ConnectFour::parse_position(&turned).expect("columns");
            assert_eq!(mirrored(state.key()), image.key(), "{text}");
            assert_eq!(state.canonical_key(), image.canonical_key(), "{text}");
            let (one, other) = (state.key(), image.key());
            let pair = (one.min(other), one.max(other));
            let first = *boards.entry(state.canonical_key()).or_insert(pair);
            assert_eq!(first, pair, "{text}");
        }
        assert!(boards.len() > 3_000, "{}", boards.len());
    }

    #[test]
    fn a_move_promises_as_much_as_it_has_squares_that_win() {
        let mut seen = 0;
        for state in positions(42, 5_000, 4) {
            let mut moves = Vec::new();
            state.moves_to_solve(&mut moves);
            for mv in moves {
                let after = state.apply(&mv);
                if after.outcome().is_some() {
                    continue;
                }
                let mine = after.own ^ after.all;
                let free =
                    (0..64).map(|bit| 1u64 << bit).filter(|bit| BOARD & !after.all & bit != 0);
                let winning = free.filter(|bit| super::has_four(mine | bit)).count();
                assert_eq!(state.promise(&mv, &after), winning as i32, "{state:?} {mv:?}");
                seen += winning;
            }
        }
        assert!(seen > 1_000, "{seen}");
    }
}
