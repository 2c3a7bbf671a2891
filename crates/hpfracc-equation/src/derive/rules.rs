//! Table of derivatives: the only place that knows the derivative of a function.

use super::error::NoDerivative;
use super::tidy::Tidy;
use crate::graph::{Binary, Graph, Id, Node, Ternary, Unary};
use std::f64::consts::FRAC_2_SQRT_PI;

/// Condition and the operands `(then, else)` of a function that takes one of its operands: the
/// derivative is that of the branch taken.
pub(crate) fn branches(graph: &mut Graph, node: Node) -> Option<(Id, [usize; 2])> {
    match node {
        Node::Ternary(Ternary::Select, condition, ..) => Some((condition, [1, 2])),
        Node::Binary(Binary::Minimum, a, b) => Some((graph.binary(Binary::Less, a, b), [0, 1])),
        Node::Binary(Binary::Maximum, a, b) => Some((graph.binary(Binary::Less, b, a), [0, 1])),
        _ => None,
    }
}

/// `v` times the partial derivative of node y with respect to its operand k, counted from 0.
///
/// Functions with [`branches`] are not here.
pub(crate) fn times_partial(
    tidy: &mut Tidy<'_>,
    y: Id,
    k: usize,
    v: Id,
) -> Result<Id, NoDerivative> {
    match tidy.graph.node(y) {
        Node::Constant(_) | Node::Variable(_) => Ok(tidy.constant(0.0)),
        // Sweeps have the derivatives of affine maps.
        Node::Empty | Node::List(..) | Node::Affine(..) => Ok(tidy.constant(0.0)),
        Node::Unary(operation, x) => unary(tidy, operation, x, y, v),
        Node::Binary(operation, a, b) => Ok(binary(tidy, operation, [a, b], y, k, v)),
        Node::Ternary(Ternary::MittagLeffler, a, b, z) if k == 2 => {
            let slope = mittag_leffler(tidy, a, b, z);
            Ok(tidy.product(slope, v))
        }
        Node::Ternary(Ternary::MittagLeffler | Ternary::MittagLefflerByNodes, a, b, z) => {
            let all = [
                Ternary::MittagLefflerByAlpha,
                Ternary::MittagLefflerByBeta,
                Ternary::MittagLefflerByArgument,
            ];
            let slope = tidy.ternary(all[k.min(2)], a, b, z);
            Ok(tidy.product(slope, v))
        }
        // The derivative of a condition.
        Node::Ternary(Ternary::Select, ..) => Ok(tidy.constant(0.0)),
        Node::Ternary(partial, ..) => {
            Err(NoDerivative { function: partial.name(), argument: k + 1, at: y })
        }
        // Of a linear table: piecewise constant, that of the piece after a knot at the knot.
        Node::Table(table, derivative, x) => {
            let slope = tidy.table(table, derivative.saturating_add(1), x);
            Ok(tidy.product(slope, v))
        }
    }
}

fn unary(tidy: &mut Tidy<'_>, operation: Unary, x: Id, y: Id, v: Id) -> Result<Id, NoDerivative> {
    let one = tidy.constant(1.0);
    let slope = match operation {
        Unary::Negate => return Ok(tidy.negate(v)),
        Unary::Absolute => tidy.unary(Unary::Sign, x),
        Unary::Sign | Unary::Floor => tidy.constant(0.0),
        Unary::SquareRoot => {
            let two = tidy.constant(2.0);
            let twice = tidy.product(two, y);
            return Ok(tidy.quotient(v, twice));
        }
        Unary::Exp => y,
        Unary::ExpM1 => tidy.sum(y, one),
        Unary::Ln => return Ok(tidy.quotient(v, x)),
        Unary::Ln1p => {
            let sum = tidy.sum(one, x);
            return Ok(tidy.quotient(v, sum));
        }
        Unary::Sin => tidy.unary(Unary::Cos, x),
        Unary::Cos => {
            let sin = tidy.unary(Unary::Sin, x);
            tidy.negate(sin)
        }
        Unary::Atan => {
            let square = tidy.product(x, x);
            let sum = tidy.sum(one, square);
            return Ok(tidy.quotient(v, sum));
        }
        Unary::Sinh => tidy.unary(Unary::Cosh, x),
        Unary::Cosh => tidy.unary(Unary::Sinh, x),
        Unary::Tanh => {
            let square = tidy.product(y, y);
            tidy.difference(one, square)
        }
        Unary::Erf => {
            let square = tidy.product(x, x);
            let exponent = tidy.negate(square);
            let bell = tidy.unary(Unary::Exp, exponent);
            let factor = tidy.constant(FRAC_2_SQRT_PI);
            tidy.product(factor, bell)
        }
        Unary::Gamma => {
            let digamma = tidy.unary(Unary::Digamma, x);
            tidy.product(y, digamma)
        }
        Unary::Digamma => tidy.unary(Unary::Trigamma, x),
        Unary::Trigamma => {
            return Err(NoDerivative { function: operation.name(), argument: 1, at: y });
        }
    };
    Ok(tidy.product(slope, v))
}

fn binary(tidy: &mut Tidy<'_>, operation: Binary, [a, b]: [Id; 2], y: Id, k: usize, v: Id) -> Id {
    match (operation, k) {
        (Binary::Add, _) | (Binary::Subtract, 0) => v,
        (Binary::Subtract, _) => tidy.negate(v),
        (Binary::Multiply, 0) => tidy.product(b, v),
        (Binary::Multiply, _) => tidy.product(a, v),
        (Binary::Divide, 0) => tidy.quotient(v, b),
        (Binary::Divide, _) => {
            let product = tidy.product(y, v);
            let quotient = tidy.quotient(product, b);
            tidy.negate(quotient)
        }
        (Binary::Power, 0) => {
            let slope = power_in_base(tidy, a, b);
            let product = tidy.product(slope, v);
            // Where a = 0 and v = 0, as in (t/tau)^b at t = 0, the limit, although the slope may be infinite.
            let zero = tidy.constant(0.0);
            tidy.select(v, product, zero)
        }
        (Binary::Power, _) => {
            // a^b ln a, and 0 at a = 0, where it is the limit for b > 0.
            let (ln, zero) = (tidy.unary(Unary::Ln, a), tidy.constant(0.0));
            let ln = tidy.select(a, ln, zero);
            let slope = tidy.product(y, ln);
            tidy.product(slope, v)
        }
        (
            Binary::Minimum | Binary::Maximum | Binary::Less | Binary::LessOrEqual | Binary::Equal,
            _,
        ) => tidy.constant(0.0),
    }
}

/// `b a^(b-1)`; 0 where b = 0, at a = 0 too.
fn power_in_base(tidy: &mut Tidy<'_>, a: Id, b: Id) -> Id {
    let (zero, one) = (tidy.constant(0.0), tidy.constant(1.0));
    let exponent = tidy.difference(b, one);
    let power = tidy.power(a, exponent);
    let slope = tidy.product(b, power);
    tidy.select(b, slope, zero)
}

/// dE_{a,b}(z)/dz = `(E_{a,a+b-1}(z) - (b-1) E_{a,a+b}(z)) / a`, from the series: no singularity at 0.
/// Where b = 1 it is `E_{a,a}(z) / a`; elsewhere the terms are about |z| times as large as their difference
/// for large negative z, so that digits are lost there.
fn mittag_leffler(tidy: &mut Tidy<'_>, a: Id, b: Id, z: Id) -> Id {
    let one = tidy.constant(1.0);
    let less = tidy.difference(b, one);
    let order = tidy.sum(a, less);
    let mut numerator = tidy.ternary(Ternary::MittagLeffler, a, order, z);
    if !tidy.is_zero(less) {
        let order = tidy.sum(a, b);
        let other = tidy.ternary(Ternary::MittagLeffler, a, order, z);
        let product = tidy.product(less, other);
        numerator = tidy.difference(numerator, product);
    }
    tidy.quotient(numerator, a)
}
