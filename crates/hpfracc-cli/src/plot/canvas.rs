//! Canvas: rendering of drawings as SVG or PNG.

use super::Format;
use super::area::{Area, Drawn};
use super::pen::Pen;
use crate::Error;
use plotters::prelude::*;
use plotters::style::register_font;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::fmt::Display;
use std::sync::LazyLock;

const WIDTH: u32 = 960;
/// Default height of a picture.
pub(super) const HEIGHT: u32 = 640;
/// Pixels of a PNG per unit of an SVG.
const PNG_SCALE: u32 = 2;
/// Coordinates per unit: drawing coordinates are integers.
const FINENESS: u32 = 8;

/// Draws a titled picture into memory; `body` draws the area below the title.
pub(super) fn draw(
    format: Format,
    title: &str,
    height: u32,
    body: impl FnOnce(&Area<'_>, &Pen) -> Drawn,
) -> Result<Vec<u8>, Error> {
    let svg = as_svg(title, height, body)?;
    match format {
        Format::Svg => Ok(svg.into_bytes()),
        Format::Png => to_png(&svg, height),
    }
}

/// Pen of every canvas, with the font registered, so that texts can be measured first.
pub(super) fn pen() -> Result<Pen, Error> {
    // Registered once, under the generic name that SVG viewers resolve.
    static IS_REGISTERED: LazyLock<bool> = LazyLock::new(|| {
        register_font("sans-serif", FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT).is_ok()
    });
    if !*IS_REGISTERED {
        return Err(failed("the built-in font is not readable"));
    }
    Ok(Pen::new(f64::from(FINENESS)))
}

/// Width of every canvas, for this pen.
pub(super) fn width(pen: &Pen) -> i32 {
    pen.px(f64::from(WIDTH))
}

fn as_svg(
    title: &str,
    height: u32,
    body: impl FnOnce(&Area<'_>, &Pen) -> Drawn,
) -> Result<String, Error> {
    let pen = pen()?;
    let (width, fine) = (WIDTH * FINENESS, height * FINENESS);
    let mut svg = String::new();
    let sheet = SVGBackend::with_string(&mut svg, (width, fine)).into_drawing_area();
    sheet.fill(&WHITE).map_err(failed)?;
    let (heading, below) = sheet.split_vertically(pen.px(44.0));
    pen.write_title(&heading, title).map_err(failed)?;
    body(&below, &pen).map_err(failed)?;
    sheet.present().map_err(failed)?;
    drop((heading, below, sheet));
    // Displayed at its nominal size, with the fine coordinates.
    let drawn = format!("width=\"{width}\" height=\"{fine}\"");
    let shown = format!("width=\"{WIDTH}\" height=\"{height}\"");
    Ok(svg.replacen(&drawn, &shown, 1).replace(is_no_xml, "\u{fffd}"))
}

/// Characters that XML does not allow, even escaped.
fn is_no_xml(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

fn failed(reason: impl Display) -> Error {
    Error::Drawing { reason: reason.to_string() }
}

/// Renders an SVG as PNG.
fn to_png(svg: &str, height: u32) -> Result<Vec<u8>, Error> {
    let mut options = Options { font_family: "Ubuntu".to_owned(), ..Options::default() };
    let fonts = options.fontdb_mut();
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    fonts.set_sans_serif_family("Ubuntu");
    let tree = Tree::from_str(svg, &options).map_err(failed)?;
    let mut pixels = Pixmap::new(WIDTH * PNG_SCALE, height * PNG_SCALE)
        .ok_or_else(|| failed("not enough memory for the pixels"))?;
    let scale = Transform::from_scale(PNG_SCALE as f32, PNG_SCALE as f32);
    resvg::render(&tree, scale, &mut pixels.as_mut());
    pixels.encode_png().map_err(failed)
}
