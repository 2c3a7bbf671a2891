use super::UniformGrid;
use crate::OdeError;
use crate::history::Row;
use hpfracc_operators::{Discrete, Operator, OperatorError, RlIntegral, Toeplitz, Weights};
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
    pub(super) fn new(orders: &[f64], grid: UniformGrid) -> Result<Self, OdeError> {
        let of_order = orders.iter().map(|&alpha| Part::new(alpha, grid));
        Ok(Self { of_order: of_order.collect::<Result<_, _>>()? })
    }

    /// The derivatives of these weights in each order, and those of the rows of the history.
    pub(super) fn order_derivative(
        orders: &[f64],
        grid: UniformGrid,
    ) -> Result<(Self, Vec<Row>), OdeError> {
        let (mut of_order, mut rows) = (Vec::new(), Vec::new());
        for &alpha in orders {
            let order = Order::new(alpha).map_err(OperatorError::from)?;
            let nodes = Discrete::Grid(nodes(grid)?);
            let weights = toeplitz(RlIntegral::trapezoid(order)?.order_derivative(&nodes)?);
            let row = weights.causal.clone();
            of_order.push(Part::of(weights));
            rows.push(Row::table(row));
        }
        Ok((Self { of_order }, rows))
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
    fn new(alpha: f64, grid: UniformGrid) -> Result<Self, OdeError> {
        let order = Order::new(alpha).map_err(OperatorError::from)?;
        Ok(Self::of(toeplitz(RlIntegral::trapezoid(order)?.weights(nodes(grid)?)?)))
    }

    fn of(weights: Toeplitz) -> Self {
        let start = weights.starts.into_iter().next().expect("the first cell has a correction");
        Self { newest: weights.causal[0], start: start.column }
    }
}

/// The derivatives in each order of the weights of the product rectangle rule, by lag.
pub(super) fn rectangle_order_derivative(
    orders: &[f64],
    grid: UniformGrid,
) -> Result<Vec<Row>, OdeError> {
    let row = |&alpha: &f64| {
        let order = Order::new(alpha).map_err(OperatorError::from)?;
        let nodes = Discrete::Grid(nodes(grid)?);
        let weights = RlIntegral::rectangle(order)?.order_derivative(&nodes)?;
        Ok(Row::table(toeplitz(weights).causal))
    };
    orders.iter().map(row).collect()
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
