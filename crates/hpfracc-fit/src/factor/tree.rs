use super::Factor;
use serde::{Deserialize, Serialize};

/// Factor of a part of the rows, and the cost of these rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) factor: Factor,
    pub(crate) cost: f64,
}

impl Part {
    pub(crate) fn is_finite(&self) -> bool {
        self.cost.is_finite() && self.factor.is_finite()
    }

    fn append(&mut self, later: &Self) {
        self.factor.append(&later.factor);
        self.cost += later.cost;
    }
}

/// Parts merged in pairs, so that the order of additions depends on the number of parts alone (TSQR).
///
/// Levels of the stack fall from its bottom to its top, as the digits of a binary counter do: memory and rounding
/// grow with the logarithm of the number of parts. Source: Demmel, Grigori, Hoemmen and Langou, SIAM J. Sci. Comput. 34
/// (2012).
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    stack: Vec<(u32, Part)>,
}

impl Tree {
    /// Appends a part.
    pub(crate) fn push(&mut self, mut part: Part) {
        let mut level = 0;
        while let Some((_, mut earlier)) = self.stack.pop_if(|(top, _)| *top == level) {
            earlier.append(&part);
            (part, level) = (earlier, level + 1);
        }
        self.stack.push((level, part));
    }

    /// The sum of all parts, from the last ones on.
    pub(crate) fn finish(mut self) -> Option<Part> {
        let (_, mut sum) = self.stack.pop()?;
        while let Some((_, mut earlier)) = self.stack.pop() {
            earlier.append(&sum);
            sum = earlier;
        }
        Some(sum)
    }
}
