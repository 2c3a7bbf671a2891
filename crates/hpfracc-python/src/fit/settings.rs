//! Settings of a fit, as the Python module passes them.

use crate::errors;
use hpfracc::fit::{Fit, FitError, Loss};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::time::Duration;

/// Settings; names with `@` belong to a set.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct Settings {
    pub(super) start: Vec<(String, f64)>,
    pub(super) bounds: Vec<(String, f64, f64)>,
    pub(super) fixed: Vec<(String, f64)>,
    pub(super) tied: Vec<(String, String)>,
    pub(super) logarithmic: Vec<String>,
    pub(super) prior: Vec<(String, f64, f64)>,
    pub(super) own: Vec<String>,
    pub(super) loss: String,
    pub(super) loss_scale: Option<f64>,
    pub(super) starts: usize,
    pub(super) seed: u64,
    pub(super) max_passes: Option<usize>,
    pub(super) checkpoint: Option<PathBuf>,
    pub(super) every: f64,
}

/// Losses with their names.
const LOSSES: [(&str, Loss); 6] = [
    ("squares", Loss::Squares),
    ("huber", Loss::Huber),
    ("soft-l1", Loss::SoftL1),
    ("cauchy", Loss::Cauchy),
    ("arctan", Loss::Arctan),
    ("tukey", Loss::Tukey),
];

/// Loss of a name.
pub(super) fn loss(name: &str) -> PyResult<Loss> {
    let written = name.replace('_', "-");
    LOSSES.iter().find(|(known, _)| *known == written).map(|(_, loss)| *loss).ok_or_else(|| {
        let known = LOSSES.map(|(known, _)| known).join(", ");
        errors::input(format!("loss is {name:?}, expected one of {known}"))
    })
}

/// Name of a loss.
pub(super) fn name_of(loss: Loss) -> &'static str {
    LOSSES.iter().find(|(_, known)| *known == loss).map_or("", |(name, _)| name)
}

impl Settings {
    /// Checks what the library does not.
    pub(super) fn check(&self) -> PyResult<()> {
        loss(&self.loss)?;
        if !(self.every >= 0.0 && self.every.is_finite()) {
            let every = self.every;
            return Err(errors::input(format!(
                "checkpoint_every is {every}, expected a number of seconds from 0 on"
            )));
        }
        Ok(())
    }

    /// The fit with these settings.
    pub(super) fn apply<'a>(&self, mut fit: Fit<'a>) -> Result<Fit<'a>, FitError> {
        // Sets copy what is known of their own parameters; settings of the copies come later.
        fit = self.of_parameters(fit, false)?;
        for name in &self.own {
            fit = fit.own(name)?;
        }
        fit = self.of_parameters(fit, true)?;
        for (name, expression) in &self.tied {
            fit = fit.tie(name, expression)?;
        }
        if self.starts > 0 {
            fit = fit.starts(self.starts, self.seed);
        }
        if let Some(scale) = self.loss_scale {
            fit = fit.loss_scale(scale)?;
        }
        if let Some(passes) = self.max_passes {
            fit = fit.max_passes(passes);
        }
        if let Some(folder) = &self.checkpoint {
            fit = fit
                .checkpoints(folder, Duration::try_from_secs_f64(self.every).unwrap_or_default());
        }
        Ok(fit.loss(loss(&self.loss).unwrap_or_default()))
    }

    fn of_parameters<'a>(&self, mut fit: Fit<'a>, of_set: bool) -> Result<Fit<'a>, FitError> {
        let belongs = |name: &str| name.contains('@') == of_set;
        for (name, value) in self.start.iter().filter(|(name, _)| belongs(name)) {
            fit = fit.start(name, *value)?;
        }
        for (name, low, high) in self.bounds.iter().filter(|(name, ..)| belongs(name)) {
            fit = fit.bounds(name, *low, *high)?;
        }
        for (name, value) in self.fixed.iter().filter(|(name, _)| belongs(name)) {
            fit = fit.fix(name, *value)?;
        }
        for name in self.logarithmic.iter().filter(|name| belongs(name)) {
            fit = fit.logarithmic(name)?;
        }
        for (name, mean, sd) in self.prior.iter().filter(|(name, ..)| belongs(name)) {
            fit = fit.prior(name, *mean, *sd)?;
        }
        Ok(fit)
    }
}
