//! Memory that grows and never moves: nodes, edges and moves, named by 32-bit indices.
//!
//! A [`Slab`] is a list of chunks of the same size, so that an index finds its slot with a
//! shift and one look at the list. A chunk is zeroed memory that the system hands out page by
//! page, so what was never used costs nothing.
//!
//! Workers take **blocks** from a shared [`Counter`] and give out slots from their own block,
//! so that making a node writes to no cache line that another worker wants. What was given
//! back is given out again ([`free`](crate::mcts::tree::free_lists)). Memory is counted in steps of
//! a megabyte or a chunk, whichever is less, so that chunks can be larger: most of a large tree
//! lies in huge pages.

use std::cell::UnsafeCell;
use std::fmt;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;

#[cfg(test)]
use crate::pool::bank::Needs;
use crate::pool::bank::Purse;
use crate::prefetch::prefetch_address;
use crate::sync::{AtomicPtr, AtomicU64, Mutex, Ordering};
use crate::zeroed::{Memory, Zeroed, ZeroedSlice, discard, populate, provide};

use super::vacate::Chunks;

/// A place for a move or a key: written once, before the index that names it is published.
#[repr(transparent)]
pub(crate) struct WriteOnce<M>(UnsafeCell<MaybeUninit<M>>);

// SAFETY: a slot is written only by the worker that was given its index and has not yet published
// it (`Slab::write`), and read only after that (`Slab::read`). Values cross threads by shared
// reference, and are dropped by the holder of the arena, so M must be both Sync and Send.
unsafe impl<M: Send + Sync> Sync for WriteOnce<M> {}

// SAFETY: uninitialised memory may have any bytes; the writer of a value drops it.
unsafe impl<M: Send + Sync> Zeroed for WriteOnce<M> {}

/// The number of slots of a chunk, as a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChunkShift(pub(crate) u32);

/// Chunks that a memory limit is divided into, at least: what is left over at the limit is a part
/// of one.
const CHUNKS_OF_LIMIT: u64 = 64;
/// The fewest and the most slots of a chunk, as powers of two: 16 or 64 MB at most, so that most of
/// a large tree lies in huge pages, and the list of all chunks that there may be is short: it is
/// cleared for each tree. A position with more moves than a chunk has edges cannot be expanded.
#[cfg(not(target_family = "wasm"))]
pub(crate) const NODE_SHIFTS: (u32, u32) = (6, 20);
#[cfg(not(target_family = "wasm"))]
pub(crate) const EDGE_SHIFTS: (u32, u32) = (9, 20);
/// 256 kB and 1 MB at most: memory that is not used is there all the same, and there are no huge
/// pages.
#[cfg(target_family = "wasm")]
pub(crate) const NODE_SHIFTS: (u32, u32) = (6, 12);
#[cfg(target_family = "wasm")]
pub(crate) const EDGE_SHIFTS: (u32, u32) = (9, 16);

/// How far a memory limit may be raised: what the lists of chunks have room for, which are not
/// counted.
pub(crate) const MOST_RAISED: u64 = 4;

/// The most slots of this size that the memory limit, raised as far as it may be, or the address
/// space has room for.
pub(crate) fn most_slots(limit: Option<u64>, slot: usize) -> u64 {
    let indices = 1 << 32;
    let room = limit.map_or(u64::MAX, |limit| limit.saturating_mul(MOST_RAISED));
    let room = room.min(usize::MAX as u64);
    (room / slot as u64).saturating_add(1).min(indices)
}

/// The chunks of a slab whose slots have `slot` bytes.
pub(crate) fn chunk_shift(
    limit: Option<u64>,
    slot: usize,
    (least, most): (u32, u32),
) -> ChunkShift {
    let slots = limit.map_or(u64::MAX, |limit| limit / CHUNKS_OF_LIMIT / slot as u64).max(1);
    ChunkShift(slots.ilog2().clamp(least, most))
}

impl ChunkShift {
    /// The chunk of an index.
    #[inline]
    fn chunk(self, index: u32) -> usize {
        (index >> self.0) as usize
    }

    /// The first index of a chunk.
    #[inline]
    fn first(self, chunk: usize) -> usize {
        chunk << self.0
    }

    /// Whether two indices lie in one chunk.
    #[inline]
    pub(crate) fn same(self, a: u32, b: u32) -> bool {
        a >> self.0 == b >> self.0
    }

    /// Whether `count` indices from `index` on lie in one chunk. For none the answer is of no use.
    #[inline]
    fn holds(self, index: u32, count: u32) -> bool {
        let index = u64::from(index);
        let last = (index + u64::from(count)).wrapping_sub(1);
        index >> self.0 == last >> self.0
    }

    fn slots(self) -> usize {
        1 << self.0
    }
}

/// How many slots of a [`Slab`] an index has.
pub(crate) trait Width: Copy + fmt::Debug {
    fn slots(self) -> usize;
}

/// An index has one slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Single;

impl Width for Single {
    #[inline]
    fn slots(self) -> usize {
        1
    }
}

/// An index has a row of this number of slots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row(pub(crate) usize);

impl Width for Row {
    #[inline]
    fn slots(self) -> usize {
        self.0
    }
}

/// Slots of one type that never move. Indices are given out by the [`Counter`].
pub(crate) struct Slab<T, W = Single> {
    /// Where index 0 would lie if all the slab were like this chunk: no pointer to anything, but
    /// an index from it leads to a slot of the chunk. Null: not made.
    chunks: ZeroedSlice<AtomicPtr<T>>,
    shift: ChunkShift,
    /// The memory of the chunks, to be freed with the slab.
    memory: Mutex<Vec<ZeroedSlice<T>>>,
    width: W,
}

impl<T: Zeroed> Slab<T> {
    /// The slot of an index that was given out.
    ///
    /// # Panics
    /// If the chunk of the index was never made.
    #[inline]
    pub(crate) fn get(&self, index: u32) -> &T {
        let slot = self.base(self.shift.chunk(index)).wrapping_add(index as usize);
        // SAFETY: the chunk holds zeroed, hence valid, values, and the slot is one of them: `grow`
        // has made the base so that the indices of the chunk lead there, each to its one slot. The
        // memory is freed only when the slab is dropped or gives it up, and the reference borrows
        // the slab.
        unsafe { &*slot }
    }
}

impl<T: Zeroed, W: Width> Slab<T, W> {
    /// An empty slab for indices below `indices`, with slots for each of them as `width` says.
    pub(crate) fn new(width: W, shift: ChunkShift, indices: u64) -> Self {
        let chunks = indices.clamp(1, 1 << 32).div_ceil(1 << shift.0) as usize;
        Self { chunks: ZeroedSlice::new(chunks), shift, memory: Mutex::default(), width }
    }

    /// What an index takes, in bytes.
    pub(crate) fn slot_bytes(&self) -> u64 {
        (size_of::<T>() * self.width.slots()) as u64
    }

    /// The slots of `count` indices from `index` on, at least one, given out by one request.
    ///
    /// # Panics
    /// If the indices do not lie in one chunk, or it was never made.
    #[inline]
    pub(crate) fn range(&self, index: u32, count: u32) -> &[T] {
        assert!(self.shift.holds(index, count), "a range lies in one chunk");
        let base = self.base(self.shift.chunk(index));
        let width = self.width.slots();
        let start = base.wrapping_add(index as usize * width);
        // SAFETY: the chunk holds zeroed, hence valid, values, and the slots are some of them:
        // `grow` has made the base so that the indices of the chunk lead there, each to the first
        // of its slots, and the assertion keeps the range inside the chunk. The memory is freed
        // only when the slab is dropped or gives it up, and the slice borrows the slab. A shared
        // slice of T may be made because T is only read through it or has interior mutability.
        unsafe { std::slice::from_raw_parts(start, count as usize * width) }
    }

    /// Asks for the first cache lines of the slots of `count` indices, one at least.
    #[inline]
    pub(crate) fn prefetch(&self, index: u32, count: u32) {
        const LINE: usize = 64;
        const LINES: usize = 4;
        let width = self.width.slots();
        let start = self.base(self.shift.chunk(index)).wrapping_add(index as usize * width);
        let Some(last) = (count as usize * width * size_of::<T>()).checked_sub(1) else {
            // Values without size have no memory.
            return;
        };
        let start = start.cast::<u8>();
        for line in 0..LINES {
            if line * LINE > last {
                break;
            }
            prefetch_address(start.wrapping_add(line * LINE));
        }
        // What is shorter than a line may still lie in two.
        prefetch_address(start.wrapping_add(last.min(LINES * LINE)));
    }

    #[inline]
    fn base(&self, chunk: usize) -> *const T {
        // Acquire: pairs with the release in `grow`.
        let chunk = self.chunks.get(chunk).expect("an index has a chunk");
        let base = chunk.load(Ordering::Acquire);
        assert!(!base.is_null(), "an index is used after its chunk was made");
        base
    }

    /// Makes the chunk of `index` if it is not there. False if the slab has no such index.
    pub(crate) fn grow(&self, index: u32) -> bool {
        let number = self.shift.chunk(index);
        let Some(chunk) = self.chunks.get(number) else { return false };
        if !chunk.load(Ordering::Acquire).is_null() {
            return true;
        }
        let mut memory = self.memory.lock();
        while chunk.load(Ordering::Acquire).is_null() {
            let start = if self.slot_bytes() == 0 {
                // Nothing to store (a move type without size): any aligned pointer will do.
                NonNull::dangling()
            } else {
                let slots = self.shift.slots() * self.width.slots();
                let is_first = memory.is_empty();
                let new = if is_first { ZeroedSlice::growing } else { ZeroedSlice::new };
                let slots = new(slots);
                let start = slots.start();
                memory.push(slots);
                start
            };
            // Should this be null by chance, the memory stays unused, and other memory is taken.
            let before = self.shift.first(number) * self.width.slots();
            chunk.store(start.as_ptr().wrapping_sub(before), Ordering::Release);
        }
        true
    }

    /// Decides on the pages that begin in a block that was just given out, all in one chunk.
    pub(crate) fn provide(&self, block: Block, in_haste: bool) {
        let first = self.shift.first(self.shift.chunk(block.next));
        let chunk = self.place(first, self.shift.slots());
        provide(self.place(block.next as usize, block.len()), chunk, in_haste);
    }

    /// The same, and lets the system provide all the memory of the block: the worker that uses it
    /// for the first time holds a lock.
    pub(crate) fn populate(&self, block: Block, in_haste: bool) {
        self.provide(block, in_haste);
        let (start, bytes) = self.place(block.next as usize, block.len());
        populate(start, bytes);
    }

    /// Where the slots of `count` indices lie, all in one chunk, and how many bytes they take.
    fn place(&self, first: usize, count: usize) -> (*const u8, usize) {
        let width = self.width.slots();
        let start = self.base(first >> self.shift.0).wrapping_add(first * width);
        (start.cast(), count * width * size_of::<T>())
    }

    /// Gives up all memory, to be freed with what is returned. What is left is hardly of any use.
    pub(crate) fn give_up(&mut self) -> impl Iterator<Item = Memory> {
        let mut given_up = std::mem::replace(self, Self::new(self.width, self.shift, 1));
        let chunks = std::mem::take(given_up.memory.get_mut());
        let list = std::iter::once(given_up.chunks.into_memory());
        list.chain(chunks.into_iter().map(ZeroedSlice::into_memory))
    }

    /// The number of chunks that there may be.
    pub(super) fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// Gives the pages of a chunk back to the system. It has its place still, with zeros or what
    /// was there before.
    ///
    /// # Safety
    /// No value in the chunk is of use any more: what has a `Drop` was dropped, or its memory is
    /// never read as a value again; and no thread writes to it meanwhile.
    pub(super) unsafe fn discard(&self, chunk: usize) {
        if self.slot_bytes() > 0 {
            let (start, bytes) = self.place(self.shift.first(chunk), self.shift.slots());
            // SAFETY: the chunk is a slice of this slab, whose values may be zeros; the rest is as
            // the caller says.
            unsafe { discard(start, bytes) };
        }
    }

    /// Whether the chunk of `index` was made.
    pub(crate) fn is_grown(&self, index: u32) -> bool {
        let chunk = self.chunks.get(self.shift.chunk(index));
        chunk.is_some_and(|chunk| !chunk.load(Ordering::Acquire).is_null())
    }
}

impl<M: Send + Sync> Slab<WriteOnce<M>> {
    /// Stores a value.
    ///
    /// # Safety
    /// The caller was given `index` and has not published it: no other code reads or writes the
    /// slot.
    pub(crate) unsafe fn write(&self, index: u32, mv: M) {
        let slot = self.get(index);
        // SAFETY: only the caller knows the index.
        unsafe { (*slot.0.get()).write(mv) };
    }

    /// Stores values from `index` on, and leaves the list empty.
    ///
    /// # Safety
    /// As [`write`](Self::write), for each of them.
    pub(crate) unsafe fn write_range(&self, index: u32, values: &mut Vec<M>) {
        let slots = self.range(index, values.len() as u32);
        for (slot, value) in slots.iter().zip(values.drain(..)) {
            // SAFETY: only the caller knows the indices.
            unsafe { (*slot.0.get()).write(value) };
        }
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

    /// The values stored at `count` indices from `index` on, given out by one request.
    ///
    /// # Safety
    /// As [`read`](Self::read), for each of them.
    #[inline]
    pub(crate) unsafe fn read_range(&self, index: u32, count: u32) -> &[M] {
        let slots = self.range(index, count);
        // SAFETY: a slot is as an M, and all are initialised and no longer written, says the
        // caller.
        unsafe { std::slice::from_raw_parts(slots.as_ptr().cast(), slots.len()) }
    }

    /// Drops `count` values from `index` on.
    ///
    /// # Safety
    /// All of them were written, no code uses them, and none will read them again.
    pub(crate) unsafe fn drop_range(&self, index: u32, count: u32) {
        if std::mem::needs_drop::<M>() {
            for index in index..index + count {
                // SAFETY: as the caller says.
                unsafe { (*self.get(index).0.get()).assume_init_drop() };
            }
        }
    }
}

impl<T, W: Width> fmt::Debug for Slab<T, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slab").field("width", &self.width).finish_non_exhaustive()
    }
}

/// The memory held, in bytes, and what may be spent on more. Dropped behind that memory.
#[derive(Debug)]
pub(crate) struct Meter {
    held: AtomicU64,
    /// What is held without being paid for: the engine has it anyway.
    unpaid: u64,
    purse: Arc<Purse>,
}

impl Meter {
    /// Of a tree that holds `unpaid` bytes.
    pub(crate) fn new(purse: Arc<Purse>, unpaid: u64) -> Self {
        Self { held: AtomicU64::new(unpaid), unpaid, purse }
    }

    /// What it pays from.
    pub(crate) fn purse(&self) -> &Arc<Purse> {
        &self.purse
    }

    pub(crate) fn held(&self) -> u64 {
        self.held.load(Ordering::Relaxed)
    }

    /// Takes `bytes` if the limit allows it, and the pool has them.
    pub(crate) fn take(&self, bytes: u64) -> bool {
        let most = self.purse.ceiling();
        let more = |held: u64| held.checked_add(bytes).filter(|&sum| sum <= most);
        // Relaxed: only the number itself is shared.
        if self.held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_err() {
            return false;
        }
        let is_paid = self.purse.pay(bytes);
        if !is_paid {
            self.held.fetch_sub(bytes, Ordering::Relaxed);
        }
        is_paid
    }

    /// Gives back what was taken.
    pub(crate) fn give_back(&self, bytes: u64) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
        self.purse.give_back(bytes);
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.purse.give_back(self.held() - self.unpaid);
    }
}

/// Gives out the indices of one or several parallel slabs, in blocks.
#[derive(Debug)]
pub(crate) struct Counter {
    next: AtomicU64,
    /// Held while a block is given out.
    paid: Mutex<Paid>,
    /// Which chunks nothing is given out of.
    chunks: Chunks,
    /// The slots of these chunks.
    closed_slots: AtomicU64,
    shift: ChunkShift,
    /// What an index takes in all the slabs, in bytes.
    bytes: u64,
    /// Indices that are paid for at a time.
    step: u64,
}

/// What is paid for.
#[derive(Debug, Default)]
struct Paid {
    /// The indices below this, but for those of vacant chunks.
    below: u64,
    /// Chunks whose pages the system has.
    vacant: Vec<usize>,
    /// What is left of one of them that is in use again.
    again: Block,
}

/// A worker's own stretch of indices.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Block {
    pub(crate) next: u32,
    pub(crate) end: u32,
}

impl Block {
    /// The next `count` indices, if this number is left.
    #[inline]
    pub(crate) fn take(&mut self, count: u32) -> Option<u32> {
        let first = self.next;
        (self.end - first >= count).then(|| {
            self.next += count;
            first
        })
    }

    /// The number of indices that are left.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        (self.end - self.next) as usize
    }

    /// Gives back the indices of the last request.
    pub(crate) fn give_back(&mut self, first: u32, count: u32) {
        if first + count == self.next {
            self.next = first;
        }
    }
}

/// Bytes that are paid for at a time, at most.
const STEP: u64 = 1 << 20;

/// Indices in a block: 256 nodes or edges are 16 and 4 kB.
const BLOCK: u32 = 256;

impl Counter {
    pub(crate) fn new(shift: ChunkShift, bytes: u64) -> Self {
        let step = 1 << (STEP / bytes).max(1).ilog2();
        let step = step.min(shift.slots() as u64);
        Self {
            next: AtomicU64::new(0),
            paid: Mutex::default(),
            chunks: Chunks::default(),
            closed_slots: AtomicU64::new(0),
            shift,
            bytes,
            step,
        }
    }

    /// What the first block costs, in bytes.
    pub(crate) fn first_price(&self) -> u64 {
        let size = u64::from(BLOCK).min(self.shift.slots() as u64);
        size.next_multiple_of(self.step) * self.bytes
    }

    /// A new block with room for `count` indices, all in one chunk, which `grow` has made, paid for
    /// with bytes of the `meter`; `None` if there is no room for it, or all 32-bit indices are
    /// used.
    #[cold]
    pub(crate) fn block(
        &self,
        count: u32,
        meter: &Meter,
        grow: impl Fn(u32) -> bool,
    ) -> Option<Block> {
        let slots = self.shift.slots() as u64;
        let size = u64::from(count.next_multiple_of(BLOCK)).min(slots);
        if u64::from(count) > size {
            return None;
        }
        let mut paid = self.paid.lock();
        if let Some(block) = self.block_again(&mut paid, count, size, meter) {
            return Some(block);
        }
        let next = self.len();
        let chunk_end = (next / slots + 1) * slots;
        // A stretch that would lie across two chunks leaves the rest of the first.
        let first = if next + size > chunk_end { chunk_end } else { next };
        let end = first + size;
        // The last indices are kept free: edges use them to say that there is no child.
        if end > u64::from(NO_INDEX) {
            return None;
        }
        // First paid, then made: what is refused takes no memory.
        let now = end.next_multiple_of(self.step).max(paid.below);
        let price = (now - paid.below) * self.bytes;
        if price > 0 && !meter.take(price) {
            return None;
        }
        if !grow(first as u32) {
            meter.give_back(price);
            return None;
        }
        paid.below = now;
        // Relaxed: a reader while blocks are given out wants to know about how many.
        self.next.store(end, Ordering::Relaxed);
        Some(Block { next: first as u32, end: end as u32 })
    }

    /// A block of a chunk that was vacant, if there is one and it can be paid for again.
    fn block_again(&self, paid: &mut Paid, count: u32, size: u64, meter: &Meter) -> Option<Block> {
        if paid.again.len() < count as usize {
            let price = self.shift.slots() as u64 * self.bytes;
            if paid.vacant.is_empty() || !meter.take(price) {
                return None;
            }
            let chunk = paid.vacant.pop()?;
            self.chunks.reopen(chunk);
            self.closed_slots.fetch_sub(self.shift.slots() as u64, Ordering::Relaxed);
            let Range { start, end } = self.indices(chunk);
            paid.again = Block { next: start, end };
        }
        let size = u32::try_from(size).unwrap_or(u32::MAX).min(paid.again.len() as u32);
        let next = paid.again.take(size)?;
        Some(Block { next, end: next + size })
    }

    /// What an index takes in all the slabs, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Indices given out, blocks in use counted whole.
    pub(crate) fn len(&self) -> u64 {
        self.next.load(Ordering::Relaxed)
    }

    /// Indices given out that are not in closed chunks.
    pub(crate) fn open(&self) -> u64 {
        // Relaxed: how many there are is of interest, and that at about this time.
        self.len().saturating_sub(self.closed_slots.load(Ordering::Relaxed))
    }

    /// Starts again from 0; what is paid for stays so. No worker may hold a block, and no chunk is
    /// closed.
    pub(crate) fn clear(&mut self) {
        self.next = AtomicU64::new(0);
    }
}

/// Chunks that are closed, to be given back.
impl Counter {
    pub(super) fn chunks(&self) -> &Chunks {
        &self.chunks
    }

    /// Whether the chunk of an index is closed.
    #[inline]
    pub(super) fn is_closed(&self, index: u32) -> bool {
        self.chunks.is_closed(self.shift.chunk(index))
    }

    /// Whether the chunk of an index is open, and was when there had been this number of closings.
    pub(super) fn was_open_since(&self, index: u32, closings: u32) -> bool {
        self.chunks.was_open_since(self.shift.chunk(index), closings)
    }

    /// Keeps the chunk of an index that is in use.
    pub(super) fn keep(&self, index: u32) {
        self.chunks.keep(self.shift.chunk(index));
    }

    /// The indices of a chunk.
    fn indices(&self, chunk: usize) -> Range<u32> {
        let first = self.shift.first(chunk);
        // No index is as high as 2^32, and the last chunk is never closed.
        first as u32..(first + self.shift.slots()).min(u32::MAX as usize) as u32
    }

    /// The indices from `from` on of the closed chunk that has it, or of the next one.
    pub(super) fn next_closed(&self, from: u32) -> Option<Range<u32>> {
        let closed = self.chunks.closed().into_iter().map(|chunk| self.indices(chunk));
        let ahead = closed.map(|indices| indices.start.max(from)..indices.end);
        ahead.into_iter().find(|indices| !indices.is_empty())
    }

    /// Bytes of the indices that are paid for, but for those in closed chunks.
    pub(super) fn open_bytes(&self) -> u64 {
        let closed = self.closed_slots.load(Ordering::Relaxed);
        self.paid.lock().below.saturating_sub(closed) * self.bytes
    }

    /// Closes the highest chunks, of `chunks` that there may be, until they have `wanted` bytes:
    /// all but those that blocks are taken from. By the closing with this number. False if there is
    /// none.
    pub(super) fn close(&self, wanted: u64, chunks: usize, closing: u32) -> bool {
        // So that no block is taken meanwhile.
        let paid = self.paid.lock();
        let Some(last) = self.len().checked_sub(1) else { return false };
        let of_chunk = self.shift.slots() as u64;
        let in_use = [last as u32, paid.again.end.saturating_sub(1)].map(|at| self.shift.chunk(at));
        let mut closed = 0;
        let full = (0..in_use[0]).rev();
        for chunk in full.filter(|&chunk| chunk != in_use[1] || paid.again.len() == 0) {
            if closed * self.bytes >= wanted {
                break;
            }
            if !self.chunks.is_closed(chunk) {
                self.chunks.close(chunk, chunks, closing);
                closed += of_chunk;
            }
        }
        self.closed_slots.fetch_add(closed, Ordering::Relaxed);
        closed > 0
    }

    /// A closed chunk has no pages any more: its bytes, to be given back.
    pub(super) fn vacate(&self, chunk: usize) -> u64 {
        self.chunks.empty(chunk);
        self.paid.lock().vacant.push(chunk);
        self.shift.slots() as u64 * self.bytes
    }
}

/// Of a tree that may spend `limit` bytes, for tests.
#[cfg(test)]
pub(crate) fn meter_of(limit: Option<u64>) -> Meter {
    Meter::new(Arc::new(Purse::alone(limit, Needs::default())), 0)
}

/// No index is as high as this.
pub(crate) const NO_INDEX: u32 = 0xffff_0000;

#[cfg(test)]
mod tests {
    use super::{Block, ChunkShift, Counter, NO_INDEX, Row, Single, Slab, WriteOnce, meter_of};
    use crate::sync::{AtomicU32, Ordering};

    const SHIFT: ChunkShift = ChunkShift(12);

    fn slab<T: super::Zeroed>() -> Slab<T> {
        Slab::new(Single, SHIFT, 1 << 32)
    }

    #[test]
    fn ranges_are_disjoint_and_never_cross_a_chunk() {
        let (counter, slab, meter) = (Counter::new(SHIFT, 4), slab::<AtomicU32>(), meter_of(None));
        let mut blocks = [Block::default(); 3];
        // An interpreter takes its time for each slot.
        let turns = if cfg!(miri) { 200 } else { 2_000 };
        for turn in 0..turns {
            let count = if turn % 97 == 0 { 3_000 } else { 1 + turn * 31 % 90 };
            let block = &mut blocks[turn as usize % 3];
            let first = block.take(count).unwrap_or_else(|| {
                *block = counter.block(count, &meter, |index| slab.grow(index)).unwrap();
                block.take(count).unwrap()
            });
            for slot in slab.range(first, count) {
                assert_eq!(slot.swap(1, Ordering::Relaxed), 0, "given out twice");
            }
        }
        assert!(counter.len() > u64::from(turns / 200) << SHIFT.0);
        assert_eq!(meter.held(), counter.len().next_multiple_of(1 << SHIFT.0) * 4);
    }

    #[test]
    fn the_last_request_can_be_given_back() {
        let mut block = Block { next: 256, end: 512 };
        let first = block.take(10).unwrap();
        block.give_back(first, 10);
        assert_eq!(block.take(256), Some(first));
        assert_eq!(block.take(1), None);
    }

    #[test]
    fn indices_run_out_with_an_answer() {
        let (counter, meter) = (Counter::new(SHIFT, 4), meter_of(None));
        assert!(counter.block(1 << 13, &meter, |_| true).is_none(), "more than a chunk");
        assert!(counter.block(1, &meter, |_| false).is_none(), "no chunk");
        assert_eq!((counter.len(), meter.held()), (0, 0));
        counter.next.store(u64::from(NO_INDEX) - 10, Ordering::Relaxed);
        assert!(counter.block(1, &meter, |_| unreachable!()).is_none());
    }

    #[test]
    fn what_is_given_out_is_paid_for_once() {
        // Room for five blocks, each a chunk, and a little.
        let (mut counter, meter) = (Counter::new(ChunkShift(8), 4), meter_of(Some(5_200)));
        for turn in 0..2 {
            for number in 0..5 {
                let block = counter.block(1, &meter, |_| true).unwrap();
                assert_eq!((block.next, block.end), (number * 256, number * 256 + 256));
                assert!(turn == 1 || meter.held() == u64::from(block.end) * 4);
            }
            assert!(counter.block(1, &meter, |_| true).is_none());
            assert_eq!((counter.len(), meter.held()), (1_280, 5_120));
            counter.clear();
        }
        // Of a large chunk a megabyte at a time.
        let (counter, meter) = (Counter::new(ChunkShift(20), 64), meter_of(None));
        for blocks in [1, 63, 1] {
            for _ in 0..blocks {
                counter.block(1, &meter, |_| true).unwrap();
            }
            assert_eq!(meter.held(), (counter.len() * 64).next_multiple_of(1 << 20));
        }
    }

    #[test]
    fn a_slab_has_the_chunks_that_were_made() {
        let slab = Slab::<AtomicU32>::new(Single, SHIFT, 2 << SHIFT.0);
        assert!(slab.grow(5) && slab.grow(6) && slab.is_grown(7) && !slab.is_grown(1 << SHIFT.0));
        assert!(slab.grow(1 << SHIFT.0) && !slab.grow(2 << SHIFT.0));
        assert!(slab.is_grown(1 << SHIFT.0) && !slab.is_grown(2 << SHIFT.0));
    }

    #[test]
    fn rows_lie_side_by_side() {
        let slab = Slab::<AtomicU32, _>::new(Row(3), ChunkShift(4), 1 << 8);
        assert!(slab.grow(16) && slab.slot_bytes() == 3 * size_of::<AtomicU32>() as u64);
        for (number, slot) in (0..).zip(slab.range(16, 16)) {
            slot.store(number, Ordering::Relaxed);
        }
        let row: Vec<u32> =
            slab.range(31, 1).iter().map(|slot| slot.load(Ordering::Relaxed)).collect();
        assert_eq!(row, [45, 46, 47]);
    }

    #[test]
    #[should_panic(expected = "a range lies in one chunk")]
    fn a_range_does_not_go_round_the_end() {
        let slab = slab::<AtomicU32>();
        slab.grow(5);
        slab.range(5, u32::MAX);
    }

    #[test]
    fn moves_are_stored_and_dropped() {
        let slab = slab::<WriteOnce<String>>();
        slab.grow(0);
        for (index, text) in [(0, "a2"), (1, "b3")] {
            // SAFETY: no other code knows the indices.
            unsafe { slab.write(index, text.to_owned()) };
        }
        // SAFETY: written above, read before they are dropped.
        assert_eq!(unsafe { slab.read(1) }, "b3");
        // SAFETY: both were written and are not used again.
        unsafe { slab.drop_range(0, 2) };
    }
}
