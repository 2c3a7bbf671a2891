use crate::Target;
use std::fs;

/// The bytes are the configuration, next to a time series of 40 rows in `record.csv`.
pub(super) const TARGET: Target =
    Target { name: "training", about: "configurations of `hpfracc train`", run };

thread_local! {
    /// One per thread, removed when the thread ends; the folder of a plain static would remain.
    static FOLDER: tempfile::TempDir = {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let rows = (0..40).map(|i| format!("{},{},{}\n", i, (i as f64).sin(), i % 7));
        let series = format!("t,x,y\n{}", rows.collect::<String>());
        fs::write(folder.path().join("record.csv"), series).expect("a file");
        folder
    };
}

fn run(data: &[u8]) {
    let path = FOLDER.with(|folder| folder.path().join("training.toml"));
    fs::write(&path, data).expect("a file");
    if let Err(error) = hpfracc_cli::check_training(&path) {
        drop(hpfracc::error_chain(&error));
    }
}
