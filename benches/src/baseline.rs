//! Comparison of a run with an earlier record of the same machine.
//!
//! The speed of a machine drifts by tens of per cent within a second, and by more from day to day.
//! A time is therefore compared as a multiple of the floors of its row, which were interleaved with
//! it; without floors, as a multiple of the machine's own times before and after its group. A group
//! with a time that seems slower is repeated, and the least change of each time counts.

use crate::bench::Table;
use crate::cell::{Cell, Value};
use crate::machine::Machine;
use crate::record::{self, Group, Record};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Changes by less than this factor, or its inverse, are ignored.
const TOLERANCE: f64 = 1.1;

/// Group that measures the machine alone, which is not compared.
const MACHINE_GROUP: &str = "floors";

/// Maximum number of repetitions of a group that seems slower.
const MAX_RERUNS: usize = 2;

/// Earlier record with which a run is compared.
#[derive(Debug)]
pub(crate) struct Baseline {
    path: PathBuf,
    groups: Vec<Group>,
}

impl Baseline {
    /// Reads a record of this machine: `file`, by default the newest in `folder`.
    ///
    /// # Errors
    /// If there is no record, it cannot be read, or it is of another machine, whose times are not
    /// comparable. The error names the fields that differ.
    pub(crate) fn read(file: Option<&Path>, here: &Machine, folder: &Path) -> io::Result<Self> {
        let path =
            file.map(Path::to_owned).or_else(|| record::newest(folder)).ok_or_else(|| {
                let folder = folder.display();
                io::Error::other(format!("no record in {folder}; `--publish` writes one"))
            })?;
        let groups = Record::of_machine(&path, here)?.groups;
        Ok(Self { path, groups })
    }

    /// Compares groups with the record. `rerun` measures a group with slower times again.
    pub(crate) fn compare(
        &self,
        measured: &[Group],
        mut rerun: impl FnMut(&str) -> Option<Group>,
    ) -> Comparison {
        let mut comparison = Comparison { path: self.path.clone(), ..Comparison::default() };
        for group in measured.iter().filter(|group| group.name != MACHINE_GROUP) {
            let name = &group.name;
            let Some(recorded) = self.groups.iter().find(|recorded| recorded.name == *name) else {
                comparison.unmatched.push(format!("{name}: not in the record"));
                continue;
            };
            if recorded.quick != group.quick {
                let [there, here] =
                    [recorded, group].map(|g| if g.quick { "quick" } else { "full" });
                comparison
                    .unmatched
                    .push(format!("{name}: a {there} run in the record, a {here} one here"));
                continue;
            }
            let before = readings(recorded);
            let (mut runs, mut reruns) = (vec![readings(group)], Vec::new());
            let mut changes = changes(name, &before, &runs);
            while runs.len() <= MAX_RERUNS && count(&changes, Verdict::Slower) > 0 {
                let Some(run) = rerun(name) else { break };
                runs.push(readings(&run));
                reruns.push(run);
                changes = self::changes(name, &before, &runs);
            }
            let slower_times = |run: &usize| {
                let run = std::slice::from_ref(&runs[*run]);
                count(&self::changes(name, &before, run), Verdict::Slower)
            };
            // The latest of equally good runs.
            let best = (0..runs.len()).rev().min_by_key(slower_times).unwrap_or(0);
            comparison.better_reruns.extend(best.checked_sub(1).map(|run| reruns.swap_remove(run)));
            comparison.changes.extend(changes);
            let unmatched = &mut comparison.unmatched;
            unmatched.extend(only(name, "in the record only", &before, &runs[0]));
            unmatched.extend(only(name, "in this run only", &runs[0], &before));
        }
        comparison
    }
}

/// Result of a comparison.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    path: PathBuf,
    changes: Vec<Change>,
    /// Best runs of the groups in which a repetition was better than the first run.
    better_reruns: Vec<Group>,
    /// Messages on groups and times that are on one side only.
    unmatched: Vec<String>,
}

/// Change of a time.
#[derive(Debug)]
struct Change {
    name: String,
    before: String,
    now: String,
    /// Ratio of the times, corrected for the drift of the machine.
    factor: f64,
    drift: Drift,
    verdict: Verdict,
}

/// Ratios of the machine's speeds, for least times and for medians, by their source.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Drift {
    Floors([f64; 2]),
    Machine([f64; 2]),
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Slower,
    Faster,
    /// Outside the tolerance, but the confidence intervals of the medians overlap.
    Inconclusive,
    Same,
}

impl Comparison {
    /// Number of slower times.
    pub(crate) fn slower(&self) -> usize {
        count(&self.changes, Verdict::Slower)
    }

    /// Best runs of the groups in which a repetition was better than the first run.
    pub(crate) fn better_reruns(&self) -> &[Group] {
        &self.better_reruns
    }
}

fn count(changes: &[Change], verdict: Verdict) -> usize {
    changes.iter().filter(|change| change.verdict == verdict).count()
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "## Compared with {}\n", self.path.display())?;
        let mut shown: Vec<_> =
            self.changes.iter().filter(|change| change.verdict != Verdict::Same).collect();
        shown.sort_by(|a, b| b.factor.total_cmp(&a.factor));
        if !shown.is_empty() {
            writeln!(f, "| time | before | now | change | verdict |")?;
            writeln!(f, "| --- | ---: | ---: | ---: | --- |")?;
        }
        for Change { name, before, now, factor, drift, verdict } in shown {
            let verdict = match verdict {
                Verdict::Slower => "slower",
                Verdict::Faster => "faster",
                Verdict::Inconclusive => "intervals overlap",
                Verdict::Same => "same",
            };
            let change = 100.0 * (factor - 1.0);
            let relative_to = match drift {
                Drift::Floors(_) => " of floors",
                Drift::Machine(_) => " of the machine",
                Drift::Unknown => "",
            };
            writeln!(f, "| {name} | {before} | {now} | {change:+.0} %{relative_to} | {verdict} |")?;
        }
        if !self.unmatched.is_empty() {
            writeln!(f, "\nNot compared:")?;
        }
        for line in &self.unmatched {
            writeln!(f, "- {line}")?;
        }
        let [slower, faster, inconclusive, same] =
            [Verdict::Slower, Verdict::Faster, Verdict::Inconclusive, Verdict::Same]
                .map(|verdict| count(&self.changes, verdict));
        let all = self.changes.len();
        write!(
            f,
            "\n{all} times compared: {slower} slower, {faster} faster, {inconclusive} with \
             overlapping intervals, {same} within 10 %"
        )
    }
}

/// Identity of a time in a group.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Key {
    table: usize,
    /// Labels and sizes of the row.
    row: Vec<String>,
    /// Number of earlier rows with the same labels and sizes.
    occurrence: usize,
    column: String,
}

/// Time, or the inverse of a rate.
#[derive(Debug, Clone)]
struct Reading {
    text: String,
    seconds: f64,
    /// Confidence interval of the median.
    median: Option<(f64, f64)>,
    /// Floors of the row.
    floors: Floors,
    /// The machine's own times before and after the group.
    machine: Floors,
}

/// Least and median times by name.
type Floors = Vec<(String, [f64; 2])>;

type Readings = Vec<(Key, Reading)>;

fn readings(group: &Group) -> Readings {
    group
        .tables()
        .enumerate()
        .flat_map(|(index, table)| table_readings(index, table, &group.machine))
        .collect()
}

fn table_readings(index: usize, table: &Table, machine: &Floors) -> Readings {
    let mut readings = Readings::new();
    let mut earlier: Vec<Vec<&str>> = Vec::new();
    for cells in &table.rows {
        let row: Vec<&str> =
            cells.iter().filter(|c| c.names_the_row()).map(|c| c.text.as_str()).collect();
        let occurrence = earlier.iter().filter(|other| **other == row).count();
        let columns = || table.columns.iter().zip(cells);
        let floors: Floors =
            columns().filter_map(|(column, cell)| Some((column.clone(), floor(cell)?))).collect();
        for (column, cell) in columns() {
            let Some((seconds, median)) = time(cell) else { continue };
            let row = row.iter().map(|text| (*text).to_owned()).collect();
            let key = Key { table: index, row, occurrence, column: column.clone() };
            let (text, floors, machine) = (cell.text.clone(), floors.clone(), machine.clone());
            readings.push((key, Reading { text, seconds, median, floors, machine }));
        }
        earlier.push(row);
    }
    readings
}

/// Least and median time of a floor.
fn floor(cell: &Cell) -> Option<[f64; 2]> {
    match cell.value {
        Value::Time { seconds, median, floor: true, .. } if seconds > 0.0 => {
            Some([seconds, median])
        }
        _ => None,
    }
}

/// Time of a cell that is compared, with the interval of its median; reference times are compared,
/// floors and ratios are not.
fn time(cell: &Cell) -> Option<(f64, Option<(f64, f64)>)> {
    match cell.value {
        Value::Time { seconds, low, high, floor: false, .. } if seconds > 0.0 => {
            Some((seconds, Some((low, high))))
        }
        Value::Rate { per_second } if per_second > 0.0 => Some((1.0 / per_second, None)),
        _ => None,
    }
}

fn find<'a>(readings: &'a Readings, key: &Key) -> Option<&'a Reading> {
    readings.iter().find(|(other, _)| other == key).map(|(_, reading)| reading)
}

/// Changes of the times on both sides: of each the least over the runs.
fn changes(group: &str, before: &Readings, runs: &[Readings]) -> Vec<Change> {
    let changes = before.iter().filter_map(|(key, before)| {
        let each = runs.iter().filter_map(|run| find(run, key)).map(|now| change(before, now));
        let least = each.min_by(|a, b| a.factor.total_cmp(&b.factor))?;
        Some(Change { name: format!("{group}: {key}"), ..least })
    });
    changes.collect()
}

fn change(before: &Reading, now: &Reading) -> Change {
    let drift = Drift::between(before, now);
    // Least times are relative to least times of floors, medians to medians.
    let [least, machine] = match drift {
        Drift::Floors(factors) | Drift::Machine(factors) => factors,
        Drift::Unknown => [1.0; 2],
    };
    let factor = now.seconds / before.seconds / least;
    // Without medians, the least times decide alone.
    let (longer, shorter) = match (before.median, now.median) {
        (Some(before), Some(now)) => (now.0 / machine > before.1, now.1 / machine < before.0),
        _ => (true, true),
    };
    let verdict = match factor {
        f if f > TOLERANCE && longer => Verdict::Slower,
        f if f < 1.0 / TOLERANCE && shorter => Verdict::Faster,
        f if (1.0 / TOLERANCE..=TOLERANCE).contains(&f) => Verdict::Same,
        _ => Verdict::Inconclusive,
    };
    let (before, now) = (before.text.clone(), now.text.clone());
    Change { name: String::new(), before, now, factor, drift, verdict }
}

impl Drift {
    /// Drift by the floors of a row, which were interleaved with it; without floors, by the
    /// machine's own times.
    fn between(before: &Reading, now: &Reading) -> Self {
        let floors = mean_ratios(&before.floors, &now.floors).map(Self::Floors);
        let machine = || mean_ratios(&before.machine, &now.machine).map(Self::Machine);
        floors.or_else(machine).unwrap_or(Self::Unknown)
    }
}

/// Geometric means of the ratios of the times on both sides, for least times and for medians.
fn mean_ratios(before: &Floors, now: &Floors) -> Option<[f64; 2]> {
    let both = before.iter().filter_map(|(name, before)| {
        let (_, now) = now.iter().find(|(other, _)| other == name)?;
        Some([now[0] / before[0], now[1] / before[1]])
    });
    let ratios: Vec<[f64; 2]> = both.collect();
    let mean = |kind: usize| {
        let sum: f64 = ratios.iter().map(|ratio| ratio[kind].ln()).sum();
        (sum / ratios.len() as f64).exp()
    };
    (!ratios.is_empty()).then(|| [mean(0), mean(1)])
}

/// Message with the readings of one side that the other side lacks.
fn only(group: &str, side: &str, these: &Readings, others: &Readings) -> Option<String> {
    let missing = these.iter().filter(|(key, _)| find(others, key).is_none());
    let names: Vec<String> = missing.map(|(key, _)| key.to_string()).collect();
    (!names.is_empty()).then(|| format!("{group}: {side}: {}", names.join("; ")))
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, row, occurrence, column } = self;
        if *table > 0 {
            write!(f, "table {}, ", table + 1)?;
        }
        write!(f, "{}", row.join(", "))?;
        if *occurrence > 0 {
            write!(f, " ({})", occurrence + 1)?;
        }
        write!(f, ", {column}")
    }
}

#[cfg(test)]
mod tests;
