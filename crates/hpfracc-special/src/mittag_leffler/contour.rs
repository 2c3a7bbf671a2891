//! Inversion of the Laplace transform on a parabola whose nodes do not depend on the argument.
//!
//! ```text
//! E_{α,β}(z) = 1/(2πi) ∫ e^s s^{α-β} / (s^α - z) ds + residues,    s = μ (1+iu)²
//! ```
//!
//! The trapezoidal rule in `u` converges like e^{-2π/h}: the cut of the integrand is the line
//! Im u = 1. The poles s_j = z^{1/α} would spoil that wherever they come near the contour. They
//! are not avoided but accounted for: the error that the rule makes at a simple pole u_j is known
//! in closed form, so that
//!
//! ```text
//! E = h Σ_k f(kh+δ) + Σ_j R_j / (1 - e^{2πiδ/h} e^{2π(1-σ_j)/h}),   σ_j = (s_j/μ)^{1/2},
//! R_j = s_j^{1-β} e^{s_j} / α,
//! ```
//!
//! with σ_j > 1 to the right of the contour. (The factor passes from 0 to 1 as a pole crosses;
//! Goodwin, Proc. Cambridge Philos. Soc. 45 (1949) 241, doi:10.1017/S0305004100024786, for the
//! error integral.) Of the offsets δ = 0 and δ = h/2 the one whose nodes are farther from the
//! poles is taken, so that the sum and the correction do not cancel. One set of nodes thus serves
//! every argument.
//!
//! For |z| > 1 the first m terms of the algebraic expansion are taken out,
//!
//! ```text
//! E_{α,β}(z) = -Σ_{k=1..m} z^{-k}/Γ(β-αk) + z^{-m} E_{α,β-mα}(z),
//! ```
//!
//! which leaves the residues as they are and scales the rounding errors of the sum down to the
//! size of the term m+1. Only the numerators change with m.

use std::sync::OnceLock;

use num_complex::Complex64;

/// Most terms taken out.
const MOST_SHIFTS: usize = 8;
/// The nodes end where the exponent of s in the integrand would require many more.
const LARGEST_EXPONENT: f64 = 7.0;

/// A node and its mirror image: (slope (x - real) + constant) / ((x - real)² + square), where
/// the node is s^α = real + i √square.
#[derive(Debug, Clone, Default)]
pub(super) struct Nodes {
    pub(super) real: Vec<f64>,
    pub(super) square: Vec<f64>,
    /// Numerators (slope, constant) for m = 0, 1, ... .
    pub(super) numerators: Vec<(Vec<f64>, Vec<f64>)>,
}

/// The rule for given α and β.
#[derive(Debug, Clone)]
pub(super) struct Contour {
    alpha: f64,
    beta: f64,
    pub(super) vertex: f64,
    pub(super) step: f64,
    /// ln of the accuracy aimed at.
    digits: f64,
    /// The largest m.
    shifts: usize,
    /// Offsets 0 and h/2.
    nodes: [OnceLock<Nodes>; 2],
    /// |z| from which one more term is taken out.
    pub(super) thresholds: Vec<f64>,
}

impl Contour {
    /// A contour through the least vertex, where rounding errors are smallest: about 45 nodes.
    pub(super) fn accurate(alpha: f64, beta: f64) -> Self {
        Self::new(alpha, beta, 1.0, 41.5, beta.max(0.0))
    }

    /// A contour farther to the right, for poles that are near the accurate one: by `more` for
    /// β <= 2.5, then in proportion to the width of the saddle.
    pub(super) fn outer(alpha: f64, beta: f64, more: f64) -> Self {
        let least = Self::least_vertex(beta, 1.0);
        Self::new(alpha, beta, least + more * least.sqrt(), 41.5, beta.max(0.0))
    }

    /// For large β the integrand is smallest farther out.
    fn least_vertex(beta: f64, least: f64) -> f64 {
        (beta - 1.5).max(least)
    }

    /// About 20 nodes, for α <= 1 and negative arguments, where no pole is near. Rounding errors
    /// grow by e²; they stay below 1e-15 because the sum itself has no cancellation left.
    pub(super) fn short(alpha: f64, beta: f64) -> Self {
        Self::new(alpha, beta, 3.0, 37.0, (beta - alpha).max(0.0))
    }

    /// `digits` is the logarithm of the accuracy aimed at, `exponent` the strength of the
    /// singularity s^{-exponent} at the end of the cut.
    fn new(alpha: f64, beta: f64, least_vertex: f64, digits: f64, exponent: f64) -> Self {
        let vertex = Self::least_vertex(beta, least_vertex);
        let step = step(vertex, exponent, digits, 1.0);
        let shifts = (1..=MOST_SHIFTS)
            .take_while(|&m| m == 1 || (m + 1) as f64 * alpha - beta <= LARGEST_EXPONENT)
            .count();
        let mut contour = Self {
            alpha,
            beta,
            vertex,
            step,
            digits,
            shifts,
            nodes: Default::default(),
            thresholds: Vec::new(),
        };
        let (nodes, sizes) = contour.make_nodes(0.0);
        // One more term pays once the remaining integral shrinks by it.
        contour.thresholds = sizes.windows(2).map(|s| (s[1] / s[0]).max(1.0)).collect();
        contour.nodes[0] = OnceLock::from(nodes);
        contour
    }

    /// The nodes of one offset; those of h/2 only if a pole requires them.
    pub(super) fn nodes(&self, offset: bool) -> &Nodes {
        let offset_in_steps = if offset { 0.5 } else { 0.0 };
        self.nodes[usize::from(offset)].get_or_init(|| self.make_nodes(offset_in_steps).0)
    }

    /// Nodes at (k + offset) h, and the sum of the moduli of the weights for each m.
    fn make_nodes(&self, offset: f64) -> (Nodes, Vec<f64>) {
        let Self { alpha, beta, vertex, step, digits, shifts, .. } = *self;
        let mut sizes = vec![0.0; shifts + 1];
        let mut nodes = Nodes::default();
        nodes.numerators.resize(shifts + 1, Default::default());
        for k in 0..1000 {
            let u = (f64::from(k) + offset) * step;
            let s = Complex64::new(1.0, u).powi(2) * vertex;
            let log = Complex64::new(vertex.ln() + u.mul_add(u, 1.0).ln(), 2.0 * u.atan());
            // h/(2πi) e^s s^{α-β} s', s' = 2μi(1+iu), without its constant phase.
            let scale = vertex * step / std::f64::consts::PI;
            let half = if k == 0 && offset == 0.0 { 0.5 } else { 1.0 };
            let mut weight = (s + log * (alpha - beta)).exp() * Complex64::new(1.0, u);
            weight *= scale * half;
            let pole = (log * alpha).exp();
            let mut last = true;
            for (m, size) in sizes.iter_mut().enumerate() {
                let modulus = weight.norm();
                *size += modulus;
                last &= modulus < (-digits).exp() * *size;
                let (slope, constant) = &mut nodes.numerators[m];
                slope.push(-2.0 * weight.re);
                constant.push(2.0 * pole.im * weight.im);
                weight *= pole;
            }
            nodes.real.push(pole.re);
            nodes.square.push(pole.im * pole.im);
            if last && u > 1.0 {
                break;
            }
        }
        (nodes, sizes)
    }

    /// How many terms of the algebraic expansion to take out at |z| = `size`.
    pub(super) fn shifts(&self, size: f64) -> usize {
        self.thresholds.iter().take_while(|&&t| size > t).count()
    }

    /// Nodes s^α of the upper half plane with their weights; each has a mirror image.
    pub(super) fn terms(
        &self,
        shifts: usize,
        offset: bool,
    ) -> impl Iterator<Item = (Complex64, Complex64)> {
        let nodes = self.nodes(offset);
        let (slope, constant) = &nodes.numerators[shifts];
        (0..nodes.real.len()).map(move |k| {
            let im = nodes.square[k].sqrt();
            let weight_im = if im == 0.0 { 0.0 } else { constant[k] / (2.0 * im) };
            (Complex64::new(nodes.real[k], im), Complex64::new(-0.5 * slope[k], weight_im))
        })
    }

    /// The trapezoidal sum for real x, without the factor x^{-m}.
    pub(super) fn sum(&self, x: f64, shifts: usize, offset: bool) -> f64 {
        let nodes = self.nodes(offset);
        let (slope, constant) = &nodes.numerators[shifts];
        let mut sum = 0.0;
        for (((&p, &q), &a), &b) in nodes.real.iter().zip(&nodes.square).zip(slope).zip(constant) {
            let t = x - p;
            sum += (a * t + b) / (t * t + q);
        }
        sum
    }

    /// The trapezoidal sum for complex z, without the factor z^{-m}.
    pub(super) fn sum_complex(&self, z: Complex64, shifts: usize, offset: bool) -> Complex64 {
        let nodes = self.nodes(offset);
        let (slope, constant) = &nodes.numerators[shifts];
        let mut sum = Complex64::ZERO;
        for (((&p, &q), &a), &b) in nodes.real.iter().zip(&nodes.square).zip(slope).zip(constant) {
            let (t, y) = (z.re - p, z.im);
            let (re, im) = (t * t - y * y + q, 2.0 * t * y);
            let (top_re, top_im) = (a * t + b, a * y);
            let inverse = 1.0 / (re * re + im * im);
            sum.re += (top_re * re + top_im * im) * inverse;
            sum.im += (top_im * re - top_re * im) * inverse;
        }
        sum
    }
}

/// The largest step for which both truncations of the strip of analyticity leave e^{-digits}.
///
/// On the line Im u = c the integrand is at most
/// (1-c)^{-2 exponent} e^{μ((1-c)²-1)} of its value at the vertex near the cut (c > 0) and
/// e^{μ((1+c)²-1)} on the other side, and the rule's error there is e^{-2πc/h} times that. The
/// singularities begin at c = `depth`.
pub(super) fn step(vertex: f64, exponent: f64, digits: f64, depth: f64) -> f64 {
    let grid = |n: i32| (1..n).map(move |i| f64::from(i) / f64::from(n));
    let inner = grid(50)
        .map(|c| {
            let growth = -2.0 * exponent * (1.0 - c).ln();
            let c = depth * c;
            let growth = growth + vertex * ((1.0 - c).powi(2) - 1.0);
            2.0 * std::f64::consts::PI * c / (digits + growth)
        })
        .fold(0.0, f64::max);
    let outer = grid(50)
        .map(|c| 10.0 * c)
        .map(|c| 2.0 * std::f64::consts::PI * c / (digits + vertex * (2.0 * c + c * c)))
        .fold(0.0, f64::max);
    inner.min(outer)
}
