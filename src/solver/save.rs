//! Saving what a solver knows to a file, and loading it.
//!
//! The file is the container of saved tables (`docs/file-format.md`) with the slots of the table of
//! facts in it. A slot tells its position by a hash only, and its bucket by the first digits of
//! another one: see [`parts`] for what that means for a table of another size.

mod format;

use std::path::Path;
use std::sync::Arc;

use crate::events;
use crate::game::Saveable;
use crate::save::{GameTag, Info, LoadError, Loaded, Options, SaveError, replace};
use crate::slots::BUCKET_BYTES;
use crate::solvable::Solvable;

use super::facts::Facts;
use super::{SMALL_BYTES, Solver, free};

use format::FactsFile;

impl<G: Solvable + Saveable> Solver<G> {
    /// Saves what the solver knows to a file, which is replaced at once: a reader that opens it,
    /// after a power cut too, finds what was there before or this. Blocks until the disk has it.
    ///
    /// The file takes 20 bytes for each fact. Facts are true for ever, so it does not matter what
    /// was asked when they were found out. A solver that has not searched saves no facts.
    ///
    /// # Errors
    /// If the name of the game is empty or too long, the options ask for a
    /// [least number of visits](Options::min_visits), the game has more than two players (the
    /// solver has no table for them), or the system fails. The file is then as it was.
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "games")] {
    /// use playtree::games::TicTacToe;
    /// use playtree::{Budget, GameTag, Solver, save};
    ///
    /// # let path = std::env::temp_dir().join(format!("playtree-facts-{}", std::process::id()));
    /// let tag = GameTag::new("tictactoe", 1);
    /// let mut solver = Solver::builder().threads(1).build()?;
    /// let first = solver.solve(&TicTacToe::new(), &Budget::unlimited())?;
    /// solver.save(&path, &tag, &save::Options::default())?;
    ///
    /// let mut other = Solver::<TicTacToe>::builder().threads(1).build()?;
    /// other.load(&path, &tag)?;
    /// let again = other.solve(&TicTacToe::new(), &Budget::unlimited())?;
    /// assert_eq!(again.limits, first.limits);
    /// assert!(again.nodes < first.nodes);
    /// # std::fs::remove_file(&path)?;
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(
        &self,
        path: impl AsRef<Path>,
        game: &GameTag,
        options: &Options,
    ) -> Result<Info, SaveError> {
        let path = path.as_ref();
        events::save(path, || self.save_facts(path, game, options))
    }

    fn save_facts(
        &self,
        path: &Path,
        game: &GameTag,
        options: &Options,
    ) -> Result<Info, SaveError> {
        options.check(game)?;
        if options.min_visits > 0 {
            return Err(SaveError::MinVisits { found: options.min_visits });
        }
        if G::PLAYERS > 2 {
            return Err(SaveError::NoFacts { found: G::PLAYERS });
        }
        let facts = self.facts.as_deref();
        replace(path, |out| format::write::<G>(facts, game, options, out))
    }

    /// Replaces what the solver knows by the facts of a file. Blocks until they are there.
    ///
    /// The table gets the size that it had when it was saved, or, if that is more than the memory
    /// limit, a whole part of it: the greatest one that fits. What does not fit then is left out,
    /// the cheapest facts first. A table of more than 2 MiB keeps that size until
    /// [`forget`](Self::forget) or [`clear`](Self::clear) is called: no search goes over to a
    /// larger one, as it would begin with nothing. A smaller one was filled in less than a second,
    /// and does not. Until this returns, the old table and the new one are both in memory.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged in any way, holds no facts of a solver or those of
    /// another game or of other points, or was written where hashes are made in another way. If no
    /// whole part of its table fits into the memory limit, or the system has no memory for it. The
    /// solver is then as it was.
    ///
    /// A file made with intent can pass all checks and hold facts that are not so, which this
    /// cannot know: load files of people you trust.
    pub fn load(&mut self, path: impl AsRef<Path>, game: &GameTag) -> Result<Loaded, LoadError> {
        let path = path.as_ref();
        events::load(path, || self.load_facts(path, game))
    }

    fn load_facts(&mut self, path: &Path, game: &GameTag) -> Result<Loaded, LoadError> {
        if G::PLAYERS > 2 {
            return Err(LoadError::NoFacts { found: G::PLAYERS });
        }
        let file = FactsFile::open::<G>(path, game)?;
        let limit = (self.settings.memory_limit as u64).min(self.purse.room());
        let buckets = file.content.buckets;
        let Some(parts) = parts(buckets, limit / BUCKET_BYTES as u64) else {
            let expected = buckets.saturating_mul(BUCKET_BYTES as u64);
            return Err(LoadError::Memory { expected, found: limit });
        };
        let count = (buckets / parts) as usize;
        let bytes = count.saturating_mul(BUCKET_BYTES);
        let facts = match count {
            0 => None,
            _ => {
                let charge = self.purse.pay_table(bytes, bytes);
                let facts = charge.and_then(Facts::charged);
                Some(facts.ok_or(LoadError::NoMemory { bytes: bytes as u64 })?)
            }
        };
        let left_out = file.read::<G>(&mut |bucket, entry| {
            let bucket = (bucket / parts) as usize;
            facts.as_ref().is_none_or(|facts| facts.keep(bucket, entry))
        })?;
        self.keeps_size = facts.as_ref().is_some_and(|facts| facts.bytes() > SMALL_BYTES);
        if let Some(old) = std::mem::replace(&mut self.facts, facts.map(Arc::new)) {
            free(old);
        }
        Ok(Loaded { info: file.into_info(), left_out })
    }
}

/// The number of parts into which a table of `buckets` buckets is to be divided so that each of
/// them has at most `most`. `None` if it cannot be.
///
/// The bucket of a position whose hash is `h` is number `h * buckets / 2^64`, rounded down. So a
/// bucket of a table that has a `k`-th of the buckets holds just what `k` buckets in a row of the
/// whole one hold, if `k` divides their number, and the number of a bucket, divided by `k`, is the
/// number of the bucket there. For any other size the hash itself would have to be known.
fn parts(buckets: u64, most: u64) -> Option<u64> {
    let least = buckets.div_ceil(most).max(1);
    // Less than an eighth of what is allowed would be another kind of surprise.
    (least..=least.saturating_mul(8)).take(MOST_TRIES).find(|&parts| buckets.is_multiple_of(parts))
}

/// Numbers of parts that are tried.
const MOST_TRIES: usize = 1 << 12;

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn a_table_is_divided_evenly_or_not_at_all() {
        assert_eq!(parts(0, 4), Some(1));
        assert_eq!(parts(1 << 22, 1 << 22), Some(1));
        assert_eq!(parts(1 << 22, (1 << 22) - 1), Some(2));
        assert_eq!(parts(1 << 22, 1 << 18), Some(16));
        assert_eq!(parts(1_562_500, 600_000), Some(4));
        assert_eq!(parts(1_562_501, 1_562_501), Some(1));
        // A prime number of buckets, and one that would be tried for years.
        assert_eq!(parts(1_000_003, 500_000), None);
        assert_eq!(parts((1 << 61) - 1, 1 << 20), None);
    }
}
