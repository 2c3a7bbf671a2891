//! The ranks that a launcher such as `mpirun` has started.

use crate::Error;
use crate::output;
use hpfracc::error_chain;
use hpfracc::ranks::{Communicator, OneRank, agree, launched};

/// Rank of this process among those that run the same command line. Only rank 0 writes.
pub struct Ranks(Box<dyn Communicator>);

impl Ranks {
    /// A process alone.
    pub fn alone() -> Self {
        Self(Box::new(OneRank::default()))
    }

    /// Joins the ranks that a launcher has started; without one, the process is alone. All ranks but the first are
    /// silent from here on.
    ///
    /// # Errors
    /// [`Error::Ranks`] if MPI does not start.
    pub fn join() -> Result<Self, Error> {
        if launched().is_none() {
            return Ok(Self::alone());
        }
        let ranks = Self::start()?;
        if !ranks.is_first() {
            output::silence();
        }
        Ok(ranks)
    }

    /// Refuses ranks of other programs and command lines. Collective.
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
        Ok(agree(self.communicator(), &values)?)
    }

    #[cfg(feature = "mpi")]
    fn start() -> Result<Self, Error> {
        let ranks = hpfracc_mpi::Mpi::start();
        let ranks = ranks.map_err(|error| Error::Ranks(error.to_string()))?;
        Ok(Self(Box::new(ranks)))
    }

    #[cfg(not(feature = "mpi"))]
    fn start() -> Result<Self, Error> {
        let reason = "a launcher has started several processes, and this build has no support for MPI: build the command \
                      with its feature `mpi`, which is one of its default features";
        Err(Error::Ranks(reason.to_owned()))
    }

    /// The ranks.
    pub(crate) fn communicator(&self) -> &dyn Communicator {
        &*self.0
    }

    /// The ranks as those that share a computation.
    pub(crate) fn shared(&self) -> hpfracc::ranks::Ranks<'_> {
        self.communicator().into()
    }

    /// Whether this is the rank that writes.
    pub fn is_first(&self) -> bool {
        self.0.rank() == 0
    }

    /// Whether there are others.
    pub(crate) fn are_several(&self) -> bool {
        self.0.size() > 1
    }

    /// Whether this rank runs a command that one rank runs alone.
    pub(crate) fn runs_alone(&self, command: &str) -> bool {
        if self.are_several() && self.is_first() {
            let others = self.0.size() - 1;
            output::diagnostic(&format!(
                "{command} runs on rank 0 alone: {others} other ranks have nothing to do"
            ));
        }
        self.is_first()
    }

    /// What all ranks have prepared; the error of one ends all. Collective.
    pub(crate) fn prepared<R>(&self, prepared: Result<R, Error>) -> Result<R, Error> {
        let text = prepared.as_ref().err().map(|error| error_chain(error).to_string());
        let gathered = self.0.gather(text.unwrap_or_default().into_bytes())?;
        let failed = gathered.and_then(|all| {
            let failed = all.iter().position(|text| !text.is_empty())?;
            Some(format!("rank {failed}: {}", String::from_utf8_lossy(&all[failed])))
        });
        let failed = self.0.broadcast(failed.unwrap_or_default().into_bytes())?;
        match (prepared, &failed[..]) {
            (Err(error), _) => Err(error),
            (Ok(prepared), []) => Ok(prepared),
            (Ok(_), failed) => Err(Error::Ranks(String::from_utf8_lossy(failed).into_owned())),
        }
    }
}
