//! Games played out, for the peers and for the limit that no search can pass.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use playtree::game::{RolloutPolicy, UniformMoves};
use playtree::{GameState, Outcome, Rng};

/// Plays games out for an engine that hands its callback no generator.
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
    /// Whether moves are uniformly random whatever the game's own rollouts see.
    is_uniform: bool,
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
    /// The game's own rollouts, for one search.
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            seed,
            is_uniform: false,
            threads: AtomicU64::new(0),
            #[cfg(test)]
            played: std::sync::Arc::default(),
        }
    }

    /// Rollouts that know the rules and nothing else.
    pub(crate) fn uniform(seed: u64) -> Self {
        Self { is_uniform: true, ..Self::new(seed) }
    }

    /// How a rollout from `state` ends, or how the game has ended at `state`.
    #[inline]
    pub(crate) fn outcome<G: GameState>(&self, state: &G) -> Outcome {
        if let Some(outcome) = state.outcome() {
            return outcome;
        }
        #[cfg(test)]
        self.played.fetch_add(1, Ordering::Relaxed);
        LOCAL.with_borrow_mut(|local| match local {
            Some((id, rng)) if *id == self.id => self.played_out(state, rng),
            _ => {
                let (_, rng) = local.insert((self.id, self.generator()));
                self.played_out(state, rng)
            }
        })
    }

    #[inline]
    fn played_out<G: GameState>(&self, state: &G, rng: &mut Rng) -> Outcome {
        if self.is_uniform {
            by_policy(state, &UniformMoves, rng, &mut Vec::with_capacity(MANY_MOVES))
        } else {
            fastest(state, rng)
        }
    }

    /// The generator of the thread that asks first for the n-th time.
    #[cold]
    fn generator(&self) -> Rng {
        let thread = self.threads.fetch_add(1, Ordering::Relaxed);
        Rng::from_seed(mixed(self.seed, thread))
    }
}

/// Room for the moves of a position, so that their list rarely grows.
const MANY_MOVES: usize = 128;

/// A rollout by the game's own fastest way, move by move if it has none.
#[inline]
pub(crate) fn fastest<G: GameState>(state: &G, rng: &mut Rng) -> Outcome {
    match G::rollouts().play(state, rng) {
        Some(outcome) => outcome,
        None => walked(state, rng, &mut Vec::new()),
    }
}

/// A rollout of the game's own, move by move. `buffer` is scratch space.
#[inline]
pub(crate) fn walked<G: GameState>(state: &G, rng: &mut Rng, buffer: &mut Vec<G::Move>) -> Outcome {
    by_policy(state, &G::rollouts(), rng, buffer)
}

/// A rollout by a policy, move by move. `buffer` is scratch space.
#[inline]
fn by_policy<G: GameState>(
    state: &G,
    policy: &impl RolloutPolicy<G>,
    rng: &mut Rng,
    buffer: &mut Vec<G::Move>,
) -> Outcome {
    let mut state = state.clone();
    loop {
        if let Some(outcome) = state.outcome() {
            return outcome;
        }
        let mv =
            policy.next_move(&state, rng, buffer).expect("a game that goes on has a legal move");
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

#[cfg(test)]
mod tests {
    use playtree::game::RolloutPolicy;
    use playtree::{GameState, Outcome, Rng};

    use super::Rollouts;

    /// A player wins by playing 1. The game's own rollouts know that.
    #[derive(Clone)]
    struct Choice(Option<usize>);

    impl GameState for Choice {
        type Key = Option<usize>;
        type Move = usize;

        fn key(&self) -> Self::Key {
            self.0
        }

        fn mover(&self) -> usize {
            0
        }

        fn plies(&self) -> u32 {
            u32::from(self.0.is_some())
        }

        fn moves(&self, moves: &mut Vec<usize>) {
            moves.extend([0, 1]);
        }

        fn outcome(&self) -> Option<Outcome> {
            self.0.map(|played| Outcome::Win(1 - played))
        }

        fn apply(&self, mv: &usize) -> Self {
            Self(Some(*mv))
        }

        fn rollouts() -> impl RolloutPolicy<Self> + 'static {
            |_: &Self, _: &mut Rng, _: &mut Vec<usize>| Some(1)
        }
    }

    #[test]
    fn uniform_rollouts_know_nothing_of_the_games_own() {
        let won = |rollouts: Rollouts| {
            let outcomes = (0..1000).map(|_| rollouts.outcome(&Choice(None)));
            outcomes.filter(|outcome| *outcome == Outcome::Win(0)).count()
        };
        assert_eq!(won(Rollouts::new(1)), 1000);
        let found = won(Rollouts::uniform(1));
        assert!((400..=600).contains(&found), "{found} of 1000");
    }
}
