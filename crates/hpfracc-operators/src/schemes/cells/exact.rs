use super::moments::Kernel;
use super::{Cells, In};
use ndarray::Array2;

/// The integral over every cell at every point: O(N^2) of everything.
pub(super) fn matrix(cells: &Cells, kernel: &Kernel, what: In) -> Array2<f64> {
    let n = cells.steps.len() + 1;
    let mut matrix = Array2::zeros((n, n));
    for row in 1..n {
        let mut distance = 0.0;
        for cell in (0..row).rev() {
            let h = cells.steps[cell];
            let [whole, rising] = match (what, cell + 1 == row) {
                (In::Value, true) => kernel.near(h),
                (In::Value, false) => kernel.far(distance, h),
                (In::OrderDerivative, true) => kernel.near_derivative(h),
                (In::OrderDerivative, false) => kernel.far_derivative(distance, h),
            };
            let (of_left, of_right) = cells.lines[cell].transpose(whole, rising);
            matrix[[row, cell]] += of_left;
            matrix[[row, cell + 1]] += of_right;
            distance += h;
        }
    }
    matrix
}
