//! Colours, fonts and lines of all pictures.

use super::backend::{self, Area, Canvas, Drawn};
use super::raster::Raster;
use super::typeface::Typeface;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::cell::RefCell;

/// Blue, vermilion, green, purple and sky blue of the Okabe-Ito palette, safe for colour blindness.
pub(crate) const CURVES: [RGBColor; 5] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
];
/// Orange of the palette, for filled values.
const FILLED: RGBColor = RGBColor(230, 159, 0);
pub(crate) const INK: RGBColor = RGBColor(40, 40, 40);
pub(crate) const FAINT: RGBColor = RGBColor(225, 225, 225);
/// Opacity of pale areas.
pub(crate) const PALE: f64 = 0.22;
/// Space left of the vertical axis for its label and its ticks.
pub(crate) const MARGIN: f64 = 14.0;
pub(crate) const LABELS: f64 = 66.0;
/// Space right of a chart.
pub(crate) const RIGHT: f64 = 24.0;

/// Lengths, fonts and lines at the scale of the canvas.
pub(crate) struct Pen {
    scale: f64,
    /// Pixels of the picture per unit.
    resolution: u32,
    typeface: &'static Typeface,
    rasters: RefCell<Vec<Raster>>,
}

impl Pen {
    pub(super) fn new(scale: f64, resolution: u32, typeface: &'static Typeface) -> Self {
        Self { scale, resolution, typeface, rasters: RefCell::default() }
    }

    /// Length of a pixel of the picture in coordinates of the canvas.
    pub(crate) fn pixel(&self) -> i32 {
        (self.scale as u32 / self.resolution) as i32
    }

    /// Places an image between the background and all shapes.
    pub(crate) fn place(&self, raster: Raster) {
        self.rasters.borrow_mut().push(raster);
    }

    pub(super) fn into_rasters(self) -> Vec<Raster> {
        self.rasters.into_inner()
    }

    /// Length in pixels.
    pub(crate) fn px(&self, length: f64) -> i32 {
        (length * self.scale).round() as i32
    }

    pub(crate) fn font(&self, size: f64) -> TextStyle<'static> {
        ("sans-serif", size * self.scale).into_font().color(&INK)
    }

    /// Width of a text.
    pub(crate) fn width(&self, text: &str, size: f64) -> i32 {
        backend::width(self.typeface, text, size * self.scale)
    }

    /// Text, truncated to this width.
    pub(crate) fn fitting(&self, text: &str, size: f64, room: i32) -> String {
        let mut fitting = text.to_owned();
        let mut chars: Vec<char> = text.chars().collect();
        while self.width(&fitting, size) > room && chars.pop().is_some() {
            fitting = chars.iter().chain(['\u{2026}'].iter()).collect();
        }
        fitting
    }

    pub(crate) fn line(&self, color: RGBColor, width: f64) -> ShapeStyle {
        color.stroke_width(self.px(width).max(1) as u32)
    }

    /// Builder of a chart below a heading, with space for the labels of both axes.
    pub(crate) fn chart<'a, 'b>(
        &self,
        area: &'a Area<'b>,
        heading: i32,
        axis: i32,
    ) -> ChartBuilder<'a, 'b, Canvas<'b>> {
        let mut chart = ChartBuilder::on(area);
        chart
            .margin_right(self.px(RIGHT))
            .margin_top(heading)
            .margin_left(self.px(MARGIN))
            .margin_bottom(self.px(8.0))
            .set_label_area_size(LabelAreaPosition::Left, self.px(LABELS))
            .set_label_area_size(LabelAreaPosition::Bottom, axis);
        chart
    }

    /// Translucent line.
    pub(crate) fn pale(&self, color: RGBColor, width: f64) -> ShapeStyle {
        color.mix(2.5 * PALE).stroke_width(self.px(width).max(1) as u32)
    }

    /// Line of filled values.
    pub(crate) fn filled(&self) -> ShapeStyle {
        self.line(FILLED, 2.6)
    }

    pub(crate) fn write_title(&self, area: &Area<'_>, title: &str) -> Drawn {
        let (width, _) = area.dim_in_pixel();
        let style = self.font(21.0).pos(Pos::new(HPos::Center, VPos::Center));
        area.draw_text(title, &style, (width as i32 / 2, self.px(24.0)))
    }
}
