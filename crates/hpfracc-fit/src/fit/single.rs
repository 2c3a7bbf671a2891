use super::plan::FitPlan;
use crate::data::{Column, Facts, Set, Weighting};
use crate::factor::Part;
use crate::found::Found;
use crate::minimise::{
    CheckpointSettings, Checkpoints, Hook, Limits, State, first_round, minimise_with_scale,
    set_round,
};
use crate::parameters::{Layout, Parameters, Role, Tie};
use crate::pass::{Loss, Objective};
use crate::{FitError, Progress};
use hpfracc_checkpoint::{Fingerprint, crc64_append};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Largest number of passes by default.
pub(super) const MAX_PASSES: usize = 20_000;

/// Nonlinear least squares of one or several data sets.
///
/// Minimises `sum of ((model - data)/sigma)^2` over the free parameters, with exact derivatives, by steps of Levenberg
/// and Marquardt with geodesic acceleration, projected on the bounds. Parameters of the same name are shared by all sets.
///
/// Cost: a pass over the data for each step, 2 (p + 1)^2 operations a row for p parameters beside the model, and twice that
/// with acceleration, which begins after two rejected steps. Memory: some blocks of 512 rows, whatever the number of rows. The bits of the result do not
/// depend on the number of threads.
///
/// ```
/// use hpfracc_equation::Formula;
/// use hpfracc_fit::{Fit, FormulaModel, Set};
///
/// let x = [1.0, 2.0, 3.0, 4.0];
/// let y = [2.1, 3.9, 6.2, 7.8];
/// let line = FormulaModel::new(&[Formula::parse("a + b x; a = 0; b = 1", &["x"])?])?;
/// let found = Fit::new(Set::new("line", &line).input(&x).response(&y))?.run()?;
/// assert!((found.estimate("b").unwrap().value - 1.94).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Fit<'a> {
    sets: Vec<Set<'a>>,
    parameters: Parameters,
    loss: Loss,
    loss_scale: Option<f64>,
    max_passes: usize,
    progress: Option<Hook<'a>>,
    cancel: Option<&'a AtomicBool>,
    checkpoints: Option<CheckpointSettings>,
    facts: Facts,
}

impl<'a> Fit<'a> {
    /// Fit of one set.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn new(set: Set<'a>) -> Result<Self, FitError> {
        Self::of(vec![set])
    }

    /// Fit of several sets, which share parameters of the same name.
    ///
    /// # Errors
    /// [`FitError`] for columns that do not fit the model, of different lengths, with numbers that are not finite, or with
    /// standard deviations or weights that are not positive; and for known standard deviations beside unknown ones.
    pub fn of(sets: Vec<Set<'a>>) -> Result<Self, FitError> {
        if sets.is_empty() {
            return Err(FitError::Empty { what: "sets of data" });
        }
        let facts = sets.iter().map(Set::check).sum::<Result<Facts, FitError>>()?;
        check_errors(&sets)?;
        let parameters = Parameters::new(sets.iter().map(|set| set.model.parameters()));
        Ok(Self {
            sets,
            parameters,
            loss: Loss::Squares,
            loss_scale: None,
            max_passes: MAX_PASSES,
            progress: None,
            cancel: None,
            checkpoints: None,
            facts,
        })
    }

    /// Sets the start of a parameter.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn start(mut self, name: &str, value: f64) -> Result<Self, FitError> {
        self.parameters.get_mut(name)?.declared.start = Some(value);
        Ok(self)
    }

    /// Sets the bounds of a parameter; infinite ones are none.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn bounds(mut self, name: &str, lower: f64, upper: f64) -> Result<Self, FitError> {
        let declared = &mut self.parameters.get_mut(name)?.declared;
        (declared.lower, declared.upper) = (lower, upper);
        Ok(self)
    }

    /// Keeps a parameter at a value.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn fix(mut self, name: &str, value: f64) -> Result<Self, FitError> {
        let parameter = self.parameters.get_mut(name)?;
        (parameter.declared.start, parameter.role) = (Some(value), Role::Fixed);
        Ok(self)
    }

    /// Ties a parameter to others by an expression, such as `2.3 - a`.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`], and [`FitError::Tie`] for an expression that cannot be read or names something else.
    pub fn tie(mut self, name: &str, expression: &str) -> Result<Self, FitError> {
        let tie = Tie::parse(name, expression, &self.parameters.names())?;
        self.parameters.get_mut(name)?.role = Role::Tied(tie);
        Ok(self)
    }

    /// Fits the logarithm of a parameter, a positive scale: its relative size matters.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn logarithmic(mut self, name: &str) -> Result<Self, FitError> {
        self.parameters.get_mut(name)?.declared.logarithmic = true;
        Ok(self)
    }

    /// Gives each set a parameter of its own, called `name@set`.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn own(mut self, name: &str) -> Result<Self, FitError> {
        let sets: Vec<&str> = self.sets.iter().map(|set| set.name.as_str()).collect();
        self.parameters.separate(name, &sets)?;
        Ok(self)
    }

    /// Normal prior of a parameter. The errors of the data have to be known.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`], [`FitError::PriorNeedsSigma`], and [`FitError::OutOfRange`] for a standard deviation
    /// that is not positive.
    pub fn prior(
        mut self,
        name: &str,
        mean: f64,
        standard_deviation: f64,
    ) -> Result<Self, FitError> {
        let known = |(_, by): &(Column<'_>, Weighting<'_>)| matches!(by, Weighting::Sigma(_));
        if !self.sets.iter().all(|set| set.responses.iter().all(known)) {
            return Err(FitError::PriorNeedsSigma { name: name.to_owned() });
        }
        let parameter = self.parameters.get_mut(name)?;
        if !(standard_deviation > 0.0 && standard_deviation.is_finite() && mean.is_finite()) {
            let what = "the standard deviation of a prior";
            let expected = "a positive finite number, and a finite mean";
            return Err(FitError::OutOfRange { what, value: standard_deviation, expected });
        }
        parameter.prior = Some((mean, standard_deviation));
        Ok(self)
    }

    /// Sets the loss of the residuals.
    ///
    /// Without a [`loss_scale`](Self::loss_scale) the scale is 1.4826 times the median of the sizes of the residuals, their
    /// standard deviation if most of them are normal: fits and medians by turns, at most 10, from least squares on. That
    /// takes 8 bytes for each residual.
    pub fn loss(mut self, loss: Loss) -> Self {
        self.loss = loss;
        self
    }

    /// Sets the scale of the loss, which least squares do not have.
    ///
    /// # Errors
    /// [`FitError::OutOfRange`] for a scale that is not positive and finite.
    pub fn loss_scale(mut self, scale: f64) -> Result<Self, FitError> {
        if !(scale > 0.0 && scale.is_finite()) {
            let (what, expected) = ("the scale of the loss", "a positive finite number");
            return Err(FitError::OutOfRange { what, value: scale, expected });
        }
        self.loss_scale = Some(scale);
        Ok(self)
    }

    /// Sets the largest number of passes over the data.
    pub fn max_passes(mut self, passes: usize) -> Self {
        self.max_passes = passes;
        self
    }

    /// Calls a function before each step.
    pub fn progress(mut self, hook: &'a mut dyn FnMut(Progress)) -> Self {
        self.progress = Some(hook);
        self
    }

    /// Keeps the state in a folder, after a step, when this time has passed since the last one, and when the fit is
    /// cancelled. A fit whose folder has a state of the same fit goes on from there, to the same bits.
    ///
    /// A state has some kilobytes. If it cannot be written, the fit goes on, and
    /// [`Found::checkpoint_failure`] says why.
    pub fn checkpoints(mut self, folder: impl Into<PathBuf>, every: Duration) -> Self {
        self.checkpoints = Some(CheckpointSettings { folder: folder.into(), every });
        self
    }

    /// Ends the fit at the next step once the flag is true.
    pub fn cancel(mut self, flag: &'a AtomicBool) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Memory that the fit takes beyond its data, with the threads of the current pool. [`run`](Self::run) refuses what
    /// memory cannot hold, before it begins.
    ///
    /// ```
    /// use hpfracc_equation::Formula;
    /// use hpfracc_fit::{Fit, FormulaModel, Loss, Set};
    ///
    /// let x: Vec<f64> = (0..1_000_000).map(|k| k as f64).collect();
    /// let line = FormulaModel::new(&[Formula::parse("a + b x; a = 0; b = 1", &["x"])?])?;
    /// let fit = Fit::new(Set::new("line", &line).input(&x).response(&x))?;
    /// assert!(fit.plan().bytes() < 4 << 20);
    /// // A loss whose scale is the median of the residuals needs all of them.
    /// assert!(fit.loss(Loss::Huber).plan().bytes() > 8_000_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan(&self) -> FitPlan {
        let free = self.parameters.all.iter().filter(|p| matches!(p.role, Role::Free)).count();
        FitPlan::new(&self.sets, free, self.loss)
    }

    /// Minimises from the starts.
    ///
    /// # Errors
    /// [`FitError`] for parameters without a start or with one outside of the bounds, for fewer data than parameters, and
    /// for a model that is not finite at the start; for data that cannot be read; [`FitError::Memory`] for a
    /// [`plan`](Self::plan) that memory cannot hold; and [`FitError::Checkpoint`] for
    /// checkpoints of another fit, or a folder that cannot be used. Every other end has a result, whose [`Outcome`](crate::Outcome) says
    /// which one it is.
    pub fn run(self) -> Result<Found<'a>, FitError> {
        self.plan().check()?;
        let priors =
            self.parameters.all.iter().filter(|parameter| parameter.prior.is_some()).count();
        let data = self.facts.data + priors as u64;
        let layout = Layout::new(self.parameters)?;
        let parameters = layout.free().len();
        if data < parameters as u64 {
            return Err(FitError::TooFew { data, parameters });
        }
        let (sets, loss, given) = (&self.sets, self.loss, self.loss_scale);
        let mut objective = Objective::new(sets, &layout, self.facts.squares.sqrt());
        let mut begin = first_state(&mut objective, (loss, given))?;
        let mut checkpoints = None;
        if let Some(place) = &self.checkpoints {
            let fingerprint = fingerprint(&objective, (loss, given), &self.facts, &begin.1)?;
            let (folder, state) = Checkpoints::open::<State>(place, fingerprint)?;
            if let Some(state) = state {
                set_round(&mut objective, state.round, (loss, given));
                let part = state.part(&objective)?;
                begin = (state, part);
            }
            checkpoints = Some(folder);
        }
        let limits = Limits {
            max_passes: self.max_passes,
            progress: self.progress,
            cancel: self.cancel,
            checkpoints: checkpoints.as_mut(),
        };
        let of_loss = (limits, loss, given);
        let (minimum, loss_scale) = minimise_with_scale(&mut objective, data, begin, of_loss)?;
        let failure = checkpoints.and_then(|checkpoints| checkpoints.failure);
        let loss = (loss, loss_scale);
        Found::new(self.sets, layout, loss, (minimum, failure), (data, self.facts))
    }
}

/// Refuses known standard deviations beside unknown ones.
pub(super) fn check_errors<'s>(
    sets: impl IntoIterator<Item = &'s Set<'s>>,
) -> Result<(), FitError> {
    let known = |weighting: &Weighting<'_>| matches!(weighting, Weighting::Sigma(_));
    let mut all = sets.into_iter().flat_map(|set| set.responses.iter().map(|(_, by)| known(by)));
    let first = all.next();
    if all.any(|known| Some(known) != first) { Err(FitError::MixedErrors) } else { Ok(()) }
}

/// State and factor at the starts, in the first round of a loss with the given scale.
pub(super) fn first_state(
    objective: &mut Objective<'_>,
    (loss, given): (Loss, Option<f64>),
) -> Result<(State, Part), FitError> {
    let round = first_round(given);
    set_round(objective, round, (loss, given));
    let (mut state, part) = State::start(objective, objective.layout.start())?;
    state.round = round;
    Ok((state, part))
}

/// What tells a fit from others: its parameters, its loss, its data, and by the factor at the starts its model.
fn fingerprint(
    objective: &Objective<'_>,
    (loss, given): (Loss, Option<f64>),
    facts: &Facts,
    part: &Part,
) -> Result<Fingerprint, FitError> {
    let bits = |values: &mut dyn Iterator<Item = f64>| {
        let sum = |sum, value: f64| crc64_append(sum, &value.to_le_bytes());
        format!("{:016x}", values.fold(0, sum))
    };
    let columns = part.factor.columns();
    let entries = &mut (0..columns * columns).map(|k| part.factor.entry(k / columns, k % columns));
    let data = [facts.squares, facts.log_weights];
    let rows = format!("{} used, {} rows skipped", facts.data, facts.skipped);
    Fingerprint::new([
        ("parameters", format!("{:?}", objective.layout.parameters())),
        ("loss", format!("{loss:?}, scale {given:?}")),
        ("number of data", rows),
        ("data", bits(&mut data.into_iter())),
        ("model and data at the starts", bits(entries)),
    ])
    .map_err(|error| FitError::Checkpoint { reason: error.to_string() })
}

impl std::fmt::Debug for Fit<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fit")
            .field("sets", &self.sets)
            .field("parameters", &self.parameters)
            .finish()
    }
}
