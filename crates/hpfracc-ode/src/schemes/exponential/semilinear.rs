use crate::history::corrected_at_nodes;
use crate::problem::distinct;
use crate::{DenseOutput, OdeError, Problem, System, Trajectory};
use hpfracc_special::MittagLeffler;

/// The solution between the nodes of an exponential integrator: the equation
///
/// ```text
/// y(t) = sum_j e_{j+1}(t) y^(j)(t0) + int_0^t e_a(t-s) F(s) ds,    e_b(t) = t^(b-1) E_{a,b}(lambda t^a)
/// ```
///
/// with F = f - lambda y linear between the nodes. The residual at the two nodes around t is
/// added linearly. Interpolating f itself would be useless where the first step does not resolve
/// the decay.
#[derive(Debug)]
pub(super) struct Semilinear {
    t0: f64,
    /// Row by row: y, y', ... at t0.
    initial: Vec<f64>,
    modes: Vec<Functions>,
    /// By component.
    mode_of: Vec<usize>,
}

/// The functions e_b of one order and one lambda.
#[derive(Debug)]
struct Functions {
    alpha: f64,
    lambda: f64,
    /// For b = 1, 2, ... below alpha + 1.
    homogeneous: Vec<MittagLeffler>,
    /// For b = alpha + 1 and alpha + 2.
    once: MittagLeffler,
    twice: MittagLeffler,
}

impl Functions {
    fn new(alpha: f64, lambda: f64) -> Result<Self, OdeError> {
        let derivatives = 0..alpha.ceil() as usize;
        Ok(Self {
            alpha,
            lambda,
            homogeneous: derivatives
                .map(|j| MittagLeffler::new(alpha, j as f64 + 1.0))
                .collect::<Result<_, _>>()?,
            once: MittagLeffler::new(alpha, alpha + 1.0)?,
            twice: MittagLeffler::new(alpha, alpha + 2.0)?,
        })
    }
}

impl Semilinear {
    /// For a problem and a lambda for each component.
    ///
    /// # Errors
    /// [`OdeError::Special`] for orders that the functions do not have.
    pub(super) fn new(
        problem: &Problem<dyn System + '_>,
        lambda: &[f64],
    ) -> Result<Self, OdeError> {
        let keys = lambda.iter().enumerate();
        let (modes, mode_of) = distinct(keys.map(|(i, &lambda)| (problem.order(i), lambda)));
        let modes = modes.into_iter().map(|(alpha, lambda)| Functions::new(alpha, lambda));
        let modes = modes.collect::<Result<_, _>>()?;
        let initial = problem.initial_values().to_vec();
        Ok(Self { t0: problem.t0(), initial, modes, mode_of })
    }

    /// The right-hand side of the equation at t, up to which `trajectory` has the cells.
    fn equation(&self, trajectory: &Trajectory, t: f64, y: &mut [f64]) {
        y.fill(0.0);
        let dim = y.len();
        for (mode, functions) in self.modes.iter().enumerate() {
            let components = || (0..dim).filter(|i| self.mode_of[*i] == mode);
            let (alpha, lambda) = (functions.alpha, functions.lambda);
            for (j, e) in functions.homogeneous.iter().enumerate() {
                let elapsed = t - self.t0;
                let value = elapsed.powi(j as i32) * e.eval(lambda * elapsed.powf(alpha));
                components().for_each(|i| y[i] += value * self.initial[j * dim + i]);
            }
            // e_{a+1} and e_{a+2}: the integrals of e_a, and of that.
            let integrals = |distance: f64| {
                let power = distance.powf(alpha);
                let x = lambda * power;
                (power * functions.once.eval(x), distance * power * functions.twice.eval(x))
            };
            let mut far = integrals(t - self.t0);
            for (node, cell) in trajectory.times().windows(2).enumerate() {
                if cell[0] >= t {
                    break;
                }
                let end = cell[1].min(t);
                let near = integrals(t - end);
                let (whole, width) = (far.0 - near.0, cell[1] - cell[0]);
                // int e_a(t-s) (s - cell[0]) ds, by parts.
                let rising = far.1 - near.1 - (end - cell[0]) * near.0;
                let share = rising / width;
                let forcing = |node: usize, i: usize| {
                    trajectory.slope(node)[i] - lambda * trajectory.state(node)[i]
                };
                for i in components() {
                    y[i] += (whole - share) * forcing(node, i) + share * forcing(node + 1, i);
                }
                far = near;
            }
        }
    }
}

impl DenseOutput for Semilinear {
    fn between(&self, trajectory: &Trajectory, node: usize, t: f64, y: &mut [f64]) {
        corrected_at_nodes(trajectory, (node, t), y, |t, y| self.equation(trajectory, t, y));
    }
}
