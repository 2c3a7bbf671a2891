//! Every Rust block of README and book compiles after `use hpfracc::prelude::*;`. The programs of the
//! blocks run them.
#![expect(
    unused,
    clippy::all,
    reason = "blocks are parts of programs: this test only compiles them"
)]

include!(concat!(env!("OUT_DIR"), "/blocks.rs"));

#[test]
fn blocks_are_found() {
    assert!(BLOCKS >= 50, "{BLOCKS} blocks in README.md and docs/");
}
