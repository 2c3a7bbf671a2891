use super::UniformGrid;
use crate::SolveError;
use crate::history::{Row, Rule};
use hpfracc_operators::{Operator, OperatorError, RlIntegral, Toeplitz, Weights};
use hpfracc_types::{Grid, Order};

/// The product trapezoidal rule on equal steps, beside its convolution, for each component.
///
/// ```text
/// I^alpha f(t_n) = sum_{j<n} w[n-j] f_j + start[n] f_0 + newest f_n,
/// w[m] the weights of the history, Rule::Trapezoid
/// ```
pub(super) struct Trapezoid {
    /// One for all components, or one for each.
    of_order: Vec<Part>,
}

struct Part {
    /// `h^alpha/Gamma(alpha+2)`.
    newest: f64,
    /// `(a_{0,n} - c_n) h^alpha/Gamma(alpha+2)`: the first cell has no left neighbour.
    start: Vec<f64>,
}

impl Trapezoid {
    pub(super) fn new(orders: &[f64], grid: UniformGrid) -> Result<Self, SolveError> {
        let of_order = orders.iter().map(|&alpha| Part::new(alpha, grid));
        Ok(Self { of_order: of_order.collect::<Result<_, _>>()? })
    }

    /// The derivatives of these weights in each order.
    pub(super) fn order_derivative(orders: &[f64], grid: UniformGrid) -> Result<Self, SolveError> {
        let of_order = orders.iter().map(|&alpha| Part::order_derivative(alpha, grid));
        Ok(Self { of_order: of_order.collect::<Result<_, _>>()? })
    }

    /// The weight of the newest value in a component.
    pub(super) fn newest(&self, component: usize) -> f64 {
        self.part(component).newest
    }

    /// The weight that f_0 has at node n beyond that of the convolution.
    pub(super) fn start(&self, component: usize, n: usize) -> f64 {
        self.part(component).start[n]
    }

    fn part(&self, component: usize) -> &Part {
        &self.of_order[component.min(self.of_order.len() - 1)]
    }
}

impl Part {
    fn new(alpha: f64, grid: UniformGrid) -> Result<Self, SolveError> {
        let order = Order::new(alpha).map_err(OperatorError::from)?;
        Ok(Self::of(RlIntegral::trapezoid(order)?.weights(nodes(grid)?)?))
    }

    fn order_derivative(alpha: f64, grid: UniformGrid) -> Result<Self, SolveError> {
        let order = Order::new(alpha).map_err(OperatorError::from)?;
        Ok(Self::of(RlIntegral::trapezoid(order)?.weights_order_derivative(nodes(grid)?)?))
    }

    fn of(weights: Weights) -> Self {
        let mut weights = toeplitz(weights);
        let start = weights.starts.swap_remove(0).column;
        Self { newest: weights.causal[0], start }
    }
}

/// The derivatives in alpha of the weights of [`Row::Product`], by lag.
pub(super) fn row_order_derivative(
    rule: Rule,
    alpha: f64,
    grid: UniformGrid,
) -> Result<Row, SolveError> {
    let order = Order::new(alpha).map_err(OperatorError::from)?;
    let integral = match rule {
        Rule::Rectangle => RlIntegral::rectangle(order)?,
        Rule::Trapezoid => RlIntegral::trapezoid(order)?,
    };
    Ok(Row::table(toeplitz(integral.weights_order_derivative(nodes(grid)?)?).causal))
}

fn nodes(grid: UniformGrid) -> Result<Grid, OperatorError> {
    Ok(Grid::uniform(grid.n() + 1, grid.h())?)
}

fn toeplitz(weights: Weights) -> Toeplitz {
    match weights {
        Weights::Toeplitz(weights) => weights,
        _ => unreachable!("the weights of an integral are those of a sum"),
    }
}
