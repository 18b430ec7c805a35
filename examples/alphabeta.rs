//! An evaluator for Othello in a few lines, and an alpha-beta search with it.
//!
//! `cargo run --release --example alphabeta`

use std::time::Duration;

use playtree::games::Othello;
use playtree::{AlphaBeta, Budget, Evaluate, GameState, Notation};

/// Corners are good, and discs are not until late: few of them leave few moves to the other side.
struct Corners;

const CORNERS: u64 = 0x8100_0000_0000_0081;

impl Evaluate<Othello> for Corners {
    /// The unit is a hundredth of a disc.
    fn evaluate(&self, state: &Othello) -> i32 {
        let [black, white] = state.discs();
        let worth = |discs: u64| 800 * (discs & CORNERS).count_ones() as i32;
        let late = (black | white).count_ones() >= 48;
        let disc = if late { 100 } else { -50 };
        let discs = black.count_ones() as i32 - white.count_ones() as i32;
        let value = worth(black) - worth(white) + disc * discs;
        if state.mover() == 0 { value } else { -value }
    }

    /// Corners first: the search is faster the earlier it tries the best move.
    fn promise(&self, _: &Othello, mv: &<Othello as GameState>::Move) -> i32 {
        i32::from(mv.square().is_some_and(|square| CORNERS >> square & 1 == 1))
    }

    /// A move is known by its square, in every position.
    fn slot(&self, _: &Othello, mv: &<Othello as GameState>::Move) -> Option<u16> {
        mv.square().map(|square| square as u16)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut state = Othello::new();
    let mut engine = AlphaBeta::builder(Corners).build()?;
    for _ in 0..4 {
        let report = engine.search(&state, &Budget::time(Duration::from_millis(200)))?;
        let line = line_text(&state, &report.pv);
        println!(
            "{} at depth {} of {}: {}",
            report.score,
            report.depth,
            report.selective_depth,
            line.join(" ")
        );
        println!("    {} positions, {:.0} a second", report.nodes, report.nodes_per_second());
        state.apply_in_place(&report.best_move);
    }
    println!("{}", state.board_text());
    Ok(())
}

/// The moves of a line as text.
fn line_text(state: &Othello, line: &[<Othello as GameState>::Move]) -> Vec<String> {
    let mut state = *state;
    let text = |mv| {
        let text = state.move_text(mv);
        state.apply_in_place(mv);
        text
    };
    line.iter().map(text).collect()
}
