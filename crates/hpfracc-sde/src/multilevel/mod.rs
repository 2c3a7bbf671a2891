//! Expectations by levels of steps.

mod expectation;
mod level;

pub use expectation::{Expectation, LevelStatistics};

use super::{
    Ensemble, InitialValues, Moments, StochasticProblem, StochasticScheme, StochasticSystem,
};
use crate::SdeError;
use crate::checks::Range;
use crate::ensemble::running_means::RunningMeans;
use crate::error::in_range;
use crate::noise::{Gaussian, Noise};
use hpfracc_communicator::Ranks;
use level::{DIFFERENCE, PAYOFF, Payoffs, Sampler};
use ndarray::ArrayView2;
use std::sync::atomic::AtomicBool;

/// The expectation of a payoff P of the paths, with a root-mean-square error below a target.
///
#[doc = formula!("multilevel", r"\mathrm{E} P_L = \mathrm{E} P_0 + \sum_{l=1}^L \mathrm{E} (P_l - P_{l-1})")]
///
/// On level l a path takes M times as many steps as on level l - 1. The two payoffs of a difference
/// come from the same noise, so that few paths are needed where steps are short.
///
/// Half of the square of the target is left to the variance: numbers of paths are those of the
/// least work, `N_l ~ sqrt(V_l / C_l)`. The other half is left to the bias, which is extrapolated
/// from the means of the last three levels with the order that they show, 1/2 to 1; levels are
/// added until it is small enough. Both are estimates: the target is met as well as variances are
/// known from some thousand paths, and means from three levels.
///
/// Work: `O(target^-2)` if the variance falls faster than the steps, as for schemes of strong order
/// above 1/2; `O(target^-2 log^2 target)` for order 1/2 and payoffs that are Lipschitz; for Caputo
/// equations, of strong order alpha - 1/2, the variance falls slowly and so do the gains. Single
/// paths on the finest level take `O(target^-3)` for weak order 1.
///
/// The paths of the noise have to be independent; those of
/// [`Antithetic`](crate::noise::Antithetic) are not. The result has the same bits on any number of
/// threads and [ranks](Self::over).
///
/// Source: Giles, Oper. Res. 56 (2008) 607, DOI 10.1287/opre.1070.0496; the tests of convergence:
/// Giles, Acta Numerica 24 (2015) 259, DOI 10.1017/S096249291500001X.
#[derive(Debug, Clone)]
pub struct MultilevelMonteCarlo<'a> {
    target: f64,
    refinement: usize,
    coarsest: usize,
    finest: usize,
    pilot: usize,
    cancelled: Option<&'a AtomicBool>,
    ranks: Ranks<'a>,
}

/// Samples a number of paths of a level from a first one on.
type Sample<'a> = &'a dyn Fn(usize, u64, usize) -> Result<RunningMeans, SdeError>;

/// Bits of the numbers of the paths of a level.
const PATH_BITS: u32 = 48;

impl<'a> MultilevelMonteCarlo<'a> {
    /// For a root-mean-square error of `target`; steps 4 times as many on each level, one on the
    /// first, and 8 levels after it at most.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] if the target is not positive and finite.
    pub fn new(target: f64) -> Result<Self, SdeError> {
        Range::POSITIVE.check("the target of an expectation", target)?;
        let (refinement, coarsest, finest, pilot) = (4, 1, 8, 2000);
        let (cancelled, ranks) = (None, Ranks::ALONE);
        Ok(Self { target, refinement, coarsest, finest, pilot, cancelled, ranks })
    }

    /// Each level has `refinement` times the steps of the one before.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] if that is below 2.
    pub fn refined_by(self, refinement: usize) -> Result<Self, SdeError> {
        in_range(refinement > 1, "the refinement of levels", refinement as f64, "at least 2")?;
        Ok(Self { refinement, ..self })
    }

    /// Sets the number of steps of the first level, at whose nodes payoffs see paths.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for no step.
    pub fn coarsest(self, steps: usize) -> Result<Self, SdeError> {
        in_range(steps > 0, "the steps of the first level", 0.0, "at least 1")?;
        Ok(Self { coarsest: steps, ..self })
    }

    /// Sets the last level that may be added, counted from 0: at least 2, since the bias is
    /// estimated from three means.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] if it is below 2.
    pub fn finest(self, level: usize) -> Result<Self, SdeError> {
        in_range(level > 1, "the last level", level as f64, "at least 2")?;
        Ok(Self { finest: level, ..self })
    }

    /// Sets the number of paths of the first estimate of a variance; 2000 by default. A payoff that
    /// is rarely other than 0 needs more.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] if there are less than 100.
    pub fn pilot(self, paths: usize) -> Result<Self, SdeError> {
        in_range(paths >= 100, "the paths of a pilot", paths as f64, "at least 100")?;
        Ok(Self { pilot: paths, ..self })
    }

    /// Ends the solve soon after the flag is set, with [`SdeError::Cancelled`].
    pub fn cancelled_by(self, flag: &'a AtomicBool) -> Self {
        Self { cancelled: Some(flag), ..self }
    }

    /// Samples paths over ranks, each of which calls [`solve`](Self::solve) with the same method,
    /// problem and payoff: on threads, or over MPI.
    ///
    /// Ranks have consecutive shards of each level, as many as others; all have the same result,
    /// with the bits of one process, whatever the number of ranks and threads. More than 64 threads
    /// in all gain nothing. For each sample of a level a rank sends about a hundred bytes, whatever
    /// the number of paths.
    ///
    /// ```
    /// use hpfracc_communicator::run_threads;
    /// use hpfracc_sde::noise::Brownian;
    /// use hpfracc_sde::{EulerMaruyama, MultilevelMonteCarlo, Rows, RowsMut, SdeError};
    /// use hpfracc_sde::{NoiseKind, StochasticProblem, StochasticSystem};
    ///
    /// struct Decay;
    ///
    /// impl StochasticSystem<f64> for Decay {
    ///     fn dim(&self) -> usize { 1 }
    ///     fn noise_kind(&self) -> NoiseKind { NoiseKind::Diagonal }
    ///     fn drift(&self, _: f64, x: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
    ///         f[0].iter_mut().zip(&x[0]).for_each(|(f, x)| *f = -x);
    ///     }
    ///     fn diffusion(&self, _: f64, _: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
    ///         g[0].fill(0.5);
    ///     }
    /// }
    ///
    /// let problem = StochasticProblem::new(Decay, (0.0, 1.0), &[1.0])?;
    /// let (noise, method) = (Brownian::new(7, 1)?, MultilevelMonteCarlo::new(0.02)?);
    /// let solve = |method: MultilevelMonteCarlo<'_>| {
    ///     method.solve(&problem, &EulerMaruyama, &noise, |path| path[[1, 0]].max(0.0))
    /// };
    /// let alone = solve(method.clone())?;
    /// let on_ranks = run_threads(3, |ranks| solve(method.clone().over(ranks)))?;
    /// assert!(on_ranks.iter().all(|found| *found == alone));
    /// # Ok::<(), SdeError>(())
    /// ```
    pub fn over<'b>(self, ranks: impl Into<Ranks<'b>>) -> MultilevelMonteCarlo<'b>
    where
        'a: 'b,
    {
        let mut over: MultilevelMonteCarlo<'b> = self;
        over.ranks = ranks.into();
        over
    }

    /// The expectation of `payoff`, a function of the values of a path by time and component: at
    /// the start and at the ends of the steps of the first level.
    ///
    /// # Errors
    /// [`SdeError::BiasAboveTarget`] if the last level that is allowed leaves too large a bias;
    /// [`SdeError::NotTaken`] for a problem with a start of each path;
    /// [`SdeError::PathValueNotFinite`]; [`SdeError::TooLarge`] for more steps of the first level
    /// than memory has room for; [`SdeError::OutOfRange`] for more than 2^32 - 1 steps or 2^48
    /// paths on a level; [`SdeError::Ranks`] for ranks with other settings, problems or noises, and
    /// for an error of another rank; and those of [`Ensemble::solve`](super::Ensemble::solve).
    pub fn solve<T: Gaussian>(
        &self,
        problem: &StochasticProblem<T, impl StochasticSystem<T>>,
        scheme: &impl StochasticScheme<T>,
        noise: &dyn Noise<T>,
        payoff: impl Fn(ArrayView2<'_, f64>) -> f64 + Sync,
    ) -> Result<Expectation, SdeError> {
        if matches!(problem.start(), InitialValues::Each(_)) {
            let scheme = "a method of levels";
            let reason = "it takes as many paths as it needs, and each has a start of its own";
            return Err(SdeError::NotTaken { scheme, reason });
        }
        let (coarsest, cancelled) = (self.coarsest, self.cancelled);
        self.agree(problem, scheme, noise)?;
        let payoffs = Payoffs { payoff: &payoff, coarsest, cancelled };
        let (refinement, ranks) = (self.refinement, self.ranks);
        let sampler = Sampler { problem, scheme, noise, refinement, ranks, payoffs };
        let sample: Sample<'_> = &|level, first, paths| sampler.sample(level, first, paths);
        let mut levels: Vec<RunningMeans> = Vec::new();
        while levels.len() < 3 {
            levels.push(self.pilots(sample, levels.len())?);
        }
        loop {
            self.sample(sample, &mut levels)?;
            let (bias, finest) = (self.bias(&levels), levels.len() - 1);
            tracing::debug!(finest, bias, target = self.target, "levels of an expectation");
            if bias <= self.target / 2f64.sqrt() {
                return Ok(self.expectation(&levels, bias));
            }
            if finest == self.finest {
                return Err(SdeError::BiasAboveTarget { level: finest, bias, target: self.target });
            }
            levels.push(self.pilots(sample, finest + 1)?);
        }
    }

    /// Refuses ranks with other settings, problems or noises. Collective.
    fn agree<T: Gaussian>(
        &self,
        problem: &StochasticProblem<T, impl StochasticSystem<T>>,
        scheme: &impl StochasticScheme<T>,
        noise: &dyn Noise<T>,
    ) -> Result<(), SdeError> {
        if self.ranks.several().is_none() {
            return Ok(());
        }
        let Self { target, refinement, coarsest, finest, pilot, .. } = self;
        // The first paths of the first level.
        let fingerprint = Ensemble::new(*pilot, *coarsest)
            .and_then(|first| Ok(first.run(problem, scheme, noise, &Moments)?.fingerprint()));
        let values = [
            ("the scheme", scheme.name().to_owned()),
            ("the target", target.to_string()),
            ("the refinement", refinement.to_string()),
            ("the steps of the first level", coarsest.to_string()),
            ("the last level", finest.to_string()),
            ("the paths of a pilot", pilot.to_string()),
            ("the fingerprint of problem and noise", self.ranks.all_ok(fingerprint)?.to_string()),
        ];
        Ok(self.ranks.agree(&values)?)
    }

    fn pilots(&self, sample: Sample<'_>, level: usize) -> Result<RunningMeans, SdeError> {
        sample(level, (level as u64) << PATH_BITS, self.pilot)
    }

    /// More paths, until there are enough for half of the squared target.
    fn sample(&self, sample: Sample<'_>, levels: &mut [RunningMeans]) -> Result<(), SdeError> {
        loop {
            let variances = self.variances(levels);
            let costs: Vec<f64> = (0..levels.len()).map(|level| self.cost(level)).collect();
            let work: f64 = variances.iter().zip(&costs).map(|(v, c)| (v * c).sqrt()).sum();
            let mut enough = true;
            for (level, sums) in levels.iter_mut().enumerate() {
                let share = (variances[level] / costs[level]).sqrt();
                let paths = (2.0 / self.target.powi(2) * share * work).ceil();
                in_range(
                    paths < (1u64 << PATH_BITS) as f64,
                    "the paths of a level",
                    paths,
                    "below 2^48",
                )?;
                // A last per cent of paths is not worth another round.
                let more = paths - sums.paths;
                if more > 0.01 * sums.paths {
                    let first = ((level as u64) << PATH_BITS) + sums.paths as u64;
                    sums.add(&sample(level, first, more as usize)?);
                    enough = false;
                }
            }
            if enough {
                return Ok(());
            }
        }
    }

    /// Variances of the differences, at least half of their extrapolation from coarser levels: few
    /// paths may miss rare values.
    fn variances(&self, levels: &[RunningMeans]) -> Vec<f64> {
        let mut variances = variances_of(levels);
        let ratio = (self.refinement as f64).powf(-self.order(&variances, 0.5));
        for level in 2..variances.len() {
            variances[level] = variances[level].max(0.5 * ratio * variances[level - 1]);
        }
        variances
    }

    /// The contribution of levels beyond the last.
    fn bias(&self, levels: &[RunningMeans]) -> f64 {
        let means = means_of(levels);
        // A mean that is small by chance looks like a high order, which would explain the bias
        // away.
        let order = self.order(&means, 0.5).min(1.0);
        let factor = (self.refinement as f64).powf(order);
        // The last mean may be small by chance: the two before it are asked too.
        let expected = means[1..].iter().rev().take(3).zip(0..);
        let largest = expected.map(|(mean, ago)| mean.abs() / factor.powi(ago)).fold(0.0, f64::max);
        largest / (factor - 1.0)
    }

    /// The power of the step that a quantity falls with from level 1 on, by least squares in its
    /// logarithm; `least` at the least.
    fn order(&self, quantities: &[f64], least: f64) -> f64 {
        let points = quantities.iter().enumerate().skip(1).filter(|(_, q)| **q != 0.0);
        let points: Vec<(f64, f64)> = points.map(|(l, q)| (l as f64, q.abs().ln())).collect();
        let count = points.len() as f64;
        let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (level, ln) = (mean(&|p| p.0), mean(&|p| p.1));
        let slope = mean(&|p| (p.0 - level) * (p.1 - ln)) / mean(&|p| (p.0 - level).powi(2));
        let order = -slope / (self.refinement as f64).ln();
        // NaN where there are less than two points.
        if order > least { order } else { least }
    }

    /// Increments that a path of a level draws: it draws them for its longer steps again.
    fn cost(&self, level: usize) -> f64 {
        let twice = if level == 0 { 1.0 } else { 2.0 };
        twice * self.coarsest as f64 * (self.refinement as f64).powi(level as i32)
    }

    fn expectation(&self, levels: &[RunningMeans], bias: f64) -> Expectation {
        let level = |(level, sums): (usize, &RunningMeans)| LevelStatistics {
            steps: self.coarsest * self.refinement.pow(level as u32),
            paths: sums.paths as u64,
            mean: sums.means[DIFFERENCE],
            variance: sums.variance(DIFFERENCE),
            payoff_mean: sums.means[PAYOFF],
            payoff_variance: sums.variance(PAYOFF),
            cost: self.cost(level),
        };
        let variances = variances_of(levels);
        let means = means_of(levels);
        let errors = levels.iter().map(|sums| sums.variance(DIFFERENCE) / sums.paths);
        Expectation {
            value: means.iter().sum(),
            standard_error: errors.sum::<f64>().sqrt(),
            bias,
            target: self.target,
            weak_order: self.order(&means, f64::NEG_INFINITY),
            variance_order: self.order(&variances, f64::NEG_INFINITY),
            levels: levels.iter().enumerate().map(level).collect(),
        }
    }
}

fn means_of(levels: &[RunningMeans]) -> Vec<f64> {
    levels.iter().map(|sums| sums.means[DIFFERENCE]).collect()
}

fn variances_of(levels: &[RunningMeans]) -> Vec<f64> {
    levels.iter().map(|sums| sums.variance(DIFFERENCE)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Means that fall regularly, and a last one that is small by chance.
    #[test]
    fn the_bias_of_means() {
        let method = MultilevelMonteCarlo::new(1.0).unwrap();
        let bias = |means: &[f64]| {
            let level = |mean: &f64| {
                let mut sums = RunningMeans::default();
                sums.clear(2);
                sums.add_part(1, &[mean - 1.0, 0.0]);
                sums.add_part(1, &[mean + 1.0, 0.0]);
                sums
            };
            method.bias(&means.iter().map(level).collect::<Vec<_>>())
        };
        // E (P - P_2) = 1/4 + 1/16 + ...
        assert!((bias(&[7.0, -4.0, 1.0]) - 1.0 / 3.0).abs() < 1e-12);
        assert!((bias(&[7.0, 2.0, 1.0]) - 1.0).abs() < 1e-12);
        assert!((bias(&[7.0, 4.0, 1e-9]) - 1.0 / 3.0).abs() < 1e-12);
        assert!((bias(&[7.0, 64.0, 16.0, 4.0, 1e-9]) - 1.0 / 3.0).abs() < 1e-12);
        assert!((bias(&[7.0, 1.0, 2.0]) - 2.0).abs() < 1e-12);
    }
}
