//! The games of a match, some at a time.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::thread;

use indicatif::ProgressBar;
use playtree::statistics::Verdict;

use super::play::{Game, Plan};
use crate::error::CliError;
use crate::player::Failure;

/// What was played, in the order of the games.
#[derive(Debug, Default)]
pub(super) struct Series {
    pub(super) games: Vec<Game>,
    /// Whether Ctrl-C has ended the match.
    pub(super) stopped: bool,
}

impl Series {
    /// The mean scores of `a` over the openings that were played with both sides.
    pub(super) fn pairs(&self) -> Vec<f64> {
        let both = self
            .games
            .windows(2)
            .filter(|games| games[0].number % 2 == 1 && games[1].number == games[0].number + 1);
        both.map(|games| (games[0].score + games[1].score) / 2.0).collect()
    }

    /// The mean scores of `a` over the openings, those played with one side only included.
    pub(super) fn openings(&self) -> Vec<f64> {
        let opening = |game: &Game| (game.number - 1) / 2;
        let chunks = self.games.chunk_by(|a, b| opening(a) == opening(b));
        chunks
            .map(|games| games.iter().map(|game| game.score).sum::<f64>() / games.len() as f64)
            .collect()
    }

    /// Puts a game in its place, and says where that is; `None` if Ctrl-C has ended it.
    fn take(
        &mut self,
        plan: &Plan<'_>,
        played: Result<Game, Failure>,
    ) -> Result<Option<usize>, CliError> {
        match played {
            Ok(game) => {
                let place = self.games.partition_point(|other| other.number < game.number);
                self.games.insert(place, game);
                Ok(Some(place))
            }
            Err(Failure::Stopped) => Ok(None),
            Err(Failure::Error(error)) => Err(error),
            Err(Failure::Unfit(detail)) => Err(CliError::at(plan.game.name(), detail)),
            Err(Failure::Forfeit(forfeit)) => Err(CliError::at(plan.game.name(), forfeit.detail)),
        }
    }

    /// How often `a` has won, drawn and lost.
    pub(super) fn counts(&self) -> [usize; 3] {
        let count =
            |wanted: fn(f64) -> bool| self.games.iter().filter(|game| wanted(game.score)).count();
        [count(|score| score > 0.5), count(|score| score == 0.5), count(|score| score < 0.5)]
    }
}

/// Plays the games; `show` is handed each one when it is over. Blocks until all are, or the test
/// of the match is decided, or Ctrl-C. Games share nothing, so with limits that do not know the
/// time, one thread a player and no test the result does not depend on the concurrency.
pub(super) fn play(
    plan: &Plan<'_>,
    bar: &ProgressBar,
    mut show: impl FnMut(&Game) -> Result<(), CliError>,
) -> Result<Series, CliError> {
    let (give, orders) = channel::<usize>();
    let (done, played) = channel();
    let orders = Mutex::new(orders);
    let mut numbers = 0..plan.args.games;
    thread::scope(|scope| {
        let mut begun = 0;
        for number in numbers.by_ref().take(plan.args.concurrency) {
            // The receiver lives until the scope is left, so the send cannot fail.
            let _ = give.send(number);
            let (orders, done) = (&orders, done.clone());
            let play = move || {
                loop {
                    let order = orders.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok(number) = order else { return };
                    // A panic is handed on, so that no thread waits for this game.
                    let played = catch_unwind(AssertUnwindSafe(|| plan.play(number)));
                    if done.send(played).is_err() {
                        return;
                    }
                }
            };
            // With fewer threads than games at a time the others wait for a thread.
            match thread::Builder::new().spawn_scoped(scope, play) {
                Ok(_) => begun += 1,
                Err(_) if begun > 0 => {}
                Err(error) => return Err(CliError::Io(error)),
            }
        }
        // Now the loop below ends when the last thread has.
        drop(done);
        // Without it the threads end after the games they are at.
        let mut give = Some(give);
        let mut series = Series::default();
        let mut error = None;
        let mut under_way = plan.args.concurrency.min(plan.args.games);
        for played in played {
            under_way -= 1;
            let played = played.unwrap_or_else(|panic| resume_unwind(panic));
            match series.take(plan, played) {
                Ok(Some(game)) => {
                    let [won, drawn, lost] = series.counts();
                    bar.inc(1);
                    bar.set_message(format!("{} +{won} ={drawn} -{lost}", plan.game.name()));
                    error = error.or(show(&series.games[game]).err());
                }
                Ok(None) => series.stopped = true,
                Err(found) => error = error.or(Some(found)),
            }
            let test = plan.args.sprt;
            let decided =
                test.is_some_and(|test| test.verdict(&series.pairs()) != Verdict::Undecided);
            let over = decided || error.is_some() || plan.stop.token().is_stopped();
            let next = if over { None } else { numbers.next() };
            match (next, &give) {
                (Some(number), Some(orders)) => {
                    under_way += 1;
                    let _ = orders.send(number);
                }
                _ if under_way == 0 || over => give = None,
                _ => {}
            }
        }
        series.stopped |= plan.stop.token().is_stopped();
        error.map_or(Ok(series), Err)
    })
}
