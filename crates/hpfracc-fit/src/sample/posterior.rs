use super::SampleError;
use super::chain::Draws;
use super::diagnostics::{self, LEAST_DRAWS, mean_of};
use hpfracc_types::shortest;
use std::fmt;
use thiserror::Error;

/// Draws from a posterior distribution, with their diagnostics.
#[derive(Debug, Clone, PartialEq)]
pub struct Posterior {
    names: Vec<String>,
    chains: usize,
    draws: usize,
    /// Parameter by parameter, chain by chain, draw by draw.
    values: Vec<f64>,
    /// Chain by chain.
    energies: Vec<f64>,
    acceptances: Vec<f64>,
    depths: Vec<u32>,
    gradients: u64,
    warm_up_gradients: u64,
    divergences: Vec<Divergence>,
}

/// A trajectory whose energy was not conserved, because the density bends more sharply than the step
/// resolves, or was not finite.
#[derive(Debug, Clone, PartialEq)]
pub struct Divergence {
    /// Number of the chain, from 0.
    pub chain: usize,
    /// Number of the draw after the warm-up, from 0.
    pub draw: usize,
    /// Parameters before the divergent step.
    pub position: Vec<f64>,
}

/// Statistics of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// Mean.
    pub mean: f64,
    /// Monte Carlo standard error of the mean.
    pub mean_error: f64,
    /// Standard deviation.
    pub standard_deviation: f64,
    /// Monte Carlo standard error of the standard deviation.
    pub standard_deviation_error: f64,
    /// [`diagnostics::r_hat`]
    pub r_hat: f64,
    /// [`diagnostics::bulk_ess`]
    pub bulk_ess: f64,
    /// [`diagnostics::tail_ess`]
    pub tail_ess: f64,
}

/// Largest R-hat of chains that agree.
const LARGEST_R_HAT: f64 = 1.01;
/// Least effective sample size of believable diagnostics.
const LEAST_ESS: f64 = 400.0;
/// Least [`diagnostics::bfmi`].
const LEAST_BFMI: f64 = 0.3;

impl Posterior {
    pub(super) fn new(
        names: &[String],
        chains: &[&Draws],
        warm_up_gradients: u64,
    ) -> Result<Self, SampleError> {
        let dim = names.len();
        let draws = chains.iter().map(|chain| chain.energies.len()).min().unwrap_or(0);
        if draws < LEAST_DRAWS {
            return Err(SampleError::TooFew { found: draws, expected: LEAST_DRAWS });
        }
        let of = |parameter: usize, chain: &Draws| -> Vec<f64> {
            chain.parameters.iter().skip(parameter).step_by(dim).take(draws).copied().collect()
        };
        let values = (0..dim)
            .flat_map(|parameter| chains.iter().flat_map(move |chain| of(parameter, chain)));
        let divergences = (0..).zip(chains).flat_map(|(number, chain)| {
            let within = chain.divergences.iter().filter(|(draw, _)| (*draw as usize) < draws);
            within.map(move |(draw, position)| {
                let (draw, position) = (*draw as usize, position.clone());
                Divergence { chain: number, draw, position }
            })
        });
        let gradients = chains.iter().flat_map(|chain| &chain.gradients[..draws]);
        Ok(Self {
            names: names.to_vec(),
            chains: chains.len(),
            draws,
            values: values.collect(),
            energies: chains.iter().flat_map(|c| &c.energies[..draws]).copied().collect(),
            acceptances: chains.iter().flat_map(|c| &c.acceptances[..draws]).copied().collect(),
            depths: chains.iter().flat_map(|c| &c.depths[..draws]).copied().collect(),
            gradients: gradients.map(|steps| u64::from(*steps)).sum(),
            warm_up_gradients,
            divergences: divergences.collect(),
        })
    }

    /// Number of parameters.
    pub fn dim(&self) -> usize {
        self.names.len()
    }

    /// Names of the parameters.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Number of the parameter of a name.
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// Number of chains.
    pub fn chains(&self) -> usize {
        self.chains
    }

    /// Draws of a chain.
    pub fn draws(&self) -> usize {
        self.draws
    }

    /// The draws of a parameter, chain by chain.
    ///
    /// # Panics
    /// Panics if there is no such parameter.
    pub fn series(&self, parameter: usize) -> Vec<&[f64]> {
        let length = self.chains * self.draws;
        self.values[parameter * length..][..length].chunks_exact(self.draws).collect()
    }

    /// Mean, standard deviation and diagnostics of a parameter.
    ///
    /// # Panics
    /// Panics if there is no such parameter.
    pub fn summary(&self, parameter: usize) -> Summary {
        let series = self.series(parameter);
        let (mean, mean_error) = diagnostics::mean(&series);
        let (standard_deviation, standard_deviation_error) =
            diagnostics::standard_deviation(&series);
        Summary {
            mean,
            mean_error,
            standard_deviation,
            standard_deviation_error,
            r_hat: diagnostics::r_hat(&series),
            bulk_ess: diagnostics::bulk_ess(&series),
            tail_ess: diagnostics::tail_ess(&series),
        }
    }

    /// The p-quantile of a parameter with its Monte Carlo standard error, as in
    /// [`diagnostics::quantile`].
    ///
    /// # Panics
    /// Panics if there is no such parameter.
    pub fn quantile(&self, parameter: usize, p: f64) -> (f64, f64) {
        let series = self.series(parameter);
        (diagnostics::quantile(&series, p), diagnostics::quantile_error(&series, p))
    }

    /// Covariance of the parameters, row by row.
    pub fn covariance(&self) -> Vec<f64> {
        let length = self.chains * self.draws;
        let all: Vec<&[f64]> = self.values.chunks_exact(length).collect();
        let means: Vec<f64> = all.iter().map(|series| mean_of(&[series])).collect();
        let entry = |i: usize, j: usize| {
            let pairs = all[i].iter().zip(all[j]);
            let sum: f64 = pairs.map(|(x, y)| (x - means[i]) * (y - means[j])).sum();
            sum / (length as f64 - 1.0)
        };
        let dim = self.dim();
        (0..dim * dim).map(|at| entry(at / dim, at % dim)).collect()
    }

    /// All divergences after the warm-up.
    pub fn divergences(&self) -> &[Divergence] {
        &self.divergences
    }

    /// [`diagnostics::bfmi`] of each chain.
    pub fn bfmi(&self) -> Vec<f64> {
        self.energies.chunks_exact(self.draws).map(diagnostics::bfmi).collect()
    }

    /// Mean acceptance probability of each chain.
    pub fn acceptance(&self) -> Vec<f64> {
        self.acceptances.chunks_exact(self.draws).map(|chain| mean_of(&[chain])).collect()
    }

    /// Numbers of trajectories of each depth, from 0.
    pub fn depths(&self) -> Vec<usize> {
        let deepest = self.depths.iter().max().map_or(0, |depth| *depth as usize);
        let mut counts = vec![0; deepest + 1];
        self.depths.iter().for_each(|depth| counts[*depth as usize] += 1);
        counts
    }

    /// Gradients of all chains after the warm-up.
    pub fn gradients(&self) -> u64 {
        self.gradients
    }

    /// Gradients of the warm-up of all chains.
    pub fn warm_up_gradients(&self) -> u64 {
        self.warm_up_gradients
    }

    /// Checks that the statistics can be believed: R-hat at most 1.01 and effective sample sizes of
    /// bulk and tails of at least 400 for every parameter, no divergence, and energies that were
    /// explored ([`diagnostics::bfmi`] of at least 0.3).
    ///
    /// # Errors
    /// [`NotConverged`] with all reasons.
    pub fn converged(&self) -> Result<(), NotConverged> {
        let mut reasons = Vec::new();
        for (number, name) in self.names.iter().enumerate() {
            let Summary { r_hat, bulk_ess, tail_ess, .. } = self.summary(number);
            // NaN is within no limit.
            let agree = r_hat <= LARGEST_R_HAT;
            if !agree {
                reasons.push(Reason::RHat { parameter: name.clone(), r_hat });
            }
            let ess = bulk_ess.min(tail_ess);
            let enough = ess >= LEAST_ESS;
            if !enough {
                let (parameter, draws) = (name.clone(), self.chains * self.draws);
                reasons.push(Reason::Ess { parameter, ess, draws });
            }
        }
        if let Some(first) = self.divergences.first() {
            let (count, draws) = (self.divergences.len(), self.chains * self.draws);
            reasons.push(Reason::Divergences { count, draws, first: first.position.clone() });
        }
        for (chain, bfmi) in self.bfmi().into_iter().enumerate() {
            let explored = bfmi >= LEAST_BFMI;
            if !explored {
                reasons.push(Reason::Energy { chain, bfmi });
            }
        }
        if reasons.is_empty() { Ok(()) } else { Err(NotConverged { reasons }) }
    }
}

/// The reasons not to believe a sampling.
#[derive(Debug, Clone, PartialEq, Error)]
pub struct NotConverged {
    /// At least one.
    pub reasons: Vec<Reason>,
}

impl fmt::Display for NotConverged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the chains have not converged")?;
        let mut between = ": ";
        for reason in &self.reasons {
            write!(f, "{between}{reason}")?;
            between = "; ";
        }
        Ok(())
    }
}

/// A reason not to believe a sampling.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Reason {
    /// Chains that do not agree.
    #[error(
        "R-hat of parameter {parameter} is {r_hat:.3}, expected at most 1.01: the chains do not \
         agree, take more draws or a longer warm-up"
    )]
    RHat {
        /// Name of the parameter.
        parameter: String,
        /// Its R-hat.
        r_hat: f64,
    },
    /// Too few effective draws.
    #[error(
        "the {draws} draws of parameter {parameter} are worth {ess:.0} independent ones, expected \
         at least 400: take more draws"
    )]
    Ess {
        /// Name of the parameter.
        parameter: String,
        /// The smaller effective size of bulk and tails.
        ess: f64,
        /// All draws.
        draws: usize,
    },
    /// Divergent trajectories.
    #[error(
        "{count} of {draws} draws diverged, the first at {}: the density bends too sharply there or \
         is not finite, raise the acceptance or choose other parameters",
        Point(first)
    )]
    Divergences {
        /// Number of divergences.
        count: usize,
        /// All draws.
        draws: usize,
        /// Parameters of the first divergence.
        first: Vec<f64>,
    },
    /// Energies that are explored too slowly.
    #[error(
        "the fraction of missing information of chain {chain} is {bfmi:.2}, expected at least 0.3: \
         the tails are heavier than the momenta reach, choose other parameters"
    )]
    Energy {
        /// Number of the chain, from 0.
        chain: usize,
        /// Its fraction.
        bfmi: f64,
    },
}

/// Numbers in parentheses.
struct Point<'a>(&'a [f64]);

impl fmt::Display for Point<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(|x| shortest(*x)).collect();
        write!(f, "({})", numbers.join(", "))
    }
}
