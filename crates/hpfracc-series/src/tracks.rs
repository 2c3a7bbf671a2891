//! Tracks of anomalous diffusion.

use crate::error::{SeriesError, in_range, long_enough};
use crate::fit::{Estimate, Fit};
use crate::fractional_gaussian_noise::autocovariance;
use crate::likelihood::innovations::innovations;
use crate::likelihood::profile::{Profile, Profiled, logistic, logit, maximum};
use std::f64::consts::TAU;

/// At α = 1 no covariance is positive definite with a more negative share.
const LEAST_SHARE: f64 = 1.0;

const METHOD: &str = "fractional Brownian motion with localisation noise by exact likelihood";

/// Fits fractional Brownian motion with localisation noise to tracks of particles that share
/// diffusion coefficient D, exponent α and standard deviation σ of the localisation noise, in 1 to 3
/// dimensions.
///
#[doc = formula!("tracks", r"\operatorname{MSD}(t) = 2 n D t^\alpha + 2 n \sigma^2, \quad \operatorname{cov}(\Delta_j, \Delta_{j+k}) = D h^\alpha \left( |k+1|^\alpha - 2|k|^\alpha + |k-1|^\alpha \right) + \sigma^2 (2 \delta_{k0} - \delta_{k1})")]
///
/// The likelihood is the exact density of all increments Δ, which have mean zero and are independent between
/// dimensions and tracks; a fit of the mean-squared displacement by least squares, whose points are
/// correlated, has errors that are too small. `tracks` has the positions by track and dimension, one
/// every time step h. Tracks may have different lengths.
///
/// Estimates: `D` (squared unit of length over unit of time to the α), `alpha` in (0, 2), `sigma2` = σ² (squared unit
/// of length); from them `sigma` and `hurst` = α/2. Starting points come from the data. σ² is estimated without the
/// bound at 0, as the other errors would be too small at the bound: where the noise is too small to be seen,
/// or the motion is blurred by the exposure time, `sigma2` is negative, and `sigma` is 0 without standard error.
///
/// Cost: O(n²) a trial for the longest track and O(m n) for another of length m, some hundred
/// trials. Source: Sikora et al., Phys. Rev. E 96 (2017) 022132; with σ = 0, Mandelbrot and Van Ness,
/// SIAM Rev. 10 (1968) 422.
///
/// # Errors
/// [`SeriesError::Gap`] for a position that is not finite, [`SeriesError::Shape`] for dimensions that do not match,
/// [`SeriesError::TooShort`] below 12 increments, [`SeriesError::Constant`] if nothing moves, [`SeriesError::Parameter`]
/// for a time step that is not positive.
///
/// ```
/// use hpfracc_series::fit_tracks;
/// let x: Vec<f64> = (0..60).map(|k| (f64::from(k * k) * 0.37).sin()).collect();
/// let y: Vec<f64> = (0..60).map(|k| (f64::from(k * k) * 0.73).cos()).collect();
/// let fit = fit_tracks(&[[x.clone(), y], [x[..30].to_vec(), x[30..].to_vec()]], 0.1)?;
/// assert!(fit.estimate("sigma").unwrap().value() > 0.5);
/// # Ok::<(), hpfracc_series::SeriesError>(())
/// ```
pub fn fit_tracks(tracks: &[impl AsRef<[Vec<f64>]>], time_step: f64) -> Result<Fit, SeriesError> {
    let accepted = time_step > 0.0 && time_step.is_finite();
    in_range(accepted, "time_step", time_step, "a positive finite number")?;
    let increments = checked_increments(tracks)?;
    let count: usize = increments.iter().map(Vec::len).sum();
    long_enough("the tracks", count, 12, "increments")?;
    if increments.iter().flatten().all(|increment| *increment == 0.0) {
        return Err(SeriesError::Constant { value: 0.0 });
    }
    let mut tracks = Tracks { increments, count: count as f64, time_step };
    // Share of the noise to free variable.
    let free = |share: f64| logit((share + LEAST_SHARE) / (1.0 + LEAST_SHARE));
    let starts: Vec<Vec<f64>> = [0.2, 0.5, 0.8, 1.1, 1.5]
        .iter()
        .flat_map(|alpha| [0.02, 0.2, 0.6].map(|share| vec![logit(alpha / 2.0), free(share)]))
        .collect();
    let no_start = || SeriesError::NoStart { method: "tracks" };
    let found = maximum(&mut tracks, &starts, 2).ok_or_else(no_start)?;
    let error = |i: usize| Some(found.covariance[4 * i].sqrt());
    let alpha = found.values[1];
    let variance = Estimate::new("sigma2", found.values[2], error(2));
    let sigma = Estimate::root("sigma", &variance);
    let hurst = Estimate::new("hurst", alpha / 2.0, error(1).map(|error| error / 2.0));
    Ok(Fit {
        method: METHOD.to_owned(),
        observations: count,
        estimates: vec![
            Estimate::scale("D", found.values[0], error(0)),
            Estimate::new("alpha", alpha, error(1)),
            variance,
        ],
        derived: vec![sigma, hurst],
        covariance: found.covariance,
        log_likelihood: Some(-found.cost),
        outcome: found.end.outcome(&["alpha".to_owned(), "sigma2".to_owned()]),
    })
}

/// Increments of all tracks and dimensions.
fn checked_increments(tracks: &[impl AsRef<[Vec<f64>]>]) -> Result<Vec<Vec<f64>>, SeriesError> {
    let dimensions = tracks.first().map_or(1, |track| track.as_ref().len());
    let mut increments = Vec::new();
    for (index, track) in tracks.iter().enumerate() {
        checked_shape(index, track.as_ref(), dimensions)?;
        for (dimension, positions) in track.as_ref().iter().enumerate() {
            if let Some(place) = positions.iter().position(|x| !x.is_finite()) {
                let value = positions[place];
                return Err(SeriesError::Gap { track: index, dimension, index: place, value });
            }
            increments.push(positions.windows(2).map(|pair| pair[1] - pair[0]).collect());
        }
    }
    Ok(increments)
}

/// Refuses dimensions other than those of the first track, and unequal lengths.
fn checked_shape(track: usize, found: &[Vec<f64>], dimensions: usize) -> Result<(), SeriesError> {
    let refused = |found, expected| Err(SeriesError::Shape { track, found, expected });
    if !(1..=3).contains(&found.len()) {
        return refused(format!("has {} dimensions", found.len()), "1 to 3".to_owned());
    }
    if found.len() != dimensions {
        let expected = format!("{dimensions}, as the first track");
        return refused(format!("has {} dimensions", found.len()), expected);
    }
    match found.iter().position(|positions| positions.len() != found[0].len()) {
        Some(other) => refused(
            format!("has {} positions in dimension {other}", found[other].len()),
            format!("{}, as in dimension 0", found[0].len()),
        ),
        None => Ok(()),
    }
}

/// Free variables: exponent over 2, and share of the localisation noise in the variance of an increment,
/// which is the scale; the share is between -[`LEAST_SHARE`] and 1.
struct Tracks {
    increments: Vec<Vec<f64>>,
    count: f64,
    time_step: f64,
}

impl Profile for Tracks {
    fn profile(&mut self, free: &[f64]) -> Option<Profiled> {
        let (hurst, share) = (logistic(free[0]), share(free[1]));
        let length = self.increments.iter().map(Vec::len).max()?;
        let mut covariance = autocovariance(hurst, length);
        covariance.iter_mut().for_each(|gamma| *gamma *= 1.0 - share);
        for (gamma, noise) in covariance.iter_mut().zip([share, -0.5 * share]) {
            *gamma += noise;
        }
        let series: Vec<&[f64]> = self.increments.iter().map(Vec::as_slice).collect();
        let sums = innovations(&covariance, &series)?;
        let scale = sums.squares / self.count;
        let cost = 0.5 * (self.count * ((TAU * scale).ln() + 1.0) + sums.ln_determinant);
        Some(Profiled { cost, scale })
    }

    fn report(&self, free: &[f64], scale: f64) -> Vec<f64> {
        let (alpha, share) = (2.0 * logistic(free[0]), share(free[1]));
        let diffusion = 0.5 * scale * (1.0 - share) / self.time_step.powf(alpha);
        vec![diffusion, alpha, 0.5 * scale * share]
    }

    fn observations(&self) -> f64 {
        self.count
    }

    fn loses_meaning(&self, free: usize, upper: bool, reported: usize) -> bool {
        match (free, upper) {
            (0, _) => reported == 1,
            (_, false) => reported == 2,
            // Nothing but localisation noise is seen.
            (_, true) => reported < 2,
        }
    }
}

fn share(free: f64) -> f64 {
    (1.0 + LEAST_SHARE) * logistic(free) - LEAST_SHARE
}
