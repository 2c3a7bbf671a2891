mod simpson;

use crate::catalogue::{Definition, Entry, Range, arc, cost, outside};
use crate::error::{enough_samples, in_range, no_recurrence, uniform_only};
use crate::memory::recurrence::{Asked, PowerNodes, Recurrence, of_values};
use crate::schemes::cells::{Cells, In, steps};
use crate::schemes::dual::Dual;
use crate::schemes::pairs;
use crate::weights::filled;
use crate::{MeshMemory, Operator, OperatorError, Toeplitz, Weights};
use hpfracc_special::{
    digamma, forward_differences_of_powers, forward_differences_of_powers_derivative, powers,
    recip_gamma, second_differences_of_powers, second_differences_of_powers_derivative,
};
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
/// All integrate their interpolant exactly against the kernel. Cost: one causal convolution. On a mesh
/// the first two are the same, whatever the steps; by exponentials up to alpha = 2, exactly for every order.
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
    /// [`OperatorError::OutOfRange`] unless 0 < alpha <= 20.
    pub fn rectangle(order: Order) -> Result<Self, OperatorError> {
        Self::checked(order, Rule::Rectangle)
    }

    /// The product trapezoidal rule; exact on 1 and t.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 0 < alpha <= 20.
    pub fn trapezoid(order: Order) -> Result<Self, OperatorError> {
        Self::checked(order, Rule::Trapezoid)
    }

    /// The product Simpson rule: the quadratic interpolant on pairs of cells counted back from t, so that
    /// weights depend on the lag and its parity; at odd n the first cell, which the pairs leave over,
    /// takes the cubic through the first four samples.
    ///
    /// For f in C^4 the order is min(4, 3 + alpha): the pair next to t, where the kernel is singular or
    /// steep, costs h^(3 + alpha), all the others h^4 together. Exact on 1, t and t^2, at alpha = 1 on t^3
    /// too, where it is Simpson's rule. A start t^q with q not whole costs h^(1 + q).
    ///
    /// Needs four samples; the value at the second one looks two samples ahead. Errors at even and at odd
    /// nodes differ, so that they alternate along a record.
    ///
    /// Source: Linz, Analytical and Numerical Methods for Volterra Equations (1985), DOI
    /// 10.1137/1.9781611970852, on product integration.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 0 < alpha <= 20.
    pub fn simpson(order: Order) -> Result<Self, OperatorError> {
        Self::checked(order, Rule::Simpson)
    }

    fn checked(order: Order, rule: Rule) -> Result<Self, OperatorError> {
        let integral = Self { order, rule };
        let inside = 0.0 < order.value() && order.value() <= 20.0;
        in_range(inside, integral.name(), order, "0 < alpha <= 20")?;
        Ok(integral)
    }

    fn check_grid(self, grid: Grid) -> Result<(), OperatorError> {
        let needed = match self.rule {
            Rule::Rectangle | Rule::Trapezoid => 1,
            Rule::Simpson => pairs::MIN_POINTS,
        };
        enough_samples(self.name(), grid, needed)
    }

    fn cells(&self, mesh: &Mesh) -> Result<Cells, OperatorError> {
        match self.rule {
            Rule::Rectangle => Ok(Cells::left_samples(steps(mesh))),
            Rule::Trapezoid => Ok(Cells::through_samples(steps(mesh))),
            Rule::Simpson => Err(uniform_only(self.name())),
        }
    }
}

impl RlIntegral {
    fn nodes(self, asked: Asked) -> Result<(PowerNodes, Asked), OperatorError> {
        let alpha = self.order.value();
        // Beyond, t^(alpha-1) grows: no sum of decaying exponentials.
        in_range(alpha <= 1.0, self.name(), self.order, "0 < alpha <= 1 for a recurrence")?;
        Ok((PowerNodes::new(1.0 - alpha, asked)?, asked))
    }

    /// Integrals of the kernel over what the weights are made of.
    fn over_steps(self, nodes: &PowerNodes) -> Result<Vec<f64>, OperatorError> {
        match self.rule {
            Rule::Rectangle => Ok(nodes.sum.cells(1.0)),
            Rule::Trapezoid => Ok(nodes.sum.hats(1.0)),
            Rule::Simpson => Err(no_recurrence(self.name())),
        }
    }

    /// The recurrence with the first weights from a record of two samples.
    fn of_nodes(
        self,
        nodes: &PowerNodes,
        asked: Asked,
        first: &Weights,
        far: Vec<(f64, f64)>,
    ) -> Result<Recurrence, OperatorError> {
        match first {
            Weights::Toeplitz(first) => {
                Ok(of_values(asked, nodes.relative_error, &nodes.sum, first, far))
            }
            _ => Err(no_recurrence(self.name())),
        }
    }
}

fn first_steps(dt: f64) -> Result<Grid, OperatorError> {
    Ok(Grid::uniform(2, dt)?)
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
    Entry {
        definition: DEFINITION,
        scheme: "trapezoid",
        range: Range::POSITIVE_TO_TWENTY,
        accuracy: "2",
        cost: cost::CONVOLUTION,
        outside: outside::STARTS,
        make: |order, _| arc(RlIntegral::trapezoid(order)?),
    },
    Entry {
        definition: DEFINITION,
        scheme: "simpson",
        range: Range::POSITIVE_TO_TWENTY,
        accuracy: "min(4, 3 + alpha)",
        cost: cost::CONVOLUTION,
        outside: outside::STARTS,
        make: |order, _| arc(RlIntegral::simpson(order)?),
    },
    Entry {
        definition: DEFINITION,
        scheme: "rectangle",
        range: Range::POSITIVE_TO_TWENTY,
        accuracy: "1",
        cost: cost::CONVOLUTION,
        outside: outside::STARTS,
        make: |order, _| arc(RlIntegral::rectangle(order)?),
    },
];

impl Operator for RlIntegral {
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

    fn weights(&self, grid: Grid) -> Result<Weights, OperatorError> {
        self.check_grid(grid)?;
        let alpha = self.order.value();
        let s = scale(alpha, self.rule, grid);
        let by = |v: Vec<f64>| v.into_iter().map(|w| s * w).collect();
        Ok(match self.rule {
            Rule::Rectangle => Toeplitz::causal(by(rectangle_weights(alpha, grid.n()))),
            Rule::Trapezoid => Toeplitz::causal(by(trapezoid_weights(alpha, grid.n())))
                .with_start(by(trapezoid_start(alpha, grid.n())), vec![1.0]),
            Rule::Simpson => simpson::weights(alpha, grid).scaled(Dual::constant(s)).values(),
        }
        .into())
    }

    fn weights_order_derivative(&self, grid: Grid) -> Result<Weights, OperatorError> {
        self.check_grid(grid)?;
        let (alpha, n) = (self.order.value(), grid.n());
        let s = scale(alpha, self.rule, grid);
        let ds = s * (grid.dt().ln() - digamma(alpha + self.rule.shift()));
        let combine =
            |w: Vec<f64>, dw: Vec<f64>| w.iter().zip(dw).map(|(w, dw)| ds * w + s * dw).collect();
        Ok(match self.rule {
            Rule::Rectangle => {
                let mut dw = vec![0.0; n];
                forward_differences_of_powers_derivative(alpha, &mut dw[1..]);
                Toeplitz::causal(combine(rectangle_weights(alpha, n), dw))
            }
            Rule::Trapezoid => {
                let dw = filled(n, |dw| second_differences_of_powers_derivative(alpha + 1.0, dw));
                let start =
                    combine(trapezoid_start(alpha, n), trapezoid_start_derivative(alpha, n));
                Toeplitz::causal(combine(trapezoid_weights(alpha, n), dw))
                    .with_start(start, vec![1.0])
            }
            Rule::Simpson => simpson::weights(alpha, grid).scaled(Dual::new(s, ds)).slopes(),
        }
        .into())
    }

    fn mesh_weights(&self, mesh: &Mesh, memory: MeshMemory) -> Result<Weights, OperatorError> {
        self.cells(mesh)?.integral(self.order.value(), In::Value, memory)
    }

    fn mesh_weights_order_derivative(
        &self,
        mesh: &Mesh,
        memory: MeshMemory,
    ) -> Result<Weights, OperatorError> {
        self.cells(mesh)?.integral(self.order.value(), In::OrderDerivative, memory)
    }

    fn recurrence(
        &self,
        dt: f64,
        longest: u64,
        tolerance: f64,
    ) -> Result<Recurrence, OperatorError> {
        let (nodes, asked) = self.nodes(Asked::new(dt, longest, tolerance)?)?;
        let alpha = self.order.value();
        let factor = dt.powf(alpha) * recip_gamma(alpha);
        let far = nodes.one_step_on(factor, &self.over_steps(&nodes)?);
        self.of_nodes(&nodes, asked, &self.weights(first_steps(dt)?)?, far)
    }

    fn recurrence_order_derivative(
        &self,
        dt: f64,
        longest: u64,
        tolerance: f64,
    ) -> Result<Recurrence, OperatorError> {
        let (nodes, asked) = self.nodes(Asked::new(dt, longest, tolerance)?)?;
        let alpha = self.order.value();
        let factor = dt.powf(alpha) * recip_gamma(alpha);
        // The exponent 1 - alpha falls as alpha rises.
        let slope = digamma(alpha) - dt.ln();
        let far = nodes.one_step_on_slope(-factor, slope, &self.over_steps(&nodes)?)?;
        self.of_nodes(&nodes, asked, &self.weights_order_derivative(first_steps(dt)?)?, far)
    }
}

fn scale(alpha: f64, rule: Rule, grid: Grid) -> f64 {
    grid.dt().powf(alpha) * recip_gamma(alpha + rule.shift())
}

/// `w_0 = 0, w_k = k^alpha - (k-1)^alpha`.
fn rectangle_weights(alpha: f64, n: usize) -> Vec<f64> {
    let mut w = vec![0.0; n];
    forward_differences_of_powers(alpha, &mut w[1..]);
    w
}

/// `c_0 = 1, c_k = (k+1)^(alpha+1) - 2 k^(alpha+1) + (k-1)^(alpha+1)`.
fn trapezoid_weights(alpha: f64, n: usize) -> Vec<f64> {
    filled(n, |c| second_differences_of_powers(alpha + 1.0, c))
}

/// What f_0 gets beyond c_n, since its cell has no left neighbour:
///
/// ```text
/// a_{0,n} - c_n = n^(alpha+1) + (alpha+1) n^alpha - (n+1)^(alpha+1)
///               = -n^(alpha+1) sum_{m>=2} C(alpha+1, m) n^-m
/// ```
///
/// The series has no cancellation; from n = 16, and for high orders from n = 2 (alpha + 1), its terms
/// fall quickly.
fn trapezoid_start(alpha: f64, n: usize) -> Vec<f64> {
    let b = alpha + 1.0;
    let (binomials, _) = binomials(b);
    let mut column = vec![0.0; n];
    powers(alpha - 1.0, &mut column);
    for (k, v) in column.iter_mut().enumerate() {
        let x = k as f64;
        *v = if k < series_from(b) {
            x.powf(b) + b * x.powf(alpha) - (x + 1.0).powf(b)
        } else {
            -*v * series(&binomials[..terms(b, x)], 1.0 / x)
        };
    }
    column
}

/// d/d alpha of [`trapezoid_start`].
fn trapezoid_start_derivative(alpha: f64, n: usize) -> Vec<f64> {
    let b = alpha + 1.0;
    let (binomials, slopes) = binomials(b);
    let mut column = vec![0.0; n];
    powers(alpha - 1.0, &mut column);
    for (k, v) in column.iter_mut().enumerate().skip(1) {
        let (x, ln) = (k as f64, (k as f64).ln());
        *v = if k < series_from(b) {
            x.powf(alpha) * (1.0 + (x + b) * ln) - (x + 1.0).powf(b) * (x + 1.0).ln()
        } else {
            let terms = terms(b, x);
            -*v * (ln * series(&binomials[..terms], 1.0 / x) + series(&slopes[..terms], 1.0 / x))
        };
    }
    column[0] = 0.0;
    column
}

fn series_from(b: f64) -> usize {
    16.max((2.0 * b) as usize)
}

/// With 1/16 to the power 14, or the binomials of a high order over 2^m, the rest of the series is
/// below rounding.
const TERMS: usize = 20;

/// How many terms count at 1/x: binomials of an order up to 4 are at most 6, and 1000^-7 is below
/// rounding.
fn terms(b: f64, x: f64) -> usize {
    if b <= 4.0 && x >= 1000.0 { 7 } else { TERMS }
}

/// C(b, m) and d C(b, m)/d b for m = 2, 3, ...
fn binomials(b: f64) -> ([f64; TERMS], [f64; TERMS]) {
    let (mut values, mut slopes) = ([0.0; TERMS], [0.0; TERMS]);
    let (mut c, mut dc) = (b, 1.0);
    for i in 0..TERMS {
        let m = (i + 2) as f64;
        dc = (dc * (b - m + 1.0) + c) / m;
        c *= (b - m + 1.0) / m;
        (values[i], slopes[i]) = (c, dc);
    }
    (values, slopes)
}

fn series(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}
