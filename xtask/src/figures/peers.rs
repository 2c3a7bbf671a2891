//! The table of other libraries: what `cargo xtask bench --peers --publish` has put on record.

use super::record::Records;
use serde_json::Value;

/// What our own rows are called.
const OURS: &str = "hpfracc";

/// The block that `peers`, `peers | 2 threads` or `peers | PROBLEM` asks for; of all problems, with a list
/// of the rows where others are ahead.
pub(super) fn of(asked: &[&str], records: &Records) -> Result<String, String> {
    let threads = asked.iter().find_map(|word| word.strip_suffix(" threads"));
    let names: Vec<&str> =
        asked.iter().copied().filter(|word| !word.ends_with(" threads")).collect();
    let record = records.peers(threads.unwrap_or("1"))?;
    let rows = record["rows"].as_array().map_or(&[][..], Vec::as_slice);
    let mut problems: Vec<&str> = Vec::new();
    for row in rows {
        let name = text(row, "problem");
        if !problems.contains(&name) && (names.is_empty() || names.contains(&name)) {
            problems.push(name);
        }
    }
    if let Some(absent) = names.iter().find(|name| !problems.contains(name)) {
        return Err(format!("no row of the problem `{absent}` among those of other libraries"));
    }
    let threads = threads.map_or("1 thread".to_owned(), |threads| format!("{threads} threads"));
    let (machine, date) = (text(record, "machine"), text(record, "date"));
    let mut made = format!("*`cargo xtask bench --peers`: {date}, {threads} each, {machine}.*\n");
    if names.is_empty() {
        made += &("\n".to_owned() + &losses(rows));
    }
    for problem in problems {
        let says = record["problems"][problem]["says"].as_str().map(|says| format!("\n{says}\n"));
        made += &format!("\n### {problem}\n{}\n", says.unwrap_or_default());
        let rows: Vec<&Value> = rows.iter().filter(|row| text(row, "problem") == problem).collect();
        made += &table(&rows);
    }
    Ok(made)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// What is said of a row's method.
fn method(row: &Value) -> &str {
    row["label"].as_str().unwrap_or_else(|| text(row, "method"))
}

fn table(rows: &[&Value]) -> String {
    let mut made = "| size | who | method | time | first call | error | time / ours |\n\
                    | --: | :-- | :-- | --: | --: | --: | --: |\n"
        .to_owned();
    for row in rows {
        let who = format!("{} {}", text(row, "peer"), text(row, "version"));
        let ours = rows.iter().find(|other| is_ours_of(other, row));
        let [time, first, error, ratio] =
            results(row, ours.and_then(|row| row["seconds"].as_f64()));
        let (size, who, method) = (&row["size"], who.trim(), method(row));
        made += &format!("| {size} | {who} | {method} | {time} | {first} | {error} | {ratio} |\n");
    }
    made
}

/// Whether a row is one of ours, the first of which others are compared with.
fn is_ours_of(other: &Value, row: &Value) -> bool {
    text(other, "peer") == OURS
        && other["size"] == row["size"]
        && other["problem"] == row["problem"]
}

/// Time, first call, error and ratio of a row, or why there are none.
fn results(row: &Value, ours: Option<f64>) -> [String; 4] {
    let over = |seconds: f64| ours.map_or(String::new(), |ours| digits(seconds / ours));
    let none = String::new;
    let why =
        |reason: &Value| reason.as_str().unwrap_or_default().replace('|', "/").replace('\n', " ");
    if let Some(time) = row["seconds"].as_f64() {
        let first = row["first"].as_f64().map_or_else(none, seconds);
        let error = row["error"].as_f64().map_or_else(none, |error| format!("{error:.1e}"));
        let ratio = over(time);
        let ahead = ours.is_some_and(|ours| time < ours);
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

/// In how many rows others are ahead, and in which.
fn losses(rows: &[Value]) -> String {
    let mut compared = 0;
    let mut behind = String::new();
    for row in rows.iter().filter(|row| text(row, "peer") != OURS) {
        let ours = rows.iter().find(|other| is_ours_of(other, row));
        let ours = ours.and_then(|ours| ours["seconds"].as_f64());
        let (Some(theirs), Some(ours)) = (row["seconds"].as_f64(), ours) else { continue };
        compared += 1;
        if theirs < ours {
            let (problem, size, who) = (text(row, "problem"), &row["size"], text(row, "peer"));
            let part = digits(theirs / ours);
            behind +=
                &format!("- {problem}, {size}: {who} ({}) takes {part} of our time\n", method(row));
        }
    }
    match behind.lines().count() {
        0 => format!("Others are ahead in none of {compared} rows.\n"),
        count => format!("Others are ahead in {count} of {compared} rows:\n\n{behind}"),
    }
}

fn digits(x: f64) -> String {
    if x < 10.0 { format!("{x:.2}") } else { format!("{x:.0}") }
}

/// A duration in the unit that reads best.
fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.1} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.2} us", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}
