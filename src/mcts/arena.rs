//! Memory that grows and never moves: nodes, edges and moves, named by 32-bit indices.
//!
//! A [`Slab`] is a list of buckets, each twice as large as the one before, so that an index
//! finds its bucket with one bit scan and the directory is 20 words. A bucket is zeroed
//! memory that the system hands out page by page, so what was never used costs nothing.
//!
//! Workers take **blocks** from a shared counter and give out slots from their own block,
//! so that making a node writes to no cache line that another worker wants.
//!
//! The `unsafe` code of the engine is here, in `prefetch.rs`, and where the tree reads and
//! writes what lies here.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::cell::UnsafeCell;
use std::fmt;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};

use parking_lot::Mutex;

use crate::sync::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// Slots in the first bucket. Every request of at most this many fits in any bucket.
const FIRST: u32 = 1 << 16;
/// Buckets until the 32-bit indices are used up: 2^16 * (2^16 - 1) slots.
const BUCKETS: usize = 16;

/// Alignment that the allocator gives without extra work.
const ALLOCATOR_ALIGN: usize = 16;

/// The most slots one request can ask for.
pub(crate) const LARGEST_REQUEST: u32 = FIRST - 1;

/// A type of which all-zero bytes are a valid value.
///
/// # Safety
/// Promised by the implementer.
pub(crate) unsafe trait Zeroed: Sync {}

// SAFETY: each is made of atomic integers only (the node's lock is one too), and an atomic
// integer may have any bytes.
unsafe impl Zeroed for super::node::Node {}
// SAFETY: as above.
unsafe impl Zeroed for super::node::Edge {}
// SAFETY: as above.
unsafe impl Zeroed for AtomicU32 {}
// SAFETY: as above.
unsafe impl Zeroed for AtomicU64 {}

/// A place for a move or a key: written once, before the index that names it is published.
pub(crate) struct WriteOnce<M>(UnsafeCell<MaybeUninit<M>>);

// SAFETY: a slot is written only by the worker that was given its index and has not yet
// published it (`Slab::write`), and read only after that (`Slab::read`). Values cross
// threads by shared reference, and are dropped by whoever holds the arena, so M must be
// both Sync and Send.
unsafe impl<M: Send + Sync> Sync for WriteOnce<M> {}

// SAFETY: uninitialised memory may have any bytes.
unsafe impl<M: Send + Sync> Zeroed for WriteOnce<M> {}

/// Slots of one type that never move. Indices are given out by the [`Counter`].
pub(crate) struct Slab<T> {
    buckets: [AtomicPtr<T>; BUCKETS],
    /// What was allocated, to be freed with the slab.
    allocations: Mutex<Vec<(NonNull<u8>, Layout)>>,
    /// Slots per index: 1, or the number of planes of a plane slab.
    width: usize,
    owns: PhantomData<T>,
}

/// The bucket of an index and the place in it.
#[inline]
fn locate(index: u32) -> (usize, usize) {
    // Bucket b starts at FIRST * (2^b - 1): adding FIRST makes its number the position of
    // the highest bit.
    let shifted = u64::from(index) + u64::from(FIRST);
    let bucket = shifted.ilog2() - FIRST.ilog2();
    (bucket as usize, (shifted - (u64::from(FIRST) << bucket)) as usize)
}

/// The number of slots of a bucket.
fn bucket_len(bucket: usize) -> usize {
    (FIRST as usize) << bucket
}

impl<T: Zeroed> Slab<T> {
    pub(crate) fn new(width: usize) -> Self {
        Self {
            buckets: std::array::from_fn(|_| AtomicPtr::new(ptr::null_mut())),
            allocations: Mutex::new(Vec::new()),
            width,
            owns: PhantomData,
        }
    }

    /// The slot of an index that was given out.
    ///
    /// # Panics
    /// If the bucket of the index was never made.
    #[inline]
    pub(crate) fn get(&self, index: u32) -> &T {
        let (bucket, offset) = locate(index);
        let start = self.bucket(bucket);
        // SAFETY: the bucket holds `bucket_len(bucket) * width` zeroed, hence valid, values;
        // `locate` gives offset < bucket_len, and width >= 1. The memory is freed only when
        // the slab is dropped, and the reference borrows the slab.
        unsafe { &*start.as_ptr().add(offset * self.width) }
    }

    /// `count` slots from `index` on, given out by one request.
    #[inline]
    pub(crate) fn range(&self, index: u32, count: u32) -> &[T] {
        let (bucket, offset) = locate(index);
        assert!(offset + count as usize <= bucket_len(bucket), "a range lies in one bucket");
        let start = self.bucket(bucket);
        // SAFETY: as in `get`, for each of the slots; the assertion keeps the range inside
        // the bucket. A shared slice of T may be made because T is only read through it
        // or has interior mutability.
        unsafe {
            std::slice::from_raw_parts(
                start.as_ptr().add(offset * self.width),
                count as usize * self.width,
            )
        }
    }

    #[inline]
    fn bucket(&self, bucket: usize) -> NonNull<T> {
        // Acquire: pairs with the release in `grow`.
        let start = self.buckets[bucket].load(Ordering::Acquire);
        NonNull::new(start).expect("an index is used after its bucket was made")
    }

    /// Makes the bucket of `index` if it is not there.
    pub(crate) fn grow(&self, index: u32) {
        let (bucket, _) = locate(index);
        if size_of::<T>() * self.width == 0 {
            // Nothing to store (a move type without size): any aligned pointer will do.
            self.buckets[bucket].store(NonNull::dangling().as_ptr(), Ordering::Release);
            return;
        }
        if !self.buckets[bucket].load(Ordering::Acquire).is_null() {
            return;
        }
        let mut allocations = self.allocations.lock();
        if !self.buckets[bucket].load(Ordering::Acquire).is_null() {
            return;
        }
        // Asked for with the allocator's own alignment and aligned here: a zeroed
        // allocation with a larger alignment would be cleared by hand, every page of it.
        let layout = Layout::array::<T>(bucket_len(bucket) * self.width)
            .and_then(|layout| {
                Layout::from_size_align(layout.size() + align_of::<T>(), ALLOCATOR_ALIGN)
            })
            .expect("a bucket fits in memory");
        // SAFETY: the layout is not empty: a bucket has slots, and T has a size (above).
        let memory = unsafe { alloc_zeroed(layout) };
        let Some(memory) = NonNull::new(memory) else { handle_alloc_error(layout) };
        allocations.push((memory, layout));
        let skip = memory.as_ptr().align_offset(align_of::<T>());
        // SAFETY: the memory is longer than the slots by the alignment, and skip < alignment.
        let start = unsafe { memory.as_ptr().add(skip) };
        self.buckets[bucket].store(start.cast(), Ordering::Release);
    }

    /// Whether the bucket of `index` was made.
    pub(crate) fn is_grown(&self, index: u32) -> bool {
        !self.buckets[locate(index).0].load(Ordering::Acquire).is_null()
    }

    /// Bytes per index.
    pub(crate) fn slot_bytes(&self) -> u64 {
        (size_of::<T>() * self.width) as u64
    }
}

impl<M: Send + Sync> Slab<WriteOnce<M>> {
    /// Stores a value.
    ///
    /// # Safety
    /// The caller was given `index` and has not published it: nobody else reads or writes
    /// the slot.
    pub(crate) unsafe fn write(&self, index: u32, mv: M) {
        let slot = self.get(index);
        // SAFETY: the caller is the only one who knows the index.
        unsafe { (*slot.0.get()).write(mv) };
    }

    /// The value stored at `index`.
    ///
    /// # Safety
    /// `write` was called for `index`, before the index was published to this thread, and
    /// the value was not dropped.
    #[inline]
    pub(crate) unsafe fn read(&self, index: u32) -> &M {
        let slot = self.get(index);
        // SAFETY: the slot is initialised and no longer written, says the caller.
        unsafe { (*slot.0.get()).assume_init_ref() }
    }

    /// Drops `count` values from `index` on.
    ///
    /// # Safety
    /// All of them were written, nobody uses them, and nobody will read them again.
    pub(crate) unsafe fn drop_range(&self, index: u32, count: u32) {
        if std::mem::needs_drop::<M>() {
            for index in index..index + count {
                // SAFETY: as the caller says.
                unsafe { (*self.get(index).0.get()).assume_init_drop() };
            }
        }
    }
}

impl<T> Drop for Slab<T> {
    fn drop(&mut self) {
        for (memory, layout) in self.allocations.get_mut().drain(..) {
            // SAFETY: made by `alloc_zeroed` with this layout, and freed once. Zeroed types
            // have nothing to drop; moves were dropped by the owner of the slab.
            unsafe { dealloc(memory.as_ptr(), layout) };
        }
    }
}

// SAFETY: the pointers lead to memory that the slab owns; what lies in it is shared under
// the rules of `Zeroed: Sync`, and may be dropped by another thread if it is Send.
unsafe impl<T: Zeroed + Send> Send for Slab<T> {}
// SAFETY: as above; the slab itself is changed only through atomics and the mutex.
unsafe impl<T: Zeroed> Sync for Slab<T> {}

impl<T> fmt::Debug for Slab<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slab").field("width", &self.width).finish_non_exhaustive()
    }
}

/// Gives out the indices of one or several parallel slabs, in blocks.
#[derive(Debug, Default)]
pub(crate) struct Counter {
    next: AtomicU64,
}

/// A worker's own stretch of indices.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Block {
    next: u32,
    end: u32,
}

/// Indices in a block: 256 nodes or edges are 16 and 4 kB.
const BLOCK: u32 = 256;

impl Counter {
    /// `count` consecutive indices that lie in one bucket, from the worker's block; `None`
    /// if all 32-bit indices are used. `grow` is called with an index of each new block.
    #[inline]
    pub(crate) fn take(&self, block: &mut Block, count: u32, grow: impl Fn(u32)) -> Option<u32> {
        if block.end - block.next < count {
            self.refill(block, count, grow)?;
        }
        let first = block.next;
        block.next += count;
        Some(first)
    }

    /// Gives back the indices of the worker's last request.
    pub(crate) fn give_back(block: &mut Block, first: u32, count: u32) {
        if first + count == block.next {
            block.next = first;
        }
    }

    #[cold]
    fn refill(&self, block: &mut Block, count: u32, grow: impl Fn(u32)) -> Option<()> {
        assert!(count <= LARGEST_REQUEST, "a request of {count} fits in no bucket");
        let size = u64::from(count.next_multiple_of(BLOCK));
        loop {
            // Relaxed: the counter alone decides who owns which indices.
            let first = self.next.fetch_add(size, Ordering::Relaxed);
            // The last index is kept free: edges use it to say that there is no child.
            let end = first.checked_add(size).filter(|&end| end < u64::from(u32::MAX))?;
            let (first, last) = (first as u32, end as u32 - 1);
            if locate(last).0 >= BUCKETS {
                return None;
            }
            if locate(first).0 == locate(last).0 {
                grow(first);
                *block = Block { next: first, end: end as u32 };
                return Some(());
            }
            // The stretch lies across two buckets: leave it and ask again.
        }
    }

    /// Indices given out, blocks in use counted whole.
    pub(crate) fn len(&self) -> u64 {
        self.next.load(Ordering::Relaxed)
    }

    /// Starts again from 0. Nobody may hold a block.
    pub(crate) fn clear(&mut self) {
        self.next = AtomicU64::new(0);
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Block, Counter, FIRST, LARGEST_REQUEST, Slab, WriteOnce, locate};
    use crate::sync::{AtomicU32, Ordering};

    #[test]
    fn indices_fill_the_buckets_one_after_the_other() {
        assert_eq!(locate(0), (0, 0));
        assert_eq!(locate(FIRST - 1), (0, FIRST as usize - 1));
        assert_eq!(locate(FIRST), (1, 0));
        assert_eq!(locate(3 * FIRST - 1), (1, 2 * FIRST as usize - 1));
        assert_eq!(locate(3 * FIRST), (2, 0));
    }

    #[test]
    fn ranges_are_disjoint_and_never_cross_a_bucket() {
        let (counter, slab) = (Counter::default(), Slab::<AtomicU32>::new(1));
        let mut blocks = [Block::default(); 3];
        for turn in 0..2_000u32 {
            let count = if turn % 97 == 0 { LARGEST_REQUEST / 5 } else { 1 + turn * 31 % 90 };
            let block = &mut blocks[turn as usize % 3];
            let first = counter.take(block, count, |index| slab.grow(index)).unwrap();
            for slot in slab.range(first, count) {
                assert_eq!(slot.swap(1, Ordering::Relaxed), 0, "given out twice");
            }
        }
        assert!(counter.len() > u64::from(FIRST));
    }

    #[test]
    fn the_last_request_can_be_given_back() {
        let (counter, slab) = (Counter::default(), Slab::<AtomicU32>::new(1));
        let mut block = Block::default();
        let first = counter.take(&mut block, 10, |index| slab.grow(index)).unwrap();
        Counter::give_back(&mut block, first, 10);
        assert_eq!(counter.take(&mut block, 20, |index| slab.grow(index)), Some(first));
        assert_eq!(counter.len(), u64::from(BLOCK));
    }

    #[test]
    fn indices_run_out_with_an_answer() {
        let counter = Counter::default();
        counter.next.store(u64::from(u32::MAX) - 10, Ordering::Relaxed);
        assert_eq!(counter.take(&mut Block::default(), 1, |_| unreachable!()), None);
    }

    #[test]
    fn moves_are_stored_and_dropped() {
        let (counter, slab) = (Counter::default(), Slab::<WriteOnce<String>>::new(1));
        let mut block = Block::default();
        let first = counter.take(&mut block, 2, |index| slab.grow(index)).unwrap();
        for (index, text) in [(first, "a2"), (first + 1, "b3")] {
            // SAFETY: the indices were just given out and nobody else knows them.
            unsafe { slab.write(index, text.to_owned()) };
        }
        // SAFETY: written above, read before they are dropped.
        assert_eq!(unsafe { slab.read(first + 1) }, "b3");
        // SAFETY: both were written and are not used again.
        unsafe { slab.drop_range(first, 2) };
    }
}
