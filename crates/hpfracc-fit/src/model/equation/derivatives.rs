//! Derivatives of the quantities of an equation with respect to its parameters: by tangents, one for each parameter, or by
//! adjoints, one for each value.

use super::quantities::Evaluated;
use crate::FitError;
use crate::model::nodes::Nodes;
use hpfracc_ode::{Cotangents, DifferentiableScheme, EquationProblem, EquationSolution, Options};

/// Time of an adjoint over that of a tangent, which shares work with others: `cargo xtask bench --filter fit/equation`.
const ADJOINT_COST: f64 = 2.7;

/// Numerical solution with the quantities at the times of the data.
pub(super) struct SolvedEquation<'s> {
    pub(super) problem: EquationProblem,
    pub(super) scheme: &'s dyn DifferentiableScheme,
    pub(super) solution: EquationSolution,
    pub(super) nodes: &'s Nodes,
    pub(super) quantities: Evaluated<'s>,
}

impl SolvedEquation<'_> {
    /// Derivatives of each quantity with respect to each of the free parameters (indices in the equation), a number for
    /// each time. Both ways give the exact derivatives of the numerical solution; the faster one is chosen.
    pub(super) fn derivatives(&self, free: &[usize]) -> Result<Vec<f64>, FitError> {
        let values = self.quantities.values().len() as f64;
        let adjoints = ADJOINT_COST * values < free.len() as f64;
        let mut table = if adjoints { self.by_adjoints(free)? } else { self.by_tangents(free)? };
        self.add_direct(free, &mut table);
        Ok(table)
    }

    fn states(&self) -> usize {
        self.problem.equation().states().len()
    }

    /// Index in the table of the first time.
    fn row(&self, quantity: usize, parameter: usize, free: &[usize]) -> usize {
        (quantity * free.len() + parameter) * self.nodes.times().len()
    }

    fn table(&self, free: &[usize]) -> Vec<f64> {
        vec![0.0; self.quantities.values().len() * free.len()]
    }

    /// The part that comes from the states: their sensitivities times the derivatives of the quantities.
    fn by_tangents(&self, free: &[usize]) -> Result<Vec<f64>, FitError> {
        let parameters = self.problem.equation().parameters();
        let names: Vec<&str> = free.iter().map(|k| parameters[*k].name()).collect();
        let options = Options::default();
        let by = self.problem.sensitivities(self.scheme, &self.solution, &names, &options)?;
        let lanes = self.nodes.times().len();
        let mut table = self.table(free);
        for (k, rows) in by.iter().enumerate() {
            let states = self.nodes.rows(self.states(), rows.view());
            for (quantity, state, column) in self.quantities.derivatives() {
                let Some(change) = states.get(state * lanes..(state + 1) * lanes) else { continue };
                let to = &mut table[self.row(quantity, k, free)..][..lanes];
                let products = column.iter().zip(change).map(|(slope, change)| slope * change);
                to.iter_mut().zip(products).for_each(|(to, product)| *to += product);
            }
        }
        Ok(table)
    }

    /// The same part, from a reverse sweep for each value.
    fn by_adjoints(&self, free: &[usize]) -> Result<Vec<f64>, FitError> {
        let lanes = self.nodes.times().len();
        let gradient = |value: usize| -> Result<Vec<f64>, FitError> {
            let (quantity, lane) = (value / lanes, value % lanes);
            let mut cotangent = vec![0.0; self.solution.solution().states().ncols()];
            for (of, state, column) in self.quantities.derivatives() {
                if of == quantity && state < self.states() {
                    cotangent[state] = column[lane];
                }
            }
            let at = [(self.nodes.times()[lane].1, &cotangent[..])];
            let (loss, options) = (Cotangents::At(&at), Options::default());
            Ok(self.problem.gradient(self.scheme, &self.solution, loss, &options)?)
        };
        let values = 0..self.quantities.values().len();
        let gradients: Vec<_> = values.map(gradient).collect::<Result<_, _>>()?;
        let mut table = self.table(free);
        for (value, gradient) in gradients.iter().enumerate() {
            for (k, parameter) in free.iter().enumerate() {
                table[self.row(value / lanes, k, free) + value % lanes] = gradient[*parameter];
            }
        }
        Ok(table)
    }

    /// Adds the derivatives of the quantities at fixed states.
    fn add_direct(&self, free: &[usize], table: &mut [f64]) {
        for (quantity, argument, column) in self.quantities.derivatives() {
            let parameter = argument.checked_sub(self.states());
            let Some(k) = free.iter().position(|free| Some(*free) == parameter) else { continue };
            let to = table[self.row(quantity, k, free)..].iter_mut();
            to.zip(column).for_each(|(to, slope)| *to += slope);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::EquationModel;
    use hpfracc_equation::Equation;

    /// Adjoints and tangents are two ways to the same numbers.
    #[test]
    fn adjoints_are_tangents() {
        let text = "D^alpha x = -x y + c; D^(1 - alpha/4) y = x y - g y; alpha = 0.7; g = 0.3; c = 0.1
                    x(0) = 1 - b; y(0) = b; b = 0.1; total = c (x + y)^2; show late = g x^2 exp(-t/4)";
        let delayed = "D^alpha x = -k x(t - tau) + c; x(t) = a + t for t <= 0; alpha = 0.8; k = 0.9; tau = 0.55
                       c = 0.2; a = 0.5; total = k x; late = c exp(x)";
        let equal: Vec<f64> = (0..=6).map(|k| 0.5 * f64::from(k)).collect();
        let unequal = [0.1, 0.15, 0.31, 1.7, 2.9];
        for (text, times) in [(text, &equal[..]), (text, &unequal[..]), (delayed, &equal[..])] {
            let equation = Equation::parse(text).unwrap_or_else(|error| panic!("{error}"));
            let quantities = ["x", "late", "total"];
            let model = EquationModel::new(&equation, &quantities, times).unwrap();
            let model = model.steps(50).unwrap();
            let free = [3, 0, 1];
            let [tangents, adjoints] = model
                .solved(&equation, &model.nodes, |solved| {
                    Ok([solved.by_tangents(&free)?, solved.by_adjoints(&free)?])
                })
                .unwrap();
            let scale = tangents.iter().fold(0.0f64, |a, b| a.max(b.abs()));
            for (k, (a, b)) in tangents.iter().zip(&adjoints).enumerate() {
                assert!((a - b).abs() < 1e-12 * scale, "{text}: {k}: {a} {b}");
            }
        }
    }
}
