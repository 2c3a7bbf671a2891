//! Charts of curves: time series, phase portraits, errors.

use super::area::{Area, Drawn};
use super::curve::{Curve, Mark, apart, finite_runs, thin};
use super::legend::{Legend, dot, ring};
use super::pen::{FAINT, INK, LABELS, MARGIN, PALE, Pen, RIGHT};
use super::ticks;
use crate::input::TimeFormat;
use plotters::prelude::*;
use std::ops::Range;

/// Axis of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Axis<'a> {
    /// Quantity with its unit. A horizontal axis without a name has no ticks either, and shares the
    /// axis of the chart below.
    pub name: &'a str,
    /// Scale.
    pub scale: AxisScale,
}

/// Scale of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisScale {
    /// Linear.
    Linear,
    /// Logarithmic over whole decades; values that are not positive are skipped.
    Log,
    /// Linear in times of this format; dates are days since 1970-01-01.
    Time(TimeFormat),
}

impl<'a> Axis<'a> {
    /// Linear axis.
    pub fn linear(name: &'a str) -> Self {
        Self { name, scale: AxisScale::Linear }
    }

    /// Logarithmic axis over whole decades.
    pub fn log(name: &'a str) -> Self {
        Self { name, scale: AxisScale::Log }
    }

    /// Time axis.
    pub fn time(name: &'a str, time_format: TimeFormat) -> Self {
        Self { name, scale: AxisScale::Time(time_format) }
    }

    /// Position of a value.
    fn position(self, value: f64) -> f64 {
        match self.scale {
            AxisScale::Linear => value,
            AxisScale::Log if value > 0.0 => value.log10(),
            AxisScale::Log => f64::NAN,
            AxisScale::Time(time_format) => ticks::position(time_format, value),
        }
    }

    /// Range of the axis, without a margin if `tight`.
    fn range(self, positions: &[f64], tight: bool) -> Range<f64> {
        if self.scale == AxisScale::Log {
            return ticks::decades(positions);
        }
        let (low, high) = ticks::extremes(positions);
        if tight && low < high { low..high } else { ticks::value_range(positions) }
    }

    /// Number of labels that fit; on a logarithmic axis at most one per decade.
    fn count(self, length: i32, each: i32, range: &Range<f64>) -> usize {
        let room = (length / each).clamp(2, 12) as usize;
        match self.scale {
            AxisScale::Log => room.min((range.end - range.start).round() as usize + 1),
            // Dates are wider than numbers.
            AxisScale::Time(time_format) if time_format.is_date() => room.min(10),
            _ => room,
        }
    }

    fn text(self, position: f64, range: &Range<f64>) -> String {
        match self.scale {
            AxisScale::Linear => ticks::text(position, range),
            AxisScale::Log => ticks::decade(position),
            AxisScale::Time(time_format) => ticks::time_text(time_format, position, range),
        }
    }
}

/// Chart of curves with common axes.
#[derive(Debug, Clone, Copy)]
pub struct Chart<'a> {
    /// Title.
    pub title: &'a str,
    /// Horizontal axis.
    pub x: Axis<'a>,
    /// Vertical axis.
    pub y: Axis<'a>,
    /// Curves, later ones in front.
    pub curves: &'a [Curve<'a>],
    /// Whether both axes have equal units, so that circles are round.
    pub equal: bool,
}

/// Distance of distinguishable points, relative to the chart.
const NEAR: f64 = 5e-4;

impl<'a> Chart<'a> {
    /// Charts to stack with a common horizontal axis, which the lowest one shows: title, vertical
    /// axis and curves of each.
    pub(crate) fn stacked(
        x: Axis<'a>,
        charts: impl IntoIterator<Item = (&'a str, Axis<'a>, &'a [Curve<'a>])>,
    ) -> Vec<Self> {
        let hidden = Axis { name: "", ..x };
        let chart = |(title, y, curves)| Self { title, x: hidden, y, curves, equal: false };
        let mut charts: Vec<Self> = charts.into_iter().map(chart).collect();
        if let Some(lowest) = charts.last_mut() {
            lowest.x = x;
        }
        charts
    }

    /// Height of the horizontal axis below the chart.
    pub(super) fn axis_height(&self, pen: &Pen) -> i32 {
        if self.x.name.is_empty() { 0 } else { pen.px(44.0) }
    }

    pub(super) fn draw(&self, area: &Area<'_>, pen: &Pen) -> Drawn {
        let legend = Legend::of(self.title, self.curves, area, pen);
        let heading = legend.height();
        let places: Vec<(Vec<f64>, Vec<f64>)> = self.curves.iter().map(|c| self.place(c)).collect();
        let all_x: Vec<f64> = places.iter().flat_map(|(x, _)| x).copied().collect();
        let all_y: Vec<f64> = places.iter().flat_map(|(_, y)| y).copied().collect();
        // A time series fills the width.
        let mut outlines = self.curves.iter().filter(|c| c.mark != Mark::Band);
        let series = outlines.all(|c| c.x.windows(2).all(|pair| pair[0] <= pair[1]));
        let mut x = self.x.range(&all_x, series);
        let mut y = self.y.range(&all_y, false);
        let (width, height) = area.dim_in_pixel();
        let width = (width as i32 - pen.px(MARGIN + LABELS + RIGHT)).max(1);
        let height = (height as i32 - heading - self.axis_height(pen) - pen.px(8.0)).max(1);
        if self.equal {
            equalize((&mut x, width), (&mut y, height));
        }
        let mut chart = pen.chart(area, heading, self.axis_height(pen));
        let mut chart = chart.build_cartesian_2d(x.clone(), y.clone())?;
        let mut mesh = chart.configure_mesh();
        mesh.x_labels(self.x.count(width, pen.px(50.0), &x))
            .y_labels(self.y.count(height, pen.px(38.0), &y))
            .max_light_lines(0)
            .bold_line_style(pen.line(FAINT, 0.8))
            .axis_style(pen.line(INK, 0.8))
            .label_style(pen.font(14.0))
            .axis_desc_style(pen.font(15.0))
            .set_all_tick_mark_size(pen.px(4.0));
        let (x_text, y_text) = (|v: &f64| self.x.text(*v, &x), |v: &f64| self.y.text(*v, &y));
        mesh.x_label_formatter(&x_text).y_label_formatter(&y_text);
        mesh.x_desc(self.x.name).y_desc(self.y.name).draw()?;

        let extent = (x.end - x.start, y.end - y.start);
        for (curve, (xs, ys)) in self.curves.iter().zip(&places) {
            let style = pen.line(curve.rgb(), 1.5);
            for run in finite_runs(ys) {
                let points = if curve.mark == Mark::Band {
                    run.map(|k| (xs[k], ys[k])).collect()
                } else if series {
                    thin(&xs[run.clone()], &ys[run])
                } else {
                    let run: Vec<_> = run.map(|k| (xs[k], ys[k])).collect();
                    apart(&run, extent, NEAR)
                };
                match curve.mark {
                    Mark::Line => {
                        chart.draw_series(LineSeries::new(points, style))?;
                    }
                    Mark::Hair => {
                        chart.draw_series(LineSeries::new(points, pen.pale(curve.rgb(), 0.8)))?;
                    }
                    Mark::Filled => {
                        chart.draw_series(LineSeries::new(points, pen.filled()))?;
                    }
                    Mark::Band => {
                        let area = curve.rgb().mix(PALE).filled();
                        chart.draw_series(std::iter::once(Polygon::new(points, area)))?;
                    }
                    Mark::Dashes => {
                        let (dash, gap) = (pen.px(7.0), pen.px(5.0));
                        chart.draw_series(DashedLineSeries::new(points, dash, gap, style))?;
                    }
                    Mark::Rings => {
                        chart.draw_series(points.into_iter().map(|p| ring(p, style, pen)))?;
                    }
                    Mark::Dots => {
                        chart.draw_series(points.into_iter().map(|p| dot(p, curve, pen)))?;
                    }
                }
            }
        }
        legend.draw(area, pen)
    }

    /// Positions of the points of a curve; points without a position get NaN as y.
    fn place(&self, curve: &Curve<'_>) -> (Vec<f64>, Vec<f64>) {
        let pairs = curve.x.iter().zip(curve.y);
        pairs
            .map(|(&x, &y)| (self.x.position(x), self.y.position(y)))
            .map(|(x, y)| (x, if x.is_finite() { y } else { f64::NAN }))
            .unzip()
    }
}

/// Widens one range about its centre, so that both axes have equal units.
fn equalize((x, width): (&mut Range<f64>, i32), (y, height): (&mut Range<f64>, i32)) {
    let per_pixel = |range: &Range<f64>, length: i32| (range.end - range.start) / f64::from(length);
    let unit = per_pixel(x, width).max(per_pixel(y, height));
    for (range, length) in [(x, width), (y, height)] {
        let (middle, half) = (0.5 * (range.start + range.end), 0.5 * unit * f64::from(length));
        *range = middle - half..middle + half;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_round() {
        let (mut x, mut y) = (0.0..10.0, -1.0..1.0);
        equalize((&mut x, 100), (&mut y, 50));
        assert_eq!((x, y), (0.0..10.0, -2.5..2.5));
        let (mut x, mut y) = (0.0..1.0, -1.0..1.0);
        equalize((&mut x, 100), (&mut y, 50));
        assert_eq!((x, y), (-1.5..2.5, -1.0..1.0));
    }

    #[test]
    fn nonpositive_values_have_no_logarithmic_position() {
        let axis = Axis::log("t");
        assert_eq!(axis.position(1e-3), -3.0);
        assert!(axis.position(0.0).is_nan() && axis.position(-1.0).is_nan());
        assert_eq!(axis.range(&[-2.3, f64::NAN, 0.5], true), -3.0..1.0);
    }
}
