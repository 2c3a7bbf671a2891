//! Where a solution begins: interval, initial values, histories.

use super::expression::{History, Meaning, Parser, Uses};
use super::statements::Statement;
use super::syntax::{ErrorKind, Kind, Parsed, problem};
use crate::equation::{Distribution, RandomStart};
use crate::graph::Id;
use std::ops::Range;

impl Parser<'_> {
    /// `t in [a, b]`
    pub(crate) fn read_interval(&mut self, statement: &Statement) -> Parsed<()> {
        let start = self.token(statement.tokens.start).start;
        self.at = statement.tokens.start + 2;
        self.expect(Kind::OpenSquare, "`[`: the interval of time is `t in [0, 10]`")?;
        let a = self.bracketed()?;
        self.expect(Kind::Comma, "`,`")?;
        let b = self.bracketed()?;
        self.expect(Kind::CloseSquare, "`]`")?;
        let at = self.since(start);
        self.expect(Kind::End, "the end of the statement")?;
        if self.draft.interval.is_some() {
            return Err(problem(ErrorKind::Duplicate, at, "a second interval of time"));
        }
        self.check_uniform(a, at.clone(), "the start of the interval")?;
        self.check_uniform(b, at.clone(), "the end of the interval")?;
        let (first, last) = (self.builder.facts(a).value, self.builder.facts(b).value);
        if first >= last {
            let what = format!("the interval begins at {first} and ends at {last}");
            return Err(problem(ErrorKind::Range, at, what));
        }
        self.draft.interval = Some(([a, b], at));
        Ok(())
    }

    /// Start of the interval; 0 without one.
    fn start_time(&self) -> f64 {
        match &self.draft.interval {
            Some(([start, _], _)) => self.builder.facts(*start).value,
            None => 0.0,
        }
    }

    fn check_start_time(&self, time: Id, at: Range<usize>) -> Parsed<()> {
        self.check_uniform(time, at.clone(), "the time of an initial value")?;
        let (found, expected) = (self.builder.facts(time).value, self.start_time());
        if found != expected {
            let what = format!("a value at t = {found}, but the interval begins at {expected}");
            return Err(problem(ErrorKind::InitialValue, at, what));
        }
        Ok(())
    }

    /// State that a statement begins with.
    fn state_of(&mut self, statement: &Statement) -> Parsed<usize> {
        self.at = statement.tokens.start;
        let token = self.next();
        let Kind::Name(id) = token.kind else { return Err(self.expected("the name of a state")) };
        if let Meaning::State(state) = self.meaning(id) {
            return Ok(state);
        }
        let name = self.names.name(id).to_string();
        let what = format!("an initial value of `{name}`, which has no equation");
        let error = problem(ErrorKind::InitialValue, token.range(), what);
        Err(match self.scope.hint(&name, &self.names) {
            Some(hint) => error.help(hint),
            None => error.help(format!("give it one: `D^alpha {name} = ...`")),
        })
    }

    /// `y'(0) = 1`
    pub(crate) fn read_initial(&mut self, statement: &Statement, derivative: usize) -> Parsed<()> {
        let start = self.token(statement.tokens.start).start;
        let state = self.state_of(statement)?;
        self.at += usize::from(derivative > 0) + 1;
        let time_start = self.peek().start;
        let time = self.bracketed()?;
        let time_at = self.since(time_start);
        self.expect(Kind::Close, "`)`")?;
        self.check_start_time(time, time_at)?;
        let at = self.since(start);
        self.expect(Kind::Equal, "`=`")?;
        let random = if derivative == 0 { self.random_start()? } else { None };
        let value = match random {
            Some(random) => {
                self.expect(Kind::End, "the end of the statement")?;
                random.numbers[0]
            }
            None => {
                let value_start = self.peek().start;
                let value = self.expression()?;
                let uses = self.builder.facts(value).uses;
                let of_space = uses.any(Uses::SPACE) && !uses.any(Uses::TIME.and(Uses::STATE));
                if !of_space {
                    self.check_uniform(value, self.since(value_start), "an initial value")?;
                }
                self.expect(Kind::End, "an operator or the end of the statement")?;
                value
            }
        };
        let draft = &mut self.draft.states[state];
        if draft.initial.iter().any(|(known, ..)| *known == derivative) {
            let what =
                format!("a second initial value of `{}{}`", draft.name, "'".repeat(derivative));
            return Err(problem(ErrorKind::Duplicate, at, what));
        }
        draft.initial.push((derivative, value, at));
        draft.random = draft.random.or(random);
        Ok(())
    }

    /// `normal(1, 0.2)`, where a distribution follows.
    fn random_start(&mut self) -> Parsed<Option<RandomStart>> {
        let open = self.token(self.at + 1);
        let is_call = open.kind == Kind::Open && !open.space;
        let named = |distribution: &Distribution| self.is_word(self.at, distribution.name());
        let found = Distribution::ALL.iter().copied().find(named).filter(|_| is_call);
        let Some(distribution) = found else { return Ok(None) };
        let start = self.next().start;
        self.expect(Kind::Open, "`(`")?;
        let first = self.bracketed()?;
        self.expect(Kind::Comma, "`,`")?;
        let second = self.bracketed()?;
        self.expect(Kind::Close, "`)`")?;
        let at = self.since(start);
        for number in [first, second] {
            self.check_uniform(number, at.clone(), "a number of a distribution")?;
        }
        let [a, b] = [first, second].map(|number| self.builder.facts(number).value);
        let what = match distribution {
            Distribution::Uniform if a > b => {
                format!("the uniform distribution begins at {a} and ends at {b}")
            }
            Distribution::Normal | Distribution::LogNormal if b < 0.0 => {
                format!("the standard deviation is {b}, expected a number from 0 on")
            }
            _ => return Ok(Some(RandomStart { distribution, numbers: [first, second] })),
        };
        Err(problem(ErrorKind::InitialValue, at, what))
    }

    /// `y(t) = cos(t) for t < 0`
    pub(crate) fn read_history(&mut self, statement: &Statement) -> Parsed<()> {
        let start = self.token(statement.tokens.start).start;
        let state = self.state_of(statement)?;
        self.at += 4;
        let value_start = self.peek().start;
        let value = self.expression()?;
        let value_at = self.since(value_start);
        let uses = self.builder.facts(value).uses;
        if uses.any(Uses::STATE) || uses.any(Uses::INCREMENT) {
            let what = "a history that depends on a state or on a noise";
            return Err(problem(ErrorKind::InitialValue, value_at, what));
        }
        if !(self.is_word(self.at, "for") && self.is_word(self.at + 1, "t")) {
            return Err(self.expected("`for t < 0`"));
        }
        self.at += 2;
        let closed = match self.next().kind {
            Kind::Less => false,
            Kind::LessOrEqual => true,
            _ => {
                self.at -= 1;
                return Err(self.expected("`<` or `<=`"));
            }
        };
        let time_start = self.peek().start;
        let time = self.expression()?;
        self.check_start_time(time, self.since(time_start))?;
        let at = self.since(start);
        self.expect(Kind::End, "the end of the statement")?;
        let draft = &mut self.draft.states[state];
        if draft.history.is_some() {
            let what = format!("a second history of `{}`", draft.name);
            return Err(problem(ErrorKind::Duplicate, at, what));
        }
        draft.history = Some(History { value, closed, at });
        Ok(())
    }
}
