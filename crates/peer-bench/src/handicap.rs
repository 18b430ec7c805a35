//! Effective speed: how many times our time per move a peer needs to score one half.
//!
//! A score at equal time says little where one side wins nearly all games. Here the peer gets a
//! multiple of our time, and games at several multiples show where the score is one half.

mod cost;
mod design;
mod fit;
mod record;
mod row;

use std::path::PathBuf;
use std::str::FromStr;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::Args;

use crate::Failure;
use crate::engine::Entry;
use crate::games::{self, GameName, with_game};
use crate::matches::play::Side;
use crate::parallel::at_a_time;
use crate::table::{Table, line};
use cost::span;
use design::{HIGHEST, LOWEST};
use record::Record;
use row::Row;

/// The fewest pairs of games between two looks at the result.
const LEAST_BATCH: usize = 4;

/// What `handicap` takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct HandicapArgs {
    /// The games; Connect Four, Othello and Hex if none is given.
    game_names: Vec<GameName>,
    /// Our time per move; by default 10 and 100 ms for Connect Four, 10 for Othello, 20 for Hex
    /// and 1 for tic-tac-toe.
    #[arg(long, value_parser = at_least::<u64, 1>)]
    time_ms: Option<u64>,
    /// Worker threads of each side; by default one row with 1 and one with 2.
    #[arg(long, value_parser = at_least::<usize, 1>)]
    threads: Option<usize>,
    /// The peer.
    #[arg(long, default_value = "treant")]
    against: Entry,
    /// Our exploration constant; its default if absent.
    #[arg(long, value_parser = constant)]
    ours_c: Option<f64>,
    /// The peer's, in its own formula; if absent, the best of 0.3, 0.5, 0.7, 1.0 and 1.4 at the
    /// first factor is found before.
    #[arg(long, value_parser = constant)]
    peer_c: Option<f64>,
    /// Games of each pairing when constants are compared.
    #[arg(long, default_value_t = 40, value_parser = at_least::<usize, 2>)]
    tune_games: usize,
    /// Plays until the 95 % interval of the effective speed is within this factor either way.
    #[arg(long, default_value_t = 1.25, value_parser = above_one)]
    within: f64,
    /// The most games of a row, an even number.
    #[arg(long, default_value_t = 2000, value_parser = at_least::<usize, 2>)]
    most_games: usize,
    /// The factor of the first games, taken to the nearest of 1, 1.5, 2, 3, 4, 6, 8 and so on.
    #[arg(long, default_value_t = 8.0, value_parser = factor)]
    first_factor: f64,
    /// Plays at this factor alone, taken to the nearest as the first one is, and shows the score
    /// there: where the effective speed is not asked for, but whether it is above a number.
    #[arg(long, value_parser = factor, conflicts_with_all = ["points", "within", "most_games"])]
    at: Option<f64>,
    /// Plays single points at the effective speed as well: our time 1 ms and 1 s.
    #[arg(long)]
    points: bool,
    /// Games of a single point, an even number.
    #[arg(long, default_value_t = 100, value_parser = at_least::<usize, 2>)]
    point_games: usize,
    /// Games at a time; by default 2 if each side has one worker, else 1.
    #[arg(long, value_parser = at_least::<usize, 1>)]
    concurrency: Option<usize>,
    /// Fixes openings and seeds.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Adds every finished pair of games to this file, and takes those that it has: the same
    /// command goes on where it was interrupted.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Says how long it would take, and ends.
    #[arg(long)]
    dry_run: bool,
}

impl HandicapArgs {
    /// Games at a time.
    fn concurrency(&self, threads: usize) -> usize {
        at_a_time(self.concurrency, threads)
    }

    /// Pairs of games between two looks at the result.
    fn batch_pairs(&self, threads: usize) -> usize {
        LEAST_BATCH.max(2 * self.concurrency(threads))
    }

    /// The rows of the table.
    fn rows(&self) -> Vec<Row> {
        let default = [GameName::Connect4, GameName::Othello, GameName::Hex];
        let mut rows = Vec::new();
        for name in games::or_default(&self.game_names, &default) {
            let times = self.time_ms.map_or_else(|| usual_times(name).to_vec(), |time| vec![time]);
            for time in times.into_iter().map(Duration::from_millis) {
                let threads = self.threads.map_or_else(|| vec![1, 2], |threads| vec![threads]);
                rows.extend(threads.into_iter().map(|threads| Row { name, time, threads }));
            }
        }
        rows
    }
}

/// Our usual times per move of a game, in milliseconds.
fn usual_times(name: GameName) -> &'static [u64] {
    match name {
        GameName::Tictactoe => &[1],
        GameName::Connect4 => &[10, 100],
        GameName::Othello => &[10],
        GameName::Hex => &[20],
    }
}

/// Prints the table, each row as soon as it is complete.
pub(crate) fn run(args: &HandicapArgs) -> Result<(), Failure> {
    let rows = args.rows();
    let mut record = match &args.record {
        Some(path) if args.dry_run => Record::look(path)?,
        Some(path) => Record::open(path)?,
        None => Record::default(),
    };
    announce(args, &rows, &record);
    if args.dry_run {
        return Ok(());
    }
    print_heading(args);
    for row in rows {
        with_game!(row.name, start => row.complete(args, &start, &mut record)?);
    }
    println!();
    Ok(())
}

/// Says on standard error how long it will take.
fn announce(args: &HandicapArgs, rows: &[Row], record: &Record) {
    let mut sum = 0.0;
    for row in rows {
        let cost = row.cost(args, record);
        let mut parts = format!("about {} games in {}", cost.games, span(cost.playing));
        if cost.tuning > 0.0 {
            parts = format!("{} for the peer's constant, then {parts}", span(cost.tuning));
        }
        if cost.points > 0.0 {
            parts = format!("{parts}, then {} for single points", span(cost.points));
        }
        eprintln!("handicap: {row}: {parts}");
        warn_if_crowded(row.threads, args.concurrency(row.threads));
        sum += cost.tuning + cost.playing + cost.points;
    }
    eprintln!("handicap: {} in all, if the first factor is near the effective speed", span(sum));
}

/// Says so if not every worker has a core, since then the time per move is not what it says.
fn warn_if_crowded(threads: usize, concurrency: usize) {
    let cores = available_parallelism().map_or(1, usize::from);
    if threads * concurrency > cores {
        eprintln!(
            "handicap: expected at least {} cores for {concurrency} game(s) at a time with \
             {threads} worker(s), found {cores}: the result will be wrong",
            threads * concurrency
        );
    }
}

/// Prints what comes before the first row.
fn print_heading(args: &HandicapArgs) {
    let ours = Side { entry: args.against.ours_beside(), exploration: args.ours_c };
    println!("## Effective speed of {ours} against {}\n", args.against.name());
    println!("How many times our time per move the peer needs to score one half.\n");
    let table = Table::new([
        "game",
        "our time per move, ms",
        "workers a side",
        "peer (c)",
        "effective speed [95 %]",
        "games",
        "our score at factors beside it",
        "ms per move there",
        "simulations per move there",
        "simulations per second, ratio",
    ]);
    print!("{table}");
}

/// Prints a row of the table.
fn print_row(cells: &[String]) {
    println!("{}", line(cells));
}

/// Reads a whole number of `LEAST` or more.
fn at_least<T: FromStr + PartialOrd + From<u8>, const LEAST: u8>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| *number >= T::from(LEAST));
    number.ok_or_else(|| format!("expected a whole number of {LEAST} or more"))
}

/// Reads a factor that games can be played at.
fn factor(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (LOWEST..=HIGHEST).contains(number));
    number.ok_or_else(|| format!("expected a factor from {LOWEST} to {HIGHEST}"))
}

/// Reads an exploration constant.
fn constant(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number >= 0.0 && number.is_finite());
    number.ok_or_else(|| "expected a number of 0 or more".to_owned())
}

/// Reads a number above 1.
fn above_one(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number > 1.0 && number.is_finite());
    number.ok_or_else(|| "expected a factor above 1".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::HandicapArgs;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: HandicapArgs,
    }

    /// The arguments of a command line.
    pub(super) fn args(words: &[&str]) -> HandicapArgs {
        Line::parse_from(["handicap"].iter().chain(words)).args
    }

    #[test]
    fn the_usual_rows() {
        let rows: Vec<String> = args(&[]).rows().iter().map(ToString::to_string).collect();
        assert_eq!(rows.len(), 8);
        assert_eq!(rows[0], "connect4, 10 ms, 1 worker(s)");
        assert_eq!(rows[3], "connect4, 100 ms, 2 worker(s)");
        assert_eq!(rows[7], "hex, 20 ms, 2 worker(s)");
        let one = args(&["connect4", "--time-ms", "7", "--threads", "3"]).rows();
        assert_eq!((one.len(), one[0].to_string().as_str()), (1, "connect4, 7 ms, 3 worker(s)"));
        let two = args(&["othello", "--concurrency", "5"]);
        assert_eq!([two.concurrency(2), two.batch_pairs(2)], [5, 10]);
        assert_eq!([1, 2].map(|threads| args(&[]).concurrency(threads)), [2, 1]);
    }

    #[test]
    fn settings_out_of_range_are_refused() {
        for words in [
            ["--threads", "0"],
            ["--time-ms", "0"],
            ["--within", "1"],
            ["--within", "inf"],
            ["--first-factor", "0"],
            ["--first-factor", "NaN"],
            ["--at", "0"],
            ["--most-games", "1"],
            ["--peer-c", "NaN"],
        ] {
            let line = ["handicap"].iter().chain(&words);
            let error = Line::try_parse_from(line).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains("expected"), "{error}");
        }
    }
}
