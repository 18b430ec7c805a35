//! Asking for memory before it is needed.

/// Asks for the cache line at `place`, which will be used soon.
#[inline]
pub(crate) fn prefetch<T>(place: &T) {
    prefetch_address(std::ptr::from_ref(place));
}

/// Asks for the cache line at an address, which need not be that of anything.
#[inline]
pub(crate) fn prefetch_address<T>(address: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch reads nothing that the program can see, and any address may be
    // given to it; the instruction is part of every x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}
