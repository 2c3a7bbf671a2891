//! Product integration of slopes at the nodes, of order 3:
//!
//! ```text
//! D f(t_n) = int_0^{t_n} kernel(t_n - s) f'(s) ds
//! ```
//!
//! f' at a node is the slope of the cubic through the four last samples; between the nodes it is the
//! parabola through the ends of a cell and the node before. The first nodes and the first cell,
//! which lack samples before them, take the cubic through the first four samples and the parabola
//! through the first three slopes.
//!
//! What the parabola of a cell lacks of the change of f over it is added to the slope at its end:
//! nothing for a cubic, O(h^3) of the slope for smooth f, and where f ~ t^q at the start the order
//! q + 1 instead of q.

use crate::schemes::gauss::Orthonormal;
use crate::{Number, Toeplitz};

/// The values at the nodes are h f' times this: so their weights are whole numbers, and the slopes of
/// a constant are 0 without rounding.
pub(super) const SCALE: f64 = 3960.0;

/// Weights of the last differences.
const LATER: [f64; 5] = [8195.0, -7535.0, 4455.0, -1265.0, 110.0];

/// Number of first nodes that have weights of their own.
const FIRST: usize = 5;

/// Weights of the samples for the first nodes.
fn first_nodes() -> [[f64; FIRST]; FIRST] {
    // 6 h f' of the cubics.
    let cubics: [[f64; FIRST]; FIRST] = [
        [-11.0, 18.0, -9.0, 2.0, 0.0],
        [-2.0, -3.0, 6.0, -1.0, 0.0],
        [1.0, -6.0, 3.0, 2.0, 0.0],
        [-2.0, 9.0, -18.0, 11.0, 0.0],
        [0.0, -2.0, 9.0, -18.0, 11.0],
    ];
    // 660 / 12 over the weight of the node in the integral of all parabolas.
    let shares = [0.0, 44.0, 60.0, 55.0, 55.0];
    std::array::from_fn(|m| {
        std::array::from_fn(|sample| {
            let slope = |node: usize| cubics[node][sample];
            let change = match sample {
                _ if m == 0 => 0.0,
                _ if sample == m => 72.0,
                _ if sample + 1 == m => -72.0,
                _ => 0.0,
            };
            // 12 times the integral of the parabola over the cell that ends here.
            let parabola = match m {
                0 => 0.0,
                1 => 5.0 * slope(0) + 8.0 * slope(1) - slope(2),
                _ => 5.0 * slope(m) + 8.0 * slope(m - 1) - slope(m - 2),
            };
            660.0 * slope(m) + shares[m] * (change - parabola)
        })
    })
}

/// [`SCALE`] h f' at the n >= 4 nodes.
pub(super) fn slopes<N: Number>(n: usize) -> Toeplitz<N> {
    let mut causal = vec![N::constant(0.0); n];
    LATER.into_iter().zip(&mut causal).for_each(|(weight, to)| *to = N::constant(weight));
    let slopes = Toeplitz::of_differences(1, causal);
    first_nodes().into_iter().enumerate().take(n).fold(slopes, |slopes, (node, mut weights)| {
        // Less what the differences give there.
        for (lag, weight) in LATER.into_iter().enumerate().take(node) {
            weights[node - lag] -= weight;
            weights[node - lag - 1] += weight;
        }
        let mut column = vec![N::constant(0.0); n];
        column[node] = N::constant(1.0);
        slopes.with_start(column, weights[..n.min(FIRST)].to_vec())
    })
}

/// [`slopes`] of samples.
pub(super) fn slopes_of(f: &[f64]) -> Vec<f64> {
    let first = first_nodes().into_iter().take(f.len());
    let first = first.map(|weights| weights.iter().zip(f).map(|(w, f)| w * f).sum());
    let later = f.windows(FIRST + 1).map(|f| {
        let differences = f.windows(2).rev().map(|pair| pair[1] - pair[0]);
        LATER.iter().zip(differences).map(|(weight, d)| weight * d).sum()
    });
    first.chain(later).collect()
}

/// The value at the end of a cell and its backward differences of first and second order, cell by
/// cell: what the parabolas are made of. Entry 0, before the first cell, is zero.
pub(super) fn parabolas_of(g: &[f64]) -> [Vec<f64>; 3] {
    let n = g.len();
    let [mut value, mut first, mut second] = [const { Vec::new() }; 3].map(|mut v: Vec<f64>| {
        v.resize(n, 0.0);
        v
    });
    for m in 1..n {
        (value[m], first[m]) = (g[m], g[m] - g[m - 1]);
        let last = m.max(2);
        second[m] = g[last] - 2.0 * g[last - 1] + g[last - 2];
    }
    [value, first, second]
}

/// The coefficients of [`parabolas_of`] at the distance v from the end of a cell.
pub(super) fn parabola(v: f64) -> [f64; 3] {
    [1.0, -v, 0.5 * v * (v - 1.0)]
}

/// The integral from values at the nodes, given those of the kernel times [`parabola`] by cell, the
/// cell (k, k+1) of lags at k: one less than there are nodes.
pub(super) fn integral<N: Number>(cells: &[[N; 3]]) -> Toeplitz<N> {
    let zero = N::constant(0.0);
    let cell = |k: usize| cells.get(k).copied().unwrap_or([zero; 3]);
    let before = |k: usize, by: usize| k.checked_sub(by).map_or([zero; 3], cell);
    let n = cells.len() + 1;
    let weight = |k: usize| {
        let ([a, b, c], [_, b1, c1], [_, _, c2]) = (cell(k), before(k, 1), before(k, 2));
        a + b + c - (b1 + c1 * 2.0) + c2
    };
    // No cell ends at the first node, and the first cell has the bend of the second.
    let no_cell = |k: usize| {
        let [a, b, c] = cell(k);
        (a + b + c) * -1.0
    };
    Toeplitz::causal((0..n).map(weight).collect())
        .with_start((0..n).map(no_cell).collect(), vec![1.0])
        .with_start((0..n).map(|k| before(k, 1)[2]).collect(), vec![3.0, -3.0, 1.0])
}

/// Gauss rules for cells of a kernel that is smooth away from the lag 0.
pub(super) struct CellRules {
    rules: [Vec<(f64, f64)>; 3],
}

/// Panels of the cell at the lag 0, each half as long as the next.
const PANELS: i32 = 60;

impl CellRules {
    pub(super) fn new() -> Self {
        let legendre = Orthonormal::new(0.0);
        let rules = [14, 10, 6].map(|points| {
            let rule = legendre.quadrature(points).into_iter();
            rule.map(|(x, weight)| (0.5 * (x + 1.0), weight)).collect()
        });
        Self { rules }
    }

    /// Calls `visit` with the points v of the cell (k, k+1) of lags and their weights. The part
    /// below [`Self::nearest`] of the cell at the lag 0 is left out.
    pub(super) fn each(&self, k: usize, mut visit: impl FnMut(f64, f64)) {
        let [short, middle, far] = &self.rules;
        if k > 0 {
            let rule = if k == 1 {
                short
            } else if k < 16 {
                middle
            } else {
                far
            };
            return rule.iter().for_each(|(v, weight)| visit(*v, *weight));
        }
        for panel in 1..=PANELS {
            let length = 0.5f64.powi(panel);
            short.iter().for_each(|(v, weight)| visit(length * (1.0 + v), length * weight));
        }
    }

    pub(super) fn nearest() -> f64 {
        0.5f64.powi(PANELS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_integral_is_that_of_the_parabolas() {
        let g: Vec<f64> = (0..9).map(|m| (1.7 * f64::from(m)).sin()).collect();
        let cells: Vec<[f64; 3]> =
            (0..8).map(|k| [1.0, 0.7, -0.4].map(|c| c / f64::from(k + 1))).collect();
        let toeplitz = integral(&cells);
        let parts = parabolas_of(&g);
        for n in 0..9 {
            let direct: f64 = (1..=n)
                .flat_map(|m| (0..3).map(move |i| (m, i)))
                .map(|(m, i)| cells[n - m][i] * parts[i][m])
                .sum();
            let causal: f64 = (0..=n).map(|k| toeplitz.causal[k] * g[n - k]).sum();
            let starts: f64 = toeplitz
                .starts
                .iter()
                .map(|s| s.column[n] * s.stencil.iter().zip(&g).map(|(w, g)| w * g).sum::<f64>())
                .sum();
            assert!((causal + starts - direct).abs() < 1e-14, "{n}");
        }
    }

    #[test]
    fn slopes_of_a_cubic_are_exact() {
        let f: Vec<f64> = (0..7).map(|m| f64::from(m * m * m - 2 * m * m + m)).collect();
        for (m, slope) in slopes_of(&f).iter().enumerate() {
            let t = m as f64;
            assert_eq!(*slope, SCALE * (3.0 * t * t - 4.0 * t + 1.0), "{m}");
        }
    }

    /// The parabolas of all cells together have the whole change of f.
    #[test]
    fn the_change_of_any_samples_is_complete() {
        let f: Vec<f64> = (0..40).map(|m| f64::from(m).powf(0.3)).collect();
        let [value, first, second] = parabolas_of(&slopes_of(&f));
        let cells = |m: usize| (value[m] - 0.5 * first[m] - second[m] / 12.0) / SCALE;
        let sum: f64 = (1..40).map(cells).sum();
        // The last nodes' shares belong to cells beyond the end.
        assert!((sum - f[39]).abs() < 1e-6, "{sum} {}", f[39]);
    }

    #[test]
    fn maps_and_loops_agree() {
        for n in [4, 5, 6, 30] {
            let f: Vec<f64> = (0..n).map(|m| (0.9 * m as f64).cos()).collect();
            let Toeplitz { causal, starts, .. } = slopes::<f64>(n);
            for (m, expected) in slopes_of(&f).iter().enumerate() {
                let lags = (0..m).map(|lag| causal[lag] * (f[m - lag] - f[m - lag - 1]));
                let at = |s: &crate::StartCorrection| {
                    let dot: f64 = s.stencil.iter().zip(&f).map(|(w, f)| w * f).sum();
                    s.column[m] * dot
                };
                let found = lags.sum::<f64>() + starts.iter().map(at).sum::<f64>();
                assert!((found - expected).abs() < 1e-10, "{n} {m}: {found} {expected}");
            }
        }
    }

    #[test]
    fn cells_are_integrated_to_rounding() {
        let rules = CellRules::new();
        for (k, alpha) in [(0, 0.5f64), (1, 0.9), (2, 0.3), (15, 0.7), (16, 0.7), (900, 0.2)] {
            let (b, at) = (1.0 - alpha, k as f64);
            let mut sum = if k == 0 { CellRules::nearest().powf(b) / b } else { 0.0 };
            rules.each(k, |v, weight| sum += weight * (at + v).powf(-alpha));
            let exact = ((at + 1.0).powf(b) - at.powf(b)) / b;
            assert!((sum / exact - 1.0).abs() < 2e-13, "{k}: {:e}", sum / exact - 1.0);
        }
    }
}
