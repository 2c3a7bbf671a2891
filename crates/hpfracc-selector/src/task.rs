use hpfracc_backend::Workload;
use hpfracc_types::Real;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The scalar type of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scalar {
    /// Single precision.
    F32,
    /// Double precision.
    F64,
}

impl Scalar {
    /// The scalar type `T`.
    pub fn of<T: Real>() -> Self {
        if size_of::<T>() == 4 { Self::F32 } else { Self::F64 }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
        })
    }
}

/// Which way signals go through a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// [`LinearMap::apply`](hpfracc_backend::LinearMap::apply).
    Forward,
    /// [`LinearMap::apply_transpose`](hpfracc_backend::LinearMap::apply_transpose).
    Transpose,
}

impl Direction {
    pub(crate) const BOTH: [Self; 2] = [Self::Forward, Self::Transpose];

    pub(crate) fn stage(self) -> Stage {
        match self {
            Self::Forward => Stage::Forward,
            Self::Transpose => Stage::Transpose,
        }
    }
}

/// How often a bound map is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Usage {
    /// Planned, bound and applied one time: all three count.
    Once,
    /// Applied again and again: only the application counts.
    Repeated,
}

/// What a choice is about: the sizes, the direction and how often.
///
/// A workload alone stands for its forward map, applied again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Task {
    /// The sizes.
    pub workload: Workload,
    /// Forward or transposed.
    pub direction: Direction,
    /// Once or repeatedly.
    pub usage: Usage,
}

impl From<Workload> for Task {
    fn from(workload: Workload) -> Self {
        Self { workload, direction: Direction::Forward, usage: Usage::Repeated }
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let direction = match self.direction {
            Direction::Forward => "forward",
            Direction::Transpose => "transposed",
        };
        let usage = match self.usage {
            Usage::Once => "once",
            Usage::Repeated => "repeatedly",
        };
        write!(f, "{}, {direction}, {usage}", self.workload)
    }
}

/// What is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stage {
    Plan,
    Bind,
    Forward,
    Transpose,
}

impl Stage {
    pub(crate) const COUNT: usize = 4;
    pub(crate) const ALL: [Self; Self::COUNT] =
        [Self::Plan, Self::Bind, Self::Forward, Self::Transpose];

    /// Stages before the application do not depend on the number of signals.
    pub(crate) fn is_application(self) -> bool {
        matches!(self, Self::Forward | Self::Transpose)
    }
}
