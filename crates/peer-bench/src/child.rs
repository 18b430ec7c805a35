//! One measurement in a process of its own, so that nothing leaks into the next one: heap,
//! page tables, peak memory.

use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use playtree::{Outcome, Rng};
use serde::{Deserialize, Serialize};

use crate::engine::{Engine, Entry, Game, Limit, Settings};
use crate::games::{GameName, with_game};
use crate::rollouts::{Together, fastest, mixed, walked};
use crate::{Failure, status};

/// How long rollouts alone are measured at least.
const ROLLOUT_TIME: Duration = Duration::from_millis(500);

/// Rollouts between two looks at the clock.
const ROLLOUTS_PER_LOOK: u64 = 50;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Subject {
    /// Rollouts alone.
    Rollouts(Way),
    /// A search.
    Engine(Entry),
}

/// How rollouts alone are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Way {
    /// Side by side, as playtree does where the game can.
    SideBySide,
    /// One after the other, by the game's fastest way, as every engine can.
    OneByOne,
    /// One after the other, move by move.
    MoveByMove,
}

/// A measurement to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    pub(crate) game: GameName,
    pub(crate) subject: Subject,
    pub(crate) threads: usize,
    pub(crate) simulations: u64,
    /// The constant of the formula, `None` for the engine's default.
    pub(crate) exploration: Option<f64>,
    pub(crate) seed: u64,
}

/// What a measurement has found.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Sample {
    /// Simulations done, or rollouts.
    pub(crate) simulations: u64,
    /// The search alone.
    pub(crate) seconds: f64,
    /// Freeing the tree.
    pub(crate) freeing_seconds: f64,
    /// Growth of the resident size at its peak.
    pub(crate) growth_bytes: u64,
}

impl Sample {
    /// Simulations per second.
    pub(crate) fn rate(&self) -> f64 {
        self.simulations as f64 / self.seconds
    }
}

/// What the hidden subcommand `one` takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct OneArgs {
    game: GameName,
    /// The engine; rollouts alone if there is none.
    #[arg(long)]
    entry: Option<Entry>,
    /// How the rollouts are played.
    #[arg(long, value_enum, default_value_t = Way::OneByOne)]
    way: Way,
    #[arg(long)]
    threads: usize,
    #[arg(long)]
    simulations: u64,
    #[arg(long)]
    exploration: Option<f64>,
    #[arg(long)]
    seed: u64,
}

impl Job {
    /// Runs the measurement in a process of its own.
    pub(crate) fn run(&self) -> Result<Sample, Failure> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("one").arg(self.game.name());
        match self.subject {
            Subject::Engine(entry) => {
                command.arg("--entry").arg(entry.name());
            }
            Subject::Rollouts(way) => {
                let way = way.to_possible_value().expect("no way is skipped");
                command.arg("--way").arg(way.get_name());
            }
        }
        command.arg("--threads").arg(self.threads.to_string());
        command.arg("--simulations").arg(self.simulations.to_string());
        if let Some(exploration) = self.exploration {
            command.arg("--exploration").arg(exploration.to_string());
        }
        command.arg("--seed").arg(self.seed.to_string());
        let output = command.output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{self:?} ended with {}: {said}", output.status).into());
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}

/// The hidden subcommand: measures and prints a line of JSON.
pub(crate) fn one(args: &OneArgs) -> Result<(), Failure> {
    let sample = with_game!(args.game, start => measure(&start, args)?);
    println!("{}", serde_json::to_string(&sample)?);
    Ok(())
}

fn measure<G: Game>(start: &G, args: &OneArgs) -> Result<Sample, Failure> {
    let Some(entry) = args.entry else { return Ok(rollouts(start, args)) };
    status::reset_peak()?;
    let before = status::resident()?;
    let mut engine: Box<dyn Engine<G>> = entry.make(Settings {
        threads: args.threads,
        exploration: args.exploration,
        seed: args.seed,
        proofs: false,
        split_freeing: true,
    });
    let found = engine.search(start, Limit::Simulations(args.simulations));
    let growth_bytes = status::peak_resident()?.saturating_sub(before);
    let freeing = Instant::now();
    drop(engine);
    Ok(Sample {
        simulations: found.simulations.ok_or("the crate does not tell its simulations")?,
        seconds: found.seconds,
        freeing_seconds: found.freeing_seconds + freeing.elapsed().as_secs_f64(),
        growth_bytes,
    })
}

/// Rollouts from the start position, at least `args.simulations` and for at least
/// [`ROLLOUT_TIME`]: a search of the same count takes many times longer, and the two are to be
/// compared.
fn rollouts<G: Game>(start: &G, args: &OneArgs) -> Sample {
    let share = args.simulations.div_ceil(args.threads as u64);
    let begin = Instant::now();
    let work = |thread: usize| {
        let mut rng = Rng::from_seed(mixed(args.seed, thread as u64));
        let mut buffer = Vec::new();
        let mut together = Together::new(black_box(start));
        let mut score = 0.0;
        let mut played = 0;
        while played < share || begin.elapsed() < ROLLOUT_TIME {
            let start = black_box(start);
            let (rollouts, scores) = match args.way {
                Way::SideBySide => {
                    let outcomes = together.play(&mut rng);
                    (outcomes.len() as u64, outcomes.iter().map(|outcome| outcome.score(0)).sum())
                }
                Way::OneByOne => one_by_one(|| fastest(start, &mut rng)),
                Way::MoveByMove => one_by_one(|| walked(start, &mut rng, &mut buffer)),
            };
            score += scores;
            played += rollouts;
        }
        black_box(score);
        played
    };
    let simulations = std::thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> =
            (0..args.threads).map(|thread| scope.spawn(move || work(thread))).collect();
        workers.into_iter().map(|worker| worker.join().expect("a rollout panicked")).sum()
    });
    let seconds = begin.elapsed().as_secs_f64();
    Sample { simulations, seconds, ..Sample::default() }
}

/// Rollouts until the next look at the clock: how many, and the sum of the first player's scores.
#[inline]
fn one_by_one(mut rollout: impl FnMut() -> Outcome) -> (u64, f64) {
    let scores = (0..ROLLOUTS_PER_LOOK).map(|_| rollout().score(0)).sum();
    (ROLLOUTS_PER_LOOK, scores)
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use crate::engine::Entry;
    use crate::games::GameName;

    /// Parent and child must agree on them.
    #[test]
    fn names_are_read_back() {
        for entry in Entry::ALL {
            assert_eq!(Entry::from_str(&entry.name(), false), Ok(entry));
        }
        for game in GameName::ALL {
            assert_eq!(GameName::from_str(&game.name(), false), Ok(game));
        }
    }
}
