//! Dual numbers, a second implementation of derivatives: one number after the other, with formulas of
//! their own.

use hpfracc_equation::{Binary, Graph, Id, Node, Table, Ternary, Unary, Values, evaluate};
use hpfracc_special::{digamma, gamma, mittag_leffler, mittag_leffler_derivative, trigamma};

/// Value, derivative, and the sum of the absolute values of all terms of the derivative.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dual {
    pub(crate) value: f64,
    pub(crate) slope: f64,
    pub(crate) scale: f64,
    /// Whether it depends on a variable in a way that a derivative shows.
    active: bool,
}

/// Duals of the roots; `None` if a slope on the way is too large or too small to compare roundings.
pub(crate) fn duals(graph: &Graph, roots: &[Id], x: &[f64], seeds: &[f64]) -> Option<Vec<Dual>> {
    let all: Vec<Id> = (0..graph.len()).map(Id::new).collect();
    let variables: Vec<_> = x.iter().map(|x| Values::Path(*x)).collect();
    let values = evaluate(graph, &all, &variables);
    let needed = graph.needed(roots);
    let mut duals: Vec<Dual> = Vec::new();
    for (k, node) in graph.nodes().iter().enumerate() {
        let value = values[k];
        let of = |id: Id| duals[id.index()];
        let (slope, scale) = match *node {
            _ if !needed[k] => (0.0, 0.0),
            Node::Constant(_) => (0.0, 0.0),
            Node::Variable(number) => {
                let seed = seeds[number as usize];
                (seed, seed.abs())
            }
            Node::Unary(operation, a) => {
                let (partial, size) = unary(operation, of(a).value, value);
                term(of(a), partial, size)?
            }
            Node::Binary(operation, a, b) => binary(operation, of(a), of(b), value)?,
            Node::Ternary(Ternary::Select, condition, a, b) => {
                let taken = if of(condition).value != 0.0 { of(a) } else { of(b) };
                (taken.slope, taken.scale)
            }
            Node::Ternary(Ternary::MittagLeffler, a, b, z) => {
                let [a, b, z] = [a, b, z].map(of);
                let partial = mittag_leffler_derivative(a.value, b.value, 1, z.value).ok()?;
                let size = [b.value - 1.0, b.value].map(|shift| {
                    mittag_leffler(a.value, a.value + shift, z.value).map_or(f64::NAN, f64::abs)
                });
                let size = (size[0] + (b.value - 1.0).abs() * size[1]) / a.value;
                term(z, partial, 1e2 * size)?
            }
            // Not among random graphs.
            Node::Ternary(..) => return None,
            Node::Empty | Node::List(..) => (0.0, 0.0),
            Node::Affine(map, row, list) => {
                let map = graph.map(map)?;
                let (mut slope, mut scale) = (0.0, 0.0);
                for (input, x) in graph.elements(list).into_iter().enumerate() {
                    let weight = map.weight(row as usize, input);
                    let (a, b) = term(of(x), weight, weight)?;
                    (slope, scale) = (slope + a, scale + b);
                }
                (slope, scale)
            }
            Node::Table(number, order, a) => {
                let table = &graph.tables()[number as usize];
                let partial = if order == 0 { secant(table, of(a).value) } else { 0.0 };
                term(of(a), partial, partial)?
            }
        };
        let flat = matches!(
            node,
            Node::Unary(Unary::Sign | Unary::Floor, _)
                | Node::Binary(Binary::Less | Binary::LessOrEqual | Binary::Equal, ..)
                | Node::Table(_, 1.., _)
        );
        let active = match node {
            Node::Variable(_) => true,
            _ => !flat && node.operands().any(|id| duals[id.index()].active),
        };
        duals.push(Dual { value, slope, scale, active });
    }
    Some(roots.iter().map(|root| duals[root.index()]).collect())
}

/// Product with a partial derivative whose rounding errors are relative to `size`.
fn term(a: Dual, partial: f64, size: f64) -> Option<(f64, f64)> {
    if !a.active {
        return Some((0.0, 0.0));
    }
    let moderate = |x: f64| (1e-6..1e6).contains(&x.abs());
    let known = |x: f64| x == 0.0 || moderate(x);
    (known(partial) && known(size)).then(|| (a.slope * partial, a.scale * size.abs()))
}

/// Slope of an extended linear table.
fn secant(table: &Table, x: f64) -> f64 {
    let (knots, values) = (table.knots(), table.values());
    if x.is_nan() {
        return f64::NAN;
    }
    let last = knots.len() - 1;
    let piece = (0..last).rev().find(|k| knots[*k] <= x).filter(|_| x <= knots[last]);
    piece.map_or(0.0, |k| (values[k + 1] - values[k]) / (knots[k + 1] - knots[k]))
}

fn unary(operation: Unary, x: f64, y: f64) -> (f64, f64) {
    let partial = match operation {
        Unary::Negate => -1.0,
        Unary::Absolute if x > 0.0 => 1.0,
        Unary::Absolute if x < 0.0 => -1.0,
        Unary::Absolute if x.is_nan() => f64::NAN,
        Unary::Absolute | Unary::Sign | Unary::Floor => 0.0,
        Unary::SquareRoot => 0.5 * x.powf(-0.5),
        Unary::Exp | Unary::ExpM1 => x.exp(),
        Unary::Ln => x.recip(),
        Unary::Ln1p => (1.0 + x).recip(),
        Unary::Sin => x.cos(),
        Unary::Cos => -x.sin(),
        Unary::Atan => (1.0 + x.powi(2)).recip(),
        Unary::Sinh => x.cosh(),
        Unary::Cosh => x.sinh(),
        Unary::Tanh => x.cosh().powi(-2),
        Unary::Erf => 2.0 / std::f64::consts::PI.sqrt() * (-x.powi(2)).exp(),
        Unary::Gamma => gamma(x) * digamma(x),
        Unary::Digamma => trigamma(x),
        Unary::Trigamma => f64::NAN,
    };
    let size = match operation {
        // Differences of numbers near 1, and a large number in an exponent or an angle.
        Unary::ExpM1 | Unary::Tanh => 1.0 + y.abs(),
        Unary::Sin | Unary::Cos => 1.0,
        Unary::Erf => partial * (1.0 + x * x),
        Unary::Gamma => gamma(x) * (1.0 + digamma(x).abs()),
        _ => partial,
    };
    (partial, size)
}

fn binary(operation: Binary, a: Dual, b: Dual, y: f64) -> Option<(f64, f64)> {
    let power = |a: f64, b: f64| b * a.powf(b - 1.0);
    let [p, q] = match operation {
        Binary::Add => [1.0, 1.0],
        Binary::Subtract => [1.0, -1.0],
        Binary::Multiply => [b.value, a.value],
        Binary::Divide => [b.value.recip(), -a.value / b.value.powi(2)],
        Binary::Power if a.value == 0.0 => [power(a.value, b.value), 0.0],
        Binary::Power => [power(a.value, b.value), y * a.value.ln()],
        Binary::Minimum if a.value < b.value => return Some((a.slope, a.scale)),
        Binary::Maximum if a.value > b.value => return Some((a.slope, a.scale)),
        Binary::Minimum | Binary::Maximum => return Some((b.slope, b.scale)),
        Binary::Less | Binary::LessOrEqual | Binary::Equal => return Some((0.0, 0.0)),
    };
    // Roundings of powers grow with the exponent and the logarithm.
    let room =
        if operation == Binary::Power { 1.0 + b.value.abs() + y.abs().ln().abs() } else { 1.0 };
    let (a, b) = (term(a, p, p * room)?, term(b, q, q * room)?);
    Some((a.0 + b.0, a.1 + b.1))
}
