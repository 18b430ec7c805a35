//! The loop: games, steps, a file; and again.

mod learn;
mod settings;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use playtree::Notation;
use playtree_planes::Planes;

use crate::net::Net;
use crate::play::{PlayError, games};
use crate::state::{Row, State, StateError, write_whole};
use crate::strength::{Labelled, LabelledError, Opponent, Player, score};
use crate::{chart, onnx, seed_of};

pub use settings::{Limit, Measure, Settings};

/// What ends a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// Games or steps do not go on.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// There is no state to go on from, or it cannot be written.
    #[error(transparent)]
    State(#[from] StateError),
    /// There are no labelled positions.
    #[error(transparent)]
    Labelled(#[from] LabelledError),
    /// A file cannot be written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        error: io::Error,
    },
}

/// What a run says as it goes.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// It goes on after this number of iterations.
    GoesOn(usize),
    /// An iteration has ended.
    Iteration(usize, &'a Row),
}

/// A run in a folder.
#[derive(Debug)]
pub struct Run<G: Planes> {
    settings: Settings,
    folder: PathBuf,
    state: State,
    labelled: Option<Labelled<G>>,
}

impl<G: Planes + Notation + Default> Run<G> {
    /// Begins a run in this folder, or goes on with the one that is there. `positions` is a folder
    /// of [labelled positions](Labelled::read).
    ///
    /// # Errors
    /// As [`TrainError`] says.
    pub fn open(
        settings: Settings,
        folder: &Path,
        positions: Option<&Path>,
    ) -> Result<Self, TrainError> {
        let labelled = positions.map(Labelled::read).transpose()?;
        let labelled = labelled.filter(|labelled| !labelled.is_empty());
        fs::create_dir_all(folder)
            .map_err(|error| TrainError::Io { path: folder.display().to_string(), error })?;
        let size = settings.size(G::FORM);
        let text = settings.text(&G::FORM);
        let state = match State::load(&folder.join("state"), &text, &size)? {
            Some(state) => state,
            None => State::begin(text, size.begin(seed_of(settings.seed, 0))),
        };
        Ok(Self { settings, folder: folder.to_owned(), state, labelled })
    }

    /// Learns until the limit is reached. Whoever ends it before loses the iteration under way.
    ///
    /// # Errors
    /// As [`TrainError`] says.
    pub fn train(
        &mut self,
        limit: Limit,
        measure: Measure,
        mut event: impl FnMut(Event<'_>),
    ) -> Result<(), TrainError> {
        let before = self.state.rows.last().map_or(0.0, |row| row.seconds);
        let began = Instant::now();
        if !self.state.rows.is_empty() {
            event(Event::GoesOn(self.state.rows.len()));
        }
        let spent = || before + began.elapsed().as_secs_f64();
        while !limit.is_reached(self.state.rows.len(), Duration::from_secs_f64(spent())) {
            let mut row = self.iteration(measure.threads)?;
            if self.state.rows.len() % measure.every == measure.every - 1 {
                self.measure(&mut row, measure)?;
            }
            row.seconds = spent();
            self.state.rows.push(row);
            self.write()?;
            event(Event::Iteration(self.state.rows.len(), &row));
        }
        Ok(())
    }

    /// The network that plays.
    ///
    /// # Errors
    /// If candle has no room for it.
    pub fn net(&self) -> Result<Net, TrainError> {
        let net = Net::new(self.settings.size(G::FORM), &self.state.adam.mean);
        Ok(net.map_err(PlayError::from)?)
    }

    /// A row for each iteration done.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.state.rows
    }

    /// Games, and steps.
    fn iteration(&mut self, threads: usize) -> Result<Row, TrainError> {
        let settings = &self.settings;
        let number = self.state.rows.len();
        let first = number * settings.games;
        let net = self.net()?;
        let seed = seed_of(settings.seed, 1);
        let played = games::<G>(&net, settings.play, seed, first as u64, settings.games, threads)?;
        let samples = played.concat();
        let count = samples.len();
        let state = &mut self.state;
        state.window.push_back(samples);
        while state.window.len() > settings.window(number) {
            state.window.pop_front();
        }
        let loss = learn::steps(
            &mut state.adam,
            &state.window,
            settings,
            &settings.size(G::FORM),
            G::SYMMETRIES,
            number,
            threads,
        );
        let loss = loss.map_err(PlayError::from)?;
        let not_measured = f64::NAN;
        Ok(Row {
            games: (first + settings.games) as f64,
            samples: count as f64,
            policy_loss: loss.policy,
            value_loss: loss.value,
            seconds: 0.0,
            policy_keeps: not_measured,
            search_keeps: not_measured,
            score: not_measured,
        })
    }

    /// What the network is worth now.
    fn measure(&self, row: &mut Row, measure: Measure) -> Result<(), TrainError> {
        let net = self.net()?;
        if let Some(labelled) = &self.labelled {
            row.policy_keeps = labelled.kept_by_policy(&net)?;
            row.search_keeps =
                labelled.kept_by_search(&net, measure.simulations, measure.threads)?;
        }
        row.score = score::<G>(
            &net,
            Player::Search(measure.simulations),
            Opponent::Plain(measure.opponent),
            measure.games,
            measure.threads,
            seed_of(self.settings.seed, 2),
        )?;
        Ok(())
    }

    /// Writes the network, the curve, and last the state.
    fn write(&self) -> Result<(), TrainError> {
        let size = self.settings.size(G::FORM);
        let file = |name: &str, bytes: &[u8]| {
            let path = self.folder.join(name);
            write_whole(&path, bytes)
                .map_err(|error| TrainError::Io { path: path.display().to_string(), error })
        };
        file("net.onnx", &onnx::model(&size, &self.state.adam.mean))?;
        file("curve.svg", chart::curve(&self.state.settings, &self.state.rows).as_bytes())?;
        Ok(self.state.save(&self.folder.join("state"))?)
    }
}
