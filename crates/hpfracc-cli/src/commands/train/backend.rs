//! Where a training computes.

use std::fmt;
use std::str::FromStr;

/// Backend of a training. Parsed from `auto`, `cpu` or `wgpu`, on a GPU with the position of its adapter in the list, as
/// in `wgpu@1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum TrainingBackend {
    /// A GPU, if there is one that is not a software adapter and it computes the model; else the CPU.
    Auto,
    /// The threads of this computer.
    #[default]
    Cpu,
    /// A GPU.
    Wgpu {
        /// Position of the adapter in the list; `None` for the best one.
        adapter: Option<usize>,
    },
}

impl FromStr for TrainingBackend {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = || {
            format!(
                "unknown backend `{text}` of trainings; known are auto, cpu and wgpu, with the position of an adapter as \
                 in wgpu@1"
            )
        };
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            "wgpu" => Ok(Self::Wgpu { adapter: None }),
            _ => {
                let position = text.strip_prefix("wgpu@").ok_or_else(unknown)?;
                Ok(Self::Wgpu { adapter: Some(position.parse().map_err(|_| unknown())?) })
            }
        }
    }
}

impl fmt::Display for TrainingBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Cpu => f.write_str("cpu"),
            Self::Wgpu { adapter: None } => f.write_str("wgpu"),
            Self::Wgpu { adapter: Some(position) } => write!(f, "wgpu@{position}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TrainingBackend;

    #[test]
    fn names() {
        for name in ["auto", "cpu", "wgpu", "wgpu@0", "wgpu@12"] {
            assert_eq!(name.parse::<TrainingBackend>().unwrap().to_string(), name);
        }
        for name in ["", "gpu", "wgpu@", "wgpu@-1", "wgpu@1x", "WGPU", "wgpu-guarded"] {
            let error = name.parse::<TrainingBackend>().unwrap_err();
            assert!(error.contains(&format!("`{name}`")) && error.contains("auto, cpu"), "{error}");
        }
    }
}
