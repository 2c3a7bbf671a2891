use crate::canvas::{Area, Drawn, HEIGHT, Pen, WIDTH, draw};
use crate::{Chart, Format, PlotError};

/// Picture of charts, stacked or side by side.
#[derive(Debug, Clone, Copy)]
pub struct Sheet<'a> {
    /// Title.
    pub title: &'a str,
    /// Columns of charts from left to right, each from top to bottom.
    pub columns: &'a [&'a [Chart<'a>]],
}

impl Sheet<'_> {
    /// Draws the picture into memory.
    ///
    /// # Errors
    /// [`PlotError::Drawing`] if the drawing library fails.
    ///
    /// ```
    /// use hpfracc_plot::{Axis, Chart, Curve, Format, Sheet};
    ///
    /// let (x, y): (Vec<f64>, Vec<f64>) = (0..64).map(|k| (f64::from(k) / 10.0).sin_cos()).unzip();
    /// let portrait = Chart {
    ///     title: "a circle",
    ///     x: Axis::linear("x"),
    ///     y: Axis::linear("y"),
    ///     curves: &[Curve::line("", &x, &y, 0)],
    ///     equal: true,
    /// };
    /// let svg = Sheet { title: "One portrait", columns: &[&[portrait]] }.draw(Format::Svg)?;
    /// assert!(svg.starts_with(b"<svg"));
    /// # Ok::<(), hpfracc_plot::PlotError>(())
    /// ```
    pub fn draw(&self, format: Format) -> Result<Vec<u8>, PlotError> {
        draw(format, self.title, (WIDTH, HEIGHT), |body, pen| {
            let columns = body.split_evenly((1, self.columns.len().max(1)));
            columns.iter().zip(self.columns).try_for_each(|(area, charts)| stack(charts, area, pen))
        })
    }
}

/// Draws stacked charts of equal heights, not counting their horizontal axes.
fn stack(charts: &[Chart<'_>], area: &Area<'_>, pen: &Pen) -> Drawn {
    let axes: i32 = charts.iter().map(|chart| chart.axis_height(pen)).sum();
    let each = (area.dim_in_pixel().1 as i32 - axes) / charts.len().max(1) as i32;
    let mut rest = area.clone();
    for chart in charts {
        let (own, below) = rest.split_vertically(each + chart.axis_height(pen));
        chart.draw(&own, pen)?;
        rest = below;
    }
    Ok(())
}
