//! Memory of a thread for the programs that it runs.

use super::Scratch;
use crate::program::compile::Body;
use hpfracc_lanes::{Elementary, Lanes};
use std::sync::{Arc, Weak};

/// Scratch memory of a thread for each of the programs that it ran and that still exist.
#[derive(Debug)]
pub struct Memories<T>(Vec<(Weak<Body<T>>, Scratch<T>)>);

impl<T: Elementary + Lanes> Memories<T> {
    pub(in crate::program) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Memory for a program.
    #[inline]
    pub(in crate::program) fn of(&mut self, body: &Arc<Body<T>>) -> &mut Scratch<T> {
        let known = self.0.iter().position(|(known, _)| known.as_ptr() == Arc::as_ptr(body));
        let k = known.unwrap_or_else(|| self.add(body));
        &mut self.0[k].1
    }

    /// Number of programs with memory.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no program has memory.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds memory for a program, and frees that of programs which exist no more.
    #[inline(never)]
    fn add(&mut self, body: &Arc<Body<T>>) -> usize {
        self.0.retain(|(known, _)| known.strong_count() > 0);
        self.0.push((Arc::downgrade(body), Scratch::new()));
        self.0.len() - 1
    }
}
