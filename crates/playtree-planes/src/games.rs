//! The games that have planes.

use playtree::GameState;
use playtree::games::connect4::Column;
use playtree::games::othello::Placement;
use playtree::games::{ConnectFour, OthelloBoard};

use crate::{Form, PLANES, Planes, Symmetry};

/// The squares `columns * row + column` of a board whose rows have `columns` squares, from those
/// `stride` apart.
fn rows_together(squares: u64, stride: usize, rows: usize, columns: usize) -> u64 {
    let row = |row: usize| (squares >> (stride * row) & ((1 << columns) - 1)) << (columns * row);
    (0..rows).map(row).fold(0, |all, row| all | row)
}

/// The planes of these stones.
fn planes_of([own, other]: [u64; 2], free: u64, board: u64) -> [u64; PLANES] {
    let is_even = (own | other).count_ones() % 2 == 0;
    [own, other, free, board, if is_even { board } else { 0 }]
}

const fn form(game: &'static str, rows: usize, columns: usize, moves: usize) -> Form {
    Form { game, planes: PLANES, rows, columns, moves }
}

/// The squares of the board of a form.
const fn board(form: &Form) -> u64 {
    u64::MAX >> (64 - form.squares())
}

impl Planes for ConnectFour {
    const FORM: Form = form("connect4", 6, 7, 7);

    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::NONE, Symmetry::MIRRORED];

    fn planes(&self) -> [u64; PLANES] {
        let Form { rows, columns, .. } = Self::FORM;
        // From bit 7 c + r to bit 7 r + c.
        let by_rows = |stones: u64| {
            let squares = (0..columns).flat_map(|c| (0..rows).map(move |r| (c, r)));
            squares.fold(0, |all, (c, r)| all | (stones >> (7 * c + r) & 1) << (columns * r + c))
        };
        let mut stones = self.stones().map(by_rows);
        if self.mover() == 1 {
            stones.reverse();
        }
        let taken = stones[0] | stones[1];
        let free = if self.outcome().is_none() { !taken & (taken << columns | 0x7f) } else { 0 };
        planes_of(stones, free & board(&Self::FORM), board(&Self::FORM))
    }

    fn move_number(mv: &Column) -> usize {
        mv.index()
    }
}

impl<const SIZE: usize> Planes for OthelloBoard<SIZE> {
    const FORM: Form = form(
        match SIZE {
            4 => "othello 4",
            6 => "othello 6",
            _ => "othello",
        },
        SIZE,
        SIZE,
        SIZE * SIZE + 1,
    );

    const SYMMETRIES: &'static [Symmetry] = &Symmetry::OF_SQUARE;

    fn planes(&self) -> [u64; PLANES] {
        let mut discs = self.discs().map(|discs| rows_together(discs, 8, SIZE, SIZE));
        if self.mover() == 1 {
            discs.reverse();
        }
        let mut moves = Vec::with_capacity(32);
        self.moves(&mut moves);
        let squares = moves.iter().filter_map(|mv| mv.square()).fold(0, |all, at| all | 1 << at);
        planes_of(discs, rows_together(squares, 8, SIZE, SIZE), board(&Self::FORM))
    }

    fn move_number(mv: &Placement) -> usize {
        mv.square().map_or(SIZE * SIZE, |square| SIZE * (square / 8) + square % 8)
    }
}

#[cfg(test)]
mod tests {
    use playtree::games::othello::Placement;
    use playtree::games::{ConnectFour, Othello, OthelloBoard, ReferenceGame};
    use playtree::{GameState, Notation, Rng};

    use crate::{PLANES, Planes};

    /// The squares of a plane as text, row 0 first.
    fn text<G: Planes>(plane: u64) -> String {
        (0..G::FORM.squares())
            .map(|square| if plane >> square & 1 == 1 { 'x' } else { '-' })
            .collect()
    }

    #[test]
    fn planes_of_connect_four() {
        let state = ConnectFour::parse_position("4417").unwrap();
        let [own, other, free, board, even] = state.planes();
        let empty = "-".repeat(7);
        assert_eq!(text::<ConnectFour>(own), format!("x--x---{}", empty.repeat(5)));
        assert_eq!(text::<ConnectFour>(other), format!("------x---x---{}", empty.repeat(4)));
        assert_eq!(text::<ConnectFour>(free), format!("-xx-xx-x-----x---x---{}", empty.repeat(3)));
        assert_eq!([board, even], [(1 << 42) - 1; 2]);
        let [own, other, .., even] = ConnectFour::parse_position("44174").unwrap().planes();
        assert_eq!((own.count_ones(), other.count_ones(), even), (2, 3, 0));
        assert_eq!(own, state.planes()[1]);
    }

    #[test]
    fn planes_of_othello() {
        let start = OthelloBoard::<6>::new();
        let state = start.apply(&start.parse_move("c2").unwrap());
        let [own, other, free, _, even] = state.planes();
        // c2 turns c3 over: White has d4 alone, and moves next.
        let (d4, rest) = (1 << 21, 1 << 8 | 1 << 14 | 1 << 15 | 1 << 20);
        assert_eq!((own, other), (d4, rest));
        assert_eq!((own.count_ones(), other.count_ones(), even), (1, 4, 0));
        assert_eq!(free.count_ones() as usize, moves_of(&state).len());
        assert_eq!(OthelloBoard::<6>::move_number(&Placement::PASS), 36);
        assert_eq!(Othello::move_number(&Placement::new(7, 7).unwrap()), 63);
    }

    /// The numbers of moves are all different, in range, and those of the free squares; and the
    /// stones are those of the text of the position.
    fn planes_are_the_position<G: Planes + ReferenceGame + Default>() {
        assert_eq!(G::FORM.game, G::default().tag().name());
        for seed in 0..50 {
            let (mut rng, mut state) = (Rng::from_seed(seed), G::default());
            while state.outcome().is_none() {
                let moves = moves_of(&state);
                let numbers: Vec<usize> = moves.iter().map(G::move_number).collect();
                let [own, other, free, board, even]: [u64; PLANES] = state.planes();
                assert!(numbers.iter().all(|&number| number < G::FORM.moves), "{numbers:?}");
                let mut different = numbers.clone();
                different.sort_unstable();
                different.dedup();
                assert_eq!(different.len(), moves.len());
                let mut found: Vec<usize> = (0..64).filter(|at| free >> at & 1 == 1).collect();
                if G::FORM.moves == G::FORM.columns {
                    found.iter_mut().for_each(|square| *square %= G::FORM.columns);
                    found.sort_unstable();
                }
                let pass = G::FORM.squares();
                assert_eq!(found, if different == [pass] { vec![] } else { different });
                let stones = (own | other).count_ones();
                assert_eq!((own & other, (own | other) & free), (0, 0));
                assert_eq!(even, if stones % 2 == 0 { board } else { 0 });
                state = state.apply(&moves[rng.below(moves.len())]);
            }
            assert_eq!(state.planes()[2], 0, "no move after the end");
        }
    }

    fn moves_of<G: GameState>(state: &G) -> Vec<G::Move> {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        moves
    }

    #[test]
    fn planes_are_those_of_the_position() {
        planes_are_the_position::<ConnectFour>();
        planes_are_the_position::<OthelloBoard<4>>();
        planes_are_the_position::<OthelloBoard<6>>();
        planes_are_the_position::<Othello>();
    }
}
