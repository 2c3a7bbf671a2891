//! Sums that arguments share, eight arguments at a time: the inner loops run over them.

use super::super::asymptotic::Asymptotic;
use super::super::contour::Nodes;

/// Arguments of a sum.
pub(super) const LANES: usize = 8;

/// A number of each argument.
type Group = [f64; LANES];

/// Complex numbers of the arguments.
#[derive(Debug, Clone, Copy)]
pub(super) struct Complex {
    pub(super) re: Group,
    pub(super) im: Group,
}

impl Complex {
    pub(super) const ZERO: Self = Self { re: [0.0; LANES], im: [0.0; LANES] };
}

/// Taylor's series by Horner's rule.
#[inline(always)]
pub(super) fn taylor<const REAL: bool>(coefficients: &[f64], z: &Complex) -> Complex {
    let mut sum = Complex::ZERO;
    for &c in coefficients.iter().rev() {
        sum = sum.times_plus::<REAL>(z, c);
    }
    sum
}

/// The trapezoidal sum, without the factor z^{-m}.
#[inline(always)]
pub(super) fn nodes<const REAL: bool>(nodes: &Nodes, shifts: usize, z: &Complex) -> Complex {
    if REAL { real_nodes(nodes, shifts, &z.re) } else { complex_nodes(nodes, shifts, z) }
}

#[inline(always)]
fn real_nodes(nodes: &Nodes, shifts: usize, x: &Group) -> Complex {
    let (slope, constant) = &nodes.numerators[shifts];
    let (mut sum, x) = ([0.0; LANES], *x);
    for (((&p, &q), &a), &b) in nodes.real.iter().zip(&nodes.square).zip(slope).zip(constant) {
        for l in 0..LANES {
            let t = x[l] - p;
            sum[l] += a.mul_add(t, b) / t.mul_add(t, q);
        }
    }
    Complex { re: sum, ..Complex::ZERO }
}

#[inline(always)]
fn complex_nodes(nodes: &Nodes, shifts: usize, z: &Complex) -> Complex {
    let (slope, constant) = &nodes.numerators[shifts];
    let mut sum = Complex::ZERO;
    for (((&p, &q), &a), &b) in nodes.real.iter().zip(&nodes.square).zip(slope).zip(constant) {
        for l in 0..LANES {
            let (t, y) = (z.re[l] - p, z.im[l]);
            let (re, im) = (t.mul_add(t, (-y).mul_add(y, q)), 2.0 * t * y);
            let (top_re, top_im) = (a.mul_add(t, b), a * y);
            let inverse = 1.0 / re.mul_add(re, im * im);
            sum.re[l] = top_re.mul_add(re, top_im * im).mul_add(inverse, sum.re[l]);
            sum.im[l] = top_im.mul_add(re, -(top_re * im)).mul_add(inverse, sum.im[l]);
        }
    }
    sum
}

/// The first `terms` terms of A(z), plus `rest` z^{-terms}.
#[inline(always)]
pub(super) fn algebraic<const REAL: bool>(
    expansion: &Asymptotic,
    terms: usize,
    z: &Complex,
    rest: Complex,
) -> Complex {
    let mut inverse = Complex::ZERO;
    for l in 0..LANES {
        if REAL {
            inverse.re[l] = 1.0 / z.re[l];
        } else {
            let scale = 1.0 / z.re[l].mul_add(z.re[l], z.im[l] * z.im[l]);
            (inverse.re[l], inverse.im[l]) = (z.re[l] * scale, -z.im[l] * scale);
        }
    }
    let mut sum = rest;
    for &c in expansion.coefficients[..terms].iter().rev() {
        for re in &mut sum.re {
            *re += c;
        }
        sum = sum.times_plus::<REAL>(&inverse, 0.0);
    }
    sum
}

impl Complex {
    /// self z + c
    #[inline(always)]
    fn times_plus<const REAL: bool>(mut self, z: &Self, c: f64) -> Self {
        for l in 0..LANES {
            let (re, im) = (self.re[l], self.im[l]);
            if REAL {
                self.re[l] = re.mul_add(z.re[l], c);
            } else {
                self.re[l] = re.mul_add(z.re[l], (-im).mul_add(z.im[l], c));
                self.im[l] = re.mul_add(z.im[l], im * z.re[l]);
            }
        }
        self
    }
}
