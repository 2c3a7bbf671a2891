//! Reads the committed reference tables.

/// The rows of `tests/data/<name>` without the header, split at commas.
pub(crate) fn rows(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let rows: Vec<Vec<String>> =
        text.lines().skip(1).map(|l| l.split(',').map(str::to_owned).collect()).collect();
    assert!(!rows.is_empty(), "{path} has no rows");
    rows
}

/// The number in a field.
pub(crate) fn number(field: &str) -> f64 {
    field.parse().unwrap_or_else(|_| panic!("`{field}` is not a number"))
}
