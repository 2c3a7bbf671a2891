//! The right-hand side of a delay equation: lagged values from the past.

use super::System;
use std::cell::{Cell, RefCell};
use std::fmt;

/// The delays of an equation: a `Vec` of constants, or [`StateDependent`].
pub trait Delays {
    /// Their number.
    fn count(&self) -> usize;

    /// Writes tau_i(t, y).
    fn delays(&self, t: f64, y: &[f64], out: &mut [f64]);

    /// The delays, if they are constant.
    fn constant(&self) -> Option<&[f64]> {
        None
    }
}

impl Delays for Vec<f64> {
    fn count(&self) -> usize {
        self.len()
    }

    fn delays(&self, _: f64, _: &[f64], out: &mut [f64]) {
        out.copy_from_slice(self);
    }

    fn constant(&self) -> Option<&[f64]> {
        Some(self)
    }
}

/// Delays that depend on time and state.
#[derive(Debug, Clone, Copy)]
pub struct StateDependent<D> {
    /// Their number.
    pub count: usize,
    /// A closure `|t, y, delays|` that writes them.
    pub delays: D,
}

impl<D: Fn(f64, &[f64], &mut [f64])> Delays for StateDependent<D> {
    fn count(&self) -> usize {
        self.count
    }

    fn delays(&self, t: f64, y: &[f64], out: &mut [f64]) {
        (self.delays)(t, y, out);
    }
}

/// How lagged values between the nodes are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Interpolation {
    /// From the two nodes around: error h^2 for smooth y, as much as schemes of order 2 have.
    #[default]
    Linear,
    /// From these and the node before them (at the start the one after): h^3 for smooth y.
    Quadratic,
}

/// The nodes passed.
#[derive(Debug, Default)]
pub(super) struct Past {
    times: Vec<f64>,
    /// Node by node.
    states: Vec<f64>,
}

impl Past {
    /// Nothing, with room for so many nodes.
    pub(super) fn clear(&mut self, nodes: usize, dim: usize) {
        self.times.clear();
        self.states.clear();
        self.times.reserve(nodes);
        self.states.reserve(nodes * dim);
    }

    pub(super) fn push(&mut self, t: f64, state: &[f64]) {
        self.times.push(t);
        self.states.extend_from_slice(state);
    }

    /// Writes y(s) for t0 < s <= t, where y(t) is the value of a step under way.
    fn at(&self, s: f64, (t, y): (f64, &[f64]), quadratic: bool, out: &mut [f64]) {
        let dim = y.len();
        // The nodes before t, and t itself after them.
        let known = self.times.partition_point(|node| *node < t);
        let node = |j: usize| {
            if j < known { (self.times[j], &self.states[j * dim..][..dim]) } else { (t, y) }
        };
        let right = self.times[..known].partition_point(|node| *node < s);
        if right == 0 {
            // Only if nothing was recorded, or s <= t0: not called then.
            out.copy_from_slice(node(0).1);
            return;
        }
        let ((a, from), (b, to)) = (node(right - 1), node(right));
        let share = (s - a) / (b - a);
        for ((out, from), to) in out.iter_mut().zip(from).zip(to) {
            *out = from + share * (to - from);
        }
        let third = if right >= 2 { right - 2 } else { 2 };
        if quadratic && third <= known {
            // Newton's form: the second divided difference times (s-a)(s-b).
            let (c, other) = node(third);
            for (i, out) in out.iter_mut().enumerate() {
                let slope = (to[i] - from[i]) / (b - a);
                let second = ((other[i] - from[i]) / (c - a) - slope) / (c - b);
                *out += second * (s - a) * (s - b);
            }
        }
    }
}

/// f with its lagged values.
pub(super) struct Lagged<F, D, P> {
    f: F,
    pub(super) delays: D,
    phi: P,
    t0: f64,
    dim: usize,
    pub(super) interpolation: Interpolation,
    pub(super) past: RefCell<Past>,
    /// The delays, and the lagged states.
    scratch: RefCell<(Vec<f64>, Vec<f64>)>,
    /// The last delay that could not be used since the last node: index, time, value.
    pub(super) refused: Cell<Option<(usize, f64, f64)>>,
}

impl<F, D: Delays, P> Lagged<F, D, P> {
    pub(super) fn new(f: F, delays: D, phi: P, (t0, dim): (f64, usize)) -> Self {
        let scratch = (vec![0.0; delays.count()], vec![0.0; delays.count() * dim]);
        Self {
            f,
            delays,
            phi,
            t0,
            dim,
            interpolation: Interpolation::default(),
            past: RefCell::default(),
            scratch: RefCell::new(scratch),
            refused: Cell::new(None),
        }
    }
}

impl<F, D, P> Lagged<F, D, P>
where
    P: Fn(f64, &mut [f64]),
{
    /// Writes y(t - tau).
    fn value(&self, tau: f64, (t, y): (f64, &[f64]), out: &mut [f64]) {
        let s = t - tau;
        // t - tau rounds; what should be t0 must not fall before it, where phi may be another.
        let at_start = (s - self.t0).abs() <= 4.0 * f64::EPSILON * t.abs().max(tau);
        let past = self.past.borrow();
        if tau == 0.0 || t <= self.t0 && at_start {
            out.copy_from_slice(y);
        } else if at_start {
            out.copy_from_slice(&past.states[..self.dim]);
        } else if s < self.t0 {
            (self.phi)(s, out);
        } else {
            past.at(s, (t, y), self.interpolation == Interpolation::Quadratic, out);
        }
    }
}

impl<F, D, P> System for Lagged<F, D, P>
where
    F: Fn(f64, &[f64], &[f64], &mut [f64]),
    D: Delays,
    P: Fn(f64, &mut [f64]),
{
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        let (delays, lagged) = &mut *self.scratch.borrow_mut();
        self.delays.delays(t, y, delays);
        if let Some(index) = delays.iter().position(|tau| !(tau.is_finite() && *tau >= 0.0)) {
            self.refused.set(Some((index, t, delays[index])));
            dydt.fill(f64::NAN);
            return;
        }
        for (&tau, out) in delays.iter().zip(lagged.chunks_exact_mut(self.dim)) {
            self.value(tau, (t, y), out);
        }
        (self.f)(t, y, lagged, dydt);
    }

    fn dim(&self) -> Option<usize> {
        Some(self.dim)
    }
}

impl<F, D, P> fmt::Debug for Lagged<F, D, P> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { dim, interpolation, past, .. } = self;
        out.debug_struct("Lagged")
            .field("dim", dim)
            .field("interpolation", interpolation)
            .field("past", past)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes 0, 1, 3, 4 of t^2, and a step under way to 6.
    #[test]
    fn quadratic_interpolation_has_parabolas_exactly() {
        let mut past = Past::default();
        for t in [0.0, 1.0, 3.0, 4.0] {
            past.push(t, &[t * t, t]);
        }
        for s in [0.25, 1.0, 2.0, 3.5, 4.0, 5.0, 6.0] {
            let mut out = [f64::NAN; 2];
            past.at(s, (6.0, &[36.0, 6.0]), true, &mut out);
            assert!((out[0] - s * s).abs() < 1e-14 && (out[1] - s).abs() < 1e-14, "{s}: {out:?}");
            past.at(s, (6.0, &[36.0, 6.0]), false, &mut out);
            assert!(out[0] >= s * s && (out[1] - s).abs() < 1e-14, "{s}: {out:?}");
        }
    }

    /// Nothing but the start is known: a line.
    #[test]
    fn the_first_step() {
        let mut past = Past::default();
        past.push(0.0, &[1.0]);
        let mut out = [f64::NAN];
        past.at(0.25, (0.5, &[3.0]), true, &mut out);
        assert_eq!(out, [2.0]);
    }
}
