//! Entries of the power of the lattice Laplacian, by quadrature over the heat kernel.
//!
//! On the lattice with steps h_i, -Lap_h has the symbol `sum_i (2 sin(xi_i h_i / 2) / h_i)^2`, and
//! its heat kernel is a product of Bessel functions. With s = alpha/2 and
//! `lambda^s = (1/Gamma(-s)) int_0^inf (exp(-t lambda) - 1) t^(-1-s) dt`:
//!
//! ```text
//! c_m = (1/Gamma(-s)) int_0^inf t^(-s) G_m(t) dt,   G_m = (1/t) prod_i B_{m_i}(2 t / h_i^2),   m != 0
//! c_0 = (1/Gamma(1-s)) int_0^inf t^(-s) G(t) dt,    G = -(d/dt) prod_i B_0(2 t / h_i^2)
//! ```
//!
//! All integrands are positive: nothing cancels, and c_m < 0 for m != 0. One rule of some hundred
//! points serves all m: product integration on (0, 1) and beyond T, where the integrands are
//! t^(-s) and t^(-s-d/2-1) times smooth functions, panels in log t between. Time is measured in
//! units of the smallest h^2.
//!
//! Source of the kernel: Ciaurri, Roncal, Stinga, Torrea and Varona, Adv. Math. 330 (2018) 688, DOI
//! 10.1016/j.aim.2018.03.023, for one dimension.

use super::heat_kernel::{large, write_scaled_bessel};
use hpfracc_operators::{Dual, Number};
use rayon::prelude::*;

/// Number of points of each rule.
const POINTS: usize = 24;

/// Point t of the quadrature of `int_0^inf t^(-s) G(t) dt`, and its weight.
struct Point {
    t: f64,
    weight: Dual,
}

/// Entries c_m for 0 <= m_i < shape_i, row-major, with their derivatives with respect to alpha.
/// Equal steps h give h^-alpha times those of h = 1.
pub(crate) fn lattice_entries(alpha: f64, shape: [usize; 3], steps: [f64; 3]) -> Vec<Dual> {
    let s = Dual::variable(alpha) * 0.5;
    // Axes of one point with an infinite step have no part in the Laplacian.
    let smallest = steps.iter().fold(f64::INFINITY, |least, h| least.min(*h));
    let rates = steps.map(|h| (smallest / h).powi(2));
    let points = rule(s, shape, rates);
    let tables = [0, 1, 2].map(|axis| table(&points, shape[axis], rates[axis]));
    let scale = Dual::constant(smallest).powf(-(s * 2.0));
    let factor = (-s).recip_gamma() * scale;
    let mut entries = vec![Dual::constant(0.0); shape.iter().product()];
    let plane = shape[1] * shape[2];
    entries.par_chunks_mut(plane).enumerate().for_each(|(m0, plane)| {
        for (m1, row) in plane.chunks_mut(shape[2]).enumerate() {
            for (k, point) in points.iter().enumerate() {
                let [first, second, third] = &tables;
                let outer = first[k][m0] * second[k][m1] / point.t;
                let (value, slope) = (outer * point.weight.value, outer * point.weight.derivative);
                for (entry, b) in row.iter_mut().zip(&third[k]) {
                    entry.value += value * b;
                    entry.derivative += slope * b;
                }
            }
            row.iter_mut().for_each(|entry| *entry = factor * *entry);
        }
    });
    entries[0] = diagonal(s, rates) * scale;
    entries
}

/// c_0 for the smallest step 1.
fn diagonal(s: Dual, rates: [f64; 3]) -> Dual {
    let points = rule(s, [1; 3], rates);
    let mut sum = Dual::constant(0.0);
    for point in points {
        let mut change = 0.0;
        let mut product = 1.0;
        for rate in rates {
            let mut b = [0.0; 2];
            write_axis(point.t, rate, &mut b);
            // d(product) = product' b + product b', by axes.
            change = change * b[0] + product * 2.0 * rate * (b[0] - b[1]);
            product *= b[0];
        }
        sum = sum + point.weight * change;
    }
    sum * (-s + 1.0).recip_gamma()
}

fn write_axis(t: f64, rate: f64, values: &mut [f64]) {
    if rate > 0.0 {
        write_scaled_bessel(2.0 * t * rate, values);
    } else {
        values.fill(0.0);
        values[0] = 1.0;
    }
}

fn table(points: &[Point], len: usize, rate: f64) -> Vec<Vec<f64>> {
    let row = |point: &Point| {
        let mut values = vec![0.0; len];
        write_axis(point.t, rate, &mut values);
        values
    };
    points.par_iter().map(row).collect()
}

/// Points and weights for lags below the shape.
fn rule(s: Dual, shape: [usize; 3], rates: [f64; 3]) -> Vec<Point> {
    let axes = rates.iter().filter(|rate| **rate > 0.0).count() as f64;
    let end_of_axis = |(n, rate): (&usize, &f64)| {
        if *rate > 0.0 { 0.5 * large(*n as f64 + 1.0) / rate } else { 1.0 }
    };
    let end = shape.iter().zip(&rates).map(end_of_axis).fold(1.0, f64::max);
    let legendre = Legendre::new();
    let mut points: Vec<Point> =
        legendre.moments(-s).into_iter().map(|(t, weight)| Point { t, weight }).collect();
    // Panels of t = exp(v): dt = t dv.
    let panels = (end.ln() / 0.75).ceil();
    let width = end.ln() / panels;
    for panel in 0..panels as usize {
        for (x, weight) in &legendre.nodes {
            let t = (width * (panel as f64 + x)).exp();
            points.push(Point { t, weight: Dual::constant(t).powf(-s + 1.0) * (width * weight) });
        }
    }
    // t = end / y: t^(-s) dt = end^(1-s) y^(s-2) dy, and G = (y/end)^(axes/2+1) times smooth.
    let power = 0.5 * axes + 1.0;
    let scale = Dual::constant(end).powf(-s + 1.0);
    for (y, weight) in legendre.moments(s + (power - 2.0)) {
        points.push(Point { t: end / y, weight: scale * weight * y.powf(-power) });
    }
    points
}

/// Gauss-Legendre rule on (0, 1).
struct Legendre {
    nodes: Vec<(f64, f64)>,
}

impl Legendre {
    fn new() -> Self {
        let n = POINTS as f64;
        let node = |k: usize| {
            let mut x = (std::f64::consts::PI * (k as f64 + 0.75) / (n + 0.5)).cos();
            for _ in 0..8 {
                let (p, before) = legendre(x, POINTS);
                x -= p * (x * x - 1.0) / (n * (x * p - before));
            }
            let (p, before) = legendre(x, POINTS);
            let slope = n * (x * p - before) / (x * x - 1.0);
            (0.5 * (1.0 + x), 1.0 / ((1.0 - x * x) * slope * slope))
        };
        Self { nodes: (0..POINTS).map(node).collect() }
    }

    /// Rule for `int_0^1 y^a g(y) dy`, a > -1: exact for polynomials g of degree below the number
    /// of points, by the moments `int_0^1 y^a P_j(2y-1) dy = prod_{i<j} (a-i) / prod_{i<=j} (a+1+i)`.
    fn moments(&self, a: Dual) -> Vec<(f64, Dual)> {
        let mut moment = (a + 1.0).recip();
        let mut moments = vec![moment];
        for j in 1..POINTS {
            let j = j as f64;
            moment = moment * (a - (j - 1.0)) / (a + (j + 1.0));
            moments.push(moment);
        }
        let weight = |(y, w): &(f64, f64)| {
            let mut sum = Dual::constant(0.0);
            for (j, moment) in moments.iter().enumerate() {
                sum = sum + *moment * ((2 * j + 1) as f64 * legendre(2.0 * y - 1.0, j).0);
            }
            (*y, sum * *w)
        };
        self.nodes.iter().map(weight).collect()
    }
}

/// Legendre polynomials of degree n and n - 1 at x.
fn legendre(x: f64, n: usize) -> (f64, f64) {
    let (mut p, mut before) = (1.0, 0.0);
    for j in 0..n {
        let j = j as f64;
        (p, before) = (((2.0 * j + 1.0) * x * p - j * before) / (j + 1.0), p);
    }
    (p, before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_special::gamma;
    use std::f64::consts::TAU;

    /// Entries of the power in one dimension: c_0 = Gamma(1+2s)/Gamma(1+s)^2, c_{m+1} =
    /// c_m (m-s)/(m+1+s).
    #[test]
    fn entries_of_a_line_are_the_closed_form() {
        for alpha in [0.02, 0.5, 1.0, 1.5, 1.98] {
            let s = 0.5 * alpha;
            let entries = lattice_entries(alpha, [1, 1, 300], [f64::INFINITY, f64::INFINITY, 1.0]);
            let mut exact = gamma(1.0 + alpha) / gamma(1.0 + s).powi(2);
            for (m, entry) in entries.iter().enumerate() {
                let error = (entry.value / exact - 1.0).abs();
                assert!(error < 2e-13, "alpha {alpha}, lag {m}: {} {exact}", entry.value);
                exact *= (m as f64 - s) / (m as f64 + 1.0 + s);
            }
        }
    }

    /// Mean of symbol times cosines over a fine grid of frequencies: aliases c_{m + points} are the
    /// error.
    fn by_frequencies(alpha: f64, lag: [usize; 3], steps: [f64; 3], points: usize) -> f64 {
        let axes = steps.map(|h| if h.is_finite() { points } else { 1 });
        let table = |axis: usize| -> Vec<(f64, f64)> {
            let at = |k: usize| {
                let xi = TAU * (k as f64 + 0.5) / axes[axis] as f64;
                let root = 2.0 / steps[axis] * (0.5 * xi).sin();
                let cosine = if axes[axis] == 1 { 1.0 } else { (xi * lag[axis] as f64).cos() };
                (root * root, cosine)
            };
            (0..axes[axis]).map(at).collect()
        };
        let [first, second, third] = [table(0), table(1), table(2)];
        let mut sum = 0.0;
        for (l0, c0) in &first {
            for (l1, c1) in &second {
                for (l2, c2) in &third {
                    sum += (l0 + l1 + l2).powf(0.5 * alpha) * c0 * c1 * c2;
                }
            }
        }
        sum / axes.iter().product::<usize>() as f64
    }

    #[test]
    fn entries_of_planes_and_space_are_fourier_coefficients_of_the_symbol() {
        let cases = [
            ([1, 9, 9], [f64::INFINITY, 1.0, 1.0], 800, 1e-7),
            ([1, 7, 9], [f64::INFINITY, 0.1, 0.7], 1200, 1e-6),
            ([4, 5, 6], [1.0, 1.0, 1.0], 64, 4e-6),
        ];
        for alpha in [0.5, 1.0, 1.7] {
            for (shape, steps, points, tolerance) in cases {
                let entries = lattice_entries(alpha, shape, steps);
                let last = shape.map(|n| n - 1);
                let lags = [[0; 3], [0, 0, 1], [0, 1, 0], [0, 2, 1], last];
                for lag in lags {
                    let index = (lag[0] * shape[1] + lag[1]) * shape[2] + lag[2];
                    let expected = by_frequencies(alpha, lag, steps, points);
                    let error = (entries[index].value - expected).abs() / entries[0].value;
                    assert!(error < tolerance, "{alpha} {steps:?} {lag:?}: {error:e}");
                }
            }
        }
    }

    /// Far entries are the kernel of the integral, -C |m|^(-d-alpha), with relative corrections
    /// 1/|m|^2.
    #[test]
    fn far_entries_are_the_kernel_of_the_integral() {
        let alpha = 1.3;
        for (d, shape) in [(2, [1, 200, 200]), (3, [30, 60, 200])] {
            let steps = [if d == 3 { 1.0 } else { f64::INFINITY }, 1.0, 1.0];
            let entries = lattice_entries(alpha, shape, steps);
            let (half, s) = (0.5 * f64::from(d), 0.5 * alpha);
            let c = 4f64.powf(s) * s * gamma(half + s)
                / (std::f64::consts::PI.powf(half) * gamma(1.0 - s));
            let lag = [shape[0] - 1, shape[1] - 1, shape[2] - 1];
            let radius = lag.iter().map(|m| (m * m) as f64).sum::<f64>().sqrt();
            let found = entries[entries.len() - 1].value;
            let expected = -c * radius.powf(-f64::from(d) - alpha);
            assert!((found / expected - 1.0).abs() < 2.0 / radius, "{d}: {found} {expected}");
        }
    }

    #[test]
    fn derivatives_with_respect_to_the_order_are_limits_of_differences() {
        let (shape, steps) = ([3, 4, 20], [0.5, 0.25, 0.3]);
        let (alpha, step) = (1.2, 1e-5);
        let [below, here, above] =
            [alpha - step, alpha, alpha + step].map(|a| lattice_entries(a, shape, steps));
        for (i, entry) in here.iter().enumerate() {
            let expected = (above[i].value - below[i].value) / (2.0 * step);
            let error = (entry.derivative - expected).abs();
            assert!(error < 1e-8 * expected.abs(), "{i}: {entry:?} {expected}");
        }
    }
}
