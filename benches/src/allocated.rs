//! Counting allocator: peak memory of a piece of work.
//!
//! Counting costs an atomic operation per allocation, which would distort measured times. It is
//! therefore on within [`peak_bytes`] only; otherwise an allocation just reads a flag.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering::Relaxed};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

static ENABLED: AtomicBool = AtomicBool::new(false);
/// Bytes allocated since counting began; negative if older memory was freed.
static LIVE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

/// Peak number of bytes allocated by `work` on all threads, beyond those allocated before it.
/// Concurrent allocations of other threads are counted, too.
pub(crate) fn peak_bytes<R>(work: impl FnOnce() -> R) -> f64 {
    LIVE.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    ENABLED.store(true, Relaxed);
    let result = work();
    ENABLED.store(false, Relaxed);
    drop(result);
    PEAK.load(Relaxed) as f64
}

/// Resident set size of this process in KiB, on Linux.
pub(crate) fn resident_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

struct Counting;

fn count(freed: usize, allocated: usize) {
    if ENABLED.load(Relaxed) {
        // Sizes are at most isize::MAX, and so are their differences.
        let change = allocated as isize - freed as isize;
        let live = LIVE.fetch_add(change, Relaxed) + change;
        PEAK.fetch_max(live, Relaxed);
    }
}

#[expect(unsafe_code, reason = "GlobalAlloc is an unsafe trait; every call is forwarded to System")]
// SAFETY: layouts and pointers are passed to System unchanged. Zeroed allocation and reallocation
// are forwarded, too: System has zeroed pages and can move pages instead of bytes.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(0, layout.size());
        // SAFETY: the caller upholds the contract of GlobalAlloc.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(0, layout.size());
        // SAFETY: the caller upholds the contract of GlobalAlloc.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(layout.size(), size);
        // SAFETY: the caller upholds the contract of GlobalAlloc.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(layout.size(), 0);
        // SAFETY: the caller upholds the contract of GlobalAlloc.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    /// Concurrent tests allocate a few kilobytes.
    #[test]
    fn peaks_are_counted() {
        const MIB: usize = 1 << 20;
        let around = |peak: f64, mib: f64| (peak / MIB as f64 - mib).abs() < 0.2;
        let sequential = peak_bytes(|| {
            for _ in 0..3 {
                black_box(vec![1_u8; 8 * MIB]);
            }
        });
        assert!(around(sequential, 8.0), "{sequential}");
        let both = peak_bytes(|| black_box((vec![0_u8; 8 * MIB], vec![1_u8; 4 * MIB])));
        assert!(around(both, 12.0), "{both}");
        let grown = peak_bytes(|| {
            let mut grown = vec![1_u8; 4 * MIB];
            grown.reserve_exact(4 * MIB);
            black_box(grown)
        });
        assert!(around(grown, 8.0), "{grown}");
        let before = vec![1_u8; 8 * MIB];
        let freed = peak_bytes(|| {
            drop(black_box(before));
            black_box(vec![1_u8; 4 * MIB])
        });
        assert!(around(freed, 0.0), "{freed}");
    }
}
