/// Launcher of ranks, recognised by the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Launcher {
    /// `mpirun` of Open MPI, or `srun` with its interface (PMIx).
    OpenMpi,
    /// `mpiexec` of MPICH or a relative, or `srun` with its interface (PMI).
    Mpich,
}

/// The launcher that has started this process as one of several ranks, or as the only one; `None` for a process alone.
pub fn launched() -> Option<Launcher> {
    let has = |name: &str| std::env::var_os(name).is_some();
    if has("OMPI_COMM_WORLD_SIZE") || has("PMIX_RANK") {
        return Some(Launcher::OpenMpi);
    }
    (has("PMI_RANK") || has("PMI_SIZE") || has("MPI_LOCALRANKID")).then_some(Launcher::Mpich)
}
