use super::series::SeriesHistory;
use super::{Extent, Kernel, Row, Rule};
use crate::OdeError;
use crate::problem::distinct;
use hpfracc_lanes::causal::{OnlineSeries, decay_add, decay_sum, dot};
use hpfracc_lanes::pulp::Arch;
use hpfracc_operators::SumOfExponentials;
use hpfracc_special::recip_gamma;

/// Product rules with their kernel as a sum of exponentials: constant memory, whatever the number
/// of samples.
///
#[doc = formula!("history_exponentials", r"w[m] = \sum_k L_k^{m-1} (B_k + (m-1) A_k), \quad m \ge 2, \quad w[1] \text{ exact}")]
///
/// The A_k are zero for orders up to 1, whose kernel t^(alpha-1) is a sum of exponentials. Between
/// 1 and 2 it is t times one. Kernels of the same order over the same component share the states.
///
/// Cost: K products for each kernel and component, and one or two more for the states; K = 20 to
/// 80, little more for more samples. Memory: 2 K numbers for each component and order. Error: every
/// weight is right within [`relative_error`](Self::relative_error), and so is every sum relative to
/// `sum |w[m] f[n-m]|`.
pub type Exponentials = SeriesHistory<ExponentialSeries>;

/// The sums of [`Exponentials`].
#[derive(Debug)]
pub struct ExponentialSeries {
    pushed: usize,
    /// The last sample.
    last: Vec<f64>,
    states: Vec<State>,
    /// By kernel and component.
    sums: Vec<Sum>,
    /// The different weights: a rule and an order.
    factors: Vec<Factors>,
    relative_error: f64,
    arch: Arch,
}

/// The memory of one component under one order.
#[derive(Debug)]
struct State {
    component: usize,
    /// L_k.
    decays: Vec<f64>,
    /// `sum_{m >= 2} L_k^(m-1) f[n-m]`.
    plain: Vec<f64>,
    /// `sum_{m >= 2} (m-1) L_k^(m-1) f[n-m]`; empty for orders up to 1.
    sloped: Vec<f64>,
}

/// Where one sum comes from.
#[derive(Debug, Clone, Copy)]
struct Sum {
    state: usize,
    factors: usize,
}

/// The B_k and A_k of one row of weights, and the weight of lag 1.
#[derive(Debug)]
pub(super) struct Factors {
    nearest: f64,
    pub(super) plain: Vec<f64>,
    pub(super) sloped: Vec<f64>,
}

/// Numbers of exponentials are multiples of this, the length of the longest register.
const WHOLE: usize = 8;

impl Exponentials {
    /// A history of up to `capacity` samples with `dim` components, each weight within `tolerance`.
    ///
    /// # Errors
    /// Those of [`Direct::new`](super::Direct::new); [`OdeError::NoExponentials`] for a row that is
    /// no product rule of order at most 2; [`OdeError::Operator`] for a tolerance outside [1e-13,
    /// 0.1].
    pub fn new(
        kernels: &[Kernel],
        dim: usize,
        capacity: usize,
        tolerance: f64,
    ) -> Result<Self, OdeError> {
        let extent = Extent::checked(kernels, dim, capacity)?;
        let of_kernel = |kernel| (0..dim).map(move |component| (component, row(kernel, component)));
        let targets: Vec<(usize, &Row)> = kernels.iter().flat_map(of_kernel).collect();
        let (rows, row_of) = distinct(targets.iter().map(|(_, row)| *row));
        let orders = rows.iter().map(|row| order(row)).collect::<Result<Vec<_>, _>>()?;
        let (orders, order_of) = distinct(orders);
        let power = |&alpha: &f64| {
            let b = if alpha <= 1.0 { 1.0 - alpha } else { 2.0 - alpha };
            // In units of the step: no cell from lag 2 on is nearer than 1.
            SumOfExponentials::of_power(b, (1.0, (capacity + 1).max(2) as f64), tolerance)
        };
        let powers = orders.iter().map(power).collect::<Result<Vec<_>, _>>()?;
        let keys = targets.iter().zip(&row_of).map(|((component, _), &row)| (*component, row));
        let (keys, state_of) = distinct(keys.map(|(component, row)| (component, order_of[row])));
        let state = |(component, order): (usize, usize)| {
            State::new(component, orders[order] > 1.0, &powers[order])
        };
        let factors = rows.iter().zip(&order_of);
        let factors = factors.map(|(row, &order)| Factors::new(row, orders[order], &powers[order]));
        let sums = state_of.into_iter().zip(row_of);
        let sums = ExponentialSeries {
            pushed: 0,
            last: vec![0.0; dim],
            states: keys.into_iter().map(state).collect(),
            sums: sums.map(|(state, factors)| Sum { state, factors }).collect(),
            factors: factors.collect::<Result<_, _>>()?,
            relative_error: powers.iter().map(|p| p.relative_error()).fold(0.0, f64::max),
            arch: Arch::new(),
        };
        Ok(Self { extent, sums })
    }

    /// Largest relative error of a weight.
    pub fn relative_error(&self) -> f64 {
        self.sums.relative_error
    }
}

/// The row of a component.
pub(super) fn row(kernel: &Kernel, component: usize) -> &Row {
    &kernel.rows()[kernel.row_of(component)]
}

/// The order of a row that has a sum of exponentials.
pub(super) fn order(row: &Row) -> Result<f64, OdeError> {
    let kernel = match row {
        Row::Product { alpha, .. } if *alpha <= 2.0 => return Ok(*alpha),
        Row::Product { alpha, .. } => format!("t^{}", alpha - 1.0),
        Row::Table(_) => "a table of weights".into(),
    };
    Err(OdeError::NoExponentials { kernel })
}

impl State {
    fn new(component: usize, is_sloped: bool, power: &SumOfExponentials) -> Self {
        let decays = whole(power.decays(1.0));
        let plain = vec![0.0; decays.len()];
        let sloped = if is_sloped { plain.clone() } else { Vec::new() };
        Self { component, decays, plain, sloped }
    }
}

impl Factors {
    pub(super) fn new(row: &Row, alpha: f64, power: &SumOfExponentials) -> Result<Self, OdeError> {
        let nearest = row.weights(1)?[1];
        let &Row::Product { rule, h, .. } = row else {
            return Err(OdeError::NoExponentials { kernel: "a table of weights".into() });
        };
        let scale = h.powf(alpha) * recip_gamma(alpha);
        let (over, moments) = match rule {
            Rule::Rectangle => (power.cells(1.0), power.cell_moments(1.0)),
            Rule::Trapezoid => (power.hats(1.0), power.hat_moments(1.0)),
        };
        let scaled = |v: Vec<f64>| whole(v.into_iter().map(|w| scale * w).collect());
        let (plain, sloped) =
            if alpha <= 1.0 { (scaled(over), Vec::new()) } else { (scaled(moments), scaled(over)) };
        Ok(Self { nearest, plain, sloped })
    }
}

/// With zeros up to the next whole register.
fn whole(mut v: Vec<f64>) -> Vec<f64> {
    v.resize(v.len().next_multiple_of(WHOLE), 0.0);
    v
}

impl OnlineSeries<f64> for ExponentialSeries {
    #[inline]
    fn pushed(&self) -> usize {
        self.pushed
    }

    #[inline]
    fn push(&mut self, f: &[f64]) {
        for state in &mut self.states {
            // The sample that was at lag 1 comes to lag 2.
            let State { component, decays, plain, sloped } = state;
            decay_sum(self.arch, decays, self.last[*component], plain);
            if !sloped.is_empty() {
                decay_add(self.arch, decays, plain, sloped);
            }
        }
        self.last.copy_from_slice(f);
        self.pushed += 1;
    }

    #[inline]
    fn sum(&self, kernel: usize, component: usize) -> f64 {
        let sum = self.sums[kernel * self.last.len() + component];
        let (state, factors) = (&self.states[sum.state], &self.factors[sum.factors]);
        let nearest = factors.nearest * self.last[component];
        let plain = nearest + dot(self.arch, &factors.plain, &state.plain);
        if state.sloped.is_empty() {
            plain
        } else {
            plain + dot(self.arch, &factors.sloped, &state.sloped)
        }
    }
}
