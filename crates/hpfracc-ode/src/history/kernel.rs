use crate::OdeError;
use crate::error::{require, same_length};
use crate::problem::distinct;
use hpfracc_operators::OperatorError;
use hpfracc_special::{forward_differences_of_powers, recip_gamma, second_differences_of_powers};
use std::borrow::Cow;

/// Weights of one convolution: one row for all components, or one row per component.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    rows: Vec<Row>,
    /// The row of each component; empty if all share the first.
    of_component: Vec<usize>,
}

/// Weights by lag.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Row {
    /// Numbers, `weights[m]` for the lag m; a history does not use `weights[0]`.
    Table(Vec<f64>),
    /// The product rule of the kernel `t^(alpha-1)/Gamma(alpha)` on steps of length h.
    Product {
        /// The rule.
        rule: Rule,
        /// Order of the integral, 0 < alpha <= 20.
        alpha: f64,
        /// Length of a step.
        h: f64,
    },
}

/// Interpolation of f within a cell by a product integration rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Constant, its left value: `w[m] = h^alpha/Gamma(alpha+1) (m^alpha - (m-1)^alpha)`.
    Rectangle,
    /// Linear: `w[m] = h^alpha/Gamma(alpha+2) ((m+1)^(alpha+1) - 2 m^(alpha+1) + (m-1)^(alpha+1))`.
    Trapezoid,
}

impl Kernel {
    /// One row for all components.
    pub fn shared(row: Row) -> Self {
        Self { rows: vec![row], of_component: Vec::new() }
    }

    /// A row for each component; equal rows are stored once.
    pub fn per_component(rows: impl IntoIterator<Item = Row>) -> Self {
        let (rows, of_component) = distinct(rows);
        Self::of_rows(rows, of_component)
    }

    /// Rows, and the row of each component.
    pub(crate) fn of_rows(rows: Vec<Row>, mut of_component: Vec<usize>) -> Self {
        if rows.len() == 1 {
            of_component.clear();
        }
        Self { rows, of_component }
    }

    /// The product rule of the given orders: one for all components, or one for each.
    pub fn product(rule: Rule, orders: &[f64], h: f64) -> Self {
        Self::per_component(orders.iter().map(|&alpha| Row::Product { rule, alpha, h }))
    }

    /// The different rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The row of a component.
    pub fn row_of(&self, component: usize) -> usize {
        self.of_component.get(component).copied().unwrap_or(0)
    }

    /// Checks the number of components, and that tables reach the last lag.
    pub(crate) fn check(&self, dim: usize, capacity: usize) -> Result<(), OdeError> {
        if self.rows.is_empty() || dim == 0 {
            return Err(OdeError::Empty);
        }
        if !self.of_component.is_empty() {
            same_length("a kernel with a row for each component", self.of_component.len(), dim)?;
        }
        for row in &self.rows {
            if let Row::Table(weights) = row
                && weights.len() <= capacity
            {
                let (found, expected) = (weights.len(), capacity + 1);
                return Err(OdeError::Length { what: "a table of weights", found, expected });
            }
        }
        Ok(())
    }
}

impl Row {
    /// The weights of the lags 0 .. capacity.
    ///
    /// # Errors
    /// [`OdeError::OutOfRange`] unless a product rule has 0 < alpha <= 20 and a positive step;
    /// [`OdeError::Operator`] if its weights overflow.
    pub fn weights(&self, capacity: usize) -> Result<Cow<'_, [f64]>, OdeError> {
        let (rule, alpha, h) = match *self {
            Self::Table(ref weights) => {
                return Ok(Cow::Borrowed(&weights[..weights.len().min(capacity + 1)]));
            }
            Self::Product { rule, alpha, h } => (rule, alpha, h),
        };
        let inside = 0.0 < alpha && alpha <= 20.0;
        require(inside, "the order of a product rule", alpha, "0 < alpha <= 20")?;
        let inside = h.is_finite() && h > 0.0;
        require(inside, "the step of a product rule", h, "a positive finite number")?;
        let mut weights = vec![0.0; capacity + 1];
        let scale = h.powf(alpha)
            * match rule {
                Rule::Rectangle => {
                    forward_differences_of_powers(alpha, &mut weights[1..]);
                    recip_gamma(alpha + 1.0)
                }
                Rule::Trapezoid => {
                    second_differences_of_powers(alpha + 1.0, &mut weights);
                    recip_gamma(alpha + 2.0)
                }
            };
        weights.iter_mut().for_each(|weight| *weight *= scale);
        match weights.iter().find(|weight| !weight.is_finite()) {
            None => Ok(Cow::Owned(weights)),
            Some(&weight) => Err(OperatorError::Overflow { weight, scalar: "f64" }.into()),
        }
    }
}
