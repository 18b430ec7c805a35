//! The literal design beside the fast one, with each node-lock policy and 1, 2, 8 workers.
//!
//! Speed, nodes and drops are those of Connect Four; the error is the share of random games
//! (P-games, Smith and Nau 1994) in which 400 simulations choose a losing move.

use std::time::Duration;

use playtree::games::ConnectFour;
use playtree::{
    Budget, Expansion, GameState, InFlight, LockPolicy, Mcts, MctsBuilder, Outcome, Rng, RoundSize,
    Table, WarmUpDraw,
};

const DEPTH: u32 = 16;

/// Two moves at every node, each with a random value: the first player's add it to the sum,
/// the second's take it away. Above 0 the first player wins.
#[derive(Clone, Copy)]
struct PGame {
    path: u64,
    sum: i64,
    depth: u32,
}

impl GameState for PGame {
    type Key = u64;
    type Move = u64;

    fn key(&self) -> u64 {
        self.path
    }
    fn mover(&self) -> usize {
        self.depth as usize % 2
    }
    fn plies(&self) -> u32 {
        self.depth
    }
    fn moves(&self, moves: &mut Vec<u64>) {
        moves.extend((0..2).filter(|_| self.depth < DEPTH));
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.depth == DEPTH).then(|| Outcome::Win(usize::from(self.sum <= 0)))
    }
    fn apply(&self, mv: &u64) -> Self {
        let path = 2 * self.path + mv;
        let value = Rng::from_seed(path).below(128) as i64;
        Self { path, sum: self.sum + [value, -value][self.mover()], depth: self.depth + 1 }
    }
}

/// Whether the first player wins with best play.
fn first_wins(game: &PGame) -> bool {
    let wins = |mv| first_wins(&game.apply(&mv));
    match game.outcome() {
        Some(outcome) => outcome == Outcome::Win(0),
        None if game.mover() == 0 => wins(0) || wins(1),
        None => wins(0) && wins(1),
    }
}

/// An engine with more workers than there are cores, if so many are asked for.
fn settings<G: GameState>(literal: bool, policy: LockPolicy, workers: usize) -> MctsBuilder<G> {
    let fast = Mcts::builder().threads(workers).oversubscribe(true).lock_policy(policy);
    if !literal {
        return fast.proofs(false);
    }
    let literal =
        fast.proofs(false).expansion(Expansion::Everything).warm_up_draw(WarmUpDraw::AnyBranch);
    literal.table(Table::OneLock).round_size(RoundSize::Fixed(1)).in_flight(InFlight::Ignore)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Games in which one of the two moves wins and the other loses.
    let games = (1..).map(|seed| PGame { path: seed << 32, sum: 0, depth: 0 });
    let decisive = |game: &PGame| (0..2).filter(|mv| first_wins(&game.apply(mv))).count() == 1;
    let games: Vec<_> = games.filter(decisive).take(100).collect();

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
                    wrong += i32::from(!first_wins(&game.apply(&mv)));
                }
                print!("{name:13}  {:6} {workers:8} ", format!("{policy:?}"));
                print!("{:14.0} {:9} ", report.simulations_per_second(), report.nodes);
                println!("{dropped:6.2} % {:6.2}", f64::from(wrong) / games.len() as f64);
            }
        }
    }
    Ok(())
}
