use crate::activation::{Activation, Elementary};
use crate::product::{FEW, Factors, Product, check_fits};
use crate::scalar::{Double, Kernel, widened};
use crate::{Gpu, GpuError};
use hpfracc_backend::{BackendError, Workload};
use std::fmt;

/// A layer `y = activation(W x + b)` in one pass over its inputs, in single precision.
///
/// `outputs inputs` multiply-adds a signal; the sums go through bias and activation before they
/// leave the registers.
///
/// Accuracy of the activations as measured on lavapipe for |x| <= 30, relative to their own result:
/// tanh 1.1, sigmoid 1.7, softplus 1.8, silu 1.9 and, for x >= 0, gelu 2.7 units of 1.2e-7. For x <
/// 0 gelu is `exp(-x^2 / 2)` times a smooth factor, whose relative error grows by `x^2 / 2` of
/// these units. Results below the smallest normal number may be zero. NaN stays NaN; silu and gelu
/// of minus infinity are NaN, as their formulas are.
#[derive(Debug)]
pub struct Affine(Layer<f32>);

/// [`Affine`] in double precision.
///
/// Accuracy of the activations as there, for |x| <= 700: tanh, sigmoid, softplus and silu 2.0, gelu on
/// both sides 3.7 units of 2.2e-16.
#[derive(Debug)]
pub struct Affine64(Layer<f64>);

/// The layer in either precision.
struct Layer<T> {
    gpu: Gpu,
    inputs: usize,
    outputs: usize,
    activation: Activation,
    weights: Kernel,
    bias: Kernel,
    few: Product<T>,
    many: Product<T>,
}

/// Sizes and device; pipelines say nothing.
impl<T> fmt::Debug for Layer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { gpu, inputs, outputs, activation, .. } = self;
        let mut shown = f.debug_struct("Layer");
        shown.field("gpu", gpu).field("inputs", inputs).field("outputs", outputs);
        shown.field("activation", activation).finish_non_exhaustive()
    }
}

const NAME: &str = "wgpu-affine";

impl Affine {
    /// A layer with as many outputs as `bias` has entries; `weights` has one row of `inputs` for
    /// each.
    ///
    /// # Errors
    /// [`BackendError::Size`] if there are no inputs or outputs, [`BackendError::Length`] if
    /// `weights` is not their product, [`BackendError::Memory`] if it is larger than the device can
    /// show to a shader, [`BackendError::Device`].
    pub fn new(
        gpu: &Gpu,
        inputs: usize,
        weights: &[f32],
        bias: &[f32],
        activation: Activation,
    ) -> Result<Self, BackendError> {
        Layer::new(gpu, inputs, weights, bias, activation).map(Self)
    }
}

impl Affine64 {
    /// As [`Affine::new`].
    ///
    /// # Errors
    /// As there.
    pub fn new(
        double: &Double,
        inputs: usize,
        weights: &[f64],
        bias: &[f64],
        activation: Activation,
    ) -> Result<Self, BackendError> {
        Layer::new(double.gpu(), inputs, weights, bias, activation).map(Self)
    }
}

/// What a layer of this precision passes on.
macro_rules! layer {
    ($layer:ident, $scalar:ident) => {
        impl $layer {
            /// Length of one input.
            pub fn inputs(&self) -> usize {
                self.0.inputs
            }

            /// Length of one output.
            pub fn outputs(&self) -> usize {
                self.0.outputs
            }

            /// What becomes of the sums.
            pub fn activation(&self) -> Activation {
                self.0.activation
            }

            /// The layer at each signal of a batch, signals one behind the other.
            ///
            /// # Errors
            /// [`BackendError::Length`] before anything is written, if `x` is no whole number of
            /// inputs or `y` not as many outputs; [`BackendError::Device`], after which `y` is
            /// unspecified.
            pub fn forward(&self, x: &[$scalar], y: &mut [$scalar]) -> Result<(), BackendError> {
                self.0.forward(x, y)
            }

            /// As [`forward`](Self::forward), for programs that must not block.
            ///
            /// # Errors
            /// As there.
            pub async fn forward_async(
                &self,
                x: &[$scalar],
                y: &mut [$scalar],
            ) -> Result<(), BackendError> {
                self.0.forward_async(x, y).await
            }
        }
    };
}

layer!(Affine, f32);
layer!(Affine64, f64);

impl<T: Elementary> Layer<T> {
    fn new(
        gpu: &Gpu,
        inputs: usize,
        weights: &[T],
        bias: &[T],
        activation: Activation,
    ) -> Result<Self, BackendError> {
        let outputs = bias.len();
        let workload = Workload::Dense { rows: outputs, cols: inputs, batch: 1 };
        workload.check()?;
        workload.check_kernel(weights)?;
        check_fits::<T>(NAME, gpu, workload)?;
        let finish = activation.source::<T>();
        let product =
            |batch| Product::new(gpu, outputs, batch, Some(&finish)).map_err(|e| e.of(NAME));
        let kernel =
            |values| Kernel::new::<T>(gpu, &widened(values)).map_err(|error| error.of(NAME));
        Ok(Self {
            gpu: gpu.clone(),
            inputs,
            outputs,
            activation,
            weights: kernel(weights)?,
            bias: kernel(bias)?,
            few: product(FEW)?,
            many: product(FEW + 1)?,
        })
    }

    fn forward(&self, x: &[T], y: &mut [T]) -> Result<(), BackendError> {
        let batch = self.batch(x, y)?;
        self.gpu.wait(self.run(batch, x, y)).map_err(|error| error.of(NAME))
    }

    async fn forward_async(&self, x: &[T], y: &mut [T]) -> Result<(), BackendError> {
        let batch = self.batch(x, y)?;
        self.run(batch, x, y).await.map_err(|error| error.of(NAME))
    }

    /// The number of signals in slices of the right lengths.
    fn batch(&self, x: &[T], y: &[T]) -> Result<usize, BackendError> {
        let batch = x.len().div_ceil(self.inputs);
        let workload = Workload::Dense { rows: self.outputs, cols: self.inputs, batch };
        workload.check_signals(x, y)?;
        Ok(batch)
    }

    async fn run(&self, batch: usize, x: &[T], y: &mut [T]) -> Result<(), GpuError> {
        if batch == 0 {
            return Ok(());
        }
        let factors =
            Factors { weights: &self.weights, bias: Some(self.bias.buffer()), transposed: false };
        let product = if batch <= FEW { &self.few } else { &self.many };
        product.run(&self.gpu, &factors, (x, self.inputs), (y, self.outputs)).await
    }
}
