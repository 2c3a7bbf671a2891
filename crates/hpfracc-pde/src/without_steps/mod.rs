//! Linear autonomous equations without time steps.

mod several_orders;
mod single_order;
mod two_orders;
mod windows;

use crate::Equation;
use crate::equation::FieldDerivative;
use crate::error::{PdeError, Result, require};
use hpfracc_spatial::LinearDatum;
use several_orders::SeveralOrders;
use single_order::SingleOrder;

/// Solves a linear autonomous equation at any times, without time steps:
///
/// ```text
/// u(t) = E_alpha(-c A t^alpha) u(0) + t E_(alpha, 2)(-c A t^alpha) u'(0)
///        + t^alpha E_(alpha, alpha + 1)(-c A t^alpha) s
/// ```
///
/// with the constant sources and boundary values s. For operators with modes by transforms and the
/// Mittag-Leffler functions of the eigenvalues, exact to some 1e-13; else by the inverse Laplace
/// transform on a [`Contour`](hpfracc_spatial::Contour), some 12 shifted solves for one time,
/// prepared once for all data and shared by the times of a window `[t, 10 t]`. The error is at most
/// about the tolerance times the norm of each of the three data. Contours need a real spectrum: operators without modes that are
/// not self-adjoint, such as advection with diffusion, are refused. With coefficient 0 the solution
/// is a sum of powers of t.
///
/// [Several or distributed orders](Equation::time_derivative) have the symbol P(s) in place of
/// s^alpha, and the transform `(P(s) + c A)^-1` times the data. Operators with modes take the
/// contour for the eigenvalues, between two transforms; and for two orders alpha and 2 alpha, 2
/// included, partial fractions of Mittag-Leffler functions, exact to some 1e-12. Without modes
/// orders are below 2. Contours have no negative eigenvalues.
///
/// Returns the values of all fields for each time, one field after the other.
///
/// Source: J. A. C. Weideman, L. N. Trefethen, Math. Comp. 76 (2007) 1341,
/// doi:10.1090/S0025-5718-07-01945-X.
///
/// ```
/// use hpfracc_pde::models::Diffusion;
/// use hpfracc_pde::solve_linear;
/// use hpfracc_spatial::{Axis, Boundary, BoxGrid};
///
/// let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 100, [Boundary::Dirichlet; 2])?])?;
/// let equation = Diffusion { alpha: 0.5, kappa: 1.0 }.equation(grid)?.start(&[1.0; 100])?;
/// let u = solve_linear(&equation, &[0.1, 1.0], 1e-10)?;
/// assert!(u[1][50] < u[0][50]);
/// # Ok::<(), hpfracc_pde::PdeError>(())
/// ```
///
/// # Errors
/// [`NotLinear`](PdeError::NotLinear) for terms, and sources or boundary values that are functions;
/// [`NotSelfAdjoint`](PdeError::NotSelfAdjoint) for an operator without modes that is not
/// self-adjoint; [`OutOfRange`](PdeError::OutOfRange) for a time that is negative or not finite, a
/// tolerance outside (0, 1), or a negative eigenvalue of an equation of several orders; [`NoStart`](PdeError::NoStart),
/// [`NoVelocity`](PdeError::NoVelocity); [`Spatial`](PdeError::Spatial) for a tolerance below the
/// rounding of the contour.
pub fn solve_linear(
    equation: &Equation<'_>,
    times: &[f64],
    tolerance: f64,
) -> Result<Vec<Vec<f64>>> {
    let (start, velocity) = equation.initial()?;
    let source = constant_source(equation)?;
    require(tolerance > 0.0 && tolerance < 1.0, "tolerance", tolerance, "0 < tolerance < 1")?;
    for &t in times {
        require(t >= 0.0 && t.is_finite(), "a time", t, "a finite number of at least 0")?;
    }
    let mut out = vec![vec![0.0; equation.len()]; times.len()];
    for field in 0..equation.field_count() {
        let range = equation.range(field);
        let data = [
            Some((LinearDatum::Start, &start[range.clone()])),
            velocity.map(|v| (LinearDatum::Velocity, &v[range.clone()])),
            source.as_ref().map(|s| (LinearDatum::Source, &s[range.clone()])),
        ];
        let matters = |(datum, x): &(LinearDatum, &[f64])| {
            *datum == LinearDatum::Start || x.iter().any(|x| *x != 0.0)
        };
        let data: Vec<(LinearDatum, &[f64])> = data.into_iter().flatten().filter(matters).collect();
        let fields: Vec<&mut [f64]> = out.iter_mut().map(|u| &mut u[range.clone()]).collect();
        let (operator, c) = (equation.operator(field), equation.parameters()[field]);
        let FieldDerivative::Sum(derivative) = &equation.derivatives[field] else {
            return Err(PdeError::NotLinear { what: "a variable order" });
        };
        let solved = match derivative.single_order() {
            Some(alpha) => {
                SingleOrder::new(operator, alpha, c, &data).solve(times, tolerance, fields)?
            }
            None => {
                SeveralOrders { operator, derivative, c, data }.solve(times, tolerance, fields)?
            }
        };
        solved.ok_or(PdeError::NotSelfAdjoint { field })?;
    }
    Ok(out)
}

/// Sum of the constant sources and boundary values of all fields; None without them.
fn constant_source(equation: &Equation<'_>) -> Result<Option<Vec<f64>>> {
    let refuse = |what| Err(PdeError::NotLinear { what });
    if !equation.terms.is_empty() {
        return refuse("nonlinear terms");
    }
    if equation.sources.iter().any(|source| !source.is_constant()) {
        return refuse("a source that is a function of time");
    }
    if equation.boundaries.iter().any(|boundary| !boundary.is_constant()) {
        return refuse("boundary values that are functions of time");
    }
    if equation.sources.is_empty() && equation.boundaries.is_empty() {
        return Ok(None);
    }
    let mut sum = vec![0.0; equation.len()];
    let theta = equation.parameters();
    for source in &equation.sources {
        let out = &mut sum[equation.range(source.field)];
        source.add(0.0, theta[source.amplitude], &equation.points, out);
    }
    for boundary in &equation.boundaries {
        boundary.add(0.0, theta[boundary.field], &mut sum[equation.range(boundary.field)]);
    }
    Ok(Some(sum))
}
