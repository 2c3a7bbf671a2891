use super::increments::of_inner_noise;
use super::{
    CellIntegral, Gaussian, Increments, Noise, NoiseProcess, Source, Tile, TileIncrements,
};
use crate::SdeError;
use crate::error::{in_range, out_of_range};
use crate::rows::add_scaled;
use hpfracc_lanes::RowsMut;

/// The same noise on longer steps: increments over `factor` steps of the inner noise, summed.
///
/// Solutions on fine and coarse steps have the same path of the noise: for strong orders, and
/// for the levels of a multilevel Monte Carlo method.
#[derive(Debug, Clone, Copy)]
pub struct Coarse<N> {
    noise: N,
    factor: usize,
}

impl<N> Coarse<N> {
    /// Each step is `factor` steps of `noise`.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] if `factor` is 0.
    pub fn new(noise: N, factor: usize) -> Result<Self, SdeError> {
        in_range(factor > 0, "the steps in one", 0.0, "at least 1")?;
        Ok(Self { noise, factor })
    }

    /// Which integrals over the shorter steps one over a longer step is the sum of, with factors.
    fn parts(&self, whole: CellIntegral) -> impl Iterator<Item = CellIntegral> + use<N> {
        let factor = self.factor;
        let linear = whole.exponent == 1.0;
        // (u + m h) dZ is u dZ and m h times the increment.
        let lag = move |part: usize| {
            if linear { 0 } else { factor - 1 - part + whole.lag * factor }
        };
        (0..if linear { 1 } else { factor })
            .map(move |part| CellIntegral { lag: lag(part), ..whole })
    }
}

/// Parts of a singular integral over a longer step.
const MOST_PARTS: usize = 1024;

impl<T: Gaussian, N: Noise<T>> Noise<T> for Coarse<N> {
    of_inner_noise!(self => self.noise);

    fn bytes_per_path(&self, steps: usize) -> usize {
        self.noise.bytes_per_path(steps.saturating_mul(self.factor))
    }

    fn increments(&self, tile: Tile, integrals: &[CellIntegral]) -> TileIncrements<'_, T> {
        let h = tile.h / self.factor as f64;
        let most = "few enough to be counted";
        let Some(steps) = tile.steps.checked_mul(self.factor) else {
            return Err(out_of_range("the number of steps", tile.steps as f64, most));
        };
        // The parts of a singular integral have a joint distribution that would have to be
        // factored.
        if self.factor > MOST_PARTS && integrals.iter().any(|whole| whole.exponent != 1.0) {
            let expected = "at most 1024 where the scheme asks for singular integrals";
            return Err(out_of_range("the steps in one", self.factor as f64, expected));
        }
        let fine: Vec<_> = integrals.iter().flat_map(|whole| self.parts(*whole)).collect();
        let rows = self.noise.components() + fine.len();
        tile.check(rows)?;
        let rows = rows * tile.lanes;
        Ok(Box::new(CoarseIncrements {
            inner: self.noise.increments(Tile { steps, h, ..tile }, &fine)?,
            factor: self.factor,
            components: self.noise.components(),
            integrals: integrals.to_vec(),
            h: T::narrow(h),
            rows: vec![T::zero(); rows],
        }))
    }
}

struct CoarseIncrements<'a, T> {
    inner: Box<dyn Increments<T> + 'a>,
    factor: usize,
    components: usize,
    integrals: Vec<CellIntegral>,
    /// Length of a shorter step.
    h: T,
    /// Of one shorter step.
    rows: Vec<T>,
}

impl<T: Gaussian> Increments<T> for CoarseIncrements<'_, T> {
    fn write(&mut self, step: usize, mut rows: RowsMut<'_, T>) {
        let lanes = rows.lanes();
        rows.as_mut_slice().fill(T::zero());
        for part in 0..self.factor {
            self.inner.write(step * self.factor + part, RowsMut::new(&mut self.rows, lanes));
            let fine = |row: usize| &self.rows[row * lanes..][..lanes];
            let mut add =
                |row: usize, scale: T, values: &[T]| add_scaled(&mut rows[row], scale, values);
            (0..self.components).for_each(|row| add(row, T::one(), fine(row)));
            let mut next = self.components;
            for (row, whole) in (self.components..).zip(&self.integrals) {
                if whole.exponent == 1.0 {
                    let lag = (self.factor - 1 - part + whole.lag * self.factor) as f64;
                    add(row, T::one(), fine(next));
                    add(row, T::narrow(lag) * self.h, fine(whole.noise));
                    next += 1;
                } else {
                    add(row, T::one(), fine(next + part));
                    next += self.factor;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::Brownian;

    #[test]
    fn too_many_parts_of_singular_integrals_are_refused() {
        let noise = Coarse::new(Brownian::new(3, 1).unwrap(), 1025).unwrap();
        let tile = Tile { first_path: 0, lanes: 1, steps: 1, h: 1.0 };
        let ask = |exponent| {
            let integral = CellIntegral { noise: 0, exponent, lag: 0 };
            Noise::<f64>::increments(&noise, tile, &[integral]).map(drop)
        };
        ask(1.0).unwrap();
        assert!(matches!(ask(-0.3), Err(SdeError::OutOfRange { .. })));
    }

    /// Covariances of the increment and of integrals over a step, made of shorter ones.
    #[test]
    fn integrals_over_longer_steps_have_their_distribution() {
        let (h, lanes, factor) = (0.8f64, 50_000, 4);
        let noise = Coarse::new(Brownian::new(3, 2).unwrap(), factor).unwrap();
        let integrals = [(1.0, 0), (-0.3, 0), (-0.3, 1), (1.0, 1)]
            .map(|(exponent, lag)| CellIntegral { noise: 1, exponent, lag });
        let tile = Tile { first_path: 4, lanes, steps: 3, h };
        let mut rows = vec![0.0f64; 6 * lanes];
        let mut increments = noise.increments(tile, &integrals).unwrap();
        increments.write(2, RowsMut::new(&mut rows, lanes));
        let product = |i: usize, j: usize| {
            let pairs = rows[i * lanes..][..lanes].iter().zip(&rows[j * lanes..][..lanes]);
            pairs.map(|(a, b)| a * b).sum::<f64>() / lanes as f64
        };
        let exact = |p: f64| h.powf(p + 1.0) / (p + 1.0);
        let far = h.powf(0.4) * (2f64.powf(0.4) - 1.0) / 0.4;
        for (i, j, covariance) in [
            (0, 0, h),
            (0, 1, 0.0),
            (1, 1, h),
            (1, 2, exact(1.0)),
            (2, 2, exact(2.0)),
            (1, 3, exact(-0.3)),
            (3, 3, exact(-0.6)),
            (2, 3, exact(0.7)),
            (4, 4, far),
            (1, 5, exact(1.0) + h * h),
            (0, 3, 0.0),
        ] {
            let error = (product(i, i) * product(j, j) + covariance * covariance).sqrt();
            let z = (product(i, j) - covariance) / error * (lanes as f64).sqrt();
            assert!(z.abs() < 4.9, "{i} {j}: {z}");
        }
    }
}
