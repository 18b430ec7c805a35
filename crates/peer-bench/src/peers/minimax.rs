//! Adapter to `minimax` 0.6: UCT with virtual loss, proves wins and losses.
//!
//! Formula: `q + sqrt(2 * log2(N) / n)` with `q` in `[0, 1]`; the factor is fixed at 1, which
//! is `c = sqrt(2 / ln 2) = 1.70` on the scale of `q + c * sqrt(ln N / n)`. It plays the move
//! with the best mean, draws its ties from a generator that cannot be seeded, and frees its
//! tree before it returns, so that every search starts with an empty one.

use std::cell::Cell;
use std::marker::PhantomData;
use std::time::Instant;

use minimax::{MCTSOptions, MonteCarloTreeSearch, RolloutPolicy, Strategy, Winner};
use playtree::Outcome;

use crate::engine::{Engine, Found, Game, Limit, Seeds, Settings};
use crate::rollouts::Rollouts;

/// What the crate calls a proven win of the player who has just moved. A loss is its negative.
const PROVEN_WIN: i32 = i32::MAX;

thread_local! {
    /// When the crate has begun its verbose report, which is after the search and before the
    /// freeing of its tree.
    static REPORTED: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// A position, with the player whose move led to it: at the end of a game `mover` may name
/// either player.
#[derive(Clone)]
pub(crate) struct Position<G> {
    state: G,
    just_moved: u8,
}

impl<G: Game> Position<G> {
    fn winner(&self, outcome: Outcome) -> Winner {
        let score = outcome.score(usize::from(self.just_moved));
        if score > 0.5 {
            Winner::PlayerJustMoved
        } else if score < 0.5 {
            Winner::PlayerToMove
        } else {
            Winner::Draw
        }
    }
}

/// The rules as the crate wants them.
pub(crate) struct Rules<G>(PhantomData<fn() -> G>);

impl<G: Game> minimax::Game for Rules<G> {
    type S = Position<G>;
    type M = G::Move;

    #[inline]
    fn generate_moves(position: &Position<G>, moves: &mut Vec<G::Move>) -> Option<Winner> {
        let winner = Self::get_winner(position);
        if winner.is_none() {
            position.state.moves(moves);
        }
        winner
    }

    #[inline]
    fn apply(position: &mut Position<G>, mv: G::Move) -> Option<Position<G>> {
        let state = &position.state;
        Some(Position { state: state.apply(&mv), just_moved: state.mover() as u8 })
    }

    #[inline]
    fn get_winner(position: &Position<G>) -> Option<Winner> {
        position.state.outcome().map(|outcome| position.winner(outcome))
    }

    fn notation(_: &Position<G>, _: G::Move) -> Option<String> {
        REPORTED.set(REPORTED.get().or_else(|| Some(Instant::now())));
        None
    }
}

/// The hook by which the crate takes the game's own rollout.
struct Policy<G> {
    rollouts: Rollouts,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> RolloutPolicy for Policy<G> {
    type G = Rules<G>;

    fn random_move(
        &self,
        _: &mut Position<G>,
        _: &mut Vec<G::Move>,
        _: &mut rand09::rngs::SmallRng,
    ) -> Result<G::Move, Winner> {
        unreachable!("only the provided rollout calls this")
    }

    #[inline]
    fn rollout(&self, _: &MCTSOptions, position: &Position<G>) -> i32 {
        let (outcome, win) = match position.state.outcome() {
            Some(outcome) => (outcome, PROVEN_WIN),
            None => (self.rollouts.outcome(&position.state), 1),
        };
        match position.winner(outcome) {
            Winner::PlayerJustMoved => win,
            Winner::PlayerToMove => -win,
            Winner::Draw => 0,
        }
    }
}

/// The crate's search.
pub(crate) struct Minimax<G> {
    settings: Settings,
    seeds: Seeds,
    game: PhantomData<fn() -> G>,
    /// Rollouts of the last search.
    #[cfg(test)]
    pub(crate) played: std::sync::Arc<std::sync::atomic::AtomicU64>,
}

impl<G: Game> Minimax<G> {
    /// Sets the search up.
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            settings,
            seeds: Seeds::new(settings.seed),
            game: PhantomData,
            #[cfg(test)]
            played: std::sync::Arc::default(),
        }
    }
}

impl<G: Game> Engine<G> for Minimax<G> {
    fn search(&mut self, state: &G, limit: Limit) -> Found<G::Move> {
        let Settings { threads, split_freeing, .. } = self.settings;
        let rollouts = Rollouts::new(self.seeds.next());
        #[cfg(test)]
        {
            self.played = rollouts.played.clone();
        }
        let mut options = MCTSOptions::default().with_num_threads(threads);
        if split_freeing {
            options = options.verbose();
        }
        let policy = Box::new(Policy { rollouts, game: PhantomData });
        let mut search = MonteCarloTreeSearch::<Rules<G>>::new_with_policy(options, policy);
        let simulations = match limit {
            Limit::Simulations(count) => {
                let asked = u32::try_from(count).expect("the crate counts simulations in 32 bits");
                search.set_max_rollouts(asked);
                Some(count)
            }
            Limit::Time(time) => {
                search.set_timeout(time);
                None
            }
        };
        let position = Position { state: state.clone(), just_moved: 1 - state.mover() as u8 };
        REPORTED.set(None);
        let start = Instant::now();
        let best = search.choose_move(&position).expect("a position to be searched");
        let end = Instant::now();
        let searched = REPORTED.take().unwrap_or(end);
        Found {
            best,
            simulations,
            seconds: (searched - start).as_secs_f64(),
            freeing_seconds: (end - searched).as_secs_f64(),
        }
    }

    fn played(&mut self, _: &G::Move) {}

    fn release(&mut self) {}
}
