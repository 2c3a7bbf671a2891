use crate::GpuError;
use std::fmt;
use std::str::FromStr;

/// Limit of the memory that the buffers of this crate take on a device.
///
/// Parsed from text: `none`, a fraction (`0.5`, `50%`) or bytes with their unit (`2GiB`, `512 MB`,
/// `1000000B`; units of 1000 and of 1024, in any case):
///
/// ```
/// use hpfracc_wgpu::MemoryLimit;
///
/// assert_eq!("50%".parse::<MemoryLimit>()?, MemoryLimit::Fraction(0.5));
/// assert_eq!("1.5GiB".parse::<MemoryLimit>()?, MemoryLimit::Bytes(3 << 29));
/// assert!("2".parse::<MemoryLimit>().is_err()); // two bytes, or twice the memory?
/// # Ok::<(), hpfracc_wgpu::GpuError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum MemoryLimit {
    /// No limit but that of the driver.
    #[default]
    None,
    /// Fraction of the device's memory, above 0 and at most 1.
    Fraction(f64),
    /// Number of bytes.
    Bytes(u64),
}

impl MemoryLimit {
    /// The limit in bytes on a device with `memory` bytes, `None` for no limit.
    pub(crate) fn bytes(self, device: &str, memory: Option<u64>) -> Result<Option<u64>, GpuError> {
        match self {
            Self::None => Ok(None),
            Self::Bytes(bytes) => Ok(Some(bytes)),
            Self::Fraction(fraction) if fraction > 0.0 && fraction <= 1.0 => match memory {
                Some(memory) => Ok(Some((memory as f64 * fraction) as u64)),
                None => Err(GpuError::UnknownMemory { device: device.to_owned() }),
            },
            Self::Fraction(fraction) => Err(invalid(&fraction.to_string(), FRACTION)),
        }
    }
}

const FRACTION: &str = "a fraction must be above 0 and at most 1";

const UNITS: [(&str, f64); 9] = [
    ("kib", 1024.0),
    ("mib", 1048576.0),
    ("gib", 1073741824.0),
    ("tib", 1099511627776.0),
    ("kb", 1e3),
    ("mb", 1e6),
    ("gb", 1e9),
    ("tb", 1e12),
    ("b", 1.0),
];

fn invalid(text: &str, reason: &'static str) -> GpuError {
    GpuError::MemoryLimit { text: text.to_owned(), reason }
}

impl FromStr for MemoryLimit {
    type Err = GpuError;

    fn from_str(text: &str) -> Result<Self, GpuError> {
        let number = |digits: &str| {
            let value = digits.trim().parse::<f64>().ok().filter(|value| value.is_finite());
            value.ok_or_else(|| invalid(text, "expected a number or `none`"))
        };
        let fraction = |value: f64, reason| {
            let inside = value > 0.0 && value <= 1.0;
            if inside { Ok(Self::Fraction(value)) } else { Err(invalid(text, reason)) }
        };
        let lower = text.trim().to_lowercase();
        if lower == "none" {
            return Ok(Self::None);
        }
        if let Some(percent) = lower.strip_suffix('%') {
            return fraction(number(percent)? / 100.0, FRACTION);
        }
        for (unit, size) in UNITS {
            let Some(count) = lower.strip_suffix(unit) else { continue };
            let bytes = number(count)? * size;
            // The largest f64 below 2^64.
            if (1.0..=18446744073709549568.0).contains(&bytes) {
                return Ok(Self::Bytes(bytes as u64));
            }
            return Err(invalid(text, "a limit must be at least one byte and less than 2^64"));
        }
        fraction(
            number(&lower)?,
            "a fraction must be above 0 and at most 1, a number of bytes needs a unit such as GiB",
        )
    }
}

impl fmt::Display for MemoryLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => write!(f, "none"),
            Self::Fraction(fraction) => write!(f, "{fraction}"),
            Self::Bytes(bytes) => write!(f, "{bytes}B"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_and_bytes_are_parsed() {
        for (text, limit) in [
            ("0.5", MemoryLimit::Fraction(0.5)),
            (" 50 % ", MemoryLimit::Fraction(0.5)),
            ("1", MemoryLimit::Fraction(1.0)),
            ("2GiB", MemoryLimit::Bytes(2 << 30)),
            ("2 gb", MemoryLimit::Bytes(2_000_000_000)),
            ("1000000B", MemoryLimit::Bytes(1_000_000)),
            ("0.5KiB", MemoryLimit::Bytes(512)),
            ("None", MemoryLimit::None),
        ] {
            assert_eq!(text.parse::<MemoryLimit>().unwrap(), limit, "{text}");
            assert_eq!(limit.to_string().parse::<MemoryLimit>().unwrap(), limit, "{limit}");
        }
    }

    #[test]
    fn ambiguous_text_is_an_error_that_names_it() {
        for text in
            ["", "2", "-0.5", "0", "0%", "101%", "nan", "NaN%", "half", "GiB", "-1GiB", "1e30TB"]
        {
            let error = text.parse::<MemoryLimit>().unwrap_err();
            assert!(error.to_string().contains(&format!("`{text}`")), "{error}");
        }
    }

    #[test]
    fn a_fraction_needs_a_known_memory() {
        let half = MemoryLimit::Fraction(0.5);
        assert_eq!(half.bytes("gpu", Some(1000)).unwrap(), Some(500));
        assert!(matches!(half.bytes("gpu", None), Err(GpuError::UnknownMemory { .. })));
        assert_eq!(MemoryLimit::Bytes(7).bytes("gpu", None).unwrap(), Some(7));
        for fraction in [0.0, -1.0, 1.5, f64::NAN] {
            let limit = MemoryLimit::Fraction(fraction);
            assert!(matches!(limit.bytes("gpu", Some(1)), Err(GpuError::MemoryLimit { .. })));
        }
    }
}
