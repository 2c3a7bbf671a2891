//! What is simulated: a named model, or an equation.

use super::scheme::{RequestedBackend, Scheme};
use crate::Error;
use crate::equations::Case;
use hpfracc::sde::models::{Known, Named};
use hpfracc::sde::{Collect, Ensemble, EquationModel};
use hpfracc::{EnsembleScalar, SimulationBackend, SimulationChoice};

/// Model of the library, or an equation of its user or of the catalogue.
pub(super) enum Subject {
    Model(Named),
    Equation(Box<Simulated>),
}

/// Equation with its model.
pub(super) struct Simulated {
    pub(super) case: Case,
    model: EquationModel,
    /// The scheme of the command line; else that of the model.
    scheme: Option<Scheme>,
    backend: RequestedBackend,
}

impl Subject {
    /// Equation, with further statements, with values of its parameters and, if they are given, another end of the interval and
    /// another scheme.
    pub(super) fn equation(
        (written, further): (&str, &str),
        values: &[(&str, f64)],
        t1: Option<f64>,
        (scheme, backend): (Option<&str>, SimulationBackend),
    ) -> Result<Self, Error> {
        let mut case = Case::any_with(written, further)?;
        case.set(values)?;
        if let Some(t1) = t1 {
            case.set_end(t1);
        }
        let model = EquationModel::new(&case.equation).map_err(Error::library)?;
        let scheme = scheme.map(|name| Scheme::of(name, &model)).transpose()?;
        let backend = RequestedBackend::new(backend);
        Ok(Self::Equation(Box::new(Simulated { case, model, scheme, backend })))
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Self::Model(model) => model.definition().name,
            Self::Equation(equation) => &equation.case.name,
        }
    }

    pub(super) fn title(&self) -> &str {
        match self {
            Self::Model(model) => model.definition().title,
            Self::Equation(equation) => &equation.case.title,
        }
    }

    /// Names of the observables.
    pub(super) fn observables(&self) -> Vec<String> {
        match self {
            Self::Model(model) => {
                model.definition().observables.iter().map(|name| (*name).to_owned()).collect()
            }
            Self::Equation(equation) => equation.model.observables(),
        }
    }

    /// Number of events that stop paths.
    pub(super) fn events(&self) -> usize {
        match self {
            Self::Model(_) => 0,
            Self::Equation(equation) => equation.model.equation().events().len(),
        }
    }

    /// Scheme, in words.
    pub(super) fn scheme(&self) -> &str {
        match self {
            Self::Model(model) => model.definition().scheme,
            Self::Equation(equation) => {
                equation.scheme.map_or(equation.model.scheme_name(), Scheme::name)
            }
        }
    }

    /// The backend that solved the equation and why, unless it is the processor by request.
    pub(super) fn choice(&self) -> Option<&SimulationChoice> {
        match self {
            Self::Model(_) => None,
            Self::Equation(equation) => equation.backend.choice(),
        }
    }

    /// Default number of steps.
    pub(super) fn steps(&self) -> usize {
        match self {
            Self::Model(model) => model.definition().default_grid.steps,
            Self::Equation(equation) => equation.case.steps,
        }
    }

    /// Default end of the interval.
    pub(super) fn t1(&self) -> f64 {
        match self {
            Self::Model(model) => model.definition().default_grid.t1,
            Self::Equation(equation) => equation.model.interval().1,
        }
    }

    /// Exact moments of the observables, where they are known.
    pub(super) fn known(&self, t: f64) -> Result<Vec<Known>, Error> {
        match self {
            Self::Model(model) => Ok(model.known(t)?),
            Self::Equation(equation) => {
                Ok(vec![Known::default(); equation.model.observables().len()])
            }
        }
    }

    /// Solves an ensemble to t1.
    pub(super) fn simulate<T: EnsembleScalar, K: Collect<T>>(
        &self,
        ensemble: &Ensemble<'_>,
        (t1, seed): (f64, u64),
        collector: &K,
    ) -> Result<K::Output, Error> {
        match self {
            Self::Model(model) => {
                Ok(model.simulate::<T, K>(ensemble, (0.0, t1), seed, collector)?)
            }
            Self::Equation(equation) => {
                let Simulated { model, scheme, backend, .. } = &**equation;
                let scheme = scheme.unwrap_or_else(|| Scheme::default_of(model));
                scheme.simulate::<T, K>(model, (ensemble, seed), backend, collector)
            }
        }
    }
}
