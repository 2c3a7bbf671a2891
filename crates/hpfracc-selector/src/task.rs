use hpfracc_backend::{Direction, Work, Workload};
use hpfracc_types::Real;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

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
        Self::named(T::NAME)
    }

    /// The scalar type of this name, [`Real::NAME`].
    pub(crate) fn named(name: &str) -> Self {
        if name == f32::NAME { Self::F32 } else { Self::F64 }
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

/// How often a bound map is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Usage {
    /// Planned, bound and applied one time: the cost is that of all three.
    Once,
    /// Applied many times: the cost is that of one application.
    Repeated,
}

/// A workload with direction and usage: the question that a choice between backends answers.
///
/// A workload converts to the task of its forward map, applied many times.
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

/// Work whose candidates compete: a linear map, or a piece of work with several methods.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum Subject<M = Workload> {
    /// A linear map, computed by one of several backends.
    Map(M),
    /// A piece of work, done by one of several methods.
    Work(Arc<WorkSizes>),
}

impl<M: fmt::Display> fmt::Display for Subject<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Map(map) => map.fmt(f),
            Self::Work(sizes) => sizes.fmt(f),
        }
    }
}

/// Name and sizes of a piece of work: see [`Work`](hpfracc_backend::Work).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WorkSizes {
    /// Name of the kind of work.
    pub name: String,
    /// Names and values of the sizes.
    pub sizes: Vec<(String, u64)>,
}

impl WorkSizes {
    pub(crate) fn of(work: &Work<'_>) -> Self {
        let sizes = work.sizes.iter().map(|&(name, size)| (name.to_owned(), size));
        Self { name: work.name.to_owned(), sizes: sizes.collect() }
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = u64> {
        self.sizes.iter().map(|(_, size)| *size)
    }
}

impl fmt::Display for WorkSizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        for (i, (name, size)) in self.sizes.iter().enumerate() {
            write!(f, "{} {size} {name}", if i == 0 { ":" } else { "," })?;
        }
        Ok(())
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

    /// An application in a direction.
    pub(crate) fn of(direction: Direction) -> Self {
        match direction {
            Direction::Forward => Self::Forward,
            Direction::Transpose => Self::Transpose,
        }
    }

    /// Whether the time depends on the number of signals: not so for planning and binding.
    pub(crate) fn is_application(self) -> bool {
        matches!(self, Self::Forward | Self::Transpose)
    }
}
