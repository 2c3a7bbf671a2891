//! A window without a user: draws frames, checks the relaxation in them, and closes.

use crate::Failure;
use crate::answers::Computed;
use crate::app::App;
use crate::picture::COLOURS;
use eframe::egui::{Color32, ColorImage, Context, ViewportCommand};
use egui_plot::{PlotPoint, PlotTransform};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// E_0.6(-10^0.6), from its series with 40 digits: the relaxation at the end.
const EXACT_END: f64 = 0.120_113_044_950_996_7;
/// Bound of the error of the default scheme with the default steps.
const BOUND: f64 = 1e-3;
/// Distance of the curve in the picture from the exact one, in pixels: dots of the exact one cover the curve.
const NEAR: usize = 5;
/// Time after which the window is closed without a result.
const LIMIT: Duration = Duration::from_secs(60);

/// Frames to draw before the check.
#[derive(Debug)]
pub(crate) struct Frames {
    left: u64,
    /// PNG file of the last frame.
    file: Option<PathBuf>,
    start: Instant,
    /// Picture of the window; requested when its frame is drawn.
    shots: Option<Receiver<Arc<ColorImage>>>,
    outcome: Sender<Result<(), String>>,
}

impl Frames {
    /// Counts down from `frames`; the outcome is received when the window is closed.
    pub(crate) fn new(frames: u64, file: Option<PathBuf>) -> (Self, Receiver<Result<(), String>>) {
        let (outcome, received) = channel();
        (Self { left: frames, file, start: Instant::now(), shots: None, outcome }, received)
    }

    /// To be called after each frame.
    pub(crate) fn drawn(&mut self, context: &Context, app: &App, picture: Option<&PlotTransform>) {
        self.left = self.left.saturating_sub(1);
        context.request_repaint();
        let shot = self.shots.as_ref().and_then(|shots| shots.try_recv().ok());
        let outcome = match (app.settled(), picture, shot) {
            (Some(Err(message)), ..) => Err(message.clone()),
            (Some(Ok(computed)), Some(picture), Some(shot)) => {
                self.check(computed, picture, &shot, context.pixels_per_point())
            }
            _ if self.start.elapsed() > LIMIT => Err(format!("no picture after {LIMIT:?}")),
            (Some(Ok(_)), Some(_), None) if self.left == 0 && self.shots.is_none() => {
                let (sender, shots) = channel();
                self.shots = Some(shots);
                context.request_screenshot(move |image| {
                    sender.send(image).ok();
                });
                return;
            }
            _ => return,
        };
        self.outcome.send(outcome).ok();
        context.send_viewport_cmd(ViewportCommand::Close);
    }

    fn check(
        &self,
        computed: &Computed,
        picture: &PlotTransform,
        shot: &ColorImage,
        scale: f32,
    ) -> Result<(), String> {
        if let Some(file) = &self.file {
            write_png(file, shot).map_err(|error| format!("{}: {error}", file.display()))?;
        }
        check_numbers(computed)?;
        check_pixels(computed, picture, shot, scale)
    }
}

/// Compares the solution with the exact one, and its end with a number that this library has not computed.
fn check_numbers(computed: &Computed) -> Result<(), String> {
    let curve = computed.curves.first().ok_or("no curve")?;
    let (y, exact) = (&curve.y, curve.exact.as_ref().ok_or("no exact solution")?);
    let end = y.last().ok_or("no values")?;
    let error = y.iter().zip(exact).map(|(y, exact)| (y - exact).abs()).fold(0.0, f64::max);
    println!("{}: {}", curve.name, computed.method);
    println!(
        "{} values, largest error {error:.1e}; at the end {end:.10}, exact {EXACT_END:.10}",
        y.len()
    );
    if error < BOUND && (end - EXACT_END).abs() < BOUND {
        Ok(())
    } else {
        Err(format!("expected an error below {BOUND}"))
    }
}

/// Looks for the colour of the curve where the exact solution is.
fn check_pixels(
    computed: &Computed,
    picture: &PlotTransform,
    shot: &ColorImage,
    scale: f32,
) -> Result<(), String> {
    let curve = computed.curves.first().ok_or("no curve")?;
    let exact = curve.exact.as_ref().ok_or("no exact solution")?;
    let [width, height] = shot.size;
    let near = |pixel: Color32| {
        let parts = pixel.to_array().into_iter().zip(COLOURS[0].to_array());
        parts.fold(0, |most, (a, b)| a.abs_diff(b).max(most)) < 48
    };
    let is_drawn = |(t, y): (&f64, &f64)| {
        let at = picture.position_from_point(&PlotPoint::new(*t, *y)) * scale;
        let (x, y) = (at.x as usize, at.y as usize);
        let mut around = (y.saturating_sub(NEAR)..height.min(y + NEAR + 1))
            .flat_map(|y| (x.saturating_sub(NEAR)..width.min(x + NEAR + 1)).map(move |x| (x, y)));
        around.any(|(x, y)| near(shot[(x, y)]))
    };
    // Without the start, where the curve is as steep as the axis is.
    let points = computed.t.iter().zip(exact).step_by(computed.t.len().div_ceil(50)).skip(1);
    let (drawn, missing): (Vec<_>, Vec<_>) = points.partition(|point| is_drawn(*point));
    println!("{} of {} exact points are in the picture", drawn.len(), drawn.len() + missing.len());
    match missing.first() {
        None => Ok(()),
        Some((t, y)) => Err(format!("no curve in the picture at t = {t}, y = {y}")),
    }
}

fn write_png(file: &Path, shot: &ColorImage) -> Result<(), Failure> {
    let [width, height] = [0, 1].map(|k| shot.size[k] as u32);
    let mut encoder = png::Encoder::new(File::create(file)?, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(shot.as_raw())?;
    Ok(())
}
