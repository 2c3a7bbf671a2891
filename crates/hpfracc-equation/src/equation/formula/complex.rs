//! Real and imaginary parts of complex expressions, as graphs of real ones.

use super::complex_arithmetic::{Arithmetic, Complex};
use crate::graph::{Binary, Graph, Id, Node, Unary};

/// Function of a complex number that has no formula here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{function}` of a complex number: expected `+`, `-`, products, quotients, powers with a real exponent, `sqrt`, `exp`, \
     `expm1`, `ln`, `sinh`, `cosh`, `tanh` or `abs`"
)]
pub struct NoComplexFunction {
    /// Name of the function.
    pub function: &'static str,
}

/// Graph with the real and the imaginary part of a node of another graph, in which variables have complex values.
pub(super) fn parts(
    old: &Graph,
    root: Id,
    values: &[(u32, (f64, f64))],
) -> Result<(Graph, [Id; 2]), NoComplexFunction> {
    let mut graph = old.without_nodes();
    let mut numbers = vec![Complex { re: None, im: None }; old.len()];
    for (k, needed) in old.needed(&[root]).into_iter().enumerate() {
        if needed {
            numbers[k] = number(&mut graph, old.nodes()[k], &numbers, values)?;
        }
    }
    let (root, mut arithmetic) = (numbers[root.index()], Arithmetic { graph: &mut graph });
    let roots = [arithmetic.node(root.re), arithmetic.node(root.im)];
    Ok((graph, roots))
}

/// Complex number of a node whose operands have theirs.
fn number(
    graph: &mut Graph,
    node: Node,
    numbers: &[Complex],
    values: &[(u32, (f64, f64))],
) -> Result<Complex, NoComplexFunction> {
    if let Node::Variable(variable) = node {
        let value = values.iter().find(|(known, _)| *known == variable);
        return Ok(match value {
            Some((_, (re, im))) => {
                let mut part = |x: f64| (x != 0.0).then(|| graph.constant(x));
                Complex { re: part(*re), im: part(*im) }
            }
            None => Complex::real(graph.add(node)),
        });
    }
    let mut math = Arithmetic { graph };
    let of = |id: Id| numbers[id.index()];
    if node.operands().all(|operand| of(operand).im.is_none()) {
        let node = node.with_operands(|operand| math.node(of(operand).re));
        return Ok(Complex::real(graph.add(node)));
    }
    let none = Err(NoComplexFunction { function: node.name() });
    Ok(match node {
        Node::Unary(operation, a) => match operation {
            Unary::Negate => math.negate(of(a)),
            Unary::Absolute => Complex::real(math.modulus(of(a))),
            Unary::SquareRoot => {
                let half = math.graph.constant(0.5);
                math.power(of(a), half)
            }
            Unary::Exp => math.exp(of(a)),
            Unary::ExpM1 => math.exp_m1(of(a)),
            Unary::Ln => math.ln(of(a)),
            Unary::Sinh => math.hyperbolic(Unary::Sinh, Unary::Cosh, of(a)),
            Unary::Cosh => math.hyperbolic(Unary::Cosh, Unary::Sinh, of(a)),
            Unary::Tanh => math.tanh(of(a)),
            _ => return none,
        },
        Node::Binary(operation, a, b) => match operation {
            Binary::Add => math.add(of(a), of(b)),
            Binary::Subtract => math.subtract(of(a), of(b)),
            Binary::Multiply => math.multiply(of(a), of(b)),
            Binary::Divide => math.divide(of(a), of(b)),
            Binary::Power if of(b).im.is_none() => {
                let exponent = math.node(of(b).re);
                math.power(of(a), exponent)
            }
            _ => return none,
        },
        _ => return none,
    })
}
