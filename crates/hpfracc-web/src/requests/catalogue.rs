use hpfracc::equation::catalogue::ENTRIES;
use serde::Serialize;

/// Equation of the literature.
#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    source: &'static str,
    text: &'static str,
    stochastic: bool,
    steps: usize,
}

pub(crate) fn catalogue() -> Vec<Listed> {
    let listed = |entry: &'static hpfracc::equation::catalogue::Entry| Listed {
        name: entry.name,
        title: entry.title,
        about: &entry.about,
        source: entry.source,
        text: entry.text,
        stochastic: entry.equation().is_ok_and(|equation| crate::case::is_stochastic(&equation)),
        steps: entry.steps,
    };
    ENTRIES.iter().map(listed).collect()
}
