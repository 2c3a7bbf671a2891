use crate::catalogue::{Definition, Entry, Range, arc, outside};
use crate::definitions::normalisation;
use crate::error::in_range;
use crate::memory::recurrence::{Asked, ROUNDING, Recurrence, of_slopes};
use crate::memory::sum_of_exponentials::{mean, moment};
use crate::{FirstOrder, Normalisation, Operator, OperatorError, Weights};
use hpfracc_types::{Grid, Order};

/// The derivative of Caputo and Fabrizio, whose kernel is an exponential, and its integral,
/// 0 <= alpha <= 1.
///
#[doc = formula!("caputo_fabrizio", r"\text{derivative:}\quad \frac{M}{1-\alpha} \int_0^t e^{-l (t-s)} f'(s) \, ds, \quad l = \frac{\alpha}{1-\alpha}
    \text{integral:}\quad \frac{1-\alpha}{M} f + \frac{\alpha}{M} \int_0^t f(s) \, ds")]
///
/// Constants give 0, and every result starts at 0, whatever f'(0) is. It is no fractional derivative of f but
/// an ordinary first-order system driven by f': `sin t -> (M/(1-alpha)) (l cos t + sin t - l
/// exp(-l t))/(l^2+1)`, `t -> (M/alpha) (1 - exp(-l t))`. At alpha = 0 it is M(0) (f - f(0)), at alpha = 1
/// M(1) times the backward difference (f_n - f_{n-1})/h. The integral gives f - f(0) from the derivative.
///
/// Both take f as linear between samples, and are exact for such f: order 2 for smooth f, 1 for the
/// derivative at alpha = 1. Cost: one pass over the samples, O(n), at the speed of memory; no backend is
/// asked.
///
/// Sources: Caputo and Fabrizio, Progr. Fract. Differ. Appl. 1 (2015) 73, DOI 10.12785/pfda/010201; the
/// integral: Losada and Nieto, ibid. 87, DOI 10.12785/pfda/010202.
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
    /// [`OperatorError::OutOfRange`] unless 0 <= alpha <= 1.
    pub fn derivative(order: Order) -> Result<Self, OperatorError> {
        Self::new(order, Kind::Derivative)
    }

    /// The integral, M = 1.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 0 <= alpha <= 1.
    pub fn integral(order: Order) -> Result<Self, OperatorError> {
        Self::new(order, Kind::Integral)
    }

    /// The same with another M(alpha).
    pub fn with_normalisation(self, normalisation: Normalisation) -> Self {
        Self { normalisation, ..self }
    }

    fn new(order: Order, kind: Kind) -> Result<Self, OperatorError> {
        let made = Self { order, kind, normalisation: Normalisation::One };
        in_range(order.value() <= 1.0, made.name(), order, RANGE.text)?;
        Ok(made)
    }

    /// `factor` times the sum of the differences, each with what the kernel leaves of it, 1 - r to a
    /// step.
    fn memory(grid: Grid, rate: f64, factor: f64) -> FirstOrder {
        FirstOrder { n: grid.n(), direct: 0.0, rate, slope: factor, level: 0.0, start: 0.0 }
    }

    /// `identity f + memory int f`.
    fn of_integral(grid: Grid, identity: f64, memory: f64) -> Weights {
        let cell = memory * grid.dt();
        let (slope, level) = (0.5 * cell, cell);
        FirstOrder { n: grid.n(), direct: identity, rate: 0.0, slope, level, start: 0.0 }.into()
    }
}

/// The factor of the differences and r, with their derivatives in alpha.
struct Numbers {
    factor: f64,
    factor_slope: f64,
    rate: f64,
    rate_slope: f64,
}

impl Numbers {
    /// With x = l h: factor = M/(1-alpha) (1 - exp(-x))/x = M (1 - exp(-x))/(alpha h).
    fn new(alpha: f64, m: Normalisation, grid: Grid) -> Self {
        let (h, rest) = (grid.dt(), 1.0 - alpha);
        let x = alpha / rest * h;
        let left = (-x).exp();
        let rate = -(-x).exp_m1();
        // dx/d alpha = h/(1-alpha)^2, infinite at alpha = 1, where nothing is left.
        let rate_slope = if left == 0.0 { 0.0 } else { left * h / (rest * rest) };
        let (value, slope) = (m.value(alpha), m.logarithmic_slope(alpha));
        if x > 1.0 {
            let factor = value * rate / (alpha * h);
            let factor_slope = factor * (slope - 1.0 / alpha) + value * rate_slope / (alpha * h);
            return Self { factor, factor_slope, rate, rate_slope };
        }
        let factor = value / rest * mean(x);
        let factor_slope =
            factor * (slope + 1.0 / rest) - value / rest * moment(x) * h / (rest * rest);
        Self { factor, factor_slope, rate, rate_slope }
    }
}

const RANGE: Range = Range { text: "0 <= alpha <= 1", examples: &[0.2, 0.7] };
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

pub(crate) const ENTRIES: &[Entry] = &[Entry {
    definition: DEFINITION,
    scheme: "recurrence",
    range: RANGE,
    accuracy: "2; 1 at alpha = 1",
    cost: "one pass",
    outside: outside::STARTS,
    make: |order, values| {
        let normalisation = Normalisation::of_number(values[0])?;
        arc(CaputoFabrizio::derivative(order)?.with_normalisation(normalisation))
    },
}];

pub(crate) const INTEGRAL_ENTRIES: &[Entry] = &[Entry {
    definition: INTEGRAL,
    accuracy: "2",
    make: |order, values| {
        let normalisation = Normalisation::of_number(values[0])?;
        arc(CaputoFabrizio::integral(order)?.with_normalisation(normalisation))
    },
    ..ENTRIES[0]
}];

impl Operator for CaputoFabrizio {
    fn name(&self) -> (&'static str, &'static str) {
        match self.kind {
            Kind::Derivative => (NAME, "recurrence"),
            Kind::Integral => (INTEGRAL_NAME, "recurrence"),
        }
    }

    fn order(&self) -> Order {
        self.order
    }

    fn recurrence(
        &self,
        dt: f64,
        longest: u64,
        tolerance: f64,
    ) -> Result<Recurrence, OperatorError> {
        let asked = Asked::new(dt, longest, tolerance)?;
        let (alpha, two) = (self.order.value(), Grid::uniform(2, dt)?);
        Ok(match self.kind {
            Kind::Derivative => {
                let factor = Numbers::new(alpha, self.normalisation, two).factor;
                // Infinite at alpha = 1, where nothing is remembered.
                let p = alpha / (1.0 - alpha) * dt;
                of_slopes(asked, ROUNDING, factor, vec![(p, factor * (-p).exp())])
            }
            Kind::Integral => {
                let m = self.normalisation.value(alpha);
                let cell = alpha / m * dt;
                let near = vec![(1.0 - alpha) / m + 0.5 * cell];
                // f_0 has half a cell.
                Recurrence::new(asked, ROUNDING, near, [(0.0, cell)])
                    .with_start(vec![-0.5 * cell], vec![-0.5])
            }
        })
    }

    fn weights(&self, grid: Grid) -> Result<Weights, OperatorError> {
        let alpha = self.order.value();
        Ok(match self.kind {
            Kind::Derivative => {
                let Numbers { factor, rate, .. } = Numbers::new(alpha, self.normalisation, grid);
                Self::memory(grid, rate, factor).into()
            }
            Kind::Integral => {
                let m = self.normalisation.value(alpha);
                Self::of_integral(grid, (1.0 - alpha) / m, alpha / m)
            }
        })
    }

    fn weights_order_derivative(&self, grid: Grid) -> Result<Weights, OperatorError> {
        let alpha = self.order.value();
        Ok(match self.kind {
            Kind::Derivative => {
                let Numbers { factor, factor_slope, rate, rate_slope } =
                    Numbers::new(alpha, self.normalisation, grid);
                // d/dE of 1/(1 - E x), E the decay and x the delay, is x/(1 - E x)^2: twice the recurrence.
                let delayed =
                    FirstOrder { slope: 0.0, level: -rate_slope, ..Self::memory(grid, rate, 0.0) };
                let twice =
                    Weights::Product(vec![delayed.into(), Self::memory(grid, rate, factor).into()]);
                Weights::Sum(vec![Self::memory(grid, rate, factor_slope).into(), twice])
            }
            Kind::Integral => {
                let m = self.normalisation.value(alpha);
                let slope = self.normalisation.logarithmic_slope(alpha);
                let identity = -(1.0 + (1.0 - alpha) * slope) / m;
                Self::of_integral(grid, identity, (1.0 - alpha * slope) / m)
            }
        })
    }
}
