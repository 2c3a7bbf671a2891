use crate::error::{no_recurrence, uniform_only};
use crate::memory::recurrence::Request;
use crate::{Bound, Dual, MeshMemory, Number, Recurrence, Result, Weights};
use hpfracc_backend::Backend;
use hpfracc_types::{Grid, Mesh, Order, Real, check_memory};
use std::sync::Arc;

/// A definition of a fractional derivative or integral together with the scheme that discretises
/// it.
///
/// A small value: it holds the order and the choice of scheme, and checks both when it is made.
/// [`Operator::weights`] turns it and a grid into numbers, [`Operator::on`] binds it to a backend
/// so that signals can go through it.
///
/// Every [`Discretisation`] is an operator; implement that trait for one of your own.
pub trait Operator: Send + Sync {
    /// Names of the operator and of the scheme, as in the literature.
    fn name(&self) -> (&'static str, &'static str);

    /// The order alpha.
    fn order(&self) -> Order;

    /// Whether the first entry of every result is exactly 0, as in a Caputo derivative of fractional
    /// order; false by default. Backends that transform a signal leave their rounding there.
    fn starts_at_zero(&self) -> bool {
        false
    }

    /// The discrete operator on a grid.
    ///
    /// # Errors
    /// [`OperatorError::TooFewSamples`](crate::OperatorError::TooFewSamples) if the stencils of the
    /// scheme do not fit on the grid.
    fn weights(&self, grid: Grid) -> Result<Weights>;

    /// The discrete operator on a mesh, whose steps may differ.
    ///
    /// Definitions whose lower terminal is the first sample start at the first point of the mesh;
    /// those that depend on absolute time take the points as times.
    ///
    /// # Errors
    /// [`OperatorError::UniformOnly`](crate::OperatorError::UniformOnly) if the scheme has no form
    /// on a mesh; [`OperatorError::Parameter`](crate::OperatorError::Parameter) for an order above
    /// 2 or a tolerance that no sum of exponentials has.
    fn mesh_weights(&self, mesh: &Mesh, memory: MeshMemory) -> Result<Weights>;

    /// The operator on steps `dt` as a sum of exponentials: constant memory for signals of up to
    /// `longest` samples, each weight within the relative `tolerance`.
    ///
    /// # Errors
    /// [`OperatorError::NoRecurrence`](crate::OperatorError::NoRecurrence) for a scheme without
    /// one, [`OperatorError::OutOfRange`](crate::OperatorError::OutOfRange) for an order at which
    /// it has none; [`OperatorError::Parameter`](crate::OperatorError::Parameter) unless 1 <=
    /// longest <= 1e15 and 1e-12 <= tolerance <= 0.1;
    /// [`OperatorError::Grid`](crate::OperatorError::Grid) for a step that is not positive;
    /// [`OperatorError::NoExponentials`](crate::OperatorError::NoExponentials) if the search ends
    /// without nodes within the tolerance.
    fn recurrence(&self, dt: f64, longest: u64, tolerance: f64) -> Result<Recurrence>;

    /// dA/dalpha: the derivative of the weights with respect to the order, points unchanged.
    ///
    /// That of [`Discrete::Exponentials`] holds the nodes: it is the derivative of the approximant,
    /// not an approximation with a bound of its own.
    ///
    /// # Errors
    /// As [`Operator::weights`], [`Operator::mesh_weights`] and [`Operator::recurrence`];
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) where the kernel is so nearly
    /// constant that its exponentials do not determine those of other orders: an integral of order
    /// above 0.95, an L1 or Grünwald–Letnikov derivative of order less than 0.05 above a whole
    /// number.
    fn order_derivative(&self, of: &Discrete) -> Result<Weights>;

    /// Binds the operator to a grid and to the backend that will compute it.
    ///
    /// # Errors
    /// As [`Operator::weights`], and [`OperatorError::Backend`](crate::OperatorError::Backend) if
    /// the backend cannot plan maps of this size.
    fn on<T, B>(self, grid: Grid, backend: &B) -> Result<Bound<T>>
    where
        Self: Sized + 'static,
        T: Real,
        B: Backend<T> + Clone + 'static,
    {
        bound(self, Discrete::Grid(grid), backend)
    }

    /// Binds the operator to a mesh, with the default [`MeshMemory`], and to the backend that will
    /// compute it.
    ///
    /// # Errors
    /// As [`Operator::mesh_weights`], and [`OperatorError::Backend`](crate::OperatorError::Backend)
    /// if the backend cannot plan maps of this size.
    fn on_mesh<T, B>(self, mesh: &Mesh, backend: &B) -> Result<Bound<T>>
    where
        Self: Sized + 'static,
        T: Real,
        B: Backend<T> + Clone + 'static,
    {
        bound(self, Discrete::Mesh(mesh.clone(), MeshMemory::default()), backend)
    }

    /// As [`Operator::on_mesh`] with a choice of [`MeshMemory`].
    ///
    /// # Errors
    /// As [`Operator::on_mesh`].
    fn on_mesh_with<T, B>(self, mesh: &Mesh, memory: MeshMemory, backend: &B) -> Result<Bound<T>>
    where
        Self: Sized + 'static,
        T: Real,
        B: Backend<T> + Clone + 'static,
    {
        bound(self, Discrete::Mesh(mesh.clone(), memory), backend)
    }

    /// As [`Operator::on`] by the [`recurrence`](Operator::recurrence): n K products for n samples
    /// instead of transforms, each weight within the relative `tolerance`.
    ///
    /// The gradient with respect to alpha is that of the approximant with its nodes held.
    ///
    /// # Errors
    /// As [`Operator::recurrence`], and [`OperatorError::Backend`](crate::OperatorError::Backend)
    /// if the backend cannot plan it.
    fn on_exponentials<T, B>(self, grid: Grid, tolerance: f64, backend: &B) -> Result<Bound<T>>
    where
        Self: Sized + 'static,
        T: Real,
        B: Backend<T> + Clone + 'static,
    {
        bound(self, Discrete::Exponentials(grid, tolerance), backend)
    }
}

/// The points on which an operator is discretised, and the form of its memory.
#[derive(Debug, Clone, PartialEq)]
pub enum Discrete {
    /// Uniform steps, see [`Operator::weights`].
    Grid(Grid),
    /// Steps of any length, see [`Operator::mesh_weights`].
    Mesh(Mesh, MeshMemory),
    /// Uniform steps and a sum of exponentials within a relative tolerance, see
    /// [`Operator::recurrence`].
    Exponentials(Grid, f64),
}

/// The weights of an operator as a function of its order: what an [`Operator`] implements.
///
/// The functions are generic over the [`Number`] type, so that one formula gives the weights
/// (`f64`) and their derivative with respect to the order ([`Dual`]).
///
/// ```
/// use hpfracc_backend::Reference;
/// use hpfracc_operators::{Discretisation, Number, Operator, OperatorError, Toeplitz, Weights};
/// use hpfracc_types::{Grid, Order};
/// use ndarray::array;
///
/// /// The backward difference to a power: `h^-alpha (f_n - f_{n-1})`.
/// struct Scaled(Order);
///
/// impl Discretisation for Scaled {
///     fn name(&self) -> (&'static str, &'static str) {
///         ("scaled", "backward")
///     }
///     fn order(&self) -> Order {
///         self.0
///     }
///     fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>, OperatorError> {
///         let mut causal = vec![N::constant(0.0); grid.n()];
///         causal[0] = N::constant(grid.dt()).powf(-alpha);
///         Ok(Toeplitz::of_differences(1, causal).into())
///     }
/// }
///
/// let bound = Scaled(Order::new(0.5)?).on(Grid::uniform(2, 0.25)?, &Reference)?;
/// let (f, ybar) = (array![0.0, 1.0], array![0.0, 1.0]);
/// assert_eq!(bound.apply(f.view())?, array![0.0, 2.0]);
/// // d/dalpha h^-alpha = -ln(h) h^-alpha
/// assert_eq!(bound.vjp_order(f.view(), ybar.view())?, 2.0 * 4f64.ln());
/// # Ok::<(), OperatorError>(())
/// ```
pub trait Discretisation: Send + Sync {
    /// Names of the operator and of the scheme, as in the literature.
    fn name(&self) -> (&'static str, &'static str);

    /// The order alpha.
    fn order(&self) -> Order;

    /// As [`Operator::starts_at_zero`].
    fn starts_at_zero(&self) -> bool {
        false
    }

    /// The discrete operator on a grid at the order alpha, which is that of
    /// [`Discretisation::order`].
    ///
    /// # Errors
    /// As [`Operator::weights`].
    fn weights_at<N: Number>(&self, alpha: N, grid: Grid) -> Result<Weights<N>>;

    /// The discrete operator on a mesh; by default there is none.
    ///
    /// # Errors
    /// As [`Operator::mesh_weights`].
    fn mesh_at<N: Number>(&self, alpha: N, mesh: &Mesh, memory: MeshMemory) -> Result<Weights<N>> {
        let _ = (alpha, mesh, memory);
        Err(uniform_only(self.name()))
    }

    /// The operator as a sum of exponentials; by default there is none.
    ///
    /// # Errors
    /// As [`Operator::recurrence`].
    fn recurrence_at<N: Number>(&self, alpha: N, request: Request) -> Result<Recurrence<N>> {
        let _ = (alpha, request);
        Err(no_recurrence(self.name()))
    }
}

impl<D: Discretisation> Operator for D {
    fn name(&self) -> (&'static str, &'static str) {
        Discretisation::name(self)
    }

    fn order(&self) -> Order {
        Discretisation::order(self)
    }

    fn starts_at_zero(&self) -> bool {
        Discretisation::starts_at_zero(self)
    }

    fn weights(&self, grid: Grid) -> Result<Weights> {
        self.weights_at(Discretisation::order(self).value(), grid)
    }

    fn mesh_weights(&self, mesh: &Mesh, memory: MeshMemory) -> Result<Weights> {
        self.mesh_at(Discretisation::order(self).value(), mesh, memory)
    }

    fn recurrence(&self, dt: f64, longest: u64, tolerance: f64) -> Result<Recurrence> {
        let request = Request::new(dt, longest, tolerance)?;
        self.recurrence_at(Discretisation::order(self).value(), request)
    }

    fn order_derivative(&self, of: &Discrete) -> Result<Weights> {
        let alpha = Dual::variable(Discretisation::order(self).value());
        let weights = match of {
            Discrete::Grid(grid) => self.weights_at(alpha, *grid)?,
            Discrete::Mesh(mesh, memory) => self.mesh_at(alpha, mesh, *memory)?,
            Discrete::Exponentials(grid, tolerance) => {
                let n = grid.n();
                let of =
                    self.recurrence_at(alpha, Request::new(grid.dt(), n as u64, *tolerance)?)?;
                Weights::Recurrence { of, n }
            }
        };
        Ok(weights.order_derivative())
    }
}

impl Operator for Arc<dyn Operator> {
    fn name(&self) -> (&'static str, &'static str) {
        (**self).name()
    }

    fn order(&self) -> Order {
        (**self).order()
    }

    fn starts_at_zero(&self) -> bool {
        (**self).starts_at_zero()
    }

    fn weights(&self, grid: Grid) -> Result<Weights> {
        (**self).weights(grid)
    }

    fn mesh_weights(&self, mesh: &Mesh, memory: MeshMemory) -> Result<Weights> {
        (**self).mesh_weights(mesh, memory)
    }

    fn recurrence(&self, dt: f64, longest: u64, tolerance: f64) -> Result<Recurrence> {
        (**self).recurrence(dt, longest, tolerance)
    }

    fn order_derivative(&self, of: &Discrete) -> Result<Weights> {
        (**self).order_derivative(of)
    }
}

/// An operator bound to a backend; the derivative of its weights is computed when first needed.
fn bound<T, B>(operator: impl Operator + 'static, of: Discrete, backend: &B) -> Result<Bound<T>>
where
    T: Real,
    B: Backend<T> + Clone + 'static,
{
    check_memory(least_numbers(&of))?;
    let weights = match &of {
        Discrete::Grid(grid) => operator.weights(*grid)?,
        Discrete::Mesh(mesh, memory) => operator.mesh_weights(mesh, *memory)?,
        Discrete::Exponentials(grid, tolerance) => {
            let n = grid.n();
            Weights::Recurrence { of: operator.recurrence(grid.dt(), n as u64, *tolerance)?, n }
        }
    };
    let derivative = move || operator.order_derivative(&of);
    Bound::new(weights, Box::new(derivative), Arc::new(backend.clone()))
}

/// Numbers that the weights of every scheme take at least, or one result: a column, the lower
/// triangle of a matrix, or factors of each step.
fn least_numbers(of: &Discrete) -> f64 {
    match of {
        Discrete::Grid(grid) => grid.n() as f64,
        Discrete::Mesh(mesh, MeshMemory::Exact) => 0.5 * (mesh.n() as f64).powi(2),
        Discrete::Mesh(mesh, MeshMemory::Exponentials { .. }) => mesh.n() as f64,
        Discrete::Exponentials(..) => 0.0,
    }
}
