use crate::evaluate;
use crate::graph::{Binary, Graph, Id, Node, Ternary, Unary};

/// Largest whole exponent whose power is written as products.
const LARGEST_PRODUCT: f64 = 16.0;

/// Constructors of derivatives, which drop what is zero: `0 a` is 0, `a + 0` and `1 a` are a,
/// constants are combined, negations move outwards, products have their constant first.
///
/// The rules hold for real numbers. They may change a rounding, the sign of a zero, and `0 a` where a
/// is infinite or NaN: they *define* the graphs of derivatives and never touch a graph as it is written,
/// whose bits [`Simplify`](crate::Simplify) keeps. Each takes constant time.
#[derive(Debug)]
pub(crate) struct Tidy<'a> {
    pub(crate) graph: &'a mut Graph,
}

impl<'a> Tidy<'a> {
    pub(crate) fn new(graph: &'a mut Graph) -> Self {
        Self { graph }
    }

    pub(crate) fn constant(&mut self, value: f64) -> Id {
        self.graph.constant(value)
    }

    /// Value of a constant.
    pub(crate) fn value(&self, a: Id) -> Option<f64> {
        self.graph.node(a).as_constant()
    }

    /// Whether it is the constant 0, of any sign.
    pub(crate) fn is_zero(&self, a: Id) -> bool {
        self.value(a) == Some(0.0)
    }

    /// `a` without an outermost negation, and whether there is one.
    fn unsigned(&self, a: Id) -> (bool, Id) {
        match self.graph.node(a) {
            Node::Unary(Unary::Negate, a) => (true, a),
            _ => (false, a),
        }
    }

    /// Any node.
    pub(crate) fn add(&mut self, node: Node) -> Id {
        match node {
            Node::Constant(_) | Node::Variable(_) | Node::Empty | Node::List(..) => {
                self.graph.add(node)
            }
            Node::Affine(map, row, list) => self.affine(map, row, list),
            Node::Unary(operation, a) => self.unary(operation, a),
            Node::Binary(operation, a, b) => self.binary(operation, a, b),
            Node::Ternary(operation, a, b, c) => self.ternary(operation, a, b, c),
            Node::Table(table, derivative, a) => self.table(table, derivative, a),
        }
    }

    /// Table, or its derivative: the constant 0 of an order above the degree of its pieces.
    pub(crate) fn table(&mut self, number: u32, derivative: u8, a: Id) -> Id {
        let table = &self.graph.tables()[number as usize];
        let zero = derivative >= table.first_zero_derivative();
        let folded = self.value(a).map(|a| table.value(a, derivative));
        match folded {
            _ if zero => self.constant(0.0),
            Some(value) => self.constant(value),
            None => self.graph.table(number, derivative, a),
        }
    }

    /// Function of one argument.
    pub(crate) fn unary(&mut self, operation: Unary, a: Id) -> Id {
        match self.value(a) {
            Some(a) => self.constant(evaluate::unary(operation, a)),
            None if operation == Unary::Negate => self.negate(a),
            None => self.graph.unary(operation, a),
        }
    }

    /// Function of two arguments.
    fn binary(&mut self, operation: Binary, a: Id, b: Id) -> Id {
        match operation {
            Binary::Add => self.sum(a, b),
            Binary::Subtract => self.difference(a, b),
            Binary::Multiply => self.product(a, b),
            Binary::Divide => self.quotient(a, b),
            Binary::Power => self.power(a, b),
            _ => match (self.value(a), self.value(b)) {
                (Some(a), Some(b)) => self.constant(evaluate::binary(operation, a, b)),
                _ => self.graph.binary(operation, a, b),
            },
        }
    }

    /// Function of three arguments.
    pub(crate) fn ternary(&mut self, operation: Ternary, a: Id, b: Id, c: Id) -> Id {
        if operation == Ternary::Select {
            return self.select(a, b, c);
        }
        match (self.value(a), self.value(b), self.value(c)) {
            (Some(a), Some(b), Some(c)) => self.constant(evaluate::ternary(operation, a, b, c)),
            _ => self.graph.ternary(operation, a, b, c),
        }
    }

    /// Component of an affine map.
    pub(crate) fn affine(&mut self, map: u32, row: u32, list: Id) -> Id {
        match self.graph.affine_value((map, row, list), |id| self.value(id)) {
            Some(value) => self.constant(value),
            None => self.graph.add(Node::Affine(map, row, list)),
        }
    }

    /// `-a`
    pub(crate) fn negate(&mut self, a: Id) -> Id {
        match self.graph.node(a) {
            Node::Constant(bits) => self.constant(-f64::from_bits(bits)),
            Node::Unary(Unary::Negate, a) => a,
            Node::Binary(Binary::Subtract, a, b) => self.graph.difference(b, a),
            Node::Binary(Binary::Multiply, a, b) if self.value(a).is_some() => {
                let factor = self.negate_constant(a);
                self.graph.product(factor, b)
            }
            _ => self.graph.unary(Unary::Negate, a),
        }
    }

    fn negate_constant(&mut self, a: Id) -> Id {
        let value = self.value(a).unwrap_or(f64::NAN);
        self.constant(-value)
    }

    /// `a + b`
    pub(crate) fn sum(&mut self, a: Id, b: Id) -> Id {
        match (self.value(a), self.value(b)) {
            (Some(a), Some(b)) => return self.constant(a + b),
            (Some(0.0), _) => return b,
            (_, Some(0.0)) => return a,
            _ => {}
        }
        match (self.unsigned(a), self.unsigned(b)) {
            (_, (true, b)) if a == b => self.constant(0.0),
            ((true, a), _) if a == b => self.constant(0.0),
            (_, (true, b)) => self.graph.difference(a, b),
            ((true, a), _) => self.graph.difference(b, a),
            _ => self.graph.sum(a.min(b), a.max(b)),
        }
    }

    /// `a - b`
    pub(crate) fn difference(&mut self, a: Id, b: Id) -> Id {
        match (self.value(a), self.value(b)) {
            (Some(a), Some(b)) => return self.constant(a - b),
            (Some(0.0), _) => return self.negate(b),
            (_, Some(0.0)) => return a,
            _ if a == b => return self.constant(0.0),
            _ => {}
        }
        match self.unsigned(b) {
            (true, b) => self.graph.sum(a.min(b), a.max(b)),
            _ => self.graph.difference(a, b),
        }
    }

    /// `a b`
    pub(crate) fn product(&mut self, a: Id, b: Id) -> Id {
        match (self.value(a), self.value(b)) {
            (Some(a), Some(b)) => return self.constant(a * b),
            (Some(factor), _) => return self.multiple(factor, b),
            (_, Some(factor)) => return self.multiple(factor, a),
            _ => {}
        }
        let ((minus_a, a), (minus_b, b)) = (self.unsigned(a), self.unsigned(b));
        let product = self.graph.product(a.min(b), a.max(b));
        if minus_a == minus_b { product } else { self.negate(product) }
    }

    /// `factor a`
    fn multiple(&mut self, factor: f64, a: Id) -> Id {
        if factor == 0.0 {
            return self.constant(0.0);
        }
        let (minus, a) = self.unsigned(a);
        let mut factor = if minus { -factor } else { factor };
        let mut product = a;
        if let Node::Binary(Binary::Multiply, b, c) = self.graph.node(a)
            && let Some(inner) = self.value(b)
            && (factor * inner).is_normal()
        {
            factor *= inner;
            product = c;
        }
        if factor == 1.0 {
            product
        } else if factor == -1.0 {
            self.negate(product)
        } else {
            let factor = self.constant(factor);
            self.graph.product(factor, product)
        }
    }

    /// `a / b`
    pub(crate) fn quotient(&mut self, a: Id, b: Id) -> Id {
        match (self.value(a), self.value(b)) {
            (Some(a), Some(b)) => return self.constant(a / b),
            (Some(0.0), _) => return a,
            (_, Some(1.0)) => return a,
            _ => {}
        }
        let ((minus_a, a), (minus_b, b)) = (self.unsigned(a), self.unsigned(b));
        let quotient = self.graph.quotient(a, b);
        if minus_a == minus_b { quotient } else { self.negate(quotient) }
    }

    /// `a^b`
    pub(crate) fn power(&mut self, a: Id, b: Id) -> Id {
        match (self.value(a), self.value(b)) {
            (Some(a), Some(b)) => self.constant(evaluate::binary(Binary::Power, a, b)),
            (_, Some(0.5)) => self.graph.unary(Unary::SquareRoot, a),
            (_, Some(n)) if n.fract() == 0.0 && n.abs() <= LARGEST_PRODUCT => {
                self.graph.integer_power(a, n as i32)
            }
            _ => self.graph.binary(Binary::Power, a, b),
        }
    }

    /// `if c != 0 { a } else { b }`
    pub(crate) fn select(&mut self, c: Id, a: Id, b: Id) -> Id {
        match self.value(c) {
            _ if a == b => a,
            Some(0.0) => b,
            Some(_) => a,
            None => self.graph.ternary(Ternary::Select, c, a, b),
        }
    }
}
