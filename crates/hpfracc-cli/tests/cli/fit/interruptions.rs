//! Kills and Ctrl-C: the same command goes on to the same bits.

use super::{STRETCHED, folder};
use crate::command::{Folder, Run};
use std::process::{Child, Stdio};
use std::time::Duration;

const LONG: [&str; 8] =
    ["--bootstrap", "3000", "--sample", "2x1500", "--profile", "a,tau,s,c", "--json", "-q"];

fn begin(folder: &Folder, more: &[&str]) -> Child {
    let words = [&["fit", STRETCHED, "one.csv"], &LONG[..], more].concat();
    let mut command = folder.command();
    command.args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The report of a fit that is killed at any moment, a hundred times, is that of one that was not.
#[test]
fn a_hundred_kills() {
    let folder = folder();
    let whole = Run::of(&begin(&folder, &[]).wait_with_output().unwrap());
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    let (mut kills, mut state) = (0u32, 12_345u32);
    let end = loop {
        let mut child = begin(&folder, &["--resume", "run", "--every", "0"]);
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        std::thread::sleep(Duration::from_micros(4_000 + u64::from(state >> 18)));
        if kills == 100 || child.try_wait().unwrap().is_some() {
            break Run::of(&child.wait_with_output().unwrap());
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    };
    println!("{kills} kills");
    assert!(kills > 20, "{kills}");
    assert_eq!(end.code, 0, "{}", end.stderr);
    assert_eq!(end.stdout, whole.stdout);
}

/// Ctrl-C leaves a checkpoint and says how to go on.
#[cfg(unix)]
#[test]
fn an_interruption() {
    let folder = folder();
    let whole = Run::of(&begin(&folder, &[]).wait_with_output().unwrap());
    let child = begin(&folder, &["--resume", "run"]);
    std::thread::sleep(Duration::from_millis(150));
    let signal =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signal.unwrap().success());
    let interrupted = Run::of(&child.wait_with_output().unwrap());
    if interrupted.code == 130 {
        let said = &interrupted.stderr;
        assert!(said.contains("interrupted after") && said.contains("goes on from run"), "{said}");
    } else {
        // A fast machine was done.
        assert_eq!(interrupted.code, 0, "{}", interrupted.stderr);
    }
    let resumed = Run::of(&begin(&folder, &["--resume", "run"]).wait_with_output().unwrap());
    assert_eq!((resumed.code, resumed.stdout), (0, whole.stdout));
}
