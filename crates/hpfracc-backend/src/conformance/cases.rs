//! Test cases: sizes at which implementations fail, and signals that reveal it.

use crate::{RealTransform, Shape, TransformAxes, Workload, spectrum};
use hpfracc_types::Real;

/// One below, at and above powers of two, primes, and lengths that are no multiple of a block.
const LENS: [usize; 13] = [1, 2, 3, 5, 31, 63, 64, 65, 127, 257, 1000, 1021, 2049];
const BATCHES: [usize; 3] = [1, 2, 5];

/// Around the numbers of states in registers, and the lengths of blocks.
const NODES: [usize; 9] = [1, 2, 7, 8, 9, 33, 64, 65, 100];
const STREAMS: [usize; 6] = [1, 2, 63, 64, 65, 1000];

pub(super) fn workloads() -> Vec<Workload> {
    let mut all = Vec::new();
    for (len, batch) in product(&LENS, &BATCHES) {
        all.push(Workload::CausalConvolution { len, batch });
        all.push(Workload::SpectralMultiplier { shape: Shape::line(len), batch });
    }
    let planes = [&[1, 1][..], &[2, 3], &[5, 8], &[16, 1], &[3, 4, 6], &[4, 3, 5], &[2, 3, 2, 4]];
    let shapes = planes.into_iter().filter_map(|lens| Shape::new(lens).ok());
    for (shape, batch) in shapes.flat_map(|shape| [(shape, 1), (shape, 3)]) {
        all.push(Workload::SpectralMultiplier { shape, batch });
    }
    all.extend(trigonometric_multipliers());
    let sizes = [(1, 1), (3, 5), (17, 64), (64, 17), (65, 130)];
    for ((rows, cols), batch) in product(&sizes, &[1, 2, 33]) {
        all.push(Workload::Dense { rows, cols, batch });
    }
    all.extend(recurrences());
    all
}

/// Each transform at short lengths, some at long ones, and planes and boxes of several transforms.
fn trigonometric_multipliers() -> impl Iterator<Item = Workload> {
    let [dct2, dst2, dct4, dst4, hartley] = RealTransform::ALL;
    // Few lengths: software devices compile a shader for each.
    let lines = product(&RealTransform::ALL, &[2, 5, 16, 31]);
    let lines = lines.into_iter().map(|(transform, len)| vec![(len, transform)]);
    let boxes = [
        vec![(257, dct2)],
        vec![(1, dst2), (1, dct4)],
        vec![(2, dct2), (3, dst2)],
        vec![(16, dst2), (1, hartley)],
        vec![(1, dct2), (5, dst4)],
        vec![(33, dst2), (64, dst2)],
        vec![(64, hartley), (31, dct2)],
        vec![(17, dct4), (40, hartley)],
        vec![(16, dst2), (4, dct2), (6, dst4)],
        vec![(5, hartley), (3, dct4), (19, dst2)],
        vec![(2, dct2), (3, dst2), (2, hartley), (4, dst4)],
    ];
    let axes = lines.chain(boxes).filter_map(|axes| TransformAxes::new(&axes).ok());
    let batches = |axes| [1, 3].map(|batch| Workload::TrigonometricMultiplier { axes, batch });
    // Once only: the sums of the reference take n^2 sines.
    let long = [(1000, dst4), (1021, dst2)];
    let long = long.into_iter().filter_map(|axis| TransformAxes::new(&[axis]).ok());
    let long = long.map(|axes| Workload::TrigonometricMultiplier { axes, batch: 1 });
    axes.flat_map(batches).chain(long)
}

pub(super) fn recurrences() -> Vec<Workload> {
    let each = product(&NODES, &STREAMS).into_iter().map(|sizes| (sizes, 3));
    let batches = product(&product(&[1, 8, 65], &[1, 65]), &[1, 2, 33]);
    let recurrence = |((nodes, len), batch)| Workload::Recurrence { nodes, len, batch };
    each.chain(batches).map(recurrence).collect()
}

pub(super) fn empty_workloads() -> [Workload; 6] {
    [
        Workload::CausalConvolution { len: 0, batch: 1 },
        Workload::CausalConvolution { len: 4, batch: 0 },
        Workload::SpectralMultiplier { shape: Shape::line(0), batch: 1 },
        Workload::Dense { rows: 3, cols: 0, batch: 1 },
        Workload::Recurrence { nodes: 0, len: 3, batch: 1 },
        Workload::Recurrence { nodes: 3, len: 0, batch: 1 },
    ]
}

/// The kernel of the identity map, if there is one.
pub(super) fn unit_kernel<T: Real>(workload: Workload) -> Option<Vec<T>> {
    let mut kernel = vec![T::zero(); workload.kernel_len()];
    match workload {
        Workload::CausalConvolution { .. } => kernel[0] = T::one(),
        Workload::SpectralMultiplier { .. } => {
            kernel.iter_mut().step_by(2).for_each(|re| *re = T::one());
        }
        Workload::TrigonometricMultiplier { .. } => kernel.fill(T::one()),
        Workload::Dense { rows, cols, .. } if rows == cols => {
            kernel.iter_mut().step_by(cols + 1).for_each(|w| *w = T::one());
        }
        Workload::Dense { .. } | Workload::Recurrence { .. } => return None,
    }
    Some(kernel)
}

/// A reproducible stream of numbers in [-1, 1) (SplitMix64).
pub(super) struct Samples(u64);

impl Samples {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(super) fn signal<T: Real>(&mut self, len: usize) -> Vec<T> {
        (0..len).map(|_| T::narrow(self.next())).collect()
    }

    /// Weights that decay like those of a fractional operator, a Hermitian symbol, or rates between
    /// 1 and 1e-4 with coefficients for which nodes of all rates contribute equally.
    pub(super) fn kernel<T: Real>(&mut self, workload: Workload) -> Vec<T> {
        let mut kernel: Vec<T> = self.signal(workload.kernel_len());
        match workload {
            Workload::CausalConvolution { .. } => {
                for (k, w) in kernel.iter_mut().enumerate() {
                    *w *= T::narrow(1.0 / (1.0 + k as f64).sqrt());
                }
            }
            Workload::SpectralMultiplier { shape, .. } => make_hermitian(&mut kernel, shape),
            Workload::TrigonometricMultiplier { .. } | Workload::Dense { .. } => {}
            Workload::Recurrence { nodes, .. } => {
                let (rates, coefficients) = kernel[1..].split_at_mut(nodes);
                for (k, (rate, c)) in rates.iter_mut().zip(coefficients).enumerate() {
                    let decade = -4.0 * k as f64 / nodes as f64;
                    *rate = T::narrow(10_f64.powf(decade));
                    *c *= T::narrow(10_f64.powf(0.5 * decade));
                }
            }
        }
        kernel
    }
}

/// Copies each stored value to its mirror image, where that is stored too, as the conjugate.
fn make_hermitian<T: Real>(symbol: &mut [T], shape: Shape) {
    let half = shape.half_spectrum();
    for position in 0..symbol.len() / 2 {
        let index = spectrum::unravel(position, half.lens());
        let mirror = spectrum::mirror(&index, shape.lens());
        if mirror.last() >= half.lens().last() {
            continue;
        }
        let partner = spectrum::ravel(&mirror, half.lens());
        if partner == position {
            symbol[2 * position + 1] = T::zero();
        } else {
            symbol[2 * partner] = symbol[2 * position];
            symbol[2 * partner + 1] = -symbol[2 * position + 1];
        }
    }
}

fn product<A: Copy, B: Copy>(a: &[A], b: &[B]) -> Vec<(A, B)> {
    a.iter().flat_map(|&a| b.iter().map(move |&b| (a, b))).collect()
}
