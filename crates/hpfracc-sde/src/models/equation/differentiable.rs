use super::EquationModelError;
use super::coefficients::{EquationCoefficients, inputs};
use super::columns::Columns;
use super::shared::SharedProgram;
use crate::system::of_inner_system;
use crate::{DifferentiableStochasticSystem, NoiseKind, StochasticSystem, Vjp, dot_of};
use hpfracc_equation::{Equation, Execute, Id, Input, Symbol, derive};
use hpfracc_lanes::{Rows, RowsMut};
use std::sync::{Mutex, PoisonError};

/// Drift and diffusion of an equation with their transposed derivatives, with respect to its states and
/// all its parameters.
#[derive(Debug)]
pub struct DifferentiableCoefficients<T> {
    coefficients: EquationCoefficients<T>,
    drift: Product<T>,
    diffusion: Product<T>,
}

/// Product of cotangents with the derivatives of one of the coefficients: rows of states, then of
/// cotangents, to rows of states, then of parameters.
#[derive(Debug)]
struct Product<T> {
    program: SharedProgram<T>,
    /// Rows of inputs and results that no thread uses at present.
    pool: Mutex<Vec<[Vec<T>; 2]>>,
}

impl<T: Execute> DifferentiableCoefficients<T> {
    pub(super) fn new(equation: &Equation, columns: &Columns) -> Result<Self, EquationModelError> {
        let drift: Vec<Id> = equation.states().iter().map(|state| state.drift()).collect();
        let mut graph = equation.graph().clone();
        let zero = graph.constant(0.0);
        let diffusion: Vec<Id> =
            columns.entries.iter().map(|entry| entry.unwrap_or(zero)).collect();
        let equation_with_zero = (equation, graph);
        Ok(Self {
            coefficients: EquationCoefficients::new(equation, columns)?,
            drift: Product::new(&equation_with_zero, &drift)?,
            diffusion: Product::new(&equation_with_zero, &diffusion)?,
        })
    }
}

impl<T: Execute> Product<T> {
    fn new(
        (equation, graph): &(&Equation, hpfracc_equation::Graph),
        roots: &[Id],
    ) -> Result<Self, EquationModelError> {
        let (mut graph, mut inputs) = (graph.clone(), inputs(equation));
        let dim = equation.states().len();
        let mut seeds = Vec::with_capacity(roots.len());
        for (row, root) in (dim..).zip(roots) {
            inputs.push(Input::Row(row));
            seeds.push((*root, graph.variable(inputs.len() as u32 - 1)));
        }
        let states = (0..dim).map(Symbol::State);
        let symbols = states.chain((0..equation.parameters().len()).map(Symbol::Parameter));
        let variables: Vec<u32> = symbols.filter_map(|symbol| equation.variable(symbol)).collect();
        let bars = derive::reverse(&mut graph, &seeds, &variables)?;
        let program = SharedProgram::new(equation, &graph, &bars, &inputs)?;
        Ok(Self { program, pool: Mutex::default() })
    }

    fn add(&self, t: f64, x: Rows<'_, T>, bar: Rows<'_, T>, to: Vjp<'_, T>) {
        let pool = || self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let [mut rows, mut bars] = pool().pop().unwrap_or_default();
        let (lanes, Vjp { mut xbar, thetabar }) = (x.lanes(), to);
        rows.clear();
        rows.extend_from_slice(x.as_slice());
        rows.extend_from_slice(bar.as_slice());
        bars.resize(self.program.roots() * lanes, T::zero());
        self.program.run(t, Rows::new(&rows, lanes), RowsMut::new(&mut bars[..], lanes));
        let (of_states, of_parameters) = bars.split_at(x.as_slice().len());
        xbar.as_mut_slice().iter_mut().zip(of_states).for_each(|(xbar, bar)| *xbar += *bar);
        for (thetabar, bar) in thetabar.iter_mut().zip(of_parameters.chunks_exact(lanes)) {
            *thetabar += dot_of(bar, bar, |_| T::one());
        }
        pool().push([rows, bars]);
    }
}

impl<T: Execute> StochasticSystem<T> for DifferentiableCoefficients<T> {
    of_inner_system!(self => self.coefficients);

    fn drift(&self, t: f64, x: Rows<'_, T>, f: RowsMut<'_, T>) {
        self.coefficients.drift(t, x, f);
    }

    fn diffusion(&self, t: f64, x: Rows<'_, T>, g: RowsMut<'_, T>) {
        self.coefficients.diffusion(t, x, g);
    }

    fn coefficients(&self, t: f64, x: Rows<'_, T>, f: RowsMut<'_, T>, g: RowsMut<'_, T>) {
        self.coefficients.coefficients(t, x, f, g);
    }
}

impl<T: Execute> DifferentiableStochasticSystem<T> for DifferentiableCoefficients<T> {
    fn parameters(&self) -> usize {
        self.drift.program.parameters()
    }

    fn drift_vjp(&self, t: f64, x: Rows<'_, T>, fbar: Rows<'_, T>, to: Vjp<'_, T>) {
        self.drift.add(t, x, fbar, to);
    }

    fn diffusion_vjp(&self, t: f64, x: Rows<'_, T>, gbar: Rows<'_, T>, to: Vjp<'_, T>) {
        self.diffusion.add(t, x, gbar, to);
    }
}
