//! The header and the blocks of a file of facts.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use crate::game::Saveable;
use crate::hash::two_hashes_of;
use crate::save::{
    Block, BlockWriter, Content, FULL, FactsContent, GameTag, Info, Kind, LoadError, Mismatch,
    Opened, Options, TableKind, WriteError, check_settings, put,
};
use crate::slots::{Entry, SLOTS};
use crate::solvable::{STEP, Solvable};
use crate::solver::facts::{DATA_FORM, Facts, is_sound};

/// The form of the facts: another number if slots are laid out or positions are hashed in another
/// way.
fn form() -> u64 {
    let (place, check) = two_hashes_of(&(DATA_FORM, STEP, *b"facts", u128::MAX / 7));
    place ^ check.rotate_left(1)
}

/// The most that a number of a worth can be.
fn farthest<G: Solvable>() -> i32 {
    G::MAX_POINTS * STEP
}

/// What the header of a file says of the facts of this game in a table of this number of buckets.
fn content_of<G: Solvable>(buckets: u64) -> FactsContent {
    FactsContent {
        form: form(),
        max_points: G::MAX_POINTS as u64,
        counts_plies: G::COUNTS_PLIES,
        buckets,
    }
}

/// The blocks of a file that is written.
type Blocks<'a> = BlockWriter<BufWriter<&'a File>>;

/// Bytes of a fact: how far its bucket is from the first one of the block, and the slot.
const FACT_BYTES: usize = 4 + 8 + 8;

/// The columns of a block.
#[derive(Default)]
struct Columns {
    first: u64,
    buckets: Vec<u8>,
    checks: Vec<u8>,
    data: Vec<u8>,
}

impl Columns {
    fn push(&mut self, distance: u32, entry: Entry) {
        put!(self.buckets, distance);
        put!(self.checks, entry.check);
        put!(self.data, entry.data);
    }

    fn flush(&mut self, blocks: &mut Blocks<'_>) -> Result<(), WriteError> {
        let items = self.buckets.len() / 4;
        if items == 0 {
            return Ok(());
        }
        let mut raw = Vec::with_capacity(8 + items * FACT_BYTES);
        put!(raw, self.first);
        for column in [&mut self.buckets, &mut self.checks, &mut self.data] {
            raw.append(column);
        }
        blocks.write(Kind::Facts, items as u32, &raw)
    }
}

/// Writes the facts of a table, if there is one.
pub(super) fn write<G: Solvable + Saveable>(
    facts: Option<&Facts>,
    game: &GameTag,
    options: &Options,
    out: BufWriter<&File>,
) -> Result<Info, WriteError> {
    let mut blocks = BlockWriter::begin(out, game, options)?;
    let count = match facts {
        Some(facts) => write_blocks(facts, farthest::<G>(), &mut blocks)?,
        None => 0,
    };
    let content = content_of::<G>(facts.map_or(0, |facts| facts.buckets() as u64));
    Ok(blocks.finish::<G>(count, Content::Facts(content))?)
}

/// Writes the facts of a game with limits within `farthest`: how many there are.
fn write_blocks(facts: &Facts, farthest: i32, blocks: &mut Blocks<'_>) -> Result<u64, WriteError> {
    let (mut columns, mut count) = (Columns::default(), 0);
    for (bucket, entry) in facts.entries() {
        // Contradicts itself only if what the game says of its limits is wrong.
        if !is_sound(entry.data, farthest) {
            continue;
        }
        let bucket = bucket as u64;
        let is_far = bucket - columns.first > u64::from(u32::MAX);
        if is_far || columns.buckets.len() / 4 * FACT_BYTES >= FULL {
            columns.flush(blocks)?;
        }
        if columns.buckets.is_empty() {
            columns.first = bucket;
        }
        columns.push((bucket - columns.first) as u32, entry);
        count += 1;
    }
    columns.flush(blocks)?;
    Ok(count)
}

/// A file of facts.
#[derive(Debug)]
pub(super) struct FactsFile {
    file: Opened,
    /// What its header says of the facts.
    pub(super) content: FactsContent,
}

impl FactsFile {
    /// Opens a file, which must be one of facts that mean what those of this game and this library
    /// do.
    pub(super) fn open<G: Solvable + Saveable>(
        path: &Path,
        game: &GameTag,
    ) -> Result<Self, LoadError> {
        Opened::check_tag(game)?;
        let file = Opened::open(path)?;
        let Content::Facts(content) = file.info.content else {
            let (expected, found) = (TableKind::Facts, file.info.kind());
            return Err(LoadError::Kind { expected, found });
        };
        file.check_game::<G>(game)?;
        let own = content_of::<G>(content.buckets);
        let plies = [own, content].map(|content| u64::from(content.counts_plies));
        check_settings(&[
            (Mismatch::MaxPoints, own.max_points, content.max_points),
            (Mismatch::CountsPlies, plies[0], plies[1]),
        ])?;
        if own.form != content.form {
            return Err(LoadError::Facts { expected: own.form, found: content.form });
        }
        Ok(Self { file, content })
    }

    /// What the file says of itself.
    pub(super) fn into_info(self) -> Info {
        self.file.info
    }

    /// Reads the facts and checks each. `keep` takes a bucket and an entry, and says whether all
    /// facts have found room; how often they have not is returned.
    ///
    /// Checksums are compared at each block, and with the header at the end, so nothing is to be
    /// believed before this returns.
    pub(super) fn read<G: Solvable>(
        &self,
        keep: &mut dyn FnMut(u64, Entry) -> bool,
    ) -> Result<u64, LoadError> {
        self.read_within(farthest::<G>(), keep)
    }

    fn read_within(
        &self,
        farthest: i32,
        keep: &mut dyn FnMut(u64, Entry) -> bool,
    ) -> Result<u64, LoadError> {
        let buckets = self.content.buckets;
        self.file.read(|blocks| {
            let (mut left, mut left_out) = (self.file.info.positions, 0);
            let (mut last, mut count) = (0, 0);
            while left > 0 {
                let block = blocks.next(Kind::Facts, left)?;
                left -= u64::from(block.items);
                read_block(block, |number, bucket, entry| {
                    let wrong = |expected: String, found: String| {
                        let place = format!("block at byte {}, fact {number}", block.at);
                        Err(LoadError::content(place, expected, found))
                    };
                    if bucket < last || bucket >= buckets {
                        let expected = format!("a bucket from {last} to {}", buckets - 1);
                        return wrong(expected, bucket.to_string());
                    }
                    count = if bucket == last { count + 1 } else { 1 };
                    last = bucket;
                    if count > SLOTS {
                        return wrong(format!("{SLOTS} facts of a bucket"), "more".into());
                    }
                    if !is_sound(entry.data, farthest) {
                        let expected = format!("limits in order and within {farthest}");
                        return wrong(expected, format!("{:#018x}", entry.data));
                    }
                    left_out += u64::from(!keep(bucket, entry));
                    Ok(())
                })?;
            }
            Ok(left_out)
        })
    }
}

/// Calls `fact` with the number, the bucket and the entry of each fact of a block.
fn read_block(
    block: Block<'_>,
    mut fact: impl FnMut(usize, u64, Entry) -> Result<(), LoadError>,
) -> Result<(), LoadError> {
    let count = block.items as usize;
    let expected = count.saturating_mul(FACT_BYTES).saturating_add(8);
    let (Some((first, rest)), true) = (block.raw.split_first_chunk(), block.raw.len() == expected)
    else {
        let place = format!("block at byte {}", block.at);
        let expected = format!("{expected} bytes for {count} facts");
        return Err(LoadError::content(place, expected, block.raw.len()));
    };
    let first = u64::from_le_bytes(*first);
    let (buckets, rest) = rest.split_at(4 * count);
    let (checks, data) = rest.split_at(8 * count);
    let (buckets, checks, data) = (buckets.as_chunks().0, checks.as_chunks().0, data.as_chunks().0);
    for number in 0..count {
        let bucket = first.saturating_add(u64::from(u32::from_le_bytes(buckets[number])));
        let entry = Entry {
            check: u64::from_le_bytes(checks[number]),
            data: u64::from_le_bytes(data[number]),
        };
        fact(number, bucket, entry)?;
    }
    Ok(())
}
