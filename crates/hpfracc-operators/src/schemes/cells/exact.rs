use super::Cells;
use super::moments::Kernel;
use crate::Number;
use ndarray::Array2;

/// The integral over every cell at every point: O(N^2) time and memory.
pub(super) fn matrix<N: Number>(cells: &Cells, kernel: &Kernel<N>) -> Array2<N> {
    let n = cells.steps.len() + 1;
    let mut matrix = Array2::from_elem((n, n), N::constant(0.0));
    for row in 1..n {
        let mut distance = 0.0;
        for cell in (0..row).rev() {
            let h = cells.steps[cell];
            let [whole, rising] =
                if cell + 1 == row { kernel.near(h) } else { kernel.far(distance, h) };
            let (of_left, of_right) = cells.lines[cell].transpose(whole, rising);
            matrix[[row, cell]] = matrix[[row, cell]] + of_left;
            matrix[[row, cell + 1]] = matrix[[row, cell + 1]] + of_right;
            distance += h;
        }
    }
    matrix
}
