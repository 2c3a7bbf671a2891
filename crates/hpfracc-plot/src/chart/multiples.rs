use crate::canvas::{WIDTH, draw};
use crate::{Chart, Format, PlotError};

/// Many small charts (small multiples): titles and curves, without ticks and legends.
///
/// ```
/// use hpfracc_plot::{Axis, Chart, Curve, Format, Multiples};
///
/// let t: Vec<f64> = (0..100).map(|j| f64::from(j) / 10.0).collect();
/// let waves: Vec<Vec<f64>> =
///     (1..=6).map(|k| t.iter().map(|t| (f64::from(k) * t).sin()).collect()).collect();
/// let curves: Vec<[Curve<'_>; 1]> = waves.iter().map(|y| [Curve::line("", &t, y, 0)]).collect();
/// let (x, y) = (Axis::linear("t"), Axis::linear("y"));
/// let charts: Vec<Chart<'_>> =
///     curves.iter().map(|curves| Chart { title: "wave", x, y, curves, equal: false }).collect();
/// let multiples = Multiples { title: "Waves", columns: 3, charts: &charts };
/// assert!(multiples.draw(Format::Svg)?.starts_with(b"<svg"));
/// # Ok::<(), hpfracc_plot::PlotError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Multiples<'a> {
    /// Title.
    pub title: &'a str,
    /// Number of charts side by side.
    pub columns: usize,
    /// Charts, row after row.
    pub charts: &'a [Chart<'a>],
}

/// Height of the title of the sheet.
const TITLE: u32 = 44;

impl Multiples<'_> {
    /// Draws the picture into memory; its height depends on the number of charts, which are two
    /// thirds as high as wide.
    ///
    /// # Errors
    /// [`PlotError::Drawing`] if the drawing library fails.
    pub fn draw(&self, format: Format) -> Result<Vec<u8>, PlotError> {
        let columns = self.columns.max(1);
        let rows = self.charts.len().div_ceil(columns);
        let each = 2 * WIDTH / (3 * columns as u32);
        let size = (WIDTH, TITLE + each * rows.max(1) as u32);
        draw(format, self.title, size, |body, pen| {
            let areas = body.split_evenly((rows.max(1), columns));
            areas.iter().zip(self.charts).try_for_each(|(area, chart)| chart.draw_small(area, pen))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Curve, Mark, band};

    #[test]
    fn every_chart_has_its_title_and_curves() {
        let t: Vec<f64> = (0..20_000).map(|j| f64::from(j) * 1e-3).collect();
        let y: Vec<f64> = t.iter().map(|t| t.sin()).collect();
        let (bx, by) = band(&t[..50], &y[..50], &y[50..100]);
        let curves = [Curve::line("y", &t, &y, 0)];
        let fan = [Curve::line("", &bx, &by, 0).marked(Mark::Band)];
        let axis = Axis::linear("t");
        let chart = |title, curves| Chart { title, x: axis, y: axis, curves, equal: false };
        let charts = [chart("first", &curves[..]), chart("second", &fan[..]), chart("third", &[])];
        let multiples = Multiples { title: "sheet", columns: 2, charts: &charts };
        let svg = String::from_utf8(multiples.draw(Format::Svg).unwrap()).unwrap();
        for title in ["sheet", "first", "second", "third"] {
            assert_eq!(svg.matches(&format!("aria-label=\"{title}\"")).count(), 1, "{title}");
        }
        // Neither ticks nor a legend, and few points.
        assert!(!svg.contains("aria-label=\"y\"") && !svg.contains("aria-label=\"t\""));
        assert!(svg.contains("<polygon") && svg.len() < 40_000, "{}", svg.len());
        let none = Multiples { title: "", columns: 0, charts: &[] };
        assert!(none.draw(Format::Svg).is_ok());
    }
}
