//! The operators and schemes as data: for a command line, a table, a configuration file.

use crate::definitions::{
    atangana_baleanu, caputo, caputo_fabrizio, distributed_order, erdelyi_kober,
    fractional_laplacian, grunwald_letnikov, hadamard, katugampola, marchaud, miller_ross,
    prabhakar, riemann_liouville, riesz, riesz_feller, rl_integral, spectral_laplacian, tempered,
    variable_order, weyl,
};
use crate::{Operator, OperatorError};
use hpfracc_types::Order;
use std::fmt;
use std::sync::Arc;

/// One definition of a fractional derivative or integral: what it is, whatever computes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Definition {
    /// Its name, such as `caputo`.
    pub name: &'static str,
    /// Its name in a sentence, such as `Caputo derivative`.
    pub title: &'static str,
    /// The formula.
    pub formula: &'static str,
    /// What it makes of a constant.
    pub of_constants: &'static str,
    /// What it makes of a power of t.
    pub of_powers: &'static str,
    /// How it stands to other definitions.
    pub relation: &'static str,
    /// Where it is defined.
    pub source: &'static str,
    /// What it needs to know besides the order.
    pub parameters: &'static [Parameter],
}

/// A number that a definition needs besides the order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// Its name, such as `lambda`.
    pub name: &'static str,
    /// What it is, with its unit.
    pub meaning: &'static str,
    /// The values allowed.
    pub range: &'static str,
    /// What it is when it is not given; `None` if it has to be given.
    pub default: Option<f64>,
    /// A value that shows its effect, for tables, plots and tests.
    pub example: f64,
}

/// One scheme of one definition.
#[derive(Clone, Copy)]
pub struct Entry {
    /// What the scheme computes.
    pub definition: &'static Definition,
    /// Name of the scheme.
    pub scheme: &'static str,
    /// Orders for which it is defined.
    pub range: Range,
    /// Order of accuracy for smooth functions at fixed t.
    pub accuracy: &'static str,
    /// What n samples cost.
    pub cost: &'static str,
    /// What the record is taken to be outside its samples.
    pub outside: &'static str,
    pub(crate) make: fn(Order, &[f64]) -> Made,
}

/// The orders for which a scheme is defined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// In a formula, such as `0 < alpha < 1`.
    pub text: &'static str,
    /// Some of them, away from whole numbers: for tables, plots and tests.
    pub examples: &'static [f64],
}

pub(crate) type Made = Result<Arc<dyn Operator>, OperatorError>;

impl Range {
    pub(crate) const UNIT: Self = Self { text: "0 < alpha < 1", examples: &[0.2, 0.7] };
    pub(crate) const ONE_TO_TWO: Self = Self { text: "1 < alpha < 2", examples: &[1.3, 1.8] };
    pub(crate) const TO_TWO: Self = Self { text: "0 < alpha <= 2", examples: &[0.5, 1.6] };
    pub(crate) const ANY: Self = Self { text: "alpha >= 0", examples: &[0.4, 1.4, 2.6] };
    pub(crate) const TO_TWENTY: Self =
        Self { text: "0 <= alpha <= 20", examples: &[0.4, 1.4, 2.6] };
    pub(crate) const POSITIVE_TO_TWENTY: Self =
        Self { text: "0 < alpha <= 20", examples: &[0.4, 1.4, 2.6] };
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text)
    }
}

impl Entry {
    /// The operator of this order, with the parameters given by name.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] if the order lies outside [`Entry::range`],
    /// [`OperatorError::UnknownParameter`], [`OperatorError::RepeatedParameter`] and
    /// [`OperatorError::MissingParameter`] if the names are not those of the definition,
    /// [`OperatorError::Parameter`] for a value outside its range.
    pub fn make(
        &self,
        order: Order,
        given: &[(&str, f64)],
    ) -> Result<Arc<dyn Operator>, OperatorError> {
        (self.make)(order, &self.definition.values(given)?)
    }

    /// The operator with the example's value of every parameter.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] if the order lies outside [`Entry::range`].
    pub fn example(&self, order: Order) -> Result<Arc<dyn Operator>, OperatorError> {
        let examples: Vec<f64> = self.definition.parameters.iter().map(|p| p.example).collect();
        (self.make)(order, &examples)
    }

    /// The names of definition and scheme, separated by a space.
    pub fn name(&self) -> String {
        format!("{} {}", self.definition.name, self.scheme)
    }
}

impl Definition {
    /// The values of all parameters in order.
    fn values(&self, given: &[(&str, f64)]) -> Result<Vec<f64>, OperatorError> {
        let operator = self.name;
        for (i, (name, _)) in given.iter().enumerate() {
            let name = || (*name).to_owned();
            if !self.parameters.iter().any(|p| p.name == given[i].0) {
                let known: Vec<&str> = self.parameters.iter().map(|p| p.name).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                return Err(OperatorError::UnknownParameter { operator, name: name(), known });
            }
            if given[..i].iter().any(|(earlier, _)| *earlier == given[i].0) {
                return Err(OperatorError::RepeatedParameter { operator, name: name() });
            }
        }
        let value = |parameter: &Parameter| {
            let named = given.iter().find(|(name, _)| *name == parameter.name);
            named.map(|(_, value)| *value).or(parameter.default).ok_or(
                OperatorError::MissingParameter {
                    operator,
                    name: parameter.name,
                    meaning: parameter.meaning,
                    range: parameter.range,
                },
            )
        };
        self.parameters.iter().map(value).collect()
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Entry").field(&self.name()).finish()
    }
}

/// What a scheme costs, in one phrase.
pub(crate) mod cost {
    pub(crate) const CONVOLUTION: &str = "one causal convolution";
    pub(crate) const TWO_CONVOLUTIONS: &str = "two causal convolutions";
    pub(crate) const EXPONENTIALS: &str = "a sum of exponentials, O(n K), K about 100";
    pub(crate) const MULTIPLIER: &str = "one transform pair";
    pub(crate) const MULTIPLIER_TWICE: &str = "one transform pair of twice the length";
}

/// What the record is taken to be outside its samples, in one phrase.
pub(crate) mod outside {
    pub(crate) const STARTS: &str = "starts at the first sample";
    pub(crate) const ZERO: &str = "zero before the first sample";
    pub(crate) const HELD: &str = "what the first sample is, before it";
    pub(crate) const PERIODIC: &str = "periodic";
    pub(crate) const COMPACT: &str = "zero on both sides";
    pub(crate) const ODD: &str = "an interval with odd mirror images";
    pub(crate) const EVEN: &str = "an interval with even mirror images";
}

/// Puts an operator where the catalogue wants it.
pub(crate) fn arc(operator: impl Operator + 'static) -> Made {
    Ok(Arc::new(operator))
}

/// Every operator and scheme, definition by definition. [`named`] takes the first scheme of a
/// definition that is defined for the order, so the usual ones come first.
pub const CATALOGUE: &[&[Entry]] = &[
    caputo::ENTRIES,
    riemann_liouville::ENTRIES,
    grunwald_letnikov::ENTRIES,
    rl_integral::ENTRIES,
    tempered::RIEMANN_ENTRIES,
    tempered::CAPUTO_ENTRIES,
    tempered::NORMALISED_ENTRIES,
    tempered::INTEGRAL_ENTRIES,
    caputo_fabrizio::ENTRIES,
    caputo_fabrizio::INTEGRAL_ENTRIES,
    atangana_baleanu::CAPUTO_ENTRIES,
    atangana_baleanu::RIEMANN_ENTRIES,
    atangana_baleanu::INTEGRAL_ENTRIES,
    prabhakar::INTEGRAL_ENTRIES,
    prabhakar::CAPUTO_ENTRIES,
    prabhakar::RIEMANN_ENTRIES,
    marchaud::ENTRIES,
    miller_ross::ENTRIES,
    hadamard::INTEGRAL_ENTRIES,
    hadamard::DERIVATIVE_ENTRIES,
    hadamard::CAPUTO_ENTRIES,
    katugampola::INTEGRAL_ENTRIES,
    katugampola::DERIVATIVE_ENTRIES,
    katugampola::CAPUTO_ENTRIES,
    erdelyi_kober::ENTRIES,
    weyl::ENTRIES,
    riesz::ENTRIES,
    riesz_feller::ENTRIES,
    fractional_laplacian::ENTRIES,
    spectral_laplacian::DIRICHLET_ENTRIES,
    spectral_laplacian::NEUMANN_ENTRIES,
    variable_order::TIME_ENTRIES,
    variable_order::SAMPLE_ENTRIES,
    variable_order::LAG_ENTRIES,
    distributed_order::ENTRIES,
];

/// The entries of [`CATALOGUE`] one after the other.
pub fn catalogue() -> impl Iterator<Item = &'static Entry> {
    CATALOGUE.iter().copied().flatten()
}

/// The operator with these names: the first scheme of the catalogue whose range holds the order if
/// no scheme is named. Parameters are given by name; see [`Definition::parameters`].
///
/// ```
/// use hpfracc_operators::{Operator, named};
/// use hpfracc_types::Order;
///
/// assert_eq!(named("caputo", None, Order::new(0.5)?, &[])?.name(), ("caputo", "l1"));
/// assert_eq!(named("caputo", None, Order::new(1.5)?, &[])?.name(), ("caputo", "l2-midpoint"));
/// assert!(named("kaputo", None, Order::new(0.5)?, &[]).is_err());
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
///
/// # Errors
/// [`OperatorError::UnknownOperator`] and [`OperatorError::UnknownScheme`], which list the names
/// known; [`OperatorError::NoScheme`] if no scheme of the operator is defined for the order; and
/// those of [`Entry::make`].
pub fn named(
    operator: &str,
    scheme: Option<&str>,
    order: Order,
    parameters: &[(&str, f64)],
) -> Result<Arc<dyn Operator>, OperatorError> {
    let Some(entries) = CATALOGUE.iter().find(|entries| entries[0].definition.name == operator)
    else {
        let known: Vec<&str> = CATALOGUE.iter().map(|e| e[0].definition.name).collect();
        let (name, known) = (operator.to_owned(), known.join(", "));
        return Err(OperatorError::UnknownOperator { name, known });
    };
    let definition = entries[0].definition;
    let values = definition.values(parameters)?;
    let Some(scheme) = scheme else {
        for entry in *entries {
            match (entry.make)(order, &values) {
                Err(OperatorError::OutOfRange { .. }) => {}
                made => return made,
            }
        }
        let mut ranges: Vec<&str> = entries.iter().map(|e| e.range.text).collect();
        ranges.dedup();
        let (operator, alpha) = (definition.name, order.value());
        return Err(OperatorError::NoScheme { operator, alpha, ranges: ranges.join(", ") });
    };
    match entries.iter().find(|e| e.scheme == scheme) {
        Some(entry) => (entry.make)(order, &values),
        None => {
            let known: Vec<&str> = entries.iter().map(|e| e.scheme).collect();
            Err(OperatorError::UnknownScheme {
                operator: definition.name,
                name: scheme.to_owned(),
                known: known.join(", "),
            })
        }
    }
}
