use crate::definitions::entry::{Definition, Entry, Parameter, Range, arc, cost};
use crate::definitions::kind::Kind;
use crate::definitions::substitution::{of_grid, of_mesh, weights};
use crate::error::demand;
use crate::{Discretisation, MeshMemory, Number, Result, Weights};
use hpfracc_types::{Grid, Mesh, Order};

/// Hadamard's integral and derivatives: those of Riemann–Liouville and Caputo in log t.
///
#[doc = formula!("hadamard", r"I^\alpha f(t) = \frac{1}{\Gamma(\alpha)} \int_{t_0}^t \left( \ln \frac{t}{s} \right)^{\alpha-1} f(s) \frac{ds}{s}, \quad t \ge t_0 > 0
    D^\alpha f(t) = t \frac{d}{dt} I^{1-\alpha} f(t), \quad \text{in Caputo's sense} \quad I^{1-\alpha} \left( t \frac{df}{dt} \right)(t)")]
///
/// With L = ln(t/t0): `I^alpha L^q = Gamma(q+1)/Gamma(q+1+alpha) L^(q+alpha)`, and the derivatives
/// the same with -alpha, but that Caputo's of a constant is zero. As rho falls to 0, Katugampola's
/// operators tend to these.
///
/// | constructor | range | order for f smooth in log t |
/// |---|---|---|
/// | [`integral`](Self::integral) | 0 < alpha <= 2 | 2 |
/// | [`riemann_liouville`](Self::riemann_liouville) | 0 < alpha < 1 | 2 - alpha |
/// | [`caputo`](Self::caputo) | 0 < alpha < 1 | 2 - alpha |
///
/// f is taken to be linear in log t between the samples. On a grid they are at start + j dt; on a
/// mesh at its points, whose first one is t0, and the start is not used. On a
/// [geometric mesh](Mesh::geometric) the operators are convolutions; on all others they are sums of
/// exponentials. Cost: that of one convolution, or O(N K).
///
/// Source: Kilbas, Srivastava and Trujillo, Theory and Applications of Fractional Differential
/// Equations (2006), section 2.7; Caputo type: Jarad, Abdeljawad and Baleanu, Adv. Differ. Equ.
/// 2012:142, DOI 10.1186/1687-1847-2012-142.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{Hadamard, Operator};
/// use hpfracc_types::{Mesh, Order};
/// use ndarray::Array1;
///
/// let mesh = Mesh::geometric(50, 1.0, std::f64::consts::E)?;
/// let half = Hadamard::integral(Order::new(0.5)?, 1.0)?.on_mesh(&mesh, &Reference)?;
/// let logs: Array1<f64> = mesh.points().iter().map(|t| t.ln()).collect();
/// // Of ln t at t = e: 1/Gamma(5/2).
/// assert!((half.apply(logs.view())?[49] - 0.7522527780636751).abs() < 1e-13);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hadamard {
    order: Order,
    kind: Kind,
    start: f64,
}

const POSITIVE: &str = "positive: Hadamard's operators live on t > 0";

/// Points within this relative distance of a geometric sequence are treated as one.
const ROUNDINGS: f64 = 4.0 * f64::EPSILON;

impl Hadamard {
    /// The integral, by the product trapezoidal rule in log t; exact on 1 and log t.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha <= 2;
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) unless the time of the first
    /// sample is positive.
    pub fn integral(order: Order, start: f64) -> Result<Self> {
        Self::checked(order, Kind::Integral, start)
    }

    /// The derivative of the integral, by the L1 scheme in log t; exact on 1 and log t.
    ///
    /// Its first value, infinite unless f is zero there, is that of a function that rises from zero
    /// within the first step.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha < 1;
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) unless the time of the first
    /// sample is positive.
    pub fn riemann_liouville(order: Order, start: f64) -> Result<Self> {
        Self::checked(order, Kind::RiemannLiouville, start)
    }

    /// The integral of t f'(t), by the L1 scheme in log t; exact on 1 and log t.
    ///
    /// # Errors
    /// As [`Hadamard::riemann_liouville`].
    pub fn caputo(order: Order, start: f64) -> Result<Self> {
        Self::checked(order, Kind::Caputo, start)
    }

    fn checked(order: Order, kind: Kind, start: f64) -> Result<Self> {
        let hadamard = Self { order, kind, start };
        kind.check(hadamard.name(), order)?;
        demand((
            "the time of the first sample",
            start,
            start.is_finite() && start > 0.0,
            POSITIVE,
        ))?;
        Ok(hadamard)
    }
}

/// The distance of the points in log t, if it is the same for all of them up to rounding.
fn equal_step(mesh: &Mesh) -> Option<f64> {
    let of_start = |t: f64| ((t - mesh.start()) / mesh.start()).ln_1p();
    let whole = of_start(mesh.end());
    let step = whole / (mesh.n() - 1) as f64;
    let slack = ROUNDINGS * (1.0 + whole);
    let near = |(j, t): (usize, &f64)| (of_start(*t) - j as f64 * step).abs() <= slack;
    mesh.points().iter().enumerate().all(near).then_some(step)
}

impl Discretisation for Hadamard {
    fn name(&self) -> (&'static str, &'static str) {
        self.kind.name([INTEGRAL, DERIVATIVE, CAPUTO])
    }

    fn order(&self) -> Order {
        self.order
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        let steps = of_grid(grid, self.start).map(|(t, d)| (d / t).ln_1p()).collect();
        weights(self.kind, alpha, steps, MeshMemory::default())
    }

    fn mesh_at<N: Number>(&self, alpha: N, mesh: &Mesh, memory: MeshMemory) -> Result<Weights<N>> {
        let start = mesh.start();
        demand(("the first point of the mesh", start, start.is_finite() && start > 0.0, POSITIVE))?;
        if let Some(step) = equal_step(mesh) {
            return self.kind.of_power(alpha, Grid::uniform(mesh.n(), step)?);
        }
        let steps = of_mesh(mesh).map(|(t, d)| (d / t).ln_1p()).collect();
        weights(self.kind, alpha, steps, memory)
    }
}

const PARAMETERS: &[Parameter] = &[Parameter {
    name: "start",
    meaning: "the time of the first sample, t0",
    range: "start > 0",
    default: None,
    example: 1.0,
}];

const SOURCE: &str = "Kilbas, Srivastava and Trujillo, Theory and Applications of Fractional Differential Equations (2006), section 2.7";

const INTEGRAL: &Definition = &Definition {
    name: "hadamard-integral",
    title: "Hadamard integral",
    formula: "1/Gamma(alpha) int_t0^t (ln(t/s))^(alpha-1) f(s) ds/s",
    of_constants: "c -> c ln(t/t0)^alpha/Gamma(1+alpha)",
    of_powers: "ln(t/t0)^q -> Gamma(q+1)/Gamma(q+1+alpha) ln(t/t0)^(q+alpha)",
    relation: "Riemann-Liouville integral in ln t; Katugampola's as rho falls to 0",
    source: SOURCE,
    parameters: PARAMETERS,
};

const DERIVATIVE: &Definition = &Definition {
    name: "hadamard",
    title: "Hadamard derivative",
    formula: "t d/dt 1/Gamma(1-alpha) int_t0^t (ln(t/s))^-alpha f(s) ds/s",
    of_constants: "c -> c ln(t/t0)^-alpha/Gamma(1-alpha)",
    of_powers: "ln(t/t0)^q -> Gamma(q+1)/Gamma(q+1-alpha) ln(t/t0)^(q-alpha), q > -1",
    relation: "Riemann-Liouville derivative in ln t; left inverse of the Hadamard integral",
    source: SOURCE,
    parameters: PARAMETERS,
};

const CAPUTO: &Definition = &Definition {
    name: "hadamard-caputo",
    title: "Caputo-Hadamard derivative",
    formula: "1/Gamma(1-alpha) int_t0^t (ln(t/s))^-alpha f'(s) ds",
    of_constants: "0",
    of_powers: "ln(t/t0)^q -> Gamma(q+1)/Gamma(q+1-alpha) ln(t/t0)^(q-alpha); 0 for q = 0",
    relation: "Caputo derivative in ln t; Hadamard derivative of f - f(t0)",
    source: "Jarad, Abdeljawad and Baleanu, Adv. Differ. Equ. 2012:142, DOI 10.1186/1687-1847-2012-142",
    parameters: PARAMETERS,
};

pub(crate) const INTEGRAL_ENTRIES: &[Entry] = &[INTEGRAL
    .scheme("trapezoid", Range::TO_TWO, "2", |order, v| arc(Hadamard::integral(order, v[0])?))
    .costs(cost::EXPONENTIALS)];

pub(crate) const DERIVATIVE_ENTRIES: &[Entry] = &[DERIVATIVE
    .scheme("l1", Range::UNIT, "2 - alpha", |order, v| {
        arc(Hadamard::riemann_liouville(order, v[0])?)
    })
    .costs(cost::EXPONENTIALS)];

pub(crate) const CAPUTO_ENTRIES: &[Entry] = &[CAPUTO
    .scheme("l1", Range::UNIT, "2 - alpha", |order, v| arc(Hadamard::caputo(order, v[0])?))
    .costs(cost::EXPONENTIALS)];
