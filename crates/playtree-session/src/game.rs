//! A reference game by its name.

use std::fmt;

use playtree::game::NotationError;
use playtree::games::{self, GameError, GameInfo, GameVisitor, ReferenceGame};
use playtree::{GameTag, Pool};
use playtree_engines::{Kind, Position, kind};

use crate::Error;
use crate::engine::{AlphaBetaEngine, Engine, MctsEngine, SolverEngine};
use crate::foreign::plain_position;
use crate::settings::{AlphaBetaSettings, MctsSettings, Settings, SolverSettings};

/// A reference game, on a board of one size where the size matters to the search: Hex up to 11x11
/// and above, say.
#[derive(Clone, Copy)]
pub struct Game {
    info: &'static GameInfo,
    kind: &'static dyn Kind,
}

impl Game {
    /// The game of this name, in upper or lower case, and the position that `position` describes, also
    /// as [others write it](crate::foreign), `None` for the start of the game.
    ///
    /// # Errors
    /// If there is no such game, or the text is not a position of it, or is one on a board of a size
    /// for which this crate was built without its feature `sizes`.
    ///
    /// # Examples
    /// ```
    /// use playtree_session::Game;
    ///
    /// let (game, position) = Game::open("hex", Some("5: c3"))?;
    /// assert_eq!(game.info().name, "hex");
    /// assert!(position.board_text().contains('\n'));
    /// assert!(Game::open("hexe", None).is_err());
    /// # Ok::<(), playtree::games::GameError>(())
    /// ```
    pub fn open(name: &str, position: Option<&str>) -> Result<(Self, Position), GameError> {
        struct Open;

        impl GameVisitor for Open {
            type Output = Position;

            fn visit<G: ReferenceGame>(self, state: G) -> Position {
                Position::of(state)
            }
        }

        let info = games::find(name)?;
        let position = position.map(|text| plain_position(info.name, text));
        let position = games::with_game(name, position.as_deref(), Open)?;
        match kind(&position) {
            Some(kind) => Ok((Self { info, kind }, position)),
            // Without a text it is the start, which every build has.
            None => {
                let expected = "a size that this build has (for others: --features sizes)";
                Err(NotationError::new(expected, format!("'{}'", position.position_text())).into())
            }
        }
    }

    /// What a person needs to know of it.
    #[must_use]
    pub fn info(self) -> &'static GameInfo {
        self.info
    }

    /// The name, in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.info.name
    }

    /// The number of players.
    #[must_use]
    pub fn players(self) -> usize {
        self.kind.players()
    }

    /// Whether it has an evaluation of positions before the end.
    #[must_use]
    pub fn has_evaluation(self) -> bool {
        self.kind.has_evaluation()
    }

    /// Whether its Monte Carlo search plays [by the
    /// evaluation](playtree::games::ReferenceGame::VALUES_AT_ONCE) where nothing is said of it.
    #[must_use]
    pub fn values_at_once(self) -> bool {
        self.kind.values_at_once()
    }

    /// Whether its moves have codes, as [GRAVE](playtree::mcts::Grave) needs.
    #[must_use]
    pub fn has_move_codes(self) -> bool {
        self.kind.has_move_codes()
    }

    /// Whether no position comes again in it, as the solver needs.
    #[must_use]
    pub fn is_solvable(self) -> bool {
        self.kind.is_solvable()
    }

    /// Another position of this game, on a board for which the search is the same; also as [others
    /// write it](crate::foreign).
    ///
    /// # Errors
    /// If the text is none.
    pub fn position(self, text: &str) -> Result<Position, NotationError> {
        self.kind.position(&plain_position(self.name(), text))
    }

    /// By how many points `player` has won a game that has ended with `outcome` here: below zero if
    /// he has lost, 1 where the game knows no points.
    ///
    /// # Errors
    /// If the position is one of another game.
    pub fn points(
        self,
        position: &Position,
        outcome: &playtree::Outcome,
        player: usize,
    ) -> Result<i32, Error> {
        self.kind.points(position, outcome, player)
    }

    /// The tag of saved tables of the game of this position.
    ///
    /// # Errors
    /// If the position is one of another game.
    pub fn tag(self, position: &Position) -> Result<GameTag, Error> {
        self.kind.tag(position)
    }

    /// The lines of play of exactly `depth` plies from a position, by the game's own type: see
    /// [`perft`](playtree::testing::perft).
    ///
    /// # Errors
    /// If the position is one of another game.
    pub fn perft(self, position: &Position, depth: u32) -> Result<u64, Error> {
        self.kind.perft(position, depth)
    }

    /// An engine.
    ///
    /// # Errors
    /// If the settings cannot be, or ask for what the game does not have.
    pub fn engine(self, settings: &Settings) -> Result<Box<dyn Engine>, Error> {
        self.kind.engine(settings, None)
    }

    /// An engine that searches in a pool: with all engines of the pool at most its number of
    /// threads search at a time.
    ///
    /// # Errors
    /// As [`engine`](Self::engine).
    ///
    /// # Examples
    /// ```
    /// use playtree::Pool;
    /// use playtree_session::Game;
    /// use playtree_session::settings::Settings;
    ///
    /// let pool = Pool::new(2)?;
    /// let (game, _) = Game::open("othello", None)?;
    /// let engines = (0..20).map(|_| game.engine_in(&Settings::default(), &pool));
    /// let engines = engines.collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!(engines.len(), 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn engine_in(self, settings: &Settings, pool: &Pool) -> Result<Box<dyn Engine>, Error> {
        self.kind.engine(settings, Some(pool))
    }

    /// A Monte Carlo search.
    ///
    /// # Errors
    /// As [`engine`](Self::engine).
    pub fn mcts(self, settings: &MctsSettings) -> Result<Box<dyn MctsEngine>, Error> {
        self.kind.mcts(settings, None)
    }

    /// An alpha-beta search, with the evaluation of the game; without one it sees how games end and
    /// nothing else.
    ///
    /// # Errors
    /// As [`engine`](Self::engine).
    pub fn alphabeta(
        self,
        settings: &AlphaBetaSettings,
    ) -> Result<Box<dyn AlphaBetaEngine>, Error> {
        self.kind.alphabeta(settings, None)
    }

    /// A solver.
    ///
    /// # Errors
    /// As [`engine`](Self::engine).
    pub fn solver(self, settings: &SolverSettings) -> Result<Box<dyn SolverEngine>, Error> {
        self.kind.solver(settings, None)
    }

    /// Random games from `start`, `rollouts` in all, shared among `threads`, a second. The clock
    /// runs from the moment when all threads are there until the last one is done.
    ///
    /// # Errors
    /// If the position is one of another game.
    pub fn rollouts_per_second(
        self,
        start: &Position,
        threads: usize,
        rollouts: u64,
        seed: u64,
    ) -> Result<f64, Error> {
        self.kind.rollouts_per_second(start, threads, rollouts, seed)
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Game").field(&self.name()).finish()
    }
}
