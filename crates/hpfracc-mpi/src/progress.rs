//! The thread that calls MPI: sends what the rank wants to be sent, takes what arrives, and answers for the counters.

use crate::MpiError;
use crate::calls::Calls;
use crate::ending::{Ending, LEFT, Outgoing};
#[cfg(unix)]
use crate::library::load;
use hpfracc_communicator::CommunicatorError;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Kinds of messages.
const DATA: i32 = 1;
const QUESTION: i32 = 2;
const ANSWER: i32 = 3;

/// Most bytes of a message of MPI, which counts in 32 bits; longer ones are sent in parts.
const PART: usize = 1 << 30;

/// Pauses between two looks for messages: short after one, and up to this while the rank computes, waits for one, or is alone.
const LONGEST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE_ALONE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE_WAITING: Duration = Duration::from_micros(50);
const SHORTEST_PAUSE: Duration = Duration::from_micros(5);

/// What the rank asks of the thread.
#[derive(Debug)]
pub(crate) enum Command {
    Send {
        to: usize,
        bytes: Vec<u8>,
    },
    /// Asks rank 0 to add to a counter.
    Count {
        counter: u64,
        step: u64,
    },
    /// A thread waits for a message.
    Wait,
    /// This rank takes part no more.
    Leave {
        reason: String,
    },
    Abort,
    /// Ends MPI after everything is sent.
    Finish,
}

/// What has arrived.
#[derive(Debug, Default)]
pub(crate) struct Mailbox {
    /// Threads that wait.
    waiting: AtomicUsize,
    state: Mutex<Arrived>,
    changed: Condvar,
}

#[derive(Debug, Default)]
pub(crate) struct Arrived {
    /// Complete messages of each rank.
    messages: HashMap<usize, VecDeque<Vec<u8>>>,
    /// Parts of longer ones, with their lengths.
    parts: HashMap<usize, (usize, Vec<u8>)>,
    answers: VecDeque<u64>,
    /// Reasons of ranks that have left.
    left: HashMap<usize, String>,
    /// Values of the counters, on rank 0.
    counters: HashMap<u64, u64>,
    failure: Option<MpiError>,
}

impl Mailbox {
    fn lock(&self) -> MutexGuard<'_, Arrived> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for something; calls `begin` if it is not there yet.
    pub(crate) fn wait<R>(
        &self,
        take: impl Fn(&mut Arrived) -> Option<R>,
        begin: impl FnOnce(),
    ) -> Result<R, MpiError> {
        let mut state = self.lock();
        if let Some(taken) = take(&mut state) {
            return Ok(taken);
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        begin();
        let taken = loop {
            if let Some(taken) = take(&mut state) {
                break Ok(taken);
            }
            if let Some(error) = &state.failure {
                break Err(error.clone());
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        };
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        taken
    }

    fn longest_pause(&self, ranks: usize) -> Duration {
        match (self.waiting.load(Ordering::Relaxed), ranks) {
            (0, 1) => LONGEST_PAUSE_ALONE,
            (0, _) => LONGEST_PAUSE,
            _ => LONGEST_PAUSE_WAITING,
        }
    }

    pub(crate) fn count(&self, counter: u64, step: u64) -> u64 {
        self.lock().count(counter, step)
    }
}

impl Arrived {
    /// The next message of a rank, or the error that there will be none.
    pub(crate) fn message(&mut self, from: usize) -> Option<Result<Vec<u8>, CommunicatorError>> {
        if let Some(message) = self.messages.get_mut(&from).and_then(VecDeque::pop_front) {
            return Some(Ok(message));
        }
        let reason = self.left.get(&from)?.clone();
        Some(Err(CommunicatorError::Ended { rank: from, reason }))
    }

    pub(crate) fn answer(&mut self) -> Option<u64> {
        self.answers.pop_front()
    }

    fn count(&mut self, counter: u64, step: u64) -> u64 {
        let value = self.counters.entry(counter).or_default();
        let before = *value;
        *value = before.saturating_add(step);
        before
    }

    /// Takes a message or a part of one: the first part begins with the length.
    fn take(&mut self, from: usize, bytes: Vec<u8>) {
        let (length, mut message) = match self.parts.remove(&from) {
            Some(parts) => parts,
            None => match bytes.split_first_chunk::<8>() {
                Some((length, first)) => {
                    let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
                    return self.add(from, length, first.to_vec());
                }
                None => return,
            },
        };
        message.extend(bytes);
        self.add(from, length, message);
    }

    fn add(&mut self, from: usize, length: usize, message: Vec<u8>) {
        if message.len() < length {
            self.parts.insert(from, (length, message));
        } else {
            self.messages.entry(from).or_default().push_back(message);
        }
    }
}

/// What the thread tells when MPI has started.
pub(crate) struct Started {
    pub(crate) rank: usize,
    pub(crate) size: usize,
    pub(crate) host: String,
}

/// No interface of an MPI library is known here.
#[cfg(not(unix))]
fn load() -> Result<Box<dyn Calls>, MpiError> {
    Err(MpiError::NoUnix)
}

/// Runs MPI on this thread until it is finished.
pub(crate) fn run(
    started: &Sender<Result<Started, MpiError>>,
    commands: &Receiver<Command>,
    mailbox: &Mailbox,
) {
    let begun = load().and_then(|mpi| {
        let (rank, size) = mpi.rank_and_size()?;
        let host = mpi.host();
        Ok((mpi, Started { rank, size, host }))
    });
    let failed = match begun {
        Ok((mpi, about)) => {
            let ending = Ending::new(about.rank, about.size);
            let _ = started.send(Ok(about));
            turn(mpi, commands, mailbox, ending)
        }
        Err(error) => {
            let _ = started.send(Err(error));
            return;
        }
    };
    if let Err(error) = failed {
        mailbox.lock().failure = Some(error);
        mailbox.changed.notify_all();
    }
}

fn turn(
    mut mpi: Box<dyn Calls>,
    commands: &Receiver<Command>,
    mailbox: &Mailbox,
    mut ending: Ending,
) -> Result<(), MpiError> {
    let mut pause = SHORTEST_PAUSE;
    loop {
        let mut command = match commands.recv_timeout(pause) {
            Ok(command) => Some(command),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Command::Finish),
        };
        pause = (2 * pause).min(mailbox.longest_pause(ending.ranks()));
        while let Some(now) = command {
            pause = SHORTEST_PAUSE;
            match now {
                Command::Send { to, bytes } => send(&mut *mpi, to, &bytes)?,
                Command::Count { counter, step } => {
                    let question = [counter.to_le_bytes(), step.to_le_bytes()].concat();
                    mpi.send(0, QUESTION, question)?;
                }
                Command::Wait => {}
                Command::Leave { reason } => send_all(&mut *mpi, ending.leave(&reason))?,
                Command::Abort => mpi.abort(),
                Command::Finish => ending.finishing = true,
            }
            command = if ending.finishing { None } else { commands.try_recv().ok() };
        }
        while let Some((from, tag, bytes)) = mpi.poll()? {
            pause = SHORTEST_PAUSE;
            send_all(&mut *mpi, ending.take(tag))?;
            arrive(&mut *mpi, mailbox, (from, tag, bytes))?;
        }
        if mpi.is_sent()? && ending.is_over() {
            return mpi.finish();
        }
    }
}

fn send_all(mpi: &mut dyn Calls, messages: Vec<Outgoing>) -> Result<(), MpiError> {
    messages.into_iter().try_for_each(|(to, kind, bytes)| mpi.send(to, kind, bytes))
}

/// Sends a message in parts, the first with its length.
fn send(mpi: &mut dyn Calls, to: usize, bytes: &[u8]) -> Result<(), MpiError> {
    let (first, rest) = bytes.split_at(bytes.len().min(PART));
    mpi.send(to, DATA, [&(bytes.len() as u64).to_le_bytes()[..], first].concat())?;
    rest.chunks(PART).try_for_each(|part| mpi.send(to, DATA, part.to_vec()))
}

fn arrive(
    mpi: &mut dyn Calls,
    mailbox: &Mailbox,
    (from, tag, bytes): (usize, i32, Vec<u8>),
) -> Result<(), MpiError> {
    let number = |at: usize| bytes.get(at..at + 8).and_then(|b| b.try_into().ok());
    let number = |at: usize| number(at).map_or(0, u64::from_le_bytes);
    match tag {
        QUESTION => {
            let answer = mailbox.count(number(0), number(8));
            return mpi.send(from, ANSWER, answer.to_le_bytes().to_vec());
        }
        ANSWER => mailbox.lock().answers.push_back(number(0)),
        LEFT => {
            let reason = String::from_utf8_lossy(&bytes).into_owned();
            mailbox.lock().left.insert(from, reason);
        }
        DATA => mailbox.lock().take(from, bytes),
        _ => return Ok(()),
    }
    mailbox.changed.notify_all();
    Ok(())
}
