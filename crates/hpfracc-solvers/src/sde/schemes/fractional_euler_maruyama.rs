use super::memory::{Past, PathMemory, Weights};
use super::{Calculus, Equation, Stepper, StochasticScheme};
use crate::SolveError;
use crate::error::out_of_range;
use crate::noise::{Gaussian, Rows, RowsMut};
use crate::sde::{Coupling, StochasticSystem};
use hpfracc_special::{forward_differences_of_powers, recip_gamma};

/// Euler and Maruyama's scheme for Caputo equations with noise, of orders 1/2 < alpha <= 1:
///
/// ```text
/// X(t) = X_0 + 1/Gamma(alpha) int_0^t (t-s)^(alpha-1) (f ds + g dZ)
/// X_n  = X_0 + sum_{j<n} b_{n-1-j} f_j + sum_{j<n} s_{n-1-j} g_j dZ_j
/// b_m  = h^alpha/Gamma(alpha+1) ((m+1)^alpha - m^alpha)
/// s_m^2 = 1/h int of the squared kernel over the cell m, for the nearest cells; b_m / h beyond
/// ```
///
/// The kernel is never taken at a point: the drift is integrated exactly over each cell, and noise in
/// the nearest cells has exactly the variance of its cell. Beyond them the mean of the kernel does,
/// within the relative error of [`variance_error`](Self::variance_error).
///
/// Strong order alpha - 1/2, for additive noise too: it is that of the noise within one step of t. At
/// alpha = 1 a component is that of [`EulerMaruyama`](super::EulerMaruyama), bit for bit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FractionalEulerMaruyama {
    memory: PathMemory,
    variance_error: f64,
}

impl Default for FractionalEulerMaruyama {
    fn default() -> Self {
        Self { memory: PathMemory::default(), variance_error: 1e-4 }
    }
}

impl FractionalEulerMaruyama {
    /// With this memory.
    pub fn new(memory: PathMemory) -> Self {
        Self { memory, ..Self::default() }
    }

    /// The relative error allowed to the variance of the noise of one cell; 1e-4 by default. It falls
    /// as the square of the cell's lag, so that few cells are near: twelve at alpha = 0.6.
    pub fn variance_error(self, variance_error: f64) -> Self {
        Self { variance_error, ..self }
    }

    /// Cells whose noise has a weight of its own: `s_m/(b_m/h) - 1` is about
    /// `(1-alpha)^2 / (24 (m+1/2)^2)`.
    fn near_cells(&self, alpha: f64) -> usize {
        let squared = (1.0 - alpha).powi(2) / (12.0 * self.variance_error);
        (squared.sqrt() + 0.5).ceil() as usize
    }
}

/// Steps of [`FractionalEulerMaruyama`].
#[derive(Debug, Clone)]
pub struct FractionalEulerMaruyamaStepper<T> {
    coupling: Coupling,
    h: f64,
    components: Vec<Component<T>>,
}

/// A component with memory, or `None` for one without, of order 1.
type Component<T> = Option<WithMemory<T>>;

#[derive(Debug, Clone)]
struct WithMemory<T> {
    nearest: T,
    weights: Weights<T>,
    /// `s_m - b_m / h` for the near cells, from lag 0.
    corrections: Vec<T>,
}

/// What a tile carries from step to step.
#[derive(Debug, Clone)]
pub struct FractionalState<T> {
    /// Drift, diffusion, noise, and a sum.
    scratch: Vec<T>,
    start: Vec<T>,
    pasts: Vec<Past<T>>,
    /// The noise of the near cells, by component and lag.
    near: Vec<Vec<T>>,
    steps: usize,
}

impl<T: Gaussian> StochasticScheme<T> for FractionalEulerMaruyama {
    type Stepper = FractionalEulerMaruyamaStepper<T>;

    fn name(&self) -> &'static str {
        "fractional-euler-maruyama"
    }

    fn calculus(&self) -> Calculus {
        Calculus::Ito
    }

    fn prepare(&self, equation: &Equation<'_>) -> Result<Self::Stepper, SolveError> {
        if !(self.variance_error > 0.0 && self.variance_error < 1.0) {
            let what = "the error of a cell's variance";
            return Err(out_of_range(what, self.variance_error, "between 0 and 1"));
        }
        let component = |&alpha: &f64| -> Result<Component<T>, SolveError> {
            if !(0.5 < alpha && alpha <= 1.0) {
                let expected = "1/2 < alpha <= 1: below, the noise has no finite variance";
                return Err(out_of_range("the order of a noisy equation", alpha, expected));
            }
            if alpha == 1.0 {
                return Ok(None);
            }
            let h = equation.h;
            let cells = cells(alpha, h, equation.steps);
            let near = self.near_cells(alpha).min(equation.steps);
            let own = cell_deviations(alpha, h, near);
            let corrections = own.iter().zip(&cells).map(|(s, b)| T::narrow(s - b / h)).collect();
            let weights = Weights::of_cells(self.memory, &cells, (alpha, h))?;
            Ok(Some(WithMemory { nearest: T::narrow(cells[0]), weights, corrections }))
        };
        let components = equation.orders.iter().map(component).collect::<Result<_, _>>()?;
        let (coupling, h) = (equation.coupling, equation.h);
        Ok(FractionalEulerMaruyamaStepper { coupling, h, components })
    }
}

/// `b_m` for m = 0 .. n - 1.
fn cells(alpha: f64, h: f64, n: usize) -> Vec<f64> {
    let mut cells = vec![0.0; n];
    forward_differences_of_powers(alpha, &mut cells);
    let scale = h.powf(alpha) * recip_gamma(alpha + 1.0);
    cells.iter_mut().for_each(|cell| *cell *= scale);
    cells
}

/// `s_m = h^(alpha-1)/Gamma(alpha) sqrt(((m+1)^q - m^q)/q)` with q = 2 alpha - 1, m = 0 .. n - 1.
fn cell_deviations(alpha: f64, h: f64, n: usize) -> Vec<f64> {
    let q = 2.0 * alpha - 1.0;
    let mut squares = vec![0.0; n];
    forward_differences_of_powers(q, &mut squares);
    let scale = h.powf(alpha - 1.0) * recip_gamma(alpha);
    squares.iter().map(|square| scale * (square / q).sqrt()).collect()
}

impl<T: Gaussian> Stepper<T> for FractionalEulerMaruyamaStepper<T> {
    type State = FractionalState<T>;

    fn start(&self, lanes: usize) -> Self::State {
        let dim = self.components.len();
        let rows = 2 * dim + 1 + self.coupling.rows(dim);
        let with_memory = || self.components.iter().flatten();
        FractionalState {
            scratch: vec![T::zero(); rows * lanes],
            start: Vec::new(),
            pasts: with_memory().map(|c| c.weights.start(lanes)).collect(),
            near: with_memory().map(|c| vec![T::zero(); c.corrections.len() * lanes]).collect(),
            steps: 0,
        }
    }

    #[inline(always)]
    fn step<S: StochasticSystem<T>>(
        &self,
        system: &S,
        state: &mut Self::State,
        t: f64,
        mut x: RowsMut<'_, T>,
        dz: Rows<'_, T>,
    ) {
        let (dim, lanes) = (self.components.len(), x.lanes());
        if state.steps == 0 {
            state.start.extend_from_slice(x.as_rows().as_slice());
        }
        let (f, rest) = state.scratch.split_at_mut(dim * lanes);
        let (noise, rest) = rest.split_at_mut(dim * lanes);
        let (sum, g) = rest.split_at_mut(lanes);
        system.drift(t, x.as_rows(), RowsMut::new(f, lanes));
        system.diffusion(t, x.as_rows(), RowsMut::new(g, lanes));
        let (h, per_h) = (T::narrow(self.h), T::narrow(1.0 / self.h));
        noise.fill(T::zero());
        let mut noise = RowsMut::new(noise, lanes);
        self.coupling.each((dim, Rows::new(g, lanes), dz), |i, g, dz| {
            if self.components[i].is_some() {
                for ((noise, g), dz) in noise[i].iter_mut().zip(g).zip(dz) {
                    *noise += *g * *dz;
                }
            }
        });
        let mut f = RowsMut::new(f, lanes);
        let mut with_memory = state.pasts.iter_mut().zip(&mut state.near);
        for (i, component) in self.components.iter().enumerate() {
            let (x, f, noise) = (&mut x[i], &mut f[i], &noise[i]);
            let Some(component) = component else {
                // As Euler and Maruyama's scheme has it; the noise follows below.
                x.iter_mut().zip(&*f).for_each(|(x, f)| *x += h * *f);
                continue;
            };
            let Some((past, near)) = with_memory.next() else { break };
            // Drift and noise share one memory: u = f + noise / h.
            f.iter_mut().zip(noise).for_each(|(f, noise)| *f += per_h * *noise);
            component.weights.step(past, f, sum);
            let start = &state.start[i * lanes..][..lanes];
            for (((x, start), u), sum) in x.iter_mut().zip(start).zip(&*f).zip(&*sum) {
                *x = *start + (component.nearest * *u + *sum);
            }
            // The noise of lag 0 replaces the oldest.
            let cells = component.corrections.len();
            if cells > 0 {
                let newest = state.steps % cells;
                near[newest * lanes..][..lanes].copy_from_slice(noise);
                for (lag, correction) in component.corrections.iter().enumerate() {
                    let cell = (newest + cells - lag) % cells;
                    for (x, noise) in x.iter_mut().zip(&near[cell * lanes..][..lanes]) {
                        *x += *correction * *noise;
                    }
                }
            }
        }
        self.coupling.each((dim, Rows::new(g, lanes), dz), |i, g, dz| {
            if self.components[i].is_none() {
                for ((x, g), dz) in x[i].iter_mut().zip(g).zip(dz) {
                    *x += *g * *dz;
                }
            }
        });
        state.steps += 1;
    }
}
