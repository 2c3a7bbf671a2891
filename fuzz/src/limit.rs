//! Memory as an allocator that refuses what is absurd, and says which input asked for it.
#![expect(
    unsafe_code,
    reason = "an allocator is unsafe by its trait; all calls go to the system's"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::RefCell;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The allocator of the system up to so many bytes at once and so many in all, and none beyond: then the program
/// ends, unless it has asked whether there is room. No target asks for more than a few thousand numbers.
#[derive(Debug)]
pub struct Limit {
    once: usize,
    together: usize,
    live: AtomicUsize,
}

impl Limit {
    /// For a program whose inputs need next to nothing: 256 MiB at once, 1 GiB in all.
    pub const fn new() -> Self {
        Self::of(1 << 28, 1 << 30)
    }

    const fn of(once: usize, together: usize) -> Self {
        Self { once, together, live: AtomicUsize::new(0) }
    }

    /// Counts so many bytes more, or says on standard error that there are none.
    fn admits(&self, size: usize) -> bool {
        if size > self.once {
            report(size);
            return false;
        }
        let live = self.live.fetch_add(size, Relaxed).saturating_add(size);
        if live > self.together {
            self.live.fetch_sub(size, Relaxed);
            report(size);
            return false;
        }
        true
    }

    /// Counts so many bytes less, where there was no place for them or is none any more.
    fn releases(&self, size: usize) {
        self.live.fetch_sub(size, Relaxed);
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self::new()
    }
}

/// Bytes of a name, and of an input, that are kept: no mutation is longer.
const LONGEST: [usize; 2] = [256, 4096];

/// What goes through a target, as plain bytes: an allocator must not allocate.
struct Now {
    target: &'static str,
    name: [u8; LONGEST[0]],
    name_len: usize,
    input: [u8; LONGEST[1]],
    input_len: usize,
}

thread_local! {
    static NOW: RefCell<Now> = const {
        let (name, input) = ([0; LONGEST[0]], [0; LONGEST[1]]);
        RefCell::new(Now { target: "", name, name_len: 0, input, input_len: 0 })
    };
}

/// From now on this input goes through this target on this thread.
pub(crate) fn input_is(target: &'static str, name: &str, input: &[u8]) {
    NOW.with_borrow_mut(|now| {
        now.target = target;
        now.name_len = copy(&mut now.name, name.as_bytes());
        now.input_len = copy(&mut now.input, input);
    });
}

fn copy(to: &mut [u8], from: &[u8]) -> usize {
    let count = from.len().min(to.len());
    to[..count].copy_from_slice(&from[..count]);
    count
}

/// Writes what was refused to standard error, at once and without allocating.
fn report(size: usize) {
    let mut text = [0; 4 * (LONGEST[0] + LONGEST[1]) + 200];
    // Threads that a target starts have no input of their own, and those that end have none any more.
    let length = NOW.try_with(|now| now.try_borrow().map(|now| message(&mut text, size, &now)));
    if let Ok(Ok(length)) = length {
        drop(std::io::stderr().write_all(&text[..length]));
    }
}

/// Writes into a text, as far as there is room, and counts its bytes.
fn message(text: &mut [u8], size: usize, now: &Now) -> usize {
    let room = text.len();
    let mut rest = text;
    let (name, input) = (&now.name[..now.name_len], &now.input[..now.input_len]);
    let (name, input) = (name.escape_ascii(), input.escape_ascii());
    let target = if now.target.is_empty() { "a target" } else { now.target };
    drop(writeln!(rest, "{target}: {size} bytes more are refused at the input `{name}`: {input}"));
    room - rest.len()
}

// Safety: each method hands its arguments to the system's allocator unchanged, or answers with the null
// pointer, which an allocator may always do.
unsafe impl GlobalAlloc for Limit {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !self.admits(layout.size()) {
            return std::ptr::null_mut();
        }
        // Safety: the caller's promise.
        let place = unsafe { System.alloc(layout) };
        if place.is_null() {
            self.releases(layout.size());
        }
        place
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !self.admits(layout.size()) {
            return std::ptr::null_mut();
        }
        // Safety: the caller's promise.
        let place = unsafe { System.alloc_zeroed(layout) };
        if place.is_null() {
            self.releases(layout.size());
        }
        place
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // Safety: the caller's promise, and that every block is the system's.
        unsafe { System.dealloc(place, layout) }
        self.releases(layout.size());
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both may be there while one is copied.
        if !self.admits(size) {
            return std::ptr::null_mut();
        }
        // Safety: the caller's promise, and that every block is the system's.
        let moved = unsafe { System.realloc(place, layout, size) };
        self.releases(if moved.is_null() { size } else { layout.size() });
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_at_once_or_in_all_is_refused() {
        let limit = Limit::of(100, 250);
        let layout = |size| Layout::from_size_align(size, 8).unwrap();
        let live = || limit.live.load(Relaxed);
        // Safety: no layout is empty, and each block goes back once, with the layout that it came with.
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
        input_is("csv", "mutation 7", b"a,b\n\xff");
        let mut text = [0; 200];
        let length = NOW.with_borrow(|now| message(&mut text, 12, now));
        let expected = b"csv: 12 bytes more are refused at the input `mutation 7`: a,b\\n\\xff\n";
        assert_eq!(text[..length].escape_ascii().to_string(), expected.escape_ascii().to_string());
        // Too long a one is cut.
        input_is("csv", "n", &[b'x'; 5000]);
        assert_eq!(NOW.with_borrow(|now| message(&mut text, 12, now)), 200);
    }
}
