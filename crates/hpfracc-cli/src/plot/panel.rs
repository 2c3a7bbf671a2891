//! Panel: a time series with its axes.

use super::area::{Area, Drawn};
use super::curve::{finite_runs, thin};
use super::pen::{CURVES, FAINT, FILLED, INK, LABELS, MARGIN, Pen, RIGHT};
use super::ticks;
use crate::input::TimeFormat;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

/// Time series with its own vertical axis.
#[derive(Debug, Clone, Copy)]
pub struct Panel<'a> {
    /// Title.
    pub title: &'a str,
    /// Label of the vertical axis.
    pub label: &'a str,
    /// Value for every time; values that are not finite break the line.
    pub values: &'a [f64],
    /// Runs of filled values, drawn in another colour.
    pub filled: &'a [Range<usize>],
}

/// Time axis that the panels of a picture share.
pub(super) struct Frame<'a> {
    time_label: &'a str,
    time_format: TimeFormat,
    pen: &'a Pen,
    times: Vec<f64>,
    range: Range<f64>,
}

impl<'a> Frame<'a> {
    pub(super) fn new(
        (time_label, time_format): (&'a str, TimeFormat),
        times: &[f64],
        pen: &'a Pen,
    ) -> Self {
        let times: Vec<f64> = times.iter().map(|t| ticks::position(time_format, *t)).collect();
        let range = match (times.first(), times.last()) {
            (Some(&first), Some(&last)) if first < last => first..last,
            _ => ticks::value_range(&times),
        };
        Self { time_label, time_format, pen, times, range }
    }

    fn time_text(&self, position: f64) -> String {
        ticks::time_text(self.time_format, position, &self.range)
    }
}

/// Draws a panel; its index chooses the colour. `axis` is the height of the time axis below the
/// curve, or 0.
pub(super) fn draw_panel(
    frame: &Frame<'_>,
    area: &Area<'_>,
    (index, panel): (usize, &Panel<'_>),
    axis: i32,
) -> Drawn {
    let pen = frame.pen;
    let values = ticks::value_range(panel.values);
    let heading = pen.px(26.0);
    let mut chart = pen.chart(area, heading, axis);
    let mut chart = chart.build_cartesian_2d(frame.range.clone(), values.clone())?;
    let mut mesh = chart.configure_mesh();
    mesh.x_labels(if frame.time_format == TimeFormat::Number { 12 } else { 10 })
        .y_labels(6)
        .max_light_lines(0)
        .bold_line_style(pen.line(FAINT, 0.8))
        .axis_style(pen.line(INK, 0.8))
        .label_style(pen.font(14.0))
        .axis_desc_style(pen.font(15.0))
        .set_all_tick_mark_size(pen.px(4.0));
    let time_text = |t: &f64| frame.time_text(*t);
    let value_text = |v: &f64| ticks::text(*v, &values);
    mesh.x_label_formatter(&time_text).y_label_formatter(&value_text).y_desc(panel.label);
    if axis > 0 {
        mesh.x_desc(frame.time_label);
    }
    mesh.draw()?;

    let style = pen.line(CURVES[index % CURVES.len()], 1.5);
    for run in finite_runs(panel.values) {
        let points = thin(&frame.times[run.clone()], &panel.values[run]);
        chart.draw_series(LineSeries::new(points, style))?;
    }
    for run in panel.filled {
        // The line includes the neighbours that were interpolated between.
        let wide = run.start.saturating_sub(1)..(run.end + 1).min(panel.values.len());
        let points = thin(&frame.times[wide.clone()], &panel.values[wide]);
        chart.draw_series(LineSeries::new(points, pen.line(FILLED, 2.6)))?;
    }
    write_heading(pen, area, panel, heading)
}

fn write_heading(pen: &Pen, area: &Area<'_>, panel: &Panel<'_>, heading: i32) -> Drawn {
    let (left, middle) = (pen.px(MARGIN + LABELS), heading / 2);
    let style = pen.font(15.0).pos(Pos::new(HPos::Left, VPos::Center));
    area.draw_text(panel.title, &style, (left, middle))?;
    if panel.filled.is_empty() {
        return Ok(());
    }
    let count: usize = panel.filled.iter().map(Range::len).sum();
    let text = format!("filled linearly ({count} values)");
    let right = area.dim_in_pixel().0 as i32 - pen.px(RIGHT);
    let style = pen.font(14.0).pos(Pos::new(HPos::Right, VPos::Center));
    area.draw_text(&text, &style, (right, middle))?;
    let (width, _) = area.estimate_text_size(&text, &style)?;
    let end = right - width as i32;
    let key = vec![(end - pen.px(26.0), middle), (end, middle)];
    area.draw(&PathElement::new(key, pen.line(FILLED, 2.6)))
}
