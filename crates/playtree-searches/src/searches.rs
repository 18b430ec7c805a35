//! What makes the searchers of a game, and does all else with it that takes long.

use std::path::Path;

use playtree::evaluate::NoEvaluation;
use playtree::games::ReferenceGame;
use playtree::mcts::Saver;
use playtree::save::{Info, Loaded, Options};
use playtree::testing::perft;
use playtree::{AlphaBeta, Evaluate, GameTag, LoadError, Mcts, Pool, SaveError, Solver};

use crate::error::Error;
#[cfg(feature = "exchange")]
use crate::exchanges::Exchanges;
use crate::measure::rollouts_per_second;
use crate::settings::{AlphaBetaSettings, MctsSettings, SolverSettings};

/// What an alpha-beta search is given: nothing is known of a game without one.
pub type Evaluation<G> = Box<dyn Evaluate<G>>;

/// What is done with a game for longer than a moment, as functions of the crate that names them.
///
/// A generic function is compiled by the crate that names it for a type, with the optimisation that
/// crate has. A searcher has its search from the crate that makes it.
#[derive(Debug)]
#[allow(clippy::type_complexity, reason = "each is the type of one function")]
pub struct Searches<G: ReferenceGame> {
    /// A Monte Carlo search with these settings, in this pool.
    pub mcts: fn(&MctsSettings, Option<&Pool>) -> Result<Mcts<G>, Error>,
    /// An alpha-beta search.
    pub alphabeta:
        fn(&AlphaBetaSettings, Option<&Pool>) -> Result<AlphaBeta<G, Evaluation<G>>, Error>,
    /// A solver.
    pub solver: fn(&SolverSettings, Option<&Pool>) -> Result<Solver<G>, Error>,
    /// [`Mcts::load`].
    pub load: fn(&mut Mcts<G>, &Path, &GameTag) -> Result<Loaded, LoadError>,
    /// [`Mcts::save`].
    pub save: fn(&Mcts<G>, &Path, &GameTag, &Options) -> Result<Info, SaveError>,
    /// [`Saver::save`].
    pub save_by: fn(&Saver<G>, &Path, &GameTag, &Options) -> Result<Info, SaveError>,
    /// Statistics that go in and out.
    #[cfg(feature = "exchange")]
    pub exchanges: Exchanges<G>,
    /// Positions this number of plies below one.
    pub perft: fn(&G, u32) -> u64,
    /// Random games from a position in this number of threads, this number in all, with this seed:
    /// how many a second.
    pub rollouts_per_second: fn(&G, usize, u64, u64) -> f64,
}

impl<G: ReferenceGame> Searches<G> {
    /// Those of this game.
    #[must_use]
    #[allow(clippy::new_without_default, reason = "a default is not constant")]
    pub const fn new() -> Self {
        Self {
            mcts,
            alphabeta,
            solver,
            load: |engine, file, game| engine.load(file, game),
            save: |engine, file, game, options| engine.save(file, game, options),
            save_by: |saver, file, game, options| saver.save(file, game, options),
            #[cfg(feature = "exchange")]
            exchanges: Exchanges::new(),
            perft,
            rollouts_per_second,
        }
    }
}

fn mcts<G: ReferenceGame>(settings: &MctsSettings, pool: Option<&Pool>) -> Result<Mcts<G>, Error> {
    let mut builder = settings.builder()?;
    if let Some(pool) = pool {
        builder = builder.pool(pool);
    }
    Ok(builder.build()?)
}

fn alphabeta<G: ReferenceGame>(
    settings: &AlphaBetaSettings,
    pool: Option<&Pool>,
) -> Result<AlphaBeta<G, Evaluation<G>>, Error> {
    // Without one every position is even.
    let evaluation: Evaluation<G> = G::evaluation().unwrap_or_else(|| Box::new(NoEvaluation));
    let mut builder = settings.builder(evaluation);
    if let Some(pool) = pool {
        builder = builder.pool(pool);
    }
    Ok(builder.build()?)
}

fn solver<G: ReferenceGame>(
    settings: &SolverSettings,
    pool: Option<&Pool>,
) -> Result<Solver<G>, Error> {
    if !G::SETTLED_BY_KEY {
        return Err(Error::NotSolvable { game: G::INFO.name });
    }
    let mut builder = settings.builder();
    if let Some(pool) = pool {
        builder = builder.pool(pool);
    }
    Ok(builder.build()?)
}
