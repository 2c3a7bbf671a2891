//! Legend above a chart: its title, and the names of its curves with their marks.

use super::curve::{Curve, Mark};
use crate::canvas::{Area, Drawn, LABELS, MARGIN, PALE, Pen, RIGHT};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const LINE: f64 = 24.0;
const KEY: f64 = 26.0;
/// Gap between a mark and its name, and between a name and the next mark.
const GAP: f64 = 7.0;
const APART: f64 = 20.0;

/// Layout of the names without overlaps.
pub(super) struct Legend<'a> {
    title: &'a str,
    curves: &'a [Curve<'a>],
    /// For each named curve: index, line, and left end of its mark.
    entries: Vec<(usize, i32, i32)>,
    lines: i32,
    line: i32,
}

impl<'a> Legend<'a> {
    /// Legend of a chart of this width: right of the title if it fits, else below in one or more lines.
    pub(super) fn of(title: &'a str, curves: &'a [Curve<'a>], width: i32, pen: &Pen) -> Self {
        let (left, right) = (pen.px(MARGIN + LABELS), width - pen.px(RIGHT));
        let named = curves.iter().enumerate().filter(|(_, curve)| !curve.name.is_empty());
        let entry = |curve: &Curve<'_>| pen.px(KEY + GAP + APART) + pen.width(curve.name, 14.0);
        let widths: Vec<(usize, i32)> = named.map(|(k, curve)| (k, entry(curve))).collect();
        let title_width = pen.width(title, 15.0);
        let whole: i32 = widths.iter().map(|(_, width)| width).sum();
        let next_to_title = left + title_width + pen.px(APART) + whole <= right;
        let mut lines = i32::from(!title.is_empty() || (next_to_title && !widths.is_empty()));
        let mut entries = Vec::new();
        let mut from = right - whole + pen.px(APART);
        if !next_to_title {
            (lines, from) = (lines + 1, left);
        }
        for (index, width) in widths {
            if !next_to_title && from > left && from + width - pen.px(APART) > right {
                (lines, from) = (lines + 1, left);
            }
            entries.push((index, lines - 1, from));
            from += width;
        }
        Self { title, curves, entries, lines, line: pen.px(LINE) }
    }

    /// Height, with room for half of the top label of the axis below.
    pub(super) fn height(&self) -> i32 {
        self.lines * self.line + self.line / 3
    }

    pub(super) fn draw(&self, area: &Area<'_>, pen: &Pen) -> Drawn {
        let left = Pos::new(HPos::Left, VPos::Center);
        let middle = |line: i32| line * self.line + self.line / 2;
        let place = (pen.px(MARGIN + LABELS), middle(0));
        area.draw_text(self.title, &pen.font(15.0).pos(left), place)?;
        for &(index, line, from) in &self.entries {
            let (curve, y) = (&self.curves[index], middle(line));
            draw_mark(curve, (from, from + pen.px(KEY), y), area, pen)?;
            if curve.mark == Mark::Band {
                // As dark as the bands are that lie below it.
                let below = &self.curves[..index];
                let below =
                    below.iter().filter(|it| it.mark == Mark::Band && it.color == curve.color);
                for lower in below {
                    draw_mark(lower, (from, from + pen.px(KEY), y), area, pen)?;
                }
            }
            let at = (from + pen.px(KEY + GAP), y);
            area.draw_text(curve.name, &pen.font(14.0).pos(left), at)?;
        }
        Ok(())
    }
}

fn draw_mark(
    curve: &Curve<'_>,
    (from, to, y): (i32, i32, i32),
    area: &Area<'_>,
    pen: &Pen,
) -> Drawn {
    let (style, middle) = (pen.line(curve.rgb(), 2.0), ((from + to) / 2, y));
    match curve.mark {
        Mark::Line => area.draw(&PathElement::new(vec![(from, y), (to, y)], style)),
        Mark::Hair => {
            area.draw(&PathElement::new(vec![(from, y), (to, y)], pen.pale(curve.rgb(), 1.2)))
        }
        Mark::Filled => area.draw(&PathElement::new(vec![(from, y), (to, y)], pen.filled())),
        Mark::Band => {
            let half = pen.px(5.0);
            let corners = [(from, y - half), (to, y + half)];
            area.draw(&Rectangle::new(corners, curve.rgb().mix(PALE).filled()))
        }
        Mark::Dashes => {
            let third = (to - from) / 3;
            area.draw(&PathElement::new(vec![(from, y), (from + third, y)], style))?;
            area.draw(&PathElement::new(vec![(to - third, y), (to, y)], style))
        }
        Mark::Rings => area.draw(&ring(middle, pen.line(curve.rgb(), 1.5), pen)),
        Mark::Dots => area.draw(&dot(middle, curve, pen)),
    }
}

pub(super) fn ring<C>(point: C, style: ShapeStyle, pen: &Pen) -> Circle<C, i32> {
    Circle::new(point, pen.px(4.0), style)
}

pub(super) fn dot<C>(point: C, curve: &Curve<'_>, pen: &Pen) -> Circle<C, i32> {
    Circle::new(point, pen.px(4.5), curve.rgb().filled())
}
