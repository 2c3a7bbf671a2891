//! Names of backends.

#[cfg(feature = "gpu")]
use super::table::PAIRS;
use super::table::{ROUNDED, Row, TABLE, names};
use crate::error::MachineError;
use crate::settings::Settings;
use std::fmt;

/// A backend by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Name {
    /// On the processor.
    Host(&'static Row),
    #[cfg(feature = "gpu")]
    Gpu {
        row: &'static Row,
        /// Double precision as pairs of `f32`.
        pairs: bool,
        /// Position in the list of adapters; none for the best one.
        adapter: Option<usize>,
    },
    /// Double precision computed in single.
    Rounded(Box<Name>),
    /// A batch divided among several.
    Split(Vec<Name>),
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Row {}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Name {
    /// The backend of a row, on all adapters if it is one of a GPU.
    pub(crate) fn of(row: &'static Row) -> Self {
        #[cfg(feature = "gpu")]
        if row.is_on_gpu() {
            return Self::Gpu { row, pairs: false, adapter: None };
        }
        Self::Host(row)
    }

    /// # Errors
    /// [`MachineError::UnknownBackend`], or [`MachineError::WithoutGpu`] for a backend on a GPU in
    /// a build without feature `gpu`.
    pub(crate) fn parse(name: &str) -> Result<Self, MachineError> {
        if name.contains('+') {
            let members: Result<_, _> = name.split('+').map(Self::parse).collect();
            return Ok(Self::Split(members?));
        }
        if let Some(parsed) = Self::single(name) {
            return Ok(parsed);
        }
        let (name, known) = (name.to_owned(), known());
        if cfg!(not(feature = "gpu")) && name.starts_with("wgpu-") {
            return Err(MachineError::WithoutGpu { name, known });
        }
        Err(MachineError::UnknownBackend { name, known })
    }

    /// A name without `+`.
    fn single(name: &str) -> Option<Self> {
        if let Some(inner) = name.strip_suffix(ROUNDED) {
            let inner = Self::single(inner)?;
            let can_be_rounded = match &inner {
                Self::Host(row) => row.can_be_rounded(),
                #[cfg(feature = "gpu")]
                Self::Gpu { row, pairs, .. } => !pairs && row.can_be_rounded(),
                Self::Rounded(_) | Self::Split(_) => false,
            };
            return can_be_rounded.then(|| Self::Rounded(Box::new(inner)));
        }
        let host = TABLE.iter().find(|row| row.name == name && !row.is_on_gpu()).map(Self::Host);
        #[cfg(feature = "gpu")]
        let host = host.or_else(|| Self::on_gpu(name));
        host
    }

    /// `wgpu-fft` or `wgpu-fft-df64`, with or without a position such as `@1`.
    #[cfg(feature = "gpu")]
    fn on_gpu(name: &str) -> Option<Self> {
        let (name, adapter) = match name.split_once('@') {
            // A number has one spelling, without a sign: names identify candidates.
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
        let row = TABLE.iter().find(|row| row.name == name && row.is_on_gpu())?;
        Some(Self::Gpu { row, pairs, adapter })
    }
}

/// The valid names, for error messages.
fn known() -> String {
    let names = names().join(", ");
    let positions =
        if cfg!(feature = "gpu") { "; `@1` after the name of a GPU means adapter 1" } else { "" };
    format!("{}, {names}{positions}; `+` between two names splits batches", Settings::AUTO)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str) -> &'static Row {
        TABLE.iter().find(|row| row.name == name).unwrap()
    }

    #[test]
    fn every_listed_name_is_known() {
        for name in names() {
            assert!(Name::parse(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn names_are_put_together() {
        let fft = Name::Host(row("cpu-fft"));
        assert_eq!(
            Name::parse("cpu-fft-rounded-to-f32+cpu-fft"),
            Ok(Name::Split(vec![Name::Rounded(Box::new(fft.clone())), fft]))
        );
        #[cfg(feature = "gpu")]
        assert_eq!(
            Name::parse("wgpu-fft-df64@12"),
            Ok(Name::Gpu { row: row("wgpu-fft"), pairs: true, adapter: Some(12) })
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
            let error = Name::parse(wrong).unwrap_err();
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
            assert!(Name::parse(wrong).is_err(), "{wrong}");
        }
    }
}
