/// Work of a solve.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Statistics {
    /// Accepted steps.
    pub steps: usize,
    /// Evaluations of the right-hand side, excluding those for Jacobians.
    pub evaluations: usize,
    /// Rejected steps.
    pub rejections: usize,
    /// Newton iterations.
    pub newton_iterations: usize,
    /// Jacobians evaluated.
    pub jacobians: usize,
    /// Unknowns of the accepted steps of collocation: points times components.
    pub unknowns: usize,
    /// Jumps of the state at events.
    pub jumps: usize,
    /// Set if an explicit scheme exceeded its stability limit by its own estimate.
    pub stability: Option<StabilityHint>,
}

/// An explicit scheme exceeded its stability limit on `|lambda| h^alpha`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StabilityHint {
    /// Time of the first excess.
    pub t: f64,
    /// Largest ratio of `|lambda| h^alpha` to the limit, above 1. Divide the step by this factor to
    /// the power 1/alpha, or use an implicit scheme.
    pub excess: f64,
}
