//! Ways to turn a board over.

use crate::{Form, PLANES};

/// A way to turn the board over: mirrored left to right or not, then upside down or not, then along
/// the main diagonal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    mirrored: bool,
    upside_down: bool,
    transposed: bool,
}

impl Symmetry {
    /// The board as it is.
    pub const NONE: Self = Self::of(false, false, false);

    /// Left and right in each other's place.
    pub const MIRRORED: Self = Self::of(true, false, false);

    /// The eight of a square board.
    pub const OF_SQUARE: [Self; 8] = [
        Self::NONE,
        Self::MIRRORED,
        Self::of(false, true, false),
        Self::of(true, true, false),
        Self::of(false, false, true),
        Self::of(true, false, true),
        Self::of(false, true, true),
        Self::of(true, true, true),
    ];

    const fn of(mirrored: bool, upside_down: bool, transposed: bool) -> Self {
        Self { mirrored, upside_down, transposed }
    }

    /// Where a square of the board comes to lie.
    #[must_use]
    pub fn square(self, square: usize, form: &Form) -> usize {
        let (mut row, mut column) = (square / form.columns, square % form.columns);
        if self.mirrored {
            column = form.columns - 1 - column;
        }
        if self.upside_down {
            row = form.rows - 1 - row;
        }
        if self.transposed {
            (row, column) = (column, row);
        }
        form.columns * row + column
    }

    /// The number that a move has on the board turned over. Numbers are those of squares, or of
    /// columns where there is a move for each column; what lies beyond, as a pass, stays.
    #[must_use]
    pub fn move_number(self, number: usize, form: &Form) -> usize {
        if form.moves == form.columns {
            return if self.mirrored { form.columns - 1 - number } else { number };
        }
        if number < form.squares() { self.square(number, form) } else { number }
    }

    /// The planes of the board turned over.
    #[must_use]
    pub fn planes(self, planes: &[u64; PLANES], form: &Form) -> [u64; PLANES] {
        let mut turned = [0; PLANES];
        for square in 0..form.squares() {
            let to = self.square(square, form);
            for (turned, plane) in turned.iter_mut().zip(planes) {
                *turned |= (plane >> square & 1) << to;
            }
        }
        turned
    }
}

#[cfg(test)]
mod tests {
    use playtree::games::{ConnectFour, Othello, OthelloBoard};
    use playtree::{GameState, Notation, Rng};

    use super::Symmetry;
    use crate::Planes;

    /// Plays a random game on the board as it is, and for each symmetry the same one turned over:
    /// planes and moves belong together, to the end.
    fn games_turn_over<G: Planes + Default>(seed: u64) {
        for &symmetry in G::SYMMETRIES {
            let mut rng = Rng::from_seed(seed);
            // The first position may be another one when it is turned over: then so is the game.
            let (mut plain, mut turned) = (G::default(), G::default());
            if symmetry.planes(&plain.planes(), &G::FORM) != turned.planes() {
                continue;
            }
            while plain.outcome().is_none() {
                assert_eq!(symmetry.planes(&plain.planes(), &G::FORM), turned.planes());
                let moves = moves_of(&plain);
                let mv = &moves[rng.below(moves.len())];
                let number = symmetry.move_number(G::move_number(mv), &G::FORM);
                let others = moves_of(&turned);
                let other = others.iter().find(|other| G::move_number(other) == number);
                plain = plain.apply(mv);
                turned = turned.apply(other.expect("a move for each move"));
            }
            assert_eq!(plain.outcome(), turned.outcome());
        }
    }

    fn moves_of<G: GameState>(state: &G) -> Vec<G::Move> {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        moves
    }

    #[test]
    fn a_game_turned_over_is_the_same_game() {
        for seed in 0..20 {
            games_turn_over::<ConnectFour>(seed);
            games_turn_over::<OthelloBoard<6>>(seed);
            games_turn_over::<Othello>(seed);
        }
    }

    #[test]
    fn symmetries_are_what_they_are_called() {
        let form = OthelloBoard::<6>::FORM;
        let [_, mirrored, upside_down, _, transposed, ..] = Symmetry::OF_SQUARE;
        assert_eq!(mirrored.square(0, &form), 5);
        assert_eq!(upside_down.square(0, &form), 30);
        assert_eq!(transposed.square(1, &form), 6);
        assert_eq!(transposed.move_number(36, &form), 36);
        assert_eq!(Symmetry::MIRRORED.move_number(1, &ConnectFour::FORM), 5);
        let mut places: Vec<usize> =
            Symmetry::OF_SQUARE.iter().map(|symmetry| symmetry.square(1, &form)).collect();
        places.sort_unstable();
        assert_eq!(places, [1, 4, 6, 11, 24, 29, 31, 34]);
    }

    #[test]
    fn a_position_turned_over_is_one() {
        let one = ConnectFour::parse_position("1223").unwrap();
        let other = ConnectFour::parse_position("7665").unwrap();
        let turned = Symmetry::MIRRORED.planes(&one.planes(), &ConnectFour::FORM);
        assert_eq!(turned, other.planes());
        assert_ne!(one.planes(), other.planes());
    }
}
