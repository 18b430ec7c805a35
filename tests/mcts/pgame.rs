//! P-games: random game trees whose exact values are known.

use std::collections::HashMap;

use playtree::game::RolloutPolicy;
use playtree::{GameState, Outcome, Rng};

/// A position of a P-game.
#[derive(Clone, Copy)]
pub(crate) struct PGame {
    seed: u64,
    /// The path so far in the tree form; unused in the graph form.
    path: u64,
    sum: i32,
    pub(crate) depth: u32,
    pub(crate) form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) branching: u64,
    pub(crate) depth: u32,
    /// The largest number that a move of the graph form adds; `None` for the tree form.
    pub(crate) spread: Option<u64>,
}

pub(crate) const TREE: Form = Form { branching: 2, depth: 20, spread: None };
/// 64 bits that look random (the finaliser of splitmix64).
fn scramble(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl PGame {
    fn new(form: Form, seed: u64) -> Self {
        Self { seed: scramble(seed + 1), path: 1, sum: 0, depth: 0, form }
    }

    pub(crate) fn step(&self, mv: u64) -> Self {
        let random = |place: u64| scramble(self.seed ^ scramble(place));
        let (path, value) = match self.form.spread {
            None => {
                let path = self.path * self.form.branching + mv;
                let value = (random(path) % 128) as i32;
                (path, if self.mover() == 0 { value } else { -value })
            }
            Some(spread) => {
                let place = (u64::from(self.depth) << 40 | (self.sum + 10_000) as u64) * 8 + mv;
                (0, (random(place) % (2 * spread + 1)) as i32 - spread as i32)
            }
        };
        Self { path, sum: self.sum + value, depth: self.depth + 1, ..*self }
    }

    /// Whether the first player wins.
    fn first_wins(&self, known: &mut HashMap<(u32, i32), bool>) -> bool {
        if self.depth == self.form.depth {
            return self.sum > 0;
        }
        let place = (self.depth, self.sum);
        if let Some(&wins) = known.get(&place).filter(|_| self.form.spread.is_some()) {
            return wins;
        }
        let mut moves = 0..self.form.branching;
        let wins = if self.mover() == 0 {
            moves.any(|mv| self.step(mv).first_wins(known))
        } else {
            moves.all(|mv| self.step(mv).first_wins(known))
        };
        if self.form.spread.is_some() {
            known.insert(place, wins);
        }
        wins
    }
}

impl GameState for PGame {
    type Key = (u64, i32, u32);
    type Move = u64;

    fn key(&self) -> Self::Key {
        (self.path, self.sum, self.depth)
    }

    fn mover(&self) -> usize {
        (self.depth % 2) as usize
    }

    fn plies(&self) -> u32 {
        self.depth
    }

    fn moves(&self, moves: &mut Vec<u64>) {
        if self.depth < self.form.depth {
            moves.extend(0..self.form.branching);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.depth == self.form.depth).then(|| Outcome::Win(usize::from(self.sum <= 0)))
    }

    fn apply(&self, mv: &u64) -> Self {
        self.step(*mv)
    }

    fn rollouts() -> impl RolloutPolicy<Self> + 'static {
        ToTheEnd
    }
}

struct ToTheEnd;

impl RolloutPolicy<PGame> for ToTheEnd {
    fn next_move(&self, state: &PGame, rng: &mut Rng, _: &mut Vec<u64>) -> Option<u64> {
        Some(rng.below(state.form.branching as usize) as u64)
    }

    fn play(&self, state: &PGame, rng: &mut Rng) -> Option<Outcome> {
        let mut state = *state;
        while state.depth < state.form.depth {
            state = state.step(rng.below(state.form.branching as usize) as u64);
        }
        state.outcome()
    }
}

/// A decisive game and which of its first moves win.
pub(crate) struct Decisive {
    pub(crate) game: PGame,
    pub(crate) wins: Vec<bool>,
}

pub(crate) fn decisive(form: Form, count: usize) -> Vec<Decisive> {
    let solve = |seed| {
        let game = PGame::new(form, seed);
        let mut known = HashMap::new();
        let wins = (0..form.branching).map(|mv| game.step(mv).first_wins(&mut known)).collect();
        Decisive { game, wins }
    };
    let mixed =
        |decisive: &Decisive| decisive.wins.contains(&true) && decisive.wins.contains(&false);
    (0..).map(solve).filter(mixed).take(count).collect()
}
