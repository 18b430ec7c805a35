//! What it costs in strength to ask a network in batches: the same engine against itself.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use playtree::evaluate::Cached;
use playtree::games::ConnectFour;
use playtree::statistics::MatchScore;
use playtree::{Budget, GameState, Mcts};
use playtree_onnx::OnnxNetwork;

use crate::Failure;
use crate::openings::opening_of;
use crate::parallel::in_parallel;
use crate::rollouts::mixed;

/// What `batches` takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct BatchesArgs {
    /// A network for Connect Four, an ONNX file.
    file: PathBuf,
    /// The most positions of a call, of the first side and of the second.
    #[arg(long, value_delimiter = ',', default_value = "16,1")]
    batch: Vec<usize>,
    /// Simulations of each move: new ones, in an empty tree.
    #[arg(long, default_value_t = 800)]
    simulations: u64,
    /// Games, in pairs with the same opening.
    #[arg(long, default_value_t = 400)]
    games: usize,
    /// Random plies of an opening: the engines have no chance, and would play the same games again.
    #[arg(long, default_value_t = 6)]
    plies: usize,
    /// Workers of each side.
    #[arg(long, default_value_t = 1)]
    workers: usize,
    /// Games at a time.
    #[arg(long, default_value_t = 2)]
    concurrency: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Answers that all games together remember, in bytes: the same positions come again and again.
const CACHE: usize = 256 << 20;

/// Plays the match, and prints what came of it.
pub(crate) fn run(args: &BatchesArgs) -> Result<(), Failure> {
    let [first, second] = args.batch[..] else {
        return Err("expected two batches, one of each side".into());
    };
    let network =
        |batch| Ok::<_, Failure>(OnnxNetwork::<ConnectFour>::open(&args.file)?.batch(batch));
    let networks = [first, second].map(network);
    let [first, second] = networks.map(|network| network.map(|n| Arc::new(Cached::new(n, CACHE))));
    let networks = [first?, second?];
    let games = in_parallel(args.games, args.concurrency, |game| {
        if game % 20 == 0 {
            eprintln!("batches: game {game} of {}", args.games);
        }
        play(args, game, &networks)
    })?;
    let score = MatchScore::of_games(&games.iter().map(|game| game.score).collect::<Vec<_>>());
    let mean = |side: usize| {
        let (evaluations, calls) = games.iter().fold((0, 0), |(evaluations, calls), game| {
            (evaluations + game.evaluations[side], calls + game.calls[side])
        });
        evaluations as f64 / calls.max(1) as f64
    };
    let count = |score: f64| games.iter().filter(|game| game.score == score).count();
    println!(
        "- batch {} against {}, {} simulations a move, {} games: {} won, {} drawn, {} lost, \
         {:.1} %, Elo {}; mean batch {:.1} and {:.1}",
        args.batch[0],
        args.batch[1],
        args.simulations,
        args.games,
        count(1.0),
        count(0.5),
        count(0.0),
        100.0 * score.score().value,
        score.elo(),
        mean(0),
        mean(1),
    );
    Ok(())
}

/// A game that was played.
#[derive(Clone, Copy, Debug)]
struct Played {
    /// Of the first side.
    score: f64,
    /// Of each side.
    evaluations: [u64; 2],
    calls: [u64; 2],
}

/// A position in which the game goes on.
fn open_position(args: &BatchesArgs, pair: usize) -> ConnectFour {
    let tries = (0..).map(|again| mixed(args.seed, again));
    let of = |seed| opening_of(args.plies, &ConnectFour::new(), seed, pair);
    tries.map(of).find(|state| state.outcome().is_none()).expect("most openings are no ends")
}

fn play(
    args: &BatchesArgs,
    game: usize,
    networks: &[Arc<Cached<ConnectFour, OnnxNetwork<ConnectFour>>>; 2],
) -> Result<Played, Failure> {
    let mut state = open_position(args, game / 2);
    let engine = |side: usize| {
        let seed = mixed(args.seed, (2 * game + side) as u64);
        let builder = Mcts::builder().threads(args.workers).seed(seed).reuse(false);
        builder.network(Arc::clone(&networks[side])).build()
    };
    let mut engines = [engine(0)?, engine(1)?];
    let (mut evaluations, mut calls) = ([0; 2], [0; 2]);
    // The first side is the first player in even games.
    let first_is = game % 2;
    let budget = Budget::simulations(args.simulations);
    let outcome = loop {
        if let Some(outcome) = state.outcome() {
            break outcome;
        }
        let side = state.mover() ^ first_is;
        let report = engines[side].search(&state, &budget)?;
        let asked = report.network.unwrap_or_default();
        evaluations[side] += asked.evaluations;
        calls[side] += asked.calls;
        state.apply_in_place(&report.best_move);
    };
    Ok(Played { score: outcome.score(first_is), evaluations, calls })
}
