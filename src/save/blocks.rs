//! The body of a saved table: blocks with a checksum each, compressed if wanted.
//!
//! The checksum of a block begins with that of the block before, so it says that
//! everything up to there is as it was written, in this order. Nothing is read into memory
//! that the file is too short for.

use std::io::{self, Read, Seek, SeekFrom, Write};

use twox_hash::XxHash3_64;

use crate::game::Saveable;

use super::error::{LoadError, SaveError};
use super::header::{Fields, VERSION, len_of, put};
use super::info::{Content, Info};
use super::layout::layout_of;
use super::options::Options;
use super::tag::GameTag;

/// What the items of a block are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Kind {
    Positions = 1,
    Branches = 2,
    Facts = 3,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Positions => "positions",
            Kind::Branches => "branches",
            Kind::Facts => "facts",
        }
    }
}

/// Kind, items, length, stored length, checksum.
const HEADER: usize = 4 * 4 + 8;

/// A block is written when its content is this long.
pub(crate) const FULL: usize = 1 << 20;

/// The longest content of a block: that of [`FULL`] and the branches of one more position.
pub(crate) const LONGEST: usize = 1 << 26;

/// LZ4 makes at most 255 bytes out of one.
#[cfg(feature = "compression")]
const LZ4_MOST: usize = 255;

/// Writes a file: blocks, and the header last.
#[derive(Debug)]
pub(crate) struct BlockWriter<W> {
    out: W,
    game: GameTag,
    compress: bool,
    stored: Vec<u8>,
    /// Bytes written, the header's included.
    bytes: u64,
    /// Of all blocks.
    checksum: u64,
}

impl<W: Write + Seek> BlockWriter<W> {
    /// Begins a file with zeros for its header: no reader takes it for a table before it is
    /// complete.
    pub(crate) fn begin(mut out: W, game: &GameTag, options: &Options) -> io::Result<Self> {
        let len = len_of(game);
        out.write_all(&vec![0; len])?;
        let (game, compress) = (game.clone(), options.compress);
        Ok(Self { out, game, compress, stored: Vec::new(), bytes: len as u64, checksum: 0 })
    }

    /// Writes a block of `items` items, not 0, that consists of these columns.
    pub(crate) fn write(&mut self, kind: Kind, items: u32, raw: &[u8]) -> Result<(), WriteError> {
        if raw.len() > LONGEST {
            let found = raw.len();
            return Err(WriteError::Save(SaveError::TooLarge { most: LONGEST, found }));
        }
        let stored = if self.compress { compress(raw, &mut self.stored)? } else { raw };
        let mut header = Vec::with_capacity(HEADER);
        put!(header, kind as u32, items, raw.len() as u32, stored.len() as u32);
        self.checksum = checksum(self.checksum, &header, stored);
        put!(header, self.checksum);
        self.out.write_all(&header)?;
        self.out.write_all(stored)?;
        self.bytes += (header.len() + stored.len()) as u64;
        Ok(())
    }

    /// Ends the file of the game `G`, in which `positions` positions were written, with its header.
    pub(crate) fn finish<G: Saveable>(self, positions: u64, content: Content) -> io::Result<Info> {
        self.end((layout_of::<G::Key, G::Move>(), G::PLAYERS), positions, content)
    }

    fn end(
        mut self,
        (layout, players): (u64, usize),
        positions: u64,
        content: Content,
    ) -> io::Result<Info> {
        let info = Info {
            version: VERSION,
            game: self.game,
            layout,
            players,
            compressed: self.compress,
            positions,
            file_bytes: self.bytes,
            content,
            body_checksum: self.checksum,
        };
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&info.encode())?;
        self.out.flush()?;
        Ok(info)
    }
}

/// Why a block was not written: the path of the file is added by the caller.
#[derive(Debug)]
pub(crate) enum WriteError {
    Io(io::Error),
    Save(SaveError),
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        WriteError::Io(error)
    }
}

impl From<SaveError> for WriteError {
    fn from(error: SaveError) -> Self {
        WriteError::Save(error)
    }
}

/// The checksum of a block, of the one before and its own bytes.
fn checksum(before: u64, header: &[u8], stored: &[u8]) -> u64 {
    XxHash3_64::oneshot_with_seed(XxHash3_64::oneshot_with_seed(before, header), stored)
}

/// Compresses `raw` into `stored`; `raw` itself if that is not shorter.
#[cfg(feature = "compression")]
fn compress<'a>(raw: &'a [u8], stored: &'a mut Vec<u8>) -> Result<&'a [u8], SaveError> {
    use lz4_flex::block;
    stored.resize(block::get_maximum_output_size(raw.len()), 0);
    let len = block::compress_into(raw, stored)
        .map_err(|error| SaveError::Encoding { what: "a block", found: error.to_string() })?;
    Ok(if len < raw.len() { &stored[..len] } else { raw })
}

#[cfg(not(feature = "compression"))]
fn compress<'a>(_: &'a [u8], _: &'a mut Vec<u8>) -> Result<&'a [u8], SaveError> {
    Err(SaveError::NoCompression)
}

/// Reads blocks.
#[derive(Debug)]
pub(crate) struct BlockReader<R> {
    input: R,
    compressed: bool,
    /// Bytes read, counted from the start of the file, and bytes left.
    at: u64,
    left: u64,
    checksum: u64,
    stored: Vec<u8>,
    raw: Vec<u8>,
}

/// The content of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<'a> {
    /// Where it begins in the file.
    pub(crate) at: u64,
    pub(crate) items: u32,
    pub(crate) raw: &'a [u8],
}

impl<R: Read> BlockReader<R> {
    /// A reader of the `left` bytes that begin at offset `at` of the file.
    pub(crate) fn new(input: R, compressed: bool, at: u64, left: u64) -> Self {
        let (stored, raw) = (Vec::new(), Vec::new());
        Self { input, compressed, at, left, checksum: 0, stored, raw }
    }

    /// The next block. It has at least one and at most `most` items, so `most` must not be 0.
    pub(crate) fn next(&mut self, kind: Kind, most: u64) -> Result<Block<'_>, ReadError> {
        let at = self.at;
        let place = || format!("block of {} at byte {at}", kind.name());
        let wrong = |expected: String, found: &dyn ToString| -> ReadError {
            LoadError::content(place(), expected, found.to_string()).into()
        };
        if self.left < HEADER as u64 {
            return Err(wrong(format!("a block of {HEADER} bytes and more"), &self.left));
        }
        let mut header = [0; HEADER];
        self.input.read_exact(&mut header)?;
        self.at += HEADER as u64;
        self.left -= HEADER as u64;
        let mut fields = Fields { bytes: &header, at: 0 };
        let mut number = || fields.u32().unwrap_or_default();
        let (found, items, raw, stored) = (number(), number(), number(), number());
        let sum = fields.u64().unwrap_or_default();
        if found != kind as u32 {
            return Err(wrong(format!("kind {}", kind as u32), &found));
        }
        let longest = self.left.min(LONGEST as u64);
        if u64::from(stored) > longest {
            let expected = format!("a length of at most {longest} bytes");
            return Err(wrong(expected, &stored));
        }
        // Read before anything else is believed: the checksum comes first.
        read(&mut self.input, &mut self.stored, stored as usize)?;
        self.at += u64::from(stored);
        self.left -= u64::from(stored);
        self.checksum = checksum(self.checksum, &header[..16], &self.stored);
        if self.checksum != sum {
            return Err(wrong(
                format!("the checksum {sum:#018x}"),
                &format!("{:#018x}", self.checksum),
            ));
        }
        if items == 0 || u64::from(items) > most {
            return Err(wrong(format!("1 to {most} items"), &items));
        }
        let (raw, stored) = (raw as usize, stored as usize);
        if raw > LONGEST || stored > raw || (stored < raw && !self.compressed) {
            return Err(wrong(format!("a content as long as what is stored ({stored})"), &raw));
        }
        if stored == raw {
            return Ok(Block { at, items, raw: &self.stored });
        }
        decompress(&self.stored, &mut self.raw, raw).map_err(|found| match found {
            Some(found) => wrong(format!("LZ4 of {raw} bytes"), &found),
            None => LoadError::NoCompression.into(),
        })?;
        Ok(Block { at, items, raw: &self.raw })
    }

    /// The checksum of everything read, if nothing is left to be read.
    pub(crate) fn finish(self) -> Result<u64, ReadError> {
        if self.left > 0 {
            let place = format!("byte {}", self.at);
            let found = format!("{} bytes more", self.left);
            return Err(LoadError::content(place, "the end of the file", found).into());
        }
        Ok(self.checksum)
    }
}

/// Reads `len` bytes into `buffer`.
fn read(input: &mut impl Read, buffer: &mut Vec<u8>, len: usize) -> io::Result<()> {
    buffer.clear();
    if input.take(len as u64).read_to_end(buffer)? < len {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(())
}

/// Decompresses to exactly `len` bytes. `None`: this library cannot.
#[cfg(feature = "compression")]
fn decompress(stored: &[u8], raw: &mut Vec<u8>, len: usize) -> Result<(), Option<String>> {
    if len / LZ4_MOST > stored.len() {
        return Err(Some(format!("{} bytes", stored.len())));
    }
    raw.resize(len, 0);
    match lz4_flex::block::decompress_into(stored, raw) {
        Ok(found) if found == len => Ok(()),
        Ok(found) => Err(Some(format!("{found} bytes"))),
        Err(error) => Err(Some(error.to_string())),
    }
}

#[cfg(not(feature = "compression"))]
fn decompress(_: &[u8], _: &mut Vec<u8>, _: usize) -> Result<(), Option<String>> {
    Err(None)
}

/// Why a block was not read: the path of the file is added by the caller.
#[derive(Debug)]
pub(crate) enum ReadError {
    Io(io::Error),
    Load(LoadError),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        ReadError::Io(error)
    }
}

impl From<LoadError> for ReadError {
    fn from(error: LoadError) -> Self {
        ReadError::Load(error)
    }
}
