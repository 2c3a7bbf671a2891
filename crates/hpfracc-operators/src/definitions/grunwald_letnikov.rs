use crate::catalogue::{Definition, Entry, Range, arc, cost, outside};
use crate::error::{in_range, no_recurrence};
use crate::memory::recurrence::{Asked, Before, BinomialNodes, Recurrence};
use crate::schemes::lubich::Bdf;
use crate::weights::{filled, first_differences};
use crate::{Operator, OperatorError, Toeplitz, Weights};
use hpfracc_special::{binomial_weights, binomial_weights_derivative};
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
    /// [`OperatorError::BdfOrder`] unless p is 1 to 6.
    pub fn bdf(order: Order, p: usize) -> Result<Self, OperatorError> {
        Ok(Self { order, formula: Formula::Bdf(Bdf::new(p)?) })
    }

    fn build(
        self,
        grid: Grid,
        unit_weights: Vec<f64>,
        scale: impl Fn(usize, f64) -> f64,
    ) -> Weights {
        let mut w: Vec<f64> =
            unit_weights.into_iter().enumerate().map(|(k, w)| scale(k, w)).collect();
        let advance = if self.formula == Formula::Shifted { w.remove(0) } else { 0.0 };
        debug_assert_eq!(w.len(), grid.n());
        let q = differences(self.order.value());
        Toeplitz::of_differences(q, w)
            .with_advance(advance)
            .with_first_differences(first_differences(q))
            .into()
    }

    /// The nodes of the weights of the differences, which are binomial.
    fn nodes(self, asked: Asked) -> Result<(BinomialNodes, Asked), OperatorError> {
        if self.formula != Formula::Standard {
            return Err(no_recurrence(self.name()));
        }
        let alpha = self.order.value();
        in_range(alpha <= 3.0, self.name(), self.order, "0 <= alpha <= 3 for a recurrence")?;
        Ok((BinomialNodes::new(alpha - differences(alpha) as f64, asked)?, asked))
    }

    /// The recurrence with these coefficients and first weights, for a unit step.
    fn of_nodes(
        self,
        nodes: &BinomialNodes,
        asked: Asked,
        far: &[f64],
        near: &[f64],
    ) -> Recurrence {
        let near = near[..nodes.first_lag()].to_vec();
        let far = nodes.at_first_lag(far);
        Recurrence::new(asked, nodes.relative_error, near, far)
            .of_differences(differences(self.order.value()), Before::Zero)
            .scaled(asked.dt.powf(-self.order.value()))
    }

    /// Weights of the differences by lag on a unit step, if shifted with the lag -1 in front.
    fn unit_weights(self, n: usize) -> Vec<f64> {
        let alpha = self.order.value();
        let q = differences(alpha);
        match self.formula {
            Formula::Bdf(bdf) => bdf.series(alpha, q, n),
            Formula::Standard => filled(n, |w| binomial_weights(alpha - q as f64, w)),
            Formula::Shifted => filled(n + 1, |w| binomial_weights(alpha - q as f64, w)),
        }
    }

    fn unit_weights_derivative(self, n: usize) -> Vec<f64> {
        let alpha = self.order.value();
        let q = differences(alpha);
        match self.formula {
            Formula::Bdf(bdf) => bdf.series_derivative(alpha, q, n),
            Formula::Standard => filled(n, |w| binomial_weights_derivative(alpha - q as f64, w)),
            Formula::Shifted => filled(n + 1, |w| binomial_weights_derivative(alpha - q as f64, w)),
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
    Entry {
        definition: DEFINITION,
        scheme: "standard",
        range: Range::ANY,
        accuracy: "1",
        cost: cost::CONVOLUTION,
        outside: outside::ZERO,
        make: |order, _| arc(GrunwaldLetnikov::new(order)),
    },
    Entry {
        definition: DEFINITION,
        scheme: "shifted",
        range: Range::ANY,
        accuracy: "1",
        cost: cost::CONVOLUTION,
        outside: outside::COMPACT,
        make: |order, _| arc(GrunwaldLetnikov::shifted(order)),
    },
    Entry {
        definition: DEFINITION,
        scheme: "bdf1",
        range: Range::ANY,
        accuracy: "1",
        cost: cost::CONVOLUTION,
        outside: outside::ZERO,
        make: |order, _| arc(GrunwaldLetnikov::bdf(order, 1)?),
    },
    Entry {
        definition: DEFINITION,
        scheme: "bdf2",
        range: Range::ANY,
        accuracy: "2 if f flat at 0",
        cost: cost::CONVOLUTION,
        outside: outside::ZERO,
        make: |order, _| arc(GrunwaldLetnikov::bdf(order, 2)?),
    },
    Entry {
        definition: DEFINITION,
        scheme: "bdf3",
        range: Range::ANY,
        accuracy: "3 if f flat at 0",
        cost: cost::CONVOLUTION,
        outside: outside::ZERO,
        make: |order, _| arc(GrunwaldLetnikov::bdf(order, 3)?),
    },
    Entry {
        definition: DEFINITION,
        scheme: "bdf4",
        range: Range::ANY,
        accuracy: "4 if f flat at 0",
        cost: cost::CONVOLUTION,
        outside: outside::ZERO,
        make: |order, _| arc(GrunwaldLetnikov::bdf(order, 4)?),
    },
    Entry {
        definition: DEFINITION,
        scheme: "bdf5",
        range: Range::ANY,
        accuracy: "5 if f flat at 0",
        cost: cost::CONVOLUTION,
        outside: outside::ZERO,
        make: |order, _| arc(GrunwaldLetnikov::bdf(order, 5)?),
    },
    Entry {
        definition: DEFINITION,
        scheme: "bdf6",
        range: Range::ANY,
        accuracy: "6 if f flat at 0",
        cost: cost::CONVOLUTION,
        outside: outside::ZERO,
        make: |order, _| arc(GrunwaldLetnikov::bdf(order, 6)?),
    },
];

impl Operator for GrunwaldLetnikov {
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

    fn weights(&self, grid: Grid) -> Result<Weights, OperatorError> {
        let scale = grid.dt().powf(-self.order.value());
        Ok(self.build(grid, self.unit_weights(grid.n()), |_, w| scale * w))
    }

    fn weights_order_derivative(&self, grid: Grid) -> Result<Weights, OperatorError> {
        let (scale, ln_h) = (grid.dt().powf(-self.order.value()), grid.dt().ln());
        let w = self.unit_weights(grid.n());
        let dw = self.unit_weights_derivative(grid.n());
        Ok(self.build(grid, dw, |k, dw| scale * (dw - ln_h * w[k])))
    }

    fn recurrence(
        &self,
        dt: f64,
        longest: u64,
        tolerance: f64,
    ) -> Result<Recurrence, OperatorError> {
        let (nodes, asked) = self.nodes(Asked::new(dt, longest, tolerance)?)?;
        Ok(self.of_nodes(&nodes, asked, &nodes.coefficients, &self.unit_weights(2)))
    }

    fn recurrence_order_derivative(
        &self,
        dt: f64,
        longest: u64,
        tolerance: f64,
    ) -> Result<Recurrence, OperatorError> {
        let (nodes, asked) = self.nodes(Asked::new(dt, longest, tolerance)?)?;
        let ln_h = dt.ln();
        let each = |slopes: Vec<f64>, values: &[f64]| -> Vec<f64> {
            slopes.iter().zip(values).map(|(slope, value)| slope - ln_h * value).collect()
        };
        let far = each(nodes.slopes()?, &nodes.coefficients);
        let near = each(self.unit_weights_derivative(2), &self.unit_weights(2));
        Ok(self.of_nodes(&nodes, asked, &far, &near))
    }
}

/// Backward differences that convolution quadrature takes of the samples first: as many as there
/// are classical derivatives in alpha, two at most.
pub(crate) fn differences(alpha: f64) -> usize {
    (alpha.ceil() as usize).min(2)
}
