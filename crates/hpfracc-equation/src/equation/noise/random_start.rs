use crate::graph::Id;

/// Distribution of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Distribution {
    /// Normal distribution, by mean and standard deviation: written `normal(m, s)`.
    Normal,
    /// Uniform distribution on an interval, by its ends: written `uniform(a, b)`.
    Uniform,
    /// Lognormal distribution, by mean and standard deviation of the logarithm: written
    /// `lognormal(m, s)`.
    LogNormal,
}

impl Distribution {
    /// All distributions.
    pub const ALL: &'static [Self] = &[Self::Normal, Self::Uniform, Self::LogNormal];

    /// Name in a text.
    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Uniform => "uniform",
            Self::LogNormal => "lognormal",
        }
    }
}

/// Random initial value, independent of all others: `X(0) = normal(1, 0.2)`. Its numbers are expressions of
/// constants and parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomStart {
    pub(crate) distribution: Distribution,
    pub(crate) numbers: [Id; 2],
}

impl RandomStart {
    /// Distribution.
    pub fn distribution(&self) -> Distribution {
        self.distribution
    }

    /// Its two numbers.
    pub fn numbers(&self) -> [Id; 2] {
        self.numbers
    }
}
