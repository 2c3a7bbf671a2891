//! The ranks that a launcher such as `mpirun` has started.

use crate::Error;
use crate::output;
use hpfracc::ranks::{Communicator, CommunicatorError, OneRank, launched};
use hpfracc::{Settings, error_chain};
use std::fmt;

/// Why several ranks cannot read standard input.
pub(crate) const STDIN: &str =
    "rank 0 alone has a standard input: name a file that all ranks can read";

/// Rank of this process among those that run the same command line. Only rank 0 writes.
pub struct Ranks {
    communicator: Box<dyn Communicator>,
    unequal_processors: bool,
}

impl Ranks {
    /// A process alone.
    pub fn alone() -> Self {
        Self { communicator: Box::new(OneRank::default()), unequal_processors: false }
    }

    /// Joins the ranks that a launcher has started; without one, the process is alone. All ranks but the first are
    /// silent from here on.
    ///
    /// # Errors
    /// [`Error::Ranks`] if MPI does not start, [`Error::Environment`].
    pub fn join() -> Result<Self, Error> {
        if launched().is_none() {
            return Ok(Self::alone());
        }
        let mut ranks = Self::start()?;
        let settings = Settings::from_env().map_err(Error::Environment);
        ranks.unequal_processors = ranks.prepared(settings)?.unequal_processors;
        if !ranks.is_first() {
            output::silence();
        }
        Ok(ranks)
    }

    /// Refuses ranks of other programs, command lines and processors. Collective.
    ///
    /// # Errors
    /// [`Error::Ranks`] with the difference.
    pub fn agree(&self) -> Result<(), Error> {
        let arguments: Vec<_> = std::env::args_os().skip(1).collect();
        let values = [
            ("the version of hpfracc", env!("CARGO_PKG_VERSION").to_owned()),
            ("GPU support", cfg!(feature = "gpu").to_string()),
            ("the command line", format!("{arguments:?}")),
        ];
        match hpfracc::ranks::Ranks::from(&*self.communicator).agree(&values) {
            Err(error @ CommunicatorError::UnequalProcessors { .. }) if self.unequal_processors => {
                output::diagnostic(&format!("warning: {error}"));
                Ok(())
            }
            agreed => Ok(agreed?),
        }
    }

    #[cfg(feature = "mpi")]
    fn start() -> Result<Self, Error> {
        let ranks = hpfracc_mpi::Mpi::start();
        let ranks = ranks.map_err(|error| Error::Ranks(error.to_string()))?;
        Ok(Self { communicator: Box::new(ranks), unequal_processors: false })
    }

    #[cfg(not(feature = "mpi"))]
    fn start() -> Result<Self, Error> {
        let reason = "a launcher has started several processes, and this build has no support for MPI: build the command \
                      with its feature `mpi`, which is one of its default features";
        Err(Error::Ranks(reason.to_owned()))
    }

    /// The ranks as those that share a computation.
    pub(crate) fn shared(&self) -> hpfracc::ranks::Ranks<'_> {
        let ranks = hpfracc::ranks::Ranks::from(&*self.communicator);
        if self.unequal_processors { ranks.on_unequal_processors() } else { ranks }
    }

    /// Tells ranks that wait for this one that it has ended with an error.
    pub fn leave(&self, reason: &str) {
        self.communicator.leave(reason);
    }

    /// Whether this is the rank that writes.
    pub fn is_first(&self) -> bool {
        self.communicator.rank() == 0
    }

    /// Whether there are others.
    pub(crate) fn are_several(&self) -> bool {
        self.communicator.size() > 1
    }

    /// Whether this rank runs a command that one rank runs alone.
    pub(crate) fn runs_alone(&self, command: &str) -> bool {
        if self.are_several() && self.is_first() {
            let others = self.communicator.size() - 1;
            output::diagnostic(&format!(
                "{command} runs on rank 0 alone: {others} other ranks have nothing to do"
            ));
        }
        self.is_first()
    }

    /// What all ranks have prepared; the error of one ends all. Collective.
    pub(crate) fn prepared<R>(&self, prepared: Result<R, Error>) -> Result<R, Error> {
        self.shared().all_ok(prepared.map_err(WithSources)).map_err(|WithSources(error)| error)
    }
}

/// Error whose text has its sources, for other ranks.
struct WithSources(Error);

impl fmt::Display for WithSources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&error_chain(&self.0))
    }
}

impl From<CommunicatorError> for WithSources {
    fn from(error: CommunicatorError) -> Self {
        Self(error.into())
    }
}
