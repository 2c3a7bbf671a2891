use super::{Node, Problem, System};
use crate::OdeError;
use hpfracc_special::gamma;

/// Lengths of steps for the product trapezoidal rule, from an estimate of its error.
///
/// The scheme solves the equation with the piecewise linear interpolant of f in place of f. With
/// d(s) = |f - interpolant|, its error is at most `I^alpha d` where f_y has no growth. A step is
/// accepted if, over it and in each component,
///
/// ```text
/// d <= tolerance * min(max(c (s-t0)^-beta, lambda), Gamma(alpha+1)/h^alpha)
/// c = Gamma(1-beta+alpha)/Gamma(1-beta) (t1-t0)^(beta-alpha),    beta = min(alpha, 1/2)
/// ```
///
/// The first bound alone makes `I^alpha d <= tolerance` at every time, the same at all times if
/// alpha <= 1/2; it grows towards t0, where solutions behave as powers. The second counts where
/// the equation forgets: an error of f decays as with `D^alpha e = -lambda e + d`, to at most d/lambda
/// (all orders up to 1, max norm: where |e| is largest, D^alpha e is not negative), lambda being minus the logarithmic norm of the Jacobian, for stiff equations a
/// large number. Together they make up to twice the tolerance. The third keeps the solution
/// between the nodes right, whatever is forgotten.
///
/// d is estimated by h^2/8 |f''|, with f'' the second divided difference over this step and the one
/// before; in the first step, where a power may be anything, by |f_1 - f_0|.
#[derive(Debug)]
pub(super) struct StepControl {
    relative: f64,
    absolute: f64,
    shortest: f64,
    t0: f64,
    t1: f64,
    components: Vec<Component>,
    /// The length to try next.
    h: f64,
    /// Of the last accepted step: the estimate over what is allowed.
    before: f64,
    rejected: bool,
}

#[derive(Debug)]
struct Component {
    alpha: f64,
    beta: f64,
    c: f64,
    gamma: f64,
}

/// A step that was tried.
pub(super) struct Tried<'a> {
    pub(super) last: &'a Node,
    pub(super) next: &'a Node,
    /// The time before the last, and f there, if there was one.
    pub(super) before: Option<(f64, &'a [f64])>,
    /// lambda, or 0.
    pub(super) dissipativity: f64,
}

/// Aimed at, of what is allowed.
const SAFETY: f64 = 0.8;
/// The estimate is of this order in the length of the step.
const ORDER: f64 = 2.0;
/// Exponents of a proportional and integral controller.
const INTEGRAL: f64 = 0.35;
const PROPORTIONAL: f64 = 0.2;
const GROWTH: f64 = 4.0;

impl StepControl {
    pub(super) fn new(
        problem: &Problem<dyn System + '_>,
        (relative, absolute, shortest): (f64, f64, f64),
    ) -> Result<Self, OdeError> {
        let (t0, t1) = (problem.t0(), problem.t1());
        let span = t1 - t0;
        let positive = relative > 0.0 || absolute > 0.0;
        let demands = [
            ("the relative tolerance", relative, (0.0..1.0).contains(&relative), "0 to below 1"),
            (
                "the absolute tolerance",
                absolute,
                absolute >= 0.0 && absolute.is_finite() && positive,
                "finite and not negative, above 0 if the relative one is 0",
            ),
            (
                "the shortest step",
                shortest,
                shortest > 0.0 && shortest <= span,
                "positive and no longer than the interval",
            ),
        ];
        if let Some((what, value, _, expected)) = demands.into_iter().find(|demand| !demand.2) {
            return Err(OdeError::OutOfRange { what, value, expected });
        }
        let component = |i| {
            let alpha = problem.order(i);
            let beta = alpha.min(0.5);
            let c = gamma(1.0 - beta + alpha) / gamma(1.0 - beta) * span.powf(beta - alpha);
            Component { alpha, beta, c, gamma: gamma(alpha + 1.0) }
        };
        Ok(Self {
            relative,
            absolute,
            shortest,
            t0,
            t1,
            components: (0..problem.dim()).map(component).collect(),
            h: 0.0,
            before: 1.0,
            rejected: false,
        })
    }

    /// The first length: as far as y stays within a hundredth of its size, and within a hundredth of
    /// the interval.
    pub(super) fn start(&mut self, first: &Node) {
        self.h = 0.01 * (self.t1 - self.t0);
        for (component, (y, f)) in self.components.iter().zip(first.y.iter().zip(&first.f)) {
            let size = y.abs().max(self.absolute);
            if *f != 0.0 && size > 0.0 {
                let h = (0.01 * size * component.gamma / f.abs()).powf(1.0 / component.alpha);
                self.h = self.h.min(h);
            }
        }
    }

    /// The shortest step from t on that is allowed and that the time can resolve.
    fn floor(&self, t: f64) -> f64 {
        self.shortest.max(4.0 * f64::EPSILON * t.abs())
    }

    /// The end of the step to try from t on.
    pub(super) fn target(&mut self, t: f64) -> f64 {
        let (left, floor) = (self.t1 - t, self.floor(t));
        self.h = self.h.max(floor);
        if left <= self.h + floor {
            self.h = left;
            return self.t1;
        }
        // Two equal steps rather than a long and a short one.
        self.h = self.h.min(0.5 * left);
        t + self.h
    }

    /// Whether a step will do. Sets the length of the next, or of the same.
    ///
    /// # Errors
    /// [`OdeError::StepTooSmall`].
    pub(super) fn accepts(&mut self, tried: &Tried<'_>) -> Result<bool, OdeError> {
        let excess = self.excess(tried);
        let first = tried.before.is_none();
        if excess <= 1.0 {
            let excess = excess.max(1e-6);
            let factor = if first {
                (SAFETY / excess).powf(self.first_exponent())
            } else {
                SAFETY.powf(1.0 / ORDER) * excess.powf(-INTEGRAL) * self.before.powf(PROPORTIONAL)
            };
            let most = if self.rejected { 1.0 } else { GROWTH };
            self.h *= factor.clamp(0.2, most);
            (self.before, self.rejected) = (excess, false);
            return Ok(true);
        }
        let factor = if !excess.is_finite() {
            0.1
        } else if first {
            (SAFETY / excess).powf(self.first_exponent()).clamp(1e-3, 0.5)
        } else {
            (SAFETY / excess).powf(1.0 / ORDER).clamp(0.1, 0.9)
        };
        let t = tried.last.t;
        self.shrink(t, factor).map(|()| false).ok_or(OdeError::StepTooSmall { t })
    }

    /// A shorter length for a step from t on; None if there is none.
    pub(super) fn shrink(&mut self, t: f64, factor: f64) -> Option<()> {
        let (left, floor) = (self.t1 - t, self.floor(t));
        // What is left and has no room for two steps is one, whose length cannot change.
        if self.h.min(0.5 * left) <= floor * (1.0 + 1e-9) {
            return None;
        }
        self.h = (self.h * factor).max(floor).min(0.5 * left);
        self.rejected = true;
        Some(())
    }

    /// What is allowed in the first step goes as h^-beta, and |f_1 - f_0| as h^alpha.
    fn first_exponent(&self) -> f64 {
        self.components.iter().map(|c| 1.0 / (c.alpha.min(1.0) + c.beta)).fold(0.0, f64::max)
    }

    /// The largest estimate over what is allowed.
    fn excess(&self, tried: &Tried<'_>) -> f64 {
        let Tried { last, next, before, dissipativity } = *tried;
        let (h, elapsed) = (next.t - last.t, next.t - self.t0);
        let forgets = self.components.iter().all(|component| component.alpha <= 1.0);
        let mut most = 0.0;
        for (i, Component { alpha, beta, c, gamma }) in self.components.iter().enumerate() {
            let change = next.f[i] - last.f[i];
            let defect = match before {
                None => change.abs(),
                Some((t, f)) => {
                    let h_before = last.t - t;
                    let bend = change / h - (last.f[i] - f[i]) / h_before;
                    0.25 * h * h * (bend / (h + h_before)).abs()
                }
            };
            if defect == 0.0 {
                continue;
            }
            let tolerance = self.absolute + self.relative * last.y[i].abs().max(next.y[i].abs());
            let lasting = (c * elapsed.powf(-beta)).max(if forgets { dissipativity } else { 0.0 });
            let excess = defect / (tolerance * lasting.min(gamma * h.powf(-alpha)));
            // Not f64::max, which would drop a NaN.
            most = if excess <= most { most } else { excess };
        }
        most
    }
}
