use crate::error::require_len;
use crate::scratch::Scratch;
use crate::{PdeError, State, Term};
use hpfracc_spatial::SpatialOperator;
use hpfracc_spatial::reductions::sum;
use std::sync::Arc;

/// Term `-B phi(u)`: an operator B applied to a reaction phi of one field, such as a chemical
/// potential or the power of the porous medium equation. B has its own boundary conditions, with
/// values 0. [`Equation::term`](crate::Equation::term) refuses a phi of several fields, and a B for
/// fields of another length.
///
/// With boundaries that keep constants, the integral of the term is 0 to rounding for symmetric B.
///
/// ```
/// use hpfracc_pde::{Flux, Reaction};
/// use hpfracc_spatial::{Graph, GraphLaplacian};
/// use std::sync::Arc;
///
/// // -A u^3 on a ring of nodes.
/// let laplacian = Arc::new(GraphLaplacian::combinatorial(&Graph::ring(8)?)?);
/// let cube =
///     Reaction::new(|_, [u], _: &[f64; 0]| [u * u * u], |_, [u], _| ([[3.0 * u * u]], [[]]));
/// let term = Flux::new(laplacian, cube);
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
pub struct Flux<'a, T> {
    operator: Arc<dyn SpatialOperator + 'a>,
    phi: T,
    scratch: Scratch,
}

impl<'a, T: Term> Flux<'a, T> {
    /// `-B phi(u)`.
    pub fn new(operator: Arc<dyn SpatialOperator + 'a>, phi: T) -> Self {
        Self { operator, phi, scratch: Scratch::default() }
    }

    /// Subtracts B phi from y, with the phi that `add` adds to zeros.
    fn subtract(&self, y: &mut [f64], add: impl FnOnce(&mut [f64])) {
        self.scratch.with(y.len(), |phi| {
            add(phi);
            self.scratch.with(phi.len(), |product| {
                self.operator.apply(phi, product);
                y.iter_mut().zip(product).for_each(|(y, p)| *y -= *p);
            });
        });
    }
}

impl<T: Term> Term for Flux<'_, T> {
    fn field_count(&self) -> usize {
        self.phi.field_count()
    }

    fn parameter_count(&self) -> usize {
        self.phi.parameter_count()
    }

    fn check(&self, n: usize) -> Result<(), PdeError> {
        require_len("the list of fields of a flux", self.field_count(), 1)?;
        require_len("the operator of a flux", self.operator.len(), n)?;
        self.phi.check(n)
    }

    fn add(&self, at: &State<'_>, f: &mut [f64]) {
        self.subtract(f, |phi| self.phi.add(at, phi));
    }

    fn add_jvp(&self, at: &State<'_>, du: &[f64], dtheta: &[f64], df: &mut [f64]) {
        self.subtract(df, |phi| self.phi.add_jvp(at, du, dtheta, phi));
    }

    fn add_vjp(&self, at: &State<'_>, fbar: &[f64], ubar: &mut [f64], thetabar: &mut [f64]) {
        self.scratch.with(fbar.len(), |phibar| {
            self.operator.apply_transpose(fbar, phibar);
            phibar.iter_mut().for_each(|p| *p = -*p);
            self.phi.add_vjp(at, phibar, ubar, thetabar);
        });
    }

    fn preconditioner(&self, at: &State<'_>, _: usize) -> Option<(&dyn SpatialOperator, f64)> {
        self.scratch.with(at.n, |slopes| {
            let pointwise = self.phi.add_pointwise_jacobian(at, slopes);
            let mean = sum(at.n, |i| slopes[i]) / at.n as f64;
            pointwise.then_some((&*self.operator as &dyn SpatialOperator, mean))
        })
    }
}
