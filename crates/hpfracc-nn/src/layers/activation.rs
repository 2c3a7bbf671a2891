use crate::Scalar;
use crate::kernels::vectorised;
use serde::{Deserialize, Serialize};

/// Activation function, applied elementwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Activation {
    /// x
    #[default]
    Identity,
    /// max(x, 0), with slope 0 at 0.
    Relu,
    /// tanh x
    Tanh,
    /// 1/(1 + exp(-x))
    Sigmoid,
    /// ln(1 + exp(x))
    Softplus,
    /// x/(1 + exp(-x)), also called swish.
    Silu,
    /// x Phi(x) with the normal distribution function Phi, within 1.8e-7 |x| in `f32`.
    ///
    /// Source: Hendrycks and Gimpel, arXiv:1606.08415 (2016).
    Gelu,
    /// GELU with a relatively accurate left tail: in `f32` some twice the time of
    /// [`Gelu`](Self::Gelu), in `f64` the same function.
    GeluAccurateTail,
    /// The approximation `x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))` of x Phi(x).
    GeluTanh,
}

impl Activation {
    /// Whether the slope can be had from the value alone; else it has to be saved.
    pub fn slope_from_value(self) -> bool {
        matches!(self, Self::Identity | Self::Relu | Self::Tanh | Self::Sigmoid | Self::Softplus)
    }

    /// Rows of slopes that are saved for `rows` rows of values.
    pub(crate) fn slopes(self, rows: usize) -> usize {
        if self.slope_from_value() { 0 } else { rows }
    }

    /// Applies the function to all numbers, in place and on the calling thread. NaN propagates.
    ///
    /// ```
    /// use hpfracc_nn::Activation;
    ///
    /// let mut x = [-1.0, 0.0, 2.0];
    /// Activation::Relu.apply(&mut x);
    /// assert_eq!(x, [0.0, 0.0, 2.0]);
    /// ```
    pub fn apply<T: Scalar>(self, x: &mut [T]) {
        match self {
            Self::Identity => {}
            Self::Relu => map(x, relu),
            Self::Tanh => map(x, T::tanh),
            Self::Sigmoid => map(x, T::logistic),
            Self::Softplus => map(x, T::softplus),
            Self::Silu => map(x, |x| silu(x).0),
            Self::Gelu => map(x, |x| gelu(x).0),
            Self::GeluAccurateTail => map(x, |x| gelu_accurate_tail(x).0),
            Self::GeluTanh => map(x, |x| gelu_tanh(x).0),
        }
    }

    /// Applies the function to all numbers, and writes its slopes unless they follow from the
    /// values ([`slope_from_value`](Self::slope_from_value)).
    pub(crate) fn apply_with_slopes<T: Scalar>(self, x: &mut [T], slope: &mut [T]) {
        match self {
            Self::Silu => map_two(x, slope, silu),
            Self::Gelu => map_two(x, slope, gelu),
            Self::GeluAccurateTail => map_two(x, slope, gelu_accurate_tail),
            Self::GeluTanh => map_two(x, slope, gelu_tanh),
            _ => self.apply(x),
        }
    }

    /// Multiplies cotangents by the slopes, given values and what was saved.
    pub(crate) fn pull_back<T: Scalar>(self, y: &[T], slope: &[T], ybar: &mut [T]) {
        let one = T::one();
        match self {
            Self::Identity => {}
            Self::Relu => {
                scale(ybar, y, |y| if y > T::zero() { T::one() } else { T::zero() });
            }
            Self::Tanh => scale(ybar, y, move |y| one - y * y),
            Self::Sigmoid => scale(ybar, y, move |y| y * (one - y)),
            // 1/(1 + exp(-x)) with y = ln(1 + exp(x))
            Self::Softplus => scale(ybar, y, |y| -T::exp_m1(-y)),
            Self::Silu | Self::Gelu | Self::GeluAccurateTail | Self::GeluTanh => {
                scale(ybar, slope, |slope| slope);
            }
        }
    }
}

#[inline(always)]
fn relu<T: Scalar>(x: T) -> T {
    // NaN propagates.
    if x <= T::zero() { T::zero() } else { x }
}

/// max(x, -1e4), and that clamped to at most 1e4: farther out the distribution functions are 0 or
/// 1, and an infinity times 0 would be NaN.
#[inline(always)]
fn bounded<T: Scalar>(x: T) -> (T, T) {
    let far = T::narrow(1e4);
    let above = if x < -far { -far } else { x };
    (above, if above > far { far } else { above })
}

/// Value and slope of SiLU.
#[inline(always)]
pub(crate) fn silu<T: Scalar>(x: T) -> (T, T) {
    let (x, near) = bounded(x);
    let s = near.logistic();
    (x * s, s + near * s * (T::one() - s))
}

#[inline(always)]
fn gelu<T: Scalar>(x: T) -> (T, T) {
    let (x, near) = bounded(x);
    let (distribution, density) = near.absolute_normal();
    (x * distribution, distribution + near * density)
}

#[inline(always)]
fn gelu_accurate_tail<T: Scalar>(x: T) -> (T, T) {
    let (x, near) = bounded(x);
    let (distribution, density) = near.normal();
    (x * distribution, distribution + near * density)
}

#[inline(always)]
fn gelu_tanh<T: Scalar>(x: T) -> (T, T) {
    let (root, cubic) = (T::narrow(0.797_884_560_802_865_4), T::narrow(0.044_715));
    let (half, one, three) = (T::narrow(0.5), T::one(), T::narrow(3.0));
    let (x, near) = bounded(x);
    let square = near * near;
    let tanh = (root * (near + cubic * square * near)).tanh();
    let inner = root * (one + three * cubic * square);
    let distribution = half * (one + tanh);
    (x * distribution, distribution + half * near * (one - tanh * tanh) * inner)
}

vectorised! {
    fn map<'a, T, F: Fn(T) -> T>(x: &'a mut [T], f: F) {
        x.iter_mut().for_each(|x| *x = f(*x));
    }
}

vectorised! {
    fn map_two<'a, T, F: Fn(T) -> (T, T)>(x: &'a mut [T], second: &'a mut [T], f: F) {
        x.iter_mut().zip(second).for_each(|(x, second)| (*x, *second) = f(*x));
    }
}

vectorised! {
    /// `x_i *= f(y_i)`
    fn scale<'a, T, F: Fn(T) -> T>(x: &'a mut [T], y: &'a [T], f: F) {
        x.iter_mut().zip(y).for_each(|(x, y)| *x *= f(*y));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values and slopes for large |x| are the limits; NaN propagates.
    #[test]
    fn limits() {
        fn check<T: Scalar>() {
            use Activation::{Gelu, GeluAccurateTail, GeluTanh, Relu, Silu};
            let infinity = T::one() / T::zero();
            let far = [1e4, 1e18, 3e19, 1e30].map(T::narrow);
            for activation in [Relu, Silu, Gelu, GeluAccurateTail, GeluTanh] {
                for x in far.into_iter().chain([infinity]) {
                    let (mut y, mut slope) = ([-x, x, T::NAN], [T::NAN; 3]);
                    activation.apply_with_slopes(&mut y, &mut slope);
                    assert_eq!(y[..2], [T::zero(), x], "{activation:?}");
                    assert!(y[2].widen().is_nan(), "{activation:?}");
                    let mut ybar = [T::one(); 3];
                    activation.pull_back(&y, &slope, &mut ybar);
                    assert_eq!(ybar[..2], [T::zero(), T::one()], "{activation:?} {x}");
                }
                let mut y = [-T::one(), -infinity];
                activation.apply(&mut y);
                assert_eq!(y[1], T::zero(), "{activation:?}");
                let positive = y[0].widen().is_sign_positive();
                assert!(activation != Relu || positive, "{}", y[0]);
            }
        }
        check::<f32>();
        check::<f64>();
    }
}
