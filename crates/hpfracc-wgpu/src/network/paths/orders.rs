//! Learned orders: weights of memories at the present parameters.

use super::layout::MemoryPlaces;
use super::tile::PathTile;
use crate::GpuError;
use hpfracc_nn::models::{ComponentMemory, SdeFit};
use hpfracc_nn::{Network, TrainingError};

/// Weights of a memory, filled up with zeros.
struct Weights {
    nearest: f32,
    weights: Vec<f32>,
    near: Vec<f32>,
}

impl Weights {
    /// The weights in arrays of these sizes; `None` if there are more.
    fn new(of: &ComponentMemory<f32>, places: &MemoryPlaces) -> Option<Self> {
        let filled = |numbers: &[f32], count: usize| {
            let fits = numbers.len() <= count;
            let zeros = std::iter::repeat(0.0);
            fits.then(|| numbers.iter().copied().chain(zeros).take(count).collect::<Vec<f32>>())
        };
        let weights = filled(&of.weights, places.count)?;
        Some(Self { nearest: of.nearest, weights, near: filled(&of.near, places.cells)? })
    }

    /// Those of the order 1: all steps are alike.
    fn of_order_one(h: f64, places: &MemoryPlaces) -> Self {
        let h = h as f32;
        Self { nearest: h, weights: vec![h; places.count], near: vec![0.0; places.cells] }
    }
}

impl PathTile {
    /// Uploads the weights at the orders of these parameters. False, if they have none that fit the device: the CPU then
    /// tells why.
    pub(super) fn write_orders(
        &self,
        fit: &SdeFit<f32, Network>,
        theta: &[f32],
    ) -> Result<bool, GpuError> {
        if self.layout.learned.is_empty() {
            return Ok(true);
        }
        let (Ok(Some(memories)), Ok(changes)) = (fit.memories(theta), fit.memories_by_order(theta))
        else {
            return Ok(false);
        };
        for ((memory, change), [of, by_order]) in
            memories.iter().zip(&changes).zip(&self.layout.learned)
        {
            let weights = match memory {
                Some(memory) => Weights::new(memory, of),
                None => Some(Weights::of_order_one(self.layout.sizes.h, of)),
            };
            let (Some(weights), Some(change)) = (weights, Weights::new(change, by_order)) else {
                return Ok(false);
            };
            self.write_weights(of, &weights)?;
            self.write_weights(by_order, &change)?;
        }
        Ok(true)
    }

    fn write_weights(&self, places: &MemoryPlaces, of: &Weights) -> Result<(), GpuError> {
        let arrays = [
            (places.weights, &of.weights),
            (places.near, &of.near),
            (places.nearest, &vec![of.nearest]),
        ];
        for (place, numbers) in arrays.into_iter().filter(|(_, numbers)| !numbers.is_empty()) {
            self.write(place, numbers)?;
        }
        Ok(())
    }

    /// Adds the derivatives with respect to the order of each component, of the first paths of a tile.
    pub(super) fn add_orders(&self, paths: usize, orders: &mut [f64]) -> Result<(), GpuError> {
        if self.layout.learned.is_empty() || self.layout.sizes.steps() == 0 {
            return Ok(());
        }
        let lanes = self.layout.sizes.lanes();
        let mut found = vec![0f32; orders.len() * lanes];
        self.read(self.layout.orders, &mut found)?;
        for (order, row) in orders.iter_mut().zip(found.chunks_exact(lanes)) {
            *order += row[..paths].iter().map(|of_path| f64::from(*of_path)).sum::<f64>();
        }
        Ok(())
    }
}

/// Writes the gradient with respect to learned orders, of that with respect to the order of each component.
pub(super) fn pull_back(
    fit: &SdeFit<f32, Network>,
    theta: &[f32],
    orders: &[f64],
    thetabar: &mut [f32],
) -> Result<(), TrainingError> {
    if fit.model().learns_orders() { fit.pull_back_orders(theta, orders, thetabar) } else { Ok(()) }
}
