//! A small game of three players, with codes of moves.

use playtree::game::{MoveCodes, MoveCoding};
use playtree::{GameState, Outcome, Scores};

/// Three players in turn mark nine fields; two are worth more than the others, and the
/// best move has no code.
#[derive(Clone)]
pub(crate) struct Fields {
    owners: [u8; 9],
    plies: u32,
}

impl Fields {
    pub(crate) fn new() -> Self {
        Self { owners: [0; 9], plies: 0 }
    }
}

impl GameState for Fields {
    type Key = [u8; 9];
    type Move = usize;
    const PLAYERS: usize = 3;

    fn key(&self) -> [u8; 9] {
        self.owners
    }
    fn mover(&self) -> usize {
        self.plies as usize % 3
    }
    fn plies(&self) -> u32 {
        self.plies
    }
    fn moves(&self, moves: &mut Vec<usize>) {
        moves.extend((0..9).filter(|&field| self.owners[field] == 0));
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.plies == 9).then(|| {
            let worth = |field: usize| [1, 1, 1, 1, 5, 1, 1, 1, 9][field];
            let score = |player: usize| {
                let owned = (0..9).filter(|&field| usize::from(self.owners[field]) == player + 1);
                owned.map(worth).sum::<u32>() as f64 / 21.0
            };
            Outcome::Scores(Scores::new(&[score(0), score(1), score(2)]).unwrap())
        })
    }
    fn apply(&self, field: &usize) -> Self {
        let mut next = self.clone();
        next.owners[*field] = 1 + self.mover() as u8;
        next.plies += 1;
        next
    }
    fn move_codes() -> Option<MoveCoding<Self>> {
        Some(MoveCoding::of_game())
    }
}

impl MoveCodes for Fields {
    const CODES: usize = 8;

    fn move_code(&self, field: &usize) -> usize {
        *field
    }
}
