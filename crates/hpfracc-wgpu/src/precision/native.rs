//! Single and double precision of the device.

use super::{Arithmetic, Precision};
use crate::{Gpu, GpuError};
use hpfracc_equation::wgsl::NumberFormat;
use wgpu::{Buffer, ComputePass};

/// Single precision, which every device has: [`Gpu::f32`].
#[derive(Debug, Clone)]
pub struct F32 {
    gpu: Gpu,
}

/// Double precision of a device that has it and passed the self-test: [`Gpu::f64`].
#[derive(Debug, Clone)]
pub struct F64 {
    pub(crate) gpu: Gpu,
}

impl Gpu {
    /// Single precision on this device.
    pub fn f32(&self) -> F32 {
        F32 { gpu: self.clone() }
    }
}

macro_rules! native {
    ($precision:ident, $format:ident, $scalar:ident, $literal_suffix:literal) => {
        impl Precision for $precision {
            fn gpu(&self) -> &Gpu {
                &self.gpu
            }
        }

        impl Arithmetic for $precision {
            type Host = $scalar;
            type Device = $scalar;

            const FORMAT: NumberFormat = NumberFormat::$format;
            const NATIVE: bool = true;
            const HELD: usize = 16;
            const WGSL: &'static str =
                concat!("alias real = ", stringify!($scalar), ";\n", include_str!("native.wgsl"));

            fn sums(vectors: bool) -> String {
                let value = if vectors { "quad" } else { "real" };
                format!("alias value = {value};\n{}", include_str!("native_sums.wgsl"))
            }

            fn literal(x: f64) -> String {
                format!(concat!("{:e}", $literal_suffix), x as $scalar)
            }

            fn narrow(x: f64) -> $scalar {
                x as $scalar
            }

            fn of_device(x: $scalar) -> $scalar {
                x
            }

            fn exponent(_: &[f64]) -> i32 {
                0
            }

            async fn call(
                gpu: &Gpu,
                _: i32,
                _: usize,
                x: &[$scalar],
                y: &mut [$scalar],
                record: impl FnOnce(&mut ComputePass<'_>, [&Buffer; 2]) + Send,
            ) -> Result<(), GpuError> {
                gpu.call(x, y, record).await
            }
        }
    };
}

native!(F32, Single, f32, "f");
native!(F64, Double, f64, "lf");
