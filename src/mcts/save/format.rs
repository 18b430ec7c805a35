//! The header of a saved table, byte by byte. `docs/file-format.md` describes the whole file.

use std::fmt;

use twox_hash::XxHash3_64;

use crate::mcts::arena::NO_INDEX;

use super::error::LoadError;

/// The first bytes: no text, and changed by transfers that take it for one (as in PNG).
pub(super) const MAGIC: [u8; 8] = *b"\x89PTREE\r\n";

/// The format that this version writes, and the only one it reads.
pub(super) const VERSION: u32 = 1;

/// Bytes before the game's name.
const FIXED: usize = 112;

/// Bytes of the checksum behind the name.
const CHECKSUM: usize = 8;

/// The longest header.
pub(super) const LONGEST: usize = FIXED + u8::MAX as usize + CHECKSUM;

/// Flags of the header.
const COMPRESSED: u32 = 1;
const PROOFS: u32 = 2;
const THINNED: u32 = 4;

/// Which game a table is of, and in which form its keys and moves are.
///
/// A table is loaded only if name and encoding are those it was saved with. Change the
/// encoding when the *meaning* of keys or moves changes (squares numbered another way); a
/// change of their *types* is noticed without it.
///
/// # Examples
/// ```
/// let tag = playtree::GameTag::new("hex 11x11", 1);
/// assert_eq!(tag.to_string(), "hex 11x11 (encoding 1)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GameTag {
    name: String,
    encoding: u32,
}

impl GameTag {
    /// A tag with a name of 1 to 255 bytes (checked when it is used) that tells everything
    /// the keys leave out, such as the size of the board.
    pub fn new(name: impl Into<String>, encoding: u32) -> Self {
        Self { name: name.into(), encoding }
    }

    /// The name of the game.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version of what keys and moves mean.
    #[must_use]
    pub fn encoding(&self) -> u32 {
        self.encoding
    }

    pub(super) fn is_valid(&self) -> bool {
        (1..=usize::from(u8::MAX)).contains(&self.name.len())
    }
}

impl fmt::Display for GameTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (encoding {})", self.name, self.encoding)
    }
}

/// What the header of a saved table says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableInfo {
    /// Version of the file format.
    pub version: u32,
    /// The game.
    pub game: GameTag,
    /// Hash of the form of the key and move types.
    pub layout: u64,
    /// Players of the game.
    pub players: usize,
    /// Statistics of each position beyond one mean score.
    pub planes: usize,
    /// Whether the blocks are compressed.
    pub compressed: bool,
    /// Whether wins, losses and draws were proven upwards.
    pub proofs: bool,
    /// Whether positions were left out, by a limit of memory or for a book.
    pub thinned: bool,
    /// Positions.
    pub nodes: u64,
    /// Positions whose branches are there.
    pub expanded: u64,
    /// Branches.
    pub edges: u64,
    /// Searches of the engine that saved it; they decide the next random numbers.
    pub searches: u64,
    /// Simulations of the engine that saved it.
    pub simulations: u64,
    /// Length of the file in bytes.
    pub file_bytes: u64,
    /// The position that the last search began from, by its number in the file.
    pub(super) root: Option<u32>,
    /// Checksum of everything behind the header.
    pub(super) body_checksum: u64,
}

/// Appends numbers in little-endian form.
macro_rules! put {
    ($out:expr, $($value:expr),* $(,)?) => { $($out.extend_from_slice(&$value.to_le_bytes());)* };
}
pub(super) use put;

impl TableInfo {
    /// The length of the header in bytes.
    pub(super) fn header_len(&self) -> usize {
        FIXED + self.game.name.len() + CHECKSUM
    }

    /// Length of what is behind the header.
    pub(super) fn body_bytes(&self) -> u64 {
        self.file_bytes.saturating_sub(self.header_len() as u64)
    }

    /// The header as bytes.
    pub(super) fn encode(&self) -> Vec<u8> {
        let flags = u32::from(self.compressed) * COMPRESSED
            + u32::from(self.proofs) * PROOFS
            + u32::from(self.thinned) * THINNED;
        let mut out = Vec::with_capacity(self.header_len());
        out.extend_from_slice(&MAGIC);
        put!(out, self.version, self.header_len() as u32, flags, self.game.encoding);
        put!(out, self.layout, self.file_bytes, self.nodes, self.expanded, self.edges);
        put!(out, self.searches, self.simulations, self.body_checksum);
        put!(out, self.root.map_or(0, |root| u64::from(root) + 1));
        let name = self.game.name.as_bytes();
        put!(out, self.players as u16, self.planes as u16, name.len() as u32, 0u64);
        debug_assert_eq!(out.len(), FIXED);
        out.extend_from_slice(name);
        put!(out, XxHash3_64::oneshot(&out));
        out
    }

    /// Reads a header from the first bytes of a file (the header at least, if they are that
    /// many) of `file_bytes` bytes in all.
    pub(super) fn decode(start: &[u8], file_bytes: u64) -> Result<Self, LoadError> {
        let length = |expected| LoadError::Length { expected, found: file_bytes };
        let magic = &start[..start.len().min(MAGIC.len())];
        if magic != &MAGIC[..magic.len()] {
            return Err(LoadError::Foreign { expected: MAGIC, found: magic.to_vec() });
        }
        let least = (FIXED + 1 + CHECKSUM) as u64;
        let mut fields = Fields { bytes: start, at: MAGIC.len() };
        let version = fields.u32().ok_or(length(least))?;
        if version != VERSION {
            return Err(LoadError::Version { expected: VERSION, found: version });
        }
        Self::decode_fields(&mut fields, start, file_bytes).ok_or(length(least))?
    }

    /// The rest of the header; `None` if it is cut off.
    fn decode_fields(
        fields: &mut Fields<'_>,
        start: &[u8],
        file_bytes: u64,
    ) -> Option<Result<Self, LoadError>> {
        let header_len = fields.u32()? as usize;
        let (flags, encoding) = (fields.u32()?, fields.u32()?);
        let layout = fields.u64()?;
        let said_bytes = fields.u64()?;
        let [nodes, expanded, edges, searches, simulations, body_checksum, root] = fields.u64s()?;
        let (players, planes) = (fields.u16()?, fields.u16()?);
        let (name_len, zero) = (fields.u32()? as usize, fields.u64()?);
        let error = |expected: String, found: String| {
            Some(Err(LoadError::content("header", expected, found)))
        };
        if !(1..=255).contains(&name_len) {
            return error("a game name of 1 to 255 bytes".into(), name_len.to_string());
        }
        if header_len != FIXED + name_len + CHECKSUM {
            let expected = format!("a header of {} bytes", FIXED + name_len + CHECKSUM);
            return error(expected, header_len.to_string());
        }
        let name = start.get(FIXED..FIXED + name_len)?;
        let checksum = start.get(FIXED + name_len..header_len)?;
        let expected = XxHash3_64::oneshot(&start[..FIXED + name_len]);
        let found = u64::from_le_bytes(checksum.try_into().ok()?);
        if expected != found {
            return error(format!("the checksum {expected:#018x}"), format!("{found:#018x}"));
        }
        if said_bytes != file_bytes {
            return Some(Err(LoadError::Length { expected: said_bytes, found: file_bytes }));
        }
        let Ok(name) = str::from_utf8(name) else {
            return error("a game name in UTF-8".into(), format!("{name:02x?}"));
        };
        if flags > COMPRESSED | PROOFS | THINNED || zero != 0 {
            return error("only flags that are known".into(), format!("{flags:#x}, {zero:#x}"));
        }
        if nodes > u64::from(NO_INDEX) || root > nodes || expanded > nodes || edges < expanded {
            let expected = "counts that belong together".into();
            return error(
                expected,
                format!("{nodes} nodes, {expanded} expanded, {edges} edges, root {root}"),
            );
        }
        if simulations > u64::from(u32::MAX) {
            return error("less than 2^32 simulations".into(), simulations.to_string());
        }
        Some(Ok(Self {
            version: VERSION,
            game: GameTag::new(name, encoding),
            layout,
            players: usize::from(players),
            planes: usize::from(planes),
            compressed: flags & COMPRESSED != 0,
            proofs: flags & PROOFS != 0,
            thinned: flags & THINNED != 0,
            nodes,
            expanded,
            edges,
            searches,
            simulations,
            file_bytes,
            root: root.checked_sub(1).map(|root| root as u32),
            body_checksum,
        }))
    }
}

/// Little-endian numbers, one after the other.
#[derive(Debug)]
pub(super) struct Fields<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = self.bytes.get(self.at..)?.first_chunk()?;
        self.at += N;
        Some(*bytes)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn u64s<const N: usize>(&mut self) -> Option<[u64; N]> {
        let mut all = [0; N];
        for number in &mut all {
            *number = self.u64()?;
        }
        Some(all)
    }
}
