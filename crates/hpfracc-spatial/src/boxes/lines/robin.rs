//! Axes of cells with a Robin boundary: eigenvectors in closed form, up to one number each.

use crate::boxes::Boundary;
use std::f64::consts::{FRAC_PI_2, PI};

/// Eigenvectors `u_j = cos((j + 1/2) theta_k - lower)` of the three-point difference with ghost
/// cells.
///
/// The ghost cell outside an end fixes the phase of the cosine there, `tan(phase) = (beta h / 2)
/// cot(theta / 2)`: 0 for Neumann, pi/2 for Dirichlet. Both ends agree if
/// `n theta = k pi + lower + upper`, which has one solution theta_k for each k = 0..n, because the
/// phases decrease with theta.
pub(super) struct Robin {
    /// theta_k, increasing.
    pub(super) angles: Vec<f64>,
    /// Orthonormal eigenvectors, one a row.
    pub(super) eigenvectors: Vec<f64>,
}

/// Half of beta h of a boundary, infinite for Dirichlet.
fn half_coefficient(boundary: Boundary, h: f64) -> f64 {
    match boundary {
        Boundary::Robin(beta) => 0.5 * beta * h,
        Boundary::Dirichlet => f64::INFINITY,
        Boundary::Neumann | Boundary::Periodic => 0.0,
    }
}

/// The phase for half the angle.
fn phase(half_coefficient: f64, half_angle: f64) -> f64 {
    if half_coefficient == 0.0 {
        0.0
    } else if half_coefficient.is_infinite() {
        FRAC_PI_2
    } else {
        (half_coefficient * half_angle.cos()).atan2(half_angle.sin())
    }
}

impl Robin {
    pub(super) fn new(n: usize, h: f64, boundaries: [Boundary; 2]) -> Self {
        let coefficients = boundaries.map(|b| half_coefficient(b, h));
        let mut angles = Vec::with_capacity(n);
        let mut eigenvectors = Vec::with_capacity(n * n);
        for k in 0..n {
            let (angle, phases) = angle(n, k, coefficients);
            angles.push(angle);
            push_eigenvector(&mut eigenvectors, n, k, phases);
        }
        Self { angles, eigenvectors }
    }
}

/// The angle k of cells of width h.
pub(super) fn angle_of(n: usize, h: f64, boundaries: [Boundary; 2], k: usize) -> f64 {
    angle(n, k, boundaries.map(|b| half_coefficient(b, h))).0
}

/// The angle k, and the phases at the ends: bisection, as `total - phases(total)` increases.
fn angle(n: usize, k: usize, coefficients: [f64; 2]) -> (f64, [f64; 2]) {
    let theta = |total: f64| (k as f64 * PI + total) / n as f64;
    let phases = |total: f64| coefficients.map(|c| phase(c, 0.5 * theta(total)));
    let (mut low, mut high) = (0.0, PI);
    // Until the ends of the interval are neighbours, or equal to zero.
    while low < high {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high || middle < f64::MIN_POSITIVE {
            break;
        }
        let [lower, upper] = phases(middle);
        if middle < lower + upper { low = middle } else { high = middle }
    }
    if coefficients == [0.0; 2] {
        high = 0.0;
    }
    (theta(high), phases(high))
}

/// Appends the eigenvector k of unit length. The whole turns of the angles are removed in whole
/// numbers, and the cosine is that of the nearer end.
fn push_eigenvector(rows: &mut Vec<f64>, n: usize, k: usize, [lower, upper]: [f64; 2]) {
    let start = rows.len();
    let total = lower + upper;
    let from_end = |j: usize, phase: f64| {
        let turns = ((2 * j + 1) * k) % (4 * n);
        let angle = FRAC_PI_2 * turns as f64 / n as f64;
        (angle + (j as f64 + 0.5) * total / n as f64 - phase).cos()
    };
    let sign = if k.is_multiple_of(2) { 1.0 } else { -1.0 };
    rows.extend(
        (0..n).map(
            |j| {
                if 2 * j < n { from_end(j, lower) } else { sign * from_end(n - 1 - j, upper) }
            },
        ),
    );
    let norm = rows[start..].iter().map(|u| u * u).sum::<f64>().sqrt();
    for u in &mut rows[start..] {
        *u /= norm;
    }
}
