//! Weights of product integration on equal steps and their derivatives with respect to the order.

use crate::errors::{OrRaise, input};
use crate::running::fork;
use hpfracc::ode::history::{Row, Rule};
use hpfracc::operators::{Discrete, Operator, OperatorError, RlIntegral, Toeplitz, Weights};
use hpfracc::types::{Grid, Order};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

/// Weights of `I^alpha f(t_n) = sum_{j<n} w[n-j] f_j + start[n] f_0 + w[0] f_n`: the lags 0 to n, and the starting
/// weights of the nodes 0 to n. With `by_order` their derivatives with respect to alpha.
#[pyfunction]
#[pyo3(signature = (rule, alpha, dt, n, by_order=false))]
#[expect(clippy::type_complexity, reason = "a pair of arrays")]
pub(super) fn product_weights<'py>(
    py: Python<'py>,
    rule: &str,
    alpha: f64,
    dt: f64,
    n: usize,
    by_order: bool,
) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)> {
    let rule = match rule {
        "rectangle" => Rule::Rectangle,
        "trapezoid" => Rule::Trapezoid,
        _ => {
            return Err(input(format!(
                "the rule is {rule:?}, expected \"rectangle\" or \"trapezoid\""
            )));
        }
    };
    fork::ready();
    let (causal, start) = py.detach(|| weights(rule, alpha, (n, dt), by_order))?;
    Ok((causal.into_pyarray(py), start.into_pyarray(py)))
}

fn weights(
    rule: Rule,
    alpha: f64,
    (n, dt): (usize, f64),
    by_order: bool,
) -> PyResult<(Vec<f64>, Vec<f64>)> {
    let grid = Grid::uniform(n + 1, dt).or_raise()?;
    let of = toeplitz(rule, alpha, grid, by_order).or_raise()?;
    let mut causal = of.causal;
    let start = of.starts.into_iter().next().map_or_else(|| vec![0.0; n + 1], |start| start.column);
    match rule {
        Rule::Rectangle => causal[0] = 0.0,
        Rule::Trapezoid => {}
    }
    if !by_order {
        // The weights of the lags are those of the solvers in Rust, bit for bit.
        let row = Row::Product { rule, alpha, h: dt };
        let exact = row.weights(n).or_raise()?;
        causal[1..].copy_from_slice(&exact[1..]);
    }
    Ok((causal, start))
}

fn toeplitz(rule: Rule, alpha: f64, grid: Grid, by_order: bool) -> Result<Toeplitz, OperatorError> {
    let order = Order::new(alpha)?;
    let integral = match rule {
        Rule::Rectangle => RlIntegral::rectangle(order)?,
        Rule::Trapezoid => RlIntegral::trapezoid(order)?,
    };
    let weights = if by_order {
        integral.order_derivative(&Discrete::Grid(grid))?
    } else {
        integral.weights(grid)?
    };
    match weights {
        Weights::Toeplitz(weights) => Ok(weights),
        _ => unreachable!("an integral has Toeplitz weights"),
    }
}
