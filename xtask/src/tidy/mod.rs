//! The rules of ARCHITECTURE.md that a program can check.

mod directions;
mod layout;
mod links;
mod manifests;
mod sections;
mod sources;

use crate::metadata;
use crate::run::{Outcome, root};

/// Broken rule with its place.
type Complaint = String;

pub(crate) fn run() -> Outcome {
    let metadata = metadata::read()?;
    let mut complaints = directions::check(&metadata)?;
    complaints.extend(manifests::check(&metadata));
    let rules = [
        layout::check,
        sources::check,
        sections::check,
        links::check,
        crate::figures::complaints,
        crate::snippets::complaints,
        crate::formulas::check,
    ];
    for rule in rules {
        complaints.extend(rule(&root())?);
    }
    answer(&complaints)
}

/// Only the links of README and book, and the code of the book.
pub(crate) fn pages() -> Outcome {
    answer(&[links::check(&root())?, crate::snippets::complaints(&root())?].concat())
}

fn answer(complaints: &[Complaint]) -> Outcome {
    if complaints.is_empty() {
        eprintln!("tidy: no complaints");
        Ok(())
    } else {
        Err(format!("tidy:\n  {}", complaints.join("\n  ")))
    }
}
