use super::adaptation::windows;
use super::chain::Chain;
use super::hamiltonian::Target;
use super::{Coordinates, LogDensity, Nuts, Posterior, SampleError};
use hpfracc_communicator::Ranks;
use hpfracc_types::check_memory;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// All chains of a sampling, between two draws of each.
///
/// It has a serde form, which is the complete state: a sampling that was written, read and continued
/// has the same bits as one that was not interrupted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    settings: Nuts,
    /// Names of the parameters.
    names: Vec<String>,
    coordinates: Coordinates,
    chains: Vec<Chain>,
}

/// Cancellation, progress callback and ranks of a sampling.
#[derive(Clone, Copy, Default)]
pub struct Watch<'a> {
    /// Ranks that share the chains.
    pub ranks: Ranks<'a>,
    /// When set to true, each chain ends after its current draw.
    pub cancel: Option<&'a AtomicBool>,
    /// Called after each draw of a chain of this rank, from the thread that took it.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("cancel", &self.cancel).finish_non_exhaustive()
    }
}

/// Progress of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Number of the chain, from 0.
    pub chain: u32,
    /// Draws so far, warm-up included.
    pub draws: u32,
    /// Draws in all, warm-up included.
    pub of: u32,
    /// Divergences after the warm-up so far.
    pub divergences: usize,
}

impl Nuts {
    /// Begins all chains near the start of the coordinates, at random positions, so that chains that
    /// agree afterwards have forgotten where they began.
    ///
    /// # Errors
    /// [`SampleError::Setting`] for a number out of its range; [`SampleError::Dimension`] for
    /// coordinates of another dimension than the density; [`SampleError::Start`] if the density is
    /// not finite at the start; [`SampleError::Memory`]; [`SampleError::Density`].
    pub fn start<D: LogDensity>(
        &self,
        density: &D,
        coordinates: Coordinates,
    ) -> Result<Sampling, SampleError> {
        self.check()?;
        let (found, expected) = (coordinates.dim(), density.dim());
        if found != expected || found == 0 {
            let what = "parameters of the coordinates";
            return Err(SampleError::Dimension { what, found, expected: expected.max(1) });
        }
        // Parameters and four facts of each draw, in the chains and in the posterior.
        let draws = f64::from(self.chains) * f64::from(self.draws);
        check_memory(2.0 * draws * (expected as f64 + 4.0))?;
        Sampling::new(self.clone(), coordinates, density)
    }
}

impl Sampling {
    fn new<D: LogDensity>(
        settings: Nuts,
        coordinates: Coordinates,
        density: &D,
    ) -> Result<Self, SampleError> {
        let chain = |number| {
            let mut target = Target::new(density, &coordinates);
            Chain::new(number, &settings, &mut target)
        };
        let chains: Vec<_> = (0..settings.chains).into_par_iter().map(chain).collect();
        // The error of the first chain, on any number of threads.
        let chains = chains.into_iter().collect::<Result<_, _>>()?;
        Ok(Self { settings, names: density.names(), coordinates, chains })
    }

    /// The settings.
    pub fn settings(&self) -> &Nuts {
        &self.settings
    }

    /// The coordinates.
    pub fn coordinates(&self) -> &Coordinates {
        &self.coordinates
    }

    /// Draws of each chain so far, warm-up included.
    pub fn draws(&self) -> Vec<u32> {
        self.chains.iter().map(|chain| chain.draw).collect()
    }

    /// True if all chains have all draws.
    pub fn is_complete(&self) -> bool {
        self.chains.iter().all(|chain| chain.draw == self.all())
    }

    fn all(&self) -> u32 {
        self.settings.warm_up + self.settings.draws
    }

    /// Takes all draws that are missing; false if cancelled before.
    ///
    /// # Errors
    /// Those of [`advance`](Self::advance).
    pub fn run<D: LogDensity>(
        &mut self,
        density: &D,
        watch: Watch<'_>,
    ) -> Result<bool, SampleError> {
        self.advance(density, u32::MAX, watch)
    }

    /// Takes at most `draws` further draws of each chain, in parallel on the threads of the
    /// [`rayon`] pool that it is called in; true if all chains then have all draws.
    ///
    /// The state can be saved after each call, and after cancellation.
    ///
    /// # Errors
    /// [`SampleError::Density`] for the first chain whose density fails, all chains remaining as
    /// after their last complete draw; [`SampleError::Dimension`] for another density;
    /// [`SampleError::State`] for a state that was read and does not match its settings.
    pub fn advance<D: LogDensity>(
        &mut self,
        density: &D,
        draws: u32,
        watch: Watch<'_>,
    ) -> Result<bool, SampleError> {
        self.check()?;
        let (found, expected) = (density.dim(), self.coordinates.dim());
        if found != expected {
            return Err(SampleError::Dimension { what: "parameters", found, expected });
        }
        let (of, windows) = (self.all(), windows(self.settings.warm_up));
        let (settings, coordinates) = (&self.settings, &self.coordinates);
        let advance = |chain: &mut Chain| -> Result<(), SampleError> {
            let mut target = Target::new(density, coordinates);
            let last = chain.draw.saturating_add(draws).min(of);
            while chain.draw < last {
                if watch.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                    break;
                }
                let (number, draw) = (chain.number, chain.draw);
                chain
                    .advance(settings, &windows, &mut target)
                    .map_err(|source| SampleError::Density { chain: number, draw, source })?;
                if let Some(progress) = watch.progress {
                    let (draws, divergences) = (chain.draw, chain.draws.divergences.len());
                    progress(Progress { chain: number, draws, of, divergences });
                }
            }
            Ok(())
        };
        let results = if watch.ranks.several().is_none() {
            self.chains.par_iter_mut().map(advance).collect()
        } else {
            advance_over(watch.ranks, &mut self.chains, advance)?
        };
        results.into_iter().collect::<Result<(), _>>()?;
        Ok(self.is_complete())
    }

    /// The draws after the warm-up with their diagnostics; of an incomplete sampling as many of
    /// each chain as the shortest one has.
    ///
    /// # Errors
    /// [`SampleError::TooFew`] for fewer than 8 draws of a chain; [`SampleError::State`].
    pub fn posterior(&self) -> Result<Posterior, SampleError> {
        self.check()?;
        let chains: Vec<_> = self.chains.iter().map(|chain| &chain.draws).collect();
        let warm_up = self.chains.iter().map(|chain| chain.warm_up_gradients).sum();
        Posterior::new(&self.names, &chains, warm_up)
    }

    /// Refuses states whose lengths do not agree.
    fn check(&self) -> Result<(), SampleError> {
        self.settings.check()?;
        let count = self.chains.len() == self.settings.chains as usize
            && self.names.len() == self.coordinates.dim();
        if !(count && self.coordinates.is_consistent()) {
            return Err(SampleError::State { chain: 0 });
        }
        let dim = self.coordinates.dim();
        let odd = (0..)
            .zip(&self.chains)
            .find(|(i, chain)| *i != chain.number || !chain.is_consistent(&self.settings, dim));
        odd.map_or(Ok(()), |(chain, _)| Err(SampleError::State { chain }))
    }
}

/// Advances chains, each on one rank; then all ranks have all of them.
fn advance_over(
    ranks: Ranks<'_>,
    chains: &mut [Chain],
    advance: impl Fn(&mut Chain) -> Result<(), SampleError> + Sync,
) -> Result<Vec<Result<(), SampleError>>, SampleError> {
    let before = &*chains;
    let advanced = ranks.map(chains.len(), |k| {
        let mut chain = before[k].without_draws();
        let failed = match advance(&mut chain) {
            Err(SampleError::Density { source, .. }) => Some(source.to_string()),
            result => result.map(|()| None)?,
        };
        Ok::<_, SampleError>((chain, failed))
    })?;
    let results = chains.iter_mut().zip(advanced).map(|(chain, (now, failed))| {
        chain.go_on(now);
        failed.map_or(Ok(()), |message| {
            let (chain, draw) = (chain.number, chain.draw);
            Err(SampleError::Density { chain, draw, source: message.into() })
        })
    });
    Ok(results.collect())
}
