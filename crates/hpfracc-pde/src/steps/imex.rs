//! Implicit-explicit steps: the terms are extrapolated from the last two nodes.

use crate::MethodOfLines;
use crate::linear::Linearised;
use hpfracc_ode::{
    DenseOutput, Observer, ObserverAction, OdeError, ShiftedJacobian, System, Trajectory,
};
use std::cell::RefCell;

/// Terms at the last two nodes, (t, N).
#[derive(Default)]
pub(crate) struct LastTerms {
    last: Option<(f64, Vec<f64>)>,
    before: Option<(f64, Vec<f64>)>,
}

/// Right-hand side `-c A u + N*(t)` with the linear extrapolation N* of the terms: constant in the
/// first step and in that after a jump of the state.
pub(crate) struct Extrapolated<'a> {
    system: &'a MethodOfLines<'a>,
    terms: &'a RefCell<LastTerms>,
}

impl<'a> Extrapolated<'a> {
    pub(crate) fn new(system: &'a MethodOfLines<'a>, terms: &'a RefCell<LastTerms>) -> Self {
        Self { system, terms }
    }
}

impl System for Extrapolated<'_> {
    fn rhs(&self, t: f64, u: &[f64], f: &mut [f64]) {
        self.system.linear_part(t, u, f);
        let terms = self.terms.borrow();
        let last = terms.last.as_ref().filter(|(last_t, _)| t > *last_t);
        // At the start, and at the state before and after a jump, no step is taken.
        let Some((last_t, last)) = last else {
            return self.system.add_terms(t, u, f);
        };
        match &terms.before {
            None => f.iter_mut().zip(last).for_each(|(f, n)| *f += n),
            Some((before_t, before)) => {
                let share = (t - last_t) / (last_t - before_t);
                for (f, (n, before)) in f.iter_mut().zip(last.iter().zip(before)) {
                    *f += n + share * (n - before);
                }
            }
        }
    }

    fn dim(&self) -> Option<usize> {
        Some(self.system.equation.len())
    }

    fn shifted_jacobian(&self) -> Option<Box<dyn ShiftedJacobian + '_>> {
        Some(Box::new(Linearised::new(&self.system.equation, 1e-13, false)))
    }
}

/// Observer that evaluates the terms at each node.
pub(crate) struct TermsAtNodes<'a> {
    system: &'a MethodOfLines<'a>,
    terms: &'a RefCell<LastTerms>,
}

impl<'a> TermsAtNodes<'a> {
    pub(crate) fn new(system: &'a MethodOfLines<'a>, terms: &'a RefCell<LastTerms>) -> Self {
        Self { system, terms }
    }

    /// Evaluates the terms at the last node.
    fn evaluate(&self, past: &Trajectory) {
        let last = past.times().len() - 1;
        let (t, u) = (past.times()[last], past.state(last));
        let terms = &mut *self.terms.borrow_mut();
        let (_, mut values) = terms.before.take().unwrap_or_default();
        values.clear();
        values.resize(u.len(), 0.0);
        self.system.add_terms(t, u, &mut values);
        terms.before = terms.last.replace((t, values));
    }
}

impl Observer for TermsAtNodes<'_> {
    fn node(&mut self, past: &Trajectory, _: &dyn DenseOutput) -> Result<ObserverAction, OdeError> {
        self.evaluate(past);
        Ok(ObserverAction::Continue)
    }

    fn jumped(&mut self, past: &Trajectory) -> Result<(), OdeError> {
        // Terms before the jump are no data for an extrapolation after it.
        *self.terms.borrow_mut() = LastTerms::default();
        self.evaluate(past);
        Ok(())
    }
}
