#![doc = include_str!("../README.md")]

mod error;
mod runner;
mod wire;

use std::fmt;
use std::fs;
use std::marker::PhantomData;
use std::path::Path;

use playtree::evaluate::{Answers, Network, NetworkError, Question};
use playtree_planes::{Outputs, Planes};

pub use error::{FileError, FileFault};
use runner::Runner;

/// The positions that are asked about together, unless it is set.
const BATCH: usize = 16;

/// A network from an ONNX file, for a game.
///
/// Each worker evaluates its own batch, on its core, and no call waits for another one. What runs
/// the network does so in a thread of its own, while the worker waits; on Linux that thread is
/// moved to the core of the worker.
pub struct OnnxNetwork<G> {
    runner: Runner,
    batch: usize,
    game: PhantomData<fn() -> G>,
}

impl<G: Planes> OnnxNetwork<G> {
    /// Reads a file, and asks the network once, about a board without stones: what is not a network
    /// for this game is refused here.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or is not a network for this game.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        let of_path = |fault| FileError { path: path.to_owned(), fault };
        let bytes = fs::read(path).map_err(|error| of_path(FileFault::Read(error)))?;
        Self::parse(bytes).map_err(of_path)
    }

    /// As [`open`](Self::open), of the bytes of a file.
    ///
    /// # Errors
    /// As `open`, but for what has to do with the file itself.
    pub fn parse(bytes: Vec<u8>) -> Result<Self, FileFault> {
        let runner = Runner::parse(bytes, &G::FORM)?;
        Ok(Self { runner, batch: BATCH, game: PhantomData })
    }

    /// Sets the number of positions that are best asked about together, at least 1. 16 unless set.
    #[must_use]
    pub fn batch(self, positions: usize) -> Self {
        Self { batch: positions.max(1), ..self }
    }

    /// What the network says of positions that are given as numbers, those of
    /// [`playtree_planes::write`] for each of them.
    ///
    /// # Errors
    /// If these are not the numbers of whole positions, or the network cannot be run.
    pub fn outputs(&self, numbers: &[f32]) -> Result<Outputs, NetworkError> {
        self.runner.run(numbers).map_err(NetworkError::new)
    }
}

impl<G: Planes> Network<G> for OnnxNetwork<G> {
    fn evaluate(
        &self,
        questions: &[Question<'_, G>],
        answers: &mut Answers,
    ) -> Result<(), NetworkError> {
        let mut numbers = Vec::with_capacity(questions.len() * G::FORM.inputs());
        for question in questions {
            playtree_planes::write(question.state, &mut numbers);
        }
        let outputs = self.outputs(&numbers)?;
        playtree_planes::answer(questions, &outputs, 0, answers).map_err(NetworkError::new)
    }

    fn batch(&self) -> usize {
        self.batch
    }
}

impl<G: Planes> fmt::Debug for OnnxNetwork<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnnxNetwork")
            .field("game", &G::FORM.game)
            .field("batch", &self.batch)
            .finish_non_exhaustive()
    }
}
