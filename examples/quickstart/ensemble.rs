//! An ensemble: displacement of a particle in a viscoelastic bath.

use hpfracc::prelude::*;
use hpfracc::sde::models::FractionalLangevin;
use pictures::Outcome;

pub(crate) const PATHS: usize = 10_000;
pub(crate) const STEPS: usize = 200;

/// Moments of an ensemble and the exact ones.
pub(crate) struct Diffusion {
    /// Rows of time, mean, exact mean, variance, exact variance.
    pub(crate) rows: Vec<[f64; 5]>,
}

impl Diffusion {
    pub(crate) fn new() -> Outcome<Self> {
        // gamma D^0.6 x = -k x + xi, from x = 1.
        let model = FractionalLangevin::default().alpha(0.6)?.k(0.5)?.x0(1.0)?;
        let ensemble = Ensemble::new(PATHS, STEPS)?.saving_every(STEPS / 4)?;
        let moments = model.simulate::<f64, _>(&ensemble, (0.0, 10.0), 1, &Moments)?;
        let row = |n: usize| -> Outcome<[f64; 5]> {
            let t = moments.times[n];
            let (mean, variance) = (moments.mean[[n, 0]], moments.covariance[[n, 0, 0]]);
            Ok([t, mean, model.mean(t)?, variance, model.variance(t)?])
        };
        Ok(Self { rows: (1..=4).map(row).collect::<Outcome<_>>()? })
    }

    /// Largest distance from the exact moments, in standard errors.
    pub(crate) fn standard_errors(&self) -> f64 {
        let paths = PATHS as f64;
        let of_row = |[_, mean, exact_mean, variance, exact]: &[f64; 5]| {
            let of_mean = (mean - exact_mean).abs() / (exact / paths).sqrt();
            of_mean.max((variance / exact - 1.0).abs() / (2.0 / paths).sqrt())
        };
        self.rows.iter().map(of_row).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_exact_within_their_errors() {
        let diffusion = Diffusion::new().unwrap();
        assert!(diffusion.standard_errors() < 4.9, "{}", diffusion.standard_errors());
        assert_eq!(diffusion.rows[3][0], 10.0);
    }
}
