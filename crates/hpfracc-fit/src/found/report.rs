use super::result::Found;
use super::{HeldBy, ParameterRole};
use crate::minimise::StartSearch;
use hpfracc_types::shortest;
use std::fmt;

/// Table of the estimates, and what limits their meaning.
impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, {} passes", self.outcome(), self.passes())?;
        if let Some(search) = self.start_search() {
            let StartSearch { rows, points, minimisations, at_best } = search;
            match points {
                1 => write!(f, "start by projection on {rows} data")?,
                _ => write!(f, "start from {points} points of a grid on {rows} data")?,
            }
            if minimisations > 0 {
                write!(f, ", {at_best} of {minimisations} minimisations ended at the best cost")?;
            }
            writeln!(f)?;
        }
        let estimates = self.estimates();
        let width =
            estimates.iter().map(|estimate| estimate.name.chars().count()).max().unwrap_or(0);
        for estimate in &estimates {
            write!(f, "{:width$}  {:>14}", estimate.name, format!("{:.7e}", estimate.value))?;
            if let Some(error) = estimate.standard_error {
                write!(f, " +- {error:.1e}")?;
            }
            if let Some(unit) = &estimate.unit {
                write!(f, " {unit}")?;
            }
            match (estimate.role, estimate.held) {
                (ParameterRole::Fixed, _) => write!(f, "  fixed")?,
                (ParameterRole::Tied, _) => write!(f, "  tied")?,
                (_, Some(HeldBy::Lower { multiplier })) => {
                    write!(f, "  at its lower bound, multiplier {multiplier:.1e}")?;
                }
                (_, Some(HeldBy::Upper { multiplier })) => {
                    write!(f, "  at its upper bound, multiplier {multiplier:.1e}")?;
                }
                (_, None) if estimate.standard_error.is_none() => write!(f, "  not determined")?,
                _ => {}
            }
            writeln!(f)?;
        }
        let errors = if self.errors_are_known() {
            "known standard deviations".to_owned()
        } else {
            format!("standard deviation {} from the residuals", shortest_of(self.variance().sqrt()))
        };
        let freedom = self.degrees_of_freedom();
        writeln!(
            f,
            "{} data, {freedom} degrees of freedom, cost {:.6e}, {errors}",
            self.data(),
            self.cost()
        )?;
        if let (loss, Some(scale)) = self.loss() {
            let source = match self.loss_scale.iterations {
                None => "given".to_owned(),
                Some((count, true)) => format!("from the median of the residuals, {count} rounds"),
                Some((count, false)) => {
                    format!("from the median of the residuals, not settled after {count} rounds")
                }
            };
            writeln!(f, "loss {loss:?}, scale {}, {source}", shortest_of(scale))?;
        }
        if let Ok(Some(tests)) = self.residual_tests() {
            let (runs, expected) = (tests.runs, tests.expected_runs);
            let r = tests.autocorrelation;
            writeln!(
                f,
                "residuals: {runs} runs of {expected:.1} expected, autocorrelation {r:.2}"
            )?;
            if tests.are_correlated() {
                let factor = tests.inflation();
                let by = if factor < 1.1 {
                    String::new()
                } else {
                    format!(", by a factor of {factor:.1} or so")
                };
                writeln!(
                    f,
                    "warning: residuals of consecutive rows are correlated: the model is not right, or the standard errors are \
                     too small{by}; resample blocks of rows"
                )?;
            }
        }
        for weak in self.weak_directions() {
            writeln!(f, "warning: {weak}")?;
        }
        Ok(())
    }
}

/// Three digits.
fn shortest_of(x: f64) -> String {
    let rounded: f64 = format!("{x:.2e}").parse().unwrap_or(x);
    shortest(rounded)
}
