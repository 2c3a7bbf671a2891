use crate::unsupported;
use gemm::Parallelism;
use hpfracc_backend::{Backend, BackendError, LinearMap, Plan, Workload};
use hpfracc_types::Real;
use std::sync::Arc;

/// Dense products through the crate `gemm`, `cpu-gemm`, on the calling thread.
///
/// With the signals of the batch as rows, `Y = X W'`; the transpose is `X = Y W`.
///
/// Cost: rows x cols x batch fused products. Memory: W; `gemm` packs operands into memory of its own
/// on each call with more than one signal. Accuracy: that of sums of `cols` products. NaN or infinity
/// in a signal reaches all of its results.
///
/// ```
/// use hpfracc_backend::{Backend, BackendError, LinearMap, Plan, Workload};
/// use hpfracc_cpu::Gemm;
///
/// let matrix = Gemm::new()
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

impl Gemm {
    /// The backend.
    pub fn new() -> Self {
        Self
    }
}

impl<T: Real> Backend<T> for Gemm {
    fn name(&self) -> &str {
        NAME
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        workload.check()?;
        match workload {
            Workload::Dense { .. } => Ok(Arc::new(GemmPlan { workload })),
            _ => Err(unsupported(NAME, workload, "it multiplies dense matrices only")),
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

    /// Y = X W', signals as rows.
    fn apply(&self, x: &[T], y: &mut [T]) -> Result<(), BackendError> {
        self.workload.check_signals(x, y)?;
        let (batch, rows, cols) = self.sizes();
        product(y, (x, cols), (&self.matrix, (1, cols)), (batch, rows, cols));
        Ok(())
    }

    /// X = Y W.
    fn apply_transpose(&self, y: &[T], x: &mut [T]) -> Result<(), BackendError> {
        self.workload.check_signals(x, y)?;
        let (batch, rows, cols) = self.sizes();
        product(x, (y, rows), (&self.matrix, (cols, 1)), (batch, cols, rows));
        Ok(())
    }
}

impl<T: Real> GemmMap<T> {
    fn sizes(&self) -> (usize, usize, usize) {
        (self.workload.batch(), self.workload.output_len(), self.workload.signal_len())
    }
}

/// `out = left * right` with `out` m x n and `left` m x k row-major, `right` k x n with strides
/// (from row to row, from column to column).
#[expect(unsafe_code, reason = "gemm takes pointers and strides")]
fn product<T: Real>(
    out: &mut [T],
    (left, left_stride): (&[T], usize),
    (right, (right_row, right_col)): (&[T], (usize, usize)),
    (m, n, k): (usize, usize, usize),
) {
    assert!(out.len() == m * n && left.len() == m * k && left_stride == k);
    assert!(right.len() == n * k && (right_row - 1) * (right_col - 1) == 0);
    // SAFETY: the strides stay inside the slices whose lengths are asserted above; `out` is
    // exclusively borrowed, so that it overlaps neither factor.
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
            left_stride as isize,
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
