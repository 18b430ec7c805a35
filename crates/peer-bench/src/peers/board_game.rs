//! Adapter to `board-game` 0.8: UCT with a solver, an arena of nodes, one thread.
//!
//! Formula: `q + c * sqrt(ln N / n)` with `q` in `[0, 1]`. The crate has no default constant;
//! its example uses 2.0. It makes all children of a node at once, tests each for the end of
//! the game, and stops when the root is solved. It has no way to go on with a tree that it has
//! built, so that every search starts with an empty one.
//!
//! The crate asks a board for random moves one at a time. [`Position`] answers the first such
//! request, which comes at the start of a rollout only, with the game's own whole rollout.

use std::cell::RefCell;
use std::fmt::{self, Debug, Display};
use std::ops::ControlFlow;
use std::time::Instant;

use board_game::ai::mcts::{Tree, mcts_build_tree};
use board_game::board::{
    Alternating, Board, BoardDone, BoardMoves, BoardSymmetry, Outcome, PlayError, Player,
};
use board_game::symmetry::UnitSymmetry;
use internal_iterator::InternalIterator;
use playtree::Rng;
use rand08::{Error, RngCore};

use crate::engine::{Engine, Found, Game, Limit, Seeds, Settings};
use crate::rollouts::fastest;

/// The constant of the crate's example.
const DEFAULT_EXPLORATION: f64 = 2.0;

/// Simulations of a first search that tells how fast the next ones will be.
const PROBE: u64 = 1_000;

/// A probe longer than this says that the root is solved at once.
const MOST_PROBED: u64 = 10_000_000;

thread_local! {
    /// The generator of the rollouts: the crate hands over its own as an unnamed type.
    static ROLLOUTS: RefCell<Option<Rng>> = const { RefCell::new(None) };
}

/// A position, or the end of a rollout from it.
#[derive(Clone)]
pub(crate) struct Position<G> {
    state: G,
    /// How the rollout has ended.
    rolled_out: Option<Outcome>,
}

/// The crate's two players are ours in order.
fn player(index: usize) -> Player {
    Player::BOTH[index]
}

fn translated(outcome: playtree::Outcome) -> Outcome {
    match super::first_player_value(outcome) {
        0 => Outcome::Draw,
        value => Outcome::WonBy(player(usize::from(value < 0))),
    }
}

impl<G: Game> Board for Position<G> {
    type Move = Move<G::Move>;

    #[inline]
    fn next_player(&self) -> Player {
        player(self.state.mover())
    }

    fn is_available_move(&self, mv: Self::Move) -> Result<bool, BoardDone> {
        self.check_done()?;
        let mut moves = Vec::new();
        self.state.moves(&mut moves);
        Ok(moves.contains(&mv.0))
    }

    #[inline]
    fn play(&mut self, mv: Self::Move) -> Result<(), PlayError> {
        self.state.apply_in_place(&mv.0);
        Ok(())
    }

    #[inline]
    fn clone_and_play(&self, mv: Self::Move) -> Result<Self, PlayError> {
        Ok(Self { state: self.state.apply(&mv.0), rolled_out: None })
    }

    #[inline]
    fn play_random_available_move(&mut self, _: &mut impl rand08::Rng) -> Result<(), BoardDone> {
        self.rolled_out = ROLLOUTS
            .with_borrow_mut(|rng| rng.as_mut().map(|rng| translated(fastest(&self.state, rng))));
        Ok(())
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.rolled_out.or_else(|| self.state.outcome().map(translated))
    }

    fn can_lose_after_move() -> bool {
        true
    }
}

impl<G: Game> Alternating for Position<G> {}

impl<G: Game> PartialEq for Position<G> {
    fn eq(&self, other: &Self) -> bool {
        self.state.key() == other.state.key()
    }
}

impl<G: Game> Eq for Position<G> {}

impl<G: Game> Debug for Position<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position after {} plies", self.state.plies())
    }
}

impl<G: Game> Display for Position<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(self, f)
    }
}

impl<G: Game> BoardSymmetry<Position<G>> for Position<G> {
    type Symmetry = UnitSymmetry;
    type CanonicalKey = ();

    fn map(&self, _: UnitSymmetry) -> Self {
        self.clone()
    }

    fn map_move(&self, _: UnitSymmetry, mv: Move<G::Move>) -> Move<G::Move> {
        mv
    }

    fn canonical_key(&self) {}
}

/// A move with the traits that the crate asks for.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Move<M>(M);

impl<M: PartialEq> Eq for Move<M> {}

impl<M: Debug> Debug for Move<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<M: Debug> Display for Move<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'a, G: Game> BoardMoves<'a, Position<G>> for Position<G> {
    type AllMovesIterator = Moves<G::Move>;
    type AvailableMovesIterator = Moves<G::Move>;

    fn all_possible_moves() -> Moves<G::Move> {
        unreachable!("the search asks for available moves only")
    }

    #[inline]
    fn available_moves(&'a self) -> Result<Moves<G::Move>, BoardDone> {
        self.check_done()?;
        let mut moves = Vec::new();
        self.state.moves(&mut moves);
        Ok(Moves(moves))
    }
}

/// The legal moves of a position.
#[derive(Clone)]
pub(crate) struct Moves<M>(Vec<M>);

impl<M> InternalIterator for Moves<M> {
    type Item = Move<M>;

    #[inline]
    fn try_for_each<R, F>(self, mut f: F) -> ControlFlow<R>
    where
        F: FnMut(Move<M>) -> ControlFlow<R>,
    {
        self.0.into_iter().try_for_each(|mv| f(Move(mv)))
    }
}

/// The same generator as everywhere, for the crate's own choices.
struct Choices(Rng);

impl RngCore for Choices {
    #[inline]
    fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    #[inline]
    fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next_u64().to_le_bytes()[..chunk.len()]);
        }
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        self.fill_bytes(bytes);
        Ok(())
    }
}

/// The crate's search.
pub(crate) struct BoardGame<G: Game> {
    settings: Settings,
    seeds: Seeds,
    tree: Option<Tree<Position<G>>>,
    /// Simulations per second of the last search.
    speed: Option<f64>,
}

impl<G: Game> BoardGame<G> {
    /// Sets the search up.
    pub(crate) fn new(settings: Settings) -> Self {
        Self { settings, seeds: Seeds::new(settings.seed), tree: None, speed: None }
    }

    fn search_for(&mut self, state: &G, simulations: u64) -> Found<G::Move> {
        let seed = self.seeds.next();
        ROLLOUTS.set(Some(Rng::from_seed(seed)));
        let mut choices = Choices(Rng::from_seed(!seed));
        let exploration = self.settings.exploration.unwrap_or(DEFAULT_EXPLORATION) as f32;
        let root = Position { state: state.clone(), rolled_out: None };
        let start = Instant::now();
        let tree = mcts_build_tree(&root, simulations, exploration, &mut choices);
        let seconds = start.elapsed().as_secs_f64();
        let best = tree.best_move().0;
        let done = tree[0].visits as u64;
        self.speed = Some(done as f64 / seconds);
        self.tree = Some(tree);
        Found { best, simulations: Some(done), seconds, freeing_seconds: 0.0 }
    }
}

impl<G: Game> Engine<G> for BoardGame<G> {
    /// The crate knows no time limit: a time becomes the number of simulations that the speed of
    /// the last search lets one expect.
    fn search(&mut self, state: &G, limit: Limit) -> Found<G::Move> {
        let time = match limit {
            Limit::Simulations(count) => return self.search_for(state, count),
            Limit::Time(time) => time,
        };
        if self.speed.is_none() {
            // Until a probe has taken a tenth of the time, or cannot be made longer.
            let mut probe = PROBE;
            while self.search_for(state, probe).seconds < time.as_secs_f64() / 10.0 {
                probe *= 2;
                if probe > MOST_PROBED {
                    break;
                }
            }
        }
        let speed = self.speed.unwrap_or_default();
        self.search_for(state, ((time.as_secs_f64() * speed) as u64).max(1))
    }

    fn played(&mut self, _: &G::Move) {
        self.tree = None;
    }

    fn release(&mut self) {
        self.tree = None;
    }
}
