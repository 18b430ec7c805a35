//! Pages that come from the system itself.
//!
//! An allocator keeps what is freed, and clears it by hand when it is asked for it again, all of
//! it, be it used or not. And it begins where it likes, wherever the huge pages are.

use std::alloc::Layout;
use std::ptr::{NonNull, null_mut};
use std::time::Duration;

use crate::sync::parking::Mutex;

use crate::clock::Clock;

use super::HUGE_PAGE;

/// Bytes of a page, or a divisor of that.
const SMALL_PAGE: usize = 4096;

/// Bytes of a small page, or a multiple of that: on some machines it has 64 KiB.
const LARGE_SMALL_PAGE: usize = 1 << 16;

/// Zeroed bytes, in huge pages but for some at both ends.
pub(crate) struct Mapped {
    pages: NonNull<u8>,
    bytes: usize,
}

impl Mapped {
    /// Memory for a layout, the first `small` bytes of it, a multiple of a page, in small pages;
    /// and where it begins. What lies before has an address, and no memory. `None` if the system
    /// has no memory for it.
    pub(super) fn new(layout: Layout, small: usize) -> Option<(NonNull<u8>, Self)> {
        assert!(layout.align() <= SMALL_PAGE && small < HUGE_PAGE, "a page is aligned enough");
        let bytes = layout.size().checked_add(HUGE_PAGE)?;
        let pages = map(bytes)?;
        // So that a huge page begins behind the small ones.
        let skip = (pages.align_offset(HUGE_PAGE) + HUGE_PAGE - small) % HUGE_PAGE;
        // SAFETY: skip < HUGE_PAGE, by which more is mapped than the layout takes.
        let start = unsafe { pages.add(skip) };
        let huge = layout.size().saturating_sub(small) / HUGE_PAGE * HUGE_PAGE;
        if huge > 0 {
            // SAFETY: small + huge <= the size of the layout: the range lies in the mapping. The
            // advice changes nothing that the program can see but its speed.
            unsafe {
                libc::madvise(start.add(small).as_ptr().cast(), huge, libc::MADV_HUGEPAGE);
            }
        }
        Some((start, Self { pages, bytes }))
    }
}

/// Lets the system provide the memory of some bytes now, if it knows how. Whatever lies there stays
/// as it is.
pub(super) fn populate(start: *const u8, bytes: usize) {
    let before = start.addr() % SMALL_PAGE;
    // SAFETY: memory is given to pages that have none, and nothing else happens, wherever they are.
    unsafe {
        let start = start.wrapping_sub(before).cast_mut().cast();
        libc::madvise(start, before + bytes, libc::MADV_POPULATE_WRITE);
    }
}

/// Gives the whole pages in some bytes back: they are private to the program and have no file, so
/// what is read there afterwards is zeros.
///
/// # Safety
/// As for [`discard`](super::discard).
pub(super) unsafe fn discard(start: *const u8, bytes: usize) {
    let first = start.addr().next_multiple_of(LARGE_SMALL_PAGE);
    let end = (start.addr() + bytes) / LARGE_SMALL_PAGE * LARGE_SMALL_PAGE;
    if first < end {
        let start = start.with_addr(first).cast_mut().cast();
        // SAFETY: the pages lie in the bytes, so nothing else is in them, and the bytes are of no
        // use any more, says the caller. Another thread may read them meanwhile, to learn that they
        // are free: it reads zeros or what was there before, and both are values of the type. If
        // the system cannot, it does nothing.
        unsafe { libc::madvise(start, end - first, libc::MADV_DONTNEED) };
    }
}

/// Provides a huge page, which lies in a mapping, or leaves it to be small ones: if the caller is
/// in haste, or the last one that was provided took long.
pub(super) fn provide_huge_page(page: *const u8, in_haste: bool) {
    if in_haste || skip() {
        // SAFETY: the advice changes nothing that the program can see but its speed.
        unsafe { libc::madvise(page.cast_mut().cast(), HUGE_PAGE, libc::MADV_NOHUGEPAGE) };
        return;
    }
    let clock = Clock::start(None);
    populate(page, HUGE_PAGE);
    if clock.elapsed() > LONG {
        *TO_SKIP.lock() = PAGES_TO_SKIP;
    }
}

/// Whether the next huge page is not to be provided.
fn skip() -> bool {
    let mut to_skip = TO_SKIP.lock();
    let skips = *to_skip > 0;
    *to_skip -= u32::from(skips);
    skips
}

/// Huge pages that are left to be small ones before it is tried once more how long one takes. The
/// same for the whole program, as it is the system's doing.
static TO_SKIP: Mutex<u32> = Mutex::new(0);

const PAGES_TO_SKIP: u32 = 31;

/// As long as twice the small pages of a huge one take on a slow system. On most the huge one takes
/// a tenth of it; on a virtual machine whose host has to find the memory first, 4.5 ms.
const LONG: Duration = Duration::from_millis(1);

/// New pages; `None` if the system has none.
fn map(bytes: usize) -> Option<NonNull<u8>> {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: the system chooses the place, where nothing else is.
    let start = unsafe { libc::mmap(null_mut(), bytes, access, kind, -1, 0) };
    if start == libc::MAP_FAILED { None } else { NonNull::new(start.cast()) }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        // SAFETY: mapped like this, and unmapped once. A caller that keeps an address in it has
        // promised not to use it any more; zeroed values have nothing to drop.
        unsafe { libc::munmap(self.pages.as_ptr().cast(), self.bytes) };
    }
}
