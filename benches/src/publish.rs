//! What may be put on the record of a machine, and how it gets there.

use crate::groups::GROUPS;
use crate::machine::{Machine, Program};
use crate::record::{self, Group, Record};
use std::io;
use std::path::{Path, PathBuf};

/// # Errors
/// If a run is none for the record: others can neither compare with a quick one nor build what has
/// no commit.
pub(crate) fn check(quick: bool, program: &Program) -> io::Result<()> {
    if quick {
        return Err(io::Error::other(
            "`--quick` measures fewer sizes in fewer rounds, which would stand on the record beside whole runs: \
             publish without it",
        ));
    }
    if program.is_changed() {
        return Err(io::Error::other(format!(
            "files differ from their commit ({}), and nobody could build what was measured: commit them, then publish",
            program.commit
        )));
    }
    Ok(())
}

/// The newest record of the machine, without groups if there is none yet.
///
/// # Errors
/// If it cannot be read, or is of another machine under the same name.
pub(crate) fn newest(machine: &Machine, folder: &Path) -> io::Result<Record> {
    let Some(path) = record::newest(folder) else {
        return Ok(Record { machine: machine.clone(), groups: Vec::new() });
    };
    Record::of_machine(&path, machine)
}

/// Adds the groups to the newest record of the machine, in a file of today.
///
/// # Errors
/// As [`newest`], and if the file cannot be written.
pub(crate) fn publish(machine: Machine, groups: &[Group], folder: &Path) -> io::Result<PathBuf> {
    let mut record = newest(&machine, folder)?;
    record.machine = machine;
    record.take(groups);
    // Groups that this program was not built with stand behind the others.
    let place = |name: &str| GROUPS.iter().position(|(known, _)| *known == name);
    record.groups.sort_by_key(|group| place(&group.name).unwrap_or(usize::MAX));
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
    fn whole_runs_of_a_commit_are_published() {
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
            found: Vec::new(),
        }
    }

    #[test]
    fn groups_are_added_in_the_order_of_the_program() {
        let (folder, machine) = (tempfile::tempdir().unwrap(), Machine::here());
        publish(machine.clone(), &[group("unknown"), group("dense")], folder.path()).unwrap();
        let path = publish(machine, &[group("floors")], folder.path()).unwrap();
        let names: Vec<String> =
            Record::read(&path).unwrap().groups.into_iter().map(|group| group.name).collect();
        assert_eq!(names, ["floors", "dense", "unknown"]);
    }

    #[test]
    fn a_record_of_another_machine_is_left_alone() {
        let (folder, here) = (tempfile::tempdir().unwrap(), Machine::here());
        let other = Machine { instruction_set: "other".to_owned(), ..here.clone() };
        let path = publish(other, &[group("dense")], folder.path()).unwrap();
        let before = Record::read(&path).unwrap();
        let error = publish(here, &[group("floors")], folder.path()).unwrap_err().to_string();
        assert!(error.contains("instruction_set is other there"), "{error}");
        assert_eq!(Record::read(&path).unwrap(), before);
    }
}
