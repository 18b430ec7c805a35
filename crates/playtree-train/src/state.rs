//! The file of a run, from which it goes on.

mod bytes;
mod whole;

use std::collections::VecDeque;
use std::path::Path;
use std::{fs, io};

use crate::adam::Adam;
use crate::batch::Sample;
use crate::weights::Size;
use bytes::{Reader, Writer};

pub use whole::write_whole;

/// All that a run needs to go on: with it the next iteration is that of a run that was not ended.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The settings that say what an iteration does, as a text.
    pub settings: String,
    /// The weights.
    pub adam: Adam,
    /// The samples of the last iterations, the oldest first.
    pub window: VecDeque<Vec<Sample>>,
    /// A row for each iteration done.
    pub rows: Vec<Row>,
}

/// What an iteration has come to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Row {
    /// Games since the beginning.
    pub games: f64,
    /// Positions of this iteration.
    pub samples: f64,
    /// Cross-entropy of the policy, in nats, on average over what was learned from.
    pub policy_loss: f64,
    /// Cross-entropy of the value, in nats.
    pub value_loss: f64,
    /// Seconds since the beginning, all runs together.
    pub seconds: f64,
    /// Share of labelled positions in which the policy alone keeps the value; not a number where it
    /// was not measured.
    pub policy_keeps: f64,
    /// The same with a search.
    pub search_keeps: f64,
    /// Score against the plain search.
    pub score: f64,
}

/// Why there is no state to go on from.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// The file is no such one, or not whole.
    #[error("{path}: expected {expected}")]
    Broken {
        /// The file.
        path: String,
        /// What was expected of it.
        expected: &'static str,
    },
    /// The run was begun with other settings.
    #[error(
        "{path}: expected the settings that this run was begun with\n  {found}\nfound\n  {given}\n\
         Give these, or another folder"
    )]
    Settings {
        /// The file.
        path: String,
        /// The settings in it.
        found: String,
        /// Those given.
        given: String,
    },
}

/// The first bytes of a file.
const MAGIC: &[u8; 16] = b"playtree-train 1";

impl State {
    /// A run that begins.
    #[must_use]
    pub fn begin(settings: String, weights: Vec<f32>) -> Self {
        Self { settings, adam: Adam::new(weights), window: VecDeque::new(), rows: Vec::new() }
    }

    /// The state in a file, if there is one.
    ///
    /// # Errors
    /// If the file cannot be read, is not whole, or was begun with other settings.
    pub fn load(path: &Path, settings: &str, size: &Size) -> Result<Option<Self>, StateError> {
        let shown = || path.display().to_string();
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StateError::Io { path: shown(), error }),
        };
        let broken = |expected| StateError::Broken { path: shown(), expected };
        let inner = bytes.strip_prefix(MAGIC).ok_or_else(|| broken("a state of playtree-train"))?;
        let (inner, sum) = inner.split_last_chunk::<8>().ok_or_else(|| broken("a whole file"))?;
        if bytes::sum(inner) != u64::from_le_bytes(*sum) {
            return Err(broken("a file as it was written: its check sum is another one"));
        }
        let mut reader = Reader(inner);
        let found = reader.text().ok_or_else(|| broken("settings"))?;
        if found != settings {
            let (path, given) = (shown(), settings.to_owned());
            return Err(StateError::Settings { path, found, given });
        }
        let state = Self::read(&mut reader, found, size);
        state.filter(|_| reader.0.is_empty()).map(Some).ok_or_else(|| broken("a whole state"))
    }

    fn read(reader: &mut Reader<'_>, settings: String, size: &Size) -> Option<Self> {
        let steps = reader.number()?;
        let mut numbers = || reader.floats(size.numbers());
        let [weights, mean, first, second] = [numbers()?, numbers()?, numbers()?, numbers()?];
        let adam = Adam { weights, mean, first, second, steps };
        let mut state = Self { settings, adam, window: VecDeque::new(), rows: Vec::new() };
        for _ in 0..reader.number()? {
            let row = reader.doubles::<8>()?;
            state.rows.push(Row::from(row));
        }
        for _ in 0..reader.number()? {
            let mut samples = Vec::new();
            for _ in 0..reader.number()? {
                let planes = reader.numbers()?;
                let value = *reader.floats(1)?.first()?;
                samples.push(Sample { planes, value, policy: reader.floats(size.form.moves)? });
            }
            state.window.push_back(samples);
        }
        Some(state)
    }

    /// Writes the state, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), StateError> {
        let mut writer = Writer::default();
        writer.text(&self.settings);
        writer.number(self.adam.steps);
        let Adam { weights, mean, first, second, .. } = &self.adam;
        [weights, mean, first, second].iter().for_each(|numbers| writer.floats(numbers));
        writer.number(self.rows.len() as u64);
        self.rows.iter().for_each(|&row| writer.doubles(&<[f64; 8]>::from(row)));
        writer.number(self.window.len() as u64);
        for samples in &self.window {
            writer.number(samples.len() as u64);
            for Sample { planes, value, policy } in samples {
                planes.iter().for_each(|&plane| writer.number(plane));
                writer.floats(&[*value]);
                writer.floats(policy);
            }
        }
        let sum = bytes::sum(&writer.0).to_le_bytes();
        let bytes = [MAGIC, &writer.0[..], &sum].concat();
        write_whole(path, &bytes)
            .map_err(|error| StateError::Io { path: path.display().to_string(), error })
    }
}

impl From<[f64; 8]> for Row {
    fn from(row: [f64; 8]) -> Self {
        let [games, samples, policy_loss, value_loss, seconds, policy_keeps, search_keeps, score] =
            row;
        Self { games, samples, policy_loss, value_loss, seconds, policy_keeps, search_keeps, score }
    }
}

impl From<Row> for [f64; 8] {
    fn from(row: Row) -> Self {
        let Row {
            games,
            samples,
            policy_loss,
            value_loss,
            seconds,
            policy_keeps,
            search_keeps,
            score,
        } = row;
        [games, samples, policy_loss, value_loss, seconds, policy_keeps, search_keeps, score]
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use playtree::games::ConnectFour;
    use playtree_planes::Planes;

    use super::{Row, State};
    use crate::batch::Sample;
    use crate::weights::Size;

    const SIZE: Size = Size { form: ConnectFour::FORM, blocks: 1, channels: 2 };

    fn file(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("playtree-train-{name}-{}", std::process::id()))
    }

    fn state() -> State {
        let mut state = State::begin("connect4, seed 1".to_owned(), SIZE.begin(1));
        state.adam.step(&vec![0.5; SIZE.numbers()], 0.01);
        let planes = ConnectFour::new().planes();
        let sample = Sample { planes, value: 0.5, policy: vec![0.125; 7] };
        state.window.push_back(vec![sample.clone(); 3]);
        state.window.push_back(vec![sample]);
        state.rows.push(Row { games: 64.0, score: 0.75, ..Row::default() });
        state
    }

    #[test]
    fn a_state_that_is_read_is_the_one_that_was_written() {
        let path = file("whole");
        state().save(&path).unwrap();
        let found = State::load(&path, "connect4, seed 1", &SIZE).unwrap();
        assert_eq!(found, Some(state()));
        fs::remove_file(&path).unwrap();
        assert_eq!(State::load(&path, "connect4, seed 1", &SIZE).unwrap(), None);
    }

    #[test]
    fn a_file_that_is_not_whole_is_refused() {
        let path = file("broken");
        state().save(&path).unwrap();
        let bytes = fs::read(&path).unwrap();
        let load = |settings| State::load(&path, settings, &SIZE).unwrap_err().to_string();
        for length in [0, 10, 20, bytes.len() / 2, bytes.len() - 1] {
            fs::write(&path, &bytes[..length]).unwrap();
            let error = load("connect4, seed 1");
            assert!(error.contains(": expected a "), "{error}");
        }
        let mut turned = bytes.clone();
        turned[bytes.len() / 2] ^= 1;
        fs::write(&path, &turned).unwrap();
        assert!(load("connect4, seed 1").ends_with("its check sum is another one"));
        fs::write(&path, &bytes).unwrap();
        let error = load("connect4, seed 2");
        assert!(error.contains("connect4, seed 1\nfound\n  connect4, seed 2"), "{error}");
        fs::remove_file(&path).unwrap();
    }
}
