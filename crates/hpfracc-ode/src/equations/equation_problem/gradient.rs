//! Total derivatives of solutions with respect to the parameters of an equation.

use super::delayed::HistoryDerivatives;
use super::jumps::may_jump_in_time;
use super::parameter_derivatives::ParameterDerivatives;
use super::{EquationProblem, EquationProblemError, EquationSolution, Form, delayed};
use crate::equations::delay::LagDerivatives;
use crate::{Cotangents, DifferentiableScheme, OdeError, Options, Recursion, Variation};
use hpfracc_equation::Id;
use ndarray::Array2;

impl EquationProblem {
    /// Gradient of a loss with respect to all parameters of the equation, wherever they occur: in the
    /// right-hand side, orders, initial values, constant delays, histories and the ends of the interval.
    ///
    /// Cotangents are those of the solver's components at the nodes of the solution. Cost: see
    /// [`gradient`](crate::gradient()).
    ///
    /// - The nodes keep their place relative to the interval and move with its ends: at the last node
    ///   the derivative with respect to the end t1 is that of the numerical solution at t1.
    /// - A lagged value between nodes has the derivative of the interpolant. Where the lagged time is a
    ///   node, at which the interpolant has a kink, it is the mean of the derivatives on both sides: the
    ///   limit of central differences of solutions.
    ///
    /// ```
    /// use hpfracc_equation::Equation;
    /// use hpfracc_ode::{AdamsBashforthMoulton, Cotangents, EquationProblem, Options, Steps};
    ///
    /// // y' = y(t - tau) and y(t) = a before 0: y(2) = a (3 + (2 - tau)^2/2) for 1 <= tau <= 2.
    /// let text = "y' = y(t - tau); tau = 1.5; a = 2; y(t) = a for t <= 0; t in [0, 2]";
    /// let problem = EquationProblem::new(&Equation::parse(text)?)?;
    /// let (scheme, options) = (AdamsBashforthMoulton::default(), Options::default());
    /// let solution = problem.solve(&scheme, &Steps::Uniform(400), Options::default())?;
    /// let loss = Cotangents::At(&[(400, &[1.0])]);
    /// let by_parameter = problem.gradient(&scheme, &solution, loss, &options)?;
    /// assert!((by_parameter[0] - -1.0).abs() < 1e-2); // a (tau - 2)
    /// assert!((by_parameter[1] - 3.125).abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EquationProblemError::Unsupported`] for other derivatives than Caputo's, those of
    /// [`gradient`](crate::gradient()) and [`DelayProblem::gradient`](crate::DelayProblem::gradient), and
    /// [`OdeError::NotDifferentiable`] for a parameter of a delay or of the interval, if a history with
    /// delays does not end at the initial value or may jump at a time, or, in the interval, if the right-hand
    /// side may jump at a time, and by [`Exponential`](crate::Exponential).
    pub fn gradient(
        &self,
        scheme: &dyn DifferentiableScheme,
        solution: &EquationSolution,
        loss: Cotangents<'_>,
        options: &Options<'_>,
    ) -> Result<Vec<f64>, EquationProblemError> {
        let (solved, derivatives) = (solution.solution(), self.parameter_derivatives()?);
        check_interval(scheme, derivatives.interval_moves())?;
        let delays_move = derivatives.delays.iter().any(|rate| *rate != 0.0);
        self.check_jumps(derivatives.interval_moves(), delays_move)?;
        let bar = match &self.0.form {
            Form::Caputo(_) => {
                crate::gradient(&self.differentiable()?, scheme, solved, loss, options)?
            }
            Form::Delay(_) => self.with_lags(&derivatives, |problem, lags| {
                problem.gradient_of_parameters(scheme, solved, loss, options, lags)
            })?,
            _ => return Err(self.no_gradient()),
        };
        let mut total = bar.parameters;
        let count = total.len().max(1);
        let numbers = bar.orders.iter().zip(derivatives.orders.chunks_exact(count));
        let initial = bar.initial.iter().zip(derivatives.initial.chunks_exact(count));
        for (bar, derivatives) in numbers.chain(initial) {
            total.iter_mut().zip(derivatives).for_each(|(total, of)| *total += bar * of);
        }
        Ok(total)
    }

    /// Derivative of the solution with respect to a parameter of the equation: a row for each node
    /// with the solver's components, of which the first are the states.
    ///
    /// # Errors
    /// [`EquationProblemError::UnknownParameter`], those of [`gradient`](Self::gradient) for this
    /// parameter and of [`tangent`](crate::tangent()).
    pub fn sensitivity(
        &self,
        scheme: &dyn DifferentiableScheme,
        solution: &EquationSolution,
        parameter: &str,
        options: &Options<'_>,
    ) -> Result<Array2<f64>, EquationProblemError> {
        let mut all = self.sensitivities(scheme, solution, &[parameter], options)?;
        Ok(all.swap_remove(0))
    }

    /// [`sensitivity`](Self::sensitivity) for several parameters, an array each. Without delays they
    /// share work: see [`tangents`](crate::tangents()).
    ///
    /// # Errors
    /// As [`sensitivity`](Self::sensitivity).
    pub fn sensitivities(
        &self,
        scheme: &dyn DifferentiableScheme,
        solution: &EquationSolution,
        parameters: &[&str],
        options: &Options<'_>,
    ) -> Result<Vec<Array2<f64>>, EquationProblemError> {
        let (solved, derivatives) = (solution.solution(), self.parameter_derivatives()?);
        let directions: Vec<Variation> = parameters
            .iter()
            .map(|name| self.checked_direction(scheme, name, &derivatives))
            .collect::<Result<_, _>>()?;
        match &self.0.form {
            Form::Caputo(_) => {
                let problem = self.differentiable()?;
                Ok(crate::tangents(&problem, scheme, solved, &directions, options)?)
            }
            Form::Delay(_) => {
                let tangent = |direction: &Variation| {
                    self.with_lags(&derivatives, |problem, lags| {
                        problem.tangent_of_parameters(scheme, solved, direction, options, lags)
                    })
                };
                directions.iter().map(tangent).collect()
            }
            _ => Err(self.no_gradient()),
        }
    }

    /// Direction of a parameter by its name.
    fn checked_direction(
        &self,
        scheme: &dyn DifferentiableScheme,
        name: &str,
        derivatives: &ParameterDerivatives,
    ) -> Result<Variation, EquationProblemError> {
        let parameters = self.equation().parameters();
        let Some(k) = parameters.iter().position(|known| known.name() == name) else {
            return Err(EquationProblemError::UnknownParameter { name: name.to_owned() });
        };
        let interval_moves = derivatives.start[k] != 0.0 || derivatives.stretch[k] != 0.0;
        check_interval(scheme, interval_moves)?;
        let delays = derivatives.delays.chunks_exact(parameters.len());
        self.check_jumps(interval_moves, delays.into_iter().any(|of| of[k] != 0.0))?;
        Ok(self.direction(k, derivatives))
    }

    /// Runs a function with the delay problem and the derivatives of its lagged values.
    fn with_lags<R>(
        &self,
        derivatives: &ParameterDerivatives,
        run: impl FnOnce(
            &super::Delayed<super::DifferentiableEquation>,
            LagDerivatives<'_>,
        ) -> Result<R, OdeError>,
    ) -> Result<R, EquationProblemError> {
        let (equation, layout) = (&self.0.equation, &self.0.layout);
        let problem = delayed(equation, layout, self.differentiable_system()?)?;
        let history = HistoryDerivatives::new(equation, layout, derivatives)?;
        let ParameterDerivatives { delays, start, stretch, .. } = derivatives;
        let before = &|s: f64, rows: &mut [f64]| history.write(s, rows);
        Ok(run(&problem, LagDerivatives { delays, start, stretch, before })?)
    }

    /// Refuses jumps at times which the nodes or the lagged times move over.
    fn check_jumps(&self, interval_moves: bool, delays_move: bool) -> Result<(), OdeError> {
        let equation = &self.0.equation;
        let histories = equation.states().iter().filter_map(|state| state.history());
        let mut moved: Vec<Id> = histories.filter(|_| interval_moves || delays_move).collect();
        if interval_moves {
            moved.extend(equation.states().iter().map(|state| state.drift()));
        }
        if may_jump_in_time(equation, &moved) {
            let what = "an equation whose right-hand side or history may jump at a time, by `if`, `floor`, \
                        `sign` or the slope of a table, with respect to an end of the interval or a delay";
            return Err(OdeError::NotDifferentiable { what });
        }
        Ok(())
    }

    /// Checks that solutions of the equation have derivatives.
    ///
    /// # Errors
    /// [`EquationProblemError::Unsupported`] and [`EquationProblemError::NoDerivative`].
    pub fn check_gradient(&self) -> Result<(), EquationProblemError> {
        match &self.0.form {
            Form::Caputo(_) | Form::Delay(_) => self.differentiable_system().map(|_| ()),
            _ => Err(self.no_gradient()),
        }
    }

    /// Direction of a parameter in all numbers of the problem.
    fn direction(&self, k: usize, derivatives: &ParameterDerivatives) -> Variation {
        let layout = &self.0.layout;
        let count = layout.parameters.len();
        let of_parameter =
            |all: &[f64]| -> Vec<f64> { all.iter().skip(k).step_by(count).copied().collect() };
        let mut parameters = vec![0.0; count];
        parameters[k] = 1.0;
        let shape = (layout.initial.len(), layout.dim());
        let values = of_parameter(&derivatives.initial);
        let initial = Array2::from_shape_fn(shape, |(row, column)| values[row * shape.1 + column]);
        Variation { initial, parameters, orders: of_parameter(&derivatives.orders) }
    }
}

/// Refuses an interval that moves by a scheme whose linear part would have to move with it.
fn check_interval(scheme: &dyn DifferentiableScheme, moves: bool) -> Result<(), OdeError> {
    match scheme.recursion() {
        Recursion::Exponential(_) if moves => {
            let what = "an exponential integrator with respect to an end of the interval";
            Err(OdeError::NotDifferentiable { what })
        }
        _ => Ok(()),
    }
}
