use hpfracc_equation::{Equation, Input, Symbol};

/// Origins of the variables of an equation.
pub(super) fn inputs(equation: &Equation) -> Vec<Input> {
    let input = |symbol: &Symbol| match *symbol {
        Symbol::State(k) => Input::Row(k),
        Symbol::Parameter(k) => Input::Uniform(1 + k),
        // Lagged states and lower derivatives are refused before.
        _ => Input::Uniform(0),
    };
    equation.symbols().iter().map(input).collect()
}
