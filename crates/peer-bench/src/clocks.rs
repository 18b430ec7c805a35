//! What the time manager is worth: the engine on a game clock against itself with the same time
//! for every move.

use std::time::{Duration, Instant};

use clap::Args;
use playtree::budget::{GameClock, OnlyMove, TimeManager};
use playtree::statistics::MatchScore;
use playtree::{Budget, Mcts};

use crate::Failure;
use crate::engine::Game;
use crate::games::{self, GameName, with_game};
use crate::openings::{PLIES, opening};
use crate::rollouts::mixed;
use crate::table::{Table, short};

/// What `clocks` takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct ClockArgs {
    /// The games; Connect Four and Othello if none is given.
    pub(crate) game_names: Vec<GameName>,
    /// Games of each match, an even number; by default the game's usual number.
    #[arg(long)]
    pub(crate) games: Option<usize>,
    /// Time of each side for all of its moves; by default the game's usual time.
    #[arg(long)]
    pub(crate) total_ms: Option<u64>,
    /// Moves by which the other side divides the same total; by default those that are left of a
    /// whole game after the opening.
    #[arg(long)]
    pub(crate) moves: Option<u32>,
    /// Lag buffer of the time manager, in microseconds.
    #[arg(long, default_value_t = 500)]
    pub(crate) lag_us: u64,
    /// Worker threads of each side; the sides take turns.
    #[arg(long, default_value_t = 1)]
    pub(crate) threads: usize,
    /// Fixes openings and seeds.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

/// What the moves of a side have taken.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    moves: f64,
    simulations: f64,
    time: Duration,
}

impl Spent {
    fn sum(self, other: Self) -> Self {
        Self {
            moves: self.moves + other.moves,
            simulations: self.simulations + other.simulations,
            time: self.time + other.time,
        }
    }
}

struct Played {
    /// Of the side with the time manager.
    score: f64,
    /// Whether that side has lost on time.
    overstepped: bool,
    /// Of the side with the time manager, then the other.
    spent: [Spent; 2],
}

/// Prints a table with a row per game.
pub(crate) fn run(args: &ClockArgs) -> Result<(), Failure> {
    println!("## Time manager: {} worker(s) a side\n", args.threads);
    let mut table = Table::new([
        "game",
        "time for the game, s",
        "time per move of the other side, ms",
        "games",
        "won",
        "drawn",
        "lost",
        "of these on time",
        "score, % [95 %]",
        "Elo [95 %]",
        "time used per game, s",
        "simulations per game",
    ]);
    for name in games::or_default(&args.game_names, &[GameName::Connect4, GameName::Othello]) {
        table.row(with_game!(name, start => row(args, name, &start))?);
    }
    println!("{table}");
    Ok(())
}

fn row<G: Game>(args: &ClockArgs, name: GameName, start: &G) -> Result<Vec<String>, Failure> {
    let games = args.games.unwrap_or_else(|| name.match_games());
    let total = args.total_ms.map_or_else(|| name.match_time(), Duration::from_millis);
    let moves = args.moves.unwrap_or_else(|| (name.longest_plies() - PLIES as u32).div_ceil(2));
    let manager =
        TimeManager::new().lag(Duration::from_micros(args.lag_us)).expected_plies(name.plies());
    let per_move = total.checked_div(moves).ok_or("--moves must be at least 1")?;
    let mut scores = Vec::new();
    let mut spent = [Spent::default(); 2];
    let mut overstepped = 0;
    for number in 0..games {
        let game = game(args, start, number, (manager, total), per_move)?;
        scores.push(game.score);
        overstepped += u32::from(game.overstepped);
        spent = [spent[0].sum(game.spent[0]), spent[1].sum(game.spent[1])];
        let sum: f64 = scores.iter().sum();
        eprintln!("clocks: {}: {sum} of {} games", name.name(), number + 1);
    }
    let count = |wanted: f64| scores.iter().filter(|score| **score == wanted).count().to_string();
    let score = MatchScore::of_games(&scores);
    let per_game = |of: fn(&Spent) -> f64| spent.map(|spent| of(&spent) / games as f64);
    let [time, other_time] = per_game(|spent| spent.time.as_secs_f64());
    let [simulations, other_simulations] = per_game(|spent| spent.simulations).map(short);
    Ok(vec![
        name.title().to_owned(),
        format!("{}", total.as_secs_f64()),
        format!("{:.1}", 1e3 * per_move.as_secs_f64()),
        games.to_string(),
        count(1.0),
        count(0.5),
        count(0.0),
        overstepped.to_string(),
        format!("{:.1}", 100.0 * score.score().value),
        score.elo().to_string(),
        format!("{time:.3} / {other_time:.3}"),
        format!("{simulations} / {other_simulations}"),
    ])
}

/// A game. The side with the time manager is the first player in even games.
fn game<G: Game>(
    args: &ClockArgs,
    start: &G,
    number: usize,
    (manager, total): (TimeManager, Duration),
    per_move: Duration,
) -> Result<Played, Failure> {
    let engine = |side| -> Result<Mcts<G>, Failure> {
        let seed = mixed(args.seed, (2 * number + side) as u64);
        Ok(Mcts::builder().threads(args.threads).seed(seed).build()?)
    };
    let mut engines = [engine(0)?, engine(1)?];
    let fixed = Budget::time(per_move).and(OnlyMove);
    let mut clock = GameClock::SuddenDeath { remaining: total };
    let mut state = opening(start, args.seed, number / 2);
    let mut spent = [Spent::default(); 2];
    let first_is = number % 2;
    let (score, overstepped) = loop {
        if let Some(outcome) = state.outcome() {
            break (outcome.score(first_is), false);
        }
        let side = state.mover() ^ first_is;
        let begun = Instant::now();
        let report = if side == 0 {
            engines[0].search(&state, &manager.budget(clock, state.plies()))?
        } else {
            engines[1].search(&state, &fixed)?
        };
        let time = begun.elapsed();
        let simulations = report.simulations as f64;
        spent[side] = spent[side].sum(Spent { moves: 1.0, simulations, time });
        if side == 0 {
            match clock.after_move(time) {
                Some(left) => clock = left,
                None => {
                    let (ply, plan) = (state.plies(), manager.plan(clock, state.plies()));
                    eprintln!("clocks: lost at ply {ply}: {time:?} of {clock:?} by {plan:?}");
                    break (0.0, true);
                }
            }
        }
        state.apply_in_place(&report.best_move);
    };
    Ok(Played { score, overstepped, spent })
}
