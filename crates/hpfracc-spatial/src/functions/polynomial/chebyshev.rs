use super::bounds::Bounds;
use crate::functions::Function;
use crate::functions::function::Target;
use crate::functions::plan::Plan;
use crate::krylov::reductions::update;
use crate::{NullSpace, Result, SpatialError, SpatialOperator};
use rustdct::DctPlanner;
use std::f64::consts::PI;

/// Highest degree.
const DEGREE: usize = 1 << 14;

/// Polynomial `sum_k c_k T_k(B)`, with B = scale A - shift, whose eigenvalues are in [-1, 1].
pub(crate) struct Chebyshev<'a> {
    operator: &'a dyn SpatialOperator,
    pub(crate) value: Coefficients,
    derivative: Option<Coefficients>,
    pub(crate) scale: f64,
    shift: f64,
    bounds: Bounds,
}

/// Chebyshev coefficients up to a degree, and the bound of the error relative to the largest value.
pub(crate) struct Coefficients {
    pub(crate) c: Vec<f64>,
    pub(crate) error: f64,
}

impl<'a> Chebyshev<'a> {
    pub(crate) fn new(
        operator: &'a dyn SpatialOperator,
        function: Function,
        tolerance: f64,
    ) -> Result<Self> {
        let mut bounds = Bounds::known(operator);
        if function.is_singular(Target::Value) {
            bounds = Bounds::estimated(operator)?;
        } else if function.exponent().is_none() && operator.spectrum().null_space != NullSpace::Zero
        {
            bounds.lowest = 0.0;
        }
        Self::on(operator, function, tolerance, bounds)
    }

    /// Polynomial on the interval of the bounds.
    pub(crate) fn on(
        operator: &'a dyn SpatialOperator,
        function: Function,
        tolerance: f64,
        bounds: Bounds,
    ) -> Result<Self> {
        let coefficients = |target| Self::coefficients(function, target, bounds, tolerance, DEGREE);
        let derivative = function.exponent().and_then(|_| {
            let singular = function.is_singular(Target::OrderDerivative) && bounds.lowest == 0.0;
            (!singular).then(|| coefficients(Target::OrderDerivative).ok())?
        });
        let value = coefficients(Target::Value)?;
        let width = bounds.highest - bounds.lowest;
        let (scale, shift) = (2.0 / width, (bounds.highest + bounds.lowest) / width);
        Ok(Self { operator, value, derivative, scale, shift, bounds })
    }

    /// Coefficients on the interval of the bounds for a tolerance relative to the largest value.
    ///
    /// The error is bounded by the sum of the absolute values of the coefficients left out; those
    /// beyond the samples are extrapolated from the last two octaves.
    pub(crate) fn coefficients(
        function: Function,
        target: Target,
        bounds: Bounds,
        tolerance: f64,
        most: usize,
    ) -> Result<Coefficients> {
        let what = "a Chebyshev polynomial of the highest degree allowed";
        let mut reached = f64::INFINITY;
        let mut samples = 32;
        while samples <= 4 * most && bounds.highest > bounds.lowest {
            let (c, largest) = Self::of_samples(function, target, bounds, samples)?;
            if !largest.is_finite() {
                break;
            }
            let octave = |from: usize| c[from..2 * from].iter().map(|c| c.abs()).sum::<f64>();
            let (before, last) = (octave(samples / 4), octave(samples / 2));
            let rounding = 8.0 * f64::EPSILON * largest * (samples as f64).sqrt();
            let ratio = last / before;
            let beyond = match ratio {
                _ if last <= rounding => 0.0,
                ratio if ratio < 1.0 => last * ratio / (1.0 - ratio),
                _ => f64::INFINITY,
            };
            let limit = (tolerance * largest).max(2.0 * rounding);
            let (mut tail, mut degree) = (beyond, samples - 1);
            while degree > 0 && tail + c[degree].abs() <= limit {
                tail += c[degree].abs();
                degree -= 1;
            }
            reached = (before + last) / largest;
            if degree <= (samples / 4).min(most) {
                return Ok(Coefficients { c: c[..=degree].to_vec(), error: tail / largest });
            }
            samples *= 2;
        }
        Err(SpatialError::Tolerance { what, tolerance, reached })
    }

    /// Coefficients from samples at the Chebyshev points, and the largest absolute value.
    fn of_samples(
        function: Function,
        target: Target,
        bounds: Bounds,
        samples: usize,
    ) -> Result<(Vec<f64>, f64)> {
        let width = bounds.highest - bounds.lowest;
        let half_angle = |j: usize| PI * (j as f64 + 0.5) / (2 * samples) as f64;
        let points: Vec<f64> =
            (0..samples).map(|j| bounds.lowest + width * half_angle(j).cos().powi(2)).collect();
        let mut c = function.values(target, &points)?;
        let largest = c.iter().fold(0.0, |largest: f64, f| largest.max(f.abs()));
        DctPlanner::new().plan_dct2(samples).process_dct2(&mut c);
        c.iter_mut().for_each(|c| *c *= 2.0 / samples as f64);
        c[0] /= 2.0;
        Ok((c, largest))
    }

    /// `y = 2 B x - z`, with y = z on entry.
    pub(crate) fn advance(&self, x: &[f64], scratch: &mut [f64], y: &mut [f64]) {
        self.operator.apply(x, scratch);
        let (scale, shift) = (2.0 * self.scale, 2.0 * self.shift);
        update(y, |i, y| *y = scale * scratch[i] - shift * x[i] - *y);
    }

    /// `y = 2 B' x - z` with the transposed matrix, with y = z on entry.
    pub(crate) fn advance_transpose(&self, x: &[f64], scratch: &mut [f64], y: &mut [f64]) {
        self.operator.apply_transpose(x, scratch);
        let (scale, shift) = (2.0 * self.scale, 2.0 * self.shift);
        update(y, |i, y| *y = scale * scratch[i] - shift * x[i] - *y);
    }

    /// `y = B x`.
    pub(crate) fn map(&self, x: &[f64], y: &mut [f64]) {
        self.operator.apply(x, y);
        update(y, |i, y| *y = self.scale * *y - self.shift * x[i]);
    }
}

impl Plan for Chebyshev<'_> {
    fn apply(&self, target: Target, x: &[f64], y: &mut [f64]) -> Result<()> {
        let c = match (target, &self.derivative) {
            (Target::Value, _) => &self.value.c,
            (_, Some(derivative)) => &derivative.c,
            (_, None) => {
                let (method, request) = ("a Chebyshev polynomial", "the order derivative");
                let reason = "it does not reach the tolerance; use `Way::Rational`";
                let request = request.to_owned();
                return Err(SpatialError::Unsupported { method, request, reason });
            }
        };
        update(y, |i, y| *y = c[0] * x[i]);
        if c.len() == 1 {
            return Ok(());
        }
        let (mut last, mut current) = (x.to_vec(), vec![0.0; x.len()]);
        let mut scratch = vec![0.0; x.len()];
        self.map(x, &mut current);
        for (k, c) in c.iter().enumerate().skip(1) {
            if k > 1 {
                self.advance(&current, &mut scratch, &mut last);
                std::mem::swap(&mut last, &mut current);
            }
            update(y, |i, y| *y += c * current[i]);
        }
        Ok(())
    }

    fn explain(&self) -> String {
        let Bounds { lowest, highest, estimated } = self.bounds;
        let mark = if estimated { " (estimated)" } else { "" };
        let degree = self.value.c.len() - 1;
        format!("Chebyshev polynomial of degree {degree} on [{lowest:.3e}{mark}, {highest:.3e}]")
    }

    fn error(&self) -> f64 {
        self.value.error
    }
}
