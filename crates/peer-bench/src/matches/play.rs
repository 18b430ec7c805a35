//! The games of a match.

use std::fmt::{self, Display};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use playtree::statistics::MatchScore;

use crate::engine::{Engine, Entry, Game, Limit, Settings};
use crate::openings::opening;
use crate::rollouts::mixed;

/// One side of a match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) entry: Entry,
    /// The constant of its formula, `None` for its default.
    pub(super) exploration: Option<f64>,
}

impl Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exploration {
            Some(exploration) => write!(f, "{} ({exploration})", self.entry.name()),
            None => write!(f, "{} (default)", self.entry.name()),
        }
    }
}

/// What all the matches on a game have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contest<'a, G> {
    pub(super) start: &'a G,
    /// Of each move.
    pub(super) limit: Limit,
    pub(super) games: usize,
    /// Workers of each side.
    pub(super) threads: usize,
    /// Games at a time.
    pub(super) concurrency: usize,
    pub(super) seed: u64,
    /// Whether every move is searched from an empty tree, even where a crate can keep its own.
    pub(super) fresh: bool,
}

/// What a side has spent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    moves: u64,
    /// Moves whose simulations are known.
    counted: u64,
    simulations: u64,
    seconds: f64,
}

impl Work {
    fn add(&mut self, other: Work) {
        self.moves += other.moves;
        self.counted += other.counted;
        self.simulations += other.simulations;
        self.seconds += other.seconds;
    }

    /// `None` if the crate does not tell.
    pub(super) fn simulations_per_move(&self) -> Option<f64> {
        (self.counted > 0).then(|| self.simulations as f64 / self.counted as f64)
    }

    /// Of the searches alone.
    pub(super) fn milliseconds_per_move(&self) -> f64 {
        1e3 * self.seconds / self.moves as f64
    }
}

/// The games of a match.
#[derive(Clone, Debug)]
pub(super) struct MatchResult {
    /// The first side's score of each game, the two games of an opening side by side.
    scores: Vec<f64>,
    /// What the sides have spent.
    pub(super) work: [Work; 2],
}

impl MatchResult {
    /// Score and interval.
    pub(super) fn score(&self) -> MatchScore {
        MatchScore::of_games(&self.scores)
    }

    /// The games with this score of the first side.
    pub(super) fn count(&self, score: f64) -> usize {
        self.scores.iter().filter(|found| **found == score).count()
    }
}

impl<G: Game> Contest<'_, G> {
    /// Plays a match. Games share nothing, so that with limits in simulations and one worker
    /// the result does not depend on `concurrency`.
    pub(super) fn play(&self, first: Side, second: Side) -> MatchResult {
        let next = AtomicUsize::new(0);
        let finished = Mutex::new((vec![0.0; self.games], [Work::default(); 2]));
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency {
                scope.spawn(|| {
                    loop {
                        let game = next.fetch_add(1, Ordering::Relaxed);
                        if game >= self.games {
                            break;
                        }
                        let (score, work) = self.game(game, [first, second]);
                        let mut finished = finished.lock().expect("no game panics with the lock");
                        finished.0[game] = score;
                        finished.1[0].add(work[0]);
                        finished.1[1].add(work[1]);
                    }
                });
            }
        });
        let (scores, work) = finished.into_inner().expect("no game panics with the lock");
        MatchResult { scores, work }
    }

    /// Plays a game; the first side's score, and what each side has spent.
    fn game(&self, game: usize, sides: [Side; 2]) -> (f64, [Work; 2]) {
        let mut engines = [0, 1].map(|side| -> Box<dyn Engine<G>> {
            let Side { entry, exploration } = sides[side];
            entry.make(Settings {
                threads: self.threads.min(entry.most_threads()),
                exploration,
                seed: mixed(self.seed, (2 * game + side) as u64),
                proofs: true,
                split_freeing: false,
            })
        });
        let mut work = [Work::default(); 2];
        let mut state = opening(self.start, self.seed, game / 2);
        // The first side is the first player in even games.
        let first_is = game % 2;
        let outcome = loop {
            if let Some(outcome) = state.outcome() {
                break outcome;
            }
            let side = state.mover() ^ first_is;
            let found = engines[side].search(&state, self.limit);
            work[side].add(Work {
                moves: 1,
                counted: u64::from(found.simulations.is_some()),
                simulations: found.simulations.unwrap_or(0),
                seconds: found.seconds,
            });
            if self.fresh {
                engines[side].release();
            } else {
                engines.iter_mut().for_each(|engine| engine.played(&found.best));
            }
            state.apply_in_place(&found.best);
        };
        (outcome.score(first_is), work)
    }
}

#[cfg(test)]
mod tests {
    use playtree::games::ConnectFour;

    use super::{Contest, Side};
    use crate::engine::{Entry, Limit};

    fn contest(start: &ConnectFour, concurrency: usize, fresh: bool) -> Contest<'_, ConnectFour> {
        let limit = Limit::Simulations(50);
        Contest { start, limit, games: 20, threads: 1, concurrency, seed: 7, fresh }
    }

    #[test]
    fn a_seed_fixes_a_match_whatever_the_concurrency() {
        let start = ConnectFour::default();
        for pairing in [[Entry::Treant, Entry::Mcts], [Entry::Treant, Entry::Playtree]] {
            let [first, second] = pairing.map(|entry| Side { entry, exploration: Some(0.7) });
            let played = [false, true].map(|fresh| {
                let alone = contest(&start, 1, fresh).play(first, second);
                let together = contest(&start, 2, fresh).play(first, second);
                assert_eq!(alone.scores, together.scores);
                let [won, drawn, lost] = [1.0, 0.5, 0.0].map(|score| alone.count(score));
                assert_eq!(won + drawn + lost, 20);
                for work in alone.work {
                    let simulations = work.simulations_per_move().expect("both tell");
                    assert!(simulations > 0.0 && simulations <= 50.0, "{simulations}");
                }
                alone.scores
            });
            assert_ne!(played[0], played[1], "{pairing:?}: a kept tree plays other games");
        }
    }
}
