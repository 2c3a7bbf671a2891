//! The quadrature of Huang and Oberman for the fractional Laplacian on a line, with parabolas.
//!
//! ```text
//! (-Lap)^(alpha/2) f(x) = C int_0^inf (2 f(x) - f(x-y) - f(x+y)) y^(-1-alpha) dy
//! C = alpha (2 - alpha) K,   K = 2^(alpha-2) Gamma((1+alpha)/2) / (sqrt(pi) Gamma(2-alpha/2))
//! ```
//!
//! On (0, h) the bracket is -f'' y^2 with f'' the second difference. From h on it is a parabola
//! through the nodes on each pair of cells ((m-1) h, (m+1) h), m = 2, 4, .., whose integrals are
//! exact. On a unit step:
//!
//! ```text
//! y_n = 4 K f_n - sum_{k>=1} w_k (f_{n-k} + f_{n+k})
//! w_m = C int (1-s^2) (m+s)^(-1-alpha) ds,   w_{m-+1} gets C int s (s-+1)/2 (m+s)^(-1-alpha) ds,   -1 < s < 1
//! w_1 gets alpha K more, for the second difference
//! ```
//!
//! The diagonal has the whole integral, not truncated at the ends of the samples. The integrals are
//! series in 1/m; as differences of powers they would cancel. Source: Huang and Oberman, SIAM J.
//! Numer. Anal. 52 (2014) 3056, DOI 10.1137/140954040, section 3.

use crate::{Number, Toeplitz};
use hpfracc_types::Grid;
use std::f64::consts::{LN_2, PI};

pub(crate) fn weights<N: Number>(alpha: N, grid: Grid, factor: f64) -> Toeplitz<N> {
    let scale = N::constant(grid.dt()).powf(-alpha) * factor;
    Toeplitz::two_sided(unit_weights(alpha, grid.n()).into_iter().map(|w| scale * w).collect())
}

/// By lag: half of the diagonal, then -w_k.
fn unit_weights<N: Number>(alpha: N, n: usize) -> Vec<N> {
    let k = (alpha - 2.0).chain(f64::exp2, |_, power| power * LN_2)
        * ((alpha + 1.0) * 0.5).gamma()
        * (-(alpha * 0.5) + 2.0).recip_gamma()
        / PI.sqrt();
    let c = alpha * (-alpha + 2.0) * k;
    let mut w = vec![N::constant(0.0); n];
    let mut add = |lag: usize, x: N| {
        if let Some(w) = w.get_mut(lag) {
            *w = *w - x;
        }
    };
    add(0, k * -2.0);
    add(1, alpha * k);
    for m in (2..=n).step_by(2) {
        let parts = pair_of_cells(alpha, m as f64);
        for (lag, integral) in (m - 1..=m + 1).zip(parts) {
            add(lag, c * integral);
        }
    }
    w
}

/// `int_-1^1 L(s) (m+s)^(-1-alpha) ds` for the parabolas that are 1 at s = -1, 0 and 1.
///
/// (m+s)^(-1-alpha) = m^(-1-alpha) sum_p C(-1-alpha, p) (s/m)^p, and `int s^p s (s-+1)/2 ds` is
/// 1/(p+3) for even p, -+1/(p+2) for odd p.
fn pair_of_cells<N: Number>(alpha: N, m: f64) -> [N; 3] {
    let zero = N::constant(0.0);
    let (mut middle, mut even, mut odd) = (zero, zero, zero);
    // C(-1-alpha, p) m^-p without its sign (-1)^p.
    let mut b = N::constant(1.0);
    let mut p = 0.0;
    // All terms of each sum are positive. The last are below rounding for m = 2 too.
    while b.value() > 1e-19 {
        if p % 2.0 == 0.0 {
            middle = middle + b * (4.0 / ((p + 1.0) * (p + 3.0)));
            even = even + b * (1.0 / (p + 3.0));
        } else {
            odd = odd + b * (1.0 / (p + 2.0));
        }
        p += 1.0;
        b = b * ((alpha + p) / (p * m));
    }
    let power = N::constant(m).powf(-alpha - 1.0);
    [even + odd, middle, even - odd].map(|x| power * x)
}
