use hpfracc_communicator::{Launcher, launched};

/// Names of the libraries, the likeliest first.
pub(crate) fn library_names() -> Vec<String> {
    if let Some(path) = std::env::var_os("HPFRACC_MPI") {
        return vec![path.to_string_lossy().into_owned()];
    }
    let open_mpi = ["libmpi.so.40", "libmpi.40.dylib"];
    let mpich = ["libmpich.so.12", "libmpi.so.12", "libmpi.12.dylib"];
    let either = ["libmpi.so", "libmpi.dylib"];
    let names = match launched() {
        Some(Launcher::Mpich) => [&mpich[..], &either, &open_mpi],
        _ => [&open_mpi[..], &either, &mpich],
    };
    names.concat().into_iter().map(str::to_owned).collect()
}
