//! Why a file is no network for a game.

use std::io;
use std::path::PathBuf;

use playtree_planes::Foreign;

/// A file that could not be read as a network for a game.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub fault: FileFault,
}

/// What is wrong with the file of a network.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileFault {
    /// The system could not read it.
    #[error("expected a file that can be read, found: {0}")]
    Read(#[source] io::Error),
    /// It is no ONNX file, a damaged one, or one of operators that cannot be run.
    #[error("expected an ONNX file, found one that is damaged or something else: {0}")]
    NotOnnx(String),
    /// It is a network for something else.
    #[error(transparent)]
    Foreign(#[from] Foreign),
    /// An input or an output is missing, has another size, or is no number.
    #[error("expected {expected}, found {found}")]
    Sizes {
        /// What there should be.
        expected: String,
        /// What there is.
        found: String,
    },
}
