//! What the documentation of an operator, a solver or a transform tells, and in which order.

use super::Complaint;
use super::sources::{files, library_lines};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What a type is that implements one of these traits.
const TRAITS: [&str; 5] = ["Discretisation", "Scheme", "StochasticScheme", "Noise", "Transform"];

/// Types that compute nothing of their own.
const OTHERS: [&str; 5] = ["Antithetic", "Coarse", "Joint", "Silence", "Arc"];

/// What puts a formula into the documentation.
const FORMULA: &str = "#[doc = formula!(";
const FORMULA_END: &str = ")]";

/// Documentation of a type, line by line, and where it stands.
struct Documented {
    place: String,
    lines: Vec<String>,
}

/// What a crate has.
#[derive(Default)]
struct Types {
    /// That implement one of the traits, and where the last of them does.
    implementing: BTreeMap<String, String>,
    /// That users see.
    public: BTreeMap<String, Documented>,
    /// That they do not.
    private: BTreeSet<String>,
}

impl Types {
    fn complaints(&self) -> impl Iterator<Item = Complaint> {
        self.implementing.iter().filter_map(|(name, place)| match self.public.get(name) {
            Some(documented) => complaint(documented),
            None if self.private.contains(name) => None,
            None => {
                Some(format!("{place}: `{name}` has no definition in the crate that is seen here"))
            }
        })
    }
}

pub(super) fn check(root: &Path) -> Result<Vec<Complaint>, String> {
    let mut complaints = Vec::new();
    let crates = root.join("crates");
    let listing = std::fs::read_dir(&crates).map_err(|e| format!("{}: {e}", crates.display()))?;
    for entry in listing {
        let source = entry.map_err(|e| format!("{}: {e}", crates.display()))?.path().join("src");
        let mut types = Types::default();
        for path in files(&source)? {
            let shown = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            let text = std::fs::read_to_string(&path).map_err(|e| format!("{shown}: {e}"))?;
            read(&shown, &text, &mut types);
        }
        complaints.extend(types.complaints());
    }
    complaints.sort();
    Ok(complaints)
}

/// Adds the types of a file that implement one of the traits, and the documentation of all types.
fn read(path: &str, text: &str, types: &mut Types) {
    let (mut lines, mut inside) = (Vec::new(), false);
    for (number, line) in library_lines(text) {
        if let Some(doc) = line.strip_prefix("///") {
            lines.push(doc.strip_prefix(' ').unwrap_or(doc).to_owned());
            continue;
        }
        if line.starts_with(FORMULA) {
            lines.push(FORMULA.to_owned());
            inside = true;
        }
        if inside {
            inside = !line.ends_with(FORMULA_END);
            continue;
        }
        if let Some(name) = implementor(line).filter(|name| !OTHERS.contains(name)) {
            types.implementing.insert(name.to_owned(), format!("{path}:{number}"));
        }
        match defined(line) {
            Some((name, true)) => {
                let place = format!("{path}:{number}: `{name}`");
                types.public.insert(name.to_owned(), Documented { place, lines: lines.clone() });
            }
            Some((name, false)) => drop(types.private.insert(name.to_owned())),
            None => {}
        }
        // Attributes stand between the documentation and the type.
        if !line.starts_with("#[") {
            lines.clear();
        }
    }
}

/// Of the line that begins an implementation of one of the traits, the type.
fn implementor(line: &str) -> Option<&str> {
    let (before, name) = line.strip_prefix("impl")?.split_once(" for ")?;
    let bare = before.rsplit_once("> ").map_or(before.trim_start(), |(_, bare)| bare);
    // A reference to what implements it is no type of its own.
    TRAITS.contains(&first_word(bare)).then(|| first_word(name)).filter(|name| !name.is_empty())
}

/// The type that a line defines, and whether users see it.
fn defined(line: &str) -> Option<(&str, bool)> {
    let (before, name) = ["struct ", "enum "].iter().find_map(|word| line.split_once(word))?;
    let private = ["", "pub(crate) ", "pub(super) "].contains(&before);
    (private || before == "pub ").then(|| (first_word(name), !private))
}

fn first_word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// What the documentation lacks, or has in another place than where a reader looks for it.
fn complaint(documented: &Documented) -> Option<Complaint> {
    let Documented { place, lines } = documented;
    let first = |found: fn(&str) -> bool| lines.iter().position(|line| found(line));
    let parts = [
        ("a formula (`formula!`)", first(|line| line == FORMULA)),
        ("the cost", first(|line| line.to_lowercase().contains("cost"))),
        ("a source", first(|line| line.starts_with("Source"))),
        ("an example", example(lines)),
    ];
    if let Some((missing, _)) = parts.iter().find(|(_, at)| at.is_none()) {
        return Some(format!("{place}: the documentation lacks {missing}"));
    }
    let out_of_place = |pair: &[(&str, Option<usize>)]| pair[0].1 > pair[1].1;
    // Where the cost stands among range and accuracy is free.
    let ordered = [parts[0], parts[2], parts[3]];
    let wrong = ordered.windows(2).find(|pair| out_of_place(pair))?;
    Some(format!("{place}: {} stands before {}", wrong[1].0, wrong[0].0))
}

/// The line that begins a block of code which is run.
fn example(lines: &[String]) -> Option<usize> {
    let mut inside = false;
    for (number, line) in lines.iter().enumerate() {
        if let Some(kind) = line.strip_prefix("```") {
            if !inside && kind.is_empty() {
                return Some(number);
            }
            inside = !inside;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(lines: &[&str]) -> Option<String> {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        complaint(&Documented { place: "a.rs:1: `A`".to_owned(), lines })
    }

    const WHOLE: [&str; 7] = ["A.", FORMULA, "Cost: 1.", "Source: B.", "```", "a();", "```"];

    #[test]
    fn each_missing_part_is_named() {
        assert_eq!(found(&WHOLE), None);
        for (without, word) in
            [(1..2, "formula"), (2..3, "cost"), (3..4, "source"), (4..7, "example")]
        {
            let mut lines = WHOLE.to_vec();
            lines.drain(without);
            let complaint = found(&lines).unwrap();
            assert!(complaint.contains("lacks") && complaint.contains(word), "{complaint}");
        }
    }

    #[test]
    fn the_order_is_that_of_the_parts() {
        let [a, formula, cost, source, x0, x1, x2] = WHOLE;
        assert!(found(&[a, formula, cost, x0, x1, x2, source]).unwrap().contains("before"));
        assert!(found(&[a, cost, source, formula, x0, x1, x2]).unwrap().contains("before"));
        assert_eq!(found(&[a, cost, formula, source, x0, x1, x2]), None);
    }

    #[test]
    fn implementations_are_told_from_others() {
        assert_eq!(implementor("impl Discretisation for Caputo {"), Some("Caputo"));
        assert_eq!(implementor("impl<T: Real> Transform<T> for Dft<T> {"), Some("Dft"));
        assert_eq!(implementor("impl<C: Scheme> StochasticScheme<f64> for A<'_, C> {"), Some("A"));
        assert_eq!(implementor("impl<T, N: Noise<T> + ?Sized> Noise<T> for &N {"), None);
        assert_eq!(implementor("impl Clone for Caputo {"), None);
        assert_eq!(implementor("impl Caputo {"), None);
    }

    #[test]
    fn documentation_belongs_to_the_type_below_it() {
        let text = "/// One.\n#[doc = formula!(\"a\", \"y\\\n  = x\")]\n#[derive(Debug)]\npub struct A;\nimpl Scheme for A {}\npub struct B;";
        let mut types = Types::default();
        read("a.rs", text, &mut types);
        assert_eq!(types.implementing.keys().collect::<Vec<_>>(), ["A"]);
        assert_eq!(types.public["A"].lines, ["One.", FORMULA]);
        assert!(types.public["B"].lines.is_empty());
        assert_eq!(types.public["A"].place, "a.rs:5: `A`");
    }

    #[test]
    fn a_type_whose_definition_is_not_seen_is_told() {
        let mut types = Types::default();
        read(
            "a.rs",
            "impl Scheme for A {}\npub(super) struct B;\nimpl Scheme for B {}",
            &mut types,
        );
        let found: Vec<_> = types.complaints().collect();
        assert!(found.len() == 1 && found[0].starts_with("a.rs:1: `A`"), "{found:?}");
    }
}
