//! Definitions `name = expression`: parameters with ranges and units, and auxiliary quantities, in
//! the order in which they need each other.

use super::expression::{DefinitionDraft, Leaf, Meaning, Parser, Uses};
use super::syntax::{ErrorKind, Kind, Parsed, Problem, problem};
use crate::equation::{Parameter, Range, Symbol};

/// Names that begin with it abbreviate a part of an expression and are no quantity of the equation.
pub(crate) const ABBREVIATION: char = '_';

#[derive(Clone, Copy, PartialEq)]
enum Progress {
    New,
    Open,
    Done,
}

impl Parser<'_> {
    /// Reads all definitions.
    pub(crate) fn read_definitions(&mut self) -> Parsed<()> {
        let count = self.draft.definitions.len();
        self.builder.parameters = vec![f64::NAN; count];
        let read = |definition: &DefinitionDraft| match definition.value {
            Some(_) => Progress::Done,
            None => Progress::New,
        };
        let mut progress: Vec<Progress> = self.draft.definitions.iter().map(read).collect();
        let mut open = vec![];
        for start in 0..count {
            if progress[start] == Progress::New {
                progress[start] = Progress::Open;
                open.push((start, self.draft.definitions[start].first));
                self.read_open(&mut open, &mut progress)?;
            }
        }
        Ok(())
    }

    /// Reads the open definitions, depth first: a stack of them with the next token of each.
    fn read_open(
        &mut self,
        open: &mut Vec<(usize, usize)>,
        progress: &mut [Progress],
    ) -> Parsed<()> {
        while let Some((k, token)) = open.pop() {
            if self.is_end_of_definition(k, token) {
                self.read_definition(k)?;
                progress[k] = Progress::Done;
                continue;
            }
            open.push((k, token + 1));
            let Some(needed) = self.needed_by(k, token) else { continue };
            match progress[needed] {
                Progress::Done => {}
                Progress::Open => return Err(self.cycle(open, needed)),
                Progress::New => {
                    progress[needed] = Progress::Open;
                    open.push((needed, self.draft.definitions[needed].first));
                }
            }
        }
        Ok(())
    }

    /// Whether the expression of the k-th definition ends before a token: a range, a unit or the end.
    fn is_end_of_definition(&self, k: usize, token: usize) -> bool {
        let vector = token == self.draft.definitions[k].first;
        match self.token(token).kind {
            Kind::End | Kind::Arrow => true,
            Kind::OpenSquare => !vector,
            _ => self.is_word(token, "in"),
        }
    }

    /// Definition that a token of the k-th one names.
    fn needed_by(&mut self, k: usize, token: usize) -> Option<usize> {
        let Kind::Name(id) = self.token(token).kind else { return None };
        match (self.meaning(id), self.draft.definitions[k].component) {
            (Meaning::Definition(needed), _) => Some(needed),
            (Meaning::Vector { first, count }, Some(component)) if component.count == count => {
                Some(first + component.index)
            }
            _ => None,
        }
    }

    fn cycle(&self, open: &[(usize, usize)], needed: usize) -> Box<Problem> {
        let name = |k: usize| self.names.name(self.draft.definitions[k].name);
        let first = open.iter().position(|(k, _)| *k == needed).unwrap_or(0);
        let mut names: Vec<_> = open[first..].iter().take(8).map(|(k, _)| name(*k)).collect();
        if open.len() - first > names.len() {
            names.push("...");
        }
        names.push(name(needed));
        let at = self.draft.definitions[needed].name_at.clone();
        problem(ErrorKind::Cycle, at, format!("circular definitions: {}", names.join(" needs ")))
    }

    fn read_definition(&mut self, k: usize) -> Parsed<()> {
        let definition = &self.draft.definitions[k];
        if let Some(net) = definition.net {
            return self.read_net(net);
        }
        (self.at, self.component) = (definition.first, definition.component);
        let (name, start) = (definition.name, self.peek().start);
        let value = self.expression()?;
        let at = self.since(start);
        let facts = self.builder.facts(value);
        if facts.uses.any(Uses::INCREMENT) {
            return Err(problem(ErrorKind::Noise, at, "a differential or noise in a definition")
                .help("write noises in the equations themselves"));
        }
        let name = self.names.name(name).to_string();
        if facts.uses.none() && !name.starts_with(ABBREVIATION) {
            return self.read_parameter(k, name, facts.value, at);
        }
        if self.is_word(self.at, "in") {
            let what = format!("a range for `{name}`, which is no parameter");
            return Err(problem(ErrorKind::Range, self.peek().range(), what)
                .help("a parameter is a name with a constant value"));
        }
        self.draft.definitions[k].value = Some(value);
        self.component = None;
        self.expect(Kind::End, "an operator or the end of the statement").map(|_| ())
    }

    fn read_parameter(
        &mut self,
        k: usize,
        name: String,
        value: f64,
        at: std::ops::Range<usize>,
    ) -> Parsed<()> {
        let range = if self.is_word(self.at, "in") { Some(self.range()?) } else { None };
        if let Some(range) = range.filter(|range| !range.contains(value)) {
            let what = format!("{name} = {value} is outside its range {range}");
            return Err(problem(ErrorKind::Range, at, what));
        }
        let unit = self.unit()?;
        self.expect(Kind::End, "an operator, a range or the end of the statement")?;
        self.component = None;
        self.builder.parameters[k] = value;
        let leaf = self.builder.leaf(Leaf::Symbol(Symbol::Parameter(k)));
        let definition = &mut self.draft.definitions[k];
        definition.value = Some(leaf);
        definition.parameter = Some(Parameter { name, value, range, unit });
        Ok(())
    }

    /// `in (0, 1]`
    fn range(&mut self) -> Parsed<Range> {
        let start = self.next().start;
        let low_closed = match self.next().kind {
            Kind::Open => false,
            Kind::OpenSquare => true,
            _ => return Err(self.no_range(start)),
        };
        let low = self.bound()?;
        self.expect(Kind::Comma, "`,`")?;
        let high = self.bound()?;
        let high_closed = match self.next().kind {
            Kind::Close => false,
            Kind::CloseSquare => true,
            _ => return Err(self.no_range(start)),
        };
        if low > high {
            let what = format!("the range begins at {low} and ends at {high}");
            return Err(problem(ErrorKind::Range, self.since(start), what));
        }
        Ok(Range { low, high, low_closed, high_closed })
    }

    fn no_range(&self, start: usize) -> Box<Problem> {
        problem(ErrorKind::Range, self.since(start), "this is no range")
            .help("write `in [0, 1]`, or `in (0, inf)` without the ends")
    }

    /// Constant, `inf` or `-inf`.
    fn bound(&mut self) -> Parsed<f64> {
        if self.is_word(self.at, "inf") {
            self.at += 1;
            return Ok(f64::INFINITY);
        }
        if self.peek().kind == Kind::Minus && self.is_word(self.at + 1, "inf") {
            self.at += 2;
            return Ok(f64::NEG_INFINITY);
        }
        let start = self.peek().start;
        let value = self.expression()?;
        let facts = self.builder.facts(value);
        if !facts.uses.none() {
            let what = "the end of a range is no constant";
            return Err(problem(ErrorKind::Range, self.since(start), what));
        }
        Ok(facts.value)
    }

    /// `[m/s]`, any text in square brackets.
    fn unit(&mut self) -> Parsed<Option<String>> {
        let open = self.peek();
        if open.kind != Kind::OpenSquare {
            return Ok(None);
        }
        let mut end = self.at;
        while !matches!(self.token(end).kind, Kind::CloseSquare | Kind::End) {
            end += 1;
        }
        let unit = self.text[open.end..self.token(end).start].trim().to_string();
        if unit.contains(['#', '\n']) {
            let what = "a unit is one line without a comment";
            let at = open.start..self.token(end).start;
            return Err(problem(ErrorKind::Syntax, at, what).help("write `[m/s]`"));
        }
        self.at = (end + 1).min(self.tokens.len() - 1);
        Ok(Some(unit))
    }
}
