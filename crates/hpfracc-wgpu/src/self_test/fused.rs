//! Whether the device's `fma` has one rounding.

use crate::{Gpu, GpuError};
use bytemuck::Pod;
use hpfracc_equation::wgsl::{Capabilities, NumberFormat};
use hpfracc_types::Real;
use wgpu::Features;

/// Tested triples of numbers.
const TRIPLES: usize = 1024;

impl Gpu {
    /// What generated shaders in a format may use of this device: measured where the device does not tell.
    pub(crate) fn shader_capabilities(
        &self,
        format: NumberFormat,
    ) -> Result<Capabilities, GpuError> {
        let integers_of_64_bits = self.has(Features::SHADER_INT64);
        if format == NumberFormat::Double && !integers_of_64_bits {
            let feature = "integers of 64 bits in shaders";
            return Err(GpuError::MissingFeature { device: self.name().to_owned(), feature });
        }
        Ok(Capabilities { fused: self.is_fused(format)?, integers_of_64_bits })
    }

    fn is_fused(&self, format: NumberFormat) -> Result<bool, GpuError> {
        match self.fused(format).get() {
            Some(fused) => Ok(*fused),
            None => self.block_on(self.measure_fused_once(format)),
        }
    }

    /// Measures whether `fma` is fused, unless it is known.
    pub(crate) async fn measure_fused_once(&self, format: NumberFormat) -> Result<bool, GpuError> {
        let known = self.fused(format);
        if let Some(fused) = known.get() {
            return Ok(*fused);
        }
        let source = include_str!("fused.wgsl");
        let fused = match format {
            NumberFormat::Double => {
                self.measure_fused::<f64>(&format!("alias real = f64;\n{source}")).await?
            }
            _ => self.measure_fused::<f32>(&format!("alias real = f32;\n{source}")).await?,
        };
        Ok(*known.get_or_init(|| fused))
    }

    /// Compares products that nearly cancel with those of the host, where a second rounding shows.
    async fn measure_fused<T: Real + Pod>(&self, source: &str) -> Result<bool, GpuError> {
        let pipeline = self.pipeline(source, "self_test")?;
        let number = |i: usize| T::narrow((0.618 * i as f64).sin());
        let triple = |i: usize| {
            let (a, b) = (number(2 * i + 1), number(2 * i + 2));
            [a, b, if i.is_multiple_of(2) { -(a * b) } else { number(i + 7) }]
        };
        let triples: Vec<T> = (0..TRIPLES).flat_map(triple).collect();
        let sizes = self.uniform([TRIPLES, 0, 0, 0]);
        let mut computed = vec![T::zero(); TRIPLES];
        let called = self.call(&triples, &mut computed, |pass, [input, output]| {
            let grid = [TRIPLES.div_ceil(64) as u32, 1];
            self.dispatch(pass, &pipeline, &[input, output, &sizes], grid);
        });
        called.await?;
        let exact = triples.chunks_exact(3).map(|triple| triple[0].mul_add(triple[1], triple[2]));
        Ok(computed.iter().zip(exact).all(|(computed, exact)| *computed == exact))
    }
}
