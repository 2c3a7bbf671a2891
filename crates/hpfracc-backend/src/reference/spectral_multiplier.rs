//! `y = F^-1 (m * F x)` with the discrete Fourier transform F as sums, axis by axis.
//!
//! The full spectrum is formed; the symbol outside the stored half is the conjugate of its mirror
//! image. The transpose of a real map `F^-1 m F` has the symbol conj(m).

use crate::{Direction, Shape, spectrum};
use std::f64::consts::TAU;

/// (real part, imaginary part)
type Complex = (f64, f64);

pub(super) fn run(
    symbol: &[f64],
    shape: Shape,
    direction: Direction,
    from: &[f64],
    to: &mut [f64],
) {
    let conjugate = if direction == Direction::Forward { 1.0 } else { -1.0 };
    let mut field: Vec<Complex> = from.iter().map(|&v| (v, 0.0)).collect();
    for axis in 0..shape.lens().len() {
        transform(&mut field, shape.lens(), axis, -1.0);
    }
    for (position, value) in field.iter_mut().enumerate() {
        let (re, im) = full_symbol(symbol, shape, position);
        *value = product(*value, (re, conjugate * im));
    }
    for axis in 0..shape.lens().len() {
        transform(&mut field, shape.lens(), axis, 1.0);
    }
    for (to, value) in to.iter_mut().zip(&field) {
        *to = value.0 / from.len() as f64;
    }
}

/// The symbol at a position of the full spectrum, from the stored half.
fn full_symbol(symbol: &[f64], shape: Shape, position: usize) -> Complex {
    let frequency = spectrum::unravel(position, shape.lens());
    let half = shape.half_spectrum();
    if *frequency.last().unwrap_or(&0) < half.last() {
        let p = spectrum::ravel(&frequency, half.lens());
        (symbol[2 * p], symbol[2 * p + 1])
    } else {
        let p = spectrum::ravel(&spectrum::mirror(&frequency, shape.lens()), half.lens());
        (symbol[2 * p], -symbol[2 * p + 1])
    }
}

/// `X[k] = sum_j x[j] exp(sign 2 pi i j k / n)` along one axis.
fn transform(field: &mut [Complex], lens: &[usize], axis: usize, sign: f64) {
    let n = lens[axis];
    let stride: usize = lens[axis + 1..].iter().product();
    // j k is reduced modulo n while it is an integer: the angle stays small and exact.
    let roots: Vec<Complex> = (0..n)
        .map(|j| {
            let (sin, cos) = (sign * TAU * j as f64 / n as f64).sin_cos();
            (cos, sin)
        })
        .collect();
    for block in field.chunks_exact_mut(n * stride) {
        for offset in 0..stride {
            let line: Vec<Complex> = (0..n).map(|j| block[offset + j * stride]).collect();
            for k in 0..n {
                let (mut re, mut im) = (0.0, 0.0);
                for (j, &value) in line.iter().enumerate() {
                    let term = product(value, roots[j * k % n]);
                    re += term.0;
                    im += term.1;
                }
                block[offset + k * stride] = (re, im);
            }
        }
    }
}

fn product(a: Complex, b: Complex) -> Complex {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}
