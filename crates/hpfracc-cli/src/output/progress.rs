//! Progress display for work that takes more than a second.

use super::streams::{diagnostic, is_silent};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Progress on standard error, if that is a terminal, after the first second.
pub(crate) struct Progress {
    bar: ProgressBar,
    finished: Option<Sender<()>>,
    waiting: Option<JoinHandle<()>>,
}

impl Progress {
    pub(crate) fn start(quiet: bool) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        set_template(&bar, "{spinner} {msg} ({elapsed})");
        let (finished, wait) = channel::<()>();
        let shown = bar.clone();
        let waiting = (!quiet && !is_silent()).then(|| {
            thread::spawn(move || {
                // An error of the channel is either the timeout or the end of the work.
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

    /// Switches to a bar of bytes read, or a counter if `total` is unknown.
    pub(crate) fn of_bytes(&self, total: Option<u64>) {
        let template = match total {
            Some(_) => {
                "{bar:30} {binary_bytes} of {binary_total_bytes}, {binary_bytes_per_sec}, {msg} ({eta} left)"
            }
            None => "{spinner} {binary_bytes}, {binary_bytes_per_sec}, {msg} ({elapsed})",
        };
        set_template(&self.bar, template);
        total.into_iter().for_each(|total| self.bar.set_length(total));
    }

    /// Updates the bytes and rows read.
    pub(crate) fn read(&self, bytes: u64, rows: u64) {
        self.bar.set_position(bytes);
        self.bar.set_message(format!("{rows} rows"));
    }

    /// Switches to a bar of paths solved.
    pub(crate) fn of_paths(&self, total: u64) {
        set_template(&self.bar, "{bar:30} {human_pos} of {human_len} paths ({eta} left)");
        self.bar.set_length(total);
    }

    /// Switches to a bar of training steps.
    pub(crate) fn of_steps(&self, total: u64) {
        set_template(&self.bar, "{bar:30} {human_pos} of {human_len} steps, {msg} ({eta} left)");
        self.bar.set_length(total);
    }

    /// Updates the training steps, the last loss and the samples per second.
    pub(crate) fn trained(&self, steps: u64, loss: f64, rate: f64) {
        self.bar.set_position(steps);
        self.bar.set_message(format!("loss {loss:.4e}, {rate:.0} samples/s"));
    }

    /// Switches to a bar of refits to resampled data.
    pub(crate) fn of_refits(&self, total: u64) {
        set_template(&self.bar, "{bar:30} {human_pos} of {human_len} refits ({eta} left)");
        self.bar.set_length(total);
    }

    /// Switches to a bar of draws of a chain.
    pub(crate) fn of_draws(&self, total: u64) {
        set_template(&self.bar, "{bar:30} {human_pos} of {human_len} draws ({eta} left)");
        self.bar.set_length(total);
    }

    /// Updates a bar.
    pub(crate) fn counted(&self, count: u64) {
        self.bar.set_position(count);
    }

    /// Updates the passes of a fit and its cost.
    pub(crate) fn fitted(&self, passes: usize, cost: f64) {
        self.bar.set_message(format!("pass {passes}, cost {cost:.6e}"));
    }

    /// Writes a diagnostic above the progress display.
    pub(crate) fn diagnostic(&self, text: &str) {
        self.bar.suspend(|| diagnostic(text));
    }

    /// Shows the name of the current step.
    pub(crate) fn step(&self, name: &'static str) {
        self.bar.set_message(name);
    }
}

fn set_template(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.finished.take());
        if let Some(waiting) = self.waiting.take() {
            // The thread only sleeps; a failed one has no bar to clear.
            let _ = waiting.join();
        }
        self.bar.finish_and_clear();
    }
}
