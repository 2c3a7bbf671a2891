//! Runs inputs one after the other with a time limit.

use crate::Target;
use crate::limit::set_current_input;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Time limit of an input; most take milliseconds.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Runs the inputs and returns their number.
///
/// # Errors
/// The failing input with its bytes: a panic, or the time limit exceeded.
pub fn run(
    target: &'static Target,
    inputs: impl Iterator<Item = (String, Vec<u8>)> + Send + 'static,
) -> Result<usize, String> {
    let (sender, receiver) = mpsc::channel();
    let work = thread::spawn(move || {
        for (name, bytes) in inputs {
            if sender.send((name.clone(), bytes.clone())).is_err() {
                return;
            }
            set_current_input(target.name, &name, &bytes);
            (target.run)(&bytes);
        }
    });
    let mut last = None;
    let mut count = 0;
    let blame = |what: &str, last: Option<(String, Vec<u8>)>| {
        let (name, bytes) = last.unwrap_or_default();
        format!("{}: {what} at the input `{name}`: {}", target.name, bytes.escape_ascii())
    };
    loop {
        match receiver.recv_timeout(TIME_LIMIT) {
            Ok(next) => (last, count) = (Some(next), count + 1),
            Err(RecvTimeoutError::Timeout) => return Err(blame("time limit exceeded", last)),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    work.join().map_err(|_| blame("panic", last))?;
    Ok(count)
}
