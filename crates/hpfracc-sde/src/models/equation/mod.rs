//! Stochastic equations that are data.

mod coefficients;
mod columns;
mod differentiable;
mod error;
mod executor;
mod noise;
mod observe;
mod shared;
mod stops;

pub use coefficients::EquationCoefficients;
pub use differentiable::DifferentiableCoefficients;
pub use error::EquationModelError;
pub use executor::{AsyncPathExecutor, PathExecutor, PathTask};

use super::{Observed, Variate};
use crate::noise::Noise;
use crate::{
    Collect, Ensemble, EulerMaruyama, FractionalEulerMaruyama, Heun, InitialDistribution, Moments,
    NoiseKind, SdeError, StochasticProblem, StochasticScheme, StochasticSystem,
};
use columns::Columns;
use hpfracc_equation::{
    Action, Derivative, Distribution, Equation, Event, Execute, Id, RandomStart,
};
use hpfracc_lanes::{Rows, RowsMut};
use observe::Observables;
use stops::stop_event;

/// Stochastic equation ready to be simulated, from an [`Equation`]: its coefficients compiled for many
/// paths at a time, the structure of its noise, the noise, and a scheme.
///
/// Its [events](crate::StopEvent) stop paths, as in `when X = 1: stop`. Its scheme is [`EulerMaruyama`] for Ito's integrals, [`Heun`] for Stratonovich's, and
/// [`FractionalEulerMaruyama`] for fractional orders; [`simulate_with`](Self::simulate_with) takes every
/// other scheme that solves the equation.
///
/// ```
/// use hpfracc_equation::Equation;
/// use hpfracc_sde::{Ensemble, EquationModel, Moments};
///
/// let text = "dX = -theta X dt + sigma dW; theta = 1; sigma = 0.5; X(0) = 1; t in [0, 1]";
/// let model = EquationModel::new(&Equation::parse(text)?)?;
/// let moments = model.simulate::<f64, _>(&Ensemble::new(10_000, 100)?, 7, &Moments)?;
/// assert!((moments.mean[[0, 0]] - (-1f64).exp()).abs() < 0.02);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EquationModel {
    equation: Equation,
    columns: Columns,
    orders: Vec<f64>,
    start: Vec<f64>,
    /// Components with random initial values.
    random: Vec<(usize, InitialDistribution)>,
    interval: (f64, f64),
}

/// Default scheme of an equation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultScheme {
    /// [`EulerMaruyama`].
    EulerMaruyama,
    /// [`Heun`], for multiplicative noise in Stratonovich's sense.
    Heun,
    /// [`FractionalEulerMaruyama`] with its default memory, where an order is not 1.
    FractionalEulerMaruyama,
}

impl EquationModel {
    /// The model of an equation with the values of its parameters.
    ///
    /// # Errors
    /// [`EquationModelError`] for an equation with delays, jumps at events, lower derivatives, derivatives other than
    /// Caputo's, mixed calculi, tables that do not cover the interval, or without interval or initial values.
    pub fn new(equation: &Equation) -> Result<Self, EquationModelError> {
        let ends = equation.interval().ok_or(EquationModelError::NoInterval)?;
        equation.check_tables()?;
        let ends = equation.values(&ends);
        let (mut start, mut random) = (Vec::with_capacity(equation.states().len()), Vec::new());
        for (component, state) in equation.states().iter().enumerate() {
            let name = || state.name().to_owned();
            let unsupported = |what| EquationModelError::Unsupported { state: name(), what };
            if !equation.delays().is_empty() || state.history().is_some() {
                return Err(unsupported("delays"));
            }
            if !state.lower_orders().is_empty() {
                return Err(unsupported("lower derivatives"));
            }
            if state.definition() != Derivative::Caputo {
                return Err(unsupported("derivatives other than Caputo's"));
            }
            if state.initial().len() > 1 {
                return Err(unsupported("orders above 1"));
            }
            if let Some(of_state) = state.random_start() {
                random.push((component, distribution(equation, of_state)));
                start.push(0.0);
                continue;
            }
            let first = state.initial().first().copied().flatten();
            let first = first.ok_or_else(|| EquationModelError::NoStart { state: name() })?;
            start.push(equation.value(first));
        }
        let stops = |event: &Event| *event.action() == Action::Stop;
        if let (false, Some(state)) =
            (equation.events().iter().all(stops), equation.states().first())
        {
            let (state, what) = (state.name().to_owned(), "jumps at events, only stops");
            return Err(EquationModelError::Unsupported { state, what });
        }
        let orders: Vec<Id> = equation.states().iter().map(|state| state.order()).collect();
        let columns = Columns::new(equation)?;
        Ok(Self {
            columns,
            orders: equation.values(&orders),
            start,
            random,
            interval: (ends[0], ends[1]),
            equation: equation.clone(),
        })
    }

    /// The equation.
    pub fn equation(&self) -> &Equation {
        &self.equation
    }

    /// Interval (t0, t1).
    pub fn interval(&self) -> (f64, f64) {
        self.interval
    }

    /// Structure of the noise, for each noise whether it is additive, and whether all commute.
    pub fn noise_structure(&self) -> (NoiseKind, &[bool], bool) {
        (self.columns.kind, &self.columns.additive_in, self.columns.commutative)
    }

    /// Name of the default scheme.
    pub fn scheme_name(&self) -> &'static str {
        match self.default_scheme() {
            DefaultScheme::FractionalEulerMaruyama => "fractional Euler-Maruyama method",
            DefaultScheme::Heun => "Heun's method (Stratonovich)",
            DefaultScheme::EulerMaruyama => "Euler-Maruyama method",
        }
    }

    /// Whether an order is not 1.
    fn is_fractional(&self) -> bool {
        self.orders.iter().any(|order| *order != 1.0)
    }

    /// Names of the observables: the states, then what the equation shows.
    pub fn observables(&self) -> Vec<String> {
        let states = self.equation.states().iter().map(|state| state.name().to_owned());
        states.chain(self.equation.shown().iter().map(|shown| shown.name().to_owned())).collect()
    }

    /// Stochastic problem in this precision, with random initial values of this seed and the events of the
    /// equation, which stop paths.
    ///
    /// # Errors
    /// Those of [`StochasticProblem::new`] and of [`StochasticProblem::with_random_start`].
    pub fn problem<T: Variate + Execute>(
        &self,
        seed: u64,
    ) -> Result<StochasticProblem<T, EquationCoefficients<T>>, EquationModelError> {
        let system = EquationCoefficients::new(&self.equation, &self.columns)?;
        let mut problem = self.problem_of(system)?;
        for (component, distribution) in &self.random {
            problem = problem.with_random_start(*component, *distribution, seed)?;
        }
        for event in self.equation.events() {
            problem = problem.stopping_when(stop_event(&self.equation, event)?);
        }
        Ok(problem)
    }

    /// The same problem with the derivatives of its coefficients, for
    /// [`EnsembleGradient`](crate::EnsembleGradient): gradients with respect to the initial values, the
    /// orders and all parameters, in their order.
    ///
    /// # Errors
    /// Those of [`problem`](Self::problem), [`EquationModelError::NoDerivative`] for functions
    /// without derivatives, [`EquationModelError::RandomStart`], and [`SdeError::StopsNotDifferentiated`] for events.
    pub fn differentiable<T: Variate + Execute>(
        &self,
    ) -> Result<StochasticProblem<T, DifferentiableCoefficients<T>>, EquationModelError> {
        if !self.equation.events().is_empty() {
            return Err(EquationModelError::Problem(SdeError::StopsNotDifferentiated));
        }
        if let Some((component, _)) = self.random.first() {
            let state = self.equation.states()[*component].name().to_owned();
            return Err(EquationModelError::RandomStart { state });
        }
        self.problem_of(DifferentiableCoefficients::new(&self.equation, &self.columns)?)
    }

    fn problem_of<T: Variate, S: StochasticSystem<T>>(
        &self,
        system: S,
    ) -> Result<StochasticProblem<T, S>, EquationModelError> {
        let start: Vec<T> = self.start.iter().map(|x| T::narrow(*x)).collect();
        let problem = StochasticProblem::new(system, self.interval, &start)?;
        let problem = problem.of_orders(&self.orders)?;
        Ok(if self.columns.stratonovich { problem.stratonovich() } else { problem })
    }

    /// Noise of a seed, a component for each column of the diffusion.
    ///
    /// # Errors
    /// Those of the noises for invalid numbers, and [`EquationModelError::Correlation`].
    pub fn noise<T: Variate>(&self, seed: u64) -> Result<Box<dyn Noise<T>>, EquationModelError> {
        noise::noise(&self.equation, &self.columns, seed)
    }

    /// The scheme that [`simulate`](Self::simulate) takes.
    pub fn default_scheme(&self) -> DefaultScheme {
        if self.is_fractional() {
            DefaultScheme::FractionalEulerMaruyama
        } else if self.columns.stratonovich {
            DefaultScheme::Heun
        } else {
            DefaultScheme::EulerMaruyama
        }
    }

    /// Solves an ensemble with the default scheme and collects the observables.
    ///
    /// # Errors
    /// As [`simulate_with`](Self::simulate_with).
    pub fn simulate<T: Variate + Execute, K: Collect<T>>(
        &self,
        ensemble: &Ensemble<'_>,
        seed: u64,
        collector: &K,
    ) -> Result<K::Output, EquationModelError> {
        match self.default_scheme() {
            DefaultScheme::FractionalEulerMaruyama => {
                self.simulate_with(&FractionalEulerMaruyama::default(), ensemble, seed, collector)
            }
            DefaultScheme::Heun => self.simulate_with(&Heun, ensemble, seed, collector),
            DefaultScheme::EulerMaruyama => {
                self.simulate_with(&EulerMaruyama, ensemble, seed, collector)
            }
        }
    }

    /// Solves an ensemble with a scheme and collects the observables.
    ///
    /// ```
    /// use hpfracc_equation::Equation;
    /// use hpfracc_sde::{Ensemble, EquationModel, Milstein, Moments};
    ///
    /// let text = "dS = 0.1 S dt + 0.4 S dW; S(0) = 1; t in [0, 1]";
    /// let model = EquationModel::new(&Equation::parse(text)?)?;
    /// let ensemble = Ensemble::new(10_000, 50)?.saving_nodes(&[50])?;
    /// let moments = model.simulate_with::<f64, _, _>(&Milstein, &ensemble, 7, &Moments)?;
    /// assert!((moments.mean[[0, 0]] - 0.1f64.exp()).abs() < 0.02);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of the parts and of [`Ensemble::solve`], [`SdeError::NotTaken`](crate::SdeError::NotTaken) and
    /// [`SdeError::OtherCalculus`](crate::SdeError::OtherCalculus) for a scheme that does not solve the
    /// equation among them; [`SdeError::ObservableNotFinite`](crate::SdeError::ObservableNotFinite).
    pub fn simulate_with<T: Variate + Execute, S: StochasticScheme<T>, K: Collect<T>>(
        &self,
        scheme: &S,
        ensemble: &Ensemble<'_>,
        seed: u64,
        collector: &K,
    ) -> Result<K::Output, EquationModelError> {
        let (problem, noise) = (self.problem::<T>(seed)?, self.noise::<T>(seed)?);
        let collector = self.observed(collector)?;
        Ok(ensemble.solve(&problem, scheme, &*noise, &collector)??)
    }

    /// Collector of the observables of the states.
    fn observed<'k, T: Variate + Execute, K>(
        &self,
        collector: &'k K,
    ) -> Result<Observed<'k, T, K>, EquationModelError> {
        let observables = Observables::<T>::new(&self.equation)?;
        let observe = move |t: f64, state: Rows<'_, T>, observed: RowsMut<'_, T>| {
            observables.write(t, state, observed);
        };
        Ok(Observed::of(self.observables(), Box::new(observe), collector))
    }

    /// Checks whether a scheme solves the equation on this number of steps, without a step.
    ///
    /// # Errors
    /// As [`simulate_with`](Self::simulate_with).
    pub fn admits<T: Variate + Execute, S: StochasticScheme<T>>(
        &self,
        scheme: &S,
        steps: usize,
    ) -> Result<(), EquationModelError> {
        let (problem, noise) = (self.problem::<T>(0)?, self.noise::<T>(0)?);
        Ensemble::new(1, steps)?.run(&problem, scheme, &*noise, &Moments)?;
        Ok(())
    }
}

/// Distribution of a random initial value.
fn distribution(equation: &Equation, random: RandomStart) -> InitialDistribution {
    let [a, b] = random.numbers().map(|number| equation.value(number));
    match random.distribution() {
        Distribution::Normal => InitialDistribution::Normal { mean: a, standard_deviation: b },
        Distribution::Uniform => InitialDistribution::Uniform { low: a, high: b },
        Distribution::LogNormal => {
            InitialDistribution::LogNormal { mean: a, standard_deviation: b }
        }
    }
}
