use super::color_bar::{BAR, ColorBar};
use super::color_scale::ColorScale;
use super::map_axes::{MapAxes, TickStyle};
use crate::canvas::{HEIGHT, WIDTH, draw};
use crate::chart::{Axis, ticks};
use crate::{Format, PlotError};

/// Heat map: a number for each pair of two others, as a colour, with a bar that has the numbers of
/// the colours.
///
/// A space-time map of the solution of a partial differential equation has the positions as `xs`
/// and the times, of any distances, as `ys`: time goes upward. The edges of the cells are the
/// middles between neighbouring positions.
///
/// The colours are from dark to light in even steps of lightness. If the lowest and the highest
/// value have different signs, and the smaller is at least a quarter of the larger in size, the
/// colours diverge from a nearly white one of zero to blue for negative and red for positive
/// values, with a bar that is symmetric about zero.
///
/// Many cells are one embedded image, with two pixels for each unit of the SVG, and of cells
/// smaller than a pixel those at the centres of the pixels are visible: an SVG of a million cells
/// has some hundred kilobytes.
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

/// Heights above and below the cells.
const ABOVE: f64 = 30.0;
const BELOW: f64 = 44.0;

impl HeatMap<'_> {
    /// Draws the picture into memory.
    ///
    /// # Errors
    /// [`PlotError::Cells`] if there is not a number for each pair, [`PlotError::Empty`] if there
    /// is no pair, [`PlotError::Position`] if positions are not finite or not in order, and
    /// [`PlotError::Drawing`] if the drawing library fails.
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
        let axes = MapAxes::new((self.x, self.xs), (self.y, self.ys))?;
        axes.check(self.name, self.values)?;
        let scale = &ColorScale::new(ticks::extremes(self.values));
        draw(format, self.title, (WIDTH, HEIGHT), |body, pen| {
            let width = body.dim_in_pixel().0 as i32 - pen.px(BAR);
            let (map, bar) = body.split_horizontally(width);
            let mut chart = pen.chart(&map, pen.px(ABOVE), pen.px(BELOW));
            let style = TickStyle { size: 14.0, names: true };
            axes.draw((self.values, scale), &mut chart, &style, pen)?;
            let has_none = self.values.iter().any(|value| !value.is_finite());
            ColorBar { name: self.name, scale, has_none, above: ABOVE, below: BELOW + 8.0 }
                .draw(&bar, pen)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::color_scale::SHADES;
    use super::*;

    fn map<'a>(xs: &'a [f64], ys: &'a [f64], values: &'a [f64]) -> HeatMap<'a> {
        let (x, y) = (Axis::linear("rho"), Axis::linear("sigma"));
        HeatMap { title: "t", x, y, name: "max(x)", xs, ys, values }
    }

    fn svg(map: &HeatMap<'_>) -> String {
        String::from_utf8(map.draw(Format::Svg).unwrap()).unwrap()
    }

    #[test]
    fn every_cell_has_its_color() {
        let values = [0.0, 1.0, 2.0, 3.0, 4.0, f64::NAN];
        let text = svg(&map(&[0.0, 1.0, 2.0], &[5.0, 6.0], &values));
        let scale = ColorScale::new((0.0, 4.0));
        for value in values {
            let [r, g, b] = scale.palette()[usize::from(scale.index(value))];
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
        assert!(text.matches("<rect").count() <= 10 + SHADES + 4);
    }

    #[test]
    fn wrong_sizes_are_refused() {
        let said = map(&[0.0, 1.0], &[0.0], &[1.0; 3]).draw(Format::Svg).unwrap_err().to_string();
        assert_eq!(said, "max(x) has 3 values, expected 2 x 1, one for each column of each row");
        let said = map(&[], &[0.0], &[]).draw(Format::Svg).unwrap_err().to_string();
        assert_eq!(said, "a map has no positions along rho");
        let none = map(&[0.0], &[0.0], &[f64::NAN]);
        assert!(none.draw(Format::Png).is_ok());
    }
}
