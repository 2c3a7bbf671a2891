use super::direct::DirectSums;
use super::memory::CellMemory;
use super::sum_of_exponentials::SumOfExponentialsMemory;

/// Memory for adaptive steps, whose number is unknown: sums over all cells while these are few, then a
/// sum of exponentials. The search for its nodes takes milliseconds and is the one allocation.
#[derive(Debug)]
pub(super) struct GrowingMemory {
    direct: DirectSums,
    exponentials: Option<SumOfExponentialsMemory>,
    /// None after the switch.
    switch_over: Option<SwitchOver>,
}

/// When to switch to a sum of exponentials, and its parameters.
#[derive(Debug)]
pub(super) struct SwitchOver {
    pub(super) orders: Vec<f64>,
    pub(super) dim: usize,
    /// Shortest step and length of the interval.
    pub(super) interval: (f64, f64),
    pub(super) tolerance: f64,
    /// Number of nodes at the switch.
    pub(super) from: usize,
}

impl GrowingMemory {
    pub(super) fn new(switch_over: SwitchOver) -> Self {
        let direct = DirectSums::new(&switch_over.orders, switch_over.dim, switch_over.from);
        Self { direct, exponentials: None, switch_over: Some(switch_over) }
    }
}

impl CellMemory for GrowingMemory {
    fn push(&mut self, t: f64, f: &[f64]) {
        if let Some(exponentials) = &mut self.exponentials {
            return exponentials.push(t, f);
        }
        self.direct.push(t, f);
        let due = self.switch_over.take_if(|switch| self.direct.nodes() >= switch.from);
        if let Some(SwitchOver { orders, dim, interval, tolerance, .. }) = due {
            // Without a sum of exponentials the direct sums continue: exact, but slower.
            let sum = SumOfExponentialsMemory::new(&orders, dim, interval, tolerance).ok();
            self.exponentials = sum.map(|mut exponentials| {
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
