//! Derivatives of the weights of exponential integrators with respect to the order. In Laplace space
//! `e_b` is `p^(a-b)/(p^a - lambda)`, and
//!
//! ```text
//! d/da e_{a+c} = G_{a+c},   d/da e_b = lambda G_{a+b} for a fixed b,
//! G_b(t) = d/db (t^(b-1) E^2_{a,b}(lambda t^a)),   E^2 the function of Prabhakar
//! ```

use super::chebyshev::Chebyshev;
use super::mode::{GAUSS, Mode, SMOOTH, hats_and_starts, is_slow, rising_and_falling, scaled};
use crate::history::Rule;
use crate::{OdeError, UniformGrid};
use hpfracc_special::{prabhakar, prabhakar_beta_derivative};
use std::f64::consts::PI;

impl Mode {
    /// The derivatives in alpha of all tables.
    pub(super) fn order_derivative(
        alpha: f64,
        lambda: f64,
        grid: UniformGrid,
        rule: Rule,
    ) -> Result<Self, OdeError> {
        let (h, n) = (grid.h(), grid.n());
        let slow = is_slow(alpha, lambda * h.powf(alpha));
        let slope = |beta: f64| Slope { alpha, lambda, beta };
        let nodes: Vec<f64> = (0..n + 2).map(|j| h * j as f64).collect();
        let range = (nodes[1], nodes[n + 1]);
        let points = points_for(range);
        // The kernel G_a is the derivative of G_{a+1} in t.
        let smooth = |beta| (slow && n > 4 * points).then(|| slope(beta).smooth(range, points));
        let mut homogeneous = Vec::new();
        let mut first = None;
        for j in 0..(alpha.ceil() as usize).max(1) {
            let beta = alpha + j as f64 + 1.0;
            let smooth = smooth(beta).transpose()?;
            homogeneous.push(match &smooth {
                Some(smooth) => nodes.iter().map(|t| smooth.at(*t)).collect(),
                None => slope(beta).at(&nodes)?,
            });
            first = first.or(smooth);
        }
        // As for the weights: differences near 0, and quadrature where they would cancel.
        let near = if slow { SMOOTH.min(n + 2) } else { n + 2 };
        let twice = slope(alpha + 2.0).at(&nodes[..near])?;
        let (mut rising, mut falling) = rising_and_falling(&homogeneous[0][..near], &twice, h, 1);
        rising.resize(n + 2, 0.0);
        falling.resize(n + 2, 0.0);
        match first {
            Some(smooth) => smooth.moments((h, near), &mut rising, &mut falling)?,
            None => {
                for m in near..n + 2 {
                    let kernel = |t| slope(alpha).value(t);
                    [rising[m], falling[m]] = moments(h * (m - 1) as f64, h, kernel)?;
                }
            }
        }
        let sums = rising.iter().zip(&falling).map(|(r, f)| r + f);
        let mut mode = Self {
            homogeneous: homogeneous.into_iter().map(|table| scaled(table, lambda)).collect(),
            cells: sums.take(n + 1).collect(),
            trapezoids: Vec::new(),
            starts: Vec::new(),
        };
        if rule == Rule::Trapezoid {
            (mode.trapezoids, mode.starts) = hats_and_starts(&rising, &falling, 1);
        }
        Ok(mode)
    }
}

/// Integrals of a kernel over the cell from `start`, times functions that rise and fall there.
fn moments(
    start: f64,
    h: f64,
    kernel: impl Fn(f64) -> Result<f64, OdeError>,
) -> Result<[f64; 2], OdeError> {
    let mut both = [0.0; 2];
    for (x, weight) in GAUSS {
        let value = h * weight * kernel(start + h * x)?;
        both = [both[0] + x * value, both[1] + (1.0 - x) * value];
    }
    Ok(both)
}

/// G_b.
struct Slope {
    alpha: f64,
    lambda: f64,
    beta: f64,
}

impl Slope {
    /// E^2 and its derivative in beta.
    fn functions(&self, t: f64) -> Result<[f64; 2], OdeError> {
        let x = self.lambda * t.powf(self.alpha);
        let (alpha, beta) = (self.alpha, self.beta);
        Ok([prabhakar(alpha, beta, 2.0, x)?, prabhakar_beta_derivative(alpha, beta, 2.0, x)?])
    }

    fn value(&self, t: f64) -> Result<f64, OdeError> {
        let [value, slope] = self.functions(t)?;
        Ok(t.powf(self.beta - 1.0) * (t.ln() * value + slope))
    }

    /// Values at increasing times, 0 at 0.
    fn at(&self, times: &[f64]) -> Result<Vec<f64>, OdeError> {
        times.iter().map(|t| if *t > 0.0 { self.value(*t) } else { Ok(0.0) }).collect()
    }

    /// Its interpolant.
    fn smooth(&self, (from, to): (f64, f64), points: usize) -> Result<SmoothSlope, OdeError> {
        let range = (from.ln(), to.ln());
        let functions = Chebyshev::new(range, points, |u| self.functions(u.exp()))?;
        let derivatives = functions.derivative();
        Ok(SmoothSlope { beta: self.beta, to, functions, derivatives })
    }
}

/// G_b that neither oscillates nor grows, by interpolation in ln t.
struct SmoothSlope {
    beta: f64,
    to: f64,
    /// E^2 and its derivative in beta.
    functions: Chebyshev<2>,
    derivatives: Chebyshev<2>,
}

/// Number of Chebyshev points in ln t for 1e-14: the nearest singularities of a relaxation lie at
/// |Im ln t| >= pi/2.
fn points_for((from, to): (f64, f64)) -> usize {
    (32.0 / (PI / (to / from).ln().max(1.0)).asinh()).ceil() as usize + 4
}

impl SmoothSlope {
    /// Its value, 0 at 0.
    fn at(&self, t: f64) -> f64 {
        if t <= 0.0 {
            return 0.0;
        }
        let [value, slope] = self.functions.at(t.ln());
        t.powf(self.beta - 1.0) * (t.ln() * value + slope)
    }

    /// dG_b/dt = G_{b-1}.
    fn by_time(&self, t: f64) -> f64 {
        let (u, beta) = (t.ln(), self.beta);
        let ([value, slope], [dvalue, dslope]) = (self.functions.at(u), self.derivatives.at(u));
        t.powf(beta - 2.0) * ((beta - 1.0) * (u * value + slope) + value + u * dvalue + dslope)
    }

    /// Writes the integrals over the cells from a node on: they are as smooth as the kernel.
    fn moments(
        &self,
        (h, near): (f64, usize),
        rising: &mut [f64],
        falling: &mut [f64],
    ) -> Result<(), OdeError> {
        let range = ((h * near as f64).ln(), self.to.ln());
        let points = points_for((range.0.exp(), range.1.exp()));
        let both =
            Chebyshev::new(range, points, |u| moments(u.exp() - h, h, |t| Ok(self.by_time(t))))?;
        for m in near..rising.len() {
            [rising[m], falling[m]] = both.at((h * m as f64).ln());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Steps;

    /// Against central differences of the weights themselves, near and far from the start.
    #[test]
    fn derivatives_of_the_weights_agree_with_differences() {
        for (alpha, lambda, n) in
            [(0.6, -3.0, 40), (0.6, -400.0, 900), (0.85, 2.0, 30), (1.4, -5.0, 40), (0.3, 0.0, 25)]
        {
            let grid = Steps::Uniform(n).uniform("a test", (0.0, 2.0)).unwrap();
            for rule in [Rule::Rectangle, Rule::Trapezoid] {
                let found = Mode::order_derivative(alpha, lambda, grid, rule).unwrap();
                let at = |share: f64| Mode::new(alpha + 1e-3 * share, lambda, grid, rule).unwrap();
                let moved = [1.0, -1.0, 2.0, -2.0, 3.0, -3.0].map(at);
                let tables = |mode: &Mode| {
                    let rest = [&mode.cells, &mode.trapezoids, &mode.starts];
                    mode.homogeneous.iter().chain(rest).cloned().collect::<Vec<_>>()
                };
                let moved = moved.each_ref().map(tables);
                for (table, found) in tables(&found).iter().enumerate() {
                    let size = found.iter().fold(1e-30f64, |size, x| size.max(x.abs()));
                    for (m, found) in found.iter().enumerate().take(n + 1) {
                        let pair = |k: usize| moved[k][table][m] - moved[k + 1][table][m];
                        let expected = (45.0 * pair(0) - 9.0 * pair(2) + pair(4)) / 0.06;
                        let error = (found - expected).abs() / size;
                        assert!(
                            error < 1e-9,
                            "{alpha} {lambda} {rule:?} {table} {m}: {found} {expected}"
                        );
                    }
                }
            }
        }
    }
}
