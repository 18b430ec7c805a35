//! Asking for memory before it is needed.

/// Asks for the cache line at `place`, which will be used soon.
#[inline]
pub(crate) fn prefetch<T>(place: &T) {
    prefetch_address(std::ptr::from_ref(place));
}

/// Asks for the cache line at `place`, which will soon be written to. Another core that has it
/// loses it on the way; after a plain [`prefetch`] it keeps it, and the writer has to wait for it
/// again.
#[inline]
pub(crate) fn prefetch_to_write<T>(place: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if to_write::is_known() {
        to_write::ask(std::ptr::from_ref(place).cast());
        return;
    }
    prefetch(place);
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

/// The instruction `prefetchw`, which not every x86-64 has.
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod to_write {
    use std::arch::asm;
    use std::arch::x86_64::__cpuid;
    use std::sync::LazyLock;

    static IS_KNOWN: LazyLock<bool> = LazyLock::new(|| {
        // AMD64 Architecture Programmer's Manual, volume 3, appendix E.4.2: 3DNowPrefetch.
        const EXTENDED: u32 = 0x8000_0001;
        const PREFETCHW: u32 = 1 << 8;
        __cpuid(0x8000_0000).eax >= EXTENDED && __cpuid(EXTENDED).ecx & PREFETCHW != 0
    });

    /// Whether the processor has the instruction.
    #[inline]
    pub(super) fn is_known() -> bool {
        *IS_KNOWN
    }

    /// Only if it [`is_known`].
    #[inline]
    pub(super) fn ask(address: *const u8) {
        // SAFETY: the processor has the instruction, which reads and writes nothing that the
        // program can see, whatever the address; it touches neither stack nor flags.
        unsafe {
            asm!("prefetchw [{}]", in(reg) address, options(nostack, preserves_flags, readonly));
        }
    }
}
