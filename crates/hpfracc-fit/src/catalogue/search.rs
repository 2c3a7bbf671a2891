use crate::model::Grid;

/// Where the search for a start of a parameter begins.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Search {
    Values(Vec<f64>),
    /// Product of powers of an input, of the norm of the responses and of constants.
    Powers {
        input: (usize, f64),
        size: f64,
        constants: Vec<(String, f64)>,
    },
}

impl Search {
    /// `0.3 0.5 0.7`, `omega^-1`, `size q^-2 t^-1`
    pub(super) fn read(text: &str, inputs: &[&str]) -> Option<Self> {
        if let Ok(values) = text.split(' ').map(str::parse).collect() {
            return Some(Self::Values(values));
        }
        let (mut input, mut size, mut constants) = ((0, 0.0), 0.0, vec![]);
        for factor in text.split(' ') {
            let (name, power) = factor.split_once('^').unwrap_or((factor, "1"));
            let power = power.parse().ok()?;
            match inputs.iter().position(|input| *input == name) {
                Some(index) => input = (index, power),
                None if name == "size" => size = power,
                None => constants.push((name.to_owned(), power)),
            }
        }
        Some(Self::Powers { input, size, constants })
    }

    /// Grid for the values of the constants.
    pub(super) fn grid(&self, value: impl Fn(&str) -> Option<f64>) -> Grid {
        match self {
            Self::Values(values) => Grid::Values(values.clone()),
            Self::Powers { input: (input, 1.0), size: 0.0, constants } if constants.is_empty() => {
                Grid::Like { input: *input }
            }
            Self::Powers { input: (input, -1.0), size: 0.0, constants } if constants.is_empty() => {
                Grid::Inverse { input: *input }
            }
            Self::Powers { input: (input, power), size, constants } => {
                let powers = constants
                    .iter()
                    .filter_map(|(name, power)| Some(value(name)?.abs().powf(*power)));
                let factor = powers.product();
                Grid::Powers { factor, input: *input, power: *power, response_power: *size }
            }
        }
    }
}
