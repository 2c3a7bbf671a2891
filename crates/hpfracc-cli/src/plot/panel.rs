//! One panel: a curve with its axes.

use super::ticks;
use super::{Panel, Picture};
use crate::clock::Clock;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

/// Blue, vermilion, green, purple of Okabe and Ito: told apart with every kind of colour vision.
const CURVES: [RGBColor; 4] =
    [RGBColor(0, 114, 178), RGBColor(213, 94, 0), RGBColor(0, 158, 115), RGBColor(204, 121, 167)];
/// Their orange, for what was filled in.
const FILLED: RGBColor = RGBColor(230, 159, 0);
const INK: RGBColor = RGBColor(40, 40, 40);
const FAINT: RGBColor = RGBColor(225, 225, 225);
/// Space beside the vertical axis, for its name and its numbers.
const MARGIN: f64 = 14.0;
const LABELS: f64 = 66.0;
/// More points than this on one axis cannot be told apart.
const COLUMNS: usize = 1500;

/// What the panels of a picture share.
pub(super) struct Frame<'a> {
    picture: &'a Picture<'a>,
    scale: f64,
    times: Vec<f64>,
    range: Range<f64>,
}

impl<'a> Frame<'a> {
    pub(super) fn new(picture: &'a Picture<'a>, scale: f64) -> Self {
        let times: Vec<f64> =
            picture.times.iter().map(|t| ticks::position(picture.clock, *t)).collect();
        let range = match (times.first(), times.last()) {
            (Some(&first), Some(&last)) if first < last => first..last,
            _ => ticks::value_range(&times),
        };
        Self { picture, scale, times, range }
    }

    /// A length in pixels.
    pub(super) fn px(&self, length: f64) -> i32 {
        (length * self.scale).round() as i32
    }

    fn font(&self, size: f64) -> TextStyle<'static> {
        ("sans-serif", size * self.scale).into_font().color(&INK)
    }

    fn line(&self, color: RGBColor, width: f64) -> ShapeStyle {
        color.stroke_width(self.px(width).max(1) as u32)
    }

    pub(super) fn write_title<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        let (width, _) = area.dim_in_pixel();
        let style = self.font(21.0).pos(Pos::new(HPos::Center, VPos::Center));
        area.draw_text(self.picture.title, &style, (width as i32 / 2, self.px(24.0)))
    }

    fn time_text(&self, position: f64) -> String {
        ticks::time_text(self.picture.clock, position, &self.range)
    }
}

/// Draws a panel by its number; `axis` is the height left below the curve for the time axis, or 0.
pub(super) fn draw_panel<B: DrawingBackend>(
    frame: &Frame<'_>,
    area: &DrawingArea<B, Shift>,
    index: usize,
    axis: i32,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let panel = &frame.picture.panels[index];
    let values = ticks::value_range(panel.values);
    let heading = frame.px(26.0);
    let mut chart = ChartBuilder::on(area)
        .margin_right(frame.px(24.0))
        .margin_top(heading)
        .margin_left(frame.px(MARGIN))
        .margin_bottom(frame.px(8.0))
        .set_label_area_size(LabelAreaPosition::Left, frame.px(LABELS))
        .set_label_area_size(LabelAreaPosition::Bottom, axis)
        .build_cartesian_2d(frame.range.clone(), values.clone())?;
    let mut mesh = chart.configure_mesh();
    mesh.x_labels(if frame.picture.clock == Clock::Number { 12 } else { 10 })
        .y_labels(6)
        .max_light_lines(0)
        .bold_line_style(frame.line(FAINT, 0.8))
        .axis_style(frame.line(INK, 0.8))
        .label_style(frame.font(14.0))
        .axis_desc_style(frame.font(15.0))
        .set_all_tick_mark_size(frame.px(4.0));
    let time_text = |t: &f64| frame.time_text(*t);
    let value_text = |v: &f64| ticks::text(*v, &values);
    mesh.x_label_formatter(&time_text).y_label_formatter(&value_text).y_desc(panel.label);
    if axis > 0 {
        mesh.x_desc(frame.picture.time_label);
    }
    mesh.draw()?;

    let style = frame.line(CURVES[index % CURVES.len()], 1.5);
    for run in finite_runs(panel.values) {
        let points = thin(&frame.times[run.clone()], &panel.values[run]);
        chart.draw_series(LineSeries::new(points, style))?;
    }
    for run in panel.filled {
        // The neighbours belong to the line that was drawn between them.
        let wide = run.start.saturating_sub(1)..(run.end + 1).min(panel.values.len());
        let points = thin(&frame.times[wide.clone()], &panel.values[wide]);
        chart.draw_series(LineSeries::new(points, frame.line(FILLED, 2.6)))?;
    }
    write_heading(frame, area, panel, heading)
}

fn write_heading<B: DrawingBackend>(
    frame: &Frame<'_>,
    area: &DrawingArea<B, Shift>,
    panel: &Panel<'_>,
    heading: i32,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let (left, middle) = (frame.px(MARGIN + LABELS), heading / 2);
    let style = frame.font(15.0).pos(Pos::new(HPos::Left, VPos::Center));
    area.draw_text(panel.title, &style, (left, middle))?;
    if panel.filled.is_empty() {
        return Ok(());
    }
    let count: usize = panel.filled.iter().map(Range::len).sum();
    let text = format!("filled linearly ({count} values)");
    let right = area.dim_in_pixel().0 as i32 - frame.px(24.0);
    let style = frame.font(14.0).pos(Pos::new(HPos::Right, VPos::Center));
    area.draw_text(&text, &style, (right, middle))?;
    let (width, _) = area.estimate_text_size(&text, &style)?;
    let end = right - width as i32;
    let key = vec![(end - frame.px(26.0), middle), (end, middle)];
    area.draw(&PathElement::new(key, frame.line(FILLED, 2.6)))
}

/// Runs of values that can be drawn.
fn finite_runs(values: &[f64]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (k, value) in values.iter().enumerate() {
        match runs.last_mut() {
            _ if !value.is_finite() => {}
            Some(run) if run.end == k => run.end = k + 1,
            _ => runs.push(k..k + 1),
        }
    }
    runs
}

/// The points of a curve, or for a long one the least and the greatest value in each of many
/// columns, in their order: the same picture from far fewer points.
fn thin(times: &[f64], values: &[f64]) -> Vec<(f64, f64)> {
    let point = |k: usize| (times[k], values[k]);
    if values.len() <= 4 * COLUMNS {
        return (0..values.len()).map(point).collect();
    }
    let mut points = vec![point(0)];
    for column in 0..COLUMNS {
        let start = column * values.len() / COLUMNS;
        let end = (column + 1) * values.len() / COLUMNS;
        let by_value = |a: &usize, b: &usize| values[*a].total_cmp(&values[*b]);
        let least = (start..end).min_by(by_value).unwrap_or(start);
        let greatest = (start..end).max_by(by_value).unwrap_or(start);
        points.push(point(least.min(greatest)));
        points.push(point(least.max(greatest)));
    }
    points.push(point(values.len() - 1));
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_the_curve_where_it_is_not_finite() {
        let values = [f64::NAN, 1.0, 2.0, f64::INFINITY, 3.0];
        assert_eq!(finite_runs(&values), [1..3, 4..5]);
        assert!(finite_runs(&[]).is_empty());
    }

    #[test]
    fn thinning_keeps_every_spike() {
        let n = 100_000;
        let times: Vec<f64> = (0..n).map(f64::from).collect();
        let mut values = vec![0.0; n as usize];
        values[31_415] = 7.0;
        values[77_777] = -5.0;
        let points = thin(&times, &values);
        assert!(points.len() < 4000);
        assert!(points.contains(&(31_415.0, 7.0)) && points.contains(&(77_777.0, -5.0)));
        assert!(points.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        assert_eq!(points.last(), Some(&(99_999.0, 0.0)));
    }
}
