//! Encoder of animated PNG: each frame has the smallest rectangle that differs from the frame
//! before.
//!
//! Format: W3C, Portable Network Graphics (PNG) Specification (Third Edition), 2025, sections
//! 11.3.6 and 12 on acTL, fcTL and fdAT, <https://www.w3.org/TR/png-3>.

use crate::PlotError;
use crate::canvas::Pixels;
use png::{BitDepth, BlendOp, ColorType, Compression, DisposeOp, Encoder, EncodingError, Filter};
use std::io::Write;
use std::time::Duration;

/// Time between frames in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DelayMillis(u16);

impl DelayMillis {
    pub(super) fn new(delay: Duration) -> Result<Self, PlotError> {
        let millis = (delay.as_nanos() + 500_000) / 1_000_000;
        match u16::try_from(millis) {
            Ok(millis) if millis > 0 => Ok(Self(millis)),
            _ => Err(PlotError::Delay { found: delay }),
        }
    }
}

/// Writes an animation that loops forever; all frames have the size of the first one.
pub(super) fn encode(
    out: impl Write,
    name: &str,
    delay: DelayMillis,
    mut frames: impl ExactSizeIterator<Item = Result<Pixels, PlotError>>,
) -> Result<(), PlotError> {
    let failed = |error| match error {
        EncodingError::IoError(source) => PlotError::Write { name: name.to_owned(), source },
        other => PlotError::Drawing { reason: other.to_string() },
    };
    let count = frames.len();
    let Some(first) = frames.next() else { return Ok(()) };
    let mut last = first?;
    let mut encoder = Encoder::new(out, last.size.0, last.size.1);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    encoder.set_filter(Filter::Adaptive);
    let frame_count = u32::try_from(count)
        .map_err(|_| PlotError::Drawing { reason: format!("{count} frames are too many") })?;
    encoder.set_animated(frame_count, 0).map_err(failed)?;
    encoder.set_frame_delay(delay.0, 1000).map_err(failed)?;
    encoder.set_dispose_op(DisposeOp::None).map_err(failed)?;
    encoder.set_blend_op(BlendOp::Source).map_err(failed)?;
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&last.rgb).map_err(failed)?;
    for frame in frames {
        let frame = frame?;
        let changed = Patch::between(&last, &frame);
        writer.reset_frame_position().map_err(failed)?;
        writer.set_frame_dimension(changed.size.0, changed.size.1).map_err(failed)?;
        writer.set_frame_position(changed.left, changed.top).map_err(failed)?;
        writer.write_image_data(&changed.of(&frame)).map_err(failed)?;
        last = frame;
    }
    writer.finish().map_err(failed)
}

/// Rectangle of pixels.
#[derive(Debug, PartialEq, Eq)]
struct Patch {
    left: u32,
    top: u32,
    size: (u32, u32),
}

impl Patch {
    /// Smallest rectangle outside of which two pictures of the same size are equal; at least a
    /// pixel.
    fn between(before: &Pixels, after: &Pixels) -> Self {
        let stride = 3 * after.size.0 as usize;
        let (mut left, mut right) = (usize::MAX, 0);
        let (mut top, mut bottom) = (usize::MAX, 0);
        let rows = before.rgb.chunks_exact(stride).zip(after.rgb.chunks_exact(stride));
        for (row, (old, new)) in rows.enumerate() {
            let differs = |k: &usize| old[*k] != new[*k];
            let Some(from) = (0..stride).find(differs) else { continue };
            let to = (from..stride).rfind(differs).unwrap_or(from);
            (left, right) = (left.min(from / 3), right.max(to / 3));
            (top, bottom) = (top.min(row), row);
        }
        if top == usize::MAX {
            return Self { left: 0, top: 0, size: (1, 1) };
        }
        let size = ((right - left + 1) as u32, (bottom - top + 1) as u32);
        Self { left: left as u32, top: top as u32, size }
    }

    /// Its pixels.
    fn of(&self, picture: &Pixels) -> Vec<u8> {
        let stride = 3 * picture.size.0 as usize;
        let (left, width) = (3 * self.left as usize, 3 * self.size.0 as usize);
        let rows = picture.rgb.chunks_exact(stride);
        let rows = rows.skip(self.top as usize).take(self.size.1 as usize);
        rows.flat_map(|row| &row[left..left + width]).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_fit_into_the_file() {
        let millis = |millis| DelayMillis::new(Duration::from_millis(millis));
        assert_eq!(millis(1).unwrap(), DelayMillis(1));
        assert_eq!(millis(65_535).unwrap(), DelayMillis(65_535));
        assert_eq!(DelayMillis::new(Duration::from_micros(33_333)).unwrap(), DelayMillis(33));
        assert_eq!(
            millis(0).unwrap_err().to_string(),
            "the delay between frames is 0ns, expected 1 ms to 65.535 s"
        );
        for delay in [Duration::from_secs(66), Duration::from_nanos(499_999), Duration::MAX] {
            assert!(matches!(DelayMillis::new(delay), Err(PlotError::Delay { .. })));
        }
    }

    #[test]
    fn patches_hold_all_differences() {
        let picture = |changed: &[usize]| {
            let mut rgb = vec![0; 3 * 5 * 4];
            changed.iter().for_each(|pixel| rgb[3 * pixel + 1] = 9);
            Pixels { size: (5, 4), rgb }
        };
        let (before, after) = (picture(&[]), picture(&[6, 13]));
        let patch = Patch::between(&before, &after);
        assert_eq!(patch, Patch { left: 1, top: 1, size: (3, 2) });
        let pixels = patch.of(&after);
        assert_eq!((pixels.len(), pixels[1], pixels[16]), (18, 9, 9));
        assert_eq!(pixels.iter().filter(|byte| **byte != 0).count(), 2);
        assert_eq!(Patch::between(&after, &after).size, (1, 1));
    }
}
