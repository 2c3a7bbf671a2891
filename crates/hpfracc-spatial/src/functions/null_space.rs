use crate::error::require_len;
use crate::krylov::reductions::{update, weighted_dot};
use crate::{NullSpace, Result, SpatialError, SpatialOperator};

/// Products with the null vector that are taken for rounding, relative to the sum of the absolute
/// values of their terms.
const ROUNDING: f64 = 1e-12;

/// Orthogonal projection onto the null space of a singular operator, in its inner product.
pub(crate) struct NullSpaceProjector {
    component: Vec<u32>,
    vector: Vec<f64>,
    /// Null vectors times the weights of the inner product.
    weighted: Vec<f64>,
    /// Squared norms of the null vectors.
    squares: Vec<f64>,
}

impl NullSpaceProjector {
    /// None if the operator is invertible.
    pub(crate) fn of(operator: &dyn SpatialOperator) -> Option<Self> {
        let NullSpace::Components { component, vector } = operator.spectrum().null_space else {
            return None;
        };
        let weighted: Vec<f64> = match operator.weights() {
            None => vector.clone(),
            Some(weights) => vector.iter().zip(weights).map(|(v, w)| v * w).collect(),
        };
        let count = component.iter().max().map_or(0, |last| *last as usize + 1);
        let mut projector = Self { component, vector, weighted, squares: vec![1.0; count] };
        projector.squares = projector.products(&projector.vector);
        Some(projector)
    }

    /// Number of null vectors.
    pub(crate) fn dimension(&self) -> usize {
        self.squares.len()
    }

    /// Product of x with each null vector.
    fn products(&self, x: &[f64]) -> Vec<f64> {
        if self.squares.len() == 1 {
            return vec![weighted_dot(None, &self.weighted, x)];
        }
        let mut products = vec![0.0; self.squares.len()];
        for ((&component, w), x) in self.component.iter().zip(&self.weighted).zip(x) {
            products[component as usize] += w * x;
        }
        products
    }

    /// Coefficients of the projection of x.
    pub(crate) fn coefficients(&self, x: &[f64]) -> Vec<f64> {
        self.products(x)
            .iter()
            .zip(&self.squares)
            .map(|(product, square)| product / square)
            .collect()
    }

    /// Adds `factor sum_c coefficient_c v_c` to x.
    pub(crate) fn add(&self, factor: f64, coefficients: &[f64], x: &mut [f64]) {
        update(x, |i, x| {
            *x += factor * coefficients[self.component[i] as usize] * self.vector[i];
        });
    }

    /// Subtracts the projection.
    pub(crate) fn remove(&self, x: &mut [f64]) {
        self.add(-1.0, &self.coefficients(x), x);
    }

    /// Refuses a vector that is not orthogonal to the null space, but for rounding.
    pub(crate) fn check(&self, x: &[f64]) -> Result<()> {
        let products = self.products(x);
        let mut sizes = vec![0.0; products.len()];
        for ((&component, w), x) in self.component.iter().zip(&self.weighted).zip(x) {
            sizes[component as usize] += (w * x).abs();
        }
        for (component, (product, size)) in products.iter().zip(sizes).enumerate() {
            if product.abs() > ROUNDING * size {
                let part = product.abs() / size;
                return Err(SpatialError::NotOrthogonal { component, part });
            }
        }
        Ok(())
    }
}

/// Subtracts from x its part in the null space of the operator: the mean over each component for a
/// combinatorial Laplacian.
///
/// # Errors
/// [`Length`](SpatialError::Length) unless x has as many values as the operator.
///
/// ```
/// use hpfracc_spatial::{Graph, GraphLaplacian, remove_null_space};
///
/// let laplacian = GraphLaplacian::combinatorial(&Graph::ring(3)?)?;
/// let mut x = [3.0, 0.0, 0.0];
/// remove_null_space(&laplacian, &mut x)?;
/// assert_eq!(x, [2.0, -1.0, -1.0]);
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
pub fn remove_null_space(operator: &dyn SpatialOperator, x: &mut [f64]) -> Result<()> {
    require_len("x", x.len(), operator.len())?;
    if let Some(projector) = NullSpaceProjector::of(operator) {
        projector.remove(x);
    }
    Ok(())
}
