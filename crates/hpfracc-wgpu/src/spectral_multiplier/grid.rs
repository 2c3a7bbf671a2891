use super::axis::{Axis, Direction, SignalLines};
use super::innermost::Innermost;
use super::symbol;
use crate::fourier::roots;
use crate::plan::{BatchRecorder, DeviceBytes, Passes};
use crate::precision::Precision;
use crate::{Gpu, GpuError};
use hpfracc_backend::Workload;

/// Spectral multipliers of signals with two to four axes longer than one.
///
/// ```text
/// y = F^-1 (m F x)
/// ```
///
/// The first pass transforms along the first axis, of which real samples need only the frequencies
/// 0 .. n/2. Then follow the axes in the middle, in place; the last axis, with the forward
/// transform, the product and the inverse transform in one pass; and the inverse transforms of all
/// others. Lengths that are no power of two use Bluestein's chirps, on the last axis a longer
/// circulant matrix, so that the scratch array is not padded.
///
/// Cost: `2 d - 1` passes over the scratch array, which has half as many complex numbers as there
/// are samples. The length of an axis must be a power of two up to the longest transform of a
/// workgroup, or at most half as long.
///
/// Source: L. I. Bluestein, IEEE Trans. Audio Electroacoust. 18 (1970) 451,
/// doi:10.1109/TAU.1970.1162132.
pub(crate) struct Grid {
    /// All axes but the last.
    outer: Vec<Axis>,
    last: Innermost,
    /// Length of the last axis.
    len: usize,
    /// Lines along the last axis in the half spectrum of a signal.
    lines: usize,
    /// Product of the lengths of the outer axes.
    frequencies: usize,
    bytes: DeviceBytes,
}

impl Grid {
    /// Axes of these lengths, at least two.
    pub(crate) fn new<P: Precision>(gpu: &Gpu, lens: &[usize]) -> Result<Self, GpuError> {
        let (outer_lens, len) = (&lens[..lens.len() - 1], lens[lens.len() - 1]);
        let half = lens[0] / 2 + 1;
        let outer = (0..outer_lens.len()).map(|a| {
            let stride = lens[a + 1..].iter().product();
            // The first axis is halved before the others are transformed.
            let before = if a == 0 { 1 } else { half * lens[1..a].iter().product::<usize>() };
            let lines = SignalLines { len: lens[a], stride, count: before * stride };
            Axis::new::<P>(gpu, lines, a == 0)
        });
        let outer: Vec<Axis> = outer.collect::<Result<_, _>>()?;
        let lines = half * outer_lens[1..].iter().product::<usize>();
        let last = Innermost::new::<P>(gpu, len, lines)?;
        let outer_tables = outer.iter().map(Axis::bytes).sum::<usize>();
        let bytes = DeviceBytes {
            tables: 2 * last.points() * P::BYTES + outer_tables,
            kernel: 2 * lines * last.points() * P::BYTES,
            scratch: 2 * lines * len * P::BYTES,
        };
        Ok(Self { outer, last, len, lines, frequencies: outer_lens.iter().product(), bytes })
    }
}

#[cfg(test)]
impl Grid {
    /// The shaders of arrays with these lengths and one more axis of the first length.
    pub(crate) fn sources<P: Precision>(
        limits: &wgpu::Limits,
        [first, last]: [usize; 2],
    ) -> Vec<String> {
        let [real, complex] = [true, false].map(|real| Axis::shaders::<P>(limits, first, real).1);
        let innermost = Innermost::shader::<P>(limits, last).1;
        real.into_iter().chain(complex).chain([innermost]).collect()
    }
}

impl Passes for Grid {
    fn bytes(&self, _: usize) -> DeviceBytes {
        self.bytes
    }

    fn device_kernel(&self, workload: Workload, kernel: Vec<f64>) -> Vec<f64> {
        let Workload::SpectralMultiplier { shape, .. } = workload else {
            unreachable!("a grid is planned for spectral multipliers only")
        };
        let symbol = symbol::full(&kernel, shape);
        let rows = &symbol[..self.lines * self.len];
        let factor = 1.0 / self.frequencies as f64;
        roots::interleaved(symbol::embedded(rows, self.len, self.last.points(), factor))
    }

    fn record(&self, batch: &mut BatchRecorder<'_, '_>) {
        for axis in &self.outer {
            axis.record(batch, Direction::Forward);
        }
        self.last.record(batch);
        for axis in self.outer.iter().rev() {
            axis.record(batch, Direction::Backward);
        }
    }
}
