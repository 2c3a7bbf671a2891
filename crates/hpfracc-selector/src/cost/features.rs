//! Features of a piece of work: counts that its cost is linear in, and coordinates of its size.

use crate::task::Stage;
use hpfracc_backend::Workload;

/// Number of terms of a cost model.
pub(crate) const TERMS: usize = 6;

/// Counts that multiply the coefficients of a cost model. For a workload, in the order of
/// [`UnitCosts`](crate::UnitCosts): calls, signals, samples in and out, entries of the kernel,
/// points of transforms times their logarithm (or sequential steps of a recurrence), products of
/// the direct sums.
pub(crate) type Counts = [f64; TERMS];

/// Number of coordinates of a size.
pub(crate) const DIMENSIONS: usize = 6;

/// Coordinates of a size, in octaves: nearby sizes take similar times per unit of work.
pub(crate) type Coordinates = [f64; DIMENSIONS];

/// What the cost of a piece of work depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Features {
    pub(crate) counts: Counts,
    pub(crate) coordinates: Coordinates,
}

impl Features {
    /// Features of one stage of a workload.
    pub(crate) fn of_workload(workload: Workload, stage: Stage) -> Self {
        let [a, b, c, d] = coordinates(workload, stage);
        Self { counts: counts(workload, stage), coordinates: [a, b, c, d, 0.0, 0.0] }
    }

    /// Features of a piece of work, by its first sizes and the counts of a method.
    pub(crate) fn of_sizes(sizes: impl Iterator<Item = u64>, counts: Counts) -> Self {
        let mut coordinates = [0.0; DIMENSIONS];
        for (coordinate, size) in coordinates.iter_mut().zip(sizes) {
            *coordinate = (size.max(1) as f64).log2();
        }
        Self { counts, coordinates }
    }
}

fn counts(workload: Workload, stage: Stage) -> Counts {
    let batch = if stage.is_application() { workload.batch() as f64 } else { 1.0 };
    let samples = (workload.signal_len() as f64 + workload.output_len() as f64) * batch;
    let kernel = workload.kernel_len() as f64;
    match workload {
        Workload::CausalConvolution { len, .. } => {
            let n = len as f64;
            let transform = n * batch * (2.0 * n).log2();
            [1.0, batch, samples, kernel, transform, batch * n * (n + 1.0) / 2.0]
        }
        Workload::SpectralMultiplier { shape, .. } => {
            let n = workload.signal_len() as f64;
            let transform = n * batch * shape.lens().iter().map(|&m| depth(m)).sum::<f64>();
            [1.0, batch, samples, kernel, transform, batch * n * n]
        }
        Workload::TrigonometricMultiplier { axes, .. } => {
            // Products of each line with the matrix of its axis and with the transposed one.
            let n = workload.signal_len() as f64;
            let lens = || axes.iter().map(|(len, _)| len);
            let transform = n * batch * lens().map(depth).sum::<f64>();
            let products = 2.0 * n * batch * lens().map(|len| len as f64).sum::<f64>();
            [1.0, batch, samples, kernel, transform, products]
        }
        Workload::Recurrence { nodes, len, .. } => {
            // Two products per state and sample. The signals take their steps in parallel.
            let steps = nodes as f64 * len as f64;
            [1.0, batch, samples, kernel, steps, 2.0 * batch * steps]
        }
        _ => [1.0, batch, samples, kernel, 0.0, kernel * batch],
    }
}

/// Levels of a transform of length m: log2 m, with primes above 13 counted five times, because a
/// transform of such a length consists of several longer ones (Rader, Bluestein).
fn depth(m: usize) -> f64 {
    let mut rest = m;
    let mut depth = 0.0;
    for p in [2, 3, 5, 7, 11, 13] {
        while rest > 1 && rest.is_multiple_of(p) {
            rest /= p;
            depth += (p as f64).log2();
        }
    }
    (depth + 5.0 * (rest.max(1) as f64).log2()).max(1.0)
}

fn coordinates(workload: Workload, stage: Stage) -> [f64; 4] {
    let octave = |n: usize| (n.max(1) as f64).log2();
    let batch = if stage.is_application() { octave(workload.batch()) } else { 0.0 };
    // The two directions differ by one reversal of time: half an octave.
    let direction = if stage == Stage::Transpose { 0.5 } else { 0.0 };
    match workload {
        Workload::SpectralMultiplier { shape, .. } => {
            let n = octave(workload.signal_len());
            let roughness = shape.lens().iter().map(|&m| depth(m)).sum::<f64>() / n.max(1.0);
            let axes = shape.lens().iter().filter(|&&m| m > 1).count() as f64;
            [n, batch, axes + roughness, direction]
        }
        Workload::TrigonometricMultiplier { axes, .. } => {
            let n = octave(workload.signal_len());
            let roughness = axes.iter().map(|(len, _)| depth(len)).sum::<f64>() / n.max(1.0);
            let long = axes.iter().filter(|(len, _)| *len > 1).count() as f64;
            // Far from periodic multipliers. The map is symmetric.
            [n, batch, -(long + roughness), 0.0]
        }
        Workload::CausalConvolution { len, .. } => [octave(len), batch, 0.0, direction],
        Workload::Recurrence { nodes, len, .. } => [octave(len), octave(nodes), batch, direction],
        _ => [octave(workload.output_len()), octave(workload.signal_len()), batch, direction],
    }
}

/// Distance of two sizes, in octaves.
pub(crate) fn distance(a: &Coordinates, b: &Coordinates) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_backend::{RealTransform, Shape, TransformAxes};

    #[test]
    fn a_prime_length_counts_more_than_a_power_of_two() {
        let line = |n| Workload::SpectralMultiplier { shape: Shape::line(n), batch: 1 };
        let [smooth, prime] = [1024, 1021].map(|n| counts(line(n), Stage::Forward)[4]);
        assert!(prime > 4.0 * smooth, "{prime} {smooth}");
    }

    #[test]
    fn sines_are_far_from_periodic_multipliers_and_equal_in_both_directions() {
        let shape = Shape::new(&[64, 64]).unwrap();
        let periodic = Workload::SpectralMultiplier { shape, batch: 1 };
        let axes = TransformAxes::new(&[(64, RealTransform::Dst2); 2]).unwrap();
        let sines = Workload::TrigonometricMultiplier { axes, batch: 1 };
        let [forward, transposed] =
            [Stage::Forward, Stage::Transpose].map(|stage| Features::of_workload(sines, stage));
        assert_eq!(forward, transposed);
        let other = Features::of_workload(periodic, Stage::Forward);
        assert_eq!(forward.counts[4], other.counts[4]);
        assert!(distance(&forward.coordinates, &other.coordinates) > 5.0);
    }

    #[test]
    fn binding_does_not_depend_on_the_batch() {
        let conv = |batch| Workload::CausalConvolution { len: 100, batch };
        assert_eq!(counts(conv(1), Stage::Bind), counts(conv(64), Stage::Bind));
        assert_eq!(coordinates(conv(1), Stage::Plan), coordinates(conv(64), Stage::Plan));
        let [one, many] = [1, 64].map(|batch| Features::of_workload(conv(batch), Stage::Forward));
        assert!(distance(&one.coordinates, &many.coordinates) > 5.0);
    }
}
