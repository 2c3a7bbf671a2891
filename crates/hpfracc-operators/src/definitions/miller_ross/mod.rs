mod start_value;

use crate::definitions::caputo::quadratic::l1_2;
use crate::definitions::entry::{Definition, Entry, Made, Parameter, Range, arc};
use crate::error::{demand, enough_samples};
use crate::{Discretisation, GrunwaldLetnikov, Number, Result, StartCorrection, Weights};
use hpfracc_types::{Grid, Order};

/// The sequential derivative of Miller and Ross: the same fractional derivative applied several
/// times.
///
#[doc = formula!("miller_ross", r"D^{m \alpha} f = D^\alpha D^\alpha \cdots D^\alpha f, \quad m = \text{times}")]
///
/// with the Caputo or the Riemann–Liouville derivative of order 0 < alpha < 1 as its factor. It is
/// not the derivative of order m alpha, since orders of these derivatives do not add: two Caputo
/// derivatives take `t^alpha -> Gamma(alpha+1) -> 0`, where that of order 2 alpha gives
/// `Gamma(alpha+1)/Gamma(1-alpha) t^-alpha`; two Riemann–Liouville derivatives take
/// `t^(alpha-1) -> 0`, where that of order 2 alpha gives `Gamma(alpha)/Gamma(-alpha) t^(-alpha-1)`.
/// For an f that starts at zero with its derivatives up to the order m alpha, all agree.
///
/// On samples only the Caputo factors make a difference. A second Riemann–Liouville derivative
/// differs from that of order 2 alpha by the value of `I^(1-alpha) f` at 0, which is zero if f is
/// bounded there; [`riemann_liouville`](Self::riemann_liouville) is the Riemann–Liouville
/// derivative of order m alpha, computed in m steps, also where f(0) is not 0 and the steps between
/// are too singular to be integrated.
///
/// [`Operator::order`](crate::Operator::order) is alpha, the order of one factor, and the gradient
/// with respect to the order is that with respect to alpha, by the product rule.
///
/// `times` = m is 1 to [`MillerRoss::MOST`] with Riemann–Liouville factors and 1 or 2 with Caputo
/// factors. A Caputo derivative needs the value at 0 of the one before. The second one's comes from
/// a fit to the first samples, see below; the coefficients of all t^(k alpha), k < m, that a
/// further one would need cannot be determined from samples in double precision, and without them
/// the result is wrong at every t.
///
/// | constructor | factor | order for smooth f with f'(0), at fixed t | for f ~ t^q |
/// |---|---|---|---|
/// | [`caputo`](Self::caputo), m = 2 | [`Caputo::l1_2`](crate::Caputo::l1_2) | 2 - alpha | min(3 - alpha, q - alpha) |
/// | [`riemann_liouville`](Self::riemann_liouville) | [`GrunwaldLetnikov::bdf`] 2 | 2; 1 if f(0) is not 0 | min(2, q + 1) |
///
/// The second Caputo derivative is that of the first one less its value at 0, Gamma(alpha+1) times
/// the coefficient of t^alpha in f. It is fitted to the first five samples by t^alpha, t^(2 alpha),
/// t and t^2, so that any other power q costs h^(q - alpha); for these four the order is min(3 -
/// alpha, q + 1 - alpha).
///
/// The Riemann–Liouville factors' generating functions multiply, and no order is lost.
///
/// Cost: m causal convolutions; for the gradient in alpha m^2.
///
/// Source: Miller and Ross, An Introduction to the Fractional Calculus and Fractional Differential
/// Equations (1993), chapter VI.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{MillerRoss, Operator};
/// use hpfracc_types::{Grid, Order};
/// use ndarray::Array1;
///
/// // Two Caputo derivatives of order 1/2 take sqrt(t) to a constant and then to zero.
/// let grid = Grid::uniform(1001, 0.001)?;
/// let twice = MillerRoss::caputo(Order::new(0.5)?, 2)?.on(grid, &Reference)?;
/// let f: Array1<f64> = grid.points().map(f64::sqrt).collect();
/// assert!(twice.apply(f.view())?[1000].abs() < 1e-3);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MillerRoss {
    order: Order,
    factor: Factor,
    times: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Factor {
    Caputo,
    RiemannLiouville(GrunwaldLetnikov),
}

const NAME: &str = "miller-ross";

impl MillerRoss {
    /// The largest number of Riemann–Liouville factors.
    pub const MOST: usize = 8;

    /// The largest number of Caputo factors.
    pub const MOST_CAPUTO: usize = 2;

    /// `times` Caputo derivatives of this order. Two need five samples.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha < 1,
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) unless `times` is 1 or 2.
    pub fn caputo(order: Order, times: usize) -> Result<Self> {
        Range::UNIT.check((NAME, "caputo"), order)?;
        checked(times, Self::MOST_CAPUTO, CAPUTO_TIMES)?;
        Ok(Self { order, factor: Factor::Caputo, times })
    }

    /// `times` Riemann–Liouville derivatives of this order. The first entries approximate values
    /// that are infinite unless f(0) = 0, and grow as h^-(m alpha).
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha < 1,
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) unless `times` is 1 to
    /// [`MillerRoss::MOST`].
    pub fn riemann_liouville(order: Order, times: usize) -> Result<Self> {
        Range::UNIT.check((NAME, "riemann-liouville"), order)?;
        checked(times, Self::MOST, TIMES)?;
        let factor = Factor::RiemannLiouville(GrunwaldLetnikov::bdf(order, 2)?);
        Ok(Self { order, factor, times })
    }

    /// Number of factors.
    pub fn times(&self) -> usize {
        self.times
    }

    /// The value of the first derivative at 0, which enters the second. L1-2 itself gives 0 there.
    fn start_value<N: Number>(self, alpha: N, grid: Grid) -> Result<Vec<StartCorrection<N>>> {
        enough_samples(self.name(), grid, 1 + start_value::SAMPLES)?;
        let gamma = (alpha + 1.0).recip_gamma().recip();
        let scale = gamma * N::constant(grid.dt()).powf(alpha * -1.0);
        let start = |(i, weight): (usize, N)| {
            let mut column = vec![N::constant(0.0); grid.n()];
            column[0] = scale * weight;
            let mut stencil = vec![0.0; i + 2];
            (stencil[0], stencil[i + 1]) = (-1.0, 1.0);
            StartCorrection { column, stencil }
        };
        Ok(start_value::weights(alpha).into_iter().enumerate().map(start).collect())
    }
}

const TIMES: &str = "a whole number from 1 to 8";
const CAPUTO_TIMES: &str =
    "1 or 2 with Caputo factors: samples do not tell what a third one would start with";

fn checked(times: usize, most: usize, expected: &'static str) -> Result<()> {
    demand(("times", times as f64, (1..=most).contains(&times), expected))
}

/// The number of factors from a parameter of the catalogue.
fn whole(times: f64) -> Result<usize> {
    let inside = times.fract() == 0.0 && (1.0..=MillerRoss::MOST as f64).contains(&times);
    demand(("times", times, inside, TIMES))?;
    Ok(times as usize)
}

const DEFINITION: &Definition = &Definition {
    name: NAME,
    title: "Miller-Ross sequential derivative",
    formula: "D^alpha D^alpha .. D^alpha f, times factors",
    of_constants: "Caputo factors: 0; Riemann-Liouville factors: c -> c t^-(m alpha)/Gamma(1-m alpha)",
    of_powers: "t^q -> Gamma(q+1)/Gamma(q+1-m alpha) t^(q-m alpha), or 0 once a factor makes it 0",
    relation: "with Caputo factors not the Caputo derivative of order m alpha unless the record starts flat; with Riemann-Liouville factors that of order m alpha for bounded records",
    source: "Miller and Ross, An Introduction to the Fractional Calculus (1993), chapter VI",
    parameters: &[Parameter {
        name: "times",
        meaning: "how many derivatives of order alpha follow each other",
        range: "1 or 2 with Caputo, a whole number from 1 to 8 with Riemann-Liouville factors",
        default: Some(2.0),
        example: 2.0,
    }],
};

const COST: &str = "times causal convolutions";

pub(crate) const ENTRIES: &[Entry] = &[
    entry("caputo", "2 - alpha; 3 - alpha if flat at 0 or times = 1", |order, v| {
        arc(MillerRoss::caputo(order, whole(v[0])?)?)
    }),
    entry("riemann-liouville", "2; 1 if f(0) is not 0", |order, v| {
        arc(MillerRoss::riemann_liouville(order, whole(v[0])?)?)
    }),
];

const fn entry(
    scheme: &'static str,
    accuracy: &'static str,
    make: fn(Order, &[f64]) -> Made,
) -> Entry {
    DEFINITION.scheme(scheme, Range::UNIT, accuracy, make).costs(COST)
}

impl Discretisation for MillerRoss {
    fn name(&self) -> (&'static str, &'static str) {
        let factor = match self.factor {
            Factor::Caputo => "caputo",
            Factor::RiemannLiouville(_) => "riemann-liouville",
        };
        (NAME, factor)
    }

    fn order(&self) -> Order {
        self.order
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        let factors = match self.factor {
            Factor::Caputo => {
                let first = l1_2(alpha, grid);
                let mut others = first.clone();
                if self.times > 1 {
                    others.starts.extend(self.start_value(alpha, grid)?);
                }
                let mut factors = vec![first.into()];
                factors.resize(self.times, others.into());
                factors
            }
            Factor::RiemannLiouville(factor) => vec![factor.weights_at(alpha, grid)?; self.times],
        };
        Ok(Weights::Product(factors))
    }
}
