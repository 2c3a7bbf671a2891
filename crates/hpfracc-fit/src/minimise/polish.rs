use super::Minimiser;
use super::linear::clamped;
use crate::FitError;

/// Largest number of undamped steps.
const STEPS: usize = 50;
/// Largest relative increase of the cost: far above its rounding.
const INCREASE: f64 = 1e-9;

impl Minimiser<'_, '_> {
    /// Undamped steps while the relative offset falls; returns the offset.
    ///
    /// The cost is flat at its minimum: it tells unknowns to half of the digits only. The offset, which is the gradient,
    /// tells all of them.
    pub(super) fn polish(&mut self) -> Result<f64, FitError> {
        let mut offset = self.linearised().offset(self.rows);
        for _ in 0..STEPS {
            if offset == 0.0 || self.stopped().is_some() {
                break;
            }
            let linearised = self.linearised();
            let Some(step) = linearised.step(0.0, &self.scale) else { break };
            let moved: Vec<f64> = self.unknowns.iter().zip(&step).map(|(x, s)| x + s).collect();
            let moved = clamped(&moved, &self.bounds);
            if moved == self.unknowns {
                break;
            }
            self.passes += 1;
            let Some(part) = self.objective.part(&moved, None)? else { break };
            if part.cost > self.part.cost * (1.0 + INCREASE) {
                break;
            }
            let before = (self.unknowns.clone(), self.part.clone());
            (self.unknowns, self.part) = (moved, part);
            let next = self.linearised().offset(self.rows);
            // False for a NaN.
            let falls = next < offset;
            if !falls {
                (self.unknowns, self.part) = before;
                break;
            }
            offset = next;
        }
        Ok(offset)
    }
}
