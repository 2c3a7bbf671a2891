use crate::SolveError;

/// How the interval is cut. Each scheme says which kinds it takes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Steps {
    /// So many equal steps, at least 1.
    Uniform(usize),
    /// Nodes `t0 + (t1 - t0) (j/n)^exponent`: small steps where solutions behave as powers of t - t0.
    Graded {
        /// Number of steps, at least 1.
        n: usize,
        /// At least 1; 1 is uniform.
        exponent: f64,
    },
    /// These nodes, increasing from t0 to t1.
    Given(Vec<f64>),
    /// Chosen by the scheme from an estimate of the error.
    Adaptive {
        /// Relative error allowed of a step.
        relative: f64,
        /// Absolute error allowed of a step.
        absolute: f64,
        /// The shortest step allowed.
        shortest: f64,
    },
}

impl Steps {
    /// The kind, in a word.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Uniform(_) => "uniform",
            Self::Graded { .. } => "graded",
            Self::Given(_) => "given",
            Self::Adaptive { .. } => "adaptive",
        }
    }

    /// The number of equal steps, for a scheme that takes no others.
    ///
    /// # Errors
    /// [`SolveError::Steps`] for other kinds, [`SolveError::OutOfRange`] for no step at all.
    pub fn uniform(&self, scheme: &'static str) -> Result<usize, SolveError> {
        match self {
            Self::Uniform(0) => Err(SolveError::OutOfRange {
                what: "the number of steps",
                value: 0.0,
                expected: "at least 1",
            }),
            Self::Uniform(n) => Ok(*n),
            other => Err(SolveError::Steps { scheme, steps: other.name() }),
        }
    }

    /// How many steps there will be, if that is known.
    pub fn count(&self) -> Option<usize> {
        match self {
            Self::Uniform(n) | Self::Graded { n, .. } => Some(*n),
            Self::Given(nodes) => Some(nodes.len().saturating_sub(1)),
            Self::Adaptive { .. } => None,
        }
    }
}
