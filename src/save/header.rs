//! The header of a saved table, byte by byte. `docs/file-format.md` describes the whole file.

use std::fmt;

use twox_hash::XxHash3_64;

use super::error::LoadError;

/// The first bytes: no text, and changed by transfers that take it for one (as in PNG).
const MAGIC: [u8; 8] = *b"\x89PTREE\r\n";

/// The format that this version writes, and the only one it reads.
pub(crate) const VERSION: u32 = 1;

/// Bytes before the game's name.
const FIXED: usize = 112;

/// Bytes of the checksum behind the name.
const CHECKSUM: usize = 8;

/// The longest header.
pub(crate) const LONGEST: usize = FIXED + u8::MAX as usize + CHECKSUM;

/// Flags of the header: two of the container, and between them those of the content.
const COMPRESSED: u32 = 1;
const OWN: u32 = 2 | 4;
const FACTS: u32 = 8;

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

    pub(crate) fn is_valid(&self) -> bool {
        (1..=usize::from(u8::MAX)).contains(&self.name.len())
    }
}

impl fmt::Display for GameTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (encoding {})", self.name, self.encoding)
    }
}

/// Which searcher saved a table: only one of the same kind can load it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TableKind {
    /// Positions and branches of a Monte Carlo search, saved by [`Mcts::save`](crate::Mcts::save).
    Search,
    /// What a solver knows for certain, saved by [`Solver::save`](crate::Solver::save).
    Facts,
}

impl fmt::Display for TableKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TableKind::Search => "the table of a Monte Carlo search",
            TableKind::Facts => "the facts of a solver",
        })
    }
}

/// The header as the container sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) kind: TableKind,
    /// Whether blocks may be compressed.
    pub(crate) compressed: bool,
    pub(crate) game: GameTag,
    /// Hash of the form of the key and move types.
    pub(crate) layout: u64,
    /// Length of the file in bytes.
    pub(crate) file_bytes: u64,
    /// Checksum of everything behind the header.
    pub(crate) body_checksum: u64,
    pub(crate) own: Own,
}

/// The fields of a header whose meaning is up to the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Own {
    /// 2, 4, or both.
    pub(crate) flags: u32,
    /// Five numbers before the checksum of the body, one behind it.
    pub(crate) numbers: [u64; 6],
    /// Two before the length of the name.
    pub(crate) halves: [u16; 2],
    /// Two behind it.
    pub(crate) words: [u32; 2],
}

/// Appends numbers in little-endian form.
macro_rules! put {
    ($out:expr, $($value:expr),* $(,)?) => { $($out.extend_from_slice(&$value.to_le_bytes());)* };
}
pub(crate) use put;

impl Header {
    /// The length of the header in bytes.
    pub(crate) fn len(&self) -> usize {
        FIXED + self.game.name.len() + CHECKSUM
    }

    /// The header as bytes.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let flags = u32::from(self.compressed) * COMPRESSED
            + (self.own.flags & OWN)
            + u32::from(self.kind == TableKind::Facts) * FACTS;
        let mut out = Vec::with_capacity(self.len());
        out.extend_from_slice(&MAGIC);
        put!(out, VERSION, self.len() as u32, flags, self.game.encoding);
        put!(out, self.layout, self.file_bytes);
        let [before @ .., behind] = self.own.numbers;
        for number in before {
            put!(out, number);
        }
        put!(out, self.body_checksum, behind);
        let name = self.game.name.as_bytes();
        put!(out, self.own.halves[0], self.own.halves[1], name.len() as u32);
        put!(out, self.own.words[0], self.own.words[1]);
        debug_assert_eq!(out.len(), FIXED);
        out.extend_from_slice(name);
        put!(out, XxHash3_64::oneshot(&out));
        out
    }

    /// Reads a header from the first bytes of a file (the header at least, if they are that
    /// many) of `file_bytes` bytes in all.
    pub(crate) fn decode(start: &[u8], file_bytes: u64) -> Result<Self, LoadError> {
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
        let [one, two, three, four, five, body_checksum, six] = fields.u64s()?;
        let halves = [fields.u16()?, fields.u16()?];
        let name_len = fields.u32()? as usize;
        let words = [fields.u32()?, fields.u32()?];
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
        if flags > COMPRESSED | OWN | FACTS {
            return error("only flags that are known".into(), format!("{flags:#x}"));
        }
        let kind = if flags & FACTS == 0 { TableKind::Search } else { TableKind::Facts };
        let numbers = [one, two, three, four, five, six];
        Some(Ok(Self {
            kind,
            compressed: flags & COMPRESSED != 0,
            game: GameTag::new(name, encoding),
            layout,
            file_bytes,
            body_checksum,
            own: Own { flags: flags & OWN, numbers, halves, words },
        }))
    }
}

/// Little-endian numbers, one after the other.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
}

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = self.bytes.get(self.at..)?.first_chunk()?;
        self.at += N;
        Some(*bytes)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
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
