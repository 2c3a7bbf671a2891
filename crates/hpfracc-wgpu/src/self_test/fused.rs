//! Whether the device's `fma` has one rounding.

use crate::{Gpu, GpuError};
use hpfracc_equation::wgsl::Capabilities;
use wgpu::Features;

/// Tested triples of numbers.
const TRIPLES: usize = 1024;

impl Gpu {
    /// What generated shaders may use of this device: measured where the device does not tell.
    pub(crate) fn shader_capabilities(&self) -> Result<Capabilities, GpuError> {
        Ok(Capabilities {
            fused: self.is_fused()?,
            integers_of_64_bits: self.has(Features::SHADER_INT64),
        })
    }

    fn is_fused(&self) -> Result<bool, GpuError> {
        match self.fused().get() {
            Some(fused) => Ok(*fused),
            None => self.measure_fused().map(|fused| *self.fused().get_or_init(|| fused)),
        }
    }

    /// Compares products that nearly cancel with those of the host, where a second rounding shows.
    fn measure_fused(&self) -> Result<bool, GpuError> {
        let pipeline = self.pipeline(include_str!("fused.wgsl"), "self_test")?;
        let number = |i: usize| (0.618 * i as f64).sin() as f32;
        let triple = |i: usize| {
            let (a, b) = (number(2 * i + 1), number(2 * i + 2));
            [a, b, if i.is_multiple_of(2) { -(a * b) } else { number(i + 7) }]
        };
        let triples: Vec<f32> = (0..TRIPLES).flat_map(triple).collect();
        let sizes = self.uniform([TRIPLES, 0, 0, 0]);
        let mut computed = vec![0.0f32; TRIPLES];
        self.block_on(self.call(&triples, &mut computed, |pass, [input, output]| {
            let grid = [TRIPLES.div_ceil(64) as u32, 1];
            self.dispatch(pass, &pipeline, &[input, output, &sizes], grid);
        }))?;
        let exact = triples.chunks_exact(3).map(|triple| triple[0].mul_add(triple[1], triple[2]));
        Ok(computed.iter().zip(exact).all(|(computed, exact)| *computed == exact))
    }
}
