//! Uniformly random games, for the peers and for the limit that no search can pass.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use playtree::game::RolloutPolicy;
use playtree::{GameState, Outcome, Rng};

/// Plays uniformly random games for an engine that hands its callback no generator.
///
/// Each thread that calls gets a generator of its own, the same type and as cheap to reach
/// as the one that playtree hands to a game. One value serves one search, or all those of a
/// tree that is kept: the generators are seeded anew for each value, and for a thread that has
/// served another value in between.
#[derive(Debug)]
pub(crate) struct Rollouts {
    /// Which value a thread's generator was seeded for.
    id: u64,
    seed: u64,
    /// Threads that have asked so far.
    threads: AtomicU64,
    /// Rollouts played, for the tests only: a shared counter would cost the peers speed.
    #[cfg(test)]
    pub(crate) played: std::sync::Arc<AtomicU64>,
}

/// Makes ids. Relaxed: only their being different counts.
static NEXT_ID: AtomicU64 = AtomicU64::new(1);

thread_local! {
    /// The id of the `Rollouts` seen last, and the generator seeded for it.
    static LOCAL: RefCell<Option<(u64, Rng)>> = const { RefCell::new(None) };
}

impl Rollouts {
    /// Rollouts for one search.
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            seed,
            threads: AtomicU64::new(0),
            #[cfg(test)]
            played: std::sync::Arc::default(),
        }
    }

    /// How a random game from `state` ends, or how the game has ended at `state`.
    #[inline]
    pub(crate) fn outcome<G: GameState>(&self, state: &G) -> Outcome {
        if let Some(outcome) = state.outcome() {
            return outcome;
        }
        #[cfg(test)]
        self.played.fetch_add(1, Ordering::Relaxed);
        LOCAL.with_borrow_mut(|local| match local {
            Some((id, rng)) if *id == self.id => fastest(state, rng),
            _ => {
                let (_, rng) = local.insert((self.id, self.generator()));
                fastest(state, rng)
            }
        })
    }

    /// The generator of the thread that asks first for the n-th time.
    #[cold]
    fn generator(&self) -> Rng {
        let thread = self.threads.fetch_add(1, Ordering::Relaxed);
        Rng::from_seed(mixed(self.seed, thread))
    }
}

/// A random game by the game's own fastest way, move by move if it has none.
#[inline]
pub(crate) fn fastest<G: GameState>(state: &G, rng: &mut Rng) -> Outcome {
    match G::rollouts().play(state, rng) {
        Some(outcome) => outcome,
        None => walked(state, rng, &mut Vec::new()),
    }
}

/// A random game move by move. `buffer` is scratch space.
#[inline]
pub(crate) fn walked<G: GameState>(state: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> Outcome {
    let mut state = state.clone();
    loop {
        if let Some(outcome) = state.outcome() {
            return outcome;
        }
        let mv = G::rollouts()
            .next_move(&state, rng, buffer)
            .expect("a game that goes on has a legal move");
        state.apply_in_place(&mv);
    }
}

/// Plays random games from one position side by side.
#[derive(Debug)]
pub(crate) struct Together<'a, G> {
    positions: Vec<&'a G>,
    outcomes: Vec<Outcome>,
}

impl<'a, G: GameState> Together<'a, G> {
    /// The number of games that the game takes at a time; none if it has no way to do that.
    pub(crate) fn new(state: &'a G) -> Self {
        let count = G::rollouts().side_by_side();
        Self { positions: vec![state; count], outcomes: vec![Outcome::Draw; count] }
    }

    /// How each has ended.
    #[inline]
    pub(crate) fn play(&mut self, rng: &mut Rng) -> &[Outcome] {
        G::rollouts().play_side_by_side(&self.positions, rng, &mut self.outcomes, &mut []);
        &self.outcomes
    }
}

/// A seed for the `index`-th of the things that share `seed`.
pub(crate) fn mixed(seed: u64, index: u64) -> u64 {
    Rng::from_seed(seed ^ index.wrapping_mul(0x9E37_79B9_7F4A_7C15)).next_u64()
}
