//! A sign of life for work that takes more than a second.

use crate::output::diagnostic;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Shows the step at work on standard error, if that is a terminal, from the second second on.
pub(crate) struct Progress {
    bar: ProgressBar,
    finished: Option<Sender<()>>,
    waiting: Option<JoinHandle<()>>,
}

impl Progress {
    pub(crate) fn start(quiet: bool) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        let (finished, wait) = channel::<()>();
        let shown = bar.clone();
        let waiting = (!quiet).then(|| {
            thread::spawn(move || {
                // An error from the channel is either the second that has passed or the end.
                let timed_out = wait.recv_timeout(Duration::from_secs(1))
                    == Err(std::sync::mpsc::RecvTimeoutError::Timeout);
                if timed_out {
                    shown.set_draw_target(ProgressDrawTarget::stderr());
                    shown.enable_steady_tick(Duration::from_millis(100));
                }
            })
        });
        Self { bar, finished: Some(finished), waiting }
    }

    /// Shows how far the reading of so many bytes is from here on, or of unknown many.
    pub(crate) fn of_bytes(&self, total: Option<u64>) {
        let template = match total {
            Some(_) => {
                "{bar:30} {binary_bytes} of {binary_total_bytes}, {binary_bytes_per_sec}, {msg} ({eta} left)"
            }
            None => "{spinner} {binary_bytes}, {binary_bytes_per_sec}, {msg} ({elapsed})",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        if let Some(total) = total {
            self.bar.set_length(total);
        }
    }

    /// Bytes and rows read so far.
    pub(crate) fn read(&self, bytes: u64, rows: u64) {
        self.bar.set_position(bytes);
        self.bar.set_message(format!("{rows} rows"));
    }

    /// Shows how many of so many paths are solved from here on.
    pub(crate) fn of_paths(&self, total: u64) {
        if let Ok(style) =
            ProgressStyle::with_template("{bar:30} {human_pos} of {human_len} paths ({eta} left)")
        {
            self.bar.set_style(style);
        }
        self.bar.set_length(total);
    }

    /// Paths solved so far.
    pub(crate) fn solved(&self, paths: u64) {
        self.bar.set_position(paths);
    }

    /// Shows how many of so many steps of a training are taken from here on.
    pub(crate) fn of_steps(&self, total: u64) {
        let template = "{bar:30} {human_pos} of {human_len} steps, {msg} ({eta} left)";
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.set_length(total);
    }

    /// Steps taken so far, the loss of the last one, and samples in a second.
    pub(crate) fn trained(&self, steps: u64, loss: f64, rate: f64) {
        self.bar.set_position(steps);
        self.bar.set_message(format!("loss {loss:.4e}, {rate:.0} samples/s"));
    }

    /// Says something on standard error without tearing what is shown.
    pub(crate) fn aside(&self, text: &str) {
        self.bar.suspend(|| diagnostic(text));
    }

    /// Names the step that begins now.
    pub(crate) fn step(&self, name: &'static str) {
        self.bar.set_message(name);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.finished.take());
        if let Some(waiting) = self.waiting.take() {
            // The thread only sleeps; had it failed there would be no bar to clear.
            let _ = waiting.join();
        }
        self.bar.finish_and_clear();
    }
}
