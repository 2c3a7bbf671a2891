use super::by_steps::BySteps;
use super::causal_sums::CausalSums;
use super::panels::{Panels, WIDTH};
use crate::SdeError;
use crate::checks::Range;
use crate::checks::room_for;
use crate::error::in_range;
use crate::noise::increments::{MOST_SERIES, check_components, without_integrals};
use crate::noise::{
    Brownian, CellIntegral, Gaussian, Noise, NoiseProcess, Normals, Purpose, STEPS, Source, Stream,
    Tile, TileIncrements,
};
use hpfracc_lanes::RowsMut;
use hpfracc_special::{recip_gamma, second_differences_of_powers};
use std::sync::Arc;

/// Fractional Brownian motion of Riemann and Liouville with independent components:
///
#[doc = formula!("riemann_liouville_brownian", r"Y(t) = \sqrt{2H} \int_0^t (t-s)^{H-1/2} \, dW(s), \quad 0 < H < 1, \quad \mathrm{E} \, Y(t)^2 = t^{2H}")]
///
/// Type II fractional Brownian motion: Gaussian and as rough as
/// [`FractionalBrownian`](crate::noise::FractionalBrownian) with the same H, but another process:
/// its increments are not stationary. It drives models of rough volatility, together with the W
/// that drives it: [`with_driver`](Self::with_driver), or with another Brownian motion that is
/// correlated with W: [`with_correlated`](Self::with_correlated). At H = 1/2 it is W, which are the
/// increments of [`Brownian`] with the same seed: next to that noise, use another seed.
///
/// Method: the hybrid scheme. On steps of length h, the kernel of the `kappa` nearest cells is
/// taken exactly, their integrals being drawn jointly with the increments of W; in every other
/// cell, k cells back, it is taken at the `b_k` that gives its mean, the best choice given the
/// increments of W:
///
#[doc = formula!("riemann_liouville_brownian_cells", r"Y_n = \sqrt{2H} \left( \sum_{k \le \kappa} \int_{t_{n-k}}^{t_{n-k+1}} (t_n - s)^{H-1/2} \, dW + \sum_{k > \kappa} (b_k h)^{H-1/2} \, dW_{n-k} \right)
    b_k^{H-1/2} = \frac{k^{H+1/2} - (k-1)^{H+1/2}}{H+1/2}")]
///
/// The error at a node is a normal variable of mean 0, independent of the scheme's own Y_n, so that
/// the variance falls short of t^2H by its square. Its standard deviation is at most `c h^H`, and
/// comes near that after a few steps if H < 1/2, with c
///
/// | kappa | H = 0.05 | 0.1 | 0.2 | 0.3 | 0.4 | 0.7 | 0.9 |
/// |---|---|---|---|---|---|---|---|
/// | 1 | 0.0284 | 0.0368 | 0.0417 | 0.0367 | 0.0230 | 0.0874 | 0.346 |
/// | 2 | 0.0152 | 0.0204 | 0.0246 | 0.0231 | 0.0154 | 0.0715 | 0.323 |
/// | 3 | 0.0104 | 0.0142 | 0.0179 | 0.0174 | 0.0122 | 0.0634 | 0.310 |
///
/// Cost: `1 + kappa` normals a step, and the sums over all earlier steps, term by term or, for many
/// steps, by two real transforms a path. A tile holds all increments of its paths.
///
/// Source: Bennedsen, Lunde and Pakkanen, Finance Stoch. 21 (2017) 931, DOI
/// 10.1007/s00780-017-0335-5, section 3.1 and proposition 2.8 for the points b_k.
///
/// ```
/// use hpfracc_sde::noise::{Noise, RiemannLiouvilleBrownian, Tile};
/// use hpfracc_sde::RowsMut;
///
/// // 1000 paths of H = 0.3 side by side, to Y(1)
/// let noise = RiemannLiouvilleBrownian::<f64>::new(7, &[0.3])?;
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
pub struct RiemannLiouvilleBrownian<T: Gaussian> {
    seed: u64,
    hurst: Vec<f64>,
    near_cells: usize,
    normalisation: Normalisation,
    beside: Option<f64>,
    /// Cached tables for the last number of steps.
    sums: BySteps<Vec<CausalSums<T>>>,
}

/// The factor before the integral.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Normalisation {
    /// sqrt(2H), with which the variance is t^2H.
    #[default]
    Variance,
    /// 1/Gamma(H+1/2), with which Y is the fractional integral of order H + 1/2 of white noise, of
    /// variance t^2H / (2H Gamma(H+1/2)^2).
    FractionalIntegral,
}

impl<T: Gaussian> RiemannLiouvilleBrownian<T> {
    /// A component for each of the exponents H, with the variance t^2H and two near cells.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for an H that is not between 0 and 1, and for none or more than
    /// 2^20.
    pub fn new(seed: u64, hurst: &[f64]) -> Result<Self, SdeError> {
        check_components(hurst.len(), MOST_SERIES)?;
        hurst.iter().try_for_each(|&hurst| Range::UNIT.check("the exponent H", hurst))?;
        Ok(Self {
            seed,
            hurst: hurst.to_vec(),
            near_cells: 2,
            normalisation: Normalisation::default(),
            beside: None,
            sums: BySteps::new(),
        })
    }

    /// With `kappa` near cells.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] unless they are 1, 2 or 3.
    pub fn with_near_cells(self, kappa: usize) -> Result<Self, SdeError> {
        in_range((1..=3).contains(&kappa), "the number of near cells", kappa as f64, "1, 2 or 3")?;
        Ok(Self { near_cells: kappa, sums: BySteps::new(), ..self })
    }

    /// With this factor before the integral.
    pub fn normalised(self, normalisation: Normalisation) -> Self {
        Self { normalisation, sums: BySteps::new(), ..self }
    }

    /// Appends the Brownian motions W that drive the components, as further components.
    pub fn with_driver(self) -> Self {
        Self { beside: Some(1.0), ..self }
    }

    /// With Brownian motions `Z = rho W + sqrt(1 - rho^2) V`, one for each component and after
    /// them, V being independent of W: in the rough Bergomi model Y makes the volatility and Z
    /// drives the price.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for a correlation that is not in [-1, 1].
    pub fn with_correlated(self, rho: f64) -> Result<Self, SdeError> {
        Range::MINUS_ONE_TO_ONE.check("the correlation", rho)?;
        Ok(Self { beside: Some(rho), ..self })
    }

    /// The exponents H of the components.
    pub fn hurst(&self) -> &[f64] {
        &self.hurst
    }

    fn factor(&self, hurst: f64) -> f64 {
        match self.normalisation {
            Normalisation::Variance => (2.0 * hurst).sqrt(),
            Normalisation::FractionalIntegral => recip_gamma(hurst + 0.5),
        }
    }

    /// What an increment of W adds to the increments of Y by the cells that are not near, by lag
    /// from 0, for steps of length 1: differences of their weights, which unlike the differences of
    /// sums lose nothing to rounding.
    fn far_weights(&self, hurst: f64, steps: usize) -> Vec<f64> {
        let exponent = hurst + 0.5;
        let mut weights = vec![0.0; steps];
        second_differences_of_powers(exponent, &mut weights);
        weights.iter_mut().take(self.near_cells).for_each(|w| *w = 0.0);
        if let Some(first) = weights.get_mut(self.near_cells) {
            let k = self.near_cells as f64;
            *first = (k + 1.0).powf(exponent) - k.powf(exponent);
        }
        let scale = self.factor(hurst) / exponent;
        weights.iter_mut().for_each(|w| *w *= scale);
        weights
    }

    fn far_sums(&self, steps: usize) -> Result<Arc<Vec<CausalSums<T>>>, SdeError> {
        let of = |hurst: &f64| CausalSums::new(&self.far_weights(*hurst, steps));
        self.sums.get(steps, || {
            let numbers = [steps, 12, self.hurst.len(), size_of::<f64>()];
            room_for("the weights of the noise", &numbers)?;
            Ok(self.hurst.iter().map(of).collect())
        })
    }
}

impl<T: Gaussian> Noise<T> for RiemannLiouvilleBrownian<T> {
    fn components(&self) -> usize {
        self.hurst.len() * if self.beside.is_some() { 2 } else { 1 }
    }

    fn process(&self, component: usize) -> NoiseProcess {
        match self.hurst.get(component) {
            Some(&hurst) => NoiseProcess::Fractional { hurst },
            None => NoiseProcess::Brownian,
        }
    }

    fn bytes_per_path(&self, steps: usize) -> usize {
        self.components().saturating_mul(steps.saturating_mul(size_of::<T>()))
    }

    fn sources(&self) -> Vec<Source> {
        vec![Normals::new(self.seed).source(Purpose::Brownian)]
    }

    fn increments(&self, tile: Tile, integrals: &[CellIntegral]) -> TileIncrements<'_, T> {
        without_integrals("fractional Brownian motion of Riemann and Liouville", integrals)?;
        // Whole panels of paths.
        tile.check(self.components().saturating_mul(tile.steps).saturating_mul(WIDTH))?;
        let Tile { first_path, lanes, steps, .. } = tile;
        let sums = self.far_sums(steps)?;
        let mut made = Panels::zero(self.components(), steps, lanes);
        let mut white = Panels::zero(self.hurst.len(), steps, PART.min(lanes));
        for first in (0..lanes).step_by(PART) {
            let first_path = first_path.wrapping_add(first as u64);
            let part = Tile { first_path, lanes: PART.min(lanes - first), ..tile };
            white.clear();
            self.draw(part, first, &mut white, &mut made)?;
            for (component, sums) in sums.iter().enumerate() {
                let panels = made.of_mut(component).skip(first / WIDTH);
                for (u, y) in white.of(component).zip(panels) {
                    sums.add(u, y);
                }
            }
        }
        Ok(Box::new(made))
    }
}

/// Paths that are made at once: their increments stay in the cache. Whole panels.
const PART: usize = 4 * WIDTH;

impl<T: Gaussian> RiemannLiouvilleBrownian<T> {
    /// Draws what a part of the tile is made of, from its path `first` on: into `white` the
    /// increments of W times `h^(H-1/2)`, and into the tile what the near cells add to Y, and Z.
    fn draw(
        &self,
        part: Tile,
        first: usize,
        white: &mut Panels<T>,
        made: &mut Panels<T>,
    ) -> Result<(), SdeError> {
        let Tile { lanes, steps, h, .. } = part;
        let (count, kappa) = (self.hurst.len(), self.near_cells);
        let near = |noise: usize| {
            let exponent = self.hurst[noise] - 0.5;
            (0..kappa).map(move |lag| CellIntegral { noise, exponent, lag })
        };
        let integrals: Vec<_> = (0..count).flat_map(near).collect();
        let brownian = Brownian::new(self.seed, count)?;
        let mut increments = Noise::<T>::increments(&brownian, part, &integrals)?;
        let mut rows = vec![T::zero(); (count + integrals.len()) * lanes];
        let scales: Vec<[T; 2]> = self
            .hurst
            .iter()
            .map(|hurst| [h.powf(hurst - 0.5), self.factor(*hurst)].map(T::narrow))
            .collect();
        for step in 0..steps {
            increments.write(step, RowsMut::new(&mut rows, lanes));
            let row = |row: usize| &rows[row * lanes..][..lanes];
            for (component, [scale, factor]) in scales.iter().enumerate() {
                white.add(component, 0, step, *scale, row(component));
                for lag in 0..kappa {
                    let integral = row(count + component * kappa + lag);
                    made.add(component, first, step + lag, *factor, integral);
                    made.add(component, first, step + lag + 1, -*factor, integral);
                }
                if let Some(rho) = self.beside {
                    made.add(count + component, first, step, T::narrow(rho), row(component));
                }
            }
        }
        self.draw_independent(part, first, made);
        Ok(())
    }

    /// Adds to Z what is independent of W: components of the same Brownian motion that come after
    /// it.
    fn draw_independent(&self, part: Tile, first: usize, made: &mut Panels<T>) {
        let Tile { first_path, lanes, steps, h } = part;
        let Some(rho) = self.beside.filter(|rho| rho.abs() < 1.0) else { return };
        let scale = T::narrow((h * (1.0 - rho * rho)).sqrt());
        let normals = Normals::new(self.seed);
        let mut drawn = vec![T::zero(); STEPS * lanes];
        for component in self.hurst.len()..self.components() {
            let Some(stream) = Stream::new(Purpose::Brownian, component as u32) else { break };
            for four in (0..steps).step_by(STEPS) {
                normals.fill(stream, (four / STEPS) as u32, first_path, &mut drawn);
                for (step, row) in (four..).zip(drawn.chunks_exact(lanes)) {
                    made.add(component, first, step, scale, row);
                }
            }
        }
    }
}
