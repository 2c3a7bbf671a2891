//! Trigonometric multipliers: real transforms along each axis.

mod lines;

use crate::plan::{BatchRecorder, DeviceBytes, Passes};
use crate::precision::Precision;
use crate::{Gpu, GpuError};
use hpfracc_backend::RealTransform;
use lines::{AxisLines, Lines, Step};

/// Trigonometric multipliers of signals with one to four axes longer than one.
///
/// ```text
/// y = S (m S' x)
/// ```
///
/// The first pass transforms the lines along the first axis, then follow the axes in the middle, the
/// last axis with the product and its inverse transform in one pass, and the inverse transforms of
/// all others. Each line is one complex Fourier transform between factors; values and coefficients in
/// device memory are real, and the result array holds them from the first pass on, without scratch.
///
/// Cost: `2 d - 1` passes over the field for d axes. The length of an axis must be a power of two up
/// to the longest transform of a workgroup, or at most half as long (Bluestein's chirps).
///
/// Sources: J. Makhoul, IEEE Trans. Acoust. Speech Signal Process. 28 (1980) 27,
/// doi:10.1109/TASSP.1980.1163351; L. I. Bluestein, IEEE Trans. Audio Electroacoust. 18 (1970) 451,
/// doi:10.1109/TAU.1970.1162132.
pub(crate) struct Trigonometric {
    axes: Vec<Lines>,
    tables: usize,
}

impl Trigonometric {
    /// Axes of these lengths and transforms, at least one.
    pub(crate) fn new<P: Precision>(
        gpu: &Gpu,
        axes: &[(usize, RealTransform)],
    ) -> Result<Self, GpuError> {
        let lines = axis_lines(axes);
        let lines = lines.iter().enumerate();
        let lines =
            lines.map(|(axis, lines)| Lines::new::<P>(gpu, *lines, steps(axis, axes.len())));
        let axes: Vec<Lines> = lines.collect::<Result<_, _>>()?;
        let tables = axes.iter().map(Lines::bytes).sum();
        Ok(Self { axes, tables })
    }
}

#[cfg(test)]
impl Trigonometric {
    /// The shaders of fields with these axes.
    pub(crate) fn sources<P: Precision>(
        limits: &wgpu::Limits,
        axes: &[(usize, RealTransform)],
    ) -> Vec<String> {
        let each = axis_lines(axes).into_iter().enumerate();
        let sources = each.flat_map(|(axis, lines)| {
            let layout = Lines::layout::<P>(limits, lines);
            let source = move |step: &Step| Lines::shader::<P>(layout, lines, *step);
            steps(axis, axes.len()).iter().map(source)
        });
        sources.collect()
    }
}

/// The lines along each axis.
fn axis_lines(axes: &[(usize, RealTransform)]) -> Vec<AxisLines> {
    let total: usize = axes.iter().map(|(len, _)| len).product();
    let lines = |axis: usize| {
        let (len, transform) = axes[axis];
        let stride = axes[axis + 1..].iter().map(|(len, _)| len).product();
        AxisLines { len, transform, stride, count: total / len }
    };
    (0..axes.len()).map(lines).collect()
}

/// The passes over an axis, in their order.
fn steps(axis: usize, axes: usize) -> &'static [Step] {
    match (axis, axes) {
        (0, 1) => &[Step::Multiply],
        (axis, axes) if axis + 1 == axes => &[Step::MultiplyInPlace],
        (0, _) => &[Step::ToModes, Step::ToValues],
        _ => &[Step::ToModesInPlace, Step::ToValues],
    }
}

impl Passes for Trigonometric {
    fn bytes(&self, kernel: usize) -> DeviceBytes {
        DeviceBytes { tables: self.tables, kernel, scratch: 0 }
    }

    fn record(&self, batch: &mut BatchRecorder<'_, '_>) {
        let count = self.axes.len();
        for (axis, lines) in self.axes.iter().enumerate() {
            lines.record(batch, steps(axis, count)[0]);
        }
        for lines in self.axes[..count - 1].iter().rev() {
            lines.record(batch, Step::ToValues);
        }
    }
}
