use crate::history::Row;
use crate::{OdeError, UniformGrid};
use hpfracc_operators::{Discrete, Operator, OperatorError, RlIntegral, Toeplitz, Weights};
use hpfracc_types::{Grid, Order};

/// Terms of the product trapezoidal rule on equal steps other than its convolution, per component.
///
/// ```text
/// I^alpha f(t_n) = sum_{j<n} w[n-j] f_j + start[n] f_0 + newest f_n,
/// w[m] the weights of the history, Rule::Trapezoid
/// ```
pub(crate) struct TrapezoidWeights {
    /// One for all components, or one for each.
    of_order: Vec<OrderWeights>,
}

struct OrderWeights {
    /// `h^alpha/Gamma(alpha+2)`.
    newest: f64,
    /// `(a_{0,n} - c_n) h^alpha/Gamma(alpha+2)`: the first cell has no left neighbour.
    start: Vec<f64>,
}

impl TrapezoidWeights {
    pub(crate) fn new(orders: &[f64], grid: UniformGrid) -> Result<Self, OdeError> {
        let of_order = orders.iter().map(|&alpha| OrderWeights::new(alpha, grid));
        Ok(Self { of_order: of_order.collect::<Result<_, _>>()? })
    }

    /// Derivatives with respect to each order of these weights and of the rows of the history.
    pub(crate) fn order_derivative(
        orders: &[f64],
        grid: UniformGrid,
    ) -> Result<(Self, Vec<Row>), OdeError> {
        let (mut of_order, mut rows) = (Vec::new(), Vec::new());
        for &alpha in orders {
            let order = Order::new(alpha).map_err(OperatorError::from)?;
            let nodes = Discrete::Grid(nodes(grid)?);
            let weights = toeplitz(RlIntegral::trapezoid(order)?.order_derivative(&nodes)?);
            let row = weights.causal.clone();
            of_order.push(OrderWeights::of(weights));
            rows.push(Row::Table(row));
        }
        Ok((Self { of_order }, rows))
    }

    /// Weight of the newest value in a component.
    pub(crate) fn newest(&self, component: usize) -> f64 {
        self.weights_of(component).newest
    }

    /// Starting weight: weight of f_0 at node n in addition to the convolution.
    pub(crate) fn start(&self, component: usize, n: usize) -> f64 {
        self.weights_of(component).start[n]
    }

    fn weights_of(&self, component: usize) -> &OrderWeights {
        &self.of_order[component.min(self.of_order.len() - 1)]
    }
}

impl OrderWeights {
    fn new(alpha: f64, grid: UniformGrid) -> Result<Self, OdeError> {
        let order = Order::new(alpha).map_err(OperatorError::from)?;
        Ok(Self::of(toeplitz(RlIntegral::trapezoid(order)?.weights(nodes(grid)?)?)))
    }

    fn of(weights: Toeplitz) -> Self {
        let start =
            weights.starts.into_iter().next().expect("the trapezoidal rule has a starting weight");
        Self { newest: weights.causal[0], start: start.column }
    }
}

/// Derivatives with respect to each order of the weights of the product rectangle rule, by lag.
pub(crate) fn rectangle_order_derivative(
    orders: &[f64],
    grid: UniformGrid,
) -> Result<Vec<Row>, OdeError> {
    let row = |&alpha: &f64| {
        let order = Order::new(alpha).map_err(OperatorError::from)?;
        let nodes = Discrete::Grid(nodes(grid)?);
        let weights = RlIntegral::rectangle(order)?.order_derivative(&nodes)?;
        Ok(Row::Table(toeplitz(weights).causal))
    };
    orders.iter().map(row).collect()
}

fn nodes(grid: UniformGrid) -> Result<Grid, OperatorError> {
    Ok(Grid::uniform(grid.n() + 1, grid.h())?)
}

fn toeplitz(weights: Weights) -> Toeplitz {
    match weights {
        Weights::Toeplitz(weights) => weights,
        _ => unreachable!("an integral has Toeplitz weights"),
    }
}
