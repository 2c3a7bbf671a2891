//! Solves and gradients through pointers, compiled in this crate for `f32` and `f64`.
//!
//! The steps of a scheme are compiled for each system, scheme and instruction set, which takes a
//! compiler many seconds. Here the system is behind a pointer: for each type of system only its
//! coefficients and their derivatives are compiled.

use crate::adjoint::dispatched::Dispatched;
use crate::noise::{Gaussian, Noise};
use crate::{
    DifferentiableStochasticSystem, Ensemble, EnsembleGradient, EulerMaruyama,
    FractionalEulerMaruyama, GradientWorkspace, PathLoss, Paths, SdeError, StochasticGradient,
    StochasticProblem,
};
use ndarray::Array3;

/// A scheme of the solves that are compiled in this crate.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PrecompiledScheme {
    /// [`EulerMaruyama`], for equations without memory.
    EulerMaruyama,
    /// [`FractionalEulerMaruyama`], for equations with memory.
    FractionalEulerMaruyama(FractionalEulerMaruyama),
}

type Problem<'a, T> = StochasticProblem<T, &'a dyn DifferentiableStochasticSystem<T>>;

/// A scalar for which solves are compiled in this crate: `f32` or `f64`. Sealed, as
/// [`Real`](hpfracc_types::Real) is.
pub trait PrecompiledScalar: Gaussian {
    #[doc(hidden)]
    fn paths(
        ensemble: &Ensemble<'_>,
        problem: &Problem<'_, Self>,
        scheme: PrecompiledScheme,
        noise: &dyn Noise<Self>,
    ) -> Result<Array3<Self>, SdeError>;

    #[doc(hidden)]
    fn gradient(
        gradient: &EnsembleGradient<'_>,
        workspace: &GradientWorkspace<Self>,
        problem: &Problem<'_, Self>,
        scheme: PrecompiledScheme,
        noise: &dyn Noise<Self>,
        loss: &dyn PathLoss<Self>,
    ) -> Result<StochasticGradient<Self>, SdeError>;
}

/// An expression of a scheme, for each of the schemes.
macro_rules! with {
    ($scheme:ident => $solve:expr) => {
        match &$scheme {
            PrecompiledScheme::EulerMaruyama => {
                let $scheme = &EulerMaruyama;
                $solve
            }
            PrecompiledScheme::FractionalEulerMaruyama($scheme) => $solve,
        }
    };
}

macro_rules! precompiled {
    ($scalar:ident) => {
        impl PrecompiledScalar for $scalar {
            fn paths(
                ensemble: &Ensemble<'_>,
                problem: &Problem<'_, Self>,
                scheme: PrecompiledScheme,
                noise: &dyn Noise<Self>,
            ) -> Result<Array3<Self>, SdeError> {
                with!(scheme => ensemble.solve(problem, scheme, noise, &Paths))
            }

            fn gradient(
                gradient: &EnsembleGradient<'_>,
                workspace: &GradientWorkspace<Self>,
                problem: &Problem<'_, Self>,
                scheme: PrecompiledScheme,
                noise: &dyn Noise<Self>,
                loss: &dyn PathLoss<Self>,
            ) -> Result<StochasticGradient<Self>, SdeError> {
                with!(scheme => gradient.gradient(workspace, problem, scheme, noise, loss))
            }
        }
    };
}

precompiled!(f32);
precompiled!(f64);

impl Ensemble<'_> {
    /// The saved states of all paths, by path, time and component, as [`solve`](Self::solve) with
    /// [`Paths`] gives them, bit for bit, by a solve that is compiled in this crate.
    ///
    /// # Errors
    /// Those of [`solve`](Self::solve).
    pub fn paths_precompiled<T: PrecompiledScalar, S: DifferentiableStochasticSystem<T>>(
        &self,
        problem: &StochasticProblem<T, S>,
        scheme: PrecompiledScheme,
        noise: &dyn Noise<T>,
    ) -> Result<Array3<T>, SdeError> {
        let system: &dyn DifferentiableStochasticSystem<T> = &Dispatched(problem.system());
        T::paths(self, &problem.with_system(system), scheme, noise)
    }
}

impl EnsembleGradient<'_> {
    /// [`solve_with`](Self::solve_with), bit for bit, by a solve that is compiled in this crate: a
    /// program with a system of its own compiles only the coefficients and their derivatives.
    ///
    /// # Errors
    /// Those of [`solve_with`](Self::solve_with).
    pub fn solve_precompiled<T: PrecompiledScalar, S: DifferentiableStochasticSystem<T>>(
        &self,
        workspace: &GradientWorkspace<T>,
        problem: &StochasticProblem<T, S>,
        scheme: PrecompiledScheme,
        noise: &dyn Noise<T>,
        loss: &dyn PathLoss<T>,
    ) -> Result<StochasticGradient<T>, SdeError> {
        let system: &dyn DifferentiableStochasticSystem<T> = &Dispatched(problem.system());
        T::gradient(self, workspace, &problem.with_system(system), scheme, noise, loss)
    }
}
