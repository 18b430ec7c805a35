//! What many workers cost in playing strength, measured without the cores.
//!
//! One thread plays W workers whose results reach the tree late. The table shows in how many
//! of a hundred random games (P-games, Smith and Nau 1994) the search then plays a losing
//! move, for each way to count what is under way. Arguments: games, and simulations of each
//! search; 200 and 1024 if not given.

#[path = "common/p_game.rs"]
mod p_game;

use p_game::PGame;
use playtree::ConfigError;
use playtree::mcts::Selection;
use playtree::mcts::{InFlight, Parallelism, RoundSize};
use playtree::{Budget, GameState, Mcts};

/// The random games, all of this many plies.
type Game = PGame<20>;

/// An engine whose workers select one simulation each before the first result is applied.
fn engine(workers: usize, in_flight: InFlight, seed: u64) -> Result<Mcts<Game>, ConfigError> {
    let builder = Mcts::builder().parallelism(Parallelism::Simulated { workers });
    let builder = builder.round_size(RoundSize::Fixed(1)).proofs(false).seed(seed);
    builder.selection(Selection::Ucb1 { exploration: 0.7 }).in_flight(in_flight).build()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default| arguments.next().map_or(Ok(default), |text| text.parse());
    let (count, simulations) = (number(200)?, number(1024)?);
    let games = Game::decisive(count as usize);

    println!("losing moves in % of {count} games, {simulations} simulations");
    println!("workers  ignored  counted  1 lost visit  3 lost visits");
    let lost = |weight| InFlight::VirtualLoss { weight };
    let policies = [InFlight::Ignore, InFlight::Count, lost(1.0), lost(3.0)];
    for workers in [1, 4, 16, 64, 256] {
        let mut shares = Vec::new();
        for policy in policies {
            let mut wrong = 0;
            for (seed, game) in (0..).zip(&games) {
                let mv = engine(workers, policy, seed)?
                    .best_move(game, &Budget::simulations(simulations))?;
                wrong += u32::from(game.apply(&mv).first_wins() != (game.mover() == 0));
            }
            shares.push(100.0 * f64::from(wrong) / games.len() as f64);
        }
        let [ignored, counted, lost, lost_thrice] = shares[..] else { continue };
        println!("{workers:7} {ignored:8.2} {counted:8.2} {lost:13.2} {lost_thrice:14.2}");
    }
    Ok(())
}
