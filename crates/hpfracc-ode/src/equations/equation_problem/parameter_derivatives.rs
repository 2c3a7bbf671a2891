use super::EquationProblemError;
use super::layout::{Layout, Start, initial_roots, values_at_start};
use crate::problem::product;
use hpfracc_equation::{Equation, Graph, Id, derive};
use hpfracc_special::{digamma, recip_gamma};

/// Derivatives of the numbers of a problem with respect to the parameters of its equation.
///
/// The nodes move with the interval, `t = t0 + L x` with fixed x. In x the equation is
/// `D^alpha y = L^alpha f(t0 + L x, y)` with the initial values `L^j y^(j)(t0)`: for every scheme, because
/// weights are proportional to the power alpha of the step.
#[derive(Debug)]
pub(super) struct ParameterDerivatives {
    /// Of the order of each component: component by component, by parameter.
    pub(super) orders: Vec<f64>,
    /// Of the initial values, divided by L^j: row by row and component by component, by parameter.
    pub(super) initial: Vec<f64>,
    /// Of the exponent and the factor of each term of [`Layout::starts`], by parameter.
    starts: Vec<[f64; 2]>,
    /// Of t0, by parameter.
    pub(super) start: Vec<f64>,
    /// Of ln L, by parameter.
    pub(super) stretch: Vec<f64>,
    /// Of the delays: delay by delay, by parameter.
    pub(super) delays: Vec<f64>,
    parameters: usize,
}

impl ParameterDerivatives {
    pub(super) fn new(equation: &Equation, layout: &Layout) -> Result<Self, EquationProblemError> {
        let (dim, rows, parameters) = (layout.dim(), layout.initial.len(), layout.parameters.len());
        let mut graph = equation.graph().clone();
        let zero = graph.constant(0.0);
        let states = equation.states().iter();
        let mut roots: Vec<Id> = states.map(|state| state.order()).collect();
        for state in equation.states() {
            roots.extend(state.lower_orders());
        }
        for k in 0..layout.states {
            let own = initial_roots(equation, &mut graph, k, rows)?;
            let taken = layout.orders[k].ceil() as usize;
            roots.extend((0..rows).map(|j| own[j].filter(|_| j < taken).unwrap_or(zero)));
        }
        let ends = roots.len();
        roots.extend(equation.interval().unwrap_or([zero; 2]));
        roots.extend(equation.delays());
        let of_roots = derivatives_at_start(equation, layout, &mut graph, &roots)?;
        let (t0, t1) = layout.interval;
        let start = of_roots[ends][..parameters].to_vec();
        let stretch =
            of_roots[ends + 1].iter().zip(&start).map(|(t1_, t0_)| (t1_ - t0_) / (t1 - t0));
        let first = |row: &Vec<f64>| row[..parameters].to_vec();
        let mut all = Self {
            orders: of_roots[..dim].iter().flat_map(first).collect(),
            initial: vec![0.0; rows * dim * parameters],
            starts: Vec::with_capacity(layout.starts.len() * parameters),
            stretch: stretch.collect(),
            start,
            delays: of_roots[ends + 2..].iter().flat_map(first).collect(),
            parameters,
        };
        for (at, row) in of_roots[dim..ends].iter().enumerate() {
            let (state, j) = (at / rows, at % rows);
            let to = &mut all.initial[(j * dim + state) * parameters..][..parameters];
            for ((to, value), start) in to.iter_mut().zip(row).zip(&all.start) {
                *to = value + product(row[parameters], *start);
            }
        }
        all.add_starts(layout);
        for (j, row) in layout.initial.iter().enumerate() {
            for (component, y) in row.iter().enumerate() {
                let to = &mut all.initial[(j * dim + component) * parameters..][..parameters];
                to.iter_mut().zip(&all.stretch).for_each(|(to, rate)| *to += j as f64 * y * rate);
            }
        }
        all.reduce(layout);
        Ok(all)
    }

    /// Whether an end of the interval depends on a parameter.
    pub(super) fn interval_moves(&self) -> bool {
        self.start.iter().chain(&self.stretch).any(|rate| *rate != 0.0)
    }

    /// Appends the derivatives of the known terms: `factor = y^(j)(t0)/Gamma(e + 1)`, e = j - a.
    fn add_starts(&mut self, layout: &Layout) {
        let dim = layout.dim();
        for start in &layout.starts {
            let state = layout.state_of[start.component];
            let (gamma, psi) = (recip_gamma(start.exponent + 1.0), digamma(start.exponent + 1.0));
            for k in 0..self.parameters {
                let of_exponent = -self.orders[start.component * self.parameters + k];
                let place = (start.derivative * dim + state) * self.parameters + k;
                // d/de 1/Gamma(e + 1) is finite where 1/Gamma is 0; psi is not, and neither occurs:
                // e > -1.
                let of_factor = self.initial[place] * gamma - start.factor * psi * of_exponent;
                self.starts.push([of_exponent, of_factor]);
            }
        }
    }

    /// Replaces the lower orders a_m by the orders a_M - a_m of the components.
    fn reduce(&mut self, layout: &Layout) {
        let parameters = self.parameters;
        let (states, lower) = self.orders.split_at_mut(layout.states * parameters);
        let lower = lower.chunks_exact_mut(parameters.max(1));
        for (lower, state) in lower.zip(&layout.state_of[layout.states..]) {
            let highest = &states[state * parameters..][..parameters];
            lower.iter_mut().zip(highest).for_each(|(lower, highest)| *lower = highest - *lower);
        }
    }

    /// Adds to each parameter the cotangent through the known terms at x = t - t0.
    pub(super) fn add_vjp(&self, layout: &Layout, x: f64, ybar: &[f64], thetabar: &mut [f64]) {
        for (start, derivatives) in self.of_starts(layout) {
            let (bar, power) = (ybar[start.component], x.powf(start.exponent));
            let changes = derivatives.iter().zip(&self.stretch);
            for (theta, (derivative, stretch)) in thetabar.iter_mut().zip(changes) {
                *theta += bar * slope(start, power, x, *derivative, *stretch);
            }
        }
    }

    /// Adds the tangent of the known terms at x = t - t0.
    pub(super) fn add_jvp(&self, layout: &Layout, x: f64, dtheta: &[f64], dy: &mut [f64]) {
        for (start, derivatives) in self.of_starts(layout) {
            let power = x.powf(start.exponent);
            let changes = derivatives.iter().zip(&self.stretch);
            for (dtheta, (derivative, stretch)) in dtheta.iter().zip(changes) {
                if *dtheta != 0.0 {
                    dy[start.component] += dtheta * slope(start, power, x, *derivative, *stretch);
                }
            }
        }
    }

    fn of_starts<'a>(
        &'a self,
        layout: &'a Layout,
    ) -> impl Iterator<Item = (&'a Start, &'a [[f64; 2]])> {
        layout.starts.iter().zip(self.starts.chunks_exact(self.parameters.max(1)))
    }
}

/// Derivative of `factor x^e` for those of the exponent, the factor and ln x. Parts that are identically
/// zero stay so at x = 0.
fn slope(
    start: &Start,
    power: f64,
    x: f64,
    [of_exponent, of_factor]: [f64; 2],
    stretch: f64,
) -> f64 {
    let by_factor = product(power, of_factor);
    if start.factor == 0.0 || x == 0.0 {
        return by_factor;
    }
    by_factor + start.factor * power * (of_exponent * x.ln() + start.exponent * stretch)
}

/// Derivatives of expressions at t0, a row each: with respect to the parameters, then time.
fn derivatives_at_start(
    equation: &Equation,
    layout: &Layout,
    graph: &mut Graph,
    roots: &[Id],
) -> Result<Vec<Vec<f64>>, EquationProblemError> {
    let variables = layout.parameter_and_time_variables();
    let entries = derive::jacobian(graph, roots, &variables)?;
    let values: Vec<Id> = entries.iter().map(|entry| entry.value).collect();
    let values = values_at_start(equation, graph, &values, layout.interval.0);
    let mut rows = vec![vec![0.0; variables.len()]; roots.len()];
    entries.iter().zip(values).for_each(|(entry, value)| rows[entry.row][entry.column] = value);
    Ok(rows)
}
