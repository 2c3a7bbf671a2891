use crate::Equation;
use crate::error::{PdeError, Result, require};
use hpfracc_spatial::{Complex64, Contour, Modes, SpatialOperator};
use hpfracc_special::{MittagLeffler, gamma};
use rayon::prelude::*;

/// Largest ratio of the times that share a contour.
const WINDOW: f64 = 10.0;

/// Solves a linear autonomous equation at any times, without time steps:
///
/// ```text
/// u(t) = E_alpha(-c A t^alpha) u(0) + t E_(alpha, 2)(-c A t^alpha) u'(0)
///        + t^alpha E_(alpha, alpha + 1)(-c A t^alpha) s
/// ```
///
/// with the constant sources and boundary values s. For operators with modes by transforms and the
/// Mittag-Leffler functions of the eigenvalues, exact to some 1e-13; else by the inverse Laplace
/// transform on a [`Contour`], some 12 shifted solves for one time, prepared once for all data and
/// shared by the times of a window `[t, 10 t]`. The error is at most about the tolerance times the
/// norm of each of the three data. Contours need a real spectrum: operators without modes that are
/// not self-adjoint, such as advection with diffusion, are refused. With coefficient 0 the solution
/// is a sum of powers of t.
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
/// self-adjoint; [`OutOfRange`](PdeError::OutOfRange) for a time that is negative or not finite, or
/// a tolerance outside (0, 1); [`NoStart`](PdeError::NoStart),
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
        let alpha = equation.order_of(field);
        let data = [
            Some((1.0, &start[range.clone()])),
            velocity.map(|v| (2.0, &v[range.clone()])),
            source.as_ref().map(|s| (alpha + 1.0, &s[range.clone()])),
        ];
        let data: Vec<(f64, &[f64])> = data.into_iter().flatten().collect();
        let data: Vec<(f64, &[f64])> = (data.into_iter())
            .filter(|(beta, x)| *beta == 1.0 || x.iter().any(|x| *x != 0.0))
            .collect();
        let linear = Linear {
            operator: equation.operator(field),
            alpha,
            c: equation.parameters()[field],
            data,
        };
        let fields: Vec<&mut [f64]> = out.iter_mut().map(|u| &mut u[range.clone()]).collect();
        match linear.operator.modes() {
            _ if linear.c == 0.0 => linear.by_powers(times, fields),
            Some(modes) => linear.by_modes(modes, times, fields)?,
            None if linear.operator.is_self_adjoint() => {
                linear.by_contours(times, tolerance, fields)?;
            }
            None => return Err(PdeError::NotSelfAdjoint { field }),
        }
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

/// `sum over (beta, x) of t^(beta - 1) E_(alpha, beta)(-c A t^alpha) x`.
struct Linear<'a> {
    operator: &'a dyn SpatialOperator,
    alpha: f64,
    c: f64,
    data: Vec<(f64, &'a [f64])>,
}

impl Linear<'_> {
    /// For c = 0: E_(alpha, beta)(0) is 1 / Gamma(beta).
    fn by_powers(&self, times: &[f64], out: Vec<&mut [f64]>) {
        for (t, u) in times.iter().zip(out) {
            for (beta, x) in &self.data {
                let factor = t.powf(beta - 1.0) / gamma(*beta);
                u.iter_mut().zip(*x).for_each(|(u, x)| *u += factor * x);
            }
        }
    }

    fn by_modes(&self, modes: &dyn Modes, times: &[f64], mut out: Vec<&mut [f64]>) -> Result<()> {
        let values = modes.eigenvalues();
        for (beta, x) in &self.data {
            let function = MittagLeffler::new(self.alpha, *beta)?;
            let mut coefficients = x.to_vec();
            modes.to_modes(&mut coefficients);
            for (t, out) in times.iter().zip(&mut out) {
                let (scale, power) = (-self.c * t.powf(self.alpha), t.powf(beta - 1.0));
                let chunks = out.par_chunks_mut(CHUNK).enumerate();
                chunks.try_for_each(|(k, out)| -> Result<()> {
                    let first = k * CHUNK;
                    let z: Vec<f64> =
                        values[first..first + out.len()].iter().map(|l| scale * l).collect();
                    let mut e = vec![0.0; z.len()];
                    function.eval_slice(&z, &mut e)?;
                    for (i, out) in out.iter_mut().enumerate() {
                        *out += power * e[i] * coefficients[first + i];
                    }
                    Ok(())
                })?;
            }
        }
        out.iter_mut().for_each(|u| modes.to_values(u));
        Ok(())
    }

    fn by_contours(&self, times: &[f64], tolerance: f64, out: Vec<&mut [f64]>) -> Result<()> {
        let mut later = Vec::new();
        for (t, u) in times.iter().zip(out) {
            if *t > 0.0 {
                later.push((*t, u));
            } else {
                u.copy_from_slice(self.data[0].1);
            }
        }
        later.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let mut rest = &mut later[..];
        while let Some((first, _)) = rest.first() {
            let end = WINDOW * first;
            let count = rest.iter().take_while(|(t, _)| *t <= end).count();
            let (window, after) = rest.split_at_mut(count);
            self.in_window(window, tolerance)?;
            rest = after;
        }
        Ok(())
    }

    /// For times in increasing order that share a contour.
    fn in_window(&self, window: &mut [(f64, &mut [f64])], tolerance: f64) -> Result<()> {
        // Time is measured such that the coefficient is 1.
        let unit = self.c.powf(1.0 / self.alpha);
        let ends = [unit * window[0].0, unit * window[window.len() - 1].0];
        let highest = self.operator.spectrum().highest;
        let contour = Contour::new(self.alpha, ends, tolerance, highest)?;
        // All data share the prepared solves of a node.
        let solve = |z: Complex64| -> Result<Vec<Vec<Complex64>>> {
            let solver = self.operator.shifted(z)?;
            let of = |(_, x): &(f64, &[f64])| {
                let mut solution: Vec<Complex64> = x.iter().map(|x| Complex64::from(*x)).collect();
                solver.solve(&mut solution).map(|()| solution)
            };
            Ok(self.data.iter().map(of).collect::<Result<_, _>>()?)
        };
        let solutions: Vec<Vec<Vec<Complex64>>> =
            contour.shifts().into_par_iter().map(solve).collect::<Result<_>>()?;
        for (t, u) in window.iter_mut() {
            for (k, (beta, _)) in self.data.iter().enumerate() {
                let scale = unit.powf(1.0 - beta);
                let t = (unit * *t).clamp(ends[0], ends[1]);
                for (node, c) in solutions.iter().zip(contour.coefficients_of(*beta, t)) {
                    let c = scale * c;
                    u.iter_mut().zip(&node[k]).for_each(|(u, x)| *u += (c * x).im);
                }
            }
        }
        Ok(())
    }
}

/// Values of a chunk.
const CHUNK: usize = 4096;
