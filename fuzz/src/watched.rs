//! Inputs one after the other, none of which may take for ever.

use crate::Target;
use crate::limit::input_is;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// So long is for ever: inputs take milliseconds.
const FOR_EVER: Duration = Duration::from_secs(120);

/// How many inputs have gone through the target.
///
/// # Errors
/// What went wrong with which input, and its bytes.
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
            input_is(target.name, &name, &bytes);
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
        match receiver.recv_timeout(FOR_EVER) {
            Ok(next) => (last, count) = (Some(next), count + 1),
            Err(RecvTimeoutError::Timeout) => return Err(blame("does not come to an end", last)),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    work.join().map_err(|_| blame("panics", last))?;
    Ok(count)
}
