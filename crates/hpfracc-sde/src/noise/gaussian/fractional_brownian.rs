use super::by_steps::BySteps;
use super::covariances::{circulant_eigenvalues, fractional_gaussian_covariances};
use crate::SdeError;
use crate::checks::Range;
use crate::checks::room_for;
use crate::error::{in_range, same_length};
use crate::noise::increments::{MOST, check_components, without_integrals};
use crate::noise::{
    CellIntegral, Gaussian, Increments, Noise, NoiseProcess, Normals, Purpose, Source, Stream,
    Tile, TileIncrements,
};
use hpfracc_lanes::RowsMut;
use num_complex::Complex;
use realfft::ComplexToReal;
use std::sync::Arc;

/// Fractional Brownian motion (fBm) of Mandelbrot and Van Ness with independent components:
/// Gaussian, with stationary increments, Hurst exponent H, and
///
#[doc = formula!("fractional_brownian", r"\mathrm{E} \, B(s) B(t) = \frac{s^{2H} + t^{2H} - |t - s|^{2H}}{2}")]
///
/// 0 < H < 1. H = 1/2 is Brownian motion; above, increments are persistent, below antipersistent.
///
/// Method: circulant embedding (Davies-Harte). The covariance of the n increments is embedded in a
/// circulant of size 2n, whose eigenvalues are positive for all H; one real transform of 2n values
/// makes a path, exactly in
/// distribution. Cost: 2n normals and that transform. A tile holds all increments
/// of its paths.
///
/// Sources: Davies and Harte, Biometrika 74 (1987) 95, DOI 10.1093/biomet/74.1.95; positivity:
/// Craigmile, J. Time Ser. Anal. 24 (2003) 505, DOI 10.1111/1467-9892.00318.
///
/// ```
/// use hpfracc_sde::noise::{FractionalBrownian, Noise, Tile};
/// use hpfracc_sde::RowsMut;
///
/// // 1000 paths of H = 0.8 side by side, to B(1)
/// let noise = FractionalBrownian::<f64>::new(7, &[0.8])?;
/// let tile = Tile { first_path: 0, lanes: 1000, steps: 4, h: 0.25 };
/// let mut increments = Noise::<f64>::increments(&noise, tile, &[])?;
/// let (mut z, mut dz) = (vec![0.0; 1000], vec![0.0; 1000]);
/// for step in 0..4 {
///     increments.write(step, RowsMut::new(&mut dz, 1000));
///     z.iter_mut().zip(&dz).for_each(|(z, dz)| *z += dz);
/// }
/// let variance = z.iter().map(|z| z * z).sum::<f64>() / 1000.0;
/// assert!((variance - 1.0).abs() < 0.2);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug)]
pub struct FractionalBrownian<T: Gaussian> {
    normals: Normals,
    hurst: Vec<f64>,
    /// Cached tables for the last number of steps.
    spectra: BySteps<Spectra<T>>,
}

/// The transform of a number of steps, and for each component the standard deviations of its
/// coefficients.
struct Spectra<T: Gaussian> {
    transform: Arc<dyn ComplexToReal<T>>,
    standard_deviations: Vec<Vec<T>>,
}

impl<T: Gaussian> std::fmt::Debug for Spectra<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Spectra").field("len", &self.transform.len()).finish_non_exhaustive()
    }
}

impl<T: Gaussian> FractionalBrownian<T> {
    /// A component for each of the exponents H.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for an H that is not between 0 and 1, and for none or more than
    /// 2^24.
    pub fn new(seed: u64, hurst: &[f64]) -> Result<Self, SdeError> {
        check_components(hurst.len(), MOST)?;
        hurst.iter().try_for_each(|&hurst| Range::UNIT.check("the exponent H", hurst))?;
        let (normals, hurst) = (Normals::new(seed), hurst.to_vec());
        Ok(Self { normals, hurst, spectra: BySteps::new() })
    }

    /// The exponents H of the components.
    pub fn hurst(&self) -> &[f64] {
        &self.hurst
    }

    /// Writes the increments of a tile, path after path, for each component.
    ///
    /// # Errors
    /// [`SdeError::Length`] if `increments` has not `components * lanes * steps` entries, and
    /// [`SdeError::OutOfRange`] for a tile that is none.
    pub fn fill_paths(&self, tile: Tile, increments: &mut [T]) -> Result<(), SdeError> {
        tile.check(self.hurst.len().saturating_mul(tile.steps))?;
        let Tile { first_path, lanes, steps, h } = tile;
        let expected = self.hurst.len() * lanes * steps;
        same_length("the increments of a tile", increments.len(), expected)?;
        let spectra = self.spectra(steps)?;
        let transform = &spectra.transform;
        let scaled = self.scaled(&spectra, h);
        let mut coefficients = transform.make_input_vec();
        let mut series = transform.make_output_vec();
        let mut scratch = transform.make_scratch_vec();
        let mut parts = vec![T::zero(); 2 * (steps + 1)];
        let mut paths = increments.chunks_exact_mut(steps);
        for (component, standard_deviations) in (0..).zip(&scaled) {
            let Some(stream) = Stream::new(Purpose::FractionalGaussian, component) else { break };
            for (path, increments) in (first_path..).zip(paths.by_ref().take(lanes)) {
                self.normals.fill_path(stream, path, &mut parts);
                let both = standard_deviations.iter().zip(parts.chunks_exact(2));
                for (coefficient, (standard_deviation, part)) in coefficients.iter_mut().zip(both) {
                    *coefficient =
                        Complex::new(*standard_deviation * part[0], *standard_deviation * part[1]);
                }
                coefficients[0].im = T::zero();
                coefficients[steps].im = T::zero();
                let done =
                    transform.process_with_scratch(&mut coefficients, &mut series, &mut scratch);
                in_range(done.is_ok(), "the number of steps", steps as f64, "at least 1")?;
                increments.copy_from_slice(&series[..steps]);
            }
        }
        Ok(())
    }

    /// Standard deviations of the real and imaginary parts of the coefficients k = 0 .. n, for each
    /// component, over n steps of length h. A real transform of 2n values makes the increments of them:
    ///
    /// ```text
    /// dB_j = c_0 + (-1)^j c_n + 2 Re sum_{0<k<n} c_k exp(i pi j k / n),   j = 0 .. n - 1
    /// ```
    ///
    /// The parts of c_k are the normals 2k and 2k + 1 of the path times its standard deviation; c_0 and c_n are real.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for no steps, and [`SdeError::TooLarge`].
    ///
    /// ```
    /// use hpfracc_sde::noise::FractionalBrownian;
    ///
    /// // Brownian motion over steps of length 1/4: the same for all frequencies but the first and the last.
    /// let noise = FractionalBrownian::<f64>::new(7, &[0.5])?;
    /// let standard_deviations = noise.standard_deviations(8, 0.25)?;
    /// assert!((standard_deviations[0][3] - (0.25f64 / 32.0).sqrt()).abs() < 1e-15);
    /// # Ok::<(), hpfracc_sde::SdeError>(())
    /// ```
    pub fn standard_deviations(&self, steps: usize, h: f64) -> Result<Vec<Vec<T>>, SdeError> {
        Ok(self.scaled(&*self.spectra(steps)?, h))
    }

    /// The standard deviations over steps of length h.
    fn scaled(&self, spectra: &Spectra<T>, h: f64) -> Vec<Vec<T>> {
        let components = self.hurst.iter().zip(&spectra.standard_deviations);
        let scaled = components.map(|(hurst, of_unit)| {
            let scale = T::narrow(h.powf(*hurst));
            of_unit.iter().map(|standard_deviation| scale * *standard_deviation).collect()
        });
        scaled.collect()
    }

    fn spectra(&self, steps: usize) -> Result<Arc<Spectra<T>>, SdeError> {
        self.spectra.get(steps, || {
            // Eigenvalues, their series and the tables of two transforms, of 2n values each.
            room_for("the circulant embedding", &[steps, 12 + self.hurst.len(), size_of::<f64>()])?;
            let each = self.hurst.iter().map(|h| standard_deviations(*h, steps));
            let standard_deviations = each.collect::<Result<_, _>>()?;
            Ok(Spectra { transform: T::inverse_transform(2 * steps), standard_deviations })
        })
    }
}

/// Standard deviations of the real and imaginary parts of the coefficients k = 0 .. n of a real
/// series of 2n increments over unit steps: `sqrt(lambda_k / 4n)`, and `sqrt(lambda_k / 2n)` where
/// only the real part counts.
fn standard_deviations<T: Gaussian>(hurst: f64, n: usize) -> Result<Vec<T>, SdeError> {
    let eigenvalues = circulant_eigenvalues(&fractional_gaussian_covariances(hurst, n + 1)?)?;
    let share = |k: usize| if k == 0 || k == n { 2.0 * n as f64 } else { 4.0 * n as f64 };
    // Positive in exact arithmetic; rounding may leave -1e-12.
    let each = eigenvalues.iter().enumerate();
    Ok(each.map(|(k, lambda)| T::narrow((lambda.max(0.0) / share(k)).sqrt())).collect())
}

impl<T: Gaussian> Noise<T> for FractionalBrownian<T> {
    fn components(&self) -> usize {
        self.hurst.len()
    }

    fn bytes_per_path(&self, steps: usize) -> usize {
        self.hurst.len().saturating_mul(steps.saturating_mul(size_of::<T>()))
    }

    fn process(&self, component: usize) -> NoiseProcess {
        let hurst = self.hurst[component];
        if hurst == 0.5 { NoiseProcess::Brownian } else { NoiseProcess::Fractional { hurst } }
    }

    fn sources(&self) -> Vec<Source> {
        vec![self.normals.source(Purpose::FractionalGaussian)]
    }

    fn increments(&self, tile: Tile, integrals: &[CellIntegral]) -> TileIncrements<'_, T> {
        without_integrals("fractional Brownian motion", integrals)?;
        tile.check(self.hurst.len().saturating_mul(tile.steps))?;
        let Tile { lanes, steps, .. } = tile;
        let mut by_path = vec![T::zero(); self.hurst.len() * steps * lanes];
        self.fill_paths(tile, &mut by_path)?;
        let mut increments = vec![T::zero(); by_path.len()];
        let components = by_path.chunks_exact(steps * lanes);
        for (by_path, by_step) in components.zip(increments.chunks_exact_mut(steps * lanes)) {
            transpose::transpose(by_path, by_step, steps, lanes);
        }
        Ok(Box::new(Kept { increments, steps, lanes }))
    }
}

/// Increments that were made at once, by component, step and path.
pub(super) struct Kept<T> {
    increments: Vec<T>,
    steps: usize,
    lanes: usize,
}

impl<T: Gaussian> Increments<T> for Kept<T> {
    fn write(&mut self, step: usize, mut rows: RowsMut<'_, T>) {
        for (component, series) in self.increments.chunks_exact(self.steps * self.lanes).enumerate()
        {
            rows[component].copy_from_slice(&series[step * self.lanes..][..self.lanes]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The covariance of increments, all pairs of 24 steps, within standard errors;
    /// anti-persistent, Brownian and persistent.
    #[test]
    fn increments_have_their_covariance() {
        let (steps, lanes, h) = (24, 40_000, 0.3f64);
        let hurst = [0.1, 0.5, 0.85];
        let noise = FractionalBrownian::<f32>::new(5, &hurst).unwrap();
        let tile = Tile { first_path: 7, lanes, steps, h };
        let mut increments = vec![0.0; 3 * lanes * steps];
        noise.fill_paths(tile, &mut increments).unwrap();
        for (component, h2) in hurst.iter().map(|h| 2.0 * h).enumerate() {
            let paths = &increments[component * lanes * steps..][..lanes * steps];
            let exact = |lag: usize| {
                let at = |k: f64| k.abs().powf(h2);
                let lag = lag as f64;
                0.5 * h.powf(h2) * (at(lag + 1.0) - 2.0 * at(lag) + at(lag - 1.0))
            };
            for i in 0..steps {
                for j in 0..=i {
                    let products =
                        paths.chunks_exact(steps).map(|x| f64::from(x[i]) * f64::from(x[j]));
                    let found = products.sum::<f64>() / lanes as f64;
                    let standard_deviation = (exact(0).powi(2) + exact(i - j).powi(2)).sqrt();
                    let z = (found - exact(i - j)) / (standard_deviation / (lanes as f64).sqrt());
                    assert!(z.abs() < 5.5, "2H = {h2}, {i}, {j}: {z} standard errors");
                }
            }
        }
    }

    /// The covariance of increments from the standard deviations of the coefficients, without
    /// sampling.
    #[test]
    fn standard_deviations_are_those_of_the_covariance() {
        for (hurst, n) in
            [(1e-12, 8), (0.02, 1), (0.1, 33), (0.5, 16), (0.85, 100), (1.0 - 1e-12, 8)]
        {
            let standard_deviations = standard_deviations::<f64>(hurst, n).unwrap();
            for lag in 0..n {
                let angle = std::f64::consts::PI * lag as f64 / n as f64;
                let share = |(k, d): (usize, &f64)| {
                    let parts = if k == 0 || k == n { 1.0 } else { 4.0 };
                    parts * d * d * (k as f64 * angle).cos()
                };
                let found = standard_deviations.iter().enumerate().map(share).sum::<f64>();
                let power = |k: f64| k.abs().powf(2.0 * hurst);
                let lag = lag as f64;
                let exact = 0.5 * (power(lag + 1.0) - 2.0 * power(lag) + power(lag - 1.0));
                let exact = if lag == 0.0 { 1.0 } else { exact };
                assert!((found - exact).abs() < 1e-12, "{hurst} {n} {lag}: {found} {exact}");
            }
        }
    }

    /// The same through the steps of a tile, in any order, in double precision and in any split.
    #[test]
    fn a_tile_has_the_increments_of_its_paths() {
        let noise = FractionalBrownian::<f64>::new(5, &[0.3, 0.7]).unwrap();
        let tile = Tile { first_path: 10, lanes: 5, steps: 9, h: 0.1 };
        let mut by_path = vec![0.0; 2 * 5 * 9];
        noise.fill_paths(tile, &mut by_path).unwrap();
        let part = Tile { first_path: 12, lanes: 2, ..tile };
        for (tile, offset) in [(tile, 0), (part, 2)] {
            let mut increments = noise.increments(tile, &[]).unwrap();
            for step in [8, 0, 3, 3] {
                let mut rows = vec![0.0; 2 * tile.lanes];
                increments.write(step, RowsMut::new(&mut rows, tile.lanes));
                for component in 0..2 {
                    for lane in 0..tile.lanes {
                        let expected = by_path[(component * 5 + lane + offset) * 9 + step];
                        assert_eq!(rows[component * tile.lanes + lane], expected);
                    }
                }
            }
        }
    }

    #[test]
    fn exponents_out_of_range() {
        for bad in [0.0, 1.0, -0.2, f64::NAN] {
            let refused = FractionalBrownian::<f64>::new(1, &[0.5, bad]);
            assert!(matches!(refused, Err(SdeError::OutOfRange { .. })));
        }
        assert!(FractionalBrownian::<f64>::new(1, &[]).is_err());
    }
}
