//! Expressions with the operators of Rust.

mod functions;
mod operators;

use crate::graph::{Graph, Id};
use crate::network::Network;
use std::cell::RefCell;

/// Graph while it is written with the operators of Rust.
///
/// ```
/// use hpfracc_equation::{Builder, Values, evaluate};
///
/// // The Lorenz system: x, y and z are variables 0 to 2.
/// let builder = Builder::new();
/// let [x, y, z] = [0, 1, 2].map(|k| builder.variable(k));
/// let [sigma, rho, beta] = [10.0, 28.0, 8.0 / 3.0];
/// let rhs = [sigma * (y - x), x * (rho - z) - y, x * y - beta * z];
/// let roots = rhs.map(|root| root.id());
///
/// let graph = builder.finish();
/// let at = [1.0, 2.0, 3.0].map(Values::Path);
/// assert_eq!(evaluate::<f64>(&graph, &roots, &at), [10.0, 23.0, -6.0]);
/// ```
#[derive(Debug, Default)]
pub struct Builder {
    graph: RefCell<Graph>,
}

impl Builder {
    /// Empty graph.
    pub fn new() -> Self {
        Self::default()
    }

    /// Variable of this number.
    pub fn variable(&self, number: u32) -> Expression<'_> {
        self.add(|graph| graph.variable(number))
    }

    /// Constant.
    pub fn constant(&self, value: f64) -> Expression<'_> {
        self.add(|graph| graph.constant(value))
    }

    /// Outputs of a network of these expressions, of which it has as many inputs.
    ///
    /// ```
    /// use hpfracc_equation::{Activation, Affine, Builder, Network};
    ///
    /// let layer = Affine::new(2, vec![1.0, -1.0], vec![0.0])?;
    /// let network = Network::new(vec![(layer, Activation::Tanh)])?;
    /// let builder = Builder::new();
    /// let (x, y) = (builder.variable(0), builder.variable(1));
    /// let outputs = builder.network(&network, &[x, 2.0 * y]);
    /// let root = (outputs[0] + 1.0).id();
    /// # Ok::<(), hpfracc_equation::NetworkError>(())
    /// ```
    pub fn network(&self, network: &Network, x: &[Expression<'_>]) -> Vec<Expression<'_>> {
        let x: Vec<Id> = x.iter().map(|x| x.in_graph_of(self)).collect();
        let outputs = self.graph.borrow_mut().network(network, &x);
        outputs.into_iter().map(|id| Expression { builder: self, id }).collect()
    }

    /// Graph of all expressions. Their ids stay as they are.
    pub fn finish(self) -> Graph {
        self.graph.into_inner()
    }

    fn add(&self, node: impl FnOnce(&mut Graph) -> Id) -> Expression<'_> {
        Expression { builder: self, id: node(&mut self.graph.borrow_mut()) }
    }
}

/// Node of a [`Builder`]'s graph, with operators and functions that add nodes: `a * x.sin() - 1.0`.
///
/// Numbers stand on either side of an operator and as arguments. An expression of another builder is
/// copied into the graph of the one on the left.
#[derive(Debug, Clone, Copy)]
pub struct Expression<'a> {
    builder: &'a Builder,
    id: Id,
}

impl Expression<'_> {
    /// Node in the graph that [`Builder::finish`] returns.
    pub fn id(self) -> Id {
        self.id
    }
}

/// Argument of an operator or a function: an expression or a number.
pub trait Operand: sealed::Sealed {
    /// Node in the graph of this builder.
    #[doc(hidden)]
    fn in_graph_of(self, builder: &Builder) -> Id;
}

mod sealed {
    /// Implemented by the operands of this crate.
    pub trait Sealed {}
    impl Sealed for f64 {}
    impl Sealed for super::Expression<'_> {}
}

impl Operand for f64 {
    fn in_graph_of(self, builder: &Builder) -> Id {
        builder.constant(self).id
    }
}

impl Operand for Expression<'_> {
    fn in_graph_of(self, builder: &Builder) -> Id {
        if std::ptr::eq(self.builder, builder) {
            return self.id;
        }
        let other = self.builder.graph.borrow();
        builder.graph.borrow_mut().import(&other, &[self.id])[0]
    }
}
