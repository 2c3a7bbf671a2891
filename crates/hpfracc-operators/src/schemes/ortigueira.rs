//! Ortigueira's centred differences for the fractional Laplacian on a line.
//!
//! ```text
//! (-Lap)^(alpha/2) f(x_n) = h^-alpha sum_k g_|k| f_{n-k}
//! g_0 = Gamma(alpha+1) / Gamma(alpha/2+1)^2
//! g_{k+1} = g_k (1 - (alpha+1) / (alpha/2+k+1))
//! ```
//!
//! Order 2. Beyond both ends f is taken as zero. Sources: Ortigueira, Int. J. Math. Math. Sci.
//! (2006) 48391, DOI 10.1155/IJMMS/2006/48391; Celik and Duman, J. Comput. Phys. 231 (2012) 1743,
//! DOI 10.1016/j.jcp.2011.11.008.

use crate::Toeplitz;
use hpfracc_special::{digamma, gamma, recip_gamma};
use hpfracc_types::Grid;

pub(crate) fn weights(alpha: f64, grid: Grid) -> Toeplitz {
    let scale = grid.dt().powf(-alpha);
    two_sided(unit_weights(alpha, grid.n()).into_iter().map(|(g, _)| scale * g).collect())
}

pub(crate) fn weights_derivative(alpha: f64, grid: Grid) -> Toeplitz {
    let (scale, ln_h) = (grid.dt().powf(-alpha), grid.dt().ln());
    let each = |(g, dg): (f64, f64)| scale * (dg - ln_h * g);
    two_sided(unit_weights(alpha, grid.n()).into_iter().map(each).collect())
}

/// g_k and d g_k / d alpha on a unit step.
fn unit_weights(alpha: f64, n: usize) -> Vec<(f64, f64)> {
    let half = 0.5 * alpha;
    centred([half, half], [0.5, 0.5], n)
}

/// Coefficients c_k of x^k in `(1-x)^a (1-1/x)^b` for k >= 0, each with its derivative along (da, db); with a
/// and b exchanged they are those of x^-k.
///
/// ```text
/// c_k = (-1)^k Gamma(a+b+1) / (Gamma(a-k+1) Gamma(b+k+1))
/// ```
pub(crate) fn centred([a, b]: [f64; 2], [da, db]: [f64; 2], n: usize) -> Vec<(f64, f64)> {
    let mut c = gamma(a + b + 1.0) * (recip_gamma(a + 1.0) * recip_gamma(b + 1.0));
    let mut dc = (da + db) * digamma(a + b + 1.0) - da * digamma(a + 1.0) - db * digamma(b + 1.0);
    dc *= c;
    (0..n)
        .map(|k| {
            let now = (c, dc);
            let k = k as f64;
            let d = b + k + 1.0;
            // The first few as a quotient, where 1 - x would cancel. Later k - a rounds the same way for
            // thousands of k in a row: 3e-11 at the millionth weight. 1 - x does not.
            let ratio = if k < 8.0 { (k - a) / d } else { 1.0 - (a + b + 1.0) / d };
            let slope = -(da * d + db * (k - a)) / (d * d);
            dc = dc * ratio + c * slope;
            c *= ratio;
            now
        })
        .collect()
}

/// The matrix is the sum of a lower and an upper triangle that both hold the diagonal.
fn two_sided(mut g: Vec<f64>) -> Toeplitz {
    g[0] *= 0.5;
    Toeplitz::two_sided(g)
}
