use super::power_sum::PowerSum;
use crate::error::{finite_jacobian, require, same_length};
use crate::problem::add_product;
use crate::{OdeError, Problem, Solution, System};
use hpfracc_special::recip_gamma;
use std::cell::RefCell;

/// Lowest order: S has about (1 + ceil(a))/a terms.
const LOWEST: f64 = 1.0 / 1024.0;

/// An equation in the sense of Riemann and Liouville, as a Caputo problem for its regular part.
///
#[doc = formula!("ode_riemann_liouville", r"D_\text{RL}^a y = J y + g(t, y), \quad D_\text{RL}^{a-i} y(t_0) = c_i \text{ for } i = 1, \ldots, \lceil a \rceil
    \text{for } a \le 1 \text{ that is } I^{1-a} y(t_0) = c_1")]
///
/// J is a constant matrix and g has a limit at t0. The solution begins as (t - t0)^(a - ceil(a)):
/// it has **no finite value at t0**. The states are those of z, which has the value 0 there:
///
#[doc = formula!("ode_riemann_liouville_sum", r"y = S + z, \quad S = \sum_i \sum_{k < K_i} \frac{J^k c_i \, x^{(k+1) a-i}}{\Gamma((k+1) a-i+1)}, \quad x = t - t_0
    D^a z = J z + g(t, S + z) + \sum_i \frac{J^{K_i} c_i \, x^{K_i a-i}}{\Gamma(K_i a-i+1)}, \quad z(t_0) = 0")]
///
/// with the least K_i for which K_i a - i >= 1. What the initial values leave in the right-hand
/// side is then differentiable, and schemes reach on equal steps the orders that they have for
/// smooth `D^a z`: 2 at a fixed time for all that reach 2, and over all nodes relative to x^(a -
/// ceil(a)) little less (1.7 was seen for a = 0.3). [`value`](Self::value) gives y from a solution.
///
/// At t0 itself g is taken at the next number after t0, or at 1e-200 if t0 = 0, with the large y
/// that belongs to it. S is a part of a power series: where |J| x^a is large, y = S + z loses as
/// many digits as (|J| x^a)^K / Gamma(K a) has. Observers see z.
///
/// ```
/// use hpfracc_ode::{
///     AdamsBashforthMoulton, Options, Rhs, RiemannLiouville, Steps, solve,
/// };
/// use hpfracc_special::mittag_leffler;
///
/// // D_RL^1/2 y = -y, I^1/2 y(0) = 1: y = t^(-1/2) E_{1/2,1/2}(-t^(1/2)).
/// let zero = Rhs(|_: f64, _: &[f64], out: &mut [f64]| out[0] = 0.0);
/// let problem = RiemannLiouville::problem(0.5, &[-1.0], (0.0, 1.0), &[&[1.0]], zero)?;
/// let scheme = AdamsBashforthMoulton { passes: 2 };
/// let solution = solve(&problem, &scheme, &Steps::Uniform(400), Options::default())?;
/// let y = problem.system().value(&solution, 0.25)?[0];
/// assert!((y - 2.0 * mittag_leffler(0.5, 0.5, -0.5)?).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Source: Kilbas, Srivastava and Trujillo, Theory and Applications of Fractional Differential
/// Equations (2006), chapter 3; S is the start of the series of its solutions for linear equations.
pub struct RiemannLiouville<S> {
    t0: f64,
    /// Row by row.
    slope: Vec<f64>,
    /// S.
    singular: PowerSum,
    /// Residual of S in the equation.
    rest: PowerSum,
    /// g at t0.
    at_start: Vec<f64>,
    y: RefCell<Vec<f64>>,
    system: S,
}

impl<S: System> RiemannLiouville<S> {
    /// The Caputo problem for z. `slope` is J, row by row; `initial` has the rows c_1, c_2, .., as
    /// many as alpha rounded up; `system` is g.
    ///
    /// # Errors
    /// [`OdeError::Unbounded`] if g grows without limit towards t0, [`OdeError::NotFinite`] if it
    /// has no value there, [`OdeError::Length`] for a J of another size, [`OdeError::NotFinite`]
    /// for entries of J, [`OdeError::OutOfRange`] for an order below 1/1024, for which S has thousands of
    /// terms, and those of [`Problem::of`].
    pub fn problem(
        alpha: f64,
        slope: &[f64],
        (t0, t1): (f64, f64),
        initial: &[&[f64]],
        system: S,
    ) -> Result<Problem<Self>, OdeError> {
        let dim = initial.first().map_or(0, |row| row.len());
        // All checks but those of J and g are those of a Caputo problem with these initial values.
        Problem::of(&system, &[alpha], (t0, t1), initial)?;
        require(alpha >= LOWEST, "the Riemann-Liouville order", alpha, "1/1024 or more")?;
        same_length("the matrix J", slope.len(), dim * dim)?;
        finite_jacobian(slope, dim, t0)?;
        let (mut singular, mut rest) = (PowerSum::default(), PowerSum::default());
        for (i, row) in (1..).zip(initial) {
            let (mut vector, mut exponent) = (row.to_vec(), alpha - f64::from(i));
            loop {
                let scale = recip_gamma(exponent + 1.0);
                let scaled = |vector: &[f64]| vector.iter().map(|c| c * scale).collect();
                singular.push(exponent, scaled(&vector));
                let mut next = vec![0.0; dim];
                add_product(slope, &vector, &mut next);
                if exponent >= 1.0 {
                    rest.push(exponent, scaled(&next));
                    break;
                }
                (vector, exponent) = (next, exponent + alpha);
            }
        }
        let mut problem = Self {
            t0,
            slope: slope.to_vec(),
            singular,
            rest,
            at_start: vec![0.0; dim],
            y: RefCell::new(vec![0.0; dim]),
            system,
        };
        problem.take_start()?;
        let zeros = vec![0.0; dim];
        Problem::of(problem, &[alpha], (t0, t1), &vec![&zeros[..]; initial.len()])
    }

    /// Writes g at t0, and refuses a g that grows towards t0.
    fn take_start(&mut self) -> Result<(), OdeError> {
        let nearest = if self.t0 == 0.0 { 1e-200 } else { self.t0.next_up() - self.t0 };
        let mut farther = self.at_start.clone();
        for (x, out) in [(nearest.sqrt(), &mut farther), (nearest, &mut self.at_start)] {
            let mut y = vec![0.0; out.len()];
            let t = self.t0 + x;
            self.singular.add_to(t - self.t0, &mut y);
            self.system.rhs(t, &y, out);
        }
        for (component, (&value, farther)) in self.at_start.iter().zip(&farther).enumerate() {
            if value.is_nan() {
                return Err(OdeError::NotFinite { t: self.t0, component });
            }
            if value.abs() > GROWTH * (1.0 + farther.abs()) {
                return Err(OdeError::Unbounded { component, t: self.t0, value });
            }
        }
        Ok(())
    }
}

/// Largest growth of a bounded function over half of the digits of t - t0.
const GROWTH: f64 = 1e3;

impl<S> RiemannLiouville<S> {
    /// y at any time t > t0 that was solved.
    ///
    /// # Errors
    /// [`OdeError::Outside`], also at t0 where y has no finite value; [`OdeError::Length`] for the
    /// solution of another system.
    pub fn value(&self, solution: &Solution, t: f64) -> Result<Vec<f64>, OdeError> {
        same_length("the solution", solution.trajectory().dim(), self.at_start.len())?;
        let mut y = solution.at(t)?;
        self.singular.add_to(t - self.t0, &mut y);
        if y.iter().all(|value| value.is_finite()) {
            Ok(y)
        } else {
            let t1 = solution.times()[solution.times().len() - 1];
            Err(OdeError::Outside { t, t0: self.t0, t1 })
        }
    }
}

impl<S: System> System for RiemannLiouville<S> {
    fn rhs(&self, t: f64, z: &[f64], dzdt: &mut [f64]) {
        let x = t - self.t0;
        if x == 0.0 {
            dzdt.copy_from_slice(&self.at_start);
        } else {
            let y = &mut *self.y.borrow_mut();
            y.copy_from_slice(z);
            self.singular.add_to(x, y);
            self.system.rhs(t, y, dzdt);
        }
        add_product(&self.slope, z, dzdt);
        self.rest.add_to(x, dzdt);
    }

    fn dim(&self) -> Option<usize> {
        Some(self.at_start.len())
    }

    fn jacobian(&self, t: f64, z: &[f64], jacobian: &mut [f64]) -> bool {
        let x = t - self.t0;
        let y = &mut *self.y.borrow_mut();
        y.copy_from_slice(z);
        self.singular.add_to(x, y);
        let known = x > 0.0 && self.system.jacobian(t, y, jacobian);
        if known {
            jacobian.iter_mut().zip(&self.slope).for_each(|(entry, slope)| *entry += slope);
        }
        known
    }
}

debug_fields!(RiemannLiouville<S> { singular, rest });
