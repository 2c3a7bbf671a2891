use super::axis::{Axis, LinesOfSignal, Way};
use super::innermost::Innermost;
use super::symbol;
use crate::gpu::Uniform;
use crate::passes::{Arrays, DeviceBytes, Passes};
use crate::scalar::ShaderScalar;
use crate::{Gpu, GpuError, roots};
use hpfracc_backend::Workload;
use wgpu::ComputePass;

/// Spectral multipliers of signals with two to four axes longer than one.
///
/// ```text
/// y = F^-1 (m F x)
/// ```
///
/// First the transform along the first axis, of which real samples need only the frequencies
/// 0 .. n/2; then along the axes in the middle, in place; along the last one there, product and back
/// again in one pass; and all others back. Lengths that are no power of two go through Bluestein's
/// chirps, on the last axis through a longer circulant matrix, so that `work` is not padded.
///
/// Cost: `2 d - 1` passes over `work`, complex numbers half as many as samples. An axis fits if it
/// is a power of two up to the longest transform of a workgroup, or half as long.
///
/// Source: L. I. Bluestein, IEEE Trans. Audio Electroacoust. 18 (1970) 451,
/// doi:10.1109/TAU.1970.1162132.
pub(crate) struct Grid<T> {
    /// All axes but the last.
    outer: Vec<Axis<T>>,
    last: Innermost<T>,
    /// Length of the last axis.
    len: usize,
    /// Lines along the last axis in the half spectrum of a signal.
    lines: usize,
    /// Product of the lengths of the outer axes.
    frequencies: usize,
}

impl<T: ShaderScalar> Grid<T> {
    /// Axes of these lengths, at least two.
    pub(crate) fn new(gpu: &Gpu, lens: &[usize]) -> Result<Self, GpuError> {
        let (outer_lens, len) = (&lens[..lens.len() - 1], lens[lens.len() - 1]);
        let half = lens[0] / 2 + 1;
        let outer = (0..outer_lens.len()).map(|a| {
            let stride = lens[a + 1..].iter().product();
            // The first axis is halved before the others are transformed.
            let before = if a == 0 { 1 } else { half * lens[1..a].iter().product::<usize>() };
            Axis::new(gpu, LinesOfSignal { len: lens[a], stride, count: before * stride }, a == 0)
        });
        let lines = half * outer_lens[1..].iter().product::<usize>();
        Ok(Self {
            outer: outer.collect::<Result<_, _>>()?,
            last: Innermost::new(gpu, len, lines)?,
            len,
            lines,
            frequencies: outer_lens.iter().product(),
        })
    }
}

#[cfg(test)]
impl<T: ShaderScalar> Grid<T> {
    /// The shaders of arrays with these lengths, as if there were one more axis of the first length.
    pub(crate) fn sources(limits: &wgpu::Limits, [first, last]: [usize; 2]) -> Vec<String> {
        let [real, complex] = [true, false].map(|real| Axis::<T>::shaders(limits, first, real).1);
        let innermost = Innermost::<T>::shader(limits, last).1;
        real.into_iter().chain(complex).chain([innermost]).collect()
    }
}

impl<T: ShaderScalar> Passes for Grid<T> {
    fn bytes(&self) -> DeviceBytes {
        DeviceBytes {
            tables: self.last.bytes() + self.outer.iter().map(Axis::bytes).sum::<usize>(),
            spectrum: 2 * self.lines * self.last.points() * size_of::<T>(),
            work: 2 * self.lines * self.len * size_of::<T>(),
        }
    }

    fn spectrum(&self, workload: Workload, kernel: &[f64]) -> Vec<f64> {
        let Workload::SpectralMultiplier { shape, .. } = workload else {
            unreachable!("a grid is planned for spectral multipliers only")
        };
        let symbol = symbol::full(kernel, shape);
        let rows = &symbol[..self.lines * self.len];
        let factor = 1.0 / self.frequencies as f64;
        roots::pairs(symbol::embedded(rows, self.len, self.last.points(), factor))
    }

    fn sizes(&self, gpu: &Gpu, signals: usize, transposed: bool) -> Vec<Uniform> {
        let outer = self.outer.iter().map(|axis| axis.sizes(gpu, signals));
        outer.chain([self.last.sizes(gpu, signals, transposed)]).collect()
    }

    fn record(
        &self,
        gpu: &Gpu,
        pass: &mut ComputePass<'_>,
        arrays: &Arrays<'_>,
        sizes: &[Uniform],
        signals: usize,
    ) {
        for (axis, sizes) in self.outer.iter().zip(sizes) {
            axis.record(gpu, pass, Way::Forward, arrays, sizes, signals);
        }
        self.last.record(gpu, pass, arrays, &sizes[self.outer.len()], signals);
        for (axis, sizes) in self.outer.iter().zip(sizes).rev() {
            axis.record(gpu, pass, Way::Backward, arrays, sizes, signals);
        }
    }
}
