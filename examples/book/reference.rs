//! Holds the chapter "Environment and command line" to the command: every subcommand, every option and
//! every variable is in it. `cargo run --example book_reference`.

use clap::CommandFactory;
use hpfracc_cli::Cli;
use pictures::Outcome;
use std::fs;
use std::path::Path;

fn main() -> Outcome<()> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = home.parent().unwrap_or(home).join("docs").join("reference.md");
    let missing = missing_in(&fs::read_to_string(file)?);
    if missing.is_empty() {
        println!("docs/reference.md has every option and variable");
        Ok(())
    } else {
        Err(format!("docs/reference.md lacks {}", missing.join(", ")).into())
    }
}

/// What the command knows and the chapter does not say.
fn missing_in(chapter: &str) -> Vec<String> {
    let root = Cli::command();
    let mut missing = Vec::new();
    for command in root.get_subcommands() {
        let name = command.get_name();
        let Some(section) = section(chapter, name) else {
            missing.push(format!("a section `{name}`"));
            continue;
        };
        let options = command.get_opts().filter_map(|option| option.get_long());
        let absent = options.filter(|option| !section.contains(&format!("`--{option}")));
        missing.extend(absent.map(|option| format!("`{name} --{option}`")));
    }
    let help = root.get_after_help().map(ToString::to_string).unwrap_or_default();
    let words = help.split(|c: char| !(c.is_ascii_uppercase() || c == '_'));
    let variables = words.filter(|word| word.starts_with("HPFRACC_"));
    let absent = variables.filter(|name| !chapter.contains(&format!("`{name}`")));
    missing.extend(absent.map(|name| format!("`{name}`")));
    missing
}

/// From the heading of a subcommand to the next one.
fn section<'a>(chapter: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = chapter.split_once(&format!("\n### `hpfracc {name}`\n"))?;
    Some(rest.split("\n### ").next().unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chapter_has_every_option() {
        main().unwrap();
    }

    #[test]
    fn what_is_not_said_is_found() {
        let missing = missing_in("\n### `hpfracc devices`\n`--json`\n`HPFRACC_BACKEND`\n");
        assert!(missing.contains(&"a section `diff`".to_owned()));
        assert!(missing.contains(&"`devices --benchmark`".to_owned()));
        assert!(!missing.contains(&"`devices --json`".to_owned()));
        assert!(missing.contains(&"`HPFRACC_WISDOM`".to_owned()));
        assert!(!missing.contains(&"`HPFRACC_BACKEND`".to_owned()));
    }
}
