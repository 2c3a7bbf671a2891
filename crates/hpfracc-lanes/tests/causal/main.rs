//! Every causal sum against the formula in loops: rows, lanes, lengths around every threshold, both
//! scalars, forward and transposed.

mod reference;

use hpfracc_lanes::causal::thresholds::{DIRECT_SERIES_UP_TO, PANEL_TRANSFORMS_FROM};
use hpfracc_lanes::causal::{
    BlockStep, BlockedRows, BlockedSeries, DirectSeries, DirectSum, ExponentialRows,
    ExponentialTiles, FourierScalar, Online, OnlineSeries, PADDING, SeriesConvolution, Signal,
    Spectrum, Target, decay_add, decay_sum, dot,
};
use hpfracc_lanes::pulp::Arch;
use hpfracc_lanes::{CompactVec, Storage};

/// Lengths around registers, the blocks of every level (64, 256, 1024, 2048) and the thresholds.
const LENGTHS: [usize; 21] = [
    1,
    2,
    7,
    8,
    9,
    63,
    64,
    65,
    255,
    256,
    257,
    PANEL_TRANSFORMS_FROM - 1,
    PANEL_TRANSFORMS_FROM,
    DIRECT_SERIES_UP_TO + 1,
    1000,
    1023,
    1024,
    1025,
    2047,
    2048,
    2049,
];

/// Lanes around registers of both scalars, and one wide tile.
const LANES: [usize; 7] = [1, 3, 8, 15, 16, 17, 70];

fn weight(k: usize) -> f64 {
    (k as f64 + 1.0).powf(-0.4) * if k.is_multiple_of(3) { -1.0 } else { 1.0 }
}

fn value(i: usize) -> f64 {
    ((i * 7919 + 13) % 1009) as f64 / 504.5 - 1.0
}

/// A sum under test: values of the rows `x` of `lanes` values for `weights` by lag.
type Sum<'a, T> = &'a dyn Fn(&[f64], &[T], usize) -> Vec<T>;

/// Runs a sum over all lengths and lanes. The error is relative to the largest value of the result,
/// in units of `T::EPSILON` times the square root of the length.
fn check<T: FourierScalar>(name: &str, lanes: &[usize], oracle: Oracle, sum: Sum<'_, T>) {
    for length in LENGTHS {
        let weights: Vec<f64> = (0..length).map(|k| T::narrow(weight(k)).widen()).collect();
        // The loops of the oracle take quadratic time: wide tiles for the short lengths only.
        for &lanes in lanes.iter().filter(|&&lanes| length * lanes < 40_000) {
            let x: Vec<T> = (0..length * lanes).map(|i| T::narrow(value(i))).collect();
            let wide: Vec<f64> = x.iter().map(|x| x.widen()).collect();
            let exact = oracle(&weights, &wide, lanes);
            let result = sum(&weights, &x, lanes);
            assert_eq!(result.len(), exact.len(), "{name}");
            let scale = exact.iter().fold(1.0f64, |scale, y| scale.max(y.abs()));
            let bound = 4.0 * T::EPSILON.widen() * (length as f64).sqrt() * scale;
            for (i, (y, exact)) in result.iter().zip(&exact).enumerate() {
                let error = (y.widen() - exact).abs();
                assert!(
                    error <= bound,
                    "{name} in {}, {length} times, {lanes} lanes: {y} at {i}, expected {exact}",
                    T::NAME
                );
            }
        }
    }
}

type Oracle = fn(&[f64], &[f64], usize) -> Vec<f64>;

/// The online oracle with the weight of the lag m at m - 1.
fn online(weights: &[f64], x: &[f64], lanes: usize) -> Vec<f64> {
    reference::online(weights, x, lanes)
}

fn padded<T: FourierScalar>(weights: &[f64]) -> Vec<T> {
    let zeros = std::iter::repeat_n(T::zero(), PADDING);
    zeros.clone().chain(weights.iter().map(|w| T::narrow(*w))).chain(zeros).collect()
}

fn direct_sum<'a, T>(tables: &'a [T], x: &'a [T], lanes: usize, fused: bool) -> DirectSum<'a, T> {
    let length = x.len() / lanes;
    DirectSum {
        tables,
        stride: 0,
        taps: length,
        x,
        series: 1,
        length,
        lanes,
        times: (0, length),
        first: None,
        fused,
    }
}

fn all_rows<T: FourierScalar>() {
    let arch = Arch::new();
    for fused in [true, false] {
        check::<T>("DirectSum", &LANES, reference::convolve, &|weights, x, lanes| {
            let (tables, mut y) = (padded(weights), vec![T::zero(); x.len()]);
            let sum = direct_sum(&tables, x, lanes, fused);
            sum.convolve(arch, 0..x.len() / lanes, &mut y);
            y
        });
        check::<T>("DirectSum transposed", &LANES, reference::correlate, &|weights, x, lanes| {
            let (tables, mut y) = (padded(weights), vec![T::zero(); x.len()]);
            let sum = direct_sum(&tables, x, lanes, fused);
            sum.correlate(arch, 0..x.len() / lanes, &mut y);
            y
        });
    }
    for (transposed, oracle) in
        [(false, reference::convolve as Oracle), (true, reference::correlate)]
    {
        check::<T>("Spectrum", &LANES, oracle, &|weights, x, lanes| {
            let (mut spectrum, mut y) = (Spectrum::default(), vec![T::zero(); x.len()]);
            spectrum.set(weights);
            let signal = Signal { x, lanes, first: None };
            spectrum.sum(arch, signal, transposed, Target::Add(&mut y));
            y
        });
    }
    type Make<T> = fn(&[f64]) -> Online<T>;
    let online_sums: [(&str, Make<T>); 3] = [
        ("Online direct", Online::direct),
        ("Online blocked", Online::blocked),
        ("Online in small blocks", |weights| {
            Online::Blocked(BlockedRows::with_blocks(weights, 4, 4))
        }),
    ];
    for (name, make) in online_sums {
        check::<T>(name, &LANES, online, &|weights, x, lanes| {
            let sum = make(&weights[..weights.len() - 1]);
            let mut past = sum.start(lanes);
            let mut y = vec![T::NAN; x.len()];
            for (x, y) in x.chunks_exact(lanes).zip(y.chunks_exact_mut(lanes)) {
                sum.step(&mut past, x, y);
            }
            y
        });
    }
}

fn all_series<T: FourierScalar>() {
    check::<T>("SeriesConvolution", &[1], reference::convolve, &|weights, x, _| {
        let convolution = SeriesConvolution::new(weights);
        let mut y = x.to_vec();
        convolution.convolve(&mut y, &mut convolution.buffers());
        y
    });
    let tables = |weights: &[f64]| -> Vec<Vec<T>> {
        let by_lag = std::iter::once(T::NAN).chain(weights.iter().map(|w| T::narrow(*w)));
        vec![by_lag.collect()]
    };
    check::<T>("DirectSeries", &[1, 3], online, &|weights, x, dim| {
        let (tables, table_of) = (tables(weights), vec![0; dim]);
        sums_of(&mut DirectSeries::new(&tables, table_of, dim, weights.len()), x, dim)
    });
    for (block, radix) in [(256, 8), (4, 2), (7, 3)] {
        check::<T>("BlockedSeries", &[1, 3], online, &|weights, x, dim| {
            let (tables, table_of, sizes) = (tables(weights), vec![0; dim], (dim, weights.len()));
            let blocks = (block, radix);
            sums_of(&mut BlockedSeries::with_blocks(&tables, table_of, sizes, blocks), x, dim)
        });
    }
}

#[test]
fn sums_over_rows_are_the_formula() {
    all_rows::<f64>();
    all_rows::<f32>();
}

#[test]
fn sums_over_series_are_the_formula() {
    all_series::<f64>();
    all_series::<f32>();
}

const LOSSES: [f64; 3] = [0.5, 0.03, 1e-9];
const FACTORS: [f64; 3] = [1.0, -0.25, 0.5];

/// Weights that are a sum of exponentials: rows of lanes, and states of one series.
#[test]
fn exponentials_are_the_formula() {
    fn check_scalar<T: FourierScalar>() {
        check::<T>(
            "ExponentialRows",
            &LANES,
            |weights, x, lanes| {
                let length = weights.len();
                let term = |m: i32, k: usize| FACTORS[k] * (1.0 - LOSSES[k]).powi(m - 1);
                let sums = (1..=length).map(|m| (0..3).map(|k| term(m as i32, k)).sum());
                reference::online(&sums.collect::<Vec<f64>>(), x, lanes)
            },
            &|_, x, lanes| {
                let of = ExponentialRows::new(LOSSES.into_iter(), FACTORS.into_iter());
                let sum = Online::Exponentials(of);
                let mut past = sum.start(lanes);
                let mut y = vec![T::NAN; x.len()];
                for (x, y) in x.chunks_exact(lanes).zip(y.chunks_exact_mut(lanes)) {
                    sum.step(&mut past, x, y);
                }
                y
            },
        );
        // States `sum_{m >= 2} L^(m-1) f[n-m]` and `sum_{m >= 2} (m-1) L^(m-1) f[n-m]` of one
        // series.
        let arch = Arch::new();
        for count in [1, 7, 8, 9, 16, 40] {
            let decay: Vec<T> =
                (0..count).map(|k| T::narrow(1.0 / (1.0 + 0.1 * k as f64))).collect();
            let (mut plain, mut sloped) = (vec![T::zero(); count], vec![T::zero(); count]);
            let f: Vec<T> = (0..60).map(|i| T::narrow(value(i))).collect();
            for f in &f {
                decay_sum(arch, &decay, *f, &mut plain);
                decay_add(arch, &decay, &plain, &mut sloped);
            }
            for (k, decay) in decay.iter().enumerate() {
                let past = f.iter().rev().enumerate();
                let (mut expected, mut slope) = (0.0, 0.0);
                for (age, f) in past {
                    let power = decay.widen().powi(age as i32 + 1) * f.widen();
                    expected += power;
                    slope += (age as f64 + 1.0) * power;
                }
                let bound = 600.0 * T::EPSILON.widen();
                assert!((plain[k].widen() - expected).abs() < bound, "{count} {k}");
                assert!((sloped[k].widen() - slope).abs() < 60.0 * bound, "{count} {k}");
            }
        }
    }
    check_scalar::<f64>();
    check_scalar::<f32>();
}

/// An inner product of sums with rows is that of the formula.
#[test]
fn inner_products_are_those_of_the_sums() {
    fn check_scalar<T: FourierScalar>() {
        let arch = Arch::new();
        for (length, lanes) in [(1, 1), (9, 17), (65, 3), (300, 5)] {
            let weights: Vec<f64> = (0..length).map(|k| T::narrow(weight(k)).widen()).collect();
            let x: Vec<T> = (0..length * lanes).map(|i| T::narrow(value(i))).collect();
            let wide: Vec<f64> = x.iter().map(|x| x.widen()).collect();
            let sums = reference::convolve(&weights, &wide, lanes);
            let exact: f64 = sums.iter().zip(&wide).map(|(y, x)| y * x).sum();
            let scale: f64 = sums.iter().zip(&wide).map(|(y, x)| (y * x).abs()).sum();
            let tables = padded::<T>(&weights);
            let direct = direct_sum(&tables, &x, lanes, true).inner_product(arch, &x);
            let mut spectrum = Spectrum::default();
            spectrum.set(&weights);
            let mut transformed = T::zero();
            let target = Target::InnerProduct(&x, &mut transformed);
            spectrum.sum(arch, Signal { x: &x, lanes, first: None }, false, target);
            let narrow: Vec<T> = sums.iter().map(|y| T::narrow(*y)).collect();
            for product in [direct, transformed, dot(arch, &narrow, &x)] {
                let error = (product.widen() - exact).abs();
                assert!(error < 40.0 * T::EPSILON.widen() * scale, "{length} {lanes}: {error:e}");
            }
        }
    }
    check_scalar::<f64>();
    check_scalar::<f32>();
}

/// A lane has the same bits in any tile.
#[test]
fn lanes_do_not_mix() {
    let weights: Vec<f64> = (1..700).map(weight).collect();
    let x: Vec<f64> = (0..700 * 21).map(value).collect();
    for sum in [Online::<f64>::direct(&weights), Online::blocked(&weights)] {
        let run = |lanes: usize| -> Vec<f64> {
            let (mut past, mut y) = (sum.start(lanes), vec![0.0; lanes]);
            let mut first = Vec::new();
            for x in x.chunks_exact(21) {
                sum.step(&mut past, &x[..lanes], &mut y);
                first.push(y[0]);
            }
            first
        };
        assert_eq!(run(21), run(1));
        assert_eq!(run(21), run(16));
    }
}

/// The sums of one kernel before each sample.
fn sums_of<T: FourierScalar>(sums: &mut impl OnlineSeries<T>, x: &[T], dim: usize) -> Vec<T> {
    let mut y = Vec::with_capacity(x.len());
    for x in x.chunks_exact(dim) {
        y.extend((0..dim).map(|component| sums.sum(0, component)));
        sums.push(x);
    }
    y
}

/// A direct sum whose rows are stored in 16 bits is the sum of the rounded rows.
#[test]
fn compact_rows() {
    fn check_scalar<T: FourierScalar>() {
        for storage in [Storage::BFloat16, Storage::Float16] {
            for lanes in [1, 17, 64, 150] {
                let weights: Vec<f64> = (1..40).map(weight).collect();
                let x: Vec<T> = (0..40 * lanes).map(|i| T::narrow(value(i))).collect();
                let mut rounded = vec![T::zero(); x.len()];
                CompactVec::of(storage, x.clone()).read(0, &mut rounded);
                let sum = Online::<T>::direct(&weights);
                let (mut compact, mut full) = (sum.start(lanes), sum.start(lanes));
                // A past of other lanes and another format becomes an empty one.
                sum.restart_in(&mut compact, lanes + 3, storage);
                sum.step(&mut compact, &vec![T::one(); lanes + 3], &mut vec![T::zero(); lanes + 3]);
                sum.restart_in(&mut compact, lanes, storage);
                let (mut found, mut expected) = (vec![T::NAN; lanes], vec![T::NAN; lanes]);
                for (x, rounded) in x.chunks_exact(lanes).zip(rounded.chunks_exact(lanes)) {
                    sum.step(&mut compact, x, &mut found);
                    sum.step(&mut full, rounded, &mut expected);
                    for (found, expected) in found.iter().zip(&expected) {
                        let error = (found.widen() - expected.widen()).abs();
                        assert!(error < 40.0 * T::EPSILON.widen(), "{storage} {lanes}: {error:e}");
                    }
                }
                let bytes = sum.bytes_per_lane_in(storage);
                assert_eq!(bytes * size_of::<T>(), 2 * sum.bytes_per_lane());
            }
        }
    }
    check_scalar::<f64>();
    check_scalar::<f32>();
}

/// Tiles of exponentials against the recurrence of each series in loops: blocks of samples, planned
/// sums, sums of states and samples, series that leave a part of the last tile.
#[test]
fn tiles_of_exponentials() {
    let (arch, block) = (Arch::new(), 5);
    for series in [1, 15, 32, 33, 100] {
        let decays = [0.9, 0.5, 0.99];
        // The second half of the states is that with slopes.
        let (count, states) = (decays.len(), 2 * decays.len());
        let decay: Vec<f64> = decays.iter().chain(&decays).copied().collect();
        let number = |i: usize, j: usize| ((3 * i + 7 * j + 1) as f64).sin();
        let gain: Vec<f64> = (0..states * block).map(|at| number(at, 1)).collect();
        let weights: Vec<f64> = (0..2 * states).map(|at| number(at, 2)).collect();
        let step =
            BlockStep { decay: &decay, slope: Some((count, 2.5)), gain: &gain, weights: &weights };
        let mut tiles = ExponentialTiles::<f64>::new(series, states, block + 1, 2);
        let layout = tiles.layout();
        let mut expected = vec![vec![0.0; states]; series];
        for round in 0..3 {
            let f = |series: usize, sample: usize| number(series, 10 * round + sample);
            for (index, tile) in tiles.values_mut().chunks_exact_mut(layout.len()).enumerate() {
                for row in 0..=block {
                    for (i, x) in layout.sample(tile, row).iter_mut().enumerate() {
                        *x = f(index * layout.width() + i, row);
                    }
                }
                layout.advance(arch, tile, &step);
            }
            for (i, z) in expected.iter_mut().enumerate() {
                for k in (0..count).rev() {
                    z[count + k] += 2.5 * z[k];
                }
                for (k, z) in z.iter_mut().enumerate() {
                    *z *= decay[k];
                    *z += (0..block).map(|j| gain[k * block + j] * f(i, j)).sum::<f64>();
                }
            }
            let near = [0.3, -0.7];
            for (i, z) in expected.iter().enumerate() {
                let (index, lane) = (i / layout.width(), i % layout.width());
                let tile = &tiles.values()[index * layout.len()..][..layout.len()];
                let samples: f64 = near.iter().enumerate().map(|(j, w)| w * f(i, j)).sum();
                let sum = |weights: &[f64]| -> f64 {
                    weights.iter().zip(z).map(|(w, z)| w * z).sum::<f64>() + samples
                };
                let mut out = vec![0.0; layout.width()];
                for planned in 0..2 {
                    layout.sum(arch, tile, (Some(planned), &[], 0), &near, &mut out);
                    let exact = sum(&weights[planned * states..][..states]);
                    assert!(
                        (out[lane] - exact).abs() < 1e-13,
                        "{series} {i}: {} {exact}",
                        out[lane]
                    );
                }
                layout.sum(arch, tile, (None, &weights[2..states], 2), &near, &mut out);
                let mut left = weights[..states].to_vec();
                left[..2].fill(0.0);
                assert!((out[lane] - sum(&left)).abs() < 1e-13, "{series} {i}");
            }
        }
    }
}
