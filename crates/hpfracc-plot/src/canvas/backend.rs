//! Backend of the drawing library: shapes as SVG elements, texts as outlines.

use super::labels::{Labels, Placement};
use super::typeface::Typeface;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind, FontTransform,
};
use std::cell::RefCell;
use std::io;
use std::rc::Rc;

/// Part of a picture to draw on.
pub(crate) type Area<'a> = DrawingArea<Canvas<'a>, Shift>;
/// Result of drawing.
pub(crate) type Drawn = Result<(), DrawingAreaErrorKind<io::Error>>;

/// Size of a font of the drawing library, in em.
const SIZE: f64 = 1.24;

/// Width of a text at this font size.
pub(super) fn width(typeface: &Typeface, text: &str, size: f64) -> i32 {
    (f64::from(typeface.layout(text).1) * size / SIZE).ceil() as i32
}

/// SVG with outlined texts.
pub(crate) struct Canvas<'a> {
    pub(super) svg: SVGBackend<'a>,
    pub(super) typeface: &'static Typeface,
    pub(super) labels: Rc<RefCell<Labels>>,
}

type Backed<T> = Result<T, DrawingErrorKind<io::Error>>;

impl DrawingBackend for Canvas<'_> {
    type ErrorType = io::Error;

    fn get_size(&self) -> (u32, u32) {
        self.svg.get_size()
    }

    fn ensure_prepared(&mut self) -> Backed<()> {
        self.svg.ensure_prepared()
    }

    fn present(&mut self) -> Backed<()> {
        self.svg.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Backed<()> {
        self.svg.draw_pixel(point, color)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Backed<()> {
        self.svg.draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Backed<()> {
        self.svg.draw_rect(upper_left, bottom_right, style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Backed<()> {
        self.svg.draw_path(path, style)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Backed<()> {
        self.svg.draw_circle(center, radius, style, fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Backed<()> {
        self.svg.fill_polygon(corners, style)
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> Backed<()> {
        let anchor = style.anchor();
        let before = match anchor.h_pos {
            HPos::Left => 0.0,
            HPos::Center => 0.5,
            HPos::Right => 1.0,
        };
        let below = match anchor.v_pos {
            VPos::Top => 0.76,
            VPos::Center => 0.26,
            VPos::Bottom => -0.26,
        };
        let rotation = match style.transform() {
            FontTransform::Rotate90 => 90,
            FontTransform::Rotate180 => 180,
            FontTransform::Rotate270 => 270,
            _ => 0,
        };
        let (color, em) = (style.color().rgb, style.size() / SIZE);
        self.labels
            .borrow_mut()
            .push(text, &Placement { x, y, em, before, below, rotation, color });
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(&self, text: &str, style: &S) -> Backed<(u32, u32)> {
        let width = width(self.typeface, text, style.size());
        Ok((width.unsigned_abs(), style.size().ceil() as u32))
    }
}
