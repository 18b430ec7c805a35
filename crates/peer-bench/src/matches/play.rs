//! The games of a match.

use std::convert::Infallible;
use std::fmt::{self, Display};

use playtree::statistics::MatchScore;
use serde::{Deserialize, Serialize};

use crate::engine::{Engine, Entry, Game, Limit, Settings};
use crate::openings::opening;
use crate::parallel::in_parallel;
use crate::rollouts::mixed;

/// One side of a match.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    pub(crate) entry: Entry,
    /// The constant of its formula, `None` for its default.
    pub(crate) exploration: Option<f64>,
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
pub(crate) struct Contest<'a, G> {
    pub(crate) start: &'a G,
    /// Of each move of the first side and of the second.
    pub(crate) limits: [Limit; 2],
    pub(crate) games: usize,
    /// The number of the first pair of games: other pairs have other openings and seeds.
    pub(crate) first_pair: usize,
    /// Workers of each side.
    pub(crate) threads: usize,
    /// Games at a time.
    pub(crate) concurrency: usize,
    pub(crate) seed: u64,
    /// Whether every move is searched from an empty tree, even where a crate can keep its own.
    pub(crate) fresh: bool,
}

/// What a side has spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Work {
    moves: u64,
    /// Moves whose simulations are known.
    counted: u64,
    simulations: u64,
    seconds: f64,
}

impl Work {
    /// Of both.
    pub(crate) fn sum(self, other: Self) -> Self {
        Self {
            moves: self.moves + other.moves,
            counted: self.counted + other.counted,
            simulations: self.simulations + other.simulations,
            seconds: self.seconds + other.seconds,
        }
    }

    /// `None` if the crate does not tell.
    pub(crate) fn simulations_per_move(&self) -> Option<f64> {
        (self.counted > 0).then(|| self.simulations as f64 / self.counted as f64)
    }

    /// `None` if the crate does not tell those of every move.
    pub(crate) fn simulations_per_second(&self) -> Option<f64> {
        (self.moves > 0 && self.counted == self.moves)
            .then(|| self.simulations as f64 / self.seconds)
    }

    /// Of the searches alone.
    pub(crate) fn milliseconds_per_move(&self) -> f64 {
        1e3 * self.seconds / self.moves as f64
    }
}

/// A finished game.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Played {
    /// Of the first side.
    pub(crate) score: f64,
    /// What the sides have spent.
    pub(crate) work: [Work; 2],
}

/// The games of a match.
#[derive(Clone, Debug)]
pub(crate) struct MatchResult {
    /// The two games of an opening side by side.
    pub(crate) games: Vec<Played>,
}

impl MatchResult {
    /// Score and interval.
    pub(crate) fn score(&self) -> MatchScore {
        MatchScore::of_games(&self.games.iter().map(|game| game.score).collect::<Vec<_>>())
    }

    /// The games with this score of the first side.
    pub(crate) fn count(&self, score: f64) -> usize {
        self.games.iter().filter(|game| game.score == score).count()
    }

    /// What the sides have spent in all the games.
    pub(crate) fn work(&self) -> [Work; 2] {
        self.games.iter().fold([Work::default(); 2], |[first, second], game| {
            [first.sum(game.work[0]), second.sum(game.work[1])]
        })
    }
}

impl<G: Game> Contest<'_, G> {
    /// Plays a match. Games share nothing, so that with limits in simulations and one worker
    /// the result does not depend on `concurrency`.
    pub(crate) fn play(&self, first: Side, second: Side) -> MatchResult {
        let Ok(games) = in_parallel(self.games, self.concurrency, |game| {
            Ok::<_, Infallible>(self.game(2 * self.first_pair + game, [first, second]))
        });
        MatchResult { games }
    }

    /// Plays a game.
    fn game(&self, game: usize, sides: [Side; 2]) -> Played {
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
            let found = engines[side].search(&state, self.limits[side]);
            work[side] = work[side].sum(Work {
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
        Played { score: outcome.score(first_is), work }
    }
}

#[cfg(test)]
mod tests {
    use playtree::games::ConnectFour;

    use super::{Contest, MatchResult, Side};
    use crate::engine::{Entry, Limit};

    fn contest(start: &ConnectFour, concurrency: usize, fresh: bool) -> Contest<'_, ConnectFour> {
        Contest {
            start,
            limits: [Limit::Simulations(50); 2],
            games: 20,
            first_pair: 0,
            threads: 1,
            concurrency,
            seed: 7,
            fresh,
        }
    }

    fn scores(result: &MatchResult) -> Vec<f64> {
        result.games.iter().map(|game| game.score).collect()
    }

    #[test]
    fn a_seed_fixes_a_match_whatever_the_concurrency() {
        let start = ConnectFour::default();
        for pairing in [[Entry::Treant, Entry::Mcts], [Entry::Treant, Entry::Playtree]] {
            let [first, second] = pairing.map(|entry| Side { entry, exploration: Some(0.7) });
            let played = [false, true].map(|fresh| {
                let alone = contest(&start, 1, fresh).play(first, second);
                let together = contest(&start, 2, fresh).play(first, second);
                assert_eq!(scores(&alone), scores(&together));
                let [won, drawn, lost] = [1.0, 0.5, 0.0].map(|score| alone.count(score));
                assert_eq!(won + drawn + lost, 20);
                for work in alone.work() {
                    let simulations = work.simulations_per_move().expect("both tell");
                    assert!(simulations > 0.0 && simulations <= 50.0, "{simulations}");
                }
                scores(&alone)
            });
            assert_ne!(played[0], played[1], "{pairing:?}: a kept tree plays other games");
        }
    }

    #[test]
    fn a_handicap_is_a_limit_for_each_side_and_batches_are_the_whole() {
        let start = ConnectFour::default();
        let [first, second] =
            [Entry::Playtree, Entry::Treant].map(|entry| Side { entry, exploration: None });
        let limits = [Limit::Simulations(10), Limit::Simulations(40)];
        let whole = Contest { limits, games: 8, ..contest(&start, 2, false) };
        let result = whole.play(first, second);
        let [ours, peers] = result.work().map(|work| work.simulations_per_move());
        assert!(ours.is_some_and(|count| count <= 10.0), "{ours:?}");
        assert!(peers.is_some_and(|count| count > 10.0 && count <= 40.0), "{peers:?}");
        let batches = [0, 2].map(|first_pair| {
            scores(&Contest { games: 4, first_pair, ..whole }.play(first, second))
        });
        assert_eq!(batches.concat(), scores(&result));
    }
}
