//! Format of times.

use std::fmt;

/// Seconds in a unit of suitable size.
pub(super) struct Seconds(pub(super) f64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            s if s < 1e-6 => write!(f, "{:.0} ns", s * 1e9),
            s if s < 1e-3 => write!(f, "{:.1} us", s * 1e6),
            s if s < 1.0 => write!(f, "{:.1} ms", s * 1e3),
            s => write!(f, "{s:.1} s"),
        }
    }
}
