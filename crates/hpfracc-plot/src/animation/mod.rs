//! Animated pictures: maps or curves, a frame for each time.

mod apng;
mod profiles;

use crate::{HeatMaps, PendingFile, PlotError};
use apng::{DelayMillis, encode};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

pub use profiles::{Profile, Profiles};

/// Animated PNG of a field in time, which browsers and most viewers play in an endless loop;
/// others show the first frame.
///
/// Axes and colours are the same in all frames, which have one pixel per unit. Frames are drawn and
/// encoded one after the other, each as the rectangle that differs from the frame before: the
/// memory is that of a few pictures, for any number of frames. A map of 256 by 256 cells takes
/// about 50 kB per frame.
///
/// ```
/// use hpfracc_plot::{Animation, Axis, Curve, Profile, Profiles};
/// use std::time::Duration;
///
/// let x: Vec<f64> = (0..=50).map(|k| f64::from(k) / 50.0).collect();
/// let times = [0.0, 0.1, 0.2];
/// let waves = times.map(|t| x.iter().map(|x| (6.0 * (x - t)).sin()).collect::<Vec<f64>>());
/// let curves: Vec<[Curve<'_>; 1]> = waves.iter().map(|u| [Curve::line("u", &x, u, 0)]).collect();
/// let captions = times.map(|t| format!("t = {t}"));
/// let frames: Vec<Profile<'_>> = curves
///     .iter()
///     .zip(&captions)
///     .map(|(curves, caption)| Profile { caption, curves })
///     .collect();
/// let (x, y) = (Axis::linear("x"), Axis::linear("u"));
/// let animation = Animation::Profiles(Profiles { title: "A wave", x, y, frames: &frames });
///
/// let folder = tempfile::tempdir()?;
/// animation.write(folder.path().join("wave.png"), Duration::from_millis(100))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Animation<'a> {
    /// Heat maps of a field in the plane.
    Maps(HeatMaps<'a>),
    /// Curves of a field on a line.
    Profiles(Profiles<'a>),
}

impl Animation<'_> {
    /// Encodes the animation in memory, with this time between frames.
    ///
    /// # Errors
    /// Those of [`Animation::write`].
    pub fn encode(&self, delay: Duration) -> Result<Vec<u8>, PlotError> {
        let mut bytes = Vec::new();
        self.encode_to(&mut bytes, "the animation", DelayMillis::new(delay)?)?;
        Ok(bytes)
    }

    /// Writes the animation to a file, completely or not at all, with this time between frames,
    /// rounded to milliseconds.
    ///
    /// # Errors
    /// [`PlotError::Delay`] if the delay is not between 1 ms and 65.535 s; [`PlotError::Empty`] if
    /// there are no frames or no finite value; [`PlotError::Cells`] and [`PlotError::Position`] for
    /// maps, and [`PlotError::Length`] for curves, whose lengths do not fit; [`PlotError::Write`]
    /// on an I/O error, and [`PlotError::Drawing`] if the drawing library fails.
    pub fn write(&self, path: impl AsRef<Path>, delay: Duration) -> Result<(), PlotError> {
        let (path, delay) = (path.as_ref(), DelayMillis::new(delay)?);
        let pending = PendingFile::begin(path)?;
        let name = path.display().to_string();
        let mut file = BufWriter::new(pending.file()?);
        self.encode_to(&mut file, &name, delay)?;
        file.flush().map_err(|source| PlotError::Write { name, source })?;
        pending.publish()
    }

    fn encode_to(&self, out: impl Write, name: &str, delay: DelayMillis) -> Result<(), PlotError> {
        match self {
            Self::Maps(maps) => {
                let prepared = maps.prepare()?;
                let frames = maps.frames.iter().map(|frame| maps.draw_frame(&prepared, frame));
                encode(out, name, delay, frames)
            }
            Self::Profiles(profiles) => {
                let view = profiles.view()?;
                let frames = profiles.frames.iter().map(|frame| profiles.draw_frame(&view, frame));
                encode(out, name, delay, frames)
            }
        }
    }
}
