use std::fmt;

/// Range of a parameter. Each end belongs to it or not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) low_closed: bool,
    pub(crate) high_closed: bool,
}

impl Range {
    /// Lower end.
    pub fn low(&self) -> f64 {
        self.low
    }

    /// Upper end.
    pub fn high(&self) -> f64 {
        self.high
    }

    /// Whether the lower end belongs to the range.
    pub fn is_low_closed(&self) -> bool {
        self.low_closed
    }

    /// Whether the upper end belongs to the range.
    pub fn is_high_closed(&self) -> bool {
        self.high_closed
    }

    /// Whether a number belongs to the range.
    pub fn contains(&self, x: f64) -> bool {
        let above = x > self.low || self.low_closed && x == self.low;
        let below = x < self.high || self.high_closed && x == self.high;
        above && below
    }
}

/// As it is written in an equation: `(0, 1]`.
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open = if self.low_closed { '[' } else { '(' };
        let close = if self.high_closed { ']' } else { ')' };
        let (low, high) = (hpfracc_types::shortest(self.low), hpfracc_types::shortest(self.high));
        write!(f, "{open}{low}, {high}{close}")
    }
}

/// Named number of an equation.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) range: Option<Range>,
    pub(crate) unit: Option<String>,
}

impl Parameter {
    /// Name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Value.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Range of its values.
    pub fn range(&self) -> Option<Range> {
        self.range
    }

    /// Unit, for tables and plots only.
    pub fn unit(&self) -> Option<&str> {
        self.unit.as_deref()
    }
}
