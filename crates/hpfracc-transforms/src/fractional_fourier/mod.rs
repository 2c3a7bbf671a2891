mod chirped_sum;
mod doubled;

use crate::error::{finite, within};
use crate::fourier::widen;
use crate::pointwise::{multiply, multiply_conjugate};
use crate::scratch::Scratch;
use crate::signal::{Signal, SignalMut, load, store};
use crate::transform::{same_lens, same_samples, sum_over_signals};
use crate::{Result, Transform};
use chirped_sum::ChirpedSum;
use doubled::Doubled;
use hpfracc_special::DoubleDouble;
use hpfracc_types::Real;
use ndarray::{Array1, ArrayView, Axis, Dimension};
use num_complex::Complex;
use std::f64::consts::{FRAC_PI_2, PI};
use std::fmt;

const NAME: &str = "fractional Fourier";
/// Squares of lags on the doubled grid are doubles, and phases exact, up to 2^25.
const MOST: usize = 1 << 25;

/// The fractional Fourier transform of sampled data: the integral transform of any real order a.
///
#[doc = formula!("fractional_fourier", r"F^a f(u) = \sqrt{1 - i \cot \phi} \int f(x) e^{i \pi (\cot \phi \, u^2 - 2 \csc \phi \, u x + \cot \phi \, x^2)} dx, \quad \phi = a \pi / 2")]
///
/// The root is the one with positive real part.
///
/// a = 1 is the unitary Fourier transform with the kernel `exp(-2 pi i u x)`, a = 2 the reversal
/// f(-u), a = -1 the inverse Fourier transform, a = 4 the identity; the inverse of a is -a. A turn
/// by phi in the plane of time and frequency.
///
/// Grid: sample j, in and out, is at `n / sqrt(N)`, n = j - floor(N/2): -N/2..N/2-1 for even N,
/// -(N-1)/2..(N-1)/2, centred, for odd N. Scale time by a factor `s` with `x = t/s` so that the
/// signal has step 1/sqrt(N); a signal of duration and bandwidth within `sqrt(N)`, that is with its
/// Wigner distribution inside the circle of radius `sqrt(N)/2`, is then transformed as the integral
/// says. The part of the signal outside the circle is aliased, and the transform is not unitary
/// there; for data of any kind take
/// [`DiscreteFractionalFourier`](crate::DiscreteFractionalFourier).
///
/// `exp(-pi x^2)` stays itself at every order; the Hermite function of index k is multiplied by
/// `exp(-i a k pi/2)`; `exp(-pi (x - x0)^2)` becomes
/// `exp(-pi (u - x0 cos(phi))^2 - i pi (2 u x0 sin(phi) - x0^2 sin(phi) cos(phi)))`.
///
/// Method: trigonometric interpolation to twice the samples, chirp, convolution with a chirp,
/// chirp, for `0.5 <= |a| <= 1.5`; for |a| < 0.5 as `F^(a-1) F^1`; near 2 as `F^(a-2)` after a
/// reversal. For a = 0 and 2 samples are copied or reversed (for even N the point -N/2 is
/// unchanged). a = 1 and -1 are the centred unitary DFT and its inverse to rounding, for any data.
/// Cost: two FFTs of length N and three of a cheap length L >= 2N; memory about 2L + 4N complex
/// numbers, and 2L per thread in use. Accuracy for signals inside the circle: 3e-15 of the largest
/// value at N = 256, growing as the FFTs' errors do; phases are reduced in twofold precision, so
/// that it holds for chirps of a million samples.
///
/// Sources: H. M. Ozaktas, O. Arikan, M. A. Kutay and G. Bozdagi, IEEE Trans. Signal Process. 44
/// (1996) 2141, doi:10.1109/78.536672; V. Namias, J. Inst. Math. Appl. 25 (1980) 241,
/// doi:10.1093/imamat/25.3.241.
///
/// ```
/// use hpfracc_transforms::{FractionalFourier, Transform};
/// use ndarray::Array1;
/// use num_complex::Complex;
/// use std::f64::consts::PI;
///
/// let transform = FractionalFourier::<f64>::new(256, 1.0)?;
/// let u = transform.coordinates();
/// let bump = u.mapv(|x| Complex::from((-PI * (x - 1.0) * (x - 1.0)).exp()));
/// let y = transform.apply(bump.view())?; // exp(-pi u^2 - 2 pi i u)
/// let back = transform.at(-1.0)?.apply(y.view())?;
/// assert!((y[128] - 1.0).norm() < 1e-14);
/// assert!(back.iter().zip(&bump).all(|(a, b)| (a - b).norm() < 1e-14));
/// # Ok::<(), hpfracc_transforms::TransformError>(())
/// ```
pub struct FractionalFourier<T> {
    n: usize,
    order: f64,
    axis: Option<Axis>,
    /// A multiple of the quarter turn, which needs no sum.
    exact: Option<Permutation>,
    doubled: Doubled<T>,
    sum: ChirpedSum<T>,
    scratch: Scratch<T>,
}

#[derive(Clone, Copy)]
enum Permutation {
    Identity,
    Reversal,
}

impl<T: Real> FractionalFourier<T> {
    /// The transform of n samples and of order a = `order`.
    ///
    /// # Errors
    /// [`TransformError::Length`](crate::TransformError::Length) unless n is 2 to 2^25,
    /// [`TransformError::NotFinite`](crate::TransformError::NotFinite) if the order is NaN or
    /// infinite.
    pub fn new(n: usize, order: f64) -> Result<Self> {
        within(NAME, "number of samples", n, (2, MOST))?;
        let reduced = finite(NAME, "order", order)? % 4.0;
        let exact = match reduced.abs() {
            0.0 => Some(Permutation::Identity),
            2.0 => Some(Permutation::Reversal),
            _ => None,
        };
        let route = Route::new(reduced);
        let (sum, doubled) = (ChirpedSum::new(n, route.b), Doubled::new(n, route));
        let beside = doubled.scratch_len().max(sum.scratch_len());
        let scratch = Scratch::new(2 * sum.len() + beside);
        Ok(Self { n, order, axis: None, exact, doubled, sum, scratch })
    }

    /// The transform of another order, for the same number of samples and the same axis.
    ///
    /// # Errors
    /// [`TransformError::NotFinite`](crate::TransformError::NotFinite) if the order is NaN or
    /// infinite.
    pub fn at(&self, order: f64) -> Result<Self> {
        let mut other = Self::new(self.n, order)?;
        other.axis = self.axis;
        Ok(other)
    }

    /// The same transform along another axis than the last.
    pub fn along(mut self, axis: Axis) -> Self {
        self.axis = Some(axis);
        self
    }

    /// The order a, as given.
    pub fn order(&self) -> f64 {
        self.order
    }

    /// The points `n / sqrt(N)` of samples and results.
    pub fn coordinates(&self) -> Array1<f64> {
        crate::grid::coordinates(self.n)
    }

    /// `Re <ybar, dF^a/da x>`: the gradient of a real loss with respect to the order, given its
    /// gradient with respect to the result of these samples. Summed over all signals, in double
    /// precision.
    ///
    /// It is the exact derivative of the sum that [`Transform::apply`] computes, and so that of the
    /// transform for signals inside the circle, at every order, 0 and 2 included. It takes three
    /// transforms, and allocates. Where the sum changes (a = 0.5, 1.5, ...) it is that of the side
    /// computed.
    ///
    /// # Errors
    /// As [`Transform::apply`], and [`TransformError::Shape`](crate::TransformError::Shape) if the
    /// shapes differ.
    pub fn vjp_order<D: Dimension>(
        &self,
        samples: ArrayView<'_, Complex<T>, D>,
        result_gradient: ArrayView<'_, Complex<T>, D>,
    ) -> Result<f64> {
        same_samples(&samples, &result_gradient)?;
        let u = self.coordinates();
        let slope = |x: Signal<'_, T>| self.slope(x, &u);
        sum_over_signals(samples, result_gradient, self.axis, self.n, slope)
    }

    /// `dF^a/da x`. With K the kernel and `c = cot(phi)`,
    /// `dK/dphi = K ((i - c)/2 - i pi csc^2 (u^2 - 2 cos(phi) u x + x^2))`: sums of `g`, `x g` and
    /// `x^2 g`.
    fn slope(&self, x: Signal<'_, T>, u: &Array1<f64>) -> Array1<Complex<f64>> {
        let (csc, cot) = (self.sum.csc, self.sum.cot);
        let factor = Complex::new(0.0, -PI * csc * csc);
        let mut slope = Array1::zeros(self.n);
        for power in 0..=2 {
            self.summed(x, power, |sums| {
                for (((y, sum), a), u) in slope.iter_mut().zip(&*sums).zip(&self.sum.after).zip(u) {
                    let (sum, a) = (widen(*sum), widen(*a));
                    let weight = match power {
                        0 => factor * u * u + Complex::new(-0.5 * cot, 0.5),
                        1 => factor * (-2.0 * cot / csc * u),
                        _ => factor,
                    };
                    *y += FRAC_PI_2 * weight * sum * a;
                }
            });
        }
        slope
    }

    /// Hands over the sums of `x^power g`, still without their last chirp.
    fn summed(&self, x: Signal<'_, T>, power: i32, take: impl FnOnce(&mut [Complex<T>])) {
        self.scratch.with(|scratch| {
            let (even, rest) = scratch.split_at_mut(self.sum.len());
            let (odd, scratch) = rest.split_at_mut(self.sum.len());
            self.doubled.forward(x, even, odd, scratch);
            self.sum.forward(even, odd, power, scratch);
            take(&mut even[..self.n]);
        });
    }
}

/// A transform as a sum of order b, `0.5 <= |b| <= 1.5`, after a preparation.
struct Route {
    reversed: bool,
    transformed: bool,
    b: DoubleDouble,
}

impl Route {
    /// For an order within (-4, 4). Its distance from b is a whole number, so that b is exact.
    fn new(order: f64) -> Self {
        let (reversed, transformed, near) = match order.rem_euclid(4.0) {
            a if a < 0.5 => (false, true, a - 1.0),
            a if a <= 1.5 => (false, false, a),
            a if a < 2.5 => (true, true, a - 3.0),
            a if a <= 3.5 => (false, false, a - 4.0),
            a => (false, true, a - 5.0),
        };
        let b = DoubleDouble::sum(order, -(order - near).round());
        Self { reversed, transformed, b }
    }
}

/// Both permutations are their own transposes.
fn permute<T: Real>(permutation: Permutation, x: Signal<'_, T>, mut y: SignalMut<'_, T>) {
    match permutation {
        Permutation::Identity => y.assign(&x),
        Permutation::Reversal => {
            // For even n the first point has its mirror image outside the grid.
            let first = usize::from(x.len().is_multiple_of(2));
            let (x_first, mut x_rest) = x.split_at(Axis(0), first);
            let (mut y_first, mut y_rest) = y.split_at(Axis(0), first);
            x_rest.invert_axis(Axis(0));
            y_first.assign(&x_first);
            y_rest.assign(&x_rest);
        }
    }
}

impl<T: Real> Transform<T> for FractionalFourier<T> {
    fn lens(&self) -> (usize, usize) {
        (self.n, self.n)
    }

    fn axis(&self) -> Option<Axis> {
        self.axis
    }

    fn forward(&self, x: Signal<'_, T>, y: SignalMut<'_, T>) -> Result<()> {
        same_lens([("x", x.len(), self.n), ("y", y.len(), self.n)])?;
        match self.exact {
            Some(permutation) => permute(permutation, x, y),
            None => self.summed(x, 0, |sums| {
                multiply(sums, &self.sum.after);
                store(sums, y);
            }),
        }
        Ok(())
    }

    fn adjoint(&self, y: Signal<'_, T>, x: SignalMut<'_, T>) -> Result<()> {
        same_lens([("y", y.len(), self.n), ("x", x.len(), self.n)])?;
        if let Some(permutation) = self.exact {
            permute(permutation, y, x);
            return Ok(());
        }
        self.scratch.with(|scratch| {
            let (even, rest) = scratch.split_at_mut(self.sum.len());
            let (odd, scratch) = rest.split_at_mut(self.sum.len());
            load(y, &mut even[..self.n]);
            multiply_conjugate(&mut even[..self.n], &self.sum.after);
            self.sum.adjoint(even, odd, scratch);
            self.doubled.adjoint(even, odd, x, scratch);
        });
        Ok(())
    }
}

impl<T: Real> fmt::Debug for FractionalFourier<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FractionalFourier")
            .field("scalar", &T::NAME)
            .field("n", &self.n)
            .field("order", &self.order)
            .field("axis", &self.axis)
            .finish_non_exhaustive()
    }
}
