use crate::definitions::entry::{Definition, Entry, Parameter, Range, arc, cost};
use crate::definitions::kind::Kind;
use crate::definitions::substitution::{of_grid, of_mesh, power_step, weights};
use crate::error::demand;
use crate::{Discretisation, MeshMemory, Number, Result, Weights};
use hpfracc_types::{Grid, Mesh, Order};

/// Katugampola's integral and derivatives: those of Riemann–Liouville and Caputo in x = t^rho/rho.
///
#[doc = formula!("katugampola", r"I^\alpha f(t) = \frac{\rho^{1-\alpha}}{\Gamma(\alpha)} \int_{t_0}^t s^{\rho-1} (t^\rho-s^\rho)^{\alpha-1} f(s) \, ds
    D^\alpha f(t) = t^{1-\rho} \frac{d}{dt} I^{1-\alpha} f(t), \quad \text{in Caputo's sense} \quad I^{1-\alpha} (t^{1-\rho} f')(t)")]
///
/// with t0 >= 0 and rho > 0. From t0 = 0,
/// `I^alpha t^q = rho^-alpha Gamma(q/rho+1)/Gamma(q/rho+1+alpha) t^(q+alpha rho)`, and the
/// derivatives the same with -alpha, but that Caputo's of a constant is zero. rho = 1 gives
/// Riemann–Liouville and Caputo; as rho falls to 0 with t0 > 0, Hadamard.
///
/// | constructor | range | order for f smooth in x | for f smooth in t, t0 = 0 |
/// |---|---|---|---|
/// | [`integral`](Self::integral) | 0 < alpha <= 2 | 2 | min(2, 1 + rho) |
/// | [`riemann_liouville`](Self::riemann_liouville) | 0 < alpha < 1 | 2 - alpha | min(2 - alpha, 1 + rho) |
/// | [`caputo`](Self::caputo) | 0 < alpha < 1 | 2 - alpha | min(2 - alpha, 1 + rho) |
///
/// f is taken to be linear in x between the samples. On a grid they are at start + j dt; on a mesh
/// at its points, whose first one is t0, and the start is not used. Cost: a sum of exponentials,
/// O(N K).
///
/// Source: Katugampola, Appl. Math. Comput. 218 (2011) 860, DOI 10.1016/j.amc.2011.03.062, and
/// Bull. Math. Anal. Appl. 6 (2014) 1; Caputo type: Jarad, Abdeljawad and Baleanu, J. Nonlinear
/// Sci. Appl. 10 (2017) 2607, DOI 10.22436/jnsa.010.05.27.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{Katugampola, Operator};
/// use hpfracc_types::{Grid, Order};
/// use ndarray::Array1;
///
/// let grid = Grid::uniform(101, 0.01)?;
/// let half = Katugampola::integral(Order::new(0.5)?, 2.0, 0.0)?.on(grid, &Reference)?;
/// // t^2 at t = 1: 2^(-1/2) / Gamma(5/2), exactly, as t^2 is linear in x.
/// let squares: Array1<f64> = grid.points().map(|t| t * t).collect();
/// assert!((half.apply(squares.view())?[100] - 0.5319230405352436).abs() < 1e-11);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Katugampola {
    order: Order,
    kind: Kind,
    rho: f64,
    start: f64,
}

const NOT_NEGATIVE: &str = "zero or positive: Katugampola's operators live on t >= 0";

impl Katugampola {
    /// The integral, by the product trapezoidal rule in x; exact on 1 and t^rho.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha <= 2;
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) unless rho is positive and the
    /// time of the first sample is not negative.
    pub fn integral(order: Order, rho: f64, start: f64) -> Result<Self> {
        Self::checked(order, Kind::Integral, rho, start)
    }

    /// The derivative of the integral, by the L1 scheme in x; exact on 1 and t^rho.
    ///
    /// Its first value, infinite unless f is zero there, is that of a function that rises from zero
    /// within the first step.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha < 1;
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) unless rho is positive and the
    /// time of the first sample is not negative.
    pub fn riemann_liouville(order: Order, rho: f64, start: f64) -> Result<Self> {
        Self::checked(order, Kind::RiemannLiouville, rho, start)
    }

    /// The integral of t^(1-rho) f'(t), by the L1 scheme in x; exact on 1 and t^rho.
    ///
    /// # Errors
    /// As [`Katugampola::riemann_liouville`].
    pub fn caputo(order: Order, rho: f64, start: f64) -> Result<Self> {
        Self::checked(order, Kind::Caputo, rho, start)
    }

    fn checked(order: Order, kind: Kind, rho: f64, start: f64) -> Result<Self> {
        let katugampola = Self { order, kind, rho, start };
        kind.check(katugampola.name(), order)?;
        demand(("rho", rho, rho > 0.0 && rho.is_finite(), "positive and finite"))?;
        demand((
            "the time of the first sample",
            start,
            start.is_finite() && start >= 0.0,
            NOT_NEGATIVE,
        ))?;
        Ok(katugampola)
    }
}

impl Discretisation for Katugampola {
    fn name(&self) -> (&'static str, &'static str) {
        self.kind.name([INTEGRAL, DERIVATIVE, CAPUTO])
    }

    fn order(&self) -> Order {
        self.order
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        let times = of_grid(grid, self.start);
        let steps = times.map(|time| power_step(self.rho, time)).collect();
        weights(self.kind, alpha, steps, MeshMemory::default())
    }

    fn mesh_at<N: Number>(&self, alpha: N, mesh: &Mesh, memory: MeshMemory) -> Result<Weights<N>> {
        let start = mesh.start();
        demand((
            "the first point of the mesh",
            start,
            start.is_finite() && start >= 0.0,
            NOT_NEGATIVE,
        ))?;
        let steps = of_mesh(mesh).map(|time| power_step(self.rho, time)).collect();
        weights(self.kind, alpha, steps, memory)
    }
}

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "rho",
        meaning: "the power of t in which the operator is one of Riemann-Liouville",
        range: "rho > 0",
        default: None,
        example: 1.5,
    },
    Parameter {
        name: "start",
        meaning: "the time of the first sample, t0",
        range: "start >= 0",
        default: Some(0.0),
        example: 0.0,
    },
];

const SOURCE: &str = "Katugampola, Bull. Math. Anal. Appl. 6 (2014) 1";

const INTEGRAL: &Definition = &Definition {
    name: "katugampola-integral",
    title: "Katugampola integral",
    formula: "rho^(1-alpha)/Gamma(alpha) int_t0^t s^(rho-1) (t^rho-s^rho)^(alpha-1) f(s) ds",
    of_constants: "c -> c x^alpha/Gamma(1+alpha), x = (t^rho-t0^rho)/rho",
    of_powers: "t^q -> rho^-alpha Gamma(q/rho+1)/Gamma(q/rho+1+alpha) t^(q+alpha rho), t0 = 0",
    relation: "Riemann-Liouville integral in t^rho/rho; Hadamard's as rho falls to 0",
    source: "Katugampola, Appl. Math. Comput. 218 (2011) 860, DOI 10.1016/j.amc.2011.03.062",
    parameters: PARAMETERS,
};

const DERIVATIVE: &Definition = &Definition {
    name: "katugampola",
    title: "Katugampola derivative",
    formula: "t^(1-rho) d/dt rho^alpha/Gamma(1-alpha) int_t0^t s^(rho-1) (t^rho-s^rho)^-alpha f(s) ds",
    of_constants: "c -> c x^-alpha/Gamma(1-alpha), x = (t^rho-t0^rho)/rho",
    of_powers: "t^q -> rho^alpha Gamma(q/rho+1)/Gamma(q/rho+1-alpha) t^(q-alpha rho), t0 = 0",
    relation: "Riemann-Liouville derivative in t^rho/rho; left inverse of the Katugampola integral",
    source: SOURCE,
    parameters: PARAMETERS,
};

const CAPUTO: &Definition = &Definition {
    name: "katugampola-caputo",
    title: "Caputo-Katugampola derivative",
    formula: "rho^alpha/Gamma(1-alpha) int_t0^t (t^rho-s^rho)^-alpha f'(s) ds",
    of_constants: "0",
    of_powers: "t^q -> rho^alpha Gamma(q/rho+1)/Gamma(q/rho+1-alpha) t^(q-alpha rho), t0 = 0; 0 for q = 0",
    relation: "Caputo derivative in t^rho/rho; Katugampola derivative of f - f(t0)",
    source: "Jarad, Abdeljawad and Baleanu, J. Nonlinear Sci. Appl. 10 (2017) 2607, DOI 10.22436/jnsa.010.05.27",
    parameters: PARAMETERS,
};

pub(crate) const INTEGRAL_ENTRIES: &[Entry] = &[INTEGRAL
    .scheme("trapezoid", Range::TO_TWO, "2 in t^rho; min(2, 1 + rho) in t", |order, v| {
        arc(Katugampola::integral(order, v[0], v[1])?)
    })
    .costs(cost::EXPONENTIALS)];

pub(crate) const DERIVATIVE_ENTRIES: &[Entry] = &[DERIVATIVE
    .scheme("l1", Range::UNIT, "2 - alpha in t^rho; min(2 - alpha, 1 + rho) in t", |order, v| {
        arc(Katugampola::riemann_liouville(order, v[0], v[1])?)
    })
    .costs(cost::EXPONENTIALS)];

pub(crate) const CAPUTO_ENTRIES: &[Entry] = &[CAPUTO
    .scheme("l1", Range::UNIT, "2 - alpha in t^rho; min(2 - alpha, 1 + rho) in t", |order, v| {
        arc(Katugampola::caputo(order, v[0], v[1])?)
    })
    .costs(cost::EXPONENTIALS)];
