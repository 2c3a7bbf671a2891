use crate::OdeError;
use std::cmp::Ordering;

/// How the interval is cut. Each scheme says which kinds it takes.
///
/// ```
/// use hpfracc_ode::{Options, Problem, ProductTrapezoid, Steps, solve};
///
/// // exp(t) erfc(sqrt t) starts with an infinite slope: short steps belong there.
/// let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// let error = |steps: Steps| -> Result<f64, Box<dyn std::error::Error>> {
///     let solution = solve(&problem, &ProductTrapezoid, &steps, Options::default())?;
///     Ok((solution.at(0.01)?[0] - 0.896456979969127).abs())
/// };
/// let equal = error(Steps::Uniform(200))?;
/// let graded = error(Steps::Graded { n: 200, exponent: 4.0 })?;
/// assert!(graded < 0.1 * equal);
/// let adaptive = error(Steps::Adaptive { relative: 1e-7, absolute: 1e-7, shortest: 1e-12 })?;
/// assert!(adaptive < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// Chosen by the scheme from an estimate of the error, so that it stays below
    /// `absolute + relative |y|`.
    Adaptive {
        /// Relative error allowed, below 1.
        relative: f64,
        /// Absolute error allowed, above 0 if the relative one is 0.
        absolute: f64,
        /// The shortest step allowed. Memories of exponentials reach down to it, and to 1e-15 of the
        /// interval at most; a smaller one costs little.
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

    /// The equal steps of an interval, for a scheme that takes no others.
    ///
    /// # Errors
    /// [`OdeError::Steps`] for other kinds, [`OdeError::OutOfRange`] for no step at all or more
    /// than the interval has room for.
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

    /// The nodes of an interval, for a scheme that takes any but does not choose them.
    ///
    /// # Errors
    /// [`OdeError::Steps`] for steps that a scheme has to choose, [`OdeError::OutOfRange`] for no
    /// step at all or more than the interval has room for, an exponent below 1, nodes that do not increase or do not start and end with the
    /// interval.
    pub fn nodes(&self, scheme: &'static str, (t0, t1): (f64, f64)) -> Result<Vec<f64>, OdeError> {
        let nodes: Vec<f64> = match *self {
            Self::Uniform(_) => {
                let grid = self.uniform(scheme, (t0, t1))?;
                (0..=grid.n()).map(|j| grid.t(j)).collect()
            }
            Self::Graded { n, exponent } => {
                check_count(n)?;
                if !(exponent.is_finite() && exponent >= 1.0) {
                    let (what, expected) = ("the exponent of graded steps", "at least 1");
                    return Err(OdeError::OutOfRange { what, value: exponent, expected });
                }
                let share = |j: usize| (j as f64 / n as f64).powf(exponent);
                // Before room for n nodes is asked for: the first step is the shortest, and the last ends
                // where t may be coarser.
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
            if node != end {
                let expected = "the end of the interval";
                return Err(OdeError::OutOfRange { what, value: node, expected });
            }
        }
        distinct(&nodes)?;
        Ok(nodes)
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

/// So many equal steps from t0 to t1.
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

    /// The j-th node; the last is t1 itself, not rounding away from it.
    pub fn t(self, j: usize) -> f64 {
        if j == self.n {
            self.t1
        } else {
            self.t0 + (self.t1 - self.t0) * (j as f64 / self.n as f64)
        }
    }
}

/// Numbers just below 1 are 2^-53 apart: of more nodes than that some are the same.
const MOST_STEPS: u64 = 1 << 53;

fn check_count(n: usize) -> Result<(), OdeError> {
    let expected = match n as u64 {
        0 => "at least 1",
        // The last node may differ from the one before it all the same, by rounding.
        n if n > MOST_STEPS => "at most 2^53",
        _ => return Ok(()),
    };
    Err(OdeError::OutOfRange { what: "the number of steps", value: n as f64, expected })
}

fn distinct(nodes: &[f64]) -> Result<(), OdeError> {
    match nodes.windows(2).find(|pair| pair[0].partial_cmp(&pair[1]) != Some(Ordering::Less)) {
        None => Ok(()),
        Some(pair) => Err(OdeError::OutOfRange {
            what: "a node",
            value: pair[1],
            expected: "above the node before it",
        }),
    }
}
