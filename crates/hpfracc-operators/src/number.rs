//! Numbers that may carry a derivative: forward-mode automatic differentiation of weights.

use hpfracc_special::{digamma, gamma, recip_gamma};
use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The number type of weights: `f64`, or [`Dual`], which carries the derivative with respect to the
/// order alpha.
///
/// Schemes are written once for both. With `f64` nothing is computed for derivatives; the values of
/// both types agree bit for bit wherever the same formula is used.
pub trait Number:
    Copy
    + Debug
    + PartialEq
    + Send
    + Sync
    + 'static
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
{
    /// Whether the type stores a derivative.
    const HAS_DERIVATIVE: bool;

    /// A value with its derivative, which `f64` drops.
    fn new(value: f64, derivative: f64) -> Self;

    /// The value.
    fn value(self) -> f64;

    /// The derivative; 0 for `f64`.
    fn derivative(self) -> f64;

    /// `value(x)` for a function of one variable, by the chain rule; `derivative(x, value(x))` is
    /// the function's derivative, which `f64` does not evaluate.
    ///
    /// Where the function's derivative is exactly zero, so is the result's, even if that of `x` is
    /// infinite.
    fn chain(
        self,
        value: impl FnOnce(f64) -> f64,
        derivative: impl FnOnce(f64, f64) -> f64,
    ) -> Self;

    /// `self^exponent`, for a positive base.
    fn powf(self, exponent: Self) -> Self;

    /// A function of `self`, from its value and its derivative with respect to `self`.
    #[inline]
    fn function(self, value: f64, derivative: f64) -> Self {
        Self::new(value, derivative * self.derivative())
    }

    /// A number that does not depend on the order.
    #[inline]
    fn constant(value: f64) -> Self {
        Self::new(value, 0.0)
    }

    /// 1/x.
    #[inline]
    fn recip(self) -> Self {
        self.chain(f64::recip, |_, recip| -(recip * recip))
    }

    /// e^x.
    #[inline]
    fn exp(self) -> Self {
        self.chain(f64::exp, |_, exp| exp)
    }

    /// e^x - 1, without cancellation.
    #[inline]
    fn exp_m1(self) -> Self {
        // The sum loses digits of e^x where it is small.
        self.chain(f64::exp_m1, |x, value| if value > -0.5 { value + 1.0 } else { x.exp() })
    }

    /// sin x.
    #[inline]
    fn sin(self) -> Self {
        self.chain(f64::sin, |x, _| x.cos())
    }

    /// cos x.
    #[inline]
    fn cos(self) -> Self {
        self.chain(f64::cos, |x, _| -x.sin())
    }

    /// The square root of a positive number.
    #[inline]
    fn sqrt(self) -> Self {
        self.chain(f64::sqrt, |_, sqrt| 0.5 / sqrt)
    }

    /// Gamma(x).
    fn gamma(self) -> Self {
        self.chain(gamma, |x, gamma| gamma * digamma(x))
    }

    /// 1/Gamma(x), also at the poles of Gamma.
    fn recip_gamma(self) -> Self {
        self.chain(recip_gamma, |x, recip| -digamma_over_gamma(x, recip))
    }
}

impl Number for f64 {
    const HAS_DERIVATIVE: bool = false;

    #[inline]
    fn new(value: f64, _derivative: f64) -> Self {
        value
    }

    #[inline]
    fn value(self) -> f64 {
        self
    }

    #[inline]
    fn derivative(self) -> f64 {
        0.0
    }

    #[inline]
    fn chain(self, value: impl FnOnce(f64) -> f64, _: impl FnOnce(f64, f64) -> f64) -> Self {
        value(self)
    }

    #[inline]
    fn powf(self, exponent: Self) -> Self {
        f64::powf(self, exponent)
    }
}

/// A value and its derivative with respect to one variable, usually the order alpha.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dual {
    /// The value.
    pub value: f64,
    /// The derivative.
    pub derivative: f64,
}

impl Dual {
    /// The variable itself: its derivative is 1.
    pub const fn variable(value: f64) -> Self {
        Self { value, derivative: 1.0 }
    }
}

impl Number for Dual {
    const HAS_DERIVATIVE: bool = true;

    #[inline]
    fn new(value: f64, derivative: f64) -> Self {
        Self { value, derivative }
    }

    #[inline]
    fn value(self) -> f64 {
        self.value
    }

    #[inline]
    fn derivative(self) -> f64 {
        self.derivative
    }

    #[inline]
    fn chain(
        self,
        value: impl FnOnce(f64) -> f64,
        derivative: impl FnOnce(f64, f64) -> f64,
    ) -> Self {
        let value = value(self.value);
        let factor = if self.derivative == 0.0 { 0.0 } else { derivative(self.value, value) };
        let change = if factor == 0.0 { 0.0 } else { factor * self.derivative };
        Self::new(value, change)
    }

    #[inline]
    fn powf(self, exponent: Self) -> Self {
        let value = self.value.powf(exponent.value);
        let mut change = exponent.derivative * self.value.ln();
        if self.derivative != 0.0 {
            change += exponent.value * self.derivative / self.value;
        }
        Self::new(value, value * change)
    }
}

impl Neg for Dual {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.value, -self.derivative)
    }
}

macro_rules! arithmetic {
    ($($trait:ident $function:ident $other:ty: |$a:ident, $b:ident| $result:expr;)*) => { $(
        impl $trait<$other> for Dual {
            type Output = Self;
            #[inline]
            fn $function(self, $b: $other) -> Self {
                let $a = self;
                $result
            }
        }
    )* };
}

arithmetic! {
    Add add Self: |a, b| Self::new(a.value + b.value, a.derivative + b.derivative);
    Sub sub Self: |a, b| Self::new(a.value - b.value, a.derivative - b.derivative);
    Mul mul Self: |a, b| {
        Self::new(a.value * b.value, a.value * b.derivative + a.derivative * b.value)
    };
    Div div Self: |a, b| {
        let value = a.value / b.value;
        Self::new(value, (a.derivative - value * b.derivative) / b.value)
    };
    Add add f64: |a, number| Self::new(a.value + number, a.derivative);
    Sub sub f64: |a, number| Self::new(a.value - number, a.derivative);
    Mul mul f64: |a, number| Self::new(a.value * number, a.derivative * number);
    Div div f64: |a, number| Self::new(a.value / number, a.derivative / number);
}

/// psi(x)/Gamma(x), the derivative of -1/Gamma, continued through the poles of psi; `recip` is
/// 1/Gamma(x).
fn digamma_over_gamma(x: f64, recip: f64) -> f64 {
    if x <= 0.0 && x.fract() == 0.0 {
        // 1/Gamma(-j + e) = (-1)^j j! e + ..: its derivative is (-1)^j j!.
        let j = -x;
        let sign = if j % 2.0 == 0.0 { 1.0 } else { -1.0 };
        -sign * gamma(j + 1.0)
    } else {
        digamma(x) * recip
    }
}

/// A sum that carries its rounding error along (Neumaier, Z. Angew. Math. Mech. 54 (1974) 39, DOI
/// 10.1002/zamm.19740540106): a million terms lose no digits. Value and derivative are compensated
/// each on its own.
#[derive(Clone, Copy, Default)]
pub(crate) struct CompensatedSum {
    value: Compensated,
    derivative: Compensated,
}

#[derive(Clone, Copy, Default)]
struct Compensated {
    sum: f64,
    error: f64,
}

impl CompensatedSum {
    pub(crate) fn starting_at<N: Number>(first: N) -> Self {
        let at = |sum| Compensated { sum, error: 0.0 };
        Self { value: at(first.value()), derivative: at(first.derivative()) }
    }

    #[inline]
    pub(crate) fn add<N: Number>(&mut self, term: N) {
        self.value.add(term.value());
        if N::HAS_DERIVATIVE {
            self.derivative.add(term.derivative());
        }
    }

    #[inline]
    pub(crate) fn total<N: Number>(&self) -> N {
        N::new(self.value.sum + self.value.error, self.derivative.sum + self.derivative.error)
    }
}

impl Compensated {
    #[inline]
    fn add(&mut self, term: f64) {
        let sum = self.sum + term;
        self.error += if self.sum.abs() >= term.abs() {
            (self.sum - sum) + term
        } else {
            (term - sum) + self.sum
        };
        self.sum = sum;
    }
}

#[cfg(test)]
mod tests {
    use super::{Dual, Number, digamma_over_gamma, recip_gamma};

    #[test]
    fn digamma_over_gamma_is_continuous_at_the_poles() {
        for j in [0.0, 1.0, 2.0, 3.0] {
            let [at, near] = [-j, -j + 1e-7].map(|x| digamma_over_gamma(x, recip_gamma(x)));
            assert!((at - near).abs() < 1e-5 * (1.0 + at.abs()), "{j}: {at} {near}");
        }
    }

    /// Every function against a difference, and its value against `f64`.
    #[test]
    fn derivatives_are_limits_of_differences() {
        fn all<N: Number>(x: N) -> [N; 14] {
            [
                -x + 3.0,
                x * x - 2.0,
                (x + 1.0) / (x * 2.0),
                x / 3.0,
                x.recip(),
                x.exp(),
                x.exp_m1(),
                x.sin(),
                x.cos(),
                x.sqrt(),
                x.gamma(),
                x.recip_gamma(),
                x.powf(x),
                N::constant(2.5).powf(-x),
            ]
        }
        for x in [0.3, 1.0, 2.7] {
            let step = 1e-5;
            let [below, here, above] = [x - step, x, x + step].map(all::<f64>);
            for (i, found) in all(Dual::variable(x)).into_iter().enumerate() {
                assert_eq!(found.value, here[i], "{i} at {x}");
                let expected = (above[i] - below[i]) / (2.0 * step);
                let error = (found.derivative - expected).abs();
                assert!(error < 1e-8 * (1.0 + expected.abs()), "{i} at {x}: {found:?} {expected}");
            }
        }
    }
}
