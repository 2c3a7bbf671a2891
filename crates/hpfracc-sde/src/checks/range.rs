use crate::SdeError;
use crate::error::in_range;

/// An interval of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// In words, such as `positive`.
    pub text: &'static str,
    low: f64,
    high: f64,
    /// Whether the ends belong to it.
    closed: (bool, bool),
}

impl Range {
    pub(crate) const ANY: Self = Self::new("finite", (f64::MIN, f64::MAX), (true, true));
    pub(crate) const POSITIVE: Self =
        Self::new("positive and finite", (0.0, f64::MAX), (false, true));
    pub(crate) const NOT_NEGATIVE: Self =
        Self::new("finite and not negative", (0.0, f64::MAX), (true, true));
    pub(crate) const MINUS_ONE_TO_ONE: Self = Self::new("-1 to 1", (-1.0, 1.0), (true, true));
    pub(crate) const UNIT: Self = Self::new("above 0 and below 1", (0.0, 1.0), (false, false));
    pub(crate) const UP_TO_ONE: Self = Self::new("above 0, at most 1", (0.0, 1.0), (false, true));
    pub(crate) const HALF_TO_TWO: Self = Self::new("1/2 to 2", (0.5, 2.0), (true, true));
    pub(crate) const HALF_TO_ONE: Self =
        Self::new("above 1/2, at most 1", (0.5, 1.0), (false, true));
    pub(crate) const UP_TO_HALF: Self =
        Self::new("above 0, at most 1/2", (0.0, 0.5), (false, true));

    const fn new(text: &'static str, (low, high): (f64, f64), closed: (bool, bool)) -> Self {
        Self { text, low, high, closed }
    }

    /// Whether a value belongs to it.
    pub fn contains(&self, value: f64) -> bool {
        (self.low < value || self.closed.0 && self.low == value)
            && (value < self.high || self.closed.1 && self.high == value)
    }

    /// Refuses a value that does not belong to it.
    pub(crate) fn check(&self, what: &'static str, value: f64) -> Result<(), SdeError> {
        in_range(self.contains(value), what, value, self.text)
    }
}
