use super::plan::FitPlan;
use crate::data::{Column, Facts, Set, Weighting};
use crate::factor::Part;
use crate::found::Found;
use crate::minimise::{
    CheckpointSettings, Checkpoints, FitFacts, Further, Hook, Limits, Rounds, Session, State,
    find_starts,
};
use crate::parameters::{Layout, Parameters, Role, Tie};
use crate::pass::{Loss, Objective};
use crate::{FitError, Progress};
use hpfracc_checkpoint::crc64_append;
use hpfracc_communicator::Ranks;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Largest number of passes by default.
pub(super) const MAX_PASSES: usize = 20_000;

/// Nonlinear least squares of one or several data sets.
///
/// Minimises `sum of ((model - data)/sigma)^2` over the free parameters, with exact derivatives, by steps of Levenberg
/// and Marquardt with geodesic acceleration, projected on the bounds. Parameters of the same name are shared by all sets.
///
/// Parameters in which all models are affine, jointly, are projected out while the fit is far from its minimum (variable projection,
/// Golub and Pereyra 1973), if the loss is least squares and they have neither bounds nor ties: their starts do not matter.
/// The problems of NIST with such parameters take 30 % of the evaluations of their models by it, and models of the catalogue nine of ten;
/// from a start near the minimum of millions of rows it is one pass more, of nine.
///
/// Parameters without a start get one from the data, as [`run`](Self::run) says.
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
    further: Further,
    ranks: Ranks<'a>,
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
    /// [`FitError`] for columns that do not fit the model, or of different lengths; for known standard deviations beside unknown
    /// ones; and for two sets of the same name.
    pub fn of(sets: Vec<Set<'a>>) -> Result<Self, FitError> {
        if sets.is_empty() {
            return Err(FitError::Empty { what: "sets of data" });
        }
        for (k, set) in sets.iter().enumerate() {
            if sets[..k].iter().any(|earlier| earlier.name == set.name) {
                return Err(FitError::SameName { name: set.name.clone() });
            }
        }
        sets.iter().try_for_each(Set::check_shape)?;
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
            further: Further { count: 0, seed: 0 },
            ranks: Ranks::ALONE,
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

    /// Gives each set a parameter of its own, called `name@set`, with the start, bounds, value and prior of `name` so far.
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
    /// [`Found::profile`], [`Found::bootstrap`] and [`Found::sample`] of the result keep their states in folders below it, and go
    /// on in the same way.
    ///
    /// A state has some kilobytes, and that of a sampling or bootstrap all its numbers. If it cannot be written, the fit goes
    /// on, and [`Found::checkpoint_failure`] says why.
    pub fn checkpoints(mut self, folder: impl Into<PathBuf>, every: Duration) -> Self {
        self.checkpoints = Some(CheckpointSettings { folder: folder.into(), every });
        self
    }

    /// Ends the fit at the next step once the flag is true, and profiles, bootstraps and samplings of its result.
    pub fn cancel(mut self, flag: &'a AtomicBool) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Shares the fit between ranks, each of which makes the same fit of the same data and calls [`run`](Self::run): rows, and
    /// points of a search for starts, and for the result the refits of [`Found::bootstrap`] and
    /// [`Found::cross_validation`] and the chains of [`Found::sample`]. Methods of the result that pass over the data, these and
    /// profiles are collective: every rank calls them in the same order. Results have the same bits for any number of ranks.
    ///
    /// Rank 0 alone writes checkpoints, and the others have what it reads. The flag of [`cancel`](Self::cancel) on one rank
    /// cancels all.
    ///
    /// Cost of communication: for each pass a factor of `8 (p + 1)^2` bytes for each 131 072 rows, to and from rank 0; columns
    /// are read in parts, each by one rank.
    ///
    /// ```
    /// use hpfracc_communicator::run_threads;
    /// use hpfracc_equation::Formula;
    /// use hpfracc_fit::{Fit, FitError, FormulaModel, Set};
    ///
    /// let x: Vec<f64> = (0..300_000).map(|k| 1e-5 * f64::from(k)).collect();
    /// let y: Vec<f64> = x.iter().map(|x| 2.0 * (-x).exp()).collect();
    /// let decay = FormulaModel::new(&[Formula::parse("a exp(-b x); a = 1; b = 2", &["x"])?])?;
    /// let set = || Set::new("decay", &decay).input(&x).response(&y);
    /// let alone = Fit::new(set())?.run()?.values();
    /// let on_three = run_threads(3, |ranks| -> Result<_, FitError> {
    ///     Ok(Fit::new(set())?.over(ranks).run()?.values())
    /// })?;
    /// assert!(on_three.iter().all(|values| *values == alone));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn over(mut self, ranks: impl Into<Ranks<'a>>) -> Self {
        self.ranks = ranks.into();
        self
    }

    /// Adds starts, spread in the bounds or grids of the parameters that have them, by a sequence of low discrepancy from a seed.
    ///
    /// From each of them, and from the given or found start, some thousand rows are fitted; the best minimum is the start of
    /// the fit. [`Found::start_search`] says how many ended there. Does not depend on the number of threads.
    ///
    /// ```
    /// use hpfracc_equation::Formula;
    /// use hpfracc_fit::{Fit, FormulaModel, Set};
    ///
    /// // A frequency, whose cost has many minima.
    /// let x: Vec<f64> = (0..100).map(|k| 0.1 * f64::from(k)).collect();
    /// let y: Vec<f64> = x.iter().map(|x| 2.0 * (3.0 * x).sin() + 0.5).collect();
    /// let wave = Formula::parse("a sin(w x) + c; w = 1 in [0.1, 10]", &["x"])?;
    /// let model = FormulaModel::new(&[wave])?;
    /// let fit = Fit::new(Set::new("wave", &model).input(&x).response(&y))?;
    /// let found = fit.starts(30, 1).run()?;
    /// assert!((found.estimate("w").unwrap().value - 3.0).abs() < 1e-9);
    /// assert!(found.start_search().unwrap().at_best > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn starts(mut self, count: usize, seed: u64) -> Self {
        self.further = Further { count, seed };
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
    /// Parameters without a start get one from the data. Those in which all models are affine take the minimum over them, and
    /// the others a point of a grid, that of the model or one between finite bounds: the best of some thousand rows, after a
    /// short minimisation from each of the best points.
    ///
    /// # Errors
    /// [`FitError`] for data that are not finite, and standard deviations or weights that are not positive; for parameters without
    /// a start, grid or bounds, or with a start outside of the bounds, for fewer data than
    /// parameters, and for a model that is not finite at the start; for data that cannot be read; [`FitError::Ranks`] for ranks
    /// with other data or settings; [`FitError::Memory`] for a
    /// [`plan`](Self::plan) that memory cannot hold; and [`FitError::Checkpoint`] for checkpoints of another fit, or a folder
    /// that cannot be used. Every other end has a result, whose [`Outcome`](crate::Outcome) says which one it is.
    pub fn run(mut self) -> Result<Found<'a>, FitError> {
        let ranks = self.ranks;
        ranks.all_ok(self.plan().check())?;
        let facts = self.sets.iter().map(|set| set.check_numbers(ranks));
        let facts = facts.sum::<Result<Facts, FitError>>()?;
        let priors =
            self.parameters.all.iter().filter(|parameter| parameter.prior.is_some()).count();
        let data = facts.data + priors as u64;
        let watch = (ranks, self.cancel);
        let search = find_starts(&self.sets, &mut self.parameters, self.further, watch)?;
        // A search that was cancelled has another end, and a state from there would be one of another fit.
        let cancelled = self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed));
        let cancelled = ranks.any(cancelled)?;
        let settings = self.checkpoints.filter(|_| search.is_none() || !cancelled);
        let layout = Layout::new(self.parameters)?;
        let parameters = layout.free().len();
        if data < parameters as u64 {
            return Err(FitError::TooFew { data, parameters });
        }
        let models: Vec<_> = self.sets.iter().map(|set| set.model).collect();
        let (loss, scale, separated) = (self.loss, self.loss_scale, layout.separated(&models));
        let rounds = Rounds { loss, scale, separated };
        let sets = &self.sets;
        let objective = Objective::new(sets, &layout, facts.squares.sqrt());
        agree_on(ranks, &objective, ((loss, scale), self.max_passes, settings.is_some()))?;
        let mut objective = Objective { ranks, ..objective };
        let mut begin = rounds.begin(&mut objective, layout.start())?;
        let mut session = Session { ranks, cancel: self.cancel, ..Session::default() };
        let mut checkpoints = None;
        if let Some(place) = &settings {
            let facts = distinguishing(&objective, (loss, scale), &facts, &begin.1);
            session.checkpoints = Some((place.clone(), facts.clone()));
            let (folder, state) = Checkpoints::open_on_first::<State>(ranks, place, facts)?;
            if let Some(state) = state {
                let part = rounds.resume(&mut objective, &state)?;
                begin = (state, part);
            }
            checkpoints = folder;
        }
        let limits = Limits {
            max_passes: self.max_passes,
            progress: self.progress,
            cancel: self.cancel,
            checkpoints: checkpoints.as_mut(),
        };
        let (minimum, loss_scale) = rounds.run(&mut objective, data, begin, limits)?;
        session.failure = Mutex::new(checkpoints.and_then(|checkpoints| checkpoints.failure));
        let end = (minimum, session, search);
        Found::new(self.sets, layout, (loss, loss_scale), end, (data, facts))
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

/// Refuses ranks with other parameters, settings, or numbers in the first rows.
fn agree_on(
    ranks: Ranks<'_>,
    objective: &Objective<'_>,
    (loss, max_passes, keeps): ((Loss, Option<f64>), usize, bool),
) -> Result<(), FitError> {
    if ranks.several().is_none() {
        return Ok(());
    }
    let rows: Vec<usize> = objective.sets.iter().map(Set::rows).collect();
    let first = match objective.first_rows(&objective.layout.start()) {
        Ok(Some(part)) => checksum(&part),
        Ok(None) => "not finite".to_owned(),
        Err(error) => error.to_string(),
    };
    let values = [
        ("the parameters of the fit", format!("{:?}", objective.layout.parameters())),
        ("the loss and its scale", format!("{loss:?}")),
        ("the largest number of passes", max_passes.to_string()),
        ("checkpoints", keeps.to_string()),
        ("the numbers of rows", format!("{rows:?}")),
        ("the model and the data in the first rows", first),
    ];
    Ok(ranks.agree(&values)?)
}

/// Checksum of the entries of a factor.
fn checksum(part: &Part) -> String {
    let columns = part.factor.columns();
    let entries = (0..columns * columns).map(|k| part.factor.entry(k / columns, k % columns));
    checksum_of(&mut { entries })
}

fn checksum_of(values: &mut dyn Iterator<Item = f64>) -> String {
    let sum = |sum, value: f64| crc64_append(sum, &value.to_le_bytes());
    format!("{:016x}", values.fold(0, sum))
}

/// What tells a fit from others: its parameters, its loss, its data, and by the factor at the starts its model.
fn distinguishing(
    objective: &Objective<'_>,
    (loss, given): (Loss, Option<f64>),
    facts: &Facts,
    part: &Part,
) -> FitFacts {
    let data = [facts.squares, facts.log_weights];
    let rows = format!("{} used, {} rows skipped", facts.data, facts.skipped);
    vec![
        ("parameters", format!("{:?}", objective.layout.parameters())),
        ("loss", format!("{loss:?}, scale {given:?}")),
        ("number of data", rows),
        ("data", checksum_of(&mut data.into_iter())),
        ("model and data at the starts", checksum(part)),
    ]
}

impl std::fmt::Debug for Fit<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fit")
            .field("sets", &self.sets)
            .field("parameters", &self.parameters)
            .finish()
    }
}
