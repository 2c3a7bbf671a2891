use super::product_rules::implicit;
use super::quadrature::Weights;
use super::starting_weights::{Singularities, TERMS, columns, exponents};
use super::{Problem, Scheme, Stepper, Steps, System};
use crate::SolveError;
use crate::history::{HistoryChoice, Row};
use hpfracc_special::binomial_weights;

/// A fractional linear multistep method of order 2, with starting weights.
///
/// ```text
/// y_n = g(t_n) + h^a (sum_{j<=n} w_{n-j} f_j + sum_{j<s} s_nj f_j),   sum_n w_n x^n = W(x)
/// ```
///
/// | constructor | W(x) | at alpha = 1 | at infinity |
/// |---|---|---|---|
/// | [`trapezoidal`](Self::trapezoidal) | `((1+x)/(1-x)/2)^a`, written `2^-a (1+x)^a (1-x)^-a` | trapezoidal rule | does not damp |
/// | [`newton_gregory`](Self::newton_gregory) | `(1 - a/2 + a/2 x) (1-x)^-a` | trapezoidal rule | damps for alpha < 1 |
/// | [`bdf2`](Self::bdf2) | `(3/2 - 2x + x^2/2)^-a` | BDF2 | damps: for stiff problems |
///
/// The starting weights s_nj make the method exact for `f = t^nu`, nu being the sums of orders below 1,
/// and 1: order 2 at all nodes away from t0 although the solution behaves as t^alpha there. The first
/// s - 1 steps are solved for together.
///
/// Range: 0.1 <= alpha <= 2, alpha below 2 for Newton-Gregory; another for each component if wanted,
/// while there are at most 12 exponents. About 1/alpha of them are needed, and the Vandermonde system
/// magnifies: the sum of |s_nj| over j, largest for small n, is given in the table. Rounding errors of f
/// near t0 are magnified by as much, and below 0.1 nothing is left; small orders are better served by
/// graded steps.
///
/// Stable for `D^alpha y = lambda y` wherever the solution decays: `|arg lambda| > alpha pi/2`
/// (Newton-Gregory for a part of it).
///
/// Cost: one sum over the history a step, and Newton's iteration; s products more for the start.
///
/// Source: Lubich, SIAM J. Math. Anal. 17 (1986) 704, DOI 10.1137/0517050; Garrappa, Math. Comput.
/// Simul. 110 (2015) 96, DOI 10.1016/j.matcom.2013.09.012.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinearMultistep(Formula);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Formula {
    Trapezoidal,
    NewtonGregory,
    Bdf2,
}

/// Below, the starting weights would be rounding.
const LEAST_ALPHA: f64 = 0.1;
const MOST_EXPONENTS: usize = 12;

impl LinearMultistep {
    /// The fractional trapezoidal rule.
    pub fn trapezoidal() -> Self {
        Self(Formula::Trapezoidal)
    }

    /// The Newton-Gregory formula of order 2.
    pub fn newton_gregory() -> Self {
        Self(Formula::NewtonGregory)
    }

    /// The fractional backward differentiation formula of order 2.
    pub fn bdf2() -> Self {
        Self(Formula::Bdf2)
    }
}

impl Scheme for LinearMultistep {
    fn name(&self) -> &'static str {
        match self.0 {
            Formula::Trapezoidal => "fractional trapezoidal rule",
            Formula::NewtonGregory => "Newton-Gregory",
            Formula::Bdf2 => "fractional BDF2",
        }
    }

    fn prepare<'a>(
        &self,
        problem: &'a Problem<dyn System + 'a>,
        steps: &Steps,
        history: HistoryChoice,
    ) -> Result<Box<dyn Stepper + 'a>, SolveError> {
        let n = steps.uniform(self.name())?;
        for &alpha in problem.orders() {
            let newton_gregory = self.0 == Formula::NewtonGregory && alpha == 2.0;
            if !(LEAST_ALPHA..=2.0).contains(&alpha) || newton_gregory {
                return Err(SolveError::OutOfRange {
                    what: "the order of a linear multistep method",
                    value: alpha,
                    expected: "0.1 <= alpha <= 2, and below 2 for Newton-Gregory",
                });
            }
        }
        let exponents = exponents(problem.orders(), MOST_EXPONENTS);
        if exponents.len() > MOST_EXPONENTS {
            return Err(SolveError::OutOfRange {
                what: "the number of starting exponents",
                value: exponents.len() as f64,
                expected: "at most 12; these orders have more sums below 1",
            });
        }
        implicit(problem, n, history, |alpha, h, n| self.0.weights(alpha, h, n, &exponents))
    }
}

impl Formula {
    fn weights(
        self,
        alpha: f64,
        h: f64,
        n: usize,
        exponents: &[f64],
    ) -> Result<Weights, SolveError> {
        // A short solve needs the lags of the coupled start all the same.
        let w = self.series(alpha, (n + 1).max(exponents.len()));
        let mut starts = columns(alpha, exponents, &w, &self.singularities(alpha))?;
        let scale = h.powf(alpha);
        let scaled = |v: &mut Vec<f64>| v.iter_mut().for_each(|x| *x *= scale);
        starts.iter_mut().for_each(scaled);
        let mut w = w;
        scaled(&mut w);
        Ok(Weights { first: w[..exponents.len()].to_vec(), row: Row::table(w), starts })
    }

    /// The first n coefficients of W. All sums are of positive numbers for alpha < 2.
    fn series(self, alpha: f64, n: usize) -> Vec<f64> {
        let mut binomials = vec![0.0; n];
        match self {
            Self::Trapezoidal => {
                // (1 - x^2) W' = 2 alpha W.
                let mut w = binomials;
                w[0] = (-alpha).exp2();
                for m in 1..n {
                    let before = if m > 1 { (m - 2) as f64 * w[m - 2] } else { 0.0 };
                    w[m] = (2.0 * alpha * w[m - 1] + before) / m as f64;
                }
                w
            }
            Self::NewtonGregory => {
                binomial_weights(-alpha, &mut binomials);
                let half = 0.5 * alpha;
                let before = |m: usize| if m > 0 { binomials[m - 1] } else { 0.0 };
                (0..n).map(|m| (1.0 - half) * binomials[m] + half * before(m)).collect()
            }
            Self::Bdf2 => {
                // ((3/2) (1 - x) (1 - x/3))^-alpha; 3^-k has died out after 40 terms.
                binomial_weights(-alpha, &mut binomials);
                let mut factor = 1.5f64.powf(-alpha);
                let thirds: Vec<f64> = binomials
                    .iter()
                    .take(40)
                    .map(|b| {
                        let c = factor * b;
                        factor /= 3.0;
                        c
                    })
                    .collect();
                let sum = |m: usize| -> f64 {
                    thirds.iter().zip(binomials[..=m].iter().rev()).map(|(c, b)| c * b).sum()
                };
                (0..n).map(sum).collect()
            }
        }
    }

    fn singularities(self, alpha: f64) -> Singularities {
        // e^-u, and (1 - e^-u)/u.
        let mut exponential = Series([1.0; TERMS]);
        for i in 1..TERMS {
            exponential.0[i] = -exponential.0[i - 1] / i as f64;
        }
        let falling = Series(std::array::from_fn(|i| exponential.0[i] / (i + 1) as f64));
        // a + b e^-u.
        let line = |a: f64, b: f64| {
            let mut line = Series(exponential.0.map(|e| b * e));
            line.0[0] = a + b;
            line
        };
        let (at_one, at_minus_one) = match self {
            Self::Trapezoidal => {
                // tanh(u/2)/(u/2); at x = -1 the two factors change places, and u^alpha leaves 2^-alpha
                // twice.
                let ratio = falling.times(&line(0.5, 0.5).to_power(-1.0));
                let there = ratio.to_power(alpha).0.map(|c| 4f64.powf(-alpha) * c);
                (ratio.to_power(-alpha), Some(there))
            }
            Self::NewtonGregory => {
                let half = 0.5 * alpha;
                (line(1.0 - half, half).times(&falling.to_power(-alpha)), None)
            }
            Self::Bdf2 => (line(1.5, -0.5).times(&falling).to_power(-alpha), None),
        };
        Singularities { at_one: at_one.0, at_minus_one }
    }
}

/// The first coefficients of a power series.
struct Series([f64; TERMS]);

impl Series {
    fn times(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|m| (0..=m).map(|i| self.0[i] * other.0[m - i]).sum()))
    }

    /// From p' times the series = exponent series' times p, for a series that begins with 1.
    fn to_power(&self, exponent: f64) -> Self {
        let mut p = [0.0; TERMS];
        p[0] = 1.0;
        for n in 1..TERMS {
            let sum =
                (1..=n).map(|i| ((exponent + 1.0) * i as f64 - n as f64) * self.0[i] * p[n - i]);
            p[n] = sum.sum::<f64>() / n as f64;
        }
        Self(p)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMULAS: [Formula; 3] = [Formula::Trapezoidal, Formula::NewtonGregory, Formula::Bdf2];

    #[test]
    fn magnification() {
        for formula in FORMULAS {
            for alpha in [0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.5, 0.7, 0.9, 0.95, 0.999, 0.9999999, 1.0, 1.5, 1.9] {
                let n = 100_001;
                let w = formula.series(alpha, n);
                let e = exponents(&[alpha], 12);
                let columns = columns(alpha, &e, &w, &formula.singularities(alpha)).unwrap();
                let sum = |m: usize| columns.iter().map(|c| c[m].abs()).sum::<f64>();
                let (m, most) = (0..n).map(|m| (m, sum(m))).max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
                // Moments.
                let mut worst = 0f64;
                for nu in &e {
                    for m in [5, 20, 47, 48, 49, 60, 300, 1000, 10_000] {
                        let p = |j: usize| (j as f64).powf(*nu);
                        let q: f64 = (0..=m).map(|j| w[m - j] * p(j)).sum();
                        let s: f64 = columns.iter().enumerate().map(|(j, c)| c[m] * p(j)).sum();
                        let exact = hpfracc_special::gamma(nu + 1.0) * hpfracc_special::recip_gamma(nu + 1.0 + alpha) * (m as f64).powf(nu + alpha);
                        worst = worst.max((q + s - exact).abs() / exact);
                    }
                }
                println!("{formula:?} {alpha}: s = {}, {most:.1e} at {m}, moments {worst:.1e}, far {:.1e} {:.1e}", e.len(), sum(48), sum(100_000));
            }
        }
    }
}
