//! Figures of the README and the book: taken from the records of `benches/record`, so that none is typed.
//!
//! Two comments mark a place that is written here, a block and a figure within a sentence:
//!
//! ```text
//! <!-- figures: GROUP -->                      the notes and tables of a group
//! <!-- figures: GROUP | table 2 -->            one of its tables
//! <!-- figures: GROUP | table 2 | N | fft -->  and of that the columns named
//! <!-- peers -->                              other libraries beside ours, on one thread each
//! <!-- peers: 2 threads -->                    on two
//! <!-- peers: relaxation -->                   one of the problems
//! <!-- end of figures -->
//!
//! <!-- figure: GROUP | ROW | COLUMN -->1.36 ms<!-- / -->
//! ```
//!
//! A row is named by as many of its names and sizes as tell it from others, with `|` between them, after
//! `table 2` where two tables have it.

mod block;
pub(crate) mod peers;
mod record;

use crate::run::{Outcome, root};
use record::Records;
use std::path::{Path, PathBuf};

const FIGURES: &str = "<!-- figures: ";
const PEERS: &str = "<!-- peers";
const END: &str = "<!-- end of figures -->";
const FIGURE: &str = "<!-- figure: ";
const FIGURE_END: &str = "<!-- / -->";
const CLOSE: &str = " -->";

/// Writes the figures of all pages: of the machine named, else of that with the newest record.
pub(crate) fn run(args: &[&str]) -> Outcome {
    let wanted = match args {
        [] => None,
        ["--machine", name] => Some(*name),
        other => return Err(format!("figures: no use for {}", other.join(" "))),
    };
    let mut records = Records::of(&root())?;
    if let Some(name) = wanted {
        records.prefer(name)?;
    }
    let mut complaints = Vec::new();
    for page in pages(&root())? {
        let path = root().join(&page);
        let text = read(&path)?;
        match filled(&text, &records) {
            Ok(new) if new == text => {}
            Ok(new) => {
                std::fs::write(&path, new).map_err(|e| format!("{}: {e}", path.display()))?;
                eprintln!("{}: figures of {}", page.display(), records.first());
            }
            Err(found) => complaints.extend(found.into_iter().map(|c| c.of(&page))),
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

/// What is not as a record has it. The figures may be those of any machine.
pub(crate) fn complaints(root: &Path) -> Result<Vec<String>, String> {
    let mut records = Records::of(root)?;
    let newest = differences(root, &records)?;
    if records.machines().next().is_none() && !newest.is_empty() {
        let first = &newest[0];
        return Ok(vec![format!("{first}; nor is there any record, for {} places", newest.len())]);
    }
    let others: Vec<String> = records.machines().skip(1).map(str::to_owned).collect();
    for machine in if newest.is_empty() { Vec::new() } else { others } {
        records.prefer(&machine)?;
        if differences(root, &records)?.is_empty() {
            return Ok(Vec::new());
        }
    }
    Ok(newest)
}

fn differences(root: &Path, records: &Records) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for page in pages(root)? {
        let text = read(&root.join(&page))?;
        match filled(&text, records) {
            Ok(new) => {
                let same = text.lines().zip(new.lines()).take_while(|(a, b)| a == b).count();
                if new != text {
                    let what = "not what the record has; `cargo xtask figures` writes it";
                    found.push(Complaint::at(same, what).of(&page));
                }
            }
            Err(complaints) => found.extend(complaints.into_iter().map(|c| c.of(&page))),
        }
    }
    Ok(found)
}

/// Where on a page something is wrong, and what.
#[derive(Debug)]
struct Complaint {
    line: usize,
    what: String,
}

impl Complaint {
    /// At a line counted from zero.
    fn at(line: usize, what: impl Into<String>) -> Self {
        Self { line: line + 1, what: what.into() }
    }

    fn of(self, page: &Path) -> String {
        format!("{}:{}: {}", page.display(), self.line, self.what)
    }
}

/// The README and the pages of the book, as paths from the root.
pub(crate) fn pages(root: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = root.join("docs");
    let listing = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let names = listing.filter_map(|entry| Some(entry.ok()?.file_name()));
    let mut found: Vec<PathBuf> = names
        .map(|name| Path::new("docs").join(name))
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    found.push(PathBuf::from("README.md"));
    found.sort();
    Ok(found)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// A page with the figures of the records.
fn filled(text: &str, records: &Records) -> Result<String, Vec<Complaint>> {
    let (mut made, mut complaints) = (String::new(), Vec::new());
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(block) = block(line, records) else {
            match sentence(line, records) {
                Ok(line) => made += &(line + "\n"),
                Err(reason) => complaints.push(Complaint::at(number, reason)),
            }
            continue;
        };
        if !lines.by_ref().any(|(_, line)| line == END) {
            complaints.push(Complaint::at(number, format!("no `{END}` follows")));
        }
        match block {
            Ok(block) => made += &format!("{line}\n\n{block}\n{END}\n"),
            Err(reason) => complaints.push(Complaint::at(number, reason)),
        }
    }
    if complaints.is_empty() { Ok(made) } else { Err(complaints) }
}

/// What stands in the block that a line begins, if it begins one.
fn block(line: &str, records: &Records) -> Option<Result<String, String>> {
    let inside = |begin| line.strip_prefix(begin)?.strip_suffix(CLOSE);
    if let Some(asked) = inside(FIGURES) {
        return Some(block::of(&fields(asked), records));
    }
    let asked = inside(PEERS)?;
    let asked = asked.strip_prefix(": ").map_or_else(Vec::new, fields);
    Some(peers::of(&asked, records))
}

fn fields(asked: &str) -> Vec<&str> {
    asked.split('|').map(str::trim).collect()
}

/// A line with the figures in it.
fn sentence(line: &str, records: &Records) -> Result<String, String> {
    // Markdown takes a line that begins with a comment for HTML, and the paragraph for ended.
    if line.trim_start().starts_with(FIGURE) {
        return Err("a line cannot begin with a figure".to_owned());
    }
    // What would otherwise stay as it is, unnoticed.
    if [FIGURES.trim_end_matches([':', ' ']), PEERS, END].iter().any(|mark| line.contains(mark)) {
        return Err("a block begins and ends with lines of their own".to_owned());
    }
    let (mut made, mut rest) = (String::new(), line);
    while let Some((before, after)) = rest.split_once(FIGURE) {
        let (asked, after) = after.split_once(CLOSE).ok_or("no end of the comment")?;
        let (_, after) = after.split_once(FIGURE_END).ok_or("no end of the figure in its line")?;
        let figure = block::figure(&fields(asked), records)?;
        made += &format!("{before}{FIGURE}{asked}{CLOSE}{figure}{FIGURE_END}");
        rest = after;
    }
    Ok(made + rest)
}

#[cfg(test)]
mod tests;
