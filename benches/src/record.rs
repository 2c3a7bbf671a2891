//! Records: the groups measured on a machine as a JSON file, each with its date and program.

use crate::bench::{Block, Table};
use crate::machine::{Machine, Program};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

pub(crate) use crate::date::today;

/// Groups measured on a machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) machine: Machine,
    /// Groups in the order of [`GROUPS`](crate::groups::GROUPS).
    pub(crate) groups: Vec<Group>,
}

/// Results of one group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Group {
    pub(crate) name: String,
    /// Date of the run, such as 2026-01-31 (UTC).
    pub(crate) date: String,
    pub(crate) program: Program,
    pub(crate) quick: bool,
    /// Duration of the group in seconds.
    pub(crate) seconds: f64,
    /// The machine's own times before and after the group: least and median times of products and
    /// of a copy.
    #[serde(default)]
    pub(crate) machine: Vec<(String, [f64; 2])>,
    #[serde(rename = "found")]
    pub(crate) blocks: Vec<Block>,
}

impl Group {
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Table(table) => Some(table),
            Block::Note(_) => None,
        })
    }
}

impl Record {
    /// Reads a record of this machine.
    ///
    /// # Errors
    /// I/O errors, malformed files, and records of another machine, whose times are not comparable.
    /// The error names the fields that differ.
    pub(crate) fn of_machine(path: &Path, machine: &Machine) -> io::Result<Self> {
        let failed = |error: String| io::Error::other(format!("{}: {error}", path.display()));
        let record = Self::read(path).map_err(|error| failed(error.to_string()))?;
        let differences = machine.differences(&record.machine);
        if !differences.is_empty() {
            return Err(failed(format!("record of another machine: {}", differences.join("; "))));
        }
        Ok(record)
    }

    /// Replaces the groups of the same names and appends the others.
    pub(crate) fn update(&mut self, groups: &[Group]) {
        for group in groups {
            match self.groups.iter_mut().find(|old| old.name == group.name) {
                Some(old) => old.clone_from(group),
                None => self.groups.push(group.clone()),
            }
        }
    }

    /// Reads a record of any machine.
    ///
    /// # Errors
    /// I/O errors and malformed files.
    pub(crate) fn read(path: &Path) -> io::Result<Self> {
        serde_json::from_str(&fs::read_to_string(path)?).map_err(io::Error::other)
    }

    /// Writes the file completely or not at all, one line per group, so that a diff shows the
    /// groups that changed.
    ///
    /// # Errors
    /// I/O errors.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let new = path.with_extension("new");
        let machine = serde_json::to_string(&self.machine)?;
        let groups =
            self.groups.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
        let groups = groups.join(",\n");
        fs::write(&new, format!("{{\"machine\":{machine},\"groups\":[\n{groups}\n]}}\n"))?;
        fs::rename(new, path)
    }
}

/// Newest record in the folder of a machine, by the dates in the file names.
pub(crate) fn newest(folder: &Path) -> Option<PathBuf> {
    let files = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    files.filter(|path| is_record(path)).max()
}

/// Whether a file name is a date with the extension `json`.
fn is_record(path: &Path) -> bool {
    let name =
        path.file_name().and_then(|name| name.to_str()).and_then(|n| n.strip_suffix(".json"));
    name.is_some_and(|date| {
        date.len() == 10 && date.bytes().all(|b| b == b'-' || b.is_ascii_digit())
    })
}

/// Appends a line of JSON: a record of one group, for programs that collect figures.
///
/// # Errors
/// I/O errors.
pub(crate) fn append_line(path: &Path, machine: &Machine, group: &Group) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().create(true).append(true).open(path)?;
    let record = Record { machine: machine.clone(), groups: vec![group.clone()] };
    writeln!(file, "{}", serde_json::to_string(&record)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Table;
    use crate::cell::{label, size};

    fn group(name: &str, seconds: f64) -> Group {
        let rows = vec![vec![label("x"), size(5)]];
        let columns = vec!["name".to_owned(), "N".to_owned()];
        Group {
            name: name.to_owned(),
            date: "1970-01-01".to_owned(),
            program: Program::here(),
            quick: true,
            seconds,
            machine: vec![("copy".to_owned(), [1.0, 1.5])],
            blocks: vec![Block::Note("floor".into()), Block::Table(Table { columns, rows })],
        }
    }

    #[test]
    fn records_are_written_read_and_updated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some-machine/2026-11-20.json");
        let mut record = Record { machine: Machine::here(), groups: vec![group("a", 1.0)] };
        record.update(&[group("b", 2.0), group("a", 3.0)]);
        let named: Vec<_> = record.groups.iter().map(|g| (g.name.as_str(), g.seconds)).collect();
        assert_eq!(named, [("a", 3.0), ("b", 2.0)]);
        record.write(&path).unwrap();
        assert_eq!(Record::read(&path).unwrap(), record);
        let machine = path.parent().unwrap().to_owned();
        Record::write(&record, &machine.join("2025-12-31.json")).unwrap();
        fs::write(machine.join("2026-11-20-peers.json"), "{}").unwrap();
        assert_eq!(newest(&machine), Some(path));
        assert_eq!(newest(&machine.join("none")), None);
    }

    #[test]
    fn each_line_is_a_record_of_one_group() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.jsonl");
        let groups = [group("a", 1.0), group("b", 2.0)];
        for group in &groups {
            append_line(&path, &Machine::here(), group).unwrap();
        }
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<Record> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let expected = groups.map(|group| Record { machine: Machine::here(), groups: vec![group] });
        assert_eq!(lines, expected);
    }

    #[test]
    fn records_without_times_of_the_machine_are_read() {
        let mut record = serde_json::to_value(Record {
            machine: Machine::here(),
            groups: vec![group("a", 1.0)],
        })
        .unwrap();
        record["groups"][0].as_object_mut().unwrap().remove("machine");
        record["groups"][0]["program"].as_object_mut().unwrap().remove("flags");
        let read: Record = serde_json::from_value(record).unwrap();
        assert!(read.groups[0].machine.is_empty());
    }
}
