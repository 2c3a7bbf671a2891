use super::direct::DirectSums;
use super::memory::CellMemory;
use super::sum_of_exponentials::SumOfExponentialsMemory;

/// Memory for adaptive steps, whose number is unknown: sums over all cells while these are few,
/// then a sum of exponentials. The search for its nodes takes milliseconds and is the one
/// allocation.
pub(super) struct GrowingMemory {
    direct: DirectSums,
    exponentials: Option<SumOfExponentialsMemory>,
    /// Shortest step that the exponentials resolve.
    shortest: f64,
    /// None after the switch.
    make: Option<Box<MakeExponentials>>,
}

/// Number of nodes from which a sum of exponentials costs less than sums over all cells: the search
/// for its nodes takes 5 to 20 ms.
pub(crate) const EXPONENTIALS_FROM: usize = 1000;

/// Searches for the sum of exponentials; None if there is none.
type MakeExponentials = dyn Fn() -> Option<SumOfExponentialsMemory> + Send + Sync;

impl GrowingMemory {
    pub(super) fn new(direct: DirectSums, shortest: f64, make: Box<MakeExponentials>) -> Self {
        Self { direct, exponentials: None, shortest, make: Some(make) }
    }
}

impl CellMemory for GrowingMemory {
    fn push(&mut self, t: f64, f: &[f64]) {
        if let Some(exponentials) = &mut self.exponentials {
            return exponentials.push(t, f);
        }
        self.direct.push(t, f);
        let few =
            self.direct.nodes() < EXPONENTIALS_FROM || self.direct.last_step() < self.shortest;
        if let Some(make) = self.make.take_if(|_| !few) {
            // Without a sum of exponentials the direct sums continue: exact, but slower.
            self.exponentials = make().map(|mut exponentials| {
                self.direct.replay(&mut exponentials);
                exponentials
            });
        }
    }

    fn shortest(&self) -> f64 {
        if self.exponentials.is_some() { self.shortest } else { 0.0 }
    }

    fn max_steps(&self) -> usize {
        self.exponentials.as_ref().map_or(self.direct.max_steps(), |sums| sums.max_steps())
    }

    fn add_into(&self, t: f64, out: &mut [f64]) {
        match &self.exponentials {
            Some(exponentials) => exponentials.add_into(t, out),
            None => self.direct.add_into(t, out),
        }
    }
}
