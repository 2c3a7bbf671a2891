//! This run beside an earlier record of the same machine: what has become slower.
//!
//! A machine drifts by tens of per cent within a second, and by more from day to day. A time is
//! therefore compared as a multiple of the floors of its row, which were measured in turn with it;
//! one without a floor as a multiple of what the machine did before and after its group. What looks
//! slower is measured again, and its least change counts.

use crate::bench::Table;
use crate::cell::{Cell, Value};
use crate::machine::Machine;
use crate::record::{self, Group, Record};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A change by less than this factor, or its inverse, is none.
const NOTABLE: f64 = 1.1;

/// The group that says what the machine does, and nothing of the program.
const MACHINE: &str = "floors";

/// How often a group that looks slower is measured again.
const AGAIN: usize = 2;

/// What a run is compared with.
#[derive(Debug)]
pub(crate) struct Baseline {
    path: PathBuf,
    groups: Vec<Group>,
}

impl Baseline {
    /// Reads a record of this machine: the one named, or the newest in its folder.
    ///
    /// # Errors
    /// If there is none, it cannot be read, or it is of another machine: what is quick there says
    /// nothing here. The error names the fields that differ.
    pub(crate) fn read(file: Option<&Path>, here: &Machine, folder: &Path) -> io::Result<Self> {
        let path =
            file.map(Path::to_owned).or_else(|| record::newest(folder)).ok_or_else(|| {
                let folder = folder.display();
                io::Error::other(format!("no record in {folder}; `--publish` puts one there"))
            })?;
        let groups = Record::of_machine(&path, here)?.groups;
        Ok(Self { path, groups })
    }

    /// Compares what was measured, and what looks slower `again` and again.
    pub(crate) fn compare(
        &self,
        measured: &[Group],
        mut again: impl FnMut(&str) -> Option<Group>,
    ) -> Comparison {
        let mut found = Comparison { path: self.path.clone(), ..Comparison::default() };
        for group in measured.iter().filter(|group| group.name != MACHINE) {
            let Some(before) = self.groups.iter().find(|known| known.name == group.name) else {
                found.apart.push(format!("{}: not in the record", group.name));
                continue;
            };
            if before.quick != group.quick {
                let [there, here] =
                    [before, group].map(|g| if g.quick { "quick" } else { "whole" });
                let name = &group.name;
                found.apart.push(format!("{name}: a {there} run in the record, a {here} one here"));
                continue;
            }
            let (mut runs, mut repeated) = (vec![readings(group)], Vec::new());
            let before = readings(before);
            let mut changes = changes(&group.name, &before, &runs);
            while runs.len() <= AGAIN && count(&changes, Verdict::Slower) > 0 {
                let Some(run) = again(&group.name) else { break };
                runs.push(readings(&run));
                repeated.push(run);
                changes = self::changes(&group.name, &before, &runs);
            }
            let alone = |run: &usize| {
                let run = std::slice::from_ref(&runs[*run]);
                count(&self::changes(&group.name, &before, run), Verdict::Slower)
            };
            // The later one of two that are as good.
            let best = (0..runs.len()).rev().min_by_key(alone).unwrap_or(0);
            found.counted.extend(best.checked_sub(1).map(|run| repeated.swap_remove(run)));
            found.changes.extend(changes);
            found.apart.extend(apart(&group.name, "in the record only", &before, &runs[0]));
            found.apart.extend(apart(&group.name, "in this run only", &runs[0], &before));
        }
        found
    }
}

/// What a comparison says.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    path: PathBuf,
    changes: Vec<Change>,
    /// The best run of each group of which that was not the first.
    counted: Vec<Group>,
    /// What is on one side only.
    apart: Vec<String>,
}

/// A time then and now.
#[derive(Debug)]
struct Change {
    what: String,
    before: String,
    now: String,
    /// By what the time was multiplied, beyond the drift.
    factor: f64,
    drift: Drift,
    verdict: Verdict,
}

/// By what the machine was multiplied, least times and medians, and how this is known.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Drift {
    Floors([f64; 2]),
    Machine([f64; 2]),
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Slower,
    Quicker,
    /// Beyond the bound, but the intervals of the medians overlap.
    Unsure,
    Same,
}

impl Comparison {
    /// Number of times that have become longer.
    pub(crate) fn slower(&self) -> usize {
        count(&self.changes, Verdict::Slower)
    }

    /// The best run of each group that was measured again, where that was not the first.
    pub(crate) fn counted(&self) -> &[Group] {
        &self.counted
    }
}

fn count(changes: &[Change], verdict: Verdict) -> usize {
    changes.iter().filter(|change| change.verdict == verdict).count()
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "## Beside {}\n", self.path.display())?;
        let mut shown: Vec<_> =
            self.changes.iter().filter(|change| change.verdict != Verdict::Same).collect();
        shown.sort_by(|a, b| b.factor.total_cmp(&a.factor));
        if !shown.is_empty() {
            writeln!(f, "| what | before | now | change | verdict |")?;
            writeln!(f, "| --- | ---: | ---: | ---: | --- |")?;
        }
        for Change { what, before, now, factor, drift, verdict } in shown {
            let verdict = match verdict {
                Verdict::Slower => "slower",
                Verdict::Quicker => "quicker",
                Verdict::Unsure => "intervals overlap",
                Verdict::Same => "same",
            };
            let change = 100.0 * (factor - 1.0);
            let of = match drift {
                Drift::Floors(_) => " of floors",
                Drift::Machine(_) => " of the machine",
                Drift::Unknown => "",
            };
            writeln!(f, "| {what} | {before} | {now} | {change:+.0} %{of} | {verdict} |")?;
        }
        if !self.apart.is_empty() {
            writeln!(f, "\nNot compared:")?;
        }
        for line in &self.apart {
            writeln!(f, "- {line}")?;
        }
        let [slower, quicker, unsure, same] =
            [Verdict::Slower, Verdict::Quicker, Verdict::Unsure, Verdict::Same]
                .map(|verdict| count(&self.changes, verdict));
        let all = self.changes.len();
        write!(
            f,
            "\n{all} times compared: {slower} slower, {quicker} quicker, {unsure} with intervals that \
             overlap, {same} within 10 %"
        )
    }
}

/// By what a reading is known again: its table, the names and sizes of its row, how many rows with
/// these came before, and its column.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Name {
    table: usize,
    row: Vec<String>,
    before: usize,
    column: String,
}

/// A time, or the time of one thing where a rate was measured.
#[derive(Debug, Clone)]
struct Reading {
    text: String,
    seconds: f64,
    /// Where the median lies.
    median: Option<(f64, f64)>,
    /// The floors of its row.
    floors: Floors,
    /// What the machine did before and after its group.
    machine: Floors,
}

/// Least and median times by name.
type Floors = Vec<(String, [f64; 2])>;

type Readings = Vec<(Name, Reading)>;

fn readings(group: &Group) -> Readings {
    group
        .tables()
        .enumerate()
        .flat_map(|(index, table)| of_table(index, table, &group.machine))
        .collect()
}

fn of_table(index: usize, table: &Table, machine: &Floors) -> Readings {
    let mut found = Readings::new();
    let mut known: Vec<Vec<&str>> = Vec::new();
    for cells in &table.rows {
        let row: Vec<&str> =
            cells.iter().filter(|c| c.names_the_row()).map(|c| c.text.as_str()).collect();
        let before = known.iter().filter(|other| **other == row).count();
        let columns = || table.columns.iter().zip(cells);
        let floors: Floors =
            columns().filter_map(|(column, cell)| Some((column.clone(), floor(cell)?))).collect();
        for (column, cell) in columns() {
            let Some((seconds, median)) = time(cell) else { continue };
            let row = row.iter().map(|text| (*text).to_owned()).collect();
            let name = Name { table: index, row, before, column: column.clone() };
            let (text, floors, machine) = (cell.text.clone(), floors.clone(), machine.clone());
            found.push((name, Reading { text, seconds, median, floors, machine }));
        }
        known.push(row);
    }
    found
}

fn floor(cell: &Cell) -> Option<[f64; 2]> {
    match cell.value {
        Value::Time { seconds, median, floor: true, .. } if seconds > 0.0 => {
            Some([seconds, median])
        }
        _ => None,
    }
}

/// What is compared of a cell, our own work that others are measured by included. Floors tell of
/// the machine, and ratios are made of other cells.
fn time(cell: &Cell) -> Option<(f64, Option<(f64, f64)>)> {
    match cell.value {
        Value::Time { seconds, low, high, floor: false, .. } if seconds > 0.0 => {
            Some((seconds, Some((low, high))))
        }
        Value::Rate { per_second } if per_second > 0.0 => Some((1.0 / per_second, None)),
        _ => None,
    }
}

fn of<'a>(readings: &'a Readings, name: &Name) -> Option<&'a Reading> {
    readings.iter().find(|(known, _)| known == name).map(|(_, reading)| reading)
}

/// The changes of all that was measured then and now, of each the least of all runs.
fn changes(group: &str, before: &Readings, runs: &[Readings]) -> Vec<Change> {
    let found = before.iter().filter_map(|(name, before)| {
        let each = runs.iter().filter_map(|run| of(run, name)).map(|now| change(before, now));
        let least = each.min_by(|a, b| a.factor.total_cmp(&b.factor))?;
        Some(Change { what: format!("{group}: {}", name.what()), ..least })
    });
    found.collect()
}

fn change(before: &Reading, now: &Reading) -> Change {
    let drift = Drift::between(before, now);
    // Least times go by the least times of floors, and medians by their medians.
    let [least, machine] = match drift {
        Drift::Floors(factors) | Drift::Machine(factors) => factors,
        Drift::Unknown => [1.0; 2],
    };
    let factor = now.seconds / before.seconds / least;
    // Where nothing is known of the medians, the least times decide alone.
    let (longer, shorter) = match (before.median, now.median) {
        (Some(before), Some(now)) => (now.0 / machine > before.1, now.1 / machine < before.0),
        _ => (true, true),
    };
    let verdict = match factor {
        f if f > NOTABLE && longer => Verdict::Slower,
        f if f < 1.0 / NOTABLE && shorter => Verdict::Quicker,
        f if (1.0 / NOTABLE..=NOTABLE).contains(&f) => Verdict::Same,
        _ => Verdict::Unsure,
    };
    let (before, now) = (before.text.clone(), now.text.clone());
    Change { what: String::new(), before, now, factor, drift, verdict }
}

impl Drift {
    /// By the floors of a row, which were measured in turn with it; without one, by the machine's
    /// own times.
    fn between(before: &Reading, now: &Reading) -> Self {
        let floors = multiplied(&before.floors, &now.floors).map(Self::Floors);
        let machine = || multiplied(&before.machine, &now.machine).map(Self::Machine);
        floors.or_else(machine).unwrap_or(Self::Unknown)
    }
}

/// By what the times that are on both sides were multiplied: the geometric mean.
fn multiplied(before: &Floors, now: &Floors) -> Option<[f64; 2]> {
    let both = before.iter().filter_map(|(name, then)| {
        let (_, now) = now.iter().find(|(known, _)| known == name)?;
        Some([now[0] / then[0], now[1] / then[1]])
    });
    let ratios: Vec<[f64; 2]> = both.collect();
    let mean = |of: usize| {
        let sum: f64 = ratios.iter().map(|ratio| ratio[of].ln()).sum();
        (sum / ratios.len() as f64).exp()
    };
    (!ratios.is_empty()).then(|| [mean(0), mean(1)])
}

/// A line with the readings of one side that the other does not have.
fn apart(group: &str, side: &str, these: &Readings, others: &Readings) -> Option<String> {
    let alone = these.iter().filter(|(name, _)| of(others, name).is_none());
    let names: Vec<String> = alone.map(|(name, _)| name.what()).collect();
    (!names.is_empty()).then(|| format!("{group}: {side}: {}", names.join("; ")))
}

impl Name {
    fn what(&self) -> String {
        let Self { table, row, before, column } = self;
        let table = if *table == 0 { String::new() } else { format!("table {}, ", table + 1) };
        let times = if *before == 0 { String::new() } else { format!(" ({})", before + 1) };
        format!("{table}{}{times}, {column}", row.join(", "))
    }
}

#[cfg(test)]
mod tests;
