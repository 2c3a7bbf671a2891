//! Axes of a map: edges of its columns and rows, ticks and frame.

use super::cells::{Cells, draw_frame};
use super::color_scale::ColorScale;
use crate::PlotError;
use crate::canvas::{Canvas, Drawn, INK, Pen};
use crate::chart::{Axis, ticks};
use plotters::prelude::*;
use std::ops::Range;

/// Axes of one or more maps of the same columns and rows.
pub(super) struct MapAxes<'a> {
    x: Axis<'a>,
    y: Axis<'a>,
    /// Edges of the columns and of the rows.
    columns: Vec<f64>,
    rows: Vec<f64>,
}

/// Style of the ticks.
pub(super) struct TickStyle {
    /// Size of the labels.
    pub(super) size: f64,
    /// Whether the names of the axes are drawn.
    pub(super) names: bool,
}

impl<'a> MapAxes<'a> {
    /// Axes with a column for each of `xs` and a row for each of `ys`.
    pub(super) fn new(
        (x, xs): (Axis<'a>, &[f64]),
        (y, ys): (Axis<'a>, &[f64]),
    ) -> Result<Self, PlotError> {
        Ok(Self { x, y, columns: edges(&places(x, xs)?), rows: edges(&places(y, ys)?) })
    }

    /// Checks that there is a value for each cell of the map `name`.
    pub(super) fn check(&self, name: &str, values: &[f64]) -> Result<(), PlotError> {
        let (columns, rows, found) = (self.columns.len() - 1, self.rows.len() - 1, values.len());
        if found == columns * rows {
            return Ok(());
        }
        Err(PlotError::Cells { name: name.to_owned(), found, columns, rows })
    }

    /// Height of the map relative to its width for equal units of both axes.
    pub(super) fn ratio(&self) -> f64 {
        let length = |range: Range<f64>| range.end - range.start;
        let ratio = length(range(&self.rows)) / length(range(&self.columns));
        // Lengths may be the largest number.
        if ratio.is_nan() { 1.0 } else { ratio }
    }

    /// Draws cells, ticks and frame.
    pub(super) fn draw<'b>(
        &self,
        (values, scale): (&[f64], &ColorScale),
        chart: &mut ChartBuilder<'_, 'b, Canvas<'b>>,
        style: &TickStyle,
        pen: &Pen,
    ) -> Drawn {
        let (x, y) = (range(&self.columns), range(&self.rows));
        let mut chart = chart.build_cartesian_2d(x.clone(), y.clone())?;
        let count = self.columns.len() - 1;
        let (columns, rows, palette) = (&self.columns, &self.rows, &scale.palette());
        let index = |row: usize, column: usize| scale.index(values[row * count + column]);
        Cells { columns, rows, index, palette }.draw(&chart, pen)?;
        let (width, height) = chart.plotting_area().dim_in_pixel();
        let mut mesh = chart.configure_mesh();
        mesh.x_labels(self.x.count(width as i32, pen.px(4.5 * style.size), &x))
            .y_labels(self.y.count(height as i32, pen.px(2.7 * style.size), &y))
            .disable_mesh()
            .axis_style(pen.line(INK, 0.8))
            .label_style(pen.font(style.size))
            .axis_desc_style(pen.font(15.0))
            .set_all_tick_mark_size(pen.px(4.0));
        let (x_text, y_text) = (|v: &f64| self.x.text(*v, &x), |v: &f64| self.y.text(*v, &y));
        mesh.x_label_formatter(&x_text).y_label_formatter(&y_text);
        if style.names {
            mesh.x_desc(self.x.name).y_desc(self.y.name);
        }
        mesh.draw()?;
        draw_frame(&chart, pen)
    }
}

/// Positions on the axis, which must be finite and in order.
fn places(axis: Axis<'_>, values: &[f64]) -> Result<Vec<f64>, PlotError> {
    if values.is_empty() {
        let reason = format!("a map has no positions along {}", axis.name);
        return Err(PlotError::Empty { reason });
    }
    let places: Vec<f64> = values.iter().map(|value| axis.position(*value)).collect();
    let (first, last) = (places[0], places[places.len() - 1]);
    let ordered = |k: usize| {
        let (before, after) = (places[k.max(1) - 1], places[k]);
        // Some may be equal, but not all.
        k == 0 || first < last && before <= after || first > last && before >= after
    };
    match (0..places.len()).find(|&k| !places[k].is_finite() || !ordered(k)) {
        None => Ok(places),
        Some(index) => {
            Err(PlotError::Position { axis: axis.name.to_owned(), index, value: values[index] })
        }
    }
}

/// Edges of the cells of these positions: the middles between neighbours.
fn edges(positions: &[f64]) -> Vec<f64> {
    let [first, .., last] = positions else {
        let middle = positions.first().copied().unwrap_or(0.0);
        return vec![middle - 0.5, middle + 0.5];
    };
    let n = positions.len();
    let middle = |pair: &[f64]| 0.5 * (pair[0] + pair[1]);
    let inner: Vec<f64> = positions.windows(2).map(middle).collect();
    let mut edges = vec![2.0 * first - inner[0]];
    edges.extend(&inner);
    edges.push(2.0 * last - inner[n - 2]);
    edges
}

fn range(edges: &[f64]) -> Range<f64> {
    let (low, high) = ticks::extremes(edges);
    // The length of the axis is a number.
    low.max(f64::MIN / 4.0)..high.min(f64::MAX / 4.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_midpoints() {
        assert_eq!(edges(&[0.0, 2.0, 6.0]), [-1.0, 1.0, 4.0, 8.0]);
        assert_eq!(edges(&[3.0, 1.0]), [4.0, 2.0, 0.0]);
        assert_eq!(edges(&[3.0]), [2.5, 3.5]);
    }

    #[test]
    fn positions_are_finite_and_in_order() {
        let said = |axis: Axis<'_>, xs: &[f64]| places(axis, xs).unwrap_err().to_string();
        for good in [&[1.0][..], &[1.0, 1.0, 2.0], &[2.0, 1.0, -1.0]] {
            assert!(places(Axis::linear("x"), good).is_ok());
        }
        assert_eq!(
            said(Axis::linear("x"), &[0.0, 2.0, 1.0, 3.0]),
            "axis `x`: position 2 is 1, expected finite positions in increasing or decreasing order"
        );
        assert!(said(Axis::linear("x"), &[0.0, f64::NAN, 1.0]).contains("position 1 is NaN"));
        assert!(said(Axis::linear("x"), &[f64::NAN, 1.0]).contains("position 0 is NaN"));
        assert!(said(Axis::linear("x"), &[2.0, 2.0]).contains("position 1 is 2,"));
        assert!(said(Axis::log("t"), &[0.0, 1.0]).contains("axis `t`: position 0 is 0,"));
        assert_eq!(said(Axis::log("t"), &[]), "a map has no positions along t");
    }
}
