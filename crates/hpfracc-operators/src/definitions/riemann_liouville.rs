use crate::catalogue::{Definition, Entry, Range, arc, cost, outside};
use crate::definitions::caputo::l1;
use crate::error::{enough_samples, in_range, no_recurrence, uniform_only};
use crate::memory::recurrence::{Asked, PowerNodes, Recurrence};
use crate::schemes::bdf_starts::{self, Target};
use crate::schemes::cells::steps;
use crate::schemes::dual::Dual;
use crate::schemes::lubich::Bdf;
use crate::{MeshMemory, Operator, OperatorError, Toeplitz, Weights};
use hpfracc_special::{digamma, powers, recip_gamma};
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
/// The first entry of a result stands for a value that is infinite unless f(0) = 0 or alpha is whole.
/// Both schemes give there what they give for a record that rises from zero within one step: finite,
/// and growing as h^-alpha.
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
    /// [`OperatorError::OutOfRange`] unless 0 < alpha < 1.
    pub fn l1(order: Order) -> Result<Self, OperatorError> {
        let inside = 0.0 < order.value() && order.value() < 1.0;
        in_range(inside, (NAME, "l1"), order, "0 < alpha < 1")?;
        Ok(Self { order, scheme: Scheme::L1 })
    }

    /// Convolution quadrature with the BDF of order `p`, corrected to be exact on the powers of t up
    /// to ceil(alpha). p = 5 and 6 reach their order if f'' and f''' vanish at the start.
    ///
    /// Source: Lubich, SIAM J. Math. Anal. 17 (1986) 704, DOI 10.1137/0517050, section 4.
    ///
    /// # Errors
    /// [`OperatorError::BdfOrder`] unless p is 1 to 6, [`OperatorError::OutOfRange`] beyond
    /// alpha = 20, where no digit of a derivative in double precision survives.
    pub fn bdf(order: Order, p: usize) -> Result<Self, OperatorError> {
        let bdf = Bdf::new(p)?;
        in_range(order.value() <= 20.0, (NAME, bdf.name()), order, "0 <= alpha <= 20")?;
        Ok(Self { order, scheme: Scheme::Bdf(bdf) })
    }

    fn check_grid(self, grid: Grid) -> Result<(), OperatorError> {
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
    Entry {
        definition: DEFINITION,
        scheme: "l1",
        range: Range::UNIT,
        accuracy: "2 - alpha",
        cost: cost::CONVOLUTION,
        outside: outside::STARTS,
        make: |order, _| arc(RiemannLiouville::l1(order)?),
    },
    Entry {
        definition: DEFINITION,
        scheme: "bdf2",
        range: Range::TO_TWENTY,
        accuracy: "2",
        cost: cost::CONVOLUTION,
        outside: outside::STARTS,
        make: |order, _| arc(RiemannLiouville::bdf(order, 2)?),
    },
    Entry {
        definition: DEFINITION,
        scheme: "bdf3",
        range: Range::TO_TWENTY,
        accuracy: "3",
        cost: cost::CONVOLUTION,
        outside: outside::STARTS,
        make: |order, _| arc(RiemannLiouville::bdf(order, 3)?),
    },
    Entry {
        definition: DEFINITION,
        scheme: "bdf4",
        range: Range::TO_TWENTY,
        accuracy: "4",
        cost: cost::CONVOLUTION,
        outside: outside::STARTS,
        make: |order, _| arc(RiemannLiouville::bdf(order, 4)?),
    },
    Entry {
        definition: DEFINITION,
        scheme: "bdf5",
        range: Range::TO_TWENTY,
        accuracy: "4; 5 if f'' = f''' = 0 at 0",
        cost: cost::CONVOLUTION,
        outside: outside::STARTS,
        make: |order, _| arc(RiemannLiouville::bdf(order, 5)?),
    },
    Entry {
        definition: DEFINITION,
        scheme: "bdf6",
        range: Range::TO_TWENTY,
        accuracy: "4; 6 if f'' = f''' = 0 at 0",
        cost: cost::CONVOLUTION,
        outside: outside::STARTS,
        make: |order, _| arc(RiemannLiouville::bdf(order, 6)?),
    },
    Entry {
        definition: DEFINITION,
        scheme: "bdf1",
        range: Range::TO_TWENTY,
        accuracy: "1",
        cost: cost::CONVOLUTION,
        outside: outside::STARTS,
        make: |order, _| arc(RiemannLiouville::bdf(order, 1)?),
    },
];

impl Operator for RiemannLiouville {
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

    fn weights(&self, grid: Grid) -> Result<Weights, OperatorError> {
        self.check_grid(grid)?;
        let alpha = self.order.value();
        Ok(match self.scheme {
            Scheme::L1 => Toeplitz::of_differences(1, l1::weights(alpha, grid))
                .with_start(jump(alpha, grid, l1::scale(alpha, grid)), vec![1.0]),
            Scheme::Bdf(bdf) => bdf_starts::toeplitz(Target::RiemannLiouville, alpha, bdf, grid),
        }
        .into())
    }

    fn weights_order_derivative(&self, grid: Grid) -> Result<Weights, OperatorError> {
        self.check_grid(grid)?;
        let alpha = self.order.value();
        Ok(match self.scheme {
            Scheme::L1 => Toeplitz::of_differences(1, l1::weights_derivative(alpha, grid))
                .with_start(jump_derivative(alpha, grid), vec![1.0]),
            Scheme::Bdf(bdf) => {
                bdf_starts::toeplitz_derivative(Target::RiemannLiouville, alpha, bdf, grid)
            }
        }
        .into())
    }

    fn mesh_weights(&self, mesh: &Mesh, memory: MeshMemory) -> Result<Weights, OperatorError> {
        match self.scheme {
            Scheme::L1 => l1::riemann_liouville_on_cells(self.order, steps(mesh), memory),
            Scheme::Bdf(_) => Err(uniform_only(self.name())),
        }
    }

    fn mesh_weights_order_derivative(
        &self,
        mesh: &Mesh,
        memory: MeshMemory,
    ) -> Result<Weights, OperatorError> {
        match self.scheme {
            Scheme::L1 => {
                l1::riemann_liouville_on_cells_derivative(self.order, steps(mesh), memory)
            }
            Scheme::Bdf(_) => Err(uniform_only(self.name())),
        }
    }

    fn recurrence(
        &self,
        dt: f64,
        longest: u64,
        tolerance: f64,
    ) -> Result<Recurrence, OperatorError> {
        let asked = Asked::new(dt, longest, tolerance)?;
        match self.scheme {
            Scheme::L1 => Ok(with_jump(l1::recurrence(self.order.value(), asked)?)),
            Scheme::Bdf(_) => Err(no_recurrence(self.name())),
        }
    }

    fn recurrence_order_derivative(
        &self,
        dt: f64,
        longest: u64,
        tolerance: f64,
    ) -> Result<Recurrence, OperatorError> {
        let asked = Asked::new(dt, longest, tolerance)?;
        match self.scheme {
            Scheme::L1 => Ok(with_jump(l1::recurrence_derivative(self.order.value(), asked)?)),
            Scheme::Bdf(_) => Err(no_recurrence(self.name())),
        }
    }
}

/// The derivative of a unit constant, t^-alpha/Gamma(1-alpha), with that of alpha. At the start what L1
/// gives for a constant that rises from zero within one step: h^-alpha/Gamma(2-alpha).
pub(crate) fn jump_of_constants(alpha: f64, grid: Grid) -> Vec<Dual> {
    let (values, slopes) =
        (jump(alpha, grid, l1::scale(alpha, grid)), jump_derivative(alpha, grid));
    values.into_iter().zip(slopes).map(|(value, slope)| Dual::new(value, slope)).collect()
}

/// With what a start at f_0 adds, t^-alpha/Gamma(1-alpha), the kernel of Caputo's weights.
fn with_jump((caputo, nodes): (Recurrence, PowerNodes)) -> Recurrence {
    let first = caputo.near()[0];
    caputo.with_jump(&nodes.sum, first)
}

/// The derivative of a unit constant, t^-alpha/Gamma(1-alpha), with `first` at the start.
fn jump(alpha: f64, grid: Grid, first: f64) -> Vec<f64> {
    let mut column = vec![0.0; grid.n()];
    powers(-alpha, &mut column);
    let factor = grid.dt().powf(-alpha) * recip_gamma(1.0 - alpha);
    column.iter_mut().for_each(|v| *v *= factor);
    column[0] = first;
    column
}

fn jump_derivative(alpha: f64, grid: Grid) -> Vec<f64> {
    let ln_h = grid.dt().ln();
    let first = l1::scale(alpha, grid);
    let psi = digamma(1.0 - alpha);
    let mut column = jump(alpha, grid, first);
    for (n, v) in column.iter_mut().enumerate().skip(1) {
        *v *= psi - ln_h - (n as f64).ln();
    }
    column[0] = first * (digamma(2.0 - alpha) - ln_h);
    column
}
