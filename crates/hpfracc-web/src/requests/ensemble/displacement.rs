//! Mean square displacement of paths that start at different values.

use hpfracc::sde::Rows;
use hpfracc::sde::{Collect, Layout, RecordIndex, SavedWords};
use hpfracc::types::Real;

/// Mean of the squares of `x(t) - x(t0)`, by component and time.
///
/// A tile is recorded at t0 before its later times, so that its first values are at hand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Displacement;

/// Sums by component and time, and the first values of the tile.
#[derive(Debug)]
pub(super) struct Sums {
    squares: Vec<Vec<f64>>,
    first: Vec<f64>,
}

impl<T: Real> Collect<T> for Displacement {
    type Shard = Sums;
    type Output = Vec<Vec<f64>>;

    fn shard(&self, layout: &Layout) -> Sums {
        Sums { squares: vec![vec![0.0; layout.times.len()]; layout.dim], first: vec![] }
    }

    fn record(&self, shard: &mut Sums, at: RecordIndex, x: Rows<'_, T>) {
        if at.time == 0 {
            shard.first = x.as_slice().iter().map(|x| x.widen()).collect();
            return;
        }
        for (row, squares) in shard.squares.iter_mut().enumerate() {
            let first = &shard.first[row * x.lanes()..];
            let square = |(x, first): (&T, &f64)| (x.widen() - first).powi(2);
            squares[at.time] += x[row].iter().zip(first).map(square).sum::<f64>();
        }
    }

    fn merge(&self, into: &mut Sums, next: Sums) {
        for (into, next) in
            into.squares.iter_mut().flatten().zip(next.squares.into_iter().flatten())
        {
            *into += next;
        }
    }

    fn finish(&self, layout: &Layout, mut all: Sums) -> Self::Output {
        let paths = layout.paths as f64;
        all.squares.iter_mut().flatten().for_each(|sum| *sum /= paths);
        all.squares
    }

    fn save(&self, shard: &Sums, words: &mut Vec<u64>) {
        words.push(shard.first.len() as u64);
        let numbers = shard.squares.iter().flatten().chain(&shard.first);
        words.extend(numbers.map(|x| x.to_bits()));
    }

    fn restore(&self, layout: &Layout, words: &mut SavedWords<'_>) -> Option<Sums> {
        let first = usize::try_from(*words.next()?).ok()?;
        let mut shard = Collect::<T>::shard(self, layout);
        for number in shard.squares.iter_mut().flatten() {
            *number = f64::from_bits(*words.next()?);
        }
        shard.first = words.by_ref().take(first).map(|bits| f64::from_bits(*bits)).collect();
        (shard.first.len() == first).then_some(shard)
    }
}
