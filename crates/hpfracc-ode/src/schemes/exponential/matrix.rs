use super::linear_part::LinearPart;
use super::mode::{differences, hats_and_starts, rising_and_falling};
use crate::error::{require, same_length};
use crate::history::Rule;
use crate::problem::add_product;
use crate::{Node, OdeError, Problem, System, UniformGrid};
use hpfracc_special::mittag_leffler_matrix;
use nalgebra::DMatrix;

/// A square matrix: weights that are matrices, and direct sums.
pub(super) struct Matrix {
    dim: usize,
    /// Row by row.
    matrix: Vec<f64>,
    /// By derivative at t0, and node by node: `e_{j+1}(n h)`.
    homogeneous: Vec<Vec<f64>>,
    /// By lag, the integrals of e_a over a step.
    cells: Vec<f64>,
    /// By lag, the integrals times the hat around it; for the lag 0 the half after 0.
    hats: Vec<f64>,
    /// By lag, the correction for F at t0, whose hat has one half.
    starts: Vec<f64>,
    /// F node by node.
    samples: Vec<f64>,
}

impl Matrix {
    pub(super) fn new(
        matrix: &[f64],
        problem: &Problem<dyn System + '_>,
        grid: UniformGrid,
        rule: Rule,
    ) -> Result<Self, OdeError> {
        let (dim, n) = (problem.dim(), grid.n());
        same_length("the matrix of the linear part", matrix.len(), dim * dim)?;
        let alpha = problem.order(0);
        for &order in problem.orders() {
            let what = "the order of a component, the linear part being a matrix";
            require(order == alpha, what, order, "that of the first component")?;
        }
        let dense = DMatrix::from_row_slice(dim, dim, matrix);
        // `t^(b-1) E_{a,b}(A t^a)` at the nodes 0 .. last, row by row.
        let function = |b: f64, last: usize| -> Result<Vec<f64>, OdeError> {
            let mut all = Vec::with_capacity((last + 1) * dim * dim);
            for node in 0..=last {
                let t = grid.h() * node as f64;
                let value = mittag_leffler_matrix(alpha, b, &(&dense * t.powf(alpha)))?;
                // Column by column, so transposed.
                all.extend(value.transpose().iter().map(|entry| t.powf(b - 1.0) * entry));
            }
            Ok(all)
        };
        let derivatives = 0..alpha.ceil() as usize;
        let homogeneous =
            derivatives.map(|j| function(j as f64 + 1.0, n)).collect::<Result<_, _>>()?;
        let size = dim * dim;
        let once = function(alpha + 1.0, n + 1)?;
        let cells = differences(&once, size);
        let (mut hats, mut starts) = (Vec::new(), Vec::new());
        if rule == Rule::Trapezoid {
            let twice = function(alpha + 2.0, n + 1)?;
            let (rising, falling) = rising_and_falling(&once, &twice, grid.h(), size);
            (hats, starts) = hats_and_starts(&rising, &falling, size);
        }
        Ok(Self {
            dim,
            matrix: matrix.to_vec(),
            homogeneous,
            cells,
            hats,
            starts,
            samples: Vec::with_capacity(dim * n),
        })
    }

    /// Adds the sum over all samples.
    fn add_sum(&self, weights: &[f64], out: &mut [f64]) {
        let size = self.dim * self.dim;
        let samples = self.samples.chunks_exact(self.dim).rev();
        // The newest sample has the lag 1.
        for (weight, sample) in weights.chunks_exact(size).skip(1).zip(samples) {
            add_product(weight, sample, out);
        }
    }
}

impl LinearPart for Matrix {
    fn split(&self, node: &Node, forcing: &mut [f64]) {
        forcing.fill(0.0);
        add_product(&self.matrix, &node.y, forcing);
        forcing.iter_mut().zip(&node.f).for_each(|(forcing, f)| *forcing = f - *forcing);
    }

    fn free(&self, problem: &Problem<dyn System + '_>, node: usize, out: &mut [f64]) {
        let size = self.dim * self.dim;
        out.fill(0.0);
        for (row, table) in problem.initial().zip(&self.homogeneous) {
            add_product(&table[node * size..][..size], row, out);
        }
    }

    fn push(&mut self, forcing: &[f64]) -> Result<(), OdeError> {
        self.samples.extend_from_slice(forcing);
        Ok(())
    }

    fn add_constant(&mut self, out: &mut [f64]) -> Result<(), OdeError> {
        self.add_sum(&self.cells, out);
        Ok(())
    }

    fn add_linear(&mut self, out: &mut [f64]) -> Result<(), OdeError> {
        self.add_sum(&self.hats, out);
        let size = self.dim * self.dim;
        let pushed = self.samples.len() / self.dim;
        add_product(&self.starts[pushed * size..][..size], &self.samples[..self.dim], out);
        Ok(())
    }

    fn add_newest(&self, forcing: &[f64], out: &mut [f64]) {
        add_product(&self.hats[..self.dim * self.dim], forcing, out);
    }
}
