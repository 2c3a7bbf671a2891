use super::{Axis, Chart, Curve, Format, Mark, Sheet};
use crate::Error;
use crate::input::TimeFormat;
use std::ops::Range;

/// Stacked panels with a common time axis.
#[derive(Debug, Clone, Copy)]
pub struct Picture<'a> {
    /// Title.
    pub title: &'a str,
    /// Label of the time axis.
    pub time_label: &'a str,
    /// Format of the times.
    pub time_format: TimeFormat,
    /// Times: days since 1970-01-01 for dates.
    pub times: &'a [f64],
    /// Panels from top to bottom.
    pub panels: &'a [Panel<'a>],
}

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

impl Picture<'_> {
    /// Draws the picture into memory.
    ///
    /// # Errors
    /// [`Error::Drawing`] if the drawing library fails.
    pub fn draw(&self, format: Format) -> Result<Vec<u8>, Error> {
        let filled: Vec<(String, Vec<f64>)> = self.panels.iter().map(Panel::filled).collect();
        let curves: Vec<Vec<Curve<'_>>> = (self.panels.iter().zip(&filled).enumerate())
            .map(|(color, (panel, (name, filled)))| {
                let all = Curve::line("", self.times, panel.values, color);
                let filled = Curve::line(name, self.times, filled, color).marked(Mark::Filled);
                if panel.filled.is_empty() { vec![all] } else { vec![all, filled] }
            })
            .collect();
        let x = Axis::time(self.time_label, self.time_format);
        let panels = self.panels.iter().zip(&curves);
        let charts = panels.map(|(p, curves)| (p.title, Axis::linear(p.label), &curves[..]));
        let charts = Chart::stacked(x, charts);
        Sheet { title: self.title, columns: &[&charts] }.draw(format)
    }
}

impl Panel<'_> {
    /// Name and values of the filled runs with the neighbours that were interpolated between; NaN
    /// elsewhere.
    fn filled(&self) -> (String, Vec<f64>) {
        let mut values = vec![f64::NAN; self.values.len()];
        for run in self.filled {
            let wide = run.start.saturating_sub(1)..(run.end + 1).min(values.len());
            values[wide.clone()].copy_from_slice(&self.values[wide]);
        }
        let count: usize = self.filled.iter().map(Range::len).sum();
        (format!("filled linearly ({count} values)"), values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_values_without_a_range() {
        let flat = [1.0, 1.0, 1.0];
        let none = [f64::NAN, f64::INFINITY, f64::NAN];
        let panel = |values| Panel { title: "", label: "", values, filled: &[] };
        let picture = Picture {
            title: "",
            time_label: "t",
            time_format: TimeFormat::Number,
            times: &[0.0, 1.0, 2.0],
            panels: &[panel(&flat), panel(&none)],
        };
        let svg = String::from_utf8(picture.draw(Format::Svg).unwrap()).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}
