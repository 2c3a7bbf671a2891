//! The dense layer `y = activation(W x + b)` in one pass over its inputs.
//!
//! The shaders are complete and tested; no backend plans them yet, so they are compiled for tests
//! only. Layers of networks will run on them through a backend.

mod activation;
mod tests;

pub(crate) use activation::{Activation, Elementary};

use super::gemm::check_grid;
use super::product::Product;
use crate::device::PooledBuffer;
use crate::plan::{BatchRecorder, Passes, Request};
use hpfracc_backend::{BackendError, Plan, Workload};
use std::sync::Arc;

/// `outputs inputs` multiply-adds a signal; bias and activation apply before the sums leave the
/// registers.
///
/// Accuracy of the activations as measured on lavapipe for |x| <= 30, relative to their own result:
/// tanh 1.1, sigmoid 1.7, softplus 1.8, silu 1.9 and, for x >= 0, gelu 2.7 units of 1.2e-7. For x <
/// 0 gelu is `exp(-x^2 / 2)` times a smooth factor; its relative error grows by `x^2 / 2` of these
/// units. In double precision for |x| <= 700: tanh, sigmoid, softplus and silu 2.0, gelu on both
/// sides 3.7 units of 2.2e-16. Results below the smallest normal number may be zero. NaN stays NaN;
/// silu and gelu of minus infinity are NaN, as their formulas are.
struct Affine {
    product: Product,
    bias: PooledBuffer,
    inputs: usize,
    outputs: usize,
}

/// The plan of a layer with as many outputs as `bias` has entries, to be bound to its weights.
fn plan<P: Elementary>(
    precision: &P,
    (inputs, batch): (usize, usize),
    bias: &[P::Host],
    activation: Activation,
) -> Result<Arc<dyn Plan<P::Host>>, BackendError> {
    let (gpu, outputs) = (precision.gpu(), bias.len());
    let workload = Workload::Dense { rows: outputs, cols: inputs, batch };
    let request = Request::new("wgpu-affine", precision, workload)?;
    check_grid::<P>(&request, gpu, outputs.max(inputs))?;
    let product = Product::new::<P>(gpu, outputs, batch, Some(&activation.source::<P>()));
    let layer = product
        .and_then(|product| Ok(Affine { product, bias: gpu.upload(bias)?, inputs, outputs }));
    let layer = layer.map_err(|error| request.planning_error(error))?;
    request.plan(Box::new(layer))
}

impl Passes for Affine {
    fn record(&self, batch: &mut BatchRecorder<'_, '_>) {
        assert!(!batch.transposed, "an affine map has no transpose");
        self.product.record(batch, self.inputs, self.outputs, Some(self.bias.buffer()));
    }
}
