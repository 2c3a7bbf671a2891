use crate::rows::zeros;

/// Running means of several numbers over paths that come in parts, tiles or single paths: West,
/// Commun. ACM 22 (1979) 532, DOI 10.1145/359146.359153. For independent paths, the
/// [`variance`](Self::variance) has that of one path as its mean, whatever the sizes of the parts.
#[derive(Debug, Clone, Default)]
pub(crate) struct RunningMeans {
    pub(crate) paths: f64,
    parts: f64,
    pub(crate) means: Vec<f64>,
    /// `sum paths (mean of the part - mean)^2`
    squares: Vec<f64>,
}

impl RunningMeans {
    /// Makes them means of `len` numbers over no path.
    pub(crate) fn clear(&mut self, len: usize) {
        (self.paths, self.parts) = (0.0, 0.0);
        zeros(&mut self.means, len);
        zeros(&mut self.squares, len);
    }

    /// Adds a part with these sums over its paths.
    #[inline]
    pub(crate) fn add_part(&mut self, paths: usize, sums: &[f64]) {
        let paths = paths as f64;
        self.join(paths, 1.0, sums.iter().map(|sum| (sum / paths, 0.0)));
    }

    pub(crate) fn add(&mut self, other: &Self) {
        let of_other = other.means.iter().copied().zip(other.squares.iter().copied());
        self.join(other.paths, other.parts, of_other);
    }

    /// Merges `paths` paths in `parts` parts with these means and squares.
    #[inline]
    fn join(&mut self, paths: f64, parts: f64, of_other: impl Iterator<Item = (f64, f64)>) {
        if parts == 0.0 {
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
        (self.paths, self.parts) = (total, self.parts + parts);
    }

    /// Variance of a number, of one path; NaN of a single part.
    pub(crate) fn variance(&self, number: usize) -> f64 {
        self.squares[number] / (self.parts - 1.0)
    }
}
