//! Saved files, of a search or of a solver: how they are saved ([`Options`]), what they say of
//! themselves ([`Info`]), and what can be wrong with them ([`SaveError`], [`LoadError`]).
//!
//! [`Mcts`](crate::Mcts), [`Handle`](crate::Handle) and [`Solver`](crate::Solver) save; a file is
//! loaded by a searcher of the same kind, for the game of the same [tag](GameTag). The repository's
//! `docs/file-format.md` describes the file byte by byte.

// The container: header, checked blocks, and the replacing of files. What is in the blocks is up to
// the searcher that saves.

mod blocks;
mod error;
mod header;
mod info;
mod layout;
mod options;
mod replace;
mod tag;

pub(crate) use blocks::{Block, BlockWriter, FULL, Kind, ReadError, WriteError};
pub use error::{LoadError, Mismatch, SaveError};
pub(crate) use header::{MOST_POSITIONS, put};
pub use info::{Content, FactsContent, Info, Loaded, SearchContent, TableKind};
pub use options::Options;
pub(crate) use replace::replace;
pub use tag::GameTag;

use std::fs::{self, File};
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::game::Saveable;

use blocks::BlockReader;
use layout::layout_of;
use replace::kind_of;

/// Bytes read from a file at once.
const BUFFER: usize = 1 << 18;

/// A file that begins with the header of a saved table.
#[derive(Debug)]
pub(crate) struct Opened {
    path: PathBuf,
    file: File,
    pub(crate) info: Info,
}

impl Opened {
    /// Opens a file and reads its header.
    pub(crate) fn open(path: &Path) -> Result<Self, LoadError> {
        let failed = |error| LoadError::io("read", path, error);
        // Looked at first: a pipe does not open before it is written to.
        let found = fs::metadata(path).map_err(failed)?;
        if !found.is_file() {
            return Err(LoadError::NotAFile { path: path.to_owned(), found: kind_of(&found) });
        }
        let open = || {
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            let mut start = Vec::new();
            (&file).take(header::LONGEST as u64).read_to_end(&mut start)?;
            Ok((file, metadata, start))
        };
        let (file, metadata, start) = open().map_err(failed)?;
        let info = Info::decode(&start, metadata.len())?;
        Ok(Self { path: path.to_owned(), file, info })
    }

    /// Refuses a tag that no file has: before a file is opened.
    pub(crate) fn check_tag(game: &GameTag) -> Result<(), LoadError> {
        if game.is_valid() { Ok(()) } else { Err(LoadError::Tag { found: game.name().len() }) }
    }

    /// Refuses a table of another game than `G` with this tag, one with keys and moves of another
    /// form, and what cannot be decompressed.
    pub(crate) fn check_game<G: Saveable>(&self, game: &GameTag) -> Result<(), LoadError> {
        self.check_form(game, layout_of::<G::Key, G::Move>(), G::PLAYERS)
    }

    fn check_form(&self, game: &GameTag, layout: u64, players: usize) -> Result<(), LoadError> {
        let info = &self.info;
        if info.game != *game {
            let (expected, found) = (game.clone(), info.game.clone());
            return Err(LoadError::Game { expected, found });
        }
        if info.layout != layout {
            return Err(LoadError::Layout { expected: layout, found: info.layout });
        }
        if info.compressed && !cfg!(feature = "compression") {
            return Err(LoadError::NoCompression);
        }
        check_settings(&[(Mismatch::Players, players as u64, info.players as u64)])
    }

    /// Compares the checksums of all blocks.
    fn verify(&self) -> Result<(), LoadError> {
        self.read(|blocks| {
            let mut pass = |kind, items: u64| -> Result<(), ReadError> {
                let mut left = items;
                while left > 0 {
                    left -= u64::from(blocks.next(kind, left)?.items);
                }
                Ok(())
            };
            let positions = self.info.positions;
            match &self.info.content {
                Content::Search(search) => {
                    pass(Kind::Positions, positions)?;
                    pass(Kind::Branches, search.expanded)
                }
                Content::Facts(_) => pass(Kind::Facts, positions),
            }
        })
    }

    /// Reads what is behind the header by `content`, and checks that this is all of it.
    pub(crate) fn read<T>(
        &self,
        content: impl FnOnce(&mut BlockReader<BufReader<&File>>) -> Result<T, ReadError>,
    ) -> Result<T, LoadError> {
        let read = || -> Result<T, ReadError> {
            let mut blocks = self.blocks()?;
            let value = content(&mut blocks)?;
            self.finish(blocks)?;
            Ok(value)
        };
        read().map_err(|error| self.failed(error))
    }

    /// What is behind the header.
    fn blocks(&self) -> Result<BlockReader<BufReader<&File>>, ReadError> {
        let info = &self.info;
        let start = info.header_len() as u64;
        (&self.file).seek(SeekFrom::Start(start))?;
        let input = BufReader::with_capacity(BUFFER, &self.file);
        let left = info.file_bytes.saturating_sub(start);
        Ok(BlockReader::new(input, info.compressed, start, left))
    }

    /// Refuses blocks that were not the ones written, or not all of them.
    fn finish(&self, blocks: BlockReader<BufReader<&File>>) -> Result<(), ReadError> {
        let (expected, found) = (self.info.body_checksum, blocks.finish()?);
        if expected == found {
            return Ok(());
        }
        let expected = format!("the checksum {expected:#x}");
        Err(LoadError::content("body", expected, format!("{found:#x}")).into())
    }

    fn failed(&self, error: ReadError) -> LoadError {
        match error {
            ReadError::Io(error) => LoadError::io("read", &self.path, error),
            ReadError::Load(error) => error,
        }
    }
}

/// Refuses a file in which one of these is not as expected: `(what, expected, found)`.
pub(crate) fn check_settings(all: &[(Mismatch, u64, u64)]) -> Result<(), LoadError> {
    match all.iter().find(|(_, expected, found)| expected != found) {
        Some(&(what, expected, found)) => Err(LoadError::Settings { what, expected, found }),
        None => Ok(()),
    }
}
