use super::polynomial::Polynomial;
use super::rational::Rational;
use crate::graph::{Binary, Graph, Id, Node, Unary};
use std::collections::HashMap;

/// Most terms that are copied, added and multiplied; beyond, every node is an atom.
const MAX_WORK: usize = 300_000;

/// Nodes as polynomials in atoms, which are variables, constants that are no short decimal fractions, and
/// nodes that are no polynomials: equal normal forms are equal functions, wherever both are defined.
///
/// `sqrt(u)^2` is u, and `a^(b-1)` is `a^b / a`. A node whose polynomial is too long is an atom.
pub(crate) struct NormalForms<'a> {
    graph: &'a mut Graph,
    forms: HashMap<Id, Polynomial>,
    work: usize,
}

impl<'a> NormalForms<'a> {
    /// Normal forms of the nodes that the roots need.
    pub(crate) fn new(graph: &'a mut Graph, roots: &[Id]) -> Self {
        let needed = graph.needed(roots);
        let mut forms = Self { graph, forms: HashMap::new(), work: 0 };
        for k in (0..needed.len()).filter(|&k| needed[k]) {
            let id = Id::new(k);
            let form = forms.of(id).unwrap_or_else(|| Polynomial::power_of(id, 1));
            forms.forms.insert(id, form);
        }
        forms
    }

    /// Normal form of a node that the roots need; of another, an atom.
    pub(crate) fn form(&self, id: Id) -> Polynomial {
        self.forms.get(&id).cloned().unwrap_or_else(|| Polynomial::power_of(id, 1))
    }

    /// Counts work; `None` if it is too much.
    fn charge(&mut self, terms: usize) -> Option<()> {
        self.work += terms;
        (self.work < MAX_WORK).then_some(())
    }

    /// `a b`, without squares of roots.
    pub(crate) fn product(&mut self, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
        self.charge(a.len() * b.len())?;
        self.without_squares_of_roots(&a.times(b)?)
    }

    fn of(&mut self, id: Id) -> Option<Polynomial> {
        let node = self.graph.node(id);
        let terms: usize =
            node.operands().map(|id| self.forms.get(&id).map_or(1, Polynomial::len)).sum();
        self.charge(terms)?;
        match node {
            Node::Constant(bits) => self.constant(f64::from_bits(bits)),
            Node::Unary(Unary::Negate, a) => Some(self.form(a).negated()),
            Node::Binary(Binary::Add, a, b) => self.form(a).plus(&self.form(b)),
            Node::Binary(Binary::Subtract, a, b) => self.form(a).plus(&self.form(b).negated()),
            Node::Binary(Binary::Multiply, a, b) => self.product(&self.form(a), &self.form(b)),
            Node::Binary(Binary::Divide, a, b) => {
                let reciprocal = self.integer_power(b, -1)?;
                self.product(&self.form(a), &reciprocal)
            }
            Node::Binary(Binary::Power, a, b) => self.power(a, b),
            _ => None,
        }
    }

    fn constant(&mut self, value: f64) -> Option<Polynomial> {
        if let Some(value) = Rational::of(value) {
            return Some(Polynomial::constant(value));
        }
        let atom = Polynomial::power_of(self.graph.constant(value.abs()), 1);
        Some(if value < 0.0 { atom.negated() } else { atom })
    }

    /// `a^n`; a negative power of a sum is one of an atom.
    fn integer_power(&mut self, a: Id, n: i32) -> Option<Polynomial> {
        let form = self.form(a);
        if form.is_zero() && n < 0 {
            return None;
        }
        let power = match form.single() {
            None if n < 0 => Polynomial::power_of(a, n),
            _ => form.power(n)?,
        };
        self.without_squares_of_roots(&power)
    }

    /// `a^b` as a power with a smaller exponent times a whole power.
    fn power(&mut self, a: Id, b: Id) -> Option<Polynomial> {
        let value = |id: Id, graph: &Graph| graph.node(id).as_constant();
        let (atom, whole) = match self.graph.node(b) {
            Node::Constant(bits) => {
                let exponent = f64::from_bits(bits);
                let (whole, fraction) = (exponent.floor(), exponent - exponent.floor());
                let atom = if fraction == 0.0 {
                    None
                } else if fraction == 0.5 {
                    Some(self.graph.unary(Unary::SquareRoot, a))
                } else {
                    let fraction = self.graph.constant(fraction);
                    Some(self.graph.binary(Binary::Power, a, fraction))
                };
                (atom, whole)
            }
            Node::Binary(Binary::Subtract, c, d) => {
                let whole = -value(d, self.graph)?;
                (Some(self.graph.binary(Binary::Power, a, c)), whole)
            }
            Node::Binary(Binary::Add, c, d) => {
                let (c, d) = if value(c, self.graph).is_some() { (d, c) } else { (c, d) };
                let whole = value(d, self.graph)?;
                (Some(self.graph.binary(Binary::Power, a, c)), whole)
            }
            _ => return None,
        };
        (whole.fract() == 0.0 && whole.abs() < 1e3).then_some(())?;
        let whole = self.integer_power(a, whole as i32)?;
        match atom {
            Some(atom) => self.product(&Polynomial::power_of(atom, 1), &whole),
            None => Some(whole),
        }
    }

    /// Even powers of square roots as powers of their arguments; negative ones too, of a single term.
    fn without_squares_of_roots(&self, form: &Polynomial) -> Option<Polynomial> {
        let mut form = form.clone();
        // An argument may contain roots, too.
        while let Some(next) = self.with_fewer_roots(&form)? {
            form = next;
        }
        Some(form)
    }

    /// `None` if there is an overflow, `Some(None)` if there is nothing to replace.
    fn with_fewer_roots(&self, form: &Polynomial) -> Option<Option<Polynomial>> {
        let mut sum = Polynomial::default();
        let mut changed = false;
        for (monomial, coefficient) in form.terms() {
            let mut term = Polynomial::constant(coefficient);
            for &(atom, power) in monomial {
                let mut factor = Polynomial::power_of(atom, power);
                if let Node::Unary(Unary::SquareRoot, a) = self.graph.node(atom)
                    && !(0..2).contains(&power)
                {
                    let argument = self.form(a);
                    if power > 0 || argument.single().is_some() {
                        changed = true;
                        factor = Polynomial::power_of(atom, power.rem_euclid(2))
                            .times(&argument.power(power.div_euclid(2))?)?;
                    }
                }
                term = term.times(&factor)?;
            }
            sum = sum.plus(&term)?;
        }
        Some(changed.then_some(sum))
    }
}
