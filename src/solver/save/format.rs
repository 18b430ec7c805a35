//! The header and the blocks of a file of facts.

use std::io::{Seek, Write};

use crate::hash::two_hashes_of;
use crate::save::{
    Block, BlockWriter, FULL, GameTag, Header, Kind, LoadError, Opened, Own, TableKind, VERSION,
    WriteError, put,
};
use crate::slots::{Entry, SLOTS};
use crate::solvable::{STEP, Solvable};
use crate::solver::facts::{DATA_FORM, Facts, is_sound};

/// What the header of a file of facts says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FactsInfo {
    /// Version of the file format.
    pub version: u32,
    /// The game.
    pub game: GameTag,
    /// Hash of the form of the key and move types.
    pub layout: u64,
    /// Hash of the form of the facts, by the hash function that finds them.
    pub form: u64,
    /// Players of the game.
    pub players: usize,
    /// The most points by which the game can be won.
    pub max_points: u64,
    /// Whether plies are counted.
    pub counts_plies: bool,
    /// Whether the blocks are compressed.
    pub compressed: bool,
    /// Facts.
    pub facts: u64,
    /// Buckets of the table, of 64 bytes each.
    pub buckets: u64,
    /// Length of the file in bytes.
    pub file_bytes: u64,
    /// Checksum of everything behind the header.
    body_checksum: u64,
}

/// The form of the facts: another number if slots are laid out or positions are hashed in another
/// way.
fn form() -> u64 {
    let (place, check) = two_hashes_of(&(DATA_FORM, STEP, *b"facts", u128::MAX / 7));
    place ^ check.rotate_left(1)
}

/// The most that a number of a worth can be.
pub(super) fn farthest<G: Solvable>() -> i32 {
    G::MAX_POINTS * STEP
}

impl FactsInfo {
    /// Of a table that is yet to be written.
    pub(super) fn new<G: Solvable>(
        game: &GameTag,
        layout: u64,
        facts: Option<&Facts>,
        compressed: bool,
    ) -> Self {
        Self {
            version: VERSION,
            game: game.clone(),
            layout,
            form: form(),
            players: G::PLAYERS,
            max_points: G::MAX_POINTS as u64,
            counts_plies: G::COUNTS_PLIES,
            compressed,
            facts: 0,
            buckets: facts.map_or(0, |facts| facts.buckets() as u64),
            file_bytes: 0,
            body_checksum: 0,
        }
    }

    fn header(&self) -> Header {
        Header {
            kind: TableKind::Facts,
            compressed: self.compressed,
            game: self.game.clone(),
            layout: self.layout,
            file_bytes: self.file_bytes,
            body_checksum: self.body_checksum,
            own: Own {
                flags: 0,
                numbers: [self.facts, self.buckets, self.form, self.max_points, 0, 0],
                halves: [self.players as u16, u16::from(self.counts_plies)],
                words: [0; 2],
            },
        }
    }

    /// What a header says.
    pub(super) fn of(header: &Header) -> Result<Self, LoadError> {
        let Own { flags, numbers, halves: [players, plies], words } = header.own;
        let [facts, buckets, form, max_points, five, six] = numbers;
        if flags != 0 || words != [0; 2] || five != 0 || six != 0 || plies > 1 {
            let found = format!("flags {flags}, {plies}, {five}, {six}, {words:?}");
            return Err(LoadError::content("header", "fields without meaning at 0", found));
        }
        if facts.div_ceil(SLOTS as u64) > buckets {
            let expected = format!("at most {SLOTS} facts for each of {buckets} buckets");
            return Err(LoadError::content("header", expected, facts));
        }
        Ok(Self {
            version: VERSION,
            game: header.game.clone(),
            layout: header.layout,
            form,
            players: usize::from(players),
            max_points,
            counts_plies: plies == 1,
            compressed: header.compressed,
            facts,
            buckets,
            file_bytes: header.file_bytes,
            body_checksum: header.body_checksum,
        })
    }

    /// Refuses facts that mean something else than those of this game and this library.
    pub(super) fn check<G: Solvable>(&self) -> Result<(), LoadError> {
        for (what, expected, found) in [
            ("players", G::PLAYERS as u64, self.players as u64),
            ("points at most", G::MAX_POINTS as u64, self.max_points),
            ("counted for each ply", u64::from(G::COUNTS_PLIES), u64::from(self.counts_plies)),
        ] {
            if expected != found {
                return Err(LoadError::Settings { what, expected, found });
            }
        }
        if self.form != form() {
            return Err(LoadError::Facts { expected: form(), found: self.form });
        }
        Ok(())
    }
}

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

    fn flush<W: Write + Seek>(&mut self, blocks: &mut BlockWriter<W>) -> Result<(), WriteError> {
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

/// Writes the facts. `info` holds everything but their number, lengths and checksums, and comes
/// back complete.
pub(super) fn write<W: Write + Seek>(
    facts: Option<&Facts>,
    farthest: i32,
    mut info: FactsInfo,
    out: W,
) -> Result<FactsInfo, WriteError> {
    let mut blocks = BlockWriter::begin(out, &info.header())?;
    let mut columns = Columns::default();
    for (bucket, entry) in facts.into_iter().flat_map(Facts::entries) {
        // Contradicts itself only if what the game says of its limits is wrong.
        if !is_sound(entry.data, farthest) {
            continue;
        }
        let bucket = bucket as u64;
        let is_far = bucket - columns.first > u64::from(u32::MAX);
        if is_far || columns.buckets.len() / 4 * FACT_BYTES >= FULL {
            columns.flush(&mut blocks)?;
        }
        if columns.buckets.is_empty() {
            columns.first = bucket;
        }
        columns.push((bucket - columns.first) as u32, entry);
        info.facts += 1;
    }
    columns.flush(&mut blocks)?;
    info.body_checksum = blocks.checksum;
    info.file_bytes = blocks.bytes;
    blocks.finish(&info.header())?;
    Ok(info)
}

/// Reads the facts and checks each. `keep` takes a bucket and an entry, and says whether all facts
/// have found room; how often they have not is returned.
///
/// Checksums are compared at each block, and with the header at the end, so nothing is to be
/// believed before this returns.
pub(super) fn read(
    file: &Opened,
    info: &FactsInfo,
    farthest: i32,
    mut keep: impl FnMut(u64, Entry) -> bool,
) -> Result<u64, LoadError> {
    file.read(|blocks| {
        let (mut left, mut left_out) = (info.facts, 0);
        let (mut last, mut count) = (0, 0);
        while left > 0 {
            let block = blocks.next(Kind::Facts, left)?;
            left -= u64::from(block.items);
            read_block(block, |number, bucket, entry| {
                let wrong = |expected: String, found: String| {
                    let place = format!("block at byte {}, fact {number}", block.at);
                    Err(LoadError::content(place, expected, found))
                };
                if bucket < last || bucket >= info.buckets {
                    let expected = format!("a bucket from {last} to {}", info.buckets - 1);
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
