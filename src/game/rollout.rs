//! How games are played out: rollout policies, and the codes by which moves are compared.

use std::fmt;

use super::played::Played;
use super::{GameState, Outcome};
use crate::rng::Rng;

/// How a Monte Carlo search plays a game to its end, from where a simulation has come to.
///
/// All methods are **provided**: together they play uniformly random moves, one after the other.
/// A policy overrides [`next_move`](Self::next_move) to play other moves (its moves need not be
/// uniformly random, nor random at all), and the rest to be faster: a whole game at once, or many
/// side by side. All of them must play alike:
/// [`testing::check_rollouts`](crate::testing::check_rollouts) compares how their games end.
///
/// [`MctsBuilder::rollouts`](crate::MctsBuilder::rollouts) takes a policy, and
/// [`GameState::rollouts`] is the one that a game offers as its default. A function of the
/// position, the random numbers and a buffer is a policy too, as in the example.
///
/// # Examples
/// Three sticks are taken wherever that is possible:
/// ```
/// use playtree::{Budget, GameState, Mcts, Outcome, Rng};
///
/// #[derive(Clone)]
/// struct Pile { left: u32, plies: u32 }
///
/// impl GameState for Pile {
///     // ...
/// #     type Key = (u32, usize);
/// #     type Move = u32;
/// #     fn key(&self) -> Self::Key { (self.left, self.mover()) }
/// #     fn mover(&self) -> usize { self.plies as usize % 2 }
/// #     fn plies(&self) -> u32 { self.plies }
/// #     fn moves(&self, moves: &mut Vec<u32>) { moves.extend(1..=self.left.min(3)) }
/// #     fn outcome(&self) -> Option<Outcome> {
/// #         (self.left == 0).then(|| Outcome::Win(1 - self.mover()))
/// #     }
/// #     fn apply(&self, take: &u32) -> Self {
/// #         Pile { left: self.left - take, plies: self.plies + 1 }
/// #     }
/// }
///
/// let greedy = |pile: &Pile, _: &mut Rng, _: &mut Vec<u32>| Some(pile.left.min(3));
/// let mut mcts = Mcts::builder().rollouts(greedy).build()?;
/// let position = Pile { left: 15, plies: 0 };
/// assert_eq!(mcts.best_move(&position, &Budget::simulations(10_000))?, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait RolloutPolicy<G: GameState>: Send + Sync {
    /// The next move of a game, `None` if there is none. Called only while the game goes on.
    /// `moves` is scratch space with unspecified content. Provided: [`random_move`].
    #[inline]
    fn next_move(&self, state: &G, rng: &mut Rng, moves: &mut Vec<G::Move>) -> Option<G::Move> {
        random_move(state, rng, moves)
    }

    /// A whole game from here, if there is a faster way than move by move. Called only while the
    /// game goes on. Provided: `None`, which makes the search play the moves of
    /// [`next_move`](Self::next_move).
    ///
    /// Such a game is not interrupted: the search looks at its budget between rollouts only, so it
    /// should take well under a millisecond.
    #[inline]
    fn play(&self, state: &G, rng: &mut Rng) -> Option<Outcome> {
        let _ = (state, rng);
        None
    }

    /// Whether whole games end as those of [`next_move`](Self::next_move) do, each outcome as often.
    /// Provided: they do. A policy whose whole games see more than moves one by one can, where they
    /// began for instance, says `false`; then the moves are for searches that
    /// [break rollouts off](crate::MctsBuilder::cut_off) or let them
    /// [learn](crate::mcts::RolloutMoves).
    #[inline]
    fn plays_as_moves_do(&self) -> bool {
        true
    }

    /// As [`play`](Self::play), and notes the moves that were played, by their
    /// [codes](MoveCodes::move_code); also moves after the end, if filling the board does not
    /// change which side has won. Called if the search wants to know the moves. Provided: `None`,
    /// which makes the search play the moves of [`next_move`](Self::next_move), and note those.
    #[inline]
    fn play_noting(&self, state: &G, rng: &mut Rng, played: &mut Played) -> Option<Outcome> {
        let _ = (state, rng, played);
        None
    }

    /// The most positions that [`play_side_by_side`](Self::play_side_by_side) takes at a time; an
    /// engine asks once, when it gets the policy, and never hands it more than 64. Provided: 0, games
    /// are played one after the other.
    #[inline]
    fn side_by_side(&self) -> usize {
        0
    }

    /// A game from each of these positions, at most [`side_by_side`](Self::side_by_side), if that
    /// is faster than one [`play`](Self::play) after the other: in the lanes of the processor's
    /// vectors, say. In none of them is the game over; one may stand there several times.
    ///
    /// `outcomes` has a place for each, to be filled in. So has `played`, where the moves are to
    /// be noted as in [`play_noting`](Self::play_noting), or it is empty if the search does not
    /// want to know. Called only if `side_by_side` is above 1, and beside the other two: they
    /// remain for what is not worth it. Provided: does nothing.
    #[inline]
    fn play_side_by_side(
        &self,
        positions: &[&G],
        rng: &mut Rng,
        outcomes: &mut [Outcome],
        played: &mut [Played],
    ) {
        let _ = (positions, rng, outcomes, played);
    }

    /// A move that ends the game at once with the full score for the side to move, `None` if there
    /// is none: for [decisive](crate::mcts::Decisive) rollouts. Called only while the game goes on.
    /// `moves` is scratch space. Provided: each legal move is tried.
    ///
    /// Worth it for a game that sees its wins faster.
    /// [`testing::check_rollouts`](crate::testing::check_rollouts) compares it with all moves.
    #[inline]
    fn winning_move(&self, state: &G, moves: &mut Vec<G::Move>) -> Option<G::Move> {
        find_winning_move(state, moves)
    }

    /// The codes by which rollouts [learn](crate::mcts::RolloutMoves) what moves are worth. They
    /// may be finer than those of [GRAVE](crate::mcts::Grave), or of a game that is none for it.
    /// Provided: those of [`GameState::move_codes`].
    #[inline]
    fn move_codes(&self) -> Option<MoveCoding<G>> {
        G::move_codes()
    }
}

impl<G, F> RolloutPolicy<G> for F
where
    G: GameState,
    F: Fn(&G, &mut Rng, &mut Vec<G::Move>) -> Option<G::Move> + Send + Sync,
{
    #[inline]
    fn next_move(&self, state: &G, rng: &mut Rng, moves: &mut Vec<G::Move>) -> Option<G::Move> {
        self(state, rng, moves)
    }
}

/// The rollout policy of any game: uniformly random moves, listed one position after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct UniformMoves;

impl<G: GameState> RolloutPolicy<G> for UniformMoves {}

/// A uniformly random legal move, `None` if there is none. `moves` is scratch space.
#[inline]
pub fn random_move<G: GameState>(
    state: &G,
    rng: &mut Rng,
    moves: &mut Vec<G::Move>,
) -> Option<G::Move> {
    moves.clear();
    state.moves(moves);
    let choice = rng.below(moves.len());
    moves.get(choice).cloned()
}

/// A legal move that ends the game at once with the full score for the side to move, `None` if there
/// is none. `moves` is scratch space.
fn find_winning_move<G: GameState>(state: &G, moves: &mut Vec<G::Move>) -> Option<G::Move> {
    moves.clear();
    state.moves(moves);
    let mover = state.mover();
    let wins = |mv: &G::Move| state.apply(mv).outcome().is_some_and(|end| end.score(mover) >= 1.0);
    let number = moves.iter().position(wins)?;
    Some(moves.swap_remove(number))
}

/// A game whose moves stay about as good for the same player in positions that follow each other,
/// as where stones are set and stay: what [GRAVE](crate::mcts::Grave) needs, and
/// [rollouts that learn](crate::mcts::RolloutMoves).
///
/// # Examples
/// ```
/// use playtree::game::{MoveCodes, MoveCoding};
/// # use playtree::{GameState, Outcome};
///
/// # #[derive(Clone)]
/// struct Board { /* ... */ }
///
/// impl MoveCodes for Board {
///     const CODES: usize = 64;
///     fn move_code(&self, square: &u8) -> usize { usize::from(*square) }
/// }
///
/// impl GameState for Board {
///     // ...
/// #     type Key = u64;
/// #     type Move = u8;
/// #     fn key(&self) -> u64 { 0 }
/// #     fn mover(&self) -> usize { 0 }
/// #     fn plies(&self) -> u32 { 0 }
/// #     fn moves(&self, moves: &mut Vec<u8>) {}
/// #     fn outcome(&self) -> Option<Outcome> { Some(Outcome::Draw) }
/// #     fn apply(&self, _: &u8) -> Self { Board {} }
///     /// Searches use them by default.
///     fn move_codes() -> Option<MoveCoding<Self>> { Some(MoveCoding::of_game()) }
/// }
/// ```
pub trait MoveCodes: GameState {
    /// The number of codes, at least 1.
    const CODES: usize;

    /// What makes a move the same move in another position, below [`CODES`](Self::CODES): the cell
    /// in which a stone is set, say. A move that is like no other (a pass) may have a code beyond
    /// them: of it nothing is noted.
    fn move_code(&self, mv: &Self::Move) -> usize;
}

/// The [codes](MoveCodes) of a game as a value, where not every game has them.
pub struct MoveCoding<G: GameState> {
    count: usize,
    one: fn(&G, &G::Move) -> usize,
    all: fn(&G, &[G::Move], &mut Vec<u32>),
    default: DefaultUse,
}

/// What searches do with the codes of a game's moves if they are not asked for anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DefaultUse {
    /// They pick branches by GRAVE.
    Grave,
    /// They pick branches by progressive history.
    History,
    /// Nothing.
    Nothing,
}

impl<G: GameState> MoveCoding<G> {
    /// Those of a game that has them; [GRAVE](crate::mcts::Grave) is what its searches take by
    /// default.
    #[must_use]
    pub const fn of_game() -> Self
    where
        G: MoveCodes,
    {
        fn all<G: MoveCodes>(state: &G, moves: &[G::Move], codes: &mut Vec<u32>) {
            let code = |mv| u32::try_from(state.move_code(mv)).unwrap_or(u32::MAX);
            codes.extend(moves.iter().map(code));
        }
        const { assert!(G::CODES > 0, "MoveCodes::CODES is at least 1") }
        Self { count: G::CODES, one: G::move_code, all: all::<G>, default: DefaultUse::Grave }
    }

    /// The same, for searches that ask for them: where they gain nothing by default.
    #[must_use]
    pub const fn by_choice(mut self) -> Self {
        self.default = DefaultUse::Nothing;
        self
    }

    /// The same; [progressive history](crate::mcts::ProgressiveHistory) is what searches take by
    /// default. It takes little time where GRAVE has to note the moves of rollouts, and is worth
    /// more where these see much by themselves.
    #[must_use]
    pub const fn by_history(mut self) -> Self {
        self.default = DefaultUse::History;
        self
    }

    /// What searches do with them by default.
    #[inline]
    pub(crate) const fn default_use(&self) -> DefaultUse {
        self.default
    }

    /// [`MoveCodes::CODES`].
    #[inline]
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The [code](MoveCodes::move_code) of a move.
    #[inline]
    #[must_use]
    pub fn code(&self, state: &G, mv: &G::Move) -> usize {
        (self.one)(state, mv)
    }

    /// Appends the codes of moves.
    #[inline]
    pub(crate) fn append(&self, state: &G, moves: &[G::Move], codes: &mut Vec<u32>) {
        (self.all)(state, moves, codes);
    }
}

impl<G: GameState> Clone for MoveCoding<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: GameState> Copy for MoveCoding<G> {}

impl<G: GameState> fmt::Debug for MoveCoding<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MoveCoding").field("count", &self.count).finish_non_exhaustive()
    }
}
