mod lines;

use crate::definitions::entry::{Definition, Entry, Parameter, Range, arc, cost};
use crate::definitions::substitution::{check_steps, of_grid, of_mesh};
use crate::error::demand;
use crate::schemes::cells::{Cells, applied, with_start};
use crate::{Discretisation, MeshMemory, Number, Result, Weights};
use hpfracc_special::{digamma, gamma_ratio};
use hpfracc_types::{Grid, Mesh, Order};

/// The Erdélyi–Kober integral of order delta = alpha, with a weight u^gamma in the variable u =
/// t^beta.
///
#[doc = formula!("erdelyi_kober", r"I f(t) = \frac{\beta t^{-\beta (\gamma+\alpha)}}{\Gamma(\alpha)} \int_{t_0}^t s^{\beta (\gamma+1) - 1} (t^\beta - s^\beta)^{\alpha-1} f(s) \, ds")]
///
/// with 0 < alpha <= 2, gamma > -1, beta > 0, t0 >= 0. From t0 = 0,
/// `I t^q = Gamma(gamma+1+q/beta) / Gamma(gamma+alpha+1+q/beta) t^q`: powers keep their exponent,
/// and at t = 0 it is `f(0) Gamma(gamma+1)/Gamma(gamma+alpha+1)`. gamma = 0 and beta = 1 give
/// t^-alpha times the Riemann–Liouville integral.
///
/// Scheme: f linear in t between the samples; u^gamma f is replaced in each cell by the line with
/// the same integral and first moment, which is integrated exactly against the kernel. From t0 = 0,
/// start corrections make the formula exact on 1 and t at every point, so that the first values are
/// as accurate as the last. Order 2 for f with two derivatives in t, relative to f, at every point;
/// from t0 > 0 once a step is short compared with t/(1 + beta |gamma|), over which the weight of f
/// changes.
///
/// On a grid the samples are at start + j dt; on a mesh at its points, whose first one is t0, and
/// the start is not used. Cost: a sum of exponentials, O(N K).
///
/// Source: Kilbas, Srivastava and Trujillo, Theory and Applications of Fractional Differential
/// Equations (2006), section 2.6, formula (2.6.1); powers: lemma 2.26.
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{ErdelyiKober, Operator};
/// use hpfracc_types::{Grid, Order};
/// use ndarray::array;
///
/// let grid = Grid::uniform(3, 0.5)?;
/// let half = ErdelyiKober::new(Order::new(0.5)?, 0.5, 2.0, 0.0)?.on::<f64, _>(grid, &Reference)?;
/// // Gamma(3/2)/Gamma(2) of a constant, at t = 0 too.
/// let y = half.apply(array![1.0, 1.0, 1.0].view())?;
/// assert!(y.iter().all(|y| (y - 0.886226925452758).abs() < 1e-13));
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErdelyiKober {
    order: Order,
    gamma: f64,
    beta: f64,
    start: f64,
}

const NAME: &str = "erdelyi-kober";
const SCHEME: &str = "trapezoid";
const NOT_NEGATIVE: &str = "zero or positive: Erdelyi-Kober integrals live on t >= 0";

impl ErdelyiKober {
    /// The integral with weight gamma in the variable t^beta, of samples from the time `start` on.
    ///
    /// # Errors
    /// [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) unless 0 < alpha <= 2;
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) unless -1 < gamma <= 100, beta
    /// is positive, and the start is not negative.
    pub fn new(order: Order, gamma: f64, beta: f64, start: f64) -> Result<Self> {
        Range::TO_TWO.check((NAME, SCHEME), order)?;
        let demands = [
            ("gamma", gamma, -1.0 < gamma && gamma <= 100.0, "-1 < gamma <= 100"),
            ("beta", beta, beta > 0.0 && beta.is_finite(), "positive and finite"),
        ];
        demands.into_iter().try_for_each(demand)?;
        demand((
            "the time of the first sample",
            start,
            start.is_finite() && start >= 0.0,
            NOT_NEGATIVE,
        ))?;
        Ok(Self { order, gamma, beta, start })
    }

    /// The length of a cell in u.
    fn step(&self, (t, d): (f64, f64)) -> f64 {
        if t == 0.0 {
            d.powf(self.beta)
        } else {
            t.powf(self.beta) * (self.beta * (d / t).ln_1p()).exp_m1()
        }
    }

    /// The weights for the samples at the left ends of the cells (time, step) and at the last right
    /// end.
    fn on_times<N: Number>(
        &self,
        alpha: N,
        times: &[(f64, f64)],
        memory: MeshMemory,
    ) -> Result<Weights<N>> {
        let Self { gamma, beta, .. } = *self;
        let times = &in_units_of_the_end(times);
        // A step is divided into parts by this ratio.
        let mut ratios = times.iter().filter(|(t, _)| *t != 0.0).map(|(t, d)| d / t);
        let what = "a step over the time before it";
        ratios.try_for_each(|ratio| demand((what, ratio, ratio.is_finite(), "a finite number")))?;
        let cells = Cells {
            steps: times.iter().map(|time| self.step(*time)).collect(),
            lines: times.iter().map(|time| lines::line(gamma, beta, *time)).collect(),
        };
        check_steps(&cells.steps)?;
        let mut weights = cells.integral(alpha, memory)?;
        let points: Vec<f64> =
            times.iter().map(|(t, _)| *t).chain(times.last().map(|(t, d)| t + d)).collect();
        let power = |t: f64| match t {
            0.0 => N::constant(1.0),
            _ => N::constant(t).powf((alpha + gamma) * -beta),
        };
        let front: Vec<N> = points.iter().map(|t| power(*t)).collect();
        if points[0] == 0.0 {
            // The missing parts of 1 and t: f = f_0 + (f_1 - f_0) t/t_1 and a rest with two zeros.
            let stencils = [vec![1.0], vec![-points[1].recip(), points[1].recip()]];
            for (q, stencil) in [0.0, 1.0].into_iter().zip(stencils) {
                let f: Vec<f64> = points.iter().map(|t| t.powf(q)).collect();
                let found = applied(&weights, &f)?;
                let exact =
                    points.iter().zip(&front).map(|(t, front)| self.exact(alpha, q, *t) / *front);
                let column = exact.zip(found).map(|(exact, found)| exact - found).collect();
                weights = with_start(weights, column, stencil);
            }
        }
        Ok(Weights::Product(vec![Weights::Diagonal(front), weights]))
    }

    /// The integral of t^q from zero.
    fn exact<N: Number>(&self, alpha: N, q: f64, t: f64) -> N {
        let from = self.gamma + 1.0 + q / self.beta;
        let ratio =
            (alpha + from).chain(|to| gamma_ratio(from, to), |to, ratio| -digamma(to) * ratio);
        ratio * t.powf(q)
    }
}

/// Times in units of the last one: the operator is the same in any unit of time, but powers of
/// times may leave the range of `f64`. The unit is a power of two: nothing is rounded.
fn in_units_of_the_end(times: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let end = times.last().map_or(1.0, |(t, d)| t + d);
    let unit = end.log2().floor().exp2();
    times.iter().map(|(t, d)| (t / unit, d / unit)).collect()
}

impl Discretisation for ErdelyiKober {
    fn name(&self) -> (&'static str, &'static str) {
        (NAME, SCHEME)
    }

    fn order(&self) -> Order {
        self.order
    }

    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        let times: Vec<_> = of_grid(grid, self.start).collect();
        self.on_times(alpha, &times, MeshMemory::default())
    }

    fn mesh_at<N: Number>(&self, alpha: N, mesh: &Mesh, memory: MeshMemory) -> Result<Weights<N>> {
        let start = mesh.start();
        demand((
            "the first point of the mesh",
            start,
            start.is_finite() && start >= 0.0,
            NOT_NEGATIVE,
        ))?;
        let times: Vec<_> = of_mesh(mesh).collect();
        self.on_times(alpha, &times, memory)
    }
}

const DEFINITION: &Definition = &Definition {
    name: NAME,
    title: "Erdelyi-Kober integral",
    formula: "beta t^(-beta (gamma+alpha))/Gamma(alpha) int_t0^t s^(beta (gamma+1)-1) (t^beta-s^beta)^(alpha-1) f(s) ds",
    of_constants: "c -> c Gamma(gamma+1)/Gamma(gamma+alpha+1), t0 = 0",
    of_powers: "t^q -> Gamma(gamma+1+q/beta)/Gamma(gamma+alpha+1+q/beta) t^q, t0 = 0",
    relation: "t^-alpha times the Riemann-Liouville integral for gamma = 0, beta = 1; (t^beta/beta)^-alpha times Katugampola's integral for gamma = 0, rho = beta",
    source: "Kilbas, Srivastava and Trujillo, Theory and Applications of Fractional Differential Equations (2006), section 2.6",
    parameters: &[
        Parameter {
            name: "gamma",
            meaning: "the power of t^beta that weighs the samples",
            range: "-1 < gamma <= 100",
            default: Some(0.0),
            example: 0.5,
        },
        Parameter {
            name: "beta",
            meaning: "the power of t in which distances are taken",
            range: "beta > 0",
            default: Some(1.0),
            example: 2.0,
        },
        Parameter {
            name: "start",
            meaning: "the time of the first sample, t0",
            range: "start >= 0",
            default: Some(0.0),
            example: 0.0,
        },
    ],
};

pub(crate) const ENTRIES: &[Entry] = &[DEFINITION
    .scheme(SCHEME, Range::TO_TWO, "2", |order, v| arc(ErdelyiKober::new(order, v[0], v[1], v[2])?))
    .costs(cost::EXPONENTIALS)];
