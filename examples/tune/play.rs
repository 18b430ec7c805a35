//! Games of the search against itself and against another.

use std::fmt;
use std::time::Duration;

use playtree::game::random_move;
use playtree::{Budget, GameState, MctsBuilder, Outcome, Rng};

use crate::{Failure, option};

/// What all the games have in common.
pub(crate) struct Contest<G> {
    start: G,
    budget: Budget,
    games: usize,
    /// Random plies at the start of each game.
    random: usize,
    /// The share of later plies that are random too.
    noise: f64,
    threads: usize,
    seed: u64,
}

/// A game: its positions from the end of the random opening on, and how it has ended.
pub(crate) struct Game<G> {
    pub(crate) positions: Vec<G>,
    pub(crate) outcome: Outcome,
}

impl<G: GameState + 'static> Contest<G> {
    pub(crate) fn new(start: &G, options: &[String]) -> Result<Self, Failure> {
        let names = [
            "games",
            "simulations",
            "time",
            "random",
            "threads",
            "seed",
            "player",
            "ridge",
            "noise",
        ];
        if let Some(wrong) = options.iter().find(|option| {
            !names
                .iter()
                .any(|name| option.split_once('=').is_some_and(|(found, _)| found == *name))
        }) {
            let names = names.join("=, ");
            return Err(format!("expected an option {names}=, found `{wrong}`").into());
        }
        let budget = match option(options, "time")? {
            Some(milliseconds) => Budget::time(Duration::from_millis(milliseconds)),
            None => Budget::simulations(option(options, "simulations")?.unwrap_or(1_000)),
        };
        Ok(Self {
            start: start.clone(),
            budget,
            games: option(options, "games")?.unwrap_or(100),
            random: option(options, "random")?.unwrap_or(6),
            noise: option(options, "noise")?.unwrap_or(0.0),
            threads: option(options, "threads")?.unwrap_or(2).max(1),
            seed: option(options, "seed")?.unwrap_or(1),
        })
    }

    /// A position after the random plies, in which the game goes on; the same for an opening.
    fn opening(&self, number: usize) -> G {
        let mut rng = Rng::from_seed(self.seed.wrapping_mul(1_000_003) + number as u64);
        loop {
            let mut state = self.start.clone();
            for _ in 0..self.random {
                let mut moves = Vec::new();
                state.moves(&mut moves);
                let Some(mv) = moves.get(rng.below(moves.len())) else { break };
                state = state.apply(mv);
            }
            if state.outcome().is_none() {
                return state;
            }
        }
    }

    /// One game; each player has an engine of its own, which keeps what it has learnt.
    fn game(
        &self,
        opening: usize,
        number: usize,
        players: [&MctsBuilder<G>; 2],
    ) -> Result<Game<G>, Failure> {
        let mut engines = Vec::new();
        for (player, builder) in (0u64..).zip(players) {
            let seed = self.seed ^ (2 * number as u64 + player) << 20;
            engines.push(builder.clone().seed(seed).build()?);
        }
        let mut state = self.opening(opening);
        let (mut positions, mut moves) = (Vec::new(), Vec::new());
        let mut rng = Rng::from_seed(self.seed ^ number as u64);
        loop {
            if let Some(outcome) = state.outcome() {
                return Ok(Game { positions, outcome });
            }
            positions.push(state.clone());
            let noise =
                (rng.unit() < self.noise).then(|| random_move(&state, &mut rng, &mut moves));
            let mv = match noise.flatten() {
                Some(mv) => mv,
                None => engines[state.mover()].best_move(&state, &self.budget)?,
            };
            state = state.apply(&mv);
        }
    }

    /// All games, some at a time; `players` are those of a game by its number.
    fn all<'a>(
        &self,
        opening: impl Fn(usize) -> usize + Sync,
        players: impl Fn(usize) -> [&'a MctsBuilder<G>; 2] + Sync,
    ) -> Result<Vec<Game<G>>, Failure> {
        let share = |first: usize| -> Result<Vec<(usize, Game<G>)>, Failure> {
            let numbers = (first..self.games).step_by(self.threads);
            numbers.map(|n| Ok((n, self.game(opening(n), n, players(n))?))).collect()
        };
        let share = &share;
        let parts: Vec<_> = std::thread::scope(|scope| {
            let workers: Vec<_> =
                (0..self.threads).map(|first| scope.spawn(move || share(first))).collect();
            workers.into_iter().map(|worker| worker.join().expect("a game panicked")).collect()
        });
        let mut games = Vec::new();
        for part in parts {
            games.extend(part?);
        }
        games.sort_by_key(|(number, _)| *number);
        Ok(games.into_iter().map(|(_, game)| game).collect())
    }

    /// Games of a searcher against itself, each from an opening of its own.
    pub(crate) fn play(&self, player: &MctsBuilder<G>) -> Result<Vec<Game<G>>, Failure> {
        self.all(|number| number, |_| [player, player])
    }

    /// A match: each opening twice with sides swapped.
    pub(crate) fn compare(&self, players: &[MctsBuilder<G>; 2]) -> Result<Score, Failure> {
        let [one, two] = players;
        let sides = |number| if number % 2 == 0 { [one, two] } else { [two, one] };
        let games = self.all(|number| number / 2, sides)?;
        let scores = games.iter().enumerate().map(|(n, game)| game.outcome.score(n % 2)).collect();
        Ok(Score(scores))
    }
}

/// The scores of the first side, each opening's two games side by side.
pub(crate) struct Score(Vec<f64>);

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |score: f64| self.0.iter().filter(|&&found| found == score).count();
        // The pair is what is drawn independently.
        let pairs: Vec<f64> =
            self.0.chunks(2).map(|p| p.iter().sum::<f64>() / p.len() as f64).collect();
        let mean = pairs.iter().sum::<f64>() / pairs.len() as f64;
        let squares: f64 = pairs.iter().map(|pair| (pair - mean).powi(2)).sum();
        let error = 1.96 * squares.sqrt() / (pairs.len() as f64);
        let elo = |score: f64| -400.0 * (1.0 / score.clamp(0.001, 0.999) - 1.0).log10();
        write!(
            f,
            "won {}, drawn {}, lost {}: {:.1} % ± {:.1}, Elo {:+.0} [{:+.0}, {:+.0}]",
            count(1.0),
            count(0.5),
            count(0.0),
            100.0 * mean,
            100.0 * error,
            elo(mean),
            elo(mean - error),
            elo(mean + error)
        )
    }
}
