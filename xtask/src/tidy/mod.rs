//! The rules of ARCHITECTURE.md that a program can check.

mod directions;
mod layout;
mod links;
mod manifests;
mod sections;
mod sources;

use crate::metadata;
use crate::run::{Outcome, root};

/// One broken rule: where, and which.
type Complaint = String;

pub(crate) fn run() -> Outcome {
    let metadata = metadata::read()?;
    let mut complaints = directions::check(&metadata)?;
    complaints.extend(manifests::check(&metadata));
    complaints.extend(layout::check(&root())?);
    complaints.extend(sources::check(&root())?);
    complaints.extend(sections::check(&root())?);
    complaints.extend(links::check(&root())?);
    complaints.extend(crate::figures::complaints(&root())?);
    complaints.extend(crate::snippets::complaints(&root())?);
    complaints.extend(crate::formulas::check(&root())?);
    answer(&complaints)
}

/// The links of the README and of the book, and its code, alone.
pub(crate) fn pages() -> Outcome {
    answer(&[links::check(&root())?, crate::snippets::complaints(&root())?].concat())
}

fn answer(complaints: &[Complaint]) -> Outcome {
    if complaints.is_empty() {
        eprintln!("tidy: nothing to complain about");
        Ok(())
    } else {
        Err(format!("tidy:\n  {}", complaints.join("\n  ")))
    }
}
