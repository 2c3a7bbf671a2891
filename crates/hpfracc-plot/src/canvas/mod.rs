//! Canvas: rendering of drawings as SVG or PNG.

mod backend;
mod labels;
mod pen;
mod typeface;

use crate::{Format, PlotError};
use labels::Labels;
use plotters::prelude::*;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::cell::RefCell;
use std::fmt::Display;
use std::rc::Rc;
use typeface::Typeface;

pub(crate) use backend::{Area, Canvas, Drawn};
pub(crate) use pen::{CURVES, FAINT, INK, LABELS, MARGIN, PALE, Pen, RIGHT};

/// Default width and height of a picture.
pub(crate) const WIDTH: u32 = 960;
pub(crate) const HEIGHT: u32 = 640;
/// Pixels of a PNG per unit of an SVG.
const PNG_SCALE: u32 = 2;
/// Coordinates per unit: drawing coordinates are integers.
const FINENESS: u32 = 8;

/// Draws a titled picture of this width and height into memory; `body` draws the area below the title.
pub(crate) fn draw(
    format: Format,
    title: &str,
    size: (u32, u32),
    body: impl FnOnce(&Area<'_>, &Pen) -> Drawn,
) -> Result<Vec<u8>, PlotError> {
    let svg = as_svg(format, title, size, body)?;
    match format {
        Format::Svg => Ok(svg.into_bytes()),
        Format::Png => to_png(&svg, size),
    }
}

/// Pen of every canvas, so that texts can be measured first.
pub(crate) fn pen() -> Result<Pen, PlotError> {
    Ok(Pen::new(f64::from(FINENESS), built_in_typeface()?))
}

/// Width of a canvas of the default width, for this pen.
pub(crate) fn width(pen: &Pen) -> i32 {
    pen.px(f64::from(WIDTH))
}

fn built_in_typeface() -> Result<&'static Typeface, PlotError> {
    Typeface::get().ok_or_else(|| failed("the built-in font is not readable"))
}

fn as_svg(
    format: Format,
    title: &str,
    (width, height): (u32, u32),
    body: impl FnOnce(&Area<'_>, &Pen) -> Drawn,
) -> Result<String, PlotError> {
    let (pen, typeface) = (pen()?, built_in_typeface()?);
    let (fine_width, fine_height) = (width * FINENESS, height * FINENESS);
    let labels = Rc::new(RefCell::new(Labels::new(typeface, format)));
    let mut svg = String::new();
    let canvas = Canvas {
        svg: SVGBackend::with_string(&mut svg, (fine_width, fine_height)),
        typeface,
        labels: Rc::clone(&labels),
    };
    let sheet = canvas.into_drawing_area();
    sheet.fill(&WHITE).map_err(failed)?;
    let (heading, below) = sheet.split_vertically(pen.px(44.0));
    pen.write_title(&heading, title).map_err(failed)?;
    body(&below, &pen).map_err(failed)?;
    sheet.present().map_err(failed)?;
    drop((heading, below, sheet));
    let texts = labels.replace(Labels::new(typeface, format)).finish();
    let (shapes, end) = svg.rsplit_once("</svg>").ok_or_else(|| failed("the drawing is no SVG"))?;
    // Displayed at its nominal size, with the fine coordinates.
    let drawn = format!("width=\"{fine_width}\" height=\"{fine_height}\"");
    let shown = format!("width=\"{width}\" height=\"{height}\"");
    Ok(format!("{}{texts}</svg>{end}", shapes.replacen(&drawn, &shown, 1)))
}

fn failed(reason: impl Display) -> PlotError {
    PlotError::Drawing { reason: reason.to_string() }
}

/// Renders an SVG as PNG.
fn to_png(svg: &str, (width, height): (u32, u32)) -> Result<Vec<u8>, PlotError> {
    let tree = Tree::from_str(svg, &Options::default()).map_err(failed)?;
    let mut pixels = Pixmap::new(width * PNG_SCALE, height * PNG_SCALE)
        .ok_or_else(|| failed("not enough memory for the pixels"))?;
    let scale = Transform::from_scale(PNG_SCALE as f32, PNG_SCALE as f32);
    resvg::render(&tree, scale, &mut pixels.as_mut());
    pixels.encode_png().map_err(failed)
}
