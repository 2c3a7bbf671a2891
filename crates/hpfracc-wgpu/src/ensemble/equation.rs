use hpfracc_equation::wgsl::ShaderFunction;

/// Stochastic equation whose paths a device solves, with the scheme of their steps, in any format of numbers: a solver
/// rounds them to its own.
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
    pub correlation: Option<Vec<Vec<(usize, f64)>>>,
    /// Integrals of the Brownian motions over a step, for schemes that take them.
    pub integrals: Option<TimeIntegrals>,
    /// Fractional Brownian motions, after the Brownian ones; all have the same number of steps.
    pub fractional: Vec<PathFractional>,
    /// Noises after the fractional ones.
    pub jumps: Vec<PathNoise>,
    /// For each component the noises that act on it, in the order in which they are added.
    pub noise: Vec<Vec<NoiseRow>>,
    /// Scheme of a step.
    pub scheme: PathScheme,
}

impl PathEquation {
    /// Number of noises.
    pub(super) fn noises(&self) -> usize {
        self.brownian() + self.fractional.len() + self.jumps.len()
    }

    /// Number of Brownian noises, which may be correlated.
    pub(super) fn brownian(&self) -> usize {
        self.correlation.as_ref().map_or(self.streams.len(), Vec::len)
    }
}

/// Integrals `int (t + h - s) dW(s)` over a step: `factors[0] z + factors[1] z'` with z the normal of the increment and z' a
/// further one.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeIntegrals {
    /// Factors of both normals.
    pub factors: [f64; 2],
    /// Streams of the further normals, of each Brownian motion.
    pub streams: Vec<u32>,
}

/// Fractional Brownian motion on n steps, whose increments are a real transform of 2n values of normal coefficients.
#[derive(Debug, Clone, PartialEq)]
pub struct PathFractional {
    /// Stream of the normals: 2k and 2k + 1 of a path belong to coefficient k.
    pub stream: u32,
    /// Standard deviations of the parts of the coefficients k = 0 .. n.
    pub standard_deviations: Vec<f32>,
}

/// Noise other than Brownian motion.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PathNoise {
    /// Compound Poisson process.
    Jumps(PathJumps),
    /// Stable Lévy motion.
    Stable(PathStable),
}

/// Sums of the jumps of a step, whose number comes from a random word by inversion.
#[derive(Debug, Clone, PartialEq)]
pub struct PathJumps {
    /// Stream of the numbers of jumps.
    pub times: u32,
    /// Stream of the sizes of the first jump of a step; those of further ones follow.
    pub sizes: u32,
    /// Probabilities of more than k jumps, k = 0, 1, ..., in units of 2^-64, as long as they are not 0.
    pub survival: Vec<u64>,
    /// Distribution of the sizes.
    pub distribution: JumpSizes,
}

/// Distribution of the size of a jump.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum JumpSizes {
    /// Always this size.
    Constant(f64),
    /// Normal sizes.
    Normal {
        /// Their mean.
        mean: f64,
        /// Their standard deviation.
        standard_deviation: f64,
    },
    /// Exponential sizes upward with a probability, and else downward.
    DoubleExponential {
        /// Probability of an upward jump.
        upward: f64,
        /// Mean size of upward jumps.
        mean_up: f64,
        /// Mean size of downward jumps, as a positive number.
        mean_down: f64,
    },
}

/// Increments of a stable distribution over a step, by Chambers, Mallows and Stuck in the form of `hpfracc-sde`:
/// `scale (Z + shift)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathStable {
    /// Stream of the random words.
    pub stream: u32,
    /// `1 - alpha`
    pub e: f64,
    /// `1 / alpha`
    pub inverse_index: f64,
    /// `beta e / tan(pi e/2)`
    pub k: f64,
    /// Least A for a distance from the ends of the angle.
    pub least: f64,
    /// Scale of an increment.
    pub scale: f64,
    /// Shift of Z.
    pub shift: f64,
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
    /// `X + f h/(1 + h |f|) + g dW`
    TamedEuler,
    /// Rößler's SRA1, for additive noise; takes [`PathEquation::integrals`].
    Sra1,
    /// Rößler's SRI1W1, for one noise or one for each component; takes [`PathEquation::integrals`].
    Sriw1,
    /// Rößler's SRI2 for noise that commutes.
    Sric2 {
        /// Whether no row of the diffusion depends on the state.
        additive: bool,
    },
    /// The reversible Heun scheme, for Stratonovich's integrals.
    ReversibleHeun,
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
    pub nearest: f64,
    /// Loss and factor of each exponential.
    pub exponentials: Vec<[f64; 2]>,
    /// Noises with weights of their own in the nearest steps.
    pub near: Vec<NearNoise>,
}

/// Noises whose latest increments have weights of their own.
#[derive(Debug, Clone, PartialEq)]
pub struct NearNoise {
    /// What is added to the noise of a step.
    pub sources: Vec<NoiseRow>,
    /// Weights of the noise of this step and of earlier ones.
    pub weights: Vec<f64>,
}
