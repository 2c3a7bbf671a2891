//! Runs the command in a temporary folder.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(output: &Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout.clone()).unwrap(),
            stderr: String::from_utf8(output.stderr.clone()).unwrap(),
        }
    }
}

/// Temporary folder with input files, in which the command runs.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Self(folder)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs the command with words separated by spaces.
    pub(crate) fn run(&self, words: &str) -> Run {
        self.run_with_input(words, "")
    }

    /// Runs the command with these arguments.
    pub(crate) fn run_with(&self, words: &[&str]) -> Run {
        Run::of(&self.command().args(words).output().unwrap())
    }

    pub(crate) fn run_with_input(&self, words: &str, input: &str) -> Run {
        let mut child = self
            .command()
            .args(words.split_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that fails before it reads closes the pipe.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        Run::of(&child.wait_with_output().unwrap())
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hpfracc"));
        command.current_dir(self.0.path());
        // Variables of the developer do not affect the tests.
        for variable in [
            "HPFRACC_BACKEND",
            "HPFRACC_DISABLE",
            "HPFRACC_LEARNING",
            "HPFRACC_WISDOM",
            "HPFRACC_THREADS",
            "HPFRACC_GPU_MEMORY_LIMIT",
        ] {
            command.env_remove(variable);
        }
        command
    }
}

/// Checks that a command without input files fails with code 2 and this message, and leaves no
/// file.
pub(crate) fn refused(words: &str, said: &str) {
    let folder = Folder::with(&[]);
    let run = folder.run(&format!("{words} --output out.csv"));
    assert_eq!(run.code, 2, "{words}: {}", run.stderr);
    assert!(run.stderr.contains(said), "{words}: `{said}` is not in: {}", run.stderr);
    assert!(!run.stderr.contains("panicked"), "{words}: {}", run.stderr);
    assert_eq!((run.stdout.as_str(), folder.names().len()), ("", 0), "{words}");
}

/// Column names and rows of a CSV text.
pub(crate) fn table(csv: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut rows = csv.lines().map(|line| line.split(',').map(str::to_owned).collect());
    (rows.next().unwrap(), rows.collect())
}

/// Numbers of a column.
pub(crate) fn numbers(csv: &str, column: usize) -> Vec<f64> {
    table(csv).1.iter().map(|row| row[column].parse().unwrap()).collect()
}
