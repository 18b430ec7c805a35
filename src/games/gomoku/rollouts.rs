//! How games of Gomoku and the other m,n,k-games are played out: wins are seen, and stones come
//! near stones.

use crate::game::{GameState, Outcome, Played, RolloutPolicy};
use crate::games::bits::{down, each_word, members, random_member, up};
use crate::rng::Rng;

use super::evaluation::total;
use super::lines::has;
use super::{GomokuBoard, MAX_SIZE, Point, Rule};

/// How a search plays the game out: the first of these that there are, one of them at random.
///
/// 1. A point that wins.
/// 2. A point where the other side would win.
/// 3. A point next to a stone.
/// 4. Any point.
pub(super) struct GomokuRollouts;

impl<const WORDS: usize> RolloutPolicy<GomokuBoard<WORDS>> for GomokuRollouts {
    #[inline]
    fn next_move(
        &self,
        state: &GomokuBoard<WORDS>,
        rng: &mut Rng,
        _: &mut Vec<Point>,
    ) -> Option<Point> {
        if state.won || state.left() == 0 {
            return None;
        }
        let sides = [state.mover(), 1 - state.mover()];
        let wins = first_some(sides.map(|player| state.chances(player).wins));
        let points = first_some([wins, first_some([state.near(), state.empty()])]);
        Some(state.point_of(random_point(&points, rng)))
    }

    #[inline]
    fn play(&self, state: &GomokuBoard<WORDS>, rng: &mut Rng) -> Option<Outcome> {
        if state.won {
            return state.outcome();
        }
        Some(PlayOut::new(state).finish(rng))
    }

    #[inline]
    fn play_noting(
        &self,
        state: &GomokuBoard<WORDS>,
        rng: &mut Rng,
        played: &mut Played,
    ) -> Option<Outcome> {
        if state.won {
            return state.outcome();
        }
        let mut game = PlayOut::new(state);
        let outcome = game.finish(rng);
        for (player, (last, first)) in game.board.stones.iter().zip(&state.stones).enumerate() {
            for (word, (last, first)) in last.iter().zip(first).enumerate() {
                played.note_all(player, word, last & !first);
            }
        }
        Some(outcome)
    }
}

impl<const WORDS: usize> GomokuBoard<WORDS> {
    /// The empty points next to a stone.
    #[inline]
    fn near(&self) -> [u64; WORDS] {
        let (empty, stride) = (self.empty(), self.stride());
        let stones: [u64; WORDS] = each_word(|i| self.stones[0][i] | self.stones[1][i]);
        let (left, right) = (down(&stones, 1), up(&stones, 1));
        let level: [u64; WORDS] = each_word(|i| left[i] | stones[i] | right[i]);
        let (above, below) = (up(&level, stride), down(&level, stride));
        each_word(|i| (level[i] | above[i] | below[i]) & empty[i])
    }
}

/// The first of two sets, if it has members, otherwise the second.
#[inline]
fn first_some<const WORDS: usize>([first, second]: [[u64; WORDS]; 2]) -> [u64; WORDS] {
    if first == [0; WORDS] { second } else { first }
}

/// A random one of these points. There must be some.
#[inline]
fn random_point<const WORDS: usize>(points: &[u64; WORDS], rng: &mut Rng) -> usize {
    random_member(points, total(points) as usize, rng)
}

/// Lines of a board in one direction, at most.
const LINES: usize = 2 * MAX_SIZE - 1;

/// A game that is being played out: the position with its stones line by line besides, in which a
/// run of stones is counted by one instruction.
struct PlayOut<const WORDS: usize> {
    /// Whether it is won is not kept.
    board: GomokuBoard<WORDS>,
    empty: [u64; WORDS],
    /// The empty points next to a stone.
    near: [u64; WORDS],
    /// The stones of each side, line by line in each direction, a bit for each column, or for each
    /// row of a column.
    lines: [[[u32; LINES]; 4]; 2],
    /// Where each side wins at once.
    wins: [Wins; 2],
}

/// The points where a side wins at once: two of them at most, as one of two cannot be stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Wins {
    first: Option<u16>,
    second: Option<u16>,
}

impl Wins {
    #[inline]
    fn add(&mut self, bit: usize) {
        let bit = bit as u16;
        if self.first.is_none() {
            self.first = Some(bit);
        } else if self.first != Some(bit) {
            self.second = Some(bit);
        }
    }
}

impl<const WORDS: usize> PlayOut<WORDS> {
    #[inline]
    fn new(state: &GomokuBoard<WORDS>) -> Self {
        let mut game = Self {
            board: *state,
            empty: state.empty(),
            near: state.near(),
            lines: [[[0; LINES]; 4]; 2],
            wins: [Wins::default(); 2],
        };
        for player in 0..2 {
            for bit in members(&state.stones[player]) {
                game.add_to_lines(player, bit);
            }
            for bit in members(&state.chances(player).wins) {
                game.wins[player].add(bit);
            }
        }
        game
    }

    /// Plays on until a side has won, or wins whatever the other one does, or the board is full.
    #[inline]
    fn finish(&mut self, rng: &mut Rng) -> Outcome {
        while self.board.left() > 0 {
            let (mover, other) = (self.board.mover(), 1 - self.board.mover());
            if let Some(win) = self.wins[mover].first {
                self.put(mover, usize::from(win));
                return Outcome::Win(mover);
            }
            let bit = match self.wins[other].first.take() {
                Some(bit) => usize::from(bit),
                None => random_point(&first_some([self.near, self.empty]), rng),
            };
            if let Some(win) = self.wins[other].second {
                self.put(mover, bit);
                self.put(other, usize::from(win));
                return Outcome::Win(other);
            }
            self.set(bit);
        }
        Outcome::Draw
    }

    /// Puts a stone on a point, and changes nothing else.
    #[inline]
    fn put(&mut self, player: usize, bit: usize) {
        self.board.stones[player][bit / 64 % WORDS] |= 1 << (bit % 64);
    }

    /// The line through a point in each direction, and where the point lies in it.
    #[inline]
    fn lines_through(&self, bit: usize) -> [(usize, u32); 4] {
        let (columns, stride) = (self.board.columns(), self.board.stride() as u32);
        let (row, column) = (bit as u32 / stride, bit as u32 % stride);
        let (r, c) = (row as usize, column as usize);
        [(r, column), (r + c, column), (c, row), (r + columns - 1 - c, column)]
    }

    #[inline]
    fn add_to_lines(&mut self, player: usize, bit: usize) {
        let through = self.lines_through(bit);
        for (lines, (line, at)) in self.lines[player].iter_mut().zip(through) {
            lines[line] |= 1 << at;
        }
    }

    /// Puts a stone of the side to move on a point, and looks for points where it wins next.
    #[inline]
    fn set(&mut self, bit: usize) {
        let mover = self.board.mover();
        self.put(mover, bit);
        self.board.plies += 1;
        self.empty[bit / 64 % WORDS] &= !(1 << (bit % 64));
        self.add_to_lines(mover, bit);
        self.add_near(bit);
        self.add_wins(mover, bit);
    }

    /// Looks for points where `player` wins next by the stone that has come to `bit`: such a row
    /// has one free point, and that is the first behind the run of the stone, on either side.
    #[inline]
    fn add_wins(&mut self, player: usize, bit: usize) {
        let (bit, stride) = (bit as isize, self.board.stride() as isize);
        let k = u32::from(self.board.k);
        // Bits from one place of a line to the next: in a falling line the row is lower by one.
        let steps = [1, 1 - stride, stride, stride + 1];
        for ((line, at), (direction, step)) in
            self.lines_through(bit as usize).into_iter().zip(steps.into_iter().enumerate())
        {
            let stones = self.lines[player][direction][line];
            if stones.count_ones() + 1 < k {
                continue;
            }
            let (higher, lower) = (stones >> at, stones << (31 - at));
            // Each counts the stone itself, so that both are the length with one stone more.
            let (above, below) = (higher.trailing_ones(), lower.leading_ones());
            for (end, behind) in [
                (bit + step * above as isize, (higher >> above >> 1).trailing_ones()),
                (bit - step * below as isize, (lower << below << 1).leading_ones()),
            ] {
                let length = above + below + behind;
                if length == k || length > k && self.board.rule == Rule::KOrMore {
                    let end = usize::try_from(end).ok().filter(|&end| has(&self.empty, end));
                    end.into_iter().for_each(|end| self.wins[player].add(end));
                }
            }
        }
    }

    /// The empty points next to the one that was taken.
    #[inline]
    fn add_near(&mut self, bit: usize) {
        let stride = self.board.stride();
        let rows = [Some(bit), bit.checked_sub(stride), Some(bit + stride)];
        for middle in rows.into_iter().flatten() {
            // Three bits; there is none before bit 0.
            let (first, three) = if middle == 0 { (0, 3) } else { (middle - 1, 7u64) };
            if first / 64 < WORDS {
                self.near[first / 64] |= three << (first % 64);
                if first % 64 > 61 && first / 64 + 1 < WORDS {
                    self.near[first / 64 + 1] |= three >> (64 - first % 64);
                }
            }
        }
        for (near, empty) in self.near.iter_mut().zip(&self.empty) {
            *near &= empty;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::games::gomoku::{Gomoku, LargeGomoku};

    /// Plays random games and compares what a playout keeps with what the board says. Returns how
    /// often a side has come to one point where it wins, and to more.
    fn compare<const WORDS: usize>(start: GomokuBoard<WORDS>, rng: &mut Rng) -> [usize; 2] {
        let mut seen = [0; 2];
        for _ in 0..60 {
            let mut state = start;
            let mut game = PlayOut::new(&state);
            while state.outcome().is_none() {
                let mover = state.mover();
                let before = state.chances(mover).wins;
                game.wins[mover] = Wins::default();
                let bit = random_point(&state.empty(), rng);
                game.set(bit);
                state = state.apply(&state.point_of(bit));
                assert_eq!(
                    (game.board.stones, game.empty),
                    (state.stones, state.empty()),
                    "{state:?}"
                );
                if state.outcome().is_none() {
                    assert_eq!(game.near, state.near(), "{state:?}");
                }
                if !state.won && before == [0; WORDS] {
                    let wins = state.chances(mover).wins;
                    let after: Vec<_> = members(&wins).collect();
                    let found = game.wins[mover];
                    assert_eq!(found.first.is_some(), !after.is_empty(), "{state:?}");
                    assert_eq!(found.second.is_some(), after.len() > 1, "{state:?}");
                    let is_there = |first| after.contains(&usize::from(first));
                    assert!(found.first.is_none_or(is_there), "{state:?}");
                    seen[0] += usize::from(after.len() == 1);
                    seen[1] += usize::from(after.len() > 1);
                }
            }
        }
        seen
    }

    #[test]
    fn playouts_see_where_a_side_wins() {
        let mut rng = Rng::from_seed(7);
        let mut seen = [0; 2];
        for text in ["15:", "15 exact:", "9x7x4:", "7x9x4 exact:", "3x3x3:", "12x5x3:", "3x15x3:"] {
            let found = compare(Gomoku::parse_position(text).unwrap(), &mut rng);
            seen = [seen[0] + found[0], seen[1] + found[1]];
        }
        for text in ["20:", "19 exact:", "20x3x6:", "5x20x4 exact:"] {
            let found = compare(LargeGomoku::parse_position(text).unwrap(), &mut rng);
            seen = [seen[0] + found[0], seen[1] + found[1]];
        }
        assert!(seen[0] > 500 && seen[1] > 100, "{seen:?}");
    }

    #[test]
    fn moves_win_stop_wins_and_stay_near() {
        let moves = |text: &str| {
            let state = Gomoku::parse_position(text).unwrap();
            let mut rng = Rng::from_seed(8);
            let mut found: Vec<String> = (0..500)
                .map(|_| GomokuRollouts.next_move(&state, &mut rng, &mut Vec::new()).unwrap())
                .map(|mv| state.move_text(&mv))
                .collect();
            found.sort();
            found.dedup();
            found.join(" ")
        };
        // A win is taken, though the other side would have one too.
        assert_eq!(moves("9: b2 b8 c2 c8 d2 d8 e2 e8"), "a2 f2");
        assert_eq!(moves("9: b2 a8 c2 c8 d2 i9 e2"), "a2 f2");
        assert_eq!(moves("9: a1"), "a2 b1 b2");
        assert_eq!(moves("3x3x3: b2").split(' ').count(), 8);
        assert_eq!(moves("9:").split(' ').count(), 81);
    }
}
