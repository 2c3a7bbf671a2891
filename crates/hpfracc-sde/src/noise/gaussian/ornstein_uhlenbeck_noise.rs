use crate::SdeError;
use crate::checks::Range;
use crate::noise::increments::{MOST_SERIES, check_components, without_integrals};
use crate::noise::{
    CellIntegral, Gaussian, Increments, Noise, NoiseProcess, Normals, Purpose, STEPS, Source,
    Stream, Tile, TileIncrements,
};
use hpfracc_lanes::RowsMut;

/// Coloured noise: the integral Z of a stationary process xi of Ornstein and Uhlenbeck with
/// correlation time tau, in independent components.
///
#[doc = formula!("ornstein_uhlenbeck_noise", r"dZ = \xi \, dt, \quad \mathrm{E} \, \xi(s) \xi(t) = \frac{e^{-|t - s|/\tau}}{2 \tau}")]
///
/// so that Z becomes Brownian motion as tau goes to 0. Paths of Z have a derivative: an equation
/// `dX = f dt + g dZ` is the ordinary one `X' = f + g xi`, whose limit for tau to 0 is that of
/// Stratonovich's calculus (Wong and Zakai).
///
/// Method: exact in distribution on any steps. With `x = h/tau`, `e = exp(-x)`, `q = 1 - e` and
/// independent standard normals eta_0, y_n and z_n, where `xi = eta / sqrt(2 tau)`,
///
#[doc = formula!("ornstein_uhlenbeck_noise_step", r"\eta_{n+1} = e \, \eta_n + \sqrt{1 - e^2} \, y_n
    dZ_n = q \sqrt{\tau/2} \, \eta_n + \sqrt{\frac{\tau q^3}{4 - 2q}} \, y_n + \sqrt{\tau (x - 2 \tanh(x/2))} \, z_n")]
///
/// Cost: two normals a step. Steps are available in any order: xi is stored at every 64th, and
/// backward, each step is made twice.
///
/// Sources: Gillespie, Phys. Rev. E 54 (1996) 2084, DOI 10.1103/PhysRevE.54.2084, for the joint
/// distribution of the process and its integral.
///
/// ```
/// use hpfracc_sde::noise::{Noise, OrnsteinUhlenbeckNoise, Tile};
/// use hpfracc_sde::RowsMut;
///
/// // 1000 paths side by side, to Z(1), whose variance is t - tau (1 - exp(-t/tau))
/// let noise = OrnsteinUhlenbeckNoise::new(7, &[0.5])?;
/// let tile = Tile { first_path: 0, lanes: 1000, steps: 4, h: 0.25 };
/// let mut increments = Noise::<f64>::increments(&noise, tile, &[])?;
/// let (mut z, mut dz) = (vec![0.0; 1000], vec![0.0; 1000]);
/// for step in 0..4 {
///     increments.write(step, RowsMut::new(&mut dz, 1000));
///     z.iter_mut().zip(&dz).for_each(|(z, dz)| *z += dz);
/// }
/// let variance = z.iter().map(|z| z * z).sum::<f64>() / 1000.0;
/// assert!((variance - 0.567668).abs() < 0.2 * 0.567668);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct OrnsteinUhlenbeckNoise {
    normals: Normals,
    times: Vec<f64>,
}

/// Series of normals of a component: y, z, and the start.
const SERIES: u32 = 3;

impl OrnsteinUhlenbeckNoise {
    /// A component for each of the correlation times tau.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for a time that is not positive and finite, and for none or more
    /// than 2^20.
    pub fn new(seed: u64, correlation_times: &[f64]) -> Result<Self, SdeError> {
        check_components(correlation_times.len(), MOST_SERIES)?;
        for &tau in correlation_times {
            Range::POSITIVE.check("the correlation time", tau)?;
        }
        Ok(Self { normals: Normals::new(seed), times: correlation_times.to_vec() })
    }

    /// The correlation times of the components.
    pub fn correlation_times(&self) -> &[f64] {
        &self.times
    }
}

/// The factors of a step.
#[derive(Debug, Clone, Copy)]
struct StepDistribution<T> {
    decay: T,
    /// Of y_n in eta.
    renewal: T,
    /// Of eta_n, y_n and z_n in dZ.
    parts: [T; 3],
}

impl<T: Gaussian> StepDistribution<T> {
    fn new(tau: f64, h: f64) -> Self {
        let x = h / tau;
        let q = -(-x).exp_m1();
        // tau (x - 2 tanh(x/2)), where neither tau nor x need be of the size of h.
        let free = match x {
            ..=0.2 => tau * (2.0 * less_its_tanh(0.5 * x)),
            _ => h - 2.0 * tau * (0.5 * x).tanh(),
        };
        let parts =
            [q * (0.5 * tau).sqrt(), (tau * q.powi(3) / (4.0 - 2.0 * q)).sqrt(), free.sqrt()];
        Self {
            decay: T::narrow((-x).exp()),
            renewal: T::narrow((-(-2.0 * x).exp_m1()).sqrt()),
            parts: parts.map(T::narrow),
        }
    }
}

/// y - tanh y
fn less_its_tanh(y: f64) -> f64 {
    if y > 0.1 {
        return y - y.tanh();
    }
    // The Taylor series; the first term left out is 1.5e-3 y^15, where the sum is above y^3/4.
    let s = y * y;
    let series = [1.0 / 3.0, -2.0 / 15.0, 17.0 / 315.0, -62.0 / 2835.0, 1382.0 / 155_925.0];
    y * s * series.iter().rev().fold(-21844.0 / 6_081_075.0, |sum, c| c + s * sum)
}

impl<T: Gaussian> Noise<T> for OrnsteinUhlenbeckNoise {
    fn components(&self) -> usize {
        self.times.len()
    }

    fn process(&self, _: usize) -> NoiseProcess {
        NoiseProcess::Smooth
    }

    fn sources(&self) -> Vec<Source> {
        vec![self.normals.source(Purpose::Coloured)]
    }

    fn bytes_per_path(&self, steps: usize) -> usize {
        self.times.len().saturating_mul((steps / BLOCK + BLOCK).saturating_mul(size_of::<T>()))
    }

    fn increments(&self, tile: Tile, integrals: &[CellIntegral]) -> TileIncrements<'_, T> {
        without_integrals("coloured noise", integrals)?;
        tile.check(self.times.len().saturating_mul(tile.steps / BLOCK + BLOCK))?;
        let Tile { first_path, lanes, h, .. } = tile;
        let count = self.times.len();
        let mut normals = vec![T::zero(); STEPS * lanes];
        let mut start = Vec::with_capacity(count * lanes);
        for component in 0..count {
            if let Some(stream) = series(component, 2) {
                self.normals.fill(stream, 0, first_path, &mut normals);
            }
            start.extend_from_slice(&normals[..lanes]);
        }
        Ok(Box::new(Coloured {
            normals: self.normals,
            tile,
            distributions: self.times.iter().map(|tau| StepDistribution::new(*tau, h)).collect(),
            starts: vec![start],
            block: None,
            rows: vec![T::zero(); count * BLOCK * lanes],
            drawn: vec![T::zero(); 2 * STEPS * lanes],
        }))
    }
}

fn series(component: usize, number: u32) -> Option<Stream> {
    Stream::new(Purpose::Coloured, u32::try_from(component).ok()?.checked_mul(SERIES)? + number)
}

/// Steps that are made at once.
const BLOCK: usize = 64;

/// The increments of one block, and eta at the start of every block up to the last one made.
struct Coloured<T> {
    normals: Normals,
    tile: Tile,
    distributions: Vec<StepDistribution<T>>,
    /// By block; a row for each component.
    starts: Vec<Vec<T>>,
    block: Option<usize>,
    /// By component, step of the block, and path.
    rows: Vec<T>,
    /// y and z of four steps.
    drawn: Vec<T>,
}

impl<T: Gaussian> Coloured<T> {
    /// Computes a block from its start, and the start of the next block.
    fn make(&mut self, block: usize) {
        let Tile { first_path, lanes, .. } = self.tile;
        let mut eta = self.starts[block].clone();
        let (drawn_y, drawn_z) = self.drawn.split_at_mut(STEPS * lanes);
        let components = eta.chunks_exact_mut(lanes).zip(self.rows.chunks_exact_mut(BLOCK * lanes));
        for (component, ((eta, rows), distribution)) in
            components.zip(&self.distributions).enumerate()
        {
            for (four, rows) in rows.chunks_exact_mut(STEPS * lanes).enumerate() {
                let counter = (block * (BLOCK / STEPS) + four) as u32;
                for (number, drawn) in [(0, &mut *drawn_y), (1, &mut *drawn_z)] {
                    if let Some(stream) = series(component, number) {
                        self.normals.fill(stream, counter, first_path, drawn);
                    }
                }
                let drawn = drawn_y.chunks_exact(lanes).zip(drawn_z.chunks_exact(lanes));
                for (row, (y, z)) in rows.chunks_exact_mut(lanes).zip(drawn) {
                    distribution.step(eta, (y, z), row);
                }
            }
        }
        if self.starts.len() == block + 1 {
            self.starts.push(eta);
        }
        self.block = Some(block);
    }
}

impl<T: Gaussian> StepDistribution<T> {
    #[inline(always)]
    fn step(&self, eta: &mut [T], (y, z): (&[T], &[T]), dz: &mut [T]) {
        let [of_eta, of_y, of_z] = self.parts;
        for (((eta, y), z), dz) in eta.iter_mut().zip(y).zip(z).zip(dz) {
            *dz = of_eta * *eta + of_y * *y + of_z * *z;
            *eta = self.decay * *eta + self.renewal * *y;
        }
    }
}

impl<T: Gaussian> Increments<T> for Coloured<T> {
    fn write(&mut self, step: usize, mut rows: RowsMut<'_, T>) {
        let block = step / BLOCK;
        while self.starts.len() <= block {
            self.make(self.starts.len() - 1);
        }
        if self.block != Some(block) {
            self.make(block);
        }
        let lanes = self.tile.lanes;
        for (component, made) in self.rows.chunks_exact(BLOCK * lanes).enumerate() {
            rows[component].copy_from_slice(&made[(step % BLOCK) * lanes..][..lanes]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Variances and covariances of the factors of a step, for all sizes of h/tau.
    #[test]
    fn factors_of_a_step() {
        let h = 0.3;
        for tau in [1e-9, 0.01, 0.3, 1.4, 1.6, 5.0, 1e4] {
            let StepDistribution { decay, renewal, parts: [of_eta, of_y, of_z] } =
                StepDistribution::<f64>::new(tau, h);
            let x: f64 = h / tau;
            // E dZ^2 and E dZ eta_{n+1}, from the covariance of xi.
            let variance = if x > 0.01 {
                h + tau * (-x).exp_m1()
            } else {
                h * x * (0.5 - x / 6.0 + x * x / 24.0 - x.powi(3) / 120.0 + x.powi(4) / 720.0)
            };
            let covariance = -(-x).exp_m1() * (0.5 * tau).sqrt();
            let found = of_eta * of_eta + of_y * of_y + of_z * of_z;
            assert!((found / variance - 1.0).abs() < 1e-13, "{tau}: {found} {variance}");
            let found = of_eta * decay + of_y * renewal;
            assert!((found / covariance - 1.0).abs() < 1e-13, "{tau}: {found} {covariance}");
            assert!((decay * decay + renewal * renewal - 1.0).abs() < 1e-15, "{tau}");
        }
        // Times at either end of the numbers: white, and frozen.
        let white = StepDistribution::<f64>::new(f64::MIN_POSITIVE / 1e15, h).parts;
        assert!((white[2] - h.sqrt()).abs() < 1e-15 && white[0] < 1e-150, "{white:?}");
        let frozen = StepDistribution::<f64>::new(f64::MAX, h).parts;
        assert!(frozen.iter().all(|part| part.is_finite()), "{frozen:?}");
    }

    /// Both forms where they meet, and far below: the cubic term.
    #[test]
    fn what_the_integral_has_of_its_own() {
        for y in [0.1f64, 0.08, 0.06, 0.04] {
            let direct = y - y.tanh();
            assert!((less_its_tanh(y) / direct - 1.0).abs() < 1e-15 / y.powi(2), "{y}");
        }
        assert!((less_its_tanh(1e-5) / (1e-15 / 3.0) - 1.0).abs() < 1e-10);
        assert_eq!(less_its_tanh(1e9), 1e9 - 1.0);
    }
}
