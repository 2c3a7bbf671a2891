//! The parts of a right-hand side: linear diffusion of each field, reactions at a point, the rest.

use crate::error::{PdeError, Result};
use hpfracc_equation::structure::coefficients;
use hpfracc_equation::{Applied, FieldEquation, FieldVariables, Graph, Id, Node, SpatialOperation};

/// Right-hand side of each field: `coefficient applied[k] + reaction + coupling`.
pub(super) struct Parts {
    pub(super) graph: Graph,
    /// Number of the applied operator and its coefficient, if the field has a linear part.
    pub(super) linear: Vec<Option<(usize, Id)>>,
    /// Terms without operators in space.
    pub(super) reactions: Vec<Id>,
    /// All other terms.
    pub(super) coupling: Vec<Id>,
}

impl Parts {
    /// Parts of an equation: the linear part of a field is its Laplacian, a power of it or diffusion in a
    /// given medium, with a coefficient of parameters that is positive now; the highest power if there
    /// are several.
    pub(super) fn new(equation: &FieldEquation) -> Self {
        let (mut graph, variables) = (equation.graph().clone(), equation.variables());
        let applied = equation.applied();
        let zero = graph.constant(0.0);
        let fields = equation.fields().len();
        let mut parts = Self {
            linear: vec![None; fields],
            reactions: vec![zero; fields],
            coupling: vec![zero; fields],
            graph: Graph::new(),
        };
        for (field, state) in equation.fields().iter().enumerate() {
            let Ok(linear) = coefficients(&mut graph, state.drift(), &variables.applied) else {
                parts.coupling[field] = state.drift();
                continue;
            };
            parts.reactions[field] = linear.constant;
            let own = variables.fields[field];
            let exponent = |k: usize| {
                linear_exponent(equation, (&graph, &variables), &applied[k], own)
                    .filter(|_| is_positive(equation, (&graph, &variables), linear.coefficients[k]))
            };
            let best = (0..applied.len())
                .filter_map(|k| Some((k, exponent(k)?)))
                .max_by(|(_, one), (_, other)| one.total_cmp(other))
                .map(|(k, _)| k);
            parts.linear[field] = best.map(|k| (k, linear.coefficients[k]));
            let mut rest: Option<Id> = None;
            for (k, c) in linear.coefficients.iter().enumerate() {
                if Some(k) == best || is_zero(&graph, *c) {
                    continue;
                }
                let operator = graph.variable(variables.applied[k]);
                let product = graph.product(*c, operator);
                rest = Some(match rest {
                    Some(sum) => graph.sum(sum, product),
                    None => product,
                });
            }
            parts.coupling[field] = rest.unwrap_or(zero);
        }
        parts.graph = graph;
        parts
    }

    /// Whether the equation is linear with constant coefficients, and sources that do not depend on time.
    pub(super) fn is_linear_autonomous(&self, variables: &FieldVariables) -> bool {
        let varies = |number| number == 0 || variables.fields.contains(&number);
        let depends = self.graph.depends(varies);
        self.coupling.iter().all(|root| is_zero(&self.graph, *root))
            && self.reactions.iter().all(|root| !depends[root.index()])
    }
}

/// Whether a node is the constant 0.
pub(super) fn is_zero(graph: &Graph, id: Id) -> bool {
    graph.node(id).as_constant() == Some(0.0)
}

/// Exponent of an operator that can be the linear part of a field, given by its variable.
fn linear_exponent(
    equation: &FieldEquation,
    (graph, variables): (&Graph, &FieldVariables),
    applied: &Applied,
    own: u32,
) -> Option<f64> {
    if graph.node(applied.of) != Node::Variable(own) {
        return None;
    }
    match applied.operation {
        SpatialOperation::Laplacian { exponent } => Some(equation.values(&[exponent])[0]),
        SpatialOperation::Gradient { .. } | SpatialOperation::Reduction(_) => None,
        SpatialOperation::Diffusion { coefficient } => {
            let varies = |number: u32| {
                number == 0
                    || variables.fields.contains(&number)
                    || variables.applied.contains(&number)
            };
            (!graph.depends(varies)[coefficient.index()]).then_some(1.0)
        }
    }
}

/// Whether an expression is a positive number now, of constants and parameters alone.
fn is_positive(
    equation: &FieldEquation,
    (graph, variables): (&Graph, &FieldVariables),
    id: Id,
) -> bool {
    value_of(equation, (graph, variables), id).is_some_and(|value| value > 0.0)
}

/// Value of an expression of constants and parameters in a graph with these variables.
pub(super) fn value_of(
    equation: &FieldEquation,
    (graph, variables): (&Graph, &FieldVariables),
    id: Id,
) -> Option<f64> {
    use hpfracc_equation::{Values, evaluate};
    let parameter = |number: u32| variables.parameters.iter().position(|p| *p == number);
    if graph.depends(|number| parameter(number).is_none())[id.index()] {
        return None;
    }
    let inputs: Vec<_> = values_of_parameters(equation).into_iter().map(Values::Uniform).collect();
    evaluate::<f64>(graph, &[id], &inputs).first().copied()
}

/// Values of all variables of an equation: those of the parameters, NaN for all others.
pub(super) fn values_of_parameters(equation: &FieldEquation) -> Vec<f64> {
    let variables = equation.variables();
    let rows = [&variables.coordinates, &variables.fields, &variables.applied];
    let mut values = vec![f64::NAN; 1 + rows.iter().map(|list| list.len()).sum::<usize>()];
    values.resize(values.len() + variables.parameters.len(), f64::NAN);
    for (number, parameter) in variables.parameters.iter().zip(equation.parameters()) {
        values[*number as usize] = parameter.value();
    }
    values
}

/// Refuses a graph that has no derivative where one is needed.
pub(super) fn no_derivative(error: hpfracc_equation::derive::NoDerivative) -> PdeError {
    PdeError::Text { reason: error.to_string() }
}

/// The result of compiling an expression.
pub(super) fn compiled<T>(result: Result<T, hpfracc_equation::ProgramError>) -> Result<T> {
    result.map_err(|error| PdeError::Text { reason: error.to_string() })
}
