//! Lyapunov exponents.

use crate::error::require;
use crate::gradient::LinearBlock;
use crate::history::{Direct, History, Kernel, Row, Rule};
use crate::schemes::TrapezoidWeights;
use crate::{
    Differentiable, DifferentiableScheme, OdeError, Options, Problem, Steps, Trajectory,
    UniformGrid, Variation, solve, tangent,
};
use ndarray::Array2;

/// Treatment of the history of perturbations when they are orthonormalised.
///
/// For equations without memory both are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TangentHistory {
    /// The full history: state and perturbations obey the equation from t0 on. The derivative Phi
    /// of the state in the initial values solves `D^alpha Phi = f_y Phi` with Phi(t0) = I, and is
    /// linear in its columns; with Phi R^-1 at present, its history is multiplied by R^-1 too. The
    /// exponents are those of the triangular factor of Phi(t), and do not depend on when it is
    /// factored.
    ///
    /// For alpha < 1 no perturbation shrinks exponentially for ever (Cong, Doan, Siegmund and Tuan,
    /// Fract. Calc. Appl. Anal. 17 (2014) 285, DOI 10.2478/s13540-014-0169-1):
    /// `D^alpha y = lambda y` has `lambda^(1/alpha)` for lambda > 0, and for lambda < 0 tends to 0
    /// as `-alpha ln t / t`. A perturbation that shrinks exponentially, as at alpha = 1, falls
    /// below the rounding of its history:
    /// [`OdeError::LostInRounding`].
    Full,
    /// No history: the equation restarts at each normalisation. These are the exponents of a
    /// map, that from one normalisation to the next, and they depend on the time between them:
    /// `D^alpha y = lambda y` has `ln E_alpha(lambda tau^alpha) / tau`. Published figures are
    /// mostly of this kind (Danca and Kuznetsov, Int. J. Bifurcation Chaos 28 (2018) 1850067, DOI
    /// 10.1142/S0218127418500670) and can be compared only at equal tau.
    Restarted,
}

/// Options of [`lyapunov_exponents`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LyapunovOptions {
    /// Steps over the interval.
    pub steps: usize,
    /// Steps between normalisations; divides `steps`.
    pub every: usize,
    /// Normalisations at the start that do not count, while perturbations turn.
    pub discard: usize,
    /// Number of exponents, from the largest.
    pub count: usize,
    /// Treatment of the history.
    pub history: TangentHistory,
}

/// Lyapunov exponents and their convergence.
#[derive(Debug, Clone, PartialEq)]
pub struct Lyapunov {
    /// The exponents in the order of the orthonormalised columns, the largest first as t grows.
    pub exponents: Vec<f64>,
    /// The times of the normalisations that count.
    pub times: Vec<f64>,
    /// The exponents up to each of these times.
    pub running: Array2<f64>,
}

/// The Lyapunov exponents of a solution over the interval of its problem,
///
#[doc = formula!("lyapunov", r"\lambda_i = \frac{1}{t - t_d} \sum_k \ln (R_k)_{ii}")]
///
/// R_k being the triangular factors of the perturbations at the normalisations after t_d, the last
/// one discarded.
///
/// The orders may differ from component to component (incommensurate systems); all 0 < alpha <= 1.
/// [`TangentHistory`] documents the meaning of the exponents of equations with memory. They are
/// averages over a finite time, and their error falls no faster than its inverse.
///
/// The state follows `scheme`. With the full history, perturbations follow the product trapezoidal
/// rule, of order 2; restarted, they are exact derivatives of the scheme.
///
/// Cost: with the full history, `count dim N^2 / 2` products, and `count^2 dim N^2 / (2 every)` for
/// the changes of basis; restarted, that of N / every short solves and tangents.
///
/// Source: Benettin, Galgani, Giorgilli and Strelcyn, Meccanica 15 (1980) 9, DOI
/// 10.1007/BF02128236, for equations without memory; Danca and Kuznetsov (2018) for restarted ones.
///
/// # Errors
/// [`OdeError::OutOfRange`] for an order above 1, for `every` that does not divide `steps`, if no
/// normalisation counts, or unless 1 <= `count` <= dim; [`OdeError::LostInRounding`] where a
/// perturbation cannot be told from rounding; those of the solve and of its tangents.
pub fn lyapunov_exponents<S: Differentiable>(
    problem: &Problem<S>,
    scheme: &dyn DifferentiableScheme,
    options: &LyapunovOptions,
) -> Result<Lyapunov, OdeError> {
    check(problem, options)?;
    let mut growth = Growth::new(problem.t0(), options);
    match options.history {
        TangentHistory::Full => {
            let solution =
                solve(problem, scheme, &Steps::Uniform(options.steps), Options::default());
            let solution = solution.map_err(|failure| failure.error)?;
            with_full_history(problem, solution.trajectory(), options, &mut growth)?;
        }
        TangentHistory::Restarted => restarted(problem, scheme, options, &mut growth)?,
    }
    Ok(growth.into_exponents())
}

fn check(
    problem: &Problem<dyn Differentiable + '_>,
    options: &LyapunovOptions,
) -> Result<(), OdeError> {
    let LyapunovOptions { steps, every, discard, count, .. } = *options;
    for &alpha in problem.orders() {
        let what = "an order of a system with Lyapunov exponents";
        require(alpha <= 1.0, what, alpha, "at most 1")?;
    }
    let what = "the number of steps between normalisations";
    let divides = every > 0 && steps.is_multiple_of(every);
    require(divides, what, every as f64, "a divisor of all steps")?;
    let what = "the number of normalisations discarded";
    require(discard < steps / every, what, discard as f64, "less than all")?;
    let expected = "at least 1 and at most that of components";
    let inside = (1..=problem.dim()).contains(&count);
    require(inside, "the number of Lyapunov exponents", count as f64, expected)
}

/// Accumulated logarithms of the growth of perturbations.
struct Growth {
    discard: usize,
    seen: usize,
    since: f64,
    logarithms: Vec<f64>,
    times: Vec<f64>,
    running: Vec<f64>,
}

impl Growth {
    fn new(t0: f64, options: &LyapunovOptions) -> Self {
        Self {
            discard: options.discard,
            seen: 0,
            since: t0,
            logarithms: vec![0.0; options.count],
            times: Vec::new(),
            running: Vec::new(),
        }
    }

    /// Counts a normalisation.
    fn add(&mut self, t: f64, triangle: &Triangle) -> Result<(), OdeError> {
        self.seen += 1;
        if self.seen <= self.discard {
            self.since = t;
            return Ok(());
        }
        for (column, logarithm) in self.logarithms.iter_mut().enumerate() {
            *logarithm += triangle.at(column, column).ln();
            if !logarithm.is_finite() {
                return Err(OdeError::NotFinite { t, component: column });
            }
        }
        self.times.push(t);
        self.running.extend(self.logarithms.iter().map(|logarithm| logarithm / (t - self.since)));
        Ok(())
    }

    fn into_exponents(self) -> Lyapunov {
        let Self { logarithms, times, running, .. } = self;
        let count = logarithms.len();
        let exponents = running[running.len() - count..].to_vec();
        let running = Array2::from_shape_vec((times.len(), count), running);
        Lyapunov { exponents, times, running: running.expect("a row for each time") }
    }
}

/// State and perturbations restart at each normalisation.
fn restarted<S: Differentiable>(
    problem: &Problem<S>,
    scheme: &dyn DifferentiableScheme,
    options: &LyapunovOptions,
    growth: &mut Growth,
) -> Result<(), OdeError> {
    let (dim, interval) = (problem.dim(), problem.interval());
    let grid = Steps::Uniform(options.steps).uniform(scheme.name(), interval)?;
    let mut y: Vec<f64> = problem.initial_values().to_vec();
    let mut phi = identity(dim, options.count);
    let mut direction = Variation::zeros(problem);
    for end in (options.every..=options.steps).step_by(options.every) {
        let (t0, t1) = (grid.t(end - options.every), grid.t(end));
        let piece = Problem::of(problem.system(), problem.orders(), (t0, t1), &[&y])?;
        let solution = solve(&piece, scheme, &Steps::Uniform(options.every), Options::default());
        let solution = solution.map_err(|failure| failure.error)?;
        for column in phi.chunks_exact_mut(dim) {
            direction.initial.row_mut(0).assign(&ndarray::aview1(column));
            let moved = tangent(&piece, scheme, &solution, &direction, &Options::default())?;
            column.iter_mut().zip(moved.row(options.every)).for_each(|(to, from)| *to = *from);
        }
        y.copy_from_slice(solution.last());
        growth.add(t1, &orthonormalise(&mut phi, dim))?;
    }
    Ok(())
}

/// An initial perturbation this much larger than the present one leaves it less than four digits.
const LOST: f64 = 1e-4 / f64::EPSILON;

/// Perturbations of a given solution, with their full history.
fn with_full_history(
    problem: &Problem<dyn Differentiable + '_>,
    trajectory: &Trajectory,
    options: &LyapunovOptions,
    growth: &mut Growth,
) -> Result<(), OdeError> {
    let (dim, count) = (problem.dim(), options.count);
    let grid: UniformGrid =
        Steps::Uniform(options.steps).uniform("product trapezoid", problem.interval())?;
    let trapezoid = TrapezoidWeights::new(problem.orders(), grid)?;
    let row = |at: usize| {
        let alpha = problem.order(at % dim);
        Row::Product { rule: Rule::Trapezoid, alpha, h: grid.h() }
    };
    let kernel = Kernel::per_component((0..dim * count).map(row));
    let mut history = Direct::new(&[kernel], dim * count, options.steps)?;
    let mut step = LinearBlock::dense(problem.system(), 1, dim);
    step.couple(|component, _, _| trapezoid.newest(component));
    // Column by column: Phi at the start, at present, and f_y Phi.
    let mut initial = identity(dim, count);
    let mut phi = initial.clone();
    let mut slope = vec![0.0; dim * count];
    let product = |step: &LinearBlock<'_>, phi: &[f64], slope: &mut [f64]| {
        slope.fill(0.0);
        for (phi, slope) in phi.chunks_exact(dim).zip(slope.chunks_exact_mut(dim)) {
            step.add_product(0, phi, slope);
        }
    };
    step.linearise(&[(grid.t(0), trajectory.state(0))]);
    product(&step, &phi, &mut slope);
    let mut first = slope.clone();
    for index in 1..=options.steps {
        let t = grid.t(index);
        history.push(&slope)?;
        history.sum_into(0, &mut phi)?;
        for (at, phi) in phi.iter_mut().enumerate() {
            *phi += initial[at] + trapezoid.start(at % dim, index) * first[at];
        }
        step.linearise(&[(t, trajectory.state(index))]);
        step.factor(t, false)?;
        for column in phi.chunks_exact_mut(dim) {
            step.solve_factored(t, column)?;
        }
        product(&step, &phi, &mut slope);
        if index.is_multiple_of(options.every) {
            let triangle = orthonormalise(&mut phi, dim);
            growth.add(t, &triangle)?;
            for matrix in [&mut initial, &mut slope, &mut first] {
                triangle.divide(matrix, dim);
            }
            history.change_samples(|sample| triangle.divide(sample, dim));
            for (exponent, column) in initial.chunks_exact(dim).enumerate() {
                if !column.iter().all(|value| value.abs() < LOST) {
                    return Err(OdeError::LostInRounding { t, exponent });
                }
            }
        }
    }
    Ok(())
}

/// The first columns of the identity.
fn identity(dim: usize, count: usize) -> Vec<f64> {
    (0..dim * count).map(|at| f64::from(u8::from(at % dim == at / dim))).collect()
}

/// An upper triangular matrix, column by column.
struct Triangle {
    count: usize,
    entries: Vec<f64>,
}

impl Triangle {
    fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[column * self.count + row]
    }

    /// Multiplies a matrix, column by column, by the inverse from the right.
    fn divide(&self, matrix: &mut [f64], dim: usize) {
        for column in 0..self.count {
            let (before, rest) = matrix.split_at_mut(column * dim);
            let here = &mut rest[..dim];
            for (row, earlier) in before.chunks_exact(dim).enumerate() {
                let share = self.at(row, column);
                here.iter_mut().zip(earlier).for_each(|(here, earlier)| *here -= share * earlier);
            }
            here.iter_mut().for_each(|here| *here /= self.at(column, column));
        }
    }
}

/// Replaces the columns by orthonormal ones that span the same, and returns the factor. By Gram and
/// Schmidt, each column twice: once leaves nearly parallel ones parallel in part.
fn orthonormalise(columns: &mut [f64], dim: usize) -> Triangle {
    let count = columns.len() / dim;
    let mut triangle = Triangle { count, entries: vec![0.0; count * count] };
    for column in 0..count {
        let (before, rest) = columns.split_at_mut(column * dim);
        let here = &mut rest[..dim];
        for _ in 0..2 {
            for (row, earlier) in before.chunks_exact(dim).enumerate() {
                let share: f64 = here.iter().zip(earlier).map(|(a, b)| a * b).sum();
                triangle.entries[column * count + row] += share;
                here.iter_mut().zip(earlier).for_each(|(here, earlier)| *here -= share * earlier);
            }
        }
        let length = here.iter().map(|x| x * x).sum::<f64>().sqrt();
        triangle.entries[column * count + column] = length;
        here.iter_mut().for_each(|here| *here /= length);
    }
    triangle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_orthonormal_and_the_factor_gives_them_back() {
        let given = [1.0, 2.0, -1.0, 1.0, 2.0, -1.0 + 1e-9, 0.5, 0.0, 3.0];
        let mut columns = given;
        let triangle = orthonormalise(&mut columns, 3);
        for (i, a) in columns.chunks_exact(3).enumerate() {
            for (j, b) in columns.chunks_exact(3).enumerate() {
                let product: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-15, "{i} {j} {product}");
            }
        }
        let mut divided = given;
        triangle.divide(&mut divided, 3);
        assert!(divided.iter().zip(columns).all(|(a, b)| (a - b).abs() < 1e-6), "{divided:?}");
    }
}
