//! The quadrature of Huang and Oberman for the fractional Laplacian on a line, with parabolas.
//!
//! ```text
//! (-Lap)^(alpha/2) f(x) = C int_0^inf (2 f(x) - f(x-y) - f(x+y)) y^(-1-alpha) dy
//! C = alpha (2 - alpha) K,   K = 2^(alpha-2) Gamma((1+alpha)/2) / (sqrt(pi) Gamma(2-alpha/2))
//! ```
//!
//! On (0, h) the bracket is -f'' y^2 with f'' the second difference. From h on it is a parabola through the
//! nodes on each pair of cells ((m-1) h, (m+1) h), m = 2, 4, .., whose integrals are exact. On a unit step:
//!
//! ```text
//! y_n = 4 K f_n - sum_{k>=1} w_k (f_{n-k} + f_{n+k})
//! w_m = C int (1-s^2) (m+s)^(-1-alpha) ds,   w_{m-+1} gets C int s (s-+1)/2 (m+s)^(-1-alpha) ds,   -1 < s < 1
//! w_1 gets alpha K more, for the second difference
//! ```
//!
//! The diagonal has the whole integral: no end of the record cuts it. The integrals are series in 1/m; as
//! differences of powers they would cancel. Source: Huang and Oberman, SIAM J. Numer. Anal. 52 (2014) 3056,
//! DOI 10.1137/140954040, section 3.

use crate::Toeplitz;
use hpfracc_special::{digamma, gamma, recip_gamma};
use hpfracc_types::Grid;
use std::f64::consts::{LN_2, PI};

/// A number and its derivative in alpha.
type Jet = (f64, f64);

pub(crate) fn weights(alpha: f64, grid: Grid) -> Toeplitz {
    let scale = grid.dt().powf(-alpha);
    Toeplitz::two_sided(unit_weights(alpha, grid.n()).into_iter().map(|(w, _)| scale * w).collect())
}

pub(crate) fn weights_derivative(alpha: f64, grid: Grid) -> Toeplitz {
    let (scale, ln_h) = (grid.dt().powf(-alpha), grid.dt().ln());
    let each = |(w, dw): Jet| scale * (dw - ln_h * w);
    Toeplitz::two_sided(unit_weights(alpha, grid.n()).into_iter().map(each).collect())
}

/// By lag: half of the diagonal, then -w_k.
fn unit_weights(alpha: f64, n: usize) -> Vec<Jet> {
    let k = (alpha - 2.0).exp2() * gamma(0.5 * (1.0 + alpha)) * recip_gamma(2.0 - 0.5 * alpha)
        / PI.sqrt();
    let dk = k * (LN_2 + 0.5 * (digamma(0.5 * (1.0 + alpha)) + digamma(2.0 - 0.5 * alpha)));
    let c = (alpha * (2.0 - alpha) * k, 2.0 * (1.0 - alpha) * k + alpha * (2.0 - alpha) * dk);
    let mut w = vec![(0.0, 0.0); n];
    let mut add = |lag: usize, (x, dx): Jet| {
        if let Some((w, dw)) = w.get_mut(lag) {
            *w -= x;
            *dw -= dx;
        }
    };
    add(0, (-2.0 * k, -2.0 * dk));
    add(1, (alpha * k, k + alpha * dk));
    for m in (2..=n).step_by(2) {
        let parts = pair_of_cells(alpha, m as f64);
        for (lag, (i, di)) in (m - 1..=m + 1).zip(parts) {
            add(lag, (c.0 * i, c.1 * i + c.0 * di));
        }
    }
    w
}

/// `int_-1^1 L(s) (m+s)^(-1-alpha) ds` for the parabolas that are 1 at s = -1, 0 and 1.
///
/// (m+s)^(-1-alpha) = m^(-1-alpha) sum_p C(-1-alpha, p) (s/m)^p, and `int s^p s (s-+1)/2 ds` is 1/(p+3) for
/// even p, -+1/(p+2) for odd p.
fn pair_of_cells(alpha: f64, m: f64) -> [Jet; 3] {
    let (mut middle, mut even, mut odd) = ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0));
    // C(-1-alpha, p) m^-p without its sign (-1)^p.
    let (mut b, mut db) = (1.0, 0.0);
    let mut p = 0.0;
    // All terms of each sum are positive. The last are below rounding for m = 2 too.
    while b > 1e-19 {
        if p % 2.0 == 0.0 {
            add(&mut middle, 4.0 / ((p + 1.0) * (p + 3.0)), (b, db));
            add(&mut even, 1.0 / (p + 3.0), (b, db));
        } else {
            add(&mut odd, 1.0 / (p + 2.0), (b, db));
        }
        p += 1.0;
        db = (db * (alpha + p) + b) / (p * m);
        b *= (alpha + p) / (p * m);
    }
    let (power, ln_m) = (m.powf(-1.0 - alpha), m.ln());
    let left = (even.0 + odd.0, even.1 + odd.1);
    let right = (even.0 - odd.0, even.1 - odd.1);
    [left, middle, right].map(|(x, dx)| (power * x, power * (dx - ln_m * x)))
}

fn add(sum: &mut Jet, factor: f64, term: Jet) {
    sum.0 += factor * term.0;
    sum.1 += factor * term.1;
}
