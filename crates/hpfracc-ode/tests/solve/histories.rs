//! Every history against the sums as they are written.

use hpfracc_ode::OdeError;
use hpfracc_ode::history::{Blocked, Direct, Exponentials, History, HistoryChoice};
use hpfracc_ode::history::{Kernel, Row, Rule};

/// Numbers without pattern in [-1, 1].
fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// `s_k[n]` for all n from 1, by loops.
fn by_loops(kernels: &[Kernel], f: &[Vec<f64>]) -> Vec<Vec<Vec<f64>>> {
    let (len, dim) = (f.len(), f[0].len());
    let sums_of = |kernel: &Kernel| {
        let tables: Vec<Vec<f64>> =
            kernel.rows().iter().map(|row| row.weights(len).unwrap().into_owned()).collect();
        (1..=len)
            .map(|n| {
                (0..dim)
                    .map(|i| {
                        let w = &tables[kernel.row_of(i)];
                        (0..n).map(|j| w[n - j] * f[j][i]).sum()
                    })
                    .collect()
            })
            .collect()
    };
    kernels.iter().map(sums_of).collect()
}

/// The largest difference from the loops, relative to the largest sum of the kernel and component.
fn deviation(history: &mut dyn History, kernels: &[Kernel], f: &[Vec<f64>]) -> f64 {
    let exact = by_loops(kernels, f);
    let dim = f[0].len();
    let mut out = vec![f64::NAN; dim];
    let mut worst = 0.0f64;
    let mut scale = vec![vec![0.0f64; dim]; kernels.len()];
    for (k, sums) in exact.iter().enumerate() {
        for s in sums {
            (0..dim).for_each(|i| scale[k][i] = scale[k][i].max(s[i].abs()));
        }
    }
    for (n, sample) in f.iter().enumerate() {
        assert_eq!(history.pushed(), n);
        history.push(sample).unwrap();
        for k in 0..kernels.len() {
            history.sum_into(k, &mut out).unwrap();
            for i in 0..dim {
                let difference = (out[i] - exact[k][n][i]).abs() / scale[k][i];
                assert!(difference.is_finite());
                worst = worst.max(difference);
            }
        }
    }
    worst
}

fn samples(len: usize, dim: usize) -> Vec<Vec<f64>> {
    let mut next = noise((len * 31 + dim) as u64);
    (0..len).map(|_| (0..dim).map(|_| 1.0 + next()).collect()).collect()
}

/// The two kernels of a predictor-corrector pair.
fn pair(orders: &[f64]) -> Vec<Kernel> {
    vec![
        Kernel::product(Rule::Rectangle, orders, 0.01),
        Kernel::product(Rule::Trapezoid, orders, 0.01),
    ]
}

#[test]
fn direct_is_the_sum() {
    for len in [1, 2, 3, 63, 64, 65, 300] {
        for dim in [1, 3] {
            let f = samples(len, dim);
            let kernels = pair(&[0.6]);
            let mut history = Direct::new(&kernels, dim, len).unwrap();
            assert!(deviation(&mut history, &kernels, &f) < 1e-14, "{len} {dim}");
        }
    }
}

#[test]
fn blocked_is_the_sum_for_any_length_and_blocks() {
    for (block, radix) in [(1, 2), (2, 2), (3, 3), (4, 8), (7, 4), (16, 2), (64, 8), (100, 3)] {
        for len in [1, 2, 3, 7, 8, 9, 63, 64, 65, 127, 500, 1000] {
            let f = samples(len, 2);
            let kernels = pair(&[0.6]);
            let mut history = Blocked::with_blocks(&kernels, 2, len, block, radix).unwrap();
            let found = deviation(&mut history, &kernels, &f);
            assert!(found < 1e-13, "{block} {radix} {len}: {found:e}");
        }
    }
}

#[test]
fn blocked_with_its_own_blocks() {
    for (len, dim) in [(255, 1), (256, 1), (257, 1), (2048, 1), (2049, 3), (5003, 2)] {
        for alpha in [0.3, 0.9, 1.0, 1.7] {
            let f = samples(len, dim);
            let kernels = pair(&[alpha]);
            let mut history = Blocked::new(&kernels, dim, len).unwrap();
            let found = deviation(&mut history, &kernels, &f);
            assert!(found < 1e-13, "{len} {dim} {alpha}: {found:e}");
        }
    }
}

#[test]
fn each_component_may_have_its_own_weights() {
    let orders = [0.3, 0.9, 0.3, 1.4];
    for len in [50, 700] {
        let f = samples(len, 4);
        let mut kernels = pair(&orders);
        let mut next = noise(5);
        kernels.push(Kernel::shared(Row::Table((0..=len).map(|_| next()).collect())));
        let mut direct = Direct::new(&kernels, 4, len).unwrap();
        assert!(deviation(&mut direct, &kernels, &f) < 1e-13);
        let mut blocked = Blocked::with_blocks(&kernels, 4, len, 16, 4).unwrap();
        assert!(deviation(&mut blocked, &kernels, &f) < 1e-13);
    }
}

#[test]
fn exponentials_are_within_their_tolerance() {
    for alpha in [0.05, 0.3, 0.6, 0.95, 1.0, 1.3, 1.8, 2.0] {
        for tolerance in [1e-6, 1e-10, 1e-12] {
            let f = samples(1500, 2);
            let kernels = pair(&[alpha]);
            let mut history = Exponentials::new(&kernels, 2, 1500, tolerance).unwrap();
            // The samples are positive, so that the relative error of a sum is that of its weights.
            let found = deviation(&mut history, &kernels, &f);
            let bound = history.relative_error();
            assert!(bound <= tolerance, "{alpha} {tolerance:e}: {bound:e}");
            assert!(found < bound + 2e-14, "{alpha} {tolerance:e}: {found:e} {bound:e}");
        }
    }
}

#[test]
fn exponentials_with_orders_of_their_own() {
    let orders = [0.3, 0.9, 0.3, 1.4];
    let f = samples(700, 4);
    let mut kernels = pair(&orders);
    // Another order over the same series.
    kernels.push(Kernel::product(Rule::Trapezoid, &[0.5], 0.01));
    let mut history = Exponentials::new(&kernels, 4, 700, 1e-11).unwrap();
    assert!(deviation(&mut history, &kernels, &f) < 1e-11);
}

#[test]
fn before_the_first_sample_the_sums_are_zero() {
    let kernels = pair(&[0.5]);
    for choice in [
        HistoryChoice::Direct,
        HistoryChoice::Blocked,
        HistoryChoice::Exponentials { tolerance: 1e-8 },
    ] {
        let history = choice.build(&kernels, 2, 10).unwrap();
        let mut out = [f64::NAN; 2];
        history.sum_into(1, &mut out).unwrap();
        assert_eq!(out, [0.0; 2]);
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let kernels = pair(&[0.5]);
    for choice in [
        HistoryChoice::Direct,
        HistoryChoice::Blocked,
        HistoryChoice::Exponentials { tolerance: 1e-8 },
    ] {
        let mut history = choice.build(&kernels, 2, 1).unwrap();
        assert!(matches!(history.push(&[1.0]), Err(OdeError::Length { found: 1, .. })));
        history.push(&[1.0, 2.0]).unwrap();
        let full = history.push(&[1.0, 2.0]);
        assert!(matches!(full, Err(OdeError::HistoryFull { capacity: 1 })));
        let mut out = [0.0; 2];
        assert!(matches!(history.sum_into(2, &mut out), Err(OdeError::OutOfRange { .. })));
        let short = history.sum_into(0, &mut out[..1]);
        assert!(matches!(short, Err(OdeError::Length { expected: 2, .. })));
        assert!(matches!(choice.build(&[], 2, 1), Err(OdeError::Empty)));
        assert!(matches!(choice.build(&kernels, 0, 1), Err(OdeError::Empty)));
        let three = pair(&[0.5, 0.6, 0.7]);
        assert!(matches!(choice.build(&three, 2, 1), Err(OdeError::Length { .. })));
    }
    let table = [Kernel::shared(Row::Table(vec![1.0; 10]))];
    for choice in [HistoryChoice::Direct, HistoryChoice::Blocked] {
        let short = choice.build(&table, 1, 10);
        assert!(matches!(short, Err(OdeError::Length { found: 10, expected: 11, .. })));
        assert!(choice.build(&table, 1, 9).is_ok());
    }
    let none = HistoryChoice::Exponentials { tolerance: 1e-8 }.build(&table, 1, 9);
    assert!(matches!(none, Err(OdeError::NoExponentials { .. })));
    for tolerance in [0.0, -1.0, f64::NAN, 1.0] {
        let refused = HistoryChoice::Exponentials { tolerance }.build(&kernels, 1, 9);
        assert!(matches!(refused, Err(OdeError::Operator(_))), "{tolerance}");
    }
    for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = HistoryChoice::Within { tolerance }.build(&kernels, 1, 9);
        assert!(matches!(refused, Err(OdeError::OutOfRange { .. })), "{tolerance}");
    }
    for (tolerance, capacity) in [(1e-15, 9), (1e-15, 60_000), (0.5, 60_000), (1e-6, 60_000)] {
        assert!(HistoryChoice::Within { tolerance }.build(&kernels, 1, capacity).is_ok());
    }
    assert!(Blocked::with_blocks(&kernels, 1, 9, usize::MAX, usize::MAX).is_ok());
    assert!(Blocked::with_blocks(&kernels, 1, 9, 0, 2).is_err());
    assert!(Blocked::with_blocks(&kernels, 1, 9, 8, 1).is_err());
}
