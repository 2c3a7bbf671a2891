//! Equations of the literature, read from the text files of the folder `catalogue` at compile time.

use crate::{Equation, EquationError};
use std::str::Lines;
use std::sync::LazyLock;

/// Entry of the catalogue: the text of an equation, and what the comments at its head say.
///
/// ```text
/// hpfracc equation 1
/// # Title
/// # What it is, in one line or more.
/// # Source: author, journal, year, DOI
/// # Solve: pece, 1000 steps, grading 2
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Name of the file, without its ending.
    pub name: &'static str,
    /// Title.
    pub title: &'static str,
    /// Description: one or more sentences.
    pub about: String,
    /// Publications that the equation and its parameters are from.
    pub source: &'static str,
    /// Name of a scheme that suits the equation.
    pub scheme: &'static str,
    /// Number of steps, or of output intervals of a scheme with adaptive steps.
    pub steps: usize,
    /// Exponent of graded steps; 1 means equal steps.
    pub grading: f64,
    /// Text.
    pub text: &'static str,
}

impl Entry {
    /// Equation.
    ///
    /// # Errors
    /// Those of [`Equation::parse`]; the tests check that no entry has any.
    pub fn equation(&self) -> Result<Equation, EquationError> {
        Equation::parse(self.text)
    }

    /// Entry of a text with a complete header.
    fn parse(name: &'static str, text: &'static str) -> Option<Self> {
        let mut lines = text.lines();
        lines.next().filter(|line| *line == "hpfracc equation 1")?;
        let title = comment(&mut lines)?;
        let mut about = String::new();
        let source = loop {
            let line = comment(&mut lines)?;
            if let Some(source) = line.strip_prefix("Source: ") {
                break source;
            }
            if !about.is_empty() {
                about.push(' ');
            }
            about.push_str(line);
        };
        let Method { scheme, steps, grading } = Method::of_comment(comment(&mut lines)?)?;
        Some(Self { name, title, about, source, scheme, steps, grading, text })
    }
}

/// Method that a text recommends by a comment such as `# Solve: pece, 1000 steps, grading 2`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Method<'a> {
    /// Name of a scheme.
    pub scheme: &'a str,
    /// Number of steps, or of output intervals of a scheme with adaptive steps.
    pub steps: usize,
    /// Exponent of graded steps; 1 means equal steps.
    pub grading: f64,
}

impl<'a> Method<'a> {
    /// Method of the first such comment of a text; `None` without one.
    ///
    /// ```
    /// use hpfracc_equation::catalogue::Method;
    ///
    /// let text = "# Solve: l1, 500 steps, grading 2\nD^0.5 y = -y; y(0) = 1; t in [0, 1]";
    /// assert_eq!(Method::of_text(text), Some(Method { scheme: "l1", steps: 500, grading: 2.0 }));
    /// assert_eq!(Method::of_text("y' = -y; y(0) = 1"), None);
    /// ```
    pub fn of_text(text: &'a str) -> Option<Self> {
        text.lines().filter_map(|line| line.strip_prefix("# ")).find_map(Self::of_comment)
    }

    fn of_comment(comment: &'a str) -> Option<Self> {
        let mut solve = comment.strip_prefix("Solve: ")?.split(", ");
        let scheme = solve.next()?;
        let steps = solve.next()?.strip_suffix(" steps")?.parse().ok()?;
        let grading = match solve.next() {
            Some(grading) => grading.strip_prefix("grading ")?.parse().ok()?,
            None => 1.0,
        };
        Some(Self { scheme, steps, grading })
    }
}

/// Text of a line that is a comment.
fn comment(lines: &mut Lines<'static>) -> Option<&'static str> {
    lines.next()?.strip_prefix("# ")
}

/// Names and texts of the files.
macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../catalogue/", $name, ".eq")))),+]
    };
}

/// All files, by name.
const FILES: &[(&str, &str)] = &files![
    "arneodo",
    "atangana-baleanu-lorenz",
    "atangana-baleanu-relaxation",
    "bagley-torvik",
    "bagley-torvik-linear",
    "basset",
    "bouncing-ball",
    "brownian-motion",
    "brusselator",
    "caputo-fabrizio-relaxation",
    "caputo-ornstein-uhlenbeck",
    "cellular-neural-network",
    "chemical-langevin",
    "chen",
    "chua",
    "compound-poisson",
    "covid-19",
    "cox-ingersoll-ross",
    "delay-logistic",
    "delay-quadratic",
    "diethelm-ford-freed",
    "duffing",
    "ebola",
    "enzyme-kinetics",
    "financial",
    "fitzhugh-nagumo",
    "fitzhugh-rinzel",
    "fractional-brownian-motion",
    "fractional-langevin",
    "fractional-ornstein-uhlenbeck",
    "genesio-tesi",
    "geometric-brownian",
    "glucose-insulin",
    "half-derivative-oscillator",
    "hindmarsh-rose",
    "hires",
    "hiv",
    "hodgkin-huxley",
    "ikeda",
    "inertial-langevin",
    "integrate-and-fire",
    "kuramoto",
    "liu",
    "lorenz",
    "lorenz-84",
    "lotka-volterra",
    "lu",
    "mackey-glass",
    "memristor",
    "morris-lecar",
    "newton-leipnik",
    "nuclear-reactor",
    "oregonator",
    "ornstein-uhlenbeck",
    "oscillator",
    "pine-wilt",
    "predator-prey",
    "qi",
    "quadratic-test",
    "rabinovich-fabrikant",
    "relaxation",
    "riemann-liouville-brownian-motion",
    "riemann-liouville-step",
    "robertson",
    "rossler",
    "rough-bergomi",
    "rough-heston",
    "seir",
    "sir",
    "sprott-jerk",
    "stable-levy-motion",
    "stochastic-lorenz",
    "thomas",
    "tumour-immune",
    "van-der-pol",
    "volta"
];

/// All entries, by name.
///
/// ```
/// use hpfracc_equation::catalogue;
///
/// for entry in catalogue::ENTRIES.iter() {
///     assert!(!entry.equation()?.states().is_empty(), "{}", entry.name);
/// }
/// # Ok::<(), hpfracc_equation::EquationError>(())
/// ```
pub static ENTRIES: LazyLock<Vec<Entry>> =
    LazyLock::new(|| FILES.iter().filter_map(|(name, text)| Entry::parse(name, text)).collect());

/// Entry of this name.
///
/// ```
/// use hpfracc_equation::catalogue;
///
/// let lorenz = catalogue::named("lorenz").unwrap();
/// assert_eq!((lorenz.title, lorenz.scheme, lorenz.steps), ("Lorenz system", "pece", 10_000));
/// assert_eq!(lorenz.equation()?.parameter("rho").unwrap().value(), 28.0);
/// # Ok::<(), hpfracc_equation::EquationError>(())
/// ```
pub fn named(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_header_is_complete() {
        for (name, text) in FILES {
            assert!(Entry::parse(name, text).is_some(), "{name}");
        }
    }

    #[test]
    fn incomplete_headers_are_refused() {
        let whole = "hpfracc equation 1\n# Title\n# About.\n# More.\n# Source: S\n# Solve: l1, 30 steps, grading 2";
        let entry =
            Entry::parse("x", whole).map(|e| (e.about, e.source, e.scheme, e.steps, e.grading));
        assert_eq!(entry, Some(("About. More.".into(), "S", "l1", 30, 2.0)));
        for wrong in [
            "",
            "# Title",
            "hpfracc equation 1\n# Title\n# About.\n# Solve: l1, 30 steps",
            "hpfracc equation 1\n# Title\n# About.\n# Source: S\nx' = 1",
            "hpfracc equation 1\n# Title\n# About.\n# Source: S\n# Solve: l1",
            "hpfracc equation 1\n# Title\n# About.\n# Source: S\n# Solve: l1, many steps",
            "hpfracc equation 1\n# Title\n# About.\n# Source: S\n# Solve: l1, 9 steps, graded",
        ] {
            assert_eq!(Entry::parse("x", wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_list_has_every_file() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/catalogue");
        let name = |path: std::path::PathBuf| {
            path.file_name()?.to_str()?.strip_suffix(".eq").map(String::from)
        };
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<String> = files.map(|path| name(path).unwrap()).collect();
        files.sort();
        let names: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, files);
    }
}
