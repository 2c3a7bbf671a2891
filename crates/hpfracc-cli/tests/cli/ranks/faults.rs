//! Ranks that are killed.

use super::{decay, mpirun, on_ranks};
use crate::command::Folder;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Killed ranks end the others, and no file is left half written.
#[test]
fn a_rank_that_is_killed_ends_all() {
    for (ranks, killed) in [(2, 1), (3, 0), (3, 2)] {
        let folder = Folder::with(&[]);
        let Some(mut command) = mpirun(&folder, "a rank that is killed") else { return };
        let words = "echo $$ > pid$OMPI_COMM_WORLD_RANK$PMI_RANK; exec \"$HPFRACC\" simulate rough-bergomi \
                     --paths 20000000 --moments --output moments.csv";
        command.args(["-n", &ranks.to_string(), "sh", "-c", words]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let file = folder.path(&format!("pid{killed}"));
        let start = Instant::now();
        let pid = loop {
            let text = fs::read_to_string(&file).unwrap_or_default();
            if let Ok(pid) = text.trim().parse::<u32>() {
                break pid;
            }
            assert!(start.elapsed() < Duration::from_secs(20), "no rank has started");
            std::thread::sleep(Duration::from_millis(20));
        };
        std::thread::sleep(Duration::from_millis(500 * ranks));
        let killed = Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap();
        assert!(killed.success());
        let seconds = ended(&mut child);
        println!("{ranks} ranks ended after {seconds:.2} s");
        assert!(seconds < 10.0);
        assert!(
            !folder.names().iter().any(|name| name.contains("moments")),
            "{:?}",
            folder.names()
        );
    }
}

/// Waits for the end of a failure.
fn ended(child: &mut Child) -> f64 {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            assert!(!status.success());
            return start.elapsed().as_secs_f64();
        }
        if start.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A bootstrap that is killed at any moment goes on with another number of ranks, to the same numbers.
#[test]
fn a_killed_fit_is_resumed_by_other_ranks() {
    let folder = Folder::with(&[("decay.csv", &decay())]);
    let words =
        "fit \"y = a exp(-x/tau) + c\" decay.csv --start a=1,tau=1,c=0 --bootstrap 20000 --json";
    let Some(expected) = on_ranks(&folder, 1, words) else { return };
    assert_eq!(expected.code, 0, "{}", expected.stderr);
    let words = format!("{words} --resume checkpoints --every 0.02");
    for (ranks, millis) in [(2, 500), (3, 700), (4, 900)] {
        let mut command = mpirun(&folder, "a killed fit").unwrap();
        let line =
            format!("echo $$ > pid$OMPI_COMM_WORLD_RANK$PMI_RANK; exec \"$HPFRACC\" {words}");
        command.args(["-n", &ranks.to_string(), "sh", "-c", &line]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(millis));
        let pid = fs::read_to_string(folder.path(&format!("pid{}", ranks - 1))).unwrap();
        let killed = Command::new("kill").args(["-9", pid.trim()]).status().unwrap();
        println!("rank {} of {ranks} was there: {}", ranks - 1, killed.success());
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    let resumed = on_ranks(&folder, 3, &words).unwrap();
    assert_eq!((resumed.code, resumed.stdout), (0, expected.stdout), "{}", resumed.stderr);
}
