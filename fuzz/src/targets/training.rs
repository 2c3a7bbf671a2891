use crate::Target;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

/// The bytes are the configuration, beside a record of 40 rows that is called `record.csv`.
pub(super) const TARGET: Target =
    Target { name: "training", about: "configurations of `hpfracc train`", run };

static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rows = (0..40).map(|i| format!("{},{},{}\n", i, (i as f64).sin(), i % 7));
    let record = format!("t,x,y\n{}", rows.collect::<String>());
    fs::write(folder.path().join("record.csv"), record).expect("a file");
    folder
});

fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    // Devices may have no end.
    if text.contains("/dev") || text.contains("/proc") {
        return;
    }
    let path: PathBuf = FOLDER.path().join("training.toml");
    fs::write(&path, data).expect("a file");
    if let Err(error) = hpfracc_cli::check_training(&path) {
        drop(hpfracc_cli::with_causes(&error));
    }
}
