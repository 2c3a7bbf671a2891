use web_time::{Instant, SystemTime, UNIX_EPOCH};

/// Source of times: the system, or a simulated clock in tests.
pub trait Clock: Send + Sync {
    /// Nanoseconds since some fixed moment; never decreasing.
    fn nanos(&self) -> u64;

    /// Seconds since 1970, the date of stored timings.
    fn unix_seconds(&self) -> u64;
}

/// The clocks of the operating system, or of the browser.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock {
    origin: Instant,
}

impl SystemClock {
    /// A clock that starts at zero now.
    pub fn new() -> Self {
        Self { origin: Instant::now() }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn nanos(&self) -> u64 {
        u64::try_from(self.origin.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn unix_seconds(&self) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs())
    }
}
