use super::EquationModelError;
use super::coefficients::inputs;
use super::shared::SharedProgram;
use hpfracc_equation::{Equation, Execute, Id};
use hpfracc_lanes::{Rows, RowsMut};

/// Observables of an equation: the states, then what it shows.
pub(super) struct Observables<T> {
    shown: SharedProgram<T>,
}

impl<T: Execute> Observables<T> {
    pub(super) fn new(equation: &Equation) -> Result<Self, EquationModelError> {
        let roots: Vec<Id> = equation.shown().iter().map(|shown| shown.value()).collect();
        let shown = SharedProgram::new(equation, equation.graph(), &roots, &inputs(equation))?;
        Ok(Self { shown })
    }

    /// Writes the observables of the states at time t.
    pub(super) fn write(&self, t: f64, state: Rows<'_, T>, mut observed: RowsMut<'_, T>) {
        let lanes = state.lanes();
        let (states, shown) = observed.as_mut_slice().split_at_mut(state.as_slice().len());
        states.copy_from_slice(state.as_slice());
        if !shown.is_empty() {
            self.shown.run(t, state, RowsMut::new(shown, lanes));
        }
    }
}
