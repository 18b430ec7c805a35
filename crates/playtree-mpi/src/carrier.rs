//! What carries numbers between ranks: MPI, or the memory of one process.

mod local;
#[cfg(feature = "mpi")]
mod mpi;

pub use self::local::LocalCarrier;
#[cfg(feature = "mpi")]
pub use self::mpi::MpiCarrier;

/// Two operations of all ranks: they begin at once, and wait for nothing.
///
/// At most one operation is under way at a time, and all ranks begin the same ones in the same
/// order: a broadcast of the same length, or a sum of the same number of words. [`poll`](Self::poll)
/// says when it is done; between two polls an implementation may make no progress.
pub trait Carrier {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// The number of ranks.
    fn ranks(&self) -> usize;

    /// Begins to give the bytes of rank 0 to all. Of the other ranks only the length counts.
    ///
    /// # Errors
    /// If the operation cannot begin.
    fn broadcast(&mut self, bytes: Vec<u8>) -> Result<(), CarrierError>;

    /// Begins to add up the words of all ranks, number by number; all get the sum. What leaves the
    /// range of the numbers wraps.
    ///
    /// # Errors
    /// If the operation cannot begin.
    fn sum(&mut self, words: Vec<i64>) -> Result<(), CarrierError>;

    /// What the operation under way has brought; `None` if it is not done, or there is none.
    ///
    /// # Errors
    /// If it has failed. What is not done then will not be.
    fn poll(&mut self) -> Result<Option<Arrived>, CarrierError>;
}

/// What an operation has brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrived {
    /// The bytes of rank 0.
    Bytes(Vec<u8>),
    /// The sum of the words of all ranks.
    Words(Vec<i64>),
}

/// Why an operation has failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CarrierError {
    /// An operation was begun while another one was under way.
    #[error("expected no operation under way, found one")]
    Busy,
    /// More numbers than MPI can carry at a time.
    #[error("expected at most {most} numbers at a time, found {found}")]
    TooLong {
        /// The most numbers.
        most: usize,
        /// How many there were.
        found: usize,
    },
    /// MPI says that it has failed.
    #[error("expected an operation of MPI to succeed, found error {code} in {call}")]
    Failed {
        /// The function of MPI.
        call: &'static str,
        /// What it has returned.
        code: i32,
    },
    /// MPI cannot be begun, or offers less than is needed.
    #[error("expected {expected}, found {found}")]
    Unfit {
        /// What is needed.
        expected: &'static str,
        /// What there is.
        found: String,
    },
    /// Two ranks of one process have begun different operations.
    #[error("expected the same operation on all ranks, found another one on rank {rank}")]
    OutOfStep {
        /// The rank that differs from those before it.
        rank: usize,
    },
}
