/// The stochastic process of a component of a noise, which determines the equations that it can
/// drive.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum NoiseProcess {
    /// Brownian motion: increments of variance h, independent of each other and of those of other
    /// components. Integrals are Ito's or Stratonovich's.
    Brownian,
    /// Brownian motion that is correlated with other components, or has another variance.
    CorrelatedBrownian {
        /// Of the increments over a unit of time.
        variance: f64,
    },
    /// Fractional Brownian motion, or another process as rough, for which integrals over paths need
    /// H > 1/2.
    Fractional {
        /// The exponent H: paths are Hölder continuous of every order below.
        hurst: f64,
    },
    /// Gaussian paths with a derivative, such as those of coloured noise: the ordinary calculus.
    Smooth,
    /// Independent increments with jumps, of finite variance.
    Jumps,
    /// Independent increments with jumps of infinite variance.
    Stable {
        /// The index: moments of this order and above are infinite.
        index: f64,
    },
}

impl NoiseProcess {
    /// Whether it is Brownian motion, of any variance and correlation.
    pub fn is_brownian(self) -> bool {
        matches!(self, Self::Brownian | Self::CorrelatedBrownian { .. })
    }

    /// Whether it is Gaussian of mean 0.
    pub fn is_gaussian(self) -> bool {
        self.is_brownian() || matches!(self, Self::Fractional { .. } | Self::Smooth)
    }

    /// Whether Ito's and Stratonovich's integrals over it differ.
    pub fn has_two_calculi(self) -> bool {
        self.is_brownian() || matches!(self, Self::Jumps | Self::Stable { .. })
    }
}
