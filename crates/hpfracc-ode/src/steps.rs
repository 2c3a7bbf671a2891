use crate::OdeError;
use crate::error::require;

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
/// let adaptive = error(Steps::Adaptive { rtol: 1e-7, atol: 1e-7, min_step: 1e-12 })?;
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
    /// `atol + rtol |y|`.
    Adaptive {
        /// Relative tolerance, below 1.
        rtol: f64,
        /// Absolute tolerance, above 0 if `rtol` is 0.
        atol: f64,
        /// Shortest step. Histories of exponentials resolve kernels down to it, and to 1e-15 of the
        /// interval at most; a smaller value costs little.
        min_step: f64,
    },
}

impl Steps {
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

/// Numbers just below 1 are 2^-53 apart: of more nodes than that, two coincide.
const MOST_STEPS: u64 = 1 << 53;

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
