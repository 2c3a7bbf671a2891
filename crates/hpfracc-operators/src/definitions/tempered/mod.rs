mod binomials;
mod entries;
mod integral;
mod jumps;

use crate::definitions::entry::Range;
use crate::error::{in_range, no_recurrence, not_negative};
use crate::memory::recurrence::{BinomialNodes, PowerNodes, Recurrence, Request};
use crate::schemes::lubich::differences;
use crate::schemes::sequences::binomial_weights;
use crate::weights::first_differences;
use crate::{
    Caputo, Discretisation, FirstOrder, GrunwaldLetnikov, Number, Result, RiemannLiouville,
    Toeplitz, Weights,
};
use binomials::Binomials;
use hpfracc_types::{Grid, Order};
use jumps::Tails;

pub(crate) use entries::{CAPUTO_ENTRIES, INTEGRAL_ENTRIES, NORMALISED_ENTRIES, RIEMANN_ENTRIES};
pub use integral::TemperedIntegral;

/// Tempered derivatives: the memory of a fractional derivative decays exponentially at the rate
/// lambda >= 0.
///
#[doc = formula!("tempered", r"\text{riemann-liouville:}\quad D f = e^{-\lambda t} D^\alpha (e^{\lambda t} f)
    \text{caputo: the same with Caputo's derivative}
    \text{normalised:}\quad D f - \lambda^\alpha f \quad (0 < \alpha \le 1), \quad D f - \lambda^\alpha f - \alpha \lambda^{\alpha-1} f' \quad (1 < \alpha < 2)")]
///
/// `exp(-lambda t) t^q -> exp(-lambda t) Gamma(q+1)/Gamma(q+1-alpha) t^(q-alpha)`, and 0 for the
/// Caputo type with q = 0. Of a constant they tend to lambda^alpha after a long time; the
/// normalised derivative is then 0, and is the generator of tempered stable random walks. lambda =
/// 0 is the operator without tempering, with the same weights. Nothing of size exp(lambda t) is
/// formed.
///
/// | scheme | range | order for smooth f |
/// |---|---|---|
/// | `l1`, linear f between samples, else exact | 0 < alpha < 1 | 2 - alpha |
/// | `grunwald-letnikov`, `w_k exp(-lambda k h)` | 0 < alpha < 2 (Caputo: < 1) | 1 if f(0) = 0, or at fixed t |
///
/// Where f(0) != 0 the Riemann-Liouville type is infinite at the start; see
/// [`RiemannLiouville`](crate::RiemannLiouville) for the first entry.
///
/// Cost: one causal convolution and a pass over the samples.
///
/// Sources: Meerschaert, Zhang and Baeumer, Geophys. Res. Lett. 35 (2008) L17403, DOI
/// 10.1029/2008GL034899 (definition); Baeumer and Meerschaert, J. Comput. Appl. Math. 233 (2010)
/// 2438, DOI 10.1016/j.cam.2009.10.027 (normalisation, Grünwald's formula); Sabzikar, Meerschaert
/// and Chen, J. Comput. Phys. 293 (2015) 14, DOI 10.1016/j.jcp.2014.04.024.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{Operator, Tempered};
/// use hpfracc_special::gamma_p;
/// use hpfracc_types::{Grid, Order};
/// use ndarray::array;
///
/// let grid = Grid::uniform(3, 0.5)?;
/// let half = Tempered::caputo_l1(Order::new(0.5)?, 2.0)?.on(grid, &Reference)?;
/// // Of 1: lambda^alpha P(1-alpha, lambda t), in steps of any length.
/// let y = half.apply(array![1.0, 1.0, 1.0].view())?;
/// assert!((y[2] - 2f64.sqrt() * gamma_p(0.5, 2.0)?).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tempered {
    order: Order,
    lambda: f64,
    kind: Kind,
    scheme: Scheme,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    RiemannLiouville,
    Caputo,
    Normalised,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Scheme {
    L1,
    GrunwaldLetnikov,
}

impl Tempered {
    /// Of Riemann-Liouville type, L1: the tempered derivative of the piecewise linear interpolant.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha < 1,
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) unless lambda is finite and
    /// not negative.
    pub fn riemann_liouville_l1(order: Order, lambda: f64) -> Result<Self> {
        Self::new(order, lambda, Kind::RiemannLiouville, Scheme::L1)
    }

    /// Of Riemann-Liouville type, `h^-alpha sum_k w_k exp(-lambda k h) f_{n-k}`.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha < 2,
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) for lambda.
    pub fn riemann_liouville_gl(order: Order, lambda: f64) -> Result<Self> {
        Self::new(order, lambda, Kind::RiemannLiouville, Scheme::GrunwaldLetnikov)
    }

    /// Of Caputo type, L1: the tempered derivative of the piecewise linear interpolant.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha < 1,
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) for lambda.
    pub fn caputo_l1(order: Order, lambda: f64) -> Result<Self> {
        Self::new(order, lambda, Kind::Caputo, Scheme::L1)
    }

    /// Of Caputo type, Grünwald's formula for `f - exp(-lambda t) f(0)`.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha < 1,
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) for lambda.
    pub fn caputo_gl(order: Order, lambda: f64) -> Result<Self> {
        Self::new(order, lambda, Kind::Caputo, Scheme::GrunwaldLetnikov)
    }

    /// Normalised, L1.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha < 1,
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) for lambda.
    pub fn normalised_l1(order: Order, lambda: f64) -> Result<Self> {
        Self::new(order, lambda, Kind::Normalised, Scheme::L1)
    }

    /// Normalised, Grünwald's formula minus its response to a constant,
    /// `h^-alpha (1-exp(-lambda h))^alpha`, and for alpha > 1 to a ramp: a long constant gives 0 to
    /// rounding for every step.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha < 2,
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) for lambda.
    pub fn normalised_gl(order: Order, lambda: f64) -> Result<Self> {
        Self::new(order, lambda, Kind::Normalised, Scheme::GrunwaldLetnikov)
    }

    fn new(order: Order, lambda: f64, kind: Kind, scheme: Scheme) -> Result<Self> {
        let made = Self { order, lambda, kind, scheme };
        if scheme == Scheme::GrunwaldLetnikov && kind != Kind::Caputo {
            Range::BELOW_TWO.check(made.name(), order)?;
        } else {
            Range::UNIT.check(made.name(), order)?;
        }
        not_negative("lambda", lambda)?;
        Ok(made)
    }

    /// The operator without tempering, lambda = 0.
    fn plain<N: Number>(self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        match (self.scheme, self.kind) {
            (Scheme::L1, Kind::Caputo) => Caputo::l1(self.order)?.weights_at(alpha, grid),
            (Scheme::L1, _) => RiemannLiouville::l1(self.order)?.weights_at(alpha, grid),
            (Scheme::GrunwaldLetnikov, kind) => {
                let weights = GrunwaldLetnikov::new(self.order).weights_at(alpha, grid)?;
                match weights {
                    Weights::Toeplitz(memory) if kind == Kind::Caputo => {
                        let scale = N::constant(grid.dt()).powf(-alpha);
                        let column = of_decay(alpha, 0.0, grid.n());
                        let column = column.into_iter().map(|v| v * scale).collect();
                        Ok(memory.with_start(column, vec![1.0]).into())
                    }
                    other => Ok(other),
                }
            }
        }
    }

    /// The scheme on a unit step, x = lambda h: weights of the differences, a column for the first
    /// sample, and the weights of the sample and of its difference.
    fn unit<N: Number>(self, alpha: N, x: f64, n: usize) -> Weights<N> {
        let q = differences(alpha.value());
        let (memory, start, level, slope) = match self.scheme {
            Scheme::L1 => {
                let Tails { cells, mut nodes } = Tails::of_jumps(alpha, x, n);
                let level = N::constant(x).powf(alpha);
                if self.kind == Kind::Caputo {
                    // The part of `level f(0)` that the Caputo type leaves out: at the start all of
                    // it.
                    nodes = Tails::of_constant(alpha, x, n);
                    nodes[0] = level;
                    nodes.iter_mut().for_each(|v| *v = -*v);
                }
                (Toeplitz::of_differences(q, cells), Some(nodes), level, N::constant(0.0))
            }
            Scheme::GrunwaldLetnikov => {
                let Binomials { lags, level, slope } = Binomials::new(alpha, x, n);
                let start = (self.kind == Kind::Caputo).then(|| of_decay(alpha, x, n));
                let memory = Toeplitz::of_differences(q, lags);
                (memory.with_first_differences(first_differences(q)), start, level, slope)
            }
        };
        let memory = match start {
            Some(column) => memory.with_start(column, vec![1.0]),
            None => memory,
        };
        if self.kind == Kind::Normalised {
            return memory.into();
        }
        // level f_n + slope (f_n - f_{n-1}), f = 0 before the first sample.
        let (rate, zero) = (N::constant(1.0), N::constant(0.0));
        let rest = FirstOrder { n, direct: level, rate, slope, level: zero, start: slope };
        Weights::Sum(vec![memory.into(), rest.into()])
    }

    /// L1 on a unit step, for values and not for differences: by parts once more,
    ///
    /// ```text
    /// y_n = level f_n + sum_j a_j (f_{n-j} - f_{n-j-1}) + q_n f_0,    a_j - a_{j-1} = -int hat_j nu
    /// ```
    ///
    /// is the product trapezoid of -nu, f_0 lacking half its hat, except for the first weights.
    fn recurrence_of_jumps<N: Number>(
        self,
        alpha: N,
        x: f64,
        request: Request,
    ) -> Result<Recurrence<N>> {
        let nodes = PowerNodes::new(alpha + 1.0, request)?;
        let sum = nodes.sum.clone().tempered(x)?;
        let Tails { cells, nodes: ends } = Tails::of_jumps(alpha, x, 2);
        let normalised = self.kind == Kind::Normalised;
        let level = if normalised { N::constant(0.0) } else { N::constant(x).powf(alpha) };
        let near = vec![level + cells[0], cells[1] - cells[0]];
        let start = vec![N::constant(0.0), ends[1] - cells[1]];
        let factor = -alpha * (-alpha + 1.0).recip_gamma();
        let far = nodes.one_step_on(&sum, factor, &sum.hats(1.0));
        Ok(Recurrence::new(request, nodes.relative_error, near, far).with_half_hat(&sum, start))
    }

    /// Grünwald's formula on a unit step, for values: `w_j exp(-x j)`.
    fn recurrence_of_binomials<N: Number>(
        self,
        alpha: N,
        x: f64,
        request: Request,
    ) -> Result<Recurrence<N>> {
        let range = "0 < alpha < 1 for a recurrence";
        in_range(alpha.value() < 1.0, self.name(), self.order, range)?;
        let nodes = BinomialNodes::new(alpha, request)?;
        let level = match self.kind {
            Kind::Normalised => N::constant(-(-x).exp_m1()).powf(alpha),
            _ => N::constant(0.0),
        };
        let near = vec![-level + 1.0, -alpha * (-x).exp()];
        let lost = (-x * near.len() as f64).exp();
        let far = nodes.at_first_lag().into_iter().map(|(p, c)| (p + x, c * lost));
        Ok(Recurrence::new(request, nodes.relative_error, near, far))
    }
}

/// Minus Grünwald's formula of `exp(-x k)`: the sums of its weights are the weights of alpha - 1.
fn of_decay<N: Number>(alpha: N, x: f64, n: usize) -> Vec<N> {
    let sums = binomial_weights(alpha - 1.0, n, |v| -v);
    sums.into_iter().enumerate().map(|(k, v)| v * decay(x, k)).collect()
}

fn decay(x: f64, k: usize) -> f64 {
    (-x * k as f64).exp()
}

impl Discretisation for Tempered {
    fn name(&self) -> (&'static str, &'static str) {
        let entries = match self.kind {
            Kind::RiemannLiouville => RIEMANN_ENTRIES,
            Kind::Caputo => CAPUTO_ENTRIES,
            Kind::Normalised => NORMALISED_ENTRIES,
        };
        let scheme = match self.scheme {
            Scheme::L1 => "l1",
            Scheme::GrunwaldLetnikov => "grunwald-letnikov",
        };
        (entries[0].definition.name, scheme)
    }

    fn order(&self) -> Order {
        self.order
    }

    fn starts_at_zero(&self) -> bool {
        self.kind == Kind::Caputo && self.order.value().fract() != 0.0
    }

    fn recurrence_at<N: Number>(&self, alpha: N, request: Request) -> Result<Recurrence<N>> {
        let x = self.lambda * request.dt;
        if self.kind == Kind::Caputo && (x > 0.0 || self.scheme != Scheme::L1) {
            return Err(no_recurrence(self.name()));
        }
        if x == 0.0 {
            let order = self.order;
            return match (self.scheme, self.kind) {
                (Scheme::L1, Kind::Caputo) => Caputo::l1(order)?.recurrence_at(alpha, request),
                (Scheme::L1, _) => RiemannLiouville::l1(order)?.recurrence_at(alpha, request),
                _ => GrunwaldLetnikov::new(order).recurrence_at(alpha, request),
            };
        }
        let unit = match self.scheme {
            Scheme::L1 => self.recurrence_of_jumps(alpha, x, request)?,
            Scheme::GrunwaldLetnikov => self.recurrence_of_binomials(alpha, x, request)?,
        };
        Ok(unit.scaled(N::constant(request.dt).powf(-alpha)))
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        let x = self.lambda * grid.dt();
        if x == 0.0 {
            return self.plain(alpha, grid);
        }
        Ok(self.unit(alpha, x, grid.n()).scaled(N::constant(grid.dt()).powf(-alpha)))
    }
}
