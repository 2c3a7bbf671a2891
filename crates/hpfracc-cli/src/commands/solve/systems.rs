//! `hpfracc systems`: lists the equations of the catalogue, and the schemes of equations.

use crate::Error;
use crate::commands::simulate::scheme;
use crate::equations::schemes;
use crate::output::write_stdout;
use crate::text::rounded;
use hpfracc::equation::catalogue::{ENTRIES, Entry};

pub(crate) fn run() -> Result<(), Error> {
    let systems: String = ENTRIES.iter().map(entry).collect::<Result<_, Error>>()?;
    let schemes: String = schemes::names()
        .map(|(name, about)| format!("  {name:<22}{}\n", as_options(about)))
        .collect();
    let stochastic: String = scheme::SCHEMES
        .iter()
        .map(|(scheme, about)| format!("  {:<27}{about}\n", scheme.name()))
        .collect();
    let page = format!("{systems}Schemes\n{schemes}\nSchemes with noise\n{stochastic}");
    write_stdout(page.as_bytes())
}

/// Description of a scheme with the options of the command.
fn as_options(about: &str) -> String {
    about.replace("rtol, atol", "--rtol, --atol")
}

fn entry(entry: &Entry) -> Result<String, Error> {
    let equation = entry.equation().map_err(|source| Error::equation(entry.name, source))?;
    let parameters: Vec<String> = equation
        .parameters()
        .iter()
        .map(|parameter| format!("{}={}", parameter.name(), rounded(parameter.value())))
        .collect();
    // Left side of an equation with noise.
    let differential = |line: &str| {
        let left = line.split_once('=').and_then(|(left, _)| left.trim().strip_prefix('d'));
        left.is_some_and(|name| equation.state_index(name).is_some())
    };
    let is_equation = |line: &&str| {
        let derivative = line.contains("D^") || line.contains("' =");
        !line.starts_with('#') && (derivative || differential(line))
    };
    let lines: Vec<&str> = entry.text.lines().filter(is_equation).collect();
    Ok(format!(
        "{}: {}\n  {}\n  parameters  {}\n  defaults    n {}, scheme {}\n\n",
        entry.name,
        entry.title,
        lines.join("\n  "),
        parameters.join(" "),
        entry.steps,
        entry.scheme
    ))
}
