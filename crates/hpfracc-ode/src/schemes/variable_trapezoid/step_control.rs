use crate::error::require;
use crate::steps::{RoundingFloor, StepLimits};
use crate::{Node, OdeError, Problem, System};
use hpfracc_special::gamma;

/// Tolerances of [`Steps::Adaptive`](crate::Steps::Adaptive).
#[derive(Debug, Clone, Copy)]
pub(super) struct Tolerances {
    pub(super) rtol: f64,
    pub(super) atol: f64,
}

/// Step size control for the product trapezoidal rule, from an estimate of its error.
///
/// The scheme solves the equation with the piecewise linear interpolant of f in place of f. With
/// d(s) = |f - interpolant|, its error is at most `I^alpha d` where f_y has no growth. A step is
/// accepted if, over it and in each component,
///
/// ```text
/// d <= tolerance * min(max(c (s-t0)^-beta, lambda), Gamma(alpha+1)/h^alpha)
/// c = Gamma(1-beta+alpha)/Gamma(1-beta) (t1-t0)^(beta-alpha),    beta = min(alpha, 1/2)
/// tolerance = atol + rtol |y|
/// ```
///
/// The first bound alone makes `I^alpha d <= tolerance` at every time, the same at all times if
/// alpha <= 1/2; it grows towards t0, where solutions behave as powers. The second holds where the
/// equation is dissipative: an error of f decays as with `D^alpha e = -lambda e + d`, to at most
/// d/lambda (all orders up to 1, max norm: where |e| is largest, D^alpha e is not negative), lambda
/// being minus the logarithmic norm of the Jacobian, a large number for stiff equations. Together
/// they allow up to twice the tolerance. The third bounds the error of the dense output within the
/// step.
///
/// After a jump of y at t_e the solution is as singular as at t0: t_e takes the place of t0, and the
/// tolerance counts once more.
///
/// d is estimated by h^2/8 |f''|, with f'' the second divided difference over this step and the one
/// before; in the first step, where f may be any power, by |f_1 - f_0|.
#[derive(Debug)]
pub(super) struct StepControl {
    tolerances: Tolerances,
    limits: StepLimits,
    rounding: RoundingFloor,
    t0: f64,
    t1: f64,
    /// t0, or the time of the last jump.
    origin: f64,
    components: Vec<Component>,
    /// Length of the next attempt.
    h: f64,
    /// Error ratio of the last accepted step.
    last_ratio: f64,
    /// Whether the last attempt was rejected.
    rejected: bool,
}

#[derive(Debug)]
struct Component {
    alpha: f64,
    beta: f64,
    c: f64,
    gamma: f64,
}

/// A step before it is accepted or rejected.
pub(super) struct StepAttempt<'a> {
    pub(super) last: &'a Node,
    pub(super) next: &'a Node,
    /// Time and f of the node before `last`; None in the first step.
    pub(super) before: Option<(f64, &'a [f64])>,
    /// lambda of the error bound, or 0.
    pub(super) dissipativity: f64,
}

/// Error ratio that the controller aims at.
const SAFETY: f64 = 0.8;
/// Order of the estimate in the step size.
const ORDER: f64 = 2.0;
/// Exponents of the PI controller.
const INTEGRAL: f64 = 0.35;
const PROPORTIONAL: f64 = 0.2;
/// A tolerance below this multiple of rounding is not the fault of a long step.
const ROUNDING: f64 = 100.0;
/// Largest factor between consecutive step sizes.
const GROWTH: f64 = 4.0;

impl StepControl {
    pub(super) fn new(
        problem: &Problem<dyn System + '_>,
        Tolerances { rtol, atol }: Tolerances,
        limits: StepLimits,
    ) -> Result<Self, OdeError> {
        let (t0, t1) = problem.interval();
        let span = t1 - t0;
        let positive = rtol > 0.0 || atol > 0.0;
        require((0.0..1.0).contains(&rtol), "rtol", rtol, "0 to below 1")?;
        let expected = "finite and not negative, above 0 if rtol is 0";
        let inside = atol >= 0.0 && atol.is_finite() && positive;
        require(inside, "atol", atol, expected)?;
        let component = |i| {
            let alpha = problem.order(i);
            let beta = alpha.min(0.5);
            let c = gamma(1.0 - beta + alpha) / gamma(1.0 - beta) * span.powf(beta - alpha);
            Component { alpha, beta, c, gamma: gamma(alpha + 1.0) }
        };
        Ok(Self {
            tolerances: Tolerances { rtol, atol },
            limits,
            rounding: RoundingFloor::new(problem.dim()),
            t0,
            t1,
            origin: t0,
            components: (0..problem.dim()).map(component).collect(),
            h: 0.0,
            last_ratio: 1.0,
            rejected: false,
        })
    }

    /// Sets the first step size, from t0 or a jump on: y changes by at most a hundredth of its size, and the step is at
    /// most a hundredth of the interval.
    pub(super) fn start(&mut self, first: &Node) {
        self.rounding.take(&first.y);
        self.origin = first.t;
        self.h = 0.01 * (self.t1 - self.t0);
        for (component, (y, f)) in self.components.iter().zip(first.y.iter().zip(&first.f)) {
            let size = y.abs().max(self.tolerances.atol);
            if *f != 0.0 && size > 0.0 {
                let h = (0.01 * size * component.gamma / f.abs()).powf(1.0 / component.alpha);
                self.h = self.h.min(h);
            }
        }
    }

    /// Shortest step from t on: min_step, and at least the rounding of t.
    fn floor(&self, t: f64) -> f64 {
        self.limits.min_step.max(4.0 * f64::EPSILON * t.abs())
    }

    /// Makes no step shorter than this.
    pub(super) fn keep_above(&mut self, shortest: f64) {
        self.limits.min_step = self.limits.min_step.max(shortest);
    }

    /// End of the next attempt from t on.
    pub(super) fn target(&mut self, t: f64) -> f64 {
        let (left, floor) = (self.t1 - t, self.floor(t));
        self.h = self.h.min(self.limits.max_step).min(self.limits.resolution).max(floor);
        if left <= self.h + floor {
            self.h = left;
            return self.t1;
        }
        // Two equal steps instead of a long and a short one.
        self.h = self.h.min(0.5 * left);
        t + self.h
    }

    /// Accepts or rejects a step, and sets the length of the next attempt.
    ///
    /// # Errors
    /// [`OdeError::StepTooSmall`], [`OdeError::ToleranceBelowRounding`].
    pub(super) fn accepts(&mut self, attempt: &StepAttempt<'_>) -> Result<bool, OdeError> {
        let ratio = self.error_ratio(attempt);
        // The rounding of y is that of d times the Jacobian. It is seen by rejected steps; or steps
        // become shorter and shorter.
        let factor = if ratio <= 1.0 { 1.0 } else { ROUNDING };
        self.rounding.check(attempt.last.t, factor, |i| self.tolerance(i, attempt))?;
        let first = attempt.before.is_none();
        if ratio <= 1.0 {
            let ratio = ratio.max(1e-6);
            let factor = if first {
                (SAFETY / ratio).powf(self.first_exponent())
            } else {
                SAFETY.powf(1.0 / ORDER)
                    * ratio.powf(-INTEGRAL)
                    * self.last_ratio.powf(PROPORTIONAL)
            };
            let most = if self.rejected { 1.0 } else { GROWTH };
            self.h *= factor.clamp(0.2, most);
            (self.last_ratio, self.rejected) = (ratio, false);
            self.rounding.take(&attempt.next.y);
            return Ok(true);
        }
        let factor = if !ratio.is_finite() {
            0.1
        } else if first {
            (SAFETY / ratio).powf(self.first_exponent()).clamp(1e-3, 0.5)
        } else {
            (SAFETY / ratio).powf(1.0 / ORDER).clamp(0.1, 0.9)
        };
        let t = attempt.last.t;
        self.shrink(t, factor).map(|()| false).ok_or(OdeError::StepTooSmall { t })
    }

    /// Shortens the step from t on; None if it already has the shortest length.
    pub(super) fn shrink(&mut self, t: f64, factor: f64) -> Option<()> {
        let (left, floor) = (self.t1 - t, self.floor(t));
        // A rest without room for two steps is one step, whose length cannot change.
        if self.h.min(0.5 * left) <= floor * (1.0 + 1e-9) {
            return None;
        }
        self.h = (self.h * factor).max(floor).min(0.5 * left);
        self.rejected = true;
        Some(())
    }

    /// In the first step the bound on d behaves as h^-beta, and |f_1 - f_0| as h^alpha.
    fn first_exponent(&self) -> f64 {
        self.components.iter().map(|c| 1.0 / (c.alpha.min(1.0) + c.beta)).fold(0.0, f64::max)
    }

    /// `atol + rtol |y|` of a component, over the step.
    fn tolerance(&self, i: usize, StepAttempt { last, next, .. }: &StepAttempt<'_>) -> f64 {
        self.tolerances.atol + self.tolerances.rtol * last.y[i].abs().max(next.y[i].abs())
    }

    /// Largest ratio of the estimate of d to its bound over all components.
    fn error_ratio(&self, attempt: &StepAttempt<'_>) -> f64 {
        let StepAttempt { last, next, before, dissipativity } = *attempt;
        let (h, elapsed) = (next.t - last.t, next.t - self.origin);
        let dissipative = self.components.iter().all(|component| component.alpha <= 1.0);
        let mut most = 0.0;
        for (i, Component { alpha, beta, c, gamma }) in self.components.iter().enumerate() {
            let change = next.f[i] - last.f[i];
            let defect = match before {
                None => change.abs(),
                Some((t, f)) => {
                    let h_before = last.t - t;
                    let bend = change - (last.f[i] - f[i]) * (h / h_before);
                    0.25 * (bend * (h / (h + h_before))).abs()
                }
            };
            if defect == 0.0 {
                continue;
            }
            let tolerance = self.tolerance(i, attempt);
            let growth =
                (c * elapsed.powf(-beta)).max(if dissipative { dissipativity } else { 0.0 });
            let ratio = defect / (tolerance * growth.min(gamma * h.powf(-alpha)));
            // f64::max would drop a NaN.
            most = if ratio <= most { most } else { ratio };
        }
        most
    }
}
