//! Likelihoods of stationary Gaussian models, exact and Whittle's, and fits by them.

use super::innovations::{Innovations, innovations};
use super::profile::{Maximum, Profile, Profiled, maximum, search, starts_of};
use crate::error::{SeriesError, in_range, long_enough};
use crate::fit::{Estimate, Fit};
use crate::periodogram::Periodogram;
use crate::series::Series;
use std::f64::consts::TAU;

/// Likelihood of a stationary Gaussian series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likelihood {
    /// Whittle's approximation: ordinates I_j of the periodogram as independent exponential variables with
    /// the spectral density f as mean, log-likelihood `-Σ (ln f(λ_j) + I_j/f(λ_j))`. Cost: O(n) a trial,
    /// after one transform. Biased where the density varies by more than about a factor n, because the ends of the series
    /// leak its peaks into all ordinates. Source: Whittle, Ark. Mat. 2 (1953) 423; Fox and Taqqu, Ann. Stat. 14 (1986) 517.
    Whittle,
    /// The density of the n values, by the Durbin-Levinson recursion. Cost: O(n²) a trial, O(n)
    /// memory: 2000 values take milliseconds, 10⁴ tenths of a second.
    Exact,
}

/// Mean of the noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mean {
    /// A known value, such as 0 for the steps of a path without drift.
    Known(f64),
    /// Estimated: by generalised least squares in the exact likelihood, which then is the restricted one, the
    /// density of the differences from the mean (REML; Harville, J. Am. Stat. Assoc. 72 (1977) 320), because that of the values
    /// is biased towards short memory; as the arithmetic mean in Whittle's.
    Estimated,
}

/// Stationary Gaussian model with a scale: variance or variance of innovations.
pub(crate) trait Model {
    /// Name of the model.
    fn name(&self) -> String;

    /// Names of the parameters other than the scale, in the order of [`Self::natural`]; free variable i
    /// belongs to the i-th.
    fn names(&self) -> Vec<String>;

    /// Starting points of the free variables.
    fn starts(&self) -> Vec<Vec<f64>>;

    /// Parameters of free variables.
    fn natural(&self, free: &[f64]) -> Vec<f64>;

    /// Autocovariances of the lags 0 .. n-1 at scale 1; `None` where they cannot be computed.
    fn autocovariance(&self, natural: &[f64], n: usize) -> Option<Vec<f64>>;

    /// Spectral density at scale 1 on (0, π), `∫ f = γ(0)` from -π to π, at each frequency.
    fn density(&self, natural: &[f64], frequencies: &[f64]) -> Vec<f64>;

    /// Whether a bound of a free variable takes the meaning of a parameter away.
    fn loses_meaning(&self, free: usize, parameter: usize) -> bool {
        free == parameter
    }

    /// Functions of the parameters, as names, offsets and indices: value = parameter + offset.
    fn derived(&self) -> (&'static str, usize, f64);
}

/// Starting points from which the likelihood is maximised.
const RUNS: usize = 3;

/// Fits a model to a series.
pub(crate) fn fit(
    model: &impl Model,
    series: &Series,
    likelihood: Likelihood,
    mean: Mean,
) -> Result<Fit, SeriesError> {
    let names = model.names();
    let n = series.noise().len();
    long_enough("the series", n, 8 + 4 * names.len(), "values")?;
    let offset = match mean {
        Mean::Known(value) => {
            in_range(value.is_finite(), "mean", value, "a finite number")?;
            value
        }
        Mean::Estimated => series.mean(),
    };
    let mut whittle = Whittle { model, periodogram: Periodogram::new(series.noise(), offset) };
    let no_start = || SeriesError::NoStart { method: "the model" };
    let (found, shift, variance) = match likelihood {
        Likelihood::Whittle => {
            let found = maximum(&mut whittle, &model.starts(), RUNS).ok_or_else(no_start)?;
            let variance = variance_of_mean(model, &found, n);
            (found, 0.0, variance)
        }
        Likelihood::Exact => {
            let values = series.noise().iter().map(|x| x - offset).collect();
            let estimated = mean == Mean::Estimated;
            let mut exact = Exact { model, values, estimated };
            let starts = starts_of(&search(&mut whittle, &model.starts(), RUNS));
            let found = maximum(&mut exact, &starts, RUNS).ok_or_else(no_start)?;
            let sums = exact.sums(&model.natural(&found.free)).ok_or_else(no_start)?;
            let scale = found.values[names.len()].powi(2);
            let shift = if estimated { sums.with_ones / sums.ones } else { 0.0 };
            (found, shift, Some(scale / sums.ones))
        }
    };
    let mean = (mean == Mean::Estimated).then_some((offset + shift, variance));
    let method = match likelihood {
        Likelihood::Whittle => "Whittle's likelihood",
        Likelihood::Exact => "exact likelihood",
    };
    let method = format!("{} by {method}", model.name());
    Ok(assemble(model, method, n, &found, mean))
}

/// The result of a maximum.
fn assemble(
    model: &impl Model,
    method: String,
    n: usize,
    found: &Maximum,
    mean: Option<(f64, Option<f64>)>,
) -> Fit {
    let names = model.names();
    let inner = found.values.len();
    let count = inner + usize::from(mean.is_some());
    let mut covariance = vec![0.0; count * count];
    for i in 0..inner {
        covariance[i * count..][..inner].copy_from_slice(&found.covariance[i * inner..][..inner]);
    }
    let error = |i: usize| Some(found.covariance[i * inner + i].sqrt());
    let mut estimates: Vec<Estimate> = names
        .iter()
        .enumerate()
        .map(|(i, name)| Estimate::new(name, found.values[i], error(i)))
        .collect();
    estimates.push(Estimate::scale("sigma", found.values[inner - 1], error(inner - 1)));
    if let Some((mean, variance)) = mean {
        estimates.push(Estimate::new("mean", mean, variance.map(f64::sqrt)));
        covariance[count * count - 1] = variance.unwrap_or(f64::NAN);
    }
    let (name, of, offset) = model.derived();
    let derived = vec![Estimate::new(name, found.values[of] + offset, error(of))];
    let log_likelihood = Some(-found.cost);
    let outcome = found.end.outcome(&names);
    Fit { method, observations: n, estimates, derived, covariance, log_likelihood, outcome }
}

/// Variance of the arithmetic mean of n values.
fn variance_of_mean(model: &impl Model, found: &Maximum, n: usize) -> Option<f64> {
    let count = found.values.len() - 1;
    let autocovariance = model.autocovariance(&found.values[..count], n)?;
    let length = n as f64;
    let lags = autocovariance.iter().enumerate().skip(1);
    let sum: f64 = lags.map(|(k, gamma)| 2.0 * (1.0 - k as f64 / length) * gamma).sum();
    Some(found.values[count].powi(2) * (autocovariance[0] + sum) / length)
}

/// Parameters and the square root of the scale.
fn report(model: &impl Model, free: &[f64], scale: f64) -> Vec<f64> {
    let mut values = model.natural(free);
    values.push(scale.sqrt());
    values
}

/// Whittle's likelihood.
struct Whittle<'a, M> {
    model: &'a M,
    periodogram: Periodogram,
}

impl<M: Model> Profile for Whittle<'_, M> {
    fn profile(&mut self, free: &[f64]) -> Option<Profiled> {
        let Periodogram { frequencies, ordinates } = &self.periodogram;
        let density = self.model.density(&self.model.natural(free), frequencies);
        let count = ordinates.len() as f64;
        let quotients: f64 = ordinates.iter().zip(&density).map(|(i, f)| i / f).sum();
        let scale = quotients / count;
        let logarithms: f64 = density.iter().map(|f| f.ln()).sum();
        Some(Profiled { cost: count * (scale.ln() + 1.0) + logarithms, scale })
    }

    fn report(&self, free: &[f64], scale: f64) -> Vec<f64> {
        report(self.model, free, scale)
    }

    fn observations(&self) -> f64 {
        2.0 * self.periodogram.ordinates.len() as f64
    }

    fn loses_meaning(&self, free: usize, _: bool, reported: usize) -> bool {
        self.model.loses_meaning(free, reported)
    }
}

/// The exact likelihood.
struct Exact<'a, M> {
    model: &'a M,
    values: Vec<f64>,
    estimated: bool,
}

impl<M: Model> Exact<'_, M> {
    fn sums(&self, natural: &[f64]) -> Option<Innovations> {
        let autocovariance = self.model.autocovariance(natural, self.values.len())?;
        innovations(&autocovariance, &[&self.values])
    }
}

impl<M: Model> Profile for Exact<'_, M> {
    fn profile(&mut self, free: &[f64]) -> Option<Profiled> {
        let sums = self.sums(&self.model.natural(free))?;
        let mut cost = sums.ln_determinant;
        let mut squares = sums.squares;
        if self.estimated {
            cost += (sums.ones / self.values.len() as f64).ln();
            squares -= sums.with_ones * sums.with_ones / sums.ones;
        }
        let count = self.observations();
        let scale = squares / count;
        let cost = 0.5 * (count * ((TAU * scale).ln() + 1.0) + cost);
        Some(Profiled { cost, scale })
    }

    fn report(&self, free: &[f64], scale: f64) -> Vec<f64> {
        report(self.model, free, scale)
    }

    fn observations(&self) -> f64 {
        self.values.len() as f64 - f64::from(u8::from(self.estimated))
    }

    fn loses_meaning(&self, free: usize, _: bool, reported: usize) -> bool {
        self.model.loses_meaning(free, reported)
    }
}
