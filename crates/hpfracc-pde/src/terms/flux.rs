use crate::blocks::sum;
use crate::{State, Term};
use hpfracc_spatial::SpatialOperator;
use std::sync::Arc;

/// Term `-B phi(u)`: an operator B applied to a reaction phi of one field, such as a chemical
/// potential or the power of the porous medium equation.
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
}

impl<'a, T: Term> Flux<'a, T> {
    /// `-B phi(u)`.
    pub fn new(operator: Arc<dyn SpatialOperator + 'a>, phi: T) -> Self {
        Self { operator, phi }
    }

    /// Subtracts B x from y.
    fn subtract(&self, x: &[f64], y: &mut [f64]) {
        let mut product = vec![0.0; x.len()];
        self.operator.apply(x, &mut product);
        y.iter_mut().zip(&product).for_each(|(y, p)| *y -= p);
    }
}

impl<T: Term> Term for Flux<'_, T> {
    fn field_count(&self) -> usize {
        self.phi.field_count()
    }

    fn parameter_count(&self) -> usize {
        self.phi.parameter_count()
    }

    fn add(&self, at: &State<'_>, f: &mut [f64]) {
        let mut phi = vec![0.0; f.len()];
        self.phi.add(at, &mut phi);
        self.subtract(&phi, f);
    }

    fn add_jvp(&self, at: &State<'_>, du: &[f64], dtheta: &[f64], df: &mut [f64]) {
        let mut phi = vec![0.0; df.len()];
        self.phi.add_jvp(at, du, dtheta, &mut phi);
        self.subtract(&phi, df);
    }

    fn add_vjp(&self, at: &State<'_>, fbar: &[f64], ubar: &mut [f64], thetabar: &mut [f64]) {
        let mut phibar = vec![0.0; fbar.len()];
        self.operator.apply_transpose(fbar, &mut phibar);
        phibar.iter_mut().for_each(|p| *p = -*p);
        self.phi.add_vjp(at, &phibar, ubar, thetabar);
    }

    fn preconditioner(&self, at: &State<'_>, _: usize) -> Option<(&dyn SpatialOperator, f64)> {
        let mut slopes = vec![0.0; at.n];
        let pointwise = self.phi.add_pointwise_jacobian(at, &mut slopes);
        let mean = sum(at.n, |i| slopes[i]) / at.n as f64;
        pointwise.then_some((&*self.operator as &dyn SpatialOperator, mean))
    }
}
