mod binomials;
mod entries;
mod integral;
mod jumps;

use crate::definitions::grunwald_letnikov::differences;
use crate::error::{in_range, no_recurrence};
use crate::memory::recurrence::{
    Asked, BinomialNodes, PowerNodes, Recurrence, of_values, one_step_on,
};
use crate::weights::{filled, first_differences};
use crate::{
    Caputo, FirstOrder, GrunwaldLetnikov, Operator, OperatorError, RiemannLiouville, Toeplitz,
    Weights,
};
use binomials::Binomials;
use hpfracc_special::{binomial_weights, binomial_weights_derivative, recip_gamma};
use hpfracc_types::{Grid, Order};
use jumps::Tails;

pub(crate) use entries::{CAPUTO_ENTRIES, INTEGRAL_ENTRIES, NORMALISED_ENTRIES, RIEMANN_ENTRIES};
pub use integral::TemperedIntegral;

/// Tempered derivatives: an exponential decay, lambda >= 0, on the memory of a fractional derivative.
///
#[doc = formula!("tempered", r"\text{riemann-liouville:}\quad D f = e^{-\lambda t} D^\alpha (e^{\lambda t} f)
    \text{caputo: the same with Caputo's derivative}
    \text{normalised:}\quad D f - \lambda^\alpha f \quad (0 < \alpha \le 1), \quad D f - \lambda^\alpha f - \alpha \lambda^{\alpha-1} f' \quad (1 < \alpha < 2)")]
///
/// `exp(-lambda t) t^q -> exp(-lambda t) Gamma(q+1)/Gamma(q+1-alpha) t^(q-alpha)`, and 0 in the sense of Caputo
/// for q = 0. Of a constant that has been there for long they are lambda^alpha; the normalised derivative is
/// then 0, and is the generator of tempered stable random walks. lambda = 0 is the plain operator with the
/// plain scheme's weights. Nothing of size exp(lambda t) is formed.
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
/// Sources: Meerschaert, Zhang and Baeumer, Geophys. Res. Lett. 35 (2008) L17403, DOI 10.1029/2008GL034899
/// (definition); Baeumer and Meerschaert, J. Comput. Appl. Math. 233 (2010) 2438, DOI
/// 10.1016/j.cam.2009.10.027 (normalisation, Grünwald's formula); Sabzikar, Meerschaert and Chen, J. Comput.
/// Phys. 293 (2015) 14, DOI 10.1016/j.jcp.2014.04.024.
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
    /// [`OperatorError::OutOfRange`] unless 0 < alpha < 1, [`OperatorError::Parameter`] unless lambda is finite
    /// and not negative.
    pub fn riemann_liouville_l1(order: Order, lambda: f64) -> Result<Self, OperatorError> {
        Self::new(order, lambda, Kind::RiemannLiouville, Scheme::L1)
    }

    /// Of Riemann-Liouville type, `h^-alpha sum_k w_k exp(-lambda k h) f_{n-k}`.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 0 < alpha < 2, [`OperatorError::Parameter`] for lambda.
    pub fn riemann_liouville_gl(order: Order, lambda: f64) -> Result<Self, OperatorError> {
        Self::new(order, lambda, Kind::RiemannLiouville, Scheme::GrunwaldLetnikov)
    }

    /// Of Caputo type, L1: the tempered derivative of the piecewise linear interpolant.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 0 < alpha < 1, [`OperatorError::Parameter`] for lambda.
    pub fn caputo_l1(order: Order, lambda: f64) -> Result<Self, OperatorError> {
        Self::new(order, lambda, Kind::Caputo, Scheme::L1)
    }

    /// Of Caputo type, Grünwald's formula for `f - exp(-lambda t) f(0)`.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 0 < alpha < 1, [`OperatorError::Parameter`] for lambda.
    pub fn caputo_gl(order: Order, lambda: f64) -> Result<Self, OperatorError> {
        Self::new(order, lambda, Kind::Caputo, Scheme::GrunwaldLetnikov)
    }

    /// Normalised, L1.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 0 < alpha < 1, [`OperatorError::Parameter`] for lambda.
    pub fn normalised_l1(order: Order, lambda: f64) -> Result<Self, OperatorError> {
        Self::new(order, lambda, Kind::Normalised, Scheme::L1)
    }

    /// Normalised, Grünwald's formula less what it makes of a constant, `h^-alpha (1-exp(-lambda h))^alpha`,
    /// and for alpha > 1 of a ramp: a long constant gives 0 to rounding for every step.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`] unless 0 < alpha < 2, [`OperatorError::Parameter`] for lambda.
    pub fn normalised_gl(order: Order, lambda: f64) -> Result<Self, OperatorError> {
        Self::new(order, lambda, Kind::Normalised, Scheme::GrunwaldLetnikov)
    }

    fn new(order: Order, lambda: f64, kind: Kind, scheme: Scheme) -> Result<Self, OperatorError> {
        let made = Self { order, lambda, kind, scheme };
        let (alpha, below_two) = (order.value(), scheme == Scheme::GrunwaldLetnikov);
        if below_two && kind != Kind::Caputo {
            in_range(0.0 < alpha && alpha < 2.0, made.name(), order, entries::BELOW_TWO.text)?;
        } else {
            in_range(0.0 < alpha && alpha < 1.0, made.name(), order, "0 < alpha < 1")?;
        }
        not_negative(lambda)?;
        Ok(made)
    }

    /// The plain operator, which lambda = 0 is.
    fn plain(self, grid: Grid, derivative: bool) -> Result<Weights, OperatorError> {
        let of = |operator: &dyn Operator| {
            if derivative {
                operator.weights_order_derivative(grid)
            } else {
                operator.weights(grid)
            }
        };
        match (self.scheme, self.kind) {
            (Scheme::L1, Kind::Caputo) => of(&Caputo::l1(self.order)?),
            (Scheme::L1, _) => of(&RiemannLiouville::l1(self.order)?),
            (Scheme::GrunwaldLetnikov, Kind::Caputo) => {
                let (scale, n) = (grid.dt().powf(-self.order.value()), grid.n());
                let mut column = self.of_decay(0.0, n);
                if derivative {
                    let slopes = self.of_decay_slope(0.0, n);
                    let each = column.iter_mut().zip(slopes);
                    each.for_each(|(v, slope)| *v = slope - grid.dt().ln() * *v);
                }
                column.iter_mut().for_each(|v| *v *= scale);
                match of(&GrunwaldLetnikov::new(self.order))? {
                    Weights::Toeplitz(memory) => Ok(memory.with_start(column, vec![1.0]).into()),
                    other => Ok(other),
                }
            }
            (Scheme::GrunwaldLetnikov, _) => of(&GrunwaldLetnikov::new(self.order)),
        }
    }

    /// The parts on a unit step, x = lambda h.
    fn parts(self, x: f64, n: usize) -> Parts {
        let alpha = self.order.value();
        match self.scheme {
            Scheme::L1 => {
                let Tails { cells, mut nodes } = Tails::of_jumps(alpha, x, n);
                let level = x.powf(alpha);
                if self.kind == Kind::Caputo {
                    nodes = taken_back(Tails::of_constant(alpha, x, n), level);
                }
                Parts { lags: cells, start: Some(nodes), level, slope: 0.0 }
            }
            Scheme::GrunwaldLetnikov => {
                let start = (self.kind == Kind::Caputo).then(|| self.of_decay(x, n));
                let Binomials { lags, level, slope } = Binomials::new(alpha, x, n);
                Parts { lags, start, level, slope }
            }
        }
    }

    /// Their derivatives in alpha, x held.
    fn parts_slope(self, x: f64, n: usize) -> Parts {
        let alpha = self.order.value();
        match self.scheme {
            Scheme::L1 => {
                let Tails { cells, mut nodes } = Tails::of_jumps_slope(alpha, x, n);
                let level = x.powf(alpha) * x.ln();
                if self.kind == Kind::Caputo {
                    nodes = taken_back(Tails::of_constant_slope(alpha, x, n), level);
                }
                Parts { lags: cells, start: Some(nodes), level, slope: 0.0 }
            }
            Scheme::GrunwaldLetnikov => {
                let start = (self.kind == Kind::Caputo).then(|| self.of_decay_slope(x, n));
                let Binomials { lags, level, slope } = Binomials::order_derivative(alpha, x, n);
                Parts { lags, start, level, slope }
            }
        }
    }

    /// Minus what Grünwald's formula makes of `exp(-x k)`: its weights sum up to those of alpha - 1.
    fn of_decay(self, x: f64, n: usize) -> Vec<f64> {
        let sums = filled(n, |v| binomial_weights(self.order.value() - 1.0, v));
        sums.into_iter().enumerate().map(|(k, v)| -v * decay(x, k)).collect()
    }

    fn of_decay_slope(self, x: f64, n: usize) -> Vec<f64> {
        let sums = filled(n, |v| binomial_weights_derivative(self.order.value() - 1.0, v));
        sums.into_iter().enumerate().map(|(k, v)| -v * decay(x, k)).collect()
    }

    /// L1 on a unit step, over values and not over differences: by parts once more,
    ///
    /// ```text
    /// y_n = level f_n + sum_j a_j (f_{n-j} - f_{n-j-1}) + q_n f_0,    a_j - a_{j-1} = -int hat_j nu
    /// ```
    ///
    /// is the product trapezoid of -nu, f_0 lacking half its hat, but for the first weights.
    fn recurrence_of_jumps(self, x: f64, asked: Asked) -> Result<Recurrence, OperatorError> {
        let alpha = self.order.value();
        let nodes = PowerNodes::new(1.0 + alpha, asked)?;
        let sum = nodes.sum.tempered(x)?;
        let Tails { cells, nodes: ends } = Tails::of_jumps(alpha, x, 2);
        let level = if self.kind == Kind::Normalised { 0.0 } else { x.powf(alpha) };
        let first = Toeplitz::causal(vec![level + cells[0], cells[1] - cells[0]])
            .with_start(vec![0.0, ends[1] - cells[1]], vec![1.0]);
        let factor = -alpha * recip_gamma(1.0 - alpha);
        let far = one_step_on(&sum, factor, &sum.hats(1.0));
        Ok(of_values(asked, nodes.relative_error, &sum, &first, far))
    }

    /// Grünwald's formula on a unit step, over values: `w_j exp(-x j)`.
    fn recurrence_of_binomials(self, x: f64, asked: Asked) -> Result<Recurrence, OperatorError> {
        let alpha = self.order.value();
        in_range(alpha < 1.0, self.name(), self.order, "0 < alpha < 1 for a recurrence")?;
        let nodes = BinomialNodes::new(alpha, asked)?;
        let level = if self.kind == Kind::Normalised { (-(-x).exp_m1()).powf(alpha) } else { 0.0 };
        let near = vec![1.0 - level, -alpha * (-x).exp()];
        let lost = (-x * near.len() as f64).exp();
        let far = nodes.at_first_lag(&nodes.coefficients).into_iter();
        let far = far.map(|(p, c)| (p + x, c * lost));
        Ok(Recurrence::new(asked, nodes.relative_error, near, far))
    }

    fn assembled(self, parts: Parts) -> Weights {
        let Parts { lags, start, level, slope } = parts;
        let n = lags.len();
        let q = differences(self.order.value());
        let mut memory = Toeplitz::of_differences(q, lags);
        if self.scheme == Scheme::GrunwaldLetnikov {
            memory = memory.with_first_differences(first_differences(q));
        }
        if let Some(column) = start {
            memory = memory.with_start(column, vec![1.0]);
        }
        if self.kind == Kind::Normalised {
            return memory.into();
        }
        // level f_n + slope (f_n - f_{n-1}), f = 0 before the record.
        let rest = FirstOrder { n, direct: level, rate: 1.0, slope, level: 0.0, start: slope };
        Weights::Sum(vec![memory.into(), rest.into()])
    }
}

/// What a scheme consists of: weights of the differences, a column for the first sample, weights of the
/// sample and of its difference.
struct Parts {
    lags: Vec<f64>,
    start: Option<Vec<f64>>,
    level: f64,
    slope: f64,
}

impl Parts {
    /// `a` of these plus `b` of the others, which have the same structure.
    fn combined(mut self, a: f64, b: f64, others: Self) -> Self {
        let combine = |u: &mut [f64], v: &[f64]| {
            u.iter_mut().zip(v).for_each(|(u, v)| *u = a * *u + b * v);
        };
        combine(&mut self.lags, &others.lags);
        if let (Some(u), Some(v)) = (&mut self.start, &others.start) {
            combine(u, v);
        }
        self.level = a * self.level + b * others.level;
        self.slope = a * self.slope + b * others.slope;
        self
    }
}

/// What the Caputo type takes back of `level f(0)`: at the start all of it.
fn taken_back(mut held: Vec<f64>, level: f64) -> Vec<f64> {
    held[0] = level;
    held.iter_mut().for_each(|v| *v = -*v);
    held
}

fn decay(x: f64, k: usize) -> f64 {
    (-x * k as f64).exp()
}

impl Operator for Tempered {
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

    fn recurrence(
        &self,
        dt: f64,
        longest: u64,
        tolerance: f64,
    ) -> Result<Recurrence, OperatorError> {
        let asked = Asked::new(dt, longest, tolerance)?;
        let x = self.lambda * dt;
        if self.kind == Kind::Caputo && (x > 0.0 || self.scheme != Scheme::L1) {
            return Err(no_recurrence(self.name()));
        }
        if x == 0.0 {
            return match (self.scheme, self.kind) {
                (Scheme::L1, Kind::Caputo) => {
                    Caputo::l1(self.order)?.recurrence(dt, longest, tolerance)
                }
                (Scheme::L1, _) => {
                    RiemannLiouville::l1(self.order)?.recurrence(dt, longest, tolerance)
                }
                _ => GrunwaldLetnikov::new(self.order).recurrence(dt, longest, tolerance),
            };
        }
        let unit = match self.scheme {
            Scheme::L1 => self.recurrence_of_jumps(x, asked)?,
            Scheme::GrunwaldLetnikov => self.recurrence_of_binomials(x, asked)?,
        };
        Ok(unit.scaled(dt.powf(-self.order.value())))
    }

    fn weights(&self, grid: Grid) -> Result<Weights, OperatorError> {
        let x = self.lambda * grid.dt();
        if x == 0.0 {
            return self.plain(grid, false);
        }
        let parts = self.parts(x, grid.n());
        Ok(self.assembled(parts).scaled(grid.dt().powf(-self.order.value())))
    }

    fn weights_order_derivative(&self, grid: Grid) -> Result<Weights, OperatorError> {
        let (x, n, h) = (self.lambda * grid.dt(), grid.n(), grid.dt());
        if x == 0.0 {
            return self.plain(grid, true);
        }
        let parts = self.parts_slope(x, n).combined(1.0, -h.ln(), self.parts(x, n));
        Ok(self.assembled(parts).scaled(h.powf(-self.order.value())))
    }
}

fn not_negative(lambda: f64) -> Result<(), OperatorError> {
    if lambda.is_finite() && lambda >= 0.0 {
        return Ok(());
    }
    Err(OperatorError::Parameter { what: "lambda", value: lambda, expected: "lambda >= 0" })
}
