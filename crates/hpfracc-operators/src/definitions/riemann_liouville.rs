use crate::definitions::entry::{Definition, Entry, Range, arc};
use crate::error::{enough_samples, no_recurrence, uniform_only};
use crate::memory::recurrence::{Recurrence, Request};
use crate::schemes::bdf_starts::{self, Target};
use crate::schemes::cells::steps;
use crate::schemes::l1;
use crate::schemes::lubich::Bdf;
use crate::{Discretisation, MeshMemory, Number, Result, Toeplitz, Weights};
use hpfracc_types::{Grid, Mesh, Order};

/// The Riemann–Liouville derivative: the fractional integral first, then the classical
/// derivative.
///
#[doc = formula!("riemann_liouville", r"D^\alpha f(t) = \frac{d^m}{dt^m} \frac{1}{\Gamma(m-\alpha)} \int_0^t (t-s)^{m-\alpha-1} f(s) \, ds, \quad m = \lceil \alpha \rceil")]
///
/// `D^alpha t^q = Gamma(q+1)/Gamma(q+1-alpha) t^(q-alpha)` for every q > -1: of a constant it is
/// t^-alpha/Gamma(1-alpha), infinite at the start. It differs from the Caputo derivative by these
/// terms of the Taylor polynomial.
///
/// The exact value at t = 0 is infinite unless f(0) = 0 or alpha is whole. The first entry of a
/// result is the value for a function that rises from zero within one step: finite, and growing as
/// h^-alpha.
///
/// | constructor | range | order for smooth f, at fixed t | for f ~ t^q |
/// |---|---|---|---|
/// | [`l1`](Self::l1) | 0 < alpha < 1 | 2 - alpha | min(2 - alpha, q + 1) |
/// | [`bdf`](Self::bdf) | 0 <= alpha <= 20 | min(p, 4) | q + 1 |
///
/// The Grünwald–Letnikov schemes approximate the same derivative without start corrections.
///
/// Cost: one causal convolution, and a pass over the samples for each start correction.
///
/// Source: Samko, Kilbas and Marichev, Fractional Integrals and Derivatives (1993), section 2.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{Operator, RiemannLiouville};
/// use hpfracc_types::{Grid, Order};
/// use ndarray::Array1;
///
/// let grid = Grid::uniform(101, 0.01)?;
/// let half = RiemannLiouville::l1(Order::new(0.5)?)?.on(grid, &Reference)?;
/// // Of 1 at t = 1: 1/sqrt(pi), where Caputo's derivative is 0.
/// let y = half.apply(Array1::<f64>::ones(101).view())?;
/// assert!((y[100] - 1.0 / std::f64::consts::PI.sqrt()).abs() < 1e-13);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RiemannLiouville {
    order: Order,
    scheme: Scheme,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Scheme {
    L1,
    Bdf(Bdf),
}

const NAME: &str = "riemann-liouville";

impl RiemannLiouville {
    /// The derivative of the piecewise linear interpolant: Caputo's L1 scheme plus
    /// f(0) t^-alpha/Gamma(1-alpha). On a mesh it is the same, whatever the steps.
    ///
    /// Source: Diethelm, Electron. Trans. Numer. Anal. 5 (1997) 1, where the same weights come
    /// from Hadamard's finite part.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha < 1.
    pub fn l1(order: Order) -> Result<Self> {
        Range::UNIT.check((NAME, "l1"), order)?;
        Ok(Self { order, scheme: Scheme::L1 })
    }

    /// Convolution quadrature with the BDF of order `p`, corrected at the start for the powers of t
    /// up to ceil(alpha): exact on those below p, with the formula's own error of order p on the
    /// others. p = 5 and 6 reach their order if f'' and f''' vanish at the start.
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
            Scheme::L1 => 2,
            Scheme::Bdf(bdf) => bdf_starts::min_points(self.order.value(), bdf),
        };
        enough_samples(self.name(), grid, needed)
    }
}

const DEFINITION: &Definition = &Definition {
    name: NAME,
    title: "Riemann-Liouville derivative",
    formula: "d^m/dt^m 1/Gamma(m-alpha) int_0^t (t-s)^(m-alpha-1) f(s) ds, m = ceil(alpha)",
    of_constants: "c -> c t^-alpha/Gamma(1-alpha)",
    of_powers: "t^q -> Gamma(q+1)/Gamma(q+1-alpha) t^(q-alpha), q > -1",
    relation: "left inverse of the Riemann-Liouville integral; Caputo plus f^(k)(0) t^(k-alpha)/Gamma(k+1-alpha), k < m",
    source: "Samko, Kilbas and Marichev, Fractional Integrals and Derivatives (1993), section 2",
    parameters: &[],
};

pub(crate) const ENTRIES: &[Entry] = &[
    DEFINITION.scheme("l1", Range::UNIT, "2 - alpha", |order, _| arc(RiemannLiouville::l1(order)?)),
    bdf::<2>("2"),
    bdf::<3>("3"),
    bdf::<4>("4"),
    bdf::<5>("4; 5 if f'' = f''' = 0 at 0"),
    bdf::<6>("4; 6 if f'' = f''' = 0 at 0"),
    bdf::<1>("1"),
];

/// The row of the formula of order P.
const fn bdf<const P: usize>(accuracy: &'static str) -> Entry {
    let make = |order: Order, _: &[f64]| arc(RiemannLiouville::bdf(order, P)?);
    DEFINITION.scheme(Bdf::NAMES[P - 1], Range::TO_TWENTY, accuracy, make)
}

impl Discretisation for RiemannLiouville {
    fn name(&self) -> (&'static str, &'static str) {
        let scheme = match self.scheme {
            Scheme::L1 => "l1",
            Scheme::Bdf(bdf) => bdf.name(),
        };
        (NAME, scheme)
    }

    fn order(&self) -> Order {
        self.order
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        self.check_grid(grid)?;
        Ok(match self.scheme {
            Scheme::L1 => Toeplitz::of_differences(1, l1::weights(alpha, grid))
                .with_start(l1::of_constant(alpha, grid), vec![1.0]),
            Scheme::Bdf(bdf) => bdf_starts::toeplitz(Target::RiemannLiouville, alpha, bdf, grid),
        }
        .into())
    }

    fn mesh_at<N: Number>(&self, alpha: N, mesh: &Mesh, memory: MeshMemory) -> Result<Weights<N>> {
        match self.scheme {
            Scheme::L1 => l1::riemann_liouville_on_cells(alpha, steps(mesh), memory),
            Scheme::Bdf(_) => Err(uniform_only(self.name())),
        }
    }

    fn recurrence_at<N: Number>(&self, alpha: N, request: Request) -> Result<Recurrence<N>> {
        match self.scheme {
            Scheme::L1 => {
                // Caputo's weights, and f(0) t^-alpha/Gamma(1-alpha), the kernel of these weights.
                let (caputo, nodes) = l1::recurrence(alpha, request)?;
                Ok(caputo.with_jump(&nodes.sum, l1::scale(alpha, request.dt)))
            }
            Scheme::Bdf(_) => Err(no_recurrence(self.name())),
        }
    }
}
