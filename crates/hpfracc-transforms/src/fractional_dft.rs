use crate::chirp::{chirp, tone};
use crate::error::{finite, within};
use crate::fourier::{Fourier, cheap_len, narrow};
use crate::pointwise::{multiply, multiply_conjugate};
use crate::scratch::Scratch;
use crate::signal::{Signal, SignalMut, load, store};
use crate::transform::same_lens;
use crate::{Result, Transform};
use hpfracc_special::DoubleDouble;
use hpfracc_types::Real;
use ndarray::{Array1, Axis};
use num_complex::Complex;
use std::fmt;

const NAME: &str = "fractional DFT";
/// Squares of lags are doubles, and phases exact, up to 2^26.
const MOST: usize = 1 << 25;

/// The fractional discrete Fourier transform: a DFT whose frequencies are any distance apart, the
/// chirp-z transform on the unit circle.
///
#[doc = formula!("fractional_dft", r"G_k = \sum_{j=0}^{n-1} x_j e^{-2 \pi i j (f + k c)}, \quad k = 0, \ldots, m-1")]
///
/// The step c and the first frequency f are real numbers, in cycles per sample; c = 1/n and f = 0
/// is the DFT (no factor 1/n, sign as in rustfft). A smaller step zooms into a part of the spectrum
/// with any resolution, without padding. "Fractional" is the step: it is no fractional power of the
/// DFT (that is [`DiscreteFractionalFourier`](crate::DiscreteFractionalFourier)), and in general
/// not unitary.
///
/// A sampled Gaussian `exp(-pi (j - j0)^2 / w^2)` becomes `w exp(-pi w^2 u^2 - 2 pi i u j0)` at the
/// frequencies u = f + k c, up to its aliases.
///
/// Method: with `2 j k = j^2 + k^2 - (k - j)^2` the sum is a convolution with a chirp between two
/// products with chirps. Cost: two FFTs of a cheap length L >= n + m - 1; memory `L + n + m`
/// complex numbers, as much as L per thread in use. Planning takes n + m sines and one FFT more.
/// Accuracy: that of the FFTs. Phases `c j^2` are reduced to a turn before sine and cosine in
/// twofold precision (unreduced, they lose six digits already at n = 1000): errors stay below
/// 1e-15 |x|_2 up to n = 1e6, |x|_2 the Euclidean norm, for results of up to |x|_2 sqrt(n).
///
/// Sources: D. H. Bailey and P. N. Swarztrauber, SIAM Rev. 33 (1991) 389, doi:10.1137/1033097; L.
/// I. Bluestein, IEEE Trans. Audio Electroacoust. 18 (1970) 451, doi:10.1109/TAU.1970.1162132.
///
/// ```
/// use hpfracc_transforms::{FractionalDft, Transform};
/// use ndarray::Array1;
/// use num_complex::Complex;
///
/// // A tone of 0.123 cycles per sample, seen between 0.12 and 0.126 in steps of 0.0005.
/// let x: Array1<Complex<f64>> =
///     (0..1000).map(|j| Complex::cis(std::f64::consts::TAU * 0.123 * f64::from(j))).collect();
/// let zoom = FractionalDft::zoom(1000, 13, 0.12, 0.0005)?;
/// let y = zoom.apply(x.view())?;
/// assert!((y[6].norm() - 1000.0).abs() < 1e-9);
/// # Ok::<(), hpfracc_transforms::TransformError>(())
/// ```
pub struct FractionalDft<T> {
    first: f64,
    step: f64,
    axis: Option<Axis>,
    fourier: Fourier<T>,
    /// Chirp of the samples, `exp(-i pi (2 f j + c j^2))`.
    before: Vec<Complex<T>>,
    /// Chirp of the results, `exp(-i pi c k^2)`.
    after: Vec<Complex<T>>,
    /// Spectrum of `exp(i pi c lag^2)`, over L.
    kernel: Vec<Complex<T>>,
    scratch: Scratch<T>,
}

impl<T: Real> FractionalDft<T> {
    /// n samples to n frequencies 0, c, 2c, ...
    ///
    /// # Errors
    /// As [`FractionalDft::zoom`].
    pub fn new(n: usize, step: f64) -> Result<Self> {
        Self::zoom(n, n, 0.0, step)
    }

    /// n samples to m frequencies `first + k step`, in cycles per sample.
    ///
    /// # Errors
    /// [`TransformError::Length`](crate::TransformError::Length) unless n and m are 1 to 2^25,
    /// [`TransformError::NotFinite`](crate::TransformError::NotFinite) if a frequency is NaN or
    /// infinite.
    pub fn zoom(n: usize, m: usize, first: f64, step: f64) -> Result<Self> {
        within(NAME, "number of samples", n, (1, MOST))?;
        within(NAME, "number of frequencies", m, (1, MOST))?;
        // Whole cycles per sample do nothing; without them phases are small. Both exact.
        let f = finite(NAME, "first frequency", first)?;
        let f = f - f.round();
        let c = finite(NAME, "step", step)?;
        let c = DoubleDouble::from(c - c.round());
        let (n_lag, m_lag) = (n as i64, m as i64);
        let fourier = Fourier::new(cheap_len(n + m - 1));
        Ok(Self {
            first,
            step,
            axis: None,
            before: (0..n_lag).map(|j| narrow(tone(-2.0 * f, j) * chirp(c.negated(), j))).collect(),
            after: (0..m_lag).map(|k| narrow(chirp(c.negated(), k))).collect(),
            kernel: fourier.spectrum(1 - n_lag..m_lag, |lag| chirp(c, lag)),
            scratch: Scratch::new(fourier.len() + fourier.scratch_len()),
            fourier,
        })
    }

    /// The same transform along another axis than the last.
    pub fn along(mut self, axis: Axis) -> Self {
        self.axis = Some(axis);
        self
    }

    /// The frequencies `f + k c`, in cycles per sample.
    pub fn frequencies(&self) -> Array1<f64> {
        (0..self.after.len()).map(|k| self.first + k as f64 * self.step).collect()
    }

    /// The circular convolution with the kernel, between two products; the adjoint multiplies by
    /// conjugates.
    fn through(
        &self,
        x: Signal<'_, T>,
        y: SignalMut<'_, T>,
        [before, after]: [&[Complex<T>]; 2],
        multiply: fn(&mut [Complex<T>], &[Complex<T>]),
    ) {
        self.scratch.with(|scratch| {
            let (z, scratch) = scratch.split_at_mut(self.fourier.len());
            let (signal, padding) = z.split_at_mut(before.len());
            load(x, signal);
            multiply(signal, before);
            padding.fill(Complex::default());
            self.fourier.forward(z, scratch);
            multiply(z, &self.kernel);
            self.fourier.inverse(z, scratch);
            let result = &mut z[..after.len()];
            multiply(result, after);
            store(result, y);
        });
    }
}

impl<T: Real> Transform<T> for FractionalDft<T> {
    fn lens(&self) -> (usize, usize) {
        (self.before.len(), self.after.len())
    }

    fn axis(&self) -> Option<Axis> {
        self.axis
    }

    fn forward(&self, x: Signal<'_, T>, y: SignalMut<'_, T>) -> Result<()> {
        same_lens([("x", x.len(), self.before.len()), ("y", y.len(), self.after.len())])?;
        self.through(x, y, [&self.before, &self.after], multiply);
        Ok(())
    }

    fn adjoint(&self, y: Signal<'_, T>, x: SignalMut<'_, T>) -> Result<()> {
        same_lens([("y", y.len(), self.after.len()), ("x", x.len(), self.before.len())])?;
        self.through(y, x, [&self.after, &self.before], multiply_conjugate);
        Ok(())
    }
}

impl<T: Real> fmt::Debug for FractionalDft<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FractionalDft")
            .field("scalar", &T::NAME)
            .field("lens", &self.lens())
            .field("first", &self.first)
            .field("step", &self.step)
            .field("axis", &self.axis)
            .finish_non_exhaustive()
    }
}
