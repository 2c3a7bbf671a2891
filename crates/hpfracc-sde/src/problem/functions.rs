use crate::{NoiseKind, SdeError, StochasticProblem, StochasticSystem};
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_types::Real;

/// An equation of one component whose drift and diffusion are functions of numbers; a problem is
/// made of them by [`StochasticProblem::scalar`].
#[derive(Debug, Clone, Copy)]
pub struct ScalarFunctions<F, G> {
    drift: F,
    diffusion: G,
    additive: bool,
}

/// An equation whose drift and diffusion are functions of the state of one path; a problem is made
/// of them by [`StochasticProblem::of_functions`].
///
/// ```
/// use hpfracc_sde::noise::FractionalBrownian;
/// use hpfracc_sde::{Ensemble, EulerMaruyama, Moments, NoiseKind, StateFunctions, StochasticProblem};
///
/// // Rough noise has a meaning where it is additive.
/// let drift = |_t: f64, x: &[f64], f: &mut [f64]| f[0] = -x[0];
/// let diffusion = |_t: f64, _x: &[f64], g: &mut [f64]| g[0] = 0.5;
/// let system = StateFunctions::new(1, NoiseKind::Diagonal, drift, diffusion).additive();
/// let problem = StochasticProblem::new(system, (0.0, 1.0), &[1.0])?;
/// let noise = FractionalBrownian::new(7, &[0.3])?;
/// let moments = Ensemble::new(2000, 50)?.solve(&problem, &EulerMaruyama, &noise, &Moments)?;
/// assert!((moments.mean[[0, 0]] - 0.364).abs() < 0.05);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct StateFunctions<F, G> {
    dim: usize,
    noise_kind: NoiseKind,
    additive: bool,
    commutative: bool,
    drift: F,
    diffusion: G,
}

impl<F, G> ScalarFunctions<F, G> {
    /// `f(t, x)` and `g(t, x)`.
    pub fn new(drift: F, diffusion: G) -> Self {
        Self { drift, diffusion, additive: false }
    }

    /// The same where g does not depend on x: see [`StochasticSystem::additive`].
    pub fn additive(self) -> Self {
        Self { additive: true, ..self }
    }
}

impl<F, G> StateFunctions<F, G> {
    /// Of `dim` components: `drift(t, x, f)` writes f, and `diffusion(t, x, g)` writes g, with the
    /// entries of `noise_kind`. General noise counts as not commuting, other noise as commuting.
    pub fn new(dim: usize, noise_kind: NoiseKind, drift: F, diffusion: G) -> Self {
        let commutative = !matches!(noise_kind, NoiseKind::General { .. });
        Self { dim, noise_kind, additive: false, commutative, drift, diffusion }
    }

    /// The same where g does not depend on x: see [`StochasticSystem::additive`].
    pub fn additive(self) -> Self {
        Self { additive: true, commutative: true, ..self }
    }

    /// The same where the columns of g commute, or not: see [`StochasticSystem::commutative`].
    pub fn commuting(self, commutative: bool) -> Self {
        Self { commutative, ..self }
    }
}

impl<T, F, G> StochasticProblem<T, ScalarFunctions<F, G>>
where
    T: Real,
    F: Fn(f64, T) -> T + Sync,
    G: Fn(f64, T) -> T + Sync,
{
    /// One equation `dX = f(t, X) dt + g(t, X) dZ` on [t0, t1] with X(t0) = `start`, f and g being
    /// functions of numbers.
    ///
    /// The compiler makes vector code of formulas without calls of a library: as fast as a
    /// [`StochasticSystem`].
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    ///
    /// ```
    /// use hpfracc_sde::noise::Brownian;
    /// use hpfracc_sde::{Ensemble, FractionalEulerMaruyama, Moments, StochasticProblem};
    ///
    /// // D^0.8 X = -X + 0.5 dW/dt, X(0) = 1
    /// let problem = StochasticProblem::scalar((0.0, 1.0), 1.0, |_t, x| -x, |_t, _x| 0.5)?;
    /// let problem = problem.of_orders(&[0.8])?;
    /// let (ensemble, noise) = (Ensemble::new(4000, 100)?, Brownian::new(7, 1)?);
    /// let scheme = FractionalEulerMaruyama::default();
    /// let moments = ensemble.solve(&problem, &scheme, &noise, &Moments)?;
    /// assert!((moments.mean[[0, 0]] - 0.388).abs() < 0.05);
    /// # Ok::<(), hpfracc_sde::SdeError>(())
    /// ```
    pub fn scalar(
        interval: (f64, f64),
        start: T,
        drift: F,
        diffusion: G,
    ) -> Result<Self, SdeError> {
        Self::new(ScalarFunctions::new(drift, diffusion), interval, &[start])
    }
}

impl<T, F, G> StochasticProblem<T, StateFunctions<F, G>>
where
    T: Real,
    F: Fn(f64, &[T], &mut [T]) + Sync,
    G: Fn(f64, &[T], &mut [T]) + Sync,
{
    /// `dX = f(t, X) dt + g(t, X) dZ` on [t0, t1] with X(t0) = `start`: `drift(t, x, f)` writes f,
    /// and `diffusion(t, x, g)` writes g, with the entries of `noise_kind`, for one path.
    ///
    /// The functions are called for each path, whose numbers are gathered from the rows of a tile
    /// and scattered back: a [`StochasticSystem`], with loops over the paths of a row, is several
    /// times as fast where f and g are short formulas.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    ///
    /// ```
    /// use hpfracc_sde::noise::Brownian;
    /// use hpfracc_sde::{Ensemble, Heun, Moments, NoiseKind, StochasticProblem};
    ///
    /// // A noisy oscillator: dx = v dt, dv = -x dt + 0.1 dW
    /// let problem = StochasticProblem::of_functions(
    ///     NoiseKind::Scalar,
    ///     (0.0, 1.0),
    ///     &[1.0, 0.0],
    ///     |_t, x, f| (f[0], f[1]) = (x[1], -x[0]),
    ///     |_t, _x, g| (g[0], g[1]) = (0.0, 0.1),
    /// )?;
    /// let (ensemble, noise) = (Ensemble::new(1000, 100)?, Brownian::new(7, 1)?);
    /// let moments = ensemble.solve(&problem.stratonovich(), &Heun, &noise, &Moments)?;
    /// assert!((moments.mean[[0, 0]] - 1f64.cos()).abs() < 0.02);
    /// # Ok::<(), hpfracc_sde::SdeError>(())
    /// ```
    pub fn of_functions(
        noise_kind: NoiseKind,
        interval: (f64, f64),
        start: &[T],
        drift: F,
        diffusion: G,
    ) -> Result<Self, SdeError> {
        Self::new(StateFunctions::new(start.len(), noise_kind, drift, diffusion), interval, start)
    }
}

impl<T, F, G> StochasticSystem<T> for ScalarFunctions<F, G>
where
    T: Real,
    F: Fn(f64, T) -> T + Sync,
    G: Fn(f64, T) -> T + Sync,
{
    fn dim(&self) -> usize {
        1
    }

    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Diagonal
    }

    fn additive(&self) -> bool {
        self.additive
    }

    #[inline(always)]
    fn drift(&self, t: f64, x: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        f[0].iter_mut().zip(&x[0]).for_each(|(f, x)| *f = (self.drift)(t, *x));
    }

    #[inline(always)]
    fn diffusion(&self, t: f64, x: Rows<'_, T>, mut g: RowsMut<'_, T>) {
        g[0].iter_mut().zip(&x[0]).for_each(|(g, x)| *g = (self.diffusion)(t, *x));
    }
}

impl<T, F, G> StochasticSystem<T> for StateFunctions<F, G>
where
    T: Real,
    F: Fn(f64, &[T], &mut [T]) + Sync,
    G: Fn(f64, &[T], &mut [T]) + Sync,
{
    fn dim(&self) -> usize {
        self.dim
    }

    fn noise_kind(&self) -> NoiseKind {
        self.noise_kind
    }

    fn additive(&self) -> bool {
        self.additive
    }

    fn commutative(&self) -> bool {
        self.commutative
    }

    fn drift(&self, t: f64, x: Rows<'_, T>, f: RowsMut<'_, T>) {
        each_path(&self.drift, t, x, f);
    }

    fn diffusion(&self, t: f64, x: Rows<'_, T>, g: RowsMut<'_, T>) {
        each_path(&self.diffusion, t, x, g);
    }
}

/// Most numbers of a path, state and values, that need no allocation.
const ON_STACK: usize = 32;

/// Calls a function of the state for each lane; what it does not write is 0.
fn each_path<T: Real>(
    function: &impl Fn(f64, &[T], &mut [T]),
    t: f64,
    x: Rows<'_, T>,
    mut values: RowsMut<'_, T>,
) {
    let count = x.rows() + values.rows();
    let (mut few, mut many) = ([T::zero(); ON_STACK], Vec::new());
    let numbers = if count <= ON_STACK {
        &mut few[..count]
    } else {
        many.resize(count, T::zero());
        &mut many[..]
    };
    let (state, value) = numbers.split_at_mut(x.rows());
    for lane in 0..x.lanes() {
        for (i, number) in state.iter_mut().enumerate() {
            *number = x[i][lane];
        }
        value.fill(T::zero());
        function(t, state, value);
        for (i, number) in value.iter().enumerate() {
            values[i][lane] = *number;
        }
    }
}
