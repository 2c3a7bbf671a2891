//! Figures of README and book, taken from the records of `benches/record`: none is typed by hand.
//! Those of speed come from the benches, those of accuracy from tests (`accuracy`).
//!
//! Two comments mark what this module writes, a block and a figure within a sentence:
//!
//! ```text
//! <!-- figures: GROUP -->                      notes and tables of a group
//! <!-- figures: GROUP | table 2 -->            one of its tables
//! <!-- figures: GROUP | table 2 | N | fft -->  columns of a table
//! <!-- peers -->                               other libraries and this one, on one thread
//! <!-- peers: 2 threads -->                    on two threads
//! <!-- peers: relaxation -->                   one problem
//! <!-- end of figures -->
//!
//! <!-- figure: GROUP | ROW | COLUMN -->1.36 ms<!-- / -->
//! ```
//!
//! A row is identified by its labels and sizes, separated by `|`: as many as make it unique, after
//! `table 2` if two tables contain it.

mod accuracy;
mod block;
pub(crate) mod peers;
mod record;

use crate::documents::{differences, update};
use crate::run::{Outcome, root};
use record::Records;
use std::path::Path;

const FIGURES: &str = "<!-- figures: ";
const PEERS: &str = "<!-- peers";
const END: &str = "<!-- end of figures -->";
const FIGURE: &str = "<!-- figure: ";
const FIGURE_END: &str = "<!-- / -->";
const CLOSE: &str = " -->";

/// Writes the figures of all pages: those of `--machine NAME`, by default of the machine with the
/// newest record. `--measure [GROUP]` first runs the tests that measure accuracy.
pub(crate) fn run(args: &[&str]) -> Outcome {
    if let ["--measure", filter @ ..] = args {
        accuracy::measure(filter.first().unwrap_or(&""))?;
    }
    let mut records = Records::of(&root())?;
    match args {
        [] | ["--measure"] | ["--measure", _] => {}
        ["--machine", name] => records.prefer(name)?,
        other => return Err(format!("figures: unknown arguments {}", other.join(" "))),
    }
    let what = format!("figures of {}", records.first());
    update(&|page, text| filled(page, text, &records), &what)
}

/// Differences between the pages and the records. The figures may be those of any machine.
pub(crate) fn complaints(root: &Path) -> Result<Vec<String>, String> {
    let why = "differs from the record; `cargo xtask figures` writes it";
    let different =
        |records: &Records| differences(root, &|page, text| filled(page, text, records), why);
    let mut records = Records::of(root)?;
    let newest = different(&records)?;
    if records.machines().next().is_none() && !newest.is_empty() {
        let first = &newest[0];
        return Ok(vec![format!("{first}; there is no record for {} places", newest.len())]);
    }
    let others: Vec<String> = records.machines().skip(1).map(str::to_owned).collect();
    for machine in if newest.is_empty() { Vec::new() } else { others } {
        records.prefer(&machine)?;
        if different(&records)?.is_empty() {
            return Ok(Vec::new());
        }
    }
    Ok(newest)
}

/// Page with the figures of the records.
fn filled(page: &Path, text: &str, records: &Records) -> Result<String, Vec<String>> {
    let (mut new, mut complaints) = (String::new(), Vec::new());
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        let mut complain =
            |reason: String| complaints.push(format!("{}:{number}: {reason}", page.display()));
        let Some(block) = block(line, records) else {
            match sentence(line, records) {
                Ok(line) => new += &(line + "\n"),
                Err(reason) => complain(reason),
            }
            continue;
        };
        if !lines.by_ref().any(|(_, line)| line == END) {
            complain(format!("no `{END}` follows"));
        }
        match block {
            Ok(block) => new += &format!("{line}\n\n{block}\n{END}\n"),
            Err(reason) => complain(reason),
        }
    }
    if complaints.is_empty() { Ok(new) } else { Err(complaints) }
}

/// Content of the block that a line begins; `None` if it begins none.
fn block(line: &str, records: &Records) -> Option<Result<String, String>> {
    let inside = |begin| line.strip_prefix(begin)?.strip_suffix(CLOSE);
    if let Some(requested) = inside(FIGURES) {
        return Some(block::of(&fields(requested), records));
    }
    let requested = inside(PEERS)?;
    let requested = requested.strip_prefix(": ").map_or_else(Vec::new, fields);
    Some(peers::of(&requested, records))
}

fn fields(requested: &str) -> Vec<&str> {
    requested.split('|').map(str::trim).collect()
}

/// Line with its figures.
fn sentence(line: &str, records: &Records) -> Result<String, String> {
    // Markdown treats a line that begins with a comment as HTML, which ends the paragraph.
    if line.trim_start().starts_with(FIGURE) {
        return Err("a line cannot begin with a figure".to_owned());
    }
    // A malformed mark would otherwise stay unnoticed.
    if [FIGURES.trim_end_matches([':', ' ']), PEERS, END].iter().any(|mark| line.contains(mark)) {
        return Err("a block begins and ends with lines of their own".to_owned());
    }
    let (mut new, mut rest) = (String::new(), line);
    while let Some((before, after)) = rest.split_once(FIGURE) {
        let (requested, after) = after.split_once(CLOSE).ok_or("no end of the comment")?;
        let (_, after) = after.split_once(FIGURE_END).ok_or("no end of the figure in its line")?;
        let figure = block::figure(&fields(requested), records)?;
        new += &format!("{before}{FIGURE}{requested}{CLOSE}{figure}{FIGURE_END}");
        rest = after;
    }
    Ok(new + rest)
}

#[cfg(test)]
mod tests;
