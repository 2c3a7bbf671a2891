//! Text tables with wrapped cells.

/// Column of a table.
pub(crate) struct Column {
    pub(crate) heading: &'static str,
    /// Maximum number of characters, unless a single word is longer.
    pub(crate) width: usize,
}

/// Headings with a rule below, and the lines of each row. Columns are as narrow as their cells.
pub(crate) fn table<const N: usize>(
    columns: &[Column; N],
    rows: impl Iterator<Item = [&'static str; N]>,
) -> (String, Vec<String>) {
    let headings = columns.each_ref().map(|column| vec![column.heading.to_owned()]);
    let rows: Vec<[Vec<String>; N]> =
        rows.map(|row| std::array::from_fn(|k| wrapped(row[k], columns[k].width))).collect();
    let mut widths = columns.each_ref().map(|column| column.heading.chars().count());
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            let widest = cell.iter().map(|line| line.chars().count()).max();
            *width = (*width).max(widest.unwrap_or(0));
        }
    }
    let rule = widths.map(|width| vec!["-".repeat(width)]);
    let head = lines(&headings, &widths) + &lines(&rule, &widths);
    (head, rows.iter().map(|row| lines(row, &widths)).collect())
}

/// Lines of a row, as many as its tallest cell.
fn lines(row: &[Vec<String>], widths: &[usize]) -> String {
    let height = row.iter().map(Vec::len).max().unwrap_or(0);
    let line = |k: usize| {
        let cells = row.iter().zip(widths).map(|(cell, &width)| {
            let text = cell.get(k).map_or("", String::as_str);
            format!("{text:width$}")
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    (0..height).map(line).collect()
}

/// Lines of at most `width` characters, broken at spaces.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        let length = lines[last].chars().count();
        if length > 0 && length + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            let between = if length > 0 { " " } else { "" };
            lines[last] += &format!("{between}{word}");
        }
    }
    lines
}

/// Name with a wrapped text that begins at column `indent`, in lines of at most 100 characters.
pub(crate) fn paragraph(name: &str, text: &str, indent: usize) -> String {
    let names = std::iter::once(name).chain(std::iter::repeat(""));
    let lines = names.zip(wrapped(text, 100 - indent));
    // Names are indented by two.
    lines.map(|(name, text)| format!("  {name:0$}{text}\n", indent - 2)).collect()
}

/// Names and values below a title, one aligned pair per line.
pub(crate) fn listed(title: &str, lines: &[(&str, String)]) -> String {
    let lines = lines.iter().map(|(name, value)| format!("  {name:9}  {value}\n"));
    format!("{title}\n{}", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_cells_are_wrapped() {
        let columns = [Column { heading: "a", width: 7 }, Column { heading: "b", width: 3 }];
        let rows = [["one two three", "x"], ["", "longword y"]];
        let (head, rows) = table(&columns, rows.into_iter());
        let expected = "\
a        b
-------  --------
one two  x
three
         longword
         y
";
        assert_eq!(head + &rows.concat(), expected);
    }
}
