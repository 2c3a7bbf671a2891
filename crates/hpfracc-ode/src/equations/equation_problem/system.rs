use super::EquationProblemError;
use super::layout::{Layout, values_at_start};
use crate::System;
use hpfracc_equation::derive::{self, NoDerivative};
use hpfracc_equation::structure::{LinearPart, linear_part};
use hpfracc_equation::{Equation, Graph, Id, Program, ProgramError, Scratch, Symbol};
use std::cell::RefCell;
use std::sync::Arc;

/// Right-hand side of an [`Equation`], with its exact Jacobian.
///
/// Its components are the states of the equation, then their lower derivatives, which solve Caputo
/// problems of their own.
#[derive(Debug)]
pub struct EquationSystem {
    pub(super) layout: Arc<Layout>,
    rhs: Program<f64>,
    jacobian: Option<Jacobian>,
    pub(super) work: RefCell<Work>,
}

/// Entries of the Jacobian that are not identically zero.
#[derive(Debug)]
struct Jacobian {
    program: Program<f64>,
    /// State and component of each entry.
    entries: Vec<(usize, usize)>,
}

/// Scratch of an evaluation.
#[derive(Debug)]
pub(super) struct Work {
    /// Components with the known terms of lower derivatives, and lagged components.
    pub(super) path: Vec<f64>,
    /// Time and parameters.
    pub(super) uniforms: Vec<f64>,
    values: Vec<f64>,
    rhs: Scratch<f64>,
    jacobian: Scratch<f64>,
}

impl EquationSystem {
    pub(super) fn new(
        equation: &Equation,
        layout: Arc<Layout>,
    ) -> Result<Self, EquationProblemError> {
        let drifts: Vec<Id> = equation.states().iter().map(|state| state.drift()).collect();
        Self::of(equation.graph(), &drifts, layout)
    }

    /// The system of these right-hand sides of the states.
    fn of(graph: &Graph, drifts: &[Id], layout: Arc<Layout>) -> Result<Self, EquationProblemError> {
        let rhs = Program::new(graph, drifts, &layout.inputs)?;
        // Without derivatives of all functions, implicit schemes use differences.
        let jacobian = match Jacobian::new(graph, drifts, &layout) {
            Ok(jacobian) => Some(jacobian?),
            Err(NoDerivative { .. }) => None,
        };
        let work = Work {
            path: vec![0.0; layout.arguments],
            uniforms: [&[0.0], &layout.parameters[..]].concat(),
            values: vec![0.0; jacobian.as_ref().map_or(0, |jacobian| jacobian.entries.len())],
            rhs: Scratch::new(),
            jacobian: Scratch::new(),
        };
        Ok(Self { layout, rhs, jacobian, work: RefCell::new(work) })
    }

    /// The linear part with constant coefficients J, row by row, and the system of the rest:
    /// `f = J y + g`.
    pub(super) fn without_linear_part(
        self,
        equation: &Equation,
    ) -> Result<(Vec<f64>, Self), EquationProblemError> {
        let (layout, mut graph) = (self.layout, equation.graph().clone());
        let variables = layout.argument_variables();
        let numbers: Vec<u32> = variables.iter().map(|(variable, _)| *variable).collect();
        let drifts: Vec<Id> = equation.states().iter().map(|state| state.drift()).collect();
        let parameter = |number: u32| {
            matches!(equation.symbols().get(number as usize), Some(Symbol::Parameter(_)))
        };
        let LinearPart { matrix, rest } = linear_part(&mut graph, &drifts, &numbers, parameter);
        let values: Vec<Id> = matrix.iter().map(|entry| entry.value).collect();
        let mut slope = vec![0.0; layout.dim().pow(2)];
        for (entry, value) in
            matrix.iter().zip(values_at_start(equation, &graph, &values, layout.interval.0))
        {
            slope[entry.row * layout.dim() + variables[entry.column].1] = value;
        }
        Ok((slope, Self::of(&graph, &rest, layout)?))
    }
}

impl Jacobian {
    fn new(
        graph: &Graph,
        drifts: &[Id],
        layout: &Layout,
    ) -> Result<Result<Self, ProgramError>, NoDerivative> {
        let mut variables = layout.argument_variables();
        variables.retain(|(_, row)| *row < layout.dim());
        let numbers: Vec<u32> = variables.iter().map(|(variable, _)| *variable).collect();
        let mut graph = graph.clone();
        let entries = derive::jacobian(&mut graph, drifts, &numbers)?;
        let roots: Vec<Id> = entries.iter().map(|entry| entry.value).collect();
        let program = Program::new(&graph, &roots, &layout.inputs);
        let entries = entries.iter().map(|entry| (entry.row, variables[entry.column].1)).collect();
        Ok(program.map(|program| Self { program, entries }))
    }
}

impl System for EquationSystem {
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        let work = &mut *self.work.borrow_mut();
        let path: &[f64] = if self.layout.starts.is_empty() {
            y
        } else {
            work.path.copy_from_slice(y);
            self.layout.add_starts(t, &mut work.path);
            &work.path
        };
        work.uniforms[0] = t;
        self.rhs.run_scalar(path, &work.uniforms, &mut dydt[..self.layout.states], &mut work.rhs);
        self.layout.spread(dydt);
    }

    fn dim(&self) -> Option<usize> {
        Some(self.layout.dim())
    }

    fn jacobian(&self, t: f64, y: &[f64], out: &mut [f64]) -> bool {
        let Some(Jacobian { program, entries }) = &self.jacobian else { return false };
        let work = &mut *self.work.borrow_mut();
        if self.layout.arguments > self.layout.dim() {
            // Lagged values are not among the arguments of a Jacobian.
            return false;
        }
        work.path.copy_from_slice(y);
        self.layout.add_starts(t, &mut work.path);
        work.uniforms[0] = t;
        program.run_scalar(&work.path, &work.uniforms, &mut work.values, &mut work.jacobian);
        out.fill(0.0);
        for ((state, column), value) in entries.iter().zip(&work.values) {
            out[state * y.len() + column] = *value;
        }
        let (states, others) = out.split_at_mut(self.layout.states * y.len());
        for (row, state) in
            others.chunks_exact_mut(y.len()).zip(&self.layout.state_of[self.layout.states..])
        {
            row.copy_from_slice(&states[state * y.len()..][..y.len()]);
        }
        true
    }
}
