//! Estimators of the memory parameter from low frequencies or large scales alone.

mod geweke_porter_hudak;
mod local_whittle;
mod wavelet;

pub use geweke_porter_hudak::GewekePorterHudak;
pub use local_whittle::LocalWhittle;
pub use wavelet::Wavelet;

use crate::error::{SeriesError, in_range, long_enough};
use crate::fit::{Estimate, Fit, Outcome};
use crate::periodogram::Periodogram;
use crate::series::Series;

/// The m lowest ordinates of the periodogram; m is `bandwidth` or n^0.65.
fn lowest(series: &Series, bandwidth: Option<usize>) -> Result<Periodogram, SeriesError> {
    long_enough("the series", series.noise().len(), 20, "values")?;
    let mut periodogram = Periodogram::new(series.noise(), series.mean());
    let count = periodogram.ordinates.len();
    let m = bandwidth.unwrap_or((series.noise().len() as f64).powf(0.65) as usize);
    let accepted = (4..=count).contains(&m);
    in_range(accepted, "bandwidth", m as f64, "from 4 to half the number of values")?;
    // An ordinate may vanish in a periodic series.
    let largest = periodogram.ordinates[..m].iter().fold(0.0f64, |largest, i| largest.max(*i));
    if largest == 0.0 {
        return Err(SeriesError::Constant { value: series.mean() });
    }
    let floor = largest * 1e-300;
    periodogram.ordinates.iter_mut().for_each(|ordinate| *ordinate = ordinate.max(floor));
    periodogram.frequencies.truncate(m);
    periodogram.ordinates.truncate(m);
    Ok(periodogram)
}

/// Result of an estimate of d whose error is valid for d in (-1/2, `upper`).
fn fit_of_d(method: String, observations: usize, d: f64, error: f64, upper: f64) -> Fit {
    let inside = d > -0.5 && d < upper;
    let error = inside.then_some(error);
    let outcome =
        if inside { Outcome::Converged } else { Outcome::Bound { parameter: "d".to_owned() } };
    Fit {
        method,
        observations,
        estimates: vec![Estimate::new("d", d, error)],
        derived: vec![Estimate::new("hurst", d + 0.5, error)],
        covariance: vec![error.map_or(f64::NAN, |error| error * error)],
        log_likelihood: None,
        outcome,
    }
}
