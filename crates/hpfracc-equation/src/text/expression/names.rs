//! What a name in an expression becomes: a number, a call, a lagged state, a derivative, a noise.

use super::builder::{Increment, Leaf, Uses};
use super::draft::DerivativeUse;
use super::functions::{FUNCTIONS, refused};
use super::parser::Parser;
use super::scope::Meaning;
use crate::equation::{AppliedKind, Calculus, Derivative, Symbol};
use crate::graph::{Binary, Id, Node};
use crate::text::syntax::{ErrorKind, Kind, NameId, Parsed, Problem, Token, problem};
use std::ops::Range;

impl Parser<'_> {
    /// Meaning of a name that was just taken.
    pub(crate) fn name(&mut self, id: NameId, token: Token) -> Parsed<Id> {
        if let Some(kind) = self.derivative_kind(id) {
            self.at += 1;
            return self.derivative(Some(kind), token.start);
        }
        if self.names.name(id) == "D" {
            return self.derivative(None, token.start);
        }
        let call = self.peek().kind == Kind::Open && !self.peek().space;
        match self.meaning(id) {
            Meaning::Function(k) => self.call(k, token),
            Meaning::Table(k) => self.table(k, token),
            Meaning::Spatial(name) => self.spatial(name, token),
            _ if call && self.names.name(id) == "E" => self.mittag_leffler_or_lag(id, token),
            Meaning::Time | Meaning::Pi | Meaning::Definition(_) | Meaning::Vector { .. }
                if call =>
            {
                Err(self.no_function(id, token))
            }
            Meaning::Time => Ok(self.builder.leaf(Leaf::Symbol(Symbol::Time))),
            Meaning::Pi => Ok(self.builder.constant(std::f64::consts::PI)),
            Meaning::Definition(k) => self.defined(k, token),
            Meaning::Vector { first, count } => {
                let k = self.component_of(count, token.range())?;
                self.defined(first + k, token)
            }
            Meaning::State(k) if call => {
                let arguments = self.arguments()?;
                self.lagged(k, arguments, token)
            }
            Meaning::State(k) => match self.peek().kind {
                Kind::Primes(count) => self.primed(k, count, token),
                _ => Ok(self.builder.leaf(Leaf::Symbol(Symbol::State(k)))),
            },
            Meaning::Noise(_) => {
                let name = self.names.name(id).to_string();
                Err(problem(ErrorKind::Noise, token.range(), format!("`{name}` is a noise"))
                    .help(format!("write `d{name}`, or `d{name}/dt` in an equation without `dt`")))
            }
            Meaning::Reserved => self.reserved(id, token),
            Meaning::Unknown => self.differential(id, token),
        }
    }

    /// `RL`, `CF` or `AB` before `D`.
    fn derivative_kind(&self, id: NameId) -> Option<Derivative> {
        if !self.is_word(self.at, "D") {
            return None;
        }
        match self.names.name(id) {
            "RL" => Some(Derivative::RiemannLiouville),
            "CF" => Some(Derivative::CaputoFabrizio),
            "AB" => Some(Derivative::AtanganaBaleanu),
            _ => None,
        }
    }

    fn reserved(&mut self, id: NameId, token: Token) -> Parsed<Id> {
        let name = self.names.name(id);
        if name == "dt" {
            return Ok(self.builder.leaf(Leaf::Increment(Increment::Time)));
        }
        if name == "int" && self.builder.coordinates.is_some() && self.peek().kind == Kind::Open {
            return self.distributed_order(token);
        }
        let error =
            problem(ErrorKind::Reserved, token.range(), format!("`{name}` is a reserved name"));
        Err(match refused(name) {
            Some(help) => error.help(help),
            None => error,
        })
    }

    /// `k(x)`, where k is no function.
    fn no_function(&self, id: NameId, token: Token) -> Box<Problem> {
        let name = self.names.name(id);
        problem(ErrorKind::Ambiguous, token.range(), format!("`{name}` is no function"))
            .help(format!("for a product write `{name} (...)` with a space, or `{name}*(...)`"))
    }

    fn defined(&mut self, k: usize, token: Token) -> Parsed<Id> {
        if let Kind::Primes(_) = self.peek().kind {
            let what = "a derivative of a name that has no equation of its own";
            return Err(problem(ErrorKind::Syntax, token.range(), what));
        }
        let value = self.draft.definitions[k].value;
        // Definitions are read in the order in which they need each other.
        value.ok_or_else(|| problem(ErrorKind::Cycle, token.range(), "this needs itself"))
    }

    /// Index of the component of a vector of a length.
    pub(crate) fn component_of(&self, count: usize, at: Range<usize>) -> Parsed<usize> {
        match self.component {
            Some(component) if component.count == count => Ok(component.index),
            Some(component) => {
                let what = format!("a vector of {count} in an equation of {}", component.count);
                Err(problem(ErrorKind::Syntax, at, what))
            }
            None => Err(problem(ErrorKind::Syntax, at, "a vector in an equation of one component")
                .help("name the components on the left: `D^alpha [x, y] = [f, g]`")),
        }
    }

    /// `[a, b]`: the component that is being read.
    pub(crate) fn vector_literal(&mut self) -> Parsed<Id> {
        let start = self.next().start;
        let mut components = vec![self.bracketed()?];
        while self.take(Kind::Comma) {
            components.push(self.bracketed()?);
        }
        self.expect(Kind::CloseSquare, "`]`")?;
        let k = self.component_of(components.len(), self.since(start))?;
        Ok(components[k])
    }

    fn arguments(&mut self) -> Parsed<Vec<Id>> {
        self.expect(Kind::Open, "`(`")?;
        let mut arguments = vec![self.bracketed()?];
        while self.take(Kind::Comma) {
            arguments.push(self.bracketed()?);
        }
        self.expect(Kind::Close, "`)`")?;
        Ok(arguments)
    }

    fn call(&mut self, k: usize, token: Token) -> Parsed<Id> {
        let function = &FUNCTIONS[k];
        let name = function.name;
        if self.peek().kind != Kind::Open {
            let help = match self.peek().kind {
                Kind::Power => format!("for a power write `{name}(x)^2`"),
                _ if function.least == 1 => format!("write `{name}(...)`"),
                _ => format!("write `{name}(...)` with {} arguments", function.least),
            };
            let what = format!("`{name}` is a function");
            return Err(problem(ErrorKind::Syntax, token.range(), what).help(help));
        }
        let arguments = self.arguments()?;
        self.call_with(k, &arguments, token)
    }

    fn call_with(&mut self, k: usize, arguments: &[Id], token: Token) -> Parsed<Id> {
        let function = &FUNCTIONS[k];
        let reduction = match (function.name, self.builder.coordinates) {
            ("max", Some(_)) => Some(AppliedKind::Largest),
            ("min", Some(_)) => Some(AppliedKind::Smallest),
            _ => None,
        };
        if let (Some(kind), [of]) = (reduction, arguments) {
            return self.reduced(kind, *of, self.since(token.start));
        }
        if !(function.least..=function.most).contains(&arguments.len()) {
            let counts = match (function.least, function.most) {
                (1, 1) => "1 argument".to_string(),
                (least, most) if least == most => format!("{least} arguments"),
                (least, most) => format!("{least} or {most} arguments"),
            };
            let what = format!("`{}` has {counts}, found {}", function.name, arguments.len());
            return Err(problem(ErrorKind::Syntax, self.since(token.start), what));
        }
        self.builder.add(self.since(token.start), |graph| function.build(graph, arguments))
    }

    /// `load(x)`, or the derivative `load'(x)` of a table.
    fn table(&mut self, k: usize, token: Token) -> Parsed<Id> {
        let (number, name) = (self.draft.tables[k].number, self.draft.tables[k].name.clone());
        let primes = match self.peek().kind {
            Kind::Primes(count) => count,
            _ => 0,
        };
        self.at += usize::from(primes > 0);
        if self.peek().kind != Kind::Open || self.peek().space {
            let what = format!("`{name}` is a table");
            return Err(problem(ErrorKind::Syntax, token.range(), what)
                .help(format!("write `{name}(t)`, or another argument")));
        }
        let arguments = self.arguments()?;
        let at = self.since(token.start);
        let [argument] = arguments[..] else {
            let what = format!("`{name}` has 1 argument, found {}", arguments.len());
            return Err(problem(ErrorKind::Syntax, at, what));
        };
        let zero = self.builder.graph.tables()[number as usize].first_zero_derivative();
        let order = primes.min(zero.into()) as u8;
        self.builder.add(at, |graph| graph.table(number, order, argument))
    }

    /// `E(t - tau)` of a state E, or the Mittag-Leffler function.
    fn mittag_leffler_or_lag(&mut self, id: NameId, token: Token) -> Parsed<Id> {
        let arguments = self.arguments()?;
        let function = FUNCTIONS.iter().position(|function| function.name == "E");
        match (self.meaning(id), function) {
            (Meaning::State(state), _) if arguments.len() == 1 => {
                self.lagged(state, arguments, token)
            }
            (_, Some(k)) => self.call_with(k, &arguments, token),
            _ => Err(self.no_function(id, token)),
        }
    }

    /// `y(t - tau)`
    fn lagged(&mut self, state: usize, mut arguments: Vec<Id>, token: Token) -> Parsed<Id> {
        let at = self.since(token.start);
        let name = self.draft.states[state].name.clone();
        let time = self.builder.leaf(Leaf::Symbol(Symbol::Time));
        let argument = arguments.pop().filter(|_| arguments.is_empty());
        let delay = match argument.map(|argument| (argument, self.builder.graph.node(argument))) {
            Some((argument, _)) if argument == time => {
                return Ok(self.builder.leaf(Leaf::Symbol(Symbol::State(state))));
            }
            Some((_, Node::Binary(Binary::Subtract, first, delay))) if first == time => delay,
            Some((argument, _)) if self.builder.facts(argument).uses.none() => {
                return Err(problem(
                    ErrorKind::Delay,
                    at,
                    format!("a value of `{name}` at a fixed time"),
                )
                .help("for an initial value give it a name: `y0 = 1; y(0) = y0`"));
            }
            _ => {
                return Err(problem(
                    ErrorKind::Delay,
                    at,
                    "a state is known at times `t - delay` only",
                )
                .help(format!("write `{name}(t - tau)`, or `{name} (...)` for a product")));
            }
        };
        self.check_delay(delay, &at)?;
        let delay = self.draft.delay(delay);
        self.draft.states[state].lagged.get_or_insert(at);
        Ok(self.builder.leaf(Leaf::Symbol(Symbol::Lagged { state, delay })))
    }

    fn check_delay(&self, delay: Id, at: &Range<usize>) -> Parsed<()> {
        let facts = self.builder.facts(delay);
        if facts.uses.any(Uses::INCREMENT) {
            return Err(problem(ErrorKind::Delay, at.clone(), "a delay that depends on a noise"));
        }
        let fixed = !facts.uses.any(Uses::STATE) && !facts.uses.any(Uses::TIME);
        if fixed && !(facts.value > 0.0 && facts.value.is_finite()) {
            let what = format!("the delay is {}, expected a positive number", facts.value);
            return Err(problem(ErrorKind::Delay, at.clone(), what));
        }
        Ok(())
    }

    /// `x'`
    fn primed(&mut self, state: usize, count: u32, token: Token) -> Parsed<Id> {
        self.at += 1;
        let at = self.since(token.start);
        if self.peek().kind == Kind::Open && !self.peek().space {
            return Err(problem(ErrorKind::Delay, at, "a lagged derivative does not exist yet"));
        }
        let order = self.builder.constant(f64::from(count));
        self.derivative_leaf(state, order, None, at)
    }

    /// `D^alpha x`, after `D`.
    fn derivative(&mut self, kind: Option<Derivative>, start: usize) -> Parsed<Id> {
        let order_start = self.peek().start;
        let order = if self.take(Kind::Power) {
            self.exponent_of_derivative()?
        } else {
            self.builder.constant(1.0)
        };
        self.check_order(order, self.since(order_start))?;
        let state = self.state_of_derivative()?;
        let next = self.peek();
        let primed = matches!(next.kind, Kind::Primes(_));
        if primed || next.kind == Kind::Open && !next.space {
            let what = if primed {
                "a derivative of a derivative"
            } else {
                "a derivative of a lagged state"
            };
            let what = format!("{what} does not exist yet");
            return Err(problem(ErrorKind::Unsupported, start..next.end, what));
        }
        let facts = self.builder.facts(order);
        let whole = facts.uses.none() && facts.value == facts.value.trunc();
        let kind = kind.or((!whole).then_some(Derivative::Caputo));
        self.derivative_leaf(state, order, kind, self.since(start))
    }

    fn check_order(&self, order: Id, at: Range<usize>) -> Parsed<()> {
        let facts = self.builder.facts(order);
        if facts.uses.any(Uses::TIME) && self.builder.coordinates.is_some() {
            let others = facts.uses.any(Uses::STATE.and(Uses::SPACE));
            if !others {
                return Ok(());
            }
        }
        if facts.uses.varies() {
            let what = format!("the order of a derivative depends on {}", self.varying());
            return Err(problem(ErrorKind::Order, at, what)
                .help("write an order of numbers and parameters"));
        }
        if !(facts.value > 0.0 && facts.value.is_finite()) {
            let what = format!(
                "the order of the derivative is {}, expected a positive number",
                facts.value
            );
            return Err(problem(ErrorKind::Order, at, what));
        }
        Ok(())
    }

    /// What an expression of constants and parameters must not depend on.
    pub(crate) fn varying(&self) -> &'static str {
        match self.builder.coordinates {
            Some(_) => "time, a coordinate or a state",
            None => "time or on a state",
        }
    }

    fn state_of_derivative(&mut self) -> Parsed<usize> {
        let start = self.peek().start;
        if self.take(Kind::OpenSquare) {
            let mut states = vec![self.state_name()?];
            while self.take(Kind::Comma) {
                states.push(self.state_name()?);
            }
            self.expect(Kind::CloseSquare, "`]`")?;
            return Ok(states[self.component_of(states.len(), self.since(start))?]);
        }
        self.state_name()
    }

    fn state_name(&mut self) -> Parsed<usize> {
        let token = self.peek();
        let Kind::Name(id) = token.kind else {
            return Err(self.expected("the name of a function of time, as in `D^alpha x`"));
        };
        self.at += 1;
        match self.meaning(id) {
            Meaning::State(state) => Ok(state),
            _ => {
                let name = self.names.name(id);
                let what = format!("a derivative of `{name}`, which has no equation of its own");
                Err(problem(ErrorKind::UnknownName, token.range(), what)
                    .help(format!("give it one: `D^alpha {name} = ...`")))
            }
        }
    }

    /// Unknown name: `dW`, `dx/dt`, or an error.
    fn differential(&mut self, id: NameId, token: Token) -> Parsed<Id> {
        if let Some(increment) = self.increment(id, token, Calculus::Ito)? {
            return Ok(increment);
        }
        let name = self.names.name(id).to_string();
        let rate = self.peek().kind == Kind::Divide && self.is_word(self.at + 1, "dt");
        if let (Some(state), true) = (self.state_of_differential(&name), rate) {
            self.at += 2;
            let order = self.builder.constant(1.0);
            return self.derivative_leaf(state, order, None, self.since(token.start));
        }
        Err(self.unknown_name(&name, token))
    }

    fn unknown_name(&mut self, name: &str, token: Token) -> Box<Problem> {
        let call = self.peek().kind == Kind::Open && !self.peek().space;
        let what = if call { "unknown function" } else { "unknown name" };
        let error = problem(ErrorKind::UnknownName, token.range(), format!("{what} `{name}`"));
        if let Some(state) = self.state_of_differential(name) {
            let state = self.draft.states[state].name.clone();
            return error.help(format!("the derivative of the state `{state}` is `{state}'`"));
        }
        if let Some(help) = self.scope.hint(name, &self.names) {
            return error.help(help);
        }
        match name.strip_prefix('d') {
            Some(rest)
                if !rest.is_empty() && rest.starts_with(|c: char| c.is_ascii_uppercase()) =>
            {
                error.help(format!("if `{rest}` is a noise, say which: `{rest} = brownian()`"))
            }
            _ if call && matches!(name, "lap" | "div" | "grad") => {
                error.help("operators in space belong to equations of fields: `hpfracc pde`")
            }
            _ if call => error,
            _ => error.help(format!("give it a value: `{name} = 1`")),
        }
    }

    fn state_of_differential(&mut self, name: &str) -> Option<usize> {
        let id = self.names.find(name.strip_prefix('d')?)?;
        match self.meaning(id) {
            Meaning::State(state) => Some(state),
            _ => None,
        }
    }

    /// `o dW`, after `o`.
    pub(crate) fn stratonovich(&mut self) -> Parsed<Id> {
        let token = self.peek();
        if let Kind::Name(id) = token.kind {
            self.at += 1;
            if let Some(increment) = self.increment(id, token, Calculus::Stratonovich)? {
                return Ok(increment);
            }
        }
        Err(problem(ErrorKind::Noise, token.range(), "expected a noise such as `dW` after `o`"))
    }

    /// `dW` or `dW/dt`, if the name is one.
    fn increment(&mut self, id: NameId, token: Token, calculus: Calculus) -> Parsed<Option<Id>> {
        let Some(noise) = self.noise_of_differential(id, token)? else { return Ok(None) };
        let rate = self.peek().kind == Kind::Divide && self.is_word(self.at + 1, "dt");
        let increment = if rate {
            self.at += 2;
            Increment::Rate(noise, calculus)
        } else {
            Increment::Noise(noise, calculus)
        };
        Ok(Some(self.builder.leaf(Leaf::Increment(increment))))
    }

    /// Variable of the derivative of a state.
    pub(crate) fn derivative_leaf(
        &mut self,
        state: usize,
        order: Id,
        kind: Option<Derivative>,
        at: Range<usize>,
    ) -> Parsed<Id> {
        let term = self.draft.term(state, order);
        self.leaf_of_term(state, (term, order), kind, at)
    }

    /// Variable of a derivative with its number among those of its state.
    pub(crate) fn leaf_of_term(
        &mut self,
        state: usize,
        (term, order): (usize, Id),
        kind: Option<Derivative>,
        at: Range<usize>,
    ) -> Parsed<Id> {
        let draft = &mut self.draft.states[state];
        match (draft.definition, kind) {
            (Some(known), Some(kind)) if known != kind => {
                let what = format!("the derivatives of `{}` are of two kinds", draft.name);
                return Err(problem(ErrorKind::Syntax, at, what)
                    .help("write `RL`, `CF` or `AB` before all of them or before none"));
            }
            (None, Some(kind)) => draft.definition = Some(kind),
            _ => {}
        }
        let leaf = self.builder.leaf(Leaf::Symbol(Symbol::LowerDerivative { state, term }));
        self.draft.derivatives.push(DerivativeUse { state, order, leaf, at });
        Ok(leaf)
    }
}
