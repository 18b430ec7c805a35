//! The container of saved tables: header, checked blocks, errors, and the replacing of files. What
//! is in the blocks is up to the searcher that saves.
//!
//! `docs/file-format.md` describes the file.

mod blocks;
mod error;
mod header;
mod layout;
mod replace;

pub(crate) use blocks::{Block, BlockReader, BlockWriter, FULL, Kind, ReadError, WriteError};
pub use error::{LoadError, SaveError};
pub use header::{GameTag, TableKind};
pub(crate) use header::{Header, Own, VERSION, put};
pub(crate) use layout::layout_of;
use replace::kind_of;
pub(crate) use replace::replace;

use std::fs::{self, File};
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Bytes read from a file at once.
const BUFFER: usize = 1 << 18;

/// A file that begins with the header of a saved table.
#[derive(Debug)]
pub(crate) struct Opened {
    path: PathBuf,
    file: File,
    pub(crate) header: Header,
}

impl Opened {
    /// Opens a file and reads its header, which must be that of a table of this kind.
    pub(crate) fn open(path: &Path, kind: TableKind) -> Result<Self, LoadError> {
        let failed = |error| LoadError::io("read", path, error);
        // Looked at first: a pipe does not open before it is written to.
        let found = fs::metadata(path).map_err(failed)?;
        if !found.is_file() {
            let place = path.display().to_string();
            return Err(LoadError::content(place, "a regular file", kind_of(&found)));
        }
        let open = || {
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            let mut start = Vec::new();
            (&file).take(header::LONGEST as u64).read_to_end(&mut start)?;
            Ok((file, metadata, start))
        };
        let (file, metadata, start) = open().map_err(failed)?;
        let header = Header::decode(&start, metadata.len())?;
        if header.kind != kind {
            return Err(LoadError::Kind { expected: kind, found: header.kind });
        }
        Ok(Self { path: path.to_owned(), file, header })
    }

    /// Compares the checksums of all blocks: of each kind the blocks that hold this number of
    /// items.
    pub(crate) fn verify(&self, parts: &[(Kind, u64)]) -> Result<(), LoadError> {
        self.read(|blocks| {
            for &(kind, items) in parts {
                let mut left = items;
                while left > 0 {
                    left -= u64::from(blocks.next(kind, left)?.items);
                }
            }
            Ok(())
        })
    }

    /// Reads what is behind the header by `content`, and checks that this is all of it.
    pub(crate) fn read<T>(
        &self,
        content: impl FnOnce(&mut BlockReader<BufReader<&File>>) -> Result<T, ReadError>,
    ) -> Result<T, LoadError> {
        let header = &self.header;
        let read = || -> Result<T, ReadError> {
            let start = header.len() as u64;
            (&self.file).seek(SeekFrom::Start(start))?;
            let input = BufReader::with_capacity(BUFFER, &self.file);
            let left = header.file_bytes.saturating_sub(start);
            let mut blocks = BlockReader::new(input, header.compressed, start, left);
            let value = content(&mut blocks)?;
            let (expected, found) = (header.body_checksum, blocks.finish()?);
            if expected != found {
                let expected = format!("the checksum {expected:#x}");
                return Err(LoadError::content("body", expected, format!("{found:#x}")).into());
            }
            Ok(value)
        };
        read().map_err(|error| match error {
            ReadError::Io(error) => LoadError::io("read", &self.path, error),
            ReadError::Load(error) => error,
        })
    }
}

/// Refuses a table of another game, or with keys and moves of another form.
pub(crate) fn check_game(header: &Header, game: &GameTag, layout: u64) -> Result<(), LoadError> {
    if header.game != *game {
        let (expected, found) = (game.clone(), header.game.clone());
        return Err(LoadError::Game { expected, found });
    }
    if header.layout != layout {
        return Err(LoadError::Layout { expected: layout, found: header.layout });
    }
    Ok(())
}
