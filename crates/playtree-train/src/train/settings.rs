//! What a run does.

use std::time::Duration;

use playtree_planes::Form;

use crate::play::Play;
use crate::weights::Size;

/// What an iteration does: with the same settings all runs are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// All random numbers come from it.
    pub seed: u64,
    /// The residual blocks of the network.
    pub blocks: usize,
    /// The planes of its trunk.
    pub channels: usize,
    /// Games of an iteration.
    pub games: usize,
    /// How they are played.
    pub play: Play,
    /// Positions of a step.
    pub batch: usize,
    /// How often each position is learned from, on average.
    pub passes: usize,
    /// The rate of the first iterations.
    pub rate: f64,
}

/// When a run ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// After this number of iterations.
    pub iterations: Option<usize>,
    /// With the iteration in which this time has passed, all runs of the folder together.
    pub time: Option<Duration>,
}

/// How the strength is measured, and with how many threads all is done. Nothing of it changes what
/// is learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// At each of this number of iterations, at least 1.
    pub every: usize,
    /// Simulations of the network.
    pub simulations: u64,
    /// Simulations of the plain search that it plays against.
    pub opponent: u64,
    /// Games against it.
    pub games: usize,
    /// Threads.
    pub threads: usize,
}

impl Settings {
    /// The size of the network for a game.
    #[must_use]
    pub fn size(&self, form: Form) -> Size {
        Size { form, blocks: self.blocks, channels: self.channels }
    }

    /// The iterations whose samples are learned from: few at first, since early games are bad.
    #[must_use]
    pub fn window(&self, iteration: usize) -> usize {
        (4 + iteration / 2).min(25)
    }

    /// The rate of the steps of an iteration.
    #[must_use]
    pub fn rate(&self, iteration: usize) -> f64 {
        self.rate / (1.0 + iteration as f64 / 50.0).sqrt()
    }

    /// All of it as a line, by which a run is known again.
    #[must_use]
    pub fn text(&self, form: &Form) -> String {
        let Self { seed, blocks, channels, games, play, batch, passes, rate } = self;
        let Play { simulations, random_moves, together } = play;
        let game = form.game;
        format!(
            "{game}, seed {seed}, blocks {blocks}, channels {channels}, games {games}, \
             simulations {simulations}, random moves {random_moves}, together {together}, \
             batch {batch}, passes {passes}, rate {rate}"
        )
    }
}

impl Limit {
    /// Whether nothing is left to be done.
    #[must_use]
    pub fn is_reached(&self, iterations: usize, time: Duration) -> bool {
        self.iterations.is_some_and(|limit| iterations >= limit)
            || self.time.is_some_and(|limit| time >= limit)
    }
}
