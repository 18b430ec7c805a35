//! What thinking in the opponent's time is worth: the engine against itself without it.

use std::time::Duration;

use clap::{Args, ValueEnum};
use playtree::statistics::MatchScore;
use playtree::{Budget, Handle, Mcts, StopReason, mcts};

use crate::Failure;
use crate::engine::Game;
use crate::games::{self, GameName, with_game};
use crate::openings::opening;
use crate::rollouts::mixed;
use crate::table::{Table, short};

/// What `ponder` takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct PonderArgs {
    /// The games; Othello if none is given.
    pub(crate) game_names: Vec<GameName>,
    /// Games of each match, an even number.
    #[arg(long, default_value_t = 20)]
    pub(crate) games: usize,
    /// Time per move.
    #[arg(long, default_value_t = 200)]
    pub(crate) time_ms: u64,
    /// Simulations per move instead, and the same number in the opponent's time: one after the
    /// other, so that nothing depends on the load of the machine.
    #[arg(long, conflicts_with = "time_ms")]
    pub(crate) simulations: Option<u64>,
    /// Worker threads of each side; both search at the same time.
    #[arg(long, default_value_t = 1)]
    pub(crate) threads: usize,
    /// What is thought about in the opponent's time.
    #[arg(long, value_enum, default_value_t = On::All)]
    pub(crate) on: On,
    /// Fixes openings and seeds.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

/// What is thought about in the opponent's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum On {
    /// All replies.
    All,
    /// The reply that is expected.
    Expected,
}

/// What the moves of a side that used up their budget rest on.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    moves: f64,
    visits: f64,
    simulations: f64,
    /// Of the visits.
    logarithms: f64,
}

impl Work {
    fn add<M>(&mut self, report: &mcts::Report<M>) {
        if matches!(report.stop_reason, StopReason::Time | StopReason::Simulations) {
            let visits = report.visits() as f64;
            self.moves += 1.0;
            self.visits += visits;
            self.simulations += report.simulations as f64;
            self.logarithms += visits.max(1.0).ln();
        }
    }

    fn sum(self, other: Self) -> Self {
        Self {
            moves: self.moves + other.moves,
            visits: self.visits + other.visits,
            simulations: self.simulations + other.simulations,
            logarithms: self.logarithms + other.logarithms,
        }
    }
}

/// Prints a table with a row per game.
pub(crate) fn run(args: &PonderArgs) -> Result<(), Failure> {
    println!(
        "## Pondering on {}: {} per move, {} worker(s) a side, {} games\n",
        if args.on == On::All { "all replies" } else { "the expected reply" },
        match args.simulations {
            Some(count) => format!("{count} simulations"),
            None => format!("{} ms", args.time_ms),
        },
        args.threads,
        args.games
    );
    let mut table = Table::new([
        "game",
        "visits per move",
        "new simulations per move",
        "ratio of means, geometric",
        "replies expected, %",
        "score, %",
        "Elo [95 %]",
    ]);
    for name in games::or_default(&args.game_names, &[GameName::Othello]) {
        eprintln!("ponder: {}", name.name());
        table.row(with_game!(name, start => row(args, name, &start))?);
    }
    println!("{table}");
    Ok(())
}

fn row<G: Game>(args: &PonderArgs, name: GameName, start: &G) -> Result<Vec<String>, Failure> {
    let mut scores = Vec::new();
    let mut work = [Work::default(); 2];
    let mut replies = (0, 0);
    for number in 0..args.games {
        let game = game(args, start, number)?;
        scores.push(game.score);
        work = [work[0].sum(game.work[0]), work[1].sum(game.work[1])];
        replies = (replies.0 + game.replies.0, replies.1 + game.replies.1);
        eprintln!("ponder: game {}, score {}", number + 1, game.score);
    }
    let both = |of: fn(&Work) -> f64| {
        let [first, second] = work.map(|work| short(of(&work) / work.moves));
        format!("{first} / {second}")
    };
    let means = work.map(|work| work.visits / work.moves);
    let ratio = work.map(|work| work.logarithms / work.moves);
    let score = MatchScore::of_games(&scores);
    Ok(vec![
        name.title().to_owned(),
        both(|work| work.visits),
        both(|work| work.simulations),
        format!("{:.2}, {:.2}", means[0] / means[1], (ratio[0] - ratio[1]).exp()),
        format!("{:.0}", 100.0 * f64::from(replies.0) / f64::from(replies.1)),
        format!("{:.1}", 100.0 * score.score().value),
        score.elo().to_string(),
    ])
}

struct Played {
    /// Of the side that ponders.
    score: f64,
    /// Of the side that ponders, then the other.
    work: [Work; 2],
    /// Replies that were expected, of how many.
    replies: (u32, u32),
}

/// A game. The side that ponders is the first player in even games.
fn game<G: Game>(args: &PonderArgs, start: &G, number: usize) -> Result<Played, Failure> {
    let engine = |side| -> Result<Mcts<G>, Failure> {
        let seed = mixed(args.seed, (2 * number + side) as u64);
        Ok(Mcts::builder().threads(args.threads).seed(seed).build()?)
    };
    let time = Duration::from_millis(args.time_ms);
    let budget = args.simulations.map_or_else(|| Budget::time(time), Budget::simulations);
    let mut state = opening(start, args.seed, number / 2);
    let mut without = engine(1)?;
    let mut with = engine(0)?.start(&state, &Budget::simulations(0));
    if state.mover() != number % 2 {
        ponder(args, &mut with, &state)?;
    }
    let mut played = Played { score: 0.0, work: [Work::default(); 2], replies: (0, 0) };
    let mut expected: Option<G::Move> = None;
    let outcome = loop {
        if let Some(outcome) = state.outcome() {
            break outcome;
        }
        if state.mover() == number % 2 {
            with.think(&state, &budget);
            let report = with.wait()?;
            played.work[0].add(&report);
            state.apply_in_place(&report.best_move);
            expected = report.expected_reply().cloned();
            let reply = expected.as_ref().filter(|_| args.on == On::Expected);
            ponder(args, &mut with, &reply.map_or_else(|| state.clone(), |mv| state.apply(mv)))?;
        } else {
            let report = without.search(&state, &budget)?;
            played.work[1].add(&report);
            if let Some(expected) = expected.take() {
                played.replies.0 += u32::from(expected == report.best_move);
                played.replies.1 += 1;
            }
            state.apply_in_place(&report.best_move);
        }
    };
    played.score = outcome.score(number % 2);
    Ok(played)
}

/// What the side does while the other one thinks.
fn ponder<G: Game>(
    args: &PonderArgs,
    with: &mut Handle<Mcts<G>>,
    state: &G,
) -> Result<(), Failure> {
    if state.outcome().is_some() {
        return Ok(());
    }
    match args.simulations {
        // All of it before the other one begins.
        Some(count) => {
            with.think(state, &Budget::simulations(count));
            with.wait()?;
        }
        None => {
            with.ponder(state);
        }
    }
    Ok(())
}
