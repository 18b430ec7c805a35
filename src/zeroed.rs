//! Large pieces of memory that begin as zeros.

#[cfg(all(target_os = "linux", not(miri)))]
mod mapped;

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ops::Deref;
use std::ptr::NonNull;

use crate::sync::{AtomicPtr, AtomicU8, AtomicU32, AtomicU64};

#[cfg(all(target_os = "linux", not(miri)))]
use mapped::Mapped;

/// A type with all-zero bytes as a valid value, and whose values need not be dropped.
///
/// A structure becomes one by [`zeroed`], which checks it.
///
/// # Safety
/// Promised by the implementer.
pub(crate) unsafe trait Zeroed: Sync {}

/// Implements [`Zeroed`] for a structure, whose fields all have to be named: it does not compile if
/// one is missing, or is not `Zeroed` itself.
macro_rules! zeroed {
    ($name:ident { $($field:ident),* $(,)? }) => {
        $crate::zeroed::zeroed!(@ $name, $name { $($field),* }, $($field),*);
    };
    ($name:ident($($field:ident),*)) => {
        $crate::zeroed::zeroed!(@ $name, $name($($field),*), $($field),*);
    };
    (@ $name:ident, $fields:pat, $($field:ident),*) => {
        const _: () = {
            // Loom's atomics have something to drop, and are never taken from zeroed memory.
            assert!(cfg!(loom) || !std::mem::needs_drop::<$name>());
            const fn is_zeroed<T: $crate::zeroed::Zeroed>(_: &T) {}
            const fn check($fields: &$name) {
                $(is_zeroed($field);)*
            }
            _ = check;
        };
        // SAFETY: each field is, and there is nothing else in it: both were checked above.
        unsafe impl $crate::zeroed::Zeroed for $name {}
    };
}
pub(crate) use zeroed;

// SAFETY: an atomic integer may have any bytes.
unsafe impl Zeroed for AtomicU8 {}
// SAFETY: as above.
unsafe impl Zeroed for AtomicU32 {}
// SAFETY: as above.
unsafe impl Zeroed for AtomicU64 {}
// SAFETY: all-zero bytes are a null pointer, and an atomic pointer is as the plain one.
unsafe impl<T> Zeroed for AtomicPtr<T> {}
// SAFETY: an array has nothing but its values.
unsafe impl<T: Zeroed, const N: usize> Zeroed for [T; N] {}

/// A slice that begins as zeros.
///
/// The system hands out its memory as zeros and as it is used, so what is never used costs
/// nothing. Where it has huge pages a large slice asks for them: with pages of 4 KiB nearly every
/// look into a table of a gigabyte has to find the page first.
pub(crate) struct ZeroedSlice<T> {
    start: NonNull<T>,
    len: usize,
    /// Where the slice lies, freed with it.
    memory: Memory,
}

impl<T: Zeroed> ZeroedSlice<T> {
    /// A slice of `len` values, at least one, of a type that has a size.
    ///
    /// # Panics
    /// If it is empty, or larger than an address can tell.
    pub(crate) fn new(len: usize) -> Self {
        Self::with_small_pages(len, 0)
    }

    /// As [`new`](Self::new), but `None` where the system does not have that much memory, or the
    /// slice would be larger than an address can tell.
    ///
    /// # Panics
    /// If it is empty.
    pub(crate) fn try_new(len: usize) -> Option<Self> {
        let layout = Layout::array::<T>(len).ok()?;
        assert!(layout.size() > 0, "there is something to allocate");
        let (start, memory) = Memory::new(layout, 0)?;
        Some(Self { start: start.cast(), len, memory })
    }

    /// A slice that is filled from its beginning, and perhaps not far: it begins with some small
    /// pages, so that the first value does not cost a huge one.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub(crate) fn growing(len: usize) -> Self {
        Self::with_small_pages(len, SMALL_BEGINNING)
    }

    fn with_small_pages(len: usize, bytes: usize) -> Self {
        let layout = Layout::array::<T>(len).expect("a slice has an address");
        assert!(layout.size() > 0, "there is something to allocate");
        let (start, memory) =
            Memory::new(layout, bytes).unwrap_or_else(|| handle_alloc_error(layout));
        Self { start: start.cast(), len, memory }
    }

    /// The value at `index`, if there is one. Of the others nothing is said: no reference to all of
    /// them is made.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        // SAFETY: as in `deref`, for one value that is among them.
        (index < self.len).then(|| unsafe { &*self.start.as_ptr().add(index) })
    }

    /// Only the memory. An address in it may be used as long as the memory is there.
    pub(crate) fn into_memory(self) -> Memory {
        self.memory
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
        // slice only, which the reference borrows. There is no mutable reference to them.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

// SAFETY: the slice owns its values, and `Zeroed` ones are Sync.
unsafe impl<T: Zeroed + Send> Send for ZeroedSlice<T> {}
// SAFETY: as above; it gives out shared references only.
unsafe impl<T: Zeroed> Sync for ZeroedSlice<T> {}

/// Bytes of a huge page on most machines; a multiple of a small one on all.
#[cfg(all(target_os = "linux", not(miri)))]
const HUGE_PAGE: usize = 1 << 21;

/// Bytes in small pages at the beginning of a slice that grows: to take and to give back these
/// bytes page by page costs about what a huge page costs.
const SMALL_BEGINNING: usize = 1 << 18;

/// Lets the system provide the memory of some bytes of a slice before they are used.
pub(crate) fn populate(start: *const u8, bytes: usize) {
    #[cfg(all(target_os = "linux", not(miri)))]
    mapped::populate(start, bytes);
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = (start, bytes);
}

/// Whether the system takes pages back ([`discard`]). An interpreter knows no pages, and counts as
/// one that does.
pub(crate) const GIVES_BACK: bool = cfg!(target_os = "linux");

/// Lets the system have the pages that lie in some bytes of a slice. What is read there afterwards
/// is zeros, or what was there before.
///
/// # Safety
/// The bytes lie in a slice that is not dropped meanwhile, whose type may be zeros; no value in
/// them is of use any more, and no thread writes to them meanwhile.
pub(crate) unsafe fn discard(start: *const u8, bytes: usize) {
    #[cfg(all(target_os = "linux", not(miri)))]
    // SAFETY: as the caller says.
    unsafe {
        mapped::discard(start, bytes);
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = (start, bytes);
}

/// To be called with the bytes of a slice that are about to be used, one stretch after the other:
/// decides on the pages that begin in them. The memory of the slice, or of a part of it that begins
/// and ends with a huge page, is `slice`, its first address and its bytes.
///
/// A huge page is provided at once, unless the caller is in haste, or such pages were found to take
/// long.
pub(crate) fn provide(
    (start, bytes): (*const u8, usize),
    slice: (*const u8, usize),
    in_haste: bool,
) {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        let end = slice.0.addr() + slice.1;
        let first = start.addr().next_multiple_of(HUGE_PAGE);
        // A page that does not lie in the slice as a whole is no huge one.
        let pages = (first..start.addr() + bytes).step_by(HUGE_PAGE);
        for page in pages.take_while(|page| page + HUGE_PAGE <= end) {
            mapped::provide_huge_page(start.with_addr(page), in_haste);
        }
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = (start, bytes, slice, in_haste);
}

/// Where a slice lies: kept to be dropped with it.
pub(crate) enum Memory {
    Allocated {
        _memory: Allocated,
    },
    #[cfg(all(target_os = "linux", not(miri)))]
    Mapped {
        _memory: Mapped,
    },
}

// SAFETY: it is the only one that knows the memory, and does nothing but free it.
unsafe impl Send for Memory {}

impl Memory {
    /// Memory for a layout, which is not empty, and where it begins. If it has huge pages, the
    /// first `small` bytes lie in small ones. `None` if the system has none.
    #[cfg(all(target_os = "linux", not(miri)))]
    fn new(layout: Layout, small: usize) -> Option<(NonNull<u8>, Self)> {
        Some(if layout.size() >= HUGE_PAGE {
            let (start, _memory) = Mapped::new(layout, small)?;
            (start, Self::Mapped { _memory })
        } else {
            let (start, _memory) = Allocated::new(layout)?;
            (start, Self::Allocated { _memory })
        })
    }

    #[cfg(not(all(target_os = "linux", not(miri))))]
    fn new(layout: Layout, _small: usize) -> Option<(NonNull<u8>, Self)> {
        let (start, _memory) = Allocated::new(layout)?;
        Some((start, Self::Allocated { _memory }))
    }
}

/// Zeroed bytes from the allocator.
pub(crate) struct Allocated {
    memory: NonNull<u8>,
    layout: Layout,
}

/// Alignment that the allocator gives without extra work.
const ALLOCATOR_ALIGN: usize = 16;

impl Allocated {
    /// Asked for with the allocator's own alignment and aligned here, as a zeroed allocation with a
    /// larger one would be cleared by hand, every page of it. `None` if there is no memory.
    fn new(wanted: Layout) -> Option<(NonNull<u8>, Self)> {
        let spare = wanted.align().saturating_sub(ALLOCATOR_ALIGN);
        let layout = Layout::from_size_align(wanted.size() + spare, ALLOCATOR_ALIGN).ok()?;
        // SAFETY: the layout is not empty, says the caller of `Memory::new`.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let skip = memory.align_offset(wanted.align());
        // SAFETY: skip is at most the spare bytes, by which the memory is longer than what is
        // wanted.
        let start = unsafe { memory.add(skip) };
        Some((start, Self { memory, layout }))
    }
}

impl Drop for Allocated {
    fn drop(&mut self) {
        // SAFETY: made by `alloc_zeroed` with this layout, and freed once. Code that keeps an
        // address in it has promised not to use it any more; zeroed values have nothing to drop.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) };
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{AtomicU64, ZeroedSlice, populate, provide};
    use crate::sync::Ordering;

    #[repr(align(64))]
    struct Line([AtomicU64; 8]);

    super::zeroed!(Line(words));

    #[test]
    fn slices_begin_as_zeros_and_hold_what_is_written() {
        // The last one is large enough for huge pages, and too large for an interpreter.
        let lens = [1, 3, 1 << 10, 100_001];
        let lens = lens.into_iter().take(if cfg!(miri) { 3 } else { 4 });
        for (len, grows) in lens.flat_map(|len| [(len, false), (len, true)]) {
            let lines = if grows { ZeroedSlice::growing(len) } else { ZeroedSlice::new(len) };
            let lines: ZeroedSlice<Line> = lines;
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

    #[test]
    fn what_is_provided_is_zero_and_keeps_what_is_written() {
        // 8 MiB, with some huge pages that are provided whole and others that are not.
        let words = ZeroedSlice::<AtomicU64>::growing(if cfg!(miri) { 1 << 10 } else { 1 << 20 });
        let place = |words: &[AtomicU64]| (words.as_ptr().cast::<u8>(), size_of_val(words));
        let whole = place(&words);
        for (turn, in_haste) in [(0, false), (1, true), (2, false)] {
            for (number, piece) in words.chunks(10_000).enumerate() {
                provide(place(piece), whole, in_haste != (number % 50 > 25));
                populate(place(piece).0, place(piece).1);
                for word in piece {
                    assert_eq!(word.fetch_add(1, Ordering::Relaxed), turn);
                }
            }
        }
        assert!(words.iter().all(|word| word.load(Ordering::Relaxed) == 3));
    }
}
