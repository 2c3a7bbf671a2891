use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Where an ensemble is solved. Parsed from `cpu`, `wgpu`, `wgpu-guarded`, `auto` or `auto-guarded`, on a GPU with the
/// position of its adapter in the list, as in `wgpu@1`, or on all of them, `wgpu@all`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum SimulationBackend {
    /// On the threads of this computer.
    #[default]
    Cpu,
    /// On the processor or on the best GPU, whichever is expected to take less time. A software adapter is never chosen.
    Auto {
        /// Operations of a GPU are those of [`Wgpu`](Self::Wgpu) with the same name.
        guarded: bool,
    },
    /// On a GPU. It is used only where it is named or [chosen](Self::Auto) on request, because the last bits of results differ between devices.
    Wgpu {
        /// Position of the adapter in the list; `None` for the best one.
        adapter: Option<usize>,
        /// Every operation is rounded as it is written. Results have the bits of the CPU on devices whose sums, products,
        /// quotients and square roots are those of IEEE 754; each operation has another one for its bits. Jumps of random
        /// size and stable noise, which the CPU computes in double precision, agree within 1e-5 of their size in `f32`, and
        /// 1e-12 in `f64`, which a device without double precision refuses; increments of fractional Brownian motion, which are
        /// transforms, agree within 1e-5 of their standard deviation.
        guarded: bool,
    },
    /// On all GPUs together, which take paths as fast as they solve them; on software adapters only if there are no others.
    AllGpus {
        /// Operations are those of [`Wgpu`](Self::Wgpu) with the same name.
        guarded: bool,
    },
}

/// Adapter that stands for all.
const ALL: &str = "@all";

/// End of the name of a backend with guarded operations.
const GUARDED: &str = "-guarded";

impl FromStr for SimulationBackend {
    type Err = UnknownSimulationBackend;

    fn from_str(text: &str) -> Result<Self, UnknownSimulationBackend> {
        let unknown = || UnknownSimulationBackend { name: text.to_owned() };
        match text {
            "cpu" => return Ok(Self::Cpu),
            "auto" => return Ok(Self::Auto { guarded: false }),
            "auto-guarded" => return Ok(Self::Auto { guarded: true }),
            _ => {}
        }
        let rest = text.strip_prefix("wgpu").ok_or_else(unknown)?;
        let (guarded, rest) = rest.strip_prefix(GUARDED).map_or((false, rest), |rest| (true, rest));
        if rest == ALL {
            return Ok(Self::AllGpus { guarded });
        }
        let adapter = match rest.strip_prefix('@') {
            None if rest.is_empty() => None,
            None => return Err(unknown()),
            Some(position) => Some(position.parse().map_err(|_| unknown())?),
        };
        Ok(Self::Wgpu { adapter, guarded })
    }
}

impl fmt::Display for SimulationBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = |guarded: &bool| if *guarded { GUARDED } else { "" };
        match self {
            Self::Cpu => f.write_str("cpu"),
            Self::Auto { guarded } => write!(f, "auto{}", suffix(guarded)),
            Self::AllGpus { guarded } => write!(f, "wgpu{}{ALL}", suffix(guarded)),
            Self::Wgpu { adapter, guarded } => {
                write!(f, "wgpu{}", suffix(guarded))?;
                adapter.map_or(Ok(()), |position| write!(f, "@{position}"))
            }
        }
    }
}

/// A name of no backend of simulations.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "unknown backend `{name}` of simulations; known are cpu, wgpu and wgpu-guarded, with the position of an adapter as in \
     wgpu@1 or wgpu@all, auto and auto-guarded"
)]
pub struct UnknownSimulationBackend {
    /// The name.
    pub name: String,
}
