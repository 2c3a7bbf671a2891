use super::EquationProblemError;
use super::layout::Layout;
use super::parameter_derivatives::ParameterDerivatives;
use super::system::EquationSystem;
use crate::System;
use crate::problem::product;
use hpfracc_equation::{Equation, Id, Program, Scratch, Symbol, derive};

/// Derivative of the right-hand side `L^alpha f(t0 + L x, y)` of an equation in `x = (t - t0)/L`, divided
/// by L^alpha, with respect to parameters of t0 and L. See [`ParameterDerivatives`].
#[derive(Debug)]
pub(super) struct MovingInterval {
    /// Derivatives of the states' right-hand sides with respect to time.
    by_time: Program<f64>,
    scratch: Scratch<f64>,
    /// f, component by component, and its derivative with respect to time.
    slopes: [Vec<f64>; 2],
}

impl MovingInterval {
    pub(super) fn new(
        equation: &Equation,
        layout: &Layout,
        drifts: &[Id],
    ) -> Result<Self, EquationProblemError> {
        let mut graph = equation.graph().clone();
        let time = equation.variable(Symbol::Time).unwrap_or(0);
        let one = graph.constant(1.0);
        let roots = derive::forward(&mut graph, drifts, &[(time, one)])?;
        Ok(Self {
            by_time: Program::new(&graph, &roots, &layout.inputs)?,
            scratch: Scratch::new(),
            slopes: [vec![0.0; layout.dim()], vec![0.0; layout.dim()]],
        })
    }

    /// Evaluates f and its derivative with respect to time; `path` is y with the known terms.
    fn evaluate(
        &mut self,
        system: &EquationSystem,
        (y, path): (&[f64], &[f64]),
        uniforms: &[f64],
    ) -> impl Iterator<Item = (f64, f64)> {
        let (layout, [f, by_time]) = (&*system.layout, &mut self.slopes);
        system.rhs(uniforms[0], y, f);
        self.by_time.run_scalar(path, uniforms, &mut by_time[..layout.states], &mut self.scratch);
        layout.spread(by_time);
        let scaled = f.iter().zip(&layout.orders).map(|(f, alpha)| alpha * f);
        scaled.zip(by_time.iter().copied())
    }

    /// Adds to each parameter the cotangent through the ends of the interval.
    pub(super) fn add_vjp(
        &mut self,
        (system, of): (&EquationSystem, &ParameterDerivatives),
        (y, path): (&[f64], &[f64]),
        uniforms: &[f64],
        (fbar, thetabar): (&[f64], &mut [f64]),
    ) {
        let x = uniforms[0] - system.layout.interval.0;
        let (mut of_stretch, mut of_time) = (0.0, 0.0);
        for ((scaled, by_time), bar) in self.evaluate(system, (y, path), uniforms).zip(fbar) {
            of_stretch += bar * scaled;
            of_time += product(by_time, *bar);
        }
        for ((theta, start), stretch) in thetabar.iter_mut().zip(&of.start).zip(&of.stretch) {
            *theta += of_stretch * stretch + product(of_time, start + x * stretch);
        }
    }

    /// Adds the tangent through the ends of the interval.
    pub(super) fn add_jvp(
        &mut self,
        (system, of): (&EquationSystem, &ParameterDerivatives),
        (y, path): (&[f64], &[f64]),
        uniforms: &[f64],
        (dtheta, df): (&[f64], &mut [f64]),
    ) {
        let x = uniforms[0] - system.layout.interval.0;
        let along = |rates: &[f64]| rates.iter().zip(dtheta).map(|(rate, d)| rate * d).sum::<f64>();
        let (start, stretch) = (along(&of.start), along(&of.stretch));
        for ((scaled, by_time), df) in self.evaluate(system, (y, path), uniforms).zip(df) {
            *df += scaled * stretch + product(by_time, start + x * stretch);
        }
    }
}
