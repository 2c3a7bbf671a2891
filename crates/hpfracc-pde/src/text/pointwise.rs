//! Expressions of the values at each point, with their Jacobians.

use super::parts::{compiled, no_derivative};
use crate::error::Result;
use hpfracc_equation::{Arch, FieldVariables, Graph, Id, Input, Program, Rows, RowsMut, derive};
use rayon::prelude::*;

/// Points of a block.
const BLOCK: usize = 4096;
/// Number of points from which threads share the blocks.
const PARALLEL: usize = 1 << 15;

/// Expressions of time, the values of coordinates, fields and applied operators at a point (rows), and
/// parameters, with their derivatives with respect to fields, applied operators and parameters.
pub(super) struct Pointwise {
    values: Program<f64>,
    slopes: Program<f64>,
    /// Root and row, or parameter, of each derivative.
    entries: Vec<(usize, With)>,
    /// Number of values at a point.
    rows: usize,
}

/// What a derivative is with respect to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum With {
    /// Row of the values at a point.
    Row(usize),
    /// Parameter.
    Parameter(usize),
}

impl Pointwise {
    /// Compiles the roots and their derivatives.
    pub(super) fn new(graph: &Graph, roots: &[Id], variables: &FieldVariables) -> Result<Self> {
        let coordinates = variables.coordinates.len();
        let (rows, inputs) = inputs(variables);
        let with: Vec<u32> =
            (1 + coordinates as u32..(1 + rows + variables.parameters.len()) as u32).collect();
        let mut graph = graph.clone();
        let jacobian = derive::jacobian(&mut graph, roots, &with).map_err(no_derivative)?;
        let entries = jacobian.iter().map(|entry| {
            let number = with[entry.column] as usize - 1;
            let with =
                if number < rows { With::Row(number) } else { With::Parameter(number - rows) };
            (entry.row, with)
        });
        let derivatives: Vec<Id> = jacobian.iter().map(|entry| entry.value).collect();
        Ok(Self {
            values: compiled(Program::new(&graph, roots, &inputs))?,
            entries: entries.collect(),
            slopes: compiled(Program::new(&graph, &derivatives, &inputs))?,
            rows,
        })
    }

    /// Compiles the roots without their derivatives.
    pub(super) fn of_values(
        graph: &Graph,
        roots: &[Id],
        variables: &FieldVariables,
    ) -> Result<Self> {
        let (rows, inputs) = inputs(variables);
        let values = compiled(Program::new(graph, roots, &inputs))?;
        let slopes = compiled(Program::new(graph, &[], &inputs))?;
        Ok(Self { values, slopes, entries: Vec::new(), rows })
    }

    /// Root and variable of each derivative, in the order of [`slopes`](Self::slopes).
    pub(super) fn entries(&self) -> &[(usize, With)] {
        &self.entries
    }

    /// Writes the roots, a row of n values for each.
    pub(super) fn values(&self, n: usize, at: At<'_>, out: &mut [f64]) {
        run(&self.values, self.rows, n, at, out);
    }

    /// Writes the derivatives, a row of n values for each entry.
    pub(super) fn slopes(&self, n: usize, at: At<'_>, out: &mut [f64]) {
        run(&self.slopes, self.rows, n, at, out);
    }
}

/// Number of rows, and the origins of the variables: time, rows, parameters.
fn inputs(variables: &FieldVariables) -> (usize, Vec<Input>) {
    let at_points = [&variables.coordinates[..], &variables.fields, &variables.applied];
    let rows = at_points.iter().map(|list| list.len()).sum();
    let inputs = std::iter::once(Input::Uniform(0))
        .chain((0..rows).map(Input::Row))
        .chain((1..=variables.parameters.len()).map(Input::Uniform));
    (rows, inputs.collect())
}

/// Rows of values at the points, time and parameters.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) rows: &'a [f64],
    pub(super) t: f64,
    pub(super) theta: &'a [f64],
}

fn run(program: &Program<f64>, rows: usize, n: usize, at: At<'_>, out: &mut [f64]) {
    let uniforms = (at.t, at.theta);
    let none = |lanes| RowsMut::new(&mut [][..], lanes);
    if n < PARALLEL {
        let (inputs, out) = (Rows::new(&at.rows[..rows * n], n), RowsMut::new(out, n));
        program.run_shared(Arch::new(), inputs, uniforms, [out, none(n)]);
        return;
    }
    let roots = program.roots();
    let block = |start: usize| {
        let lanes = BLOCK.min(n - start);
        let mut values = Vec::with_capacity(rows * lanes);
        (0..rows).for_each(|k| values.extend(&at.rows[k * n + start..][..lanes]));
        let mut results = vec![0.0; roots * lanes];
        let (inputs, out) = (Rows::new(&values[..], lanes), RowsMut::new(&mut results[..], lanes));
        program.run_shared(Arch::new(), inputs, uniforms, [out, none(lanes)]);
        (start, results)
    };
    let blocks: Vec<(usize, Vec<f64>)> =
        (0..n.div_ceil(BLOCK)).into_par_iter().map(|k| block(k * BLOCK)).collect();
    for (start, results) in blocks {
        let lanes = BLOCK.min(n - start);
        for k in 0..roots {
            out[k * n + start..][..lanes].copy_from_slice(&results[k * lanes..][..lanes]);
        }
    }
}
