/// An expectation, and how it was found.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Expectation {
    /// The estimate: the sum of the means of all levels.
    pub value: f64,
    /// Its standard error, without the bias.
    pub standard_error: f64,
    /// Bias: the contribution of finer levels, extrapolated from the last three.
    pub bias: f64,
    /// The requested root-mean-square error.
    pub target: f64,
    /// The power of the step that the means of the differences fall with, by least squares: rough,
    /// where they are no larger than their errors.
    pub weak_order: f64,
    /// The power of the step that their variances fall with: twice the strong order for payoffs
    /// that are Lipschitz.
    pub variance_order: f64,
    /// From the coarsest to the finest.
    pub levels: Vec<LevelStatistics>,
}

/// One level of an expectation.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct LevelStatistics {
    /// Steps of a path.
    pub steps: usize,
    /// Number of paths.
    pub paths: u64,
    /// Mean of `P_l - P_{l-1}`, or of P_0.
    pub mean: f64,
    /// Its variance, of one path.
    pub variance: f64,
    /// Mean of P_l.
    pub payoff_mean: f64,
    /// Its variance.
    pub payoff_variance: f64,
    /// Increments of the noise that a path draws.
    pub cost: f64,
}

impl Expectation {
    /// Increments drawn on all levels.
    pub fn cost(&self) -> f64 {
        self.levels.iter().map(|level| level.cost * level.paths as f64).sum()
    }

    /// Increments that single paths with the steps of the finest level would take, for the same
    /// variance of half the squared target.
    pub fn single_level_cost(&self) -> f64 {
        self.levels.last().map_or(0.0, |finest| {
            let paths = 2.0 * finest.payoff_variance / self.target.powi(2);
            paths * finest.steps as f64
        })
    }
}
