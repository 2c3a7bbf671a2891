use crate::OdeError;
use crate::error::require;
use hpfracc_types::check_memory;

/// Steps of a solve. Each scheme documents the kinds that it takes.
///
/// ```
/// use hpfracc_ode::{Options, Problem, ProductTrapezoid, Steps, solve};
///
/// // exp(t) erfc(sqrt t) is weakly singular at t = 0: short steps belong there.
/// let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// let error = |steps: Steps| -> Result<f64, Box<dyn std::error::Error>> {
///     let solution = solve(&problem, &ProductTrapezoid, &steps, Options::default())?;
///     Ok((solution.at(0.01)?[0] - 0.896456979969127).abs())
/// };
/// let equal = error(Steps::Uniform(200))?;
/// let graded = error(Steps::Graded { n: 200, exponent: 4.0 })?;
/// assert!(graded < 0.1 * equal);
/// let adaptive = error(Steps::adaptive(1e-7, 1e-7))?;
/// assert!(adaptive < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Steps {
    /// Number of equal steps, at least 1.
    Uniform(usize),
    /// Nodes `t0 + (t1 - t0) (j/n)^exponent`: short steps where solutions behave as powers of t -
    /// t0.
    Graded {
        /// Number of steps, at least 1.
        n: usize,
        /// Grading exponent, at least 1; 1 is uniform.
        exponent: f64,
    },
    /// Nodes, increasing from t0 to t1.
    Given(Vec<f64>),
    /// Step size control: the scheme chooses each step such that its error estimate stays below
    /// `atol + rtol |y|` ([`Steps::adaptive`] sets the tolerances alone).
    ///
    /// A scheme knows the right-hand side at the times where it evaluates it, and at no others: a
    /// pulse between two of them leaves no trace in the error estimate. f is evaluated in every
    /// hundredth of the interval, so that features of that length are seen. For shorter ones set
    /// `max_step` to their length, or declare them as [breaks](crate::Collocation::breaks).
    Adaptive {
        /// Relative tolerance, below 1.
        rtol: f64,
        /// Absolute tolerance, above 0 if `rtol` is 0.
        atol: f64,
        /// Shortest step; 0 for none. A solve that needs a shorter one ends with
        /// [`OdeError::StepTooSmall`].
        min_step: f64,
        /// Longest step; infinite for none. Whatever it is, f is evaluated in every hundredth of
        /// the interval.
        max_step: f64,
    },
}

/// Limits of the steps of an adaptive scheme.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepLimits {
    pub(crate) min_step: f64,
    pub(crate) max_step: f64,
    /// Longest distance between evaluations of f: a hundredth of the interval.
    pub(crate) resolution: f64,
}

impl StepLimits {
    /// # Errors
    /// [`OdeError::OutOfRange`].
    pub(crate) fn new(min_step: f64, max_step: f64, span: f64) -> Result<Self, OdeError> {
        let inside = (0.0..=span).contains(&min_step);
        require(inside, "min_step", min_step, "at least 0, no longer than the interval")?;
        let inside = max_step > 0.0 && max_step >= min_step;
        require(inside, "max_step", max_step, "above 0, at least min_step")?;
        Ok(Self { min_step, max_step, resolution: 0.01 * span })
    }
}

/// Smallest tolerance that a component can meet: the rounding of its largest value so far.
#[derive(Debug)]
pub(crate) struct RoundingFloor {
    largest: Vec<f64>,
}

impl RoundingFloor {
    pub(crate) fn new(dim: usize) -> Self {
        Self { largest: vec![0.0; dim] }
    }

    /// Takes the values of a node.
    pub(crate) fn take(&mut self, y: &[f64]) {
        self.largest.iter_mut().zip(y).for_each(|(most, y)| *most = most.max(y.abs()));
    }

    /// Checks that the tolerance of each component, in a step from t on, is at least `factor`
    /// times its rounding.
    ///
    /// # Errors
    /// [`OdeError::ToleranceBelowRounding`].
    pub(crate) fn check(
        &self,
        t: f64,
        factor: f64,
        tolerance: impl Fn(usize) -> f64,
    ) -> Result<(), OdeError> {
        for (component, largest) in self.largest.iter().enumerate() {
            let smallest = largest.min(f64::from_bits(1));
            let (tolerance, rounding) =
                (tolerance(component), smallest.max(f64::EPSILON * largest));
            if tolerance < factor * rounding {
                return Err(OdeError::ToleranceBelowRounding { t, component, tolerance, rounding });
            }
        }
        Ok(())
    }
}

impl Steps {
    /// Length of the interval over that of the shortest of n fixed steps, about.
    pub(crate) fn ratio(&self, n: usize) -> f64 {
        match self {
            Self::Graded { exponent, .. } => (n as f64).powf(*exponent),
            Self::Given(nodes) => {
                let lengths = nodes.windows(2).map(|ends| ends[1] - ends[0]);
                let span = nodes.last().zip(nodes.first()).map_or(0.0, |(t1, t0)| t1 - t0);
                span / lengths.fold(span, f64::min)
            }
            Self::Uniform(_) | Self::Adaptive { .. } => n as f64,
        }
    }

    /// [`Steps::Adaptive`] without a shortest and a longest step.
    pub const fn adaptive(rtol: f64, atol: f64) -> Self {
        Self::Adaptive { rtol, atol, min_step: 0.0, max_step: f64::INFINITY }
    }

    /// Name of the kind of steps.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Uniform(_) => "uniform",
            Self::Graded { .. } => "graded",
            Self::Given(_) => "given",
            Self::Adaptive { .. } => "adaptive",
        }
    }

    /// Equal steps of an interval, for a scheme that takes no others.
    ///
    /// # Errors
    /// [`OdeError::Steps`] for other kinds, [`OdeError::OutOfRange`] for zero steps or more than
    /// the floating-point numbers of the interval.
    pub fn uniform(
        &self,
        scheme: &'static str,
        (t0, t1): (f64, f64),
    ) -> Result<UniformGrid, OdeError> {
        match *self {
            Self::Uniform(n) => {
                check_count(n)?;
                let grid = UniformGrid { t0, t1, n };
                distinct(&[grid.t(n - 1), grid.t(n)])?;
                Ok(grid)
            }
            ref other => Err(OdeError::Steps { scheme, steps: other.name() }),
        }
    }

    /// Nodes of an interval, for a scheme that takes any mesh but has no step size control.
    ///
    /// # Errors
    /// [`OdeError::Steps`] for adaptive steps; [`OdeError::OutOfRange`] for zero steps or more than
    /// the floating-point numbers of the interval, an exponent below 1, nodes that do not increase,
    /// or nodes that do not start at t0 and end at t1.
    pub fn nodes(&self, scheme: &'static str, (t0, t1): (f64, f64)) -> Result<Vec<f64>, OdeError> {
        let nodes: Vec<f64> = match *self {
            Self::Uniform(_) => {
                let grid = self.uniform(scheme, (t0, t1))?;
                check_memory(grid.n() as f64)?;
                (0..=grid.n()).map(|j| grid.t(j)).collect()
            }
            Self::Graded { n, exponent } => {
                check_count(n)?;
                let what = "the exponent of graded steps";
                require(exponent.is_finite() && exponent >= 1.0, what, exponent, "at least 1")?;
                let share = |j: usize| (j as f64 / n as f64).powf(exponent);
                // Checked before n nodes are allocated: the first step is the shortest, and the
                // last ends where the rounding of t is coarser.
                distinct(&[t0, t0 + (t1 - t0) * share(1)])?;
                distinct(&[t0 + (t1 - t0) * share(n - 1), t1])?;
                check_memory(n as f64)?;
                let before_last = (0..n).map(|j| t0 + (t1 - t0) * share(j));
                before_last.chain([t1]).collect()
            }
            Self::Given(ref nodes) => nodes.clone(),
            Self::Adaptive { .. } => {
                return Err(OdeError::Steps { scheme, steps: self.name() });
            }
        };
        check_count(nodes.len().saturating_sub(1))?;
        for (what, node, end) in
            [("the first node", nodes[0], t0), ("the last node", nodes[nodes.len() - 1], t1)]
        {
            require(node == end, what, node, "the end of the interval")?;
        }
        distinct(&nodes)?;
        Ok(nodes)
    }

    /// Number of steps; None for adaptive steps.
    pub fn count(&self) -> Option<usize> {
        match self {
            Self::Uniform(n) | Self::Graded { n, .. } => Some(*n),
            Self::Given(nodes) => Some(nodes.len().saturating_sub(1)),
            Self::Adaptive { .. } => None,
        }
    }
}

/// Grid of n equal steps from t0 to t1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UniformGrid {
    t0: f64,
    t1: f64,
    n: usize,
}

impl UniformGrid {
    /// Number of steps.
    pub fn n(self) -> usize {
        self.n
    }

    /// Length of a step.
    pub fn h(self) -> f64 {
        (self.t1 - self.t0) / self.n as f64
    }

    /// The j-th node; the last is t1 without rounding.
    pub fn t(self, j: usize) -> f64 {
        if j == self.n {
            self.t1
        } else {
            self.t0 + (self.t1 - self.t0) * (j as f64 / self.n as f64)
        }
    }
}

/// Largest number of attempts of adaptive steps by default.
pub(crate) const MAX_STEPS: usize = 1_000_000;
/// The same where the time of a step grows with the number of steps before it.
pub(crate) const MAX_LONG_STEPS: usize = 50_000;

/// Numbers just below 1 are 2^-53 apart: of more nodes than that, two coincide.
pub(crate) const MOST_STEPS: u64 = 1 << 53;

fn check_count(n: usize) -> Result<(), OdeError> {
    // Rounding may leave the last two nodes distinct even for more steps.
    let expected = if n == 0 { "at least 1" } else { "at most 2^53" };
    require((1..=MOST_STEPS).contains(&(n as u64)), "the number of steps", n as f64, expected)
}

fn distinct(nodes: &[f64]) -> Result<(), OdeError> {
    nodes.windows(2).try_for_each(|pair| {
        require(pair[0] < pair[1], "a node", pair[1], "above the node before it")
    })
}
