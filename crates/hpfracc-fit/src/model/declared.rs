/// Values of a parameter at which a search for a start begins.
#[derive(Debug, Clone, PartialEq)]
pub enum Grid {
    /// These.
    Values(Vec<f64>),
    /// Equal ratios over the range of the positive values of an input: a time of decay.
    Like {
        /// Index of the input.
        input: usize,
    },
    /// Inverse values of [`Like`](Self::Like): a rate, or the time constant of a spectrum.
    Inverse {
        /// Index of the input.
        input: usize,
    },
    /// Equal ratios over the range of `factor x^power |y|^response_power` in the rows of the data, of an input x and the
    /// norm of the responses: a resistance or a modulus, a capacitance, a diffusion coefficient.
    Powers {
        /// Factor.
        factor: f64,
        /// Index of the input.
        input: usize,
        /// Power of the input.
        power: f64,
        /// Power of the norm of the responses.
        response_power: f64,
    },
}

/// Parameter that a model declares.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    /// Name.
    pub name: String,
    /// Unit.
    pub unit: Option<String>,
    /// Default start.
    pub start: Option<f64>,
    /// Smallest value.
    pub lower: f64,
    /// Largest value.
    pub upper: f64,
    /// Whether its logarithm is fitted: a positive scale, of which the relative size matters.
    pub logarithmic: bool,
    /// Where a search for a start begins, unless the parameter is linear or has a start.
    pub grid: Option<Grid>,
}

impl Declared {
    /// Parameter of any value.
    pub fn new(name: &str) -> Self {
        let (lower, upper) = (f64::NEG_INFINITY, f64::INFINITY);
        Self {
            name: name.to_owned(),
            unit: None,
            start: None,
            lower,
            upper,
            logarithmic: false,
            grid: None,
        }
    }
}
