use super::covariance::inverse;
use super::result::Found;
use crate::minimise::Session;
use crate::parameters::{Parameter, Tie};
use crate::sample::{
    Coordinates, DensityError, LogDensity, Nuts, Posterior, Progress, SampleError, Sampling,
    Support, Watch, Whitening,
};
use crate::{FitError, Loss};

/// Draws of each chain between two looks at the checkpoints.
const DRAWS: u32 = 50;

/// Posterior distribution of the free parameters of a fit.
///
/// | errors | logarithm of the density |
/// |---|---|
/// | known | -cost/2 |
/// | unknown | -(n/2) ln(cost), that of n normal residuals integrated over their standard deviation with the prior 1/sigma |
/// | another loss than the squares | -cost/2 over the [variance](Found::variance); with a scale by the median -(sum of rho)/2 |
///
/// Normal priors of the fit are part of the cost. Any other parameter has a flat prior between its bounds, and one whose
/// logarithm is fitted a flat prior of its logarithm.
#[derive(Debug, Clone, Copy)]
pub struct FitDensity<'f, 'a> {
    found: &'f Found<'a>,
}

impl FitDensity<'_, '_> {
    /// Free parameters.
    fn parameters(&self) -> impl Iterator<Item = &Parameter> {
        let all = &self.found.layout.parameters().all;
        self.found.layout.free().iter().map(|k| &all[*k])
    }
}

impl LogDensity for FitDensity<'_, '_> {
    fn dim(&self) -> usize {
        self.found.layout.free().len()
    }

    fn names(&self) -> Vec<String> {
        self.parameters().map(|parameter| parameter.declared.name.clone()).collect()
    }

    fn value_and_gradient(
        &self,
        position: &[f64],
        gradient: &mut [f64],
    ) -> Result<f64, DensityError> {
        let found = self.found;
        let both = || self.parameters().zip(position);
        let unknown = |(parameter, theta): (&Parameter, &f64)| {
            if parameter.declared.logarithmic { theta.ln() } else { *theta }
        };
        let unknowns: Vec<f64> = both().map(unknown).collect();
        let Some((cost, half)) = found.objective().cost_and_gradient(&unknowns)? else {
            return Ok(f64::NAN);
        };
        let normal = found.errors_are_known() || found.loss != Loss::Squares;
        let n = found.data as f64;
        let (mut value, factor) = if normal {
            (-0.5 * cost / found.variance(), 1.0 / found.variance())
        } else {
            (-0.5 * n * cost.ln(), n / cost)
        };
        for ((gradient, half), (parameter, theta)) in gradient.iter_mut().zip(half).zip(both()) {
            *gradient = -factor * half;
            if parameter.declared.logarithmic {
                let flat = parameter.prior.is_none();
                value -= if flat { theta.ln() } else { 0.0 };
                *gradient = (*gradient - f64::from(u8::from(flat))) / theta;
            }
        }
        Ok(value)
    }
}

impl Found<'_> {
    /// Posterior distribution of the free parameters.
    pub fn density(&self) -> FitDensity<'_, '_> {
        FitDensity { found: self }
    }

    /// Coordinates in which the posterior distribution is nearly a standard normal one: the factor of the fit, and the
    /// transforms of bounds. A start on a bound, or close to it, moves inside by the width of the distribution.
    ///
    /// # Errors
    /// [`SampleError::Factor`] for a fit whose data do not determine its parameters, and those of [`Coordinates::new`].
    pub fn coordinates(&self) -> Result<Coordinates, SampleError> {
        let (unknowns, count) = (&self.minimum.unknowns, self.layout.free().len());
        let free = self.covariance.free();
        let (root, triangle) = (self.variance().sqrt(), self.factor().select(free));
        let inverse = inverse(&triangle);
        let (mut start, mut supports) = (vec![], vec![]);
        let mut factor = vec![0.0; count * count];
        for (unknown, parameter) in self.density().parameters().enumerate() {
            let declared = &parameter.declared;
            let x = unknowns[unknown];
            let (value, slope) = if declared.logarithmic { (x.exp(), x.exp()) } else { (x, 1.0) };
            let width = match free.iter().position(|free| *free == unknown) {
                Some(row) => {
                    for (column, other) in free.iter().enumerate().skip(row) {
                        factor[unknown * count + other] = triangle.entry(row, column) / root;
                    }
                    let squares = inverse[row * free.len()..][..free.len()].iter().map(|x| x * x);
                    root * squares.sum::<f64>().sqrt()
                }
                None => {
                    // The density falls with the multiplier, or with the square of the distance.
                    let multiplier = self.factor().product(unknown, count).abs();
                    let width = (root * root / multiplier).min(root / self.factor().norm(unknown));
                    factor[unknown * count + unknown] = 1.0 / width;
                    width
                }
            };
            (0..count).for_each(|row| factor[row * count + unknown] /= slope);
            let lower = if declared.logarithmic { declared.lower.max(0.0) } else { declared.lower };
            let upper = declared.upper;
            let inside = (width * slope).min(0.25 * (upper - lower));
            start.push(value.max(lower + inside).min(upper - inside));
            supports.push(match (lower.is_finite(), upper.is_finite()) {
                (false, false) => Support::Real,
                (true, false) => Support::Above(lower),
                (false, true) => Support::Below(upper),
                (true, true) => Support::Between(lower, upper),
            });
        }
        Coordinates::new(&start, &supports, Whitening::Precision(&factor))
    }

    /// Draws from the posterior distribution of the free parameters, by their names.
    ///
    /// [`Posterior::converged`] says whether the draws can be believed. If the fit's [flag](crate::Fit::cancel) cancels the
    /// sampling, the draws are those until then.
    ///
    /// Cost: about three passes over the data for an effective draw.
    ///
    /// ```
    /// use hpfracc_equation::Formula;
    /// use hpfracc_fit::sample::Nuts;
    /// use hpfracc_fit::{Fit, FormulaModel, Set};
    ///
    /// let x = [1.0, 2.0, 3.0, 4.0];
    /// let y = [2.1, 3.9, 6.2, 7.8];
    /// let line = FormulaModel::new(&[Formula::parse("a + b x; a = 0; b = 1", &["x"])?])?;
    /// let set = Set::new("line", &line).input(&x).response(&y).sigma(&[0.1; 4]);
    /// let found = Fit::new(set)?.run()?;
    /// let posterior = found.sample(&Nuts::default())?;
    /// posterior.converged()?;
    /// let b = posterior.summary(posterior.parameter("b").unwrap());
    /// assert!((b.mean - 1.94).abs() < 5.0 * b.mean_error);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`coordinates`](Self::coordinates), [`Nuts::start`] and [`Sampling::run`], and [`SampleError::Fit`] for checkpoints
    /// that cannot be used.
    pub fn sample(&self, settings: &Nuts) -> Result<Posterior, SampleError> {
        self.sample_watched(settings, &|_| ())
    }

    /// The same with a callback after each draw of a chain.
    ///
    /// # Errors
    /// As [`sample`](Self::sample).
    pub fn sample_watched(
        &self,
        settings: &Nuts,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Posterior, SampleError> {
        let density = self.density();
        let Session { ranks, cancel, .. } = *self.session();
        let watch = Watch { ranks, cancel, progress: Some(progress) };
        let sampling = self.session().resume(
            "sampling",
            format!("{settings:?}"),
            || settings.start(&density, self.coordinates()?),
            |sampling: &mut Sampling| {
                let last = sampling.advance(&density, DRAWS, watch)?;
                Ok((sampling.draws().iter().sum::<u32>() as usize, last))
            },
        )?;
        sampling.posterior()
    }

    /// Draws of an expression of the parameters, of which some may be fixed or tied, such as `tau*2`: chain by chain.
    ///
    /// # Errors
    /// [`FitError::Tie`] for an expression that cannot be read, and [`FitError::OtherFit`] for draws of other parameters.
    pub fn derived_draws(
        &self,
        posterior: &Posterior,
        expression: &str,
    ) -> Result<Vec<Vec<f64>>, FitError> {
        let density = self.density();
        if posterior.names() != density.names() {
            return Err(FitError::OtherFit { state: "posterior", what: "parameters" });
        }
        let tie = Tie::parse(expression, expression, &self.names())?;
        let series: Vec<Vec<&[f64]>> =
            (0..posterior.dim()).map(|parameter| posterior.series(parameter)).collect();
        let of = |chain: usize, draw: usize| {
            let free = series.iter().zip(density.parameters());
            let unknown = free.map(|(series, parameter)| {
                let theta = series[chain][draw];
                if parameter.declared.logarithmic { theta.ln() } else { theta }
            });
            tie.value(&self.layout.values(&unknown.collect::<Vec<f64>>())).0
        };
        let chain = |chain| (0..posterior.draws()).map(|draw| of(chain, draw)).collect();
        Ok((0..posterior.chains()).map(chain).collect())
    }
}
