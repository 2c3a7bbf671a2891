use crate::SdeError;
use crate::error::in_range;
use crate::random::{Normals, Philox, Purpose, Stream, unit};
use hpfracc_lanes::Elementary;

/// Distribution of a random initial value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum InitialDistribution {
    /// Normal distribution.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation, from 0 on.
        standard_deviation: f64,
    },
    /// Uniform distribution between two numbers.
    Uniform {
        /// Lower end.
        low: f64,
        /// Upper end, at least the lower one.
        high: f64,
    },
    /// Exponential of a normal variable.
    LogNormal {
        /// Mean of the logarithm.
        mean: f64,
        /// Standard deviation of the logarithm, from 0 on.
        standard_deviation: f64,
    },
}

impl InitialDistribution {
    /// # Errors
    /// [`SdeError::OutOfRange`] for numbers that are not finite or not in order.
    fn check(self) -> Result<(), SdeError> {
        match self {
            Self::Normal { mean, standard_deviation }
            | Self::LogNormal { mean, standard_deviation } => {
                let what = "the mean of a random initial value";
                in_range(mean.is_finite(), what, mean, "a finite number")?;
                let (what, s) =
                    ("the standard deviation of a random initial value", standard_deviation);
                in_range(s.is_finite() && s >= 0.0, what, s, "a number from 0 on")
            }
            Self::Uniform { low, high } => {
                let what = "the lower end of a random initial value";
                in_range(low.is_finite(), what, low, "a finite number")?;
                let (what, width) = ("the upper end of a random initial value", high - low);
                in_range(width.is_finite() && width >= 0.0, what, high, "at least the lower end")
            }
        }
    }
}

/// Random initial value of a component.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RandomStart {
    pub(crate) component: usize,
    distribution: InitialDistribution,
    seed: u64,
    stream: Stream,
}

impl RandomStart {
    /// # Errors
    /// [`SdeError::OutOfRange`] for numbers of the distribution, and for a component without a stream of
    /// random numbers.
    pub(super) fn new(
        component: usize,
        distribution: InitialDistribution,
        seed: u64,
    ) -> Result<Self, SdeError> {
        distribution.check()?;
        let number = u32::try_from(component).ok();
        let stream = number.and_then(|number| Stream::new(Purpose::InitialValues, number));
        let Some(stream) = stream else {
            let what = "the component of a random start";
            let expected = "a component with a stream of random numbers";
            return Err(SdeError::OutOfRange { what, value: component as f64, expected });
        };
        Ok(Self { component, distribution, seed, stream })
    }

    /// Value of a path, by its number.
    pub(crate) fn draw(&self, path: u64) -> f64 {
        let stream = self.stream;
        let normal = || Normals::new(self.seed).at::<f64>(stream, path, 0);
        match self.distribution {
            InitialDistribution::Normal { mean, standard_deviation } => {
                mean + standard_deviation * normal()
            }
            InitialDistribution::LogNormal { mean, standard_deviation } => {
                Elementary::exp(mean + standard_deviation * normal())
            }
            InitialDistribution::Uniform { low, high } => {
                let [a, b, ..] = Philox::new(self.seed).block(stream.counter(0, path));
                low + (high - low) * unit(a, b)
            }
        }
    }

    /// Numbers of the distribution and the seed, for fingerprints.
    pub(crate) fn numbers(&self) -> [f64; 6] {
        let (kind, a, b) = match self.distribution {
            InitialDistribution::Normal { mean, standard_deviation } => {
                (0.0, mean, standard_deviation)
            }
            InitialDistribution::Uniform { low, high } => (1.0, low, high),
            InitialDistribution::LogNormal { mean, standard_deviation } => {
                (2.0, mean, standard_deviation)
            }
        };
        let (high, low) = ((self.seed >> 32) as u32, self.seed as u32);
        [self.component as f64, kind, a, b, high.into(), low.into()]
    }
}
