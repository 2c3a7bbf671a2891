use super::color_map::color;
use super::{Axis, Cartesian, ticks};
use crate::canvas::{Area, Drawn, FAINT, HEIGHT, INK, MARGIN, Pen, WIDTH, draw};
use crate::{Format, PlotError};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

/// Heat map: a number for each pair of two others, as a colour, with a bar that has the numbers of
/// the colours.
#[derive(Debug, Clone, Copy)]
pub struct HeatMap<'a> {
    /// Title.
    pub title: &'a str,
    /// Horizontal axis.
    pub x: Axis<'a>,
    /// Vertical axis.
    pub y: Axis<'a>,
    /// Name of the coloured quantity.
    pub name: &'a str,
    /// Positions of the columns, in increasing or decreasing order.
    pub xs: &'a [f64],
    /// Positions of the rows, likewise.
    pub ys: &'a [f64],
    /// Numbers, row after row, a row for each of `ys`. Grey where they are not finite.
    pub values: &'a [f64],
}

/// Width of the colour bar with its labels.
const BAR: f64 = 118.0;
/// Width of its colours.
const COLORS: f64 = 18.0;
/// Number of colours.
const SHADES: u32 = 256;

impl HeatMap<'_> {
    /// Draws the picture into memory.
    ///
    /// # Errors
    /// [`PlotError::Drawing`] if there is not a number for each pair, or no pair, or if the drawing
    /// library fails.
    ///
    /// ```
    /// use hpfracc_plot::{Axis, Format, HeatMap};
    ///
    /// let (xs, ys) = ([0.0, 1.0, 2.0], [10.0, 20.0]);
    /// let map = HeatMap {
    ///     title: "x y",
    ///     x: Axis::linear("x"),
    ///     y: Axis::linear("y"),
    ///     name: "product",
    ///     xs: &xs,
    ///     ys: &ys,
    ///     values: &[0.0, 10.0, 20.0, 0.0, 20.0, 40.0],
    /// };
    /// assert!(map.draw(Format::Svg)?.starts_with(b"<svg"));
    /// # Ok::<(), hpfracc_plot::PlotError>(())
    /// ```
    pub fn draw(&self, format: Format) -> Result<Vec<u8>, PlotError> {
        let (found, pairs) = (self.values.len(), self.xs.len() * self.ys.len());
        if found != pairs || pairs == 0 {
            let reason = format!("{} has {found} numbers for {pairs} cells", self.name);
            return Err(PlotError::Drawing { reason });
        }
        draw(format, self.title, (WIDTH, HEIGHT), |body, pen| {
            let width = body.dim_in_pixel().0 as i32 - pen.px(BAR);
            let (map, bar) = body.split_horizontally(width);
            let colors = ticks::extremes(self.values);
            self.draw_map(colors, &map, pen)?;
            self.draw_bar(colors, &bar, pen)
        })
    }

    fn draw_map(&self, colors: (f64, f64), area: &Area<'_>, pen: &Pen) -> Drawn {
        let [columns, rows] = [(self.x, self.xs), (self.y, self.ys)].map(|(axis, positions)| {
            edges(&positions.iter().map(|p| axis.position(*p)).collect::<Vec<_>>())
        });
        let (x, y) = (range(&columns), range(&rows));
        let (width, height) = area.dim_in_pixel();
        let mut chart = pen.chart(area, pen.px(HEADING), pen.px(44.0));
        let mut chart = chart.build_cartesian_2d(x.clone(), y.clone())?;
        draw_cells(&chart, pen.px(1.0), (&columns, &rows), |row, column| {
            shade(self.values[row * self.xs.len() + column], colors)
        })?;
        let mut mesh = chart.configure_mesh();
        mesh.x_labels(self.x.count(width as i32, pen.px(60.0), &x))
            .y_labels(self.y.count(height as i32, pen.px(38.0), &y))
            .disable_mesh()
            .axis_style(pen.line(INK, 0.8))
            .label_style(pen.font(14.0))
            .axis_desc_style(pen.font(15.0))
            .set_all_tick_mark_size(pen.px(4.0));
        let (x_text, y_text) = (|v: &f64| self.x.text(*v, &x), |v: &f64| self.y.text(*v, &y));
        mesh.x_label_formatter(&x_text).y_label_formatter(&y_text);
        mesh.x_desc(self.x.name).y_desc(self.y.name).draw()
    }

    /// Draws the colour bar, its name above it, and a key of grey cells if there are any.
    fn draw_bar(&self, (low, high): (f64, f64), area: &Area<'_>, pen: &Pen) -> Drawn {
        let left = Pos::new(HPos::Left, VPos::Center);
        let name = pen.fitting(self.name, 15.0, area.dim_in_pixel().0 as i32);
        area.draw_text(&name, &pen.font(15.0).pos(left), (0, pen.px(HEADING / 2.0)))?;
        let bottom = area.dim_in_pixel().1 as i32 - pen.px(30.0);
        if self.values.iter().any(|value| !value.is_finite()) {
            let half = pen.px(7.0);
            let corners = [(0, bottom - half), (2 * half, bottom + half)];
            area.draw(&Rectangle::new(corners, GREY.filled()))?;
            area.draw_text("none", &pen.font(14.0).pos(left), (pen.px(20.0), bottom))?;
        }
        if low > high {
            return Ok(());
        }
        let numbers =
            if low < high { range(&[low, high]) } else { ticks::with_margin((low, high)) };
        let mut chart = ChartBuilder::on(area);
        chart
            .margin_top(pen.px(HEADING))
            .margin_bottom(pen.px(44.0 + 8.0))
            .set_label_area_size(LabelAreaPosition::Right, pen.px(BAR - COLORS - MARGIN));
        let mut chart = chart.build_cartesian_2d(0.0..1.0, numbers.clone())?;
        let step = (numbers.end - numbers.start) / f64::from(SHADES);
        let rows: Vec<f64> = (0..=SHADES).map(|k| numbers.start + step * f64::from(k)).collect();
        draw_cells(&chart, pen.px(1.0), (&[0.0, 1.0], &rows), |row, _| {
            color(if low < high { row as f64 / f64::from(SHADES - 1) } else { 0.5 })
        })?;
        let axis = Axis::linear("");
        let text = |value: &f64| axis.text(*value, &numbers);
        let height = area.dim_in_pixel().1 as i32;
        chart
            .configure_mesh()
            .disable_x_axis()
            .disable_mesh()
            .y_labels(axis.count(height, pen.px(38.0), &numbers))
            .axis_style(pen.line(INK, 0.8))
            .label_style(pen.font(14.0))
            .set_all_tick_mark_size(pen.px(4.0))
            .y_label_formatter(&text)
            .draw()
    }
}

/// Height of the space above the cells.
const HEADING: f64 = 30.0;
/// Cells without a finite number.
const GREY: RGBColor = FAINT;

/// Colour of a number among all.
fn shade(value: f64, (low, high): (f64, f64)) -> RGBColor {
    if !value.is_finite() {
        return GREY;
    }
    // Halves, because the difference of two finite numbers may be infinite.
    let part = if low < high { (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0) } else { 0.5 };
    color((part * f64::from(SHADES - 1)).round() / f64::from(SHADES - 1))
}

/// Bounds of the cells of these positions: the middles between neighbours.
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

/// Draws a cell between each two neighbouring edges; neighbours in a row with the same colour are
/// one rectangle. Cells overlap the next ones, so that no gaps shine through.
fn draw_cells(
    chart: &Cartesian<'_, '_>,
    overlap: i32,
    (columns, rows): (&[f64], &[f64]),
    color: impl Fn(usize, usize) -> RGBColor,
) -> Drawn {
    let whole = chart.plotting_area();
    let area = whole.strip_coord_spec();
    let (base_x, base_y) = area.get_base_pixel();
    let (width, height) = area.dim_in_pixel();
    let place = |x: f64, y: f64| {
        let (x, y) = whole.map_coordinate(&(x, y));
        ((x - base_x).clamp(0, width as i32), (y - base_y).clamp(0, height as i32))
    };
    for row in 0..rows.len() - 1 {
        let mut column = 0;
        while column + 1 < columns.len() {
            let (first, shade) = (column, color(row, column));
            while column + 1 < columns.len() && color(row, column) == shade {
                column += 1;
            }
            let (x0, y0) = place(columns[first], rows[row]);
            let (x1, y1) = place(columns[column], rows[row + 1]);
            let (left, right) = (x0.min(x1), (x0.max(x1) + overlap).min(width as i32));
            let (top, bottom) = ((y0.min(y1) - overlap).max(0), y0.max(y1));
            area.draw(&Rectangle::new([(left, top), (right, bottom)], shade.filled()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map<'a>(xs: &'a [f64], ys: &'a [f64], values: &'a [f64]) -> HeatMap<'a> {
        let (x, y) = (Axis::linear("rho"), Axis::linear("sigma"));
        HeatMap { title: "t", x, y, name: "max(x)", xs, ys, values }
    }

    fn svg(map: &HeatMap<'_>) -> String {
        String::from_utf8(map.draw(Format::Svg).unwrap()).unwrap()
    }

    #[test]
    fn edges_are_midpoints() {
        assert_eq!(edges(&[0.0, 2.0, 6.0]), [-1.0, 1.0, 4.0, 8.0]);
        assert_eq!(edges(&[3.0, 1.0]), [4.0, 2.0, 0.0]);
        assert_eq!(edges(&[3.0]), [2.5, 3.5]);
    }

    #[test]
    fn the_largest_number_is_the_lightest() {
        let colors = (-1.0, 3.0);
        assert_eq!(shade(-1.0, colors), color(0.0));
        assert_eq!(shade(3.0, colors), color(1.0));
        assert_eq!(shade(f64::NAN, colors), GREY);
        assert_eq!(shade(f64::MAX, (f64::MIN, f64::MAX)), color(1.0));
        assert_eq!(shade(2.0, (2.0, 2.0)), color(0.5));
    }

    #[test]
    fn every_cell_has_its_color() {
        let values = [0.0, 1.0, 2.0, 3.0, 4.0, f64::NAN];
        let text = svg(&map(&[0.0, 1.0, 2.0], &[5.0, 6.0], &values));
        for value in &values[..5] {
            let RGBColor(r, g, b) = shade(*value, (0.0, 4.0));
            assert!(text.contains(&format!("#{r:02X}{g:02X}{b:02X}")), "{value}");
        }
        for label in ["rho", "sigma", "max(x)", "none"] {
            assert_eq!(text.matches(&format!("aria-label=\"{label}\"")).count(), 1, "{label}");
        }
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }

    #[test]
    fn equal_neighbours_are_one_rectangle() {
        let (xs, ys): (Vec<f64>, Vec<f64>) =
            ((0..100).map(f64::from).collect(), (0..10).map(f64::from).collect());
        let text = svg(&map(&xs, &ys, &[1.0; 1000]));
        let bar = SHADES as usize;
        assert!(text.matches("<rect").count() <= 10 + bar + 4);
    }

    #[test]
    fn wrong_sizes_are_refused() {
        let said = map(&[0.0, 1.0], &[0.0], &[1.0; 3]).draw(Format::Svg).unwrap_err().to_string();
        assert_eq!(said, "cannot draw the picture: max(x) has 3 numbers for 2 cells");
        let said = map(&[], &[0.0], &[]).draw(Format::Svg).unwrap_err().to_string();
        assert_eq!(said, "cannot draw the picture: max(x) has 0 numbers for 0 cells");
        let none = map(&[0.0], &[0.0], &[f64::NAN]);
        assert!(none.draw(Format::Png).is_ok());
    }
}
