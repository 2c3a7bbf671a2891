use crate::failure::Failure;
use serde::{Deserialize, Serialize};

/// Place of a list of numbers in [`Numbers`]; in JSON `{"$array": [first, count]}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    #[serde(rename = "$array")]
    range: [usize; 2],
}

/// Lists of numbers, one after the other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Numbers(Vec<f64>);

impl Numbers {
    /// Appends a list.
    pub fn put(&mut self, values: impl IntoIterator<Item = f64>) -> Place {
        let first = self.0.len();
        self.0.extend(values);
        Place { range: [first, self.0.len() - first] }
    }

    /// All numbers.
    pub fn into_inner(self) -> Vec<f64> {
        self.0
    }
}

impl Place {
    /// The numbers there.
    ///
    /// # Errors
    /// Where the list is not in `all`.
    pub(crate) fn of(self, all: &[f64]) -> Result<&[f64], Failure> {
        let [first, count] = self.range;
        let end = first.checked_add(count);
        end.and_then(|end| all.get(first..end)).ok_or_else(|| {
            let message = format!(
                "the request names numbers {first} to {first} + {count}, and has {}",
                all.len()
            );
            Failure::new(message)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_outside_are_refused() {
        let mut numbers = Numbers::default();
        let (a, b) = (numbers.put([1.0, 2.0]), numbers.put([3.0]));
        let all = numbers.into_inner();
        assert_eq!((a.of(&all).unwrap(), b.of(&all).unwrap()), (&[1.0, 2.0][..], &[3.0][..]));
        for range in [[2, 2], [4, 0], [usize::MAX, 1], [0, usize::MAX]] {
            let refused = Place { range }.of(&all).unwrap_err();
            assert!(refused.message.contains("and has 3"), "{}", refused.message);
        }
    }
}
