//! Text to tokens.

use super::characters::{greek, lookalike, subscript, superscript};
use super::error::{ErrorKind, Parsed, Problem, problem};
use crate::graph::ShortKeys;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// Number of a name among [`Names`].
pub(crate) type NameId = u32;

/// Kind of a token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Number(f64),
    Name(NameId),
    /// Primes after a name, by their number.
    Primes(u32),
    Plus,
    Minus,
    Times,
    Divide,
    Power,
    /// `∘`
    Ring,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    NotEqual,
    Equal,
    Open,
    Close,
    OpenSquare,
    CloseSquare,
    Comma,
    Colon,
    /// `->`
    Arrow,
    Bar,
    /// Text in quotation marks.
    Quoted,
    /// Character without a meaning, in square brackets only: it may belong to a unit.
    Unknown,
    /// End of a statement.
    End,
}

/// Token with its place in the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether a space precedes it.
    pub(crate) space: bool,
}

impl Token {
    pub(crate) fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// Names that occur in a text, numbered.
#[derive(Debug, Default)]
pub(crate) struct Names {
    names: Vec<Rc<str>>,
    known: HashMap<Rc<str>, NameId, ShortKeys>,
}

impl Names {
    /// Names with memory for this number of them.
    fn with_capacity(names: usize) -> Self {
        let known = HashMap::with_capacity_and_hasher(names, ShortKeys::default());
        Self { names: Vec::with_capacity(names), known }
    }

    /// Number of a name, which is new or known.
    pub(crate) fn number(&mut self, name: &str) -> NameId {
        if let Some(id) = self.known.get(name) {
            return *id;
        }
        let id = self.names.len() as NameId;
        let name: Rc<str> = name.into();
        self.names.push(Rc::clone(&name));
        self.known.insert(name, id);
        id
    }

    /// Number of a known name.
    pub(crate) fn find(&self, name: &str) -> Option<NameId> {
        self.known.get(name).copied()
    }

    /// Name of this number.
    pub(crate) fn name(&self, id: NameId) -> &str {
        &self.names[id as usize]
    }

    /// Name of this number, to keep while names are added.
    pub(crate) fn kept(&self, id: NameId) -> Rc<str> {
        Rc::clone(&self.names[id as usize])
    }
}

/// Tokens of a text, of which each statement ends with [`Kind::End`], and their names.
pub(crate) fn tokens(text: &str) -> Parsed<(Vec<Token>, Names)> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    // Most tokens are a few bytes and a space, and most names come more than once.
    let tokens = Vec::with_capacity(text.len() / 3);
    let names = Names::with_capacity(text.len() / 16);
    let mut lexer = Lexer { text, names, at: start, tokens, open: vec![], space: false };
    while lexer.at < text.len() {
        lexer.token()?;
    }
    lexer.end_statement(text.len(), text.len())?;
    Ok((lexer.tokens, lexer.names))
}

struct Lexer<'a> {
    text: &'a str,
    names: Names,
    at: usize,
    tokens: Vec<Token>,
    /// Brackets that are open: where, and whether they are square.
    open: Vec<(usize, bool)>,
    space: bool,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !accept(c)).unwrap_or(rest.len());
    }

    fn push(&mut self, kind: Kind, start: usize) {
        self.tokens.push(Token { kind, start, end: self.at, space: self.space });
        self.space = false;
    }

    fn token(&mut self) -> Parsed<()> {
        let start = self.at;
        let Some(c) = self.peek() else { return Ok(()) };
        match c {
            ' ' => {
                self.at += 1;
                self.space = true;
            }
            '\n' => {
                self.at += 1;
                self.space = true;
                if self.open.is_empty() && !self.continues() {
                    self.end_statement(start, self.at)?;
                }
            }
            '#' => {
                let rest = self.rest();
                self.at += rest.find('\n').unwrap_or(rest.len());
            }
            _ if c.is_whitespace() => {
                self.at += c.len_utf8();
                self.space = true;
            }
            ';' => {
                self.at += 1;
                self.end_statement(start, self.at)?;
            }
            '0'..='9' | '.' => self.number()?,
            _ if is_name_start(c) => self.name(),
            '"' => self.quoted()?,
            _ if superscript(c).is_some() => self.superscripts()?,
            _ => self.sign(c)?,
        }
        Ok(())
    }

    /// Whether the line so far cannot end a statement.
    fn continues(&self) -> bool {
        use Kind::*;
        self.tokens.last().is_some_and(|token| {
            let relation = matches!(
                token.kind,
                Less | LessOrEqual | Greater | GreaterOrEqual | NotEqual | Equal
            );
            relation
                || matches!(
                    token.kind,
                    Plus | Minus | Times | Divide | Power | Ring | Comma | Colon | Arrow
                )
        })
    }

    fn end_statement(&mut self, start: usize, end: usize) -> Parsed<()> {
        if let Some((at, square)) = self.open.last() {
            let bracket = if *square { '[' } else { '(' };
            let what = format!("`{bracket}` is not closed");
            return Err(problem(ErrorKind::Syntax, *at..at + 1, what));
        }
        if self.tokens.last().is_some_and(|token| token.kind != Kind::End) {
            self.tokens.push(Token { kind: Kind::End, start, end, space: true });
        }
        self.space = true;
        Ok(())
    }

    fn number(&mut self) -> Parsed<()> {
        let start = self.at;
        self.take_while(|c| c.is_ascii_digit() || c == '.');
        let mut signs = self.rest().chars().skip(1);
        let exponent = match (self.peek(), signs.next()) {
            (Some('e' | 'E'), Some('0'..='9')) => true,
            (Some('e' | 'E'), Some('+' | '-')) => signs.next().is_some_and(|c| c.is_ascii_digit()),
            _ => false,
        };
        if exponent {
            self.at += 2;
            self.take_while(|c| c.is_ascii_digit());
        }
        let text = &self.text[start..self.at];
        let error = |what| Err(problem(ErrorKind::Number, start..self.at, what));
        let Ok(value) = text.parse::<f64>() else {
            return error(format!("`{}` is no number", clipped(text)));
        };
        if value.is_infinite() {
            return error(format!("`{}` is above the largest number, 1.8e308", clipped(text)));
        }
        let mantissa = text.split(['e', 'E']).next().unwrap_or(text);
        if value == 0.0 && mantissa.contains(|c: char| matches!(c, '1'..='9')) {
            return error(format!("`{}` is below the smallest number, 4.9e-324", clipped(text)));
        }
        if self.peek() == Some('_') {
            return Err(problem(ErrorKind::Number, start..self.at + 1, "`_` after a number")
                .help("write the digits without `_`"));
        }
        self.push(Kind::Number(value), start);
        Ok(())
    }

    fn name(&mut self) {
        let start = self.at;
        let ascii = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        self.at += self.rest().bytes().take_while(ascii).count();
        if self.peek().is_some_and(|c| !c.is_ascii()) {
            self.take_while(|c| is_name_start(c) || c.is_ascii_digit() || subscript(c).is_some());
        }
        let text = &self.text[start..self.at];
        let id = if text.is_ascii() {
            self.names.number(text)
        } else {
            let mut name = String::new();
            for c in text.chars() {
                match (greek(c), subscript(c)) {
                    (Some(letter), _) => name.push_str(letter),
                    (None, digit) => name.push(digit.unwrap_or(c)),
                }
            }
            self.names.number(&name)
        };
        self.push(Kind::Name(id), start);
        let start = self.at;
        self.take_while(|c| matches!(c, '\'' | '′' | '’'));
        if self.at > start {
            let primes = self.text[start..self.at].chars().count();
            self.push(Kind::Primes(primes as u32), start);
        }
    }

    fn quoted(&mut self) -> Parsed<()> {
        let start = self.at;
        self.at += 1;
        self.take_while(|c| c != '"' && c != '\n');
        if self.peek() != Some('"') {
            return Err(problem(ErrorKind::Syntax, start..start + 1, "`\"` is not closed"));
        }
        self.at += 1;
        self.push(Kind::Quoted, start);
        Ok(())
    }

    /// Superscript digits: a power.
    fn superscripts(&mut self) -> Parsed<()> {
        let start = self.at;
        self.take_while(|c| superscript(c).is_some());
        let text = &self.text[start..self.at];
        let digits: String = text.chars().filter_map(superscript).collect();
        let number = digits.trim_start_matches('-');
        let signs = digits.len() - number.len();
        let (Ok(value), true) = (number.parse::<f64>(), signs <= 1 && !number.contains('-')) else {
            let what = format!("`{}` is no power", clipped(text));
            return Err(problem(ErrorKind::Number, start..self.at, what));
        };
        self.push(Kind::Power, start);
        if signs == 1 {
            self.push(Kind::Minus, start);
        }
        self.push(Kind::Number(value), start);
        Ok(())
    }

    fn sign(&mut self, c: char) -> Parsed<()> {
        let start = self.at;
        self.at += c.len_utf8();
        let equal = matches!(c, '<' | '>' | '!') && self.peek() == Some('=');
        let arrow = c == '-' && self.peek() == Some('>');
        let kind = match (c, equal) {
            _ if arrow => Kind::Arrow,
            ('→', _) => Kind::Arrow,
            ('+', _) => Kind::Plus,
            ('-' | '−' | '–', _) => Kind::Minus,
            ('*' | '·' | '×' | '⋅', _) => Kind::Times,
            ('/', _) => Kind::Divide,
            ('^', _) => Kind::Power,
            ('∘', _) => Kind::Ring,
            ('<', true) | ('≤', _) => Kind::LessOrEqual,
            ('<', false) => Kind::Less,
            ('>', true) | ('≥', _) => Kind::GreaterOrEqual,
            ('>', false) => Kind::Greater,
            ('!', true) | ('≠', _) => Kind::NotEqual,
            ('=', _) => Kind::Equal,
            ('(', _) => Kind::Open,
            (')', _) => Kind::Close,
            ('[', _) => Kind::OpenSquare,
            (']', _) => Kind::CloseSquare,
            (',', _) => Kind::Comma,
            (':', _) => Kind::Colon,
            ('|', _) => Kind::Bar,
            _ if self.open.last().is_some_and(|(_, square)| *square) => Kind::Unknown,
            _ => return Err(unknown_character(c, start)),
        };
        self.at += usize::from(equal || arrow);
        self.bracket(kind, start)?;
        self.push(kind, start);
        Ok(())
    }

    /// Keeps count of open brackets. Ranges may mix both kinds: `(0, 1]`.
    fn bracket(&mut self, kind: Kind, start: usize) -> Parsed<()> {
        match kind {
            Kind::Open | Kind::OpenSquare => self.open.push((start, kind == Kind::OpenSquare)),
            Kind::Close | Kind::CloseSquare if self.open.pop().is_none() => {
                let what = format!("`{}` without an opening bracket", &self.text[start..self.at]);
                return Err(problem(ErrorKind::Syntax, start..self.at, what));
            }
            _ => {}
        }
        Ok(())
    }
}

fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || greek(c).is_some_and(|name| !name.is_empty())
}

/// Error of a character that means nothing.
pub(crate) fn unknown_character(c: char, start: usize) -> Box<Problem> {
    let code = c as u32;
    let invisible = matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    let what = if c.is_control() || c.is_whitespace() || invisible {
        format!("the character U+{code:04X} has no meaning")
    } else {
        format!("the character `{c}` (U+{code:04X}) has no meaning")
    };
    let error = problem(ErrorKind::Character, start..start + c.len_utf8(), what);
    match (lookalike(c), c) {
        (Some(latin), _) => error.help(format!("it looks like the Latin letter `{latin}`")),
        (None, '÷') => error.help("write `/`"),
        (None, '{' | '}') => error.help("write `(` and `)`"),
        _ => error,
    }
}

/// Text of at most 40 characters.
pub(crate) fn clipped(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut clipped: String = text.chars().take(LONGEST).collect();
    if clipped.len() < text.len() {
        clipped.push_str("...");
    }
    clipped
}
