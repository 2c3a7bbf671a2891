//! Operators and those composed of them, which borrow the others while they are used.

use hpfracc::spatial::{
    AdvectionDiffusion, Diffusion, GraphLaplacian, IntegralLaplacian, IntegralLaplacian1d,
    Laplacian, PlusConstant, Power, SkewedLaplacian1d, SpatialError, SpatialOperator, Way,
};
use std::sync::Arc;

/// Operator of the library.
#[derive(Clone)]
pub(super) enum Leaf {
    Laplacian(Arc<Laplacian>),
    Diffusion(Arc<Diffusion>),
    AdvectionDiffusion(Arc<AdvectionDiffusion>),
    Interval(Arc<IntegralLaplacian1d>),
    Domain(Arc<IntegralLaplacian>),
    Skewed(Arc<SkewedLaplacian1d>),
    Graph(Arc<GraphLaplacian>),
}

impl Leaf {
    /// The operator.
    pub(super) fn owned(&self) -> Arc<dyn SpatialOperator> {
        match self {
            Self::Laplacian(operator) => operator.clone(),
            Self::Diffusion(operator) => operator.clone(),
            Self::AdvectionDiffusion(operator) => operator.clone(),
            Self::Interval(operator) => operator.clone(),
            Self::Domain(operator) => operator.clone(),
            Self::Skewed(operator) => operator.clone(),
            Self::Graph(operator) => operator.clone(),
        }
    }
}

/// Method and tolerance of a function.
#[derive(Debug, Clone, Copy)]
pub(super) struct Accuracy {
    pub(super) way: Way,
    pub(super) tolerance: f64,
}

/// Operator, or one composed of another.
pub(super) enum Tree {
    Leaf(Leaf),
    /// `A^s`, s > 0.
    Power {
        of: Arc<Self>,
        s: f64,
        accuracy: Accuracy,
    },
    /// `A + constant`.
    PlusConstant {
        of: Arc<Self>,
        constant: f64,
    },
}

impl Tree {
    /// Calls `work` with the operator.
    ///
    /// # Errors
    /// Those of the composition, and of `work`.
    pub(super) fn with<R>(
        &self,
        work: &mut dyn FnMut(&dyn SpatialOperator) -> Result<R, SpatialError>,
    ) -> Result<R, SpatialError> {
        match self {
            Self::Leaf(leaf) => work(&*leaf.owned()),
            Self::Power { of, s, accuracy } => of.with(&mut |operator| {
                work(&Power::new(operator, *s, accuracy.way, accuracy.tolerance)?)
            }),
            Self::PlusConstant { of, constant } => {
                of.with(&mut |operator| work(&PlusConstant::new(operator, *constant)?))
            }
        }
    }

    /// Writes `y = A x` for each pair of fields.
    ///
    /// # Errors
    /// Those of the composition, and of the iterative method of a power.
    pub(super) fn apply<'a>(
        &self,
        pairs: impl Iterator<Item = (&'a [f64], &'a mut [f64])>,
        transposed: bool,
    ) -> Result<(), SpatialError> {
        let mut pairs = pairs;
        // A power that does not converge fills the result with NaN; its function returns the error.
        if let Self::Power { of, s, accuracy } = self {
            return of.with(&mut |operator| {
                let power = Power::new(operator, *s, accuracy.way, accuracy.tolerance)?;
                pairs.try_for_each(|(x, y)| match transposed {
                    true => power.function().apply_transpose(x, y),
                    false => power.function().apply(x, y),
                })
            });
        }
        self.with(&mut |operator| {
            pairs.by_ref().for_each(|(x, y)| match transposed {
                true => operator.apply_transpose(x, y),
                false => operator.apply(x, y),
            });
            Ok(())
        })
    }
}
