//! Equations of the states: solved for the highest derivative, noise apart from drift.

use super::expression::{
    Builder, Component, DerivativeUse, Increment, Leaf, Parser, Part, Uses, coefficient, without,
};

use super::statements::Statement;
use super::syntax::{ErrorKind, Kind, Parsed, Problem, problem};
use crate::equation::NoiseTerm;
use crate::graph::{Binary, Id, Node, ShortKeys, Unary};
use std::collections::HashSet;
use std::ops::Range;

impl Parser<'_> {
    /// `D^alpha x = ...`, for each component of a vector.
    pub(crate) fn read_equation(&mut self, statement: &Statement, states: &[usize]) -> Parsed<()> {
        let count = states.len();
        for (index, state) in states.iter().enumerate() {
            self.component = (count > 1).then_some(Component { index, count });
            self.at = statement.tokens.start;
            self.read_component(*state)?;
        }
        self.component = None;
        Ok(())
    }

    fn read_component(&mut self, state: usize) -> Parsed<()> {
        self.builder.sum_help = "write `dW/dt` in an equation for a derivative";
        let (known, start) = (self.draft.derivatives.len(), self.peek().start);
        let left = self.expression()?;
        let left_at = self.since(start);
        self.expect(Kind::Equal, "an operator or `=`")?;
        if self.builder.facts(left).uses.any(Uses::INCREMENT) {
            return Err(problem(
                ErrorKind::Noise,
                left_at,
                "a differential or noise on the left side",
            )
            .help("write noises on the right side"));
        }
        let highest = self.highest(known, state, left_at.clone())?;
        let right_start = self.peek().start;
        let right = self.expression()?;
        let right_at = self.since(right_start);
        self.expect(Kind::End, "an operator or the end of the statement")?;
        if self.builder.facts(right).uses.any(Uses::DIFFERENTIAL) {
            return Err(self.misplaced_differential(right_at));
        }
        let scale = coefficient(&mut self.builder, left, highest.leaf, Uses::DERIVATIVE, &left_at)?;
        if scale == Part::Zero {
            return Err(problem(ErrorKind::Syntax, left_at, "the highest derivative cancels"));
        }
        let is_highest = |_: &_, id| id == highest.leaf;
        let rest = without(&mut self.builder, left, is_highest, Uses::DERIVATIVE, &left_at)?;
        let drift = self.right_without_noise(right, &right_at)?;
        let drift = self.less(drift, rest, &right_at)?;
        let drift = self.divided(drift, scale, &left_at)?;
        let noise = self.noise_terms(right, scale, &right_at)?;
        let draft = &mut self.draft.states[state];
        (draft.order, draft.drift, draft.noise) = (Some(highest.order), Some(drift), noise);
        draft.highest = Some(highest.leaf);
        Ok(())
    }

    /// Highest derivative of the left side, by the defaults of the parameters.
    fn highest(&mut self, known: usize, state: usize, at: Range<usize>) -> Parsed<DerivativeUse> {
        let value = |derivative: &DerivativeUse| self.builder.facts(derivative.order).value;
        let on_left = &self.draft.derivatives[known..];
        let mut highest: Option<&DerivativeUse> = None;
        for derivative in on_left.iter().filter(|derivative| derivative.state == state) {
            if highest.is_none_or(|highest| value(derivative) > value(highest)) {
                highest = Some(derivative);
            }
        }
        let Some(highest) = highest.cloned() else {
            return Err(problem(ErrorKind::Syntax, at, "the left side has no derivative"));
        };
        // What is left in the list has to be lower than the highest: see `finish`.
        let mut kept = self.draft.derivatives.split_off(known);
        kept.retain(|derivative| derivative.leaf != highest.leaf);
        self.draft.derivatives.extend(kept);
        Ok(highest)
    }

    fn misplaced_differential(&self, at: Range<usize>) -> Box<Problem> {
        let name = self.draft.noises.first().map_or("W", |noise| noise.name.as_str());
        problem(ErrorKind::Noise, at, "a differential in an equation for a derivative").help(
            format!("write `d{name}/dt` here, or the equation as `dX = ... dt + ... d{name}`"),
        )
    }

    fn right_without_noise(&mut self, right: Id, at: &Range<usize>) -> Parsed<Part> {
        let is_increment =
            |builder: &Builder, id| matches!(builder.as_leaf(id), Some(Leaf::Increment(_)));
        without(&mut self.builder, right, is_increment, Uses::INCREMENT, at)
    }

    /// `drift - rest`, term by term along the left operands of the rest.
    fn less(&mut self, drift: Part, rest: Part, at: &Range<usize>) -> Parsed<Id> {
        let Part::Node(rest) = rest else { return Ok(drift.node(&mut self.builder)) };
        let (mut first, mut terms) = (rest, vec![]);
        loop {
            match self.builder.graph.node(first) {
                Node::Binary(Binary::Add, a, b) => {
                    terms.push((Binary::Subtract, b));
                    first = a;
                }
                Node::Binary(Binary::Subtract, a, b) => {
                    terms.push((Binary::Add, b));
                    first = a;
                }
                _ => break,
            }
        }
        let zero = self.builder.constant(0.0);
        let drift = drift.node(&mut self.builder);
        let mut sum = match self.builder.graph.node(first) {
            Node::Unary(Unary::Negate, a) if drift == zero => a,
            Node::Unary(Unary::Negate, a) => {
                self.builder.binary(Binary::Add, drift, a, at.clone())?
            }
            _ if drift == zero => self.builder.negated(first, at.clone())?,
            _ => self.builder.binary(Binary::Subtract, drift, first, at.clone())?,
        };
        for (operation, term) in terms.into_iter().rev() {
            sum = self.builder.binary(operation, sum, term, at.clone())?;
        }
        Ok(sum)
    }

    fn divided(&mut self, value: Id, scale: Part, at: &Range<usize>) -> Parsed<Id> {
        let one = self.builder.constant(1.0);
        match scale {
            Part::Node(scale) if scale != one => {
                self.builder.binary(Binary::Divide, value, scale, at.clone())
            }
            _ => Ok(value),
        }
    }

    /// Coefficients of all noises of a right side.
    fn noise_terms(&mut self, right: Id, scale: Part, at: &Range<usize>) -> Parsed<Vec<NoiseTerm>> {
        let mut terms = vec![];
        for leaf in self.increments(right) {
            let Some(Leaf::Increment(increment)) = self.builder.as_leaf(leaf) else { continue };
            let (noise, calculus) = match increment {
                Increment::Time => continue,
                Increment::Noise(noise, calculus) | Increment::Rate(noise, calculus) => {
                    (noise, calculus)
                }
            };
            let found = coefficient(&mut self.builder, right, leaf, Uses::INCREMENT, at)?;
            let found = found.node(&mut self.builder);
            let found = self.divided(found, scale, at)?;
            terms.push(NoiseTerm { noise, calculus, coefficient: found });
        }
        Ok(terms)
    }

    /// Differentials and noises below a node, from left to right.
    fn increments(&self, root: Id) -> Vec<Id> {
        let mut found = vec![];
        let mut seen: HashSet<Id, ShortKeys> = HashSet::default();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if !self.builder.facts(id).uses.any(Uses::INCREMENT) || !seen.insert(id) {
                continue;
            }
            if self.builder.as_leaf(id).is_some() {
                found.push(id);
            }
            open.extend(self.builder.graph.node(id).operands().rev());
        }
        found
    }

    /// `dX = f dt + g dW`
    pub(crate) fn read_differential(&mut self, statement: &Statement, state: usize) -> Parsed<()> {
        self.builder.sum_help = "multiply every term by `dt` or by a noise such as `dW`";
        self.at = statement.tokens.start + 2;
        let start = self.peek().start;
        let right = self.expression()?;
        let at = self.since(start);
        self.expect(Kind::End, "an operator or the end of the statement")?;
        let uses = self.builder.facts(right).uses;
        let zero = self.builder.constant(0.0);
        if uses.any(Uses::RATE) {
            return Err(problem(ErrorKind::Noise, at, "`dW/dt` in an equation with differentials")
                .help("write `dW` without `/dt`"));
        }
        if !uses.any(Uses::DIFFERENTIAL) && right != zero {
            return Err(problem(ErrorKind::Noise, at, "this equation has no `dt`")
                .help("write `dX = ... dt + ... dW`"));
        }
        let time = self.builder.leaf(Leaf::Increment(Increment::Time));
        let drift = coefficient(&mut self.builder, right, time, Uses::INCREMENT, &at)?;
        let drift = drift.node(&mut self.builder);
        let noise = self.noise_terms(right, Part::One, &at)?;
        let order = self.builder.constant(1.0);
        let draft = &mut self.draft.states[state];
        (draft.order, draft.drift, draft.noise) = (Some(order), Some(drift), noise);
        draft.differential = true;
        Ok(())
    }
}
