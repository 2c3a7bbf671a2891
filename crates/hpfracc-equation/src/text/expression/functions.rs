//! Functions of the language: one table.

use crate::graph::{Binary, Graph, Id, Ternary, Unary};
use std::f64::consts::{FRAC_PI_2, LN_2, LN_10};

/// How a function becomes nodes.
#[derive(Clone, Copy)]
pub(crate) enum Build {
    Unary(Unary),
    Binary(Binary),
    /// Other nodes, from the arguments.
    Expand(fn(&mut Graph, &[Id]) -> Id),
}

/// Function with its numbers of arguments, from least to most.
pub(crate) struct Function {
    pub(crate) name: &'static str,
    pub(crate) least: usize,
    pub(crate) most: usize,
    build: Build,
}

impl Function {
    /// Adds the nodes of a call; the number of arguments is one that the function has.
    pub(crate) fn build(&self, graph: &mut Graph, arguments: &[Id]) -> Id {
        match self.build {
            Build::Unary(operation) => graph.unary(operation, arguments[0]),
            Build::Binary(operation) => graph.binary(operation, arguments[0], arguments[1]),
            Build::Expand(expand) => expand(graph, arguments),
        }
    }
}

const fn one(name: &'static str, operation: Unary) -> Function {
    Function { name, least: 1, most: 1, build: Build::Unary(operation) }
}

const fn two(name: &'static str, operation: Binary) -> Function {
    Function { name, least: 2, most: 2, build: Build::Binary(operation) }
}

const fn expanded(name: &'static str, expand: fn(&mut Graph, &[Id]) -> Id) -> Function {
    Function { name, least: 1, most: 1, build: Build::Expand(expand) }
}

/// All functions.
pub(crate) const FUNCTIONS: &[Function] = &[
    one("abs", Unary::Absolute),
    one("sign", Unary::Sign),
    one("floor", Unary::Floor),
    one("sqrt", Unary::SquareRoot),
    one("exp", Unary::Exp),
    one("expm1", Unary::ExpM1),
    one("ln", Unary::Ln),
    one("ln1p", Unary::Ln1p),
    one("sin", Unary::Sin),
    one("cos", Unary::Cos),
    one("atan", Unary::Atan),
    one("sinh", Unary::Sinh),
    one("cosh", Unary::Cosh),
    one("tanh", Unary::Tanh),
    one("erf", Unary::Erf),
    one("Gamma", Unary::Gamma),
    one("digamma", Unary::Digamma),
    one("trigamma", Unary::Trigamma),
    two("min", Binary::Minimum),
    two("max", Binary::Maximum),
    two("pow", Binary::Power),
    expanded("log10", |g, x| over_constant(g, Unary::Ln, x[0], LN_10)),
    expanded("log2", |g, x| over_constant(g, Unary::Ln, x[0], LN_2)),
    expanded("tan", |g, x| {
        let (sin, cos) = (g.unary(Unary::Sin, x[0]), g.unary(Unary::Cos, x[0]));
        g.quotient(sin, cos)
    }),
    expanded("asin", |g, x| arcsine(g, x[0])),
    expanded("acos", |g, x| {
        let (right_angle, arcsine) = (g.constant(FRAC_PI_2), arcsine(g, x[0]));
        g.difference(right_angle, arcsine)
    }),
    expanded("asinh", |g, x| inverse_sinh(g, x[0])),
    expanded("acosh", |g, x| inverse_cosh(g, x[0])),
    expanded("atanh", |g, x| inverse_tanh(g, x[0])),
    expanded("logistic", |g, x| {
        let (one, minus) = (g.constant(1.0), g.unary(Unary::Negate, x[0]));
        let exp = g.unary(Unary::Exp, minus);
        let below = g.sum(one, exp);
        g.quotient(one, below)
    }),
    expanded("erfc", |g, x| {
        let (one, erf) = (g.constant(1.0), g.unary(Unary::Erf, x[0]));
        g.difference(one, erf)
    }),
    expanded("step", |g, x| {
        let zero = g.constant(0.0);
        g.binary(Binary::LessOrEqual, zero, x[0])
    }),
    expanded("pos", |g, x| {
        let zero = g.constant(0.0);
        g.binary(Binary::Maximum, x[0], zero)
    }),
    Function {
        name: "mod",
        least: 2,
        most: 2,
        build: Build::Expand(|g, x| {
            let quotient = g.quotient(x[0], x[1]);
            let whole = g.unary(Unary::Floor, quotient);
            let product = g.product(x[1], whole);
            g.difference(x[0], product)
        }),
    },
    Function {
        name: "if",
        least: 3,
        most: 3,
        build: Build::Expand(|g, x| g.ternary(Ternary::Select, x[0], x[1], x[2])),
    },
    Function {
        name: "E",
        least: 2,
        most: 3,
        build: Build::Expand(|g, x| {
            let beta = if x.len() == 3 { x[1] } else { g.constant(1.0) };
            g.ternary(Ternary::MittagLeffler, x[0], beta, x[x.len() - 1])
        }),
    },
];

/// Name of a function of one argument; `None` for the sign.
pub(crate) fn unary_name(operation: Unary) -> Option<&'static str> {
    let of = |function: &&Function| matches!(function.build, Build::Unary(o) if o == operation);
    FUNCTIONS.iter().find(of).map(|function| function.name)
}

/// What to write instead of a name that is no function on purpose.
pub(crate) fn refused(name: &str) -> Option<&'static str> {
    match name {
        "log" => Some("write `ln` for the natural logarithm, `log10` or `log2`"),
        "int" => Some("an integral is no expression: give it an equation, such as `I' = x`"),
        _ => None,
    }
}

fn over_constant(g: &mut Graph, operation: Unary, x: Id, divisor: f64) -> Id {
    let (above, below) = (g.unary(operation, x), g.constant(divisor));
    g.quotient(above, below)
}

/// `atan(x / sqrt((1 - x) (1 + x)))`
fn arcsine(g: &mut Graph, x: Id) -> Id {
    let one = g.constant(1.0);
    let (less, more) = (g.difference(one, x), g.sum(one, x));
    let product = g.product(less, more);
    let root = g.unary(Unary::SquareRoot, product);
    let slope = g.quotient(x, root);
    g.unary(Unary::Atan, slope)
}

/// `sign(x) ln1p(|x| + x^2 / (1 + sqrt(1 + x^2)))`
fn inverse_sinh(g: &mut Graph, x: Id) -> Id {
    let one = g.constant(1.0);
    let square = g.product(x, x);
    let sum = g.sum(one, square);
    let root = g.unary(Unary::SquareRoot, sum);
    let below = g.sum(one, root);
    let quotient = g.quotient(square, below);
    let size = g.unary(Unary::Absolute, x);
    let sum = g.sum(size, quotient);
    let (ln, sign) = (g.unary(Unary::Ln1p, sum), g.unary(Unary::Sign, x));
    g.product(sign, ln)
}

/// `ln1p(u + sqrt(u (x + 1)))` with `u = x - 1`
fn inverse_cosh(g: &mut Graph, x: Id) -> Id {
    let one = g.constant(1.0);
    let (less, more) = (g.difference(x, one), g.sum(x, one));
    let product = g.product(less, more);
    let root = g.unary(Unary::SquareRoot, product);
    let sum = g.sum(less, root);
    g.unary(Unary::Ln1p, sum)
}

/// `(ln1p(x) - ln1p(-x)) / 2`
fn inverse_tanh(g: &mut Graph, x: Id) -> Id {
    let minus = g.unary(Unary::Negate, x);
    let (more, less) = (g.unary(Unary::Ln1p, x), g.unary(Unary::Ln1p, minus));
    let (difference, two) = (g.difference(more, less), g.constant(2.0));
    g.quotient(difference, two)
}
