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
        let pid = pid_of(&folder, killed);
        std::thread::sleep(Duration::from_millis(500 * ranks));
        let killed = Command::new("kill").args(["-9", &pid]).status().unwrap();
        assert!(killed.success());
        let seconds = seconds_to_end(&mut child).expect("an end within ten seconds");
        println!("{ranks} ranks ended after {seconds:.2} s");
        assert!(!child.wait().unwrap().success());
        assert!(
            !folder.names().iter().any(|name| name.contains("moments")),
            "{:?}",
            folder.names()
        );
    }
}

/// Number of the process of a rank, which writes it as it starts.
fn pid_of(folder: &Folder, rank: usize) -> String {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(20) {
        let text = fs::read_to_string(folder.path(&format!("pid{rank}"))).unwrap_or_default();
        if text.ends_with('\n') {
            return text.trim().to_owned();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("rank {rank} has not started");
}

/// Waits for the end, ten seconds at most.
fn seconds_to_end(child: &mut Child) -> Option<f64> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(10) {
        if child.try_wait().unwrap().is_some() {
            return Some(start.elapsed().as_secs_f64());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    None
}

/// Number of kills of each test.
fn kills() -> usize {
    std::env::var("HPFRACC_KILLS").map_or(3, |count| count.parse().unwrap())
}

/// Starts a command line on 2, 3 or 4 ranks and kills one of them at some moment, several times. A run that ends before begins
/// again without its folder.
fn kill_many_times(folder: &Folder, words: &str, (of_run, longest): (&str, Duration)) {
    let (mut killed, mut stuck, mut slowest) = (0, 0, 0.0f64);
    for attempt in 0.. {
        if killed == kills() {
            break;
        }
        // Powers of the plastic number spread ranks and moments evenly.
        let share = |step: f64| (f64::from(attempt) * step).fract();
        let ranks = 2 + attempt as usize % 3;
        let rank = (share(0.569_84) * ranks as f64) as usize;
        (0..ranks).for_each(|rank| drop(fs::remove_file(folder.path(&format!("pid{rank}")))));
        let mut command = mpirun(folder, "kills").unwrap();
        let line =
            format!("echo $$ > pid$OMPI_COMM_WORLD_RANK$PMI_RANK; exec \"$HPFRACC\" {words}");
        command.args(["-n", &ranks.to_string(), "sh", "-c", &line]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(longest.mul_f64(0.1 + 0.9 * share(0.754_88)));
        if child.try_wait().unwrap().is_some_and(|status| status.success()) {
            fs::remove_dir_all(folder.path(of_run)).unwrap();
            continue;
        }
        let kill = |pid: &str| Command::new("kill").args(["-9", pid]).status().unwrap().success();
        if !kill(&pid_of(folder, rank)) {
            // It has ended just now.
            child.wait().unwrap();
            continue;
        }
        killed += 1;
        match seconds_to_end(&mut child) {
            Some(seconds) => slowest = slowest.max(seconds),
            // Open MPI's launcher waits for ever at times when a rank dies while it starts the others.
            None => {
                let living: Vec<usize> =
                    (0..ranks).filter(|rank| is_running(folder, *rank)).collect();
                child.kill().unwrap();
                child.wait().unwrap();
                assert!(living.is_empty(), "attempt {attempt}: {living:?} of {ranks} go on");
                stuck += 1;
            }
        }
    }
    println!(
        "{killed} kills, the slowest end after {slowest:.2} s, {stuck} launchers without ranks"
    );
}

/// Whether the process of a rank has started and runs; one that has ended may wait for its launcher.
fn is_running(folder: &Folder, rank: usize) -> bool {
    let pid = fs::read_to_string(folder.path(&format!("pid{rank}"))).unwrap_or_default();
    let state = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    let state = state.rsplit_once(") ").and_then(|(_, after)| after.chars().next());
    state.is_some_and(|state| !matches!(state, 'Z' | 'X'))
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
    kill_many_times(&folder, &words, ("checkpoints", Duration::from_millis(1500)));
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
    kill_many_times(&folder, words, ("killed", Duration::from_millis(1500)));
    let resumed = on_ranks(&folder, 3, words).unwrap();
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    train::same(&folder, "killed", "alone");
}
