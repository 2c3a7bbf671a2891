//! `hpfracc operators`, and what the command says of itself.

use crate::command::Folder;

#[test]
fn operators_are_listed_as_text_and_as_json() {
    let folder = Folder::with(&[]);
    let table = folder.run("operators");
    assert_eq!(table.code, 0);
    let json = folder.run("operators --json");
    let entries: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let entries = entries.as_array().unwrap();
    assert_eq!(entries.len(), hpfracc::operators::CATALOGUE.len());
    for (entry, known) in entries.iter().zip(hpfracc::operators::CATALOGUE) {
        assert_eq!(entry["operator"], known.operator);
        assert_eq!(entry["scheme"], known.scheme);
        assert_eq!(entry["alpha"], known.range);
        assert_eq!(entry["accuracy"], known.accuracy);
        assert_eq!(entry["outside"], known.outside);
        let listed = |line: &str| line.contains(known.scheme) && line.contains(known.range);
        assert!(table.stdout.lines().any(listed), "{known:?}");
    }
}

#[test]
fn help_and_version() {
    let folder = Folder::with(&[]);
    assert_eq!(folder.run("--version").stdout, format!("hpfracc {}\n", env!("CARGO_PKG_VERSION")));
    for words in ["--help", "diff --help", "mittag-leffler --help", "operators --help"] {
        let run = folder.run(words);
        assert_eq!(run.code, 0);
        assert!(run.stdout.contains("Usage: hpfracc"), "{words}");
    }
}
