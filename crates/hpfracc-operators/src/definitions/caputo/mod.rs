mod l2_midpoint;
pub(crate) mod quadratic;

use crate::definitions::entry::{Definition, Entry, Range, arc};
use crate::error::{enough_samples, no_recurrence, uniform_only};
use crate::memory::recurrence::{Recurrence, Request};
use crate::schemes::bdf_starts::{self, Target};
use crate::schemes::cells::steps;
use crate::schemes::l1;
use crate::schemes::lubich::Bdf;
use crate::{Discretisation, MeshMemory, Number, Result, Toeplitz, Weights};
use hpfracc_types::{Grid, Mesh, Order};

/// The Caputo derivative: the classical derivative first, then the fractional integral.
///
#[doc = formula!("caputo", r"D^\alpha f(t) = \frac{1}{\Gamma(m-\alpha)} \int_0^t (t-s)^{m-\alpha-1} f^{(m)}(s) \, ds, \quad m = \lceil \alpha \rceil")]
///
/// It is zero for constants (for every polynomial of degree below m), and
/// `D^alpha t^q = Gamma(q+1)/Gamma(q+1-alpha) t^(q-alpha)` otherwise. As alpha falls to 0 it tends
/// to f - f(0), as it rises to 1 to f'.
///
/// | constructor | range | order for smooth f | for f ~ t^q, at fixed t |
/// |---|---|---|---|
/// | [`l1`](Self::l1) | 0 < alpha < 1 | 2 - alpha | min(2 - alpha, q + 1) |
/// | [`l1_2`](Self::l1_2) | 0 < alpha < 1 | 3 - alpha | min(3 - alpha, q + 1) |
/// | [`l2_1_sigma`](Self::l2_1_sigma), at t - alpha h/2 | 0 < alpha < 1 | 3 - alpha | min(3 - alpha, q + 1) |
/// | [`l2_midpoint`](Self::l2_midpoint) | 1 < alpha < 2 | 3 - alpha | min(3 - alpha, q - 1) |
/// | [`bdf`](Self::bdf) | 0 <= alpha <= 20 | min(p, 4) | q + 1 for alpha <= 1, else q + 1 - m |
///
/// Cost: one causal convolution, and a pass over the samples for each start correction.
///
/// Sources: Caputo, Geophys. J. Int. 13 (1967) 529, DOI 10.1111/j.1365-246X.1967.tb02303.x;
/// Diethelm, The Analysis of Fractional Differential Equations (2010), chapter 3, DOI
/// 10.1007/978-3-642-14574-2.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{Caputo, Operator};
/// use hpfracc_types::{Grid, Order};
/// use ndarray::Array1;
///
/// let grid = Grid::uniform(101, 0.01)?;
/// let half = Caputo::l1(Order::new(0.5)?)?.on(grid, &Reference)?;
/// // Of 1 + t at t = 1: 2/sqrt(pi), and L1 is exact for it.
/// let y = half.apply(grid.points().map(|t| 1.0 + t).collect::<Array1<f64>>().view())?;
/// assert!((y[100] - 2.0 / std::f64::consts::PI.sqrt()).abs() < 1e-13);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Caputo {
    order: Order,
    scheme: Scheme,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Scheme {
    L1,
    L12,
    L21Sigma,
    L2Midpoint,
    Bdf(Bdf),
}

const NAME: &str = "caputo";

impl Caputo {
    /// The L1 scheme: the derivative of the piecewise linear interpolant, exactly.
    ///
    /// Order 2 - alpha for f in C^2; exact on 1 and t. On t^alpha its relative error at the first
    /// node is O(1) for every step; later nodes recover.
    ///
    /// On a mesh it is the same, whatever the steps. For f ~ t^alpha at the start, a mesh graded by
    /// r = (2 - alpha)/alpha has the order 2 - alpha again: Stynes, O'Riordan and Gracia, SIAM J.
    /// Numer. Anal. 55 (2017) 1057, DOI 10.1137/16M1082329.
    ///
    /// Source: Oldham and Spanier, The Fractional Calculus (1974), section 8.2; error bound: Lin
    /// and Xu, J. Comput. Phys. 225 (2007) 1533, DOI 10.1016/j.jcp.2007.02.001.
    ///
    /// ```
    /// use hpfracc_backend::Reference;
    /// use hpfracc_operators::{Caputo, Operator};
    /// use hpfracc_types::{Grid, Order};
    /// use ndarray::array;
    ///
    /// let grid = Grid::uniform(3, 1.0)?;
    /// let half = Caputo::l1(Order::new(0.5)?)?.on(grid, &Reference)?;
    /// // Of t: 2 sqrt(t / pi), of a constant: nothing.
    /// let y = half.apply(array![[0.0, 1.0, 2.0], [7.0, 7.0, 7.0]].view())?;
    /// assert!((y[[0, 2]] - 2.0 * (2.0 / std::f64::consts::PI).sqrt()).abs() < 1e-15);
    /// assert_eq!(y[[1, 2]], 0.0);
    /// # Ok::<(), hpfracc_operators::OperatorError>(())
    /// ```
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha < 1.
    pub fn l1(order: Order) -> Result<Self> {
        Range::UNIT.check((NAME, "l1"), order)?;
        Ok(Self { order, scheme: Scheme::L1 })
    }

    /// The L1-2 scheme: the derivative of a piecewise quadratic interpolant, exactly. A cell takes
    /// the parabola through its ends and the sample before it, the first cell a line.
    ///
    /// Order 3 - alpha at fixed t for f in C^3. The first node, which has no parabola, is L1 and of
    /// order 2 - alpha; the line there costs later nodes h^3 t^(-1-alpha), which for the nodes next
    /// to it is no less. Exact on 1 and t.
    ///
    /// Source: Gao, Sun and Zhang, J. Comput. Phys. 259 (2014) 33, DOI 10.1016/j.jcp.2013.11.017.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha < 1.
    pub fn l1_2(order: Order) -> Result<Self> {
        Range::UNIT.check((NAME, "l1-2"), order)?;
        Ok(Self { order, scheme: Scheme::L12 })
    }

    /// The L2-1sigma scheme, whose values belong to times between the nodes: entry n of a result is
    /// the derivative at
    ///
    #[doc = formula!("caputo_l2_1_sigma", r"t_n - \alpha h / 2 = t_{n-1+\sigma}, \quad \sigma = 1 - \alpha / 2, \quad n \ge 1")]
    ///
    /// and entry 0, whose time is before the first sample, is 0: the derivative of a function that
    /// is constant before the start. Order 3 - alpha for f in C^3 at every n >= 1; exact on 1, t
    /// and t^2. As alpha rises to 1 the value becomes the centred difference at the middle of the
    /// cell.
    ///
    /// The times depend on the order, and the gradient with respect to the order is that of the
    /// numbers: it includes the shift of the times by -h/2 for a unit of alpha.
    ///
    /// Source: Alikhanov, J. Comput. Phys. 280 (2015) 424, DOI 10.1016/j.jcp.2014.09.031.
    ///
    /// ```
    /// use hpfracc_backend::Reference;
    /// use hpfracc_operators::{Caputo, Operator};
    /// use hpfracc_types::{Grid, Order};
    /// use ndarray::array;
    ///
    /// let grid = Grid::uniform(3, 1.0)?;
    /// let half = Caputo::l2_1_sigma(Order::new(0.5)?)?.on(grid, &Reference)?;
    /// let y = half.apply(array![0.0, 1.0, 4.0].view())?;
    /// // D^1/2 t^2 = Gamma(3)/Gamma(5/2) t^3/2, not at t = 2 but at 1.75.
    /// assert!((y[2] - 1.5045055561273502 * 1.75f64.powf(1.5)).abs() < 1e-14);
    /// # Ok::<(), hpfracc_operators::OperatorError>(())
    /// ```
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha < 1.
    pub fn l2_1_sigma(order: Order) -> Result<Self> {
        Range::UNIT.check((NAME, "l2-1sigma"), order)?;
        Ok(Self { order, scheme: Scheme::L21Sigma })
    }

    /// The product midpoint rule in f'': second differences on cells centred at the nodes, with
    /// exact kernel integrals. Order 3 - alpha for f in C^3.
    ///
    /// The slopes are at half steps as in Sun and Wu, Appl. Numer. Math. 56 (2006) 193, DOI
    /// 10.1016/j.apnum.2005.03.003; but the value is taken at the node, and f'(0) is not
    /// needed. Exact for polynomials of degree 2. Needs three samples; the value at the second
    /// one looks one sample ahead.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 1 < alpha < 2.
    pub fn l2_midpoint(order: Order) -> Result<Self> {
        Range::ONE_TO_TWO.check((NAME, "l2-midpoint"), order)?;
        Ok(Self { order, scheme: Scheme::L2Midpoint })
    }

    /// Convolution quadrature with the BDF of order `p`, on f minus its Taylor polynomial of degree
    /// ceil(alpha) - 1 at the start, whose coefficients come from one-sided differences of the
    /// first samples; the next power of t is exact too, except with p = 1 for alpha <= 1.
    ///
    /// For smooth f the order at fixed t is min(p, 4); p = 5 and 6 reach p if f'' and f''' vanish
    /// at the start. Near whole orders, and at them, the first entries are as accurate as the
    /// others. A start t^q with q not whole costs h^(q+1); for alpha > 1 it also spoils the
    /// coefficient of t^(m-1), by h^(q+1-m).
    ///
    /// As alpha falls to 0 the derivative tends to f - f(0), but at alpha = 0, where ceil(alpha) =
    /// 0, it is f itself: values and gradients with respect to the order jump there.
    ///
    /// Source: Lubich, SIAM J. Math. Anal. 17 (1986) 704, DOI 10.1137/0517050, section 4.
    ///
    /// # Errors
    /// [`OperatorError::BdfOrder`](crate::OperatorError::BdfOrder) unless p is 1 to 6,
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) beyond alpha = 20, where no
    /// digit of a derivative in double precision survives.
    pub fn bdf(order: Order, p: usize) -> Result<Self> {
        let bdf = Bdf::new(p)?;
        Range::TO_TWENTY.check((NAME, bdf.name()), order)?;
        Ok(Self { order, scheme: Scheme::Bdf(bdf) })
    }

    fn check_grid(self, grid: Grid) -> Result<()> {
        let needed = match self.scheme {
            Scheme::L1 | Scheme::L12 | Scheme::L21Sigma => 2,
            Scheme::L2Midpoint => l2_midpoint::MIN_POINTS,
            Scheme::Bdf(bdf) => bdf_starts::min_points(self.order.value(), bdf),
        };
        enough_samples(self.name(), grid, needed)
    }
}

const DEFINITION: &Definition = &Definition {
    name: NAME,
    title: "Caputo derivative",
    formula: "1/Gamma(m-alpha) int_0^t (t-s)^(m-alpha-1) f^(m)(s) ds, m = ceil(alpha)",
    of_constants: "0",
    of_powers: "t^q -> Gamma(q+1)/Gamma(q+1-alpha) t^(q-alpha); 0 for q = 0, .., m-1",
    relation: "Riemann-Liouville of f without its Taylor polynomial of degree m-1 at the start",
    source: "Caputo, Geophys. J. Int. 13 (1967) 529, DOI 10.1111/j.1365-246X.1967.tb02303.x",
    parameters: &[],
};

pub(crate) const ENTRIES: &[Entry] = &[
    DEFINITION.scheme("l1", Range::UNIT, "2 - alpha", |order, _| arc(Caputo::l1(order)?)),
    DEFINITION.scheme("l1-2", Range::UNIT, "3 - alpha", |order, _| arc(Caputo::l1_2(order)?)),
    DEFINITION.scheme("l2-1sigma", Range::UNIT, "3 - alpha, at t - alpha h/2", |order, _| {
        arc(Caputo::l2_1_sigma(order)?)
    }),
    DEFINITION.scheme("l2-midpoint", Range::ONE_TO_TWO, "3 - alpha", |order, _| {
        arc(Caputo::l2_midpoint(order)?)
    }),
    DEFINITION.scheme("bdf2", Range::TO_TWENTY, "2", |order, _| arc(Caputo::bdf(order, 2)?)),
    DEFINITION.scheme("bdf3", Range::TO_TWENTY, "3", |order, _| arc(Caputo::bdf(order, 3)?)),
    DEFINITION.scheme("bdf4", Range::TO_TWENTY, "4", |order, _| arc(Caputo::bdf(order, 4)?)),
    DEFINITION.scheme("bdf5", Range::TO_TWENTY, "4; 5 if f'' = f''' = 0 at 0", |order, _| {
        arc(Caputo::bdf(order, 5)?)
    }),
    DEFINITION.scheme("bdf6", Range::TO_TWENTY, "4; 6 if f'' = f''' = 0 at 0", |order, _| {
        arc(Caputo::bdf(order, 6)?)
    }),
    DEFINITION.scheme("bdf1", Range::TO_TWENTY, "1", |order, _| arc(Caputo::bdf(order, 1)?)),
];

impl Discretisation for Caputo {
    fn name(&self) -> (&'static str, &'static str) {
        let scheme = match self.scheme {
            Scheme::L1 => "l1",
            Scheme::L12 => "l1-2",
            Scheme::L21Sigma => "l2-1sigma",
            Scheme::L2Midpoint => "l2-midpoint",
            Scheme::Bdf(bdf) => bdf.name(),
        };
        (NAME, scheme)
    }

    fn order(&self) -> Order {
        self.order
    }

    fn starts_at_zero(&self) -> bool {
        self.order.value().fract() != 0.0
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        self.check_grid(grid)?;
        Ok(match self.scheme {
            Scheme::L1 => Toeplitz::of_differences(1, l1::weights(alpha, grid)),
            Scheme::L12 => quadratic::l1_2(alpha, grid),
            Scheme::L21Sigma => quadratic::l2_1_sigma(alpha, grid),
            Scheme::L2Midpoint => l2_midpoint::weights(alpha, grid),
            Scheme::Bdf(bdf) => bdf_starts::toeplitz(Target::Caputo, alpha, bdf, grid),
        }
        .into())
    }

    fn mesh_at<N: Number>(&self, alpha: N, mesh: &Mesh, memory: MeshMemory) -> Result<Weights<N>> {
        match self.scheme {
            Scheme::L1 => l1::on_cells(alpha, steps(mesh), memory),
            _ => Err(uniform_only(self.name())),
        }
    }

    fn recurrence_at<N: Number>(&self, alpha: N, request: Request) -> Result<Recurrence<N>> {
        match self.scheme {
            Scheme::L1 => Ok(l1::recurrence(alpha, request)?.0),
            _ => Err(no_recurrence(self.name())),
        }
    }
}
