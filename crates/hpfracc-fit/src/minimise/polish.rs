use super::linear::clamped;
use super::{Minimiser, Outcome};
use crate::{FitError, Loss};

/// Largest number of undamped steps.
const STEPS: usize = 50;
/// Relative offset of convergence, a distance in standard errors: 11 digits of what the data tell.
const POLISHED: f64 = 1e-11;
/// Largest relative increase of the cost: far above its rounding.
const INCREASE: f64 = 1e-9;

impl Minimiser<'_, '_, '_> {
    /// Undamped steps while the relative offset falls and is above 1e-11 for least squares; returns the offset, and the outcome if the user has stopped it.
    ///
    /// The cost is flat at its minimum: it tells unknowns to half of the digits only. The offset, which is the gradient,
    /// tells all of them.
    pub(super) fn polish(&mut self) -> Result<(f64, Option<Outcome>), FitError> {
        // Rows of other losses are scaled by their curvatures, and so is their offset.
        let polished = if self.objective.loss == Loss::Squares { POLISHED } else { 0.0 };
        let mut offset = self.linearised().offset(self.rows);
        for _ in 0..STEPS {
            if offset <= polished {
                break;
            }
            if let Some(outcome) = self.stopped()? {
                return Ok((offset, Some(outcome)));
            }
            let linearised = self.linearised();
            let Some(step) = linearised.step(0.0, &self.state.scale) else { break };
            let moved: Vec<f64> =
                self.state.unknowns.iter().zip(&step).map(|(x, s)| x + s).collect();
            let moved = clamped(&moved, &self.bounds);
            if moved == self.state.unknowns {
                break;
            }
            self.state.passes += 1;
            let Some(part) = self.objective.part(&moved, None)? else { break };
            if part.cost > self.part.cost * (1.0 + INCREASE) {
                break;
            }
            let before = (self.state.unknowns.clone(), self.part.clone());
            (self.state.unknowns, self.part) = (moved, part);
            let next = self.linearised().offset(self.rows);
            // False for a NaN.
            let falls = next < offset;
            if !falls {
                (self.state.unknowns, self.part) = before;
                break;
            }
            offset = next;
        }
        Ok((offset, None))
    }
}
