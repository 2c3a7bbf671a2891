//! Canvas: rendering of drawings as SVG or PNG.

mod backend;
mod labels;
mod pen;
mod raster;
mod typeface;

use crate::{Format, PlotError};
use labels::Labels;
use plotters::prelude::*;
use resvg::tiny_skia::{self, Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::cell::RefCell;
use std::fmt::Display;
use std::rc::Rc;
use typeface::Typeface;

pub(crate) use backend::{Area, Canvas, Drawn};
pub(crate) use pen::{CURVES, FAINT, INK, LABELS, MARGIN, PALE, Pen, RIGHT};
pub(crate) use raster::{Palette, Raster};

/// Default width and height of a picture.
pub(crate) const WIDTH: u32 = 960;
pub(crate) const HEIGHT: u32 = 640;
/// Pixels of a PNG per unit of an SVG.
const PNG_SCALE: u32 = 2;
/// Coordinates per unit: drawing coordinates are integers.
const FINENESS: u32 = 8;

/// Pixels of a picture, row after row from the top, red, green and blue of each.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Pixels {
    pub(crate) size: (u32, u32),
    pub(crate) rgb: Vec<u8>,
}

/// Draws a titled picture of this width and height into memory; `body` draws the area below the title.
pub(crate) fn draw(
    format: Format,
    title: &str,
    size: (u32, u32),
    body: impl FnOnce(&Area<'_>, &Pen) -> Drawn,
) -> Result<Vec<u8>, PlotError> {
    let drawing = Drawing::new(format, PNG_SCALE, title, size, body)?;
    match format {
        Format::Svg => Ok(drawing.to_svg()?.into_bytes()),
        Format::Png => drawing.to_pixmap()?.encode_png().map_err(failed),
    }
}

/// Draws a picture as [`draw`] does, with one pixel per unit.
pub(crate) fn draw_pixels(
    title: &str,
    size: (u32, u32),
    body: impl FnOnce(&Area<'_>, &Pen) -> Drawn,
) -> Result<Pixels, PlotError> {
    let pixmap = Drawing::new(Format::Png, 1, title, size, body)?.to_pixmap()?;
    // The background is opaque.
    let rgb = pixmap.pixels().iter().flat_map(|p| [p.red(), p.green(), p.blue()]).collect();
    Ok(Pixels { size, rgb })
}

/// Pen of every canvas, so that texts can be measured first.
pub(crate) fn pen() -> Result<Pen, PlotError> {
    Ok(Pen::new(f64::from(FINENESS), PNG_SCALE, built_in_typeface()?))
}

/// Width of a canvas of the default width, for this pen.
pub(crate) fn width(pen: &Pen) -> i32 {
    pen.px(f64::from(WIDTH))
}

fn built_in_typeface() -> Result<&'static Typeface, PlotError> {
    Typeface::get().ok_or_else(|| failed("the built-in font is not readable"))
}

/// Drawn picture: an SVG without a background, and the images between background and shapes.
struct Drawing {
    svg: String,
    rasters: Vec<Raster>,
    size: (u32, u32),
    /// Pixels per unit.
    resolution: u32,
}

impl Drawing {
    fn new(
        format: Format,
        resolution: u32,
        title: &str,
        (width, height): (u32, u32),
        body: impl FnOnce(&Area<'_>, &Pen) -> Drawn,
    ) -> Result<Self, PlotError> {
        let typeface = built_in_typeface()?;
        let pen = Pen::new(f64::from(FINENESS), resolution, typeface);
        let (fine_width, fine_height) = (width * FINENESS, height * FINENESS);
        let labels = Rc::new(RefCell::new(Labels::new(typeface, format)));
        let mut svg = String::new();
        let canvas = Canvas {
            svg: SVGBackend::with_string(&mut svg, (fine_width, fine_height)),
            typeface,
            labels: Rc::clone(&labels),
        };
        let sheet = canvas.into_drawing_area();
        let (heading, below) = sheet.split_vertically(pen.px(44.0));
        pen.write_title(&heading, title).map_err(failed)?;
        body(&below, &pen).map_err(failed)?;
        sheet.present().map_err(failed)?;
        drop((heading, below, sheet));
        let texts = labels.replace(Labels::new(typeface, format)).finish();
        let (shapes, end) =
            svg.rsplit_once("</svg>").ok_or_else(|| failed("the drawing is no SVG"))?;
        // Displayed at its nominal size, with the fine coordinates.
        let drawn = format!("width=\"{fine_width}\" height=\"{fine_height}\"");
        let shown = format!("width=\"{width}\" height=\"{height}\"");
        let svg = format!("{}{texts}</svg>{end}", shapes.replacen(&drawn, &shown, 1));
        Ok(Self { svg, rasters: pen.into_rasters(), size: (width, height), resolution })
    }

    fn to_svg(&self) -> Result<String, PlotError> {
        let (head, shapes) =
            self.svg.split_once(">\n").ok_or_else(|| failed("the drawing is no SVG"))?;
        let [width, height] = [self.size.0, self.size.1].map(|length| length * FINENESS);
        let pixel = FINENESS / self.resolution;
        let images: Result<String, _> = self.rasters.iter().map(|r| r.to_svg(pixel)).collect();
        let images = images.map_err(failed)?;
        let background = format!(
            "<rect x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\" opacity=\"1\" \
             fill=\"#FFFFFF\" stroke=\"none\"/>\n"
        );
        Ok(format!("{head}>\n{background}{images}{shapes}"))
    }

    fn to_pixmap(&self) -> Result<Pixmap, PlotError> {
        let tree = Tree::from_str(&self.svg, &Options::default()).map_err(failed)?;
        let [width, height] = [self.size.0, self.size.1].map(|length| length * self.resolution);
        let mut pixels =
            Pixmap::new(width, height).ok_or_else(|| failed("not enough memory for the pixels"))?;
        pixels.fill(tiny_skia::Color::WHITE);
        self.rasters.iter().for_each(|raster| raster.paint(&mut pixels));
        let scale = self.resolution as f32;
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
        Ok(pixels)
    }
}

fn failed(reason: impl Display) -> PlotError {
    PlotError::Drawing { reason: reason.to_string() }
}
