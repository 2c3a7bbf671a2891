//! Bar with the values of the colours.

use super::cells::{Cells, draw_frame};
use super::color_scale::{ColorScale, NONE, SHADES, rgb};
use crate::canvas::{Area, Drawn, INK, MARGIN, Pen};
use crate::chart::{Axis, ticks};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Width of the colour bar with its labels.
pub(super) const BAR: f64 = 118.0;
/// Width of its colours.
const COLORS: f64 = 18.0;

/// Bar of colours with its name above it, and a key of grey cells.
pub(super) struct ColorBar<'a> {
    pub(super) name: &'a str,
    pub(super) scale: &'a ColorScale,
    /// Whether there are cells without a finite value.
    pub(super) has_none: bool,
    /// Heights above and below the bar.
    pub(super) above: f64,
    pub(super) below: f64,
}

impl ColorBar<'_> {
    pub(super) fn draw(&self, area: &Area<'_>, pen: &Pen) -> Drawn {
        let left = Pos::new(HPos::Left, VPos::Center);
        let (width, height) = area.dim_in_pixel();
        let name = pen.fitting(self.name, 15.0, width as i32);
        let middle = pen.px(self.above) - pen.px(15.0);
        area.draw_text(&name, &pen.font(15.0).pos(left), (0, middle))?;
        if self.has_none {
            let bottom = height as i32 - pen.px(self.below) + pen.px(22.0);
            let half = pen.px(7.0);
            let corners = [(0, bottom - half), (2 * half, bottom + half)];
            let grey = rgb(self.scale.palette()[usize::from(NONE)]);
            area.draw(&Rectangle::new(corners, grey.filled()))?;
            area.draw_text("none", &pen.font(14.0).pos(left), (pen.px(20.0), bottom))?;
        }
        if self.scale.low > self.scale.high { Ok(()) } else { self.draw_colors(area, pen) }
    }

    fn draw_colors(&self, area: &Area<'_>, pen: &Pen) -> Drawn {
        let ColorScale { low, high, .. } = *self.scale;
        let numbers = if low < high {
            low.max(f64::MIN / 4.0)..high.min(f64::MAX / 4.0)
        } else {
            ticks::with_margin((low, high))
        };
        let mut chart = ChartBuilder::on(area);
        chart
            .margin_top(pen.px(self.above))
            .margin_bottom(pen.px(self.below))
            .set_label_area_size(LabelAreaPosition::Right, pen.px(BAR - COLORS - MARGIN));
        let mut chart = chart.build_cartesian_2d(0.0..1.0, numbers.clone())?;
        let step = (numbers.end - numbers.start) / SHADES as f64;
        let rows: Vec<f64> = (0..=SHADES).map(|k| numbers.start + step * k as f64).collect();
        let index = |row: usize, _| if low < high { row } else { SHADES / 2 } as u8;
        let palette = &self.scale.palette();
        Cells { columns: &[0.0, 1.0], rows: &rows, index, palette }.draw(&chart, pen)?;
        let axis = Axis::linear("");
        let text = |value: &f64| axis.text(*value, &numbers);
        let height = chart.plotting_area().dim_in_pixel().1 as i32;
        chart
            .configure_mesh()
            .disable_x_axis()
            .disable_mesh()
            .y_labels(axis.count(height, pen.px(38.0), &numbers))
            .axis_style(pen.line(INK, 0.8))
            .label_style(pen.font(14.0))
            .set_all_tick_mark_size(pen.px(4.0))
            .y_label_formatter(&text)
            .draw()?;
        draw_frame(&chart, pen)
    }
}
