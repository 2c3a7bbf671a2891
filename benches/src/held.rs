//! How many bytes work holds at once: the system's allocator, counting while it is asked to.
//!
//! Counting costs an atomic operation for each allocation, which would show in the times of others,
//! so that it is off but within [`most_bytes`]; then an allocation reads a flag that nobody writes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering::Relaxed};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

static ON: AtomicBool = AtomicBool::new(false);
/// Below zero where work frees what was there before it.
static HELD: AtomicIsize = AtomicIsize::new(0);
static MOST: AtomicIsize = AtomicIsize::new(0);

/// The most bytes that work held at once, in all threads, beyond those that were held before it.
/// What other threads do meanwhile is counted too.
pub(crate) fn most_bytes<R>(work: impl FnOnce() -> R) -> f64 {
    HELD.store(0, Relaxed);
    MOST.store(0, Relaxed);
    ON.store(true, Relaxed);
    let result = work();
    ON.store(false, Relaxed);
    drop(result);
    MOST.load(Relaxed) as f64
}

/// What Linux says of this process.
pub(crate) fn resident_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

struct Counting;

fn count(freed: usize, taken: usize) {
    if ON.load(Relaxed) {
        // Sizes are at most isize::MAX, and so are their differences.
        let change = taken as isize - freed as isize;
        let held = HELD.fetch_add(change, Relaxed) + change;
        MOST.fetch_max(held, Relaxed);
    }
}

#[expect(unsafe_code, reason = "GlobalAlloc is an unsafe trait; every call goes on to System")]
// SAFETY: the layouts and pointers are handed to System unchanged. Zeroed and larger memory are
// asked of it too, for it has pages of zeros and can move pages instead of bytes.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(0, layout.size());
        // SAFETY: as the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(0, layout.size());
        // SAFETY: as the caller's.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(layout.size(), size);
        // SAFETY: as the caller's.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(layout.size(), 0);
        // SAFETY: as the caller's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    /// Other tests allocate meanwhile, but kilobytes.
    #[test]
    fn the_most_at_once_is_counted() {
        const MIB: usize = 1 << 20;
        let around = |found: f64, mib: f64| (found / MIB as f64 - mib).abs() < 0.2;
        let one_after_the_other = most_bytes(|| {
            for _ in 0..3 {
                black_box(vec![1_u8; 8 * MIB]);
            }
        });
        assert!(around(one_after_the_other, 8.0), "{one_after_the_other}");
        let both = most_bytes(|| black_box((vec![0_u8; 8 * MIB], vec![1_u8; 4 * MIB])));
        assert!(around(both, 12.0), "{both}");
        let grown = most_bytes(|| {
            let mut grown = vec![1_u8; 4 * MIB];
            grown.reserve_exact(4 * MIB);
            black_box(grown)
        });
        assert!(around(grown, 8.0), "{grown}");
        let before = vec![1_u8; 8 * MIB];
        let freed = most_bytes(|| {
            drop(black_box(before));
            black_box(vec![1_u8; 4 * MIB])
        });
        assert!(around(freed, 0.0), "{freed}");
    }
}
