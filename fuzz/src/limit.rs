//! Allocator with a memory limit that reports the input of a refused allocation.
#![expect(
    unsafe_code,
    reason = "GlobalAlloc is an unsafe trait; all calls are forwarded to System"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::RefCell;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// System allocator with a limit of bytes per allocation and a limit in total. Beyond these,
/// allocations fail, which ends the program unless it handles the failure. Targets need no more than
/// a few thousand numbers.
#[derive(Debug)]
pub struct Limit {
    per_allocation: usize,
    total: usize,
    live: AtomicUsize,
}

impl Limit {
    /// Limits of 256 MiB per allocation and 1 GiB in total.
    pub const fn new() -> Self {
        Self::of(1 << 28, 1 << 30)
    }

    const fn of(per_allocation: usize, total: usize) -> Self {
        Self { per_allocation, total, live: AtomicUsize::new(0) }
    }

    /// Counts an allocation; reports a refused one on standard error and returns false.
    fn admits(&self, size: usize) -> bool {
        if size > self.per_allocation {
            report(size);
            return false;
        }
        let live = self.live.fetch_add(size, Relaxed).saturating_add(size);
        if live > self.total {
            self.live.fetch_sub(size, Relaxed);
            report(size);
            return false;
        }
        true
    }

    /// Uncounts bytes that were freed, or not allocated after all.
    fn releases(&self, size: usize) {
        self.live.fetch_sub(size, Relaxed);
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self::new()
    }
}

/// Maximum stored lengths of the name and of the input; no mutation is longer.
const MAX_NAME: usize = 256;
const MAX_INPUT: usize = 4096;

/// Target and input of a thread in fixed buffers, because an allocator must not allocate.
struct CurrentInput {
    target: &'static str,
    name: [u8; MAX_NAME],
    name_len: usize,
    input: [u8; MAX_INPUT],
    input_len: usize,
}

thread_local! {
    static CURRENT: RefCell<CurrentInput> = const {
        let (name, input) = ([0; MAX_NAME], [0; MAX_INPUT]);
        RefCell::new(CurrentInput { target: "", name, name_len: 0, input, input_len: 0 })
    };
}

/// Sets target and input of this thread for reports.
pub(crate) fn set_current_input(target: &'static str, name: &str, input: &[u8]) {
    CURRENT.with_borrow_mut(|current| {
        current.target = target;
        current.name_len = copy(&mut current.name, name.as_bytes());
        current.input_len = copy(&mut current.input, input);
    });
}

fn copy(to: &mut [u8], from: &[u8]) -> usize {
    let count = from.len().min(to.len());
    to[..count].copy_from_slice(&from[..count]);
    count
}

/// Reports a refused allocation on standard error, without allocating.
fn report(size: usize) {
    let mut text = [0; 4 * (MAX_NAME + MAX_INPUT) + 200];
    // A thread started by a target has no input, and one that ends has lost it.
    let length = CURRENT
        .try_with(|current| current.try_borrow().map(|input| message(&mut text, size, &input)));
    if let Ok(Ok(length)) = length {
        drop(std::io::stderr().write_all(&text[..length]));
    }
}

/// Writes the message to a buffer, truncated to its length; returns the number of bytes.
fn message(text: &mut [u8], size: usize, current: &CurrentInput) -> usize {
    let capacity = text.len();
    let mut rest = text;
    let name = current.name[..current.name_len].escape_ascii();
    let input = current.input[..current.input_len].escape_ascii();
    let target = if current.target.is_empty() { "a target" } else { current.target };
    drop(writeln!(
        rest,
        "{target}: allocation of {size} bytes refused at the input `{name}`: {input}"
    ));
    capacity - rest.len()
}

// Safety: each method passes its arguments to the system's allocator unchanged, or returns the null
// pointer, which an allocator may always do.
unsafe impl GlobalAlloc for Limit {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !self.admits(layout.size()) {
            return std::ptr::null_mut();
        }
        // Safety: the caller upholds the contract of GlobalAlloc.
        let block = unsafe { System.alloc(layout) };
        if block.is_null() {
            self.releases(layout.size());
        }
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !self.admits(layout.size()) {
            return std::ptr::null_mut();
        }
        // Safety: the caller upholds the contract of GlobalAlloc.
        let block = unsafe { System.alloc_zeroed(layout) };
        if block.is_null() {
            self.releases(layout.size());
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // Safety: the caller upholds the contract, and every block is the system's.
        unsafe { System.dealloc(block, layout) }
        self.releases(layout.size());
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both blocks may exist during the copy.
        if !self.admits(size) {
            return std::ptr::null_mut();
        }
        // Safety: the caller upholds the contract, and every block is the system's.
        let moved = unsafe { System.realloc(block, layout, size) };
        self.releases(if moved.is_null() { size } else { layout.size() });
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_limits_are_enforced() {
        let limit = Limit::of(100, 250);
        let layout = |size| Layout::from_size_align(size, 8).unwrap();
        let live = || limit.live.load(Relaxed);
        // Safety: no layout is empty, and each block is freed once, with its own layout.
        unsafe {
            assert!(limit.alloc(layout(101)).is_null());
            assert!(limit.alloc_zeroed(layout(101)).is_null());
            let first = limit.alloc(layout(100));
            let second = limit.alloc_zeroed(layout(100));
            assert!(!first.is_null() && !second.is_null());
            assert!(limit.alloc(layout(51)).is_null());
            assert_eq!(live(), 200);
            assert!(limit.realloc(first, layout(100), 101).is_null());
            let first = limit.realloc(first, layout(100), 40);
            assert_eq!(live(), 140);
            limit.dealloc(first, layout(40));
            limit.dealloc(second, layout(100));
        }
        assert_eq!(live(), 0);
    }

    #[test]
    fn a_refusal_names_target_and_input() {
        set_current_input("csv", "mutation 7", b"a,b\n\xff");
        let mut text = [0; 200];
        let length = CURRENT.with_borrow(|current| message(&mut text, 12, current));
        let expected =
            b"csv: allocation of 12 bytes refused at the input `mutation 7`: a,b\\n\\xff\n";
        assert_eq!(text[..length].escape_ascii().to_string(), expected.escape_ascii().to_string());
        // A long message is truncated.
        set_current_input("csv", "n", &[b'x'; 5000]);
        assert_eq!(CURRENT.with_borrow(|current| message(&mut text, 12, current)), 200);
    }
}
