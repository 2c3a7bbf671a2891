//! Figures of a group as Markdown: its notes and tables, or one entry.

use super::record::{RecordedGroup, Records, command};
use serde_json::Value;

/// Block for `GROUP | table 2 | COLUMN | ...`.
pub(super) fn of(requested: &[&str], records: &Records) -> Result<String, String> {
    let name = requested.first().copied().unwrap_or_default();
    let recorded = records.group(name)?;
    let mut parts = vec![origin(name, recorded)];
    match requested.get(1).map(|which| number(which).ok_or(format!("`{which}` is no table"))) {
        None => parts.extend(array(&recorded.group["found"]).iter().map(|part| {
            part["note"]
                .as_str()
                .map_or_else(|| table(&part["table"], &[]), |note| note.to_owned() + "\n")
        })),
        Some(which) => {
            let tables = tables(recorded.group);
            let which = which?;
            let one = tables.get(which - 1).ok_or(format!("`{name}` has no table {which}"))?;
            let columns = requested[2..].iter().map(|column| {
                place(one, column)
                    .ok_or_else(|| format!("`{name}` has no column `{column}` in table {which}"))
            });
            parts.push(table(one, &columns.collect::<Result<Vec<_>, _>>()?));
        }
    }
    Ok(parts.join("\n"))
}

/// Entry for `GROUP | ROW | ... | COLUMN`.
pub(super) fn figure(requested: &[&str], records: &Records) -> Result<String, String> {
    let [name, row @ .., column] = requested else {
        return Err("a figure has a group, a row and a column".to_owned());
    };
    let recorded = records.group(name)?;
    let (which, row) = match row {
        [first, rest @ ..] if number(first).is_some() => (number(first), rest),
        _ => (None, row),
    };
    let mut entries = Vec::new();
    for (number, table) in (1..).zip(tables(recorded.group)) {
        let Some(at) = place(table, column) else { continue };
        if which.is_none_or(|which| which == number) {
            let rows = array(&table["rows"]).iter().filter(|cells| is_named(cells, row));
            entries.extend(rows.map(|cells| text(&cells[at]).to_owned()));
        }
    }
    match entries.as_slice() {
        [one] => Ok(one.clone()),
        several => {
            let requested = requested.join(" | ");
            Err(format!("{} entries match `{requested}`, expected 1", several.len()))
        }
    }
}

/// Command, date, commit and machine of the figures.
fn origin(name: &str, RecordedGroup { machine, group }: RecordedGroup<'_>) -> String {
    let quick = if group["quick"] == true { ", a quick run" } else { "" };
    let commit = match group["program"]["commit"].as_str() {
        None | Some("") => String::new(),
        Some(commit) => format!(", commit {commit}"),
    };
    // Figures of accuracy name no machine.
    let machine = machine["processor"].as_str().map_or_else(String::new, |processor| {
        let instructions = machine["instruction_set"].as_str().unwrap_or_default();
        format!("; {processor}, {} threads, {instructions}", machine["threads"])
    });
    let date = group["date"].as_str().unwrap_or_default();
    format!("*`{}`: {date}{commit}{quick}{machine}.*\n", command(name))
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn tables(group: &Value) -> Vec<&Value> {
    array(&group["found"])
        .iter()
        .map(|part| &part["table"])
        .filter(|table| table.is_object())
        .collect()
}

/// Number of `table 2`, from 1.
fn number(which: &str) -> Option<usize> {
    which.strip_prefix("table ")?.parse().ok().filter(|number| *number > 0)
}

/// Index of a column.
fn place(table: &Value, column: &str) -> Option<usize> {
    array(&table["columns"]).iter().position(|name| name == column)
}

fn text(cell: &Value) -> &str {
    cell["text"].as_str().unwrap_or_default()
}

/// Whether a row has all these labels and sizes.
fn is_named(cells: &Value, names: &[&str]) -> bool {
    let has = |name: &str| {
        let mut naming = array(cells).iter().filter(|c| c["is"] == "label" || c["is"] == "size");
        naming.any(|cell| text(cell) == name)
    };
    names.iter().all(|name| has(name))
}

/// Table in Markdown with the columns of these indices, or all if there are none.
fn table(table: &Value, places: &[usize]) -> String {
    let (names, rows) = (array(&table["columns"]), array(&table["rows"]));
    let every: Vec<usize> = (0..names.len()).collect();
    let places = if places.is_empty() { &every } else { places };
    let line = |entry: &dyn Fn(usize) -> String| {
        let entries: Vec<String> = places.iter().map(|at| entry(*at)).collect();
        format!("| {} |\n", entries.join(" | "))
    };
    let escaped = |text: &str| text.replace('|', "\\|");
    let side = |at: usize| {
        let left = rows.first().is_none_or(|row| row[at]["is"] == "label");
        if left { ":--".to_owned() } else { "--:".to_owned() }
    };
    let mut made = line(&|at| escaped(names[at].as_str().unwrap_or_default())) + &line(&side);
    for row in rows {
        made += &line(&|at| escaped(text(&row[at])));
    }
    made
}
