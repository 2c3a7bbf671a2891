//! Operators in space: `lap(u)`, `(-lap)^s(u)`, `grad(u)`, `div(k grad(u))`.

use super::builder::{Leaf, Uses};
use super::draft::StateDraft;
use super::linear::{Part, coefficient, without};
use super::parser::Parser;
use super::scope::{Meaning, SpatialName};
use crate::equation::{AppliedKind, Symbol};
use crate::graph::{Binary, Id};
use crate::text::syntax::{ErrorKind, Kind, Parsed, Token, problem};
use std::ops::Range;

impl Parser<'_> {
    /// What follows the name of an operator in space.
    pub(crate) fn spatial(&mut self, name: SpatialName, token: Token) -> Parsed<Id> {
        let of_coordinates = !matches!(name, SpatialName::Laplacian | SpatialName::Reduction(_));
        if self.dimensions() == 0 && of_coordinates {
            let what = "points without coordinates have no derivative but `lap`";
            return Err(problem(ErrorKind::Unsupported, token.range(), what));
        }
        match name {
            SpatialName::Laplacian => self.laplacian(token),
            SpatialName::Gradient => self.gradient(token),
            SpatialName::Derivative(axis) => {
                let of = self.argument_in_space(token)?;
                self.derivative_along(axis, of, self.since(token.start))
            }
            SpatialName::Divergence => self.divergence(token),
            SpatialName::Reduction(kind) => {
                let of = self.argument_in_space(token)?;
                self.reduced(kind, of, self.since(token.start))
            }
        }
    }

    fn dimensions(&self) -> usize {
        self.builder.coordinates.unwrap_or(0)
    }

    /// `integral(u)`, `mean(u)`, `max(u)`, `min(u)`
    pub(crate) fn reduced(&mut self, kind: AppliedKind, of: Id, at: Range<usize>) -> Parsed<Id> {
        let none = self.builder.constant(0.0);
        self.applied(kind, none, of, at)
    }

    /// `lap(u)` or `lap^s(u)`
    fn laplacian(&mut self, token: Token) -> Parsed<Id> {
        let exponent = if self.take(Kind::Power) {
            let (exponent, at) = self.exponent()?;
            let whole = self.builder.facts(exponent);
            if whole.uses.none() && whole.value != 1.0 && whole.value == whole.value.trunc() {
                let what = "a whole power of `lap` can be read in two ways";
                return Err(problem(ErrorKind::Ambiguous, self.since(token.start), what)
                    .help("write `lap(lap(u))` or `-(-lap)^2(u)`"));
            }
            self.check_exponent(exponent, 1.0, at)?;
            exponent
        } else {
            self.builder.constant(1.0)
        };
        let of = self.argument_in_space(token)?;
        self.applied(AppliedKind::Laplacian, exponent, of, self.since(token.start))
    }

    /// Whether `(-lap)^` begins at the next token.
    pub(crate) fn is_power_of_laplacian(&mut self) -> bool {
        let Kind::Name(id) = self.token(self.at + 2).kind else { return false };
        self.peek().kind == Kind::Open
            && self.token(self.at + 1).kind == Kind::Minus
            && self.token(self.at + 3).kind == Kind::Close
            && self.meaning(id) == Meaning::Spatial(SpatialName::Laplacian)
    }

    /// `(-lap)^s(u)`
    pub(crate) fn power_of_laplacian(&mut self) -> Parsed<Id> {
        let token = self.peek();
        self.at += 4;
        let exponent = if self.take(Kind::Power) {
            let (exponent, at) = self.exponent()?;
            self.check_exponent(exponent, 2.0, at)?;
            exponent
        } else {
            self.builder.constant(1.0)
        };
        let of = self.argument_in_space(token)?;
        let at = self.since(token.start);
        let applied = self.applied(AppliedKind::Laplacian, exponent, of, at.clone())?;
        self.builder.negated(applied, at)
    }

    /// Exponent of a Laplacian: a number, a name or an expression in brackets.
    fn exponent(&mut self) -> Parsed<(Id, Range<usize>)> {
        let token = self.next();
        let exponent = match token.kind {
            Kind::Number(value) => self.builder.constant(value),
            Kind::Name(id) => match self.meaning(id) {
                Meaning::Definition(k) => self.draft.definitions[k]
                    .value
                    .ok_or_else(|| problem(ErrorKind::Cycle, token.range(), "this needs itself"))?,
                _ => {
                    let what = "expected a number or a parameter as exponent";
                    return Err(problem(ErrorKind::Syntax, token.range(), what));
                }
            },
            Kind::Open => {
                let inner = self.bracketed()?;
                self.expect(Kind::Close, "`)`")?;
                inner
            }
            _ => {
                self.at -= usize::from(token.kind != Kind::End);
                return Err(self.expected("an exponent"));
            }
        };
        Ok((exponent, self.since(token.start)))
    }

    fn check_exponent(&self, exponent: Id, largest: f64, at: Range<usize>) -> Parsed<()> {
        self.check_uniform(exponent, at.clone(), "the exponent of the Laplacian")?;
        let value = self.builder.facts(exponent).value;
        if !(value > 0.0 && value <= largest) {
            let what = format!("the exponent of the Laplacian is {value}");
            return Err(problem(ErrorKind::Value, at, what)
                .help(format!("expected a number above 0 and at most {largest}")));
        }
        Ok(())
    }

    /// `grad(u)`: in one dimension a derivative, in several a vector that only `div` takes.
    fn gradient(&mut self, token: Token) -> Parsed<Id> {
        let fluxes = self.fluxes.take();
        let of = self.argument_in_space(token);
        self.fluxes = fluxes;
        let (of, at) = (of?, self.since(token.start));
        if let Some(fluxes) = &mut self.fluxes {
            let leaf = self.builder.leaf(Leaf::Gradient(of));
            if !fluxes.contains(&(leaf, of)) {
                fluxes.push((leaf, of));
            }
            return Ok(leaf);
        }
        if self.dimensions() == 1 {
            return self.derivative_along(0, of, at);
        }
        let text = &self.text[at.clone()];
        let what = format!("`{text}` is a vector");
        let component = format!("grad_{}", self.draft.states[0].name);
        Err(problem(ErrorKind::Syntax, at, what)
            .help(format!("write `div(k grad(u))`, or a component such as `{component}(u)`")))
    }

    fn derivative_along(&mut self, axis: usize, of: Id, at: Range<usize>) -> Parsed<Id> {
        let none = self.builder.constant(0.0);
        self.applied(AppliedKind::Gradient(axis), none, of, at)
    }

    /// `div(k grad(u))`, `div([f, g])`, and in one dimension `div(f)`.
    fn divergence(&mut self, token: Token) -> Parsed<Id> {
        if self.peek().kind == Kind::Open && self.token(self.at + 1).kind == Kind::OpenSquare {
            return self.divergence_of_vector(token);
        }
        let outer = self.fluxes.replace(Vec::new());
        let content = self.argument(token);
        let fluxes = std::mem::replace(&mut self.fluxes, outer).unwrap_or_default();
        let (content, at) = (content?, self.since(token.start));
        let mut terms = Vec::with_capacity(fluxes.len() + 1);
        for (leaf, of) in &fluxes {
            let linear = coefficient(&mut self.builder, content, *leaf, Uses::GRADIENT, &at);
            let Ok(factor) = linear else {
                let what = "a gradient can only be multiplied and added in a divergence";
                return Err(problem(ErrorKind::Syntax, at, what));
            };
            let factor = factor.node(&mut self.builder);
            if self.builder.facts(factor).uses.any(Uses::GRADIENT) {
                let what = "a product of two gradients";
                return Err(problem(ErrorKind::Syntax, at, what));
            }
            terms.push(self.applied(AppliedKind::Diffusion, factor, *of, at.clone())?);
        }
        let is_leaf = |_: &_, id: Id| fluxes.iter().any(|(leaf, _)| *leaf == id);
        let rest = without(&mut self.builder, content, is_leaf, Uses::GRADIENT, &at)?;
        if let Part::Node(rest) = rest {
            if self.dimensions() > 1 {
                let what = "the divergence of a number, which is no vector";
                return Err(problem(ErrorKind::Syntax, at, what)
                    .help("write `div(k grad(u))` or `div([f, g])`"));
            }
            terms.push(self.derivative_along(0, rest, at.clone())?);
        }
        self.total(terms, at)
    }

    /// `div([f, g])`
    fn divergence_of_vector(&mut self, token: Token) -> Parsed<Id> {
        self.at += 2;
        let mut terms = Vec::new();
        let outer = self.fluxes.take();
        loop {
            let start = self.peek().start;
            let of = self.bracketed()?;
            if terms.len() < self.dimensions() {
                terms.push(self.derivative_along(terms.len(), of, start..self.since(start).end)?);
            } else {
                terms.push(of);
            }
            if !self.take(Kind::Comma) {
                break;
            }
        }
        self.fluxes = outer;
        self.expect(Kind::CloseSquare, "`]`")?;
        self.expect(Kind::Close, "`)`")?;
        let at = self.since(token.start);
        let (found, expected) = (terms.len(), self.dimensions());
        if found != expected {
            let what = format!("a vector of {found} in {expected} dimensions");
            return Err(problem(ErrorKind::Syntax, at, what));
        }
        self.total(terms, at)
    }

    fn total(&mut self, terms: Vec<Id>, at: Range<usize>) -> Parsed<Id> {
        let mut terms = terms.into_iter();
        let first = terms.next().unwrap_or_else(|| self.builder.constant(0.0));
        terms.try_fold(first, |sum, term| self.builder.binary(Binary::Add, sum, term, at.clone()))
    }

    /// Argument of an operator other than `div`, in which no flux can stand.
    fn argument_in_space(&mut self, token: Token) -> Parsed<Id> {
        let fluxes = self.fluxes.take();
        let argument = self.argument(token);
        self.fluxes = fluxes;
        argument
    }

    fn argument(&mut self, token: Token) -> Parsed<Id> {
        if self.peek().kind != Kind::Open {
            let name = &self.text[self.since(token.start)];
            let help = format!("write `{name}(...)`");
            let what = format!("`{name}` is an operator in space");
            return Err(problem(ErrorKind::Syntax, token.range(), what).help(help));
        }
        self.at += 1;
        let of = self.bracketed()?;
        self.expect(Kind::Close, "`)`")?;
        Ok(of)
    }

    /// Variable of an operator applied to an expression; the same for the same ones.
    fn applied(&mut self, kind: AppliedKind, operand: Id, of: Id, at: Range<usize>) -> Parsed<Id> {
        let uses = self.builder.facts(of).uses;
        if uses.any(Uses::INCREMENT) || uses.any(Uses::DERIVATIVE) {
            let what = "an operator in space of a noise or of a derivative in time";
            return Err(problem(ErrorKind::Unsupported, at, what));
        }
        if !(uses.any(Uses::STATE) || uses.any(Uses::SPACE)) {
            let what = "an operator in space of what is the same everywhere";
            return Err(problem(ErrorKind::Value, at, what).help("this is 0"));
        }
        let first = self.draft.states.len() - self.draft.applied.len();
        let known = self.draft.applied.iter().enumerate().position(|(k, known)| {
            let state = &self.draft.states[first + k];
            *known == kind && state.drift == Some(of) && state.initial[0].1 == operand
        });
        let state = first + known.unwrap_or(self.draft.applied.len());
        if known.is_none() {
            let name = self.text[at.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
            let one = self.builder.constant(1.0);
            self.draft.states.push(StateDraft::fixed(name, [one, of, operand], at));
            self.draft.applied.push(kind);
        }
        Ok(self.builder.leaf(Leaf::Symbol(Symbol::State(state))))
    }
}
