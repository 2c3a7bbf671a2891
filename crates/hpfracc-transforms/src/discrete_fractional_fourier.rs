use crate::chirp::tone;
use crate::error::{finite, within};
use crate::fourier::{narrow, widen};
use crate::hermite_gauss::HermiteGauss;
use crate::scratch::Scratch;
use crate::signal::{Signal, SignalMut};
use crate::transform::{same_lens, same_samples, sum_over_signals};
use crate::{Result, Transform};
use hpfracc_types::Real;
use ndarray::{Array1, ArrayView, Axis, Dimension};
use num_complex::Complex;
use std::f64::consts::FRAC_PI_2;
use std::fmt;
use std::sync::Arc;

const NAME: &str = "discrete fractional Fourier";
/// The eigenvectors of this many points take seconds, once.
const MOST: usize = 2048;

/// The discrete fractional Fourier transform: a power `F^a` of the unitary DFT matrix, any real a.
///
#[doc = formula!("discrete_fractional_fourier", r"y = V \operatorname{diag}(e^{-i \pi a k / 2}) V^T x")]
///
/// The columns of V are the common eigenvectors of the DFT and of the matrix S that has
/// `2 cos(2 pi n / N) - 4` on its diagonal and 1 on the (cyclic) neighbours.
/// They are discrete Hermite-Gauss functions and take their index k from the number of zero
/// crossings: k = 0..N-1 for odd N; k = 0..N-2 and N for even N.
///
/// Grid as [`FractionalFourier`](crate::FractionalFourier) has it: sample j is the point
/// `n / sqrt(N)`, n = j - floor(N/2). F is the centred unitary DFT,
/// `(F x)_k = N^(-1/2) sum_n x_n exp(-2 pi i k n / N)`, so that a = 1 gives it, a = 2 the reversal
/// n -> -n mod N, a = 4 the identity.
///
/// Unitary and additive, `F^a F^b = F^(a+b)`, to rounding for *any* data, where the sampled
/// transform is so for data inside its circle only. In exchange it approaches the integral slowly,
/// with an error of order 1/N for smooth signals: `exp(-pi u^2)` changes by up to 0.26/N.
///
/// Cost: the eigenvectors once, O(N^3) (N at most 2048, where they take seconds), then N^2 real
/// times complex products per signal; memory N^2/2 scalars, shared by all orders that
/// [`DiscreteFractionalFourier::at`] makes. Accuracy: a = 1 is within 5e-15 |x|_2 of the DFT at N =
/// 2048, 2e-15 at 256, and the norm is preserved as well.
///
/// Source: C. Candan, M. A. Kutay and H. M. Ozaktas, IEEE Trans. Signal Process. 48 (2000) 1329,
/// doi:10.1109/78.839980.
///
/// ```
/// use hpfracc_transforms::{DiscreteFractionalFourier, Transform};
/// use ndarray::Array1;
/// use num_complex::Complex;
///
/// let third = DiscreteFractionalFourier::<f64>::new(65, 1.0 / 3.0)?;
/// let rest = third.at(2.0 / 3.0)?; // the same eigenvectors
/// let x: Array1<Complex<f64>> = (0..65).map(|j| Complex::from(f64::from(j % 7))).collect();
/// let y = rest.apply(third.apply(x.view())?.view())?; // F x
/// let sum = x.sum() / 65f64.sqrt(); // frequency zero, in the middle
/// assert!((y[32] - sum).norm() < 1e-12);
/// # Ok::<(), hpfracc_transforms::TransformError>(())
/// ```
pub struct DiscreteFractionalFourier<T> {
    order: f64,
    axis: Option<Axis>,
    vectors: Arc<HermiteGauss<T>>,
    /// `exp(-i pi a k / 2)`, in the order of the eigenvectors.
    eigenvalues: Vec<Complex<T>>,
    scratch: Scratch<T>,
}

impl<T: Real> DiscreteFractionalFourier<T> {
    /// The transform of n samples and of order a = `order`.
    ///
    /// # Errors
    /// [`TransformError::Length`](crate::TransformError::Length) unless n is 2 to 2048,
    /// [`TransformError::NotFinite`](crate::TransformError::NotFinite) if the order is NaN or
    /// infinite, [`TransformError::NoEigenvectors`](crate::TransformError::NoEigenvectors) if the
    /// QR algorithm does not converge.
    pub fn new(n: usize, order: f64) -> Result<Self> {
        within(NAME, "number of samples", n, (2, MOST))?;
        finite(NAME, "order", order)?;
        Self::of(Arc::new(HermiteGauss::new(n)?), order, None)
    }

    /// The transform of another order, with the same eigenvectors and along the same axis.
    ///
    /// # Errors
    /// [`TransformError::NotFinite`](crate::TransformError::NotFinite) if the order is NaN or
    /// infinite.
    pub fn at(&self, order: f64) -> Result<Self> {
        Self::of(Arc::clone(&self.vectors), order, self.axis)
    }

    fn of(vectors: Arc<HermiteGauss<T>>, order: f64, axis: Option<Axis>) -> Result<Self> {
        // k is whole: four whole turns of the order do nothing.
        let reduced = finite(NAME, "order", order)? % 4.0;
        let eigenvalues =
            vectors.indices().map(|k| narrow(tone(-0.5 * reduced, k as i64))).collect();
        let scratch = Scratch::new(2 * vectors.n());
        Ok(Self { order, axis, vectors, eigenvalues, scratch })
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
        crate::grid::coordinates(self.vectors.n())
    }

    /// `Re <ybar, dF^a/da x>`: the gradient of a real loss with respect to the order, given its
    /// gradient with respect to the result of these samples. Exact; summed over all signals, in
    /// double precision.
    ///
    /// # Errors
    /// As [`Transform::apply`], and [`TransformError::Shape`](crate::TransformError::Shape) if the
    /// shapes differ.
    pub fn vjp_order<D: Dimension>(
        &self,
        samples: ArrayView<'_, Complex<T>, D>,
        result_gradient: ArrayView<'_, Complex<T>, D>,
    ) -> Result<f64> {
        let n = self.vectors.n();
        same_samples(&samples, &result_gradient)?;
        // d/da exp(-i pi a k/2) = -i (pi/2) k exp(-i pi a k/2)
        let slopes: Vec<Complex<T>> = (self.vectors.indices().zip(&self.eigenvalues))
            .map(|(k, z)| *z * narrow(Complex::new(0.0, -FRAC_PI_2 * k as f64)))
            .collect();
        let mut change = Array1::zeros(n);
        sum_over_signals(samples, result_gradient, self.axis, n, |x| {
            self.through(x, change.view_mut(), |at| slopes[at]);
            change.mapv(widen)
        })
    }

    fn through(
        &self,
        x: Signal<'_, T>,
        y: SignalMut<'_, T>,
        eigenvalue: impl Fn(usize) -> Complex<T>,
    ) {
        self.scratch.with(|scratch| {
            let (parts, results) = scratch.split_at_mut(self.vectors.n());
            self.vectors.split(x, parts);
            self.vectors.function(parts, results, eigenvalue);
            self.vectors.join(results, y);
        });
    }
}

impl<T: Real> Transform<T> for DiscreteFractionalFourier<T> {
    fn lens(&self) -> (usize, usize) {
        (self.vectors.n(), self.vectors.n())
    }

    fn axis(&self) -> Option<Axis> {
        self.axis
    }

    fn forward(&self, x: Signal<'_, T>, y: SignalMut<'_, T>) -> Result<()> {
        same_lens([("x", x.len(), self.vectors.n()), ("y", y.len(), self.vectors.n())])?;
        self.through(x, y, |at| self.eigenvalues[at]);
        Ok(())
    }

    fn adjoint(&self, y: Signal<'_, T>, x: SignalMut<'_, T>) -> Result<()> {
        same_lens([("y", y.len(), self.vectors.n()), ("x", x.len(), self.vectors.n())])?;
        self.through(y, x, |at| self.eigenvalues[at].conj());
        Ok(())
    }
}

impl<T: Real> fmt::Debug for DiscreteFractionalFourier<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DiscreteFractionalFourier")
            .field("scalar", &T::NAME)
            .field("n", &self.vectors.n())
            .field("order", &self.order)
            .field("axis", &self.axis)
            .finish_non_exhaustive()
    }
}
