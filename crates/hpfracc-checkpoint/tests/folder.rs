//! Checkpoints in a folder: written, found again, damaged, left unfinished.

use hpfracc_checkpoint::{
    CheckpointError, CheckpointFolder, Damage, Fingerprint, Format, Newest, lay_aside, lock,
    replace, seal, unseal,
};
use serde::{Deserialize, Serialize};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const FORMAT: Format = Format { kind: *b"examples", version: 3 };

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct State {
    step: u64,
    numbers: Vec<f64>,
}

fn state(step: u64) -> State {
    State { step, numbers: vec![1.0 / 3.0, -0.0, f64::MIN_POSITIVE / 8.0, f64::MAX] }
}

fn fingerprint(data: &str) -> Fingerprint {
    Fingerprint::new([("the seed", "7"), ("the data", data)]).unwrap()
}

fn folder(keep: usize) -> (TempDir, CheckpointFolder) {
    let temporary = tempfile::tempdir().unwrap();
    let path = temporary.path().join("run/checkpoints");
    let folder = CheckpointFolder::open(path, NonZeroUsize::new(keep).unwrap()).unwrap();
    (temporary, folder)
}

fn save(folder: &CheckpointFolder, step: u64) -> PathBuf {
    let bytes = seal(FORMAT, &fingerprint("a"), &state(step)).unwrap();
    folder.save(&[step / 10, step], &bytes).unwrap()
}

fn newest(folder: &CheckpointFolder) -> Result<Newest<State>, CheckpointError> {
    folder.newest(|path, bytes| unseal(FORMAT, &fingerprint("a"), path, bytes))
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path().join("run/checkpoints")).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_newest_remain_and_are_read_with_the_same_bits() {
    let (place, folder) = folder(2);
    assert_eq!(newest(&folder).unwrap(), Newest { state: None, damaged: Vec::new() });
    for step in [8, 9, 10, 11] {
        save(&folder, step);
        let found = newest(&folder).unwrap().state.unwrap();
        let bits = |state: &State| state.numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!((found.step, bits(&found)), (step, bits(&state(step))));
    }
    let name = |step: u64| format!("{:020}-{step:020}.checkpoint", 1);
    assert_eq!(names(&place), [name(10), name(11)]);
}

#[test]
fn a_damaged_file_is_passed_over_while_another_is_intact() {
    let (place, folder) = folder(3);
    let paths = [1, 2, 3].map(|step| save(&folder, step));
    let bytes = fs::read(&paths[2]).unwrap();
    fs::write(&paths[2], &bytes[..bytes.len() / 2]).unwrap();
    let mut changed = fs::read(&paths[1]).unwrap();
    changed[60] ^= 4;
    fs::write(&paths[1], changed).unwrap();
    let found = newest(&folder).unwrap();
    assert_eq!(found.state.unwrap().step, 1);
    let [(first, Damage::Length { .. }), (second, Damage::Checksum { .. })] = &found.damaged[..]
    else {
        panic!("{:?}", found.damaged)
    };
    assert_eq!([first, second], [&paths[2], &paths[1]]);
    lay_aside(first).unwrap();
    assert!(names(&place)[2].ends_with(".checkpoint.damaged"));
    fs::write(&paths[0], b"examples").unwrap();
    let error = newest(&folder).unwrap_err().to_string();
    assert!(error.ends_with("has 8 bytes, expected 28"), "{error}");
}

#[test]
fn leftovers_of_a_killed_process_are_removed() {
    let (place, two) = folder(2);
    let paths = [1, 2].map(|step| save(&two, step));
    fs::copy(&paths[0], paths[0].with_file_name("0.checkpoint")).unwrap();
    fs::write(paths[0].with_file_name("9.checkpoint.part"), b"half").unwrap();
    assert_eq!(names(&place).len(), 4);
    two.clear().unwrap();
    assert_eq!(names(&place), paths.map(|p| p.file_name().unwrap().to_str().unwrap().to_owned()));
}

#[test]
fn another_computation_is_refused_with_the_first_difference() {
    let bytes = seal(FORMAT, &fingerprint("a"), &state(1)).unwrap();
    let read = |fingerprint: Fingerprint, bytes: &[u8]| -> Result<State, CheckpointError> {
        unseal(FORMAT, &fingerprint, Path::new("x"), bytes)
    };
    assert_eq!(read(fingerprint("a"), &bytes).unwrap(), state(1));
    let message = |error: CheckpointError| error.to_string();
    let error = message(read(fingerprint("b"), &bytes).unwrap_err());
    assert_eq!(error, "x is of another computation: the data was a, now it is b");
    let fewer = Fingerprint::new([("the seed", "7")]).unwrap();
    let error = message(read(fewer, &bytes).unwrap_err());
    assert_eq!(error, "x is of another computation: the data was a, now it is not known");
    let error = Fingerprint::new([("a", "1"), ("b", "2"), ("a", "1")]).unwrap_err();
    assert_eq!(message(error), "the fact `a` is given twice");
    let other: Result<String, _> = unseal(FORMAT, &fingerprint("a"), Path::new("x"), &bytes);
    let error = message(other.unwrap_err());
    assert_eq!(error, "x has contents that do not match its version");
}

#[test]
fn a_state_that_cannot_be_read_again_is_not_written() {
    let lost = State { numbers: vec![1.0, f64::NAN], ..state(1) };
    let error = seal(FORMAT, &fingerprint("a"), &lost).unwrap_err().to_string();
    assert!(error.starts_with("the state of the computation cannot be stored: "), "{error}");
}

#[test]
fn a_file_is_locked_until_it_is_dropped() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("lock");
    let first = lock(&path).unwrap();
    let error = lock(&path).unwrap_err().to_string();
    assert!(error.ends_with("lock is in use by another process"), "{error}");
    drop(first);
    lock(&path).unwrap();
}

#[test]
fn a_replaced_file_has_the_new_bytes_only() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("value");
    for bytes in [&b"a longer value"[..], b"short"] {
        replace(&path, bytes).unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    let error = replace(&place.path().join("none/value"), b"").unwrap_err();
    assert!(matches!(error, CheckpointError::File { action: "write", .. }), "{error}");
}
