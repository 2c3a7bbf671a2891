//! Fuzz target: a function of arbitrary bytes.

use crate::TARGETS;

/// Function of arbitrary bytes that panics on a wrong result.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Name, also of its folder in `corpus/`.
    pub name: &'static str,
    /// Description in one line.
    pub about: &'static str,
    /// Runs one input; panics on a wrong result.
    pub run: fn(&[u8]),
}

/// Target of a name.
pub fn named(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
