//! Three players: each takes a coin from an end of the row and wants the largest share.
//!
//! With three and more players each maximises his own score (max^n), and an outcome gives
//! each of them one. A plain search of the whole game stands beside the answer.
//!
//! ```console
//! $ cargo run --release --example three_players
//! ```

use std::error::Error;

use playtree::mcts::Selection;
use playtree::{Budget, GameState, Mcts, Outcome, Scores};

const COINS: [u32; 10] = [4, 11, 8, 11, 11, 7, 25, 4, 28, 14];

/// The row that is left, `first..end` of the coins, and what each player has.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Row {
    first: usize,
    end: usize,
    takings: [u32; 3],
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Left,
    Right,
}

impl GameState for Row {
    type Key = Row;
    type Move = End;
    const PLAYERS: usize = 3;

    fn key(&self) -> Row {
        *self
    }
    fn mover(&self) -> usize {
        self.plies() as usize % 3
    }
    fn plies(&self) -> u32 {
        (COINS.len() - (self.end - self.first)) as u32
    }
    fn moves(&self, moves: &mut Vec<End>) {
        if self.first < self.end {
            moves.extend([End::Left, End::Right]);
        }
    }
    fn outcome(&self) -> Option<Outcome> {
        let all: u32 = COINS.iter().sum();
        let shares = self.takings.map(|coins| f64::from(coins) / f64::from(all));
        let scores = Scores::new(&shares).expect("a share is between 0 and 1");
        (self.first == self.end).then_some(Outcome::Scores(scores))
    }
    fn apply(&self, end: &End) -> Self {
        let mut next = *self;
        match end {
            End::Left => next.first += 1,
            End::Right => next.end -= 1,
        }
        let coin = if *end == End::Left { self.first } else { next.end };
        next.takings[self.mover()] += COINS[coin];
        next
    }
}

/// What each player takes home if every player plays for himself, by looking at every game.
fn exact(row: &Row) -> [u32; 3] {
    let mut moves = Vec::new();
    row.moves(&mut moves);
    let ends = moves.iter().map(|end| exact(&row.apply(end)));
    ends.max_by_key(|takings| takings[row.mover()]).unwrap_or(row.takings)
}

fn main() -> Result<(), Box<dyn Error>> {
    // The shares of good and bad moves lie close together, so little exploration is enough.
    let selection = Selection::Ucb1 { exploration: 0.1 };
    let mut mcts = Mcts::builder().seed(1).selection(selection).build()?;
    let mut row = Row { first: 0, end: COINS.len(), takings: [0; 3] };
    let all: u32 = COINS.iter().sum();
    println!("{COINS:?}\n\nplayer  takes   expected takings    exact, with best play from here");
    while row.outcome().is_none() {
        let report = mcts.search(&row, &Budget::simulations(50_000))?;
        let takings = report.scores.iter().map(|share| format!("{:4.1}", share * f64::from(all)));
        let takings: Vec<_> = takings.collect();
        let (player, end) = (row.mover() + 1, report.best_move);
        println!("{player}       {end:5?}   {}    {:?}", takings.join("  "), exact(&row));
        row = row.apply(&end);
    }
    println!("\nThe takings are {:?} of {all}.", row.takings);
    Ok(())
}
