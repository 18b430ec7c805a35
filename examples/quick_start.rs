//! Quick start: a game of your own, its best move and what it is worth.
//!
//! ```console
//! $ cargo run --release --example quick_start
//! ```

use std::error::Error;

use playtree::testing::check_game;
use playtree::{Budget, GameState, Mcts, Outcome};

/// The squares of X and of O, square `3 * row + column` is a bit: an octal digit is a row.
#[derive(Clone, Copy, Default)]
struct TicTacToe([u16; 2]);

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl GameState for TicTacToe {
    type Key = [u16; 2];
    type Move = u16;

    fn key(&self) -> [u16; 2] {
        self.0
    }
    fn mover(&self) -> usize {
        self.plies() as usize % 2
    }
    fn plies(&self) -> u32 {
        (self.0[0] | self.0[1]).count_ones()
    }
    fn moves(&self, moves: &mut Vec<u16>) {
        if self.outcome().is_none() {
            moves.extend((0..9).filter(|square| (self.0[0] | self.0[1]) >> square & 1 == 0));
        }
    }
    fn outcome(&self) -> Option<Outcome> {
        let has_line = |player: &usize| LINES.iter().any(|line| self.0[*player] & line == *line);
        let full = (self.plies() == 9).then_some(Outcome::Draw);
        (0..2).find(has_line).map(Outcome::Win).or(full)
    }
    fn apply(&self, square: &u16) -> Self {
        let mut next = *self;
        next.0[self.mover()] |= 1 << square;
        next
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let start = TicTacToe::default();
    // Plays random games and checks that the rules above keep the laws of the trait.
    check_game(&start, 200, 1)?;

    // X in two corners and O between them: O must take a side now.
    let position = start.apply(&0).apply(&4).apply(&8);
    let mut mcts = Mcts::builder().seed(1).build()?;
    let report = mcts.search(&position, &Budget::simulations(100_000))?;

    println!("X . .\n. O .\n. . X\n");
    println!("O plays square {} (0 to 8, row by row).", report.best_move);
    match report.proven {
        Some(proven) => println!("Proven after {} simulations: {proven}.", report.simulations),
        None => println!("Its win rate is {:.3}.", report.win_rate),
    }
    for found in &report.moves {
        let proven = found.proven.map_or("open".to_owned(), |proven| proven.to_string());
        println!("  square {}: {} visits, {proven}", found.mv, found.visits);
    }
    assert!(report.best_move % 2 == 1, "a corner loses");
    Ok(())
}
