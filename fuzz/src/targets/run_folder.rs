use crate::{Bytes, Target};
use hpfracc::ndarray::Array2;
use hpfracc::nn::trainer::{
    Event, Parameters, RunFolder, Trainer, TrainerError, Training, checksum,
};
use hpfracc::nn::{Activation, Loss, LossScale, Network, Supervised, Targets};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Parameters and checkpoints of trainings: any bytes, any contents under a right seal, and edits of a
/// checkpoint that was written.
pub(super) const TARGET: Target =
    Target { name: "run_folder", about: "parameters and checkpoints of trainings", run };

/// Bytes of a sealed file before its contents, and after them.
const HEAD: usize = 20;
const TAIL: usize = 8;

static FOLDER: LazyLock<tempfile::TempDir> =
    LazyLock::new(|| tempfile::tempdir().expect("a temporary folder"));

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

/// Trains in the folder; the path of the last checkpoint.
fn train(folder: &Path, resume: bool) -> Result<Option<PathBuf>, TrainerError> {
    let objective = objective();
    let trainer = Trainer::new(&objective, training())
        .judged_by(&objective)
        .kept_in(RunFolder { keep: 1, ..RunFolder::new(folder) })
        .resuming(resume);
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

/// A checkpoint in the midst of a training, and the name of its file.
static CHECKPOINT: LazyLock<(PathBuf, Vec<u8>)> = LazyLock::new(|| {
    let folder = FOLDER.path().join("whole");
    let mut resume = false;
    let mut last = PathBuf::new();
    for _ in 0..3 {
        last = train(&folder, resume).expect("a training").unwrap_or(last);
        resume = true;
    }
    let bytes = fs::read(&last).expect("a checkpoint");
    (last.file_name().expect("a file").into(), bytes)
});

fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let kind = bytes.byte() % 6;
    let name = Path::new("parameters");
    match kind {
        0 => drop(Parameters::<f64>::from_bytes(name, bytes.rest()).map_err(|e| e.to_string())),
        1 | 2 => {
            let contents = bytes.rest();
            let file = sealed(*b"hpfparam", contents);
            if let Ok(found) = Parameters::<f64>::from_bytes(name, &file) {
                assert_eq!(found.to_bytes(), file, "read and written again");
            }
            drop(Parameters::<f32>::from_bytes(name, &file).map_err(|e| e.to_string()));
        }
        3 => resumed(bytes.rest()),
        _ => {
            let whole = &CHECKPOINT.1;
            let mut contents = whole[HEAD..whole.len() - TAIL].to_vec();
            while !bytes.is_empty() {
                edit(&mut contents, &mut bytes);
            }
            resumed(&sealed(*b"hpftrain", &contents));
        }
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
            if let Some(place) = contents.get_mut(at) {
                *place = bytes.byte();
            }
        }
    }
}

/// A training that finds these bytes as its newest checkpoint.
fn resumed(bytes: &[u8]) {
    let folder = FOLDER.path().join("resumed");
    let checkpoints = folder.join("checkpoints");
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&checkpoints).expect("a folder");
    fs::copy(FOLDER.path().join("whole/metrics.jsonl"), folder.join("metrics.jsonl"))
        .or_else(|_| {
            LazyLock::force(&CHECKPOINT);
            fs::copy(FOLDER.path().join("whole/metrics.jsonl"), folder.join("metrics.jsonl"))
        })
        .expect("metrics");
    fs::write(checkpoints.join(&CHECKPOINT.0), bytes).expect("a file");
    for _ in 0..4 {
        if let Err(error) = train(&folder, true) {
            drop(error.to_string());
            return;
        }
    }
}

/// Contents under the seal of their kind.
fn sealed(kind: [u8; 8], contents: &[u8]) -> Vec<u8> {
    let mut file = kind.to_vec();
    file.extend(1u32.to_le_bytes());
    file.extend((contents.len() as u64).to_le_bytes());
    file.extend(contents);
    let sum = checksum(&file);
    file.extend(sum.to_le_bytes());
    file
}
