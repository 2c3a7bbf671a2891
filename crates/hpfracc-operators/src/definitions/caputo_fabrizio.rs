use crate::definitions::entry::{Definition, Entry, Made, Range, arc};
use crate::definitions::normalisation;
use crate::error::no_recurrence;
use crate::memory::recurrence::{ROUNDING, Recurrence, Request, of_slopes};
use crate::memory::sum_of_exponentials::{mean, moment};
use crate::{Discretisation, FirstOrder, Normalisation, Number, Result, Weights};
use hpfracc_types::{Grid, Order};

/// The derivative of Caputo and Fabrizio, whose kernel is an exponential, and its integral,
/// 0 <= alpha <= 1.
///
#[doc = formula!("caputo_fabrizio", r"\text{derivative:}\quad \frac{M}{1-\alpha} \int_0^t e^{-l (t-s)} f'(s) \, ds, \quad l = \frac{\alpha}{1-\alpha}
    \text{integral:}\quad \frac{1-\alpha}{M} f + \frac{\alpha}{M} \int_0^t f(s) \, ds")]
///
/// Constants give 0, and every result starts at 0, whatever f'(0) is. It is no fractional
/// derivative of f but an ordinary first-order system driven by f':
/// `sin t -> (M/(1-alpha)) (l cos t + sin t - l exp(-l t))/(l^2+1)`,
/// `t -> (M/alpha) (1 - exp(-l t))`. At alpha = 0 it is M(0) (f - f(0)), at alpha = 1 M(1) times
/// the backward difference (f_n - f_{n-1})/h. The integral gives f - f(0) from the derivative.
///
/// Both take f as linear between samples, and are exact for such f: order 2 for smooth f, 1 for the
/// derivative at alpha = 1. Cost: one pass over the samples, O(n), limited by memory bandwidth; no
/// backend is used.
///
/// Sources: Caputo and Fabrizio, Progr. Fract. Differ. Appl. 1 (2015) 73, DOI 10.12785/pfda/010201;
/// the integral: Losada and Nieto, ibid. 87, DOI 10.12785/pfda/010202.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{CaputoFabrizio, Operator};
/// use hpfracc_types::{Grid, Order};
/// use ndarray::array;
///
/// let grid = Grid::uniform(3, 0.5)?;
/// let half = CaputoFabrizio::derivative(Order::new(0.5)?)?.on(grid, &Reference)?;
/// // Of t: 2 (1 - exp(-t))
/// let y = half.apply(array![0.0, 0.5, 1.0].view())?;
/// assert!((y[2] - 2.0 * (1.0 - (-1.0f64).exp())).abs() < 1e-15);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CaputoFabrizio {
    order: Order,
    kind: Kind,
    normalisation: Normalisation,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Derivative,
    Integral,
}

impl CaputoFabrizio {
    /// The derivative, M = 1.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 <= alpha <= 1.
    pub fn derivative(order: Order) -> Result<Self> {
        Self::new(order, Kind::Derivative)
    }

    /// The integral, M = 1.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 <= alpha <= 1.
    pub fn integral(order: Order) -> Result<Self> {
        Self::new(order, Kind::Integral)
    }

    /// The same with another M(alpha).
    pub fn with_normalisation(self, normalisation: Normalisation) -> Self {
        Self { normalisation, ..self }
    }

    fn new(order: Order, kind: Kind) -> Result<Self> {
        let made = Self { order, kind, normalisation: Normalisation::One };
        RANGE.check(made.name(), order)?;
        Ok(made)
    }

    /// For the derivative: the weight of the differences, `M/(1-alpha) (1 - exp(-x))/x`, and the
    /// rate `1 - exp(-x)`, x = l h.
    fn factor_and_rate<N: Number>(self, alpha: N, h: f64) -> (N, N) {
        let (m, rest) = (self.normalisation.value(alpha), -alpha + 1.0);
        // Infinite at alpha = 1, where nothing is remembered.
        let x = alpha / rest * h;
        let rate = x.chain(|x| -(-x).exp_m1(), |x, _| (-x).exp());
        if x.value() > 1.0 {
            return (m * rate / (alpha * h), rate);
        }
        (m / rest * x.chain(mean, |x, _| -moment(x)), rate)
    }
}

const RANGE: Range = Range::new("0 <= alpha <= 1", (0.0, 1.0), &[0.2, 0.7]);
const NAME: &str = "caputo-fabrizio";
const INTEGRAL_NAME: &str = "caputo-fabrizio-integral";

const DEFINITION: &Definition = &Definition {
    name: NAME,
    title: "Caputo-Fabrizio derivative",
    formula: "M/(1-alpha) int_0^t exp(-l (t-s)) f'(s) ds, l = alpha/(1-alpha)",
    of_constants: "0",
    of_powers: "t -> M/alpha (1 - exp(-l t)); t^q -> M/(1-alpha) Gamma(q+1) t^q E_{1,q+1}(-l t), q > 0",
    relation: "0 at the start, whatever f' is there; Caputo's with another kernel",
    source: "Caputo and Fabrizio, Progr. Fract. Differ. Appl. 1 (2015) 73, DOI 10.12785/pfda/010201",
    parameters: &[normalisation::PARAMETER],
};

const INTEGRAL: &Definition = &Definition {
    name: INTEGRAL_NAME,
    title: "Caputo-Fabrizio integral",
    formula: "(1-alpha)/M f + alpha/M int_0^t f(s) ds",
    of_constants: "c -> c (1-alpha)/M + c alpha/M t",
    of_powers: "t^q -> (1-alpha)/M t^q + alpha/M t^(q+1)/(q+1)",
    relation: "gives f - f(0) from the Caputo-Fabrizio derivative of f",
    source: "Losada and Nieto, Progr. Fract. Differ. Appl. 1 (2015) 87, DOI 10.12785/pfda/010202",
    parameters: DEFINITION.parameters,
};

fn made(constructor: fn(Order) -> Result<CaputoFabrizio>, order: Order, values: &[f64]) -> Made {
    let normalisation = Normalisation::of_number(values[0])?;
    arc(constructor(order)?.with_normalisation(normalisation))
}

pub(crate) const ENTRIES: &[Entry] = &[DEFINITION
    .scheme("recurrence", RANGE, "2; 1 at alpha = 1", |order, v| {
        made(CaputoFabrizio::derivative, order, v)
    })
    .costs("one pass")];

pub(crate) const INTEGRAL_ENTRIES: &[Entry] = &[INTEGRAL
    .scheme("recurrence", RANGE, "2", |order, v| made(CaputoFabrizio::integral, order, v))
    .costs("one pass")];

impl Discretisation for CaputoFabrizio {
    fn name(&self) -> (&'static str, &'static str) {
        match self.kind {
            Kind::Derivative => (NAME, "recurrence"),
            Kind::Integral => (INTEGRAL_NAME, "recurrence"),
        }
    }

    fn order(&self) -> Order {
        self.order
    }

    fn recurrence_at<N: Number>(&self, alpha: N, request: Request) -> Result<Recurrence<N>> {
        let dt = request.dt;
        Ok(match self.kind {
            Kind::Derivative if N::HAS_DERIVATIVE => {
                // The rate depends on the order.
                return Err(no_recurrence(self.name()));
            }
            Kind::Derivative => {
                let (factor, _) = self.factor_and_rate(alpha, dt);
                let p = alpha.value() / (1.0 - alpha.value()) * dt;
                of_slopes(request, ROUNDING, factor, vec![(p, factor * (-p).exp())])
            }
            Kind::Integral => {
                let m = self.normalisation.value(alpha);
                let cell = alpha / m * dt;
                let near = vec![(-alpha + 1.0) / m + cell * 0.5];
                // f_0 has half a cell.
                Recurrence::new(request, ROUNDING, near, [(0.0, cell)])
                    .with_start(vec![cell * -0.5], vec![-0.5])
            }
        })
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        let (n, h, zero) = (grid.n(), grid.dt(), N::constant(0.0));
        let map = match self.kind {
            Kind::Derivative => {
                let (factor, rate) = self.factor_and_rate(alpha, h);
                FirstOrder { n, direct: zero, rate, slope: factor, level: zero, start: zero }
            }
            Kind::Integral => {
                let m = self.normalisation.value(alpha);
                let (direct, cell) = ((-alpha + 1.0) / m, alpha / m * h);
                FirstOrder { n, direct, rate: zero, slope: cell * 0.5, level: cell, start: zero }
            }
        };
        Ok(map.into())
    }
}
