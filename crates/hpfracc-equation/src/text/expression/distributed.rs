//! Derivatives of distributed order: `int(density D^a u, a in [0.2, 1])`.

use super::builder::{Leaf, Uses};
use super::draft::{DerivativeUse, DistributedOrder};
use super::linear::{Part, coefficient, without};
use super::parser::Parser;
use super::scope::Meaning;
use crate::equation::{Derivative, Symbol};
use crate::graph::Id;
use crate::text::syntax::{ErrorKind, Kind, NameId, Parsed, Token, problem};
use std::ops::Range;

/// Highest order in time.
const HIGHEST: f64 = 2.0;

impl Parser<'_> {
    /// What follows `int`.
    pub(crate) fn distributed_order(&mut self, token: Token) -> Parsed<Id> {
        let name = self.variable_of_integral(token)?;
        self.at += 1;
        let first = self.draft.derivatives.len();
        let (state, density) = self.integrand(token, name, first)?;
        // The comma, the name and `in`.
        self.at += 3;
        self.expect(Kind::OpenSquare, "`[`, as in `a in [0.2, 1]`")?;
        let from = self.bracketed()?;
        self.expect(Kind::Comma, "`,`")?;
        let to = self.bracketed()?;
        self.expect(Kind::CloseSquare, "`]`")?;
        self.expect(Kind::Close, "`)`")?;
        let at = self.since(token.start);
        self.check_ends([from, to], at.clone())?;
        let kind = Some(Derivative::Caputo);
        let term = self.draft.own_term(state, to);
        let leaf = self.leaf_of_term(state, (term, to), kind, at)?;
        self.draft.distributed.push(DistributedOrder { leaf, density, ends: [from, to] });
        Ok(leaf)
    }

    /// Name before the last `in` within the brackets.
    fn variable_of_integral(&mut self, token: Token) -> Parsed<NameId> {
        let (mut depth, mut found) = (0usize, None);
        for k in self.at..self.tokens.len() {
            match self.token(k).kind {
                Kind::Open | Kind::OpenSquare => depth += 1,
                Kind::Close | Kind::CloseSquare => depth = depth.saturating_sub(1),
                Kind::Comma if depth == 1 && self.is_word(k + 2, "in") => {
                    if let Kind::Name(id) = self.token(k + 1).kind {
                        found = Some((id, self.token(k + 1).range()));
                    }
                }
                Kind::End => break,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        let Some((id, at)) = found else {
            let what = "an integral over orders without its variable";
            return Err(problem(ErrorKind::Syntax, token.range(), what).help(
                "write `int(D^a u, a in [0.2, 1])`, with a density before `D` if it has one",
            ));
        };
        if self.meaning(id) != Meaning::Unknown {
            let what = format!("`{}` has another meaning", self.names.name(id));
            let help = "choose another name for the order of the integral";
            return Err(problem(ErrorKind::Duplicate, at, what).help(help));
        }
        Ok(id)
    }

    /// State and density of what is integrated: the variable of the orders takes the place of time.
    fn integrand(&mut self, token: Token, name: NameId, first: usize) -> Parsed<(usize, Id)> {
        let time = self.names.number("t");
        self.scope.set(name, Meaning::Time, &self.names);
        self.scope.set(time, Meaning::Reserved, &self.names);
        let content = self.bracketed();
        self.scope.set(name, Meaning::Unknown, &self.names);
        self.scope.set(time, Meaning::Time, &self.names);
        let (content, at) = (content?, self.since(token.start));
        let refuse = || {
            let what = "an integral over orders that is no density times one derivative";
            problem(ErrorKind::Order, at.clone(), what)
                .help("write `int(2 a D^a u, a in [0.2, 1])`, the density of a and parameters")
        };
        let found = self.draft.derivatives.split_off(first);
        let order = self.builder.leaf(Leaf::Symbol(Symbol::Time));
        let one = |found: &[DerivativeUse]| match found {
            [one, rest @ ..] if rest.iter().all(|other| other.leaf == one.leaf) => {
                Some((one.state, one.leaf)).filter(|_| one.order == order)
            }
            _ => None,
        };
        let (state, leaf) = one(&found).ok_or_else(refuse)?;
        let density = coefficient(&mut self.builder, content, leaf, Uses::DERIVATIVE, &at);
        let density = density.map_err(|_| refuse())?.node(&mut self.builder);
        let is_leaf = |_: &_, id: Id| id == leaf;
        let rest = without(&mut self.builder, content, is_leaf, Uses::DERIVATIVE, &at)?;
        let uses = self.builder.facts(density).uses;
        let varies = uses.any(Uses::STATE.and(Uses::SPACE).and(Uses::INCREMENT));
        if rest != Part::Zero || varies {
            return Err(refuse());
        }
        Ok((state, density))
    }

    fn check_ends(&self, ends: [Id; 2], at: Range<usize>) -> Parsed<()> {
        for end in ends {
            self.check_uniform(end, at.clone(), "an end of the orders")?;
        }
        let [from, to] = ends.map(|end| self.builder.facts(end).value);
        if 0.0 <= from && from < to && to <= HIGHEST {
            return Ok(());
        }
        let what = format!("orders from {from} to {to}");
        let help = format!("expected two increasing numbers from 0 to {HIGHEST}");
        Err(problem(ErrorKind::Order, at, what).help(help))
    }
}
