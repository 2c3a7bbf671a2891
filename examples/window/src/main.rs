//! The explorer in a native window: `cargo run --release --manifest-path examples/window/Cargo.toml`.
//!
//! Type an equation, or choose one of the literature; move its parameters and orders, the number of steps and of paths. The
//! picture shows the solution, or the mean of the ensemble with the band of 90 % of the paths, and the exact one where it is
//! known. `hpfracc_web::Explorer` answers the same requests as in the browser, on a thread that a change cancels; an app with
//! an interface of its own calls it, or the library below it, in the same way.
//!
//! - `--frames N` draws N frames, compares the relaxation in the picture with the exact one, and exits: 0 if they agree.
//! - `--screenshot FILE` writes the last of these frames as PNG; without `--frames`, the first with a solution.

mod answers;
mod app;
mod editor;
mod frames;
mod picture;
mod sliders;
mod worker;

use app::App;
use eframe::egui::{Ui, ViewportBuilder};
use frames::Frames;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "usage: hpfracc-window [--frames N] [--screenshot FILE]";

type Failure = Box<dyn Error + Send + Sync>;

/// The window, and frames that are counted.
struct Window {
    app: App,
    frames: Option<Frames>,
}

impl eframe::App for Window {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        let picture = self.app.show(ui);
        if let Some(frames) = &mut self.frames {
            frames.drawn(ui.ctx(), &self.app, picture.as_ref());
        }
    }
}

/// Number of frames, and file for a screenshot.
fn arguments(
    mut arguments: impl Iterator<Item = String>,
) -> Result<(Option<u64>, Option<PathBuf>), String> {
    let (mut frames, mut file) = (None, None);
    while let Some(argument) = arguments.next() {
        let value = arguments.next().ok_or(USAGE)?;
        match &*argument {
            "--frames" => {
                let number = value.parse().map_err(|error| format!("--frames {value}: {error}"))?;
                frames = Some(number);
            }
            "--screenshot" => file = Some(PathBuf::from(value)),
            _ => return Err(USAGE.to_owned()),
        }
    }
    Ok((frames, file))
}

fn run() -> Result<(), Failure> {
    let (frames, file) = arguments(std::env::args().skip(1))?;
    let watched = frames.is_some() || file.is_some();
    let (frames, outcome) = watched.then(|| Frames::new(frames.unwrap_or(1), file)).unzip();
    let viewport = ViewportBuilder::default().with_inner_size([1000.0, 640.0]);
    let options = eframe::NativeOptions { viewport, ..Default::default() };
    let open = Box::new(|context: &eframe::CreationContext<'_>| {
        let app = App::new(context.egui_ctx.clone())?;
        Ok(Box::new(Window { app, frames }) as Box<dyn eframe::App>)
    });
    eframe::run_native("hpfracc explorer", options, open).map_err(|error| error.to_string())?;
    match outcome {
        Some(outcome) => Ok(outcome.try_recv().map_err(|_| "closed before the check")??),
        None => Ok(()),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_or_refused() {
        let read = |line: &str| arguments(line.split_whitespace().map(str::to_owned));
        assert_eq!(read(""), Ok((None, None)));
        assert_eq!(read("--screenshot a.png --frames 3"), Ok((Some(3), Some("a.png".into()))));
        for wrong in ["--frames", "--frames x", "--other 1", "3"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
