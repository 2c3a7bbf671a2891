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

/// Right-hand side of a delay equation given by a closure `|t, y, lagged, dydt|`.
#[derive(Debug, Clone, Copy)]
pub struct LaggedRhs<F>(pub F);

impl<F: Fn(f64, &[f64], &[f64], &mut [f64])> System for LaggedRhs<F> {
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        let (y, lagged) = y.split_at(dydt.len());
        (self.0)(t, y, lagged, dydt);
    }
}

/// Right-hand side f with its delayed states.
pub(super) struct DelayedSystem<S, D, P> {
    /// f of the state followed by the delayed states.
    pub(super) system: S,
    pub(super) delays: D,
    phi: P,
    pub(super) t0: f64,
    pub(super) dim: usize,
    pub(super) past: RefCell<NodeHistory>,
    /// Delays, and the state with the delayed states.
    scratch: RefCell<(Vec<f64>, Vec<f64>)>,
    /// Last invalid delay since the last node: index, time, value.
    pub(super) refused: Cell<Option<(usize, f64, f64)>>,
}

/// Origin of a delayed state.
pub(super) enum Lag {
    /// The present state.
    Present,
    /// A value before t0.
    Before(f64),
    /// The initial value.
    Start,
    /// A value between nodes.
    Between(f64),
}

impl<S, D: Delays, P> DelayedSystem<S, D, P> {
    pub(super) fn new(system: S, delays: D, phi: P, (t0, dim): (f64, usize)) -> Self {
        let scratch = (vec![0.0; delays.count()], vec![0.0; (delays.count() + 1) * dim]);
        Self {
            system,
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

impl<S, D, P> DelayedSystem<S, D, P> {
    /// Bound of the rounding of t - tau.
    pub(super) fn rounding(&self, tau: f64, t: f64) -> f64 {
        4.0 * f64::EPSILON * t.abs().max(tau)
    }

    /// Origin of y(t - tau).
    pub(super) fn lag(&self, tau: f64, t: f64) -> Lag {
        let s = t - tau;
        // t - tau rounds: a lagged time equal to t0 must not fall before it, where phi may differ.
        let at_start = (s - self.t0).abs() <= self.rounding(tau, t);
        if tau == 0.0 || t <= self.t0 && at_start {
            Lag::Present
        } else if at_start {
            Lag::Start
        } else if s < self.t0 {
            Lag::Before(s)
        } else {
            Lag::Between(s)
        }
    }
}

impl<S, D: Delays, P> DelayedSystem<S, D, P>
where
    P: Fn(f64, &mut [f64]),
{
    /// Writes phi.
    pub(super) fn write_before(&self, s: f64, y: &mut [f64]) {
        (self.phi)(s, y);
    }

    /// Writes the state followed by the delayed states to `all`; false for an invalid delay.
    pub(super) fn arguments(&self, t: f64, y: &[f64], delays: &mut [f64], all: &mut [f64]) -> bool {
        self.delays.delays(t, y, delays);
        if let Some(index) = delays.iter().position(|tau| !(tau.is_finite() && *tau >= 0.0)) {
            self.refused.set(Some((index, t, delays[index])));
            return false;
        }
        let (present, lagged) = all.split_at_mut(self.dim);
        present.copy_from_slice(y);
        let past = self.past.borrow();
        for (&tau, out) in delays.iter().zip(lagged.chunks_exact_mut(self.dim)) {
            match self.lag(tau, t) {
                Lag::Present => out.copy_from_slice(y),
                Lag::Before(s) => (self.phi)(s, out),
                Lag::Start => out.copy_from_slice(&past.states[..self.dim]),
                Lag::Between(s) => past.at(s, (t, y), out),
            }
        }
        true
    }
}

impl<S: System, D: Delays, P> System for DelayedSystem<S, D, P>
where
    P: Fn(f64, &mut [f64]),
{
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        let (delays, all) = &mut *self.scratch.borrow_mut();
        if self.arguments(t, y, delays, all) {
            self.system.rhs(t, all, dydt);
        } else {
            dydt.fill(f64::NAN);
        }
    }

    fn dim(&self) -> Option<usize> {
        Some(self.dim)
    }
}

debug_fields!(DelayedSystem<S, D, P> { dim, past });
