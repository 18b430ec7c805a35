//! Evaluate positions: what a game of Connect Four is worth after each of its moves.
//!
//! One engine evaluates them all. What a search has learnt stays in its table, so the next
//! position of the same game does not begin from nothing.
//!
//! ```console
//! $ cargo run --release --example evaluate
//! ```

use std::error::Error;

use playtree::games::ConnectFour;
use playtree::{Budget, GameState, Mcts, Notation, Proven};

fn main() -> Result<(), Box<dyn Error>> {
    let mut mcts = Mcts::builder().seed(1).build()?;
    let budget = Budget::simulations(200_000);

    // `evaluate` is the short form: one number, for the side to move.
    let start = ConnectFour::default();
    println!("The start is worth {:.3} to the first player.\n", mcts.evaluate(&start, &budget)?);

    // `search` tells more. The second player does not see three in a row coming.
    println!("moves so far   to move   its value           first player's");
    let game = "443352";
    for length in 1..=game.len() {
        let position = ConnectFour::parse_position(&game[..length])?;
        let report = mcts.search(&position, &budget)?;
        let value = match report.proven {
            Some(Proven::Draw) => "proven draw".to_owned(),
            Some(proven) => format!("proven {proven}"),
            None => format!("{:.3}", report.win_rate),
        };
        let player = position.mover() + 1;
        println!("{:14} {player:7}   {value:21} {:.3}", &game[..length], report.scores[0]);
    }
    println!("\nWhat it has learnt stays for the next search:\n{mcts:?}");
    Ok(())
}
