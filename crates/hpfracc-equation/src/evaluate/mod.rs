mod mittag_leffler;

pub(crate) use mittag_leffler::{PartialsOfBlock, PreparedOrders};

use crate::graph::Table;
use crate::graph::{Affine, Binary, Graph, Id, Node, Ternary, Unary};
use hpfracc_lanes::Elementary;
use hpfracc_special::{digamma, gamma, mittag_leffler, trigamma};

/// Value of a variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Values<T> {
    /// Number that is the same for all paths, such as time or a parameter: in double precision.
    Uniform(f64),
    /// Number of one path, such as a component of the state.
    Path(T),
}

/// Values of the roots, one node after the other: the reference of every other evaluation.
///
/// What does not depend on a path, constants, time, parameters and all that is computed from them
/// alone, is computed in double precision and rounded once to `T`, where it meets a number of a path.
/// Each operation rounds as it is written; a result is NaN where a function is not defined.
///
/// `variables[k]` is the value of [`Node::Variable`] k; one without a value is NaN.
///
/// ```
/// use hpfracc_equation::{Graph, Values, evaluate};
///
/// let mut graph = Graph::new();
/// let (x, rate) = (graph.variable(0), graph.variable(1));
/// let root = graph.product(rate, x);
/// let values = evaluate::<f32>(&graph, &[root], &[Values::Path(2.0), Values::Uniform(0.1)]);
/// assert_eq!(values, [0.1f32 * 2.0]);
/// ```
pub fn evaluate<T: Elementary>(graph: &Graph, roots: &[Id], variables: &[Values<T>]) -> Vec<T> {
    let needed = graph.needed(roots);
    let mut values = vec![Values::Uniform(f64::NAN); graph.len()];
    for (k, node) in graph.nodes().iter().enumerate().filter(|(k, _)| needed[*k]) {
        values[k] = value(graph, *node, |id| values[id.index()], variables);
    }
    roots.iter().map(|root| path(values[root.index()])).collect()
}

fn value<T: Elementary>(
    graph: &Graph,
    node: Node,
    of: impl Fn(Id) -> Values<T>,
    variables: &[Values<T>],
) -> Values<T> {
    use Values::{Path, Uniform};
    match node {
        Node::Constant(bits) => Uniform(f64::from_bits(bits)),
        Node::Variable(number) => {
            variables.get(number as usize).copied().unwrap_or(Uniform(f64::NAN))
        }
        Node::Unary(operation, a) => match of(a) {
            Uniform(a) => Uniform(unary(operation, a)),
            Path(a) => Path(unary(operation, a)),
        },
        Node::Binary(operation, a, b) => match (of(a), of(b)) {
            (Uniform(a), Uniform(b)) => Uniform(binary(operation, a, b)),
            (a, b) => Path(binary(operation, path(a), path(b))),
        },
        Node::Ternary(operation, a, b, c) => match (of(a), of(b), of(c)) {
            (Uniform(a), Uniform(b), Uniform(c)) => Uniform(ternary(operation, a, b, c)),
            (a, b, c) => Path(ternary(operation, path(a), path(b), path(c))),
        },
        Node::Table(number, derivative, a) => {
            let table = &graph.tables()[number as usize];
            match of(a) {
                Uniform(a) => Uniform(table.value(a, derivative)),
                Path(a) => Path(interpolated(table, derivative, a)),
            }
        }
        // Lists are no numbers.
        Node::Empty | Node::List(..) => Uniform(f64::NAN),
        Node::Affine(map, row, list) => {
            let x: Vec<_> = graph.elements(list).into_iter().map(of).collect();
            affine(graph.map(map), row as usize, &x)
        }
    }
}

/// Component of an affine map: in double precision if all inputs are.
fn affine<T: Elementary>(map: Option<&Affine>, row: usize, x: &[Values<T>]) -> Values<T> {
    let Some(map) = map else { return Values::Uniform(f64::NAN) };
    let uniform = |x: &Values<T>| match x {
        Values::Uniform(x) => Some(*x),
        Values::Path(_) => None,
    };
    match x.iter().map(uniform).collect::<Option<Vec<f64>>>() {
        Some(x) => Values::Uniform(map.value(row, &x)),
        None => {
            let x: Vec<T> = x.iter().copied().map(path).collect();
            Values::Path(map.value(row, &x))
        }
    }
}

fn path<T: Elementary>(value: Values<T>) -> T {
    match value {
        Values::Uniform(value) => T::narrow(value),
        Values::Path(value) => value,
    }
}

/// Value of a function of one argument.
#[inline(always)]
pub(crate) fn unary<T: Elementary>(operation: Unary, x: T) -> T {
    match operation {
        Unary::Negate => -x,
        Unary::Absolute => x.abs(),
        Unary::Sign => sign(x),
        Unary::Floor => Elementary::floor(x),
        Unary::SquareRoot => Elementary::sqrt(x),
        Unary::Exp => Elementary::exp(x),
        Unary::ExpM1 => Elementary::exp_m1(x),
        Unary::Ln => Elementary::ln(x),
        Unary::Ln1p => Elementary::ln_1p(x),
        Unary::Sin => Elementary::sin(x),
        Unary::Cos => Elementary::cos(x),
        Unary::Atan => Elementary::atan(x),
        Unary::Sinh => Elementary::sinh(x),
        Unary::Cosh => Elementary::cosh(x),
        Unary::Tanh => Elementary::tanh(x),
        Unary::Erf => Elementary::erf(x),
        Unary::Gamma => T::narrow(gamma(x.widen())),
        Unary::Digamma => T::narrow(digamma(x.widen())),
        Unary::Trigamma => T::narrow(trigamma(x.widen())),
    }
}

/// Value of a function of two arguments.
#[inline(always)]
pub(crate) fn binary<T: Elementary>(operation: Binary, a: T, b: T) -> T {
    let truth = |condition: bool| if condition { T::one() } else { T::zero() };
    match operation {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide => a / b,
        Binary::Power => Elementary::pow(a, b),
        Binary::Minimum => {
            if a < b {
                a
            } else {
                b
            }
        }
        Binary::Maximum => {
            if a > b {
                a
            } else {
                b
            }
        }
        Binary::Less => truth(a < b),
        Binary::LessOrEqual => truth(a <= b),
        Binary::Equal => truth(a == b),
    }
}

/// Value of a function of three arguments.
#[inline(always)]
pub(crate) fn ternary<T: Elementary>(operation: Ternary, a: T, b: T, c: T) -> T {
    match operation {
        Ternary::Select => {
            if a != T::zero() {
                b
            } else {
                c
            }
        }
        Ternary::MittagLeffler => {
            let value = mittag_leffler(a.widen(), b.widen(), c.widen());
            T::narrow(value.unwrap_or(f64::NAN))
        }
        Ternary::MittagLefflerByNodes
        | Ternary::MittagLefflerByArgument
        | Ternary::MittagLefflerByAlpha
        | Ternary::MittagLefflerByBeta => {
            let orders = PreparedOrders::new(a.widen(), b.widen());
            T::narrow(orders.partial(operation, c.widen()))
        }
    }
}

/// Value of a table or its derivative, computed in double precision.
pub(crate) fn interpolated<T: Elementary>(table: &Table, derivative: u8, x: T) -> T {
    T::narrow(table.value(x.widen(), derivative))
}

fn sign<T: Elementary>(x: T) -> T {
    if x > T::zero() {
        T::one()
    } else if x < T::zero() {
        -T::one()
    } else {
        x
    }
}
