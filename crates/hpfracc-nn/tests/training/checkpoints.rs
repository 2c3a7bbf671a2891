//! What a training leaves, and what it goes on from.

use crate::objectives::{Sine, silent, train, training};
use hpfracc_nn::trainer::{
    Damage, End, Event, Parameters, RunFolder, Standardisation, Trainer, TrainerError, Training,
};
use hpfracc_nn::{LossScale, Objective, Scalar, Schedule};
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use tempfile::TempDir;

fn folder(every: Option<u64>) -> (TempDir, RunFolder) {
    let temporary = tempfile::tempdir().unwrap();
    let folder = RunFolder { every, ..RunFolder::new(temporary.path().join("run")) };
    (temporary, folder)
}

fn checkpoints(folder: &RunFolder) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.checkpoints()).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// All that decides about the future takes part: noise, momenta, loss scale, schedule, best,
/// patience.
fn eventful() -> (Sine, Training) {
    let mut objective = Sine::new(10, 4);
    objective.noise = 0.1;
    let training = Training {
        schedule: Schedule::Cosine { from: 0.05, to: 0.001, steps: 15 },
        loss_scale: Some(LossScale::default()),
        clip: Some(0.5),
        patience: Some(3),
        ..training(4, 4, 0.0)
    };
    (objective, training)
}

/// Stopped after so many steps, and resumed: the same bits and the same metrics.
fn stopped_after<T: Scalar>(stops: &[usize])
where
    Sine: Objective<T>,
{
    let (objective, training) = eventful();
    let (_keep, whole) = folder(None);
    let expected = train::<T>(&objective, &training, &whole, silent).unwrap();
    let metrics = fs::read(whole.metrics()).unwrap();
    assert_eq!(metrics.iter().filter(|byte| **byte == b'\n').count(), 4 * 3 + 4);
    for &stop in stops {
        let (_keep, folder) = folder(Some(5));
        let mut count = 0;
        let stopped = train::<T>(&objective, &training, &folder, |event| {
            count += usize::from(matches!(event, Event::Step(_)));
            if count == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(stopped.unwrap().end, End::Cancelled, "{stop}");
        let found = train::<T>(&objective, &training, &folder, silent).unwrap();
        assert_eq!(found, expected, "{stop}");
        assert_eq!(fs::read(folder.metrics()).unwrap(), metrics, "{stop}");
    }
}

#[test]
fn a_training_that_was_stopped_has_the_same_bits() {
    // Within an epoch, at its last batch, at a checkpoint, and in the last epoch.
    stopped_after::<f64>(&[1, 3, 5, 8, 11]);
    stopped_after::<f32>(&[4]);
}

/// As if killed after any part of the metrics was written, with a partial checkpoint.
#[test]
fn metrics_after_the_checkpoint_are_rewritten() {
    let (objective, training) = eventful();
    let (_keep, whole) = folder(None);
    let expected = train::<f64>(&objective, &training, &whole, silent).unwrap();
    let metrics = fs::read(whole.metrics()).unwrap();
    let (_keep, folder) = folder(Some(2));
    let mut saved = Vec::new();
    train::<f64>(&objective, &training, &folder, |event| {
        if let Event::Saved { path } = event {
            saved.push((fs::read(path).unwrap(), fs::read(folder.metrics()).unwrap()));
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    assert!(saved.len() > 8, "{}", saved.len());
    for (number, (checkpoint, written)) in saved.iter().enumerate().step_by(3) {
        for file in checkpoints(&folder) {
            fs::remove_file(file).unwrap();
        }
        fs::write(folder.checkpoints().join("1.checkpoint"), checkpoint).unwrap();
        fs::write(folder.checkpoints().join("2.checkpoint.part"), &checkpoint[..99]).unwrap();
        let more = metrics.len().min(written.len() + 50 * number);
        assert_eq!(metrics[..written.len()], *written);
        fs::write(folder.metrics(), &metrics[..more]).unwrap();
        let found = train::<f64>(&objective, &training, &folder, silent).unwrap();
        assert_eq!(found, expected, "{number}");
        assert_eq!(fs::read(folder.metrics()).unwrap(), metrics, "{number}");
    }
}

#[test]
fn only_the_newest_checkpoints_remain() {
    let (objective, training) = eventful();
    let (_keep, folder) = folder(Some(1));
    train::<f64>(&objective, &training, &RunFolder { keep: 4, ..folder.clone() }, silent).unwrap();
    let names: Vec<String> = checkpoints(&folder)
        .iter()
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    let name = |epoch: u64, step: u64| format!("{epoch:020}-{step:020}.checkpoint");
    assert_eq!(names, [name(3, 10), name(3, 11), name(3, 12), name(4, 12)]);
}

#[test]
fn a_damaged_checkpoint_is_renamed() {
    let (objective, training) = eventful();
    let (_keep, folder) = folder(Some(2));
    let expected = train::<f64>(&objective, &training, &folder, silent).unwrap();
    let metrics = fs::read(folder.metrics()).unwrap();
    let [_, middle, newest] = checkpoints(&folder).try_into().unwrap();
    let bytes = fs::read(&newest).unwrap();
    fs::write(&newest, &bytes[..bytes.len() / 2]).unwrap();
    let mut changed = fs::read(&middle).unwrap();
    changed[300] ^= 4;
    fs::write(&middle, &changed).unwrap();
    let mut told = Vec::new();
    let found = train::<f64>(&objective, &training, &folder, |event| {
        match event {
            Event::Damaged { path, damage } => told.push((path.to_path_buf(), Some(*damage))),
            Event::Resumed { .. } => told.push((PathBuf::new(), None)),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    assert_eq!(found.unwrap(), expected);
    assert_eq!(fs::read(folder.metrics()).unwrap(), metrics);
    let [(first, Some(Damage::Length { .. })), (second, Some(Damage::Checksum { .. })), (_, None)] =
        &told[..]
    else {
        panic!("{told:?}");
    };
    assert_eq!([first, second], [&newest, &middle]);
    let aside = |path: &PathBuf| PathBuf::from(format!("{}.damaged", path.display()));
    assert_eq!(fs::read(aside(&middle)).unwrap(), changed);
    assert_eq!(fs::read(aside(&newest)).unwrap(), bytes[..bytes.len() / 2]);
    assert_eq!(fs::read(&newest).unwrap(), bytes);
}

#[test]
fn damage_without_an_intact_checkpoint_is_an_error() {
    let (objective, training) = eventful();
    let (_keep, folder) = folder(None);
    train::<f64>(&objective, &training, &folder, silent).unwrap();
    let files = checkpoints(&folder);
    for file in &files {
        fs::write(file, b"hpftrain").unwrap();
    }
    let metrics = fs::read(folder.metrics()).unwrap();
    let error = train::<f64>(&objective, &training, &folder, silent).unwrap_err();
    assert!(matches!(error, TrainerError::Damaged { .. }), "{error}");
    assert!(error.to_string().ends_with("has 8 bytes, expected 28"), "{error}");
    assert_eq!((checkpoints(&folder), fs::read(folder.metrics()).unwrap()), (files, metrics));
}

#[test]
fn another_training_is_refused_with_the_difference() {
    let (objective, training) = eventful();
    let (_keep, folder) = folder(None);
    let fact = |value: &str| vec![("the data".to_owned(), value.to_owned())];
    let go = |objective: &Sine, training: &Training, facts: &str, mean: f64| {
        let standardisation = Standardisation { mean: vec![mean], deviation: vec![2.0] };
        let trainer = Trainer::<f64> {
            validation: Some(objective),
            folder: Some(folder.clone()),
            resume: true,
            facts: fact(facts),
            standardisation: Some(standardisation),
            ..Trainer::new(objective, training.clone())
        };
        trainer.run(silent)
    };
    go(&objective, &training, "a", 1.0).unwrap();
    let before: Vec<Vec<u8>> = checkpoints(&folder).iter().map(|p| fs::read(p).unwrap()).collect();
    let refused = |result: Result<_, TrainerError>, message: &str| {
        let error = result.unwrap_err();
        assert!(matches!(error, TrainerError::Foreign { .. }), "{error}");
        assert!(error.to_string().ends_with(message), "{error}");
    };
    let (wider, longer) = (Sine::new(10, 5), Sine::new(11, 4));
    refused(
        go(&wider, &training, "a", 1.0),
        "parameter block 0 was `0.weight` [4, 1], now it is `0.weight` [5, 1]",
    );
    refused(go(&longer, &training, "a", 1.0), "the number of samples was 10, now it is 11");
    let seed = Training { seed: 6, ..training.clone() };
    refused(go(&objective, &seed, "a", 1.0), "seed was 5, now it is 6");
    refused(go(&objective, &training, "b", 1.0), "the data was a, now it is b");
    let other = train::<f32>(&objective, &training, &folder, silent).map(|_| unreachable!());
    refused(other, "the scalar was f64, now it is f32");
    let error = go(&objective, &training, "a", 1.5).unwrap_err().to_string();
    assert!(error.contains("the standardisation was") && error.contains("mean: [1.5]"), "{error}");
    let twice = Trainer::<f64> {
        validation: Some(&objective),
        facts: vec![("seed".to_owned(), "5".to_owned())],
        ..Trainer::new(&objective, training.clone())
    };
    let error = twice.run(silent).unwrap_err();
    assert!(matches!(error, TrainerError::Twice { .. }), "{error}");
    // A longer training of the same kind goes on.
    let after: Vec<Vec<u8>> = checkpoints(&folder).iter().map(|p| fs::read(p).unwrap()).collect();
    assert_eq!(after, before);
    let longer = Training { epochs: 5, ..training };
    assert_eq!(go(&objective, &longer, "a", 1.0).unwrap().epochs, 5);
}

#[test]
fn another_version_is_an_error() {
    let (objective, training) = eventful();
    let (_keep, folder) = folder(None);
    train::<f64>(&objective, &training, &folder, silent).unwrap();
    let newest = checkpoints(&folder).pop().unwrap();
    let mut bytes = fs::read(&newest).unwrap();
    bytes[8] = 1;
    let end = bytes.len() - 8;
    let sum = crc64(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    fs::write(&newest, bytes).unwrap();
    let error = train::<f64>(&objective, &training, &folder, silent).unwrap_err();
    assert!(matches!(error, TrainerError::Version { found: 1, expected: 2, .. }), "{error}");
}

/// CRC-64/XZ bit by bit.
fn crc64(bytes: &[u8]) -> u64 {
    !bytes.iter().fold(!0u64, |sum, byte| {
        (0..8).fold(sum ^ u64::from(*byte), |sum, _| {
            if sum & 1 == 1 { sum >> 1 ^ 0xc96c_5795_d787_0f42 } else { sum >> 1 }
        })
    })
}

#[test]
fn a_folder_belongs_to_one_training_at_a_time() {
    let (objective, training) = eventful();
    let (_keep, folder) = folder(None);
    let fresh = Trainer::<f64> {
        validation: Some(&objective),
        folder: Some(folder.clone()),
        ..Trainer::new(&objective, training.clone())
    };
    let mut second = None;
    let first = fresh.run(|_| {
        second.get_or_insert_with(|| train::<f64>(&objective, &training, &folder, silent));
        ControlFlow::Continue(())
    });
    first.unwrap();
    let error = second.unwrap().unwrap_err();
    assert!(matches!(error, TrainerError::InUse { .. }), "{error}");
    let error = fresh.run(silent).unwrap_err();
    assert!(matches!(error, TrainerError::Occupied { .. }), "{error}");
    // Metrics that have been cut cannot belong to the checkpoint.
    fs::write(folder.metrics(), b"").unwrap();
    let error = train::<f64>(&objective, &training, &folder, silent).unwrap_err();
    assert!(matches!(error, TrainerError::Metrics { found: 0, .. }), "{error}");
}

/// Any flipped bit of the metrics that the checkpoint covers is found, and the file stays.
#[test]
fn changed_metrics_are_not_continued() {
    let (objective, training) = eventful();
    let (_keep, folder) = folder(None);
    let mut steps = 0;
    let half = train::<f64>(&objective, &training, &folder, |event| {
        steps += usize::from(matches!(event, Event::Step(_)));
        if steps == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(half.unwrap().end, End::Cancelled);
    let metrics = fs::read(folder.metrics()).unwrap();
    for bit in [0, 8 * metrics.len() / 2 + 3, 8 * metrics.len() - 1] {
        let mut changed = metrics.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        fs::write(folder.metrics(), &changed).unwrap();
        let error = train::<f64>(&objective, &training, &folder, silent).unwrap_err();
        let TrainerError::Damaged { path, damage: Damage::Checksum { .. } } = error else {
            panic!("{error}")
        };
        assert_eq!((path, fs::read(folder.metrics()).unwrap()), (folder.metrics(), changed));
    }
    fs::write(folder.metrics(), &metrics).unwrap();
    train::<f64>(&objective, &training, &folder, silent).unwrap();
}

/// As if killed after a checkpoint was written and before old ones were removed.
#[test]
fn checkpoints_of_a_killed_pruning_are_removed() {
    let (objective, training) = eventful();
    let (_keep, folder) = folder(None);
    let whole = train::<f64>(&objective, &training, &folder, silent).unwrap();
    let newest = checkpoints(&folder);
    assert_eq!(newest.len(), folder.keep);
    for older in
        ["00000000000000000000-00000000000000000000", "00000000000000000000-00000000000000000001"]
    {
        let path = folder.checkpoints().join(format!("{older}.checkpoint"));
        fs::copy(&newest[0], path).unwrap();
    }
    assert_eq!(train::<f64>(&objective, &training, &folder, silent).unwrap(), whole);
    assert_eq!(checkpoints(&folder), newest);
}

/// Metrics of another training, or without their checkpoints, are not overwritten.
#[test]
fn metrics_without_a_checkpoint_stay_as_they_are() {
    let (objective, training) = eventful();
    let (_keep, folder) = folder(None);
    train::<f64>(&objective, &training, &folder, silent).unwrap();
    let metrics = fs::read(folder.metrics()).unwrap();
    let refused = || {
        let error = train::<f64>(&objective, &training, &folder, silent).unwrap_err();
        assert!(matches!(error, TrainerError::NoCheckpoint { .. }), "{error}");
        assert_eq!(fs::read(folder.metrics()).unwrap(), metrics);
    };
    checkpoints(&folder).iter().for_each(|path| fs::remove_file(path).unwrap());
    refused();
    fs::remove_dir(folder.checkpoints()).unwrap();
    refused();
    // A training that wrote no step is one that can be gone on with.
    fs::write(folder.metrics(), b"").unwrap();
    let first = train::<f64>(&objective, &training, &folder, |event| match event {
        Event::Saved { .. } => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    assert_eq!((first.unwrap().steps, checkpoints(&folder).len()), (0, 1));
    fs::write(folder.checkpoints().join("7.checkpoint.part"), b"half").unwrap();
    train::<f64>(&objective, &training, &folder, silent).unwrap();
    assert_eq!(fs::read(folder.metrics()).unwrap(), metrics);
    assert!(checkpoints(&folder).iter().all(|path| path.extension().unwrap() == "checkpoint"));
}

/// The count of validations without improvement is part of the checkpoint.
#[test]
fn patience_is_resumed() {
    let (objective, _) = eventful();
    let none = Training { patience: Some(2), ..training(100, 5, 0.0) };
    let (_keep, folder) = folder(None);
    let mut epochs = 0;
    let stopped = train::<f64>(&objective, &none, &folder, |event| {
        epochs += usize::from(matches!(event, Event::Epoch(_)));
        if epochs == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(stopped.unwrap().epochs, 2);
    let ended = train::<f64>(&objective, &none, &folder, silent).unwrap();
    // The first validation is the best, and two more are not better.
    assert_eq!((ended.end, ended.epochs, ended.best.unwrap().epoch), (End::Patience, 3, 0));
    let again = train::<f64>(&objective, &none, &folder, silent).unwrap();
    assert_eq!((again.end, again.epochs), (End::Patience, 3));
}

#[test]
fn parameters_keep_their_bits() {
    let (objective, training) = eventful();
    let standardisation = Standardisation { mean: vec![0.1], deviation: vec![1.0 / 3.0] };
    let trainer = Trainer::<f32> {
        validation: Some(&objective),
        standardisation: Some(standardisation),
        ..Trainer::new(&objective, training)
    };
    let parameters = trainer.parameters(&trainer.run(silent).unwrap());
    let (bytes, path) = (parameters.to_bytes(), PathBuf::from("parameters"));
    assert_eq!(Parameters::<f32>::from_bytes(&path, &bytes).unwrap(), parameters);
    assert_eq!(parameters.blocks, Objective::<f32>::blocks(&objective));
    let error = Parameters::<f64>::from_bytes(&path, &bytes).unwrap_err().to_string();
    assert_eq!(error, "parameters is of another training: the scalar was f32, now it is f64");
    let error = Parameters::<f32>::from_bytes(&path, &bytes[1..]).unwrap_err().to_string();
    assert_eq!(error, "parameters does not begin with the bytes of its kind of file");
}
