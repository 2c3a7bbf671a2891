use crate::definitions::entry::{Definition, Entry, Made, Range, arc};
use crate::definitions::kind::Kind;
use crate::definitions::normalisation;
use crate::error::no_recurrence;
use crate::memory::recurrence::{Recurrence, Request, of_slopes, one_step_on};
use crate::schemes::cell_integrals::CellIntegrals;
use crate::{
    Discretisation, Normalisation, Number, OperatorError, Result, RlIntegral, SumOfExponentials,
    Toeplitz, Weights,
};
use hpfracc_special::{MittagLeffler, MittagLefflerGradient, Partials};
use hpfracc_types::{Grid, Order};

/// The derivatives of Atangana and Baleanu, whose kernel is a Mittag-Leffler function, and their
/// integral, 0 < alpha < 1.
///
#[doc = formula!("atangana_baleanu", r"\text{caputo:}\quad \frac{B}{1-\alpha} \int_0^t E_\alpha(-l (t-s)^\alpha) f'(s) \, ds, \quad l = \frac{\alpha}{1-\alpha}
    \text{riemann:}\quad \frac{d}{dt} \frac{B}{1-\alpha} \int_0^t E_\alpha(-l (t-s)^\alpha) f(s) \, ds
    \text{integral:}\quad \frac{1-\alpha}{B} f + \frac{\alpha}{B} I^\alpha f")]
///
/// In the sense of Caputo constants give 0 and every result starts at 0, whatever f'(0) is: a
/// differential equation needs a right-hand side that vanishes there.
/// `t^p -> (B/(1-alpha)) Gamma(p+1) t^p E_{alpha,p+1}(-l t^alpha)`, p > 0. In the sense of Riemann
/// the same formula holds from p = 0 on: there is `f(0) B/(1-alpha) E_alpha(-l t^alpha)` more. The
/// integral undoes the derivative in the sense of Riemann, and gives f - f(0) from that in the
/// sense of Caputo. As alpha falls to 0 the derivatives tend to f - f(0) and f, as it rises to 1 to
/// f'.
///
/// The schemes take f as linear between samples: order 2 for smooth f, exact on 1 and t; the
/// integral is the product trapezoid. Cost: one causal convolution; the weights take four
/// evaluations of the kernel each, about 0.1 microseconds a weight.
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
    kind: Kind,
    normalisation: Normalisation,
}

impl AtanganaBaleanu {
    /// The derivative in the sense of Caputo, B = 1.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 0 < alpha < 1.
    pub fn caputo(order: Order) -> Result<Self> {
        Self::new(order, Kind::Caputo)
    }

    /// The derivative in the sense of Riemann, B = 1.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 0 < alpha < 1.
    pub fn riemann(order: Order) -> Result<Self> {
        Self::new(order, Kind::RiemannLiouville)
    }

    /// The integral, B = 1.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 0 < alpha < 1.
    pub fn integral(order: Order) -> Result<Self> {
        Self::new(order, Kind::Integral)
    }

    /// The same with another B(alpha).
    pub fn with_normalisation(self, normalisation: Normalisation) -> Self {
        Self { normalisation, ..self }
    }

    fn new(order: Order, kind: Kind) -> Result<Self> {
        let made = Self { order, kind, normalisation: Normalisation::One };
        Range::UNIT.check(made.name(), order)?;
        Ok(made)
    }

    /// B/(1-alpha).
    fn factor<N: Number>(self, alpha: N) -> N {
        self.normalisation.value(alpha) / (-alpha + 1.0)
    }
}

/// `E_alpha(-y)` with `y = l (h t)^alpha`, t in steps.
struct Kernel<N> {
    alpha: N,
    /// l h^alpha.
    rate: N,
    function: MittagLeffler,
}

impl<N: Number> Kernel<N> {
    fn new(alpha: N, grid: Grid) -> Self {
        let rate = alpha / (-alpha + 1.0) * N::constant(grid.dt()).powf(alpha);
        Self { alpha, rate, function: function(alpha.value(), 1.0) }
    }

    /// Values at many times.
    fn values(&self, times: &[f64], out: &mut [N]) {
        let argument = |t: &f64| match t {
            0.0 => N::constant(-0.0),
            t => -self.rate * N::constant(*t).powf(self.alpha),
        };
        let arguments: Vec<N> = times.iter().map(argument).collect();
        mittag_leffler(&self.function, self.alpha, &arguments, out);
    }

    /// Integrals over the cells; over the first, E_{alpha,2}(-rate).
    fn cells(&self, n: usize) -> Vec<N> {
        let zero = N::constant(0.0);
        let all = CellIntegrals::new(n, (zero, zero), 0.0, |times, out| self.values(times, out));
        let mut cells = all.whole();
        let function = function(self.alpha.value(), 2.0);
        mittag_leffler(&function, self.alpha, &[-self.rate], &mut cells[..1]);
        cells
    }

    fn nodes(&self, n: usize) -> Vec<N> {
        let times: Vec<f64> = (0..n).map(|k| k as f64).collect();
        let mut out = vec![N::constant(0.0); n];
        self.values(&times, &mut out);
        out
    }
}

/// `E_{alpha,beta}` at many arguments that are not positive, with `function` made for alpha and
/// beta.
fn mittag_leffler<N: Number>(function: &MittagLeffler, alpha: N, arguments: &[N], out: &mut [N]) {
    let n = arguments.len();
    let x: Vec<f64> = arguments.iter().map(|x| x.value()).collect();
    let mut values = vec![0.0; n];
    function.eval_slice(&x, &mut values).expect(DEFINED);
    let (mut by_argument, mut by_order) = (Vec::new(), Vec::new());
    if N::HAS_DERIVATIVE {
        (by_argument, by_order) = (vec![0.0; n], vec![0.0; n]);
        let (z, alpha) = (Some(&mut by_argument[..]), Some(&mut by_order[..]));
        let gradient = MittagLefflerGradient::new(function.alpha(), function.beta());
        let out = Partials { z, alpha, ..Partials::default() };
        gradient.expect(DEFINED).eval_slice(&x, out).expect(DEFINED);
    }
    for (i, (out, value)) in out.iter_mut().zip(values).enumerate() {
        let derivative = match N::HAS_DERIVATIVE {
            true => by_order[i] * alpha.derivative() + by_argument[i] * arguments[i].derivative(),
            false => 0.0,
        };
        *out = N::new(value, derivative);
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
    ..*CAPUTO
};

const INTEGRAL: &Definition = &Definition {
    name: "atangana-baleanu-integral",
    title: "Atangana-Baleanu integral",
    formula: "(1-alpha)/B f + alpha/B I^alpha f",
    of_constants: "c -> c (1-alpha)/B + c alpha/B t^alpha/Gamma(1+alpha)",
    of_powers: "t^q -> (1-alpha)/B t^q + alpha/B Gamma(q+1)/Gamma(q+1+alpha) t^(q+alpha)",
    relation: "undoes the derivative in the sense of Riemann",
    ..*CAPUTO
};

fn made(constructor: fn(Order) -> Result<AtanganaBaleanu>, order: Order, values: &[f64]) -> Made {
    let normalisation = Normalisation::of_number(values[0])?;
    arc(constructor(order)?.with_normalisation(normalisation))
}

pub(crate) const CAPUTO_ENTRIES: &[Entry] =
    &[CAPUTO.scheme("l1", Range::UNIT, "2", |order, v| made(AtanganaBaleanu::caputo, order, v))];

pub(crate) const RIEMANN_ENTRIES: &[Entry] =
    &[RIEMANN.scheme("l1", Range::UNIT, "2", |order, v| made(AtanganaBaleanu::riemann, order, v))];

pub(crate) const INTEGRAL_ENTRIES: &[Entry] =
    &[INTEGRAL.scheme("trapezoid", Range::UNIT, "2", |order, v| {
        made(AtanganaBaleanu::integral, order, v)
    })];

impl Discretisation for AtanganaBaleanu {
    fn name(&self) -> (&'static str, &'static str) {
        self.kind.name([INTEGRAL, RIEMANN, CAPUTO])
    }

    fn order(&self) -> Order {
        self.order
    }

    fn recurrence_at<N: Number>(&self, alpha: N, request: Request) -> Result<Recurrence<N>> {
        if self.kind == Kind::Integral {
            let b = self.normalisation.value(alpha);
            let integral = RlIntegral::trapezoid(self.order)?.recurrence_at(alpha, request)?;
            return Ok(integral.scaled(alpha / b).with_identity((-alpha + 1.0) / b));
        }
        if N::HAS_DERIVATIVE {
            // The weights of the nodes are known for one order only.
            return Err(no_recurrence(self.name()));
        }
        let Request { dt, tolerance, .. } = request;
        let kernel = Kernel::new(alpha, Grid::uniform(2, dt)?);
        // Below 1e-12 the rounding of the function itself is visible.
        let (lags, aim) = (request.lags(), request.aim().max(1e-12));
        let (order, rate) = (alpha.value(), kernel.rate.value());
        let sum = SumOfExponentials::of_mittag_leffler(order, rate, lags, aim)?;
        let error = Request::bound(&sum);
        if error > tolerance {
            let kernel = format!("E_{order} with its bound");
            return Err(OperatorError::NoExponentials { kernel, ratio: lags.1, tolerance });
        }
        let factor = self.factor(alpha);
        let far = one_step_on(&sum, factor, &sum.cells(1.0));
        let caputo = of_slopes(request, error, factor * kernel.cells(1)[0], far);
        Ok(match self.kind {
            // E_alpha(0) = 1.
            Kind::RiemannLiouville => caputo.with_jump(&sum, factor),
            _ => caputo,
        })
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        if self.kind == Kind::Integral {
            let b = self.normalisation.value(alpha);
            let integral = RlIntegral::trapezoid(self.order)?.weights_at(alpha, grid)?;
            let mut integral = integral.scaled(alpha / b);
            if let Weights::Toeplitz(toeplitz) = &mut integral {
                toeplitz.causal[0] = toeplitz.causal[0] + (-alpha + 1.0) / b;
            }
            return Ok(integral);
        }
        let (kernel, n) = (Kernel::new(alpha, grid), grid.n());
        let mut differences = Toeplitz::of_differences(1, kernel.cells(n));
        if self.kind == Kind::RiemannLiouville {
            differences = differences.with_start(kernel.nodes(n), vec![1.0]);
        }
        Ok(Weights::from(differences).scaled(self.factor(alpha)))
    }
}
