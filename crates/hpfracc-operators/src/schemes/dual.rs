//! A number that depends on the order, with its derivative: weights and gradients from one formula.

use crate::{StartCorrection, Toeplitz};
use hpfracc_special::{digamma, recip_gamma};
use std::ops::{Add, Mul, Sub};

/// A value and its derivative in the order alpha.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Dual {
    pub(crate) value: f64,
    pub(crate) slope: f64,
}

impl Dual {
    pub(crate) const ZERO: Self = Self::constant(0.0);

    pub(crate) const fn new(value: f64, slope: f64) -> Self {
        Self { value, slope }
    }

    pub(crate) const fn constant(value: f64) -> Self {
        Self::new(value, 0.0)
    }

    /// The order itself.
    pub(crate) const fn order(alpha: f64) -> Self {
        Self::new(alpha, 1.0)
    }

    pub(crate) fn recip(self) -> Self {
        let value = self.value.recip();
        Self::new(value, -self.slope * value * value)
    }

    /// For a positive base.
    pub(crate) fn powf(self, exponent: Self) -> Self {
        let value = self.value.powf(exponent.value);
        let change = exponent.slope * self.value.ln() + exponent.value * self.slope / self.value;
        Self::new(value, value * change)
    }

    /// 1/Gamma, away from its zeros.
    pub(crate) fn recip_gamma(self) -> Self {
        let value = recip_gamma(self.value);
        Self::new(value, -value * digamma(self.value) * self.slope)
    }
}

impl Add for Dual {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.value + other.value, self.slope + other.slope)
    }
}

impl Sub for Dual {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.value - other.value, self.slope - other.slope)
    }
}

impl Mul for Dual {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self::new(self.value * other.value, self.value * other.slope + self.slope * other.value)
    }
}

impl Add<f64> for Dual {
    type Output = Self;
    fn add(self, number: f64) -> Self {
        Self::new(self.value + number, self.slope)
    }
}

impl Sub<f64> for Dual {
    type Output = Self;
    fn sub(self, number: f64) -> Self {
        self + -number
    }
}

impl Mul<f64> for Dual {
    type Output = Self;
    fn mul(self, number: f64) -> Self {
        Self::new(self.value * number, self.slope * number)
    }
}

/// A column with its derivative in the order, and its stencil.
pub(crate) type Start = (Vec<Dual>, Vec<f64>);

/// A [`Toeplitz`] matrix with its derivative in the order.
pub(crate) struct DualToeplitz {
    pub(crate) differences: usize,
    pub(crate) causal: Vec<Dual>,
    pub(crate) starts: Vec<Start>,
}

impl DualToeplitz {
    /// `factor` times the same.
    pub(crate) fn scaled(mut self, factor: Dual) -> Self {
        let columns = self.starts.iter_mut().flat_map(|(column, _)| column);
        columns.chain(&mut self.causal).for_each(|w| *w = *w * factor);
        self
    }

    pub(crate) fn values(&self) -> Toeplitz {
        self.part(|w| w.value)
    }

    pub(crate) fn slopes(&self) -> Toeplitz {
        self.part(|w| w.slope)
    }

    fn part(&self, number: impl Fn(&Dual) -> f64) -> Toeplitz {
        let numbers = |v: &[Dual]| v.iter().map(&number).collect::<Vec<f64>>();
        let causal = Toeplitz::of_differences(self.differences, numbers(&self.causal));
        let start = |(column, stencil): &Start| StartCorrection {
            column: numbers(column),
            stencil: stencil.clone(),
        };
        Toeplitz { starts: self.starts.iter().map(start).collect(), ..causal }
    }
}
