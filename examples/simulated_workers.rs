//! What many workers cost in playing strength, measured without the cores.
//!
//! One thread plays W workers whose results reach the tree late. The table shows in how many
//! of a hundred random games (P-games, Smith and Nau 1994) the search then plays a losing
//! move, for each way to count what is under way. Arguments: games, and simulations of each
//! search; 200 and 1024 if not given.

use playtree::{Budget, GameState, InFlight, Mcts, Outcome, Parallelism, Rng, RoundSize};
use playtree::{ConfigError, Selection};

const DEPTH: u32 = 20;

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

/// An engine whose workers select one simulation each before the first result is applied.
fn engine(workers: usize, in_flight: InFlight, seed: u64) -> Result<Mcts<PGame>, ConfigError> {
    let builder = Mcts::builder().parallelism(Parallelism::Simulated { workers });
    let builder = builder.round_size(RoundSize::Fixed(1)).proofs(false).seed(seed);
    builder.selection(Selection::Ucb1 { exploration: 0.7 }).in_flight(in_flight).build()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default| arguments.next().map_or(Ok(default), |text| text.parse());
    let (count, simulations) = (number(200)?, number(1024)?);
    // Games in which one of the two moves wins and the other loses.
    let games = (1..).map(|seed| PGame { path: seed << 32, sum: 0, depth: 0 });
    let decisive = |game: &PGame| (0..2).filter(|mv| first_wins(&game.apply(mv))).count() == 1;
    let games: Vec<_> = games.filter(decisive).take(count as usize).collect();

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
                wrong += u32::from(first_wins(&game.apply(&mv)) != (game.mover() == 0));
            }
            shares.push(100.0 * f64::from(wrong) / games.len() as f64);
        }
        let [ignored, counted, lost, lost_thrice] = shares[..] else { continue };
        println!("{workers:7} {ignored:8.2} {counted:8.2} {lost:13.2} {lost_thrice:14.2}");
    }
    Ok(())
}
