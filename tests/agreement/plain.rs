//! Plain negamax, and an evaluator that knows nothing: it hashes.

use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

use playtree::alphabeta::Score;
use playtree::evaluate::VALUE_LIMIT;
use playtree::game::Line;
use playtree::{Evaluate, GameState, Outcome};

/// A value for each position that has nothing to do with the game, and hints that have nothing to
/// do with the value. There are `values` different ones: few, so that there are ties.
#[derive(Clone, Debug)]
pub(crate) struct Hashed {
    pub(crate) values: u64,
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl<G: GameState> Evaluate<G> for Hashed {
    fn evaluate(&self, state: &G) -> i32 {
        (hash_of(&state.key()) % self.values) as i32 - (self.values / 2) as i32
    }

    fn promise(&self, state: &G, mv: &G::Move) -> i32 {
        let mut text = String::new();
        write!(text, "{mv:?}").unwrap();
        (hash_of(&(text, state.key())) % 5) as i32 - 3
    }

    fn slot(&self, _: &G, mv: &G::Move) -> Option<u16> {
        let mut text = String::new();
        write!(text, "{mv:?}").unwrap();
        Some(hash_of(&text) as u16)
    }
}

/// A win in no ply, on the scale of this file.
const WIN: i32 = 10 * VALUE_LIMIT;

/// A report's score on that scale.
pub(crate) fn number(score: Score) -> i32 {
    match score {
        Score::Win { plies } => WIN - plies as i32,
        Score::Value(value) => value,
        Score::Draw => 0,
        Score::Loss { plies } => plies as i32 - WIN,
    }
}

fn end(outcome: &Outcome, player: usize, ply: usize) -> i32 {
    match outcome.score(player) {
        1.0 => WIN - ply as i32,
        0.0 => ply as i32 - WIN,
        score => ((2.0 * score - 1.0) * f64::from(VALUE_LIMIT)).round() as i32,
    }
}

/// The value of the last position of `line`, `depth` plies deep, for its side to move.
fn negamax<G: GameState>(line: &mut Vec<G>, depth: u32, evaluator: &impl Evaluate<G>) -> i32 {
    let (state, ply) = (line.last().unwrap().clone(), line.len() - 1);
    if let Some(first) = line[..ply].iter().position(|before| before.key() == state.key()) {
        let cycle: Vec<_> = line[first..ply].iter().collect();
        // A verdict is not a proof.
        let verdict = state.repetition(&Line::new(&cycle, &state)).score(state.mover());
        return ((2.0 * verdict - 1.0) * f64::from(VALUE_LIMIT)).round() as i32;
    }
    if let Some(outcome) = state.outcome() {
        return end(&outcome, state.mover(), ply);
    }
    if depth == 0 {
        return evaluator.evaluate(&state);
    }
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let values = moves.iter().map(|mv| after(line, mv, depth, evaluator));
    values.max().expect("the game goes on")
}

fn after<G: GameState>(
    line: &mut Vec<G>,
    mv: &G::Move,
    depth: u32,
    evaluator: &impl Evaluate<G>,
) -> i32 {
    let state = line.last().unwrap();
    let (mover, next) = (state.mover(), state.apply(mv));
    let same = next.mover() == mover;
    line.push(next);
    let value = negamax(line, depth - 1, evaluator);
    line.pop();
    if same { value } else { -value }
}

/// The value of `state` at `depth`, and all moves that have it.
pub(crate) fn plain<G: GameState>(
    state: &G,
    depth: u32,
    evaluator: &impl Evaluate<G>,
) -> (i32, Vec<G::Move>) {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let line = &mut vec![state.clone()];
    let values: Vec<_> = moves.iter().map(|mv| after(line, mv, depth, evaluator)).collect();
    let best = *values.iter().max().expect("the game goes on");
    let best_moves = moves.into_iter().zip(values).filter(|(_, value)| *value == best);
    (best, best_moves.map(|(mv, _)| mv).collect())
}
