use std::fmt;
use std::ops::Range;

/// What an [`EquationError`] is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// Character that does not belong to the language.
    Character,
    /// Number that cannot be read, or is too large or too small.
    Number,
    /// Text that is no statement or no expression.
    Syntax,
    /// Text that can be read in two ways.
    Ambiguous,
    /// Name without a meaning.
    UnknownName,
    /// Name or statement that is given twice.
    Duplicate,
    /// Name that has a meaning of its own.
    Reserved,
    /// Definitions that need each other.
    Cycle,
    /// Missing or superfluous initial value or history.
    InitialValue,
    /// Order of a derivative.
    Order,
    /// Delay or lagged state.
    Delay,
    /// Noise, differential or correlation.
    Noise,
    /// Event.
    Event,
    /// Range of a parameter, or interval of time.
    Range,
    /// Value that does not exist, such as `1/0`.
    Value,
    /// File that cannot be read.
    File,
    /// Size that is above a limit.
    Limit,
    /// Part of the language that does not exist yet.
    Unsupported,
}

/// Error in the text of an equation: what is wrong, where, and what to write instead.
///
/// ```
/// use hpfracc_equation::{Equation, ErrorKind};
///
/// let error = Equation::parse("x' = -rat x; rate = 2; x(0) = 1").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::UnknownName);
/// assert_eq!(error.range(), 6..9);
/// assert_eq!(error.help(), "did you mean `rate`?");
/// assert_eq!(
///     error.to_string(),
///     "line 1, column 7: unknown name `rat`\n  x' = -rat x; rate = 2; x(0) = 1\n        ^^^ did you mean `rate`?"
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EquationError {
    kind: ErrorKind,
    range: Range<usize>,
    line: usize,
    column: usize,
    what: String,
    help: String,
    picture: String,
}

impl EquationError {
    /// What the error is about.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Place in the text, in bytes.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Line, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Column in characters, from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// What is wrong, without the place.
    pub fn message(&self) -> &str {
        &self.what
    }

    /// What to write instead; empty if nothing is suggested.
    pub fn help(&self) -> &str {
        &self.help
    }
}

impl fmt::Display for EquationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}\n{}", self.line, self.column, self.what, self.picture)
    }
}

impl std::error::Error for EquationError {}

/// Error before its place is known as line and column.
#[derive(Debug)]
pub(crate) struct Problem {
    kind: ErrorKind,
    at: Range<usize>,
    what: String,
    help: String,
}

/// Result of a part of the parser.
pub(crate) type Parsed<T> = Result<T, Box<Problem>>;

/// Error without a hint.
pub(crate) fn problem(kind: ErrorKind, at: Range<usize>, what: impl Into<String>) -> Box<Problem> {
    Box::new(Problem { kind, at, what: what.into(), help: String::new() })
}

impl Problem {
    /// Adds what to write instead.
    pub(crate) fn help(mut self: Box<Self>, help: impl Into<String>) -> Box<Self> {
        self.help = help.into();
        self
    }

    /// Error with the lines of the text.
    pub(crate) fn in_text(self, text: &str) -> EquationError {
        let start = floor_boundary(text, self.at.start);
        let end = floor_boundary(text, self.at.end).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |k| k + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |k| start + k);
        let line = &text[line_start..line_end];
        let before = text[line_start..start].chars().count();
        let marked = text[start..end.min(line_end)].chars().count();
        EquationError {
            kind: self.kind,
            range: start..end,
            line: text[..start].bytes().filter(|byte| *byte == b'\n').count() + 1,
            column: before + 1,
            picture: picture(line, before, marked.max(1), &self.help),
            what: self.what,
            help: self.help,
        }
    }
}

fn floor_boundary(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The line, or the part of a long one around the mark, with carets under the marked characters.
fn picture(line: &str, before: usize, marked: usize, help: &str) -> String {
    const AROUND: usize = 48;
    let skipped = before.saturating_sub(AROUND);
    let marked = marked.min(AROUND);
    let shown = line.trim_end().chars().skip(skipped).take(before - skipped + marked + AROUND);
    let shown: String =
        shown.map(|c| if c.is_control() || c == '\u{feff}' { ' ' } else { c }).collect();
    let cut = if skipped > 0 { "..." } else { "" };
    let indent = " ".repeat(before - skipped + cut.len());
    let picture = format!("  {cut}{shown}\n  {indent}{} {help}", "^".repeat(marked));
    picture.trim_end().to_string()
}
