use hpfracc_equation::catalogue::Entry;
use hpfracc_equation::{Equation, Id, Symbol, Values, evaluate};

/// Equation of an entry.
pub(crate) fn equation(entry: &Entry) -> Equation {
    entry.equation().unwrap_or_else(|error| panic!("{}: {error}", entry.name))
}

/// Values of the variables of an equation; one that is not given is NaN.
#[derive(Clone, Copy)]
pub(crate) struct Point<'a> {
    pub(crate) t: f64,
    pub(crate) y: &'a [f64],
    /// Lagged components.
    pub(crate) lagged: &'a [f64],
    /// Lower derivatives of the only component.
    pub(crate) lower: &'a [f64],
}

impl Point<'_> {
    /// Time alone.
    pub(crate) fn at(t: f64) -> Self {
        Self { t, y: &[], lagged: &[], lower: &[] }
    }

    /// Values of expressions.
    pub(crate) fn values(self, equation: &Equation, roots: &[Id]) -> Vec<f64> {
        let path =
            |values: &[f64], k: usize| Values::Path(values.get(k).copied().unwrap_or(f64::NAN));
        let value = |symbol: &Symbol| match *symbol {
            Symbol::Time => Values::Uniform(self.t),
            Symbol::State(k) => path(self.y, k),
            Symbol::Parameter(k) => Values::Uniform(equation.parameters()[k].value()),
            Symbol::Lagged { state, .. } => path(self.lagged, state),
            Symbol::LowerDerivative { term, .. } => path(self.lower, term),
        };
        let variables: Vec<_> = equation.symbols().iter().map(value).collect();
        evaluate(equation.graph(), roots, &variables)
    }

    /// Right-hand sides without noise.
    pub(crate) fn drift(self, equation: &Equation) -> Vec<f64> {
        let roots: Vec<Id> = equation.states().iter().map(|state| state.drift()).collect();
        self.values(equation, &roots)
    }
}
