//! How a node is written: pieces of text and operands, with brackets where the grammar needs them.

use super::Printer;
use crate::equation::{Derivative, Symbol};
use crate::graph::{Binary, Id, Node, Ternary, Unary};
use crate::text::{binding, unary_name};
use hpfracc_types::shortest;
use std::borrow::Cow;

/// Part of the text of a node.
pub(super) enum Piece {
    Text(Cow<'static, str>),
    Operand { id: Id, bracket: bool },
}

/// First character of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lead {
    Minus,
    Digit,
    Other,
}

/// Properties of the text of a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    /// How strongly its outermost operator binds.
    pub(super) strength: u8,
    pub(super) lead: Lead,
    /// Whether a product with a factor after it can be read in two ways.
    pub(super) division: bool,
    /// Number of nodes that are written.
    pub(super) size: usize,
    /// Nesting.
    pub(super) depth: usize,
}

impl Form {
    /// Name of a node.
    pub(super) const NAME: Self =
        Self { strength: binding::ATOM, lead: Lead::Other, division: false, size: 1, depth: 1 };
}

fn text(text: &'static str) -> Piece {
    Piece::Text(Cow::Borrowed(text))
}

impl Printer<'_> {
    /// Form of a node where it is an operand: of its name, if it has one.
    pub(super) fn form(&self, id: Id) -> Form {
        if self.names.contains_key(&id) { Form::NAME } else { self.forms[id.index()] }
    }

    fn operand(&self, id: Id, least: u8) -> Piece {
        Piece::Operand { id, bracket: self.form(id).strength < least }
    }

    /// Operand after an operator: none that begins with a sign.
    fn after_sign(&self, id: Id) -> Piece {
        let form = self.form(id);
        Piece::Operand { id, bracket: form.strength < binding::PRODUCT || form.lead == Lead::Minus }
    }

    /// First factor of a product.
    pub(super) fn first_factor(&self, id: Id) -> Piece {
        let form = self.form(id);
        Piece::Operand { id, bracket: form.strength < binding::PRODUCT || form.division }
    }

    /// Form of a node that is written with its operands.
    pub(super) fn expanded_form(&self, id: Id) -> Form {
        let (strength, pieces) = self.pieces(id);
        let mut form = Form { strength, lead: Lead::Other, division: false, size: 1, depth: 1 };
        for (k, piece) in pieces.iter().enumerate() {
            match piece {
                Piece::Text(text) if k == 0 => form.lead = lead(text),
                Piece::Text(_) => {}
                Piece::Operand { id, bracket } => {
                    let operand = self.form(*id);
                    if k == 0 && !bracket {
                        form.lead = operand.lead;
                    }
                    let nested = usize::from(k > 0) + usize::from(*bracket);
                    form.size = form.size.saturating_add(operand.size);
                    form.depth = form.depth.max(operand.depth + nested);
                }
            }
        }
        form.division = self.is_division(id);
        form
    }

    /// Whether a node is written as a division by anything but a number.
    fn is_division(&self, id: Id) -> bool {
        match self.graph.node(id) {
            Node::Binary(Binary::Divide, _, b) => {
                let number = self.graph.node(b).as_constant().is_some();
                !(number && self.form(b).lead == Lead::Digit)
            }
            _ => false,
        }
    }

    /// Pieces of a node that is written with its operands, and how strongly it binds.
    pub(super) fn pieces(&self, id: Id) -> (u8, Vec<Piece>) {
        match self.graph.node(id) {
            Node::Constant(bits) => constant(f64::from_bits(bits)),
            Node::Variable(number) => (binding::ATOM, self.variable(number)),
            Node::Unary(Unary::Negate, a) => {
                let bracket = self.form(a).strength < binding::POWER || self.is_number(a);
                (binding::PREFIX, vec![text("-"), Piece::Operand { id: a, bracket }])
            }
            Node::Unary(operation, a) => call(unary_name(operation).unwrap_or("-"), &[a]),
            Node::Binary(operation, a, b) => self.binary(id, operation, a, b),
            Node::Ternary(Ternary::Select, a, b, c) => call("if", &[a, b, c]),
            Node::Empty | Node::List(..) => (binding::ATOM, list(&self.graph.elements(id))),
            Node::Affine(map, row, list) => {
                let name = format!("layer{}_{}", map + 1, row + 1);
                call(&name, &[list])
            }
            Node::Ternary(Ternary::MittagLeffler, a, b, c) => {
                let one = self.graph.node(b) == Node::constant(1.0);
                if one { call("E", &[a, c]) } else { call("E", &[a, b, c]) }
            }
            Node::Ternary(operation, a, b, c) => call(operation.name(), &[a, b, c]),
            Node::Table(table, order, a) => {
                let primes = "'".repeat(order.into());
                call(&format!("{}{primes}", self.tables[table as usize]), &[a])
            }
        }
    }

    fn is_number(&self, id: Id) -> bool {
        self.graph.node(id).as_constant().is_some() && self.form(id).lead == Lead::Digit
    }

    fn binary(&self, id: Id, operation: Binary, a: Id, b: Id) -> (u8, Vec<Piece>) {
        use binding::{AND, ATOM, COMPARISON, NOT, OR, POWER, PRODUCT, SUM};
        let relation =
            |sign| (COMPARISON, vec![self.operand(a, SUM), text(sign), self.operand(b, SUM)]);
        let conditions = self.facts.conditions[id.index()];
        match operation {
            Binary::Add => (SUM, vec![self.operand(a, SUM), text(" + "), self.after_sign(b)]),
            Binary::Subtract => (SUM, vec![self.operand(a, SUM), text(" - "), self.after_sign(b)]),
            Binary::Multiply => self.product(id, a, b),
            Binary::Divide => {
                (PRODUCT, vec![self.operand(a, PRODUCT), text("/"), self.operand(b, POWER)])
            }
            Binary::Power => match self.facts.constants[b.index()] {
                // The parser makes products and roots of these.
                Some(exponent) if exponent == exponent.trunc() || exponent == 0.5 => {
                    call("pow", &[a, b])
                }
                _ => (POWER, vec![self.operand(a, ATOM), text("^"), self.operand(b, ATOM)]),
            },
            Binary::Minimum if conditions => {
                (AND, vec![self.operand(a, AND), text(" and "), self.operand(b, NOT)])
            }
            Binary::Maximum if conditions => {
                (OR, vec![self.operand(a, OR), text(" or "), self.operand(b, AND)])
            }
            Binary::Minimum => call("min", &[a, b]),
            Binary::Maximum => call("max", &[a, b]),
            Binary::Less => relation(" < "),
            Binary::LessOrEqual => relation(" <= "),
            Binary::Equal => {
                let zero = self.graph.node(b) == Node::constant(0.0);
                if zero && self.facts.conditions[a.index()] {
                    (NOT, vec![text("not "), self.operand(a, COMPARISON)])
                } else {
                    relation(" = ")
                }
            }
        }
    }

    fn product(&self, id: Id, a: Id, b: Id) -> (u8, Vec<Piece>) {
        if let Some((base, exponent)) = self.facts.powers[id.index()] {
            let exponent = Piece::Text(format!("^{exponent}").into());
            return (binding::POWER, vec![self.operand(base, binding::ATOM), exponent]);
        }
        let right = self.operand(b, binding::POWER);
        let bracket = matches!(right, Piece::Operand { bracket: true, .. });
        let sign = if self.form(b).lead == Lead::Digit && !bracket { "*" } else { " " };
        (binding::PRODUCT, vec![self.first_factor(a), text(sign), right])
    }

    fn variable(&self, number: u32) -> Vec<Piece> {
        if let Some(leaf) = self.leaves.get(number as usize) {
            return vec![Piece::Text(leaf.clone().into())];
        }
        let equation = self.equation;
        let owned = |text: String| Piece::Text(text.into());
        match equation.symbols.get(number as usize) {
            Some(Symbol::Time) => vec![text("t")],
            Some(Symbol::State(k)) => vec![owned(equation.states[*k].name.clone())],
            Some(Symbol::Parameter(k)) => vec![owned(equation.parameters[*k].name.clone())],
            Some(Symbol::Lagged { state, delay }) => {
                let start = format!("{}(t - ", equation.states[*state].name);
                vec![owned(start), self.after_sign(equation.delays[*delay]), text(")")]
            }
            Some(Symbol::LowerDerivative { state, term }) => {
                let state = &equation.states[*state];
                self.derivative(&state.name, state.definition, state.lower_orders[*term], false)
            }
            None => vec![owned(format!("variable_{number}"))],
        }
    }

    /// `x'`, `x''`, `D^alpha x`, `RL D^alpha x`.
    pub(super) fn derivative(
        &self,
        name: &str,
        definition: Derivative,
        order: Id,
        highest: bool,
    ) -> Vec<Piece> {
        let value = self.graph.node(order).as_constant();
        let whole = value.is_some_and(|value| value == value.trunc());
        let kind = match definition {
            // A whole order needs no kind; that of the highest one is kept.
            _ if whole && !highest => "",
            Derivative::Caputo => "",
            Derivative::RiemannLiouville => "RL ",
            Derivative::CaputoFabrizio => "CF ",
            Derivative::AtanganaBaleanu => "AB ",
        };
        let primes = match value {
            Some(1.0) if kind.is_empty() => "'",
            Some(2.0) if kind.is_empty() => "''",
            _ => "",
        };
        if !primes.is_empty() {
            return vec![Piece::Text(format!("{name}{primes}").into())];
        }
        let plain = matches!(self.graph.node(order), Node::Constant(_) | Node::Variable(_));
        let bracket = !(self.names.contains_key(&order) || plain);
        let bracket = bracket || self.form(order).strength < binding::ATOM;
        let start = Piece::Text(format!("{kind}D^").into());
        vec![start, Piece::Operand { id: order, bracket }, Piece::Text(format!(" {name}").into())]
    }
}

fn lead(text: &str) -> Lead {
    match text.as_bytes().first() {
        Some(b'-') => Lead::Minus,
        Some(b'0'..=b'9') => Lead::Digit,
        _ => Lead::Other,
    }
}

fn constant(value: f64) -> (u8, Vec<Piece>) {
    if value.to_bits() == std::f64::consts::PI.to_bits() {
        return (binding::ATOM, vec![text("pi")]);
    }
    let strength = if value.is_sign_negative() { binding::PREFIX } else { binding::ATOM };
    (strength, vec![Piece::Text(shortest(value).into())])
}

fn call(name: &str, arguments: &[Id]) -> (u8, Vec<Piece>) {
    (binding::ATOM, enclosed(format!("{name}("), arguments, ")"))
}

fn list(elements: &[Id]) -> Vec<Piece> {
    enclosed("[".to_owned(), elements, "]")
}

fn enclosed(open: String, operands: &[Id], close: &'static str) -> Vec<Piece> {
    let mut pieces = vec![Piece::Text(open.into())];
    for (k, id) in operands.iter().enumerate() {
        if k > 0 {
            pieces.push(text(", "));
        }
        pieces.push(Piece::Operand { id: *id, bracket: false });
    }
    pieces.push(text(close));
    pieces
}
