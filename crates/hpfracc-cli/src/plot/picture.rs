use super::Format;
use super::area::{Area, Drawn};
use super::canvas::{HEIGHT, draw};
use super::panel::{Frame, Panel, draw_panel};
use super::pen::Pen;
use crate::Error;
use crate::input::TimeFormat;

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

impl Picture<'_> {
    /// Draws the picture into memory.
    ///
    /// # Errors
    /// [`Error::Drawing`] if the drawing library fails.
    pub fn draw(&self, format: Format) -> Result<Vec<u8>, Error> {
        draw(format, self.title, HEIGHT, |area, pen| self.draw_on(area, pen))
    }

    fn draw_on(&self, body: &Area<'_>, pen: &Pen) -> Drawn {
        let frame = Frame::new((self.time_label, self.time_format), self.times, pen);
        // The lowest panel has the time axis; all curves have equal heights.
        let axis = pen.px(44.0);
        let (_, height) = body.dim_in_pixel();
        let each = (height as i32 - axis) / self.panels.len().max(1) as i32;
        let mut rest = body.clone();
        for (index, panel) in self.panels.iter().enumerate() {
            let last = index + 1 == self.panels.len();
            let (area, below) = rest.split_vertically(if last { each + axis } else { each });
            draw_panel(&frame, &area, (index, panel), if last { axis } else { 0 })?;
            rest = below;
        }
        Ok(())
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
