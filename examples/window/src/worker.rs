//! Thread that computes, so that the window never waits.

use crate::Failure;
use crate::answers::{self, Checked, Computed};
use hpfracc_web::Explorer;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::{Duration, Instant};

/// Everything that the window lets change; as JSON a request for `solve` and for `ensemble`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Inputs {
    pub(crate) text: String,
    /// Parameters that differ from the text.
    pub(crate) values: BTreeMap<String, f64>,
    /// Orders that differ from the text.
    pub(crate) orders: BTreeMap<String, f64>,
    pub(crate) steps: usize,
    pub(crate) paths: usize,
    pub(crate) seed: u64,
    pub(crate) budget: Budget,
}

/// Limit of a computation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Budget {
    pub(crate) milliseconds: u32,
}

/// Replies to some inputs, in this order.
#[derive(Debug)]
pub(crate) enum Reply {
    /// To a text that differs from the one before.
    Checked {
        text: String,
        checked: Checked,
    },
    /// Not to a text with errors, and not after a cancellation.
    Computed(Result<Computed, String>),
    Done,
}

/// Computations that take less are left to finish: else no picture would follow a slider that moves in each frame.
pub(crate) const PATIENCE: Duration = Duration::from_millis(100);

/// Thread that answers the last inputs, with one computation at a time.
#[derive(Debug)]
pub(crate) struct Worker {
    inputs: Sender<(Inputs, Arc<AtomicBool>)>,
    replies: Receiver<Reply>,
    /// Flag and start of the computation that runs.
    running: Option<(Arc<AtomicBool>, Instant)>,
    /// Inputs that wait for its end.
    next: Option<Inputs>,
    /// Its threads compute ensembles; the first one is the worker.
    _pool: ThreadPool,
}

impl Worker {
    /// Starts the thread, which calls `wake` after each reply.
    pub(crate) fn start(wake: impl Fn() + Send + 'static) -> Result<Self, Failure> {
        let (inputs, received) = channel();
        let (sender, replies) = channel();
        // One processor remains for the window. A panic ends the thread, which `replies` tells.
        let threads = (std::thread::available_parallelism()?.get() - 1).max(1);
        let pool = ThreadPoolBuilder::new().num_threads(threads).panic_handler(|_| ()).build()?;
        pool.spawn(move || {
            answer_all(&received, &|reply| {
                // Fails only if the window is closed.
                sender.send(reply).ok();
                wake();
            });
        });
        Ok(Self { inputs, replies, running: None, next: None, _pool: pool })
    }

    /// Computes with these inputs instead of all earlier ones.
    pub(crate) fn request(&mut self, inputs: Inputs) {
        self.next = Some(inputs);
        self.advance();
    }

    /// Whether the last inputs are not answered yet.
    pub(crate) fn is_busy(&self) -> bool {
        self.running.is_some() || self.next.is_some()
    }

    /// Whether there was no answer for so long that a user wonders.
    pub(crate) fn is_slow(&self) -> bool {
        self.running.as_ref().is_some_and(|(_, start)| start.elapsed() > PATIENCE)
    }

    /// Replies since the last call, without waiting. To be called every [`PATIENCE`] while the worker is busy.
    pub(crate) fn replies(&mut self) -> Vec<Reply> {
        let mut replies = Vec::new();
        loop {
            match self.replies.try_recv() {
                Ok(Reply::Done) => self.running = None,
                Ok(reply) => replies.push(reply),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    (self.running, self.next) = (None, None);
                    let message = "the thread of computations has ended: see standard error";
                    replies.push(Reply::Computed(Err(message.to_owned())));
                    break;
                }
            }
        }
        self.advance();
        replies
    }

    /// Cancels a long computation that is out of date, and starts the next one.
    fn advance(&mut self) {
        if self.next.is_none() {
            return;
        }
        match &self.running {
            Some((cancel, start)) if start.elapsed() > PATIENCE => {
                cancel.store(true, Ordering::Relaxed);
            }
            Some(_) => {}
            None => {
                let cancel = Arc::new(AtomicBool::new(false));
                let inputs = self.next.take().map(|inputs| (inputs, Arc::clone(&cancel)));
                let sent = inputs.is_some_and(|inputs| self.inputs.send(inputs).is_ok());
                self.running = sent.then(|| (cancel, Instant::now()));
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Some((cancel, _)) = &self.running {
            cancel.store(true, Ordering::Relaxed);
        }
    }
}

/// Answers inputs until the window is closed.
fn answer_all(received: &Receiver<(Inputs, Arc<AtomicBool>)>, reply: &impl Fn(Reply)) {
    let explorer = Explorer::new();
    let mut known: Option<(String, Checked)> = None;
    while let Ok((inputs, cancel)) = received.recv() {
        if known.as_ref().is_none_or(|(text, _)| *text != inputs.text) {
            let request = json!({"text": inputs.text}).to_string();
            match answers::read::<Checked>(&explorer.answer("check", &request, &[])) {
                Ok(checked) => {
                    known = Some((inputs.text.clone(), checked.clone()));
                    reply(Reply::Checked { text: inputs.text.clone(), checked });
                }
                Err(message) => reply(Reply::Computed(Err(message))),
            }
        }
        if let Some((_, checked)) =
            known.as_ref().filter(|(text, checked)| *text == inputs.text && checked.ok)
        {
            let computed = compute(&explorer, &inputs, checked.stochastic, &cancel);
            if !cancel.load(Ordering::Relaxed) {
                reply(Reply::Computed(computed));
            }
        }
        reply(Reply::Done);
    }
}

fn compute(
    explorer: &Explorer,
    inputs: &Inputs,
    stochastic: bool,
    cancel: &Arc<AtomicBool>,
) -> Result<Computed, String> {
    let request = serde_json::to_string(inputs).map_err(|error| error.to_string())?;
    if stochastic {
        answers::ensemble(&explorer.answer_until("ensemble", &request, &[], cancel))
    } else {
        answers::solution(&explorer.answer_until("solve", &request, &[], cancel))
    }
}
