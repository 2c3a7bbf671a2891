use super::problem::taylor;
use super::{Problem, System, Trajectory};
use hpfracc_special::recip_gamma;

/// The solution between nodes.
pub trait DenseOutput: Send + Sync {
    /// Writes y(t) for `t` strictly between the times of `node` and of the next, which `trajectory`
    /// has. Continuous up to both.
    fn between(&self, trajectory: &Trajectory, node: usize, t: f64, y: &mut [f64]);
}

/// The equation itself: `y(t) = g(t) + I^alpha f(t)` with f linear between the nodes, exactly
/// integrated, on any nodes.
///
/// A spline would miss the power (t - t0)^alpha at the start; this has it. What the equation misses at
/// the two nodes around t, as a corrector leaves it, is added linearly, so that y is continuous.
///
/// Error: that of the product trapezoidal rule, order min(2, 1 + alpha) away from t0. Cost: three sums
/// over all earlier nodes for each t.
#[derive(Debug, Clone)]
pub struct Volterra {
    /// One for all components, or one for each.
    orders: Vec<f64>,
    t0: f64,
    initial: Vec<f64>,
}

impl Volterra {
    /// For a problem's orders and initial values.
    pub fn new<S: System + ?Sized>(problem: &Problem<S>) -> Self {
        let initial: Vec<f64> = problem.initial().flatten().copied().collect();
        Self { orders: problem.orders().to_vec(), t0: problem.t0(), initial }
    }

    /// The right-hand side of the equation at t, up to which `trajectory` has the cells.
    fn equation(&self, trajectory: &Trajectory, t: f64, y: &mut [f64]) {
        taylor(&self.initial, t - self.t0, y);
        // A pass for each order: components that share one share its moments.
        for (first, &alpha) in self.orders.iter().enumerate() {
            if self.orders[..first].contains(&alpha) {
                continue;
            }
            let moments = Moments::new(alpha);
            for (j, cell) in trajectory.times().windows(2).enumerate() {
                if cell[0] >= t {
                    break;
                }
                let (left, right) = moments.weights(t, cell[0], cell[1]);
                let slopes = trajectory.slope(j).iter().zip(trajectory.slope(j + 1));
                for (component, (y, (f0, f1))) in y.iter_mut().zip(slopes).enumerate() {
                    if self.orders[component.min(self.orders.len() - 1)] == alpha {
                        *y += left * f0 + right * f1;
                    }
                }
            }
        }
    }
}

impl DenseOutput for Volterra {
    fn between(&self, trajectory: &Trajectory, node: usize, t: f64, y: &mut [f64]) {
        let times = trajectory.times();
        let share = (t - times[node]) / (times[node + 1] - times[node]);
        self.equation(trajectory, t, y);
        let mut at_node = vec![0.0; y.len()];
        for (node, share) in [(node, 1.0 - share), (node + 1, share)] {
            self.equation(trajectory, times[node], &mut at_node);
            for ((y, state), equation) in y.iter_mut().zip(trajectory.state(node)).zip(&at_node) {
                *y += share * (state - equation);
            }
        }
    }
}

/// Integrals of `u^(alpha-1)/Gamma(alpha)` times 1 and times a linear function.
struct Moments {
    alpha: f64,
    recip_gamma: f64,
    /// `C(alpha - 1, m)`.
    binomials: [f64; TERMS],
}

/// A cell this much shorter than its distance takes the series; (1/16)^13 is 2e-16.
const SHORT: f64 = 1.0 / 16.0;
const TERMS: usize = 13;

impl Moments {
    fn new(alpha: f64) -> Self {
        let mut binomials = [1.0; TERMS];
        for m in 1..TERMS {
            binomials[m] = binomials[m - 1] * (alpha - m as f64) / m as f64;
        }
        Self { alpha, recip_gamma: recip_gamma(alpha), binomials }
    }

    /// The weights of the values at `s0` and `s1` in the integral over the part of the cell before t
    /// of `(t-s)^(alpha-1)/Gamma(alpha)` times the linear function through them.
    fn weights(&self, t: f64, s0: f64, s1: f64) -> (f64, f64) {
        let (a, width) = (self.alpha, s1 - s0);
        let (far, near) = (t - s0, (t - s1).max(0.0));
        let d = far - near;
        // With u = t - s from `near` to `far`: the integrals of u^(a-1) and of u^(a-1) (u-near)/d.
        let (whole, sloped) = if d < SHORT * near {
            let x = d / near;
            let (mut whole, mut sloped) = (0.0, 0.0);
            for (m, c) in self.binomials.iter().enumerate().rev() {
                whole = whole * x + c / (m + 1) as f64;
                sloped = sloped * x + c / (m + 2) as f64;
            }
            let scale = near.powf(a - 1.0) * d;
            (scale * whole, scale * sloped)
        } else {
            let (pf, pn) = (far.powf(a), near.powf(a));
            let whole = (pf - pn) / a;
            let first = (far * pf - near * pn) / (a + 1.0);
            (whole, (first - near * whole) / d)
        };
        // The linear function is f(end) + (f0 - f(end)) (u-near)/d, and f(end) is on the line.
        let at_end = d / width;
        let end = whole - sloped;
        let left = sloped + end * (1.0 - at_end);
        (self.recip_gamma * left, self.recip_gamma * end * at_end)
    }
}
