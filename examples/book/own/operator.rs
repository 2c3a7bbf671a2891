//! User-defined operator: the Grünwald-Letnikov sum with finite memory (short-memory principle).

use pictures::Outcome;

// ANCHOR: uses
use hpfracc::operators::{Discretisation, Number, Toeplitz, Weights};
use hpfracc::prelude::*;
// ANCHOR_END: uses

// ANCHOR: operator
/// `h^-alpha sum_{k < lags} (-1)^k C(alpha, k) f_{n-k}`: Podlubny's short memory.
#[derive(Debug, Clone, Copy)]
struct ShortMemory {
    order: Order,
    lags: usize,
}

impl Discretisation for ShortMemory {
    fn name(&self) -> (&'static str, &'static str) {
        ("short-memory", "grunwald-letnikov")
    }
    fn order(&self) -> Order {
        self.order
    }
    /// `w_k = w_{k-1} (1 - (alpha + 1)/k)`.
    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>, OperatorError> {
        let mut w = vec![N::constant(0.0); grid.n()];
        w[0] = N::constant(grid.dt()).powf(-alpha);
        for k in 1..self.lags.min(grid.n()) {
            w[k] = w[k - 1] * (-(alpha + 1.0) / k as f64 + 1.0);
        }
        Ok(Weights::Toeplitz(Toeplitz::causal(w)))
    }
}
// ANCHOR_END: operator

pub(super) fn check() -> Outcome<()> {
    // ANCHOR: use
    let grid = Grid::uniform(2000, 0.01)?;
    let signal: Array1<f64> = grid.points().map(f64::sin).collect();
    let order = Order::new(0.5)?;
    let machine = Machine::detect();
    let bound = |lags| ShortMemory { order, lags }.on(grid, &machine);
    let short = bound(1000)?.apply(signal.view())?;

    // With one lag per sample it is the Grünwald-Letnikov derivative.
    let whole = GrunwaldLetnikov::new(order).on(grid, &machine)?.apply(signal.view())?;
    let all = bound(2000)?.apply(signal.view())?;
    assert!((&all - &whole).iter().all(|error| error.abs() < 1e-10));
    // With half of them, the results agree until the memory ends.
    assert!((short[999] - whole[999]).abs() < 1e-10 && (short[1999] - whole[1999]).abs() > 1e-4);
    // ANCHOR_END: use
    order_gradient(order, grid, &signal)
}

/// Compares the gradient with respect to the order with a central difference.
fn order_gradient(order: Order, grid: Grid, signal: &Array1<f64>) -> Outcome<()> {
    let machine = Machine::detect();
    let sum = |alpha: f64| -> Outcome<f64> {
        let operator = ShortMemory { order: Order::new(alpha)?, lags: 1000 };
        Ok(operator.on(grid, &machine)?.apply(signal.view())?.sum())
    };
    let (alpha, step) = (order.value(), 1e-5);
    let difference = (sum(alpha + step)? - sum(alpha - step)?) / (2.0 * step);
    let bound = ShortMemory { order, lags: 1000 }.on(grid, &machine)?;
    let gradient = bound.vjp_order(signal.view(), Array1::ones(grid.n()).view())?;
    println!("gradient with respect to the order {gradient:.6}, finite difference {difference:.6}");
    assert!((gradient - difference).abs() < 1e-6 * difference.abs());
    Ok(())
}
