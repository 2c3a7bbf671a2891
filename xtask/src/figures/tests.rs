//! Pages filled from a synthetic record.

use super::*;
use serde_json::{Value, json};

fn record() -> Value {
    let time = |text: &str| json!({"text": text, "is": "time", "seconds": 1.0});
    let label = |text: &str| json!({"text": text, "is": "label"});
    let size = |n: usize| json!({"text": n.to_string(), "is": "size", "size": n});
    let first = json!({"columns": ["name", "N", "|z|"], "rows": [
        [label("a, b"), size(10), time("1 ms")],
        [label("a, b"), size(20), time("2 ms")],
        [label("c"), size(10), time("3 ms")],
    ]});
    let second =
        json!({"columns": ["N", "|z|", "two"], "rows": [[size(30), time("4 ms"), time("5 ms")]]});
    let group = json!({
        "name": "some/group", "date": "2026-01-31", "quick": false,
        "program": {"version": "1", "commit": "abc", "compiler": "c"},
        "found": [{"note": "Floor: none."}, {"table": first}, {"table": second}],
    });
    let machine = json!({"processor": "Nine", "threads": 2, "instruction_set": "vectors"});
    json!({"machine": machine, "groups": [group]})
}

fn records() -> Records {
    Records::made(vec![("nine", record())])
}

fn page(text: &str) -> Result<String, String> {
    filled(Path::new("p"), text, &records()).map_err(|found| found.concat())
}

const WHOLE: &str = "before
<!-- figures: some/group -->

*`cargo xtask bench --filter some/group`: 2026-01-31, commit abc; Nine, 2 threads, vectors.*

Floor: none.

| name | N | \\|z\\| |
| :-- | --: | --: |
| a, b | 10 | 1 ms |
| a, b | 20 | 2 ms |
| c | 10 | 3 ms |

| N | \\|z\\| | two |
| --: | --: | --: |
| 30 | 4 ms | 5 ms |

<!-- end of figures -->
after
";

#[test]
fn a_block_becomes_the_group() {
    let empty = "before\n<!-- figures: some/group -->\nold\n<!-- end of figures -->\nafter\n";
    assert_eq!(page(empty).unwrap(), WHOLE);
    // A second run does not change the page.
    assert_eq!(page(WHOLE).unwrap(), WHOLE);
}

#[test]
fn a_block_may_have_some_columns() {
    let made = page("<!-- figures: some/group | table 2 | two | N -->\n<!-- end of figures -->\n");
    let made = made.unwrap();
    assert!(made.contains("| two | N |\n| --: | --: |\n| 5 ms | 30 |\n"), "{made}");
    assert!(!made.contains("Floor"));
}

#[test]
fn figures_are_written_in_sentences() {
    let line = |row: &str, text: &str| {
        format!("It takes <!-- figure: some/group | {row} -->{text}<!-- / -->, or so.\n")
    };
    for (row, figure) in [("30 | two", "5 ms"), ("a, b | 20 | |z|", ""), ("c | N", "10")] {
        let found = page(&line(row, "?"));
        if figure.is_empty() {
            assert!(found.is_err(), "a bar separates fields: {found:?}");
        } else {
            assert_eq!(found.unwrap(), line(row, figure));
        }
    }
    let two = line("table 2 | 30 | N", "").replace('\n', "") + &line("a, b | 10 | name", "");
    assert!(page(&two).unwrap().contains("-->30<!-- / -->"));
}

#[test]
fn invalid_marks_are_reported() {
    for (text, reason) in [
        (
            "x\n<!-- figures: other -->\n<!-- end of figures -->",
            "p:2: no record has the group `other`",
        ),
        ("<!-- figures: some/group -->", "no `<!-- end"),
        ("<!-- figures: some/group | table 3 -->\n<!-- end of figures -->", "no table 3"),
        ("<!-- figures: some/group | tables -->\n<!-- end of figures -->", "`tables` is no table"),
        ("<!-- figures: some/group | table 1 | x -->\n<!-- end of figures -->", "no column `x`"),
        ("a <!-- figure: some/group | 10 | name --><!-- / -->", "2 entries"),
        ("a <!-- figure: some/group | 40 | two --><!-- / -->", "0 entries"),
        ("a <!-- figure: some/group | table 1 | 30 | N --><!-- / -->", "0 entries"),
        ("a <!-- figure: some/group | 30 | two -->5 ms", "no end of the figure"),
        ("<!-- figures: some/group-->\n<!-- end of figures -->", "lines of their own"),
        ("x <!-- figures: some/group -->", "lines of their own"),
        ("x\n<!-- end of figures -->", "p:2: a block begins and ends"),
        ("<!-- figure: some/group | 30 | two -->5 ms<!-- / -->", "cannot begin with a figure"),
    ] {
        let found = page(text).unwrap_err();
        assert!(found.contains(reason), "{text}: {found}");
    }
}

#[test]
fn groups_come_from_the_machine_that_has_them() {
    let mut other = record();
    other["groups"][0]["name"] = "another/group".into();
    other["machine"]["processor"] = "Ten".into();
    let mut both = Records::made(vec![("nine", record()), ("ten", other)]);
    assert_eq!(both.group("another/group").unwrap().machine["processor"], "Ten");
    assert_eq!(both.first(), "nine");
    both.prefer("ten").unwrap();
    assert_eq!(both.machines().collect::<Vec<_>>(), ["ten", "nine"]);
    assert!(both.prefer("eleven").unwrap_err().contains("there are: ten, nine"));
}

#[test]
fn tables_of_other_libraries_are_written() {
    let mut records = records();
    records.add("-peers", crate::peers::record::record());
    let made = block("<!-- peers -->", &records).unwrap().unwrap();
    for line in [
        "*`cargo xtask bench --peers`: 2026-01-31, commit abc; Nine, 4 threads, vectors; \
         1 thread each, bound to cores 2.*",
        "Other libraries are faster in 1 of 4 rows:",
        "- relaxation, 1000: numpy (plain sums) takes 0.50 of the time of hpfracc",
        "### relaxation",
        "| 1000 | numpy 1.0 | plain sums | 1.00 ms | 2.00 s | 3.0e-7 | **0.50** |",
        "### perceptron-24-8-2",
    ] {
        assert!(made.lines().any(|found| found == line), "{line}\nis not in\n{made}");
    }
    let mark = "<!-- peers: perceptron-24-8-2 -->";
    let one = block(mark, &records).unwrap().unwrap();
    assert!(one.contains("### perceptron-24-8-2") && !one.contains("relaxation"), "{one}");
    assert!(!one.contains("of the time of hpfracc"), "{one}");
    for (mark, reason) in
        [("2 threads", "--peers --threads 2 --publish"), ("x", "no row of the problem `x`")]
    {
        let error = block(&format!("<!-- peers: {mark} -->"), &records).unwrap().unwrap_err();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn the_newest_record_counts_and_old_figures_are_found() {
    let root = std::env::temp_dir().join(format!("hpfracc-figures-{}", std::process::id()));
    let write = |name: &str, text: &str| {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let text = "One <!-- figure: some/group | 30 | two -->5 ms<!-- / -->.\n";
    write("README.md", text);
    write("docs/a.md", "nothing\n");
    let none = complaints(&root).unwrap();
    assert!(none.len() == 1 && none[0].contains("no record has"), "{none:?}");
    write("benches/record/nine/2026-01-31.json", &record().to_string());
    write("benches/record/nine/2026-02-01-peers.json", "{}");
    write("benches/record/nine/9.json", "{}");
    assert_eq!(complaints(&root).unwrap(), Vec::<String>::new());
    let mut newer = record();
    newer["groups"][0]["found"][2]["table"]["rows"][0][2]["text"] = "6 ms".into();
    write("benches/record/nine/2026-02-01.json", &newer.to_string());
    let old = complaints(&root).unwrap();
    assert!(old.len() == 1 && old[0].starts_with("README.md:1: differs"), "{old:?}");
    // The figures may be those of another machine.
    write("benches/record/ten/2025-01-31.json", &record().to_string());
    assert_eq!(complaints(&root).unwrap(), Vec::<String>::new());
    assert_eq!(Records::of(&root).unwrap().first(), "nine");
    write("benches/record/ten/2025-01-31.json", &newer.to_string());
    assert_eq!(complaints(&root).unwrap(), old);
    std::fs::remove_dir_all(&root).unwrap();
}
