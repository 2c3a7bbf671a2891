//! Ranks that are killed.

use super::{decay, mpirun, on_ranks};
use crate::command::Folder;
use crate::train;
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

/// Number of kills of each test.
fn kills() -> usize {
    std::env::var("HPFRACC_KILLS").map_or(3, |count| count.parse().unwrap())
}

/// Starts a command line on 2, 3 or 4 ranks and kills one of them at some moment, several times.
fn kill_many_times(folder: &Folder, words: &str, longest: Duration) {
    let mut slowest = 0.0f64;
    for kill in 0..kills() {
        // The golden ratio spreads moments and ranks evenly.
        let share = |step: f64| (kill as f64 * step).fract();
        let ranks = 2 + kill % 3;
        let killed = (share(0.7548) * ranks as f64) as usize;
        let mut command = mpirun(folder, "kills").unwrap();
        let line =
            format!("echo $$ > pid$OMPI_COMM_WORLD_RANK$PMI_RANK; exec \"$HPFRACC\" {words}");
        command.args(["-n", &ranks.to_string(), "sh", "-c", &line]);
        for rank in 0..ranks {
            let _ = fs::remove_file(folder.path(&format!("pid{rank}")));
        }
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(longest.mul_f64(0.1 + 0.9 * share(0.618_034)));
        let pid = fs::read_to_string(folder.path(&format!("pid{killed}"))).unwrap_or_default();
        if !pid.trim().is_empty() {
            drop(Command::new("kill").args(["-9", pid.trim()]).status().unwrap());
        }
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(
                start.elapsed() < Duration::from_secs(10),
                "kill {kill}: rank {killed} of {ranks}"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
        slowest = slowest.max(start.elapsed().as_secs_f64());
    }
    println!("{} kills, all ended within {slowest:.2} s", kills());
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
    kill_many_times(&folder, &words, Duration::from_millis(1500));
    let resumed = on_ranks(&folder, 3, &words).unwrap();
    assert_eq!((resumed.code, resumed.stdout), (0, expected.stdout), "{}", resumed.stderr);
}

#[test]
fn a_killed_training_is_resumed_by_other_ranks() {
    let folder = train::folder();
    fs::write(folder.path("long.toml"), train::CONFIG.replace("epochs = 5", "epochs = 60"))
        .unwrap();
    let Some(alone) = on_ranks(&folder, 1, "train long.toml --out alone") else { return };
    assert_eq!(alone.code, 0, "{}", alone.stderr);
    let words = "train long.toml --out killed --resume";
    kill_many_times(&folder, words, Duration::from_millis(1500));
    let resumed = on_ranks(&folder, 3, words).unwrap();
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    train::same(&folder, "killed", "alone");
}
