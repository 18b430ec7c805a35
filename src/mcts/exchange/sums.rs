//! Whether a sum can come from shares of engines, before anything of it enters a tree.

use crate::mcts::tree::later_moves::POINT;
use crate::mcts::tree::value::ONE;

use super::error::{ExchangeError, Kind};
use super::ledger::{MOST_ROLLOUTS, MOST_SHARED, shift_to};
use super::lines::{HEADER, Layout, Lines, Parts};
use super::proof::{self, MOST_ENGINES, Said};

/// The most visits of a position that are absorbed at a time, far from what its counters hold. Of
/// more it is a half, a quarter, ... of each number.
const MOST_ABSORBED: u64 = 1 << 29;

/// What other engines have found: the words of a sum without the engine's own share.
#[derive(Debug)]
pub(super) struct Foreign {
    pub(super) words: Vec<i64>,
    /// How many engines that were.
    pub(super) engines: i64,
}

impl Foreign {
    /// The sum without the engine's own share.
    ///
    /// # Errors
    /// If the sum is none of shares of these lines with this one among them.
    pub(super) fn of(
        lines: &Lines,
        layout: &Layout,
        own: Vec<i64>,
        sum: &[i64],
    ) -> Result<Self, ExchangeError> {
        if own.len() != sum.len() {
            return Err(ExchangeError::Length { expected: own.len(), found: sum.len() });
        }
        let engines = sum[0];
        if !(1..=MOST_ENGINES).contains(&engines) {
            return Err(ExchangeError::Engines { most: MOST_ENGINES, found: engines });
        }
        if sum[1] != own[1] * engines {
            return Err(ExchangeError::OtherLines);
        }
        // Of a sum from anywhere: what would leave the range of the words is refused below.
        let mut words = own;
        for (word, sum) in words.iter_mut().zip(sum) {
            *word = sum.wrapping_sub(*word);
        }
        words[..HEADER].fill(0);
        let foreign = engines - 1;
        for (line, place) in lines.places.iter().enumerate() {
            let parts = layout.parts(line, place, &words);
            let visits = check_groups(line, &parts, layout.stride, foreign)?;
            check_proofs(line, &parts, foreign)?;
            check_table(line, &parts, foreign)?;
            let shift = shift_to(visits as u64, MOST_ABSORBED);
            if shift > 0 {
                let groups = layout.parts_mut(line, place, &mut words).groups;
                for group in groups.chunks_exact_mut(layout.stride) {
                    group.iter_mut().for_each(|word| *word >>= shift);
                    let most = group[0] * i64::from(ONE);
                    group[1..].iter_mut().for_each(|sum| *sum = (*sum).min(most));
                }
            }
        }
        Ok(Self { words, engines: foreign })
    }
}

/// That a number of a line is from 0 to `most`.
fn check(line: usize, kind: Kind, most: i64, found: i64) -> Result<(), ExchangeError> {
    if (0..=most).contains(&found) {
        return Ok(());
    }
    Err(ExchangeError::Number { line, kind, most, found })
}

/// The visits of a line, all of them.
fn check_groups(
    line: usize,
    parts: &Parts<'_>,
    stride: usize,
    engines: i64,
) -> Result<i64, ExchangeError> {
    let most = engines * MOST_SHARED as i64;
    let mut all = 0;
    for group in parts.groups.chunks_exact(stride) {
        check(line, Kind::Visits, most - all, group[0])?;
        all += group[0];
        for &sum in &group[1..] {
            check(line, Kind::Score, group[0] * i64::from(ONE), sum)?;
        }
    }
    Ok(all)
}

fn check_proofs(line: usize, parts: &Parts<'_>, engines: i64) -> Result<(), ExchangeError> {
    for &word in parts.proofs {
        match proof::read(word, engines) {
            Said::Nothing | Said::Value(..) => {}
            Said::Contradiction => return Err(ExchangeError::Contradiction { line }),
            Said::Nonsense => {
                let kind = Kind::Proof;
                return Err(ExchangeError::Number { line, kind, most: engines, found: word });
            }
        }
    }
    Ok(())
}

fn check_table(line: usize, parts: &Parts<'_>, engines: i64) -> Result<(), ExchangeError> {
    let Some(&rollouts) = parts.counts.first() else { return Ok(()) };
    check(line, Kind::Rollouts, engines * MOST_ROLLOUTS, rollouts)?;
    for (&count, &points) in parts.counts.iter().zip(parts.points) {
        check(line, Kind::Rollouts, rollouts, count)?;
        check(line, Kind::Points, count * i64::from(POINT), points)?;
    }
    Ok(())
}
