use super::direct::DirectSums;
use super::memory::CellMemory;
use super::sum_of_exponentials::SumOfExponentialsMemory;

/// Memory for adaptive steps, whose number is unknown: sums over all cells while these are few,
/// then a sum of exponentials. The search for its nodes takes milliseconds and is the one
/// allocation.
pub(super) struct GrowingMemory {
    direct: DirectSums,
    exponentials: Option<SumOfExponentialsMemory>,
    /// Number of nodes at the switch, and the sum of exponentials; None after the switch.
    switch_over: Option<(usize, Box<MakeExponentials>)>,
}

/// Searches for the sum of exponentials; None if there is none.
type MakeExponentials = dyn Fn() -> Option<SumOfExponentialsMemory> + Send + Sync;

impl GrowingMemory {
    pub(super) fn new(direct: DirectSums, from: usize, make: Box<MakeExponentials>) -> Self {
        Self { direct, exponentials: None, switch_over: Some((from, make)) }
    }
}

impl CellMemory for GrowingMemory {
    fn push(&mut self, t: f64, f: &[f64]) {
        if let Some(exponentials) = &mut self.exponentials {
            return exponentials.push(t, f);
        }
        self.direct.push(t, f);
        if let Some((_, make)) = self.switch_over.take_if(|(from, _)| self.direct.nodes() >= *from)
        {
            // Without a sum of exponentials the direct sums continue: exact, but slower.
            self.exponentials = make().map(|mut exponentials| {
                self.direct.replay(&mut exponentials);
                exponentials
            });
        }
    }

    fn add_into(&self, t: f64, out: &mut [f64]) {
        match &self.exponentials {
            Some(exponentials) => exponentials.add_into(t, out),
            None => self.direct.add_into(t, out),
        }
    }
}
