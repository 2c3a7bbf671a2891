//! `hpfracc operators`, and the help of the command.

use crate::command::Folder;
use hpfracc::operators::{CATALOGUE, catalogue};

#[test]
fn operators_are_listed_as_text_and_as_json() {
    let folder = Folder::with(&[]);
    let table = folder.run("operators");
    assert_eq!(table.code, 0);
    // A terminal, or a page, is not wider.
    assert!(table.stdout.lines().all(|line| line.chars().count() <= 118), "{}", table.stdout);
    let json = folder.run("operators --json");
    let entries: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let entries = entries.as_array().unwrap();
    assert_eq!(entries.len(), catalogue().count());
    for (entry, known) in entries.iter().zip(catalogue()) {
        let definition = known.definition;
        for (name, text) in [
            ("operator", definition.name),
            ("scheme", known.scheme),
            ("alpha", known.range.text),
            ("accuracy", known.accuracy),
            ("outside", known.outside),
            ("cost", known.cost),
            ("title", definition.title),
            ("formula", definition.formula),
            ("of_constants", definition.of_constants),
            ("of_powers", definition.of_powers),
            ("relation", definition.relation),
            ("source", definition.source),
        ] {
            assert_eq!(entry[name], text, "{name} of {known:?}");
        }
        let parameters = entry["parameters"].as_array().unwrap();
        assert_eq!(parameters.len(), definition.parameters.len());
        for (listed, parameter) in parameters.iter().zip(definition.parameters) {
            assert_eq!(listed["name"], parameter.name);
            assert_eq!(listed["meaning"], parameter.meaning);
            assert_eq!(listed["range"], parameter.range);
            assert_eq!(listed["default"].as_f64(), parameter.default);
            assert_eq!(listed["example"], parameter.example);
        }
        let first = |text: &str| text.split(' ').next().unwrap().to_owned();
        let listed =
            |line: &str| line.contains(known.scheme) && line.contains(&first(known.range.text));
        assert!(table.stdout.lines().any(listed), "{known:?}");
    }
}

#[test]
fn a_definition_is_printed_in_full() {
    let folder = Folder::with(&[]);
    for entries in CATALOGUE {
        let definition = entries[0].definition;
        let page = folder.run(&format!("operators {}", definition.name));
        assert_eq!((page.code, page.stderr.as_str()), (0, ""));
        assert!(page.stdout.lines().all(|line| line.chars().count() <= 100), "{}", page.stdout);
        // Lines may break anywhere.
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let page = words(&page.stdout);
        let said = |text: &str| assert!(page.contains(&words(text)), "`{text}` is not in {page}");
        for text in [
            definition.title,
            definition.formula,
            definition.of_constants,
            definition.of_powers,
            definition.relation,
            definition.source,
        ] {
            said(text);
        }
        for parameter in definition.parameters {
            said(&format!("{} {}; {}", parameter.name, parameter.meaning, parameter.range));
        }
        for entry in *entries {
            said(&format!("scheme {} orders {}", entry.scheme, entry.range.text));
            said(&format!("cost {} outside {}", entry.cost, entry.outside));
        }
        let json = folder.run(&format!("operators {} --json", definition.name)).stdout;
        let listed: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(listed.as_array().unwrap().len(), entries.len());
        assert_eq!(listed[0]["operator"], definition.name);
    }
    let unknown = folder.run("operators kaputo");
    assert_eq!((unknown.code, unknown.stdout.as_str()), (2, ""));
    assert!(unknown.stderr.contains("unknown operator `kaputo`; known are caputo, "));
}

#[test]
fn help_and_version() {
    let folder = Folder::with(&[]);
    assert_eq!(folder.run("--version").stdout, format!("hpfracc {}\n", env!("CARGO_PKG_VERSION")));
    for words in [
        "--help",
        "diff --help",
        "transform --help",
        "solve --help",
        "systems --help",
        "mittag-leffler --help",
        "operators --help",
        "devices --help",
        "explain --help",
    ] {
        let run = folder.run(words);
        assert_eq!(run.code, 0);
        assert!(run.stdout.contains("Usage: hpfracc"), "{words}");
    }
}

/// The lines under `Examples:`.
fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    lines.take_while(|line| !line.is_empty()).map(|line| line.trim().to_owned()).collect()
}

/// As little as can be trained.
const TRAINING: &str = r#"
data.file = "sunspots.csv"
windows.length = 4
model.drift.perceptron.hidden = []
training.epochs = 1
"#;

#[test]
fn the_examples_of_the_help_run() {
    let rows: String = (0..50).map(|j| format!("{j},{}\n", j * j)).collect();
    let wide: String = (0..50).map(|j| format!("{j},{},{}\n", 2 * j, j * j)).collect();
    let river: String = (0..200).map(|j| format!("{j},{}\n", (7.3 * f64::from(j)).sin())).collect();
    let decay: String = (0..30).map(|j| format!("{j},{}\n", (-0.1 * f64::from(j)).exp())).collect();
    let gap = rows.replace("7,49\n", "7,\n");
    let folder = Folder::with(&[
        ("data.csv", &format!("t,x\n{rows}")),
        ("sunspots.csv", &format!("year,x\n{rows}")),
        ("sunspots.toml", TRAINING),
        ("co2.csv", &format!("t,co2\n{gap}")),
        ("run.csv", &format!("row,x\n{rows}")),
        ("river.csv", &format!("year,level\n{river}")),
        ("decay.csv", &format!("t,y\n{decay}")),
        ("wide.csv", &format!("t,x,y\n{wide}")),
    ]);
    let mut count = 0;
    for words in [
        "--help",
        "diff --help",
        "transform --help",
        "solve --help",
        "equation --help",
        "derivative --help",
        "simulate --help",
        "mittag-leffler --help",
        "operators --help",
        "explain --help",
    ] {
        for example in examples(&folder.run(words).stdout) {
            assert!(example.contains("hpfracc "), "{example}");
            if let Some((code, stderr)) = run_in_a_shell(&folder, &example) {
                assert_eq!(code, 0, "{example}: {stderr}");
                count += 1;
            }
        }
    }
    assert!(count >= if cfg!(unix) { 40 } else { 37 }, "{count}");
    assert!(folder.names().contains(&"co2.svg".to_owned()));
}

/// As a reader would who copies the line.
#[cfg(unix)]
fn run_in_a_shell(folder: &Folder, line: &str) -> Option<(i32, String)> {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_hpfracc"));
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let output = std::process::Command::new("sh")
        .args(["-c", line])
        .env("PATH", path)
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    Some((output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap()))
}

/// Without a shell of which this much is known: without remarks, and not if it is a pipe.
#[cfg(not(unix))]
fn run_in_a_shell(folder: &Folder, line: &str) -> Option<(i32, String)> {
    let command = line.split(" #").next()?.strip_prefix("hpfracc ")?;
    let run = folder.run(command);
    Some((run.code, run.stderr))
}

/// The names in backquotes of each row of the page's tables.
fn names_in_tables(page: &str) -> impl Iterator<Item = Vec<&str>> {
    let rows = page.lines().filter(|line| line.starts_with("| "));
    rows.map(|row| row.split('`').skip(1).step_by(2).collect())
}

#[test]
fn the_page_names_what_there_is_and_all_of_it() {
    let page = include_str!("../../../../docs/which-derivative.md");
    for names in names_in_tables(page) {
        let mut definition = None;
        for name in names {
            match CATALOGUE.iter().map(|entries| entries[0].definition).find(|d| d.name == name) {
                Some(known) => definition = Some(known),
                None => {
                    let parameters = definition.map_or(&[][..], |known| known.parameters);
                    assert!(parameters.iter().any(|p| p.name == name), "`{name}`");
                }
            }
        }
    }
    for entries in CATALOGUE {
        let name = format!("`{}`", entries[0].definition.name);
        assert!(page.contains(&name), "{name} is not on the page");
    }
}

#[test]
fn the_help_of_explain_lists_the_backends() {
    let help = Folder::with(&[]).run("explain --help").stdout;
    let known = help.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').collect::<Vec<_>>();
    let plain = |name: &&String| !name.ends_with("-df64") && !name.ends_with("-rounded-to-f32");
    for name in hpfracc::Machine::backend_names().iter().filter(plain) {
        assert!(known.contains(&name.as_str()), "{name}");
    }
}
