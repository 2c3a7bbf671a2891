//! Fractional linear multistep methods.

mod starting_weights;

pub(crate) use self::starting_weights::{Exponents, exponents};
use self::starting_weights::{Singularities, TERMS, by_exponent, columns};
use crate::error::require;
use crate::history::Row;
use crate::schemes::implicit_quadrature::{Weights, implicit};
use crate::schemes::scheme::{MemoryEstimate, Tables};
use crate::{OdeError, Scheme, Setup, Stepper, UniformGrid};
use hpfracc_operators::{Dual, Number};
use hpfracc_special::write_binomial_weights;

/// Fractional linear multistep method (FLMM) of order 2: Lubich's convolution quadrature with
/// starting weights.
///
#[doc = formula!("linear_multistep", r"y_n = g(t_n) + h^a \left( \sum_{j \le n} w_{n-j} f_j + \sum_{j<s} s_{nj} f_j \right), \quad \sum_n w_n x^n = W(x)")]
///
/// | formula | W(x) | at alpha = 1 | at infinity |
/// |---|---|---|---|
/// | [`Trapezoidal`](Self::Trapezoidal) | `((1+x)/(1-x)/2)^a`, written `2^-a (1+x)^a (1-x)^-a` | trapezoidal rule | does not damp |
/// | [`NewtonGregory`](Self::NewtonGregory) | `(1 - a/2 + a/2 x) (1-x)^-a` | trapezoidal rule | damps for alpha < 1 |
/// | [`Bdf2`](Self::Bdf2) | `(3/2 - 2x + x^2/2)^-a` | BDF2 | damps: for stiff problems |
///
/// The starting weights s_nj make the method exact for `f = t^nu`, nu being the sums of orders
/// below 1, and 1: order 2 at all nodes away from t0 although the solution behaves as t^alpha
/// there. The first s - 1 steps are one coupled system.
///
/// Range: alpha up to 2 (below 2 for Newton-Gregory), one per component or one for all. The
/// starting weights limit small orders: about 1/alpha exponents are needed, their Vandermonde
/// system is ill-conditioned, and the rounding of the first f is amplified by the sum of |s_1j| in
/// y_1:
///
/// | alpha | 0.5 | 0.3 | 0.2 | 0.15 | 0.12 | 0.1 |
/// |---|---|---|---|---|---|---|
/// | exponents | 3 | 5 | 6 | 8 | 10 | 11 |
/// | sum of abs(s_1j) | 1.3 | 9.6 | 53 | 3.6e3 | 5e5 | 9e6 |
///
/// Sums above 1e4 are refused: orders below 0.15, and several orders with many sums below 1. Use
/// [graded steps](crate::Steps::Graded). The conditions that define the s_nj hold to 4e-15 from alpha =
/// 0.2 on, for n up to 1e5 and more.
///
/// Stable for `D^alpha y = lambda y` wherever the solution decays, `|arg lambda| > alpha pi/2`, the
/// first two for alpha <= 1. Beyond, and for large lambda h^alpha, Newton-Gregory is not, and what
/// the trapezoidal rule does not damp grows as n^(alpha-1).
///
/// Cost: one sum over the history a step, Newton's iteration, and s products for the starting
/// weights.
///
/// Source: Lubich, SIAM J. Math. Anal. 17 (1986) 704, DOI 10.1137/0517050; Garrappa, Math. Comput.
/// Simul. 110 (2015) 96, DOI 10.1016/j.matcom.2013.09.012.
///
/// ```
/// use hpfracc_ode::{LinearMultistep, Options, Problem, Steps, solve};
///
/// // D^1/2 y = -y, y(0) = 1: y = exp(t) erfc(sqrt t)
/// let relaxation = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// let steps = Steps::Uniform(200);
/// let solution = solve(&relaxation, &LinearMultistep::NewtonGregory, &steps, Options::default())?;
/// assert!((solution.last()[0] - 0.427583576155807).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinearMultistep {
    /// Fractional trapezoidal rule.
    Trapezoidal,
    /// Newton-Gregory formula of order 2.
    NewtonGregory,
    /// Fractional backward differentiation formula of order 2.
    Bdf2,
}

impl Scheme for LinearMultistep {
    fn name(&self) -> &'static str {
        match self {
            LinearMultistep::Trapezoidal => "fractional trapezoidal rule",
            LinearMultistep::NewtonGregory => "Newton-Gregory",
            LinearMultistep::Bdf2 => "fractional BDF2",
        }
    }

    fn memory_estimate(&self, setup: &Setup<'_>, n: usize) -> Result<MemoryEstimate, OdeError> {
        let (rows, orders) = (setup.order_count(), setup.problem.orders());
        let kept = orders.len() * (1 + exponents(orders).values.len());
        let own = kept + rows;
        setup.memory_estimate(
            n,
            rows,
            Tables { kernels: 1, product_rules: false, own, kept, after: 0 },
        )
    }

    fn prepare<'a>(&self, setup: &Setup<'a>) -> Result<Box<dyn Stepper + 'a>, OdeError> {
        let grid = setup.uniform(self)?;
        for &alpha in setup.problem.orders() {
            // At order 2 the weight of the newest sample is zero.
            let inside = alpha < 2.0 || alpha == 2.0 && *self != Self::NewtonGregory;
            let expected = "at most 2, and below 2 for Newton-Gregory";
            require(inside, "the order of a linear multistep method", alpha, expected)?;
        }
        let exponents = exponents(setup.problem.orders()).values;
        implicit(setup, grid, |alpha| self.weights(alpha, grid, &exponents))
    }
}

/// Weights of one order, and their derivatives.
pub(crate) struct WeightDerivatives {
    pub(crate) values: Weights,
    /// With respect to the order, the exponents fixed.
    pub(crate) by_order: Weights,
    /// Of the starting weights with respect to each exponent, a column for each first sample; none
    /// for exponents that are 0 or 1 whatever the orders.
    pub(crate) by_exponents: Vec<Vec<Vec<f64>>>,
}

impl LinearMultistep {
    fn weights(
        self,
        alpha: f64,
        grid: UniformGrid,
        exponents: &[f64],
    ) -> Result<Weights, OdeError> {
        let (w, starts) = self.tables(alpha, grid, exponents)?;
        Ok(Weights { first: w[..exponents.len()].to_vec(), row: Row::Table(w), starts })
    }

    /// The weights of an order on a grid, and their derivatives.
    ///
    /// # Errors
    /// Those of the starting weights.
    pub(crate) fn weights_and_derivatives(
        self,
        alpha: f64,
        grid: UniformGrid,
        exponents: &Exponents,
    ) -> Result<WeightDerivatives, OdeError> {
        let Exponents { values: exponents, multiples } = exponents;
        let fixed: Vec<Dual> = exponents.iter().map(|&nu| Dual::constant(nu)).collect();
        let (w, starts) = self.tables(Dual::variable(alpha), grid, &fixed)?;
        let part = |of: fn(&Dual) -> f64| {
            let table = |table: &Vec<Dual>| table.iter().map(of).collect::<Vec<f64>>();
            let (row, starts) = (table(&w), starts.iter().map(table).collect());
            Weights { first: row[..exponents.len()].to_vec(), row: Row::Table(row), starts }
        };
        let (values, by_order) = (part(|w| w.value), part(|w| w.derivative));
        let Row::Table(row) = &values.row else { return Err(OdeError::Empty) };
        let singularities = self.singularities(Dual::constant(alpha));
        let scale = grid.h().powf(alpha);
        let by_exponents = multiples.iter().enumerate().map(|(m, multiples)| {
            let moves = multiples.iter().any(|multiple| *multiple != 0.0);
            let of = (row.as_slice(), values.starts.as_slice(), scale);
            if moves { by_exponent((alpha, exponents), m, of, &singularities) } else { Vec::new() }
        });
        let by_exponents = by_exponents.collect();
        Ok(WeightDerivatives { values, by_order, by_exponents })
    }

    /// The convolution weights and the columns of starting weights.
    fn tables<T: Number>(
        self,
        alpha: T,
        grid: UniformGrid,
        exponents: &[T],
    ) -> Result<(Vec<T>, Vec<Vec<T>>), OdeError> {
        // A short solve also needs the lags of the coupled first states.
        let mut w = self.series(alpha, (grid.n() + 1).max(exponents.len()));
        let mut starts = columns(alpha, exponents, &w, &self.singularities(alpha))?;
        let scale = T::constant(grid.h()).powf(alpha);
        for table in starts.iter_mut().chain([&mut w]) {
            table.iter_mut().for_each(|weight| *weight = *weight * scale);
        }
        Ok((w, starts))
    }

    /// The first n coefficients of W. All sums are of positive numbers for alpha < 2.
    fn series<T: Number>(self, alpha: T, n: usize) -> Vec<T> {
        let zero = T::constant(0.0);
        let mut binomials = vec![zero; n];
        if self != Self::Trapezoidal {
            // Of the order -alpha.
            write_binomial_weights(
                -alpha.value(),
                &mut binomials,
                T::HAS_DERIVATIVE,
                |w, b, db| {
                    *w = (-alpha).function(b, db);
                },
            );
        }
        match self {
            Self::Trapezoidal => {
                // (1 - x^2) W' = 2 alpha W.
                let mut w = binomials;
                w[0] = T::constant(2.0).powf(-alpha);
                for m in 1..n {
                    let before = if m > 1 { w[m - 2] * (m - 2) as f64 } else { zero };
                    w[m] = (alpha * 2.0 * w[m - 1] + before) / m as f64;
                }
                w
            }
            Self::NewtonGregory => {
                let half = alpha * 0.5;
                let before = |m: usize| if m > 0 { binomials[m - 1] } else { zero };
                (0..n).map(|m| (-half + 1.0) * binomials[m] + half * before(m)).collect()
            }
            Self::Bdf2 => {
                // ((3/2) (1 - x) (1 - x/3))^-alpha; 3^-k is below rounding after 40 terms.
                let mut factor = T::constant(1.5).powf(-alpha);
                let thirds: Vec<T> = binomials
                    .iter()
                    .take(40)
                    .map(|b| {
                        let c = factor * *b;
                        factor = factor / 3.0;
                        c
                    })
                    .collect();
                let sum = |m: usize| {
                    let terms = thirds.iter().zip(binomials[..=m].iter().rev());
                    terms.fold(zero, |sum, (c, b)| sum + *c * *b)
                };
                (0..n).map(sum).collect()
            }
        }
    }

    fn singularities<T: Number>(self, alpha: T) -> Singularities<T> {
        // e^-u, and (1 - e^-u)/u.
        let mut exponential = Series([T::constant(1.0); TERMS]);
        for i in 1..TERMS {
            exponential.0[i] = -exponential.0[i - 1] / i as f64;
        }
        let falling = Series(std::array::from_fn(|i| exponential.0[i] / (i + 1) as f64));
        // a + b e^-u.
        let line = |a: T, b: T| {
            let mut line = Series(exponential.0.map(|e| b * e));
            line.0[0] = a + b;
            line
        };
        let number = T::constant;
        let (at_one, at_minus_one) = match self {
            Self::Trapezoidal => {
                // tanh(u/2)/(u/2); at x = -1 the two factors change places, and u^alpha leaves
                // 2^-alpha twice.
                let ratio = falling.times(&line(number(0.5), number(0.5)).to_power(number(-1.0)));
                let factor = number(4.0).powf(-alpha);
                let there = ratio.to_power(alpha).0.map(|c| factor * c);
                (ratio.to_power(-alpha), Some(there))
            }
            Self::NewtonGregory => {
                let half = alpha * 0.5;
                (line(-half + 1.0, half).times(&falling.to_power(-alpha)), None)
            }
            Self::Bdf2 => (line(number(1.5), number(-0.5)).times(&falling).to_power(-alpha), None),
        };
        Singularities { at_one: at_one.0, at_minus_one }
    }
}

/// The first coefficients of a power series.
struct Series<T>([T; TERMS]);

impl<T: Number> Series<T> {
    fn times(&self, other: &Self) -> Self {
        let zero = T::constant(0.0);
        Self(std::array::from_fn(|m| (0..=m).fold(zero, |sum, i| sum + self.0[i] * other.0[m - i])))
    }

    /// From p' times the series = exponent series' times p, for a series that begins with 1.
    fn to_power(&self, exponent: T) -> Self {
        let mut p = [T::constant(0.0); TERMS];
        p[0] = T::constant(1.0);
        for n in 1..TERMS {
            let sum = (1..=n).fold(T::constant(0.0), |sum, i| {
                sum + ((exponent + 1.0) * i as f64 - n as f64) * self.0[i] * p[n - i]
            });
            p[n] = sum / n as f64;
        }
        Self(p)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_special::{gamma, recip_gamma};

    const FORMULAS: [LinearMultistep; 3] =
        [LinearMultistep::Trapezoidal, LinearMultistep::NewtonGregory, LinearMultistep::Bdf2];

    /// 40-digit values from mpmath, by the recurrence of each series.
    #[test]
    fn weights_are_the_coefficients_of_the_series() {
        let table = [
            (LinearMultistep::Trapezoidal, 0.3, 10, 0.059_079_538_650_046_66),
            (LinearMultistep::Trapezoidal, 0.3, 100_000, 0.000_105_658_107_688_614_47),
            (LinearMultistep::Trapezoidal, 1.6, 2, 1.688_970_125_789_304_7),
            (LinearMultistep::Trapezoidal, 1.6, 100_000, 1_119.174_954_066_540_9),
            (LinearMultistep::Bdf2, 0.3, 1, 0.354_186_997_318_222_45),
            (LinearMultistep::Bdf2, 0.3, 100_000, 0.000_105_706_325_784_931_14),
            (LinearMultistep::Bdf2, 1.6, 10, 4.448_966_014_611_18),
            (LinearMultistep::Bdf2, 1.6, 100_000, 1_119.174_954_055_796_7),
        ];
        for (formula, alpha, n, expected) in table {
            let w = formula.series(alpha, n + 1)[n];
            assert!((w / expected - 1.0).abs() < 2e-14, "{formula:?} {alpha} {n}: {w} {expected}");
        }
    }

    /// The sum of the starting weights of the first step, and the largest relative error with which
    /// they and the convolution integrate the powers they are made for, at n near and far.
    fn starts(formula: LinearMultistep, alpha: f64) -> Result<(f64, f64), OdeError> {
        let w = formula.series(alpha, 3001);
        let exponents = exponents(&[alpha]).values;
        let columns = columns(alpha, &exponents, &w, &formula.singularities(alpha))?;
        let mut worst = 0f64;
        for nu in &exponents {
            let power = |j: usize| (j as f64).powf(*nu);
            let factor = gamma(nu + 1.0) * recip_gamma(nu + 1.0 + alpha);
            for n in [5, 20, 47, 48, 49, 60, 300, 3000] {
                let sum: f64 = (0..=n).map(|j| w[n - j] * power(j)).sum();
                let start = columns.iter().enumerate().map(|(j, column)| column[n] * power(j));
                let exact = factor * (n as f64).powf(nu + alpha);
                worst = worst.max((sum + start.sum::<f64>() - exact).abs() / exact);
            }
        }
        Ok((columns.iter().map(|column| column[1].abs()).sum(), worst))
    }

    #[test]
    fn starting_weights_make_the_quadrature_exact() {
        for formula in FORMULAS {
            // Beside 1 two exponents become one; the last two have no others than 0 and 1.
            for (alpha, magnified, most) in [
                (0.15, 3.7e3, 1e-12),
                (0.2, 54.0, 1e-14),
                (0.3, 10.0, 1e-14),
                (0.5, 1.4, 1e-14),
                (0.7, 1.4, 1e-14),
                (0.999, 1.5, 1e-14),
                (1.0 - 1e-7, 1.5, 1e-14),
                (1.0, 1.0, 1e-14),
                (1.9, 1.5, 2e-14),
            ] {
                let (sum, error) = starts(formula, alpha).unwrap();
                println!("{formula:?} {alpha}: sum {sum:.2e}, error {error:.1e}");
                assert!(sum < magnified && error < most, "{formula:?} {alpha}: {sum} {error:e}");
            }
            for alpha in [0.13, 0.1, 0.01, 1e-6] {
                let refused = starts(formula, alpha);
                assert!(matches!(refused, Err(OdeError::OutOfRange { .. })), "{refused:?}");
            }
        }
    }
}
