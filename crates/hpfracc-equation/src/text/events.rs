//! Events and shown quantities.

use super::expression::{Meaning, Parser, Uses};
use super::statements::Statement;
use super::syntax::{ErrorKind, Kind, Parsed, problem};
use crate::equation::{Action, Direction, Event, Named};
use crate::graph::{Binary, Id};

impl Parser<'_> {
    /// `when x = 1 rising: stop`
    pub(crate) fn read_event(&mut self, statement: &Statement) -> Parsed<()> {
        self.at = statement.tokens.start + 1;
        let start = self.peek().start;
        let left = self.expression()?;
        let relation = self.next();
        match relation.kind {
            Kind::Equal => {}
            Kind::Less | Kind::LessOrEqual | Kind::Greater | Kind::GreaterOrEqual => {
                let direction = match relation.kind {
                    Kind::Less | Kind::LessOrEqual => "falling",
                    _ => "rising",
                };
                let what = "an event is a time, not a condition that lasts";
                return Err(problem(ErrorKind::Event, relation.range(), what)
                    .help(format!("write `when x = 1 {direction}: ...`")));
            }
            _ => {
                self.at -= usize::from(relation.kind != Kind::End);
                return Err(self.expected("`=`, as in `when x = 1: stop`"));
            }
        }
        let right = self.expression()?;
        let at = self.since(start);
        let zero = self.builder.constant(0.0);
        let expression = match right == zero {
            true => left,
            false => self.builder.binary(Binary::Subtract, left, right, at.clone())?,
        };
        let uses = self.builder.facts(expression).uses;
        if uses.any(Uses::INCREMENT) {
            return Err(problem(ErrorKind::Event, at, "an event that depends on a noise"));
        }
        if !uses.any(Uses::STATE) && !uses.any(Uses::TIME) {
            let what = "an event that depends neither on time nor on a state";
            return Err(problem(ErrorKind::Event, at, what));
        }
        let direction = self.direction();
        self.expect(Kind::Colon, "`:` and what happens, such as `: stop`")?;
        let action = self.action()?;
        self.expect(Kind::End, "an operator or the end of the statement")?;
        self.draft.events.push(Event { expression, direction, action });
        Ok(())
    }

    fn direction(&mut self) -> Direction {
        let direction = if self.is_word(self.at, "rising") {
            Direction::Rising
        } else if self.is_word(self.at, "falling") {
            Direction::Falling
        } else {
            return Direction::Either;
        };
        self.at += 1;
        direction
    }

    /// `stop`, or `v = -0.8 v, x = 0`
    fn action(&mut self) -> Parsed<Action> {
        if self.is_word(self.at, "stop") {
            self.at += 1;
            return Ok(Action::Stop);
        }
        let mut assigned: Vec<(usize, Id)> = vec![];
        loop {
            let token = self.peek();
            let Kind::Name(id) = token.kind else {
                return Err(self.expected("`stop` or `x = ...`"));
            };
            self.at += 1;
            let Meaning::State(state) = self.meaning(id) else {
                let what = format!("`{}` is no state: only states jump", self.names.name(id));
                return Err(problem(ErrorKind::Event, token.range(), what));
            };
            if assigned.iter().any(|(known, _)| *known == state) {
                let what = format!("`{}` jumps twice", self.names.name(id));
                return Err(problem(ErrorKind::Duplicate, token.range(), what));
            }
            self.expect(Kind::Equal, "`=`")?;
            let start = self.peek().start;
            let value = self.expression()?;
            if self.builder.facts(value).uses.any(Uses::INCREMENT) {
                let what = "a jump that depends on a noise";
                return Err(problem(ErrorKind::Event, self.since(start), what));
            }
            assigned.push((state, value));
            if !self.take(Kind::Comma) {
                return Ok(Action::Assign(assigned));
            }
        }
    }

    /// `show r = sqrt(x^2 + y^2)`, or `show r` of a known name.
    pub(crate) fn read_shown(&mut self, statement: &Statement) -> Parsed<()> {
        self.at = statement.tokens.start + 1;
        let token = self.peek();
        let Kind::Name(id) = token.kind else {
            return Err(self.expected("a name, as in `show r = sqrt(x^2 + y^2)`"));
        };
        self.at += 1;
        let named = self.take(Kind::Equal);
        let start = self.peek().start;
        if !named && self.peek().kind != Kind::End {
            return Err(self.expected("`=` or the end of the statement, as in `show r = exp(x)`"));
        }
        let value = match named {
            true => self.expression()?,
            false => self.name(id, token)?,
        };
        let at = if named { self.since(start) } else { token.range() };
        if self.builder.facts(value).uses.any(Uses::INCREMENT) {
            return Err(problem(ErrorKind::Noise, at, "a noise cannot be shown"));
        }
        self.expect(Kind::End, "an operator or the end of the statement")?;
        let known = self.meaning(id);
        let name = self.names.name(id).to_string();
        let taken =
            named && known != Meaning::Unknown || self.draft.shown.iter().any(|s| s.name == name);
        if taken {
            let what = format!("`{name}` is defined twice");
            return Err(problem(ErrorKind::Duplicate, token.range(), what)
                .help(format!("to show a known name write `show {name}` alone")));
        }
        self.draft.shown.push(Named { name, value });
        Ok(())
    }
}
