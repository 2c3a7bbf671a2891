use crate::SumOfExponentials;
use crate::catalogue::{Definition, Entry, Range, arc, cost, outside};
use crate::definitions::normalisation;
use crate::error::in_range;
use crate::memory::recurrence::{Asked, Recurrence, of_slopes, one_step_on};
use crate::schemes::cell_integrals::CellIntegrals;
use crate::{Normalisation, Operator, OperatorError, RlIntegral, Toeplitz, Weights};
use hpfracc_special::MittagLeffler;
use hpfracc_types::{Grid, Order};

/// The derivatives of Atangana and Baleanu, whose kernel is a Mittag-Leffler function, and their
/// integral, 0 < alpha < 1.
///
#[doc = formula!("atangana_baleanu", r"\text{caputo:}\quad \frac{B}{1-\alpha} \int_0^t E_\alpha(-l (t-s)^\alpha) f'(s) \, ds, \quad l = \frac{\alpha}{1-\alpha}
    \text{riemann:}\quad \frac{d}{dt} \frac{B}{1-\alpha} \int_0^t E_\alpha(-l (t-s)^\alpha) f(s) \, ds
    \text{integral:}\quad \frac{1-\alpha}{B} f + \frac{\alpha}{B} I^\alpha f")]
///
/// In the sense of Caputo constants give 0 and every result starts at 0, whatever f'(0) is: a differential
/// equation needs a right-hand side that vanishes there. `t^p -> (B/(1-alpha)) Gamma(p+1) t^p
/// E_{alpha,p+1}(-l t^alpha)`, p > 0. In the sense of Riemann the same formula holds from p = 0 on: there is
/// `f(0) B/(1-alpha) E_alpha(-l t^alpha)` more. The integral undoes the derivative in the sense of Riemann,
/// and gives f - f(0) from that in the sense of Caputo. As alpha falls to 0 the derivatives tend to f - f(0)
/// and f, as it rises to 1 to f'.
///
/// The schemes take f as linear between samples: order 2 for smooth f, exact on 1 and t; the integral is the
/// product trapezoid. Cost: one causal convolution; the weights take four evaluations of the kernel each,
/// about 0.1 microseconds a weight.
///
/// Source: Atangana and Baleanu, Thermal Science 20 (2016) 763, DOI 10.2298/TSCI160111018A.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{AtanganaBaleanu, Operator};
/// use hpfracc_special::mittag_leffler;
/// use hpfracc_types::{Grid, Order};
/// use ndarray::array;
///
/// let grid = Grid::uniform(3, 0.5)?;
/// let half = AtanganaBaleanu::caputo(Order::new(0.5)?)?.on(grid, &Reference)?;
/// // Of t at t = 1, where l = 1: 2 E_{1/2,2}(-1)
/// let y = half.apply(array![0.0, 0.5, 1.0].view())?;
/// assert!((y[2] - 2.0 * mittag_leffler(0.5, 2.0, -1.0)?).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AtanganaBaleanu {
    order: Order,
    sense: Sense,
    normalisation: Normalisation,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Sense {
    Caputo,
    Riemann,
    Integral,
}

impl Sense {
    fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Caputo => (CAPUTO.name, "l1"),
            Self::Riemann => (RIEMANN.name, "l1"),
            Self::Integral => (INTEGRAL.name, "trapezoid"),
        }
    }
}

impl AtanganaBaleanu {
    /// The derivative in the sense of Caputo, B = 1.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 0 < alpha < 1.
    pub fn caputo(order: Order) -> Result<Self, OperatorError> {
        Self::new(order, Sense::Caputo)
    }

    /// The derivative in the sense of Riemann, B = 1.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 0 < alpha < 1.
    pub fn riemann(order: Order) -> Result<Self, OperatorError> {
        Self::new(order, Sense::Riemann)
    }

    /// The integral, B = 1.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 0 < alpha < 1.
    pub fn integral(order: Order) -> Result<Self, OperatorError> {
        Self::new(order, Sense::Integral)
    }

    /// The same with another B(alpha).
    pub fn with_normalisation(self, normalisation: Normalisation) -> Self {
        Self { normalisation, ..self }
    }

    fn new(order: Order, sense: Sense) -> Result<Self, OperatorError> {
        let alpha = order.value();
        in_range(0.0 < alpha && alpha < 1.0, sense.name(), order, "0 < alpha < 1")?;
        Ok(Self { order, sense, normalisation: Normalisation::One })
    }

    /// B/(1-alpha) and its logarithmic derivative.
    fn factor(self) -> (f64, f64) {
        let alpha = self.order.value();
        let factor = self.normalisation.value(alpha) / (1.0 - alpha);
        (factor, self.normalisation.logarithmic_slope(alpha) + 1.0 / (1.0 - alpha))
    }

    /// The scheme from its weights by lag and its values at the nodes, of which the sense of Riemann
    /// makes the part of f(0).
    fn assembled(self, cells: Vec<f64>, nodes: impl FnOnce() -> Vec<f64>) -> Weights {
        let differences = Toeplitz::of_differences(1, cells);
        match self.sense {
            Sense::Riemann => differences.with_start(nodes(), vec![1.0]),
            _ => differences,
        }
        .into()
    }

    /// `identity f` more.
    fn with_identity(integral: Weights, identity: f64) -> Weights {
        match integral {
            Weights::Toeplitz(mut toeplitz) => {
                toeplitz.causal[0] += identity;
                toeplitz.into()
            }
            other => other,
        }
    }
}

/// `E_alpha(-y)` with `y = l (h t)^alpha`, t in steps.
struct Kernel {
    alpha: f64,
    /// l h^alpha, and its logarithmic derivative in alpha.
    rate: f64,
    rate_slope: f64,
    function: MittagLeffler,
}

impl Kernel {
    fn new(alpha: f64, grid: Grid) -> Self {
        let rate = alpha / (1.0 - alpha) * grid.dt().powf(alpha);
        let rate_slope = 1.0 / (alpha * (1.0 - alpha)) + grid.dt().ln();
        Self { alpha, rate, rate_slope, function: function(alpha, 1.0) }
    }

    fn arguments(&self, times: &[f64]) -> Vec<f64> {
        times.iter().map(|t| -self.rate * t.powf(self.alpha)).collect()
    }

    fn values(&self, times: &[f64], out: &mut [f64]) {
        self.function.eval_slice(&self.arguments(times), out).expect(DEFINED);
    }

    /// The derivative in alpha.
    fn slopes(&self, times: &[f64], out: &mut [f64]) {
        let arguments = self.arguments(times);
        let mut by_argument = vec![0.0; times.len()];
        self.function.slopes_slice(&arguments, &mut by_argument, out).expect(DEFINED);
        for (((out, slope), x), t) in out.iter_mut().zip(by_argument).zip(arguments).zip(times) {
            if *t > 0.0 {
                *out += slope * x * (self.rate_slope + t.ln());
            }
        }
    }

    /// Integrals over the cells; over the first, E_{alpha,2}(-rate).
    fn cells(&self, n: usize) -> Vec<f64> {
        let all = CellIntegrals::new(n, (0.0, 0.0), 0.0, |times, out| self.values(times, out));
        let mut cells = all.whole();
        cells[0] = function(self.alpha, 2.0).eval(-self.rate);
        cells
    }

    fn cell_slopes(&self, n: usize) -> Vec<f64> {
        let all = CellIntegrals::new(n, (0.0, 0.0), 0.0, |times, out| self.slopes(times, out));
        let mut cells = all.whole();
        let (mut by_argument, mut by_order) = ([0.0], [0.0]);
        function(self.alpha, 2.0)
            .slopes_slice(&[-self.rate], &mut by_argument, &mut by_order)
            .expect(DEFINED);
        cells[0] = by_order[0] - by_argument[0] * self.rate * self.rate_slope;
        cells
    }

    fn nodes(n: usize, values: impl FnOnce(&[f64], &mut [f64])) -> Vec<f64> {
        let times: Vec<f64> = (0..n).map(|k| k as f64).collect();
        let mut out = vec![0.0; n];
        values(&times, &mut out);
        out
    }
}

/// Orders between 0 and 1 and arguments that are not positive have values and slopes.
const DEFINED: &str = "the order and the arguments are in the range";

fn function(alpha: f64, beta: f64) -> MittagLeffler {
    MittagLeffler::new(alpha, beta).expect(DEFINED)
}

const CAPUTO: &Definition = &Definition {
    name: "atangana-baleanu-caputo",
    title: "Atangana-Baleanu derivative in the sense of Caputo",
    formula: "B/(1-alpha) int_0^t E_alpha(-l (t-s)^alpha) f'(s) ds, l = alpha/(1-alpha)",
    of_constants: "0",
    of_powers: "t^q -> B/(1-alpha) Gamma(q+1) t^q E_{alpha,q+1}(-l t^alpha), q > 0",
    relation: "0 at the start, whatever f' is there; Caputo's with another kernel",
    source: "Atangana and Baleanu, Thermal Science 20 (2016) 763, DOI 10.2298/TSCI160111018A",
    parameters: &[normalisation::PARAMETER],
};

const RIEMANN: &Definition = &Definition {
    name: "atangana-baleanu-riemann",
    title: "Atangana-Baleanu derivative in the sense of Riemann",
    formula: "d/dt B/(1-alpha) int_0^t E_alpha(-l (t-s)^alpha) f(s) ds, l = alpha/(1-alpha)",
    of_constants: "c -> c B/(1-alpha) E_alpha(-l t^alpha)",
    of_powers: "t^q -> B/(1-alpha) Gamma(q+1) t^q E_{alpha,q+1}(-l t^alpha), q > -1",
    relation: "that in the sense of Caputo plus f(0) B/(1-alpha) E_alpha(-l t^alpha)",
    source: CAPUTO.source,
    parameters: CAPUTO.parameters,
};

const INTEGRAL: &Definition = &Definition {
    name: "atangana-baleanu-integral",
    title: "Atangana-Baleanu integral",
    formula: "(1-alpha)/B f + alpha/B I^alpha f",
    of_constants: "c -> c (1-alpha)/B + c alpha/B t^alpha/Gamma(1+alpha)",
    of_powers: "t^q -> (1-alpha)/B t^q + alpha/B Gamma(q+1)/Gamma(q+1+alpha) t^(q+alpha)",
    relation: "undoes the derivative in the sense of Riemann",
    source: CAPUTO.source,
    parameters: CAPUTO.parameters,
};

pub(crate) const CAPUTO_ENTRIES: &[Entry] = &[Entry {
    definition: CAPUTO,
    scheme: "l1",
    range: Range::UNIT,
    accuracy: "2",
    cost: cost::CONVOLUTION,
    outside: outside::STARTS,
    make: |order, values| {
        let normalisation = Normalisation::of_number(values[0])?;
        arc(AtanganaBaleanu::caputo(order)?.with_normalisation(normalisation))
    },
}];

pub(crate) const RIEMANN_ENTRIES: &[Entry] = &[Entry {
    definition: RIEMANN,
    make: |order, values| {
        let normalisation = Normalisation::of_number(values[0])?;
        arc(AtanganaBaleanu::riemann(order)?.with_normalisation(normalisation))
    },
    ..CAPUTO_ENTRIES[0]
}];

pub(crate) const INTEGRAL_ENTRIES: &[Entry] = &[Entry {
    definition: INTEGRAL,
    scheme: "trapezoid",
    make: |order, values| {
        let normalisation = Normalisation::of_number(values[0])?;
        arc(AtanganaBaleanu::integral(order)?.with_normalisation(normalisation))
    },
    ..CAPUTO_ENTRIES[0]
}];

impl Operator for AtanganaBaleanu {
    fn name(&self) -> (&'static str, &'static str) {
        self.sense.name()
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
        let (alpha, two) = (self.order.value(), Grid::uniform(2, dt)?);
        if self.sense == Sense::Integral {
            let b = self.normalisation.value(alpha);
            let integral = RlIntegral::trapezoid(self.order)?.recurrence(dt, longest, tolerance)?;
            return Ok(integral.scaled(alpha / b).with_identity((1.0 - alpha) / b));
        }
        let asked = Asked::new(dt, longest, tolerance)?;
        let kernel = Kernel::new(alpha, two);
        // Below, rounding of the function itself is in sight.
        let (lags, aim) = (asked.lags(), asked.aim().max(1e-12));
        let sum = SumOfExponentials::of_mittag_leffler(alpha, kernel.rate, lags, aim)?;
        let error = Asked::bound(&sum);
        if error > tolerance {
            let kernel = format!("E_{alpha} with its bound");
            return Err(OperatorError::NoExponentials { kernel, ratio: lags.1, tolerance });
        }
        let (factor, _) = self.factor();
        let far = one_step_on(&sum, factor, &sum.cells(1.0));
        let caputo = of_slopes(asked, error, factor * kernel.cells(1)[0], far);
        Ok(match self.sense {
            // E_alpha(0) = 1.
            Sense::Riemann => caputo.with_jump(&sum, factor),
            _ => caputo,
        })
    }

    fn weights(&self, grid: Grid) -> Result<Weights, OperatorError> {
        let (alpha, n) = (self.order.value(), grid.n());
        if self.sense == Sense::Integral {
            let b = self.normalisation.value(alpha);
            let integral = RlIntegral::trapezoid(self.order)?.weights(grid)?.scaled(alpha / b);
            return Ok(Self::with_identity(integral, (1.0 - alpha) / b));
        }
        let kernel = Kernel::new(alpha, grid);
        let nodes = || Kernel::nodes(n, |times, out| kernel.values(times, out));
        Ok(self.assembled(kernel.cells(n), nodes).scaled(self.factor().0))
    }

    fn weights_order_derivative(&self, grid: Grid) -> Result<Weights, OperatorError> {
        let (alpha, n) = (self.order.value(), grid.n());
        if self.sense == Sense::Integral {
            let b = self.normalisation.value(alpha);
            let slope = self.normalisation.logarithmic_slope(alpha);
            let integral = RlIntegral::trapezoid(self.order)?;
            let sum = added(
                integral.weights(grid)?.scaled((1.0 - alpha * slope) / b),
                integral.weights_order_derivative(grid)?.scaled(alpha / b),
            );
            return Ok(Self::with_identity(sum, -(1.0 + (1.0 - alpha) * slope) / b));
        }
        let kernel = Kernel::new(alpha, grid);
        let (factor, slope) = self.factor();
        let nodes = || Kernel::nodes(n, |times, out| kernel.values(times, out));
        let node_slopes = || Kernel::nodes(n, |times, out| kernel.slopes(times, out));
        let values = self.assembled(kernel.cells(n), nodes).scaled(factor * slope);
        Ok(added(values, self.assembled(kernel.cell_slopes(n), node_slopes).scaled(factor)))
    }
}

/// The sum of two convolutions of the same structure.
fn added(a: Weights, b: Weights) -> Weights {
    match (a, b) {
        (Weights::Toeplitz(mut a), Weights::Toeplitz(b)) if a.differences == b.differences => {
            a.causal.iter_mut().zip(b.causal).for_each(|(a, b)| *a += b);
            b.starts
                .into_iter()
                .fold(a, |a, start| a.with_start(start.column, start.stencil))
                .into()
        }
        (a, b) => Weights::Sum(vec![a, b]),
    }
}
