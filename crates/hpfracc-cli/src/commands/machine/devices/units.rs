//! Quantities in readable units.

use hpfracc::types::without_zeros;

/// Duration.
pub(super) fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.0} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.1} us", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// Size in memory.
pub(super) fn bytes(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    match units.into_iter().find(|(power, _)| bytes >> power > 0) {
        Some((power, unit)) => format!("{} {unit}", short(bytes as f64 / (1u64 << power) as f64)),
        None => format!("{bytes} B"),
    }
}

/// Rate in bytes per second.
pub(super) fn rate(bytes_per_second: f64) -> String {
    format!("{} GB/s", short(bytes_per_second * 1e-9))
}

/// Number with about three significant digits: `2`, `15.6`, `0.25`.
fn short(x: f64) -> String {
    let decimals = match x {
        100.0.. => 0,
        10.0.. => 1,
        _ => 2,
    };
    without_zeros(&format!("{x:.decimals$}")).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_read_well() {
        assert_eq!(bytes(512), "512 B");
        assert_eq!(bytes(32 << 10), "32 KiB");
        assert_eq!(bytes((1 << 31) - 1), "2 GiB");
        assert_eq!(bytes(16_777_216_000), "15.6 GiB");
        assert_eq!(seconds(4.2e-8), "42 ns");
        assert_eq!(seconds(0.0375), "37.50 ms");
        assert_eq!(rate(3.2e12), "3200 GB/s");
        assert_eq!(rate(0.25e9), "0.25 GB/s");
    }
}
