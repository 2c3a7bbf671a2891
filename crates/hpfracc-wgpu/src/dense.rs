use crate::on_device::{Bound, OnDevice};
use crate::product::{Factors, Product, check_fits};
use crate::scalar::{Double, DoubleFloat, HighLow, Kernel, ShaderScalar, widened};
use crate::{Gpu, GpuError};
use hpfracc_backend::{Backend, BackendError, LinearMap, Plan, Workload};
use std::sync::Arc;

/// Dense products on a device, `wgpu-gemm`, in single precision.
///
/// ```text
/// Y = X W',  and for the transpose  X = Y W
/// ```
///
/// with the signals of the batch as rows: `rows cols` multiply-adds a signal. NaN and infinity in a
/// signal reach all of its outputs.
///
/// Accuracy: rounding grows with 128 terms and not with their number, because sums carry what they lose
/// (Kahan). As measured on lavapipe, relative to the largest result: 4.5e-7 for oscillating sums up to
/// 65537 long, 1.0e-6 for up to 10^6 equal terms.
#[derive(Debug, Clone)]
pub struct Gemm {
    gpu: Gpu,
}

/// [`Gemm`] in double precision: exists only on devices that have it.
///
/// Accuracy as measured on lavapipe, as there: 3.8e-15.
#[derive(Debug, Clone)]
pub struct Gemm64 {
    double: Double,
}

/// [`Gemm`] in [double-float arithmetic](DoubleFloat), `wgpu-gemm-df64`.
///
/// Accuracy as measured on lavapipe, as there: 1.7e-14.
#[derive(Debug, Clone)]
pub struct GemmDf64 {
    double_float: DoubleFloat,
}

backends!("wgpu-gemm": Gemm, Gemm64; "wgpu-gemm-df64": GemmDf64; plan);

fn plan<T: ShaderScalar>(
    name: &'static str,
    gpu: &Gpu,
    workload: Workload,
) -> Result<Arc<dyn Plan<T::Host>>, BackendError> {
    workload.check()?;
    let Workload::Dense { rows, cols, batch } = workload else {
        let (backend, reason) = (name.to_owned(), "it is no dense product");
        return Err(BackendError::Unsupported { backend, workload, reason });
    };
    check_fits::<T>(name, gpu, workload)?;
    let forward = Product::<T>::new(gpu, rows, batch, None);
    let backward = Product::<T>::new(gpu, cols, batch, None);
    let (forward, backward) =
        forward.and_then(|f| Ok((f, backward?))).map_err(|error| error.of(name))?;
    let plan: Arc<dyn Plan<T::Host>> =
        Arc::new(GemmPlan::<T> { name, gpu: gpu.clone(), workload, forward, backward });
    gpu.check_plan(name, workload, plan.bytes())?;
    Ok(plan)
}

struct GemmPlan<T> {
    name: &'static str,
    gpu: Gpu,
    workload: Workload,
    forward: Product<T>,
    backward: Product<T>,
}

impl<T: ShaderScalar> Plan<T::Host> for GemmPlan<T> {
    fn workload(&self) -> Workload {
        self.workload
    }

    fn bytes(&self) -> usize {
        let [x, y, kernel] =
            [self.workload.signal_len(), self.workload.output_len(), self.workload.kernel_len()]
                .map(|scalars| scalars * size_of::<T>());
        let rows = self.gpu.rows_at_once(x.max(y), self.workload.batch());
        self.gpu.bytes_of_map(&[kernel], [rows * x, rows * y], 0)
    }

    fn bind(&self, kernel: &[T::Host]) -> Result<Box<dyn LinearMap<T::Host>>, BackendError> {
        self.workload.check_kernel(kernel)?;
        let weights = Kernel::new::<T>(&self.gpu, &widened(kernel));
        Ok(Box::new(OnDevice::<T, _>::new(GemmMap::<T> {
            name: self.name,
            gpu: self.gpu.clone(),
            workload: self.workload,
            forward: self.forward.clone(),
            backward: self.backward.clone(),
            weights: weights.map_err(|error| error.of(self.name))?,
        })))
    }
}

struct GemmMap<T> {
    name: &'static str,
    gpu: Gpu,
    workload: Workload,
    forward: Product<T>,
    backward: Product<T>,
    weights: Kernel,
}

impl<T: ShaderScalar> Bound<T> for GemmMap<T> {
    fn place(&self) -> (&'static str, &Gpu, Workload) {
        (self.name, &self.gpu, self.workload)
    }

    async fn run(
        &self,
        from: &[T::Host],
        to: &mut [T::Host],
        transposed: bool,
    ) -> Result<(), GpuError> {
        let (cols, rows) = (self.workload.signal_len(), self.workload.output_len());
        let (product, inner, outputs) =
            if transposed { (&self.backward, rows, cols) } else { (&self.forward, cols, rows) };
        let factors = Factors { weights: &self.weights, bias: None, transposed };
        product.run(&self.gpu, &factors, (from, inner), (to, outputs)).await
    }
}
