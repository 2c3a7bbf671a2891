//! Result of a fit: estimates with their uncertainty.

mod band;
mod compare;
mod covariance;
mod estimate;
mod identifiability;
mod profile;
mod report;

pub use band::Interval;
pub use compare::Criteria;
pub use estimate::{Estimate, HeldBy, ParameterRole};
pub use identifiability::WeakDirection;
pub use profile::Profile;

use crate::data::{Column, Facts, Set, Weighting};
use crate::factor::Factor;
use crate::minimise::{Minimum, Outcome};
use crate::parameters::Layout;
use crate::pass::{Loss, Objective};
use covariance::Covariance;

/// Result of a [`Fit`](crate::Fit).
#[derive(Debug)]
pub struct Found<'a> {
    sets: Vec<Set<'a>>,
    layout: Layout,
    loss: Loss,
    minimum: Minimum,
    /// Number of residuals.
    data: u64,
    facts: Facts,
    covariance: Covariance,
}

impl<'a> Found<'a> {
    pub(crate) fn new(
        sets: Vec<Set<'a>>,
        layout: Layout,
        loss: Loss,
        minimum: Minimum,
        data: u64,
        facts: Facts,
    ) -> Self {
        let covariance = Covariance::new(&layout, &minimum);
        Self { sets, layout, loss, minimum, data, facts, covariance }
    }

    /// How the fit ended.
    pub fn outcome(&self) -> Outcome {
        self.minimum.outcome
    }

    /// Number of rows that were skipped because a number in them is not finite.
    pub fn skipped(&self) -> u64 {
        self.facts.skipped
    }

    /// Number of passes over the data.
    pub fn passes(&self) -> usize {
        self.minimum.passes
    }

    /// Cost: the sum of the squares of the weighted residuals, or of their losses.
    pub fn cost(&self) -> f64 {
        self.minimum.part.cost
    }

    /// Number of residuals.
    pub fn data(&self) -> u64 {
        self.data
    }

    /// Residuals less free parameters that no bound holds.
    pub fn degrees_of_freedom(&self) -> u64 {
        self.data.saturating_sub(self.covariance.free().len() as u64)
    }

    /// Whether the standard deviations of the data are known.
    pub fn errors_are_known(&self) -> bool {
        let known = |(_, by): &(Column<'_>, Weighting<'_>)| matches!(by, Weighting::Sigma(_));
        self.sets.iter().all(|set| set.responses.iter().all(known))
    }

    /// Variance of a residual of weight 1: 1 where the errors are known, else the cost over the degrees of freedom.
    pub fn variance(&self) -> f64 {
        if self.errors_are_known() { 1.0 } else { self.cost() / self.degrees_of_freedom() as f64 }
    }

    /// Values of all parameters, free, fixed and tied.
    pub fn values(&self) -> Vec<f64> {
        self.layout.values(&self.minimum.unknowns)
    }

    /// Names of all parameters.
    pub fn names(&self) -> Vec<&str> {
        self.layout.parameters().names()
    }

    /// Triangular factor of [J r] at the result, J with respect to the free parameters or their logarithms.
    pub fn factor(&self) -> &Factor {
        &self.minimum.part.factor
    }

    fn objective(&self) -> Objective<'_> {
        let data_norm = self.facts.squares.sqrt();
        Objective { sets: &self.sets, layout: &self.layout, loss: self.loss, data_norm }
    }
}
