use crate::{Axis, Chart, Curve, Format, Mark, PlotError, Sheet};
use std::iter::once;
use std::ops::Range;

/// Stacked panels with a common time axis.
#[derive(Debug, Clone, Copy)]
pub struct Picture<'a> {
    /// Title.
    pub title: &'a str,
    /// Time axis; without a name it is called t.
    pub time: Axis<'a>,
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
    /// [`PlotError::Length`] if a panel has not a value for every time, or a filled run ends after
    /// the values; [`PlotError::Drawing`] if the drawing library fails.
    pub fn draw(&self, format: Format) -> Result<Vec<u8>, PlotError> {
        self.panels.iter().try_for_each(|panel| panel.check(self))?;
        let names: Vec<String> = self.panels.iter().map(Panel::filled_name).collect();
        let curves: Vec<Vec<Curve<'_>>> = (self.panels.iter().zip(&names).enumerate())
            .map(|(color, (panel, name))| {
                let filled = panel.filled.iter().enumerate().map(|(i, run)| {
                    // With the neighbours that were interpolated between.
                    let end = (run.end + 1).min(panel.values.len());
                    let wide = run.start.saturating_sub(1)..end;
                    let (times, values) = (&self.times[wide.clone()], &panel.values[wide]);
                    let name = if i == 0 { name } else { "" };
                    Curve::line(name, times, values, color).marked(Mark::Filled)
                });
                once(Curve::line("", self.times, panel.values, color)).chain(filled).collect()
            })
            .collect();
        // An axis without a name is hidden.
        let name = if self.time.name.is_empty() { "t" } else { self.time.name };
        let x = Axis { name, ..self.time };
        let panels = self.panels.iter().zip(&curves);
        let charts = panels.map(|(p, curves)| (p.title, Axis::linear(p.label), &curves[..]));
        let charts = Chart::stacked(x, charts);
        Sheet { title: self.title, columns: &[&charts] }.draw(format)
    }
}

impl Panel<'_> {
    /// Checks the lengths of values and filled runs.
    fn check(&self, picture: &Picture<'_>) -> Result<(), PlotError> {
        let (found, expected) = (self.values.len(), picture.times.len());
        let name = |part: &str| format!("{}{part}", self.label);
        if found != expected {
            let first = picture.time.name.to_owned();
            return Err(PlotError::Length { column: name(""), found, first, expected });
        }
        // An empty run before the first value draws nothing.
        match self.filled.iter().find(|run| run.start > run.end || run.end > found) {
            None => Ok(()),
            Some(run) => Err(PlotError::Length {
                column: name(" up to the end of a filled run"),
                found: run.start.max(run.end),
                first: name(""),
                expected,
            }),
        }
    }

    /// Name of the filled runs in the legend.
    fn filled_name(&self) -> String {
        let count: usize = self.filled.iter().map(Range::len).sum();
        format!("filled linearly ({count} values)")
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
            time: Axis::linear("t"),
            times: &[0.0, 1.0, 2.0],
            panels: &[panel(&flat), panel(&none)],
        };
        let svg = String::from_utf8(picture.draw(Format::Svg).unwrap()).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }

    #[test]
    fn lengths_are_compared() {
        let (times, values) = ([0.0, 1.0, 2.0], [1.0, 2.0, 3.0]);
        let draw = |times: &[f64], filled: &[Range<usize>]| {
            let panels = [Panel { title: "", label: "x", values: &values, filled }];
            let time = Axis::linear("t");
            Picture { title: "", time, times, panels: &panels }.draw(Format::Svg)
        };
        for (count, filled) in [(3, 0..3), (3, 3..3), (3, 1..2)] {
            assert!(draw(&times[..count], &[filled]).is_ok());
        }
        let said = draw(&times[..2], &[]).unwrap_err().to_string();
        assert_eq!(said, "column `x` has 3 values, column `t` has 2");
        #[expect(clippy::reversed_empty_ranges, reason = "these are to be refused")]
        for run in [2..4, 9..9, 3..1, usize::MAX..0, 0..usize::MAX] {
            assert!(matches!(draw(&times, &[run]), Err(PlotError::Length { .. })));
        }
    }

    /// Two values between runs of filled ones stay as observed: each run is a line of its own.
    #[test]
    fn neighbouring_runs_are_drawn_apart() {
        let (times, values) = ([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [0.0, 1.0, 4.0, 9.0, 16.0, 25.0]);
        let lines = |filled: &[Range<usize>]| {
            let panels = [Panel { title: "", label: "", values: &values, filled }];
            let picture =
                Picture { title: "", time: Axis::linear(""), times: &times, panels: &panels };
            let svg = String::from_utf8(picture.draw(Format::Svg).unwrap()).unwrap();
            svg.matches("<polyline").count()
        };
        let runs = [1..2, 4..5];
        assert_eq!(lines(&runs), lines(&runs[..1]) + 1);
    }
}
