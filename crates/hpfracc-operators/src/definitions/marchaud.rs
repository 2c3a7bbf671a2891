use crate::definitions::entry::{Definition, Entry, Made, Range, arc, outside};
use crate::error::enough_samples;
use crate::schemes::l1;
use crate::schemes::pairs::{self, Pairs};
use crate::schemes::sequences::powers;
use crate::{Discretisation, Number, Result, StartCorrection, Toeplitz, Weights};
use hpfracc_types::{Grid, Order};

/// The Marchaud derivative of order 0 < alpha < 1: differences from the present value, weighted by
/// a power of the lag.
///
#[doc = formula!("marchaud", r"D^\alpha f(t) = \frac{\alpha}{\Gamma(1-\alpha)} \int_0^\infty \frac{f(t) - f(t-s)}{s^{1+\alpha}} \, ds")]
///
/// Its memory goes back to minus infinity, so the signal needs a [`Past`]. With zero before the
/// first sample it is the Riemann–Liouville derivative, with f(0) before it the Caputo derivative.
/// On the whole line `exp(l t) -> l^alpha exp(l t)`, and for periodic signals it is
/// [`Weyl`](crate::Weyl)'s.
///
/// The past is integrated exactly. Within the samples g(s) = f(t) - f(t-s) is interpolated, and the
/// integral is a sum over lags of differences of neighbours, since every rule that is exact on
/// constants can be summed by parts:
///
/// | constructor | interpolant of g | order for smooth f, at fixed t | for f ~ t^q |
/// |---|---|---|---|
/// | [`linear`](Self::linear) | linear in each cell: the weights of L1 | 2 - alpha | min(2 - alpha, q + 1) |
/// | [`quadratic`](Self::quadratic) | quadratic on pairs of cells counted back from t | 3 - alpha | min(3 - alpha, q + 1) |
///
/// With [`Past::Zero`] and f(0) not zero the value at the first sample is infinite. The entry there
/// is the derivative of a function that rises to f(0) within the step before: f(0)
/// h^-alpha/Gamma(2-alpha), finite and growing as the step shrinks. With [`Past::Held`] the value
/// there is 0, exactly.
///
/// Cost: one causal convolution, and a pass over the samples for each start correction, of which
/// the quadratic scheme has up to four.
///
/// Source: Marchaud, J. Math. Pures Appl. 6 (1927) 337; Samko, Kilbas and Marichev, Fractional
/// Integrals and Derivatives (1993), sections 5.4 and 13.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{Marchaud, Operator, Past};
/// use hpfracc_types::{Grid, Order};
/// use ndarray::Array1;
///
/// // exp(2 t) on samples that start where it is nearly zero: D^1/2 multiplies it by sqrt(2).
/// let grid = Grid::uniform(1001, 0.02)?;
/// let half = Marchaud::quadratic(Order::new(0.5)?, Past::Zero)?.on(grid, &Reference)?;
/// let f: Array1<f64> = grid.points().map(|t| (2.0 * (t - 20.0)).exp()).collect();
/// assert!((half.apply(f.view())?[1000] - 2f64.sqrt()).abs() < 1e-3);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Marchaud {
    order: Order,
    rule: Rule,
    past: Past,
}

/// The continuation of a signal before its first sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Past {
    /// Zero: f = 0.
    Zero,
    /// Constant: f = f(0).
    Held,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Rule {
    Linear,
    Quadratic,
}

const NAME: &str = "marchaud";

impl Marchaud {
    /// The piecewise linear interpolant; exact on 1 and t after the start.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha < 1.
    pub fn linear(order: Order, past: Past) -> Result<Self> {
        Self::checked(order, Rule::Linear, past)
    }

    /// The quadratic interpolant on pairs of cells counted back from t; where these leave the first
    /// cell over, the cubic through the first four samples. Exact on 1, t and t^2 after the start.
    ///
    /// Needs four samples; the value at the second one looks two samples ahead.
    ///
    /// Source of the order: Yan, Pal and Ford, BIT 54 (2014) 555, DOI 10.1007/s10543-013-0443-3,
    /// who interpolate the finite part in the same way.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha < 1.
    pub fn quadratic(order: Order, past: Past) -> Result<Self> {
        Self::checked(order, Rule::Quadratic, past)
    }

    fn checked(order: Order, rule: Rule, past: Past) -> Result<Self> {
        let derivative = Self { order, rule, past };
        Range::UNIT.check(derivative.name(), order)?;
        Ok(derivative)
    }
}

/// Weights of the first differences, to be multiplied by h^-alpha / Gamma(2-alpha): sums of the
/// weights of [`Pairs`] over the lags up to each. A whole number of pairs gives the value for a
/// constant up to there, alpha (alpha+1) int^k = (alpha+1) k^alpha as a finite part.
fn quadratic_weights<N: Number>(alpha: N, grid: Grid) -> Toeplitz<N> {
    let n = grid.n();
    // The integral's order.
    let alpha = alpha * -1.0;
    let pairs = Pairs::new(alpha, n);
    let factor = alpha + 1.0;
    let constants = powers(alpha, n + 1, |power| factor * power);
    let weight = |lag: usize| match lag {
        0 => pairs.near(1),
        _ if lag % 2 == 1 => constants[lag + 1] - pairs.far(lag),
        _ => constants[lag] + pairs.near(lag + 1),
    };
    let causal = (0..n).map(weight).collect();
    Toeplitz { starts: pairs.starts(), ..Toeplitz::of_differences(1, causal) }
}

const DEFINITION: &Definition = &Definition {
    name: NAME,
    title: "Marchaud derivative",
    formula: "alpha/Gamma(1-alpha) int_0^inf (f(t) - f(t-s)) s^(-1-alpha) ds",
    of_constants: "0 if held before the first sample; c t^-alpha/Gamma(1-alpha) if zero before it",
    of_powers: "t^q -> Gamma(q+1)/Gamma(q+1-alpha) t^(q-alpha), q > 0; exp(l t) -> l^alpha exp(l t) on the line",
    relation: "Riemann-Liouville with zero before the samples, Caputo with f(0) held, Weyl if periodic",
    source: "Marchaud, J. Math. Pures Appl. 6 (1927) 337",
    parameters: &[],
};

pub(crate) const ENTRIES: &[Entry] = &[
    entry("quadratic-zero", "3 - alpha", outside::ZERO, |order, _| {
        arc(Marchaud::quadratic(order, Past::Zero)?)
    }),
    entry("quadratic-held", "3 - alpha", outside::HELD, |order, _| {
        arc(Marchaud::quadratic(order, Past::Held)?)
    }),
    entry("linear-zero", "2 - alpha", outside::ZERO, |order, _| {
        arc(Marchaud::linear(order, Past::Zero)?)
    }),
    entry("linear-held", "2 - alpha", outside::HELD, |order, _| {
        arc(Marchaud::linear(order, Past::Held)?)
    }),
];

const fn entry(
    scheme: &'static str,
    accuracy: &'static str,
    outside: &'static str,
    make: fn(Order, &[f64]) -> Made,
) -> Entry {
    DEFINITION.scheme(scheme, Range::UNIT, accuracy, make).outside(outside)
}

impl Discretisation for Marchaud {
    fn name(&self) -> (&'static str, &'static str) {
        let scheme = match (self.rule, self.past) {
            (Rule::Linear, Past::Zero) => "linear-zero",
            (Rule::Linear, Past::Held) => "linear-held",
            (Rule::Quadratic, Past::Zero) => "quadratic-zero",
            (Rule::Quadratic, Past::Held) => "quadratic-held",
        };
        (NAME, scheme)
    }

    fn order(&self) -> Order {
        self.order
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        let mut weights = match self.rule {
            Rule::Linear => {
                enough_samples(self.name(), grid, 2)?;
                Weights::from(Toeplitz::of_differences(1, l1::weights(alpha, grid)))
            }
            Rule::Quadratic => {
                enough_samples(self.name(), grid, pairs::MIN_POINTS)?;
                Weights::from(quadratic_weights(alpha, grid)).scaled(l1::scale(alpha, grid.dt()))
            }
        };
        if let (Past::Zero, Weights::Toeplitz(toeplitz)) = (self.past, &mut weights) {
            let (column, stencil) = (l1::of_constant(alpha, grid), vec![1.0]);
            toeplitz.starts.push(StartCorrection { column, stencil });
        }
        Ok(weights)
    }
}
