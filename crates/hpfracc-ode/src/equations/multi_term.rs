use super::power_sum::PowerSum;
use crate::error::{require, same_length};
use crate::problem::{check_orders, checked_dim};
use crate::{Differentiable, OdeError, Problem, Rhs, System, Variation};
use hpfracc_operators::{Dual, Number};
use hpfracc_special::recip_gamma;
use ndarray::Array2;
use std::cell::{OnceCell, RefCell};

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
pub struct MultiTerm<S> {
    dim: usize,
    t0: f64,
    /// a_1 .. a_M.
    orders: Vec<f64>,
    /// The rows y, y', ... at t0.
    initial: Vec<f64>,
    /// T_m for m = 1 .. M-1.
    starts: Vec<PowerSum>,
    /// y and its derivatives, as f sees them, and their cotangents or changes.
    terms: RefCell<[Vec<f64>; 2]>,
    /// Parameters of the reduced problem, once they are needed.
    parameters: OnceCell<Vec<f64>>,
    system: S,
}

impl<F: Fn(f64, &[f64], &mut [f64])> MultiTerm<Rhs<F>> {
    /// The equation solved for its highest derivative: `f(t, terms, out)` writes `D^a_M y` from the
    /// terms y, `D^a_1 y`, .., `D^a_(M-1) y`, one after the other, dim numbers each.
    ///
    /// # Errors
    /// As [`MultiTerm::of`].
    pub fn explicit(
        orders: &[f64],
        interval: (f64, f64),
        initial: &[&[f64]],
        f: F,
    ) -> Result<Problem<Self>, OdeError> {
        Self::of(Rhs(f), orders, interval, initial)
    }
}

impl<S: System> MultiTerm<S> {
    /// The same with f as a [`System`] from the terms to `D^a_M y`: its argument y has dim M numbers,
    /// its value dim, and its Jacobian dim rows of dim M numbers. One that is
    /// [`Differentiable`], such as [`Parametric`](crate::Parametric), has gradients.
    ///
    /// `orders` are a_1 < .. < a_M; `initial` has the rows y, y', .., their number a_M rounded up.
    ///
    /// # Errors
    /// [`OdeError::Order`] for an order that is not positive and finite, [`OdeError::OutOfRange`]
    /// for orders that do not increase, and those of [`Problem::of`].
    pub fn of(
        system: S,
        orders: &[f64],
        interval: (f64, f64),
        initial: &[&[f64]],
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
            for (j, row) in initial.iter().enumerate().skip(first_row(alpha)) {
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
        let terms = vec![0.0; dim * orders.len()];
        let reduced = Self {
            dim,
            t0: interval.0,
            orders: orders.to_vec(),
            initial: initial.concat(),
            starts: lower.iter().map(|&alpha| start(alpha)).collect(),
            terms: RefCell::new([terms.clone(), terms]),
            parameters: OnceCell::new(),
            system,
        };
        Problem::of(reduced, &of_components, interval, &rows)
    }
}

/// The first derivative at t0 in T_m.
fn first_row(alpha: f64) -> usize {
    alpha.ceil() as usize
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
    ) -> Result<Problem<MultiTerm<Rhs<impl Fn(f64, &[f64], &mut [f64])>>>, OdeError> {
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

impl<S> MultiTerm<S> {
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

    /// Writes the terms at t for a state.
    fn terms_into(&self, t: f64, y: &[f64], terms: &mut [f64]) {
        terms.copy_from_slice(y);
        for (start, term) in self.starts.iter().zip(terms.chunks_exact_mut(self.dim).skip(1)) {
            start.add_to(t - self.t0, term);
        }
    }

    /// Calls `with` for each power of the T_m: m from 1, row and component of the initial value, and
    /// `x^(j-a_m)/Gamma(j+1-a_m)` with its derivative in a_m. That is 0 at t0, also for whole a_m,
    /// from below which it grows as ln x.
    fn each_start(&self, t: f64, mut with: impl FnMut(usize, (usize, usize), Dual)) {
        let x = t - self.t0;
        let rows = self.initial.len() / self.dim;
        for (m, &alpha) in (1..self.orders.len()).zip(&self.orders) {
            for j in first_row(alpha)..rows {
                let exponent = -Dual::variable(alpha) + j as f64;
                let power = if x > 0.0 {
                    Dual::constant(x).powf(exponent) * (exponent + 1.0).recip_gamma()
                } else {
                    Dual::constant(x.powf(exponent.value) * recip_gamma(exponent.value + 1.0))
                };
                (0..self.dim).for_each(|i| with(m, (j, i), power));
            }
        }
    }
}

impl<S: System> System for MultiTerm<S> {
    fn rhs(&self, t: f64, y: &[f64], dydt: &mut [f64]) {
        let [terms, _] = &mut *self.terms.borrow_mut();
        self.terms_into(t, y, terms);
        let (highest, others) = dydt.split_at_mut(self.dim);
        self.system.rhs(t, terms, highest);
        others.chunks_exact_mut(self.dim).for_each(|other| other.copy_from_slice(highest));
    }

    fn dim(&self) -> Option<usize> {
        Some(self.dim * self.orders.len())
    }

    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) -> bool {
        let [terms, _] = &mut *self.terms.borrow_mut();
        self.terms_into(t, y, terms);
        let (highest, others) = jacobian.split_at_mut(self.dim * y.len());
        let known = self.system.jacobian(t, terms, highest);
        if known {
            others.chunks_exact_mut(highest.len()).for_each(|other| other.copy_from_slice(highest));
        }
        known
    }
}

/// The parameters of the reduced problem are those of f, then a_1 .. a_(M-1) and the initial values as
/// far as the T_m depend on them: [`MultiTerm::pull_back`] and [`MultiTerm::push_forward`] stand
/// between them and the equation.
impl<S: Differentiable> Differentiable for MultiTerm<S> {
    fn parameters(&self) -> &[f64] {
        self.parameters.get_or_init(|| {
            let lower = &self.orders[..self.orders.len() - 1];
            [self.system.parameters(), lower, &self.initial].concat()
        })
    }

    fn vjp(&self, t: f64, y: &[f64], fbar: &[f64], ybar: &mut [f64], thetabar: &mut [f64]) {
        let [terms, bars] = &mut *self.terms.borrow_mut();
        self.terms_into(t, y, terms);
        let mut highest = vec![0.0; self.dim];
        for part in fbar.chunks_exact(self.dim) {
            highest.iter_mut().zip(part).for_each(|(highest, bar)| *highest += bar);
        }
        bars.fill(0.0);
        let [of_f, of_orders, of_initial] = self.split_mut(thetabar);
        self.system.vjp(t, terms, &highest, bars, of_f);
        ybar.iter_mut().zip(&*bars).for_each(|(ybar, bar)| *ybar += bar);
        self.each_start(t, |m, (j, i), power| {
            let bar = bars[m * self.dim + i];
            of_orders[m - 1] += bar * power.derivative * self.initial[j * self.dim + i];
            of_initial[j * self.dim + i] += bar * power.value;
        });
    }

    fn jvp(&self, t: f64, y: &[f64], dy: &[f64], dtheta: &[f64], df: &mut [f64]) {
        let [terms, changes] = &mut *self.terms.borrow_mut();
        self.terms_into(t, y, terms);
        changes.copy_from_slice(dy);
        let [of_f, of_orders, of_initial] = self.split(dtheta);
        self.each_start(t, |m, (j, i), power| {
            let at = j * self.dim + i;
            changes[m * self.dim + i] += of_orders[m - 1] * power.derivative * self.initial[at]
                + of_initial[at] * power.value;
        });
        let (highest, others) = df.split_at_mut(self.dim);
        self.system.jvp(t, terms, changes, of_f, highest);
        others.chunks_exact_mut(self.dim).for_each(|other| other.copy_from_slice(highest));
    }
}

impl<S: Differentiable> MultiTerm<S> {
    /// Parameters of f, orders below the highest, initial values.
    fn split<'a>(&self, parameters: &'a [f64]) -> [&'a [f64]; 3] {
        let (of_f, rest) = parameters.split_at(self.system.parameters().len());
        let (of_orders, of_initial) = rest.split_at(self.orders.len() - 1);
        [of_f, of_orders, of_initial]
    }

    fn split_mut<'a>(&self, parameters: &'a mut [f64]) -> [&'a mut [f64]; 3] {
        let (of_f, rest) = parameters.split_at_mut(self.system.parameters().len());
        let (of_orders, of_initial) = rest.split_at_mut(self.orders.len() - 1);
        [of_f, of_orders, of_initial]
    }

    fn check_shape(&self, variation: &Variation, lengths: [usize; 3]) -> Result<(), OdeError> {
        let rows = self.initial.len() / self.dim;
        let [width, parameters, orders] = lengths;
        for (what, found, expected) in [
            ("a list of initial rows", variation.initial.nrows(), rows),
            ("an initial row", variation.initial.ncols(), width),
            ("a list of parameters", variation.parameters.len(), parameters),
            ("a list of orders", variation.orders.len(), orders),
        ] {
            same_length(what, found, expected)?;
        }
        Ok(())
    }

    /// The gradient with respect to the initial values y, y', .., the parameters of f and the orders
    /// a_1 .. a_M, from that of the reduced problem which [`gradient`](crate::gradient()) returns.
    ///
    /// With respect to a whole a_m it is the derivative from below: above, the derivative of that
    /// order at t0 is no longer a part of `D^a_m y`. There f at t0 itself counts as constant.
    ///
    /// ```
    /// use hpfracc_ode::{
    ///     Cotangents, MultiTerm, Options, Parametric, ProductTrapezoid, Steps, gradient, solve,
    /// };
    /// // D^1.5 y = -theta y - D^0.5 y, y(0) = 1, y'(0) = 0.
    /// let f = Parametric::new(
    ///     &[2.0],
    ///     |_: f64, terms: &[f64], p: &[f64], out: &mut [f64]| out[0] = -p[0] * terms[0] - terms[1],
    ///     |_: f64, terms: &[f64], p: &[f64], f_terms: &mut [f64], f_p: &mut [f64]| {
    ///         (f_terms[0], f_terms[1], f_p[0]) = (-p[0], -1.0, -terms[0]);
    ///     },
    /// );
    /// let problem = MultiTerm::of(f, &[0.5, 1.5], (0.0, 1.0), &[&[1.0], &[0.0]])?;
    /// let steps = Steps::Uniform(100);
    /// let solution = solve(&problem, &ProductTrapezoid, &steps, Options::default())?;
    /// let loss = Cotangents::At(&[(100, &[1.0, 0.0])]);
    /// let bar = gradient(&problem, &ProductTrapezoid, &solution, loss, &Options::default())?;
    /// let bar = problem.system().pull_back(&bar)?;
    /// assert_eq!((bar.initial.dim(), bar.parameters.len(), bar.orders.len()), ((2, 1), 1, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`OdeError::Length`] for a gradient of another shape.
    pub fn pull_back(&self, reduced: &Variation) -> Result<Variation, OdeError> {
        let width = self.dim * self.orders.len();
        let parameters = Differentiable::parameters(self).len();
        self.check_shape(reduced, [width, parameters, width])?;
        let [of_f, of_orders, of_initial] = self.split(&reduced.parameters);
        let initial = Array2::from_shape_fn((reduced.initial.nrows(), self.dim), |(j, i)| {
            reduced.initial[[j, i]] + of_initial[j * self.dim + i]
        });
        let mut orders = vec![0.0; self.orders.len()];
        let last = orders.len() - 1;
        for (m, of_term) in reduced.orders.chunks_exact(self.dim).enumerate() {
            let bar: f64 = of_term.iter().sum();
            orders[last] += bar;
            if m > 0 {
                orders[m - 1] += of_orders[m - 1] - bar;
            }
        }
        Ok(Variation { initial, parameters: of_f.to_vec(), orders })
    }

    /// The direction of the reduced problem, for [`tangent`](crate::tangent), that belongs to one of
    /// initial values y, y', .., parameters of f and orders a_1 .. a_M.
    ///
    /// # Errors
    /// [`OdeError::Length`] for a direction of another shape.
    pub fn push_forward(&self, direction: &Variation) -> Result<Variation, OdeError> {
        let parameters = self.system.parameters().len();
        self.check_shape(direction, [self.dim, parameters, self.orders.len()])?;
        let shape = (direction.initial.nrows(), self.dim * self.orders.len());
        let initial = Array2::from_shape_fn(shape, |(j, i)| {
            direction.initial.get((j, i)).copied().unwrap_or(0.0)
        });
        let last = self.orders.len() - 1;
        let (lower, highest) = (&direction.orders[..last], direction.orders[last]);
        let of_terms = std::iter::once(highest).chain(lower.iter().map(|order| highest - order));
        let flat: Vec<f64> = direction.initial.iter().copied().collect();
        Ok(Variation {
            initial,
            parameters: [&direction.parameters, lower, &flat[..]].concat(),
            orders: of_terms.flat_map(|order| std::iter::repeat_n(order, self.dim)).collect(),
        })
    }
}

debug_fields!(MultiTerm<S> { dim, orders });
