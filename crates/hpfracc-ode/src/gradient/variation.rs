use super::differentiable::Differentiable;
use crate::error::{require, same_length};
use crate::problem::of_component;
use crate::{OdeError, Problem};
use ndarray::{Array2, ArrayView2};

/// Direction in, or gradient with respect to, the inputs of a solve: initial values, parameters,
/// orders.
#[derive(Debug, Clone, PartialEq)]
pub struct Variation {
    /// The initial rows y, y', ...: `initial[[derivative, component]]`. Zero where the order of a
    /// component takes no such initial value.
    pub initial: Array2<f64>,
    /// Parameters of f.
    pub parameters: Vec<f64>,
    /// Orders in the layout of the problem: one for all components, or one per component.
    pub orders: Vec<f64>,
}

impl Variation {
    /// Zeros with the shape of a problem.
    pub fn zeros<S: Differentiable + ?Sized>(problem: &Problem<S>) -> Self {
        Self {
            initial: Array2::zeros((problem.initial().len(), problem.dim())),
            parameters: vec![0.0; problem.system().parameters().len()],
            orders: vec![0.0; problem.orders().len()],
        }
    }

    /// Inner product, for a gradient and a direction the directional derivative.
    pub fn dot(&self, other: &Self) -> f64 {
        let initial = self.initial.iter().zip(&other.initial);
        let parameters = self.parameters.iter().zip(&other.parameters);
        let orders = self.orders.iter().zip(&other.orders);
        initial.chain(parameters).chain(orders).map(|(a, b)| a * b).sum()
    }

    /// Checks the shape, and that unused initial values are zero.
    pub(super) fn check(&self, problem: &Problem<dyn Differentiable + '_>) -> Result<(), OdeError> {
        let Self { initial, parameters, orders } = Self::zeros(problem);
        for (what, found, expected) in [
            ("a direction's list of initial rows", self.initial.nrows(), initial.nrows()),
            ("a direction's initial row", self.initial.ncols(), initial.ncols()),
            ("a direction's list of parameters", self.parameters.len(), parameters.len()),
            ("a direction's list of orders", self.orders.len(), orders.len()),
        ] {
            same_length(what, found, expected)?;
        }
        for ((derivative, component), &value) in self.initial.indexed_iter() {
            let alpha = problem.order(component);
            if derivative >= alpha.ceil() as usize && value != 0.0 {
                return Err(OdeError::InitialUnused { derivative, component, value, alpha });
            }
        }
        Ok(())
    }

    /// Adds the cotangent of the free term at t0 + x.
    pub(super) fn add_free_term(&mut self, x: f64, cotangent: &[f64]) {
        let mut factor = 1.0;
        for (mut row, j) in self.initial.rows_mut().into_iter().zip(1..) {
            row.iter_mut().zip(cotangent).for_each(|(row, bar)| *row += factor * bar);
            factor *= x / f64::from(j);
        }
    }

    /// The order of a component.
    pub(super) fn order(&self, component: usize) -> f64 {
        *of_component(&self.orders, component)
    }

    /// The gradient with its derivatives with respect to the order of each component, and zeros for
    /// unused initial values.
    pub(super) fn complete(
        mut self,
        problem: &Problem<dyn Differentiable + '_>,
        by_order: &[f64],
    ) -> Result<Self, OdeError> {
        let last = self.orders.len() - 1;
        for (component, bar) in by_order.iter().enumerate() {
            self.orders[component.min(last)] += bar;
        }
        for (variable, values) in [("parameter", &self.parameters), ("order", &self.orders)] {
            if let Some(index) = values.iter().position(|value| !value.is_finite()) {
                return Err(OdeError::GradientNotFinite { variable, index });
            }
        }
        for ((derivative, component), value) in self.initial.indexed_iter_mut() {
            if derivative >= problem.order(component).ceil() as usize {
                *value = 0.0;
            }
        }
        Ok(self)
    }
}

/// Derivatives of a loss with respect to the nodes, `dL/dy_n`.
#[derive(Debug, Clone, Copy)]
pub enum Cotangents<'a> {
    /// For all nodes, one row per node.
    All(ArrayView2<'a, f64>),
    /// For some nodes, by index; zero for the others. Entries for the same node are added.
    At(&'a [(usize, &'a [f64])]),
}

impl Cotangents<'_> {
    /// Node by node.
    pub(super) fn by_node(self, dim: usize, nodes: usize) -> Result<Vec<f64>, OdeError> {
        match self {
            Self::All(rows) => {
                same_length("the list of cotangents", rows.nrows(), nodes)?;
                same_length("a cotangent", rows.ncols(), dim)?;
                Ok(rows.iter().copied().collect())
            }
            Self::At(some) => {
                let mut all = vec![0.0; nodes * dim];
                for &(node, cotangent) in some {
                    same_length("a cotangent", cotangent.len(), dim)?;
                    let (what, expected) = ("the node of a cotangent", "one of the solution");
                    require(node < nodes, what, node as f64, expected)?;
                    let to = all[node * dim..][..dim].iter_mut();
                    to.zip(cotangent).for_each(|(to, bar)| *to += bar);
                }
                Ok(all)
            }
        }
    }
}
