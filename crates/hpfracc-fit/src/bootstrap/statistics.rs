use super::Bootstrap;
use crate::FitError;
use crate::found::{Refit, RefitFailure};

/// Number of refits without a result, by reason. Where there are many, statistics of the others are not those of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Failures {
    /// No minimum within the largest number of passes.
    pub not_converged: u32,
    /// Model without finite values.
    pub not_finite: u32,
    /// Parameters that the rows drawn do not determine.
    pub undetermined: u32,
}

impl Failures {
    /// All of them.
    pub fn all(&self) -> u32 {
        self.not_converged + self.not_finite + self.undetermined
    }
}

impl Bootstrap {
    /// Refits without a result.
    pub fn failures(&self) -> Failures {
        let count = |reason: RefitFailure| {
            self.refits.iter().filter(|refit| **refit == Err(reason)).count() as u32
        };
        Failures {
            not_converged: count(RefitFailure::NotConverged),
            not_finite: count(RefitFailure::NotFinite),
            undetermined: count(RefitFailure::Undetermined),
        }
    }

    /// Values of a parameter in the refits with a result, replicate by replicate.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn values(&self, name: &str) -> Result<Vec<f64>, FitError> {
        let k = self.index(name)?;
        Ok(self.successes().map(|refit| refit.values[k]).collect())
    }

    /// Standard error of a parameter: the standard deviation of the refits. None for fewer than 2 of these.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn standard_error(&self, name: &str) -> Result<Option<f64>, FitError> {
        Ok(self.covariance(name, name)?.map(f64::sqrt))
    }

    /// Covariance of two parameters in the refits. None for fewer than 2 of these.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn covariance(&self, a: &str, b: &str) -> Result<Option<f64>, FitError> {
        let (a, b) = (self.values(a)?, self.values(b)?);
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let (of_a, of_b) = (mean(&a), mean(&b));
        let products = a.iter().zip(&b).map(|(a, b)| (a - of_a) * (b - of_b));
        let freedom = a.len().saturating_sub(1) as f64;
        Ok(Some(products.sum::<f64>() / freedom).filter(|_| freedom > 0.0))
    }

    /// Mean of a parameter in the refits less its estimate. None without a refit.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`].
    pub fn bias(&self, name: &str) -> Result<Option<f64>, FitError> {
        let values = self.values(name)?;
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        Ok(Some(mean - self.parameters[self.index(name)?].value).filter(|bias| bias.is_finite()))
    }

    /// Interval of a level between quantiles of the refits. None if there are fewer than `2/(1 - level) - 1` of these.
    ///
    /// It stays within the bounds of the parameter, and follows its transforms. With few data it is too short, as normal
    /// quantiles are in place of those of the t distribution: 95 % are 92 % for 12 data and 3 parameters.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`], and [`FitError::OutOfRange`] for a level that is not between 0 and 1.
    pub fn percentile_interval(
        &self,
        name: &str,
        level: f64,
    ) -> Result<Option<(f64, f64)>, FitError> {
        check_level(level)?;
        Ok(between(self.values(name)?, level))
    }

    /// Interval of a level from the distances of the refits to the estimate, each in units of the standard error of this refit
    /// (bootstrap-t). None for a parameter that a bound holds in the fit or in a refit, and for fewer than
    /// `2/(1 - level) - 1` refits.
    ///
    /// It has the right level also with few data, as the distances make up for the estimate of the variance, and for
    /// skewness, which the quantiles of corrected percentiles (BCa) do not. The logarithm takes the place of a parameter whose
    /// logarithm is fitted.
    ///
    /// Source: Hall, Ann. Statist. 16 (1988) 927.
    ///
    /// # Errors
    /// [`FitError::UnknownParameter`], and [`FitError::OutOfRange`] for a level that is not between 0 and 1.
    pub fn studentised_interval(
        &self,
        name: &str,
        level: f64,
    ) -> Result<Option<(f64, f64)>, FitError> {
        check_level(level)?;
        let k = self.index(name)?;
        let original = &self.parameters[k];
        // Place and scale of a parameter, or of its logarithm.
        let of = |value: f64, error: Option<f64>| {
            let place = if original.logarithmic { value.ln() } else { value };
            Some((place, error? / if original.logarithmic { value } else { 1.0 }))
        };
        let Some((place, scale)) = of(original.value, original.error) else { return Ok(None) };
        let distance = |refit: &Refit| {
            let (other, scale) = of(refit.values[k], refit.errors[k])?;
            Some((other - place) / scale)
        };
        let distances: Option<Vec<f64>> = self.successes().map(distance).collect();
        let ends = distances.and_then(|distances| between(distances, level));
        let back = |x: f64| if original.logarithmic { x.exp() } else { x };
        Ok(ends.map(|(low, high)| (back(place - high * scale), back(place - low * scale))))
    }

    fn successes(&self) -> impl Iterator<Item = &Refit> {
        self.refits.iter().filter_map(|refit| refit.as_ref().ok())
    }

    fn index(&self, name: &str) -> Result<usize, FitError> {
        let names = || self.parameters.iter().map(|parameter| parameter.name.as_str());
        let known = || names().collect::<Vec<&str>>().join(", ");
        let index = names().position(|known| known == name);
        index.ok_or_else(|| FitError::UnknownParameter { name: name.to_owned(), known: known() })
    }
}

fn check_level(level: f64) -> Result<(), FitError> {
    if level > 0.0 && level < 1.0 {
        return Ok(());
    }
    let (what, expected) = ("the level of an interval", "a number between 0 and 1");
    Err(FitError::OutOfRange { what, value: level, expected })
}

/// Quantiles on both sides of a level: of n numbers the one of number p (n + 1), linear between them. None where that is
/// before the first.
fn between(mut values: Vec<f64>, level: f64) -> Option<(f64, f64)> {
    values.sort_by(f64::total_cmp);
    let tail = 0.5 - 0.5 * level;
    let at = tail * (values.len() + 1) as f64 - 1.0;
    // Levels are rounded: 0.95 of 199 numbers means the fifth one.
    let at = if (at - at.round()).abs() < 1e-9 { at.round() } else { at };
    if at < 0.0 {
        return None;
    }
    let (below, share) = (at.floor() as usize, at - at.floor());
    let mix = |near: f64, far: f64| if share == 0.0 { near } else { near + share * (far - near) };
    let last = values.len() - 1;
    let next = (below + 1).min(last);
    let ends = (mix(values[below], values[next]), mix(values[last - below], values[last - next]));
    Some(ends)
}

#[cfg(test)]
mod tests {
    use super::between;

    #[test]
    fn quantiles_are_order_statistics() {
        let numbers = |n: u32| (1..=n).rev().map(f64::from).collect::<Vec<f64>>();
        assert_eq!(between(numbers(199), 0.95), Some((5.0, 195.0)));
        assert_eq!(between(numbers(39), 0.95), Some((1.0, 39.0)));
        assert_eq!(between(numbers(38), 0.95), None);
        assert_eq!(between(numbers(1), 0.5), None);
        assert_eq!(between(vec![], 0.5), None);
        let (low, high) = between(numbers(100), 0.9).unwrap();
        assert!((low - 5.05).abs() < 1e-12 && (high - 95.95).abs() < 1e-12);
    }
}
