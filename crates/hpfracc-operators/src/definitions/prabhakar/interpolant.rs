//! A smooth function of ln t in pieces of Chebyshev polynomials, for functions that cost
//! microseconds.

use crate::{OperatorError, Result};
use std::f64::consts::PI;

/// Points of a piece.
const POINTS: usize = 20;

/// Coefficients that have to be negligible for a piece to serve.
const LAST: usize = 3;

pub(super) struct Interpolant {
    pieces: Vec<Piece>,
}

/// On from <= ln t <= to.
struct Piece {
    from: f64,
    to: f64,
    coefficients: [f64; POINTS],
}

impl Interpolant {
    /// Of a function of t on 1 <= t <= `last`, within `tolerance` times the larger of 1 and its
    /// largest value on the piece.
    ///
    /// A piece is halved until its last coefficients are below that, or until it is shorter than a
    /// step, where nothing is gained any more.
    ///
    /// # Errors
    /// Those of the function; [`OperatorError::Overflow`] if a value is no number.
    pub(super) fn new(
        last: f64,
        tolerance: f64,
        function: impl Fn(f64) -> Result<f64>,
    ) -> Result<Self> {
        let end = last.ln().max(f64::EPSILON);
        let parts = (end / std::f64::consts::LN_2).ceil();
        let mut open: Vec<(f64, f64)> = (0..parts as usize)
            .rev()
            .map(|i| (end * i as f64 / parts, end * (i + 1) as f64 / parts))
            .collect();
        let mut pieces = Vec::new();
        while let Some((from, to)) = open.pop() {
            let piece = Piece::new(from, to, &function)?;
            if piece.resolved(tolerance) || to.exp() - from.exp() < 1.0 {
                pieces.push(piece);
            } else {
                let middle = 0.5 * (from + to);
                open.extend([(middle, to), (from, middle)]);
            }
        }
        Ok(Self { pieces })
    }

    pub(super) fn eval(&self, t: f64) -> f64 {
        let at = t.ln();
        let piece = self.pieces.partition_point(|piece| piece.to < at);
        self.pieces[piece.min(self.pieces.len() - 1)].eval(at)
    }
}

impl Piece {
    fn new(from: f64, to: f64, function: impl Fn(f64) -> Result<f64>) -> Result<Self> {
        let angle = |i: usize| PI * (i as f64 + 0.5) / POINTS as f64;
        let mut values = [0.0; POINTS];
        for (i, value) in values.iter_mut().enumerate() {
            *value = function((0.5 * ((to + from) + (to - from) * angle(i).cos())).exp())?;
            if !value.is_finite() {
                return Err(OperatorError::Overflow { weight: *value, scalar: "f64" });
            }
        }
        let coefficient = |k: usize| {
            let terms = values.iter().enumerate().map(|(i, v)| v * (k as f64 * angle(i)).cos());
            terms.sum::<f64>() * if k == 0 { 1.0 } else { 2.0 } / POINTS as f64
        };
        Ok(Self { from, to, coefficients: std::array::from_fn(coefficient) })
    }

    fn resolved(&self, tolerance: f64) -> bool {
        let largest = self.coefficients.iter().fold(1.0, |m: f64, c| m.max(c.abs()));
        self.coefficients[POINTS - LAST..].iter().all(|c| c.abs() <= tolerance * largest)
    }

    /// Clenshaw's recurrence.
    fn eval(&self, at: f64) -> f64 {
        let x = ((at - self.from) - (self.to - at)) / (self.to - self.from);
        let (mut b, mut before) = (0.0, 0.0);
        for c in self.coefficients[1..].iter().rev() {
            (b, before) = (2.0 * x * b - before + c, b);
        }
        x * b - before + self.coefficients[0]
    }
}

#[cfg(test)]
mod tests {
    use super::Interpolant;

    /// A slow power, a growing exponential and an oscillation, between the nodes.
    #[test]
    fn is_the_function_between_the_nodes() {
        let functions: [fn(f64) -> f64; 3] =
            [|t| t.powf(-0.3), |t| (0.05 * t).exp(), |t| (0.3 * t).cos()];
        for (i, function) in functions.into_iter().enumerate() {
            let interpolant = Interpolant::new(2000.0, 1e-14, |t| Ok(function(t))).unwrap();
            for j in 0..=20_000 {
                let t = (2000f64.ln() * f64::from(j) / 20_000.0).exp().min(2000.0);
                let error = (interpolant.eval(t) - function(t)).abs() / function(t).abs().max(1.0);
                // The rounding of ln t, magnified by the slope in it, up to 600.
                assert!(error < 1e-12, "{i} {t}: {error:e}");
            }
        }
    }
}
