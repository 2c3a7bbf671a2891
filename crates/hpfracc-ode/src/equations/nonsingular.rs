use crate::error::{largest_of, require, same_length};
use crate::problem::forward_differences;
use crate::{OdeError, Problem, Solution, System};
use hpfracc_lanes::Lu;
use std::cell::RefCell;

/// Equation with a derivative of nonsingular kernel, reduced to a Caputo problem.
///
/// Both [`CaputoFabrizio`](crate::CaputoFabrizio) (b = 1) and
/// [`AtanganaBaleanu`](crate::AtanganaBaleanu) (b = alpha) turn `D y = f(t, y)`, y(t0) = y_0, into
///
#[doc = formula!("nonsingular", r"y = y_0 + \text{local} \, (f - f_0) + \text{memory} \, I^b f, \quad \text{local} = \frac{1-\alpha}{M}, \quad \text{memory} = \frac{\alpha}{M}")]
///
/// with f_0 = f(t0, y_0). Then x = y - local (f - f_0) solves the Caputo problem
///
#[doc = formula!("nonsingular_state", r"D^b x = \text{memory} \, f(t, Y(t, x)), \quad x(t_0) = y_0, \quad Y \text{ the solution of } Y - \text{local} \, (f(t, Y) - f_0) = x")]
///
/// whose states are those of x; [`value`](Self::value) gives y, observers see x. For stiff f the
/// slope of that problem is at most alpha/(1-alpha), so that explicit schemes serve. Y is found by
/// Newton's iteration from the solution before, with differences where the Jacobian is not known.
/// Where there is none, the right-hand side is NaN and the solve ends with [`OdeError::NotFinite`].
/// Evaluations of f inside the iteration are not counted.
pub struct Nonsingular<S> {
    local: f64,
    memory: f64,
    /// f at the start.
    f0: Vec<f64>,
    scratch: RefCell<Scratch>,
    system: S,
}

/// Treatment of an initial value with f(t0, y_0) other than 0.
///
/// A derivative with a nonsingular kernel of any function with a summable derivative is 0 at t0:
/// the equation can hold there only if f(t0, y_0) = 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InitialConsistency {
    /// An error, [`OdeError::Inconsistent`]. Values below 1e-12 of the larger of 1 and |y_0| count
    /// as rounding.
    Required,
    /// y starts at y_0 without a jump and solves `D y = f(t, y) - f(t0, y_0) k(t - t0)`, k the
    /// kernel of the derivative with k(0) = 1: exp(-alpha x/(1-alpha)) or E_alpha(-alpha
    /// x^alpha/(1-alpha)). That is the formula of Losada and Nieto, Progr. Fract. Differ. Appl. 1
    /// (2015) 87.
    Relaxed,
}

struct Scratch {
    /// The last Y.
    y: Vec<f64>,
    f: Vec<f64>,
    moved: Vec<f64>,
    step: Vec<f64>,
    jacobian: Vec<f64>,
    lu: Lu,
}

const ITERATIONS: usize = 60;
/// Corrections relative to the solution: below this the iteration has ended.
const CONVERGED: f64 = 4.0 * f64::EPSILON;
/// Corrections below this that no longer shrink are rounding.
const ROUNDING: f64 = 1e-12;

impl<S: System> Nonsingular<S> {
    /// The problem for x: `order` is b.
    pub(super) fn problem(
        system: S,
        (alpha, normalisation, order): (f64, f64, f64),
        interval: (f64, f64),
        initial: &[f64],
        consistency: InitialConsistency,
    ) -> Result<Problem<Self>, OdeError> {
        let inside = 0.0 < alpha && alpha <= 1.0;
        require(inside, "the order of a nonsingular kernel", alpha, "0 < alpha <= 1")?;
        let inside = normalisation.is_finite() && normalisation > 0.0;
        require(inside, "the normalisation", normalisation, "a positive finite number")?;
        // Validates the arguments before f is evaluated.
        Problem::of(&system, &[order], interval, &[initial])?;
        let dim = initial.len();
        let mut f0 = vec![0.0; dim];
        system.rhs(interval.0, initial, &mut f0);
        let scale = initial.iter().fold(1.0, |most: f64, y| most.max(y.abs()));
        for (component, &value) in f0.iter().enumerate() {
            if !value.is_finite() {
                return Err(OdeError::NotFinite { t: interval.0, component });
            }
            // At order 1 the derivative is the classical one.
            if consistency == InitialConsistency::Required
                && alpha < 1.0
                && value.abs() > 1e-12 * scale
            {
                return Err(OdeError::Inconsistent { component, value });
            }
        }
        let scratch = Scratch {
            y: initial.to_vec(),
            f: f0.clone(),
            moved: vec![0.0; dim],
            step: vec![0.0; dim],
            jacobian: vec![0.0; dim * dim],
            lu: Lu::new(dim),
        };
        let (local, memory) = ((1.0 - alpha) / normalisation, alpha / normalisation);
        let nonsingular = Self { local, memory, f0, scratch: RefCell::new(scratch), system };
        Problem::of(nonsingular, &[order], interval, &[initial])
    }

    /// Solves for Y; leaves it and its f in the scratch. False if the iteration does not converge.
    fn solve(&self, t: f64, x: &[f64], scratch: &mut Scratch) -> bool {
        self.iterate(t, x, scratch) || {
            // The last solution may be far away, or an iterate may lie where f is not finite.
            scratch.y.copy_from_slice(x);
            self.iterate(t, x, scratch)
        }
    }

    fn iterate(&self, t: f64, x: &[f64], scratch: &mut Scratch) -> bool {
        let mut previous = f64::INFINITY;
        for _ in 0..ITERATIONS {
            self.system.rhs(t, &scratch.y, &mut scratch.f);
            if self.local == 0.0 {
                // y = x, and no equation.
                if scratch.y == x {
                    return true;
                }
                scratch.y.copy_from_slice(x);
                continue;
            }
            for (i, step) in scratch.step.iter_mut().enumerate() {
                *step = x[i] + self.local * (scratch.f[i] - self.f0[i]) - scratch.y[i];
            }
            if !self.linearise(t, scratch) {
                return false;
            }
            scratch.lu.solve(&mut scratch.step);
            let (mut size, mut scale) = (0.0f64, f64::MIN_POSITIVE);
            for (y, step) in scratch.y.iter_mut().zip(&scratch.step) {
                scale = scale.max(y.abs());
                // Not f64::max, which would drop a NaN.
                size = if step.abs() <= size { size } else { step.abs() };
                *y += step;
            }
            let size = size / scale;
            if size <= CONVERGED || (size <= ROUNDING && size >= 0.5 * previous) {
                self.system.rhs(t, &scratch.y, &mut scratch.f);
                return scratch.f.iter().all(|f| f.is_finite());
            }
            if !size.is_finite() {
                return false;
            }
            previous = size;
        }
        false
    }

    /// Factors I - local J. False if that is singular or J has no value.
    fn linearise(&self, t: f64, scratch: &mut Scratch) -> bool {
        let dim = self.f0.len();
        let Scratch { y, f, moved, jacobian, lu, .. } = scratch;
        if !self.system.jacobian(t, y, jacobian) {
            forward_differences(&self.system, t, (y, f), moved, jacobian);
        }
        let identity = |place: usize| f64::from(u8::from(place.is_multiple_of(dim + 1)));
        for (place, (entry, slope)) in lu.entries().iter_mut().zip(jacobian).enumerate() {
            *entry = identity(place) - self.local * *slope;
        }
        lu.factor()
    }

    /// y at any time that was solved: Y(t, x) of the scheme's x, as accurate as that.
    ///
    /// # Errors
    /// [`OdeError::Outside`], [`OdeError::Length`] for the solution of another system, or
    /// [`OdeError::NewtonFailed`] where there is no Y.
    pub fn value(&self, solution: &Solution, t: f64) -> Result<Vec<f64>, OdeError> {
        let trajectory = solution.trajectory();
        same_length("the solution", trajectory.dim(), self.f0.len())?;
        let x = solution.at(t)?;
        let scratch = &mut *self.scratch.borrow_mut();
        // Of several solutions Y the continuous one is near that of f linear between the nodes.
        let times = trajectory.times();
        let left = trajectory.node_before(t).map_or(0, |node| node.min(times.len() - 1));
        let right = (left + 1).min(times.len() - 1);
        let share =
            if left == right { 0.0 } else { (t - times[left]) / (times[right] - times[left]) };
        for (i, (y, x)) in scratch.y.iter_mut().zip(&x).enumerate() {
            let (f, next) = (trajectory.slope(left)[i], trajectory.slope(right)[i]);
            let f = (f + share * (next - f)) / self.memory;
            *y = x + self.local * (f - self.f0[i]);
        }
        if self.solve(t, &x, scratch) {
            Ok(scratch.y.clone())
        } else {
            scratch.y.copy_from_slice(&x);
            let residual = largest_of([&*scratch.step], |[step]| step.abs());
            Err(OdeError::NewtonFailed { t, residual })
        }
    }
}

impl<S: System> System for Nonsingular<S> {
    fn rhs(&self, t: f64, x: &[f64], dxdt: &mut [f64]) {
        let scratch = &mut *self.scratch.borrow_mut();
        if self.solve(t, x, scratch) {
            dxdt.iter_mut().zip(&scratch.f).for_each(|(out, f)| *out = self.memory * f);
        } else {
            // The next attempt starts from its x.
            scratch.y.copy_from_slice(x);
            dxdt.fill(f64::NAN);
        }
    }

    fn dim(&self) -> Option<usize> {
        Some(self.f0.len())
    }
}

debug_fields!(Nonsingular<S> { local, memory });
