//! Parallel search of games over one trait: Monte Carlo graph search, alpha-beta, and an exact
//! solver, for turn-based games without chance or hidden information.
//!
//! You write the rules as a [`GameState`]: the position's key, the side to move, the plies played,
//! the legal moves, the outcome, and a move applied. You get the best move under a [`Budget`], the
//! win rate of a position, and a [`Report`](mcts::Report) of everything that was found, from all
//! the cores that you allow.
//!
//! # Quick start
//! ```
//! use playtree::{Budget, GameState, Mcts, Outcome};
//!
//! /// A pile of sticks: take one, two or three; the player who takes the last one wins.
//! #[derive(Clone)]
//! struct Pile { left: u32, plies: u32 }
//!
//! impl GameState for Pile {
//!     type Key = (u32, usize);
//!     type Move = u32;
//!     fn key(&self) -> (u32, usize) { (self.left, self.mover()) }
//!     fn mover(&self) -> usize { self.plies as usize % 2 }
//!     fn plies(&self) -> u32 { self.plies }
//!     fn moves(&self, moves: &mut Vec<u32>) { moves.extend(1..=self.left.min(3)) }
//!     fn outcome(&self) -> Option<Outcome> {
//!         (self.left == 0).then(|| Outcome::Win(1 - self.mover()))
//!     }
//!     fn apply(&self, take: &u32) -> Pile {
//!         Pile { left: self.left - take, plies: self.plies + 1 }
//!     }
//! }
//!
//! let mut mcts = Mcts::builder().seed(1).build()?;
//! let position = Pile { left: 15, plies: 0 };
//! let report = mcts.search(&position, &Budget::simulations(100_000))?;
//! assert_eq!(report.best_move, 3); // leaves twelve, a multiple of four
//! assert_eq!(report.win_rate, 1.0); // and that is proven
//!
//! // The table stays: the search of what follows goes on from what is known.
//! let next = position.apply(&3).apply(&2);
//! assert_eq!(mcts.best_move(&next, &Budget::simulations(1_000))?, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where to go on:
//! - [`GameState`] has the laws of a game, and [`testing::check_game`] checks them on yours.
//! - [`MctsBuilder`] has every setting of the Monte Carlo search, [`mcts::Options`] what one search
//!   may be given besides (some moves only, how many in detail, a temperature).
//! - A [`RolloutPolicy`] plays games out by other moves than random ones, or faster; with
//!   [`MoveCodes`] a search learns what a move is worth whenever it is played
//!   ([GRAVE](mcts::Grave)).
//! - [`AlphaBeta`] is a second searcher over the same trait: for games of two players with
//!   something to know about positions ([`Evaluate`]).
//! - [`Solver`] finds out what a position is worth for certain, and [`Solver::strategy`] how to get
//!   it: for games that end soon enough ([`Solvable`]; [`testing::check_solvable`] checks what a
//!   game tells it).
//! - [`Mcts::start`], [`AlphaBeta::start`] and [`Solver::start`] search in the background, and in
//!   the opponent's time, behind a [`Handle`]; [`Mcts::save`] and [`Solver::save`] keep what was
//!   found in a file.
//! - The repository holds examples and a guide (`docs/README.md`), with pages on a game of your own
//!   from an empty crate, on the choice of a searcher, on budgets and clocks, on saving, on players
//!   who move twice, on the performance of your game, on every setting, and on how it all works.
//!
//! # Modules
//! What every program names is at the root: the traits that a game implements, the searchers with
//! their builders, the budget, the handle and the errors. The rest is in the module of its subject,
//! without a prefix.
//!
//! | module | subject |
//! |---|---|
//! | [`game`] | the rules ([`GameState`]), how a game ends and is written down, how it is played out ([`RolloutPolicy`], [`MoveCodes`]), its referee ([`Record`](game::Record)) |
//! | [`evaluate`] | what is known of a game besides its rules ([`Evaluate`]) |
//! | [`mcts`] | the Monte Carlo search: its settings, its options, its [report](mcts::Report), its [audit](mcts::Audit) |
//! | [`alphabeta`] | the alpha-beta search: the same, and [limits of splitting](alphabeta::Autotune) for a machine |
//! | [`solver`] | the exact solver: its aims, its [answer](solver::Solution), [strategies](solver::Strategy) |
//! | [`budget`] | every reason to stop, rules of your own, the clocks of games and the time of a move |
//! | [`save`] | saved tables: how they are saved, what a file says of itself, what can be wrong with it |
//! | [`report`] | what the answers of all searchers have in common: their text, their JSON, moves in the notation of the game |
//! | [`error`] | why a searcher cannot be made, and why a search could not be run |
//! | [`testing`] | checks of the rules, the rollouts, the notation and the solving of any game; counts of its positions |
//! | [`statistics`] | what a match between two searchers says |
//! | [`games`] | reference games, to read and to measure with |
//! | [`lock`] | the lock that each position has; public because it is of use by itself |
//!
//! # Features
//! | feature | default | brings |
//! |---|---|---|
//! | `games` | on | [`games`]: tic-tac-toe, Connect Four, Othello, Hex, Nim and misère Nim, Breakthrough, Gomoku and other m,n,k-games, Xiangqi, endgames of Dou Dizhu |
//! | `compression` | off | [`save::Options::compress`]: LZ4 for saved tables |
//! | `tracing` | off | events of searches, evictions and saved tables, for programs that listen with [`tracing`](https://docs.rs/tracing) |
//!
//! # Consistency
//! What can be seen from outside: [`Mcts::search`] borrows the engine exclusively and waits for all
//! workers before it returns, so the report is exact, and [`Mcts::audit`] finds that all counts
//! agree: visits of a position are its own rollouts plus those of its branches, scores add up
//! to the last bit, nothing is in flight.
//!
//! A search in the background can be read while its workers search. [`Handle::report`] of an `Mcts`
//! says then of each move what was so at one moment, of different moves at different moments;
//! visits never fall from one report to the next. That of an `AlphaBeta` says what the last
//! completed iteration has found, and what is better since; that of a `Solver` what is certain so
//! far, and its limits only narrow.
//!
//! What workers see of each other while they search: the counts of a position and of its
//! branches change together, under the lock of the position. These things are read without
//! that lock, on purpose:
//!
//! | read without the lock | what may be seen | what it costs |
//! |---|---|---|
//! | a position's mean and proven bounds (one word) | those of a moment ago, never halves of two | a choice by a slightly older value |
//! | a branch's visits and value (one word) | those of a moment ago | a position becomes a node a visit later, or the end of a game is looked at once more |
//! | the plies to the end of a proof | those of a moment ago | "win in 7" for what is a win in 5; the win itself is certain |
//! | simulations in flight, with the policies yield and defer | a count that lacks the latest ones | two workers try the same branch |
//! | between the choice in a round of many and its marks | the branches without that round | the same |
//! | with the policy block, a choice that leaves no marks | visits of a position and of its branches of different moments | a choice by slightly older counts |
//! | that the warm-up of a position is complete | that it is not | the branches are looked at once more |
//! | the ply of a position | the ply at which it was made | nothing: it only tells where to look for a cycle |
//! | the number of nodes, the root's visits | the count of a round ago | a limit of nodes, and the end of a small tree ([`Expansion::SMALL_TREE`](mcts::Expansion::SMALL_TREE)), are passed by what the rounds under way make |
//! | at the memory limit, a position that is being evicted | what it knew until then | what the rounds under way learn there is forgotten; the branches they passed keep it |
//! | the statistics given to a [`StopRule`](budget::StopRule) | those of a round ago | the search ends a round later |
//! | the stop flag | that the search goes on | one more rollout |
//!
//! None of them can lose an update, prove what is not so, or make counts disagree. Bounds only
//! narrow, and a child or the branches of a position are published once, by the first worker.
//!
//! # Determinism
//! One worker, a seed, and a budget that knows neither time nor a stop token: the same calls
//! give the same reports, byte for byte but for the time, on every machine. Nothing in a search
//! depends on addresses, on the hasher or on the mathematics library of the system. Each search
//! of an engine has random numbers of its own; [`Mcts::forget`] begins again with the first. A
//! table that was saved and loaded goes on as if it had never left the memory, as long as no
//! memory limit was reached: what an eviction takes depends on more than the table; and not with
//! [GRAVE](mcts::Grave) and [progressive history](mcts::ProgressiveHistory), which learn anew what
//! moves are worth. The random numbers also say which of several equal moves is the best one,
//! and which move a temperature draws.
//!
//! With several workers the order of their updates decides, and that is up to the system: reports
//! differ from run to run, as they do with a budget of time.
//! [`Parallelism::Rounds`](mcts::Parallelism::Rounds) gives the same report for any number of
//! workers, [`Report::workers`](mcts::Report::workers) and the time aside, at the price of
//! selection by one worker at a time. [`Parallelism::Simulated`](mcts::Parallelism::Simulated)
//! plays a given number of workers in one thread, the same way each time.
//!
//! # Memory
//! A position costs 64 bytes, each of its branches 16 bytes and a move, and an entry of the table
//! the size of the key and 11 to 21 bytes. In a large tree only positions visited at least twice
//! become nodes, unless [`Expansion`](mcts::Expansion) says otherwise. With three and more players,
//! or UCB1-Tuned, some numbers are added to each. [`Report::bytes`](mcts::Report::bytes) is the
//! sum; memory is taken in chunks of up to 1 MB. With [GRAVE](mcts::Grave) each position of some
//! dozen visits has 8 bytes for each player and move code besides; they are not saved.
//!
//! - [`MctsBuilder::memory_limit`] caps it, to the byte. At the limit the search goes on: the
//!   least useful positions are evicted, those first that have fewer plies than the root. The
//!   branches that led to them keep their statistics, and what was proven. Workers do it
//!   between rounds, in slices of a fraction of a millisecond.
//! - [`Mcts::forget`] forgets everything and keeps the memory; [`Mcts::clear`] gives it back,
//!   in a few large pieces, without a walk over the positions unless a move or key owns memory.
//! - No counter ends a search. Visits are counted in 32 bits, and those of a position and its
//!   branches are halved together when it has 2^31: means and shares stay as they are. What halving
//!   takes from the root of a search is kept beside it, so reports count all simulations as long as
//!   the root is the same. A position that becomes the root later, and a saved table, have the
//!   halves.
//!
//! # Trade-offs
//! - **Many positions or sharp ones.** Rollouts are uniformly random, unless the game
//!   [offers](GameState::rollouts) others or the engine [is given](MctsBuilder::rollouts) some:
//!   fast, without knowledge. A game that needs a plan of many forced moves wants more simulations
//!   than one where most moves are reasonable.
//! - **Sharing needs an honest key.** The key must tell everything that matters for the
//!   future. One that tells too much is safe and shares less; one that tells too little gives
//!   wrong answers. [`Sharing::PerPath`](mcts::Sharing::PerPath) shares nothing.
//! - **Rounds.** Workers take several simulations down together, as soon as the root has some
//!   hundred visits. That is what makes many cores useful; the simulations of a round do not learn
//!   from each other. A budget of few simulations keeps rounds short: each says more then, and
//!   takes longer, so a limit in time is the better one where time is what counts. From some ten
//!   thousand visits on a few of them share a leaf ([`MctsBuilder::rollouts_per_leaf`]), which pays
//!   where rollouts are cheap beside the way down. [`RoundSize::Fixed`](mcts::RoundSize::Fixed) of
//!   1 is the textbook's search.
//! - **A spin lock wants a core for each worker.** Hence `min(logical cores, threads)`; more
//!   can be had for tests ([`MctsBuilder::oversubscribe`]).
//! - **Proofs cost at expansion.** A new node plays each of its moves once to see whether the
//!   game ends. Where games never end early, [`MctsBuilder::proofs`] may be turned off.
//! - **A position known to others is as good as they left it.** A branch learns what others
//!   have found out about its child when it is passed next, or when the visits of its position
//!   have doubled.
//! - **At the memory limit new nodes are made later.** A branch then gets a node not at its first
//!   visits but after enough visits to make the evictions rare.

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod alphabeta;
mod any_error;
mod background;
pub mod budget;
mod clock;
pub mod dynamic;
mod endgames;
pub mod error;
pub mod evaluate;
mod events;
#[cfg(all(test, not(loom), not(miri)))]
mod floors;
mod form;
pub mod game;
#[cfg(feature = "games")]
pub mod games;
mod hash;
mod helpers;
mod laws;
pub mod lock;
mod maths;
pub mod mcts;
mod oracle;
mod pool;
mod prefetch;
mod proven;
mod repetition;
pub mod report;
mod rng;
mod root_options;
#[cfg(all(test, not(loom), not(miri)))]
mod round_trips;
pub mod save;
mod slots;
mod solvable;
pub mod solver;
mod sorting;
pub mod statistics;
mod stop;
mod sync;
pub mod testing;
mod zeroed;

pub use alphabeta::{AlphaBeta, AlphaBetaBuilder};
pub use any_error::Error;
pub use background::{Ended, Handle, SearchId, Searcher, Snapshot, Watcher};
pub use budget::{Budget, StopReason, StopToken};
pub use error::{ConfigError, SearchError};
pub use evaluate::{Evaluate, Network};
pub use game::{GameState, MoveCodes, Notation, Outcome, RolloutPolicy, Saveable, Scores};
pub use mcts::{Mcts, MctsBuilder};
pub use pool::{Pool, PoolBuilder};
pub use proven::Proven;
pub use rng::Rng;
pub use save::{GameTag, LoadError, SaveError};
pub use solvable::Solvable;
pub use solver::{Solver, SolverBuilder};

/// The code of the README and of the pages runs as tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../docs/extra-turns.md")]
    struct ExtraTurns;
    #[doc = include_str!("../docs/your-game.md")]
    struct YourGame;
}

/// And that of the pages on which reference games are searched.
#[cfg(all(doctest, feature = "games"))]
mod pages_with_games {
    #[doc = include_str!("../docs/background.md")]
    struct Background;
    #[doc = include_str!("../docs/budgets.md")]
    struct Budgets;
    #[doc = include_str!("../docs/embedding.md")]
    struct Embedding;
    #[doc = include_str!("../docs/exchange.md")]
    struct Exchange;
    #[doc = include_str!("../docs/games.md")]
    struct Games;
    #[doc = include_str!("../docs/networks.md")]
    struct Networks;
    #[doc = include_str!("../docs/performance.md")]
    struct Performance;
    #[doc = include_str!("../docs/reading-the-tree.md")]
    struct ReadingTheTree;
    #[doc = include_str!("../docs/saving.md")]
    struct Saving;
    #[doc = include_str!("../docs/selection.md")]
    struct Selection;
    #[doc = include_str!("../docs/settings.md")]
    struct Settings;
    #[doc = include_str!("../docs/which-searcher.md")]
    struct WhichSearcher;
}
