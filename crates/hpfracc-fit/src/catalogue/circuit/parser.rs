use super::super::CatalogueError;
use super::elements::{Element, KINDS};

/// Deepest nesting of brackets.
const DEEPEST: usize = 50;

/// Circuit of two poles.
pub(super) enum Circuit {
    Element(Element),
    Series(Vec<Circuit>),
    Parallel(Vec<Circuit>),
}

/// Reads a circuit.
pub(super) fn read(text: &str) -> Result<Circuit, CatalogueError> {
    let mut parser = Parser { text, at: 0, depth: 0, names: vec![] };
    let circuit = parser.series()?;
    match parser.peek() {
        None => Ok(circuit),
        Some(')') => Err(parser.error(parser.at, "a bracket that was not opened", "leave it out")),
        Some(',') => Err(parser.error(
            parser.at,
            "a comma outside of brackets",
            "elements in parallel are `p(R1,C1)`, in series `R1-C1`",
        )),
        Some(_) => Err(parser.error(parser.at, "expected `-` or the end", "")),
    }
}

struct Parser<'a> {
    text: &'a str,
    /// Byte of the next character.
    at: usize,
    depth: usize,
    names: Vec<String>,
}

impl Parser<'_> {
    /// Next character that is no space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn take(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.at += expected.len_utf8();
        }
        found
    }

    /// Characters that a condition accepts.
    fn run(&mut self, accept: fn(char) -> bool) -> &str {
        let rest = &self.text[self.at..];
        let end = rest.find(|c| !accept(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn error(&self, at: usize, what: &str, help: &str) -> CatalogueError {
        CatalogueError::Text {
            text: self.text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect(),
            column: self.text[..at].chars().count() + 1,
            what: what.to_owned(),
            help: help.to_owned(),
        }
    }

    /// `R0-C1`
    fn series(&mut self) -> Result<Circuit, CatalogueError> {
        let mut parts = vec![self.part()?];
        while self.take('-') {
            parts.push(self.part()?);
        }
        Ok(match parts.pop() {
            Some(part) if parts.is_empty() => part,
            last => Circuit::Series(parts.into_iter().chain(last).collect()),
        })
    }

    /// An element or `p(...)`.
    fn part(&mut self) -> Result<Circuit, CatalogueError> {
        self.peek();
        let start = self.at;
        let letters = self.run(|c| c.is_alphabetic()).to_owned();
        if letters == "p" && self.peek() == Some('(') {
            return self.parallel(start);
        }
        if letters.is_empty() {
            let what =
                if start == self.text.len() { "the circuit ends here" } else { "no element" };
            return Err(self.error(start, what, "write an element, such as `R1`, or `p(R1,C1)`"));
        }
        let Some(kind) = KINDS.iter().find(|kind| kind.name == letters) else {
            let known: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
            let help = format!("known are {} and `p(...)`", known.join(", "));
            return Err(self.error(start, &format!("unknown element `{letters}`"), &help));
        };
        let number = self.run(|c| c.is_ascii_digit()).to_owned();
        if number.is_empty() {
            let what = format!("the element `{letters}` has no number");
            return Err(self.error(start, &what, &format!("write `{letters}1`")));
        }
        let name = format!("{letters}{number}");
        if self.names.contains(&name) {
            let what = format!("the element `{name}` comes twice");
            return Err(self.error(start, &what, "give every element a number of its own"));
        }
        self.names.push(name);
        Ok(Circuit::Element(Element { kind, number }))
    }

    /// `(R1,C1)`, at the bracket.
    fn parallel(&mut self, start: usize) -> Result<Circuit, CatalogueError> {
        self.take('(');
        self.depth += 1;
        if self.depth > DEEPEST {
            let what = format!("brackets nested more than {DEEPEST} deep");
            return Err(self.error(start, &what, ""));
        }
        let mut parts = vec![self.series()?];
        while self.take(',') {
            parts.push(self.series()?);
        }
        if !self.take(')') {
            let what = "this bracket is not closed";
            return Err(self.error(start, what, "write `p(R1,C1)`"));
        }
        self.depth -= 1;
        if parts.len() == 1 {
            let what = "one part in parallel with nothing";
            return Err(self.error(start, what, "write `p(R1,C1)`, or leave `p( )` away"));
        }
        Ok(Circuit::Parallel(parts))
    }
}
