//! Memory of the command: where the operating system has none, an error in place of an abort.

#![expect(unsafe_code, reason = "an allocator has raw pointers")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::{self, Write};
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: OrExit = OrExit;

/// The allocator of the system, which ends the process with a message and exit code 2 where it has
/// no memory. Commands estimate what they need and refuse it before; this is for what they cannot
/// know, such as a limit of the address space (`ulimit -v`) that libraries and threads share.
struct OrExit;

// SAFETY: every method passes its arguments to the allocator of the system and returns its result.
unsafe impl GlobalAlloc for OrExit {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        checked(unsafe { System.realloc(pointer, layout, size) }, size)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Whether some thread ends the process.
static ENDING: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether this thread does; it gets no more memory then.
    static ENDS: Cell<bool> = const { Cell::new(false) };
}

fn checked(pointer: *mut u8, bytes: usize) -> *mut u8 {
    if !pointer.is_null() || ENDS.get() {
        return pointer;
    }
    while ENDING.swap(true, Ordering::Relaxed) {
        sleep(Duration::from_secs(1));
    }
    ENDS.set(true);
    let mib = bytes.div_ceil(1 << 20);
    // Formatting to standard error allocates nothing.
    let _ = writeln!(
        io::stderr(),
        "hpfracc: error: out of memory: the operating system refuses another {mib} MiB"
    );
    exit(2)
}
