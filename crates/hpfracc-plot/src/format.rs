use crate::PlotError;
use std::path::Path;

/// Format of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Vector graphics.
    Svg,
    /// Two pixels for each unit of the SVG, 1920 by 1280 for a [`Sheet`](crate::Sheet).
    Png,
}

impl Format {
    /// Format by the extension of a file name.
    ///
    /// # Errors
    /// [`PlotError::Format`] unless it ends in `.svg` or `.png`.
    pub fn of(path: &Path) -> Result<Self, PlotError> {
        let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        match extension.as_deref() {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ => Err(PlotError::Format { path: path.display().to_string() }),
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
            assert!(matches!(Format::of(Path::new(name)), Err(PlotError::Format { .. })));
        }
    }
}
