//! `hpfracc pde list`: ready equations.

use crate::Error;
use crate::output::write_stdout;
use hpfracc::pde::catalogue::ENTRIES;

pub(super) fn run() -> Result<(), Error> {
    let entry = |entry: &hpfracc::pde::catalogue::Entry| {
        let lines: Vec<&str> = entry.text.lines().map(str::trim).collect();
        let dimensions = match entry.dimensions {
            1 => "one dimension".to_owned(),
            most => format!("1 to {most} dimensions"),
        };
        let (name, title, text) = (entry.name, entry.title, lines.join("\n  "));
        format!("{name}: {title}\n  {text}\n  {dimensions}; start {}\n\n", entry.starts[0])
    };
    let page: String = ENTRIES.iter().map(entry).collect();
    write_stdout(page.trim_end().as_bytes())?;
    write_stdout(b"\n")
}
