use super::pass::Pass;
use super::rewriter::{Replacement, Rewriter};
use crate::graph::{Binary, Node};

/// Division by a power of two becomes multiplication by its reciprocal, which is several times as fast.
///
/// Both round the same real number. The power and its reciprocal have to be normal numbers of single
/// precision, so that they are exact there, too.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reciprocals;

impl Pass for Reciprocals {
    fn name(&self) -> &'static str {
        "reciprocals"
    }

    fn replace(&self, new: &mut Rewriter, node: Node) -> Option<Replacement> {
        let Node::Binary(Binary::Divide, a, b) = node else { return None };
        let factor = reciprocal(new.value(b)?)?;
        let factor = new.add(Node::constant(factor));
        Some(Replacement::Node(Node::Binary(Binary::Multiply, a, factor)))
    }
}

/// `1/x`, where x is a power of two.
fn reciprocal(x: f64) -> Option<f64> {
    const MANTISSA: u64 = (1 << (f64::MANTISSA_DIGITS - 1)) - 1;
    let largest = 2f64.powi(f32::MAX_EXP - 2);
    let in_range = x.abs() <= largest && x.abs() >= 1.0 / largest;
    (in_range && x.to_bits() & MANTISSA == 0).then_some(1.0 / x)
}
