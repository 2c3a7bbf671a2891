//! Values by which the error of a contour is measured.

use super::hyperbola::Hyperbola;
use super::shape::{Shape, narrow};
use crate::Result;
use crate::functions::function::{Function, Target};
use crate::functions::time_derivative::{LinearDatum, TimeDerivative};
use num_complex::Complex64;

/// Most nodes of a reference.
const MOST: usize = 8192;

/// All data, in the order of their numbers.
const DATA: [LinearDatum; 3] = [LinearDatum::Start, LinearDatum::Velocity, LinearDatum::Source];

/// Solutions of `P(D) u + lambda u = s` for unit data, at eigenvalues and times.
pub(super) struct Samples {
    eigenvalues: Vec<f64>,
    values: Vec<Sample>,
    /// Predicted error of the values.
    error: f64,
}

/// Solutions for one datum at a time.
struct Sample {
    datum: LinearDatum,
    t: f64,
    /// Natural size, by which errors are divided.
    size: f64,
    values: Vec<f64>,
}

impl Samples {
    /// For a single order those of the start, by the Mittag-Leffler function. Else of all data, by
    /// another hyperbola for each time, to the right of all singularities, with nodes for a
    /// hundredth of the tolerance.
    pub(super) fn new(
        derivative: &TimeDerivative,
        [t0, t1]: [f64; 2],
        highest: f64,
        tolerance: f64,
    ) -> Result<Self> {
        // Poles that pass near the contour need a finer grid.
        let count = if derivative.highest_order() > 1.0 { 240 } else { 60 };
        let scale = derivative.symbol(Complex64::from(1.0 / t1)).re;
        let width = (highest / scale).ln_1p() / f64::from(count);
        let eigenvalues: Vec<f64> =
            (0..=count).map(|k| (f64::from(k) * width).exp_m1() * scale).collect();
        let times = if t0 == t1 { 1 } else { 9 };
        let times = (0..times).map(|k| t0 * (t1 / t0).powf(f64::from(k) / 8.0));
        if let Some(alpha) = derivative.single_order() {
            let at = |t: f64| -> Result<Sample> {
                let function = Function::MittagLeffler { alpha, t }.checked()?;
                let values = function.values(Target::Value, &eigenvalues)?;
                Ok(Sample { datum: LinearDatum::Start, t, size: 1.0, values })
            };
            let values = times.map(at).collect::<Result<_>>()?;
            return Ok(Self { eigenvalues, values, error: 0.0 });
        }
        let (shape, nodes) = reference(derivative.highest_order(), tolerance);
        let moving = derivative.highest_order() > 1.0;
        let present = |datum: &LinearDatum| moving || *datum != LinearDatum::Velocity;
        let mut values = Vec::new();
        for t in times {
            let hyperbola = Hyperbola::new(&shape, nodes, t);
            for datum in DATA.into_iter().filter(present) {
                let s = Complex64::from(1.0 / t);
                let size = derivative.factor(datum, s).re / (t * derivative.symbol(s).re);
                let values_at = inverse(derivative, datum, &hyperbola, t, &eigenvalues);
                values.push(Sample { datum, t, size, values: values_at });
            }
        }
        Ok(Self { eigenvalues, values, error: shape.error })
    }

    /// Largest error of a hyperbola, with that of the samples; a lower bound if it exceeds the
    /// limit.
    pub(super) fn largest_error(
        &self,
        derivative: &TimeDerivative,
        hyperbola: &Hyperbola,
        limit: f64,
    ) -> f64 {
        let symbols = hyperbola.values(|z| derivative.symbol(z));
        let factors = DATA.map(|datum| hyperbola.values(|z| derivative.factor(datum, z)));
        let weights =
            |sample: &Sample| hyperbola.weights(sample.t, &factors[sample.datum as usize]);
        let weights: Vec<Vec<Complex64>> = self.values.iter().map(weights).collect();
        let mut largest: f64 = 0.0;
        for (i, l) in self.eigenvalues.iter().enumerate() {
            let solves: Vec<Complex64> = symbols.iter().map(|p| (p + l).inv()).collect();
            for (sample, weights) in self.values.iter().zip(&weights) {
                let terms = weights.iter().zip(&solves).map(|(w, x)| w.re * x.im + w.im * x.re);
                let error = (terms.sum::<f64>() - sample.values[i]).abs() / sample.size;
                largest = largest.max(if error.is_nan() { f64::INFINITY } else { error });
            }
            if largest > limit {
                break;
            }
        }
        largest + self.error
    }
}

/// Solutions at a time for each eigenvalue.
fn inverse(
    derivative: &TimeDerivative,
    datum: LinearDatum,
    hyperbola: &Hyperbola,
    t: f64,
    eigenvalues: &[f64],
) -> Vec<f64> {
    let weights = hyperbola.weights(t, &hyperbola.values(|z| derivative.factor(datum, z)));
    let symbols = hyperbola.values(|z| derivative.symbol(z));
    let solution = |l: &f64| -> f64 {
        weights.iter().zip(&symbols).map(|(weight, p)| (weight / (p + l)).im).sum()
    };
    eigenvalues.iter().map(solution).collect()
}

/// Hyperbola for one time to the right of all singularities, and its number of nodes.
fn reference(alpha: f64, tolerance: f64) -> (Shape, usize) {
    let mut count = 12;
    loop {
        let shape = Shape::best(narrow(alpha), 1.0, count);
        if shape.error <= 0.01 * tolerance || 2 * count > MOST {
            return (shape, count);
        }
        // Beyond the smallest error nodes add rounding only.
        let finer = Shape::best(narrow(alpha), 1.0, 2 * count);
        if finer.error >= shape.error || finer.error.is_nan() {
            return (shape, count);
        }
        count *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_special::mittag_leffler;

    /// Hyperbolas of the reference against Mittag-Leffler functions.
    #[test]
    fn references_have_the_error_they_predict() {
        for (alpha, tolerance) in [(0.3, 1e-11), (1.0, 1e-11), (1.3, 1e-10), (1.8, 1e-8)] {
            let derivative = TimeDerivative::of_order(alpha).unwrap();
            let (shape, count) = reference(alpha, tolerance);
            assert!(shape.error <= tolerance, "{alpha} {count}: {:e}", shape.error);
            let eigenvalues: Vec<f64> = (0..200).map(|k| (0.1 * f64::from(k)).exp_m1()).collect();
            let hyperbola = Hyperbola::new(&shape, count, 0.6);
            let found = inverse(&derivative, LinearDatum::Start, &hyperbola, 0.6, &eigenvalues);
            for (l, found) in eigenvalues.iter().zip(&found) {
                let exact = mittag_leffler(alpha, 1.0, -l * 0.6_f64.powf(alpha)).unwrap();
                let error = (found - exact).abs();
                assert!(error <= tolerance, "{alpha} {l} {count}: {error:e}, {:e}", shape.error);
            }
        }
    }
}
