//! Schemes of equations by their names.

use crate::Error;
use crate::compute::machine;
use crate::error::SimulationError;
use hpfracc::sde::{
    Collect, DefaultScheme, Drift, DriftImplicit, Ensemble, EquationModel, EquationModelError,
    EulerMaruyama, FractionalEulerMaruyama, Heun, Milstein, ReversibleHeun, Sra1, Sric2, Sriw1,
    StochasticScheme, TamedEuler,
};
use hpfracc::{EnsembleScalar, SimulationBackend, SimulationChoice};
use std::sync::OnceLock;

/// Defines the enum of schemes, the list of all with their descriptions, and the dispatch to the types.
macro_rules! schemes {
    ($($name:ident: $make:expr, $about:literal;)+) => {
        /// Scheme of an equation.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Scheme {
            $($name,)+
        }

        /// All schemes with their descriptions.
        pub(crate) const SCHEMES: &[(Scheme, &str)] = &[$((Scheme::$name, $about)),+];

        impl Scheme {
            /// Name on the command line.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$name => StochasticScheme::<f64>::name(&$make),)+
                }
            }

            /// Simulates an equation.
            pub(super) fn simulate<T: EnsembleScalar, K: Collect<T>>(
                self,
                model: &EquationModel,
                ensemble: (&Ensemble<'_>, u64),
                backend: &RequestedBackend,
                collector: &K,
            ) -> Result<K::Output, Error> {
                match self {
                    $(Self::$name => backend.simulate(model, &$make, ensemble, collector),)+
                }
            }

            /// Whether it solves an equation.
            fn admitted_by(self, model: &EquationModel) -> Result<(), EquationModelError> {
                match self {
                    $(Self::$name => model.admits::<f64, _>(&$make, PROBE),)+
                }
            }
        }
    };
}

schemes! {
    EulerMaruyama: EulerMaruyama, "Ito, any noise: strong order 1/2, 1 if it is additive";
    TamedEuler: TamedEuler, "Ito, any noise, drifts that grow as -x^3: strong order 1/2";
    DriftImplicit: DriftImplicit::default(), "Ito, any noise, stiff drifts: strong order 1/2, 1 if it is additive";
    Milstein: Milstein, "Ito, diagonal, scalar or additive Brownian motion: strong order 1";
    Sric2: Sric2, "Ito, Brownian motion that commutes: strong order 1";
    Sriw1: Sriw1, "Ito, diagonal or scalar Brownian motion: strong order 3/2";
    Sra1: Sra1, "additive Brownian motion: strong order 3/2";
    Heun: Heun, "Stratonovich, any noise: strong order 1 if it commutes, else 1/2";
    ReversibleHeun: ReversibleHeun, "Stratonovich, any noise, reversible steps: strong order 1/2, 1 if it is additive";
    FractionalEulerMaruyama: FractionalEulerMaruyama::default(), "Ito, any noise, orders up to 1";
    FractionalPredictorCorrector: FractionalEulerMaruyama::default().drift(Drift::PredictorCorrector), "Ito, any noise, orders up to 1: order 1 + alpha in the drift";
}

/// Backend of the command line, and the one that solved the equation.
#[derive(Debug)]
pub(super) struct RequestedBackend {
    requested: SimulationBackend,
    choice: OnceLock<SimulationChoice>,
}

impl RequestedBackend {
    pub(super) fn new(requested: SimulationBackend) -> Self {
        Self { requested, choice: OnceLock::new() }
    }

    /// The backend that solved the equation and why, unless it is the processor by request.
    pub(super) fn choice(&self) -> Option<&SimulationChoice> {
        self.choice.get()
    }

    /// Solves an ensemble, given with its seed.
    fn simulate<T: EnsembleScalar, S: StochasticScheme<T>, K: Collect<T>>(
        &self,
        model: &EquationModel,
        scheme: &S,
        ensemble: (&Ensemble<'_>, u64),
        collector: &K,
    ) -> Result<K::Output, Error> {
        if self.requested == SimulationBackend::Cpu {
            return model
                .simulate_with(scheme, ensemble.0, ensemble.1, collector)
                .map_err(Error::library);
        }
        let machine = machine(None, |_| {})?;
        let simulated =
            machine.simulate_and_explain(model, scheme, ensemble, self.requested, collector);
        let (output, choice) = simulated.map_err(Error::library)?;
        let _ = self.choice.set(choice);
        Ok(output)
    }
}

/// Number of steps of the check, which takes none.
const PROBE: usize = 4;

impl Scheme {
    /// Default scheme of an equation.
    pub(super) fn default_of(model: &EquationModel) -> Self {
        match model.default_scheme() {
            DefaultScheme::EulerMaruyama => Self::EulerMaruyama,
            DefaultScheme::Heun => Self::Heun,
            DefaultScheme::FractionalEulerMaruyama => Self::FractionalEulerMaruyama,
        }
    }

    /// Scheme of a name that solves the equation.
    pub(super) fn of(name: &str, model: &EquationModel) -> Result<Self, Error> {
        let named = SCHEMES.iter().find(|(scheme, _)| scheme.name() == name);
        let (scheme, _) = named.ok_or_else(|| {
            Error::unknown("", "scheme", name, SCHEMES.iter().map(|(scheme, _)| scheme.name()))
        })?;
        let Err(error) = scheme.admitted_by(model) else { return Ok(*scheme) };
        let suits = |other: &&(Self, &str)| other.0.admitted_by(model).is_ok();
        let suitable: Vec<&str> =
            SCHEMES.iter().filter(suits).map(|(scheme, _)| scheme.name()).collect();
        if suitable.is_empty() {
            // The equation is at fault, not the scheme.
            return Err(Error::library(error));
        }
        let suitable = suitable.join(", ");
        Err(SimulationError::Scheme { scheme: scheme.name(), source: Box::new(error), suitable }
            .into())
    }
}
