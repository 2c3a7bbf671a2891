//! Memory as an allocator that refuses what is absurd.
#![expect(
    unsafe_code,
    reason = "an allocator is unsafe by its trait; all calls go to the system's"
)]

use std::alloc::{GlobalAlloc, Layout, System};

/// The allocator of the system up to this many bytes at once, and none beyond: then the program ends with
/// the number of bytes that were asked for. No target asks for more than a few thousand numbers.
#[derive(Debug)]
pub struct Limit(pub usize);

// Safety: each method hands its arguments to the system's allocator unchanged, or answers with the null
// pointer, which an allocator may always do.
unsafe impl GlobalAlloc for Limit {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > self.0 {
            return std::ptr::null_mut();
        }
        // Safety: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.size() > self.0 {
            return std::ptr::null_mut();
        }
        // Safety: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // Safety: the caller's promise, and that every block is the system's.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > self.0 {
            return std::ptr::null_mut();
        }
        // Safety: the caller's promise, and that every block is the system's.
        unsafe { System.realloc(place, layout, size) }
    }
}
