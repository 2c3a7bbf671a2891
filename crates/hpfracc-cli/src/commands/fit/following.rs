//! Computations that follow a fit: profiles, bootstrap, draws, other models.

use super::data::Rows;
use super::report::{BootstrapReport, Extras, ModelReport, PosteriorReport};
use super::settings::{SetFile, Settings};
use super::task::Task;
use super::{FitArgs, interrupt};
use crate::error::FittingError;
use crate::output::{Progress, csv_bytes};
use crate::{Error, Ranks};
use hpfracc::fit::Found;
use hpfracc::fit::bootstrap::{Resampling, Scheme};
use hpfracc::fit::sample::{Nuts, Posterior};
use hpfracc::types::shortest;

/// Settings of the computations.
#[derive(Debug)]
pub(super) struct Following {
    profiles: Vec<String>,
    bootstrap: Option<Resampling>,
    sample: Option<Nuts>,
}

impl Following {
    pub(super) fn new(args: &FitArgs) -> Result<Self, Error> {
        let (profiles, seed) = (args.profile.clone(), args.seed);
        let bootstrap = args.bootstrap.map(|replicates| {
            Ok::<_, Error>(Resampling { scheme: scheme(&args.resample)?, replicates, seed })
        });
        let sample = args.sample.as_deref().map(|text| {
            let (chains, draws) = chains_and_draws(text)?;
            Ok::<_, Error>(Nuts { chains, draws, seed, ..Nuts::default() })
        });
        Ok(Self { profiles, bootstrap: bootstrap.transpose()?, sample: sample.transpose()? })
    }

    /// The results, and the draws as CSV.
    pub(super) fn run(
        &self,
        task: &Task,
        found: &Found<'_>,
        progress: &Progress,
    ) -> Result<(Extras, Option<Vec<u8>>), Error> {
        let (level, mut extras) = (task.settings.level(), Extras::default());
        for name in &self.profiles {
            progress.step("profiling");
            let profile = found.profile(name, level).map_err(FittingError::from)?;
            extras.profiles.push((name.clone(), profile));
        }
        if let Some(settings) = &self.bootstrap {
            progress.of_refits(settings.replicates.into());
            let shown = |at: hpfracc::fit::bootstrap::Progress| {
                progress.counted(at.replicates.into());
            };
            let bootstrap =
                found.bootstrap_watched(settings, &shown).map_err(FittingError::from)?;
            interrupted(bootstrap.is_complete())?;
            let report = BootstrapReport::new(found, &bootstrap, level);
            extras.bootstrap = Some(report.map_err(FittingError::from)?);
        }
        let mut draws = None;
        if let Some(settings) = &self.sample {
            let all = settings.warm_up + settings.draws;
            progress.of_draws(all.into());
            let shown = |at: hpfracc::fit::sample::Progress| {
                if at.chain == 0 {
                    progress.counted(at.draws.into());
                }
            };
            let posterior = found.sample_watched(settings, &shown).map_err(FittingError::from)?;
            interrupted(posterior.draws() == settings.draws as usize)?;
            draws = Some(to_csv(&posterior)?);
            extras.posterior = Some(PosteriorReport::new(&posterior, level));
        }
        Ok((extras, draws))
    }
}

fn interrupted(complete: bool) -> Result<(), Error> {
    if complete {
        return Ok(());
    }
    let continuation = String::new();
    Err(FittingError::Interrupted { passes: 0, continuation }.into())
}

/// The model and others for the same data, if there are others.
pub(super) fn other_models(
    (task, found, files): (&Task, &Found<'_>, &[(SetFile, Rows)]),
    models: &[String],
    ranks: &Ranks,
) -> Result<Vec<ModelReport>, Error> {
    if models.is_empty() {
        return Ok(vec![]);
    }
    let mut reports = vec![ModelReport::new(task.name(), found, None)];
    for model in models {
        let mut settings = Settings::of_model(model)?;
        if !model.ends_with(".toml") {
            settings.data = task.settings.data.clone();
        }
        settings.fit = task.settings.fit.clone();
        settings.hertz |= task.settings.hertz;
        if settings.space.axes.is_empty() && settings.equation.is_some() {
            settings.space = task.settings.space.clone();
        }
        let other = Task::new(settings, files)?;
        let fit = other.fit()?.over(ranks.shared()).cancel(interrupt::flag());
        let fitted = fit.run()?;
        reports.push(ModelReport::new(other.name(), &fitted, Some(found)));
    }
    Ok(reports)
}

/// `residual`, `wild`, `pairs` or `blocks:20`
fn scheme(text: &str) -> Result<Scheme, Error> {
    match text.split_once(':') {
        None if text == "residual" => return Ok(Scheme::Residual),
        None if text == "wild" => return Ok(Scheme::Wild),
        None if text == "pairs" => return Ok(Scheme::Pairs),
        Some(("blocks", length)) => {
            if let Ok(length) = length.parse() {
                return Ok(Scheme::Blocks { length });
            }
        }
        _ => {}
    }
    let expected = "residual, wild, pairs or blocks:ROWS, such as blocks:20";
    Err(FittingError::Argument { argument: "--resample", text: text.to_owned(), expected }.into())
}

/// `4x1000`
fn chains_and_draws(text: &str) -> Result<(u32, u32), Error> {
    let numbers = text.split_once('x').and_then(|(chains, draws)| {
        Some((chains.trim().parse().ok()?, draws.trim().parse().ok()?))
    });
    let expected = "chains and draws of each, such as 4x1000";
    numbers.ok_or_else(|| {
        FittingError::Argument { argument: "--sample", text: text.to_owned(), expected }.into()
    })
}

/// Draws by chain and number, a column for each parameter.
fn to_csv(posterior: &Posterior) -> Result<Vec<u8>, Error> {
    let series: Vec<Vec<&[f64]>> = (0..posterior.dim()).map(|k| posterior.series(k)).collect();
    let header = ["chain", "draw"].map(str::to_owned).into_iter().chain(posterior.names().to_vec());
    let row = |(chain, draw): (usize, usize)| -> Vec<String> {
        let numbers = series.iter().map(|all| shortest(all[chain][draw]));
        [chain, draw].map(|number| number.to_string()).into_iter().chain(numbers).collect()
    };
    let all = (0..posterior.chains())
        .flat_map(|chain| (0..posterior.draws()).map(move |draw| (chain, draw)));
    csv_bytes("draws", std::iter::once(header.collect()).chain(all.map(row)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_and_chains_are_read() {
        assert_eq!(scheme("blocks:20").unwrap(), Scheme::Blocks { length: 20 });
        assert_eq!(chains_and_draws("4x1000").unwrap(), (4, 1000));
        for text in ["block:20", "blocks", "blocks:x", "Wild"] {
            assert!(scheme(text).is_err(), "{text}");
        }
        for text in ["4", "4x", "x1000", "-4x10"] {
            assert!(chains_and_draws(text).is_err(), "{text}");
        }
    }
}
