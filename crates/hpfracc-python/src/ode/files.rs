//! Files that texts of equations name.

use hpfracc::equation::{Files, Network};
use hpfracc::nn::SavedNetwork;
use std::path::Path;

/// Files of a folder, to which their paths are relative.
pub(crate) struct FilesIn<'a>(pub(crate) &'a Path);

/// Largest table, in bytes.
const LARGEST: u64 = 1 << 30;

impl Files for FilesIn<'_> {
    fn network(&self, path: &str) -> Result<Network, String> {
        SavedNetwork::equation_network(&self.0.join(path))
    }

    fn table(&self, path: &str, arguments: &str, values: &str) -> Result<[Vec<f64>; 2], String> {
        let path = self.0.join(path);
        let named = |reason: &dyn std::fmt::Display| format!("{}: {reason}", path.display());
        let found = path.metadata().map_err(|error| named(&error))?;
        if !found.is_file() || found.len() > LARGEST {
            return Err(named(&"expected a file of at most 1 GiB"));
        }
        let text = std::fs::read_to_string(&path).map_err(|error| named(&error))?;
        columns(&text, [arguments, values]).map_err(|reason| named(&reason))
    }
}

/// Columns of numbers of comma-separated values, whose first line has the names.
fn columns(text: &str, names: [&str; 2]) -> Result<[Vec<f64>; 2], String> {
    let is_row = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| is_row(line));
    let (_, header) = lines.next().ok_or("the file is empty")?;
    let known: Vec<&str> = header.split(',').map(|name| name.trim().trim_matches('"')).collect();
    let place = |name: &str| {
        let found = known.iter().position(|known| *known == name);
        found.ok_or_else(|| format!("no column `{name}`; the columns are {}", known.join(", ")))
    };
    let places = [place(names[0])?, place(names[1])?];
    let mut columns = [vec![], vec![]];
    for (number, line) in lines {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        for (column, (place, name)) in columns.iter_mut().zip(places.into_iter().zip(names)) {
            let cell = cells.get(place).copied().unwrap_or_default();
            let value: f64 = cell
                .parse()
                .map_err(|_| format!("line {number}, column `{name}`: `{cell}` is no number"))?;
            column.push(value);
        }
    }
    Ok(columns)
}
