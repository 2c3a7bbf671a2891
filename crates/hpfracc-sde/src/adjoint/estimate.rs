use crate::rows::zeros;

/// Monte Carlo estimates, means or sums over the paths of an ensemble, with their standard errors.
///
/// Errors come from how the means of tiles of paths differ, of which there are 50 or more for
/// ensembles of 4096 paths or more; NaN of a single tile, which 64 paths or fewer may be.
#[derive(Debug, Clone, PartialEq)]
pub struct MonteCarloEstimates {
    /// The numbers.
    pub values: Vec<f64>,
    /// Their standard errors.
    pub errors: Vec<f64>,
}

/// Weighted means of tiles, taken in one after the other: West, Commun. ACM 22 (1979) 532, DOI
/// 10.1145/359146.359153. For independent paths, `squares / (tiles - 1)` has the variance of one
/// path as its mean, whatever the sizes of the tiles.
#[derive(Debug, Clone, Default)]
pub(super) struct TileMeans {
    paths: f64,
    tiles: f64,
    means: Vec<f64>,
    /// `sum lanes (mean of the tile - mean)^2`
    squares: Vec<f64>,
}

impl TileMeans {
    /// `len` zeros.
    pub(super) fn clear(&mut self, len: usize) {
        (self.paths, self.tiles) = (0.0, 0.0);
        zeros(&mut self.means, len);
        zeros(&mut self.squares, len);
    }

    /// Adds a tile with these sums over its paths.
    pub(super) fn add_tile(&mut self, paths: usize, sums: &[f64]) {
        let paths = paths as f64;
        self.join(paths, 1.0, sums.iter().map(|sum| (sum / paths, 0.0)));
    }

    pub(super) fn add(&mut self, other: &Self) {
        let of_other = other.means.iter().copied().zip(other.squares.iter().copied());
        self.join(other.paths, other.tiles, of_other);
    }

    /// Merges `paths` paths in `tiles` tiles with these means and squares.
    fn join(&mut self, paths: f64, tiles: f64, of_other: impl Iterator<Item = (f64, f64)>) {
        if tiles == 0.0 {
            return;
        }
        let total = self.paths + paths;
        let (share, between) = (paths / total, self.paths * paths / total);
        for ((mean, square), (of_other, squares)) in
            self.means.iter_mut().zip(&mut self.squares).zip(of_other)
        {
            let apart = of_other - *mean;
            *mean += apart * share;
            *square += squares + apart * apart * between;
        }
        (self.paths, self.tiles) = (total, self.tiles + tiles);
    }

    /// `scale` times the sums over all paths, of some of the numbers.
    pub(super) fn scaled(&self, scale: f64, which: std::ops::Range<usize>) -> MonteCarloEstimates {
        let scale = scale * self.paths;
        let values = self.means[which.clone()].iter().map(|mean| scale * mean).collect();
        let error = |squares: &f64| scale * (squares / (self.tiles - 1.0) / self.paths).sqrt();
        MonteCarloEstimates { values, errors: self.squares[which].iter().map(error).collect() }
    }
}
