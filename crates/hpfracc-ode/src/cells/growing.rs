use super::{CellMemory, Direct, Exponentials};

/// For a number of nodes that nobody knows: all cells while they are few, then exponentials, which take
/// milliseconds to search for. That one time it allocates.
#[derive(Debug)]
pub(super) struct Growing {
    direct: Direct,
    exponentials: Option<Exponentials>,
    /// What they are made of; None once that is done.
    later: Option<Later>,
}

#[derive(Debug)]
pub(super) struct Later {
    pub(super) orders: Vec<f64>,
    pub(super) dim: usize,
    /// The shortest step and the interval.
    pub(super) extent: (f64, f64),
    pub(super) tolerance: f64,
    /// From so many nodes on.
    pub(super) from: usize,
}

impl Growing {
    pub(super) fn new(later: Later) -> Self {
        let direct = Direct::new(&later.orders, later.dim, later.from);
        Self { direct, exponentials: None, later: Some(later) }
    }
}

impl CellMemory for Growing {
    fn push(&mut self, t: f64, f: &[f64]) {
        if let Some(exponentials) = &mut self.exponentials {
            return exponentials.push(t, f);
        }
        self.direct.push(t, f);
        let due = self.later.take_if(|later| self.direct.nodes() >= later.from);
        if let Some(Later { orders, dim, extent, tolerance, .. }) = due {
            // If there are none, sums over all cells are exact, only slower.
            let found = Exponentials::new(&orders, dim, extent, tolerance).ok();
            self.exponentials = found.map(|mut exponentials| {
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
