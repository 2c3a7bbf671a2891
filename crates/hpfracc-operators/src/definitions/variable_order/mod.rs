mod cubic;
mod node_values;
mod shared_rates;

use crate::bound::VariableSum;
use crate::definitions::entry::{Definition, Entry, Parameter, Range, arc, cost};
use crate::error::{demand, enough_samples, fits, same_shape};
use crate::{
    Discretisation, Dual, Number, OperatorError, Result, Side, Toeplitz, VariableMemory, Weights,
};
use cubic::InterpolatedOrder;
use hpfracc_backend::{Backend, Workload};
use hpfracc_types::{Grid, Order};
use ndarray::{Array1, ArrayView1};
use shared_rates::{Shared, polynomials};
use std::f64::consts::PI;
use std::sync::Arc;

/// The Caputo derivative of variable order, 0 < alpha < 1.
///
#[doc = formula!("variable_order", r"D f(t) = \int_0^t \frac{(t-s)^{-\alpha}}{\Gamma(1-\alpha)} f'(s) \, ds")]
///
/// with alpha at one of three places, which are three definitions:
///
/// | [`OrderOf`] | alpha is | name in the literature | memory of earlier orders |
/// |---|---|---|---|
/// | `Time` | alpha(t) | type 1; type A | none: each value is a derivative of one order |
/// | `Sample` | alpha(s) | type 2; type B | each change of f keeps the order it came with |
/// | `Lag` | alpha(t-s) | type 3; type C | invariant in time: a convolution |
///
/// The numbers are those of Lorenzo and Hartley as Valerio and Sa da Costa count them, the letters
/// those of Sierociuk, Malesza and Macias; some authors number types 2 and 3 the other way round.
/// All three are zero for constants, and the plain [`Caputo`](crate::Caputo) derivative for equal
/// orders.
///
/// Scheme L1: f is piecewise linear. Orders are given at the nodes; `Time` takes each as it is, the
/// other two the mean of its ends for each cell. The order of accuracy at t is 2 - alpha(t), with
/// `Lag` 2 - alpha(0); for `Sample` and `Lag` up to a factor ln(1/h) where alpha changes there.
/// With [`cubic`](Self::cubic) interpolation `Time` has the order 4 - alpha(t), the other two have
/// the order 3.
///
/// Cost: `Lag` is one causal convolution. `Time` and `Sample` take K exponentials and K states a
/// sample, K about 3.3 ln n + 32 (70 for n = 1e5; more if an order is below 1/8), in double
/// precision and without a backend; every weight is within 1e-12 of that of L1.
///
/// [`Operator::order`](crate::Operator::order) is the highest order; gradients with respect to it
/// are those with respect to a common shift of all orders. See [`vjp_orders`](Self::vjp_orders) for
/// each order.
///
/// Sources: Lorenzo and Hartley, Nonlinear Dyn. 29 (2002) 57, DOI 10.1023/A:1016586905654; Valerio
/// and Sa da Costa, Signal Process. 91 (2011) 470, DOI 10.1016/j.sigpro.2010.04.006; Sierociuk,
/// Malesza and Macias, Appl. Math. Model. 39 (2015) 3876, DOI 10.1016/j.apm.2014.12.009.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{Operator, OrderOf, VariableOrder};
/// use hpfracc_special::recip_gamma;
/// use hpfracc_types::Grid;
/// use ndarray::Array1;
///
/// // From 0.3 to 0.7 within the samples: of t it is t^(1-alpha(t)) / Gamma(2-alpha(t)), exactly.
/// let grid = Grid::uniform(101, 0.01)?;
/// let alpha = |t: f64| 0.3 + 0.4 * t;
/// let derivative = VariableOrder::from_function(OrderOf::Time, grid, alpha)?.on(grid, &Reference)?;
/// let y = derivative.apply(grid.points().collect::<Array1<f64>>().view())?;
/// assert!((y[50] - 0.5f64.powf(0.5) * recip_gamma(1.5)).abs() < 1e-11);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct VariableOrder {
    of: OrderOf,
    orders: Orders,
    highest: Order,
    interpolant: Interpolant,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Interpolant {
    Linear,
    Cubic,
}

impl Interpolant {
    fn scheme(self) -> &'static str {
        match self {
            Self::Linear => SCHEME,
            Self::Cubic => CUBIC,
        }
    }

    /// The highest order of differences.
    fn degree(self) -> usize {
        match self {
            Self::Linear => 1,
            Self::Cubic => 3,
        }
    }
}

/// The variable that the order of a [`VariableOrder`] derivative is a function of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderOf {
    /// t, the time of the result.
    Time,
    /// s, the time of the sample.
    Sample,
    /// t - s.
    Lag,
}

#[derive(Debug, Clone, PartialEq)]
enum Orders {
    Ramp { first: f64, rise: f64 },
    Table(Arc<[f64]>),
}

impl OrderOf {
    fn definition(self) -> &'static Definition {
        match self {
            Self::Time => TIME,
            Self::Sample => SAMPLE,
            Self::Lag => LAG,
        }
    }
}

impl VariableOrder {
    /// Orders that are linear from `first` at the first node of a grid to `first + rise` at its
    /// last.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 1e-300 <= first < 1, [`OperatorError::Parameter`]
    /// unless 1e-300 <= first + rise < 1.
    pub fn ramp(of: OrderOf, first: Order, rise: f64) -> Result<Self> {
        let alpha = first.value();
        RANGE.check((of.definition().name, SCHEME), first)?;
        let (what, expected) = ("the rise of the order", "1e-300 <= alpha + rise < 1");
        demand((what, rise, inside(alpha + rise), expected))?;
        let highest = Order::new(alpha.max(alpha + rise))?;
        let (orders, interpolant) = (Orders::Ramp { first: alpha, rise }, Interpolant::Linear);
        Ok(Self { of, orders, highest, interpolant })
    }

    /// One order for each node: of time, of the sample's time, or of the lag from zero on.
    ///
    /// # Errors
    /// [`OperatorError::OrderAt`] unless 1e-300 <= alpha < 1 at every node,
    /// [`OperatorError::Malformed`] for no orders at all.
    pub fn sampled(of: OrderOf, orders: &[f64]) -> Result<Self> {
        let operator = of.definition().name;
        let mut highest = 0.0f64;
        for (position, &alpha) in orders.iter().enumerate() {
            if !inside(alpha) {
                return Err(OperatorError::OrderAt { operator, alpha, position });
            }
            highest = highest.max(alpha);
        }
        fits("the number of orders", orders.len(), orders.len().max(1))?;
        let (orders, highest) = (Orders::Table(orders.into()), Order::new(highest)?);
        Ok(Self { of, orders, highest, interpolant: Interpolant::Linear })
    }

    /// The same derivative from cubics through the last four samples, at the start through the first
    /// four. Needs four samples; the results at the first nodes look ahead.
    ///
    /// `Time`: f is piecewise cubic. Order 4 - alpha(t) for f in C^4 at every node, exact on cubics;
    /// for f ~ t^q at the start min(4 - alpha, q + 1) at fixed t.
    ///
    /// `Sample`, `Lag`: f' at the nodes is the slope of these cubics. `Sample` takes the product of f'
    /// and the kernel as piecewise quadratic in s, `Lag` f' as piecewise quadratic and alpha as
    /// piecewise cubic. Order 3 (`Lag` nearly 4) for f in C^4 and smooth orders, times powers of
    /// ln(1/h) for `Sample`: 2.5e-12 at 20 000 steps for t^5 and orders from 0.2 to 0.8. For f ~ t^q
    /// at the start min(3, q + 1).
    ///
    /// Cost: `Lag` is two causal convolutions. `Sample` is a sum of Q + 1 of them, because the kernel
    /// is interpolated in the order at Q Chebyshev points: 13 for equal orders, 35 for all orders
    /// between 0 and 1 at n = 1e6; the weights take 3 n Q numbers.
    pub fn cubic(self) -> Self {
        Self { interpolant: Interpolant::Cubic, ..self }
    }

    /// The values of a function at the nodes of a grid.
    ///
    /// # Errors
    /// As [`Self::sampled`].
    pub fn from_function(of: OrderOf, grid: Grid, alpha: impl Fn(f64) -> f64) -> Result<Self> {
        Self::sampled(of, &grid.points().map(alpha).collect::<Vec<f64>>())
    }

    /// The orders at the nodes of a grid.
    ///
    /// # Errors
    /// [`OperatorError::Malformed`] if the table is of another length.
    pub fn orders(&self, grid: Grid) -> Result<Vec<f64>> {
        let n = grid.n();
        match &self.orders {
            Orders::Ramp { first, rise } => {
                Ok((0..n).map(|j| first + rise * (j as f64 / (n - 1) as f64)).collect())
            }
            Orders::Table(orders) => {
                fits("the number of orders", orders.len(), n)?;
                Ok(orders.to_vec())
            }
        }
    }

    /// The gradient of a loss with respect to the order at each node, given its gradient with
    /// respect to the result of these samples: exact for [`Operator::on`](crate::Operator::on), at
    /// the cost of one or two more applications.
    ///
    /// `Time` does not use the backend, nor does `Sample` without [`cubic`](Self::cubic).
    ///
    /// ```
    /// use hpfracc_backend::Reference;
    /// use hpfracc_operators::{Operator, OrderOf, VariableOrder};
    /// use hpfracc_types::Grid;
    /// use ndarray::Array1;
    ///
    /// let grid = Grid::uniform(50, 0.02)?;
    /// let f: Array1<f64> = grid.points().map(|t| t * t).collect();
    /// let ybar = Array1::ones(50);
    /// let derivative = VariableOrder::from_function(OrderOf::Sample, grid, |t| 0.5 - 0.2 * t)?;
    /// let each = derivative.vjp_orders(grid, f.view(), ybar.view(), &Reference)?;
    /// // Their sum is the gradient with respect to a common shift.
    /// let common = derivative.on(grid, &Reference)?.vjp_order(f.view(), ybar.view())?;
    /// assert!((each.sum() - common).abs() < 1e-10);
    /// # Ok::<(), hpfracc_operators::OperatorError>(())
    /// ```
    ///
    /// # Errors
    /// [`OperatorError::Shape`] if lengths differ from the grid's, and as
    /// [`Operator::on`](crate::Operator::on).
    pub fn vjp_orders<B: Backend<f64>>(
        &self,
        grid: Grid,
        samples: ArrayView1<'_, f64>,
        result_gradient: ArrayView1<'_, f64>,
        backend: &B,
    ) -> Result<Array1<f64>> {
        let n = grid.n();
        same_shape("samples", samples.shape(), &[n])?;
        same_shape("result_gradient", result_gradient.shape(), &[n])?;
        let (f, ybar) = (samples.to_vec(), result_gradient.to_vec());
        let difference = |m: usize| if m == 0 { 0.0 } else { f[m] - f[m - 1] };
        let highest = Dual::variable(self.highest.value());
        let add = |of: &dyn Fn(VariableSum) -> Vec<f64>| {
            let [a, b] = self.memory(highest, grid)?.order_derivative();
            let (a, b) = (of(VariableSum::new(&a)?), of(VariableSum::new(&b)?));
            Ok::<Vec<f64>, OperatorError>(a.iter().zip(&b).map(|(a, b)| a + b).collect())
        };
        let (nodes, cubic) = (self.orders(grid)?, self.interpolant == Interpolant::Cubic);
        if cubic {
            enough_samples(Discretisation::name(self), grid, 4)?;
        }
        match self.of {
            OrderOf::Lag if cubic => {
                let kernels = (&nodes[..], grid.dt().ln());
                Ok(cubic::gradient_of_lag(kernels, (&f, &ybar), backend)?.into())
            }
            OrderOf::Sample if cubic => {
                let interpolated = InterpolatedOrder::new(&nodes, grid.dt());
                Ok(interpolated.gradient(&nodes, (&f, &ybar), backend)?.into())
            }
            OrderOf::Time => {
                let change = add(&|sum| sum.forward(&f))?;
                Ok(change.iter().zip(&ybar).map(|(change, ybar)| change * ybar).collect())
            }
            OrderOf::Sample => {
                let back = add(&|sum| sum.transposed(&ybar))?;
                let cells = back.iter().enumerate().map(|(m, back)| back * difference(m));
                // The cell that ends at node m.
                Ok(to_both_ends(n, cells.enumerate().skip(1).map(|(m, g)| (m - 1, g))))
            }
            OrderOf::Lag => {
                let plan = backend.plan(Workload::CausalConvolution { len: n, batch: 1 })?;
                let mut correlation = vec![0.0; n];
                plan.bind(&(0..n).map(difference).collect::<Vec<f64>>())?
                    .apply_transpose(&ybar, &mut correlation)?;
                let lags = self.lags(highest, grid)?;
                let cells = correlation.iter().zip(&lags).map(|(c, lag)| c * lag.derivative);
                Ok(to_both_ends(n, cells.enumerate().take(n - 1)))
            }
        }
    }

    /// Weights of types 1 and 2.
    fn memory<N: Number>(&self, highest: N, grid: Grid) -> Result<VariableMemory<N>> {
        let nodes = self.orders(grid)?;
        let lowest = nodes.iter().copied().fold(1.0, f64::min);
        let (side, orders) = match self.of {
            OrderOf::Sample => (Side::Columns, means(&nodes)),
            _ => (Side::Rows, nodes),
        };
        let shift = highest - self.highest.value();
        let orders: Vec<N> = orders.into_iter().map(|order| shift + order).collect();
        let ln_h = grid.dt().ln();
        let Shared { ln_rates, mut factors } = Shared::new(grid.n(), lowest);
        let degree = self.interpolant.degree();
        // sin(pi a)/pi, also near 1.
        let sine = |a: N| a.chain(|a| (PI * a.min(1.0 - a)).sin() / PI, |a, _| (PI * a).cos());
        let scale = |a: N| (-a * ln_h).exp();
        // int_0^1 v^-a v^k dv / Gamma(1-a) for k = 0, 1, 2.
        let local = |a: &N| {
            let (b, first) = (-*a + 1.0, scale(*a) * (-*a + 2.0).recip_gamma());
            polynomials([first, first * b / (b + 1.0), first * b / (b + 2.0)])
        };
        let local: Vec<[N; 3]> = orders.iter().map(local).collect();
        Ok(VariableMemory {
            side,
            local: (0..degree).map(|i| local.iter().map(|each| each[i]).collect()).collect(),
            prefactors: orders.iter().map(|a| scale(*a) * sine(*a)).collect(),
            exponents: orders,
            ln_rates,
            factors: factors[..degree].iter_mut().map(std::mem::take).collect(),
        })
    }

    /// Weights of type 3 by lag.
    fn lags<N: Number>(&self, highest: N, grid: Grid) -> Result<Vec<N>> {
        let shift = highest - self.highest.value();
        let mut cells = means(&self.orders(grid)?);
        // The mean that ends a cell, at its start; the last lag meets no difference.
        cells.rotate_left(1);
        let ln_h = grid.dt().ln();
        let each = |(k, order): (usize, &f64)| {
            let alpha = shift + *order;
            let (b, k) = (-alpha + 1.0, k as f64);
            // (k+1)^b - k^b.
            let difference = if k == 0.0 {
                N::constant(1.0)
            } else {
                N::constant(k).powf(b) * (b * (1.0 / k).ln_1p()).exp_m1()
            };
            (-alpha * ln_h).exp() * (-alpha + 2.0).recip_gamma() * difference
        };
        Ok(cells.iter().enumerate().map(each).collect())
    }
}

/// For smaller orders the rates of exponentials would leave the range of `f64`.
fn inside(alpha: f64) -> bool {
    (1e-300..1.0).contains(&alpha)
}

/// Means of neighbours, at the second of them; the first entry unchanged.
fn means(nodes: &[f64]) -> Vec<f64> {
    let means = nodes.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
    nodes.first().copied().into_iter().chain(means).collect()
}

/// Gradients with respect to the means of cells (by first node) as gradients with respect to the
/// nodes.
fn to_both_ends(n: usize, cells: impl Iterator<Item = (usize, f64)>) -> Array1<f64> {
    let mut nodes = Array1::zeros(n);
    for (start, gradient) in cells {
        nodes[start] += 0.5 * gradient;
        nodes[start + 1] += 0.5 * gradient;
    }
    nodes
}

const SCHEME: &str = "l1";
const CUBIC: &str = "cubic";

const RANGE: Range =
    Range::new("1e-300 <= alpha < 1", (1e-300, Range::UNIT.largest), Range::UNIT.examples);

const TIME: &Definition = &Definition {
    name: "variable-order-time",
    title: "Caputo derivative of variable order alpha(t), type 1",
    formula: "int_0^t (t-s)^-alpha(t)/Gamma(1-alpha(t)) f'(s) ds",
    of_constants: "0",
    of_powers: "t^q -> Gamma(q+1)/Gamma(q+1-alpha(t)) t^(q-alpha(t))",
    relation: "Caputo at each t with the order of that t",
    source: "Lorenzo and Hartley, Nonlinear Dyn. 29 (2002) 57, DOI 10.1023/A:1016586905654",
    parameters: &[Parameter {
        name: "rise",
        meaning: "order at the last sample less alpha, the order at the first; in a straight line",
        range: "0 < alpha + rise < 1",
        default: None,
        example: 0.2,
    }],
};

const SAMPLE: &Definition = &Definition {
    name: "variable-order-sample",
    title: "Caputo derivative of variable order alpha(s), type 2",
    formula: "int_0^t (t-s)^-alpha(s)/Gamma(1-alpha(s)) f'(s) ds",
    of_constants: "0",
    of_powers: "t^q -> q int_0^t (t-s)^-alpha(s)/Gamma(1-alpha(s)) s^(q-1) ds",
    relation: "Caputo if alpha is constant; each change of f keeps the order it came with",
    ..*TIME
};

const LAG: &Definition = &Definition {
    name: "variable-order-lag",
    title: "Caputo derivative of variable order alpha(t-s), type 3",
    formula: "int_0^t (t-s)^-alpha(t-s)/Gamma(1-alpha(t-s)) f'(s) ds",
    of_constants: "0",
    of_powers: "t -> int_0^t s^-alpha(s)/Gamma(1-alpha(s)) ds",
    relation: "Caputo if alpha is constant; a convolution",
    ..*TIME
};

pub(crate) const TIME_ENTRIES: &[Entry] = &[
    TIME.scheme(SCHEME, RANGE, "2 - alpha(t)", |order, v| {
        arc(VariableOrder::ramp(OrderOf::Time, order, v[0])?)
    })
    .costs(cost::EXPONENTIALS),
    TIME.scheme(CUBIC, RANGE, "4 - alpha(t)", |order, v| {
        arc(VariableOrder::ramp(OrderOf::Time, order, v[0])?.cubic())
    })
    .costs(cost::EXPONENTIALS),
];

pub(crate) const SAMPLE_ENTRIES: &[Entry] = &[
    SAMPLE
        .scheme(SCHEME, RANGE, "2 - alpha(t), times ln(1/h)", |order, v| {
            arc(VariableOrder::ramp(OrderOf::Sample, order, v[0])?)
        })
        .costs(cost::EXPONENTIALS),
    SAMPLE
        .scheme(CUBIC, RANGE, "3", |order, v| {
            arc(VariableOrder::ramp(OrderOf::Sample, order, v[0])?.cubic())
        })
        .costs("14 to 36 causal convolutions"),
];

pub(crate) const LAG_ENTRIES: &[Entry] = &[
    LAG.scheme(SCHEME, RANGE, "2 - alpha(0), times ln(1/h)", |order, v| {
        arc(VariableOrder::ramp(OrderOf::Lag, order, v[0])?)
    }),
    LAG.scheme(CUBIC, RANGE, "3", |order, v| {
        arc(VariableOrder::ramp(OrderOf::Lag, order, v[0])?.cubic())
    })
    .costs(cost::TWO_CONVOLUTIONS),
];

impl Discretisation for VariableOrder {
    fn name(&self) -> (&'static str, &'static str) {
        (self.of.definition().name, self.interpolant.scheme())
    }

    /// The highest order.
    fn order(&self) -> Order {
        self.highest
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        enough_samples(Discretisation::name(self), grid, self.interpolant.degree() + 1)?;
        let cubic = self.interpolant == Interpolant::Cubic;
        let shift = alpha - self.highest.value();
        Ok(match self.of {
            OrderOf::Lag if cubic => cubic::of_lag(&self.orders(grid)?, shift, grid.dt().ln()),
            OrderOf::Sample if cubic => {
                let nodes = self.orders(grid)?;
                let shifted: Vec<N> = nodes.iter().map(|order| shift + *order).collect();
                InterpolatedOrder::new(&nodes, grid.dt()).weights(&shifted)
            }
            OrderOf::Lag => Toeplitz::of_differences(1, self.lags(alpha, grid)?).into(),
            _ => self.memory(alpha, grid)?.into(),
        })
    }
}
