//! Pictures as SVG or PNG: panels of time series, charts of curves, and bars.
//!
//! The font is built in, so that pictures are the same on a machine without fonts.

mod area;
mod bars;
mod canvas;
mod chart;
mod curve;
mod legend;
mod pen;
mod picture;
mod sheet;
mod ticks;

use crate::Error;
use std::path::Path;

pub use bars::Bars;
pub use chart::{Axis, AxisScale, Chart};
pub use curve::{Curve, Mark, band};
pub use picture::{Panel, Picture};
pub use sheet::Sheet;

/// Format of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Vector graphics.
    Svg,
    /// 1920 by 1280 pixels; the height of [`Bars`] depends on their number.
    Png,
}

impl Format {
    /// Format by the extension of a file name.
    ///
    /// # Errors
    /// [`Error::PictureFormat`] unless it ends in `.svg` or `.png`.
    pub fn of(path: &Path) -> Result<Self, Error> {
        let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        match extension.as_deref() {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ => Err(Error::PictureFormat { path: path.display().to_string() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_decides_the_format() {
        assert_eq!(Format::of(Path::new("a/b.svg")).unwrap(), Format::Svg);
        assert_eq!(Format::of(Path::new("b.PNG")).unwrap(), Format::Png);
        for name in ["b", "b.pdf", ".svg"] {
            assert!(matches!(Format::of(Path::new(name)), Err(Error::PictureFormat { .. })));
        }
    }
}
