use crate::definitions::entry::{Definition, Entry, Parameter, Range, arc};
use crate::error::{demand, enough_samples};
use crate::schemes::bdf_starts::{self, Target};
use crate::schemes::gauss::Orthonormal;
use crate::schemes::l1;
use crate::schemes::lubich::{Bdf, MAX_P};
use crate::{Discretisation, Number, Result, Toeplitz, Weights};
use hpfracc_types::{Grid, Order};

/// The Caputo derivative of distributed order: derivatives of all orders of an interval at once.
///
#[doc = formula!("distributed_order", r"D f = \int_a^b w(\alpha) D^\alpha f \, d\alpha, \quad 0 \le a < b \le 1")]
///
/// It is zero for constants;
/// `t^q -> int_a^b w(alpha) Gamma(q+1)/Gamma(q+1-alpha) t^(q-alpha) d alpha`. For w =
/// Gamma(3-alpha)/2 on (0, 1) it makes (t^2-t)/ln t of t^2.
///
/// The integral over the orders is a sum by Gauss-Legendre of derivatives of one order, each by L1,
/// whose weights are added up. For a smooth density and all of (0, 1), sixteen points are exact to
/// 1e-13 for lags from 1e-9 units of time on; eight to 1e-12 from 0.01 to 100 units, but to 1e-6 at
/// 1e-6. In time the order of accuracy is 2 - b; orders near b alone have that error, which falls a
/// little more than h^(2-b). With [`bdf`](Self::bdf) it is the order of that formula.
///
/// Cost: one causal convolution, whatever the number of points.
///
/// [`Operator::order`](crate::Operator::order) is b. Gradients with respect to it are those with
/// respect to a common shift of all orders, with fixed weights.
///
/// Sources: Caputo, Fract. Calc. Appl. Anal. 4 (2001) 421; Diethelm and Ford, J. Comput. Appl.
/// Math. 225 (2009) 96, DOI 10.1016/j.cam.2008.07.018 (quadrature in the order).
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{DistributedOrder, Operator};
/// use hpfracc_special::gamma;
/// use hpfracc_types::Grid;
/// use ndarray::Array1;
///
/// let grid = Grid::uniform(2001, 0.001)?;
/// let d = DistributedOrder::new((0.0, 1.0), |alpha| 0.5 * gamma(3.0 - alpha), 16)?;
/// let y = d.on(grid, &Reference)?.apply(grid.points().map(|t| t * t).collect::<Array1<f64>>().view())?;
/// assert!((y[2000] - 2.0 / 2f64.ln()).abs() < 2e-4);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct DistributedOrder {
    /// Orders and weights.
    nodes: Vec<(f64, f64)>,
    highest: Order,
    scheme: Scheme,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Scheme {
    L1,
    Bdf(Bdf),
}

const NAME: &str = "distributed-order";

/// Quadrature nodes of the catalogue's entry.
const POINTS: usize = 16;

impl DistributedOrder {
    /// The orders between `a` and `b` with this density, by a quadrature with `points` nodes.
    ///
    /// # Errors
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) unless 0 <= a < b <= 1, 1 <=
    /// points <= 64, and the density is finite at all of them.
    pub fn new((a, b): (f64, f64), density: impl Fn(f64) -> f64, points: usize) -> Result<Self> {
        let demands = [
            ("the lowest order", a, (0.0..1.0).contains(&a), "0 <= a < 1"),
            ("the highest order", b, a < b && b <= 1.0, "above the lowest, at most 1"),
            ("the number of orders", points as f64, (1..=64).contains(&points), "1 to 64"),
        ];
        demands.into_iter().try_for_each(demand)?;
        let rule = Orthonormal::new(0.0).quadrature(points);
        let order = |x: f64| 0.5 * ((1.0 - x) * a + (1.0 + x) * b);
        let nodes: Vec<(f64, f64)> =
            rule.into_iter().map(|(x, w)| (order(x), (b - a) * w * density(order(x)))).collect();
        for (_, weight) in &nodes {
            demand(("the density of orders", *weight, weight.is_finite(), "finite"))?;
        }
        Ok(Self { nodes, highest: Order::new(b)?, scheme: Scheme::L1 })
    }

    /// The mean over the orders from `highest - width` to `highest`, by sixteen points. As the
    /// width falls to zero it tends to the plain Caputo derivative.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < highest <= 1,
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) unless 0 < width <= highest.
    pub fn uniform(highest: Order, width: f64) -> Result<Self> {
        let b = highest.value();
        RANGE.check((NAME, SCHEME), highest)?;
        let inside = 0.0 < width && width <= b;
        demand(("the width of the orders", width, inside, "0 < width <= alpha"))?;
        // The width after rounding: the weights sum to 1.
        let lowest = b - width;
        Self::new((lowest, b), |_| 1.0 / (b - lowest), POINTS)
    }

    /// The same orders by convolution quadrature with the BDF of order `p`, each corrected at the
    /// start as [`Caputo::bdf`](crate::Caputo::bdf): order min(p, 4) for smooth f at fixed t, and
    /// q + 1 for f ~ t^q at the start.
    ///
    /// ```
    /// use hpfracc_backend::Reference;
    /// use hpfracc_operators::{DistributedOrder, Operator};
    /// use hpfracc_special::gamma;
    /// use hpfracc_types::Grid;
    /// use ndarray::Array1;
    ///
    /// let grid = Grid::uniform(401, 0.005)?;
    /// let d = DistributedOrder::new((0.0, 1.0), |alpha| 0.5 * gamma(3.0 - alpha), 16)?.bdf(4)?;
    /// let y = d.on(grid, &Reference)?.apply(grid.points().map(|t| t * t).collect::<Array1<f64>>().view())?;
    /// assert!((y[400] - 2.0 / 2f64.ln()).abs() < 1e-9);
    /// # Ok::<(), hpfracc_operators::OperatorError>(())
    /// ```
    ///
    /// # Errors
    /// [`OperatorError::BdfOrder`](crate::OperatorError::BdfOrder) unless p is 1 to 6.
    pub fn bdf(self, p: usize) -> Result<Self> {
        Ok(Self { scheme: Scheme::Bdf(Bdf::new(p)?), ..self })
    }

    /// The orders with the weight of each: the density times the weight of the quadrature.
    pub fn nodes(&self) -> &[(f64, f64)] {
        &self.nodes
    }
}

const SCHEME: &str = "l1-gauss";

/// By the order of the formula, from 1 on.
const BDF_SCHEMES: [&str; MAX_P] =
    ["bdf1-gauss", "bdf2-gauss", "bdf3-gauss", "bdf4-gauss", "bdf5-gauss", "bdf6-gauss"];

const RANGE: Range = Range::new("0 < alpha <= 1", (0.0f64.next_up(), 1.0), &[0.3, 0.8]);

const DEFINITION: &Definition = &Definition {
    name: NAME,
    title: "Caputo derivative of distributed order, all orders alike",
    formula: "1/width int_(alpha-width)^alpha D^a f da",
    of_constants: "0",
    of_powers: "t^q -> 1/width int Gamma(q+1)/Gamma(q+1-a) t^(q-a) da",
    relation: "mean of Caputo derivatives; Caputo as width falls to 0",
    source: "Caputo, Fract. Calc. Appl. Anal. 4 (2001) 421",
    parameters: &[Parameter {
        name: "width",
        meaning: "alpha, the highest order, less the lowest",
        range: "0 < width <= alpha",
        default: None,
        example: 0.25,
    }],
};

pub(crate) const ENTRIES: &[Entry] = &[
    DEFINITION.scheme(SCHEME, RANGE, "2 - alpha", |order, v| {
        arc(DistributedOrder::uniform(order, v[0])?)
    }),
    bdf::<2>("2"),
    bdf::<4>("4"),
];

/// The row of the formula of order P.
const fn bdf<const P: usize>(accuracy: &'static str) -> Entry {
    let make = |order: Order, v: &[f64]| arc(DistributedOrder::uniform(order, v[0])?.bdf(P)?);
    DEFINITION.scheme(BDF_SCHEMES[P - 1], RANGE, accuracy, make)
}

impl Discretisation for DistributedOrder {
    fn name(&self) -> (&'static str, &'static str) {
        let scheme = match self.scheme {
            Scheme::L1 => SCHEME,
            Scheme::Bdf(bdf) => BDF_SCHEMES[bdf.p() - 1],
        };
        (NAME, scheme)
    }

    /// The highest order.
    fn order(&self) -> Order {
        self.highest
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        let shift = alpha - self.highest.value();
        let mut sum = Toeplitz::of_differences(1, vec![N::constant(0.0); grid.n()]);
        if let Scheme::Bdf(bdf) = self.scheme {
            let needed = bdf_starts::min_points(self.highest.value(), bdf);
            enough_samples(Discretisation::name(self), grid, needed)?;
        }
        for &(order, weight) in &self.nodes {
            match self.scheme {
                Scheme::L1 => l1::add_weights(shift + order, grid, weight, &mut sum.causal),
                Scheme::Bdf(bdf) => {
                    let one = bdf_starts::toeplitz(Target::Caputo, shift + order, bdf, grid);
                    sum = sum.plus(one, weight);
                }
            }
        }
        Ok(sum.into())
    }
}
