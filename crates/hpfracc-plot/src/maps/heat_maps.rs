use super::color_bar::{BAR, ColorBar};
use super::color_scale::ColorScale;
use super::map_axes::{MapAxes, TickStyle};
use super::panel_layout::{ABOVE, CAPTION, NAME, PanelLayout, TICKS};
use crate::canvas::{Area, Drawn, LABELS, MARGIN, Pen, Pixels, RIGHT, draw, draw_pixels};
use crate::chart::{Axis, ticks};
use crate::{Format, PlotError};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Heat maps of a field at several times, with equal units on both axes and the same colours.
///
/// [`HeatMaps::draw`] draws them side by side (small multiples),
/// [`Animation`](crate::Animation) one after the other. The colours, which are those of
/// [`HeatMap`](crate::HeatMap), span the values of all frames; cells outside of the domain of the
/// field, NaN, are grey. A map is between an eighth and four times as high as wide, whatever its
/// axes.
///
/// ```
/// use hpfracc_plot::{Axis, Format, HeatMaps, MapFrame};
///
/// let xs: Vec<f64> = (0..20).map(|k| f64::from(k) / 19.0).collect();
/// let field = |t: f64| -> Vec<f64> {
///     let value = |x: f64, y: f64| (-t).exp() * (3.0 * x).sin() * (3.0 * y).sin();
///     xs.iter().flat_map(|y| xs.iter().map(|x| value(*x, *y)).collect::<Vec<_>>()).collect()
/// };
/// let (first, last) = (field(0.0), field(0.5));
/// let maps = HeatMaps {
///     title: "Diffusion",
///     x: Axis::linear("x"),
///     y: Axis::linear("y"),
///     name: "u",
///     xs: &xs,
///     ys: &xs,
///     frames: &[
///         MapFrame { caption: "t = 0", values: &first },
///         MapFrame { caption: "t = 0.5", values: &last },
///     ],
/// };
/// assert!(maps.draw(Format::Svg)?.starts_with(b"<svg"));
/// # Ok::<(), hpfracc_plot::PlotError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct HeatMaps<'a> {
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
    /// Frames in the order of their times.
    pub frames: &'a [MapFrame<'a>],
}

/// Frame of [`HeatMaps`].
#[derive(Debug, Clone, Copy)]
pub struct MapFrame<'a> {
    /// Caption, such as the time.
    pub caption: &'a str,
    /// Numbers, row after row, a row for each of `ys`. Grey where they are not finite.
    pub values: &'a [f64],
}

/// Most maps of a picture.
const MOST: usize = 100;
/// Size of the labels of the ticks.
const SMALL: f64 = 13.0;

impl HeatMaps<'_> {
    /// Draws all maps side by side into memory, in as many columns as make them largest.
    ///
    /// # Errors
    /// [`PlotError::Empty`] if there are no frames, no positions, or no finite value;
    /// [`PlotError::Cells`] if a frame has not a number for each cell, [`PlotError::Position`] if
    /// positions are not finite or not in order, [`PlotError::TooManyMaps`] for more than 100
    /// frames, and [`PlotError::Drawing`] if the drawing library fails.
    pub fn draw(&self, format: Format) -> Result<Vec<u8>, PlotError> {
        self.draw_as(PanelLayout::of, format)
    }

    /// Draws all maps into memory, this number of them side by side.
    ///
    /// # Errors
    /// Those of [`HeatMaps::draw`].
    pub fn draw_in_columns(&self, columns: usize, format: Format) -> Result<Vec<u8>, PlotError> {
        self.draw_as(|count, ratio| PanelLayout::in_columns(count, columns, ratio), format)
    }

    fn draw_as(
        &self,
        layout: impl FnOnce(usize, f64) -> PanelLayout,
        format: Format,
    ) -> Result<Vec<u8>, PlotError> {
        let prepared = self.prepare()?;
        let count = self.frames.len();
        if count > MOST {
            return Err(PlotError::TooManyMaps { found: count, most: MOST });
        }
        let layout = layout(count, prepared.axes.ratio());
        draw(format, self.title, layout.size(), |body, pen| {
            for (index, frame) in self.frames.iter().enumerate() {
                prepared.draw_map(frame, (&layout, index), body, pen)?;
            }
            self.draw_around(&prepared, &layout, body, pen)
        })
    }

    /// Picture of one frame with one pixel per unit.
    pub(crate) fn draw_frame(
        &self,
        prepared: &PreparedMaps<'_>,
        frame: &MapFrame<'_>,
    ) -> Result<Pixels, PlotError> {
        let layout = PanelLayout::single(prepared.axes.ratio());
        draw_pixels(self.title, layout.size(), |body, pen| {
            prepared.draw_map(frame, (&layout, 0), body, pen)?;
            self.draw_around(prepared, &layout, body, pen)
        })
    }

    /// Checks all frames, and returns what they share.
    pub(crate) fn prepare(&self) -> Result<PreparedMaps<'_>, PlotError> {
        let axes = MapAxes::new((self.x, self.xs), (self.y, self.ys))?;
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (index, frame) in self.frames.iter().enumerate() {
            axes.check(&format!("{}, frame {index},", self.name), frame.values)?;
            let (least, most) = ticks::extremes(frame.values);
            (low, high) = (low.min(least), high.max(most));
        }
        if low > high {
            let reason = match self.frames.len() {
                0 => format!("there are no frames of {}", self.name),
                count => format!("{} has no finite value in {count} frames", self.name),
            };
            return Err(PlotError::Empty { reason });
        }
        let mut values = self.frames.iter().flat_map(|frame| frame.values);
        let has_none = values.any(|value| !value.is_finite());
        Ok(PreparedMaps { axes, scale: ColorScale::new((low, high)), has_none })
    }

    /// Draws the names of both axes, and the colour bar.
    fn draw_around(
        &self,
        prepared: &PreparedMaps<'_>,
        layout: &PanelLayout,
        body: &Area<'_>,
        pen: &Pen,
    ) -> Drawn {
        let (width, height) = body.dim_in_pixel();
        let style = pen.font(15.0).pos(Pos::new(HPos::Center, VPos::Center));
        let (left, _) = layout.corner(0);
        let middle = (pen.px(left) + width as i32 - pen.px(BAR + RIGHT)) / 2;
        body.draw_text(self.x.name, &style, (middle, height as i32 - pen.px(0.6 * NAME)))?;
        let middle = (pen.px(ABOVE) + height as i32 - pen.px(NAME + TICKS + CAPTION)) / 2;
        let upward = style.transform(FontTransform::Rotate270);
        body.draw_text(self.y.name, &upward, (pen.px(MARGIN + 4.0), middle))?;
        let (_, bar) = body.split_horizontally(width as i32 - pen.px(BAR));
        let PreparedMaps { scale, has_none, .. } = prepared;
        let below = TICKS + CAPTION + NAME;
        ColorBar { name: self.name, scale, has_none: *has_none, above: ABOVE, below }
            .draw(&bar, pen)
    }
}

/// Axes and colours of all frames.
pub(crate) struct PreparedMaps<'a> {
    axes: MapAxes<'a>,
    scale: ColorScale,
    has_none: bool,
}

impl PreparedMaps<'_> {
    /// Draws a map with its ticks and its caption.
    fn draw_map(
        &self,
        frame: &MapFrame<'_>,
        (layout, index): (&PanelLayout, usize),
        body: &Area<'_>,
        pen: &Pen,
    ) -> Drawn {
        let (x, y) = layout.corner(index);
        // Labels of the vertical axis left of the first column.
        let labels = if index.is_multiple_of(layout.columns) { LABELS - 20.0 } else { 0.0 };
        let size = (pen.px(layout.width + labels), pen.px(layout.height + TICKS));
        let area = body.clone().shrink((pen.px(x - labels), pen.px(y)), size);
        let mut chart = ChartBuilder::on(&area);
        chart.set_label_area_size(LabelAreaPosition::Bottom, pen.px(TICKS));
        chart.set_label_area_size(LabelAreaPosition::Left, pen.px(labels));
        let style = TickStyle { size: SMALL, names: false };
        self.axes.draw((frame.values, &self.scale), &mut chart, &style, pen)?;
        let caption = pen.fitting(frame.caption, 15.0, pen.px(layout.width));
        let style = pen.font(15.0).pos(Pos::new(HPos::Center, VPos::Center));
        let middle = y + layout.height + TICKS + 0.38 * CAPTION;
        body.draw_text(&caption, &style, (pen.px(x + 0.5 * layout.width), pen.px(middle)))
    }
}
