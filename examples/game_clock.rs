//! A game on the clock: Connect Four against itself, three seconds a side and 50 ms a move.
//!
//! The time manager turns the clock of the side to move into the budget of one move: longer
//! while the best move is unsettled, shorter once no other could overtake it, and never so
//! long that the game is lost on time.
//!
//! ```console
//! $ cargo run --release --example game_clock
//! ```

use std::error::Error;
use std::time::{Duration, Instant};

use playtree::budget::{GameClock, TimeManager};
use playtree::games::ConnectFour;
use playtree::{GameState, Mcts, Notation};

fn main() -> Result<(), Box<dyn Error>> {
    let clock = GameClock::Fischer {
        remaining: Duration::from_secs(3),
        increment: Duration::from_millis(50),
    };
    let mut clocks = [clock; 2];
    // A full board has 42 squares; most games are over a little earlier.
    let manager = TimeManager::new().expected_plies(38);
    // Each side has an engine of its own, and goes on from what it knew the move before.
    let engine = |seed| Mcts::builder().seed(seed).memory_limit(Some(1 << 28)).build();
    let mut engines = [engine(1)?, engine(2)?];
    let mut state = ConnectFour::new();

    println!("ply  move  win rate    took  of at most  clock after  stopped by");
    while state.outcome().is_none() {
        let (clock, mcts) = (&mut clocks[state.mover()], &mut engines[state.mover()]);
        let plan = manager.plan(*clock, state.plies());
        let begun = Instant::now();
        let report = mcts.search(&state, &manager.budget(*clock, state.plies()))?;
        let took = begun.elapsed();
        *clock = clock.after_move(took).ok_or("lost on time")?;
        println!(
            "{:3}  {:>4}  {:6.1} %  {:>6}  {:>10}  {:>11}  {}",
            state.plies() + 1,
            state.move_text(&report.best_move),
            100.0 * report.win_rate,
            format!("{} ms", took.as_millis()),
            format!("{} ms", plan.limit.as_millis()),
            format!("{} ms", clock.remaining().as_millis()),
            report.stop_reason,
        );
        state = state.apply(&report.best_move);
    }
    println!("\n{}", state.board_text());
    println!("\n{:?}; left on the clocks: {:?}", state.outcome(), clocks.map(|c| c.remaining()));
    Ok(())
}
