use super::increments::of_inner_noise;
use super::{
    CellIntegral, Gaussian, Increments, Noise, NoiseProcess, Source, Tile, TileIncrements,
};
use crate::SdeError;
use hpfracc_lanes::RowsMut;

/// Pairs of paths that mirror each other: the path 2k is path k of the inner noise, the path 2k + 1
/// is its negative.
///
/// Each path has the distribution of the noise, because that is symmetric; the mean of a function
/// that rises or falls with the noise has less variance over pairs than over independent paths. The
/// two of a pair are not independent: standard errors are those of the means of pairs, in
/// [`PairMoments`](crate::PairMoments).
///
/// Source: Hammersley and Morton, Proc. Camb. Phil. Soc. 52 (1956) 449, DOI
/// 10.1017/S0305004100031455.
#[derive(Debug, Clone, Copy)]
pub struct Antithetic<N> {
    noise: N,
}

impl<N> Antithetic<N> {
    /// Mirrors a noise.
    ///
    /// # Errors
    /// [`SdeError::NotSymmetric`] if the negative of the noise has another distribution.
    pub fn new<T: Gaussian>(noise: N) -> Result<Self, SdeError>
    where
        N: Noise<T>,
    {
        if noise.symmetric() { Ok(Self { noise }) } else { Err(SdeError::NotSymmetric) }
    }
}

impl<T: Gaussian, N: Noise<T>> Noise<T> for Antithetic<N> {
    of_inner_noise!(self => self.noise);

    fn bytes_per_path(&self, steps: usize) -> usize {
        self.noise.bytes_per_path(steps).div_ceil(2)
    }

    fn increments(&self, tile: Tile, integrals: &[CellIntegral]) -> TileIncrements<'_, T> {
        let rows = self.noise.components() + integrals.len();
        tile.check(rows)?;
        let last = tile.first_path + tile.lanes as u64 - 1;
        let inner = Tile {
            first_path: tile.first_path / 2,
            lanes: (last / 2 - tile.first_path / 2) as usize + 1,
            ..tile
        };
        Ok(Box::new(AntitheticIncrements {
            inner: self.noise.increments(inner, integrals)?,
            lanes: inner.lanes,
            odd: (tile.first_path % 2) as usize,
            rows: vec![T::zero(); rows * inner.lanes],
        }))
    }
}

struct AntitheticIncrements<'a, T> {
    inner: Box<dyn Increments<T> + 'a>,
    /// Paths of the inner noise.
    lanes: usize,
    /// 1 if the first path is the second of a pair.
    odd: usize,
    rows: Vec<T>,
}

impl<T: Gaussian> Increments<T> for AntitheticIncrements<'_, T> {
    fn write(&mut self, step: usize, mut rows: RowsMut<'_, T>) {
        self.inner.write(step, RowsMut::new(&mut self.rows, self.lanes));
        for (row, inner) in self.rows.chunks_exact(self.lanes).enumerate() {
            let (first, pairs) = rows[row].split_at_mut(self.odd);
            if let [first] = first {
                *first = -inner[0];
            }
            for (pair, x) in pairs.chunks_mut(2).zip(&inner[self.odd..]) {
                pair[0] = *x;
                if let Some(mirrored) = pair.get_mut(1) {
                    *mirrored = -*x;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{Brownian, FractionalBrownian};

    fn increments(noise: &impl Noise<f32>, first_path: u64, lanes: usize, step: usize) -> Vec<f32> {
        let tile = Tile { first_path, lanes, steps: 6, h: 0.25 };
        let mut rows = vec![f32::NAN; 2 * lanes];
        noise.increments(tile, &[]).unwrap().write(step, RowsMut::new(&mut rows, lanes));
        rows
    }

    /// In tiles that begin and end with either path of a pair.
    #[test]
    fn pairs_mirror_each_other_in_any_tile() {
        fn check(noise: impl Noise<f32>) {
            let single = increments(&noise, 3, 8, 4);
            let noise = Antithetic::new(noise).unwrap();
            for (first, lanes) in [(6, 16), (6, 3), (7, 1), (7, 8), (9, 5), (8, 1)] {
                let pairs = increments(&noise, first, lanes, 4);
                for row in 0..2 {
                    for lane in 0..lanes {
                        let path = first as usize + lane;
                        let sign = if path.is_multiple_of(2) { 1.0 } else { -1.0 };
                        let expected = sign * single[row * 8 + path / 2 - 3];
                        assert_eq!(pairs[row * lanes + lane], expected, "{first} {lanes} {lane}");
                    }
                }
            }
        }
        check(Brownian::new(5, 2).unwrap());
        check(FractionalBrownian::new(5, &[0.3, 0.8]).unwrap());
    }

    /// Jumps of one sign are refused; a noise that says of itself that it is symmetric is not.
    #[test]
    fn what_is_not_symmetric_is_refused() {
        struct Other(NoiseProcess, Option<bool>);

        impl Noise<f64> for Other {
            fn components(&self) -> usize {
                1
            }
            fn process(&self, _: usize) -> NoiseProcess {
                self.0
            }
            fn symmetric(&self) -> bool {
                self.1.unwrap_or_else(|| self.0.is_gaussian())
            }
            fn increments(&self, _: Tile, _: &[CellIntegral]) -> TileIncrements<'_, f64> {
                Err(SdeError::Empty)
            }
        }

        assert!(Antithetic::new(Other(NoiseProcess::Smooth, None)).is_ok());
        for process in [NoiseProcess::Jumps, NoiseProcess::Stable { index: 1.5 }] {
            let refused = Antithetic::new(Other(process, None));
            assert!(matches!(refused, Err(SdeError::NotSymmetric)));
            assert!(Antithetic::new(Other(process, Some(true))).is_ok());
        }
    }
}
