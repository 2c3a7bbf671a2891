use crate::definitions::entry::{Definition, Entry, Range, arc, cost, outside};
use crate::{Bound, Discretisation, FractionalLaplacian, Number, Result, Weights};
use hpfracc_backend::Backend;
use hpfracc_types::{Grid, Order, Real};

/// The Riesz derivative, the negative of the fractional Laplacian: alpha = 2 gives f''.
///
#[doc = formula!("riesz", r"\widehat{R^\alpha f}(\xi) = -|\xi|^\alpha \hat{f}(\xi)
    R^\alpha f = -\frac{D_\text{left}^\alpha f + D_\text{right}^\alpha f}{2 \cos(\pi \alpha / 2)}, \quad \alpha \ne 1")]
///
/// It uses the samples on both sides. The spectral scheme and Ortigueira's centred differences are
/// those of [`FractionalLaplacian`], whose documentation has ranges, accuracy and cost; unlike the
/// half-sum of one-sided derivatives, neither is singular at alpha = 1.
///
/// Source: Samko, Kilbas and Marichev, Fractional Integrals and Derivatives (1993), section 12.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{Operator, Riesz};
/// use hpfracc_types::{Grid, Order};
/// use ndarray::array;
///
/// let second = Riesz::ortigueira(Order::new(2.0)?)?.on(Grid::uniform(4, 1.0)?, &Reference)?;
/// let y = second.apply(array![0.0, 1.0, 4.0, 9.0].view())?;
/// assert!((y[2] - 2.0f64).abs() < 1e-14);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Riesz {
    laplacian: FractionalLaplacian,
}

const NAME: &str = "riesz";

impl Riesz {
    /// The Fourier multiplier -|xi|^alpha of a periodic signal.
    pub fn spectral(order: Order) -> Self {
        Self { laplacian: FractionalLaplacian::spectral(order) }
    }

    /// Centred differences on a signal that is zero outside the samples.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha <= 2.
    pub fn ortigueira(order: Order) -> Result<Self> {
        // Checked here too, so that an error names this operator.
        Range::TO_TWO.check((NAME, "ortigueira"), order)?;
        Ok(Self { laplacian: FractionalLaplacian::ortigueira(order)? })
    }

    /// As [`FractionalLaplacian::on_box`].
    ///
    /// # Errors
    /// As there.
    pub fn on_box<T, B>(self, axes: &[Grid], backend: &B) -> Result<Bound<T>>
    where
        T: Real,
        B: Backend<T> + Clone + 'static,
    {
        self.laplacian.signed_on_box(-1.0, self.name(), axes, backend)
    }
}

const DEFINITION: &Definition = &Definition {
    name: NAME,
    title: "Riesz derivative",
    formula: "multiplier -|xi|^alpha",
    of_constants: "0 if periodic and alpha > 0",
    of_powers: "sin(w x) -> -w^alpha sin(w x)",
    relation: "minus the fractional Laplacian; -(left + right Riemann-Liouville)/(2 cos(pi alpha/2)) on the line, alpha != 1",
    source: "Samko, Kilbas and Marichev, Fractional Integrals and Derivatives (1993), section 12",
    parameters: &[],
};

pub(crate) const ENTRIES: &[Entry] = &[
    DEFINITION
        .scheme("spectral", Range::ANY, "spectral", |order, _| arc(Riesz::spectral(order)))
        .costs(cost::MULTIPLIER)
        .outside(outside::PERIODIC),
    DEFINITION
        .scheme("ortigueira", Range::TO_TWO, "2", |order, _| arc(Riesz::ortigueira(order)?))
        .outside(outside::COMPACT),
];

impl Discretisation for Riesz {
    fn name(&self) -> (&'static str, &'static str) {
        (NAME, self.laplacian.name().1)
    }

    fn order(&self) -> Order {
        self.laplacian.order()
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        self.laplacian.signed_weights(-1.0, alpha, grid)
    }
}
