use crate::canvas::{self, Pixels, WIDTH, draw_pixels};
use crate::chart::{ChartView, ticks};
use crate::{Axis, Chart, Curve, PlotError};

/// Curves at several times with the same axes, for an [`Animation`](crate::Animation).
#[derive(Debug, Clone, Copy)]
pub struct Profiles<'a> {
    /// Title.
    pub title: &'a str,
    /// Horizontal axis.
    pub x: Axis<'a>,
    /// Vertical axis.
    pub y: Axis<'a>,
    /// Frames in the order of their times.
    pub frames: &'a [Profile<'a>],
}

/// Frame of [`Profiles`].
#[derive(Debug, Clone, Copy)]
pub struct Profile<'a> {
    /// Caption, such as the time.
    pub caption: &'a str,
    /// Curves, later ones in front.
    pub curves: &'a [Curve<'a>],
}

const HEIGHT: u32 = 560;

impl Profiles<'_> {
    /// Axes of all frames, after a check of all curves.
    pub(super) fn view(&self) -> Result<ChartView, PlotError> {
        self.frames.iter().flat_map(|frame| frame.curves).try_for_each(check)?;
        let all: Vec<Curve<'_>> =
            self.frames.iter().flat_map(|frame| frame.curves).copied().collect();
        if all.iter().all(|curve| ticks::extremes(curve.y).0.is_infinite()) {
            let reason = match self.frames.len() {
                0 => "there are no frames of curves".to_owned(),
                count => format!("the curves of {count} frames have no finite value"),
            };
            return Err(PlotError::Empty { reason });
        }
        let pen = canvas::pen()?;
        let view = |frame| self.chart(frame).view(canvas::width(&pen), &pen);
        let heading = self.frames.iter().map(|frame| view(frame).heading).max().unwrap_or(0);
        let whole = self.chart(&Profile { caption: "", curves: &all });
        Ok(ChartView { heading, ..whole.view(canvas::width(&pen), &pen) })
    }

    pub(super) fn draw_frame(
        &self,
        view: &ChartView,
        frame: &Profile<'_>,
    ) -> Result<Pixels, PlotError> {
        draw_pixels(self.title, (WIDTH, HEIGHT), |body, pen| {
            self.chart(frame).draw_in(view, body, pen)
        })
    }

    fn chart<'b>(&'b self, frame: &Profile<'b>) -> Chart<'b> {
        let Profile { caption: title, curves } = *frame;
        Chart { title, x: self.x, y: self.y, curves, equal: false }
    }
}

/// Checks the lengths of a curve.
fn check(curve: &Curve<'_>) -> Result<(), PlotError> {
    let (expected, found) = (curve.x.len(), curve.y.len());
    if expected == found {
        return Ok(());
    }
    let (column, first) = (curve.name.to_owned(), "x".to_owned());
    Err(PlotError::Length { column, found, first, expected })
}
