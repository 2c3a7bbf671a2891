use crate::{Bytes, Target};
use hpfracc::ndarray::Array2;
use hpfracc::nn::trainer::{
    Event, Parameters, RunFolder, Trainer, TrainerError, Training, checksum,
};
use hpfracc::nn::{Activation, Loss, LossScale, Network, Supervised, Targets};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Parameters and checkpoints of trainings: any bytes, any contents with a valid checksum, and edits
/// of a valid checkpoint.
pub(super) const TARGET: Target =
    Target { name: "run_folder", about: "parameters and checkpoints of trainings", run };

/// Numbers of bytes of a file before and after its contents.
const HEAD: usize = 20;
const TAIL: usize = 8;

/// Folder with an interrupted training.
struct Interrupted {
    folder: tempfile::TempDir,
    /// Name of the file of the checkpoint.
    name: PathBuf,
    checkpoint: Vec<u8>,
}

thread_local! {
    /// One per thread, removed when the thread ends; the folder of a plain static would remain.
    static INTERRUPTED: Interrupted = Interrupted::new();
}

fn objective() -> Supervised<f64, Network> {
    let network = Network::perceptron(&[1, 2, 1], Activation::Tanh).expect("a network");
    let inputs = Array2::from_shape_fn((4, 1), |(i, _)| i as f64);
    let targets = Targets::Values(inputs.mapv(f64::sin), Loss::MeanSquare);
    Supervised::new(network, inputs, targets).expect("data that fit")
}

fn training() -> Training {
    let loss_scale = Some(LossScale::default());
    Training { epochs: 3, batch: 2, patience: Some(2), loss_scale, ..Training::default() }
}

/// Trains in the folder up to the next checkpoint; returns its path.
fn train(folder: &Path, resume: bool) -> Result<Option<PathBuf>, TrainerError> {
    let objective = objective();
    let trainer = Trainer {
        validation: Some(&objective),
        folder: Some(RunFolder { keep: 1, ..RunFolder::new(folder) }),
        resume,
        ..Trainer::new(&objective, training())
    };
    let mut saved = None;
    trainer.run(|event| {
        if let Event::Saved { path } = event {
            saved = Some(path.to_path_buf());
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    Ok(saved)
}

impl Interrupted {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let whole = folder.path().join("whole");
        let mut last = PathBuf::new();
        for resume in [false, true, true] {
            last = train(&whole, resume).expect("a training").unwrap_or(last);
        }
        let checkpoint = fs::read(&last).expect("a checkpoint");
        Self { folder, name: last.file_name().expect("a file").into(), checkpoint }
    }

    /// Resumes a training whose newest checkpoint has these bytes.
    fn resume(&self, bytes: &[u8]) {
        let folder = self.folder.path().join("resumed");
        let checkpoints = folder.join("checkpoints");
        drop(fs::remove_dir_all(&folder));
        fs::create_dir_all(&checkpoints).expect("a folder");
        let metrics = self.folder.path().join("whole/metrics.jsonl");
        fs::copy(metrics, folder.join("metrics.jsonl")).expect("metrics");
        fs::write(checkpoints.join(&self.name), bytes).expect("a file");
        for _ in 0..4 {
            if let Err(error) = train(&folder, true) {
                drop(error.to_string());
                return;
            }
        }
    }
}

fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let kind = bytes.byte() % 6;
    let name = Path::new("parameters");
    match kind {
        0 => drop(Parameters::<f64>::from_bytes(name, bytes.rest()).map_err(|e| e.to_string())),
        1 | 2 => {
            let contents = bytes.rest();
            let file = sealed(*b"hpfparam", contents);
            if let Ok(parameters) = Parameters::<f64>::from_bytes(name, &file) {
                assert_eq!(parameters.to_bytes(), file, "read and written again");
            }
            drop(Parameters::<f32>::from_bytes(name, &file).map_err(|e| e.to_string()));
        }
        3 => INTERRUPTED.with(|training| training.resume(bytes.rest())),
        _ => INTERRUPTED.with(|training| {
            let whole = &training.checkpoint;
            let mut contents = whole[HEAD..whole.len() - TAIL].to_vec();
            while !bytes.is_empty() {
                edit(&mut contents, &mut bytes);
            }
            training.resume(&sealed(*b"hpftrain", &contents));
        }),
    }
}

fn edit(contents: &mut Vec<u8>, bytes: &mut Bytes<'_>) {
    let at = bytes.below(contents.len());
    match bytes.byte() % 8 {
        0 => contents.truncate(at),
        1 => contents.insert(at, bytes.byte()),
        2 => {
            let end = (at + 8).min(contents.len());
            let number = bytes.real().to_le_bytes();
            contents[at..end].copy_from_slice(&number[..end - at]);
        }
        _ => {
            if let Some(byte) = contents.get_mut(at) {
                *byte = bytes.byte();
            }
        }
    }
}

/// File of a kind with these contents and a valid checksum.
fn sealed(kind: [u8; 8], contents: &[u8]) -> Vec<u8> {
    let mut file = kind.to_vec();
    file.extend(1u32.to_le_bytes());
    file.extend((contents.len() as u64).to_le_bytes());
    file.extend(contents);
    let sum = checksum(&file);
    file.extend(sum.to_le_bytes());
    file
}
