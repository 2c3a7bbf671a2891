//! Requests beyond the memory: an error with both figures and exit code 2, at once, and never a
//! killed process. The address space is limited, so that the memory of the machine does not matter.
#![cfg(target_os = "linux")]

use crate::command::{Folder, Run};
use std::fs::File;
use std::process::{Command, Output};

/// Runs the command with a limit of the address space.
fn limited(folder: &Folder, mib: u64, words: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_hpfracc");
    let script = format!("ulimit -v {} && exec '{program}' {words}", mib << 10);
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).env("HPFRACC_THREADS", "2").current_dir(folder.path("."));
    shell.output().unwrap()
}

fn refused(run: &Run, words: &str, said: &str) {
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{words}: {}", run.stderr);
    assert!(run.stderr.contains(said), "{words}: {}", run.stderr);
    let figures = run.stderr.matches(" MiB").count() == 2 && run.stderr.contains("are available");
    assert!(figures, "{words}: {}", run.stderr);
}

const TRAIN: &str = "
[data]
file = \"x.csv\"
[windows]
length = 10
[model.drift.perceptron]
hidden = [8]
[training]
epochs = 1
";

#[test]
fn sizes_beyond_the_memory_are_refused() {
    let rows: String = (0..100).map(|k| format!("{k},{}\n", (k * k) % 17)).collect();
    let wide = TRAIN.replace("[8]", "[100000, 100000, 100000]");
    let folder = Folder::with(&[("x.csv", &format!("t,x\n{rows}")), ("wide.toml", &wide)]);
    let before = folder.names();
    for (words, said) in [
        ("train wide.toml", "training 20000500001 parameters needs "),
        (
            "simulate ornstein-uhlenbeck --moments --paths 1000000 --steps 10000000",
            "1000000 paths at 10000001 times needs ",
        ),
        (
            "simulate ornstein-uhlenbeck --paths 1000000000000",
            "the ensemble of 1000000000000 paths",
        ),
        (
            "simulate ornstein-uhlenbeck --quantiles 0.5 --paths 1000000 --steps 1000000",
            "the ensemble",
        ),
        (
            "transform --kind fractional-dft --rate 0.001 --bins 1000000000000 x.csv",
            "1000000000000 numbers",
        ),
    ] {
        refused(&Run::of(&limited(&folder, 4000, words)), words, said);
        assert_eq!(folder.names(), before, "{words}");
    }
}

/// Before the training, not after it.
#[test]
fn forecasts_and_batches_beyond_the_memory_are_refused_first() {
    let rows: String = (0..100).map(|k| format!("{k},{}\n", (k * k) % 17)).collect();
    let forecast = format!("{TRAIN}[forecast]\npaths = 100000000\n");
    let batch = format!("{TRAIN}[loss]\npaths = 5000000\n").replace("epochs", "batch = 80\nepochs");
    let folder = Folder::with(&[
        ("x.csv", &format!("t,x\n{rows}")),
        ("forecast.toml", &forecast),
        ("batch.toml", &batch),
    ]);
    let before = folder.names();
    for (words, said) in [
        ("train forecast.toml", "the forecast of 100000000 paths of 10 rows needs "),
        ("train batch.toml", "a batch of 80 windows of 10 steps needs "),
    ] {
        refused(&Run::of(&limited(&folder, 4000, words)), words, said);
        assert_eq!(folder.names(), before, "{words}");
    }
}

/// Pipes without an end, and lines without one.
#[test]
fn endless_input_is_refused() {
    let folder = Folder::with(&[]);
    for words in [
        "mittag-leffler --alpha 1 -",
        "diff --operator caputo --alpha 0.5 -",
        "diff --operator caputo --alpha 0.5 --stream -",
        "transform --kind fractional-fourier --order 0.5 -",
    ] {
        let zeros = File::open("/dev/zero").unwrap();
        let mut command = folder.command();
        let run = Run::of(&command.args(words.split(' ')).stdin(zeros).output().unwrap());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{words}: {}", run.stderr);
        assert!(run.stderr.contains("row 1 is longer than "), "{words}: {}", run.stderr);
    }
}

/// With any limit of the address space beyond the program a command works, or is refused with exit code 2.
#[test]
fn a_limited_address_space_is_no_abort() {
    let rows: String = (0..200_000).map(|k| format!("{k},{}\n", k % 1009)).collect();
    let folder = Folder::with(&[("x.csv", &format!("t,x\n{rows}")), ("c.toml", TRAIN)]);
    let (mut refused, mut worked) = (0, 0);
    let program = std::fs::metadata(env!("CARGO_BIN_EXE_hpfracc")).unwrap().len() >> 20;
    for mib in [program + 8, program + 38, 200, 400, 8000] {
        for words in [
            "diff --operator caputo --alpha 0.5 -q x.csv -o out.csv",
            "diff --operator caputo --alpha 0.5 -q --stream x.csv -o out.csv",
            "transform --kind fractional-fourier --order 0.5 -q x.csv -o out.csv",
            "simulate ornstein-uhlenbeck --paths 20000 -q -o out.csv",
            "solve lorenz -q --n 100000 -o out.csv",
            "train c.toml -q --out run",
            "operators",
        ] {
            let output = limited(&folder, mib, words);
            let said = String::from_utf8_lossy(&output.stderr);
            match output.status.code() {
                Some(0) => worked += 1,
                Some(2) => {
                    refused += 1;
                    let figures = said.contains(" MiB");
                    assert!(figures, "{mib} MiB: {words}: {said}");
                }
                _ => panic!("{mib} MiB: {words}: {:?}: {said}", output.status),
            }
            let _ = std::fs::remove_dir_all(folder.path("run"));
        }
    }
    assert!(refused > 0 && worked >= 7, "{refused} {worked}");
}
