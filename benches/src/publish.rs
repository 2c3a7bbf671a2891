//! Publication of results in the record of a machine.

use crate::groups::GROUPS;
use crate::machine::{Machine, Program};
use crate::record::{self, Group, Record};
use std::io;
use std::path::{Path, PathBuf};

/// Checks that a run may be published.
///
/// # Errors
/// If the run is quick, which is not comparable with full runs, or files differ from their commit,
/// so that the program cannot be built again.
pub(crate) fn check(quick: bool, program: &Program) -> io::Result<()> {
    if quick {
        return Err(io::Error::other(
            "`--quick` measures fewer sizes in fewer rounds, which are not comparable with full runs: \
             publish without it",
        ));
    }
    if program.is_changed() {
        return Err(io::Error::other(format!(
            "files differ from their commit ({}), so that the measured program cannot be built again: commit them, \
             then publish",
            program.commit
        )));
    }
    Ok(())
}

/// Newest record of the machine, without groups if there is none.
///
/// # Errors
/// If it cannot be read, or is of another machine with the same folder.
pub(crate) fn newest(machine: &Machine, folder: &Path) -> io::Result<Record> {
    let Some(path) = record::newest(folder) else {
        return Ok(Record { machine: machine.clone(), groups: Vec::new() });
    };
    Record::of_machine(&path, machine)
}

/// Writes the newest record, updated by these groups, to a file with the current date.
///
/// # Errors
/// Those of [`newest`], and I/O errors.
pub(crate) fn publish(machine: Machine, groups: &[Group], folder: &Path) -> io::Result<PathBuf> {
    let mut record = newest(&machine, folder)?;
    record.machine = machine;
    record.update(groups);
    // Groups that are not part of this build come last.
    let index = |name: &str| GROUPS.iter().position(|(group, _)| *group == name);
    record.groups.sort_by_key(|group| index(&group.name).unwrap_or(usize::MAX));
    let path = folder.join(record::today() + ".json");
    record.write(&path)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(commit: &str) -> Program {
        Program { commit: commit.to_owned(), ..Program::here() }
    }

    #[test]
    fn full_runs_of_a_commit_are_published() {
        let error = |quick, commit| check(quick, &program(commit)).unwrap_err().to_string();
        assert!(error(true, "0123456789").contains("`--quick`"));
        assert!(error(false, "0123456789+").contains("0123456789+"));
        check(false, &program("0123456789")).unwrap();
    }

    fn group(name: &str) -> Group {
        Group {
            name: name.to_owned(),
            date: record::today(),
            program: program("0123456789"),
            quick: false,
            seconds: 1.0,
            machine: Vec::new(),
            blocks: Vec::new(),
        }
    }

    #[test]
    fn groups_are_written_in_the_order_of_the_program() {
        let (folder, machine) = (tempfile::tempdir().unwrap(), Machine::here());
        publish(machine.clone(), &[group("unknown"), group("dense")], folder.path()).unwrap();
        let path = publish(machine, &[group("floors")], folder.path()).unwrap();
        let names: Vec<String> =
            Record::read(&path).unwrap().groups.into_iter().map(|group| group.name).collect();
        assert_eq!(names, ["floors", "dense", "unknown"]);
    }

    #[test]
    fn records_of_another_machine_are_not_changed() {
        let (folder, here) = (tempfile::tempdir().unwrap(), Machine::here());
        let other = Machine { instruction_set: "other".to_owned(), ..here.clone() };
        let path = publish(other, &[group("dense")], folder.path()).unwrap();
        let before = Record::read(&path).unwrap();
        let error = publish(here, &[group("floors")], folder.path()).unwrap_err().to_string();
        assert!(error.contains("instruction_set is other there"), "{error}");
        assert_eq!(Record::read(&path).unwrap(), before);
    }
}
