use super::EquationProblemError;
use hpfracc_equation::{Equation, Graph, Id, Input, Symbol, Values, derive, evaluate};
use hpfracc_special::recip_gamma;

/// Components of the solver's state for an equation: the states, then the lower derivatives of each,
/// which solve Caputo problems of the orders `a_M - a_m` with the same right-hand side (see
/// [`MultiTerm`](crate::MultiTerm)).
#[derive(Debug)]
pub(super) struct Layout {
    /// Number of states of the equation.
    pub(super) states: usize,
    /// Length of the argument of the right-hand side: components, then those of each delay.
    pub(super) arguments: usize,
    /// For each component, the state whose right-hand side it has.
    pub(super) state_of: Vec<usize>,
    /// Order of each component.
    pub(super) orders: Vec<f64>,
    /// Rows y, y', ... of all components.
    pub(super) initial: Vec<Vec<f64>>,
    pub(super) interval: (f64, f64),
    /// Known terms of lower derivatives.
    pub(super) starts: Vec<Start>,
    /// Values of the parameters.
    pub(super) parameters: Vec<f64>,
    /// Origins of the variables: components, lagged components by delay; time, parameters.
    pub(super) inputs: Vec<Input>,
}

/// Term `factor (t - t0)^exponent` of a component.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start {
    pub(super) component: usize,
    /// Derivative of the state whose initial value it has.
    pub(super) derivative: usize,
    pub(super) exponent: f64,
    pub(super) factor: f64,
}

impl Layout {
    pub(super) fn new(equation: &Equation) -> Result<Self, EquationProblemError> {
        let ends = equation.interval().ok_or(EquationProblemError::NoInterval)?;
        let ends = equation.values(&ends);
        let (states, t0) = (equation.states().len(), ends[0]);
        let mut state_of: Vec<usize> = (0..states).collect();
        let highest: Vec<Id> = equation.states().iter().map(|state| state.order()).collect();
        let mut orders = equation.values(&highest);
        let rows = orders.iter().copied().fold(0.0, f64::max).ceil() as usize;
        let mut initial = vec![vec![0.0; states]; rows];
        let mut graph = equation.graph().clone();
        let zero = graph.constant(0.0);
        let (mut starts, mut first_lower) = (Vec::new(), Vec::with_capacity(states));
        for (k, state) in equation.states().iter().enumerate() {
            let own = initial_roots(equation, &mut graph, k, orders[k].ceil() as usize)?;
            let own: Vec<Id> = own.into_iter().map(|root| root.unwrap_or(zero)).collect();
            let own = values_at_start(equation, &graph, &own, t0);
            initial.iter_mut().zip(&own).for_each(|(row, value)| row[k] = *value);
            first_lower.push(orders.len());
            for alpha in equation.values(state.lower_orders()) {
                let component = orders.len();
                for (j, value) in own.iter().enumerate().skip(alpha.ceil() as usize) {
                    let exponent = j as f64 - alpha;
                    let factor = value * recip_gamma(exponent + 1.0);
                    starts.push(Start { component, derivative: j, exponent, factor });
                }
                state_of.push(k);
                orders.push(orders[k] - alpha);
                initial.iter_mut().for_each(|row| row.push(0.0));
            }
        }
        let components = orders.len();
        let row = |symbol: &Symbol| match *symbol {
            Symbol::Time => Input::Uniform(0),
            Symbol::Parameter(k) => Input::Uniform(1 + k),
            Symbol::State(k) => Input::Row(k),
            Symbol::LowerDerivative { state, term } => Input::Row(first_lower[state] + term),
            Symbol::Lagged { state, delay } => Input::Row((1 + delay) * components + state),
        };
        Ok(Self {
            states,
            arguments: components * (1 + equation.delays().len()),
            state_of,
            initial,
            interval: (t0, ends[1]),
            starts,
            parameters: equation.parameters().iter().map(|parameter| parameter.value()).collect(),
            inputs: equation.symbols().iter().map(row).collect(),
            orders,
        })
    }

    /// Number of components.
    pub(super) fn dim(&self) -> usize {
        self.orders.len()
    }

    /// Variables of the arguments of the right-hand side, each with its place.
    pub(super) fn argument_variables(&self) -> Vec<(u32, usize)> {
        let inputs = (0..).zip(&self.inputs);
        let rows = inputs.filter_map(|(variable, input)| match *input {
            Input::Row(row) => Some((variable, row)),
            Input::Uniform(_) => None,
        });
        rows.collect()
    }

    /// Variables of the parameters, in their order, then that of time.
    pub(super) fn parameter_and_time_variables(&self) -> Vec<u32> {
        let mut variables = vec![0; self.parameters.len() + 1];
        for (variable, input) in (0..).zip(&self.inputs) {
            match *input {
                Input::Uniform(0) => variables[self.parameters.len()] = variable,
                Input::Uniform(k) => variables[k - 1] = variable,
                Input::Row(_) => {}
            }
        }
        variables
    }

    /// Initial values as rows.
    pub(super) fn rows(&self) -> Vec<&[f64]> {
        self.initial.iter().map(Vec::as_slice).collect()
    }

    /// Adds the known terms of lower derivatives.
    pub(super) fn add_starts(&self, t: f64, y: &mut [f64]) {
        // 0 x^e is not 0 at x = 0 for negative e.
        for start in self.starts.iter().filter(|start| start.factor != 0.0) {
            y[start.component] += start.factor * (t - self.interval.0).powf(start.exponent);
        }
    }

    /// Adds the cotangents or tangents of the components of each state.
    pub(super) fn by_state(&self, of_components: &[f64], of_states: &mut [f64]) {
        of_states.fill(0.0);
        for (value, state) in of_components.iter().zip(&self.state_of) {
            of_states[*state] += value;
        }
    }

    /// Writes the value of each component's state.
    pub(super) fn spread(&self, out: &mut [f64]) {
        let (states, others) = out.split_at_mut(self.states);
        for (out, state) in others.iter_mut().zip(&self.state_of[self.states..]) {
            *out = states[*state];
        }
    }
}

/// Expressions of the first `count` derivatives of a state at t0: of its initial values, or of its
/// history. `None` is 0.
pub(super) fn initial_roots(
    equation: &Equation,
    graph: &mut Graph,
    state: usize,
    count: usize,
) -> Result<Vec<Option<Id>>, EquationProblemError> {
    let state = &equation.states()[state];
    let time = equation.variable(Symbol::Time).unwrap_or(0);
    let (mut of_history, mut roots) = (state.history(), Vec::with_capacity(count));
    for j in 0..count {
        let given = state.initial().get(j).copied().flatten();
        roots.push(given.or(of_history));
        if let Some(history) = of_history {
            let one = graph.constant(1.0);
            of_history = derive::forward(graph, &[history], &[(time, one)])?.pop();
        }
    }
    Ok(roots)
}

/// Values of expressions of parameters and of time at t0, in a graph with the equation's variables.
pub(super) fn values_at_start(
    equation: &Equation,
    graph: &Graph,
    roots: &[Id],
    t0: f64,
) -> Vec<f64> {
    let variables: Vec<Values<f64>> = equation
        .symbols()
        .iter()
        .map(|symbol| match *symbol {
            Symbol::Time => Values::Uniform(t0),
            Symbol::Parameter(k) => Values::Uniform(equation.parameters()[k].value()),
            _ => Values::Uniform(f64::NAN),
        })
        .collect();
    evaluate(graph, roots, &variables)
}
