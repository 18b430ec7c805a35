//! The record of what has been played, so that an interrupted run goes on where it was.
//!
//! A line of JSON for each finished pair of games, and one for each pairing of constants.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::fit::Pair;
use crate::Failure;
use crate::matches::play::Work;

/// What all the pairs of a row of the table have in common. Pairs that differ in it belong to
/// another row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Setting {
    pub(super) game: String,
    /// Our time per move, in microseconds.
    pub(super) our_time_us: u64,
    /// Workers of each side.
    pub(super) threads: usize,
    /// The peer's name on the command line.
    pub(super) against: String,
    /// Our exploration constant, `None` for the default.
    pub(super) our_c: Option<f64>,
    /// The peer's, `None` if it has a fixed one.
    pub(super) peer_c: Option<f64>,
    pub(super) seed: u64,
}

/// A finished pair of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PlayedPair {
    #[serde(flatten)]
    pub(super) setting: Setting,
    /// The peer's time per move over ours.
    pub(super) factor: f64,
    /// The number of the pair, which fixes the opening and the seeds.
    pub(super) pair: usize,
    /// Our score of the game in which we are the first player, and of the other one.
    pub(super) scores: [f64; 2],
    /// What we have spent in both games, and what the peer has.
    pub(super) work: [Work; 2],
}

impl PlayedPair {
    /// What counts for the fit.
    pub(super) fn pair(&self) -> Pair {
        Pair { factor: self.factor, score: 0.5 * (self.scores[0] + self.scores[1]) }
    }
}

/// What all the pairings of a round robin over the peer's constants have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Tuning {
    pub(super) game: String,
    /// The peer's time per move, in microseconds.
    pub(super) peer_time_us: u64,
    /// Workers of each side.
    pub(super) threads: usize,
    /// The peer's name on the command line.
    pub(super) peer: String,
    /// Games of each pairing.
    pub(super) games: usize,
    pub(super) seed: u64,
}

/// A finished pairing of two constants of the peer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Pairing {
    #[serde(flatten)]
    pub(super) tuning: Tuning,
    pub(super) constants: [f64; 2],
    /// The mean score of the first one, in `[0, 1]`.
    pub(super) score: f64,
}

/// A line of the record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "kebab-case")]
pub(super) enum Line {
    /// A pair of games.
    Pair(PlayedPair),
    /// A pairing of constants.
    Pairing(Pairing),
}

impl Line {
    /// Reads a line.
    ///
    /// # Errors
    /// If it is none: what was expected and what was found.
    fn read(text: &str) -> Result<Self, String> {
        let line = serde_json::from_str(text).map_err(|error| {
            let error = error.to_string();
            // Without the place, which would be one within this line.
            let found = error.split(" at line ").next().unwrap_or_default();
            format!("expected a pair of games or a pairing of constants as JSON, found: {found}")
        })?;
        let (factor, scores): (f64, &[f64]) = match &line {
            Line::Pair(pair) => (pair.factor, &pair.scores),
            Line::Pairing(pairing) => (1.0, std::slice::from_ref(&pairing.score)),
        };
        if factor.is_nan() || factor <= 0.0 {
            return Err(format!("expected a factor above 0, found {factor}"));
        }
        match scores.iter().find(|score| !(0.0..=1.0).contains(*score)) {
            Some(score) => Err(format!("expected a score from 0 to 1, found {score}")),
            None => Ok(line),
        }
    }
}

/// What has been played, in a file or for this run alone.
#[derive(Debug, Default)]
pub(super) struct Record {
    lines: Vec<Line>,
    file: Option<(PathBuf, File)>,
}

impl Record {
    /// The record in this file, which is made if there is none. A last line that was cut off is
    /// removed from it, and a note on standard error says so.
    ///
    /// # Errors
    /// If the file cannot be read or written, another run has it open, or a line is none of a
    /// record.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let failed = |error| failure(path, &error);
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        file.try_lock().map_err(|_| {
            format!("expected {} for this run alone, found it in use by another", path.display())
        })?;
        let (lines, whole) = read(&mut file, path)?;
        let length = file.metadata().map_err(failed)?.len();
        if whole < length {
            let lost = length - whole;
            eprintln!(
                "handicap: the last line of {} was cut off; its {lost} bytes are removed",
                path.display()
            );
            file.set_len(whole).map_err(failed)?;
        }
        file.seek(SeekFrom::Start(whole)).map_err(failed)?;
        Ok(Self { lines, file: Some((path.to_owned(), file)) })
    }

    /// What the file holds, without changing it; nothing if there is none.
    ///
    /// # Errors
    /// As [`Record::open`].
    pub(super) fn look(path: &Path) -> Result<Self, Failure> {
        if !path.exists() {
            return Ok(Self::default());
        }
        let mut file = File::open(path).map_err(|error| failure(path, &error))?;
        Ok(Self { lines: read(&mut file, path)?.0, file: None })
    }

    /// Adds lines, in one go so that an interruption cuts off the last one at most.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn append(&mut self, lines: impl IntoIterator<Item = Line>) -> Result<(), Failure> {
        let begin = self.lines.len();
        self.lines.extend(lines);
        if let Some((path, file)) = &mut self.file {
            let mut text = String::new();
            for line in &self.lines[begin..] {
                text.push_str(&serde_json::to_string(line)?);
                text.push('\n');
            }
            let written = file.write_all(text.as_bytes()).and_then(|()| file.flush());
            written.map_err(|error| failure(path, &error))?;
        }
        Ok(())
    }

    /// The pairs of this setting.
    pub(super) fn pairs(&self, setting: &Setting) -> impl Iterator<Item = &PlayedPair> {
        self.lines.iter().filter_map(move |line| match line {
            Line::Pair(pair) if pair.setting == *setting => Some(pair),
            _ => None,
        })
    }

    /// The number after those of all the pairs of this setting.
    pub(super) fn next_pair(&self, setting: &Setting) -> usize {
        self.pairs(setting).map(|pair| pair.pair + 1).max().unwrap_or(0)
    }

    /// The pairings of this tuning.
    pub(super) fn pairings(&self, tuning: &Tuning) -> impl Iterator<Item = &Pairing> {
        self.lines.iter().filter_map(move |line| match line {
            Line::Pairing(pairing) if pairing.tuning == *tuning => Some(pairing),
            _ => None,
        })
    }

    /// The first constant's score of a pairing, if it has been played.
    pub(super) fn pairing(&self, tuning: &Tuning, constants: [f64; 2]) -> Option<f64> {
        let pairing = self.pairings(tuning).find(|pairing| pairing.constants == constants)?;
        Some(pairing.score)
    }
}

/// The lines of a record, and the bytes of those that are whole.
fn read(file: &mut File, path: &Path) -> Result<(Vec<Line>, u64), Failure> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| failure(path, &error))?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let at = |index: usize, error: &dyn std::fmt::Display| {
        format!("{}, line {}: {error}", path.display(), index + 1)
    };
    let lines = bytes[..whole].split_inclusive(|byte| *byte == b'\n').enumerate();
    let lines = lines.map(|(index, line)| -> Result<Line, Failure> {
        let text = std::str::from_utf8(line)
            .map_err(|_| at(index, &"expected text in UTF-8, found other bytes"))?;
        Ok(Line::read(text.trim_end()).map_err(|error| at(index, &error))?)
    });
    Ok((lines.collect::<Result<_, _>>()?, whole as u64))
}

/// What went wrong with the file.
fn failure(path: &Path, error: &std::io::Error) -> Failure {
    format!("expected a record that can be read and written at {}: {error}", path.display()).into()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::{Line, Pairing, PlayedPair, Record, Setting, Tuning};
    use crate::matches::play::Work;

    /// A file that is removed at the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let name = format!("peer-bench-{}-{name}.jsonl", std::process::id());
            let scratch = Self(std::env::temp_dir().join(name));
            let _ = fs::remove_file(&scratch.0);
            scratch
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    fn setting() -> Setting {
        Setting {
            game: "connect4".into(),
            our_time_us: 10_000,
            threads: 2,
            against: "treant".into(),
            our_c: None,
            peer_c: Some(0.7),
            seed: u64::MAX,
        }
    }

    fn tuning() -> Tuning {
        let Setting { game, threads, against: peer, seed, .. } = setting();
        Tuning { game, peer_time_us: 80_000, threads, peer, games: 40, seed }
    }

    fn lines() -> Vec<Line> {
        let pair = |pair, factor| {
            let work = [Work::default(); 2];
            Line::Pair(PlayedPair { setting: setting(), factor, pair, scores: [1.0, 0.5], work })
        };
        let constants = [0.3, 1.4];
        let pairing = Pairing { tuning: tuning(), constants, score: 0.4375 };
        vec![Line::Pairing(pairing), pair(0, 8.0), pair(4, 0.09375)]
    }

    #[test]
    fn a_record_is_read_back() {
        let scratch = Scratch::new("round");
        let mut record = Record::open(&scratch.0).unwrap();
        record.append(lines()).unwrap();
        assert!(Record::open(&scratch.0).is_err(), "it is in use");
        drop(record);
        let record = Record::open(&scratch.0).unwrap();
        assert_eq!(record.lines, lines());
        assert_eq!(record.pairs(&setting()).count(), 2);
        assert_eq!(record.next_pair(&setting()), 5);
        assert_eq!(record.pairing(&tuning(), [0.3, 1.4]), Some(0.4375));
        assert_eq!(record.pairing(&tuning(), [0.3, 1.0]), None);
        let other = Setting { peer_c: None, ..setting() };
        assert_eq!((record.pairs(&other).count(), record.next_pair(&other)), (0, 0));
    }

    #[test]
    fn a_last_line_that_was_cut_off_is_dropped() {
        let scratch = Scratch::new("cut");
        Record::open(&scratch.0).unwrap().append(lines()).unwrap();
        let whole = fs::read_to_string(&scratch.0).unwrap();
        fs::write(&scratch.0, &whole[..whole.len() - 20]).unwrap();
        assert_eq!(Record::look(&scratch.0).unwrap().lines, lines()[..2]);
        assert_eq!(fs::metadata(&scratch.0).unwrap().len(), whole.len() as u64 - 20);
        let mut record = Record::open(&scratch.0).unwrap();
        assert_eq!(record.lines, lines()[..2]);
        record.append(lines().pop()).unwrap();
        drop(record);
        assert_eq!(fs::read_to_string(&scratch.0).unwrap(), whole);
    }

    #[test]
    fn a_line_that_is_none_is_named() {
        let scratch = Scratch::new("bad");
        Record::open(&scratch.0).unwrap().append(lines()).unwrap();
        let whole = fs::read_to_string(&scratch.0).unwrap();
        for (changed, wanted) in [
            (whole.replacen("\"pair\":0,", "", 1), "line 2: expected a pair of games or"),
            (whole.replacen("[1.0,0.5]", "[1.5,0.5]", 1), "line 2: expected a score from 0 to 1"),
            (whole.replacen("8.0", "-8.0", 1), "line 2: expected a factor above 0, found -8"),
            (format!("{whole}\n"), "line 4: expected a pair of games or"),
        ] {
            fs::write(&scratch.0, changed).unwrap();
            let error = Record::open(&scratch.0).unwrap_err().to_string();
            assert!(error.contains(wanted), "{error}");
            assert!(!error.contains("column"), "{error}");
        }
    }

    #[test]
    fn without_a_file_there_is_an_empty_record() {
        let scratch = Scratch::new("none");
        assert_eq!(Record::look(&scratch.0).unwrap().lines, []);
        assert!(!scratch.0.exists());
        let mut record = Record::default();
        record.append(lines()).unwrap();
        assert_eq!(record.next_pair(&setting()), 5);
    }
}
