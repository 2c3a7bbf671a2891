//! Every Rust block of README and book compiles when it is pasted after `use hpfracc::prelude::*;`. The programs
//! from which the blocks are taken run them.
#![expect(
    unused,
    unreachable_pub,
    clippy::all,
    reason = "blocks are parts of programs: this test only compiles them"
)]

include!(concat!(env!("OUT_DIR"), "/blocks.rs"));

#[test]
fn blocks_are_found() {
    assert!(COMPILED >= 5, "{COMPILED} blocks of README.md and docs/");
    assert!(ABSENT.is_empty(), "examples/build.rs lists blocks that no page has: {ABSENT:?}");
}
