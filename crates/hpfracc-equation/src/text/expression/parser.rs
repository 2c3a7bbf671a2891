//! Expressions: a Pratt parser that adds nodes to the graph as it reads.

use super::builder::{Builder, Uses};
use super::draft::{Component, Draft};
use super::scope::{Meaning, Scope};
use crate::graph::{Binary, Id, Unary};
use crate::text::syntax::{
    ErrorKind, Files, Kind, NameId, Names, Parsed, Problem, Token, clipped, problem,
};
use std::ops::Range;

/// How strongly operators bind.
pub(crate) mod binding {
    pub(crate) const OR: u8 = 1;
    pub(crate) const AND: u8 = 2;
    pub(crate) const NOT: u8 = 3;
    pub(crate) const COMPARISON: u8 = 4;
    pub(crate) const SUM: u8 = 5;
    pub(crate) const PRODUCT: u8 = 6;
    pub(crate) const PREFIX: u8 = 7;
    pub(crate) const POWER: u8 = 8;
    pub(crate) const ATOM: u8 = 9;
}

/// Deepest nesting of an expression.
const DEEPEST: usize = 200;
/// Largest whole power that is written out as products.
pub(crate) const LARGEST_POWER: f64 = 1e6;

/// State of the parser.
pub(crate) struct Parser<'a> {
    pub(crate) text: &'a str,
    pub(crate) files: &'a dyn Files,
    pub(crate) tokens: Vec<Token>,
    pub(crate) names: Names,
    pub(crate) scope: Scope,
    pub(crate) builder: Builder,
    pub(crate) draft: Draft,
    /// Index of the next token.
    pub(crate) at: usize,
    /// Component of a vector statement.
    pub(crate) component: Option<Component>,
    /// In `div`: the gradients met, with what they are of.
    pub(crate) fluxes: Option<Vec<(Id, Id)>>,
    depth: usize,
    /// Open brackets: in them `=` is a comparison.
    brackets: usize,
}

#[derive(Clone, Copy)]
enum Infix {
    Or,
    And,
    Comparison(Kind),
    Add,
    Subtract,
    Times,
    Divide,
    Juxtaposed,
    Stratonovich,
    Power,
}

impl<'a> Parser<'a> {
    /// Parser of these tokens.
    pub(crate) fn new(
        text: &'a str,
        files: &'a dyn Files,
        tokens: Vec<Token>,
        names: Names,
    ) -> Self {
        // Two tokens are a node or less.
        let builder = Builder::with_capacity(tokens.len() / 2);
        Self {
            text,
            files,
            tokens,
            names,
            scope: Scope::default(),
            builder,
            draft: Draft::default(),
            at: 0,
            component: None,
            fluxes: None,
            depth: 0,
            brackets: 0,
        }
    }

    /// Next token.
    pub(crate) fn peek(&self) -> Token {
        self.token(self.at)
    }

    /// Token of an index; past the end, the last one.
    pub(crate) fn token(&self, k: usize) -> Token {
        let end = Token { kind: Kind::End, start: 0, end: 0, space: false };
        self.tokens.get(k).or(self.tokens.last()).copied().unwrap_or(end)
    }

    /// Takes the next token.
    pub(crate) fn next(&mut self) -> Token {
        let token = self.peek();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    /// Takes the next token if it is of a kind.
    pub(crate) fn take(&mut self, kind: Kind) -> bool {
        let found = self.peek().kind == kind;
        if found {
            self.at += 1;
        }
        found
    }

    /// Takes a token that has to be there.
    pub(crate) fn expect(&mut self, kind: Kind, what: &str) -> Parsed<Token> {
        let token = self.peek();
        if !self.take(kind) {
            return Err(self.expected(what));
        }
        Ok(token)
    }

    /// Error at the next token.
    pub(crate) fn expected(&self, what: &str) -> Box<Problem> {
        let token = self.peek();
        let found = if token.kind == Kind::End {
            "the end of the statement".to_string()
        } else {
            format!("`{}`", clipped(&self.text[token.range()]))
        };
        problem(ErrorKind::Syntax, token.range(), format!("expected {what}, found {found}"))
    }

    /// Range from a place to the end of the last token.
    pub(crate) fn since(&self, start: usize) -> Range<usize> {
        let end = self.at.checked_sub(1).map_or(start, |k| self.token(k).end);
        start..end.max(start)
    }

    /// Whether the next token is this word.
    pub(crate) fn is_word(&self, k: usize, word: &str) -> bool {
        matches!(self.token(k).kind, Kind::Name(id) if self.names.name(id) == word)
    }

    /// Meaning of a name.
    pub(crate) fn meaning(&mut self, id: NameId) -> Meaning {
        self.scope.meaning(id, &self.names)
    }

    /// Whole expression: sums and what binds more strongly; comparisons in brackets only.
    pub(crate) fn expression(&mut self) -> Parsed<Id> {
        (self.depth, self.brackets) = (0, 0);
        self.operand(binding::SUM)
    }

    /// Order of a derivative, after `D^`: a number, a name or a bracket.
    pub(crate) fn exponent_of_derivative(&mut self) -> Parsed<Id> {
        self.operand(binding::ATOM)
    }

    /// Expression in brackets, where comparisons may stand.
    pub(crate) fn bracketed(&mut self) -> Parsed<Id> {
        self.brackets += 1;
        let inner = self.operand(binding::OR)?;
        self.brackets -= 1;
        Ok(inner)
    }

    fn operand(&mut self, least: u8) -> Parsed<Id> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let what = format!("nested more than {DEEPEST} deep");
            return Err(problem(ErrorKind::Limit, self.peek().range(), what)
                .help("give parts of it names of their own"));
        }
        let start = self.peek().start;
        let mut left = self.prefix()?;
        // Numerator and divisor, if the last factor was divided by something that is no number.
        let mut divided: Option<[Range<usize>; 2]> = None;
        let mut compared = false;
        while let Some((infix, strength)) = self.infix()? {
            if strength < least {
                break;
            }
            let numerator = self.since(start);
            let juxtaposed = matches!(infix, Infix::Juxtaposed | Infix::Stratonovich);
            if let (true, Some(division)) = (juxtaposed, &divided) {
                return Err(self.two_readings(division.clone()));
            }
            if !matches!(infix, Infix::Juxtaposed) {
                self.at += 1;
            }
            if let Infix::Comparison(_) = infix {
                if compared {
                    return Err(self.chained(start));
                }
                compared = true;
            }
            let (first, number) = (self.at, matches!(self.peek().kind, Kind::Number(_)));
            let right_start = self.peek().start;
            let right = match infix {
                Infix::Power => self.operand(binding::PREFIX)?,
                Infix::Stratonovich => self.stratonovich()?,
                _ => self.operand(strength + 1)?,
            };
            let literal = number && self.at == first + 1;
            divided = match infix {
                Infix::Divide if !literal => Some([numerator, self.since(right_start)]),
                _ => None,
            };
            left = self.combine(infix, left, right, self.since(start))?;
        }
        self.depth -= 1;
        Ok(left)
    }

    /// Operator that follows, with its strength.
    fn infix(&mut self) -> Parsed<Option<(Infix, u8)>> {
        let token = self.peek();
        let found = match token.kind {
            Kind::Plus => (Infix::Add, binding::SUM),
            Kind::Minus => (Infix::Subtract, binding::SUM),
            Kind::Times => (Infix::Times, binding::PRODUCT),
            Kind::Divide => (Infix::Divide, binding::PRODUCT),
            Kind::Power => (Infix::Power, binding::POWER),
            Kind::Ring => (Infix::Stratonovich, binding::PRODUCT),
            Kind::Equal if self.brackets == 0 => return Ok(None),
            Kind::Less
            | Kind::LessOrEqual
            | Kind::Greater
            | Kind::GreaterOrEqual
            | Kind::NotEqual
            | Kind::Equal => (Infix::Comparison(token.kind), binding::COMPARISON),
            Kind::Open => (Infix::Juxtaposed, binding::PRODUCT),
            Kind::Name(id) => match self.names.name(id) {
                "or" => (Infix::Or, binding::OR),
                "and" => (Infix::And, binding::AND),
                "o" => (Infix::Stratonovich, binding::PRODUCT),
                "in" | "for" | "rising" | "falling" => return Ok(None),
                _ => (Infix::Juxtaposed, binding::PRODUCT),
            },
            Kind::Number(_) => {
                let number = &self.text[token.range()];
                return Err(problem(
                    ErrorKind::Syntax,
                    token.range(),
                    "a number cannot follow a factor",
                )
                .help(format!("for a product write `*{number}`")));
            }
            _ => return Ok(None),
        };
        Ok(Some(found))
    }

    /// `a / b c`, at c.
    fn two_readings(&mut self, [numerator, divisor]: [Range<usize>; 2]) -> Box<Problem> {
        let start = self.peek().start;
        let read = if self.take(Kind::Ring) || self.is_word(self.at, "o") {
            Ok(())
        } else {
            self.operand(binding::PREFIX).map(|_| ())
        };
        if let Err(error) = read {
            return error;
        }
        let words = |range: Range<usize>| {
            clipped(&self.text[range].split_whitespace().collect::<Vec<_>>().join(" "))
        };
        let end = self.since(start);
        let (a, b, c) = (words(numerator.clone()), words(divisor), words(end.clone()));
        problem(
            ErrorKind::Ambiguous,
            numerator.start..end.end,
            format!("`{a}/{b} {c}` can be read in two ways"),
        )
        .help(format!("write `{a}/({b} {c})` or `({a}/{b}) {c}`"))
    }

    fn chained(&self, start: usize) -> Box<Problem> {
        problem(ErrorKind::Ambiguous, self.since(start), "two comparisons in a row")
            .help("write `a < b and b < c`")
    }

    fn prefix(&mut self) -> Parsed<Id> {
        let token = self.peek();
        match token.kind {
            Kind::Number(value) => {
                self.at += 1;
                Ok(self.builder.constant(value))
            }
            Kind::Minus => self.minus(),
            Kind::Open if self.is_power_of_laplacian() => self.power_of_laplacian(),
            Kind::Open => {
                self.at += 1;
                let inner = self.bracketed()?;
                self.expect(Kind::Close, "`)`")?;
                Ok(inner)
            }
            Kind::OpenSquare => self.vector_literal(),
            Kind::Ring => {
                self.at += 1;
                self.stratonovich()
            }
            Kind::Name(id) => {
                self.at += 1;
                match self.names.name(id) {
                    "not" => self.not(token),
                    "o" => self.stratonovich(),
                    _ => self.name(id, token),
                }
            }
            Kind::Bar => Err(problem(ErrorKind::Syntax, token.range(), "`|` has no meaning")
                .help("for the absolute value write `abs(x)`")),
            _ => Err(self.expected("a number, a name or `(`")),
        }
    }

    /// `-x`; a number after the sign is a negative constant.
    fn minus(&mut self) -> Parsed<Id> {
        let start = self.next().start;
        let (first, number) = (self.at, matches!(self.peek().kind, Kind::Number(_)));
        let operand = self.operand(binding::PREFIX)?;
        if number && self.at == first + 1 {
            return self.builder.negated(operand, self.since(start));
        }
        self.builder.add(self.since(start), |graph| graph.unary(Unary::Negate, operand))
    }

    fn not(&mut self, token: Token) -> Parsed<Id> {
        let operand = self.operand(binding::COMPARISON)?;
        let at = self.since(token.start);
        self.check_condition(operand, "not", &at)?;
        let zero = self.builder.constant(0.0);
        self.builder.binary(Binary::Equal, operand, zero, at)
    }

    fn combine(&mut self, infix: Infix, a: Id, b: Id, at: Range<usize>) -> Parsed<Id> {
        let (operation, a, b) = match infix {
            Infix::Add => (Binary::Add, a, b),
            Infix::Subtract => (Binary::Subtract, a, b),
            Infix::Times | Infix::Juxtaposed | Infix::Stratonovich => (Binary::Multiply, a, b),
            Infix::Divide => (Binary::Divide, a, b),
            Infix::Power => return self.power(a, b, at),
            Infix::And | Infix::Or => {
                let is_and = matches!(infix, Infix::And);
                let word = if is_and { "and" } else { "or" };
                self.check_condition(a, word, &at)?;
                self.check_condition(b, word, &at)?;
                (if is_and { Binary::Minimum } else { Binary::Maximum }, a, b)
            }
            Infix::Comparison(kind) => match kind {
                Kind::Less => (Binary::Less, a, b),
                Kind::Greater => (Binary::Less, b, a),
                Kind::LessOrEqual => (Binary::LessOrEqual, a, b),
                Kind::GreaterOrEqual => (Binary::LessOrEqual, b, a),
                Kind::NotEqual => {
                    let equal = self.builder.binary(Binary::Equal, a, b, at.clone())?;
                    (Binary::Equal, equal, self.builder.constant(0.0))
                }
                _ => (Binary::Equal, a, b),
            },
        };
        self.builder.binary(operation, a, b, at)
    }

    fn check_condition(&self, id: Id, word: &str, at: &Range<usize>) -> Parsed<()> {
        if self.builder.facts(id).condition {
            return Ok(());
        }
        Err(problem(ErrorKind::Syntax, at.clone(), format!("`{word}` needs comparisons"))
            .help("such as `x < 1 and y > 0`"))
    }

    /// Whole constant powers are products, `x^(1/2)` is the square root.
    fn power(&mut self, a: Id, b: Id, at: Range<usize>) -> Parsed<Id> {
        let exponent = self.builder.facts(b);
        if !exponent.uses.none() {
            return self.builder.binary(Binary::Power, a, b, at);
        }
        let value = exponent.value;
        if value == 0.5 {
            return self.builder.add(at, |graph| graph.unary(Unary::SquareRoot, a));
        }
        if value != value.trunc() {
            return self.builder.binary(Binary::Power, a, b, at);
        }
        if value.abs() > LARGEST_POWER {
            let what = format!("the power {value} is above {LARGEST_POWER}");
            return Err(problem(ErrorKind::Limit, at, what)
                .help("whole powers are products: for a real power write `pow(x, y)`"));
        }
        if self.builder.facts(a).uses.any(Uses::INCREMENT) {
            let what = "a differential or noise can only be multiplied and added";
            return Err(problem(ErrorKind::Noise, at, what));
        }
        self.builder.add(at, |graph| graph.integer_power(a, value as i32))
    }
}
