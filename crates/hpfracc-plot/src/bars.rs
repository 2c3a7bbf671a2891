//! Bar chart of ratios.

use crate::canvas::{self, Area, CURVES, Drawn, FAINT, INK, MARGIN, Pen, RIGHT, WIDTH, draw};
use crate::{Format, PlotError};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Horizontal bars of ratios from the line at one, to the left below one and to the right above.
/// The axis is logarithmic, so that 1/2 and 2 have bars of equal length.
#[derive(Debug, Clone, Copy)]
pub struct Bars<'a> {
    /// Title.
    pub title: &'a str,
    /// Legend: name of each colour.
    pub names: &'a [&'a str],
    /// Groups from top to bottom: name, and a ratio for each of `names`. Ratios that are not finite
    /// and positive are skipped; names wider than half of the sheet are truncated.
    pub groups: &'a [(&'a str, &'a [f64])],
}

/// Height of a bar, and gap between two groups.
const BAR: f64 = 16.0;
const APART: f64 = 10.0;
/// Height of a line of the legend, and of the axis.
const LINE: f64 = 24.0;
const AXIS: f64 = 34.0;
/// Height of the title of the sheet.
const TITLE: f64 = 44.0;
/// Font size, except for numbers next to bars.
const LETTERS: f64 = 14.0;
/// Width of the number next to a bar.
const NUMBER: f64 = 52.0;
const KEY: f64 = 14.0;
const GAP: f64 = 7.0;

impl Bars<'_> {
    /// Draws the picture into memory; its height depends on the number of bars.
    ///
    /// # Errors
    /// [`PlotError::Drawing`] if the drawing library fails.
    ///
    /// ```
    /// use hpfracc_plot::{Bars, Format};
    ///
    /// let groups: [(&str, &[f64]); 2] = [("N = 1000", &[0.8, 2.5]), ("N = 10000", &[0.9, 1.7])];
    /// let bars = Bars { title: "Against the roofline", names: &["apply", "bind"], groups: &groups };
    /// assert!(bars.draw(Format::Svg)?.starts_with(b"<svg"));
    /// # Ok::<(), hpfracc_plot::PlotError>(())
    /// ```
    pub fn draw(&self, format: Format) -> Result<Vec<u8>, PlotError> {
        let frame = self.frame(&canvas::pen()?);
        let each = BAR * self.names.len() as f64 + APART;
        let lines = frame.keys.last().map_or(0, |(_, line, _)| line + 1);
        let height = TITLE + LINE * lines as f64 + each * self.groups.len() as f64 + AXIS;
        let size = (WIDTH, height.ceil() as u32);
        draw(format, self.title, size, |area, pen| self.draw_on(&frame, area, pen))
    }

    /// Widths of texts.
    fn frame(&self, pen: &Pen) -> Frame {
        let width = canvas::width(pen);
        let rows = self.groups.iter().map(|(name, _)| pen.fitting(name, LETTERS, width / 2));
        let rows: Vec<String> = rows.collect();
        let widest = rows.iter().map(|name| pen.width(name, LETTERS)).max().unwrap_or(0);
        let left = pen.px(MARGIN + GAP) + widest;
        let right = width - pen.px(RIGHT);
        let (mut x, mut line, mut keys) = (left, 0, Vec::new());
        for name in self.names {
            let name = pen.fitting(name, LETTERS, right - left - pen.px(KEY + GAP));
            let whole = pen.width(&name, LETTERS) + pen.px(KEY + GAP);
            if x > left && x + whole > right {
                (x, line) = (left, line + 1);
            }
            keys.push((x, line, name));
            x += whole + pen.px(2.0 * KEY);
        }
        Frame { rows, left, right, keys }
    }

    fn draw_on(&self, frame: &Frame, area: &Area<'_>, pen: &Pen) -> Drawn {
        let (left, height) = (frame.left, area.dim_in_pixel().1);
        let bottom = height as i32 - pen.px(AXIS);
        let each = pen.px(BAR) * self.names.len() as i32 + pen.px(APART);
        let top = bottom - each * self.groups.len() as i32;
        let scale = self.scale(left, frame.right, pen);
        self.draw_axis(&scale, (top, bottom), area, pen)?;
        for ((k, name), (_, ratios)) in (0..).zip(&frame.rows).zip(self.groups) {
            let first = top + k * each + pen.px(APART) / 2;
            let middle = first + (each - pen.px(APART)) / 2;
            let style = pen.font(LETTERS).pos(Pos::new(HPos::Right, VPos::Center));
            area.draw_text(name, &style, (left - pen.px(GAP), middle))?;
            for (color, ratio) in ratios.iter().take(self.names.len()).enumerate() {
                let from = first + color as i32 * pen.px(BAR);
                draw_bar(*ratio, color, &scale, from, area, pen)?;
            }
        }
        let one = scale.at(1.0);
        area.draw(&PathElement::new(vec![(one, top), (one, bottom)], pen.line(INK, 1.2)))?;
        frame.draw_legend(area, pen)
    }

    /// Range that contains one and all ratios, at least two octaves, with room for numbers next to
    /// bars.
    fn scale(&self, left: i32, right: i32, pen: &Pen) -> Scale {
        let all = self.groups.iter().flat_map(|(_, ratios)| ratios.iter());
        let logs = || all.clone().filter(|r| drawn(**r)).map(|r| r.log2());
        let (low, high) = (logs().fold(0.0, f64::min), logs().fold(0.0, f64::max));
        let more = 0.5 * (2.0 - (high - low)).max(0.0);
        let room = |taken: bool| if taken { pen.px(NUMBER) } else { 0 };
        let (below, above) = (logs().any(|l| l < 0.0), logs().any(|l| l >= 0.0));
        let (low, high) = (low - more, high + more);
        Scale { low, high, left: left + room(below), right: right - room(above) }
    }

    fn draw_axis(
        &self,
        scale: &Scale,
        (top, bottom): (i32, i32),
        area: &Area<'_>,
        pen: &Pen,
    ) -> Drawn {
        for tick in ticks(scale.low, scale.high) {
            let x = scale.at(tick);
            area.draw(&PathElement::new(vec![(x, top), (x, bottom)], pen.line(FAINT, 0.8)))?;
            let style = pen.font(LETTERS).pos(Pos::new(HPos::Center, VPos::Top));
            area.draw_text(&label(tick), &style, (x, bottom + pen.px(5.0)))?;
        }
        Ok(())
    }
}

/// Positions of texts.
struct Frame {
    /// Names of the groups, truncated to the available width.
    rows: Vec<String>,
    /// Horizontal range of the bars.
    left: i32,
    right: i32,
    /// Legend: position, line and name of each key.
    keys: Vec<(i32, usize, String)>,
}

impl Frame {
    fn draw_legend(&self, area: &Area<'_>, pen: &Pen) -> Drawn {
        for (color, (x, line, name)) in self.keys.iter().enumerate() {
            let (x, y) = (*x, pen.px(LINE * (*line as f64 + 0.5)));
            let half = pen.px(KEY) / 2;
            let corners = [(x, y - half), (x + 2 * half, y + half)];
            area.draw(&Rectangle::new(corners, CURVES[color % CURVES.len()].filled()))?;
            let style = pen.font(LETTERS).pos(Pos::new(HPos::Left, VPos::Center));
            area.draw_text(name, &style, (x + pen.px(KEY + GAP), y))?;
        }
        Ok(())
    }
}

/// Position of a ratio on the binary logarithmic axis.
struct Scale {
    low: f64,
    high: f64,
    left: i32,
    right: i32,
}

impl Scale {
    fn at(&self, ratio: f64) -> i32 {
        let part = (ratio.log2() - self.low) / (self.high - self.low);
        self.left + (part * f64::from(self.right - self.left)).round() as i32
    }
}

fn drawn(ratio: f64) -> bool {
    ratio.is_finite() && ratio > 0.0
}

/// Ticks: powers of two, for a wide range powers of ten, for a wider one every second or third.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    const MOST: i32 = 9;
    let base: f64 = if high - low <= 8.0 { 2.0 } else { 10.0 };
    let of = |log: f64| log / base.log2();
    let (first, last) = ((of(low) - 1e-9).ceil() as i32, (of(high) + 1e-9).floor() as i32);
    let apart = (last - first) / MOST + 1;
    // One is a tick, the baseline of the bars.
    let all = (first..=last).filter(|exponent| exponent % apart == 0);
    all.map(|exponent| base.powi(exponent)).collect()
}

/// Label of a tick.
fn label(tick: f64) -> String {
    if (1e-4..1e5).contains(&tick) { tick.to_string() } else { format!("{tick:.0e}") }
}

/// Two or three digits; the limits are where rounding would add one.
fn text(ratio: f64) -> String {
    match ratio {
        r if r < 0.000_95 => format!("{r:.1e}"),
        r if r < 0.099_5 => format!("{r:.3}"),
        r if r < 9.995 => format!("{r:.2}"),
        r if r < 99.95 => format!("{r:.1}"),
        r if r < 9_999.5 => format!("{r:.0}"),
        r => format!("{r:.1e}"),
    }
}

fn draw_bar(
    ratio: f64,
    color: usize,
    scale: &Scale,
    top: i32,
    area: &Area<'_>,
    pen: &Pen,
) -> Drawn {
    if !drawn(ratio) {
        return Ok(());
    }
    let (one, end) = (scale.at(1.0), scale.at(ratio));
    let (first, last) = (top + pen.px(1.5), top + pen.px(BAR - 1.5));
    let corners = [(one.min(end), first), (one.max(end), last)];
    area.draw(&Rectangle::new(corners, CURVES[color % CURVES.len()].filled()))?;
    let (side, x) = if ratio < 1.0 {
        (HPos::Right, end - pen.px(5.0))
    } else {
        (HPos::Left, end + pen.px(5.0))
    };
    let style = pen.font(13.0).pos(Pos::new(side, VPos::Center));
    area.draw_text(&text(ratio), &style, (x, (first + last) / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_is_as_long_as_a_double() {
        let scale = Scale { low: -2.0, high: 2.0, left: 100, right: 500 };
        assert_eq!([0.25, 0.5, 1.0, 2.0, 4.0].map(|r| scale.at(r)), [100, 200, 300, 400, 500]);
    }

    #[test]
    fn few_ticks_are_enough() {
        assert_eq!(ticks(-1.0, 1.0), [0.5, 1.0, 2.0]);
        assert_eq!(ticks(-1.2, 3.1), [0.5, 1.0, 2.0, 4.0, 8.0]);
        assert_eq!(ticks(-7.0, 7.0), [0.01, 0.1, 1.0, 10.0, 100.0]);
        for (low, high) in [(0.0, 997.0), (-1074.0, 1024.0), (0.0, 40.0)] {
            let ticks = ticks(low, high);
            assert!((5..=10).contains(&ticks.len()) && ticks.contains(&1.0), "{ticks:?}");
        }
        assert_eq!([0.001, 1.0, 1e5, 1e300].map(label), ["0.001", "1", "1e5", "1e300"]);
    }

    #[test]
    fn numbers_have_two_or_three_digits() {
        let found = [0.0456, 0.854, 12.34, 210.4].map(text);
        assert_eq!(found, ["0.046", "0.85", "12.3", "210"]);
        let found = [0.000_4, 0.000_99, 0.099_7, 9.996, 99.97, 999.7, 9_999.7].map(text);
        assert_eq!(found, ["4.0e-4", "0.001", "0.10", "10.0", "100", "1000", "1.0e4"]);
        assert_eq!(text(1e300), "1.0e300");
    }

    /// No text extends beyond the sheet, above the title or below the axis.
    #[test]
    fn long_names_have_room() {
        let long =
            "a name that would never end if it were not for the width of the sheet ".repeat(4);
        let groups: [(&str, &[f64]); 2] = [(&long, &[2.0, 0.5, 1e300]), ("b", &[1.0, 1.0, 1.0])];
        let pen = canvas::pen().unwrap();
        for names in [["x", "y", "z"], [&long, &long, &long], ["x", &long[..70], "z"]] {
            let frame = Bars { title: "t", names: &names, groups: &groups }.frame(&pen);
            assert!(
                frame.left < canvas::width(&pen) * 6 / 10 && frame.rows[0].ends_with('\u{2026}')
            );
            for (x, _, name) in &frame.keys {
                let end = x + pen.px(KEY + GAP) + pen.width(name, LETTERS);
                assert!(end <= frame.right, "{name} ends at {end}");
            }
        }
        // The height depends on the lines of the legend.
        let height = |names: &[&str]| {
            let bars = Bars { title: "t", names, groups: &groups };
            let svg = String::from_utf8(bars.draw(Format::Svg).unwrap()).unwrap();
            let (_, from) = svg.split_once(" height=\"").unwrap();
            from.split('"').next().unwrap().parse::<f64>().unwrap()
        };
        assert_eq!(height(&[&long, &long]) - height(&["x", "y"]), LINE);
    }

    #[test]
    fn invalid_ratios_are_skipped() {
        let groups: [(&str, &[f64]); 2] = [("a", &[f64::NAN, 2.0]), ("b", &[0.0, f64::INFINITY])];
        let bars = Bars { title: "t", names: &["x", "y"], groups: &groups };
        let svg = String::from_utf8(bars.draw(Format::Svg).unwrap()).unwrap();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        // Two keys of the legend, one bar and the sheet itself.
        assert_eq!(svg.matches("<rect").count(), 4, "{svg}");
        let empty = Bars { title: "", names: &[], groups: &[] };
        assert!(empty.draw(Format::Svg).is_ok());
    }
}
