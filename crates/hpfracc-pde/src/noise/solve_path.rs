use super::SpaceTimeNoise;
use super::noisy_system::NoisySystem;
use crate::error::{Result, require, require_positive};
use crate::steps::solve::located;
use crate::{Equation, MethodOfLines, Solution};
use hpfracc_ode::{Options, ProductRectangle, Steps};

/// Solves a path of an equation with additive noise on [0, until] by equal time steps:
///
/// ```text
/// D^alpha u = -c A u + N(t, x, u) + s(t, x) + sigma Q^(1/2) W'(t, x),    1/2 < alpha < 2
/// ```
///
/// The scheme is the implicit product rectangle rule, which integrates noise that is constant in
/// each time step exactly: a stochastic convolution with the kernel t^(alpha - 1) / Gamma(alpha).
/// Its variance is finite for alpha > 1/2 alone. The variance of a mode has an error of order
/// `h^(2 alpha - 1)` for alpha < 1, and 1 for alpha = 1, where the scheme is the implicit Euler
/// method. In two and more dimensions white noise has fields whose variance grows with the number
/// of points; see [`SpaceTimeNoise::coloured`].
///
/// Returns the fields at all nodes. Paths are independent and may be solved on any threads. Cost:
/// an exact history, `O(n log^2 n)` operations in the number n of time steps for each value, and
/// memory for twice all fields.
///
/// Source: B. Jin, Y. Yan, Z. Zhou, ESAIM Math. Model. Numer. Anal. 53 (2019) 1245,
/// doi:10.1051/m2an/2019025, about this equation and another scheme.
///
/// ```
/// use hpfracc_pde::models::Diffusion;
/// use hpfracc_pde::{SpaceTimeNoise, solve_path};
/// use hpfracc_spatial::{Axis, Boundary, BoxGrid};
///
/// let grid = BoxGrid::new(vec![Axis::new(0.0, 1.0, 50, [Boundary::Dirichlet; 2])?])?;
/// let equation = Diffusion { alpha: 0.8, kappa: 1.0 }.equation(grid.clone())?;
/// let equation = equation.start(&[0.0; 50])?;
/// let noise = SpaceTimeNoise::new(0.3, 7)?.on_grid(&grid)?;
/// let one = solve_path(&equation, 1.0, 100, &noise, 0)?;
/// let other = solve_path(&equation, 1.0, 100, &noise, 1)?;
/// assert_eq!(one.times().len(), 101);
/// assert_ne!(one.last(), other.last());
/// # Ok::<(), hpfracc_pde::PdeError>(())
/// ```
///
/// # Errors
/// [`OutOfRange`](crate::PdeError::OutOfRange) for an order up to 1/2, no steps or more than 2^32,
/// or a path whose numbers end; [`Length`](crate::PdeError::Length) for a noise on another grid;
/// those of [`solve`](crate::solve), and of the square root of a covariance.
pub fn solve_path(
    equation: &Equation<'_>,
    until: f64,
    steps: usize,
    noise: &SpaceTimeNoise<'_>,
    path: u64,
) -> Result<Solution> {
    for field in 0..equation.field_count() {
        let alpha = equation.order_of(field);
        require(alpha > 0.5, "the order alpha of an equation with noise", alpha, "above 1/2")?;
    }
    require(steps > 0, "the number of steps", steps as f64, "at least 1")?;
    let most = u32::MAX as usize;
    require(steps < most, "the number of steps", steps as f64, "below 2^32")?;
    require_positive("the length of the time interval", until)?;
    noise.check((equation.field_count(), equation.n()))?;
    let system = MethodOfLines::new(equation.clone());
    let noisy = NoisySystem::new(&system, noise, path, until / steps as f64);
    let problem = equation.problem_of(&noisy, until)?;
    let steps = Steps::Uniform(steps);
    let solved =
        hpfracc_ode::solve(&problem, &ProductRectangle::Implicit, &steps, Options::default());
    let solution = match solved {
        Ok(solution) => solution,
        Err(failure) => {
            return Err(noisy.error().unwrap_or_else(|| located(failure.into(), equation)));
        }
    };
    Ok(Solution {
        fields: equation.field_count(),
        times: solution.times().to_vec(),
        saved: solution.states().outer_iter().map(|row| row.to_vec()).collect(),
        end: until,
        last: solution.last().to_vec(),
        statistics: *solution.statistics(),
        status: solution.status(),
    })
}
