use thiserror::Error;

/// Errors in the settings of a machine.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MachineError {
    /// No backend of this machine has that name.
    #[error("unknown backend `{name}`; known are {known}")]
    UnknownBackend {
        /// The name.
        name: String,
        /// The valid names.
        known: String,
    },
    /// The backend runs on a GPU, which this build does not support.
    #[error(
        "backend `{name}` runs on a GPU, and this build has no GPU support (feature `gpu` of the crate hpfracc is off); known are {known}"
    )]
    WithoutGpu {
        /// The name.
        name: String,
        /// The valid names.
        known: String,
    },
    /// All backends are disabled.
    #[error("no backend is left to choose from: {} disabled", .names.join(", "))]
    NothingLeft {
        /// The disabled names.
        names: Vec<String>,
    },
    /// An invalid fraction of memory.
    #[error("{fraction} of a GPU's memory: expected a fraction above 0 and at most 1")]
    MemoryFraction {
        /// The fraction.
        fraction: f64,
    },
    /// The thread pool could not be made.
    #[error("a pool of {threads} threads was refused: {reason}")]
    Threads {
        /// The requested number of threads.
        threads: usize,
        /// The reason.
        reason: String,
    },
    /// The wisdom file cannot be used.
    #[error("wisdom of {}: {reason}", .path.display())]
    Wisdom {
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// An environment variable has an invalid value.
    #[error("{variable}=`{value}`: {reason}")]
    Environment {
        /// The variable's name.
        variable: &'static str,
        /// Its value.
        value: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// Any error of the crates of this library: a function that uses several of them returns one type,
/// and `?` converts.
///
/// ```
/// use hpfracc::Error;
/// use hpfracc::prelude::*;
///
/// fn relaxed(alpha: f64) -> Result<f64, Error> {
///     let problem = Problem::new(&[alpha], (0.0, 1.0), &[&[1.0]], |_t, y, f| f[0] = -y[0])?;
///     let exact = hpfracc::special::mittag_leffler(alpha, 1.0, -1.0)?;
///     let solution = solve(&problem, &L1, &Steps::Uniform(100), Options::default())?;
///     Ok(solution.last()[0] - exact)
/// }
/// assert!(relaxed(0.5)?.abs() < 1e-2);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Of the settings of a machine.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// Of an order.
    #[error(transparent)]
    Order(#[from] hpfracc_types::OrderError),
    /// Of a grid.
    #[error(transparent)]
    Grid(#[from] hpfracc_types::GridError),
    /// Of a mesh.
    #[error(transparent)]
    Mesh(#[from] hpfracc_types::MeshError),
    /// Of a special function.
    #[error(transparent)]
    Special(#[from] hpfracc_special::SpecialError),
    /// Of an operator.
    #[error(transparent)]
    Operator(#[from] hpfracc_operators::OperatorError),
    /// Of the text of an equation.
    #[error(transparent)]
    Equation(#[from] hpfracc_equation::EquationError),
    /// Of a parameter of an equation.
    #[error(transparent)]
    Parameter(#[from] hpfracc_equation::ParameterError),
    /// Of the problem of an equation.
    #[error(transparent)]
    EquationProblem(#[from] hpfracc_ode::EquationProblemError),
    /// Of the stochastic model of an equation.
    #[error(transparent)]
    EquationModel(#[from] hpfracc_sde::EquationModelError),
    /// Of a simulation, other than of its model.
    #[error(transparent)]
    Simulation(crate::SimulationError),
    /// Of an expression without a shader.
    #[error(transparent)]
    Shader(#[from] hpfracc_equation::wgsl::ShaderError),
    /// Of a fractional differential equation.
    #[error(transparent)]
    Ode(#[from] hpfracc_ode::OdeError),
    /// Of the solve of one, with the solution before the error.
    #[error(transparent)]
    Solve(Box<hpfracc_ode::Failure>),
    /// Of a stochastic equation, a noise or an ensemble.
    #[error(transparent)]
    Sde(#[from] hpfracc_sde::SdeError),
    /// Of a layer or a network.
    #[error(transparent)]
    Network(#[from] hpfracc_nn::NetworkError),
    /// Of a training.
    #[error(transparent)]
    Training(#[from] hpfracc_nn::TrainingError),
    /// Of a fit.
    #[error(transparent)]
    Fit(#[from] hpfracc_fit::FitError),
    /// Of a time series with long memory.
    #[error(transparent)]
    Series(#[from] hpfracc_series::SeriesError),
    /// Of a partial differential equation.
    #[error(transparent)]
    Pde(#[from] hpfracc_pde::PdeError),
    /// Of an operator on fields.
    #[error(transparent)]
    Spatial(#[from] hpfracc_spatial::SpatialError),
    /// Of a transform.
    #[error(transparent)]
    Transform(#[from] hpfracc_transforms::TransformError),
}

impl From<crate::SimulationError> for Error {
    fn from(error: crate::SimulationError) -> Self {
        match error {
            crate::SimulationError::Model(error) => Self::EquationModel(error),
            #[cfg(feature = "gpu")]
            crate::SimulationError::Shader(error) => Self::Shader(error),
            error => Self::Simulation(error),
        }
    }
}

impl From<hpfracc_ode::Failure> for Error {
    fn from(failure: hpfracc_ode::Failure) -> Self {
        Self::Solve(Box::new(failure))
    }
}
