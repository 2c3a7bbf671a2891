//! `hpfracc simulate` over the ranks of MPI. Without an MPI installation the tests are skipped, and with
//! `HPFRACC_REQUIRE_MPI=1` they fail.

use crate::command::{Folder, Run};
use std::fs;
use std::io::ErrorKind;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// `mpirun` in a folder; `None` with a message where it is not installed.
fn mpirun(folder: &Folder, test: &str) -> Option<Command> {
    let (command, mut mpirun) = (folder.command(), Command::new("mpirun"));
    mpirun.current_dir(folder.path(".")).env("HPFRACC", command.get_program());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => mpirun.env(name, value),
            None => mpirun.env_remove(name),
        };
    }
    for name in ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] {
        mpirun.env(name, "1");
    }
    mpirun.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
    let mut version = Command::new("mpirun");
    match version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let required = std::env::var("HPFRACC_REQUIRE_MPI").as_deref() == Ok("1");
            assert!(!required, "{test}: mpirun is not installed");
            println!("skipped: {test}: mpirun is not installed");
            None
        }
        status => {
            status.unwrap();
            Some(mpirun)
        }
    }
}

/// Runs the command line on a number of ranks.
fn on_ranks(folder: &Folder, ranks: usize, words: &str) -> Option<Run> {
    let mut command = mpirun(folder, words)?;
    command.args(["-n", &ranks.to_string(), "sh", "-c", &format!("exec \"$HPFRACC\" {words}")]);
    Some(Run::of(&command.output().unwrap()))
}

#[test]
fn any_number_of_ranks_writes_the_same_files() {
    let cases = [
        "simulate ornstein-uhlenbeck --paths 3000 --steps 40 --every 20 --moments --quantiles 0.1",
        "simulate fractional-brownian-motion --paths 300 --steps 32 --every 16",
        "simulate --equation \"D^0.7 X = -X + 0.3 dW/dt; X(0) = 1; t in [0, 2]\" --paths 600 --steps 40 --moments --dtype f32",
    ];
    for words in cases {
        let folder = Folder::with(&[]);
        let mut files = vec![];
        for ranks in [1, 2, 3, 4] {
            let name = format!("{ranks}.csv");
            let run = on_ranks(&folder, ranks, &format!("{words} --output {name}"));
            let Some(run) = run else { return };
            assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
            assert_eq!(run.stderr.matches("paths of").count(), 1, "{}", run.stderr);
            files.push(folder.read(&name));
        }
        let alone = Command::new("sh")
            .current_dir(folder.path("."))
            .args(["-c", &format!("exec \"$0\" {words} --output alone.csv")])
            .arg(folder.command().get_program())
            .output();
        assert_eq!(Run::of(&alone.unwrap()).code, 0);
        assert!(files.iter().all(|file| *file == folder.read("alone.csv")), "{words}");
    }
}

#[test]
fn one_rank_reports_an_error_of_all() {
    let folder = Folder::with(&[]);
    for (words, said) in [
        ("simulate nothing --paths 10", "no model `nothing`"),
        (
            "simulate --equation \"dX = X^3 dt + dW; X(0) = 3; t in [0, 10]\" --paths 50 --moments",
            "path",
        ),
        (
            "simulate --equation \"dX = -X dt + dW; X(0) = 0; t in [0, 1]\" --backend wgpu --dtype f32",
            "start one rank",
        ),
    ] {
        let Some(run) = on_ranks(&folder, 3, words) else { return };
        assert_ne!(run.code, 0, "{words}: {}", run.stderr);
        assert_eq!(run.stderr.matches("hpfracc: error:").count(), 1, "{words}: {}", run.stderr);
        assert!(run.stderr.contains(said), "{words}: {}", run.stderr);
    }
}

#[test]
fn other_commands_run_on_one_rank() {
    let folder = Folder::with(&[]);
    let Some(run) = on_ranks(&folder, 2, "mittag-leffler --alpha 0.5 -1") else { return };
    assert_eq!((run.code, run.stdout.lines().count()), (0, 1), "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains("1 other rank"), "{}", run.stderr);
}

#[test]
fn command_lines_that_differ_are_refused() {
    let folder = Folder::with(&[]);
    let Some(mut command) = mpirun(&folder, "command lines that differ") else { return };
    let words = "exec \"$HPFRACC\" simulate ornstein-uhlenbeck --moments --seed $OMPI_COMM_WORLD_RANK$PMI_RANK";
    let output = command.args(["-n", "2", "sh", "-c", words]).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert!(error.contains("rank 1 and rank 0 differ in the command line"), "{error}");
}

#[test]
fn a_library_that_is_missing_is_named() {
    let folder = Folder::with(&[]);
    let Some(mut command) = mpirun(&folder, "a library that is missing") else { return };
    command.env("HPFRACC_MPI", "/nowhere/libmpi.so");
    let words = ["-n", "1", "sh", "-c", "exec \"$HPFRACC\" simulate ornstein-uhlenbeck --moments"];
    let output = command.args(words).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("/nowhere/libmpi.so") && error.contains("install Open MPI"), "{error}");
}

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
