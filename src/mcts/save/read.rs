//! Reading a table: every block is checked before what it says is handed on.

use std::ops::Range;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::game::Saveable;
use crate::mcts::tree::arena::NO_INDEX;
use crate::mcts::tree::value::{Bounds, ONE, Value};
use crate::save::{
    Block, Content, GameTag, Info, Kind, LoadError, MOST_POSITIONS, Opened, SearchContent,
    TableKind,
};

use super::records::{BranchRecords, Branches, Child, EdgeRecord, NodeRecord};
use super::write::ENCODING;

// A position of a file has an index, and what is no index is no position of a file.
const _: () = assert!(MOST_POSITIONS == NO_INDEX as u64);

/// The file of a table.
#[derive(Debug)]
pub(super) struct TableFile {
    file: Opened,
    /// What its header says of the table.
    pub(super) content: SearchContent,
}

impl TableFile {
    /// Opens a file, which must be that of a table of this game.
    pub(super) fn open<G: Saveable>(path: &Path, game: &GameTag) -> Result<Self, LoadError> {
        Opened::check_tag(game)?;
        let file = Opened::open(path)?;
        let Content::Search(content) = &file.info.content else {
            let (expected, found) = (TableKind::Search, file.info.kind());
            return Err(LoadError::Kind { expected, found });
        };
        file.check_game::<G>(game)?;
        let content = content.clone();
        Ok(Self { file, content })
    }

    /// What the file says of itself.
    pub(super) fn into_info(self) -> Info {
        self.file.info
    }

    /// Reads everything and checks it. `node` is called with every position and its key in
    /// the order of their numbers, then `branches` with the branches of every position that
    /// has some.
    ///
    /// What the two are given is sound by itself: numbers are in range, and no visits or
    /// scores add up to more than they can. Checksums are compared at each block, and with
    /// the header at the end, so nothing is to be believed before this returns.
    pub(super) fn read<G: Saveable>(
        &self,
        mut node: impl FnMut(&NodeRecord, G::Key) -> Result<(), LoadError>,
        mut branches: impl FnMut(&mut Branches<G::Move>) -> Result<(), LoadError>,
    ) -> Result<(), LoadError> {
        let mut buffer = Branches::default();
        self.read_columns(
            &mut |record, columns, number| node(record, columns.value("key", number)?),
            &mut |records, columns, numbers| {
                buffer.moves.clear();
                for number in numbers {
                    buffer.moves.push(columns.value("move", number)?);
                }
                std::mem::swap(&mut buffer.records, records);
                let result = branches(&mut buffer);
                std::mem::swap(&mut buffer.records, records);
                result
            },
        )
    }

    /// Reads all but the keys and moves, which are next in the columns when `node` and `branches`
    /// are called.
    fn read_columns(
        &self,
        node: &mut ReadNode<'_>,
        branches: &mut ReadBranches<'_>,
    ) -> Result<(), LoadError> {
        let (info, content) = (&self.file.info, &self.content);
        let shape =
            Shape { positions: info.positions, players: info.players, planes: content.planes };
        self.file.read(|blocks| {
            let mut left = info.positions;
            while left > 0 {
                let block = blocks.next(Kind::Positions, left)?;
                left -= u64::from(block.items);
                read_nodes(&Columns::new(block), shape, node)?;
            }
            let (mut left, mut edges) = (content.expanded, 0);
            let mut buffer = BranchRecords::default();
            while left > 0 {
                let block = blocks.next(Kind::Branches, left)?;
                left -= u64::from(block.items);
                edges += read_branches(&Columns::new(block), shape, &mut buffer, branches)?;
            }
            if edges != content.edges {
                let expected = format!("{} branches", content.edges);
                return Err(LoadError::content("body", expected, edges).into());
            }
            Ok(())
        })
    }
}

/// Called with a position and its number in the block; its key is the next value.
type ReadNode<'a> = dyn FnMut(&NodeRecord, &Columns<'_>, u64) -> Result<(), LoadError> + 'a;

/// Called with the branches of a position and their numbers in the block; their moves are the next
/// values.
type ReadBranches<'a> =
    dyn FnMut(&mut BranchRecords, &Columns<'_>, Range<u64>) -> Result<(), LoadError> + 'a;

/// What the columns of a table depend on.
#[derive(Clone, Copy, Debug)]
struct Shape {
    positions: u64,
    players: usize,
    planes: usize,
}

/// Takes columns off the front of a block.
struct Columns<'a> {
    block: Block<'a>,
    rest: std::cell::Cell<&'a [u8]>,
}

impl<'a> Columns<'a> {
    fn new(block: Block<'a>) -> Self {
        Self { block, rest: block.raw.into() }
    }

    fn place(&self) -> String {
        format!("block at byte {}", self.block.at)
    }

    /// A column of `count` values of `N` bytes.
    fn take<const N: usize>(&self, count: usize) -> Result<&'a [[u8; N]], LoadError> {
        let rest = self.rest.get();
        let (column, rest) =
            count.checked_mul(N).and_then(|len| rest.split_at_checked(len)).ok_or_else(|| {
                let expected = format!("{count} values of {N} bytes");
                LoadError::content(self.place(), expected, format!("{} bytes", rest.len()))
            })?;
        self.rest.set(rest);
        Ok(column.as_chunks().0)
    }

    /// The next key or move.
    fn value<T: DeserializeOwned>(&self, what: &str, number: u64) -> Result<T, LoadError> {
        let rest = self.rest.get();
        let (value, len) = bincode::serde::decode_from_slice(rest, ENCODING).map_err(|error| {
            let place = format!("{}, {what} {number}", self.place());
            LoadError::content(place, format!("a {what}"), error)
        })?;
        self.rest.set(&rest[len..]);
        Ok(value)
    }

    /// Nothing may be left.
    fn end(&self) -> Result<(), LoadError> {
        match self.rest.get().len() {
            0 => Ok(()),
            left => {
                let found = format!("{left} bytes more");
                Err(LoadError::content(self.place(), "the end of the block", found))
            }
        }
    }
}

fn read_nodes(
    columns: &Columns<'_>,
    shape: Shape,
    node: &mut ReadNode<'_>,
) -> Result<(), LoadError> {
    let count = columns.block.items as usize;
    let visits = columns.take(count)?;
    let branches = columns.take(count)?;
    let own = columns.take(count)?;
    let own_score = columns.take(count)?;
    let distance = columns.take(count)?;
    let ply = columns.take(count)?;
    let mover = columns.take::<1>(count)?;
    let planes = columns.take(count.saturating_mul(shape.planes))?;
    for i in 0..count {
        let sums = &planes[i * shape.planes..][..shape.planes];
        let record = NodeRecord {
            visits: u32::from_le_bytes(visits[i]),
            branches: u32::from(u16::from_le_bytes(branches[i])),
            own: u32::from_le_bytes(own[i]),
            own_score: u64::from_le_bytes(own_score[i]),
            distance: u32::from_le_bytes(distance[i]),
            ply: u32::from_le_bytes(ply[i]),
            mover: mover[i][0],
            planes: sums.iter().map(|&sum| u64::from_le_bytes(sum)).collect(),
        };
        let wrong = |expected: String, found: &dyn ToString| {
            let place = format!("{}, position {i}", columns.place());
            Err(LoadError::content(place, expected, found.to_string()))
        };
        let most = u64::from(record.own) * u64::from(ONE);
        if usize::from(record.mover) >= shape.players {
            return wrong(format!("a side to move below {}", shape.players), &record.mover);
        }
        if let Some(sum) = record.planes.iter().chain([&record.own_score]).find(|&&s| s > most) {
            return wrong(format!("a score of at most {most}"), sum);
        }
        if record.distance > FARTHEST {
            return wrong(format!("at most {FARTHEST} plies to the end"), &record.distance);
        }
        node(&record, columns, i as u64)?;
    }
    columns.end()
}

/// The longest proof: distances grow by one for each position, and must not overflow.
const FARTHEST: u32 = 1 << 30;

/// Limit of what a branch has seen in a further plane: squares may be above 1, as the two
/// numbers they are turned over with are not of the same moment. Times 2^32 visits, it fits
/// in 63 bits.
const LARGEST_PLANE: u32 = 1 << 31;

/// Returns the number of branches.
fn read_branches(
    columns: &Columns<'_>,
    shape: Shape,
    buffer: &mut BranchRecords,
    branches: &mut ReadBranches<'_>,
) -> Result<u64, LoadError> {
    let count = columns.block.items as usize;
    let nodes = columns.take(count)?;
    let counts = columns.take(count)?;
    let total = counts.iter().map(|&count| usize::from(u16::from_le_bytes(count))).sum();
    let visits = columns.take(total)?;
    let values = columns.take(total)?;
    let children = columns.take(total)?;
    let seen = columns.take(total.saturating_mul(shape.planes))?;
    let mut from = 0;
    for (&node, &count) in nodes.iter().zip(counts) {
        buffer.node = u32::from_le_bytes(node);
        let count = usize::from(u16::from_le_bytes(count));
        let wrong = |expected: String, found: &dyn ToString| {
            let place = format!("{}, branches of position {}", columns.place(), buffer.node);
            Err(LoadError::content(place, expected, found.to_string()))
        };
        if u64::from(buffer.node) >= shape.positions {
            return wrong(format!("a position below {}", shape.positions), &buffer.node);
        }
        if count == 0 {
            return wrong("branches".to_owned(), &"none");
        }
        buffer.edges.clear();
        buffer.seen.clear();
        for i in from..from + count {
            let bits = u32::from_le_bytes(values[i]);
            let value = Value::from_bits(bits);
            let child = Child::from_word(u32::from_le_bytes(children[i]));
            let known = value.score() <= ONE && Value::new(value.score(), value.bounds()) == value;
            if !known || (shape.players > 2 && value.bounds() != Bounds::Open) {
                return wrong("a score of at most 1 and bounds".to_owned(), &format!("{bits:#x}"));
            }
            if let Child::Known(number) = child
                && u64::from(number) >= shape.positions
            {
                return wrong(format!("a position below {}", shape.positions), &number);
            }
            let visits = u32::from_le_bytes(visits[i]);
            buffer.edges.push(EdgeRecord { visits, value, child });
        }
        for &plane in &seen[from * shape.planes..(from + count) * shape.planes] {
            let plane = u32::from_le_bytes(plane);
            if plane >= LARGEST_PLANE {
                return wrong(format!("a square or score below {LARGEST_PLANE}"), &plane);
            }
            buffer.seen.push(plane);
        }
        branches(buffer, columns, from as u64..(from + count) as u64)?;
        from += count;
    }
    columns.end()?;
    Ok(total as u64)
}
