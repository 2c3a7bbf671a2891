//! Systems that the tests solve, and problems with the system behind a pointer.

use hpfracc_sde::{
    DifferentiableStochasticSystem, NoiseKind, Rows, RowsMut, SdeError, StochasticProblem,
    StochasticSystem,
};
use hpfracc_types::Real;

/// A system behind a pointer: the steps of each scheme are compiled once for all of them.
pub(crate) type AnySystem<T> = &'static dyn StochasticSystem<T>;

/// The same with derivatives.
pub(crate) type AnyDifferentiable<T> = &'static dyn DifferentiableStochasticSystem<T>;

/// [`StochasticProblem::new`] with the system behind a pointer.
pub(crate) fn problem_of<T: Real>(
    system: impl StochasticSystem<T> + 'static,
    interval: (f64, f64),
    start: &[T],
) -> Result<StochasticProblem<T, AnySystem<T>>, SdeError> {
    let system: AnySystem<T> = Box::leak(Box::new(system));
    StochasticProblem::new(system, interval, start)
}

/// The same for gradients.
pub(crate) fn differentiable<T: Real>(
    system: impl DifferentiableStochasticSystem<T> + 'static,
    interval: (f64, f64),
    start: &[T],
) -> Result<StochasticProblem<T, AnyDifferentiable<T>>, SdeError> {
    let system: AnyDifferentiable<T> = Box::leak(Box::new(system));
    StochasticProblem::new(system, interval, start)
}

/// `(lambda x) dt + (sigma + rho x) dW`, each component alike, with a noise of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Linear {
    pub(crate) dim: usize,
    pub(crate) lambda: f64,
    pub(crate) sigma: f64,
    pub(crate) rho: f64,
}

impl<T: Real> StochasticSystem<T> for Linear {
    fn dim(&self) -> usize {
        self.dim
    }

    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Diagonal
    }

    fn additive(&self) -> bool {
        self.rho == 0.0
    }

    #[inline(always)]
    fn drift(&self, _: f64, x: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        let lambda = T::narrow(self.lambda);
        for (f, x) in f.as_mut_slice().iter_mut().zip(x.as_slice()) {
            *f = lambda * *x;
        }
    }

    #[inline(always)]
    fn diffusion(&self, _: f64, x: Rows<'_, T>, mut g: RowsMut<'_, T>) {
        let (sigma, rho) = (T::narrow(self.sigma), T::narrow(self.rho));
        for (g, x) in g.as_mut_slice().iter_mut().zip(x.as_slice()) {
            *g = sigma + rho * *x;
        }
    }
}

/// Two components without drift under three noises: `dX = G dW` with a constant matrix.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ThreeNoises(pub(crate) [[f64; 3]; 2]);

impl<T: Real> StochasticSystem<T> for ThreeNoises {
    fn dim(&self) -> usize {
        2
    }

    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::General { noises: 3 }
    }

    fn additive(&self) -> bool {
        true
    }

    fn drift(&self, _: f64, _: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        f.as_mut_slice().fill(T::zero());
    }

    fn diffusion(&self, _: f64, _: Rows<'_, T>, mut g: RowsMut<'_, T>) {
        for (row, entry) in self.0.as_flattened().iter().enumerate() {
            g[row].fill(T::narrow(*entry));
        }
    }
}

/// No drift and a constant g: `matrix[i]` is what the noises that act on component i do to it.
#[derive(Debug, Clone)]
pub(crate) struct Constant {
    pub(crate) noise_kind: NoiseKind,
    pub(crate) matrix: Vec<Vec<f64>>,
}

impl<T: Real> StochasticSystem<T> for Constant {
    fn dim(&self) -> usize {
        self.matrix.len()
    }

    fn noise_kind(&self) -> NoiseKind {
        self.noise_kind
    }

    fn additive(&self) -> bool {
        true
    }

    fn drift(&self, _: f64, _: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        f.as_mut_slice().fill(T::zero());
    }

    fn diffusion(&self, _: f64, _: Rows<'_, T>, mut g: RowsMut<'_, T>) {
        for (row, entry) in self.matrix.iter().flatten().enumerate() {
            g[row].fill(T::narrow(*entry));
        }
    }
}
