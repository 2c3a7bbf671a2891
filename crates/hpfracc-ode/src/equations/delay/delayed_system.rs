//! Right-hand side of a delay equation.

use super::node_history::NodeHistory;
use crate::System;
use std::cell::{Cell, RefCell};

/// The delays of an equation: a `Vec` of constants, or [`StateDependent`].
pub trait Delays {
    /// Number of delays.
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
    /// Number of delays.
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

/// Right-hand side f with its delayed states.
pub(super) struct DelayedSystem<F, D, P> {
    f: F,
    pub(super) delays: D,
    phi: P,
    t0: f64,
    dim: usize,
    pub(super) past: RefCell<NodeHistory>,
    /// Delays, and delayed states.
    scratch: RefCell<(Vec<f64>, Vec<f64>)>,
    /// Last invalid delay since the last node: index, time, value.
    pub(super) refused: Cell<Option<(usize, f64, f64)>>,
}

impl<F, D: Delays, P> DelayedSystem<F, D, P> {
    pub(super) fn new(f: F, delays: D, phi: P, (t0, dim): (f64, usize)) -> Self {
        let scratch = (vec![0.0; delays.count()], vec![0.0; delays.count() * dim]);
        Self {
            f,
            delays,
            phi,
            t0,
            dim,
            past: RefCell::default(),
            scratch: RefCell::new(scratch),
            refused: Cell::new(None),
        }
    }
}

impl<F, D, P> DelayedSystem<F, D, P>
where
    P: Fn(f64, &mut [f64]),
{
    /// Writes y(t - tau).
    fn value(&self, tau: f64, (t, y): (f64, &[f64]), out: &mut [f64]) {
        let s = t - tau;
        // t - tau rounds: a lagged time equal to t0 must not fall before it, where phi may differ.
        let at_start = (s - self.t0).abs() <= 4.0 * f64::EPSILON * t.abs().max(tau);
        let past = self.past.borrow();
        if tau == 0.0 || t <= self.t0 && at_start {
            out.copy_from_slice(y);
        } else if at_start {
            out.copy_from_slice(&past.states[..self.dim]);
        } else if s < self.t0 {
            (self.phi)(s, out);
        } else {
            past.at(s, (t, y), out);
        }
    }
}

impl<F, D, P> System for DelayedSystem<F, D, P>
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

debug_fields!(DelayedSystem<F, D, P> { dim, past });
