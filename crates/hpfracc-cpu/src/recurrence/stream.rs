//! Recurrences of a batch of signals, in blocks of samples whose sums stay in the L1 cache.

use super::nodes::{Nodes, row};
use super::pass::{Block, States, TOGETHER, pass};
use super::totals::{AT_ONCE, QUAD, sum_rows, total, totals};
use hpfracc_lanes::{LONGEST, Lanes};
use pulp::{Simd, WithSimd};

/// The recurrence, or, backwards in time, its transpose, applied to signals of `len` scalars; to be
/// dispatched.
pub(super) struct Stream<'a, T, const BACKWARD: bool> {
    pub(super) nodes: &'a Nodes<T>,
    pub(super) len: usize,
    pub(super) from: &'a [T],
    pub(super) to: &'a mut [T],
}

/// Scalars of the sums of a block and of its quads; and of a block of a few samples: initialising
/// the larger arrays takes as long as computing the few samples.
const SUMS: usize = 2048;
const QUADS: usize = SUMS / AT_ONCE;
const FEW_SUMS: usize = 64;
const FEW_QUADS: usize = FEW_SUMS / AT_ONCE;

impl<T: Lanes, const BACKWARD: bool> WithSimd for Stream<'_, T, BACKWARD> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let few = self.len - self.nodes.number <= FEW_SUMS / row::<T>();
        let quads_alone = self.nodes.rows() <= TOGETHER && T::count::<S>() >= QUAD;
        match (few, quads_alone) {
            (true, true) => self.through::<S, 0, FEW_QUADS>(simd),
            (true, false) => self.through::<S, FEW_SUMS, FEW_QUADS>(simd),
            (false, true) => self.through::<S, 0, QUADS>(simd),
            (false, false) => self.through::<S, SUMS, QUADS>(simd),
        }
    }
}

impl<T: Lanes, const BACKWARD: bool> Stream<'_, T, BACKWARD> {
    #[inline(always)]
    fn through<S: Simd, const SUMS: usize, const QUADS: usize>(self, simd: S) {
        let Self { nodes, len, from, to } = self;
        let (mut sums, mut quads) = ([T::zero(); SUMS], [T::zero(); QUADS]);
        let whole = nodes.number - nodes.number % row::<T>();
        for (from, to) in from.chunks_exact(len).zip(to.chunks_exact_mut(len)) {
            let (before, samples) = from.split_at(nodes.number);
            let (states, outputs) = to.split_at_mut(nodes.number);
            let (states, last_states) = states.split_at_mut(whole);
            states.copy_from_slice(&before[..whole]);
            let mut last_row = [T::zero(); LONGEST];
            last_row[..last_states.len()].copy_from_slice(&before[whole..]);
            let most = QUADS / row::<T>() * AT_ONCE;
            let blocks = samples.len().div_ceil(most);
            for block in 0..blocks {
                let first = most * if BACKWARD { blocks - 1 - block } else { block };
                let last = samples.len().min(first + most);
                let (samples, outputs) = (&samples[first..last], &mut outputs[first..last]);
                let sums =
                    &mut sums[..SUMS.min(samples.len().next_multiple_of(AT_ONCE) * row::<T>())];
                let states = States { rows: states, last: &mut last_row };
                each_row::<T, S, BACKWARD>(simd, nodes, states, samples, (sums, &mut quads));
                if T::count::<S>() < QUAD {
                    let sums = sums.chunks_exact(row::<T>());
                    for ((output, sample), sum) in outputs.iter_mut().zip(samples).zip(sums) {
                        *output = total(nodes.d, *sample, sum);
                    }
                } else {
                    sum_rows::<T, S>(simd, sums, &mut quads);
                    totals::<T, S>(simd, nodes.d, samples, &quads, outputs);
                }
            }
            last_states.copy_from_slice(&last_row[..last_states.len()]);
        }
    }
}

/// Advances all states through a block.
#[inline(always)]
fn each_row<T: Lanes, S: Simd, const BACKWARD: bool>(
    simd: S,
    nodes: &Nodes<T>,
    states: States<'_, T>,
    samples: &[T],
    (sums, quads): (&mut [T], &mut [T]),
) {
    let rows = nodes.rows();
    // In passes of equal size: a short pass is bound by the latency of its own states.
    let together = rows.div_ceil(rows.div_ceil(TOGETHER));
    // A register may be a part of a row. Lanes do not meet before the end.
    for part in (0..row::<T>()).step_by(T::count::<S>()) {
        for first in (0..rows).step_by(together) {
            let start = first * row::<T>() + part;
            let rows = together.min(rows - first);
            let states = States { rows: &mut *states.rows, last: &mut *states.last };
            let (sums, quads) = (&mut *sums, &mut *quads);
            let block = Block { nodes, start, part, states, samples, sums, quads };
            pass::<T, S, BACKWARD>(simd, rows, block);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::single::Single;
    use super::*;
    use hpfracc_backend::{Backend, Reference, Workload};

    /// Numbers without a pattern, in [-1, 1).
    fn noise<T: Lanes>(len: usize) -> Vec<T> {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            T::narrow((state >> 11) as f64 / 2_f64.powi(52) - 1.0)
        };
        (0..len).map(|_| next()).collect()
    }

    fn both<T: Lanes, S: Simd>(simd: S, kernel: &[T], signals: &[T], len: usize) -> [Vec<T>; 2] {
        let nodes = &Nodes::new(kernel, kernel.len() / 2);
        let mut results = [(); 2].map(|()| vec![T::NAN; signals.len()]);
        let [forward, backward] = &mut results;
        if len == nodes.number + 1 {
            simd.vectorize(Single::<T, false> { nodes, from: signals, to: forward });
            simd.vectorize(Single::<T, true> { nodes, from: signals, to: backward });
        } else {
            simd.vectorize(Stream::<T, false> { nodes, len, from: signals, to: forward });
            simd.vectorize(Stream::<T, true> { nodes, len, from: signals, to: backward });
        }
        results
    }

    /// Both directions of two signals by the formulas in loops.
    fn by_formula<T: Lanes>(kernel: &[T], signals: &[T], nodes: usize) -> [Vec<T>; 2] {
        let workload = Workload::Recurrence { nodes, len: signals.len() / 2 - nodes, batch: 2 };
        let map = Reference.plan(workload).unwrap().bind(kernel).unwrap();
        let mut results = [(); 2].map(|()| vec![T::NAN; signals.len()]);
        map.apply(signals, &mut results[0]).unwrap();
        map.apply_transpose(signals, &mut results[1]).unwrap();
        results
    }

    const NODES: [usize; 9] = [1, 3, 5, 8, 11, 16, 57, 64, 100];

    /// With numbers that products and sums do not round.
    fn exact<T: Lanes>() {
        for (nodes, samples) in NODES.into_iter().flat_map(|nodes| [(nodes, 1), (nodes, 9)]) {
            let halves = |k: usize| T::narrow([0.5, 1.0, 1.5][k % 3]);
            let kernel: Vec<T> = (0..=2 * nodes).map(halves).collect();
            let signals: Vec<T> = (0..2 * (nodes + samples)).map(|n| halves(n * n)).collect();
            let expected = by_formula(&kernel, &signals, nodes);
            let found = both(pulp::Scalar, &kernel, &signals, nodes + samples);
            assert!(found == expected, "{nodes} nodes, {samples} samples, scalar");
            #[cfg(target_arch = "x86_64")]
            {
                let avx2 = pulp::x86::V3::try_new();
                let found = avx2.map(|simd| both(simd, &kernel, &signals, nodes + samples));
                assert!(found.is_none_or(|found| found == expected), "{nodes} nodes, AVX2");
            }
            let found = both_here(&kernel, &signals, nodes + samples);
            assert_eq!(found, expected, "{nodes} nodes");
        }
    }

    fn both_here<T: Lanes>(kernel: &[T], signals: &[T], len: usize) -> [Vec<T>; 2] {
        struct Here<'a, T>(&'a [T], &'a [T], usize);
        impl<T: Lanes> WithSimd for Here<'_, T> {
            type Output = [Vec<T>; 2];
            #[inline(always)]
            fn with_simd<S: Simd>(self, simd: S) -> [Vec<T>; 2] {
                both(simd, self.0, self.1, self.2)
            }
        }
        pulp::Arch::new().dispatch(Here(kernel, signals, len))
    }

    #[test]
    fn every_instruction_set_sums_all_nodes() {
        exact::<f64>();
        exact::<f32>();
    }

    #[cfg(target_arch = "x86_64")]
    fn same_bits<T: Lanes>() {
        let Some((narrow, wide)) = pulp::x86::V3::try_new().zip(pulp::x86::V4::try_new()) else {
            return;
        };
        for nodes in NODES {
            let mut kernel = noise::<T>(1 + 2 * nodes);
            kernel[1..=nodes].iter_mut().for_each(|rate| *rate = *rate * *rate);
            for len in [1, 4, 70] {
                let signals = noise::<T>(2 * (nodes + len));
                let [narrow, wide] = [
                    both(narrow, &kernel, &signals, nodes + len),
                    both(wide, &kernel, &signals, nodes + len),
                ];
                assert!(narrow == wide, "{nodes} nodes, {len} samples");
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn the_width_of_registers_does_not_change_bits() {
        same_bits::<f64>();
        same_bits::<f32>();
    }
}
