//! How soon a search of this library is at full speed: simulations by the millisecond, of new
//! engines and of engines that are kept and forget.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use playtree::budget::{Hint, Progress, StopRule};
use playtree::{Budget, GameState, Mcts};

use crate::Failure;
use crate::games::{self, GameName, with_game};
use crate::rollouts::mixed;
use crate::table::{Table, median, short};

/// What `start` takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct StartArgs {
    /// The games; Connect Four, Othello and Hex if none is given.
    games: Vec<GameName>,
    /// New engines of a row. Each searches, forgets and searches again.
    #[arg(long, default_value_t = 50)]
    engines: u64,
    /// Time of a search, in milliseconds; its last tenth is full speed.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(20..))]
    time_ms: u32,
    /// Worker threads of a search.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// The milliseconds with a column of their own, from the call of the search.
const SHOWN: usize = 6;

/// Prints a table for each game.
pub(crate) fn run(args: &StartArgs) -> Result<(), Failure> {
    let games = [GameName::Connect4, GameName::Othello, GameName::Hex];
    for game in games::or_default(&args.games, &games) {
        println!("## The first milliseconds: {}\n", game.title());
        println!(
            "Simulations in each of the first {SHOWN} ms, in parts of those of a millisecond of the \
             last tenth of {} ms: medians of {} engines, {} worker(s).\n",
            args.time_ms, args.engines, args.threads
        );
        let bins = (1..=SHOWN).map(|bin| format!("ms {bin}"));
        let headings = ["proofs, engine".to_owned()].into_iter().chain(bins);
        let mut table = Table::new(headings.chain(["full speed, simulations/s".to_owned()]));
        for row in with_game!(game, start => measure(args, &start))? {
            table.row(row);
        }
        println!("{table}");
    }
    Ok(())
}

/// The rows: without and with proofs, of new engines and of kept ones. All are measured by turns.
fn measure<G: GameState>(args: &StartArgs, start: &G) -> Result<Vec<Vec<String>>, Failure> {
    let names = ["off, new", "off, kept", "on, new", "on, kept"];
    let mut curves = names.map(|_| Vec::new());
    for index in 0..args.engines {
        for proofs in [false, true] {
            let builder = Mcts::<G>::builder().threads(args.threads).proofs(proofs);
            let mut engine = builder.seed(mixed(1, index)).build()?;
            for kept in [false, true] {
                engine.forget();
                let curve = curve(&mut engine, start, args.time_ms)?;
                curves[2 * usize::from(proofs) + usize::from(kept)].push(curve);
            }
        }
    }
    let rows = names.iter().zip(&curves).map(|(name, curves)| row(name, curves));
    Ok(rows.collect())
}

/// Simulations of each millisecond, from the first one.
type Curve = Vec<f64>;

/// Medians of the first milliseconds, each as a part of the same engine's full speed.
fn row(name: &str, curves: &[Curve]) -> Vec<String> {
    let of_all =
        |value: &dyn Fn(&Curve) -> f64| median(&curves.iter().map(value).collect::<Vec<_>>());
    let mut cells = vec![name.to_owned()];
    for bin in 0..SHOWN {
        cells.push(format!("{:.2}", of_all(&|curve| curve[bin] / full(curve))));
    }
    cells.push(short(1_000.0 * of_all(&full)));
    cells
}

/// Simulations of a millisecond at full speed: the mean of the last tenth.
fn full(curve: &Curve) -> f64 {
    let last = &curve[curve.len() - curve.len() / 10..];
    last.iter().sum::<f64>() / last.len() as f64
}

/// One search.
fn curve<G: GameState>(engine: &mut Mcts<G>, start: &G, time_ms: u32) -> Result<Curve, Failure> {
    let looks = Looks::default();
    let budget = Budget::time(Duration::from_millis(time_ms.into())).and(looks.clone());
    let report = engine.search(start, &budget)?;
    let mut looks = looks.take();
    looks.push((report.elapsed, report.simulations));
    let done = (0..=time_ms).map(|ms| done_after(&looks, f64::from(ms) / 1e3));
    let done: Vec<f64> = done.collect();
    Ok(done.windows(2).map(|edges| edges[1] - edges[0]).collect())
}

/// Simulations done `seconds` after the call, between two looks by proportion.
fn done_after(looks: &[(Duration, u64)], seconds: f64) -> f64 {
    let next = looks.partition_point(|look| look.0.as_secs_f64() < seconds);
    let point = |look: (Duration, u64)| (look.0.as_secs_f64(), look.1 as f64);
    let before = if next == 0 { (0.0, 0.0) } else { point(looks[next - 1]) };
    let Some(&after) = looks.get(next) else { return before.1 };
    let after = point(after);
    if after.0 <= before.0 {
        return after.1;
    }
    before.1 + (after.1 - before.1) * (seconds - before.0) / (after.0 - before.0)
}

/// A rule that stops nothing: it notes how far the search has come whenever it is asked.
#[derive(Clone, Debug, Default)]
struct Looks(Arc<Mutex<Vec<(Duration, u64)>>>);

impl Looks {
    fn take(&self) -> Vec<(Duration, u64)> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl StopRule for Looks {
    fn check(&self, progress: &Progress) -> Hint {
        let look = (progress.elapsed, progress.simulations);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(look);
        Hint::go_on()
    }
}

#[cfg(test)]
mod tests {
    use super::{done_after, full};
    use std::time::Duration;

    #[test]
    fn what_is_done_is_shared_out_between_looks() {
        let look = |us, simulations| (Duration::from_micros(us), simulations);
        let looks = [look(0, 0), look(500, 100), look(1_500, 300), look(1_500, 300)];
        let done = [0.0, 0.25, 1.0, 1.5, 9.0].map(|ms: f64| done_after(&looks, ms / 1e3).round());
        assert_eq!(done, [0.0, 50.0, 200.0, 300.0, 300.0]);
    }

    #[test]
    fn full_speed_is_that_of_the_last_tenth() {
        let mut curve = vec![1.0; 18];
        curve.extend([4.0, 6.0]);
        assert_eq!(full(&curve), 5.0);
    }
}
