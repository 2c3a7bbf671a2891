//! The implicit L1 scheme, with `k_n = y_n - y_{n-1}`, h the last step and, on equal steps,
//!
//! ```text
//! y_n = y_{n-1} - sum_{0<j<n} b_nj k_j + c_n f(t_n, y_n),   c_n = Gamma(2-a) h^a
//!       b_nj = b_{n-j},   b_m = (m+1)^(1-a) - m^(1-a)
//! kbar_j = -sum_{n>j} b_nj u_n
//! u_n    = (I - c_n f_y)^-T (l_n + u_{n+1} + kbar_n - kbar_{n+1})
//! ```
//!
//! Several and variable orders have other b_nj and c_n.

use super::forward_solution::ForwardSolution;
use super::linear_block::LinearBlock;
use super::rules::Rules;
use super::variation::Variation;
use crate::history::Row;
use crate::schemes::{Weights, l1_newest, l1_row};
use crate::{OdeError, Options, UniformGrid};
use hpfracc_operators::Dual;
use hpfracc_special::forward_differences_of_powers_derivative;

/// The weights `-b` of earlier changes of y, of one order for each component.
pub(super) fn rules(solved: &ForwardSolution<'_>) -> Result<Rules, OdeError> {
    match solved.grid {
        Some(grid) => Rules::by_order(solved, grid, &[&|alpha| Ok(weights(alpha, grid))]),
        None => Ok(Rules::l1_on_mesh(solved)),
    }
}

fn weights(alpha: f64, grid: UniformGrid) -> (Weights, Weights) {
    let newest = l1_newest(Dual::variable(alpha), grid.h());
    // Two signs: that of the weights, and that of 1 - alpha.
    let mut by_order = vec![0.0; grid.n() + 1];
    forward_differences_of_powers_derivative(1.0 - alpha, &mut by_order);
    let pair = [(newest.value, l1_row(alpha, grid)), (newest.derivative, Row::Table(by_order))];
    let [value, by_order] =
        pair.map(|(newest, row)| Weights { first: vec![newest], row, starts: Vec::new() });
    (value, by_order)
}

/// Derivatives with respect to the order of each component of the right-hand sides of all steps, node
/// by node.
fn order_terms(
    solved: &ForwardSolution<'_>,
    rules: &Rules,
    options: &Options<'_>,
) -> Result<Vec<f64>, OdeError> {
    let (dim, trajectory) = (solved.problem.dim(), solved.trajectory);
    let nodes = solved.times().len();
    let mut changes = vec![0.0; nodes * dim];
    for (node, change) in changes.chunks_exact_mut(dim).enumerate().skip(1) {
        let both = trajectory.state(node).iter().zip(trajectory.state(node - 1));
        change.iter_mut().zip(both).for_each(|(change, (y, before))| *change = y - before);
    }
    let mut terms = rules.known(rules.count, &changes, options)?.by_order;
    let mut newest = vec![0.0; dim];
    for (node, term) in terms.chunks_exact_mut(dim).enumerate().skip(1) {
        rules.newest_by_order_into(node, &mut newest);
        let slopes = newest.iter().zip(trajectory.slope(node));
        term.iter_mut().zip(slopes).for_each(|(term, (newest, f))| *term += newest * f);
    }
    Ok(terms)
}

pub(super) fn adjoint(
    solved: &ForwardSolution<'_>,
    rules: &Rules,
    cotangents: &[f64],
    options: &Options<'_>,
) -> Result<Variation, OdeError> {
    let ForwardSolution { problem, trajectory, .. } = *solved;
    let (dim, times) = (problem.dim(), solved.times());
    let terms = order_terms(solved, rules, options)?;
    let mut later = rules.later(options)?;
    let mut step = LinearBlock::new(problem, 1);
    let mut bar = Variation::zeros(problem);
    let mut orders = vec![0.0; dim];
    let (mut u, mut fbar, mut newest) = (vec![0.0; dim], vec![0.0; dim], vec![0.0; dim]);
    // kbar of this node and of the next.
    let (mut kbar, mut next_kbar) = (vec![0.0; dim], vec![0.0; dim]);
    for index in (1..times.len()).rev() {
        later.sum_into(&mut kbar)?;
        for i in 0..dim {
            u[i] += cotangents[index * dim + i] + kbar[i] - next_kbar[i];
        }
        solved.add_lagged_cotangent(index, &mut u);
        rules.newest_into(index, &mut newest);
        step.couple(|component, _, _| newest[component]);
        fbar.fill(0.0);
        let point = (times[index], trajectory.state(index));
        step.adjoint(&[point], &mut fbar, &mut u, &mut bar.parameters)?;
        for i in 0..dim {
            orders[i] += u[i] * terms[index * dim + i];
        }
        later.push(&u)?;
        std::mem::swap(&mut kbar, &mut next_kbar);
    }
    solved.add_lagged_cotangent(0, &mut u);
    for i in 0..dim {
        bar.initial[[0, i]] = cotangents[i] + u[i] - next_kbar[i];
    }
    bar.complete(problem, &orders)
}

pub(super) fn tangent(
    solved: &ForwardSolution<'_>,
    rules: &Rules,
    direction: &Variation,
    options: &Options<'_>,
) -> Result<Vec<f64>, OdeError> {
    let ForwardSolution { problem, trajectory, .. } = *solved;
    let (dim, times) = (problem.dim(), solved.times());
    let terms = order_terms(solved, rules, options)?;
    let mut earlier = rules.earlier((0, 1), options)?;
    let mut step = LinearBlock::new(problem, 1);
    let (mut newest, mut change) = (vec![0.0; dim], vec![0.0; dim]);
    let mut moved: Vec<f64> = Vec::with_capacity(times.len() * dim);
    moved.extend(direction.initial.row(0));
    moved.resize(times.len() * dim, 0.0);
    solved.set_change(0, &moved[..dim]);
    for index in 1..times.len() {
        let (known, dy) = moved.split_at_mut(index * dim);
        let (dy, last) = (&mut dy[..dim], &known[(index - 1) * dim..]);
        earlier.push(&change)?;
        earlier.sum_into(0, dy)?;
        for i in 0..dim {
            dy[i] += last[i] + direction.order(i) * terms[index * dim + i];
        }
        rules.newest_into(index, &mut newest);
        step.couple(|component, _, _| newest[component]);
        step.tangent(&[(times[index], trajectory.state(index))], &direction.parameters, dy)?;
        for i in 0..dim {
            change[i] = dy[i] - last[i];
        }
        solved.set_change(index, dy);
    }
    Ok(moved)
}
