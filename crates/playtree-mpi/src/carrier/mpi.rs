//! Ranks that MPI has started: `MPI_Ibcast` and `MPI_Iallreduce` over all of them.

use std::fmt;
use std::os::raw::{c_int, c_void};

use mpi::environment::Universe;
use mpi::ffi;
use mpi::topology::Communicator;
use mpi::{Threading, initialize_with_threading};

use super::{Arrived, Carrier, CarrierError};

/// All ranks of a job of MPI.
///
/// When it is dropped MPI is ended, which waits for the other ranks. A rank that cannot wait, as
/// another one does not answer, has to [leave](Self::leave) instead.
pub struct MpiCarrier {
    /// `None` once MPI is not to be ended.
    universe: Option<Universe>,
    /// A communicator of this carrier alone.
    communicator: ffi::MPI_Comm,
    rank: usize,
    ranks: usize,
    under_way: Option<UnderWay>,
}

/// An operation that MPI is at.
struct UnderWay {
    request: ffi::MPI_Request,
    call: &'static str,
    memory: Memory,
}

/// What MPI reads and writes until the operation is done. Not moved: it is on the heap.
enum Memory {
    Bytes(Box<[u8]>),
    Words { own: Box<[i64]>, sum: Box<[i64]> },
}

// SAFETY: what keeps this from being sent are handles of MPI, which are plain numbers or addresses
// that any thread may use. MPI was begun for threads that take turns (`MPI_THREAD_SERIALIZED`), and
// they do: every call is made through `&mut self`, or when this is dropped.
unsafe impl Send for MpiCarrier {}

impl MpiCarrier {
    /// Begins MPI. To be called once in a program.
    ///
    /// # Errors
    /// If it was begun before, or cannot be called by threads that take turns.
    pub fn begin() -> Result<Self, CarrierError> {
        let unfit = |expected, found: &str| CarrierError::Unfit { expected, found: found.into() };
        let begun = initialize_with_threading(Threading::Serialized);
        let (universe, threading) =
            begun.ok_or_else(|| unfit("MPI not to be begun", "it was begun"))?;
        if threading < Threading::Serialized {
            let found = format!("{threading:?}");
            return Err(unfit("an MPI that threads may call in turns", &found));
        }
        let world = universe.world();
        let (rank, ranks) = (world.rank() as usize, world.size() as usize);
        // SAFETY: MPI is begun, and the handle that is written is a local of the right type.
        let communicator = unsafe {
            let mut communicator = ffi::RSMPI_COMM_NULL;
            let code = ffi::MPI_Comm_dup(ffi::RSMPI_COMM_WORLD, &raw mut communicator);
            check("MPI_Comm_dup", code)?;
            // Else an error ends the job, with the ranks that could still answer.
            let code = ffi::MPI_Comm_set_errhandler(communicator, ffi::RSMPI_ERRORS_RETURN);
            check("MPI_Comm_set_errhandler", code)?;
            communicator
        };
        Ok(Self { universe: Some(universe), communicator, rank, ranks, under_way: None })
    }

    /// Gives MPI up without an end, which would wait for all ranks. The program should exit soon.
    pub fn leave(&mut self) {
        // Its end is what its drop would do.
        std::mem::forget(self.universe.take());
    }

    fn free(&self) -> Result<(), CarrierError> {
        if self.under_way.is_some() { Err(CarrierError::Busy) } else { Ok(()) }
    }
}

/// The number of elements as MPI takes it.
fn count(length: usize) -> Result<c_int, CarrierError> {
    let most = c_int::MAX as usize;
    c_int::try_from(length).map_err(|_| CarrierError::TooLong { most, found: length })
}

fn check(call: &'static str, code: c_int) -> Result<(), CarrierError> {
    if code == ffi::MPI_SUCCESS as c_int {
        Ok(())
    } else {
        Err(CarrierError::Failed { call, code })
    }
}

impl Carrier for MpiCarrier {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn broadcast(&mut self, bytes: Vec<u8>) -> Result<(), CarrierError> {
        self.free()?;
        let count = count(bytes.len())?;
        let mut bytes = bytes.into_boxed_slice();
        let call = "MPI_Ibcast";
        // SAFETY: the constants of the library are never written.
        let (kind, null) = unsafe { (ffi::RSMPI_UINT8_T, ffi::RSMPI_REQUEST_NULL) };
        let mut request = null;
        // SAFETY: the buffer has `count` bytes. It is on the heap, kept in `under_way` and not
        // touched until MPI says that it is done with it; if that never comes it is leaked (`drop`).
        let code = unsafe {
            let buffer = bytes.as_mut_ptr().cast::<c_void>();
            ffi::MPI_Ibcast(buffer, count, kind, 0, self.communicator, &raw mut request)
        };
        check(call, code)?;
        self.under_way = Some(UnderWay { request, call, memory: Memory::Bytes(bytes) });
        Ok(())
    }

    fn sum(&mut self, words: Vec<i64>) -> Result<(), CarrierError> {
        self.free()?;
        let count = count(words.len())?;
        let own = words.into_boxed_slice();
        let mut sum = vec![0_i64; own.len()].into_boxed_slice();
        let call = "MPI_Iallreduce";
        // SAFETY: the constants of the library are never written.
        let (kind, add, null) =
            unsafe { (ffi::RSMPI_INT64_T, ffi::RSMPI_SUM, ffi::RSMPI_REQUEST_NULL) };
        let mut request = null;
        // SAFETY: both buffers have `count` words, and do not overlap. As above they stay where they
        // are, untouched, until MPI is done with them.
        let code = unsafe {
            let from = own.as_ptr().cast::<c_void>();
            let to = sum.as_mut_ptr().cast::<c_void>();
            ffi::MPI_Iallreduce(from, to, count, kind, add, self.communicator, &raw mut request)
        };
        check(call, code)?;
        self.under_way = Some(UnderWay { request, call, memory: Memory::Words { own, sum } });
        Ok(())
    }

    fn poll(&mut self) -> Result<Option<Arrived>, CarrierError> {
        let Some(under_way) = &mut self.under_way else { return Ok(None) };
        let mut is_done = 0;
        // SAFETY: the request is one that MPI has given and not yet ended, and no status is asked
        // for.
        let code = unsafe {
            ffi::MPI_Test(&raw mut under_way.request, &raw mut is_done, ffi::RSMPI_STATUS_IGNORE)
        };
        check(under_way.call, code)?;
        if is_done == 0 {
            return Ok(None);
        }
        Ok(self.under_way.take().map(|done| match done.memory {
            Memory::Bytes(bytes) => Arrived::Bytes(bytes.into_vec()),
            Memory::Words { own, sum } => {
                drop(own);
                Arrived::Words(sum.into_vec())
            }
        }))
    }
}

impl Drop for MpiCarrier {
    fn drop(&mut self) {
        if let Some(under_way) = self.under_way.take() {
            // MPI may still write there.
            std::mem::forget(under_way.memory);
        } else if self.universe.is_some() {
            // SAFETY: MPI is not ended yet, and the communicator is this carrier's own, with no
            // operation under way.
            unsafe { ffi::MPI_Comm_free(&raw mut self.communicator) };
        }
    }
}

impl fmt::Debug for MpiCarrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MpiCarrier")
            .field("rank", &self.rank)
            .field("ranks", &self.ranks)
            .field("is_under_way", &self.under_way.is_some())
            .finish_non_exhaustive()
    }
}
