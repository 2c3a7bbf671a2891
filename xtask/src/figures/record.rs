//! The records of all machines, the newest of each.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The newest records of a machine: of its groups, and of other libraries beside ours.
struct Newest {
    machine: String,
    date: String,
    /// By what stands behind the day in the names of their files.
    kinds: BTreeMap<String, Value>,
}

/// Those of all machines, in the order in which they are asked.
pub(super) struct Records(Vec<Newest>);

/// A group, and where it was measured.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) machine: &'a Value,
    pub(super) group: &'a Value,
}

/// What stands behind the day of a record of groups.
const GROUPS: &str = "";

impl Records {
    /// The newest first.
    pub(super) fn of(root: &Path) -> Result<Self, String> {
        let mut all = Vec::new();
        for folder in entries(&root.join("benches/record")) {
            let newest = Newest::of(&folder)?;
            if !newest.kinds.is_empty() {
                all.push(newest);
            }
        }
        all.sort_by(|a, b| b.date.cmp(&a.date).then_with(|| a.machine.cmp(&b.machine)));
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

    /// Their folders, in their order.
    pub(super) fn machines(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|newest| newest.machine.as_str())
    }

    /// The machine that is asked first.
    pub(super) fn first(&self) -> &str {
        self.machines().next().unwrap_or("no machine")
    }

    /// Asks a machine first.
    pub(super) fn prefer(&mut self, machine: &str) -> Result<(), String> {
        let at = self.machines().position(|known| known == machine).ok_or_else(|| {
            let known: Vec<&str> = self.machines().collect();
            format!("no record of {machine}; there are: {}", known.join(", "))
        })?;
        self.0[..=at].rotate_right(1);
        Ok(())
    }

    /// The group of the first machine that has it.
    pub(super) fn group(&self, name: &str) -> Result<Found<'_>, String> {
        let found = self.0.iter().find_map(|Newest { kinds, .. }| {
            let record = kinds.get(GROUPS)?;
            let groups = record["groups"].as_array()?;
            let group = groups.iter().find(|group| group["name"] == name)?;
            Some(Found { machine: &record["machine"], group })
        });
        found.ok_or_else(|| {
            let command = command(name);
            format!("no record has the group `{name}`; `{command} --publish` measures it")
        })
    }

    /// Other libraries beside ours, on so many threads each.
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
    /// With the newest file of each kind.
    fn of(folder: &Path) -> Result<Self, String> {
        let mut files: Vec<_> = entries(folder).into_iter().filter_map(dated).collect();
        files.sort();
        let (mut date, mut kinds) = (String::new(), BTreeMap::new());
        for (day, kind, path) in files {
            let at = |error: String| format!("{}: {error}", path.display());
            let text = fs::read_to_string(&path).map_err(|e| at(e.to_string()))?;
            let mut record: Value = serde_json::from_str(&text).map_err(|e| at(e.to_string()))?;
            if kind == GROUPS {
                date.clone_from(&day);
            }
            record["date"] = day.into();
            kinds.insert(kind, record);
        }
        Ok(Self { machine: name(folder), date, kinds })
    }
}

/// What measures a group.
pub(super) fn command(group: &str) -> String {
    let gpu = if group.starts_with("wgpu") { "--gpu " } else { "" };
    format!("cargo xtask bench {gpu}--filter {group}")
}

/// What lies in a folder, or nothing where there is none.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let listing = fs::read_dir(folder).into_iter().flatten();
    listing.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A file that is named by a day: the day, what stands behind it, and the file.
fn dated(path: PathBuf) -> Option<(String, String, PathBuf)> {
    let name = name(&path);
    let (day, kind) = name.strip_suffix(".json")?.split_at_checked(10)?;
    let digits = day.bytes().all(|b| b == b'-' || b.is_ascii_digit());
    digits.then(|| (day.to_owned(), kind.to_owned(), path))
}
