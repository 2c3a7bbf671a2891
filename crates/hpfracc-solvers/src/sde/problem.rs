use super::{Calculus, StochasticSystem};
use crate::SolveError;
use crate::error::{out_of_range, same_length};
use crate::noise::Law;
use hpfracc_types::Real;

/// A stochastic initial value problem, checked: a system, an interval, and where all paths start.
#[derive(Debug, Clone)]
pub struct StochasticProblem<T, S> {
    system: S,
    t0: f64,
    t1: f64,
    start: Vec<T>,
    orders: Vec<f64>,
    /// By noise, whether it is added.
    additive_in: Vec<bool>,
    calculus: Calculus,
}

impl<T: Real, S: StochasticSystem<T>> StochasticProblem<T, S> {
    /// `dX = f(t, X) dt + g(t, X) dZ` on [t0, t1] with X(t0) = `start` for all paths, in whose precision
    /// it will be solved.
    ///
    /// # Errors
    /// [`SolveError::Interval`], [`SolveError::Empty`], [`SolveError::Length`] or
    /// [`SolveError::InitialNotFinite`], for what their names say; [`SolveError::OutOfRange`] if the
    /// system has no noise.
    pub fn new(system: S, (t0, t1): (f64, f64), start: &[T]) -> Result<Self, SolveError> {
        if !(t0.is_finite() && t0 < t1 && (t1 - t0).is_finite()) {
            return Err(SolveError::Interval { t0, t1 });
        }
        if system.dim() == 0 {
            return Err(SolveError::Empty);
        }
        let noises = system.coupling().noises(system.dim());
        if noises == 0 {
            return Err(out_of_range("the number of noises", 0.0, "at least 1"));
        }
        same_length("the start of the paths", start.len(), system.dim())?;
        for (component, value) in start.iter().map(|x| x.widen()).enumerate() {
            if !value.is_finite() {
                return Err(SolveError::InitialNotFinite { derivative: 0, component, value });
            }
        }
        let orders = vec![1.0; start.len()];
        let additive_in = (0..noises).map(|noise| system.additive_in(noise)).collect();
        let start = start.to_vec();
        Ok(Self { system, t0, t1, start, orders, additive_in, calculus: Calculus::Ito })
    }

    /// The same problem with Caputo derivatives of these orders on the left: one for all components,
    /// or one for each.
    ///
    /// # Errors
    /// [`SolveError::Length`] for another number of orders, [`SolveError::Order`] for one that is not
    /// positive and finite. What a scheme takes of them it says itself.
    pub fn of_orders(mut self, orders: &[f64]) -> Result<Self, SolveError> {
        if orders.len() != 1 {
            same_length("the list of orders", orders.len(), self.start.len())?;
        }
        for (component, order) in self.orders.iter_mut().enumerate() {
            let alpha = orders[component.min(orders.len() - 1)];
            if !(alpha.is_finite() && alpha > 0.0) {
                return Err(SolveError::Order { component, alpha });
            }
            *order = alpha;
        }
        Ok(self)
    }

    /// The same problem with Stratonovich's integrals over Brownian motion instead of Ito's.
    pub fn stratonovich(self) -> Self {
        Self { calculus: Calculus::Stratonovich, ..self }
    }

    /// What the integrals over noise mean.
    pub fn calculus(&self) -> Calculus {
        self.calculus
    }

    /// The orders of the components.
    pub fn orders(&self) -> &[f64] {
        &self.orders
    }

    /// By noise, whether it is [added](StochasticSystem::additive_in).
    pub(crate) fn additive_in(&self) -> &[bool] {
        &self.additive_in
    }

    /// Refuses a scheme whose limit is not the solution with such noise.
    ///
    /// # Errors
    /// [`SolveError::OtherCalculus`], [`SolveError::RoughNoise`].
    pub(crate) fn admit(
        &self,
        scheme: &'static str,
        by_scheme: Calculus,
        laws: &[Law],
    ) -> Result<(), SolveError> {
        let multiplied = || {
            let laws = laws.iter().enumerate();
            laws.filter(|(noise, _)| !self.additive_in[*noise])
        };
        for (component, law) in multiplied() {
            if let Law::Fractional { hurst } = *law
                && hurst <= 0.5
            {
                return Err(SolveError::RoughNoise { component, hurst });
            }
        }
        let by_equation = self.calculus;
        if by_equation != by_scheme && multiplied().any(|(_, law)| law.has_two_calculi()) {
            return Err(SolveError::OtherCalculus { scheme, by_scheme, by_equation });
        }
        Ok(())
    }

    /// The coefficients.
    pub fn system(&self) -> &S {
        &self.system
    }

    /// Where the interval starts.
    pub fn t0(&self) -> f64 {
        self.t0
    }

    /// Where it ends.
    pub fn t1(&self) -> f64 {
        self.t1
    }

    /// Where all paths start.
    pub fn start(&self) -> &[T] {
        &self.start
    }
}
