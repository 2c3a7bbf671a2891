//! Maximum of a likelihood whose scale is profiled out, with the covariance of reported parameters.

use super::minimise::{Minimum, hessian, inverse_of_positive, minimise};
use crate::fit::Outcome;

/// Likelihood of free variables, each any real number, and of a variance as common scale.
pub(crate) trait Profile {
    /// Negative log-likelihood at the best scale, and that scale; `None` where it does not exist.
    fn profile(&mut self, free: &[f64]) -> Option<Profiled>;

    /// Reported parameters of free variables and scale.
    fn report(&self, free: &[f64], scale: f64) -> Vec<f64>;

    /// Number of observations that determine the scale: its relative variance is 2 over this.
    fn observations(&self) -> f64;

    /// Whether a free variable beyond a bound takes the meaning of a reported parameter away.
    fn loses_meaning(&self, free: usize, upper: bool, reported: usize) -> bool;
}

/// Negative log-likelihood at the best scale, and that scale.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Profiled {
    pub(crate) cost: f64,
    pub(crate) scale: f64,
}

/// Maximum of a likelihood.
#[derive(Debug, Clone)]
pub(crate) struct Maximum {
    pub(crate) free: Vec<f64>,
    pub(crate) cost: f64,
    pub(crate) values: Vec<f64>,
    /// Of the reported parameters, row by row; NaN where there is none.
    pub(crate) covariance: Vec<f64>,
    /// Free variable at a bound, or another end.
    pub(crate) end: End,
}

/// How a maximisation ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum End {
    Converged,
    Bound(usize),
    Flat,
    Steps,
}

impl End {
    /// With the names of the free variables.
    pub(crate) fn outcome(self, names: &[String]) -> Outcome {
        match self {
            Self::Converged => Outcome::Converged,
            Self::Bound(free) => Outcome::Bound { parameter: names[free].clone() },
            Self::Flat => Outcome::Flat,
            Self::Steps => Outcome::Steps,
        }
    }
}

/// Free variables stay within: exp(-9) is 1e-4 of the distance between two bounds.
const LARGEST: f64 = 9.0;

/// A free variable beyond is at a bound: within 1e-3 of the distance between the bounds.
const AT_BOUND: f64 = 7.0;

/// Starts are within, where a likelihood still changes with its variables.
const INNER: f64 = 4.0;

/// Cost of free variables, infinite where there is none.
fn cost(problem: &mut impl Profile, free: &[f64]) -> f64 {
    if free.iter().any(|u| u.abs() > LARGEST) {
        return f64::INFINITY;
    }
    let cost = problem.profile(free).map_or(f64::INFINITY, |profiled| profiled.cost);
    if cost.is_nan() { f64::INFINITY } else { cost }
}

/// Minima reached from the `runs` best of all starts, the lowest first.
pub(crate) fn search(problem: &mut impl Profile, starts: &[Vec<f64>], runs: usize) -> Vec<Minimum> {
    let mut starts: Vec<(f64, &Vec<f64>)> =
        starts.iter().map(|start| (cost(problem, start), start)).collect();
    starts.retain(|(cost, _)| cost.is_finite());
    starts.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    starts.truncate(runs);
    let run =
        |(_, start): (f64, &Vec<f64>)| minimise(&mut |free: &[f64]| cost(problem, free), start);
    let mut minima: Vec<Minimum> = starts.into_iter().map(run).collect();
    minima.sort_by(|a, b| a.value.total_cmp(&b.value));
    minima
}

/// Distinct minima as starts of a similar problem, none of them where a bound makes it flat.
pub(crate) fn starts_of(minima: &[Minimum]) -> Vec<Vec<f64>> {
    let mut starts: Vec<Vec<f64>> = Vec::new();
    for minimum in minima {
        let start: Vec<f64> = minimum.at.iter().map(|u| u.clamp(-INNER, INNER)).collect();
        let near = |other: &Vec<f64>| other.iter().zip(&start).all(|(a, b)| (a - b).abs() < 0.1);
        if !starts.iter().any(near) {
            starts.push(start);
        }
    }
    starts
}

/// The maximum found from the `runs` best of all starts, with its covariance; `None` if no start
/// has a likelihood.
pub(crate) fn maximum(
    problem: &mut impl Profile,
    starts: &[Vec<f64>],
    runs: usize,
) -> Option<Maximum> {
    let Minimum { at: free, converged, .. } = search(problem, starts, runs).into_iter().next()?;
    let Profiled { cost: lowest, scale } = problem.profile(&free)?;
    let values = problem.report(&free, scale);
    let bound = free.iter().position(|u| u.abs() > AT_BOUND);
    let inner: Vec<usize> = (0..free.len()).filter(|i| free[*i].abs() <= AT_BOUND).collect();
    let matrix = hessian(&mut |free: &[f64]| cost(problem, free), &free, lowest, &inner);
    let inverse = inverse_of_positive(&matrix, inner.len());
    let end = match (bound, &inverse) {
        (Some(bound), _) => End::Bound(bound),
        (None, None) => End::Flat,
        (None, Some(_)) if converged => End::Converged,
        (None, Some(_)) => End::Steps,
    };
    let mut covariance = match &inverse {
        Some(inverse) => reported_covariance(problem, &free, scale, &inner, inverse)?,
        None => vec![f64::NAN; values.len() * values.len()],
    };
    if let Some(bound) = bound {
        let count = values.len();
        let lost = |i| problem.loses_meaning(bound, free[bound] > 0.0, i);
        for i in (0..count).filter(|i| lost(*i)) {
            for j in 0..count {
                (covariance[i * count + j], covariance[j * count + i]) = (f64::NAN, f64::NAN);
            }
        }
    }
    Some(Maximum { free, cost: lowest, values, covariance, end })
}

/// Covariance of the reported parameters (delta method): the free variables carry the scale along
/// their profile, and the scale has an error of its own.
fn reported_covariance(
    problem: &mut impl Profile,
    free: &[f64],
    scale: f64,
    inner: &[usize],
    inverse: &[f64],
) -> Option<Vec<f64>> {
    let h = 1e-4;
    let mut columns = Vec::new();
    for i in inner {
        let mut ends = Vec::new();
        for h in [h, -h] {
            let mut moved = free.to_vec();
            moved[*i] += h;
            let scale = problem.profile(&moved)?.scale;
            ends.push(problem.report(&moved, scale));
        }
        let column: Vec<f64> =
            ends[0].iter().zip(&ends[1]).map(|(above, below)| 0.5 * (above - below) / h).collect();
        columns.push(column);
    }
    let (above, below) = (scale * h.exp(), scale * (-h).exp());
    let (above, below) = (problem.report(free, above), problem.report(free, below));
    let of_scale: Vec<f64> =
        above.iter().zip(&below).map(|(above, below)| 0.5 * (above - below) / h).collect();
    let (count, n) = (of_scale.len(), inner.len());
    let mut covariance = vec![0.0; count * count];
    for a in 0..count {
        for b in 0..count {
            let mut sum = 2.0 / problem.observations() * of_scale[a] * of_scale[b];
            for i in 0..n {
                for j in 0..n {
                    sum += columns[i][a] * inverse[i * n + j] * columns[j][b];
                }
            }
            covariance[a * count + b] = sum;
        }
    }
    Some(covariance)
}

/// 1/(1 + e^-u), between 0 and 1.
pub(crate) fn logistic(u: f64) -> f64 {
    1.0 / (1.0 + (-u).exp())
}

/// ln(x/(1-x)), the inverse of [`logistic`].
pub(crate) fn logit(x: f64) -> f64 {
    (x / (1.0 - x)).ln()
}
