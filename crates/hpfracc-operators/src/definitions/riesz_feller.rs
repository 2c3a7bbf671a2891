use crate::definitions::entry::{Definition, Entry, Parameter, Range, arc, cost, outside};
use crate::schemes::frequencies::one_sided_symbol;
use crate::schemes::ortigueira::centred;
use crate::{Bound, Discretisation, Dual, Number, OperatorError, Result, Toeplitz, Weights};
use hpfracc_backend::Backend;
use hpfracc_types::{Grid, Order, Real};
use ndarray::{ArrayView, Dimension};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

/// The Riesz-Feller derivative: a Riesz derivative with a skewness theta, the generator of
/// the stable distributions.
///
#[doc = formula!("riesz_feller", r"\widehat{D^\alpha_\theta f}(\kappa) = -|\kappa|^\alpha e^{i \, \mathrm{sgn}(\kappa) \theta \pi / 2} \hat{f}(\kappa), \quad \hat{f}(\kappa) = \int e^{i \kappa x} f(x) \, dx
    D^\alpha_\theta f = -(c_+ D_\text{left}^\alpha f + c_- D_\text{right}^\alpha f), \quad c_\pm = \frac{\sin((\alpha \mp \theta) \pi / 2)}{\sin(\alpha \pi)}, \quad \alpha \ne 1")]
///
/// The sign of theta is that of Mainardi, Luchko and Pagnini, whose Fourier transform has e^(+i
/// kappa x); with e^(-i xi x), as in [`Weyl`](crate::Weyl), it is the other. theta = 0 is the
/// [`Riesz`](crate::Riesz) derivative, theta = -alpha minus the derivative of the past, theta =
/// alpha minus that of the future; for alpha >= 1 theta = 2 - alpha is the derivative of the past,
/// and at alpha = 1 it is d/dx.
///
/// 0 < alpha <= 2, |theta| <= min(alpha, 2 - alpha).
///
/// | constructor | signal | accuracy for smooth f |
/// |---|---|---|
/// | [`spectral`](Self::spectral) | periodic | spectral |
/// | [`centred`](Self::centred) | zero outside the samples | 2 |
///
/// On a line only: in several dimensions skewness is a measure of directions. Cost: one FFT pair of
/// the length, or one convolution of twice the length.
///
/// Sources: Mainardi, Luchko and Pagnini, Fract. Calc. Appl. Anal. 4 (2001) 153
/// (arXiv:cond-mat/0702419), section 2; Feller, Comm. Sem. Math. Univ. Lund (1952) 73.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{Operator, RieszFeller};
/// use hpfracc_types::{Grid, Order};
/// use ndarray::Array1;
/// use std::f64::consts::{FRAC_PI_2, TAU};
///
/// let grid = Grid::uniform(32, TAU / 32.0)?;
/// let skewed = RieszFeller::spectral(Order::new(1.5)?, 0.3)?.on(grid, &Reference)?;
/// // sin(x) -> -sin(x - theta pi/2)
/// let y = skewed.apply(grid.points().map(f64::sin).collect::<Array1<f64>>().view())?;
/// assert!((y[3] + (grid.t(3) - 0.3 * FRAC_PI_2).sin()).abs() < 1e-14);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RieszFeller {
    order: Order,
    theta: f64,
    scheme: Scheme,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Scheme {
    Spectral,
    Centred,
}

const NAME: &str = "riesz-feller";

impl RieszFeller {
    /// The Fourier multiplier of a periodic signal; the period of n points is n dx. At the Nyquist
    /// frequency of an even n, where a real signal has no phase, the real part of the symbol is
    /// taken.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 0 < alpha <= 2, [`OperatorError::Skewness`] unless
    /// |theta| <= min(alpha, 2 - alpha).
    pub fn spectral(order: Order, theta: f64) -> Result<Self> {
        Self { order, theta, scheme: Scheme::Spectral }.checked()
    }

    /// Skewed centred differences on a signal that is zero outside the samples; order 2.
    ///
    #[doc = formula!("riesz_feller_centred", r"v(x) = h^{-\alpha} \sum_k c_k f(x - k h), \quad \sum_k c_k z^k = (1-z)^a (1-1/z)^b
        a = (\alpha - \theta) / 2, \quad b = (\alpha + \theta) / 2")]
    ///
    /// is -D f with order 2 at x + theta h / 2, for alpha = 1 as well, where the two shifted
    /// Gruenwald-Letnikov sums of the definition each become infinite. The value at the node is the
    /// parabola through v at three neighbours, smooth in theta. The angle of the discrete symbol is
    /// nowhere beyond theta pi / 2: implicit schemes of diffusion stay stable. theta = 0 gives
    /// [`Riesz::ortigueira`](crate::Riesz::ortigueira).
    ///
    /// Source of c_k: Ortigueira and Machado, Mathematics 7 (2019) 150, DOI 10.3390/math7020150,
    /// the two-sided derivative.
    ///
    /// # Errors
    /// As [`Self::spectral`].
    pub fn centred(order: Order, theta: f64) -> Result<Self> {
        Self { order, theta, scheme: Scheme::Centred }.checked()
    }

    fn checked(self) -> Result<Self> {
        let (alpha, theta) = (self.order.value(), self.theta);
        Range::TO_TWO.check(self.name(), self.order)?;
        let bound = alpha.min(2.0 - alpha);
        // Written so that NaN is refused.
        if theta.abs() <= bound {
            Ok(self)
        } else {
            Err(OperatorError::Skewness { theta, alpha, bound })
        }
    }

    /// The skewness.
    pub fn theta(self) -> f64 {
        self.theta
    }

    /// dA/dtheta on a grid: the derivative of the weights with respect to the skewness.
    pub fn weights_theta_derivative(self, grid: Grid) -> Weights {
        let alpha = Dual::constant(self.order.value());
        self.weights_of(alpha, Dual::variable(self.theta), grid).order_derivative()
    }

    /// `ybar . (dA/dtheta) f`: the gradient of a loss with respect to the skewness, given its
    /// gradient with respect to the result of these samples. Summed over all signals; see
    /// [`Bound::vjp_order`].
    ///
    /// ```
    /// use hpfracc_backend::Reference;
    /// use hpfracc_operators::RieszFeller;
    /// use hpfracc_types::{Grid, Order};
    /// use ndarray::array;
    ///
    /// let (grid, f, ybar) = (Grid::uniform(4, 0.5)?, array![0.0, 1.0, 2.0, 0.0], array![0.0, 0.0, 1.0, 0.0]);
    /// let skewed = RieszFeller::centred(Order::new(1.5)?, 0.3)?;
    /// // The gradient of y[2] with respect to theta.
    /// let thetabar = skewed.vjp_theta(grid, f.view(), ybar.view(), &Reference)?;
    /// assert!((thetabar - 0.692255449174688).abs() < 1e-14);
    /// # Ok::<(), hpfracc_operators::OperatorError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Operator::on`](crate::Operator::on) and [`Bound::vjp_order`].
    pub fn vjp_theta<T, B, D>(
        self,
        grid: Grid,
        samples: ArrayView<'_, T, D>,
        result_gradient: ArrayView<'_, T, D>,
        backend: &B,
    ) -> Result<f64>
    where
        T: Real,
        B: Backend<T> + Clone + 'static,
        D: Dimension,
    {
        let derivative = move || Ok(self.weights_theta_derivative(grid));
        let weights = self.weights_of(self.order.value(), self.theta, grid);
        let bound = Bound::new(weights, Box::new(derivative), Arc::new(backend.clone()))?;
        bound.vjp_order(samples, result_gradient)
    }

    fn weights_of<N: Number>(self, alpha: N, theta: N, grid: Grid) -> Weights<N> {
        match self.scheme {
            Scheme::Spectral => one_sided_symbol(alpha, theta * -FRAC_PI_2, -1.0, grid).into(),
            Scheme::Centred => {
                let scale = -N::constant(grid.dt()).powf(-alpha);
                let [past, future] = sides(alpha, theta, scale, grid.n()).map(Toeplitz::causal);
                let future = Weights::Transposed(Box::new(future.into()));
                Weights::Sum(vec![past.into(), future])
            }
        }
    }
}

/// Weights of the past by lag, and of the future with none at lag 0, times `scale`.
fn sides<N: Number>(alpha: N, theta: N, scale: N, n: usize) -> [Vec<N>; 2] {
    let s = theta * -0.5;
    let (a, b) = (alpha * 0.5 + s, alpha * 0.5 - s);
    // Of v one node ahead, at the node, and one node back.
    let ahead = s * 0.5 * (s + 1.0);
    let here = -(s * s) + 1.0;
    let behind = s * 0.5 * (s - 1.0);
    let side = |[a, b]: [N; 2], [down, up]: [N; 2]| -> Vec<N> {
        let (mut next, mut other) = (centred(a, b), centred(b, a));
        // Coefficients at three lags, from [-2, -1, 0] on; that at -1 is the second of the other
        // side.
        let mut c = [other(), other(), next()];
        let at = |_| {
            c = [c[1], c[2], next()];
            scale * (N::constant(0.0) + down * c[0] + here * c[1] + up * c[2])
        };
        (0..n).map(at).collect()
    };
    let left = side([a, b], [behind, ahead]);
    let mut right = side([b, a], [ahead, behind]);
    // Lag 0 belongs to the past.
    right[0] = scale * N::constant(0.0);
    [left, right]
}

const DEFINITION: &Definition = &Definition {
    name: NAME,
    title: "Riesz-Feller derivative",
    formula: "multiplier -|kappa|^alpha exp(i sgn(kappa) theta pi/2), transform with e^(+i kappa x)",
    of_constants: "0 if periodic",
    of_powers: "sin(w x) -> -w^alpha sin(w x - theta pi/2)",
    relation: "-(c+ left + c- right Riemann-Liouville) on the line, c+- = sin((alpha -+ theta) pi/2)/sin(alpha pi), alpha != 1; Riesz for theta = 0",
    source: "Mainardi, Luchko and Pagnini, Fract. Calc. Appl. Anal. 4 (2001) 153, arXiv:cond-mat/0702419",
    parameters: &[Parameter {
        name: "theta",
        meaning: "skewness; -alpha is minus the derivative of the past",
        range: "|theta| <= min(alpha, 2 - alpha)",
        default: Some(0.0),
        example: 0.2,
    }],
};

pub(crate) const ENTRIES: &[Entry] = &[
    DEFINITION
        .scheme("spectral", Range::TO_TWO, "spectral", |order, v| {
            arc(RieszFeller::spectral(order, v[0])?)
        })
        .costs(cost::MULTIPLIER)
        .outside(outside::PERIODIC),
    DEFINITION
        .scheme("centred", Range::TO_TWO, "2", |order, v| arc(RieszFeller::centred(order, v[0])?))
        .costs(cost::TWO_CONVOLUTIONS)
        .outside(outside::COMPACT),
];

impl Discretisation for RieszFeller {
    fn name(&self) -> (&'static str, &'static str) {
        let scheme = match self.scheme {
            Scheme::Spectral => "spectral",
            Scheme::Centred => "centred",
        };
        (NAME, scheme)
    }

    fn order(&self) -> Order {
        self.order
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        Ok(self.weights_of(alpha, N::constant(self.theta), grid))
    }
}
