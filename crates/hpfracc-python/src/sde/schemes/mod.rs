//! Schemes of equations by their names.

mod adaptive;

pub(super) use adaptive::AdaptiveSteps;

use super::failure::{of_sde, unknown};
use super::settings::Settings;
use crate::errors;
use hpfracc::noise::Noise;
use hpfracc::sde::models::Variate;
use hpfracc::sde::{
    Calculus, Ensemble, Moments, SdeError, StochasticProblem, StochasticScheme, StochasticSystem,
};
use pyo3::prelude::*;

/// Number of steps of a check, which takes none.
const PROBE: usize = 4;

/// Problem whose coefficients stand behind a pointer: schemes are compiled once for all of them.
pub(super) type DynProblem<'a, T> = StochasticProblem<T, &'a dyn StochasticSystem<T>>;

/// Defines the enum of schemes, the list of all with their descriptions, and the dispatch to the types.
macro_rules! schemes {
    ($dollar:tt $($name:ident: $make:expr, $about:literal;)+) => {
        /// Scheme of an equation.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Scheme {
            $($name,)+
        }

        /// All schemes with their descriptions.
        const SCHEMES: &[(Scheme, &str)] = &[$((Scheme::$name, $about)),+];

        impl Scheme {
            /// Name.
            pub(super) fn name(self) -> &'static str {
                match self {
                    $(Self::$name => StochasticScheme::<f64>::name(&$make),)+
                }
            }
        }

        /// Evaluates an expression with a scheme as its type.
        macro_rules! with_scheme {
            ($dollar choice:expr, $dollar scheme:ident => $dollar body:expr) => {
                match $dollar choice {
                    $($crate::sde::schemes::Scheme::$name => {
                        let $dollar scheme = &$make;
                        $dollar body
                    })+
                }
            };
        }
        pub(super) use with_scheme;
    };
}

schemes! { $
    EulerMaruyama: ::hpfracc::sde::EulerMaruyama, "Ito, any noise: strong order 1/2, 1 if it is additive";
    TamedEuler: ::hpfracc::sde::TamedEuler, "Ito, any noise, drifts that grow as -x^3: strong order 1/2";
    DriftImplicit: ::hpfracc::sde::DriftImplicit::default(), "Ito, any noise, stiff drifts: strong order 1/2, 1 if it is additive";
    Milstein: ::hpfracc::sde::Milstein, "Ito, diagonal, scalar or additive Brownian motion: strong order 1";
    Sric2: ::hpfracc::sde::Sric2, "Ito, Brownian motion that commutes: strong order 1";
    Sriw1: ::hpfracc::sde::Sriw1, "Ito, diagonal or scalar Brownian motion: strong order 3/2";
    Sra1: ::hpfracc::sde::Sra1, "additive Brownian motion: strong order 3/2";
    Heun: ::hpfracc::sde::Heun, "Stratonovich, any noise: strong order 1 if it commutes, else 1/2";
    ReversibleHeun: ::hpfracc::sde::ReversibleHeun, "Stratonovich, any noise, reversible steps: strong order 1/2, 1 if it is additive";
    FractionalEulerMaruyama: ::hpfracc::sde::FractionalEulerMaruyama::default(), "Ito, any noise, orders up to 1";
    FractionalPredictorCorrector: ::hpfracc::sde::FractionalEulerMaruyama::default().drift(::hpfracc::sde::Drift::PredictorCorrector), "Ito, any noise, orders up to 1: order 1 + alpha in the drift";
    ForcedEulerMaruyama: ::hpfracc::sde::ForcedEulerMaruyama::default(), "Ito, any noise outside of the memory of the drift, orders up to 1";
}

/// Evaluates an expression with a scheme that takes adaptive steps as its type; others are an `InputError`.
macro_rules! with_pathwise_scheme {
    ($choice:expr, $scheme:ident => $body:expr) => {
        $crate::sde::schemes::with_pathwise_scheme!(@ $choice, $scheme => $body;
            Sra1 Sriw1 Sric2 Milstein Heun)
    };
    (@ $choice:expr, $scheme:ident => $body:expr; $($name:ident)+) => {
        match $choice {
            $($crate::sde::schemes::Scheme::$name => {
                let $scheme = ::hpfracc::sde::$name;
                Ok($body)
            })+
            other => Err(other.without_adaptive_steps()),
        }
    };
}
pub(super) use with_pathwise_scheme;

/// Schemes that take adaptive steps, the default of an equation first.
const PATHWISE: [Scheme; 5] =
    [Scheme::Sra1, Scheme::Sriw1, Scheme::Sric2, Scheme::Milstein, Scheme::Heun];

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sde_schemes, module)?)
}

/// Names of all schemes with their descriptions.
#[pyfunction]
fn sde_schemes() -> Vec<(&'static str, &'static str)> {
    SCHEMES.iter().map(|(scheme, about)| (scheme.name(), *about)).collect()
}

impl Scheme {
    /// Scheme of a name.
    ///
    /// # Errors
    /// `InputError` for an unknown name.
    fn of(name: &str) -> PyResult<Self> {
        let found = SCHEMES.iter().find(|(scheme, _)| scheme.name() == name);
        found
            .map(|(scheme, _)| *scheme)
            .ok_or_else(|| unknown("scheme", name, SCHEMES.iter().map(|(scheme, _)| scheme.name())))
    }

    /// Default scheme of a problem.
    fn default_of<T: Variate>(problem: &DynProblem<'_, T>) -> Self {
        if problem.orders().iter().any(|order| *order != 1.0) {
            Self::FractionalEulerMaruyama
        } else if problem.calculus() == Calculus::Stratonovich {
            Self::Heun
        } else {
            Self::EulerMaruyama
        }
    }

    /// Scheme of this name, or the default one of the problem, if it solves the problem.
    ///
    /// # Errors
    /// `InputError` for an unknown name and for a scheme that does not solve it, with the names of those that do.
    pub(super) fn chosen<T: Variate>(
        name: Option<&str>,
        problem: &DynProblem<'_, T>,
        noise: &dyn Noise<T>,
    ) -> PyResult<Self> {
        let Some(name) = name else { return Ok(Self::default_of(problem)) };
        let scheme = Self::of(name)?;
        let Err(error) = scheme.admitted(problem, noise) else { return Ok(scheme) };
        let suits = |scheme: &Self| scheme.admitted(problem, noise).is_ok();
        let suitable = SCHEMES.iter().map(|(scheme, _)| *scheme).filter(suits);
        let suitable: Vec<&str> = suitable.map(Self::name).collect();
        if suitable.is_empty() {
            return Err(of_sde(error));
        }
        let suitable = suitable.join(", ");
        Err(errors::input(format!("{error}; schemes for this equation are {suitable}")))
    }

    /// The same on adaptive steps; the default one has the highest order.
    pub(super) fn pathwise<T: Variate>(
        name: Option<&str>,
        problem: &DynProblem<'_, T>,
        steps: &AdaptiveSteps,
        settings: &Settings,
    ) -> PyResult<Self> {
        let refused = |scheme: Self| scheme.refused_adaptive(problem, steps, settings);
        let mut suitable = PATHWISE.into_iter().filter(|scheme| refused(*scheme).is_none());
        let Some(name) = name else {
            let first = suitable.next();
            let usual = match problem.calculus() {
                Calculus::Ito => Self::Sric2,
                Calculus::Stratonovich => Self::Heun,
            };
            return first.map_or_else(|| refused(usual).map_or(Ok(usual), Err), Ok);
        };
        let scheme = Self::of(name)?;
        let Some(error) = refused(scheme) else { return Ok(scheme) };
        let suitable: Vec<&str> = suitable.map(Self::name).collect();
        if suitable.is_empty() {
            return Err(error);
        }
        let (message, suitable) =
            (Python::attach(|py| error.value(py).to_string()), suitable.join(", "));
        Err(errors::input(format!(
            "{message}; schemes with adaptive steps for this equation are {suitable}"
        )))
    }

    /// Error of a scheme without adaptive steps.
    pub(super) fn without_adaptive_steps(self) -> PyErr {
        errors::input(format!("the scheme {} has no adaptive steps", self.name()))
    }

    /// Whether orders are among its parameters.
    pub(super) fn has_memory(self) -> bool {
        matches!(
            self,
            Self::FractionalEulerMaruyama
                | Self::FractionalPredictorCorrector
                | Self::ForcedEulerMaruyama
        )
    }

    /// Why it does not solve a problem on adaptive steps.
    fn refused_adaptive<T: Variate>(
        self,
        problem: &DynProblem<'_, T>,
        steps: &AdaptiveSteps,
        settings: &Settings,
    ) -> Option<PyErr> {
        let admitted = || -> PyResult<()> {
            let ensemble = settings.ensemble(PROBE)?;
            with_pathwise_scheme!(self, scheme => {
                let scheme = steps.of(scheme).map_err(of_sde)?;
                ensemble.run(problem, &scheme, &steps.tree, &Moments).map_err(of_sde)?;
            })
        };
        admitted().err()
    }

    /// Checks whether it solves a problem, without a step.
    fn admitted<T: Variate>(
        self,
        problem: &DynProblem<'_, T>,
        noise: &dyn Noise<T>,
    ) -> Result<(), SdeError> {
        let paths = match problem.start() {
            hpfracc::sde::InitialValues::Each(starts) => starts.nrows(),
            _ => 1,
        };
        let ensemble = Ensemble::new(paths, PROBE)?;
        with_scheme!(self, scheme => ensemble.run(problem, scheme, noise, &Moments).map(|_| ()))
    }
}
