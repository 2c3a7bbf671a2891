//! Kernels as sums of exponentials: how many, how near, and what is refused.

use hpfracc_operators::{OperatorError, PowerExponentials, SumOfExponentials};
use hpfracc_special::{MittagLeffler, forward_differences_of_powers, second_differences_of_powers};

/// (b, tolerance, nodes for ratios 1e3, 1e4, 1e6) as published counts of the same map have them.
const COUNTS: [(f64, f64, [usize; 3]); 10] = [
    (0.3, 1e-4, [16, 19, 24]),
    (0.3, 1e-8, [30, 35, 44]),
    (0.3, 1e-10, [38, 44, 56]),
    (0.3, 1e-12, [45, 52, 66]),
    (0.5, 1e-8, [30, 35, 45]),
    (0.9, 1e-10, [38, 44, 57]),
    (1.5, 1e-4, [17, 21, 27]),
    (1.5, 1e-8, [32, 37, 48]),
    (1.5, 1e-12, [46, 54, 70]),
    (1.8, 1e-12, [47, 55, 71]),
];

#[test]
fn as_many_nodes_as_the_map_needs() {
    for (b, tolerance, counts) in COUNTS {
        for (ratio, count) in [1e3, 1e4, 1e6].into_iter().zip(counts) {
            let sum = SumOfExponentials::of_power(b, (1.0, ratio), tolerance).unwrap();
            let found = sum.rates().len();
            println!("b {b} tolerance {tolerance:e} ratio {ratio:e}: {found}, table {count}");
            assert!(found <= count, "{b} {tolerance:e} {ratio:e}: {found}, expected {count}");
        }
    }
}

/// On a grid that shares no point with the search or the check, and is denser than both.
#[test]
fn within_the_tolerance_everywhere() {
    for b in [1e-9, 1e-3, 0.05, 0.3, 0.7, 1.0, 1.5, 2.0] {
        for tolerance in [1e-3, 1e-8, 1e-12] {
            for (shortest, longest) in [(1.0, 2.0), (1e-4, 1.0), (3e-7, 2e2)] {
                let sum = SumOfExponentials::of_power(b, (shortest, longest), tolerance).unwrap();
                let points = 30_011;
                let worst = (0..=points)
                    .map(|i| {
                        let share = f64::from(i) / f64::from(points);
                        let t = shortest * f64::powf(longest / shortest, share);
                        (sum.value(t.min(longest)) * t.min(longest).powf(b) - 1.0).abs()
                    })
                    .fold(0.0, f64::max);
                let found = sum.relative_error();
                assert!(worst <= tolerance, "{b} {tolerance:e}: {worst:e}");
                // What the sum says of itself is what there is.
                assert!(worst <= 1.02 * found + 1e-14, "{b} {tolerance:e}: {worst:e} {found:e}");
                assert!(sum.weights().iter().all(|w| *w > 0.0));
                assert!(sum.rates().iter().all(|p| *p >= 0.0));
            }
        }
    }
}

/// The density of an exponent near 0 lies beyond all numbers; the kernel is 1.
#[test]
fn exponents_below_rounding() {
    for b in [1e-15, 1e-17, 1e-30, f64::MIN_POSITIVE, 5e-324] {
        let sum = SumOfExponentials::of_power(b, (1.0, 1e6), 1e-12).unwrap();
        for t in [1.0, 1e3, 1e6] {
            assert!((sum.value(t) - 1.0).abs() < 2e-12, "{b:e} {t}: {}", sum.value(t));
        }
        assert!(sum.rates().len() < 3000, "{b:e}: {}", sum.rates().len());
    }
}

#[test]
fn exponent_zero_is_one_exponential() {
    let sum = SumOfExponentials::of_power(0.0, (1.0, 1e6), 1e-12).unwrap();
    assert_eq!((sum.rates(), sum.weights()), (&[0.0][..], &[1.0][..]));
    assert_eq!(sum.value(12.0), 1.0);
}

/// Cells and hats against the differences of powers, for t^-b and, with moments, t^(1-b).
#[test]
fn product_weights_from_the_nodes() {
    let (n, h, tolerance) = (2000, 0.01, 1e-11);
    for b in [0.2f64, 0.7] {
        let sum = SumOfExponentials::of_power(b, (h, n as f64 * h), tolerance).unwrap();
        let decays = sum.decays(h);
        let (cells, hats) = (sum.cells(h), sum.hats(h));
        let (cell_moments, hat_moments) = (sum.cell_moments(h), sum.hat_moments(h));
        // int over a cell of s^(a-1) = h^a (m^a - (m-1)^a) / a; against a hat, h^a c_m / (a (a+1)).
        for (power, with_moments) in [(1.0 - b, false), (2.0 - b, true)] {
            let mut cell = vec![0.0; n];
            let mut hat = vec![0.0; n];
            forward_differences_of_powers(power, &mut cell);
            second_differences_of_powers(power + 1.0, &mut hat);
            for m in 2..n - 1 {
                let at = |plain: &[f64], moments: &[f64]| -> f64 {
                    let t = (m - 1) as f64 * h;
                    let factors = plain.iter().zip(moments);
                    let factors = factors.map(|(p, q)| if with_moments { t * p + q } else { *p });
                    let powers = decays.iter().map(|l| l.powi(m as i32 - 1));
                    powers.zip(factors).map(|(l, factor)| l * factor).sum()
                };
                let scale = h.powf(power) / power;
                let expected = scale * cell[m - 1];
                let found = at(&cells, &cell_moments);
                assert!((found / expected - 1.0).abs() < 1.1 * tolerance, "{b} {m} {power}");
                let expected = scale * hat[m] / (power + 1.0);
                let found = at(&hats, &hat_moments);
                assert!((found / expected - 1.0).abs() < 1.1 * tolerance, "{b} {m} {power}");
            }
        }
    }
}

/// The same for Mittag-Leffler kernels, up to the neighbourhood of the single exponential.
#[test]
fn mittag_leffler_kernels_within_the_tolerance_everywhere() {
    for alpha in [0.02, 0.4, 0.7, 0.99, 0.9999] {
        let e = MittagLeffler::new(alpha, 1.0).unwrap();
        for l in [alpha / (1.0 - alpha), 1e-3] {
            for tolerance in [1e-3, 1e-8, 1e-12] {
                for (shortest, longest) in [(1e-4, 1.0), (3e-7, 2e2)] {
                    let interval = (shortest, longest);
                    let sum = SumOfExponentials::of_mittag_leffler(alpha, l, interval, tolerance);
                    let sum = sum.unwrap();
                    let points = 3_011;
                    let worst = (0..=points)
                        .map(|i| {
                            let share = f64::from(i) / f64::from(points);
                            let t = shortest * f64::powf(longest / shortest, share);
                            let t = t.min(longest);
                            (sum.value(t) / e.eval(-l * t.powf(alpha)) - 1.0).abs()
                        })
                        .fold(0.0, f64::max);
                    let what = format!("{alpha} {l} {tolerance:e} {longest}");
                    println!("{what}: {} nodes, {worst:e}", sum.rates().len());
                    assert!(worst <= tolerance, "{what}: {worst:e}");
                    // Where the values themselves are of size 1 - alpha more nodes are needed.
                    let most = if alpha < 0.999 { 140 } else { 260 };
                    assert!(sum.rates().len() < most, "{what}");
                    assert!(sum.weights().iter().all(|w| *w > 0.0));
                }
            }
        }
    }
}

/// Near alpha = 1 the limit is the exponential itself, and tempering moves every rate.
#[test]
fn the_exponential_is_the_limit_and_tempering_a_shift() {
    let interval = (1e-3, 1.0);
    let one = SumOfExponentials::of_mittag_leffler(1.0, 3.0, interval, 1e-12).unwrap();
    assert_eq!((one.rates(), one.weights()), (&[3.0][..], &[1.0][..]));
    let near = SumOfExponentials::of_mittag_leffler(1.0 - 1e-9, 3.0, interval, 1e-10).unwrap();
    assert!((near.value(0.5) - one.value(0.5)).abs() < 1e-8);
    let plain = SumOfExponentials::of_power(0.3, interval, 1e-10).unwrap();
    let tempered = plain.clone().tempered(2.0).unwrap();
    for t in [1e-3, 0.2, 1.0_f64] {
        let expected = (-2.0 * t).exp() * plain.value(t);
        assert!((tempered.value(t) - expected).abs() < 1e-14 * expected);
    }
    for lambda in [-1.0, f64::NAN, f64::INFINITY] {
        let refused = plain.clone().tempered(lambda);
        assert!(matches!(refused, Err(OperatorError::Parameter { what: "lambda", .. })));
    }
}

#[test]
fn refuses_invalid_mittag_leffler_kernels() {
    for (alpha, l, tolerance) in [
        (0.0, 1.0, 1e-6),
        (1.1, 1.0, 1e-6),
        (0.5, 0.0, 1e-6),
        (0.5, f64::NAN, 1e-6),
        (0.5, 1.0, 1e-13),
    ] {
        let refused = SumOfExponentials::of_mittag_leffler(alpha, l, (1.0, 10.0), tolerance);
        assert!(matches!(refused, Err(OperatorError::Parameter { .. })), "{alpha} {l}");
    }
}

#[test]
fn refuses_invalid_ranges() {
    let ok = (1.0, 10.0);
    for (b, interval, tolerance) in [
        (-0.1, ok, 1e-6),
        (2.1, ok, 1e-6),
        (f64::NAN, ok, 1e-6),
        (0.5, (0.0, 1.0), 1e-6),
        (0.5, (1.0, 1.0), 1e-6),
        (0.5, (f64::NAN, 1.0), 1e-6),
        (0.5, (1.0, f64::INFINITY), 1e-6),
        (0.5, (1e-110, 1e110), 1e-6),
        (0.5, ok, 0.0),
        (0.5, ok, 1e-14),
        (0.5, ok, 0.5),
        (0.5, ok, f64::NAN),
    ] {
        let refused = SumOfExponentials::of_power(b, interval, tolerance);
        assert!(matches!(refused, Err(OperatorError::Parameter { .. })), "{b} {interval:?}");
    }
}

/// ln(l)/alpha, where the nodes are to gather, is minus infinity.
#[test]
fn refuses_orders_whose_nodes_lie_beyond_all_numbers() {
    for alpha in [5e-324, 1e-310, 1e-300] {
        let found = SumOfExponentials::of_mittag_leffler(alpha, 1e-9, (0.1, 1.0), 1e-6);
        assert!(matches!(found, Err(OperatorError::NoExponentials { .. })), "{alpha}: {found:?}");
    }
}

/// One set of rates for all exponents, at points that the search does not know, and as many rates as
/// the most that one exponent takes, and some.
#[test]
fn powers_share_their_rates() {
    for (lowest, highest) in [(0.0, 1.0), (1e-9, 0.3), (0.2, 0.9), (0.5, 0.5), (0.999, 1.0)] {
        for tolerance in [1e-3, 1e-8, 1e-12] {
            for times @ (shortest, longest) in [(1.0, 2.0), (3e-7, 2e2), (1e-12, 1.0)] {
                let powers = PowerExponentials::new((lowest, highest), times, tolerance).unwrap();
                assert!(powers.relative_error() <= tolerance);
                let count = powers.rates().len();
                let most = [highest, 0.5].map(|b: f64| {
                    let one = SumOfExponentials::of_power(b, times, tolerance).unwrap();
                    one.rates().len()
                });
                let most = most[0].max(most[1]);
                println!("{lowest} {highest} {tolerance:e} {shortest:e}: {count}, one has {most}");
                assert!(count <= most + most / 3 + 6, "{lowest} {highest} {tolerance:e}: {count}");
                for share in [0.0, 0.1, 0.37, 0.8, 1.0] {
                    let b = lowest + share * (highest - lowest);
                    let mut weights = vec![0.0; count];
                    powers.add_weights(b, 2.0, &mut weights);
                    assert!(weights.iter().all(|w| *w >= 0.0));
                    let points = 4001;
                    for i in 0..=points {
                        let x = f64::from(i) / f64::from(points);
                        let t = (shortest * f64::powf(longest / shortest, x)).min(longest);
                        let terms = weights.iter().zip(powers.rates());
                        let sum: f64 = terms.map(|(w, p)| w * (-p * t).exp()).sum();
                        let error = (0.5 * sum * t.powf(b) - 1.0).abs();
                        assert!(error <= tolerance, "{b} {tolerance:e} {t:e}: {error:e}");
                    }
                }
            }
        }
    }
}

#[test]
fn exponents_and_times_of_powers_are_checked() {
    let of = |exponents, times, tolerance| PowerExponentials::new(exponents, times, tolerance);
    for (exponents, times, tolerance) in [
        ((-0.1, 0.5), (1.0, 2.0), 1e-8),
        ((0.5, 0.4), (1.0, 2.0), 1e-8),
        ((0.5, 1.1), (1.0, 2.0), 1e-8),
        ((0.5, f64::NAN), (1.0, 2.0), 1e-8),
        ((0.5, 0.6), (2.0, 1.0), 1e-8),
        ((0.5, 0.6), (1.0, 2.0), 1e-14),
    ] {
        let error = of(exponents, times, tolerance).unwrap_err();
        assert!(matches!(error, OperatorError::Parameter { .. }), "{error}");
    }
}
