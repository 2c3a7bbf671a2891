//! Piecewise polynomial collocation with elements of adaptive length and degree (hp).

mod derivative;
mod element;
mod element_tree;
mod estimate;
mod first_span;
mod legendre;
mod legendre_moments;
mod mesh;
mod newton;
mod piecewise;
mod stepper;
mod tolerance;

use crate::error::{require, same_length};
use crate::schemes::coupled_states;
use crate::steps::StepLimits;
use crate::{Interpolation, OdeError, Scheme, Setup, Stepper, Steps};
pub(crate) use derivative::{Block, Blocks};
use hpfracc_types::check_memory;
use newton::matrices;
pub(crate) use piecewise::PiecewiseSolution;
use stepper::CollocationStepper;
use tolerance::Tolerance;

/// Smallest number of points of an element.
const FEWEST_POINTS: usize = 4;
/// Largest number of points of an element.
const MOST_POINTS: usize = 40;

/// Collocation by piecewise polynomials on a mesh that is geometric towards t0 and towards given
/// breaks, with elements and degrees chosen from a tolerance: to twelve digits with a few hundred
/// unknowns.
///
#[doc = formula!("collocation", r"y = g + I^\alpha \phi, \quad \phi \text{ a polynomial of degree } p - 1 \text{ on each element}
    \phi(t_i) = f(t_i, y(t_i)) \text{ at the } p \text{ Radau points } t_i \text{ of the element}")]
///
/// Solutions behave like `(t - t0)^(i + j alpha)` at the start, which no polynomial
/// approximates; but on an element whose length is proportional to its distance from t0 such a
/// power is analytic, and its Legendre coefficients fall geometrically. The number of elements down
/// to where the start does not matter grows with the logarithm of the tolerance, and so does p: the
/// error falls like `exp(-c sqrt(N))` in the number N of unknowns. The first span is so short that
/// f is constant there, or one power ([`exponents`](Self::exponents)).
///
/// The history is integrated exactly: the integrals of `(x-u)^(alpha-1)` against Legendre
/// polynomials have a recurrence of three terms, inside an element and outside. From far away,
/// unions of elements count as one, without an error above rounding.
///
/// - Steps: [`Steps::Adaptive`], whose tolerances hold for each element (the sum of all errors is
///   usually below them); `rtol` is at least 1e-14. Nodes are the ends of elements, and
///   `max_step` their longest length. The choice of a history is not used.
/// - Features of f: f is evaluated at the points of the elements, at most a hundredth of the
///   interval apart. Between them a pulse is not seen, and nothing says so: give a shorter
///   `max_step`, or the pulse's ends as [`breaks`](Self::breaks).
/// - Orders: all positive ones, each component its own. Below 0.025 or so the first span would be
///   shorter than numbers can say, and the solve ends with
///   [`StepTooSmall`](OdeError::StepTooSmall) at t0.
/// - Implicit: Newton's iteration for all points of an element at once, with the Jacobian of the
/// [`System`](crate::System) or differences. Suited to stiff equations; the stage matrix is dense, so
/// its cost grows with the cube of components times points. Give fewer [`points`](Self::points) to
/// large systems.
/// - Error: each element's is estimated from its last Legendre coefficients. f must be smooth
///   except at t0 and the breaks; where it is not, elements shrink to the place until the tolerance
///   or the resolution of t is met.
/// - Dense output: the equation itself, as accurate as at the nodes. Cost: two powers and some 20
///   multiplications for each of some 2 log2(n) unions of the n elements.
/// - Cost: n log(n) for n elements, of which there are 20 to 100 for orders above 0.3 and smooth f,
///   and one for two or three oscillations. Steps allocate.
///
/// Source: H. Brunner, *Collocation Methods for Volterra Integral and Related Functional
/// Differential Equations*, Cambridge University Press 2004, chapter 6 (weakly singular kernels,
/// graded meshes).
///
/// ```
/// use hpfracc_ode::{Collocation, Options, Problem, Steps, solve};
///
/// // D^1/2 y = -y, y(0) = 1: y = exp(t) erfc(sqrt t)
/// let relaxation = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// let steps = Steps::adaptive(1e-13, 1e-13);
/// let solution = solve(&relaxation, &Collocation::default(), &steps, Options::default())?;
/// assert!((solution.last()[0] - 0.427583576155807).abs() < 1e-14);
/// assert!((solution.at(1e-8)?[0] - 0.999887172082538).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Collocation {
    /// Largest number of points of an element, from 4 to 40; 28 by default. The length of elements
    /// is chosen such that they need about 0.7 times this number.
    pub points: usize,
    /// Times inside the interval, increasing, after which the solution may behave like
    /// `(t - break)^alpha`: jumps of f, multiples of a delay.
    pub breaks: Vec<f64>,
    /// For each component the exponent, above -1 and at most 0, of the power of `t - t0` by which
    /// `f(t, y(t))` starts; empty if f is finite. A wrong exponent costs elements
    /// or ends the solve at t0, but no digits.
    ///
    /// With it, Riemann-Liouville initial values can be had: for `I^(1-alpha) y = b` at t0, solve
    /// for `w = y - b (t-t0)^(alpha-1) / Gamma(alpha)`, `w = I^alpha f(t, y)`, with the exponent
    /// `alpha - 1` if f is linear in y.
    pub exponents: Vec<f64>,
}

impl Default for Collocation {
    fn default() -> Self {
        Self { points: 28, breaks: Vec::new(), exponents: Vec::new() }
    }
}

impl Collocation {
    fn checked_origins(&self, (t0, t1): (f64, f64)) -> Result<Vec<f64>, OdeError> {
        let mut origins = vec![t0];
        for &value in &self.breaks {
            let inside = origins[origins.len() - 1] < value && value < t1;
            require(inside, "a break", value, "inside the interval and increasing")?;
            origins.push(value);
        }
        origins.push(t1);
        Ok(origins)
    }

    fn checked_exponents(&self, dim: usize) -> Result<Vec<f64>, OdeError> {
        if self.exponents.is_empty() {
            return Ok(vec![0.0; dim]);
        }
        same_length("the list of exponents", self.exponents.len(), dim)?;
        for &value in &self.exponents {
            require(-1.0 < value && value <= 0.0, "an exponent", value, "above -1 and at most 0")?;
        }
        Ok(self.exponents.clone())
    }
}

impl Scheme for Collocation {
    fn name(&self) -> &'static str {
        "collocation"
    }

    /// Inside an element, at half as many points as it may have.
    fn interpolation(&self) -> Interpolation {
        Interpolation::Dense { points: self.points / 2 }
    }

    fn prepare<'a>(&self, setup: &Setup<'a>) -> Result<Box<dyn Stepper + 'a>, OdeError> {
        let (problem, steps) = (setup.problem, setup.steps);
        let &Steps::Adaptive { rtol, atol, min_step, max_step } = steps else {
            return Err(OdeError::Steps { scheme: self.name(), steps: steps.name() });
        };
        let tolerance = Tolerance::new(rtol, atol)?;
        let limits = StepLimits::new(min_step, max_step, problem.t1() - problem.t0())?;
        let inside = (FEWEST_POINTS..=MOST_POINTS).contains(&self.points);
        require(inside, "the number of points", self.points as f64, "from 4 to 40")?;
        let origins = self.checked_origins(problem.interval())?;
        let exponents = self.checked_exponents(problem.dim())?;
        if coupled_states(problem, 1).is_none() {
            check_memory(matrices(FEWEST_POINTS, problem.dim()))?;
        }
        let control = (tolerance, limits);
        Ok(Box::new(CollocationStepper::new(problem, control, self.points, exponents, origins)))
    }
}
