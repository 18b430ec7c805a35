//! Playing strength: one engine against the others, from random openings, sides swapped.
//!
//! Every engine gets every move of its game and keeps its tree where its crate offers that
//! (the module docs in `peers` say which do), as a program that plays would; `--fresh` empties
//! the trees between moves. A limit in simulations is that of new ones in both cases.

pub(crate) mod play;
pub(crate) mod tune;

use std::convert::Infallible;
use std::time::Duration;

use clap::Args;

use crate::Failure;
use crate::engine::{Entry, Game, Limit};
use crate::games::{self, GameName, with_game};
use crate::parallel::at_a_time;
use crate::table::{Table, short};
use play::{Contest, Side};

/// What `matches` takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct MatchArgs {
    /// The games; Connect Four, Othello and Hex if none is given.
    pub(crate) game_names: Vec<GameName>,
    /// Games of each match, an even number; by default the game's usual number.
    #[arg(long)]
    pub(crate) games: Option<usize>,
    /// Simulations per move; by default the game's usual number.
    #[arg(long, conflicts_with = "time_ms")]
    pub(crate) simulations: Option<u64>,
    /// Time per move instead.
    #[arg(long)]
    pub(crate) time_ms: Option<u64>,
    /// Worker threads of each side.
    #[arg(long, default_value_t = 1)]
    pub(crate) threads: usize,
    /// Games at a time; by default 2 if each side has one worker, else 1.
    #[arg(long)]
    pub(crate) concurrency: Option<usize>,
    /// The exploration constant of the first side; its default if absent.
    #[arg(long)]
    pub(crate) ours_c: Option<f64>,
    /// The exploration constant of the others, in their own formulas.
    #[arg(long)]
    pub(crate) peer_c: Option<f64>,
    /// First finds each engine's best constant of 0.3, 0.5, 0.7, 1.0 and 1.4.
    #[arg(long, conflicts_with_all = ["ours_c", "peer_c"])]
    pub(crate) best: bool,
    /// Games of each pairing when constants are compared.
    #[arg(long, default_value_t = 40)]
    pub(crate) tune_games: usize,
    /// The first side.
    #[arg(long, default_value = "playtree")]
    pub(crate) first: Entry,
    /// The others; all but the first side if absent.
    #[arg(long, value_delimiter = ',')]
    pub(crate) against: Vec<Entry>,
    /// Fixes openings and seeds.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Searches every move from an empty tree, even where a crate can keep its own.
    #[arg(long)]
    pub(crate) fresh: bool,
}

/// Prints a table per game.
pub(crate) fn run(args: &MatchArgs) -> Result<(), Failure> {
    println!("## Matches\n");
    let default = [GameName::Connect4, GameName::Othello, GameName::Hex];
    for name in games::or_default(&args.game_names, &default) {
        with_game!(name, start => match_table(args, name, &start))?;
    }
    Ok(())
}

/// The limit of a move.
fn limit(args: &MatchArgs, name: GameName) -> Limit {
    match args.time_ms {
        Some(time) => Limit::Time(Duration::from_millis(time)),
        None => Limit::Simulations(args.simulations.unwrap_or_else(|| name.match_simulations())),
    }
}

/// The engine's best constant at the contest's limit, `None` if it has a fixed one. Prints how
/// the constants have scored.
fn best_constant<G: Game>(
    contest: &Contest<'_, G>,
    entry: Entry,
    games: usize,
    name: GameName,
) -> Option<f64> {
    let contest = Contest { games, ..*contest };
    let Ok(found) = tune::best(entry, |first, second| {
        Ok::<_, Infallible>(contest.play(first, second).score().score().value)
    });
    let tuned = found?;
    println!("- {}, {}: {tuned}", name.title(), entry.name());
    Some(tuned.best)
}

fn match_table<G: Game>(args: &MatchArgs, name: GameName, start: &G) -> Result<(), Failure> {
    let others = others(args);
    [args.first].iter().chain(&others).try_for_each(|entry| entry.check::<G>())?;
    let limit = limit(args, name);
    let contest = Contest {
        start,
        limits: [limit; 2],
        games: args.games.unwrap_or_else(|| name.match_games()),
        first_pair: 0,
        threads: args.threads,
        concurrency: at_a_time(args.concurrency, args.threads),
        seed: args.seed,
        fresh: args.fresh,
    };
    let per_move = match limit {
        Limit::Simulations(count) => format!("{count} simulations"),
        Limit::Time(time) => format!("{} ms", time.as_millis()),
    };
    println!(
        "### {}: {per_move} per move, {} worker(s), {} games, {}\n",
        name.title(),
        args.threads,
        contest.games,
        if args.fresh { "an empty tree for every move" } else { "trees kept through a game" }
    );
    let mut table = Table::new([
        "first (c)",
        "second (c)",
        "won",
        "drawn",
        "lost",
        "score, %",
        "Elo [95 %]",
        "simulations per move",
        "ms per move",
    ]);
    let constant = |entry, given| match given {
        Some(_) => given,
        None if args.best => best_constant(&contest, entry, args.tune_games, name),
        None => None,
    };
    let first = Side { entry: args.first, exploration: constant(args.first, args.ours_c) };
    for entry in others {
        let second = Side { entry, exploration: constant(entry, args.peer_c) };
        eprintln!("matches: {} {first} - {second}", name.name());
        let result = contest.play(first, second);
        let score = result.score();
        let [first_work, second_work] = result.work();
        let simulations = |count: Option<f64>| count.map_or_else(|| "?".to_owned(), short);
        table.row(vec![
            first.to_string(),
            second.to_string(),
            result.count(1.0).to_string(),
            result.count(0.5).to_string(),
            result.count(0.0).to_string(),
            format!("{:.1}", 100.0 * score.score().value),
            score.elo().to_string(),
            format!(
                "{} / {}",
                simulations(first_work.simulations_per_move()),
                simulations(second_work.simulations_per_move())
            ),
            format!(
                "{:.1} / {:.1}",
                first_work.milliseconds_per_move(),
                second_work.milliseconds_per_move()
            ),
        ]);
    }
    if args.best {
        // Ends the list that the round robins have printed.
        println!();
    }
    println!("{table}");
    Ok(())
}

/// Those that the first side plays against.
fn others(args: &MatchArgs) -> Vec<Entry> {
    if !args.against.is_empty() {
        return args.against.clone();
    }
    let all = Entry::ALL.into_iter();
    all.filter(|entry| *entry != args.first && *entry != Entry::PlaytreeAlone).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::{MatchArgs, others};
    use crate::engine::Entry;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: MatchArgs,
    }

    #[test]
    fn those_that_are_named_are_played_against() {
        let of = |words: &[&str]| others(&Line::parse_from(["matches"].iter().chain(words)).args);
        let named = of(&["--against", "treant-evaluation,treant-uniform"]);
        assert_eq!(named, [Entry::TreantEvaluation, Entry::TreantUniform]);
        let all = of(&["--first", "treant"]);
        assert!(all.contains(&Entry::Playtree) && !all.contains(&Entry::Treant));
    }
}
