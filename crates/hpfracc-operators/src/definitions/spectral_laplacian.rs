use crate::definitions::entry::{Definition, Entry, Range, arc, cost, outside};
use crate::schemes::frequencies::power;
use crate::{Boundary, Discretisation, Eigenvalues, Number, Result, Weights};
use hpfracc_types::{Grid, Order};
use std::f64::consts::PI;

/// The spectral fractional Laplacian of an interval: the power alpha/2 of -d2/dx2 with its boundary
/// condition.
///
#[doc = formula!("spectral_laplacian", r"A f = \sum_k \left( \frac{\pi k}{L} \right)^\alpha f_k e_k")]
///
/// | constructor | eigenvectors | samples of n at step h | L |
/// |---|---|---|---|
/// | [`dirichlet`](Self::dirichlet) | sin(pi k x / L), k = 1 .. n | x_j = (j+1) h, the ends left out | (n+1) h |
/// | [`neumann`](Self::neumann) | cos(pi k x / L), k = 0 .. n-1 | x_j = (j+1/2) h, midpoints of cells | n h |
///
/// It is **not** the integral fractional Laplacian of a function that is zero outside the interval,
/// which is [`FractionalLaplacian::ortigueira`](crate::FractionalLaplacian::ortigueira) and
/// [`IntervalLaplacian`](crate::IntervalLaplacian): for 0 < alpha < 2 the two differ on every
/// function, at the ends most. The regional (censored) Laplacian, whose integral runs over the
/// interval only, is not offered.
///
/// alpha >= 0; alpha = 0 is the identity, alpha = 2 gives -f''. Spectral accuracy if the odd (even)
/// periodic extension of f is smooth: f and its even derivatives (its odd derivatives) vanish at
/// both ends. Otherwise the jump of the first one that does not decides. Cost: one FFT pair of
/// twice the length.
///
/// Source: Lischke et al., J. Comput. Phys. 404 (2020) 109009, DOI 10.1016/j.jcp.2019.109009,
/// section 2.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{Operator, SpectralLaplacian};
/// use hpfracc_types::{Grid, Order};
/// use ndarray::Array1;
/// use std::f64::consts::PI;
///
/// // Seven interior points of (0, 1): sin(2 pi x) has the eigenvalue (2 pi)^alpha.
/// let grid = Grid::uniform(7, 0.125)?;
/// let f: Array1<f64> = (1..8).map(|j| (2.0 * PI * 0.125 * f64::from(j)).sin()).collect();
/// let y = SpectralLaplacian::dirichlet(Order::new(1.2)?).on(grid, &Reference)?.apply(f.view())?;
/// assert!((y[0] - (2.0 * PI).powf(1.2) * f[0]).abs() < 1e-13);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpectralLaplacian {
    order: Order,
    boundary: Boundary,
}

impl SpectralLaplacian {
    /// Zero at both ends, which are not among the samples.
    pub fn dirichlet(order: Order) -> Self {
        Self { order, boundary: Boundary::Dirichlet }
    }

    /// No flux through the ends, which lie half a step beyond the samples.
    pub fn neumann(order: Order) -> Self {
        Self { order, boundary: Boundary::Neumann }
    }
}

const SOURCE: &str =
    "Lischke et al., J. Comput. Phys. 404 (2020) 109009, DOI 10.1016/j.jcp.2019.109009";

const DIRICHLET: &Definition = &Definition {
    name: "dirichlet-laplacian",
    title: "spectral fractional Laplacian of an interval, zero at both ends",
    formula: "sum_k (pi k/L)^alpha f_k sin(pi k x/L); samples at x_j = (j+1) h, L = (n+1) h",
    of_constants: "no constant vanishes at the ends",
    of_powers: "sin(pi k x/L) -> (pi k/L)^alpha sin(pi k x/L)",
    relation: "power of -d2/dx2; not the integral fractional Laplacian of a function that is zero outside",
    source: SOURCE,
    parameters: &[],
};

const NEUMANN: &Definition = &Definition {
    name: "neumann-laplacian",
    title: "spectral fractional Laplacian of an interval, no slope at both ends",
    formula: "sum_k (pi k/L)^alpha f_k cos(pi k x/L); samples at x_j = (j+1/2) h, L = n h",
    of_constants: "0 for alpha > 0",
    of_powers: "cos(pi k x/L) -> (pi k/L)^alpha cos(pi k x/L)",
    relation: "power of -d2/dx2; not the integral fractional Laplacian",
    source: SOURCE,
    parameters: &[],
};

pub(crate) const DIRICHLET_ENTRIES: &[Entry] = &[DIRICHLET
    .scheme("sines", Range::ANY, "spectral", |order, _| arc(SpectralLaplacian::dirichlet(order)))
    .costs(cost::MULTIPLIER_TWICE)
    .outside(outside::ODD)];

pub(crate) const NEUMANN_ENTRIES: &[Entry] = &[NEUMANN
    .scheme("cosines", Range::ANY, "spectral", |order, _| arc(SpectralLaplacian::neumann(order)))
    .costs(cost::MULTIPLIER_TWICE)
    .outside(outside::EVEN)];

impl Discretisation for SpectralLaplacian {
    fn name(&self) -> (&'static str, &'static str) {
        match self.boundary {
            Boundary::Dirichlet => (DIRICHLET.name, "sines"),
            Boundary::Neumann => (NEUMANN.name, "cosines"),
        }
    }

    fn order(&self) -> Order {
        self.order
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        let n = grid.n();
        let (first, length) = match self.boundary {
            Boundary::Dirichlet => (1, (n + 1) as f64 * grid.dt()),
            Boundary::Neumann => (0, n as f64 * grid.dt()),
        };
        let values = (first..first + n).map(|k| power(PI * k as f64 / length, alpha)).collect();
        Ok(Eigenvalues::new(self.boundary, values).into())
    }
}
