//! Writing a table: blocks of positions, blocks of branches, and the header last.

use std::io::{Seek, Write};

use bincode::config::{Configuration, Fixint, Limit, LittleEndian};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::game::Saveable;
use crate::mcts::tree::node::NodeId;
use crate::save::{BlockWriter, Content, Info, Kind, SaveError, SearchContent, WriteError, put};

use super::LONGEST_VALUE;
use super::records::{BranchRecords, Branches, Cursor, NodeRecord, TreeSource};

/// How bincode writes keys and moves: numbers in their full width, so that other programs
/// can read them without it.
pub(super) const ENCODING: Configuration<LittleEndian, Fixint, Limit<LONGEST_VALUE>> =
    bincode::config::standard().with_fixed_int_encoding().with_limit::<LONGEST_VALUE>();

/// Writes the table of `source`, whose last root is `root`, in blocks that end when they are `full`
/// bytes long. `content` says everything but the root's number, the counts of positions with
/// branches and of branches, and whether positions of the source are missing.
pub(super) fn write<G: Saveable, W: Write + Seek>(
    source: &mut TreeSource<'_, G>,
    root: Option<NodeId>,
    mut content: SearchContent,
    full: usize,
    mut blocks: BlockWriter<W>,
) -> Result<Info, WriteError> {
    let (mut columns, mut positions) = (NodeColumns::default(), 0);
    let mut cursor = Cursor::default();
    // Nothing is written under the pin of the tree: a disk takes its time.
    while source.next_nodes::<WriteError>(&mut cursor, |record, key| {
        positions += 1;
        columns.push(record, key)?;
        Ok(columns.raw_len() >= full)
    })? {
        if columns.raw_len() >= full {
            columns.flush(&mut blocks)?;
        }
    }
    columns.flush(&mut blocks)?;
    content.root = root.and_then(|root| source.number(root));
    let mut columns = BranchColumns::default();
    (content.expanded, content.edges) = (0, 0);
    let (order, mut cursor) = (source.expanded(), Cursor::default());
    while source.next_branches::<WriteError>(&order, &mut cursor, |branches| {
        content.expanded += 1;
        content.edges += branches.records.edges.len() as u64;
        columns.push(branches)?;
        Ok(columns.raw_len() >= full)
    })? {
        if columns.raw_len() >= full {
            columns.flush(&mut blocks)?;
        }
    }
    columns.flush(&mut blocks)?;
    content.thinned |= source.is_thinned();
    Ok(blocks.finish::<G>(positions, Content::Search(content))?)
}

/// Appends a key or a move.
fn encode<T>(what: &'static str, value: &T, out: &mut Vec<u8>, check: bool) -> Result<(), SaveError>
where
    T: Serialize + DeserializeOwned + PartialEq,
{
    let refuse = |found: String| SaveError::Encoding { what, found };
    let start = out.len();
    bincode::serde::encode_into_std_write(value, out, ENCODING)
        .map_err(|error| refuse(error.to_string()))?;
    let len = out.len() - start;
    if len > LONGEST_VALUE {
        return Err(refuse(format!("{len} bytes, more than {LONGEST_VALUE}")));
    }
    if check {
        let read = bincode::serde::decode_from_slice::<T, _>(&out[start..], ENCODING);
        match read {
            Ok((again, read)) if again == *value && read == len => {}
            Ok(_) => return Err(refuse("another value when read back".to_owned())),
            Err(error) => return Err(refuse(error.to_string())),
        }
    }
    Ok(())
}

/// The columns of a block of positions.
#[derive(Debug, Default)]
struct NodeColumns {
    items: u32,
    columns: [Vec<u8>; 8],
    keys: Vec<u8>,
}

impl NodeColumns {
    fn push<K>(&mut self, record: &NodeRecord, key: &K) -> Result<(), SaveError>
    where
        K: Serialize + DeserializeOwned + PartialEq,
    {
        let [visits, branches, own, own_score, distance, ply, mover, planes] = &mut self.columns;
        put!(visits, record.visits);
        put!(branches, record.branches as u16);
        put!(own, record.own);
        put!(own_score, record.own_score);
        put!(distance, record.distance);
        put!(ply, record.ply);
        put!(mover, record.mover);
        for sum in &record.planes {
            put!(planes, sum);
        }
        // The first of each block is read back: that finds types that do not read what
        // they write, at no cost.
        encode("a key", key, &mut self.keys, self.items == 0)?;
        self.items += 1;
        Ok(())
    }

    fn raw_len(&self) -> usize {
        raw_len(&self.columns, &self.keys)
    }

    fn flush<W: Write + Seek>(&mut self, blocks: &mut BlockWriter<W>) -> Result<(), WriteError> {
        flush(Kind::Positions, &mut self.items, &mut self.columns, &mut self.keys, blocks)
    }
}

/// The columns of a block of branches.
#[derive(Debug, Default)]
struct BranchColumns {
    /// Positions whose branches these are.
    items: u32,
    columns: [Vec<u8>; 6],
    moves: Vec<u8>,
}

impl BranchColumns {
    fn push<M>(&mut self, branches: &Branches<M>) -> Result<(), SaveError>
    where
        M: Serialize + DeserializeOwned + PartialEq,
    {
        let [node, count, visits, value, child, seen] = &mut self.columns;
        let BranchRecords { node: number, edges, seen: planes } = &branches.records;
        put!(node, number);
        put!(count, edges.len() as u16);
        for edge in edges {
            put!(visits, edge.visits);
            put!(value, edge.value.bits());
            put!(child, edge.child.word());
        }
        for plane in planes {
            put!(seen, plane);
        }
        for (number, mv) in branches.moves.iter().enumerate() {
            encode("a move", mv, &mut self.moves, self.items == 0 && number == 0)?;
        }
        self.items += 1;
        Ok(())
    }

    fn raw_len(&self) -> usize {
        raw_len(&self.columns, &self.moves)
    }

    fn flush<W: Write + Seek>(&mut self, blocks: &mut BlockWriter<W>) -> Result<(), WriteError> {
        flush(Kind::Branches, &mut self.items, &mut self.columns, &mut self.moves, blocks)
    }
}

fn raw_len(columns: &[Vec<u8>], values: &[u8]) -> usize {
    columns.iter().map(Vec::len).sum::<usize>() + values.len()
}

/// Writes the columns one after the other, the keys or moves last, and empties them.
fn flush<W: Write + Seek>(
    kind: Kind,
    items: &mut u32,
    columns: &mut [Vec<u8>],
    values: &mut Vec<u8>,
    blocks: &mut BlockWriter<W>,
) -> Result<(), WriteError> {
    if *items == 0 {
        return Ok(());
    }
    let mut raw = Vec::with_capacity(raw_len(columns, values));
    for column in columns.iter_mut().chain([values]) {
        raw.append(column);
    }
    blocks.write(kind, std::mem::take(items), &raw)
}
