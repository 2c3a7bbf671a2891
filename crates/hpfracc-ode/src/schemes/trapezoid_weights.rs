use crate::history::{Kernel, Row, Rule};
use crate::problem::of_component;
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
        let weights = |&alpha| Ok(OrderWeights::of(toeplitz(Rule::Trapezoid, alpha, grid, false)?));
        Ok(Self { of_order: orders.iter().map(weights).collect::<Result<_, OdeError>>()? })
    }

    /// Derivatives with respect to each order of these weights and of the kernel of the history.
    pub(crate) fn order_derivative(
        orders: &[f64],
        grid: UniformGrid,
    ) -> Result<(Self, Kernel), OdeError> {
        let (mut of_order, mut rows) = (Vec::new(), Vec::new());
        for &alpha in orders {
            let weights = toeplitz(Rule::Trapezoid, alpha, grid, true)?;
            rows.push(Row::Table(weights.causal.clone()));
            of_order.push(OrderWeights::of(weights));
        }
        Ok((Self { of_order }, Kernel::per_component(rows)))
    }

    /// Weight of the newest value in a component.
    pub(crate) fn newest(&self, component: usize) -> f64 {
        of_component(&self.of_order, component).newest
    }

    /// Starting weight: weight of f_0 at node n in addition to the convolution.
    pub(crate) fn start(&self, component: usize, n: usize) -> f64 {
        of_component(&self.of_order, component).start[n]
    }
}

impl OrderWeights {
    fn of(weights: Toeplitz) -> Self {
        let start =
            weights.starts.into_iter().next().expect("the trapezoidal rule has a starting weight");
        Self { newest: weights.causal[0], start: start.column }
    }
}

/// Derivatives with respect to each order of the weights of the product rectangle rule.
pub(crate) fn rectangle_order_derivative(
    orders: &[f64],
    grid: UniformGrid,
) -> Result<Kernel, OdeError> {
    let row = |&alpha| Ok(Row::Table(toeplitz(Rule::Rectangle, alpha, grid, true)?.causal));
    Ok(Kernel::per_component(orders.iter().map(row).collect::<Result<Vec<_>, OdeError>>()?))
}

/// Weights of a rule for one order, or their derivatives with respect to it.
fn toeplitz(
    rule: Rule,
    alpha: f64,
    grid: UniformGrid,
    by_order: bool,
) -> Result<Toeplitz, OdeError> {
    let order = Order::new(alpha).map_err(OperatorError::from)?;
    let integral = match rule {
        Rule::Rectangle => RlIntegral::rectangle(order)?,
        Rule::Trapezoid => RlIntegral::trapezoid(order)?,
    };
    let nodes = Grid::uniform(grid.n() + 1, grid.h()).map_err(OperatorError::from)?;
    let weights = if by_order {
        integral.order_derivative(&Discrete::Grid(nodes))?
    } else {
        integral.weights(nodes)?
    };
    match weights {
        Weights::Toeplitz(weights) => Ok(weights),
        _ => unreachable!("an integral has Toeplitz weights"),
    }
}
