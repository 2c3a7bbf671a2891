//! Estimates of the Hurst exponent and of the memory parameter.

use crate::arrays;
use crate::errors::{self, OrRaise};
use crate::running::background;
use hpfracc::ndarray::Array2;
use hpfracc::series::{
    Arfima, Description, Estimate, Fit, FractionalGaussianNoise, GewekePorterHudak, Likelihood,
    LocalWhittle, Mean, Record, Series, SeriesError, Wavelet, detrended_fluctuations, fit_tracks,
    rescaled_range,
};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Length up to which the exact likelihood takes a second.
const EXACT_UP_TO: usize = 4096;

/// The series of an argument.
fn series(x: &Bound<'_, PyAny>, kind: &str) -> PyResult<Series> {
    let record = match kind {
        "noise" => Record::Noise,
        "path" => Record::Path,
        _ => {
            return Err(errors::input(format!(
                "kind is {kind:?}, expected \"noise\" (stationary fluctuations) or \"path\" (a wandering level)"
            )));
        }
    };
    let array = arrays::doubles("x", x)?;
    let count = array.as_array().ndim();
    if count != 1 {
        return Err(errors::input(format!("x has {count} dimensions, expected one time series")));
    }
    let values: Vec<f64> = array.as_array().iter().copied().collect();
    Series::new(&values, record).or_raise()
}

/// Estimator of a name, with the counts that it takes.
#[pyfunction]
#[pyo3(signature = (x, kind, method, mean, bandwidth, moments, first_octave, ar, ma))]
#[expect(clippy::too_many_arguments, reason = "one for each keyword of the functions in Python")]
pub(super) fn series_estimate<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    kind: &str,
    method: &str,
    mean: Option<f64>,
    bandwidth: Option<usize>,
    moments: usize,
    first_octave: usize,
    ar: Option<usize>,
    ma: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let series = series(x, kind)?;
    let mean = mean.map_or(Mean::Estimated, Mean::Known);
    let likelihood = match method {
        "exact" => Some(Likelihood::Exact),
        "auto" if series.noise().len() <= EXACT_UP_TO => Some(Likelihood::Exact),
        "whittle" | "auto" => Some(Likelihood::Whittle),
        _ => None,
    };
    let arfima =
        (ar.is_some() || ma.is_some()).then(|| Arfima { ar: ar.unwrap_or(0), ma: ma.unwrap_or(0) });
    let name = method.to_owned();
    let compute = move || -> Option<Result<Fit, SeriesError>> {
        Some(match (likelihood, arfima, name.as_str()) {
            (Some(likelihood), Some(arfima), _) => arfima.fit(&series, likelihood, mean),
            (Some(likelihood), None, _) => FractionalGaussianNoise.fit(&series, likelihood, mean),
            (None, _, "local-whittle") => LocalWhittle { bandwidth }.fit(&series),
            (None, _, "gph") => GewekePorterHudak { bandwidth }.fit(&series),
            (None, _, "wavelet") => Wavelet { moments, first_octave }.fit(&series),
            _ => return None,
        })
    };
    let fit = background::left_behind(py, |_| Ok(()), compute)?.ok_or_else(|| {
        errors::input(format!(
            "method is {method:?}, expected one of auto, exact, whittle, local-whittle, gph, wavelet"
        ))
    })?;
    of_fit(py, &fit.or_raise()?)
}

fn of_fit<'py>(py: Python<'py>, fit: &Fit) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    let of = |estimate: &Estimate| {
        let name = estimate.name().to_owned();
        (name, estimate.value(), estimate.standard_error(), estimate.interval())
    };
    let names: Vec<&str> = fit.estimates().iter().map(Estimate::name).collect();
    let covariance = Array2::from_shape_fn((names.len(), names.len()), |(i, j)| {
        fit.covariance(names[i], names[j]).unwrap_or(f64::NAN)
    });
    all.set_item("method", fit.method())?;
    all.set_item("observations", fit.observations())?;
    all.set_item("outcome", fit.outcome().to_string())?;
    all.set_item("success", *fit.outcome() == hpfracc::series::Outcome::Converged)?;
    all.set_item("log_likelihood", fit.log_likelihood())?;
    all.set_item("estimates", fit.estimates().iter().map(of).collect::<Vec<_>>())?;
    all.set_item("derived", fit.derived().iter().map(of).collect::<Vec<_>>())?;
    all.set_item("covariance", PyArray2::from_owned_array(py, covariance))?;
    all.set_item("report", fit.to_string())?;
    Ok(all)
}

/// Method, exponent, table of simulated noises (H, mean, standard deviation), report.
type Described = (String, f64, Vec<(f64, f64, f64)>, String);

/// Rescaled range, or detrended fluctuations.
#[pyfunction]
pub(super) fn series_describe(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    kind: &str,
    detrended: bool,
) -> PyResult<Described> {
    let series = series(x, kind)?;
    let describe = if detrended { detrended_fluctuations } else { rescaled_range };
    let of: Description =
        background::left_behind(py, |_| Ok(()), move || describe(&series))?.or_raise()?;
    let expected =
        of.expected().iter().map(|of| (of.hurst, of.mean, of.standard_deviation)).collect();
    Ok((of.method().to_owned(), of.exponent(), expected, of.to_string()))
}

/// Fractional Brownian motion with localisation noise of tracks: for each the positions of each dimension.
#[pyfunction]
pub(super) fn series_tracks<'py>(
    py: Python<'py>,
    tracks: Vec<Vec<Bound<'py, PyAny>>>,
    time_step: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let track = |track: &Vec<Bound<'py, PyAny>>| -> PyResult<Vec<Vec<f64>>> {
        track.iter().map(|positions| arrays::vector("tracks", positions)).collect()
    };
    let tracks = tracks.iter().map(track).collect::<PyResult<Vec<_>>>()?;
    let fit = background::left_behind(py, |_| Ok(()), move || fit_tracks(&tracks, time_step))?
        .or_raise()?;
    of_fit(py, &fit)
}

/// Autocovariances of fractional Gaussian noise of variance 1 at the lags 0 to n - 1.
#[pyfunction]
pub(super) fn series_fgn_autocovariance(
    py: Python<'_>,
    hurst: f64,
    n: usize,
) -> PyResult<Bound<'_, PyArray1<f64>>> {
    Ok(PyArray1::from_vec(py, FractionalGaussianNoise::autocovariance(hurst, n).or_raise()?))
}

/// Spectral density of fractional Gaussian noise of variance 1 at frequencies.
#[pyfunction]
pub(super) fn series_fgn_density<'py>(
    py: Python<'py>,
    hurst: f64,
    frequencies: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let frequencies = arrays::vector("frequency", frequencies)?;
    let density = |frequency: &f64| FractionalGaussianNoise::density(hurst, *frequency).or_raise();
    let values = frequencies.iter().map(density).collect::<PyResult<Vec<f64>>>()?;
    Ok(PyArray1::from_vec(py, values))
}

/// Autocovariances of an ARFIMA model with innovations of variance 1 at the lags 0 to n - 1.
#[pyfunction]
pub(super) fn series_arfima_autocovariance<'py>(
    py: Python<'py>,
    d: f64,
    ar: Vec<f64>,
    ma: Vec<f64>,
    n: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    Ok(PyArray1::from_vec(py, Arfima::autocovariance(d, &ar, &ma, n).or_raise()?))
}
