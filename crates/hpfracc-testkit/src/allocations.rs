use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system allocator with counters, to test that code does not allocate.
///
/// A test program installs it with `#[global_allocator]`, has a single `#[test]` (a second
/// would run at the same time and count too), and compares [`CountingAllocator::calls`] before and
/// after.
pub struct CountingAllocator {
    calls: AtomicUsize,
    bytes: AtomicUsize,
    most: AtomicUsize,
    all_bytes: AtomicUsize,
}

impl CountingAllocator {
    /// An allocator with counters at zero.
    pub const fn new() -> Self {
        let [calls, bytes, most, all_bytes] = [const { AtomicUsize::new(0) }; 4];
        Self { calls, bytes, most, all_bytes }
    }

    /// Number of allocations so far, in all threads.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    /// Bytes allocated so far, freed or not, in all threads.
    pub fn bytes(&self) -> usize {
        self.all_bytes.load(Ordering::SeqCst)
    }

    /// Bytes allocated and not yet freed.
    pub fn bytes_in_use(&self) -> usize {
        self.bytes.load(Ordering::SeqCst)
    }

    /// The largest number of bytes in use since the last call, or since the start. A block that
    /// grows counts twice during the reallocation, as if it were moved.
    pub fn most_bytes_in_use(&self) -> usize {
        self.most.swap(self.bytes_in_use(), Ordering::SeqCst)
    }

    fn count(&self, size: usize) {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let before = self.bytes.fetch_add(size, Ordering::SeqCst);
        self.most.fetch_max(before + size, Ordering::SeqCst);
        self.all_bytes.fetch_add(size, Ordering::SeqCst);
    }
}

impl Default for CountingAllocator {
    fn default() -> Self {
        Self::new()
    }
}

#[expect(unsafe_code, reason = "GlobalAlloc is an unsafe trait; every call goes on to System")]
// SAFETY: the layouts and pointers are handed to System unchanged.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.count(layout.size());
        // SAFETY: as the caller's.
        unsafe { System.alloc(layout) }
    }

    // The provided methods for the next two would copy memory and touch all pages.

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.count(layout.size());
        // SAFETY: as the caller's.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.count(size);
        self.bytes.fetch_sub(layout.size(), Ordering::SeqCst);
        // SAFETY: as the caller's.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        self.bytes.fetch_sub(layout.size(), Ordering::SeqCst);
        // SAFETY: as the caller's.
        unsafe { System.dealloc(pointer, layout) }
    }
}
