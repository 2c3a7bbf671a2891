use crate::MpiError;
use crate::progress::{Arrived, Command, Mailbox, Started, run};
use hpfracc_communicator::{Communicator, CommunicatorError};
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Rank of MPI. When it is dropped, it waits for the end of the other ranks and ends MPI; after a panic it ends all ranks.
#[derive(Debug)]
pub struct Mpi {
    rank: usize,
    size: usize,
    host: String,
    counters: AtomicU64,
    commands: Mutex<Sender<Command>>,
    mailbox: Arc<Mailbox>,
    /// Held from a question for a counter to its answer.
    asking: Mutex<()>,
    thread: Option<JoinHandle<()>>,
}

static STARTED: AtomicBool = AtomicBool::new(false);

impl Mpi {
    /// Loads the MPI library, and joins the ranks that a launcher has started; without one, the process is the only rank.
    ///
    /// # Errors
    /// [`MpiError`] if there is no library, or MPI does not start.
    pub fn start() -> Result<Self, MpiError> {
        if STARTED.swap(true, Ordering::SeqCst) {
            return Err(MpiError::StartedBefore);
        }
        let (commands, received) = channel();
        let (tell, told) = channel();
        let mailbox = Arc::new(Mailbox::default());
        let shared = Arc::clone(&mailbox);
        let thread = std::thread::spawn(move || run(&tell, &received, &shared));
        let ended = MpiError::Function { function: "MPI_Init_thread", code: -1 };
        let Started { rank, size, host } = told.recv().map_err(|_| ended)??;
        Ok(Self {
            rank,
            size,
            host,
            counters: AtomicU64::new(0),
            commands: Mutex::new(commands),
            mailbox,
            asking: Mutex::new(()),
            thread: Some(thread),
        })
    }

    /// Name of this rank's computer.
    pub fn host(&self) -> &str {
        &self.host
    }

    fn command(&self, command: Command) -> Result<(), CommunicatorError> {
        let commands = self.commands.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = |_| CommunicatorError::Transport("MPI has ended".to_owned());
        commands.send(command).map_err(ended)
    }

    /// Waits for something, with the thread that calls MPI awake.
    fn wait<R>(&self, take: impl Fn(&mut Arrived) -> Option<R>) -> Result<R, CommunicatorError> {
        // Without MPI the mailbox has an error.
        self.mailbox.wait(take, || drop(self.command(Command::Wait))).map_err(transport)
    }

    fn check(&self, rank: usize) -> Result<(), CommunicatorError> {
        let size = self.size;
        if rank < size { Ok(()) } else { Err(CommunicatorError::NoRank { rank, size }) }
    }
}

/// A failure of MPI as one of the ranks.
fn transport(error: MpiError) -> CommunicatorError {
    CommunicatorError::Transport(error.to_string())
}

impl Communicator for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn send(&self, to: usize, bytes: Vec<u8>) -> Result<(), CommunicatorError> {
        self.check(to)?;
        self.command(Command::Send { to, bytes })
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, CommunicatorError> {
        self.check(from)?;
        self.wait(|arrived| arrived.message(from))?
    }

    fn count(&self, counter: u64, step: u64) -> Result<u64, CommunicatorError> {
        if self.rank == 0 {
            return Ok(self.mailbox.count(counter, step));
        }
        let _asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        self.command(Command::Count { counter, step })?;
        self.wait(Arrived::answer)
    }

    fn new_counter(&self) -> u64 {
        self.counters.fetch_add(1, Ordering::Relaxed)
    }

    fn leave(&self, reason: &str) {
        // Without MPI there is nobody to tell.
        let _ = self.command(Command::Leave { reason: reason.to_owned() });
    }

    fn abort(&self, message: &str) -> ! {
        let text = format!("rank {} on {}: {message}\n", self.rank, self.host);
        let _ = std::io::stderr().write_all(text.as_bytes());
        // Launchers forward what ranks write, and lose what they have not read at the end.
        std::thread::sleep(Duration::from_millis(100));
        let _ = self.command(Command::Abort);
        loop {
            std::thread::park();
        }
    }
}

impl Drop for Mpi {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.abort("it has panicked, and all ranks end");
        }
        self.leave("its program has ended");
        let _ = self.command(Command::Finish);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
