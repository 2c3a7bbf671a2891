//! The implicit L1 scheme on equal steps, with `k_n = y_n - y_{n-1}`:
//!
//! ```text
//! y_n = y_{n-1} - sum_{0<j<n} b_{n-j} k_j + c_0 f(t_n, y_n),   b_m = (m+1)^(1-a) - m^(1-a),   c_0 = Gamma(2-a) h^a
//! kbar_j = -sum_{n>j} b_{n-j} u_n
//! u_n    = (I - c_0 f_y)^-T (l_n + u_{n+1} + kbar_n - kbar_{n+1})
//! ```

use super::forward_solution::ForwardSolution;
use super::linear_step::LinearStep;
use super::variation::Variation;
use crate::error::all_finite;
use crate::history::{Kernel, Row};
use crate::schemes::{l1_newest, l1_row};
use crate::{OdeError, Options};
use hpfracc_special::{digamma, forward_differences_of_powers_derivative};

/// The weights `-b` by lag, and their derivatives in alpha.
struct Weights {
    kernels: [Kernel; 2],
    newest: Vec<f64>,
    newest_by_order: Vec<f64>,
}

impl Weights {
    fn new(solved: &ForwardSolution<'_>) -> Self {
        let (problem, grid) = (solved.problem, solved.grid);
        let newest = l1_newest(problem, grid);
        let by_order = newest.iter().enumerate().map(|(component, newest)| {
            newest * (grid.h().ln() - digamma(2.0 - problem.order(component)))
        });
        // Two signs: that of the weights, and that of 1 - alpha.
        let row_by_order = |&alpha: &f64| {
            let mut row = vec![0.0; grid.n() + 1];
            forward_differences_of_powers_derivative(1.0 - alpha, &mut row);
            Row::Table(row)
        };
        let orders = problem.orders();
        Self {
            kernels: [
                Kernel::per_component(orders.iter().map(|&alpha| l1_row(alpha, grid))),
                Kernel::per_component(orders.iter().map(row_by_order)),
            ],
            newest_by_order: by_order.collect(),
            newest,
        }
    }
}

pub(super) fn adjoint(
    solved: &ForwardSolution<'_>,
    cotangents: &[f64],
    options: &Options<'_>,
) -> Result<Variation, OdeError> {
    let ForwardSolution { problem, trajectory, grid } = *solved;
    let (dim, n, system) = (problem.dim(), grid.n(), problem.system());
    let weights = Weights::new(solved);
    let mut later = options.build_history(&weights.kernels, dim, n)?;
    let mut step = LinearStep::new(system, weights.newest.clone());
    let mut bar = Variation::zeros(problem);
    let mut orders = vec![0.0; dim];
    let mut unused = vec![0.0; dim];
    let (mut u, mut fbar, mut sum) = (vec![0.0; dim], vec![0.0; dim], vec![0.0; dim]);
    // kbar of this node and of the next.
    let (mut kbar, mut next_kbar) = (vec![0.0; dim], vec![0.0; dim]);
    for index in (1..=n).rev() {
        let (t, y, before) = (grid.t(index), trajectory.state(index), trajectory.state(index - 1));
        later.sum_into(0, &mut kbar)?;
        later.sum_into(1, &mut sum)?;
        for i in 0..dim {
            orders[i] += sum[i] * (y[i] - before[i]);
            u[i] += cotangents[index * dim + i] + kbar[i] - next_kbar[i];
        }
        step.linearise(t, y);
        step.factor(t, true)?;
        step.solve(&mut u);
        all_finite(&u, t)?;
        for i in 0..dim {
            fbar[i] = weights.newest[i] * u[i];
            orders[i] += weights.newest_by_order[i] * u[i] * trajectory.slope(index)[i];
        }
        // Only for the parameters: y has been solved for.
        system.vjp(t, y, &fbar, &mut unused, &mut bar.parameters);
        later.push(&u)?;
        std::mem::swap(&mut kbar, &mut next_kbar);
    }
    for i in 0..dim {
        bar.initial[[0, i]] = cotangents[i] + u[i] - next_kbar[i];
    }
    bar.complete(problem, &orders)
}

pub(super) fn tangent(
    solved: &ForwardSolution<'_>,
    direction: &Variation,
    options: &Options<'_>,
) -> Result<Vec<f64>, OdeError> {
    let ForwardSolution { problem, trajectory, grid } = *solved;
    let (dim, n, system) = (problem.dim(), grid.n(), problem.system());
    let weights = Weights::new(solved);
    let mut history = options.build_history(&weights.kernels[..1], dim, n)?;
    let mut by_order = options.build_history(&weights.kernels[1..], dim, n)?;
    let mut step = LinearStep::new(system, weights.newest.clone());
    let theta = &direction.parameters;
    let zeros = vec![0.0; dim];
    let (mut df, mut sum, mut change) = (vec![0.0; dim], vec![0.0; dim], vec![0.0; dim]);
    let mut moved: Vec<f64> = Vec::with_capacity((n + 1) * dim);
    moved.extend(direction.initial.row(0));
    moved.resize((n + 1) * dim, 0.0);
    for index in 1..=n {
        let (t, y, f) = (grid.t(index), trajectory.state(index), trajectory.slope(index));
        let (known, dy) = moved.split_at_mut(index * dim);
        let dy = &mut dy[..dim];
        let last = &known[(index - 1) * dim..];
        if index > 1 {
            let earlier = &known[(index - 2) * dim..];
            for i in 0..dim {
                change[i] = last[i] - earlier[i];
            }
            history.push(&change)?;
            let (now, then) = (trajectory.state(index - 1), trajectory.state(index - 2));
            for i in 0..dim {
                change[i] = now[i] - then[i];
            }
            by_order.push(&change)?;
        }
        history.sum_into(0, dy)?;
        by_order.sum_into(0, &mut sum)?;
        system.jvp(t, y, &zeros, theta, &mut df);
        for i in 0..dim {
            let by_order = sum[i] + weights.newest_by_order[i] * f[i];
            dy[i] += last[i] + weights.newest[i] * df[i] + direction.order(i) * by_order;
        }
        step.linearise(t, y);
        step.factor(t, false)?;
        step.solve(dy);
        all_finite(dy, t)?;
    }
    Ok(moved)
}
