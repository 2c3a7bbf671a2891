//! What the names of backends mean.

use crate::MachineError;

/// An algorithm of the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Host {
    Direct,
    Fft,
    ParallelFft,
    Gemm,
    Recurrence,
    ParallelRecurrence,
}

impl Host {
    pub(crate) const ALL: [Self; 6] = [
        Self::Direct,
        Self::Fft,
        Self::ParallelFft,
        Self::Gemm,
        Self::Recurrence,
        Self::ParallelRecurrence,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Direct => "cpu-direct",
            Self::Fft => "cpu-fft",
            Self::ParallelFft => "cpu-parallel-fft",
            Self::Gemm => "cpu-gemm",
            Self::Recurrence => "cpu-recurrence",
            Self::ParallelRecurrence => "cpu-parallel-recurrence",
        }
    }
}

/// Which shaders compute.
#[cfg(feature = "gpu")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shaders {
    Direct,
    Fft,
    Gemm,
    Recurrence,
}

#[cfg(feature = "gpu")]
impl Shaders {
    pub(crate) const ALL: [Self; 4] = [Self::Direct, Self::Fft, Self::Gemm, Self::Recurrence];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Direct => "wgpu-direct",
            Self::Fft => "wgpu-fft",
            Self::Gemm => "wgpu-gemm",
            Self::Recurrence => "wgpu-recurrence",
        }
    }
}

/// A backend that can be had by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Named {
    Reference,
    Host(Host),
    #[cfg(feature = "gpu")]
    Gpu {
        shaders: Shaders,
        /// Double precision as pairs of f32.
        pairs: bool,
        /// Position in the list of adapters; the best one if none is told.
        adapter: Option<usize>,
    },
    /// Double precision computed in single.
    Rounded(Box<Named>),
    /// A batch across several.
    Split(Vec<Named>),
}

const ROUNDED: &str = "-rounded-to-f32";

#[cfg(feature = "gpu")]
const PAIRS: &str = "-df64";

/// The names without a position of an adapter, and not joined.
pub(crate) const NAMES: &[&str] = &[
    "cpu-direct",
    "cpu-fft",
    "cpu-parallel-fft",
    "cpu-gemm",
    "cpu-recurrence",
    "cpu-parallel-recurrence",
    "reference",
    #[cfg(feature = "gpu")]
    "wgpu-direct",
    #[cfg(feature = "gpu")]
    "wgpu-fft",
    #[cfg(feature = "gpu")]
    "wgpu-gemm",
    #[cfg(feature = "gpu")]
    "wgpu-recurrence",
    #[cfg(feature = "gpu")]
    "wgpu-direct-df64",
    #[cfg(feature = "gpu")]
    "wgpu-fft-df64",
    #[cfg(feature = "gpu")]
    "wgpu-gemm-df64",
    #[cfg(feature = "gpu")]
    "wgpu-recurrence-df64",
    "cpu-direct-rounded-to-f32",
    "cpu-fft-rounded-to-f32",
    "cpu-parallel-fft-rounded-to-f32",
    "cpu-gemm-rounded-to-f32",
    #[cfg(feature = "gpu")]
    "wgpu-direct-rounded-to-f32",
    #[cfg(feature = "gpu")]
    "wgpu-fft-rounded-to-f32",
    #[cfg(feature = "gpu")]
    "wgpu-gemm-rounded-to-f32",
];

impl Named {
    /// # Errors
    /// [`MachineError::UnknownBackend`], or [`MachineError::WithoutGpu`] for a backend on a GPU in a
    /// build without them.
    pub(crate) fn parse(name: &str) -> Result<Self, MachineError> {
        if name.contains('+') {
            let members: Result<_, _> = name.split('+').map(Self::parse).collect();
            return Ok(Self::Split(members?));
        }
        if let Some(named) = Self::alone(name) {
            return Ok(named);
        }
        let name = name.to_owned();
        if cfg!(not(feature = "gpu")) && name.starts_with("wgpu-") {
            return Err(MachineError::WithoutGpu { name });
        }
        Err(MachineError::UnknownBackend { name })
    }

    fn alone(name: &str) -> Option<Self> {
        if let Some(inner) = name.strip_suffix(ROUNDED) {
            return match Self::alone(inner)? {
                #[cfg(feature = "gpu")]
                Self::Gpu { pairs: true, .. } | Self::Gpu { shaders: Shaders::Recurrence, .. } => {
                    None
                }
                // It would decline every workload.
                Self::Host(Host::Recurrence | Host::ParallelRecurrence) => None,
                Self::Rounded(_) | Self::Reference => None,
                inner => Some(Self::Rounded(Box::new(inner))),
            };
        }
        if name == "reference" {
            return Some(Self::Reference);
        }
        let host = Host::ALL.into_iter().find(|host| host.name() == name).map(Self::Host);
        #[cfg(feature = "gpu")]
        let host = host.or_else(|| Self::on_gpu(name));
        host
    }

    /// `wgpu-fft`, `wgpu-fft-df64`, either with `@1` behind it.
    #[cfg(feature = "gpu")]
    fn on_gpu(name: &str) -> Option<Self> {
        let (name, adapter) = match name.split_once('@') {
            // No sign, and one way to write each number: names tell candidates apart.
            Some((name, text)) => {
                let position = text.parse::<usize>().ok().filter(|n| n.to_string() == text)?;
                (name, Some(position))
            }
            None => (name, None),
        };
        let (name, pairs) = match name.strip_suffix(PAIRS) {
            Some(name) => (name, true),
            None => (name, false),
        };
        let shaders = Shaders::ALL.into_iter().find(|shaders| shaders.name() == name)?;
        Some(Self::Gpu { shaders, pairs, adapter })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_name_is_known() {
        for name in NAMES {
            assert!(Named::parse(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn names_are_put_together() {
        let fft = Named::Host(Host::Fft);
        assert_eq!(
            Named::parse("cpu-fft-rounded-to-f32+cpu-fft"),
            Ok(Named::Split(vec![Named::Rounded(Box::new(fft.clone())), fft]))
        );
        #[cfg(feature = "gpu")]
        assert_eq!(
            Named::parse("wgpu-fft-df64@12"),
            Ok(Named::Gpu { shaders: Shaders::Fft, pairs: true, adapter: Some(12) })
        );
    }

    #[test]
    fn what_means_nothing_is_unknown() {
        for wrong in [
            "",
            "+",
            "cpu-fft+",
            "cpu-fft@0",
            "cpu",
            "fft",
            "Cpu-fft",
            "cpu-fft ",
            "reference-df64",
            "reference-rounded-to-f32",
            "cpu-fft-rounded-to-f32-rounded-to-f32",
            "cpu-fft-df64",
            "cpu-recurrence-rounded-to-f32",
        ] {
            let error = Named::parse(wrong).unwrap_err();
            assert!(matches!(error, MachineError::UnknownBackend { .. }), "{wrong}");
        }
        for wrong in [
            "wgpu-fft@",
            "wgpu-fft@-1",
            "wgpu-fft@01",
            "wgpu-fft@1@2",
            "wgpu-fft@x",
            "wgpu-fft@1-df64",
            "wgpu-psychic",
            "wgpu-fft-df64-rounded-to-f32",
            "wgpu-recurrence@1-rounded-to-f32",
        ] {
            assert!(Named::parse(wrong).is_err(), "{wrong}");
        }
    }
}
