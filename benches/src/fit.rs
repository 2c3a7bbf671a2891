//! How a cost grows with a size: the power that fits it.

/// A power law, fitted by least squares to the logarithms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Power {
    /// The power, a slope in a plot of logarithms.
    pub(crate) exponent: f64,
}

impl Power {
    /// Of `(size, cost)`, all above zero; of at least three of them, since two leave nothing over.
    pub(crate) fn of(points: &[(f64, f64)]) -> Option<Self> {
        if points.len() < 3 || points.iter().any(|(n, cost)| !(*n > 0.0 && *cost > 0.0)) {
            return None;
        }
        let logs: Vec<_> = points.iter().map(|(n, cost)| (n.ln(), cost.ln())).collect();
        let mean =
            |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / logs.len() as f64;
        let (x0, y0) = (mean(|p| p.0), mean(|p| p.1));
        let spread: f64 = logs.iter().map(|(x, _)| (x - x0) * (x - x0)).sum();
        let both: f64 = logs.iter().map(|(x, y)| (x - x0) * (y - y0)).sum();
        (spread > 0.0).then_some(Self { exponent: both / spread })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_found() {
        let fit = Power::of(&[1e3, 3e3, 1e5].map(|n: f64| (n, 7e-9 * n.powf(1.5)))).unwrap();
        assert!((fit.exponent - 1.5).abs() < 1e-12, "{fit:?}");
        assert_eq!(Power::of(&[(1.0, 1.0), (2.0, 2.0)]), None);
        assert_eq!(Power::of(&[(2.0, 1.0), (2.0, 2.0), (2.0, 3.0)]), None);
    }
}
