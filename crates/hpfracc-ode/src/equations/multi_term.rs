use super::power_sum::PowerSum;
use crate::error::{require, same_length};
use crate::problem::{check_orders, checked_dim};
use crate::{OdeError, Problem, System};
use hpfracc_special::recip_gamma;
use std::cell::RefCell;

/// Multi-term equation, reduced to a system that every scheme solves.
///
#[doc = formula!("multi_term", r"D^{a_M} y = f(t, y, D^{a_1} y, \ldots, D^{a_{M-1}} y), \quad 0 < a_1 < \cdots < a_M, \quad y^{(j)}(t_0) \text{ given for } j < \lceil a_M \rceil")]
///
/// in the sense of Caputo. With v = `D^a_M y`, each lower derivative is a known function plus a
/// fractional integral of v:
///
#[doc = formula!("multi_term_integral", r"D^{a_m} y = T_m + I^{a_M - a_m} v, \quad T_m = \sum_{\lceil a_m \rceil \le j < \lceil a_M \rceil} \frac{y^{(j)}(t_0)}{\Gamma(j+1-a_m)} (t-t_0)^{j-a_m}")]
///
/// so that the `D^a_m y - T_m` (m = 0 being y itself, with its T_0) solve a Caputo problem of the
/// orders `a_M - a_m`, all with the right-hand side f. That is the Volterra form of the equation:
/// the orders need not be commensurable, and the number of components is dim M, not a_M over their
/// common divisor. The first dim components of its states are y; [`derivative`](Self::derivative)
/// returns the others.
///
/// Order: that of the scheme for v. The lowest order `a_M - a_(M-1)` counts: for smooth v, PECE has
/// order min(2, 1 + passes (a_M - a_(M-1))) and is stable while the coefficient of `D^a_(M-1) y`
/// times `h^(a_M - a_(M-1))` stays below `Gamma(a_M - a_(M-1) + 2)`.
///
/// ```
/// use hpfracc_ode::{AdamsBashforthMoulton, MultiTerm, Options, Steps, solve};
///
/// // Bagley and Torvik: y'' + D^3/2 y + y = 1 + t, y(0) = y'(0) = 1: y = 1 + t.
/// let problem = MultiTerm::linear(
///     &[1.5, 2.0],
///     (0.0, 1.0),
///     &[&[1.0], &[1.0]],
///     |_t, c| c.copy_from_slice(&[1.0, 1.0, 1.0]),
///     |t, _y, out| out[0] = 1.0 + t,
/// )?;
/// let scheme = AdamsBashforthMoulton { passes: 2 };
/// let solution = solve(&problem, &scheme, &Steps::Uniform(10), Options::default())?;
/// assert!((solution.last()[0] - 2.0).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Source: Diethelm, The Analysis of Fractional Differential Equations (2010), chapter 8, DOI
/// 10.1007/978-3-642-14574-2, which has other systems for the same equation.
pub struct MultiTerm<F> {
    dim: usize,
    t0: f64,
    /// a_1 .. a_M.
    orders: Vec<f64>,
    /// T_m for m = 1 .. M-1.
    starts: Vec<PowerSum>,
    /// y and its derivatives, as f sees them.
    terms: RefCell<Vec<f64>>,
    f: F,
}

impl<F: Fn(f64, &[f64], &mut [f64])> MultiTerm<F> {
    /// The equation solved for its highest derivative: `f(t, terms, out)` writes `D^a_M y` from the
    /// terms y, `D^a_1 y`, .., `D^a_(M-1) y`, one after the other, dim numbers each.
    ///
    /// `orders` are a_1 < .. < a_M; `initial` has the rows y, y', .., their number a_M rounded up.
    ///
    /// # Errors
    /// [`OdeError::Order`] for an order that is not positive and finite, [`OdeError::OutOfRange`]
    /// for orders that do not increase, and those of [`Problem::of`].
    pub fn explicit(
        orders: &[f64],
        interval: (f64, f64),
        initial: &[&[f64]],
        f: F,
    ) -> Result<Problem<Self>, OdeError> {
        let Some((&highest, lower)) = orders.split_last() else {
            return Err(OdeError::Empty);
        };
        check_orders(orders)?;
        for pair in orders.windows(2) {
            let what = "an order of a multi-term equation";
            require(pair[1] > pair[0], what, pair[1], "above that before")?;
        }
        let dim = checked_dim(&[highest], initial)?;
        let start = |alpha: f64| {
            let mut start = PowerSum::default();
            for (j, row) in initial.iter().enumerate().skip(alpha.ceil() as usize) {
                let exponent = j as f64 - alpha;
                let scale = recip_gamma(exponent + 1.0);
                start.push(exponent, row.iter().map(|y| y * scale).collect());
            }
            start
        };
        let of_components: Vec<f64> = std::iter::once(highest)
            .chain(lower.iter().map(|alpha| highest - alpha))
            .flat_map(|order| std::iter::repeat_n(order, dim))
            .collect();
        let rows: Vec<Vec<f64>> = initial
            .iter()
            .map(|row| {
                let mut whole = row.to_vec();
                whole.resize(dim * orders.len(), 0.0);
                whole
            })
            .collect();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let system = Self {
            dim,
            t0: interval.0,
            orders: orders.to_vec(),
            starts: lower.iter().map(|&alpha| start(alpha)).collect(),
            terms: RefCell::new(vec![0.0; dim * orders.len()]),
            f,
        };
        Problem::of(system, &of_components, interval, &rows)
    }
}

impl MultiTerm<()> {
    /// The equation with coefficients,
    /// `c_M(t) D^a_M y + .. + c_1(t) D^a_1 y + c_0(t) y = f(t, y)`.
    ///
    /// `coefficients(t, c)` writes c_0 .. c_M, `f(t, y, out)` the right-hand side. Where c_M is
    /// zero the solve ends with [`OdeError::NotFinite`].
    ///
    /// # Errors
    /// As [`MultiTerm::explicit`].
    #[expect(clippy::type_complexity, reason = "the closure that solves for D^a_M y has no name")]
    pub fn linear(
        orders: &[f64],
        interval: (f64, f64),
        initial: &[&[f64]],
        coefficients: impl Fn(f64, &mut [f64]),
        f: impl Fn(f64, &[f64], &mut [f64]),
    ) -> Result<Problem<MultiTerm<impl Fn(f64, &[f64], &mut [f64])>>, OdeError> {
        let scratch = RefCell::new(vec![0.0; orders.len() + 1]);
        let solved = move |t: f64, terms: &[f64], out: &mut [f64]| {
            let dim = out.len();
            let c = &mut *scratch.borrow_mut();
            coefficients(t, c);
            f(t, &terms[..dim], out);
            for (c, term) in c.iter().zip(terms.chunks_exact(dim)) {
                out.iter_mut().zip(term).for_each(|(out, term)| *out -= c * term);
            }
            let highest = c[c.len() - 1];
            out.iter_mut().for_each(|out| *out /= highest);
        };
        MultiTerm::explicit(orders, interval, initial, solved)
    }
}

impl<F> MultiTerm<F> {
    /// `D^a_m y` at t, m = 0 .. M-1 and a_0 = 0, from a state of the system.
    ///
    /// # Errors
    /// [`OdeError::OutOfRange`] if there is no such m, [`OdeError::Length`] for a state of another
    /// length.
    pub fn derivative(&self, m: usize, t: f64, state: &[f64]) -> Result<Vec<f64>, OdeError> {
        same_length("a state", state.len(), self.dim * self.orders.len())?;
        let (what, expected) = ("the index of a derivative", "below the number of orders");
        require(m < self.orders.len(), what, m as f64, expected)?;
        let mut out = state[m * self.dim..][..self.dim].to_vec();
        if m > 0 {
            self.starts[m - 1].add_to(t - self.t0, &mut out);
        }
        Ok(out)
    }
}

impl<F: Fn(f64, &[f64], &mut [f64])> System for MultiTerm<F> {
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        let terms = &mut *self.terms.borrow_mut();
        terms.copy_from_slice(y);
        for (start, term) in self.starts.iter().zip(terms.chunks_exact_mut(self.dim).skip(1)) {
            start.add_to(t - self.t0, term);
        }
        let (highest, others) = dydt.split_at_mut(self.dim);
        (self.f)(t, terms, highest);
        others.chunks_exact_mut(self.dim).for_each(|other| other.copy_from_slice(highest));
    }

    fn dim(&self) -> Option<usize> {
        Some(self.dim * self.orders.len())
    }
}

debug_fields!(MultiTerm<F> { dim, orders });
