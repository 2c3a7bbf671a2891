//! Newest records of all machines.

use crate::files::{entries, name, read};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Newest records of a machine: of the groups of the benches, and of other libraries.
struct Newest {
    machine: String,
    date: String,
    /// Records by the part of their file name after the date.
    kinds: BTreeMap<String, Value>,
}

/// Records of all machines, in the order of preference.
pub(super) struct Records(Vec<Newest>);

/// Group with the machine of its measurement.
#[derive(Clone, Copy)]
pub(super) struct RecordedGroup<'a> {
    pub(super) machine: &'a Value,
    pub(super) group: &'a Value,
}

/// Folder of the figures that tests measure.
pub(super) const ACCURACY: &str = "accuracy";

/// Part after the date in the file name of a record of groups.
const GROUPS: &str = "";

impl Records {
    /// Reads all records; the newest machine is the first.
    pub(super) fn of(root: &Path) -> Result<Self, String> {
        let mut all = Vec::new();
        for folder in listed(&root.join("benches/record"))? {
            let newest = Newest::of(&folder)?;
            if !newest.kinds.is_empty() {
                all.push(newest);
            }
        }
        // Accuracy hardly depends on the machine, and is no machine.
        let is_accuracy = |newest: &Newest| newest.machine == ACCURACY;
        all.sort_by(|a, b| {
            is_accuracy(a)
                .cmp(&is_accuracy(b))
                .then_with(|| b.date.cmp(&a.date))
                .then_with(|| a.machine.cmp(&b.machine))
        });
        Ok(Self(all))
    }

    #[cfg(test)]
    pub(super) fn made(records: Vec<(&str, Value)>) -> Self {
        let newest = |(machine, record): (&str, Value)| Newest {
            machine: machine.to_owned(),
            date: String::new(),
            kinds: BTreeMap::from([(GROUPS.to_owned(), record)]),
        };
        Self(records.into_iter().map(newest).collect())
    }

    #[cfg(test)]
    pub(super) fn add(&mut self, kind: &str, record: Value) {
        self.0[0].kinds.insert(kind.to_owned(), record);
    }

    /// Folders of the machines in the order of preference.
    pub(super) fn machines(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|newest| newest.machine.as_str())
    }

    /// First machine.
    pub(super) fn first(&self) -> &str {
        self.machines().next().unwrap_or("no machine")
    }

    /// Moves a machine to the front.
    pub(super) fn prefer(&mut self, machine: &str) -> Result<(), String> {
        let at = self.machines().position(|other| other == machine).ok_or_else(|| {
            let machines: Vec<&str> = self.machines().collect();
            format!("no record of {machine}; there are: {}", machines.join(", "))
        })?;
        self.0[..=at].rotate_right(1);
        Ok(())
    }

    /// Group from the first machine that has it.
    pub(super) fn group(&self, name: &str) -> Result<RecordedGroup<'_>, String> {
        let found = self.0.iter().find_map(|Newest { kinds, .. }| {
            let record = kinds.get(GROUPS)?;
            let groups = record["groups"].as_array()?;
            let group = groups.iter().find(|group| group["name"] == name)?;
            Some(RecordedGroup { machine: &record["machine"], group })
        });
        found.ok_or_else(|| {
            let publish = if name.starts_with(ACCURACY) { "" } else { " --publish" };
            let command = command(name);
            format!("no record has the group `{name}`; `{command}{publish}` measures it")
        })
    }

    /// Record of other libraries on this number of threads.
    pub(super) fn peers(&self, threads: &str) -> Result<&Value, String> {
        let one = threads == "1";
        let kind = if one { "-peers".to_owned() } else { format!("-peers-{threads}-threads") };
        let option = if one { String::new() } else { format!(" --threads {threads}") };
        self.0.iter().find_map(|Newest { kinds, .. }| kinds.get(&kind)).ok_or_else(|| {
            format!(
                "no record has other libraries; `cargo xtask bench --peers{option} --publish` measures them"
            )
        })
    }
}

impl Newest {
    /// Reads the newest file of each kind.
    fn of(folder: &Path) -> Result<Self, String> {
        let mut files: Vec<_> = listed(folder)?.into_iter().filter_map(dated).collect();
        files.sort();
        let (mut date, mut kinds) = (String::new(), BTreeMap::new());
        for (day, kind, path) in files {
            let mut record: Value = serde_json::from_str(&read(&path)?)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            if kind == GROUPS {
                date.clone_from(&day);
            }
            record["date"] = day.into();
            kinds.insert(kind, record);
        }
        Ok(Self { machine: name(folder), date, kinds })
    }
}

/// Command that measures a group.
pub(super) fn command(group: &str) -> String {
    if group.starts_with(ACCURACY) {
        return format!("cargo xtask figures --measure {group}");
    }
    let gpu = if group.starts_with("wgpu") { "--gpu " } else { "" };
    format!("cargo xtask bench {gpu}--filter {group}")
}

/// Entries of a folder; none if the folder does not exist.
fn listed(folder: &Path) -> Result<Vec<PathBuf>, String> {
    if folder.is_dir() { entries(folder) } else { Ok(Vec::new()) }
}

/// Date, rest of the name and path of a file whose name begins with a date.
fn dated(path: PathBuf) -> Option<(String, String, PathBuf)> {
    let name = name(&path);
    let (day, kind) = name.strip_suffix(".json")?.split_at_checked(10)?;
    let digits = day.bytes().all(|b| b == b'-' || b.is_ascii_digit());
    digits.then(|| (day.to_owned(), kind.to_owned(), path))
}
