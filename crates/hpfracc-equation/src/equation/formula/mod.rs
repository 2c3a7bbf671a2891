//! Formulas: models without a differential equation.

mod complex;
mod complex_arithmetic;

pub use complex::NoComplexFunction;

use super::{Equation, Named, Parameter, Symbol};
use crate::graph::{Graph, Id};
use std::fmt;

/// Formula of columns of data and of parameters: a model without a differential equation.
///
/// The text is an expression, or an equation whose left side names a column, and after it, separated by `;` or a
/// new line, parameters with a value, range and unit, and definitions, as in the text of an [`Equation`]. A
/// name that is neither a column nor defined is a parameter without a value, NaN.
///
/// ```
/// use hpfracc_equation::Formula;
///
/// let formula = Formula::parse("y = a exp(-t/tau) + c; tau = 2 in (0, inf) [s]", &["t", "y"])?;
/// assert_eq!(formula.response(), Some("y"));
/// assert_eq!(formula.columns(), ["t"]);
/// let names: Vec<&str> = formula.parameters().iter().map(|p| p.name()).collect();
/// assert_eq!(names, ["tau", "a", "c"]);
/// assert_eq!(formula.parameters()[0].unit(), Some("s"));
/// assert_eq!(formula.to_string(), "y = a exp(-t/tau) + c");
/// # Ok::<(), hpfracc_equation::EquationError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    /// Columns are its states, and the formula is its shown quantity.
    pub(crate) equation: Equation,
    pub(crate) response: Option<String>,
}

impl Formula {
    /// Name on the left side.
    pub fn response(&self) -> Option<&str> {
        self.response.as_deref()
    }

    /// Columns that the formula depends on.
    pub fn columns(&self) -> Vec<&str> {
        self.used().map(|k| self.equation.states[k].name()).collect()
    }

    /// Parameters: those with a value first.
    pub fn parameters(&self) -> &[Parameter] {
        self.equation.parameters()
    }

    /// Graph of the formula.
    pub fn graph(&self) -> &Graph {
        self.equation.graph()
    }

    /// Root of the formula in the [graph](Self::graph).
    pub fn root(&self) -> Id {
        self.equation.shown[0].value
    }

    /// Numbers of the variables of the [columns](Self::columns), in their order.
    pub fn column_variables(&self) -> Vec<u32> {
        self.used().filter_map(|k| self.equation.variable(Symbol::State(k))).collect()
    }

    /// Numbers of the variables of the parameters.
    pub fn parameter_variables(&self) -> Vec<u32> {
        let parameters = 0..self.parameters().len();
        parameters.filter_map(|k| self.equation.variable(Symbol::Parameter(k))).collect()
    }

    /// Real and imaginary part of a formula in which columns have constant complex values `(re, im)`; other columns and
    /// parameters are real.
    ///
    /// Powers and logarithms have their principal values. A base without a real part, such as `i omega`, has to have a
    /// positive imaginary part: the power of a negative one is NaN.
    ///
    /// ```
    /// use hpfracc_equation::Formula;
    ///
    /// let impedance = Formula::parse("Z = R + 1/(i omega C)", &["omega", "i"])?;
    /// let [re, im] = impedance.complex_parts(&[("i", (0.0, 1.0))])?;
    /// assert_eq!(re.columns(), Vec::<&str>::new());
    /// assert_eq!(im.columns(), ["omega"]);
    /// assert_eq!(re.to_string(), "Z = R");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NoComplexFunction`].
    pub fn complex_parts(
        &self,
        columns: &[(&str, (f64, f64))],
    ) -> Result<[Self; 2], NoComplexFunction> {
        let value = |(name, value): &(&str, (f64, f64))| {
            let state = self.equation.state_index(name)?;
            Some((self.equation.variable(Symbol::State(state))?, *value))
        };
        let values: Vec<(u32, (f64, f64))> = columns.iter().filter_map(value).collect();
        let (graph, roots) = complex::parts(self.graph(), self.root(), &values)?;
        Ok(roots.map(|root| self.with_root(&graph, root)))
    }

    fn with_root(&self, graph: &Graph, root: Id) -> Self {
        let equation = Equation {
            graph: graph.clone(),
            symbols: self.equation.symbols.clone(),
            states: self.equation.states.clone(),
            parameters: self.equation.parameters.clone(),
            shown: vec![Named { name: String::new(), value: root }],
            ..Equation::default()
        };
        Self { equation, response: self.response.clone() }
    }

    /// Indices of the columns that occur.
    fn used(&self) -> impl Iterator<Item = usize> + '_ {
        let graph = self.graph();
        (0..self.equation.states.len()).filter(move |k| {
            let variable = self.equation.variable(Symbol::State(*k));
            graph.depends(|v| Some(v) == variable)[self.root().index()]
        })
    }
}

/// The formula without its parameters.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(response) = &self.response {
            write!(f, "{response} = ")?;
        }
        f.write_str(&self.equation.expression(self.root()))
    }
}
