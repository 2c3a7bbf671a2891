use hpfracc_equation::wgsl::ShaderFunction;

/// Stochastic equation whose paths a device solves, with the scheme of their steps.
#[derive(Debug, Clone)]
pub struct PathEquation {
    /// Drift, a root for each component, then the rows of the diffusion; the rows of its arguments are the components.
    pub coefficients: ShaderFunction,
    /// Parameters of the coefficients.
    pub parameters: Vec<f64>,
    /// Number of components.
    pub dim: usize,
    /// Brownian motions that drive the equation, by their streams of random numbers.
    pub streams: Vec<u32>,
    /// Correlated noises as sums of Brownian motions, each with its factor; `None` where noise j is Brownian motion j.
    pub correlation: Option<Vec<Vec<(usize, f32)>>>,
    /// For each component the noises that act on it, in the order in which they are added.
    pub noise: Vec<Vec<NoiseRow>>,
    /// Scheme of a step.
    pub scheme: PathScheme,
}

impl PathEquation {
    /// Number of noises.
    pub(super) fn noises(&self) -> usize {
        self.correlation.as_ref().map_or(self.streams.len(), Vec::len)
    }
}

/// Noise of a component: row `diffusion` of the diffusion times the increment of noise `noise`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoiseRow {
    /// Index of the noise: a Brownian motion, or a row of [`PathEquation::correlation`].
    pub noise: usize,
    /// Row of the diffusion, counted from its first one.
    pub diffusion: usize,
}

/// Scheme of the steps of a path.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PathScheme {
    /// `X + f h + g dW`
    EulerMaruyama,
    /// Milstein's scheme with a difference in place of the derivative of g; one noise acts on each component.
    Milstein,
    /// Heun's scheme, for Stratonovich's integrals.
    Heun,
    /// The fractional Euler-Maruyama method: for each component its memory; one without is of order 1.
    FractionalEulerMaruyama(Vec<Option<PathMemory>>),
}

/// Memory of a component as a sum of exponentials: with `u = f + g dW/h`,
///
/// ```text
/// X_{n+1} = X_0 + (nearest u_n + sum_k factor_k z_k) + sum_m weight_m (g dW)_{n-m},  then  z_k += u_n - loss_k z_k
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PathMemory {
    /// Weight of the present step.
    pub nearest: f32,
    /// Loss and factor of each exponential.
    pub exponentials: Vec<[f32; 2]>,
    /// Noises with weights of their own in the nearest steps.
    pub near: Vec<NearNoise>,
}

/// Noises whose latest increments have weights of their own.
#[derive(Debug, Clone, PartialEq)]
pub struct NearNoise {
    /// What is added to the noise of a step.
    pub sources: Vec<NoiseRow>,
    /// Weights of the noise of this step and of earlier ones.
    pub weights: Vec<f32>,
}
