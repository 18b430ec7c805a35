//! Large pieces of memory that begin as zeros.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ops::Deref;
use std::ptr::NonNull;

use crate::sync::{AtomicU32, AtomicU64};

/// A type of which all-zero bytes are a valid value, and whose values need not be dropped.
///
/// # Safety
/// Promised by the implementer.
pub(crate) unsafe trait Zeroed: Sync {}

// SAFETY: an atomic integer may have any bytes.
unsafe impl Zeroed for AtomicU32 {}
// SAFETY: as above.
unsafe impl Zeroed for AtomicU64 {}

/// Alignment that the allocator gives without extra work.
const ALLOCATOR_ALIGN: usize = 16;

/// A slice that begins as zeros.
///
/// The system hands out its memory as zeros and as it is used, so what is never used costs
/// nothing. Where it has huge pages a large slice asks for them: with pages of 4 KiB nearly every
/// look into a table of a gigabyte has to find the page first.
pub(crate) struct ZeroedSlice<T> {
    start: NonNull<T>,
    len: usize,
    memory: NonNull<u8>,
    layout: Layout,
}

impl<T: Zeroed> ZeroedSlice<T> {
    /// A slice of `len` values, at least one, of a type that has a size.
    ///
    /// # Panics
    /// If it is empty, or larger than an address can tell.
    pub(crate) fn new(len: usize) -> Self {
        let layout = Self::layout(len);
        assert!(len > 0 && size_of::<T>() > 0, "there is something to allocate");
        // SAFETY: the layout is not empty, by the assertion.
        let memory = unsafe { alloc_zeroed(layout) };
        let Some(memory) = NonNull::new(memory) else { handle_alloc_error(layout) };
        let skip = memory.align_offset(align_of::<T>());
        // SAFETY: the memory is longer than the values by the alignment, and skip < alignment.
        let start = unsafe { memory.add(skip) }.cast();
        ask_for_huge_pages(memory, layout.size());
        Self { start, len, memory, layout }
    }

    /// Bytes that a slice of `len` values takes.
    pub(crate) fn bytes(len: usize) -> usize {
        Self::layout(len).size()
    }

    /// Room for the values at any place: asked for with the allocator's own alignment and aligned
    /// here, as a zeroed allocation with a larger one would be cleared by hand, every page of it.
    fn layout(len: usize) -> Layout {
        let values = Layout::array::<T>(len).expect("a slice has an address");
        let spare = align_of::<T>().saturating_sub(ALLOCATOR_ALIGN);
        Layout::from_size_align(values.size() + spare, ALLOCATOR_ALIGN)
            .expect("a slice has an address")
    }

    /// The first value; the others follow it. They stay where they are when the slice is moved.
    pub(crate) fn start(&self) -> NonNull<T> {
        self.start
    }
}

impl<T: Zeroed> Deref for ZeroedSlice<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `len` zeroed, hence valid, values begin there, aligned, and are freed with the
        // slice only, which the reference borrows. Nobody has a mutable reference to them.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T> Drop for ZeroedSlice<T> {
    fn drop(&mut self) {
        // SAFETY: made by `alloc_zeroed` with this layout, and freed once. Whoever keeps `start`
        // has promised not to use it any more; zeroed values have nothing to drop.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) };
    }
}

// SAFETY: the slice owns its values, and `Zeroed` ones are Sync.
unsafe impl<T: Zeroed + Send> Send for ZeroedSlice<T> {}
// SAFETY: as above; it gives out shared references only.
unsafe impl<T: Zeroed> Sync for ZeroedSlice<T> {}

/// Asks the system to back all huge pages that lie in this memory as such, which it may do or not.
#[cfg(all(target_os = "linux", not(miri)))]
fn ask_for_huge_pages(memory: NonNull<u8>, bytes: usize) {
    /// On most machines; a multiple of a page on all.
    const HUGE_PAGE: usize = 1 << 21;
    let skip = memory.align_offset(HUGE_PAGE);
    let whole = bytes.saturating_sub(skip) / HUGE_PAGE * HUGE_PAGE;
    if whole > HUGE_PAGE {
        // SAFETY: the range lies in the memory, as it begins `skip` bytes into it and ends before
        // its end; the advice changes nothing that the program can see but its speed.
        unsafe { libc::madvise(memory.add(skip).as_ptr().cast(), whole, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn ask_for_huge_pages(_: NonNull<u8>, _: usize) {}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{AtomicU64, Zeroed, ZeroedSlice};
    use crate::sync::Ordering;

    #[repr(align(64))]
    struct Line([AtomicU64; 8]);

    // SAFETY: made of atomic integers only.
    unsafe impl Zeroed for Line {}

    #[test]
    fn slices_begin_as_zeros_and_hold_what_is_written() {
        // The last one is large enough for huge pages, and too large for an interpreter.
        let lens = [1, 3, 1 << 10, 100_001];
        for len in lens.into_iter().take(if cfg!(miri) { 3 } else { 4 }) {
            let lines = ZeroedSlice::<Line>::new(len);
            assert_eq!((lines.len(), lines.as_ptr()), (len, lines.start().as_ptr().cast_const()));
            let words = || lines.iter().flat_map(|line| &line.0);
            assert!(words().all(|word| word.load(Ordering::Relaxed) == 0));
            for (number, word) in (0..).zip(words()) {
                word.store(number, Ordering::Relaxed);
            }
            let moved = std::thread::spawn(move || lines).join().unwrap();
            assert_eq!(moved[len - 1].0[7].load(Ordering::Relaxed), 8 * len as u64 - 1);
        }
    }
}
