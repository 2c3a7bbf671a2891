use crate::error::{require, require_finite, require_len};
use crate::functions::function::Target;
use crate::functions::null_space::NullSpaceProjector;
use crate::functions::polynomial::Bounds;
use crate::functions::polynomial::Chebyshev;
use crate::functions::rational::{Fractions, Rational};
use crate::functions::{Function, Way};
use crate::graph::weight_gradient::EntryGradient;
use crate::graph::{GraphLaplacian, Normalisation};
use crate::krylov::reductions::{axpy, update};
use crate::{Result, ShiftedSolver, SpatialError, SpatialOperator};

/// Gradient of the loss `<ybar, f(A) x>` with respect to the weights of the edges, in the order of
/// [`Graph::edges`](crate::graph::Graph::edges), degrees and all.
///
/// `Way::Chebyshev`: reverse sweep of the three-term recurrence, `3 degree` products and as many
/// fields of memory; `Way::Rational`, for powers: the same shifted solves for x and ybar, and two
/// fields of memory a pole. `Way::Auto`: rational for powers that are not whole numbers, else
/// Chebyshev. It is the gradient of the approximation, with its poles and coefficients held fixed.
///
/// # Errors
/// [`Length`](SpatialError::Length) and [`NotFinite`](SpatialError::NotFinite) for x or ybar;
/// [`Unsupported`](SpatialError::Unsupported) for other ways, and for negative powers unless the
/// Laplacian is combinatorial; [`NotOrthogonal`](SpatialError::NotOrthogonal) for negative powers;
/// those of [`OperatorFunction::new`](crate::functions::OperatorFunction::new).
///
/// ```
/// use hpfracc_spatial::{Function, Graph, GraphLaplacian, Way, edge_weight_gradient};
///
/// // exp(-A) on two nodes: the first value is (1 + exp(-2 w)) / 2.
/// let laplacian = GraphLaplacian::combinatorial(&Graph::path(2)?)?;
/// let heat = Function::Exponential { t: 1.0 };
/// let e = [1.0, 0.0];
/// let gradient = edge_weight_gradient(&laplacian, heat, Way::Auto, 1e-13, &e, &e)?;
/// assert!((gradient[0] + (-2.0f64).exp()).abs() < 1e-11);
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
pub fn edge_weight_gradient(
    laplacian: &GraphLaplacian,
    function: Function,
    way: Way,
    tolerance: f64,
    x: &[f64],
    ybar: &[f64],
) -> Result<Vec<f64>> {
    for (what, field) in [("x", x), ("ybar", ybar)] {
        require_len(what, field.len(), laplacian.len())?;
        require_finite(what, field)?;
    }
    require(tolerance > 0.0 && tolerance < 1.0, "tolerance", tolerance, "0 < tolerance < 1")?;
    let function = function.checked()?;
    let (mut x, mut ybar) = (x.to_vec(), ybar.to_vec());
    if function.is_singular(Target::Value) {
        deflate(laplacian, function, &mut x, &mut ybar)?;
    }
    let fractional = function.exponent().filter(|s| *s < 0.0 || s.fract() != 0.0);
    let mut gradient = EntryGradient::new(laplacian);
    match (way, fractional) {
        (Way::Rational | Way::Auto, Some(s)) => {
            let rational = Rational::new(laplacian, s, tolerance, false)?;
            of_rational(laplacian, &rational, &x, &ybar, &mut gradient)?;
        }
        (Way::Chebyshev | Way::Auto, _) if !function.is_singular(Target::Value) => {
            let bounds = Bounds { lowest: 0.0, ..Bounds::known(laplacian) };
            let polynomial = Chebyshev::on(laplacian, function, tolerance, bounds)?;
            of_polynomial(laplacian, &polynomial, &x, &ybar, &mut gradient);
        }
        _ => {
            return Err(SpatialError::Unsupported {
                method: "the gradient with respect to edge weights",
                request: format!("{function} by {way:?}"),
                reason: "use `Way::Auto`",
            });
        }
    }
    Ok(gradient.with_respect_to_weights(laplacian))
}

/// For negative powers: removes the null space, which must not depend on the weights.
fn deflate(
    laplacian: &GraphLaplacian,
    function: Function,
    x: &mut [f64],
    ybar: &mut [f64],
) -> Result<()> {
    if laplacian.normalisation() != Normalisation::Combinatorial {
        return Err(SpatialError::Unsupported {
            method: "the gradient with respect to edge weights",
            request: function.to_string(),
            reason: "the null space depends on the weights; use the combinatorial Laplacian",
        });
    }
    if let Some(projector) = NullSpaceProjector::of(laplacian) {
        projector.check(x)?;
        projector.remove(x);
        projector.remove(ybar);
    }
    Ok(())
}

/// Reverse sweep of `u_k = 2 B u_(k-1) - u_(k-2)`.
fn of_polynomial(
    laplacian: &GraphLaplacian,
    polynomial: &Chebyshev<'_>,
    x: &[f64],
    ybar: &[f64],
    gradient: &mut EntryGradient,
) {
    let c = &polynomial.value.c;
    let n = x.len();
    let mut scratch = vec![0.0; n];
    let mut forward = vec![x.to_vec()];
    for k in 1..c.len().saturating_sub(1) {
        let mut next = vec![0.0; n];
        if k == 1 {
            polynomial.map(x, &mut next);
        } else {
            next.copy_from_slice(&forward[k - 2]);
            polynomial.advance(&forward[k - 1], &mut scratch, &mut next);
        }
        forward.push(next);
    }
    // Adjoints of u_k and u_(k+1), from the last k down.
    let (mut adjoint, mut above) = (vec![0.0; n], vec![0.0; n]);
    for k in (1..c.len()).rev() {
        polynomial.advance_transpose(&adjoint, &mut scratch, &mut above);
        axpy(c[k], ybar, &mut above);
        std::mem::swap(&mut adjoint, &mut above);
        let factor = if k == 1 { polynomial.scale } else { 2.0 * polynomial.scale };
        gradient.add(laplacian, factor, &adjoint, &forward[k - 1]);
    }
}

/// Reverse sweep of `l^products (fractions)^repeats`.
fn of_rational(
    laplacian: &GraphLaplacian,
    rational: &Rational<'_>,
    x: &[f64],
    ybar: &[f64],
    gradient: &mut EntryGradient,
) -> Result<()> {
    let factors = rational.factors();
    let mut u = x.to_vec();
    let mut before_products = Vec::new();
    for _ in 0..factors.products {
        let mut next = vec![0.0; u.len()];
        laplacian.apply(&u, &mut next);
        before_products.push(std::mem::replace(&mut u, next));
    }
    let mut v = ybar.to_vec();
    if let Some(fractions) = &rational.fractions {
        let mut solutions = Vec::new();
        for _ in 0..factors.repeats {
            solutions.push(solve_and_sum(fractions, &mut u)?);
        }
        for solutions in solutions.iter().rev() {
            scale_by_weights(laplacian, &mut v, |v, w| v / w);
            let mut adjoints = solve_and_sum(fractions, &mut v)?;
            scale_by_weights(laplacian, &mut v, |v, w| v * w);
            let residues = fractions.of_power.residues();
            for ((adjoint, solution), residue) in adjoints.iter_mut().zip(solutions).zip(residues) {
                scale_by_weights(laplacian, adjoint, |v, w| v * w);
                gradient.add(laplacian, -residue, adjoint, solution);
            }
        }
    }
    for u in before_products.iter().rev() {
        gradient.add(laplacian, 1.0, &v, u);
        let mut next = vec![0.0; v.len()];
        laplacian.apply_transpose(&v, &mut next);
        v = next;
    }
    Ok(())
}

/// Solutions of all terms; x becomes the sum of the fractions.
fn solve_and_sum(fractions: &Fractions<'_>, x: &mut [f64]) -> Result<Vec<Vec<f64>>> {
    let solve = |solver: &dyn ShiftedSolver| -> Result<Vec<f64>> {
        let mut solution = x.to_vec();
        solver.solve_real(&mut solution)?;
        Ok(solution)
    };
    let solutions = fractions.solvers.iter().map(|solver| solve(solver.as_ref()));
    let solutions = solutions.collect::<Result<Vec<_>>>()?;
    x.iter_mut().for_each(|x| *x *= fractions.of_power.constant());
    for (solution, residue) in solutions.iter().zip(fractions.of_power.residues()) {
        axpy(*residue, solution, x);
    }
    Ok(solutions)
}

/// Replaces each value by `f(value, weight)`, if the inner product has weights.
fn scale_by_weights(
    laplacian: &GraphLaplacian,
    field: &mut [f64],
    f: impl Fn(f64, f64) -> f64 + Sync,
) {
    if let Some(weights) = laplacian.weights() {
        update(field, |i, v| *v = f(*v, weights[i]));
    }
}
