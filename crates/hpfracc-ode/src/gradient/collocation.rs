//! Adjoint and tangent of collocation, on the elements of the solution: each is one block of states
//! `y_i = g + (integrals over earlier elements) + sum_j w_ij f_j`.

use super::forward_solution::ForwardSolution;
use super::linear_block::LinearBlock;
use super::variation::Variation;
use crate::schemes::{CollocationBlock, CollocationBlocks, PiecewiseSolution};
use crate::{OdeError, Solution};
use std::any::Any;
use std::sync::{PoisonError, RwLock};

/// The blocks of a solution, and the node at the end of each that has one.
fn blocks(
    solved: &ForwardSolution<'_>,
    solution: &Solution,
) -> Result<(CollocationBlocks, Vec<Option<usize>>), OdeError> {
    let dense: &dyn Any = &*solution.dense;
    let Some(pieces) = dense.downcast_ref::<RwLock<PiecewiseSolution>>() else {
        return Err(OdeError::NotDifferentiable { what: "a solution without its elements" });
    };
    // A write only appends, after all that can panic.
    let pieces = pieces.read().unwrap_or_else(PoisonError::into_inner);
    let blocks = pieces.blocks();
    let (mut reached, mut node) = (solved.times()[0], 0);
    let nodes = blocks.blocks.iter().map(|block| {
        (block.end > reached).then(|| {
            (reached, node) = (block.end, node + 1);
            node
        })
    });
    let nodes = nodes.collect();
    Ok((blocks, nodes))
}

fn points(block: &CollocationBlock, dim: usize) -> Vec<(f64, &[f64])> {
    block.times.iter().copied().zip(block.states.chunks_exact(dim)).collect()
}

fn linear<'a>(
    solved: &ForwardSolution<'a>,
    blocks: &CollocationBlocks,
    block: &CollocationBlock,
) -> LinearBlock<'a> {
    let points = block.times.len();
    let mut linear = LinearBlock::new(solved.problem, points);
    linear.couple(|component, to, from| block.coupling(blocks, component, to, from));
    linear
}

pub(super) fn adjoint(
    solved: &ForwardSolution<'_>,
    solution: &Solution,
    cotangents: &[f64],
) -> Result<Variation, OdeError> {
    let dim = solved.problem.dim();
    let (blocks, nodes) = blocks(solved, solution)?;
    let mut bar = Variation::zeros(solved.problem);
    let mut orders = vec![0.0; dim];
    let mut sums = blocks.backward();
    for (index, block) in blocks.blocks.iter().enumerate().rev() {
        let mut fbar = sums.pop(index);
        let mut u = vec![0.0; fbar.len()];
        if let Some(node) = nodes[index] {
            let last = u.len() - dim;
            u[last..].copy_from_slice(&cotangents[node * dim..][..dim]);
        }
        let points = points(block, dim);
        linear(solved, &blocks, block).adjoint(&points, &mut fbar, &mut u, &mut bar.parameters)?;
        sums.push(index, &u);
        for (at, (u, by_order)) in u.iter().zip(&block.by_order).enumerate() {
            orders[at % dim] += u * by_order;
        }
        for (&elapsed, u) in block.elapsed.iter().zip(u.chunks_exact(dim)) {
            bar.add_free_term(elapsed, u);
        }
    }
    bar.add_free_term(0.0, &cotangents[..dim]);
    bar.complete(solved.problem, &orders)
}

pub(super) fn tangent(
    solved: &ForwardSolution<'_>,
    solution: &Solution,
    direction: &Variation,
) -> Result<Vec<f64>, OdeError> {
    let (dim, system) = (solved.problem.dim(), solved.problem.system());
    let (blocks, nodes) = blocks(solved, solution)?;
    let rows: Vec<f64> = direction.initial.iter().copied().collect();
    let mut moved = vec![0.0; solved.times().len() * dim];
    moved[..dim].copy_from_slice(&rows[..dim]);
    let mut sums = blocks.forward(&rows);
    for (index, block) in blocks.blocks.iter().enumerate() {
        let mut dy = sums.known(index);
        for (at, (dy, by_order)) in dy.iter_mut().zip(&block.by_order).enumerate() {
            *dy += direction.order(at % dim) * by_order;
        }
        let points = points(block, dim);
        linear(solved, &blocks, block).tangent(&points, &direction.parameters, &mut dy)?;
        let mut df = vec![0.0; dy.len()];
        for ((t, y), (dy, df)) in
            points.iter().zip(dy.chunks_exact(dim).zip(df.chunks_exact_mut(dim)))
        {
            system.jvp(*t, y, dy, &direction.parameters, df);
        }
        sums.push(index, &df);
        if let Some(node) = nodes[index] {
            moved[node * dim..][..dim].copy_from_slice(&dy[dy.len() - dim..]);
        }
    }
    Ok(moved)
}
