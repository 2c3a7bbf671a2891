mod simpson;

use crate::definitions::entry::{Definition, Entry, Range, arc};
use crate::error::{enough_samples, in_range, no_recurrence, uniform_only};
use crate::memory::recurrence::{PowerNodes, Recurrence, Request};
use crate::schemes::cells::{Cells, steps};
use crate::schemes::pairs;
use crate::schemes::sequences::{self, powers, second_differences_of_powers};
use crate::{Discretisation, MeshMemory, Number, Result, Toeplitz, Weights};
use hpfracc_types::{Grid, Mesh, Order};

/// The Riemann–Liouville integral of order 0 < alpha <= 20.
///
#[doc = formula!("rl_integral", r"I^\alpha f(t) = \frac{1}{\Gamma(\alpha)} \int_0^t (t-s)^{\alpha-1} f(s) \, ds")]
///
/// `I^alpha t^q = Gamma(q+1)/Gamma(q+1+alpha) t^(q+alpha)`; integrals compose,
/// `I^alpha I^beta = I^(alpha+beta)`, and `I^1` is the ordinary integral.
///
/// | constructor | interpolant | order for smooth f | for f ~ t^q, at fixed t |
/// |---|---|---|---|
/// | [`rectangle`](Self::rectangle) | left value of each cell | 1 | 1 |
/// | [`trapezoid`](Self::trapezoid) | linear in each cell | 2 | min(2, 1 + q) |
/// | [`simpson`](Self::simpson) | quadratic on pairs of cells | min(4, 3 + alpha) | min(4, 3 + alpha, 1 + q) |
///
/// All integrate their interpolant exactly against the kernel. Cost: one causal convolution. On a
/// mesh the first two are the same, whatever the steps; by exponentials up to alpha = 2, exactly
/// for every order.
///
/// Source: Diethelm, Ford and Freed, Nonlinear Dyn. 29 (2002) 3, DOI 10.1023/A:1016592219341,
/// whose predictor and corrector the first two are.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{Operator, RlIntegral};
/// use hpfracc_types::{Grid, Mesh, Order};
/// use ndarray::array;
///
/// let grid = Grid::uniform(3, 0.5)?;
/// let once = RlIntegral::trapezoid(Order::new(1.0)?)?.on(grid, &Reference)?;
/// let area = once.apply(array![0.0, 1.0, 2.0].view())?;
/// assert_eq!(area, array![0.0, 0.25, 1.0]);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RlIntegral {
    order: Order,
    rule: Rule,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Rule {
    Rectangle,
    Trapezoid,
    Simpson,
}

impl Rule {
    /// The rule's weights carry the factor h^alpha / Gamma(alpha + shift).
    fn shift(self) -> f64 {
        match self {
            Self::Rectangle => 1.0,
            Self::Trapezoid | Self::Simpson => 2.0,
        }
    }
}

const NAME: &str = "rl-integral";

impl RlIntegral {
    /// The product rectangle rule: `h^alpha/Gamma(alpha+1) sum_{j<n} ((n-j)^alpha -
    /// (n-1-j)^alpha) f_j`.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha <= 20.
    pub fn rectangle(order: Order) -> Result<Self> {
        Self::checked(order, Rule::Rectangle)
    }

    /// The product trapezoidal rule; exact on 1 and t.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha <= 20.
    pub fn trapezoid(order: Order) -> Result<Self> {
        Self::checked(order, Rule::Trapezoid)
    }

    /// The product Simpson rule: the quadratic interpolant on pairs of cells counted back from t,
    /// so that weights depend on the lag and its parity; at odd n the first cell, which the pairs
    /// leave over, takes the cubic through the first four samples.
    ///
    /// For f in C^4 the order is min(4, 3 + alpha): the pair next to t, where the kernel is
    /// singular or steep, costs h^(3 + alpha), all the others h^4 together. Exact on 1, t and t^2,
    /// at alpha = 1 on t^3 too, where it is Simpson's rule. A start t^q with q not whole costs
    /// h^(1 + q).
    ///
    /// Needs four samples; the value at the second one looks two samples ahead. Errors at even and
    /// at odd nodes differ, so that they alternate in time.
    ///
    /// Source: Linz, Analytical and Numerical Methods for Volterra Equations (1985), DOI
    /// 10.1137/1.9781611970852, on product integration.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha <= 20.
    pub fn simpson(order: Order) -> Result<Self> {
        Self::checked(order, Rule::Simpson)
    }

    fn checked(order: Order, rule: Rule) -> Result<Self> {
        let integral = Self { order, rule };
        Range::POSITIVE_TO_TWENTY.check(integral.name(), order)?;
        Ok(integral)
    }

    fn check_grid(self, grid: Grid) -> Result<()> {
        let needed = match self.rule {
            Rule::Rectangle | Rule::Trapezoid => 1,
            Rule::Simpson => pairs::MIN_POINTS,
        };
        enough_samples(self.name(), grid, needed)
    }
}

const DEFINITION: &Definition = &Definition {
    name: NAME,
    title: "Riemann-Liouville integral",
    formula: "1/Gamma(alpha) int_0^t (t-s)^(alpha-1) f(s) ds",
    of_constants: "c -> c t^alpha/Gamma(1+alpha)",
    of_powers: "t^q -> Gamma(q+1)/Gamma(q+1+alpha) t^(q+alpha)",
    relation: "integrals compose: I^a I^b = I^(a+b); the Riemann-Liouville derivative undoes it",
    source: "Samko, Kilbas and Marichev, Fractional Integrals and Derivatives (1993), section 2",
    parameters: &[],
};

pub(crate) const ENTRIES: &[Entry] = &[
    DEFINITION.scheme("trapezoid", Range::POSITIVE_TO_TWENTY, "2", |order, _| {
        arc(RlIntegral::trapezoid(order)?)
    }),
    DEFINITION.scheme("simpson", Range::POSITIVE_TO_TWENTY, "min(4, 3 + alpha)", |order, _| {
        arc(RlIntegral::simpson(order)?)
    }),
    DEFINITION.scheme("rectangle", Range::POSITIVE_TO_TWENTY, "1", |order, _| {
        arc(RlIntegral::rectangle(order)?)
    }),
];

impl Discretisation for RlIntegral {
    fn name(&self) -> (&'static str, &'static str) {
        let scheme = match self.rule {
            Rule::Rectangle => "rectangle",
            Rule::Trapezoid => "trapezoid",
            Rule::Simpson => "simpson",
        };
        (NAME, scheme)
    }

    fn order(&self) -> Order {
        self.order
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        self.check_grid(grid)?;
        let n = grid.n();
        let scale = N::constant(grid.dt()).powf(alpha) * (alpha + self.rule.shift()).recip_gamma();
        let scaled = |v: Vec<N>| v.into_iter().map(|w| scale * w).collect::<Vec<N>>();
        Ok(match self.rule {
            Rule::Rectangle => Toeplitz::causal(rectangle_weights(alpha, scale, n)).into(),
            Rule::Trapezoid => Toeplitz::causal(trapezoid_weights(alpha, scale, n))
                .with_start(scaled(trapezoid_start(alpha, n)), vec![1.0])
                .into(),
            Rule::Simpson => Weights::from(simpson::weights(alpha, n)).scaled(scale),
        })
    }

    fn mesh_at<N: Number>(&self, alpha: N, mesh: &Mesh, memory: MeshMemory) -> Result<Weights<N>> {
        let cells = match self.rule {
            Rule::Rectangle => Cells::left_samples(steps(mesh)),
            Rule::Trapezoid => Cells::through_samples(steps(mesh)),
            Rule::Simpson => return Err(uniform_only(self.name())),
        };
        cells.integral(alpha, memory)
    }

    fn recurrence_at<N: Number>(&self, alpha: N, request: Request) -> Result<Recurrence<N>> {
        if self.rule == Rule::Simpson {
            return Err(no_recurrence(self.name()));
        }
        recurrence(self, alpha, 0.0, request)
    }
}

/// The recurrence of a product rule for the kernel `t^(alpha-1) exp(-lambda t) / Gamma(alpha)`:
/// the rectangle, or the trapezoid with its start correction.
pub(crate) fn recurrence<N: Number>(
    integral: &impl Discretisation,
    alpha: N,
    lambda: f64,
    request: Request,
) -> Result<Recurrence<N>> {
    // For larger orders t^(alpha-1) grows: no sum of decaying exponentials.
    let range = "0 < alpha <= 1 for a recurrence";
    in_range(alpha.value() <= 1.0, integral.name(), integral.order(), range)?;
    let nodes = PowerNodes::new(-alpha + 1.0, request)?;
    let sum = nodes.sum.clone().tempered(lambda * request.dt)?;
    let Weights::Toeplitz(first) = integral.weights_at(alpha, Grid::uniform(2, request.dt)?)?
    else {
        return Err(no_recurrence(integral.name()));
    };
    let rectangle = first.starts.is_empty();
    let over_steps = if rectangle { sum.cells(1.0) } else { sum.hats(1.0) };
    let factor = N::constant(request.dt).powf(alpha) * alpha.recip_gamma();
    let far = nodes.one_step_on(&sum, factor, &over_steps);
    let recurrence = Recurrence::new(request, nodes.relative_error, first.causal, far);
    Ok(match first.starts.into_iter().next() {
        Some(start) => recurrence.with_half_hat(&sum, start.column),
        None => recurrence,
    })
}

/// `w_0 = 0, w_k = k^alpha - (k-1)^alpha`, times `scale`.
fn rectangle_weights<N: Number>(alpha: N, scale: N, n: usize) -> Vec<N> {
    let mut w = vec![N::constant(0.0); n];
    let write = sequences::write(alpha, |w| scale * w);
    sequences::write_forward_differences_of_powers(alpha, &mut w[1..], write);
    w
}

/// `c_0 = 1, c_k = (k+1)^(alpha+1) - 2 k^(alpha+1) + (k-1)^(alpha+1)`, times `scale`.
fn trapezoid_weights<N: Number>(alpha: N, scale: N, n: usize) -> Vec<N> {
    second_differences_of_powers(alpha + 1.0, n, |w| scale * w)
}

/// The weight of f_0 in addition to c_n, since its cell has no left neighbour:
///
/// ```text
/// a_{0,n} - c_n = n^(alpha+1) + (alpha+1) n^alpha - (n+1)^(alpha+1)
///               = -n^(alpha+1) sum_{m>=2} C(alpha+1, m) n^-m
/// ```
///
/// The series has no cancellation; from n = 16, and for high orders from n = 2 (alpha + 1), its
/// terms decrease fast.
fn trapezoid_start<N: Number>(alpha: N, n: usize) -> Vec<N> {
    let b = alpha + 1.0;
    let binomials = binomials(b);
    let power = |x: f64, b: N| N::constant(x).powf(b);
    let mut column = powers(alpha - 1.0, n, |power| power);
    column[0] = N::constant(-1.0);
    let from = series_from(b.value()).min(n);
    for (k, v) in column[..from].iter_mut().enumerate().skip(1) {
        let x = k as f64;
        *v = power(x, b) + b * power(x, alpha) - power(x + 1.0, b);
    }
    let few = few_terms_from(b.value()).clamp(from, n);
    for (k, v) in (from..few).zip(&mut column[from..few]) {
        *v = -*v * series(&binomials, 1.0 / k as f64);
    }
    for (k, v) in (few..n).zip(&mut column[few..]) {
        *v = -*v * series(&binomials[..FEW], 1.0 / k as f64);
    }
    column
}

fn series_from(b: f64) -> usize {
    16.max((2.0 * b) as usize)
}

/// With 1/16 to the power 14, or the binomials of a high order over 2^m, the rest of the series is
/// below rounding.
const TERMS: usize = 20;

/// Terms of the series from [`few_terms_from`] on.
const FEW: usize = 7;

/// Binomials of an order up to 4 are at most 6, and 1000^-7 is below rounding.
fn few_terms_from(b: f64) -> usize {
    if b <= 4.0 { 1000 } else { usize::MAX }
}

/// C(b, m) for m = 2, 3, ...
fn binomials<N: Number>(b: N) -> [N; TERMS] {
    let mut c = b;
    std::array::from_fn(|i| {
        let m = (i + 2) as f64;
        c = c * ((b - m + 1.0) / m);
        c
    })
}

fn series<N: Number>(coefficients: &[N], x: f64) -> N {
    coefficients.iter().rev().fold(N::constant(0.0), |sum, c| sum * x + *c)
}
