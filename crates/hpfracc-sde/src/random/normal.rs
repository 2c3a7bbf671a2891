use super::{Gaussian, Philox, Purpose, Source, Stream};
use hpfracc_lanes::vectorised;
use pulp::Arch;

/// Independent standard normals, one for every (stream, path, step) of a seed.
///
/// A function, not a sequence: any element can be had at any time, and it is the same bits whatever
/// was asked before, on however many threads, and on whichever machine, because nothing is fused
/// and no library of the system takes part. In `f32` and in `f64` it is the same noise, rounded.
///
/// Method: the counter (step / 4, path, stream) of [`Philox`] gives four words, and with them the
/// normals of four consecutive steps, in pairs after Box and Muller, Ann. Math. Statist. 29 (1958)
/// 610, DOI 10.1214/aoms/1177706645. Words have 32 bits, so that no value lies beyond 6.77; a
/// normal variable does in 1.3e-11 of all cases.
///
/// ```
/// use hpfracc_sde::noise::{Normals, Purpose, Stream};
///
/// let stream = Stream::new(Purpose::Brownian, 0).unwrap();
/// let normals = Normals::new(42);
/// // Steps 4 to 7 of the paths 10, 11, 12, in rows by step.
/// let mut rows = [0.0f64; 12];
/// normals.fill(stream, 1, 10, &mut rows);
/// assert_eq!(rows[2 * 3 + 1], normals.at(stream, 11, 6));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Normals {
    philox: Philox,
    arch: Arch,
}

/// Steps whose normals come from one counter.
pub const STEPS: usize = 4;

/// Paths that are computed side by side.
const LANES: usize = 16;

impl Normals {
    /// The normals of a seed.
    pub fn new(seed: u64) -> Self {
        Self { philox: Philox::new(seed), arch: Arch::new() }
    }

    /// Those of a kind, as what noises have in common or not.
    pub(crate) fn source(&self, purpose: Purpose) -> Source {
        Source { seed: self.philox.seed(), purpose }
    }

    /// One element.
    pub fn at<T: Gaussian>(&self, stream: Stream, path: u64, step: u32) -> T {
        let [a, b, c, d] = self.philox.block(stream.counter(step / STEPS as u32, path));
        let (x, y) = if step % 4 < 2 { (a, b) } else { (c, d) };
        let (even, odd) = T::pair(x, y);
        if step.is_multiple_of(2) { even } else { odd }
    }

    /// The steps 4 `block` to 4 `block` + 3 of consecutive paths, in four rows by step. The paths
    /// are as many as a quarter of `rows` has room for; what a length leaves beyond four whole rows
    /// is not written.
    pub fn fill<T: Gaussian>(&self, stream: Stream, block: u32, first_path: u64, rows: &mut [T]) {
        let Self { philox, arch } = *self;
        let paths = rows.len() / STEPS;
        vectorised(
            arch,
            #[inline(always)]
            move || {
                for first in (0..paths).step_by(LANES) {
                    let counter = stream.counter(block, first_path);
                    let [a, b, c, d] =
                        philox.blocks(Stream::counters::<LANES>(counter, first as u64));
                    let mut normals = [[T::zero(); LANES]; STEPS];
                    for lane in 0..LANES {
                        (normals[0][lane], normals[1][lane]) = T::pair(a[lane], b[lane]);
                        (normals[2][lane], normals[3][lane]) = T::pair(c[lane], d[lane]);
                    }
                    let lanes = LANES.min(paths - first);
                    for (row, normals) in rows.chunks_exact_mut(paths).zip(&normals) {
                        row[first..first + lanes].copy_from_slice(&normals[..lanes]);
                    }
                }
            },
        );
    }

    /// All steps of one path from the first on, as many as `series` has room for.
    pub fn fill_path<T: Gaussian>(&self, stream: Stream, path: u64, series: &mut [T]) {
        let Self { philox, arch } = *self;
        vectorised(
            arch,
            #[inline(always)]
            move || {
                for (part, series) in (0..).step_by(LANES).zip(series.chunks_mut(STEPS * LANES)) {
                    let mut counters = [[0; LANES]; 4];
                    for (lane, block) in (part..part + LANES as u32).enumerate() {
                        let words = stream.counter(block, path);
                        for word in 0..4 {
                            counters[word][lane] = words[word];
                        }
                    }
                    let [a, b, c, d] = philox.blocks(counters);
                    let mut normals = [[T::zero(); STEPS]; LANES];
                    for lane in 0..LANES {
                        (normals[lane][0], normals[lane][1]) = T::pair(a[lane], b[lane]);
                        (normals[lane][2], normals[lane][3]) = T::pair(c[lane], d[lane]);
                    }
                    series.copy_from_slice(&normals.as_flattened()[..series.len()]);
                }
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::Purpose;

    fn stream(component: u32) -> Stream {
        Stream::new(Purpose::Brownian, component).unwrap()
    }

    #[test]
    fn elements_are_the_same_in_any_order() {
        fn check<T: Gaussian>() {
            let normals = Normals::new(7);
            for (first, paths) in
                [(0, 1), (5, 3), (0, 500), (u64::from(u32::MAX) - 2, 33), (16, 16)]
            {
                let mut rows = vec![T::NAN; STEPS * paths];
                normals.fill(stream(3), 9, first, &mut rows);
                let mut series = vec![T::NAN; 2 * paths];
                normals.fill_path(stream(2), first, &mut series);
                for (step, found) in series.iter().enumerate() {
                    assert_eq!(*found, normals.at(stream(2), first, step as u32), "{step}");
                }
                for (i, found) in rows.iter().enumerate() {
                    let (path, step) = (first + (i % paths) as u64, (36 + i / paths) as u32);
                    assert_eq!(*found, normals.at(stream(3), path, step), "{path} {step}");
                }
            }
        }
        check::<f32>();
        check::<f64>();
    }

    /// Bits that must never change: records of results name a seed.
    #[test]
    fn known_values() {
        let normals = Normals::new(2026);
        let found = [0, 1, 2, 3, 1_000_000].map(|step| normals.at::<f64>(stream(0), 0, step));
        let expected = [
            -1.3857183874892216,
            0.08024097634861924,
            -0.960547218738783,
            2.1458709183320948,
            0.0513261705106314,
        ];
        assert_eq!(found, expected);
    }

    /// Against the system's functions, in units of the radius.
    #[test]
    fn single_precision_is_the_rounded_double_precision_and_that_is_exact() {
        let mut worst = (0.0f64, 0.0f64);
        for i in 0..200_000u32 {
            let [x, y, _, _] = Philox::new(1).block([i, 0, 0, 0]);
            let x = match i % 4 {
                0 => x,
                1 => x >> (i % 32),    // large radii
                2 => !(x >> (i % 32)), // small ones
                _ => x & 0xffff_0000,
            };
            let u = (f64::from(x) + 0.5) / 4_294_967_296.0;
            let small = (f64::from(!x) + 0.5) / 4_294_967_296.0;
            let radius = (-2.0 * if u > 0.5 { (-small).ln_1p() } else { u.ln() }).sqrt();
            let angle = std::f64::consts::TAU * (f64::from(y) + 0.5) / 4_294_967_296.0;
            let expected = (radius * angle.cos(), radius * angle.sin());
            let error = |pair: (f64, f64)| {
                (pair.0 - expected.0).abs().max((pair.1 - expected.1).abs()) / radius
            };
            let single = f32::pair(x, y);
            worst.0 = worst.0.max(error(f64::pair(x, y)));
            worst.1 = worst.1.max(error((single.0.into(), single.1.into())));
        }
        println!("f64 {:.1e}, f32 {:.1e}", worst.0, worst.1);
        assert!(worst.0 < 2e-15 && worst.1 < 5e-7, "{worst:?}");
    }

    /// Moments to the eighth, correlations between neighbours of every kind, and tails, each within
    /// five standard errors.
    #[test]
    fn elements_are_normal_and_independent() {
        let normals = Normals::new(11);
        let (paths, blocks) = (1000usize, 100u32);
        let count = (paths * blocks as usize * STEPS) as f64;
        let mut rows = vec![0.0f64; STEPS * paths];
        let mut other = rows.clone();
        let mut moments = [0.0; 8];
        let (mut steps, mut paths_apart, mut streams) = (0.0, 0.0, 0.0);
        let mut beyond = [0.0; 4];
        for block in 0..blocks {
            normals.fill(stream(0), block, 0, &mut rows);
            normals.fill(stream(1), block, 0, &mut other);
            for (i, z) in rows.iter().enumerate() {
                moments.iter_mut().zip(1..).for_each(|(m, p)| *m += z.powi(p) / count);
                steps += z * rows[(i + paths) % rows.len()] / count;
                paths_apart += z * rows[(i + 1) % rows.len()] / count;
                streams += z * other[i] / count;
                beyond
                    .iter_mut()
                    .zip(1..)
                    .for_each(|(b, s)| *b += f64::from(u8::from(*z > f64::from(s))));
            }
        }
        // E z^2p = (2p-1)!!, and the variance of z^p is E z^2p - (E z^p)^2.
        let double_factorials =
            [1.0, 1.0, 3.0, 15.0, 105.0, 945.0, 10395.0, 135_135.0, 2_027_025.0];
        let expected =
            |p: usize| -> f64 { if p.is_multiple_of(2) { double_factorials[p / 2] } else { 0.0 } };
        for (found, p) in moments.iter().zip(1..) {
            let error = ((expected(2 * p) - expected(p).powi(2)) / count).sqrt();
            assert!((found - expected(p)).abs() < 5.0 * error, "moment {p}: {found}");
        }
        for correlation in [steps, paths_apart, streams] {
            assert!(correlation.abs() < 5.0 / count.sqrt(), "{correlation}");
        }
        for (found, p) in
            beyond.iter().zip([0.158_655_25, 0.022_750_13, 1.349_898e-3, 3.167_124e-5])
        {
            assert!(
                (found - count * p).abs() < 5.0 * (count * p).sqrt(),
                "{found} of {}",
                count * p
            );
        }
    }
}
