//! The records of all machines, the newest of each.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The newest record of a machine.
struct Newest {
    machine: String,
    date: String,
    record: Value,
}

/// Those of all machines, in the order in which they are asked for a group.
pub(super) struct Records(Vec<Newest>);

/// A group, and where it was measured.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) machine: &'a Value,
    pub(super) group: &'a Value,
}

impl Records {
    /// The newest first.
    pub(super) fn of(root: &Path) -> Result<Self, String> {
        let mut all = Vec::new();
        for folder in entries(&root.join("benches/record")) {
            let Some((date, path)) = entries(&folder).into_iter().filter_map(dated).max() else {
                continue;
            };
            let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            let record =
                serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
            all.push(Newest { machine: name(&folder), date, record });
        }
        all.sort_by(|a, b| b.date.cmp(&a.date).then_with(|| a.machine.cmp(&b.machine)));
        Ok(Self(all))
    }

    #[cfg(test)]
    pub(super) fn made(records: Vec<(&str, Value)>) -> Self {
        let newest = |(machine, record): (&str, Value)| Newest {
            machine: machine.to_owned(),
            date: String::new(),
            record,
        };
        Self(records.into_iter().map(newest).collect())
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
        let found = self.0.iter().find_map(|Newest { record, .. }| {
            let groups = record["groups"].as_array()?;
            let group = groups.iter().find(|group| group["name"] == name)?;
            Some(Found { machine: &record["machine"], group })
        });
        found.ok_or_else(|| {
            let command = command(name);
            format!("no record has the group `{name}`; `{command} --publish` measures it")
        })
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

/// A file that is named by a day, with the day.
fn dated(path: PathBuf) -> Option<(String, PathBuf)> {
    let day = name(&path).strip_suffix(".json")?.to_owned();
    let digits = day.bytes().all(|b| b == b'-' || b.is_ascii_digit());
    (day.len() == 10 && digits).then_some((day, path))
}
