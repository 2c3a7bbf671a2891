//! Colours of the values of one or more maps.

use super::color_map::{diverging, sequential};
use crate::canvas::Palette;
use plotters::prelude::RGBColor;

/// Number of colours of values; odd, so that one is that of zero.
pub(super) const SHADES: usize = 255;
/// Index of cells without a finite value.
pub(super) const NONE: u8 = 255;
/// Their colour; no colour of a value is a grey as dark.
const GREY: [u8; 3] = [184, 184, 184];
/// Least ratio of the smaller to the larger of lowest and highest value around zero for which the
/// colours diverge from zero.
const COMPARABLE: f64 = 0.25;

/// Range of the colours, and their palette.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ColorScale {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) diverging: bool,
}

impl ColorScale {
    /// Scale of values from `low` to `high`: diverging and symmetric about zero for values of both
    /// signs that are comparable in size, else sequential.
    pub(super) fn new((low, high): (f64, f64)) -> Self {
        let (least, most) = (high.min(-low), high.max(-low));
        if low < high && least > 0.0 && least >= COMPARABLE * most {
            return Self { low: -most, high: most, diverging: true };
        }
        Self { low, high, diverging: false }
    }

    /// Index of the colour of a value.
    pub(super) fn index(&self, value: f64) -> u8 {
        if !value.is_finite() {
            return NONE;
        }
        let Self { low, high, .. } = *self;
        if low >= high {
            return (SHADES / 2) as u8;
        }
        // Halves, because the difference of two finite numbers may be infinite.
        let part = (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
        (part.clamp(0.0, 1.0) * (SHADES - 1) as f64).round() as u8
    }

    /// Colours of all indices.
    pub(super) fn palette(&self) -> Box<Palette> {
        let mut palette = Box::new([GREY; 256]);
        let color = if self.diverging { diverging } else { sequential };
        for (index, entry) in palette.iter_mut().take(SHADES).enumerate() {
            *entry = color(index as f64 / (SHADES - 1) as f64);
        }
        palette
    }
}

/// Colour of the drawing library.
pub(super) fn rgb([red, green, blue]: [u8; 3]) -> RGBColor {
    RGBColor(red, green, blue)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_number_is_the_lightest() {
        let scale = ColorScale::new((-0.5, 3.0));
        assert!(!scale.diverging);
        assert_eq!((scale.index(-0.5), scale.index(3.0)), (0, 254));
        assert_eq!(scale.palette()[0], sequential(0.0));
        assert_eq!(scale.palette()[254], sequential(1.0));
        assert_eq!(ColorScale::new((2.0, 2.0)).index(2.0), 127);
        for value in [f64::NAN, f64::INFINITY] {
            assert_eq!(scale.palette()[usize::from(scale.index(value))], GREY);
        }
        let scale = ColorScale::new((0.0, f64::MAX));
        assert_eq!((scale.index(0.0), scale.index(f64::MAX)), (0, 254));
    }

    #[test]
    fn both_signs_diverge_from_zero() {
        let scale = ColorScale::new((-1.0, 3.0));
        assert_eq!(scale, ColorScale { low: -3.0, high: 3.0, diverging: true });
        assert_eq!([-3.0, 0.0, 3.0].map(|value| scale.index(value)), [0, 127, 254]);
        let [red, green, blue] = scale.palette()[127];
        assert!(red == green && green == blue);
        let wide = ColorScale::new((f64::MIN, f64::MAX));
        assert_eq!([f64::MIN, 0.0, f64::MAX].map(|value| wide.index(value)), [0, 127, 254]);
        for values in [(-1.0, 5.0), (0.0, 1.0), (-1.0, 0.0), (1.0, 2.0), (0.0, 0.0)] {
            assert!(!ColorScale::new(values).diverging, "{values:?}");
        }
        // Infinities in wrong order: no finite value.
        assert!(!ColorScale::new((f64::INFINITY, f64::NEG_INFINITY)).diverging);
    }
}
