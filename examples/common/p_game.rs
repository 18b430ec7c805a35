//! P-games (Smith and Nau 1994): random games whose winner can be computed.

use playtree::{GameState, Outcome, Rng};

/// Two moves at every node, each with a random value: the first player's add it to the sum,
/// the second's take it away. After `DEPTH` plies the first player wins if it is above 0.
#[derive(Clone, Copy)]
pub(crate) struct PGame<const DEPTH: u32> {
    path: u64,
    sum: i64,
    depth: u32,
}

impl<const DEPTH: u32> PGame<DEPTH> {
    /// The first `count` games in which one of the two moves wins and the other loses.
    pub(crate) fn decisive(count: usize) -> Vec<Self> {
        let games = (1..).map(|seed| Self { path: seed << 32, sum: 0, depth: 0 });
        let wins = |game: &Self| (0..2).filter(|mv| game.apply(mv).first_wins()).count();
        games.filter(|game| wins(game) == 1).take(count).collect()
    }

    /// Whether the first player wins with best play.
    pub(crate) fn first_wins(&self) -> bool {
        let wins = |mv| self.apply(&mv).first_wins();
        match self.outcome() {
            Some(outcome) => outcome == Outcome::Win(0),
            None if self.mover() == 0 => wins(0) || wins(1),
            None => wins(0) && wins(1),
        }
    }
}

impl<const DEPTH: u32> GameState for PGame<DEPTH> {
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
