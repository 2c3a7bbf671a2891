//! Pictures: panels above each other on one time axis, as SVG or PNG.
//!
//! The letters come with the program, so that a picture looks the same on a machine without fonts.

mod panel;
mod ticks;

use crate::Error;
use crate::clock::Clock;
use panel::{Frame, draw_panel};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::register_font;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::fmt::Display;
use std::ops::Range;
use std::path::Path;
use std::sync::Once;

/// The kinds of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Lines and letters, sharp at every size.
    Svg,
    /// Pixels, 1920 by 1280.
    Png,
}

impl Format {
    /// The format that a file name asks for.
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

/// One curve with its own vertical axis.
#[derive(Debug, Clone, Copy)]
pub struct Panel<'a> {
    /// What is drawn, above the panel.
    pub title: &'a str,
    /// Name of the vertical axis.
    pub label: &'a str,
    /// A value for every time; those that are not finite are left out.
    pub values: &'a [f64],
    /// Runs of values that were filled in, drawn in another colour.
    pub filled: &'a [Range<usize>],
}

/// Panels above each other on one time axis.
#[derive(Debug, Clone, Copy)]
pub struct Picture<'a> {
    /// The title.
    pub title: &'a str,
    /// Name of the time axis.
    pub time_label: &'a str,
    /// How times are written.
    pub clock: Clock,
    /// The times: days since 1970-01-01 if the clock shows dates.
    pub times: &'a [f64],
    /// The panels from top to bottom.
    pub panels: &'a [Panel<'a>],
}

const WIDTH: u32 = 960;
const HEIGHT: u32 = 640;
/// Pixels of a PNG for each unit of an SVG.
const PNG_SCALE: u32 = 2;
/// Coordinates are drawn as whole numbers; each is this part of a unit.
const FINENESS: u32 = 8;

impl Picture<'_> {
    /// Draws the picture into memory.
    ///
    /// # Errors
    /// [`Error::Drawing`] if the drawing library fails.
    pub fn draw(&self, format: Format) -> Result<Vec<u8>, Error> {
        let svg = self.as_svg()?;
        match format {
            Format::Svg => Ok(svg.into_bytes()),
            Format::Png => to_png(&svg),
        }
    }

    fn as_svg(&self) -> Result<String, Error> {
        provide_letters()?;
        let (width, height) = (WIDTH * FINENESS, HEIGHT * FINENESS);
        let mut svg = String::new();
        let backend = SVGBackend::with_string(&mut svg, (width, height));
        self.draw_on(&backend.into_drawing_area(), f64::from(FINENESS))?;
        // Shown at its nominal size; the coordinates stay as fine as they are.
        let drawn = format!("width=\"{width}\" height=\"{height}\"");
        let shown = format!("width=\"{WIDTH}\" height=\"{HEIGHT}\"");
        Ok(svg.replacen(&drawn, &shown, 1).replace(is_no_xml, "\u{fffd}"))
    }

    fn draw_on<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        scale: f64,
    ) -> Result<(), Error> {
        let frame = Frame::new(self, scale);
        area.fill(&WHITE).map_err(failed)?;
        let (title, body) = area.split_vertically(frame.px(44.0));
        frame.write_title(&title).map_err(failed)?;
        // The lowest panel carries the time axis; the curves keep equal heights.
        let axis = frame.px(44.0);
        let (_, height) = body.dim_in_pixel();
        let each = (height as i32 - axis) / self.panels.len().max(1) as i32;
        let mut rest = body;
        for index in 0..self.panels.len() {
            let last = index + 1 == self.panels.len();
            let (area, below) = rest.split_vertically(if last { each + axis } else { each });
            draw_panel(&frame, &area, index, if last { axis } else { 0 }).map_err(failed)?;
            rest = below;
        }
        rest.present().map_err(failed)
    }
}

/// Characters that may not stand in a document, not even escaped.
fn is_no_xml(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

fn failed(reason: impl Display) -> Error {
    Error::Drawing { reason: reason.to_string() }
}

/// Registers the font once, under the name that an SVG viewer looks up on its own.
fn provide_letters() -> Result<(), Error> {
    static ONCE: Once = Once::new();
    let mut outcome = Ok(());
    ONCE.call_once(|| {
        outcome =
            register_font("sans-serif", FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT)
                .map_err(|_| failed("the built-in font is not readable"));
    });
    outcome
}

/// The same lines and letters as pixels.
fn to_png(svg: &str) -> Result<Vec<u8>, Error> {
    let mut options = Options { font_family: "Ubuntu".to_owned(), ..Options::default() };
    let letters = options.fontdb_mut();
    letters.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    letters.set_sans_serif_family("Ubuntu");
    let tree = Tree::from_str(svg, &options).map_err(failed)?;
    let mut pixels = Pixmap::new(WIDTH * PNG_SCALE, HEIGHT * PNG_SCALE)
        .ok_or_else(|| failed("no room for the pixels"))?;
    let scale = Transform::from_scale(PNG_SCALE as f32, PNG_SCALE as f32);
    resvg::render(&tree, scale, &mut pixels.as_mut());
    pixels.encode_png().map_err(failed)
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

    #[test]
    fn draws_what_has_no_range() {
        let flat = [1.0, 1.0, 1.0];
        let none = [f64::NAN, f64::INFINITY, f64::NAN];
        let panel = |values| Panel { title: "", label: "", values, filled: &[] };
        let picture = Picture {
            title: "",
            time_label: "t",
            clock: Clock::Number,
            times: &[0.0, 1.0, 2.0],
            panels: &[panel(&flat), panel(&none)],
        };
        let svg = String::from_utf8(picture.draw(Format::Svg).unwrap()).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}
