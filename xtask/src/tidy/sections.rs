//! Required parts of the documentation of operators, schemes, noises, transforms, layers and
//! optimisers, and their order.

use super::Complaint;
use super::sources::{library_lines, sources};
use crate::files::{read, shown};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Traits of maps and methods of the literature.
const METHODS: [&str; 6] =
    ["Discretisation", "Scheme", "StochasticScheme", "OneStepScheme", "Noise", "Transform"];

/// Trait of layers, which state their shapes instead of a source.
const LAYER: &str = "Layer";

/// Enum of all optimisers, with one variant each.
const OPTIMISERS: &str = "pub enum Optimiser {";

/// Types that combine or wrap others, which are not checked.
const OTHERS: [&str; 10] = [
    "AnyScheme",
    "Antithetic",
    "Coarse",
    "Joint",
    "NoNoise",
    "Arc",
    "Box",
    "Network",
    "Sequential",
    "C",
];

/// Attribute of a formula.
const FORMULA: &str = "#[doc = formula!(";
const FORMULA_END: &str = ")]";

/// Lines of the documentation of a type, with its place.
struct Documented {
    place: String,
    lines: Vec<String>,
}

/// Kinds of types with different required parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Method,
    Layer,
    Optimiser,
}

/// Types of a crate.
#[derive(Default)]
struct Types {
    /// Types to check, with the place of the implementation or variant.
    checked: BTreeMap<String, (Kind, String)>,
    public: BTreeMap<String, Documented>,
    private: BTreeSet<String>,
}

impl Types {
    fn complaints(&self) -> impl Iterator<Item = Complaint> {
        self.checked.iter().filter_map(|(name, (kind, place))| match self.public.get(name) {
            Some(documented) => complaint(*kind, documented),
            None if self.private.contains(name) => None,
            None => Some(format!("{place}: `{name}` is not defined in its crate")),
        })
    }
}

pub(super) fn check(root: &Path) -> Result<Vec<Complaint>, String> {
    let mut complaints = Vec::new();
    for source in crate::modules::crates(root)? {
        let mut types = Types::default();
        for path in sources(&source)? {
            collect(&shown(&path, root), &read(&path)?, &mut types);
        }
        complaints.extend(types.complaints());
    }
    complaints.sort();
    Ok(complaints)
}

/// Adds the types of a file that implement one of the traits, and the documentation of all types.
fn collect(path: &str, text: &str, types: &mut Types) {
    let (mut lines, mut inside, mut optimisers) = (Vec::new(), false, false);
    for (number, line) in library_lines(text) {
        optimisers = line == OPTIMISERS || (optimisers && line != "}");
        let place = || format!("{path}:{number}");
        if let Some(name) = optimisers.then(|| inner_type(line)).flatten() {
            types.checked.insert(name.to_owned(), (Kind::Optimiser, place()));
        }
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
        if let Some((kind, name)) = implementor(line).filter(|(_, name)| !OTHERS.contains(name)) {
            types.checked.insert(name.to_owned(), (kind, place()));
        }
        match defined(line) {
            Some((name, true)) => {
                let place = format!("{path}:{number}: `{name}`");
                types.public.insert(name.to_owned(), Documented { place, lines: lines.clone() });
            }
            Some((name, false)) => drop(types.private.insert(name.to_owned())),
            None => {}
        }
        // Attributes may follow the documentation.
        if !line.starts_with("#[") {
            lines.clear();
        }
    }
}

/// Kind and name of the type for which a line implements one of the traits.
fn implementor(line: &str) -> Option<(Kind, &str)> {
    let (before, name) = line.strip_prefix("impl")?.split_once(" for ")?;
    let bare = before.rsplit_once("> ").map_or(before.trim_start(), |(_, bare)| bare);
    let kind = match first_word(bare) {
        LAYER => Kind::Layer,
        name if METHODS.contains(&name) => Kind::Method,
        _ => return None,
    };
    // The name is empty for a reference.
    Some((kind, first_word(name))).filter(|(_, name)| !name.is_empty())
}

/// Type inside a variant, as in `    Sgd(Sgd),`.
fn inner_type(line: &str) -> Option<&str> {
    let (variant, inner) = line.trim_start().split_once('(')?;
    (first_word(variant) == variant).then(|| first_word(inner))
}

/// Type that a line defines, and whether it is public.
fn defined(line: &str) -> Option<(&str, bool)> {
    let (before, name) = ["struct ", "enum "].iter().find_map(|word| line.split_once(word))?;
    let private = ["", "pub(crate) ", "pub(super) "].contains(&before);
    (private || before == "pub ").then(|| (first_word(name), !private))
}

fn first_word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// First missing part of the documentation, or the first one out of order.
fn complaint(kind: Kind, documented: &Documented) -> Option<Complaint> {
    let Documented { place, lines } = documented;
    let first = |found: fn(&str) -> bool| lines.iter().position(|line| found(line));
    let formula = match kind {
        Kind::Method => ("a formula (`formula!`)", first(|line| line == FORMULA)),
        _ => ("a formula", first(|line| line == FORMULA || line == "```text")),
    };
    let cost = ("the cost", first(|line| line.to_lowercase().contains("cost")));
    let third = match kind {
        Kind::Layer => ("its shapes", first(|line| line.to_lowercase().contains("shapes"))),
        _ => ("a source", first(|line| line.starts_with("Source"))),
    };
    let example = ("an example", example(lines));
    if let Some((missing, _)) = [formula, cost, third, example].iter().find(|(_, at)| at.is_none())
    {
        return Some(format!("{place}: the documentation lacks {missing}"));
    }
    let out_of_place = |pair: &[(&str, Option<usize>)]| pair[0].1 > pair[1].1;
    // The cost may be anywhere, with range and accuracy.
    let ordered = [formula, third, example];
    let wrong = ordered.windows(2).find(|pair| out_of_place(pair))?;
    Some(format!("{place}: {} comes before {}", wrong[1].0, wrong[0].0))
}

/// First line of a block of code that is run.
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

    fn found(kind: Kind, lines: &[&str]) -> Option<String> {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        complaint(kind, &Documented { place: "a.rs:1: `A`".to_owned(), lines })
    }

    const WHOLE: [&str; 7] = ["A.", FORMULA, "Cost: 1.", "Source: B.", "```", "a();", "```"];

    #[test]
    fn each_missing_part_is_named() {
        assert_eq!(found(Kind::Method, &WHOLE), None);
        for (without, word) in
            [(1..2, "formula"), (2..3, "cost"), (3..4, "source"), (4..7, "example")]
        {
            let mut lines = WHOLE.to_vec();
            lines.drain(without);
            let complaint = found(Kind::Method, &lines).unwrap();
            assert!(complaint.contains("lacks") && complaint.contains(word), "{complaint}");
        }
    }

    #[test]
    fn the_order_is_that_of_the_parts() {
        let [a, formula, cost, source, x0, x1, x2] = WHOLE;
        assert!(
            found(Kind::Method, &[a, formula, cost, x0, x1, x2, source])
                .unwrap()
                .contains("before")
        );
        assert!(
            found(Kind::Method, &[a, cost, source, formula, x0, x1, x2])
                .unwrap()
                .contains("before")
        );
        assert_eq!(found(Kind::Method, &[a, cost, formula, source, x0, x1, x2]), None);
    }

    #[test]
    fn implementations_are_recognised() {
        assert_eq!(implementor("impl Discretisation for Caputo {"), Some((Kind::Method, "Caputo")));
        assert_eq!(
            implementor("impl<T: Real> Transform<T> for Dft<T> {"),
            Some((Kind::Method, "Dft"))
        );
        assert_eq!(
            implementor("impl<C: Scheme> StochasticScheme<f64> for A<'_, C> {"),
            Some((Kind::Method, "A"))
        );
        assert_eq!(implementor("impl<T, N: Noise<T> + ?Sized> Noise<T> for &N {"), None);
        assert_eq!(implementor("impl Clone for Caputo {"), None);
        assert_eq!(implementor("impl Caputo {"), None);
    }

    #[test]
    fn layers_have_shapes_and_optimisers_a_source() {
        let layer =
            ["A.", "```text", "y = W x", "```", "Shapes: 1.", "Cost: 1.", "```", "a();", "```"];
        assert_eq!(found(Kind::Layer, &layer), None);
        assert!(found(Kind::Optimiser, &layer).unwrap().contains("source"));
        assert!(found(Kind::Method, &layer).unwrap().contains("formula!"));
        assert!(found(Kind::Layer, &WHOLE).unwrap().contains("shapes"));
        assert_eq!(found(Kind::Optimiser, &WHOLE), None);
        let text = "pub enum Optimiser {\n    /// [`Sgd`]\n    Sgd(Sgd),\n}\nenum B {\n    C(C),\n}\n\
                    impl<T: Scalar> Layer<T> for Dense {}";
        let mut types = Types::default();
        collect("a.rs", text, &mut types);
        let kinds: Vec<_> =
            types.checked.iter().map(|(name, (kind, _))| (name.as_str(), *kind)).collect();
        assert_eq!(kinds, [("Dense", Kind::Layer), ("Sgd", Kind::Optimiser)]);
    }

    #[test]
    fn documentation_belongs_to_the_type_below_it() {
        let text = "/// One.\n#[doc = formula!(\"a\", \"y\\\n  = x\")]\n#[derive(Debug)]\npub struct A;\nimpl Scheme for A {}\npub struct B;";
        let mut types = Types::default();
        collect("a.rs", text, &mut types);
        assert_eq!(types.checked.keys().collect::<Vec<_>>(), ["A"]);
        assert_eq!(types.public["A"].lines, ["One.", FORMULA]);
        assert!(types.public["B"].lines.is_empty());
        assert_eq!(types.public["A"].place, "a.rs:5: `A`");
    }

    #[test]
    fn a_type_without_a_definition_is_reported() {
        let mut types = Types::default();
        collect(
            "a.rs",
            "impl Scheme for A {}\npub(super) struct B;\nimpl Scheme for B {}",
            &mut types,
        );
        let found: Vec<_> = types.complaints().collect();
        assert!(found.len() == 1 && found[0].starts_with("a.rs:1: `A`"), "{found:?}");
    }
}
