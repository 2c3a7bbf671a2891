use crate::definitions::entry::{Definition, Entry, Range, arc, outside};
use crate::error::{in_range, no_recurrence};
use crate::memory::recurrence::{Before, BinomialNodes, Recurrence, Request};
use crate::schemes::lubich::{Bdf, differences};
use crate::schemes::sequences::binomial_weights;
use crate::weights::first_differences;
use crate::{Discretisation, Number, Result, Toeplitz, Weights};
use hpfracc_types::{Grid, Order};

/// The Grünwald–Letnikov derivative and its relatives of higher order: convolution quadrature.
///
#[doc = formula!("grunwald_letnikov", r"D^\alpha f(t_n) = h^{-\alpha} \sum_{k=0}^n w_k f_{n-k}")]
///
/// It approximates the Riemann–Liouville derivative started at the first sample. Where f(0) != 0
/// that derivative is infinite at the start; the first entry is then h^-alpha w_0 f_0, which
/// grows as the step shrinks.
///
/// | constructor | weights | order for smooth f with f(0) = 0 |
/// |---|---|---|
/// | [`new`](Self::new) | `w_k = (-1)^k C(alpha, k)` | 1 |
/// | [`shifted`](Self::shifted) | the same, one sample ahead | 1, stable in implicit diffusion schemes |
/// | [`bdf`](Self::bdf) | coefficients of `delta_p(x)^alpha` | p if f vanishes to order p at 0 |
///
/// Errors of order h^(q+1) and h^(q+2) at fixed t come from a start f ~ t^q, whatever p is; see
/// [`RiemannLiouville::bdf`](crate::RiemannLiouville::bdf) for the corrected form.
///
/// Cost: one causal convolution. alpha >= 0; whole orders give the classical differences.
///
/// Sources: Podlubny, Fractional Differential Equations (1999), section 7.4; Meerschaert and
/// Tadjeran, J. Comput. Appl. Math. 172 (2004) 65, DOI 10.1016/j.cam.2004.01.033 (shifted);
/// Lubich, SIAM J. Math. Anal. 17 (1986) 704, DOI 10.1137/0517050 (BDF).
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{GrunwaldLetnikov, Operator};
/// use hpfracc_types::{Grid, Order};
/// use ndarray::Array1;
///
/// let grid = Grid::uniform(101, 0.01)?;
/// let half = GrunwaldLetnikov::new(Order::new(0.5)?).on(grid, &Reference)?;
/// let t: Array1<f64> = grid.points().collect();
///
/// // D^1/2 t = 2 sqrt(t / pi), and two half-derivatives make one derivative.
/// let y = half.apply(t.view())?;
/// assert!((y[100] - 2.0 / std::f64::consts::PI.sqrt()).abs() < 2e-3);
/// let dy = half.apply(y.view())?;
/// assert!((dy[100] - 1.0).abs() < 1e-12);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrunwaldLetnikov {
    order: Order,
    formula: Formula,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Formula {
    Standard,
    Shifted,
    Bdf(Bdf),
}

impl GrunwaldLetnikov {
    /// The classical formula, of order 1.
    pub fn new(order: Order) -> Self {
        Self { order, formula: Formula::Standard }
    }

    /// The formula shifted by one sample: `h^-alpha sum_{k=0..n+1} w_k f_{n+1-k}`, of order 1.
    ///
    /// Beyond the last sample f is taken as zero, as in a domain with Dirichlet boundary; the last
    /// entry is meaningful only if f vanishes there.
    pub fn shifted(order: Order) -> Self {
        Self { order, formula: Formula::Shifted }
    }

    /// Lubich's convolution quadrature with the backward differentiation formula of order `p`.
    ///
    /// # Errors
    /// [`OperatorError::BdfOrder`](crate::OperatorError::BdfOrder) unless p is 1 to 6.
    pub fn bdf(order: Order, p: usize) -> Result<Self> {
        Ok(Self { order, formula: Formula::Bdf(Bdf::new(p)?) })
    }

    /// Weights of the differences by lag on a unit step, times `scale`; if shifted, beginning with
    /// the lag -1.
    fn scaled_weights<N: Number>(self, alpha: N, scale: N, n: usize) -> Vec<N> {
        let q = differences(alpha.value());
        let scaled = |w| scale * w;
        match self.formula {
            Formula::Bdf(bdf) => bdf.series(alpha, q, n).into_iter().map(scaled).collect(),
            Formula::Standard => binomial_weights(alpha - q as f64, n, scaled),
            Formula::Shifted => binomial_weights(alpha - q as f64, n + 1, scaled),
        }
    }
}

const DEFINITION: &Definition = &Definition {
    name: "grunwald-letnikov",
    title: "Grünwald-Letnikov derivative",
    formula: "lim h^-alpha sum_k (-1)^k C(alpha, k) f(t - k h), h -> 0",
    of_constants: "c -> c t^-alpha/Gamma(1-alpha)",
    of_powers: "t^q -> Gamma(q+1)/Gamma(q+1-alpha) t^(q-alpha)",
    relation: "equals Riemann-Liouville started at the first sample",
    source: "Podlubny, Fractional Differential Equations (1999), section 2.2",
    parameters: &[],
};

pub(crate) const ENTRIES: &[Entry] = &[
    DEFINITION
        .scheme("standard", Range::ANY, "1", |order, _| arc(GrunwaldLetnikov::new(order)))
        .outside(outside::ZERO),
    DEFINITION
        .scheme("shifted", Range::ANY, "1", |order, _| arc(GrunwaldLetnikov::shifted(order)))
        .outside(outside::COMPACT),
    bdf::<1>("1"),
    bdf::<2>("2 if f flat at 0"),
    bdf::<3>("3 if f flat at 0"),
    bdf::<4>("4 if f flat at 0"),
    bdf::<5>("5 if f flat at 0"),
    bdf::<6>("6 if f flat at 0"),
];

/// The row of the formula of order P.
const fn bdf<const P: usize>(accuracy: &'static str) -> Entry {
    let make = |order: Order, _: &[f64]| arc(GrunwaldLetnikov::bdf(order, P)?);
    DEFINITION.scheme(Bdf::NAMES[P - 1], Range::ANY, accuracy, make).outside(outside::ZERO)
}

impl Discretisation for GrunwaldLetnikov {
    fn name(&self) -> (&'static str, &'static str) {
        let scheme = match self.formula {
            Formula::Standard => "standard",
            Formula::Shifted => "shifted",
            Formula::Bdf(bdf) => bdf.name(),
        };
        ("grunwald-letnikov", scheme)
    }

    fn order(&self) -> Order {
        self.order
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        let scale = N::constant(grid.dt()).powf(-alpha);
        let mut w = self.scaled_weights(alpha, scale, grid.n());
        let shifted = self.formula == Formula::Shifted;
        let advance = if shifted { w.remove(0) } else { N::constant(0.0) };
        debug_assert_eq!(w.len(), grid.n());
        let q = differences(alpha.value());
        Ok(Toeplitz::of_differences(q, w)
            .with_advance(advance)
            .with_first_differences(first_differences(q))
            .into())
    }

    fn recurrence_at<N: Number>(&self, alpha: N, request: Request) -> Result<Recurrence<N>> {
        if self.formula != Formula::Standard {
            return Err(no_recurrence(self.name()));
        }
        let range = "0 <= alpha <= 3 for a recurrence";
        in_range(alpha.value() <= 3.0, self.name(), self.order, range)?;
        // The weights of the differences are binomials too.
        let q = differences(alpha.value());
        let nodes = BinomialNodes::new(alpha - q as f64, request)?;
        let near = self.scaled_weights(alpha, N::constant(1.0), 2)[..nodes.first_lag()].to_vec();
        Ok(Recurrence::new(request, nodes.relative_error, near, nodes.at_first_lag())
            .of_differences(q, Before::Zero)
            .scaled(N::constant(request.dt).powf(-alpha)))
    }
}
