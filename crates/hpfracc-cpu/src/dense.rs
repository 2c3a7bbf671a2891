use gemm::Parallelism;
use hpfracc_backend::{Backend, BackendError, Direction, LinearMap, Plan, Workload};
use hpfracc_types::Real;
use std::sync::Arc;

/// Dense products through the crate `gemm`, `cpu-gemm`, on the calling thread.
///
/// With the signals of the batch as rows, `Y = X W'`; the transpose is `X = Y W`.
///
/// Cost: rows x cols x batch fused products. Memory: W; `gemm` packs operands into memory of its
/// own on each call with more than one signal. Accuracy: that of sums of `cols` products. NaN or
/// infinity in a signal reaches all of its results.
///
/// ```
/// use hpfracc_backend::{Backend, BackendError, LinearMap, Plan, Workload};
/// use hpfracc_cpu::Gemm;
///
/// let matrix = Gemm
///     .plan(Workload::Dense { rows: 2, cols: 3, batch: 1 })?
///     .bind(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// let mut y = [0.0_f64; 2];
/// matrix.apply(&[1.0, 0.0, -1.0], &mut y)?;
/// assert_eq!(y, [-2.0, -2.0]);
/// # Ok::<(), BackendError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Gemm;

const NAME: &str = "cpu-gemm";

impl<T: Real> Backend<T> for Gemm {
    fn name(&self) -> &str {
        NAME
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        workload.check()?;
        match workload {
            Workload::Dense { .. } => Ok(Arc::new(GemmPlan { workload })),
            _ => {
                Err(BackendError::unsupported(NAME, workload, "it multiplies dense matrices only"))
            }
        }
    }
}

struct GemmPlan {
    workload: Workload,
}

impl<T: Real> Plan<T> for GemmPlan {
    fn workload(&self) -> Workload {
        self.workload
    }

    fn bytes(&self) -> usize {
        self.workload.kernel_len() * size_of::<T>()
    }

    fn bind(&self, kernel: &[T]) -> Result<Box<dyn LinearMap<T>>, BackendError> {
        self.workload.check_kernel(kernel)?;
        Ok(Box::new(GemmMap { workload: self.workload, matrix: kernel.to_vec() }))
    }
}

struct GemmMap<T> {
    workload: Workload,
    /// W, row-major.
    matrix: Vec<T>,
}

impl<T: Real> LinearMap<T> for GemmMap<T> {
    fn workload(&self) -> Workload {
        self.workload
    }

    /// Y = X W', or X = Y W, with the signals as rows.
    fn run(&self, direction: Direction, from: &[T], to: &mut [T]) -> Result<(), BackendError> {
        let workload = self.workload;
        let (batch, rows, cols) = (workload.batch(), workload.output_len(), workload.signal_len());
        match direction {
            Direction::Forward => product(to, from, &self.matrix, true, (batch, rows, cols)),
            Direction::Transpose => product(to, from, &self.matrix, false, (batch, cols, rows)),
        }
        Ok(())
    }
}

/// `out = left * right` with `out` m x n, `left` m x k and `right` k x n, all row-major; or with
/// `right` the transpose of a row-major n x k matrix.
#[expect(unsafe_code, reason = "gemm takes pointers and strides")]
fn product<T: Real>(
    out: &mut [T],
    left: &[T],
    right: &[T],
    transposed: bool,
    (m, n, k): (usize, usize, usize),
) {
    for (found, rows, cols) in [(out.len(), m, n), (left.len(), m, k), (right.len(), k, n)] {
        assert!(rows.checked_mul(cols) == Some(found), "{found} entries are not {rows} x {cols}");
    }
    let (right_row, right_col) = if transposed { (1, k) } else { (n, 1) };
    // SAFETY: the slices have as many entries as the matrices, by products that did not wrap. A
    // row-major matrix of r x c reaches the entries i c + j with i < r and j < c, all below r c;
    // so does its transpose. `out` is exclusively borrowed, so that it overlaps neither factor.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            out.as_mut_ptr(),
            1,
            n as isize,
            false,
            left.as_ptr(),
            1,
            k as isize,
            right.as_ptr(),
            right_col as isize,
            right_row as isize,
            T::zero(),
            T::one(),
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_layout_of_the_right_factor() {
        let left = [1.0, 2.0, 3.0];
        let right = [1.0, 10.0, 2.0, 20.0, 3.0, 30.0];
        let mut out = [0.0; 2];
        product(&mut out, &left, &right, false, (1, 2, 3));
        assert_eq!(out, [14.0, 140.0]);
        product(&mut out, &left, &right, true, (1, 2, 3));
        assert_eq!(out, [27.0, 116.0]);
    }

    #[test]
    #[should_panic(expected = "0 entries are not")]
    fn sizes_that_wrap_are_refused() {
        let half = 1 << (usize::BITS / 2);
        product::<f64>(&mut [], &[], &[], false, (half, half, 0));
    }

    #[test]
    #[should_panic(expected = "5 entries are not 3 x 2")]
    fn a_short_factor_is_refused() {
        product(&mut [0.0; 2], &[0.0; 3], &[0.0; 5], true, (1, 2, 3));
    }
}
