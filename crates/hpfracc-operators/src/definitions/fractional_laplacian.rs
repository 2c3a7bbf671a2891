use crate::definitions::entry::{Definition, Entry, Range, arc, cost, outside};
use crate::schemes::frequencies::radial_symbol;
use crate::schemes::{huang_oberman, ortigueira};
use crate::{Bound, Discretisation, Dual, Number, OperatorError, Result, Weights};
use hpfracc_backend::Backend;
use hpfracc_types::{Grid, Order, Real};
use std::sync::Arc;

/// The fractional Laplacian (-Lap)^(alpha/2), positive as -Lap is.
///
#[doc = formula!("fractional_laplacian", r"\widehat{(-\Delta)^{\alpha/2} f}(\xi) = |\xi|^\alpha \hat{f}(\xi)")]
///
/// alpha = 2 gives -f''. It differs in sign from the [`Riesz`](crate::Riesz) derivative.
///
/// | constructor | range | signal | accuracy for smooth f |
/// |---|---|---|---|
/// | [`spectral`](Self::spectral) | alpha >= 0 | periodic, 1 to 4 axes | spectral |
/// | [`ortigueira`](Self::ortigueira) | 0 < alpha <= 2 | zero outside the samples | 2 |
/// | [`huang_oberman`](Self::huang_oberman) | 0 < alpha <= 2 | zero outside the samples | 4 - alpha |
///
/// They are different operators: the spectral form repeats the signal with its period, and the
/// algebraic tails |x|^(-1-alpha) of the copies overlap. A signal that is zero outside the samples
/// has the integral (restricted) Laplacian of an interval; its spectral definition is another
/// operator,
/// [`SpectralLaplacian`](crate::SpectralLaplacian).
///
/// Cost: one FFT pair of the length, along each axis; of centred differences, one convolution of
/// twice the length.
///
/// Sources: Lischke et al., J. Comput. Phys. 404 (2020) 109009, DOI 10.1016/j.jcp.2019.109009 (the
/// definitions); Ortigueira, DOI 10.1155/IJMMS/2006/48391 (centred differences).
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{FractionalLaplacian, OperatorError};
/// use hpfracc_types::{Grid, Order};
/// use ndarray::Array2;
/// use std::f64::consts::TAU;
///
/// // On a torus: sin(x) sin(2 y) has |xi|^2 = 5.
/// let (x, y) = (Grid::uniform(8, TAU / 8.0)?, Grid::uniform(16, TAU / 16.0)?);
/// let f = Array2::from_shape_fn((8, 16), |(i, j)| x.t(i).sin() * (2.0 * y.t(j)).sin());
/// let root = FractionalLaplacian::spectral(Order::new(1.0)?).on_box(&[x, y], &Reference)?;
/// let g = root.apply(f.view())?;
/// assert!((g[[3, 5]] - 5f64.sqrt() * f[[3, 5]]).abs() < 1e-13);
/// # Ok::<(), OperatorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FractionalLaplacian {
    order: Order,
    scheme: Scheme,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Scheme {
    Spectral,
    Ortigueira,
    HuangOberman,
}

const NAME: &str = "fractional-laplacian";

impl FractionalLaplacian {
    /// The Fourier multiplier |xi|^alpha of a periodic signal; the period of n points is n dx.
    pub fn spectral(order: Order) -> Self {
        Self { order, scheme: Scheme::Spectral }
    }

    /// Ortigueira's centred differences; f is zero outside the samples.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 0 < alpha <= 2.
    pub fn ortigueira(order: Order) -> Result<Self> {
        Range::TO_TWO.check((NAME, "ortigueira"), order)?;
        Ok(Self { order, scheme: Scheme::Ortigueira })
    }

    /// The singular integral of the definition by piecewise parabolas; f is zero outside the
    /// samples, and the integral is not truncated.
    ///
    /// Order 4 - alpha for f in C^4 (the paper proves 3 - alpha); all weights off the diagonal are
    /// of one sign. alpha = 2 gives the second difference.
    ///
    /// Source: Huang and Oberman, SIAM J. Numer. Anal. 52 (2014) 3056, DOI 10.1137/140954040.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 0 < alpha <= 2.
    pub fn huang_oberman(order: Order) -> Result<Self> {
        Range::TO_TWO.check((NAME, "huang-oberman"), order)?;
        Ok(Self { order, scheme: Scheme::HuangOberman })
    }

    /// Binds the operator to a box of several periodic axes: it acts on the last axes of an array,
    /// in this order, together.
    ///
    /// # Errors
    /// [`OperatorError::LineOnly`] for the centred differences, [`OperatorError::Backend`] for no
    /// axes, too many, or sizes that the backend cannot plan.
    pub fn on_box<T, B>(self, axes: &[Grid], backend: &B) -> Result<Bound<T>>
    where
        T: Real,
        B: Backend<T> + Clone + 'static,
    {
        self.signed_on_box(1.0, self.name(), axes, backend)
    }

    /// The weights times a sign: the Riesz derivative is the negative.
    pub(crate) fn signed_weights<N: Number>(
        self,
        sign: f64,
        alpha: N,
        grid: Grid,
    ) -> Result<Weights<N>> {
        match self.scheme {
            Scheme::Spectral => Ok(radial_symbol(&[grid], alpha, sign)?.into()),
            Scheme::Ortigueira => Ok(ortigueira::weights(alpha, grid, sign).into()),
            Scheme::HuangOberman => Ok(huang_oberman::weights(alpha, grid, sign).into()),
        }
    }

    /// As [`Self::on_box`], times a sign and under a name: the Riesz derivative is the negative.
    pub(crate) fn signed_on_box<T, B>(
        self,
        sign: f64,
        (operator, scheme): (&'static str, &'static str),
        axes: &[Grid],
        backend: &B,
    ) -> Result<Bound<T>>
    where
        T: Real,
        B: Backend<T> + Clone + 'static,
    {
        if self.scheme != Scheme::Spectral {
            return Err(OperatorError::LineOnly { operator, scheme });
        }
        let alpha = self.order.value();
        let weights = Weights::from(radial_symbol(axes, alpha, sign)?);
        let axes = axes.to_vec();
        let derivative = move || {
            let symbol = radial_symbol(&axes, Dual::variable(alpha), sign)?;
            Ok(Weights::from(symbol).order_derivative())
        };
        Bound::new(weights, Box::new(derivative), Arc::new(backend.clone()))
    }
}

const DEFINITION: &Definition = &Definition {
    name: NAME,
    title: "fractional Laplacian (-Lap)^(alpha/2)",
    formula: "multiplier |xi|^alpha",
    of_constants: "0 if periodic and alpha > 0",
    of_powers: "sin(w x) -> w^alpha sin(w x)",
    relation: "minus the Riesz derivative; alpha = 2 is -f''",
    source: "Lischke et al., J. Comput. Phys. 404 (2020) 109009, DOI 10.1016/j.jcp.2019.109009",
    parameters: &[],
};

pub(crate) const ENTRIES: &[Entry] = &[
    DEFINITION
        .scheme("spectral", Range::ANY, "spectral", |order, _| {
            arc(FractionalLaplacian::spectral(order))
        })
        .costs(cost::MULTIPLIER)
        .outside(outside::PERIODIC),
    DEFINITION
        .scheme("ortigueira", Range::TO_TWO, "2", |order, _| {
            arc(FractionalLaplacian::ortigueira(order)?)
        })
        .outside(outside::COMPACT),
    DEFINITION
        .scheme("huang-oberman", Range::TO_TWO, "4 - alpha", |order, _| {
            arc(FractionalLaplacian::huang_oberman(order)?)
        })
        .outside(outside::COMPACT),
];

impl Discretisation for FractionalLaplacian {
    fn name(&self) -> (&'static str, &'static str) {
        let scheme = match self.scheme {
            Scheme::Spectral => "spectral",
            Scheme::Ortigueira => "ortigueira",
            Scheme::HuangOberman => "huang-oberman",
        };
        (NAME, scheme)
    }

    fn order(&self) -> Order {
        self.order
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        self.signed_weights(1.0, alpha, grid)
    }
}
