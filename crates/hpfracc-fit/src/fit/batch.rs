use super::batch_column::BatchColumn;
use super::batch_found::{BatchFound, CurveFailure};
use super::curve::{CurveFitter, Curves};
use super::single::{MAX_PASSES, check_errors};
use crate::data::{Column, Set};
use crate::found::Found;
use crate::minimise::Rounds;
use crate::model::Model;
use crate::parameters::{Layout, Parameters, Role, Tie};
use crate::{FitError, Loss, Outcome};
use hpfracc_communicator::Ranks;
use hpfracc_types::check_memory;
use ndarray::Array2;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::iter::repeat_n;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// Curves that a thread fits without looking for other work.
const CURVES: usize = 32;

/// Fits of one model to many curves, each with its own parameters: pixels, wells, voxels.
///
/// Each curve is fitted as by [`Fit`](crate::Fit), to the same bits, whatever the number of threads; the threads share the
/// curves. A curve that cannot be fitted is reported by [`BatchFound::failures`] and does not end the others.
///
/// Cost: that of the single fits, without their memory: a thread keeps its blocks of rows between curves. Memory:
/// `16 p + 40` bytes a curve of p parameters for the results.
///
/// ```
/// use hpfracc_equation::Formula;
/// use hpfracc_fit::{Batch, FormulaModel};
/// use ndarray::Array2;
///
/// let t = [0.0, 1.0, 2.0, 3.0];
/// // Curve k decays with tau = k + 1.
/// let y = Array2::from_shape_fn((1000, 4), |(k, i)| (-t[i] / (k as f64 + 1.0)).exp());
/// let decay = FormulaModel::new(&[Formula::parse("a exp(-t/tau); a = 2; tau = 5 in (0, inf)", &["t"])?])?;
/// let found = Batch::new("decays", &decay).input(&t).response(&y).run()?;
/// assert!(found.failures().is_empty());
/// assert!((found.value("tau")?[41] - 42.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Batch<'a> {
    set: Set<'a>,
    inputs: Vec<BatchColumn<'a>>,
    responses: Vec<BatchColumn<'a>>,
    weights: Vec<BatchColumn<'a>>,
    parameters: Parameters,
    starts: Vec<(usize, &'a [f64])>,
    loss: Loss,
    loss_scale: Option<f64>,
    max_passes: usize,
    cancel: Option<&'a AtomicBool>,
    ranks: Ranks<'a>,
}

impl<'a> Batch<'a> {
    /// Batch without data; messages have its name.
    pub fn new(name: &str, model: &'a dyn Model) -> Self {
        Self {
            set: Set::new(name, model),
            inputs: vec![],
            responses: vec![],
            weights: vec![],
            parameters: Parameters::new([model.parameters()].into_iter()),
            starts: vec![],
            loss: Loss::Squares,
            loss_scale: None,
            max_passes: MAX_PASSES,
            cancel: None,
            ranks: Ranks::ALONE,
        }
    }

    /// Appends an input, in the order of the model: a slice that all curves share, or an array with a row for each curve.
    pub fn input(mut self, column: impl Into<BatchColumn<'a>>) -> Self {
        self.set = self.set.input(EMPTY);
        self.inputs.push(column.into());
        self
    }

    /// Appends a response, in the order of the model. All numbers of a curve have the same standard deviation, which is
    /// estimated, unless [`sigma`](Self::sigma) or [`weight`](Self::weight) follows.
    pub fn response(mut self, column: impl Into<BatchColumn<'a>>) -> Self {
        self.set = self.set.response(EMPTY);
        self.responses.push(column.into());
        self
    }

    /// Standard deviations of the last response: known ones, so that standard errors of parameters are not scaled by the
    /// residuals.
    pub fn sigma(mut self, column: impl Into<BatchColumn<'a>>) -> Self {
        self.set = self.set.sigma(EMPTY);
        self.weigh(column.into());
        self
    }

    /// Weights of the last response: inverse variances up to a factor, which is estimated for each curve.
    pub fn weight(mut self, column: impl Into<BatchColumn<'a>>) -> Self {
        self.set = self.set.weight(EMPTY);
        self.weigh(column.into());
        self
    }

    fn weigh(&mut self, column: BatchColumn<'a>) {
        // The last response may have weights already; without a response there is nothing to weigh.
        let count = self.set.weighted_responses();
        self.weights.truncate(count.saturating_sub(1));
        if count > 0 {
            self.weights.push(column);
        }
    }

    /// Leaves out rows with a number that is not finite, in place of a failure of the curve.
    pub fn skip_not_finite(mut self) -> Self {
        self.set = self.set.skip_not_finite();
        self
    }

    /// Sets the start of a parameter, for all curves.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn start(mut self, name: &str, value: f64) -> Result<Self, FitError> {
        let index = self.parameters.index(name)?;
        self.starts.retain(|(known, _)| *known != index);
        self.parameters.all[index].declared.start = Some(value);
        Ok(self)
    }

    /// Sets the starts of a parameter, one for each curve.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn starts(mut self, name: &str, values: &'a [f64]) -> Result<Self, FitError> {
        let index = self.parameters.index(name)?;
        self.starts.retain(|(known, _)| *known != index);
        self.starts.push((index, values));
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

    /// Keeps a parameter at a value. [`starts`](Self::starts) after it set a value for each curve.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn fix(mut self, name: &str, value: f64) -> Result<Self, FitError> {
        self.parameters.get_mut(name)?.role = Role::Fixed;
        self.start(name, value)
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

    /// Fits the logarithm of a parameter, a positive scale.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn logarithmic(mut self, name: &str) -> Result<Self, FitError> {
        self.parameters.get_mut(name)?.declared.logarithmic = true;
        Ok(self)
    }

    /// Sets the loss of the residuals, with its scale for all curves; None for that of the median of each curve, as in
    /// [`Fit::loss`](crate::Fit::loss).
    ///
    /// # Errors
    /// [`FitError::OutOfRange`] for a scale that is not positive and finite.
    pub fn loss(mut self, loss: Loss, scale: Option<f64>) -> Result<Self, FitError> {
        if let Some(value) = scale.filter(|scale| !(*scale > 0.0 && scale.is_finite())) {
            let (what, expected) = ("the scale of the loss", "a positive finite number");
            return Err(FitError::OutOfRange { what, value, expected });
        }
        (self.loss, self.loss_scale) = (loss, scale);
        Ok(self)
    }

    /// Sets the largest number of passes over the data of a curve.
    pub fn max_passes(mut self, passes: usize) -> Self {
        self.max_passes = passes;
        self
    }

    /// Ends the fits once the flag is true: [`Outcome::Cancelled`], from then on at the starts.
    pub fn cancel(mut self, flag: &'a AtomicBool) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Shares the curves between ranks, each of which makes the same batch and calls [`run`](Self::run). All have the results,
    /// to the same bits for any number of ranks; `16 p + 24` bytes a curve are sent to each of them.
    pub fn over(mut self, ranks: impl Into<Ranks<'a>>) -> Self {
        self.ranks = ranks.into();
        self
    }

    /// Fits all curves.
    ///
    /// # Errors
    /// [`FitError`] for what concerns all curves: columns that do not fit the model, of different numbers of curves;
    /// no curve; parameters without a start, and bounds and ties that cannot be used; [`FitError::Memory`] for results
    /// that memory cannot hold. What concerns one curve is in [`BatchFound::failures`].
    pub fn run(self) -> Result<BatchFound, FitError> {
        let curves = self.count()?;
        let columns = [&self.inputs[..], &self.responses, &self.weights].concat();
        let names: Vec<String> =
            self.parameters.names().into_iter().map(ToOwned::to_owned).collect();
        let layout = self.layout()?;
        let separated = layout.separated(&[self.set.model]);
        let p = names.len();
        let copied: usize = columns.iter().map(BatchColumn::copied_numbers).sum();
        check_memory(curves as f64 * (2 * p + 5) as f64 + copied as f64)?;
        let copies: Vec<_> = columns.iter().map(BatchColumn::copied).collect();
        let columns = columns.iter().zip(&copies).map(|(column, copy)| column.slices(copy));
        let common = Curves {
            set: self.set,
            columns: columns.collect(),
            rounds: Rounds { loss: self.loss, scale: self.loss_scale, separated },
            layout,
            starts: self.starts,
            max_passes: self.max_passes,
            cancel: self.cancel,
        };
        let fit_block = |block: usize| {
            let curves = block * CURVES..curves.min((block + 1) * CURVES);
            Ok::<_, FitError>(BlockOfFits::new(&common, curves))
        };
        let blocks = self.ranks.map(curves.div_ceil(CURVES), fit_block)?;
        let (mut values, mut standard_errors, mut ends, mut failed) =
            (vec![], vec![], vec![], vec![]);
        for block in blocks {
            values.extend(block.values);
            standard_errors.extend(block.standard_errors);
            ends.extend(block.ends);
            failed.extend(block.failed);
        }
        // Reasons do not travel between ranks: those of failures, which end early, come from the same fits again.
        let failure = |curve: usize| {
            let reason = CurveFitter::new(&common).fit(curve, |_| ()).err()?;
            Some(CurveFailure { curve, reason })
        };
        let array = |values| Array2::from_shape_vec((curves, p), values).unwrap_or_default();
        Ok(BatchFound {
            names,
            values: array(values),
            standard_errors: array(standard_errors),
            costs: ends.iter().map(|end: &CurveEnd| end.cost).collect(),
            passes: ends.iter().map(|end| end.passes).collect(),
            outcomes: ends.iter().map(|end| end.outcome).collect(),
            failures: failed.into_par_iter().filter_map(failure).collect(),
        })
    }

    /// Number of curves, of which all columns have as many.
    fn count(&self) -> Result<usize, FitError> {
        check_errors([&self.set])?;
        self.set.check_counts()?;
        if self.parameters.all.is_empty() {
            return Err(FitError::Empty { what: "parameters" });
        }
        let named =
            [("inputs", &self.inputs), ("responses", &self.responses), ("weights", &self.weights)];
        let columns = named
            .iter()
            .flat_map(|(what, columns)| columns.iter().map(move |c| (*what, c.curves())));
        let starts = self.starts.iter().map(|(_, values)| ("starts", Some(values.len())));
        let mut all = columns.chain(starts).filter_map(|(what, curves)| Some((what, curves?)));
        let (_, expected) =
            all.next().ok_or(FitError::Empty { what: "a column with a row for each curve" })?;
        if let Some((what, found)) = all.find(|(_, found)| *found != expected) {
            return Err(FitError::Curves { what, found, expected });
        }
        if expected == 0 {
            return Err(FitError::Empty { what: "curves" });
        }
        Ok(expected)
    }

    /// Parameters, with a number within the bounds where each curve has its own start.
    fn layout(&self) -> Result<Layout, FitError> {
        let mut parameters = self.parameters.clone();
        for (index, _) in &self.starts {
            let declared = &mut parameters.all[*index].declared;
            declared.start = Some(1f64.max(declared.lower).min(declared.upper));
        }
        Layout::new(parameters)
    }
}

/// Column of a curve before it has one.
const EMPTY: Column<'static> = Column::Slice(&[]);

/// Fits of consecutive curves.
#[derive(Debug, Default, Serialize, Deserialize)]
struct BlockOfFits {
    /// Parameters, curve by curve; NaN where the fit failed.
    values: Vec<f64>,
    standard_errors: Vec<f64>,
    ends: Vec<CurveEnd>,
    /// Curves whose fits failed.
    failed: Vec<usize>,
}

/// How the fit of a curve ended.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct CurveEnd {
    cost: f64,
    passes: usize,
    outcome: Option<Outcome>,
}

impl BlockOfFits {
    fn new(common: &Curves<'_>, curves: Range<usize>) -> Self {
        let (mut block, mut fitter) = (Self::default(), CurveFitter::new(common));
        let p = common.layout.parameters().all.len();
        for curve in curves {
            let fitted = fitter.fit(curve, |found| block.push(found));
            if fitted.is_err() {
                block.failed.push(curve);
                block.values.extend(repeat_n(f64::NAN, p));
                block.standard_errors.extend(repeat_n(f64::NAN, p));
                block.ends.push(CurveEnd { cost: f64::NAN, passes: 0, outcome: None });
            }
        }
        block
    }

    /// Appends the results of a fit.
    fn push(&mut self, found: &Found<'_>) {
        let values = found.values();
        let errors = (0..values.len()).map(|k| found.standard_error(k).unwrap_or(f64::NAN));
        self.standard_errors.extend(errors);
        self.values.extend(values);
        let (cost, passes, outcome) = (found.cost(), found.passes(), Some(found.outcome()));
        self.ends.push(CurveEnd { cost, passes, outcome });
    }
}
