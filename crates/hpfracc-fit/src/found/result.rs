use super::covariance::Covariance;
use crate::FitError;
use crate::data::{Column, Facts, Set, Weighting};
use crate::factor::Factor;
use crate::minimise::{
    CheckpointSettings, FitFacts, LossScale, Minimum, Outcome, Session, StartSearch, by_median,
};
use crate::parameters::Layout;
use crate::pass::{Loss, Objective};
use hpfracc_communicator::Ranks;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// Result of a [`Fit`](crate::Fit).
#[derive(Debug)]
pub struct Found<'a> {
    pub(super) sets: Vec<Set<'a>>,
    pub(super) layout: Layout,
    pub(super) loss: Loss,
    pub(super) loss_scale: LossScale,
    pub(super) minimum: Minimum,
    pub(super) session: Session<'a>,
    search: Option<StartSearch>,
    /// Number of residuals.
    pub(super) data: u64,
    pub(super) facts: Facts,
    pub(super) covariance: Covariance,
    /// Of a loss other than the squares.
    pub(super) moments: Option<LossMoments>,
}

/// What takes the place of the variance of the residuals where the loss is not the squares.
#[derive(Debug, Clone, Copy)]
pub(super) struct LossMoments {
    /// Standard deviation of a residual of weight 1, by the median.
    pub(super) spread: f64,
    /// Increase of the cost by an unknown that is off by its standard error: the mean of psi^2 over that of psi'.
    pub(super) cost_unit: f64,
}

impl<'a> Found<'a> {
    pub(crate) fn new(
        sets: Vec<Set<'a>>,
        layout: Layout,
        (loss, loss_scale): (Loss, LossScale),
        (minimum, session, search): (Minimum, Session<'a>, Option<StartSearch>),
        (data, facts): (u64, Facts),
    ) -> Result<Self, FitError> {
        let objective = Objective::new(&sets, &layout, facts.squares.sqrt());
        let (scale, ranks) = (loss_scale.value, session.ranks);
        let objective = Objective { loss, scale, ranks, ..objective };
        let sandwich = match loss {
            Loss::Squares => None,
            _ => objective.sandwich(&minimum.unknowns)?,
        };
        let covariance = Covariance::new(&layout, &minimum, sandwich.as_ref(), data);
        let mut moments = None;
        if loss != Loss::Squares {
            let sizes = objective.residual_sizes(&minimum.unknowns)?;
            let spread = sizes.map_or(f64::NAN, by_median);
            let freedom = data.saturating_sub(covariance.free().len() as u64) as f64;
            let cost_unit = sandwich.map_or(f64::NAN, |sandwich| {
                (sandwich.squares / freedom) / (sandwich.slopes / data as f64)
            });
            moments = Some(LossMoments { spread, cost_unit });
        }
        Ok(Self {
            sets,
            layout,
            loss,
            loss_scale,
            minimum,
            session,
            search,
            data,
            facts,
            covariance,
            moments,
        })
    }

    /// How the fit ended.
    pub fn outcome(&self) -> Outcome {
        self.minimum.outcome
    }

    /// Number of rows that were skipped because a number in them is not finite.
    pub fn skipped(&self) -> u64 {
        self.facts.skipped
    }

    /// Why the last checkpoint could not be written.
    pub fn checkpoint_failure(&self) -> Option<String> {
        self.session.failure()
    }

    /// The search for a start; None if all parameters had one.
    pub fn start_search(&self) -> Option<StartSearch> {
        self.search
    }

    /// Number of passes over the data, without those of a search for a start.
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

    /// Variance of a residual of weight 1: 1 where the errors are known, else the cost over the degrees of freedom, or for
    /// another loss than the squares the square of 1.4826 median |residual|.
    pub fn variance(&self) -> f64 {
        match self.moments {
            _ if self.errors_are_known() => 1.0,
            Some(LossMoments { spread, .. }) => spread * spread,
            None => self.cost() / self.degrees_of_freedom() as f64,
        }
    }

    /// Loss of the residuals, and its scale; least squares have none.
    pub fn loss(&self) -> (Loss, Option<f64>) {
        (self.loss, Some(self.loss_scale.value).filter(|_| self.loss != Loss::Squares))
    }

    /// Increase of the cost by a parameter that is off by its standard error while the others follow.
    pub(super) fn cost_unit(&self) -> f64 {
        self.moments.map_or_else(|| self.variance(), |moments| moments.cost_unit)
    }

    /// Factor of the squares of [`Covariance::propagated`].
    pub(super) fn covariance_unit(&self) -> f64 {
        if self.moments.is_some() { 1.0 } else { self.variance() }
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

    pub(crate) fn sets(&self) -> &[Set<'a>] {
        &self.sets
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(crate) fn session(&self) -> &Session<'a> {
        &self.session
    }

    /// The sets and parameters, for the fit of other data.
    pub(crate) fn into_sets_and_layout(self) -> (Vec<Set<'a>>, Layout) {
        (self.sets, self.layout)
    }

    /// The objective on this rank alone.
    pub(super) fn objective(&self) -> Objective<'_> {
        let objective = Objective::new(&self.sets, &self.layout, self.facts.squares.sqrt());
        Objective { loss: self.loss, scale: self.loss_scale.value, ..objective }
    }

    /// The objective whose passes are shared by the ranks of the fit, and collective.
    pub(super) fn objective_over_ranks(&self) -> Objective<'_> {
        Objective { ranks: self.session.ranks, ..self.objective() }
    }
}

/// Result of a fit without its data and models, for callers that own these beside it, such as bindings of other languages.
///
/// ```
/// use hpfracc_equation::Formula;
/// use hpfracc_fit::{Fit, FormulaModel, Set};
///
/// let (x, y) = ([1.0, 2.0, 3.0, 4.0], [2.1, 3.9, 6.2, 7.8]);
/// let line = FormulaModel::new(&[Formula::parse("a + b x; a = 0; b = 1", &["x"])?])?;
/// let set = || Set::new("line", &line).input(&x).response(&y);
/// let detached = Fit::new(set())?.run()?.detach();
/// let found = detached.attach(vec![set()], None)?;
/// assert!((found.estimate("b").unwrap().value - 1.94).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct DetachedFound {
    /// Name and number of parameters of each set.
    sets: Vec<(String, usize)>,
    layout: Layout,
    loss: Loss,
    loss_scale: LossScale,
    minimum: Minimum,
    checkpoints: Option<(CheckpointSettings, FitFacts)>,
    failure: Option<String>,
    search: Option<StartSearch>,
    data: u64,
    facts: Facts,
    covariance: Covariance,
    moments: Option<LossMoments>,
}

impl Found<'_> {
    /// The result without its data and models.
    pub fn detach(self) -> DetachedFound {
        let failure = self.session.failure();
        let of_set = |set: &Set<'_>| (set.name.clone(), set.model.parameters().len());
        DetachedFound {
            sets: self.sets.iter().map(of_set).collect(),
            layout: self.layout,
            loss: self.loss,
            loss_scale: self.loss_scale,
            minimum: self.minimum,
            checkpoints: self.session.checkpoints,
            failure,
            search: self.search,
            data: self.data,
            facts: self.facts,
            covariance: self.covariance,
            moments: self.moments,
        }
    }
}

impl DetachedFound {
    /// The result with the sets of the fit and a flag that cancels what follows. The data are not compared with those of the
    /// fit: to evaluate a model at new inputs, a set may have others.
    ///
    /// # Errors
    /// [`FitError::OtherFit`] for sets of other names or numbers of parameters.
    pub fn attach<'a>(
        &self,
        sets: Vec<Set<'a>>,
        cancel: Option<&'a AtomicBool>,
    ) -> Result<Found<'a>, FitError> {
        let given = sets.iter().map(|set| (set.name.as_str(), set.model.parameters().len()));
        let own = self.sets.iter().map(|(name, parameters)| (name.as_str(), *parameters));
        if !given.eq(own) {
            return Err(FitError::OtherFit { state: "detached result", what: "sets" });
        }
        let (checkpoints, failure) = (self.checkpoints.clone(), Mutex::new(self.failure.clone()));
        Ok(Found {
            sets,
            layout: self.layout.clone(),
            loss: self.loss,
            loss_scale: self.loss_scale,
            minimum: self.minimum.clone(),
            session: Session { ranks: Ranks::ALONE, cancel, checkpoints, failure },
            search: self.search,
            data: self.data,
            facts: self.facts,
            covariance: self.covariance.clone(),
            moments: self.moments,
        })
    }
}
