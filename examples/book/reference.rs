//! Checks that the chapter "Environment and command line" has every subcommand, option and variable
//! of the command, and every command of `cargo xtask`: `cargo run --features commands --example
//! book_reference`.

use clap::CommandFactory;
use hpfracc_cli::Cli;
use pictures::Outcome;
use std::fs;
use std::path::Path;

fn main() -> Outcome<()> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = home.parent().unwrap_or(home);
    let chapter = fs::read_to_string(root.join("docs/reference.md"))?;
    let xtask = fs::read_to_string(root.join("xtask/src/main.rs"))?;
    let usage = usage(&xtask).ok_or("xtask/src/main.rs has no usage")?;
    let missing = [missing_in(&chapter), missing_commands(&chapter, usage)].concat();
    if missing.is_empty() {
        println!("docs/reference.md has every option and variable");
        Ok(())
    } else {
        Err(format!("docs/reference.md lacks {}", missing.join(", ")).into())
    }
}

/// Subcommands, options and variables that the chapter lacks.
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

/// Usage that `cargo xtask` prints.
fn usage(source: &str) -> Option<&str> {
    let (_, text) = source.split_once("const USAGE: &str = \"")?;
    Some(text.split_once("\";")?.0)
}

/// Commands and options of a usage, with two spaces before each command, that the chapter lacks.
fn missing_commands(chapter: &str, usage: &str) -> Vec<String> {
    let (_, section) = chapter.split_once("\n## Commands of the workspace\n").unwrap_or_default();
    let begins = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let commands = usage.lines().filter(begins).filter_map(|line| line.split_whitespace().next());
    let commands = commands.map(|name| format!("`cargo xtask {name}"));
    let words = usage.split(|c: char| !(c.is_ascii_lowercase() || c == '-'));
    let options = words.filter(|word| word.starts_with("--")).map(|option| format!("`{option}"));
    let mentioned =
        |word: &str| section.contains(word) || section.contains(&word.replace('`', " "));
    commands.chain(options).filter(|word| !mentioned(word)).collect()
}

/// Section of a subcommand, up to the next heading.
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
    fn commands_of_the_workspace_are_read_from_their_usage() {
        let source =
            "const USAGE: &str = \"\\\nusage:\n\n  tidy  rules\n  fuzz [--seed N]\n     more\";";
        let usage = usage(source).unwrap();
        let chapter = "\n## Commands of the workspace\n| `cargo xtask tidy` |";
        assert_eq!(missing_commands(chapter, usage), ["`cargo xtask fuzz", "`--seed"]);
        assert_eq!(
            missing_commands(&format!("{chapter} `cargo xtask fuzz --seed N`"), usage),
            [""; 0]
        );
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
