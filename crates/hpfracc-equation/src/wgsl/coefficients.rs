use super::{ShaderError, ShaderFunction};
use crate::{Equation, Id, Input, Symbol, derive};

/// Drifts and noise coefficients of an equation as function `coefficients`: the drift of each component, then, component
/// by component, the coefficients of its noise terms. Lagged states and lower derivatives are rows after the components.
///
/// ```
/// use hpfracc_equation::Equation;
/// use hpfracc_equation::wgsl::{NumberFormat, coefficients};
///
/// let equation = Equation::parse("dX = -X dt + 0.5 X dW; X(0) = 1")?;
/// let text = coefficients(&equation)?.text(NumberFormat::Single);
/// assert!(text.contains("fn coefficients(at: u32, x0: real) -> coefficients_values"));
/// assert!(text.contains("= negate(x0); // -X"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`ShaderFunction::new`].
pub fn coefficients(equation: &Equation) -> Result<ShaderFunction, ShaderError> {
    let (inputs, names) = (inputs(equation), equation.variable_names());
    let roots = roots(equation);
    ShaderFunction::new("coefficients", equation.graph(), &roots, (&inputs, &names))
}

/// Products of cotangents of the [`coefficients`] with their derivatives (vjp) as function `coefficients_vjp`: with respect
/// to each component, then to each parameter. The cotangents are rows after those of the coefficients.
///
/// ```
/// use hpfracc_equation::Equation;
/// use hpfracc_equation::wgsl::coefficients_vjp;
///
/// let equation = Equation::parse("dX = -k sin(X) dt; k = 2; X(0) = 1")?;
/// let function = coefficients_vjp(&equation)?;
/// assert_eq!((function.rows(), function.roots()), (2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`ShaderFunction::new`], and [`ShaderError::NoDerivative`].
pub fn coefficients_vjp(equation: &Equation) -> Result<ShaderFunction, ShaderError> {
    let (mut inputs, mut names) = (inputs(equation), equation.variable_names());
    let mut graph = equation.graph().clone();
    let rows = inputs.iter().filter(|input| matches!(input, Input::Row(_))).count();
    let mut seeds = Vec::new();
    for (k, root) in roots(equation).into_iter().enumerate() {
        let seed = graph.variable(inputs.len() as u32);
        inputs.push(Input::Row(rows + k));
        names.push(format!("cotangent {k}"));
        seeds.push((root, seed));
    }
    let states = (0..equation.states().len()).map(Symbol::State);
    let symbols = states.chain((0..equation.parameters().len()).map(Symbol::Parameter));
    let variables: Vec<u32> = symbols.filter_map(|symbol| equation.variable(symbol)).collect();
    let products = derive::reverse(&mut graph, &seeds, &variables)?;
    ShaderFunction::new("coefficients_vjp", &graph, &products, (&inputs, &names))
}

/// Drifts, then the coefficients of the noise terms.
fn roots(equation: &Equation) -> Vec<Id> {
    let drifts = equation.states().iter().map(|state| state.drift());
    let noises = equation.states().iter().flat_map(|state| state.noise());
    drifts.chain(noises.map(|term| term.coefficient())).collect()
}

/// Origins of the variables.
fn inputs(equation: &Equation) -> Vec<Input> {
    let mut rows = equation.states().len();
    let input = |symbol: &Symbol| match *symbol {
        Symbol::State(k) => Input::Row(k),
        Symbol::Parameter(k) => Input::Uniform(1 + k),
        Symbol::Time => Input::Uniform(0),
        Symbol::Lagged { .. } | Symbol::LowerDerivative { .. } => {
            rows += 1;
            Input::Row(rows - 1)
        }
    };
    equation.symbols().iter().map(input).collect()
}
