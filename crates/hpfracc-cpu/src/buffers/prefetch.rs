//! Prefetching of memory.
#![expect(unsafe_code, reason = "the prefetch instruction takes a pointer")]

/// Prefetches the cache line of an entry, which may lie outside the slice.
///
/// Columns of a large matrix are too far apart for the hardware prefetcher. Times of a causal
/// convolution with and without the hints (f64, three runs on a noisy machine):
///
/// | n      | with         | without      |
/// |--------|--------------|--------------|
/// | <=2^18 | no difference beyond the noise | |
/// | 2^20   | 7.8-11.1 ms  | 12.1-15.9 ms |
/// | 3e6    | 37-51 ms     | 43-81 ms     |
#[inline(always)]
pub(crate) fn ahead<T>(slice: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: a hint; no address makes it fault, and it changes no value.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(slice.as_ptr().wrapping_add(at).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, at);
}
