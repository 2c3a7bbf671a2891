//! The types of the catalogue: definitions and the rows of their schemes.

use crate::error::in_range;
use crate::{Operator, OperatorError, Result};
use hpfracc_types::Order;
use std::fmt;
use std::sync::Arc;

/// One definition of a fractional derivative or integral, apart from its schemes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Definition {
    /// Name, such as `caputo`.
    pub name: &'static str,
    /// Name in a sentence, such as `Caputo derivative`.
    pub title: &'static str,
    /// Formula.
    pub formula: &'static str,
    /// The derivative or integral of a constant.
    pub of_constants: &'static str,
    /// The derivative or integral of a power of t.
    pub of_powers: &'static str,
    /// Relation to other definitions.
    pub relation: &'static str,
    /// Reference.
    pub source: &'static str,
    /// Parameters other than the order.
    pub parameters: &'static [Parameter],
}

/// A parameter of a definition other than the order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// Name, such as `lambda`.
    pub name: &'static str,
    /// Meaning, with its unit.
    pub meaning: &'static str,
    /// The values allowed.
    pub range: &'static str,
    /// Default value; `None` if the parameter is required.
    pub default: Option<f64>,
    /// A value that shows its effect, for tables, plots and tests.
    pub example: f64,
}

/// One scheme of one definition.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The definition that the scheme discretises.
    pub definition: &'static Definition,
    /// Name of the scheme.
    pub scheme: &'static str,
    /// Orders for which it is defined.
    pub range: Range,
    /// Order of accuracy for smooth functions at fixed t.
    pub accuracy: &'static str,
    /// Cost of n samples.
    pub cost: &'static str,
    /// Continuation of the signal outside its samples.
    pub outside: &'static str,
    pub(crate) make: fn(Order, &[f64]) -> Made,
}

/// The orders for which a scheme is defined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// As a formula, such as `0 < alpha < 1`.
    pub text: &'static str,
    /// Examples away from whole numbers, for tables, plots and tests.
    pub examples: &'static [f64],
    /// The smallest order; after an excluded bound, the next `f64`.
    pub smallest: f64,
    /// The largest order; before an excluded bound, the previous `f64`.
    pub largest: f64,
}

pub(crate) type Made = Result<Arc<dyn Operator>>;

/// The `f64` next to 0.
const POSITIVE: f64 = 0.0f64.next_up();

impl Range {
    pub(crate) const UNIT: Self =
        Self::new("0 < alpha < 1", (POSITIVE, 1.0f64.next_down()), &[0.2, 0.7]);
    pub(crate) const ONE_TO_TWO: Self =
        Self::new("1 < alpha < 2", (1.0f64.next_up(), 2.0f64.next_down()), &[1.3, 1.8]);
    pub(crate) const BELOW_TWO: Self =
        Self::new("0 < alpha < 2", (POSITIVE, 2.0f64.next_down()), &[0.5, 1.6]);
    pub(crate) const TO_TWO: Self = Self::new("0 < alpha <= 2", (POSITIVE, 2.0), &[0.5, 1.6]);
    pub(crate) const ANY: Self = Self::new("alpha >= 0", (0.0, f64::INFINITY), &[0.4, 1.4, 2.6]);
    pub(crate) const TO_TWENTY: Self = Self::new("0 <= alpha <= 20", (0.0, 20.0), &[0.4, 1.4, 2.6]);
    pub(crate) const POSITIVE_TO_TWENTY: Self =
        Self::new("0 < alpha <= 20", (POSITIVE, 20.0), &[0.4, 1.4, 2.6]);

    pub(crate) const fn new(
        text: &'static str,
        (smallest, largest): (f64, f64),
        examples: &'static [f64],
    ) -> Self {
        Self { text, examples, smallest, largest }
    }

    /// Refuses an order outside the range for the scheme (operator, scheme).
    pub(crate) fn check(self, name: (&'static str, &'static str), order: Order) -> Result<()> {
        in_range((self.smallest..=self.largest).contains(&order.value()), name, order, self.text)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text)
    }
}

impl Entry {
    /// The same scheme with another cost.
    pub(crate) const fn costs(self, cost: &'static str) -> Self {
        Self { cost, ..self }
    }

    /// The same scheme with another continuation outside the samples.
    pub(crate) const fn outside(self, outside: &'static str) -> Self {
        Self { outside, ..self }
    }

    /// The operator of this order, with parameters by name.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] if the order lies outside [`Entry::range`],
    /// [`OperatorError::UnknownParameter`], [`OperatorError::RepeatedParameter`] and
    /// [`OperatorError::MissingParameter`] if the names are not those of the definition,
    /// [`OperatorError::Parameter`] for a value outside its range.
    pub fn make(&self, order: Order, given: &[(&str, f64)]) -> Result<Arc<dyn Operator>> {
        (self.make)(order, &self.definition.values(given)?)
    }

    /// The operator with the example value of every parameter.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] if the order lies outside [`Entry::range`].
    pub fn example(&self, order: Order) -> Result<Arc<dyn Operator>> {
        let examples: Vec<f64> = self.definition.parameters.iter().map(|p| p.example).collect();
        (self.make)(order, &examples)
    }

    /// The names of definition and scheme, separated by a space.
    pub fn name(&self) -> String {
        format!("{} {}", self.definition.name, self.scheme)
    }
}

impl Definition {
    /// A scheme of this definition: one causal convolution with its lower terminal at the first
    /// sample.
    pub(crate) const fn scheme(
        &'static self,
        scheme: &'static str,
        range: Range,
        accuracy: &'static str,
        make: fn(Order, &[f64]) -> Made,
    ) -> Entry {
        let (cost, outside) = (cost::CONVOLUTION, outside::STARTS);
        Entry { definition: self, scheme, range, accuracy, cost, outside, make }
    }

    /// The values of all parameters in order.
    pub(crate) fn values(&self, given: &[(&str, f64)]) -> Result<Vec<f64>> {
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

/// The cost of a scheme, in one phrase.
pub(crate) mod cost {
    pub(crate) const CONVOLUTION: &str = "one causal convolution";
    pub(crate) const TWO_CONVOLUTIONS: &str = "two causal convolutions";
    pub(crate) const EXPONENTIALS: &str = "a sum of exponentials, O(n K), K about 100";
    pub(crate) const MULTIPLIER: &str = "one transform pair";
    pub(crate) const MULTIPLIER_TWICE: &str = "one transform pair of twice the length";
}

/// The continuation of the signal outside its samples, in one phrase.
pub(crate) mod outside {
    pub(crate) const STARTS: &str = "starts at the first sample";
    pub(crate) const ZERO: &str = "zero before the first sample";
    pub(crate) const HELD: &str = "what the first sample is, before it";
    pub(crate) const PERIODIC: &str = "periodic";
    pub(crate) const COMPACT: &str = "zero on both sides";
    pub(crate) const ODD: &str = "an interval with odd mirror images";
    pub(crate) const EVEN: &str = "an interval with even mirror images";
}

/// An operator as the catalogue stores it.
pub(crate) fn arc(operator: impl Operator + 'static) -> Made {
    Ok(Arc::new(operator))
}
