//! The cubic schemes of types 2 and 3, of order 3.

use super::node_values::{CellRules, SCALE, integral, parabola, parabolas_of, slopes, slopes_of};
use crate::{Dual, Number, Result, Toeplitz, Weights};
use hpfracc_backend::{Backend, Workload};
use std::f64::consts::PI;

/// Orders at the nodes as a function of the lag: the cubic through the four nodes around a cell.
struct OrderOfLag<'a> {
    orders: &'a [f64],
}

impl OrderOfLag<'_> {
    /// The first of the four nodes around a cell, and the factor of each at the distance v into it.
    fn stencil(&self, k: usize, v: f64) -> (usize, [f64; 4]) {
        let first = k.saturating_sub(1).min(self.orders.len() - 4);
        let x = (k - first) as f64 + v;
        let [a, b, c, d] = [x, x - 1.0, x - 2.0, x - 3.0];
        (first, [b * c * d / -6.0, a * c * d / 2.0, a * b * d / -2.0, a * b * c / 6.0])
    }

    fn at(&self, k: usize, v: f64) -> f64 {
        let (first, factors) = self.stencil(k, v);
        self.orders[first..].iter().zip(factors).map(|(order, factor)| order * factor).sum()
    }
}

/// `(h lag)^-alpha / Gamma(1-alpha)`, for [`slopes`] and cells of length 1.
fn kernel<N: Number>(alpha: N, ln_lag: f64) -> N {
    (alpha * -ln_lag).exp() * (-alpha + 1.0).recip_gamma() * (1.0 / SCALE)
}

/// The part of the cell at the lag 0 that the rules leave out: below their nearest point the order is
/// that of the lag 0, and the slope that of the end.
fn nearest_part<N: Number>(alpha: N, ln_h: f64) -> N {
    let power = ((-alpha + 1.0) * CellRules::nearest().ln()).exp();
    power * (alpha * -ln_h).exp() * (-alpha + 2.0).recip_gamma() * (1.0 / SCALE)
}

/// Type 3: weights of samples, given the shift of all orders.
pub(super) fn of_lag<N: Number>(orders: &[f64], shift: N, ln_h: f64) -> Weights<N> {
    let (n, rules, of_lag) = (orders.len(), CellRules::new(), OrderOfLag { orders });
    let cell = |k: usize| {
        let mut cell = [N::constant(0.0); 3];
        if k == 0 {
            cell[0] = nearest_part(shift + orders[0], ln_h);
        }
        rules.each(k, |v, weight| {
            let value = kernel(shift + of_lag.at(k, v), ln_h + (k as f64 + v).ln()) * weight;
            cell.iter_mut().zip(parabola(v)).for_each(|(sum, c)| *sum = *sum + value * c);
        });
        cell
    };
    let cells: Vec<[N; 3]> = (0..n - 1).map(cell).collect();
    Weights::Product(vec![integral(&cells).into(), slopes(n).into()])
}

/// Type 3: gradient with respect to the order of each node.
pub(super) fn gradient_of_lag<B: Backend<f64>>(
    (orders, ln_h): (&[f64], f64),
    (f, ybar): (&[f64], &[f64]),
    backend: &B,
) -> Result<Vec<f64>> {
    let (n, rules, of_lag) = (orders.len(), CellRules::new(), OrderOfLag { orders });
    let plan = backend.plan(Workload::CausalConvolution { len: n, batch: 1 })?;
    let mut correlations = [const { Vec::new() }; 3];
    for (part, correlation) in parabolas_of(&slopes_of(f)).iter().zip(&mut correlations) {
        correlation.resize(n, 0.0);
        plan.bind(part)?.apply_transpose(ybar, correlation)?;
    }
    let mut gradient = vec![0.0; n];
    gradient[0] += nearest_part(Dual::variable(orders[0]), ln_h).derivative * correlations[0][0];
    for k in 0..n - 1 {
        rules.each(k, |v, weight| {
            let alpha = Dual::variable(of_lag.at(k, v));
            let change = kernel(alpha, ln_h + (k as f64 + v).ln()).derivative * weight;
            let slope: f64 = parabola(v).iter().zip(&correlations).map(|(c, x)| c * x[k]).sum();
            let (first, factors) = of_lag.stencil(k, v);
            let nodes = gradient[first..].iter_mut().zip(factors);
            nodes.for_each(|(node, factor)| *node += factor * change * slope);
        });
    }
    Ok(gradient)
}

/// Type 2: the kernel interpolated in the order, at Chebyshev points a_q,
///
/// ```text
/// u^-alpha(s)/Gamma(1-alpha(s)) = sum_q l_q(alpha(s)) (u/T)^-a_q/Gamma(1-a_q),    l_q with a factor T^-alpha
/// ```
///
/// so that the derivative is a sum of integrals of fixed orders, of f' times a function of s.
pub(super) struct InterpolatedOrder {
    points: Vec<f64>,
    /// Logarithm of T, the length of the grid, and the number of its cells.
    ln_length: f64,
    longest: f64,
}

/// By this much the points reach beyond the orders, for their derivative.
const MARGIN: f64 = 0.05;

impl InterpolatedOrder {
    pub(super) fn new(orders: &[f64], h: f64) -> Self {
        let (lowest, highest) = orders
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)));
        let (middle, half) = (0.5 * (lowest + highest), 0.5 * (highest - lowest) + MARGIN);
        let longest = (orders.len() - 1) as f64;
        // The error of an exponential of this range, 2 (range/4)^q / q!.
        let quarter = 0.5 * half * (longest.ln() + 3.0);
        let (mut count, mut error) = (1, 2.0 * quarter);
        while error > 1e-16 {
            count += 1;
            error *= quarter / f64::from(count);
        }
        let angle = |q: i32| PI * (f64::from(q) + 0.5) / f64::from(count);
        let points = (0..count).map(|q| middle + half * angle(q).cos()).collect();
        Self { points, ln_length: longest.ln() + h.ln(), longest }
    }

    /// l_q at an order, for all q.
    fn factors<N: Number>(&self, alpha: N) -> Vec<N> {
        let scale = (alpha * -self.ln_length).exp();
        let factor = |(q, a): (usize, &f64)| {
            let others = self.points.iter().enumerate().filter(|(p, _)| *p != q);
            others.fold(scale, |product, (_, b)| product * (alpha - *b) * (1.0 / (a - b)))
        };
        self.points.iter().enumerate().map(factor).collect()
    }

    /// The integral of the kernel of one point.
    fn integral<N: Number>(&self, a: f64, rules: &CellRules) -> Toeplitz<N> {
        let ln_longest = self.longest.ln();
        let cell = |k: usize| {
            let mut cell = [0.0; 3];
            if k == 0 {
                // int_0^1 v^(r-a) dv / Gamma(1-a)
                let whole = kernel_near(a, ln_longest);
                let moment = |r: f64| whole * (1.0 - a) / (r + 1.0 - a);
                cell = [whole, -moment(1.0), 0.5 * (moment(2.0) - moment(1.0))];
            } else {
                rules.each(k, |v, weight| {
                    let value = kernel(a, (k as f64 + v).ln() - ln_longest) * weight;
                    cell.iter_mut().zip(parabola(v)).for_each(|(sum, c)| *sum += value * c);
                });
            }
            cell.map(N::constant)
        };
        integral(&(0..self.longest as usize).map(cell).collect::<Vec<_>>())
    }

    /// Weights of samples for orders at the nodes.
    pub(super) fn weights<N: Number>(&self, orders: &[N]) -> Weights<N> {
        let rules = CellRules::new();
        let factors: Vec<Vec<N>> = orders.iter().map(|alpha| self.factors(*alpha)).collect();
        let term = |(q, a): (usize, &f64)| {
            let diagonal = factors.iter().map(|factors| factors[q]).collect();
            let parts = vec![self.integral(*a, &rules).into(), Weights::Diagonal(diagonal)];
            Weights::Product(parts)
        };
        let terms = self.points.iter().enumerate().map(term).collect();
        Weights::Product(vec![Weights::Sum(terms), slopes(orders.len()).into()])
    }

    /// Gradient with respect to the order of each node.
    pub(super) fn gradient<B: Backend<f64>>(
        &self,
        orders: &[f64],
        (f, ybar): (&[f64], &[f64]),
        backend: &B,
    ) -> Result<Vec<f64>> {
        let (n, rules) = (orders.len(), CellRules::new());
        let plan = backend.plan(Workload::CausalConvolution { len: n, batch: 1 })?;
        let changes: Vec<Vec<Dual>> =
            orders.iter().map(|alpha| self.factors(Dual::variable(*alpha))).collect();
        let (slopes, mut gradient) = (slopes_of(f), vec![0.0; n]);
        for (q, a) in self.points.iter().enumerate() {
            let Toeplitz { causal, starts, .. } = self.integral::<f64>(*a, &rules);
            let mut back = vec![0.0; n];
            plan.bind(&causal)?.apply_transpose(ybar, &mut back)?;
            for start in &starts {
                let sum: f64 = start.column.iter().zip(ybar).map(|(a, b)| a * b).sum();
                back.iter_mut().zip(&start.stencil).for_each(|(back, w)| *back += w * sum);
            }
            for (m, gradient) in gradient.iter_mut().enumerate() {
                *gradient += changes[m][q].derivative * slopes[m] * back[m];
            }
        }
        Ok(gradient)
    }
}

/// [`kernel`] integrated over the cell at the lag 0, with lags in units of the longest.
fn kernel_near(a: f64, ln_longest: f64) -> f64 {
    (a * ln_longest).exp() * (2.0 - a).recip_gamma() * (1.0 / SCALE)
}
