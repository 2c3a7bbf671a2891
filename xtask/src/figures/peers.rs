//! Record of `cargo xtask bench --peers` as Markdown, for terminal and book.

use super::record::Records;
use crate::environment::PACKAGE;
use serde_json::Value;

/// Name of this library in the rows.
pub(crate) const OURS: &str = "hpfracc";

/// Block for `peers`, `peers | 2 threads` or `peers | PROBLEM`. With all problems, it begins with a
/// list of the rows in which others are faster.
pub(super) fn of(requested: &[&str], records: &Records) -> Result<String, String> {
    let threads = requested.iter().find_map(|word| word.strip_suffix(" threads"));
    let names: Vec<&str> =
        requested.iter().copied().filter(|word| !word.ends_with(" threads")).collect();
    let record = records.peers(threads.unwrap_or("1"))?;
    let mut problems: Vec<&str> = Vec::new();
    for row in rows(record) {
        let name = text(row, "problem");
        if !problems.contains(&name) && (names.is_empty() || names.contains(&name)) {
            problems.push(name);
        }
    }
    if let Some(absent) = names.iter().find(|name| !problems.contains(name)) {
        return Err(format!("no row of the problem `{absent}` among those of other libraries"));
    }
    let mut parts = vec![head(record)];
    if names.is_empty() {
        parts.push(losses(record));
    }
    parts.extend(problems.iter().map(|problem| section(record, problem)));
    Ok(parts.join("\n"))
}

/// Command, date, commit, machine and settings of the figures, and the meaning of the columns.
pub(crate) fn head(record: &Value) -> String {
    let (machine, threads) = (&record["machine"], &record["threads"]);
    let (option, each) = match threads.as_u64() {
        Some(1) => (String::new(), "1 thread each".to_owned()),
        _ => (format!(" --threads {threads}"), format!("{threads} threads each")),
    };
    let bound = match record["cores"].as_str() {
        Some(cores) => format!("bound to cores {cores}"),
        None => format!("not bound to cores ({})", text(record, "unbound")),
    };
    let quick = if record["quick"] == true { ", a quick run" } else { "" };
    let commit = match text(&record["program"], "commit") {
        "" => String::new(),
        commit => format!(", commit {commit}"),
    };
    format!(
        "*`cargo xtask bench --peers{option}`: {}{commit}{quick}; {}, {} threads, {}; {each}, {bound}.*\n\n\
         Times are the least of several calls after the first, which has its own column: compilation, \
         plans, fresh pages. The last column is the ratio to the time of the first method of hpfracc; in \
         bold where another library is faster.\n",
        text(record, "date"),
        text(machine, "processor"),
        machine["threads"],
        text(machine, "instruction_set"),
    )
}

/// Description and table of a problem.
pub(crate) fn section(record: &Value, problem: &str) -> String {
    let about = &record["problems"][problem];
    let rows: Vec<&Value> =
        rows(record).iter().filter(|row| text(row, "problem") == problem).collect();
    format!("### {problem}\n\n{}\n\n{}", text(about, "says"), table(about, &rows))
}

/// Rows in which others are faster, with their number.
pub(crate) fn losses(record: &Value) -> String {
    let rows = rows(record);
    let mut compared = 0;
    let mut losses = String::new();
    // The Python package is this library.
    let others = rows.iter().filter(|row| !is_ours(row) && text(row, "peer") != PACKAGE);
    for row in others {
        let ours = rows.iter().find(|other| is_ours_of(other, row));
        let ours = ours.and_then(|ours| ours["seconds"].as_f64());
        let (Some(theirs), Some(ours)) = (row["seconds"].as_f64(), ours) else { continue };
        compared += 1;
        if theirs < ours {
            let (problem, size, peer) = (text(row, "problem"), &row["size"], text(row, "peer"));
            let (label, part) = (text(row, "label"), digits(theirs / ours));
            losses += &format!(
                "- {problem}, {size}: {peer} ({label}) takes {part} of the time of hpfracc\n"
            );
        }
    }
    match losses.lines().count() {
        0 => format!("Other libraries are faster in none of {compared} rows.\n"),
        count => format!("Other libraries are faster in {count} of {compared} rows:\n\n{losses}"),
    }
}

fn rows(record: &Value) -> &[Value] {
    record["rows"].as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn table(about: &Value, rows: &[&Value]) -> String {
    // Rates if the problem has a unit of work; the loss of trainings in place of the error.
    let work = &about["work"];
    let rate = text(work, "unit");
    let training = rows.iter().any(|row| row["loss"].is_number());
    let mut head = vec![text(about, "size"), "library", "method", "time"];
    let per_second = format!("{rate} / s");
    if !rate.is_empty() {
        head.push(&per_second);
    }
    head.extend(["first call", if training { "loss" } else { "error" }, "time / hpfracc"]);
    let lines: Vec<&str> =
        (0..head.len()).map(|i| if i == 1 || i == 2 { ":--" } else { "--:" }).collect();
    let mut made = line(&head) + &line(&lines);
    for row in rows {
        let ours = rows.iter().find(|other| is_ours_of(other, row));
        let ours = ours.and_then(|ours| ours["seconds"].as_f64());
        let [time, first, error, ratio] = results(row, ours);
        let library = format!("{} {}", text(row, "peer"), text(row, "version"));
        let [library, label] = [library.trim(), text(row, "label")].map(str::to_owned);
        let mut cells = vec![row["size"].to_string(), library, label, time];
        if !rate.is_empty() {
            cells.push(rate_of(row, work));
        }
        cells.extend([first, error, ratio]);
        made += &line(&cells);
    }
    made
}

fn line<T: AsRef<str>>(cells: &[T]) -> String {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Work per second.
fn rate_of(row: &Value, work: &Value) -> String {
    let numbers = [&row["seconds"], &row["size"], &work["per"]].map(Value::as_f64);
    let [Some(seconds), Some(size), Some(per)] = numbers else { return String::new() };
    format!("{:.1e}", per * size / seconds)
}

fn is_ours(row: &Value) -> bool {
    text(row, "peer") == OURS
}

/// Whether `other` is a row of this library with the problem and size of `row`.
fn is_ours_of(other: &Value, row: &Value) -> bool {
    is_ours(other) && other["size"] == row["size"] && other["problem"] == row["problem"]
}

/// Time, first call, error or loss, and ratio of a row, or the reason why there are none.
fn results(row: &Value, ours: Option<f64>) -> [String; 4] {
    let over = |seconds: f64| ours.map_or(String::new(), |ours| digits(seconds / ours));
    let none = String::new;
    // A bar or a line break would end the cell.
    let why =
        |reason: &Value| reason.as_str().unwrap_or_default().replace('|', "/").replace('\n', " ");
    if let Some(time) = row["seconds"].as_f64() {
        let first = row["first"].as_f64().map_or_else(none, seconds);
        let error = row["error"].as_f64().map_or_else(none, |error| format!("{error:.1e}"));
        let error = row["loss"].as_f64().map_or(error, |loss| format!("{loss:.6}"));
        let ratio = over(time);
        // Only other libraries are marked.
        let ahead = !is_ours(row) && ours.is_some_and(|ours| time < ours);
        [seconds(time), first, error, if ahead { format!("**{ratio}**") } else { ratio }]
    } else if let Some(limit) = row["beyond"].as_f64() {
        let ratio = ours.map_or_else(none, |_| format!("> {}", over(limit)));
        [format!("> {}", seconds(limit)), none(), none(), ratio]
    } else if row["absent"].is_string() {
        ["absent".to_owned(), none(), none(), why(&row["absent"])]
    } else {
        ["failed".to_owned(), none(), none(), why(&row["failed"])]
    }
}

fn digits(x: f64) -> String {
    if x < 10.0 { format!("{x:.2}") } else { format!("{x:.0}") }
}

/// Duration in a suitable unit.
fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.1} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.2} us", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}
