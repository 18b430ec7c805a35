//! The literal design beside the fast one, with each node-lock policy and 1, 2, 8 workers.
//!
//! Speed, nodes and drops are those of Connect Four; the error is the share of random games
//! (P-games, Smith and Nau 1994) in which 400 simulations choose a losing move.

#[path = "common/p_game.rs"]
mod p_game;

use std::time::Duration;

use p_game::PGame;
use playtree::games::ConnectFour;
use playtree::mcts::{Expansion, InFlight, LockPolicy, RoundSize, TableLocks, WarmUpDraw};
use playtree::{Budget, GameState, Mcts, MctsBuilder};

/// The random games, all of this many plies.
type Game = PGame<16>;

/// An engine with more workers than there are cores, if `workers` asks for more.
fn settings<G: GameState>(literal: bool, policy: LockPolicy, workers: usize) -> MctsBuilder<G> {
    let fast = Mcts::builder().threads(workers).oversubscribe(true).lock_policy(policy);
    if !literal {
        return fast.proofs(false);
    }
    let literal =
        fast.proofs(false).expansion(Expansion::Everything).warm_up_draw(WarmUpDraw::AnyBranch);
    literal.table(TableLocks::OneLock).round_size(RoundSize::Fixed(1)).in_flight(InFlight::Ignore)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let games = Game::decisive(100);

    println!("configuration  policy  workers  simulations/s     nodes  dropped  error");
    let budget = Budget::time(Duration::from_millis(250)).and_nodes(1_000_000);
    for (name, literal) in [("literal", true), ("fast", false)] {
        for policy in [LockPolicy::Yield, LockPolicy::Block, LockPolicy::Defer] {
            for workers in [1, 2, 8] {
                let mut mcts = settings(literal, policy, workers).build()?;
                let report = mcts.search(&ConnectFour::default(), &budget)?;
                let dropped = 100.0 * report.dropped as f64 / report.simulations as f64;
                let mut wrong = 0;
                for game in &games {
                    let mut mcts = settings(literal, policy, workers).build()?;
                    let mv = mcts.best_move(game, &Budget::simulations(400))?;
                    wrong += i32::from(!game.apply(&mv).first_wins());
                }
                print!("{name:13}  {:6} {workers:8} ", format!("{policy:?}"));
                print!("{:14.0} {:9} ", report.simulations_per_second(), report.nodes);
                println!("{dropped:6.2} % {:6.2}", f64::from(wrong) / games.len() as f64);
            }
        }
    }
    Ok(())
}
