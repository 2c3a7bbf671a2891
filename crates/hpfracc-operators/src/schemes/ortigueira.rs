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

use crate::{Number, Toeplitz};
use hpfracc_types::Grid;

pub(crate) fn weights<N: Number>(alpha: N, grid: Grid, factor: f64) -> Toeplitz<N> {
    let scale = N::constant(grid.dt()).powf(-alpha) * factor;
    let half = alpha * 0.5;
    let mut next = centred(half, half);
    let mut g: Vec<N> = (0..grid.n()).map(|_| scale * next()).collect();
    // The matrix is the sum of a lower and an upper triangle that both contain the diagonal.
    g[0] = g[0] * 0.5;
    Toeplitz::two_sided(g)
}

/// The next coefficient at each call: c_k of x^k in `(1-x)^a (1-1/x)^b` for all k >= 0; with a and
/// b exchanged they are those of x^-k.
///
/// ```text
/// c_k = (-1)^k Gamma(a+b+1) / (Gamma(a-k+1) Gamma(b+k+1))
/// ```
pub(crate) fn centred<N: Number>(a: N, b: N) -> impl FnMut() -> N {
    let sum = a + b + 1.0;
    let mut c = sum.gamma() * ((a + 1.0).recip_gamma() * (b + 1.0).recip_gamma());
    let mut k = 0.0;
    move || {
        let now = c;
        let d = b + k + 1.0;
        // A quotient for the first coefficients, where 1 - x would cancel. For later ones k - a
        // rounds the same way for thousands of k in a row: 3e-11 at the millionth weight. 1 - x
        // does not.
        let ratio = if k < 8.0 { (-a + k) / d } else { -(sum / d) + 1.0 };
        (c, k) = (c * ratio, k + 1.0);
        now
    }
}
