//! Commands over the ranks of MPI. Without an MPI installation the tests are skipped, and with
//! `HPFRACC_REQUIRE_MPI=1` they fail.

mod faults;

use crate::command::{Folder, Run};
use crate::train;
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::process::{Command, Stdio};

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

/// A decay with deterministic noise.
fn decay() -> String {
    (0..60).fold("x,y\n".to_owned(), |mut text, k| {
        let (x, noise) = (0.1 * f64::from(k), (f64::from(k) * 12.9898).sin() * 0.05);
        writeln!(text, "{x},{}", 2.0 * (-x / 0.7).exp() + 0.5 + noise).unwrap();
        text
    })
}

/// A command line and one of its files.
const FILES: [(&str, &str); 2] = [
    (
        "solve --equation \"x' = r x (1 - x); r = 1; x(0) = 0.1; t in [0, 8]\" --scan r=0.5:3:11 --output scan.csv",
        "scan.csv",
    ),
    (
        "fit \"y = a exp(-x/tau) + c\" decay.csv --start a=1,tau=1,c=0 --profile tau --bootstrap 40 --sample 2x60 \
         --compare \"y = a + b x; a = 1; b = 0\" --draws draws.csv --output rows.csv --json",
        "draws.csv",
    ),
];

#[test]
fn scans_and_fits_have_the_results_of_a_process_alone() {
    let folder = Folder::with(&[("decay.csv", &decay())]);
    for (words, file) in FILES {
        let alone = Command::new("sh")
            .current_dir(folder.path("."))
            .args(["-c", &format!("exec \"$0\" {words}")])
            .arg(folder.command().get_program())
            .output();
        let alone = Run::of(&alone.unwrap());
        assert_eq!(alone.code, 0, "{}", alone.stderr);
        let expected = folder.read(file);
        for ranks in [1, 2, 3, 4] {
            let Some(run) = on_ranks(&folder, ranks, words) else { return };
            assert_eq!((run.code, &run.stdout), (0, &alone.stdout), "{ranks}: {}", run.stderr);
            assert_eq!(folder.read(file), expected, "{ranks}");
        }
    }
}

#[test]
fn trainings_have_the_results_of_a_process_alone() {
    let folder = train::folder();
    assert_eq!(folder.run("train config.toml --out alone").code, 0);
    for ranks in [1, 2, 3, 4] {
        let words = format!("train config.toml --out run{ranks}");
        let Some(run) = on_ranks(&folder, ranks, &words) else { return };
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(run.stderr.matches("25 steps, 5 epochs").count(), 1, "{}", run.stderr);
        train::same(&folder, &format!("run{ranks}"), "alone");
    }
}

#[test]
fn data_from_standard_input_are_refused() {
    let folder = Folder::with(&[]);
    let Some(run) = on_ranks(&folder, 2, "fit \"y = a + b x\" -") else { return };
    assert_ne!(run.code, 0);
    assert!(run.stderr.contains("rank 0 alone has a standard input"), "{}", run.stderr);
}

/// Ranks in folders of their own: only that of rank 0 has to have the folder of the output.
#[test]
fn rank_0_alone_writes() {
    let words = "cd node$OMPI_COMM_WORLD_RANK$PMI_RANK && exec \"$HPFRACC\" simulate ornstein-uhlenbeck --paths 64 \
                 --moments --output results/moments.csv";
    for (there, succeeds) in [("node0", true), ("node1", false)] {
        let folder = Folder::with(&[]);
        for name in ["node0", "node1"] {
            std::fs::create_dir(folder.path(name)).unwrap();
        }
        std::fs::create_dir(folder.path(there).join("results")).unwrap();
        let Some(mut command) = mpirun(&folder, "rank 0 alone writes") else { return };
        let output = command.args(["-n", "2", "sh", "-c", words]).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.success(), succeeds, "{error}");
        assert_eq!(folder.path("node0/results/moments.csv").exists(), succeeds);
        assert!(!folder.path("node1/results/moments.csv").exists());
        assert!(succeeds || error.contains("results/moments.csv"), "{error}");
    }
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
        ("simulate ornstein-uhlenbeck --paths 64 --moments --output /dev/full", "No space left"),
        ("fit \"y = a + b x\" nothing.csv", "nothing.csv"),
        ("solve --equation \"x' = q x; x(0) = 1; t in [0, 1]\" --scan r=1:2:3", "q"),
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
