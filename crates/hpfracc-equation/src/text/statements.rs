//! Statements: which sort each one is, and which names they give.

use super::expression::{Component, DefinitionDraft, Meaning, Parser, StateDraft};
use super::syntax::{ErrorKind, Kind, NameId, Parsed, Problem, Token, problem};
use crate::graph::ShortKeys;
use std::collections::HashSet;
use std::ops::Range;

/// Most components of a vector.
pub(crate) const LONGEST_VECTOR: usize = 100;

/// Names with their places.
type Places = Vec<(NameId, Range<usize>)>;

/// Sort of a statement.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Sort {
    Header,
    /// `t in [a, b]`
    Interval,
    Event,
    Shown,
    Correlation,
    /// `y'(0) = 1`, with the number of the derivative.
    Initial(usize),
    /// `y(t) = ... for t < 0`
    History,
    /// Equation of these states.
    Equation(Vec<usize>),
    /// `dX = ... dt + ... dW`
    Differential(usize),
    /// `B = fbm(H)`
    Noise,
    /// `net f: x -> 2 from "f.json"`
    Network,
    Definition,
    /// `table load: ...`, with the index of the table.
    Table(usize),
}

/// Statement by its tokens; the last one is its end.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub(crate) tokens: Range<usize>,
    pub(crate) sort: Sort,
}

impl Parser<'_> {
    /// Finds the sort of every statement from a token on and gives all names their meanings.
    pub(crate) fn statements(&mut self, start: usize) -> Parsed<Vec<Statement>> {
        let count = self.tokens.iter().filter(|token| token.kind == Kind::End).count();
        let mut ranges = Vec::with_capacity(count);
        let mut first = start;
        for k in start..self.tokens.len() {
            if self.tokens[k].kind == Kind::End {
                ranges.push(first..k + 1);
                first = k + 1;
            }
        }
        self.declare_noises(&ranges)?;
        let starts = self.initial_names(&ranges);
        let mut statements = Vec::with_capacity(count);
        for (k, tokens) in ranges.into_iter().enumerate() {
            let sort = self.sort(k, &tokens, &starts)?;
            statements.push(Statement { tokens, sort });
        }
        Ok(statements)
    }

    /// Names with an initial value.
    fn initial_names(&self, ranges: &[Range<usize>]) -> HashSet<NameId, ShortKeys> {
        let of = |tokens: &Range<usize>| match (self.kind(tokens, 0), self.kind(tokens, 1)) {
            (Kind::Name(id), Kind::Open) => Some(id),
            _ => None,
        };
        ranges.iter().filter_map(of).collect()
    }

    /// Kind of the k-th token of a statement.
    fn kind(&self, tokens: &Range<usize>, k: usize) -> Kind {
        self.token((tokens.start + k).min(tokens.end - 1)).kind
    }

    fn sort(
        &mut self,
        index: usize,
        tokens: &Range<usize>,
        starts: &HashSet<NameId, ShortKeys>,
    ) -> Parsed<Sort> {
        let first = self.token(tokens.start);
        let Kind::Name(name) = first.kind else {
            return self.equation_sort(tokens);
        };
        let bare = matches!(self.kind(tokens, 1), Kind::Name(_) | Kind::Number(_) | Kind::Minus);
        match self.names.name(name) {
            "hpfracc" if index == 0 => return Ok(Sort::Header),
            "t" if self.is_word(tokens.start + 1, "in") => return Ok(Sort::Interval),
            "when" => return Ok(Sort::Event),
            "show" => return Ok(Sort::Shown),
            "corr" => return Ok(Sort::Correlation),
            "int" => return self.equation_sort(tokens),
            "net" if bare => {
                self.declare_net(tokens)?;
                return Ok(Sort::Network);
            }
            "table" if bare => return self.declare_table(tokens).map(Sort::Table),
            _ => {}
        }
        let equal = self.equal_sign(tokens)?;
        match self.initial_sort(tokens, equal) {
            Some(sort) => return Ok(sort),
            None if equal > tokens.start + 1 => return self.equation_sort(tokens),
            None => {}
        }
        self.single_name_sort(name, tokens, starts)
    }

    /// `name = ...`
    fn single_name_sort(
        &mut self,
        name: NameId,
        tokens: &Range<usize>,
        starts: &HashSet<NameId, ShortKeys>,
    ) -> Parsed<Sort> {
        let at = self.token(tokens.start).range();
        if matches!(self.meaning(name), Meaning::Noise(_)) {
            return Ok(Sort::Noise);
        }
        let text = self.names.kept(name);
        let state = text.strip_prefix('d').filter(|rest| !rest.is_empty() && *rest != "t");
        if let Some(state) = state {
            let id = self.names.number(state);
            let differential = (tokens.start..tokens.end).skip(2).any(|k| self.is_differential(k));
            if differential || starts.contains(&id) {
                return Ok(Sort::Differential(self.declare_state(id, at)?));
            }
        }
        self.declare_definitions(name, tokens)?;
        Ok(Sort::Definition)
    }

    /// Place of the first `=` outside of brackets.
    fn equal_sign(&self, tokens: &Range<usize>) -> Parsed<usize> {
        let mut depth = 0usize;
        for k in tokens.clone() {
            match self.token(k).kind {
                Kind::Open | Kind::OpenSquare => depth += 1,
                Kind::Close | Kind::CloseSquare => depth = depth.saturating_sub(1),
                Kind::Equal if depth == 0 => return Ok(k),
                _ => {}
            }
        }
        let (first, last) = (self.token(tokens.start), self.token(tokens.end - 2));
        Err(problem(ErrorKind::Syntax, first.start..last.end, "a statement without `=`"))
    }

    /// `y'(0) = ...` or `y(t) = ...`
    fn initial_sort(&self, tokens: &Range<usize>, equal: usize) -> Option<Sort> {
        let start = tokens.start;
        let (open, derivative) = match self.token(start + 1).kind {
            Kind::Primes(count) => (start + 2, count as usize),
            _ => (start + 1, 0),
        };
        let call = self.token(open).kind == Kind::Open && !self.token(open).space;
        if !call || self.closing(open) + 1 != equal {
            return None;
        }
        let time = self.is_word(open + 1, "t") && open + 3 == equal;
        Some(if time && derivative == 0 { Sort::History } else { Sort::Initial(derivative) })
    }

    /// Index of the bracket that closes one, or of the end of the statement.
    fn closing(&self, open: usize) -> usize {
        let mut depth = 0usize;
        for k in open..self.tokens.len() {
            match self.token(k).kind {
                Kind::Open | Kind::OpenSquare => depth += 1,
                Kind::Close | Kind::CloseSquare => depth = depth.saturating_sub(1),
                Kind::End => return k,
                _ => {}
            }
            if depth == 0 {
                return k;
            }
        }
        self.tokens.len()
    }

    /// Equation with derivatives on the left.
    fn equation_sort(&mut self, tokens: &Range<usize>) -> Parsed<Sort> {
        let equal = self.equal_sign(tokens)?;
        let at = self.token(tokens.start).start..self.token(equal.max(tokens.start + 1) - 1).end;
        let mut found: Option<Places> = None;
        let mut k = tokens.start;
        while k < equal {
            let (names, next) = self.derivative_names(k)?;
            k = next;
            if names.is_empty() {
                continue;
            }
            let ids = |names: &[(NameId, _)]| names.iter().map(|(id, _)| *id).collect::<Vec<_>>();
            if found.as_ref().is_some_and(|known| ids(known) != ids(&names)) {
                let what = "derivatives of two functions on the left side";
                return Err(problem(ErrorKind::Syntax, at, what)
                    .help("keep the highest derivative of one function there"));
            }
            found.get_or_insert(names);
        }
        let Some(names) = found else {
            return Err(problem(
                ErrorKind::Syntax,
                at,
                "this left side has no derivative and is no name",
            )
            .help("write `D^alpha x = ...`, `x' = ...`, `dX = ... dt + ... dW` or `name = ...`"));
        };
        let states: Parsed<Vec<usize>> =
            names.into_iter().map(|(id, _)| self.declare_state(id, at.clone())).collect();
        Ok(Sort::Equation(states?))
    }

    /// Names of the functions whose derivative begins at a token, and the next token.
    fn derivative_names(&self, k: usize) -> Parsed<(Places, usize)> {
        let token = self.token(k);
        let Kind::Name(id) = token.kind else { return Ok((vec![], k + 1)) };
        let name = self.names.name(id);
        if name == "D" {
            return self.names_after_order(k + 1);
        }
        if let Kind::Primes(_) = self.token(k + 1).kind {
            return Ok((vec![(id, token.range())], k + 2));
        }
        let rate = self.token(k + 1).kind == Kind::Divide && self.is_word(k + 2, "dt");
        let state = name.strip_prefix('d').and_then(|state| self.names.find(state));
        match state {
            Some(state) if rate => Ok((vec![(state, token.range())], k + 3)),
            _ => Ok((vec![], k + 1)),
        }
    }

    fn names_after_order(&self, mut k: usize) -> Parsed<(Places, usize)> {
        if self.token(k).kind == Kind::Power {
            k += 1;
            while self.token(k).kind == Kind::Minus {
                k += 1;
            }
            k = if self.token(k).kind == Kind::Open { self.closing(k) + 1 } else { k + 1 };
        }
        let mut names = vec![];
        let square = self.token(k).kind == Kind::OpenSquare;
        k += usize::from(square);
        loop {
            let token = self.token(k);
            let Kind::Name(id) = token.kind else {
                return Err(self.no_function_after_d(token));
            };
            names.push((id, token.range()));
            k += 1;
            if !(square && self.token(k).kind == Kind::Comma) {
                return Ok((names, k));
            }
            k += 1;
        }
    }

    fn no_function_after_d(&self, token: Token) -> Box<Problem> {
        let error =
            problem(ErrorKind::Syntax, token.range(), "expected the name of a function after `D`");
        error.help("write `D^alpha x`, and brackets around a longer order: `D^(H + 1/2) x`")
    }

    fn declare_state(&mut self, id: NameId, at: Range<usize>) -> Parsed<usize> {
        let state = self.draft.states.len();
        self.declare(id, &at, Meaning::State(state))?;
        let name = self.names.name(id).to_string();
        self.draft.states.push(StateDraft { name, at, ..StateDraft::default() });
        Ok(state)
    }

    /// Gives a new name its meaning.
    pub(crate) fn declare(
        &mut self,
        id: NameId,
        at: &Range<usize>,
        meaning: Meaning,
    ) -> Parsed<()> {
        let name = self.names.kept(id);
        let what = match self.meaning(id) {
            Meaning::Unknown => String::new(),
            Meaning::Function(_) if &*name == "E" => String::new(),
            Meaning::Function(_) => format!("`{name}` is the name of a function"),
            Meaning::Reserved | Meaning::Time | Meaning::Pi => {
                format!("`{name}` is a reserved name")
            }
            Meaning::State(k) if self.builder.is_coordinate(k) => {
                format!("`{name}` is a coordinate")
            }
            Meaning::Spatial(_) => format!("`{name}` is an operator in space"),
            Meaning::State(_) if matches!(meaning, Meaning::State(_)) => {
                let what = format!("`{name}` has two equations");
                return Err(problem(ErrorKind::Duplicate, at.clone(), what));
            }
            _ => {
                let what = format!("`{name}` is defined twice");
                return Err(problem(ErrorKind::Duplicate, at.clone(), what));
            }
        };
        if !what.is_empty() {
            return Err(problem(ErrorKind::Reserved, at.clone(), what).help("choose another name"));
        }
        if !matches!(meaning, Meaning::Noise(_) | Meaning::State(_)) && self.is_noise_name(&name) {
            let what = format!("`{name}` is the differential of a noise");
            return Err(problem(ErrorKind::Reserved, at.clone(), what).help("choose another name"));
        }
        self.scope.set(id, meaning, &self.names);
        Ok(())
    }

    /// Definition, or the definitions of the components of a vector: `alpha = [0.8, 1]` are
    /// `alpha_1` and `alpha_2`.
    fn declare_definitions(&mut self, name: NameId, tokens: &Range<usize>) -> Parsed<()> {
        let at = self.token(tokens.start).range();
        let (start, expression) = (self.draft.definitions.len(), tokens.start + 2);
        let new = |parser: &mut Self, name, component| {
            parser.draft.definitions.push(DefinitionDraft {
                name,
                name_at: at.clone(),
                first: expression,
                component,
                ..DefinitionDraft::default()
            });
        };
        if self.token(expression).kind != Kind::OpenSquare {
            self.declare(name, &self.token(tokens.start).range(), Meaning::Definition(start))?;
            new(self, name, None);
            return Ok(());
        }
        let count = self.count_components(expression)?;
        let at = self.token(tokens.start).range();
        self.declare(name, &at, Meaning::Vector { first: start, count })?;
        for index in 0..count {
            let component = format!("{}_{}", self.names.name(name), index + 1);
            let id = self.names.number(&component);
            self.declare(id, &at, Meaning::Definition(start + index))?;
            new(self, id, Some(Component { index, count }));
        }
        Ok(())
    }

    fn count_components(&self, open: usize) -> Parsed<usize> {
        let (mut depth, mut count) = (0usize, 1);
        let end = self.closing(open);
        for k in open..end {
            match self.token(k).kind {
                Kind::Open | Kind::OpenSquare => depth += 1,
                Kind::Close | Kind::CloseSquare => depth = depth.saturating_sub(1),
                Kind::Comma if depth == 1 => count += 1,
                _ => {}
            }
        }
        if count > LONGEST_VECTOR {
            let at = self.token(open).start..self.token(end).end;
            let what = format!("a vector of {count}, above {LONGEST_VECTOR}");
            return Err(problem(ErrorKind::Limit, at, what));
        }
        Ok(count)
    }
}
