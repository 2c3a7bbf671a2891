use crate::error::{all_finite, same_length};
use crate::{OdeError, Rhs, Statistics, System, WithJacobian};

/// Initial value problem with Caputo derivatives, validated:
///
#[doc = formula!("problem", r"D^{\alpha_i} y_i = f_i(t, y) \text{ on } [t_0, t_1], \quad y_i^{(j)}(t_0) \text{ given for } j < \lceil \alpha_i \rceil")]
///
/// Equivalent to the weakly singular Volterra equation `y = g + I^alpha f` with the
/// [free term](Self::free_term) `g_i(t) = sum_j y_i^(j)(t0) (t - t0)^j / j!`.
///
/// ```
/// use hpfracc_ode::OdeError;
/// use hpfracc_ode::Problem;
///
/// // D^3/2 y = -y, y(0) = 1, y'(0) = 0: two rows of initial values, the order rounded up.
/// let rhs = |_t: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
/// let problem = Problem::new(&[1.5], (0.0, 10.0), &[&[1.0], &[0.0]], rhs)?;
/// assert_eq!((problem.dim(), problem.t1()), (1, 10.0));
/// let one_row = Problem::new(&[1.5], (0.0, 10.0), &[&[1.0]], rhs);
/// assert!(matches!(one_row, Err(OdeError::InitialRows { .. })));
/// # Ok::<(), OdeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Problem<S: ?Sized> {
    /// One order for all components, or one per component.
    orders: Vec<f64>,
    t0: f64,
    t1: f64,
    dim: usize,
    /// Row by row: y, y', ... at t0.
    initial: Vec<f64>,
    // The last field, so that `&Problem<S>` coerces to `&Problem<dyn System>`.
    system: S,
}

impl<F: Fn(f64, &[f64], &mut [f64])> Problem<Rhs<F>> {
    /// Problem whose right-hand side is a closure `|t, y, dydt|`.
    ///
    /// `orders` has one entry, or one per component; `initial` has the rows y, y', ... at t0, their
    /// number the largest order rounded up. A derivative of at least a component's order must be 0.
    ///
    /// ```
    /// use hpfracc_ode::Problem;
    /// // Two components, one of order 1/2 and one of order 3/2, which needs an initial slope.
    /// let rhs = |_t: f64, y: &[f64], dydt: &mut [f64]| (dydt[0], dydt[1]) = (y[1], -y[0]);
    /// let problem = Problem::new(&[0.5, 1.5], (0.0, 1.0), &[&[1.0, 0.0], &[0.0, 2.0]], rhs)?;
    /// assert_eq!(problem.order(1), 1.5);
    /// # Ok::<(), hpfracc_ode::OdeError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Problem::of`].
    pub fn new(
        orders: &[f64],
        interval: (f64, f64),
        initial: &[&[f64]],
        f: F,
    ) -> Result<Self, OdeError> {
        Self::of(Rhs(f), orders, interval, initial)
    }
}

impl<S: System> Problem<S> {
    /// Problem whose right-hand side is a [`System`].
    ///
    /// # Errors
    /// [`OdeError::Empty`], [`OdeError::Interval`], [`OdeError::Order`], [`OdeError::Length`],
    /// [`OdeError::InitialRows`], [`OdeError::InitialNotFinite`] or [`OdeError::InitialUnused`] for
    /// an invalid argument.
    pub fn of(
        system: S,
        orders: &[f64],
        (t0, t1): (f64, f64),
        initial: &[&[f64]],
    ) -> Result<Self, OdeError> {
        if !(t0.is_finite() && t0 < t1 && (t1 - t0).is_finite()) {
            return Err(OdeError::Interval { t0, t1 });
        }
        let dim = checked_dim(orders, initial)?;
        if let Some(known) = system.dim() {
            same_length("a row of initial values", dim, known)?;
        }
        Ok(Self { orders: orders.to_vec(), t0, t1, dim, initial: initial.concat(), system })
    }

    /// The same problem with the Jacobian of its right-hand side: a closure `|t, y, jacobian|` that
    /// writes `df_i/dy_j` to `jacobian[i * dim + j]`.
    pub fn with_jacobian<J: Fn(f64, &[f64], &mut [f64])>(
        self,
        jacobian: J,
    ) -> Problem<WithJacobian<S, J>> {
        let Self { orders, t0, t1, dim, initial, system } = self;
        Problem { orders, t0, t1, dim, initial, system: WithJacobian { system, jacobian } }
    }
}

impl<S: ?Sized> Problem<S> {
    /// Number of components.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Orders: one for all components, or one per component.
    pub fn orders(&self) -> &[f64] {
        &self.orders
    }

    /// Order of a component.
    pub fn order(&self, component: usize) -> f64 {
        *of_component(&self.orders, component)
    }

    /// Distinct orders, each with its components.
    pub(crate) fn by_order(&self) -> Vec<(f64, Vec<usize>)> {
        let (orders, order_of) = distinct((0..self.dim).map(|component| self.order(component)));
        let components = |order| (0..self.dim).filter(|i| order_of[*i] == order).collect();
        orders.into_iter().enumerate().map(|(k, alpha)| (alpha, components(k))).collect()
    }

    /// Start of the interval.
    pub fn t0(&self) -> f64 {
        self.t0
    }

    /// End of the interval.
    pub fn t1(&self) -> f64 {
        self.t1
    }

    /// Interval: (t0, t1).
    pub fn interval(&self) -> (f64, f64) {
        (self.t0, self.t1)
    }

    /// Initial values: rows y, y', ... at t0.
    pub fn initial(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.initial.chunks_exact(self.dim)
    }

    /// The rows y, y', ... at t0, one after the other.
    pub(crate) fn initial_values(&self) -> &[f64] {
        &self.initial
    }

    /// Right-hand side.
    pub fn system(&self) -> &S {
        &self.system
    }

    /// Writes the free term, the solution for f = 0: `g_i(t) = sum_j y_i^(j)(t0) (t - t0)^j / j!`.
    pub fn free_term(&self, t: f64, out: &mut [f64]) {
        taylor(&self.initial, t - self.t0, out);
    }
}

/// Checks that orders are positive and finite.
pub(crate) fn check_orders(orders: &[f64]) -> Result<(), OdeError> {
    match orders.iter().position(|alpha| !(alpha.is_finite() && *alpha > 0.0)) {
        Some(component) => Err(OdeError::Order { component, alpha: orders[component] }),
        None => Ok(()),
    }
}

/// Checks orders and the initial values that they take; returns the number of components.
pub(crate) fn checked_dim(orders: &[f64], initial: &[&[f64]]) -> Result<usize, OdeError> {
    check_orders(orders)?;
    let dim = initial.first().map_or(0, |row| row.len());
    if dim == 0 || orders.is_empty() {
        return Err(OdeError::Empty);
    }
    let expected = orders.iter().copied().fold(0.0, f64::max).ceil() as usize;
    if initial.len() != expected {
        return Err(OdeError::InitialRows { found: initial.len(), expected });
    }
    if orders.len() != 1 {
        same_length("the list of orders", orders.len(), dim)?;
    }
    for (derivative, row) in initial.iter().enumerate() {
        same_length("a row of initial values", row.len(), dim)?;
        for (component, &value) in row.iter().enumerate() {
            let alpha = *of_component(orders, component);
            if !value.is_finite() {
                return Err(OdeError::InitialNotFinite { derivative, component, value });
            }
            if derivative >= alpha.ceil() as usize && value != 0.0 {
                return Err(OdeError::InitialUnused { derivative, component, value, alpha });
            }
        }
    }
    Ok(dim)
}

/// The entry of a component in a list with one for all components, or one per component.
pub(crate) fn of_component<T>(list: &[T], component: usize) -> &T {
    &list[component.min(list.len() - 1)]
}

/// `sum_j rows[j] x^j / j!`, for each component of `out`.
pub(crate) fn taylor(rows: &[f64], x: f64, out: &mut [f64]) {
    let dim = out.len();
    let (first, higher) = rows.split_at(dim);
    out.copy_from_slice(first);
    let mut factor = 1.0;
    for (row, j) in higher.chunks_exact(dim).zip(1..) {
        factor *= x / f64::from(j);
        for (out, value) in out.iter_mut().zip(row) {
            *out += factor * value;
        }
    }
}

/// Distinct keys in the order of their first occurrence, and the index of each key among them.
pub(crate) fn distinct<K: PartialEq>(keys: impl IntoIterator<Item = K>) -> (Vec<K>, Vec<usize>) {
    let (mut distinct, mut index_of) = (Vec::new(), Vec::new());
    for key in keys {
        let known = distinct.iter().position(|other| *other == key);
        index_of.push(known.unwrap_or(distinct.len()));
        if known.is_none() {
            distinct.push(key);
        }
    }
    (distinct, index_of)
}

impl<S: System + ?Sized> Problem<S> {
    /// Writes `f(t, y)`, counts the evaluation, and checks that the values are finite.
    ///
    /// # Errors
    /// [`OdeError::NotFinite`].
    pub fn rhs(
        &self,
        t: f64,
        y: &[f64],
        dydt: &mut [f64],
        statistics: &mut Statistics,
    ) -> Result<(), OdeError> {
        statistics.evaluations += 1;
        self.system.rhs(t, y, dydt);
        all_finite(dydt, t)
    }
}
