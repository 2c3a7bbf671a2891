use super::EquationProblemError;
use super::layout::Layout;
use super::moving_interval::MovingInterval;
use super::parameter_derivatives::ParameterDerivatives;
use super::system::EquationSystem;
use crate::{Differentiable, System};
use hpfracc_equation::derive;
use hpfracc_equation::{Equation, Graph, Id, Input, Program, Scratch, Symbol};
use std::cell::RefCell;
use std::sync::Arc;

/// Right-hand side of an [`Equation`] with its products for gradients, with respect to its states and
/// all its parameters.
///
/// Where an end of the interval depends on a parameter, the nodes move with it, and the products are
/// those of the equation in `(t - t0)/(t1 - t0)`: its solutions have the derivatives at these nodes.
#[derive(Debug)]
pub struct DifferentiableEquation {
    system: EquationSystem,
    vjp: Program<f64>,
    jvp: Program<f64>,
    derivatives: Arc<ParameterDerivatives>,
    work: RefCell<Work>,
}

#[derive(Debug)]
struct Work {
    /// Components, then cotangents of the states, or tangents of components and parameters.
    path: Vec<f64>,
    values: Vec<f64>,
    uniforms: Vec<f64>,
    vjp: Scratch<f64>,
    jvp: Scratch<f64>,
    /// Where an end of the interval depends on a parameter.
    interval: Option<MovingInterval>,
}

impl DifferentiableEquation {
    pub(super) fn new(
        equation: &Equation,
        system: EquationSystem,
        derivatives: Arc<ParameterDerivatives>,
    ) -> Result<Self, EquationProblemError> {
        let layout = &*system.layout;
        let drifts: Vec<Id> = equation.states().iter().map(|state| state.drift()).collect();
        let (vjp, jvp) = (vjp(equation, layout, &drifts)?, jvp(equation, layout, &drifts)?);
        let moves = derivatives.interval_moves();
        let interval = moves.then(|| MovingInterval::new(equation, layout, &drifts)).transpose()?;
        let (arguments, parameters) = (layout.arguments, layout.parameters.len());
        let work = Work {
            path: vec![0.0; 2 * arguments + parameters],
            values: vec![0.0; arguments + parameters],
            uniforms: [&[0.0], &layout.parameters[..]].concat(),
            vjp: Scratch::new(),
            jvp: Scratch::new(),
            interval,
        };
        Ok(Self { system, vjp, jvp, derivatives, work: RefCell::new(work) })
    }
}

/// A new variable for each row from `first` on, with its origin.
fn new_rows(graph: &mut Graph, inputs: &mut Vec<Input>, rows: std::ops::Range<usize>) -> Vec<Id> {
    rows.map(|row| {
        inputs.push(Input::Row(row));
        graph.variable(inputs.len() as u32 - 1)
    })
    .collect()
}

/// Variables of the parameters, each with its number.
fn parameter_variables(equation: &Equation) -> Vec<(u32, usize)> {
    let symbols = (0..).zip(equation.symbols());
    let parameters = symbols.filter_map(|(variable, symbol)| match *symbol {
        Symbol::Parameter(k) => Some((variable, k)),
        _ => None,
    });
    parameters.collect()
}

/// Cotangents of components and parameters, from those of the states.
fn vjp(
    equation: &Equation,
    layout: &Layout,
    drifts: &[Id],
) -> Result<Program<f64>, EquationProblemError> {
    let (mut graph, mut inputs) = (equation.graph().clone(), layout.inputs.clone());
    let dim = layout.arguments;
    let seeds = new_rows(&mut graph, &mut inputs, dim..dim + layout.states);
    let seeds: Vec<(Id, Id)> = drifts.iter().copied().zip(seeds).collect();
    let components = layout.argument_variables();
    let parameters = parameter_variables(equation);
    let all: Vec<u32> =
        components.iter().chain(&parameters).map(|(variable, _)| *variable).collect();
    let bars = derive::reverse(&mut graph, &seeds, &all)?;
    let zero = graph.constant(0.0);
    let mut roots = vec![zero; dim + layout.parameters.len()];
    let places = components.iter().map(|(_, row)| *row);
    let places = places.chain(parameters.iter().map(|(_, k)| dim + k));
    places.zip(bars).for_each(|(place, bar)| roots[place] = bar);
    Ok(Program::new(&graph, &roots, &inputs)?)
}

/// Tangents of the states, from those of components and parameters.
fn jvp(
    equation: &Equation,
    layout: &Layout,
    drifts: &[Id],
) -> Result<Program<f64>, EquationProblemError> {
    let (mut graph, mut inputs) = (equation.graph().clone(), layout.inputs.clone());
    let (dim, count) = (layout.arguments, layout.parameters.len());
    let tangents = new_rows(&mut graph, &mut inputs, dim..2 * dim + count);
    let components = layout.argument_variables();
    let parameters = parameter_variables(equation);
    let of_components = components.iter().map(|(variable, row)| (*variable, tangents[*row]));
    let of_parameters = parameters.iter().map(|(variable, k)| (*variable, tangents[dim + k]));
    let seeds: Vec<(u32, Id)> = of_components.chain(of_parameters).collect();
    let roots = derive::forward(&mut graph, drifts, &seeds)?;
    Ok(Program::new(&graph, &roots, &inputs)?)
}

impl System for DifferentiableEquation {
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        self.system.rhs(t, y, dydt);
    }

    fn dim(&self) -> Option<usize> {
        System::dim(&self.system)
    }

    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) -> bool {
        self.system.jacobian(t, y, jacobian)
    }
}

impl Differentiable for DifferentiableEquation {
    fn parameters(&self) -> &[f64] {
        &self.system.layout.parameters
    }

    fn vjp(&self, t: f64, y: &[f64], fbar: &[f64], ybar: &mut [f64], thetabar: &mut [f64]) {
        let layout = &*self.system.layout;
        let Work { path, values, uniforms, vjp, interval, .. } = &mut *self.work.borrow_mut();
        uniforms[0] = t;
        path[..y.len()].copy_from_slice(y);
        layout.add_starts(t, path);
        layout.by_state(fbar, &mut path[y.len()..][..layout.states]);
        self.vjp.run_scalar(&path[..y.len() + layout.states], uniforms, values, vjp);
        self.derivatives.add_vjp(layout, t - layout.interval.0, &values[..y.len()], thetabar);
        if let Some(interval) = interval {
            let (of, here) = ((&self.system, &*self.derivatives), (y, &path[..y.len()]));
            interval.add_vjp(of, here, uniforms, (fbar, thetabar));
        }
        let bars = ybar.iter_mut().chain(thetabar);
        bars.zip(&*values).for_each(|(bar, value)| *bar += value);
    }

    fn jvp(&self, t: f64, y: &[f64], dy: &[f64], dtheta: &[f64], df: &mut [f64]) {
        let layout = &*self.system.layout;
        let Work { path, uniforms, jvp, interval, .. } = &mut *self.work.borrow_mut();
        uniforms[0] = t;
        let (here, tangents) = path.split_at_mut(y.len());
        here.copy_from_slice(y);
        layout.add_starts(t, here);
        tangents[..y.len()].copy_from_slice(dy);
        tangents[y.len()..].copy_from_slice(dtheta);
        self.derivatives.add_jvp(layout, t - layout.interval.0, dtheta, tangents);
        self.jvp.run_scalar(path, uniforms, &mut df[..layout.states], jvp);
        layout.spread(df);
        if let Some(interval) = interval {
            let (of, here) = ((&self.system, &*self.derivatives), (y, &path[..y.len()]));
            interval.add_jvp(of, here, uniforms, (dtheta, df));
        }
    }
}
