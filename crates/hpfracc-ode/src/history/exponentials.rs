use super::{Extent, History, Kernel, Row, Rule, check_push, check_sum};
use crate::OdeError;
use hpfracc_lanes::causal::{decay_add, decay_sum, dot};
use hpfracc_lanes::pulp::Arch;
use hpfracc_operators::SumOfExponentials;
use hpfracc_special::recip_gamma;

/// Product rules with their kernel as a sum of exponentials: constant memory, whatever the number of
/// samples.
///
#[doc = formula!("history_exponentials", r"w[m] = \sum_k L_k^{m-1} (B_k + (m-1) A_k), \quad m \ge 2, \quad w[1] \text{ exact}")]
///
/// The A_k are zero for orders up to 1, whose kernel t^(alpha-1) is a sum of exponentials. Between 1
/// and 2 it is t times one. Kernels of the same order over the same component share the states.
///
/// Cost: K products for each kernel and component, and one or two more for the states; K = 20 to 80,
/// little more for more samples. Memory: 2 K numbers for each component and order. Error: every weight
/// is right within [`relative_error`](Self::relative_error), and so is every sum relative to
/// `sum |w[m] f[n-m]|`.
#[derive(Debug)]
pub struct Exponentials {
    extent: Extent,
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
    alpha: f64,
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
struct Factors {
    row: Row,
    nearest: f64,
    plain: Vec<f64>,
    sloped: Vec<f64>,
}

/// Exponentials are kept in whole registers.
const WHOLE: usize = 8;

impl Exponentials {
    /// A history of up to `capacity` samples with `dim` components, each weight within `tolerance`.
    ///
    /// # Errors
    /// Those of [`Direct::new`](super::Direct::new); [`OdeError::NoExponentials`] for a row that is
    /// no product rule of order at most 2; [`OdeError::Operator`] for a tolerance outside [1e-13,
    /// 0.1].
    #[expect(clippy::missing_panics_doc, reason = "what is looked for has just been put there")]
    pub fn new(
        kernels: &[Kernel],
        dim: usize,
        capacity: usize,
        tolerance: f64,
    ) -> Result<Self, OdeError> {
        let extent = Extent::checked(kernels, dim, capacity)?;
        let mut history = Self {
            extent,
            pushed: 0,
            last: vec![0.0; dim],
            states: Vec::new(),
            sums: Vec::with_capacity(kernels.len() * dim),
            factors: Vec::new(),
            relative_error: 0.0,
            arch: Arch::new(),
        };
        let mut known: Vec<(f64, SumOfExponentials)> = Vec::new();
        for kernel in kernels {
            for component in 0..dim {
                let row = &kernel.rows()[kernel.row_of(component)];
                let Row::Product { rule, alpha, h } = *row else {
                    return Err(OdeError::NoExponentials { kernel: "a table of weights".into() });
                };
                if alpha > 2.0 {
                    let kernel = format!("t^{}", alpha - 1.0);
                    return Err(OdeError::NoExponentials { kernel });
                }
                if !known.iter().any(|(order, _)| *order == alpha) {
                    let b = if alpha <= 1.0 { 1.0 - alpha } else { 2.0 - alpha };
                    // In units of the step: no cell from lag 2 on is nearer than 1.
                    let interval = (1.0, (capacity + 1).max(2) as f64);
                    let power = SumOfExponentials::of_power(b, interval, tolerance)?;
                    history.relative_error = history.relative_error.max(power.relative_error());
                    known.push((alpha, power));
                }
                let known = known.iter().find(|(order, _)| *order == alpha);
                let (_, power) = known.expect("it has been put there");
                let state = history.state_of(component, alpha, power);
                let factors = match history.factors.iter().position(|f| f.row == *row) {
                    Some(factors) => factors,
                    None => {
                        let nearest = row.weights(1)?[1];
                        history.factors.push(Factors::new(row, rule, (alpha, h), nearest, power));
                        history.factors.len() - 1
                    }
                };
                history.sums.push(Sum { state, factors });
            }
        }
        Ok(history)
    }

    /// The largest relative error of a weight.
    pub fn relative_error(&self) -> f64 {
        self.relative_error
    }

    /// The state of a component under an order, made if there is none yet.
    fn state_of(&mut self, component: usize, alpha: f64, power: &SumOfExponentials) -> usize {
        let same = |state: &State| state.component == component && state.alpha == alpha;
        if let Some(known) = self.states.iter().position(same) {
            return known;
        }
        let decays = whole(power.decays(1.0));
        let plain = vec![0.0; decays.len()];
        let sloped = if alpha <= 1.0 { Vec::new() } else { plain.clone() };
        self.states.push(State { component, alpha, decays, plain, sloped });
        self.states.len() - 1
    }
}

impl Factors {
    fn new(
        row: &Row,
        rule: Rule,
        (alpha, h): (f64, f64),
        nearest: f64,
        power: &SumOfExponentials,
    ) -> Self {
        let scale = h.powf(alpha) * recip_gamma(alpha);
        let (over, moments) = match rule {
            Rule::Rectangle => (power.cells(1.0), power.cell_moments(1.0)),
            Rule::Trapezoid => (power.hats(1.0), power.hat_moments(1.0)),
        };
        let scaled = |v: Vec<f64>| whole(v.into_iter().map(|w| scale * w).collect());
        let (plain, sloped) =
            if alpha <= 1.0 { (scaled(over), Vec::new()) } else { (scaled(moments), scaled(over)) };
        Self { row: row.clone(), nearest, plain, sloped }
    }
}

/// With zeros up to the next whole register.
fn whole(mut v: Vec<f64>) -> Vec<f64> {
    v.resize(v.len().next_multiple_of(WHOLE), 0.0);
    v
}

impl History for Exponentials {
    fn extent(&self) -> Extent {
        self.extent
    }

    fn pushed(&self) -> usize {
        self.pushed
    }

    fn push(&mut self, f: &[f64]) -> Result<(), OdeError> {
        check_push(self.extent, self.pushed, f)?;
        for state in &mut self.states {
            // The sample that was at lag 1 comes to lag 2.
            let State { component, decays, plain, sloped, .. } = state;
            decay_sum(self.arch, decays, self.last[*component], plain);
            if !sloped.is_empty() {
                decay_add(self.arch, decays, plain, sloped);
            }
        }
        self.last.copy_from_slice(f);
        self.pushed += 1;
        Ok(())
    }

    fn sum_into(&self, kernel: usize, out: &mut [f64]) -> Result<(), OdeError> {
        check_sum(self.extent, kernel, out)?;
        let dim = self.extent.dim;
        for (component, out) in out.iter_mut().enumerate() {
            let sum = self.sums[kernel * dim + component];
            let (state, factors) = (&self.states[sum.state], &self.factors[sum.factors]);
            *out = factors.nearest * self.last[component]
                + dot(self.arch, &factors.plain, &state.plain);
            if !state.sloped.is_empty() {
                *out += dot(self.arch, &factors.sloped, &state.sloped);
            }
        }
        Ok(())
    }
}
