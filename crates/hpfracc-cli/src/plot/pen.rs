//! Colours, fonts and lines of all pictures.

use super::area::{Area, Drawn};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Blue, vermilion, green, purple and sky blue of the Okabe-Ito palette, safe for colour blindness.
pub(super) const CURVES: [RGBColor; 5] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
];
/// Orange of the palette, for filled values.
const FILLED: RGBColor = RGBColor(230, 159, 0);
pub(super) const INK: RGBColor = RGBColor(40, 40, 40);
pub(super) const FAINT: RGBColor = RGBColor(225, 225, 225);
/// Opacity of pale areas.
pub(super) const PALE: f64 = 0.22;
/// Space left of the vertical axis for its label and its ticks.
pub(super) const MARGIN: f64 = 14.0;
pub(super) const LABELS: f64 = 66.0;
/// Space right of a chart.
pub(super) const RIGHT: f64 = 24.0;

/// Lengths, fonts and lines at the scale of the canvas.
pub(super) struct Pen {
    scale: f64,
}

impl Pen {
    pub(super) fn new(scale: f64) -> Self {
        Self { scale }
    }

    /// Length in pixels.
    pub(super) fn px(&self, length: f64) -> i32 {
        (length * self.scale).round() as i32
    }

    pub(super) fn font(&self, size: f64) -> TextStyle<'static> {
        ("sans-serif", size * self.scale).into_font().color(&INK)
    }

    /// Width of a text, 0 for a missing glyph.
    pub(super) fn width(&self, text: &str, size: f64) -> i32 {
        self.font(size).font.box_size(text).map_or(0, |(width, _)| width as i32)
    }

    /// Text, truncated to this width.
    pub(super) fn fitting(&self, text: &str, size: f64, room: i32) -> String {
        let mut fitting = text.to_owned();
        let mut chars: Vec<char> = text.chars().collect();
        while self.width(&fitting, size) > room && chars.pop().is_some() {
            fitting = chars.iter().chain(['\u{2026}'].iter()).collect();
        }
        fitting
    }

    pub(super) fn line(&self, color: RGBColor, width: f64) -> ShapeStyle {
        color.stroke_width(self.px(width).max(1) as u32)
    }

    /// Builder of a chart below a heading, with space for the labels of both axes.
    pub(super) fn chart<'a, 'b>(
        &self,
        area: &'a Area<'b>,
        heading: i32,
        axis: i32,
    ) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
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
    pub(super) fn pale(&self, color: RGBColor, width: f64) -> ShapeStyle {
        color.mix(2.5 * PALE).stroke_width(self.px(width).max(1) as u32)
    }

    /// Line of filled values.
    pub(super) fn filled(&self) -> ShapeStyle {
        self.line(FILLED, 2.6)
    }

    pub(super) fn write_title(&self, area: &Area<'_>, title: &str) -> Drawn {
        let (width, _) = area.dim_in_pixel();
        let style = self.font(21.0).pos(Pos::new(HPos::Center, VPos::Center));
        area.draw_text(title, &style, (width as i32 / 2, self.px(24.0)))
    }
}
