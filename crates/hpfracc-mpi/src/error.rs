use thiserror::Error;

/// Reason why a program cannot join the ranks of MPI.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MpiError {
    /// No MPI library can be loaded.
    #[error(
        "no MPI library can be loaded, tried {tried}: install Open MPI or MPICH, or set HPFRACC_MPI to the path of its \
         library"
    )]
    NoLibrary {
        /// Names with the reasons.
        tried: String,
    },
    /// A library of an unknown kind.
    #[error("{library} is neither Open MPI nor of the interface of MPICH: {version}")]
    UnknownLibrary {
        /// Name of the library.
        library: String,
        /// How it describes itself.
        version: String,
    },
    /// An MPI function fails.
    #[error("{function} fails with code {code}")]
    Function {
        /// Name of the function.
        function: &'static str,
        /// Its error code.
        code: i32,
    },
    /// MPI is used already, or has been.
    #[error("MPI starts once in a process, and it has been started before")]
    StartedBefore,
    /// The system has no MPI libraries of a known interface.
    #[error("MPI is supported on Linux, macOS and other Unix systems")]
    NoUnix,
}
