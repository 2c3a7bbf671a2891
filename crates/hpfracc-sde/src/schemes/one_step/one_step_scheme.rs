use crate::noise::{CellIntegral, Gaussian, Tile};
use crate::rows::add_products;
use crate::schemes::scheme::{Equation, Step, Stepper, StochasticScheme};
use crate::system::coefficients;
use crate::{Calculus, NoiseKind, SdeError, StochasticSystem};
use hpfracc_lanes::{AlignedVec, Rows, RowsMut};
use std::marker::PhantomData;

/// An explicit scheme without memory: X_{n+1} is a function of X_n and of the noise over one step.
///
/// A new scheme implements this trait: its step, the rows of memory that the step takes, and the
/// noise that it refuses. It then is a [`StochasticScheme`].
pub trait OneStepScheme {
    /// Its name.
    const NAME: &'static str;

    /// The calculus in which its limit solves the equation.
    const CALCULUS: Calculus;

    /// Whether a step takes `I_(1,0) = int_t^{t+h} (t+h-s) dW(s)` of each noise, after the
    /// increments.
    const TIME_INTEGRALS: bool = false;

    /// Refuses noise that the scheme does not take.
    ///
    /// # Errors
    /// [`SdeError::NotTaken`].
    fn admit(equation: &Equation<'_>) -> Result<(), SdeError> {
        let _ = equation;
        Ok(())
    }

    /// Rows of scratch memory of a step, besides those of drift and diffusion at its start.
    fn rows(of: &OneStep) -> usize {
        let _ = of;
        0
    }

    /// Takes `x` from t to t + h.
    fn step<T: Gaussian, S: StochasticSystem<T>>(of: &OneStep, system: &S, at: StepStart<'_, T>);
}

/// A tile of paths at the start of a step of a [`OneStepScheme`].
#[derive(Debug)]
pub struct StepStart<'a, T> {
    /// The time.
    pub t: f64,
    /// The values, a row for each component.
    pub x: RowsMut<'a, T>,
    /// The increments of the noise over the step, and after them the integrals.
    pub dz: Rows<'a, T>,
    /// f(t, x); a scheme may overwrite it, and g too.
    pub f: &'a mut [T],
    /// g(t, x)
    pub g: &'a mut [T],
    /// [`OneStepScheme::rows`] rows with any contents.
    pub scratch: &'a mut [T],
}

/// The properties of an equation that a [`OneStepScheme`] depends on.
#[derive(Debug, Clone, Copy)]
pub struct OneStep {
    /// Number of components.
    pub dim: usize,
    /// How noise acts.
    pub noise_kind: NoiseKind,
    /// Whether g does not depend on x.
    pub additive: bool,
    /// Length of a step.
    pub h: f64,
}

impl OneStep {
    pub(crate) fn new(equation: &Equation<'_>) -> Self {
        let Equation { dim, noise_kind, additive, h, .. } = *equation;
        Self { dim, noise_kind, additive, h }
    }

    /// Rows of g.
    pub fn noise_rows(&self) -> usize {
        self.noise_kind.rows(self.dim)
    }

    /// Number of noises.
    pub fn noises(&self) -> usize {
        self.noise_kind.noises(self.dim)
    }

    /// Adds `sum_j g_ij dZ_j` to each component of x.
    #[inline(always)]
    pub(crate) fn add_noise<T: Gaussian>(&self, g: &[T], dz: Rows<'_, T>, x: &mut RowsMut<'_, T>) {
        let g = Rows::new(g, dz.lanes());
        self.noise_kind.each((self.dim, g, dz), |i, g, dz| add_products(&mut x[i], g, dz));
    }
}

/// Steps of a [`OneStepScheme`].
#[derive(Debug, Clone)]
pub struct OneStepStepper<C> {
    of: OneStep,
    integrals: Vec<CellIntegral>,
    scheme: PhantomData<fn() -> C>,
}

impl<T: Gaussian, C: OneStepScheme> StochasticScheme<T> for C {
    const NAME: &'static str = <C as OneStepScheme>::NAME;
    const CALCULUS: Calculus = <C as OneStepScheme>::CALCULUS;

    type Stepper = OneStepStepper<C>;

    fn prepare(&self, equation: &Equation<'_>) -> Result<Self::Stepper, SdeError> {
        equation.without_memory()?;
        C::admit(equation)?;
        let integrals = if C::TIME_INTEGRALS { equation.time_integrals() } else { Vec::new() };
        Ok(OneStepStepper { of: OneStep::new(equation), integrals, scheme: PhantomData })
    }
}

impl<T: Gaussian, C: OneStepScheme> Stepper<T> for OneStepStepper<C> {
    type State = AlignedVec<T>;

    fn start(&self, state: &mut Self::State, tile: Tile) {
        state.set_zeros((self.of.dim + self.of.noise_rows() + C::rows(&self.of)) * tile.lanes);
    }

    fn integrals(&self) -> &[CellIntegral] {
        &self.integrals
    }

    #[inline(always)]
    fn step<S: StochasticSystem<T>>(&self, system: &S, state: &mut Self::State, step: Step<'_, T>) {
        let Step { t, x, dz } = step;
        let (of, lanes) = (&self.of, x.lanes());
        let (f, rest) = state.split_at_mut(of.dim * lanes);
        let (g, scratch) = rest.split_at_mut(of.noise_rows() * lanes);
        coefficients(system, t, x.as_rows(), (f, g));
        C::step(of, system, StepStart { t, x, dz, f, g, scratch });
    }
}
