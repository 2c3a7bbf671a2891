use crate::Node;

/// Extrapolation of f from the last nodes: linear, or quadratic.
pub(super) struct Extrapolation {
    /// Nodes before the last, latest first, and how many of them there are since f was continuous.
    times: [f64; 2],
    values: Vec<Vec<f64>>,
    known: usize,
}

impl Extrapolation {
    /// Of degree 1 or 2, for `dim` components.
    pub(super) fn new(degree: usize, dim: usize) -> Self {
        Self { times: [f64::NAN; 2], values: vec![vec![0.0; dim]; degree], known: 0 }
    }

    /// Begins anew, after a jump of f.
    pub(super) fn restart(&mut self) {
        self.known = 0;
    }

    /// Takes the last node, before a later one: f is swapped for other values.
    pub(super) fn push(&mut self, last: &mut Node) {
        self.times = [last.t, self.times[0]];
        self.values.rotate_right(1);
        std::mem::swap(&mut self.values[0], &mut last.f);
        self.known = (self.known + 1).min(self.values.len());
    }

    /// Time and f of the node before the last; None in the first step and after a jump.
    pub(super) fn before(&self) -> Option<(f64, &[f64])> {
        (self.known > 0).then(|| (self.times[0], &self.values[0][..]))
    }

    /// Writes f at t, by the polynomial through the last node and those before it.
    pub(super) fn at(&self, t: f64, last: &Node, f: &mut [f64]) {
        let weights = self.weights(t, last.t);
        f.iter_mut().zip(&last.f).for_each(|(f, last)| *f = weights[0] * last);
        for (weight, values) in weights[1..].iter().zip(&self.values).take(self.known) {
            f.iter_mut().zip(values).for_each(|(f, value)| *f += weight * value);
        }
    }

    /// Weights of the last node and of those before it.
    fn weights(&self, t: f64, last: f64) -> [f64; 3] {
        let nodes = [last, self.times[0], self.times[1]];
        let mut weights = [1.0; 3];
        for (i, weight) in weights.iter_mut().enumerate().take(self.known + 1) {
            for (_, other) in nodes.iter().enumerate().take(self.known + 1).filter(|(k, _)| *k != i)
            {
                *weight *= (t - other) / (nodes[i] - other);
            }
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_of_the_degree_are_exact() {
        let node = |t: f64, f: &dyn Fn(f64) -> f64| Node { t, y: vec![], f: vec![f(t)] };
        let mut found = [0.0];
        for degree in [1, 2] {
            let mut extrapolation = Extrapolation::new(degree, 1);
            let f: &dyn Fn(f64) -> f64 =
                if degree == 1 { &|t| 2.0 - t } else { &|t| 2.0 - t + 3.0 * t * t };
            extrapolation.at(1.0, &node(0.0, f), &mut found);
            assert_eq!(found, [f(0.0)], "constant in the first step");
            for t in [0.0, 0.5, 0.75] {
                extrapolation.push(&mut node(t, f));
            }
            assert_eq!(extrapolation.before(), Some((0.75, &[f(0.75)][..])));
            extrapolation.at(3.0, &node(1.5, f), &mut found);
            assert!((found[0] - f(3.0)).abs() < 1e-12, "degree {degree}: {}", found[0]);
            extrapolation.restart();
            assert_eq!(extrapolation.before(), None);
        }
    }
}
