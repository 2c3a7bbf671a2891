use super::EquationModelError;
use super::columns::Columns;
use super::shared::SharedProgram;
use crate::{NoiseKind, StochasticSystem};
use hpfracc_equation::{Equation, Execute, Id, Input, Symbol};
use hpfracc_lanes::{Rows, RowsMut};

/// Drift and diffusion of an equation, compiled for many paths at a time.
#[derive(Debug)]
pub struct EquationCoefficients<T> {
    dim: usize,
    fingerprint: u64,
    kind: NoiseKind,
    additive_in: Vec<bool>,
    commutative: bool,
    drift: SharedProgram<T>,
    diffusion: SharedProgram<T>,
    /// Drift, then diffusion: what they have in common is computed once.
    both: SharedProgram<T>,
}

/// Origins of the variables: states; time and parameters.
pub(super) fn inputs(equation: &Equation) -> Vec<Input> {
    let input = |symbol: &Symbol| match *symbol {
        Symbol::State(k) => Input::Row(k),
        Symbol::Parameter(k) => Input::Uniform(1 + k),
        // Lagged states and lower derivatives are refused before.
        _ => Input::Uniform(0),
    };
    equation.symbols().iter().map(input).collect()
}

impl<T: Execute> EquationCoefficients<T> {
    pub(super) fn new(equation: &Equation, columns: &Columns) -> Result<Self, EquationModelError> {
        let (inputs, mut graph) = (inputs(equation), equation.graph().clone());
        let drift: Vec<Id> = equation.states().iter().map(|state| state.drift()).collect();
        let zero = graph.constant(0.0);
        let diffusion: Vec<Id> =
            columns.entries.iter().map(|entry| entry.unwrap_or(zero)).collect();
        Ok(Self {
            dim: equation.states().len(),
            fingerprint: equation.fingerprint(),
            kind: columns.kind,
            additive_in: columns.additive_in.clone(),
            commutative: columns.commutative,
            drift: SharedProgram::new(equation, &graph, &drift, &inputs)?,
            diffusion: SharedProgram::new(equation, &graph, &diffusion, &inputs)?,
            both: SharedProgram::new(equation, &graph, &[drift, diffusion].concat(), &inputs)?,
        })
    }
}

impl<T: Execute> StochasticSystem<T> for EquationCoefficients<T> {
    fn dim(&self) -> usize {
        self.dim
    }

    fn noise_kind(&self) -> NoiseKind {
        self.kind
    }

    fn additive(&self) -> bool {
        self.additive_in.iter().all(|additive| *additive)
    }

    fn additive_in(&self, noise: usize) -> bool {
        self.additive_in[noise]
    }

    fn commutative(&self) -> bool {
        self.commutative
    }

    fn fingerprint(&self) -> Option<u64> {
        Some(self.fingerprint)
    }

    fn drift(&self, t: f64, x: Rows<'_, T>, f: RowsMut<'_, T>) {
        self.drift.run(t, x, f);
    }

    fn diffusion(&self, t: f64, x: Rows<'_, T>, g: RowsMut<'_, T>) {
        self.diffusion.run(t, x, g);
    }

    fn coefficients(&self, t: f64, x: Rows<'_, T>, f: RowsMut<'_, T>, g: RowsMut<'_, T>) {
        self.both.run_into(t, x, [f, g]);
    }
}
