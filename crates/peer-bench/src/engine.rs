//! What the bench asks of an engine, and the list of engines.

use std::time::Duration;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use playtree::{Evaluate, GameState};

use crate::Failure;
use crate::peers::treant::Treant;
use crate::peers::{self, treant};

/// A game that all the engines can play: two players who move in turn, small moves.
///
/// `minimax` and `board-game` negate a value at every ply, so a pass has to be a move.
pub(crate) trait Game: GameState<Move: Copy> + 'static {
    /// What a position is worth before the end; `None` if nothing is known of that.
    fn evaluation() -> Option<Box<dyn Evaluate<Self>>> {
        None
    }
}

/// What ends a search.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    /// A number of simulations.
    Simulations(u64),
    /// Time, from the call of the crate's own search function.
    Time(Duration),
}

/// What a search has found, and what it took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<M> {
    /// The move that the engine would play.
    pub(crate) best: M,
    /// Simulations done in this search, kept visits not counted; `None` if the crate does not
    /// tell.
    pub(crate) simulations: Option<u64>,
    /// The search alone: neither making the tree nor freeing it.
    pub(crate) seconds: f64,
    /// Freeing the tree, as far as the crate does it before it returns.
    pub(crate) freeing_seconds: f64,
}

/// An engine on one game.
///
/// A search goes on from what the engine has kept of those before, if its crate lets a program
/// that plays a game keep anything; playtree and treant without its table do.
pub(crate) trait Engine<G: Game> {
    /// Searches `state`, which is not the end of a game. The limit is that of new work,
    /// whatever is known already.
    fn search(&mut self, state: &G, limit: Limit) -> Found<G::Move>;

    /// Takes a move of the game, by either side, played after the position of the last search and
    /// the moves taken since.
    fn played(&mut self, mv: &G::Move);

    /// Forgets everything; a peer frees its tree.
    fn release(&mut self);
}

/// How an engine is set up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Worker threads.
    pub(crate) threads: usize,
    /// The constant of the engine's own UCT formula; `None` for its default.
    pub(crate) exploration: Option<f64>,
    /// Fixes the random numbers, as far as the crate lets it.
    pub(crate) seed: u64,
    /// Whether playtree and treant prove positions; minimax and board-game always do, mcts
    /// cannot.
    pub(crate) proofs: bool,
    /// Whether `seconds` must leave out the freeing even where the crate frees before it
    /// returns. Writes to standard error.
    pub(crate) split_freeing: bool,
}

/// An engine with its best configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Entry {
    /// This library.
    Playtree,
    /// This library with a leaf for each rollout, as in the peers.
    PlaytreeAlone,
    /// This library by the game's evaluation in place of rollouts.
    PlaytreeEvaluation,
    /// treant 0.4.
    Treant,
    /// treant 0.4 with its transposition table.
    TreantTable,
    /// treant 0.4 with uniformly random rollouts, as a program has it that brings only the rules.
    TreantUniform,
    /// treant 0.4 by the game's evaluation in place of rollouts.
    TreantEvaluation,
    /// mcts 0.3.
    Mcts,
    /// minimax 0.6.
    Minimax,
    /// board-game 0.8.
    BoardGame,
}

impl Entry {
    /// Every engine with the game's own rollouts, ours first: those that the tables compare.
    pub(crate) const ALL: [Entry; 7] = [
        Entry::Playtree,
        Entry::PlaytreeAlone,
        Entry::Treant,
        Entry::TreantTable,
        Entry::Mcts,
        Entry::Minimax,
        Entry::BoardGame,
    ];

    /// Reads one of [`ALL`](Self::ALL), which help lists.
    pub(crate) fn compared() -> impl TypedValueParser<Value = Self> {
        let values = Self::ALL.iter().filter_map(ValueEnum::to_possible_value);
        PossibleValuesParser::new(values).try_map(|name| Self::from_str(&name, false))
    }

    /// The name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// The name in a table, with what a reader must know to compare.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Entry::Playtree => "**playtree**",
            Entry::PlaytreeAlone => "playtree, a leaf each",
            Entry::PlaytreeEvaluation => "playtree, evaluation",
            Entry::Treant => "treant",
            Entry::TreantTable => "treant, table",
            Entry::TreantUniform => "treant, random moves",
            Entry::TreantEvaluation => "treant, evaluation",
            Entry::Mcts => "mcts",
            Entry::Minimax => "minimax (solves wins)",
            Entry::BoardGame => "board-game (solver, one thread)",
        }
    }

    /// Whether it is this library, as it comes or set to do as the peers.
    pub(crate) fn is_ours(self) -> bool {
        matches!(self, Entry::Playtree | Entry::PlaytreeAlone | Entry::PlaytreeEvaluation)
    }

    /// This library as it is compared with this peer.
    pub(crate) fn ours_beside(self) -> Self {
        if self == Entry::TreantEvaluation { Entry::PlaytreeEvaluation } else { Entry::Playtree }
    }

    /// Says so if the game has not what the engine needs.
    pub(crate) fn check<G: Game>(self) -> Result<(), Failure> {
        let needs = matches!(self, Entry::PlaytreeEvaluation | Entry::TreantEvaluation);
        if needs && G::evaluation().is_none() {
            let name = self.name();
            return Err(format!("expected a game with an evaluation for {name}, found none").into());
        }
        Ok(())
    }

    /// The most workers it can use.
    pub(crate) fn most_threads(self) -> usize {
        if self == Entry::BoardGame { 1 } else { usize::MAX }
    }

    /// Whether it skips the rollout at nodes whose value it knows, so that its simulations
    /// are not the same work.
    pub(crate) fn stops_at_solved(self) -> bool {
        matches!(self, Entry::Minimax | Entry::BoardGame)
    }

    /// Whether the crate itself can be given a time limit.
    pub(crate) fn has_time_limit(self) -> bool {
        self != Entry::BoardGame
    }

    /// Whether the constant of its formula can be set. `minimax` has it fixed.
    pub(crate) fn has_exploration(self) -> bool {
        self != Entry::Minimax
    }

    /// The engine, set up for one game that it was [checked](Self::check) with.
    pub(crate) fn make<G: Game>(self, settings: Settings) -> Box<dyn Engine<G>> {
        match self {
            Entry::Playtree => Box::new(peers::playtree::Playtree::new(settings)),
            Entry::PlaytreeAlone => Box::new(peers::playtree::Playtree::alone(settings)),
            Entry::PlaytreeEvaluation => {
                Box::new(peers::playtree::Playtree::by_evaluation(settings))
            }
            Entry::Treant => Box::new(Treant::<G, treant::Alone<G>>::new(settings)),
            Entry::TreantTable => Box::new(Treant::<G, treant::WithTable<G>>::new(settings)),
            Entry::TreantUniform => Box::new(Treant::<G, treant::Alone<G>>::uniform(settings)),
            Entry::TreantEvaluation => {
                Box::new(Treant::<G, treant::ByEvaluation<G>>::new(settings))
            }
            Entry::Mcts => Box::new(peers::mcts::Mcts::new(settings)),
            Entry::Minimax => Box::new(peers::minimax::Minimax::new(settings)),
            Entry::BoardGame => Box::new(peers::board_game::BoardGame::new(settings)),
        }
    }
}

/// A new seed for each search of an engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seeds {
    seed: u64,
    searches: u64,
}

impl Seeds {
    /// The seeds that `seed` fixes.
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, searches: 0 }
    }

    /// The next one.
    pub(crate) fn next(&mut self) -> u64 {
        self.searches += 1;
        crate::rollouts::mixed(self.seed, self.searches)
    }
}
