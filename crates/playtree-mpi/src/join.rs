//! Whether ranks belong together, before they exchange anything.

use std::thread;
use std::time::{Duration, Instant};

use crate::carrier::{Arrived, Carrier, CarrierError};

/// Bytes of the length that is sent before the facts of rank 0. This, and that the facts are lines
/// of text, stays as it is from version to version.
const LENGTH_BYTES: usize = 8;

/// The most bytes of the facts of a rank.
const MOST_BYTES: usize = 1 << 20;

/// Something that all ranks must have in common: what it is, and what this rank has.
pub type Fact = (&'static str, String);

/// Why ranks cannot search together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// This rank has something else than rank 0.
    #[error("rank {rank}, {what}: expected {expected} as on rank 0, found {found}")]
    Different {
        /// This rank.
        rank: usize,
        /// In what it differs.
        what: String,
        /// What rank 0 has.
        expected: String,
        /// What this one has.
        found: String,
    },
    /// Another rank has something else than rank 0, and says what.
    #[error("expected ranks that belong together, found {count} that differ, rank {first} first")]
    OthersDiffer {
        /// The first of them.
        first: usize,
        /// The number of them.
        count: usize,
    },
    /// Not all ranks have answered.
    #[error("expected all ranks to answer within {seconds} s, found one that did not")]
    Silent {
        /// How long they were waited for.
        seconds: u64,
    },
    /// An operation has failed.
    #[error(transparent)]
    Carrier(#[from] CarrierError),
}

/// What all ranks of every program must have in common: the version of this crate, and the order
/// of bytes of the machine.
#[must_use]
pub fn common_facts() -> Vec<Fact> {
    let order = if cfg!(target_endian = "big") { "big" } else { "little" };
    vec![
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("order of bytes", format!("{order} endian")),
    ]
}

/// Finds out whether all ranks have the same facts. Called on all ranks before anything else; blocks
/// until all have answered, at most `at_most`.
///
/// # Errors
/// If one differs: on each rank that does in what, and on the others which one it is.
pub fn join(
    carrier: &mut impl Carrier,
    facts: &[Fact],
    at_most: Duration,
) -> Result<(), JoinError> {
    let deadline = Instant::now() + at_most;
    let silent = JoinError::Silent { seconds: at_most.as_secs() };
    let wait = |carrier: &mut dyn Carrier| loop {
        if let Some(arrived) = carrier.poll()? {
            return Ok(arrived);
        }
        if Instant::now() > deadline {
            return Err(silent.clone());
        }
        thread::sleep(Duration::from_millis(1));
    };
    let own = written(facts);
    carrier.broadcast((own.len() as u64).to_le_bytes()[..LENGTH_BYTES].to_vec())?;
    let Arrived::Bytes(length) = wait(carrier)? else { return Err(silent) };
    let length = length.iter().rev().fold(0_u64, |length, byte| length << 8 | u64::from(*byte));
    let mut text = own.clone().into_bytes();
    text.resize((length as usize).min(MOST_BYTES), 0);
    carrier.broadcast(text)?;
    let Arrived::Bytes(first) = wait(carrier)? else { return Err(silent) };
    let first = String::from_utf8_lossy(&first).into_owned();
    let difference = difference(&first, &own);
    let rank = carrier.rank();
    let mut differs = vec![0; carrier.ranks()];
    differs[rank] = i64::from(difference.is_some());
    carrier.sum(differs)?;
    let Arrived::Words(differ) = wait(carrier)? else { return Err(silent) };
    if let Some((what, expected, found)) = difference {
        return Err(JoinError::Different { rank, what, expected, found });
    }
    let count = differ.iter().filter(|&&differs| differs != 0).count();
    match differ.iter().position(|&differs| differs != 0) {
        Some(first) => Err(JoinError::OthersDiffer { first, count }),
        None => Ok(()),
    }
}

/// A line for each fact: its name and its value, divided by a tab.
fn written(facts: &[Fact]) -> String {
    let clean = |text: &str| text.replace(['\t', '\n'], " ");
    facts.iter().map(|(name, value)| format!("{}\t{}\n", clean(name), clean(value))).collect()
}

/// The first line in which two texts differ: its name, and both values.
fn difference(expected: &str, found: &str) -> Option<(String, String, String)> {
    let parts = |line: Option<&str>| -> (String, String) {
        let (name, value) = line.and_then(|line| line.split_once('\t')).unwrap_or(("", "nothing"));
        (name.to_owned(), format!("'{value}'"))
    };
    let (mut expected, mut found) = (expected.lines(), found.lines());
    loop {
        match (expected.next(), found.next()) {
            (None, None) => return None,
            (one, other) if one == other => {}
            (one, other) => {
                let ((name, expected), (other_name, found)) = (parts(one), parts(other));
                return Some((if name.is_empty() { other_name } else { name }, expected, found));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::{Fact, JoinError, join};
    use crate::LocalCarrier;

    fn join_all(facts: Vec<Vec<Fact>>, at_most: Duration) -> Vec<Result<(), JoinError>> {
        let ranks = LocalCarrier::ranks_of_one_process(facts.len());
        let threads: Vec<_> = ranks
            .into_iter()
            .zip(facts)
            .map(|(mut rank, facts)| thread::spawn(move || join(&mut rank, &facts, at_most)))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    }

    #[test]
    fn ranks_that_differ_say_in_what() {
        let facts = |game: &str| vec![("version", "1".to_owned()), ("game", game.to_owned())];
        let long = Duration::from_secs(60);
        assert_eq!(join_all(vec![facts("hex"), facts("hex")], long), [Ok(()), Ok(())]);
        let joined = join_all(vec![facts("hex"), facts("hex"), facts("othello")], long);
        let others = Err(JoinError::OthersDiffer { first: 2, count: 1 });
        assert_eq!(joined[..2], [others.clone(), others]);
        assert_eq!(
            joined[2].clone().unwrap_err().to_string(),
            "rank 2, game: expected 'hex' as on rank 0, found 'othello'"
        );
        // A fact that one has and the other has not.
        let joined = join_all(vec![facts("hex"), facts("hex")[..1].to_vec()], long);
        assert_eq!(
            joined[1].clone().unwrap_err().to_string(),
            "rank 1, game: expected 'hex' as on rank 0, found 'nothing'"
        );
    }

    #[test]
    fn a_rank_that_does_not_answer_is_not_waited_for() {
        let mut ranks = LocalCarrier::ranks_of_one_process(2);
        let joined = join(&mut ranks[0], &[], Duration::from_millis(20));
        assert_eq!(joined, Err(JoinError::Silent { seconds: 0 }));
    }
}
