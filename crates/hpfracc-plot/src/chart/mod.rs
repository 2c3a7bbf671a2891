//! Charts of curves: time series, phase portraits, errors.

mod axis;
mod curve;
mod dates;
mod legend;
mod limits;
mod multiples;
pub(crate) mod ticks;

use crate::canvas::{Area, Canvas, Drawn, FAINT, INK, LABELS, MARGIN, PALE, Pen, RIGHT};
use curve::{apart, finite_runs, thin};
use legend::{Legend, dot, ring};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

pub use axis::{Axis, AxisScale};
pub use curve::{Curve, Mark, band};
pub use multiples::Multiples;

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

/// Points of a curve that are drawn.
#[derive(Debug, Clone, Copy)]
struct Detail {
    /// Number of columns of a time series, of which each has its minimum and maximum.
    columns: usize,
    /// Distance of distinguishable points in the plane, relative to the chart.
    near: f64,
}

const FINE: Detail = Detail { columns: 1500, near: 5e-4 };
/// Of a chart of a quarter of the width.
const COARSE: Detail = Detail { columns: 300, near: 4e-3 };

/// Positions of the points of the curves, and the ranges of the axes.
struct Layout {
    places: Vec<(Vec<f64>, Vec<f64>)>,
    /// Whether the abscissas of all curves increase.
    series: bool,
    x: Range<f64>,
    y: Range<f64>,
}

/// Axes of a chart and the height above it.
#[derive(Debug, Clone)]
pub(crate) struct ChartView {
    pub(crate) x: Range<f64>,
    pub(crate) y: Range<f64>,
    /// Height of title and legend.
    pub(crate) heading: i32,
}

impl<'a> Chart<'a> {
    /// Charts to stack with a common horizontal axis, which the lowest one shows: title, vertical
    /// axis and curves of each.
    pub fn stacked(
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
    pub(crate) fn axis_height(&self, pen: &Pen) -> i32 {
        if self.x.name.is_empty() { 0 } else { pen.px(44.0) }
    }

    pub(crate) fn draw(&self, area: &Area<'_>, pen: &Pen) -> Drawn {
        self.draw_in(&self.view(area.dim_in_pixel().0 as i32, pen), area, pen)
    }

    /// Ranges and height of the legend of a chart of this width.
    pub(crate) fn view(&self, width: i32, pen: &Pen) -> ChartView {
        let Layout { x, y, .. } = self.layout();
        ChartView { x, y, heading: Legend::of(self.title, self.curves, width, pen).height() }
    }

    /// Draws the chart with the axes of `view`, which may be that of other curves.
    pub(crate) fn draw_in(&self, view: &ChartView, area: &Area<'_>, pen: &Pen) -> Drawn {
        let (width, height) = area.dim_in_pixel();
        let legend = Legend::of(self.title, self.curves, width as i32, pen);
        let Layout { places, series, .. } = self.layout();
        let ChartView { mut x, mut y, heading } = view.clone();
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

        self.draw_minor_ticks(&chart, (&x, pen.px(3.0), height), (&y, pen.px(3.0), width), pen)?;
        self.draw_curves(&Layout { places, series, x, y }, FINE, &mut chart, pen)?;
        legend.draw(area, pen)
    }

    /// Draws a small chart: title, frame and curves, without ticks and legend.
    pub(crate) fn draw_small(&self, area: &Area<'_>, pen: &Pen) -> Drawn {
        let layout = self.layout();
        let mut chart = ChartBuilder::on(area);
        chart.margin(pen.px(6.0)).margin_top(pen.px(22.0));
        let mut chart = chart.build_cartesian_2d(layout.x.clone(), layout.y.clone())?;
        let Range { start: left, end: right } = layout.x;
        let Range { start: low, end: high } = layout.y;
        let frame = vec![(left, low), (right, low), (right, high), (left, high), (left, low)];
        chart.plotting_area().draw(&PathElement::new(frame, pen.line(FAINT, 1.0)))?;
        self.draw_curves(&layout, COARSE, &mut chart, pen)?;
        let width = area.dim_in_pixel().0 as i32 - pen.px(12.0);
        let title = pen.fitting(self.title, 13.0, width);
        let style = pen.font(13.0).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw_text(&title, &style, (pen.px(6.0), pen.px(11.0)))
    }

    fn layout(&self) -> Layout {
        let places: Vec<(Vec<f64>, Vec<f64>)> = self.curves.iter().map(|c| self.place(c)).collect();
        let all_x: Vec<f64> = places.iter().flat_map(|(x, _)| x).copied().collect();
        let all_y = self.curves.iter().zip(&places).map(|(curve, (_, y))| (curve.mark, &y[..]));
        // A time series fills the width.
        let mut outlines = self.curves.iter().filter(|c| c.mark != Mark::Band);
        let series = outlines.all(|c| c.x.windows(2).all(|pair| pair[0] <= pair[1]));
        let x = self.x.range(ticks::extremes(&all_x), series);
        let y = self.y.range(limits::vertical(&all_y.collect::<Vec<_>>()), false);
        Layout { places, series, x, y }
    }

    fn draw_curves(
        &self,
        layout: &Layout,
        detail: Detail,
        chart: &mut Cartesian<'_, '_>,
        pen: &Pen,
    ) -> Drawn {
        let Layout { places, series, x, y } = layout;
        let extent = (x.end - x.start, y.end - y.start);
        for (curve, (xs, ys)) in self.curves.iter().zip(places) {
            for run in finite_runs(ys) {
                let points = if curve.mark == Mark::Band {
                    let inside = |k: usize| (xs[k], ys[k].clamp(y.start, y.end));
                    vec![run.map(inside).collect()]
                } else {
                    let points: Vec<_> = if *series {
                        thin(&xs[run.clone()], &ys[run], detail.columns)
                    } else {
                        let run: Vec<_> = run.map(|k| (xs[k], ys[k])).collect();
                        apart(&run, extent, detail.near)
                    };
                    match curve.mark {
                        Mark::Rings | Mark::Dots => {
                            vec![points.into_iter().filter(|point| y.contains(&point.1)).collect()]
                        }
                        _ => limits::cut(&points, y),
                    }
                };
                points.into_iter().try_for_each(|part| draw_curve(curve, part, chart, pen))?;
            }
        }
        Ok(())
    }

    /// Draws the ticks between those with labels: for each axis its range, their length, and the
    /// length of the other axis.
    fn draw_minor_ticks(
        &self,
        chart: &Cartesian<'_, '_>,
        (x, x_tick, height): (&Range<f64>, i32, i32),
        (y, y_tick, width): (&Range<f64>, i32, i32),
        pen: &Pen,
    ) -> Drawn {
        let (area, style) = (chart.plotting_area(), pen.line(INK, 0.6));
        // The drawing library cuts what lies outside of the axes.
        let inside = |tick: i32, length: i32, range: &Range<f64>| {
            range.start + (range.end - range.start) * f64::from(tick) / f64::from(length)
        };
        if !self.x.name.is_empty() {
            for tick in self.x.minor_ticks(x) {
                let end = (tick, inside(x_tick, height, y));
                area.draw(&PathElement::new(vec![(tick, y.start), end], style))?;
            }
        }
        for tick in self.y.minor_ticks(y) {
            let end = (inside(y_tick, width, x), tick);
            area.draw(&PathElement::new(vec![(x.start, tick), end], style))?;
        }
        Ok(())
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

/// Axes of a chart on the canvas.
pub(crate) type Cartesian<'a, 'b> =
    ChartContext<'a, Canvas<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Draws a part of a curve.
fn draw_curve(
    curve: &Curve<'_>,
    points: Vec<(f64, f64)>,
    chart: &mut Cartesian<'_, '_>,
    pen: &Pen,
) -> Drawn {
    let style = pen.line(curve.rgb(), 1.5);
    match curve.mark {
        Mark::Line => chart.draw_series(LineSeries::new(points, style)).map(drop),
        Mark::Hair => {
            chart.draw_series(LineSeries::new(points, pen.pale(curve.rgb(), 0.8))).map(drop)
        }
        Mark::Filled => chart.draw_series(LineSeries::new(points, pen.filled())).map(drop),
        Mark::Band => {
            let area = curve.rgb().mix(PALE).filled();
            chart.draw_series(std::iter::once(Polygon::new(points, area))).map(drop)
        }
        Mark::Dashes => {
            let (dash, gap) = (pen.px(7.0), pen.px(5.0));
            chart.draw_series(DashedLineSeries::new(points, dash, gap, style)).map(drop)
        }
        Mark::Rings => chart.draw_series(points.into_iter().map(|p| ring(p, style, pen))).map(drop),
        Mark::Dots => chart.draw_series(points.into_iter().map(|p| dot(p, curve, pen))).map(drop),
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
}
