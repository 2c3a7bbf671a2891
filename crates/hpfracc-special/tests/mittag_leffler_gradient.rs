//! Mittag-Leffler functions with their derivatives in z, α and β.

use hpfracc_special::{
    MittagLeffler, MittagLefflerGradient, Partials, SpecialError, mittag_leffler,
};
use hpfracc_testkit::Table;

const NAMES: [&str; 4] = ["value", "in z", "in alpha", "in beta"];

fn array(found: Partials<f64>) -> [f64; 4] {
    [found.value, found.z, found.alpha, found.beta]
}

fn at(alpha: f64, beta: f64, z: f64) -> [f64; 4] {
    array(MittagLefflerGradient::new(alpha, beta).unwrap().eval(z))
}

/// (alpha, beta, z) and the exact numbers.
fn table() -> Vec<([f64; 3], [f64; 4])> {
    let read = |row: hpfracc_testkit::Row<'_>| {
        let f = row.numbers();
        ([f[0], f[1], f[2]], [f[3], f[4], f[5], f[6]])
    };
    Table::parse(include_str!("data/mittag_leffler_gradient.csv")).rows().map(read).collect()
}

#[test]
fn values_and_derivatives_agree_with_the_table() {
    let table = table();
    assert!(table.len() > 2000, "the table has only {} rows", table.len());
    // For beta >= 0 and below.
    for (below, bounds) in [(false, [1e-13, 1e-12, 1e-12, 1e-12]), (true, [5e-13; 4])] {
        let mut worst = [(0.0f64, [0.0; 3]); 4];
        for &(point, exact) in table.iter().filter(|(point, _)| (point[1] < 0.0) == below) {
            let found = at(point[0], point[1], point[2]);
            for k in 0..4 {
                let scale = exact[0].abs().max(exact[k].abs()).max(1.0);
                let error = (found[k] - exact[k]).abs() / scale;
                if error.is_nan() || error > worst[k].0 {
                    worst[k] = (error, point);
                }
            }
        }
        for k in 0..4 {
            let (error, point) = worst[k];
            println!("{}: {error:.1e} at {point:?}", NAMES[k]);
            assert!(error < bounds[k], "{}: {error:e} at {point:?}", NAMES[k]);
        }
    }
}

/// Of fourth order.
fn difference(f: impl Fn(f64) -> f64, at: f64) -> f64 {
    let step = 2e-3;
    (8.0 * (f(at + step) - f(at - step)) - (f(at + 2.0 * step) - f(at - 2.0 * step)))
        / (12.0 * step)
}

#[test]
fn derivatives_agree_with_differences_of_the_scalar_function() {
    for alpha in [0.3, 0.6, 0.999, 1.0, 1.001, 1.4, 1.9] {
        for beta in [0.7, 1.0, 2.3] {
            for z in [-20.0, -3.0, -0.5, 0.0, 0.4, 1.1] {
                let [value, by_z, by_alpha, by_beta] = at(alpha, beta, z);
                let exact = mittag_leffler(alpha, beta, z).unwrap();
                let scale = exact.abs().max(1.0);
                assert!((value - exact).abs() < 1e-13 * scale, "{alpha} {beta} {z}: {value}");
                let scale = scale.max(by_z.abs()).max(by_alpha.abs()).max(by_beta.abs());
                let e = |a, b, z| mittag_leffler(a, b, z).unwrap();
                let expected = [
                    (by_z, difference(|z| e(alpha, beta, z), z)),
                    (by_alpha, difference(|alpha| e(alpha, beta, z), alpha)),
                    (by_beta, difference(|beta| e(alpha, beta, z), beta)),
                ];
                for (found, expected) in expected {
                    let close = (found - expected).abs() < 1e-6 * scale;
                    assert!(close, "{alpha} {beta} {z}: {found} {expected}");
                }
            }
        }
    }
}

/// Of any length, with any set of derivatives, and of mixed signs.
#[test]
fn slices_have_the_bits_of_single_values() {
    let z: Vec<f64> =
        (0..20_000).map(|i| (f64::from(i) * 0.37).sin() * 10f64.powi(i % 7 - 3)).collect();
    // The second needs other nodes for negative arguments.
    for (alpha, beta) in [(0.7, 1.0), (1.9616, 1.0), (1.3, 2.0), (1.0, 1.0)] {
        let e = MittagLefflerGradient::new(alpha, beta).unwrap();
        for n in [0, 1, 3, 31, 33, 100, 20_000] {
            for wanted in 0..16 {
                let mut out = [(); 4].map(|()| vec![7.0; n]);
                let [value, by_z, by_alpha, by_beta] = out.each_mut().map(|v| Some(&mut v[..]));
                let slices = Partials {
                    value: value.filter(|_| wanted & 1 != 0),
                    z: by_z.filter(|_| wanted & 2 != 0),
                    alpha: by_alpha.filter(|_| wanted & 4 != 0),
                    beta: by_beta.filter(|_| wanted & 8 != 0),
                };
                e.eval_slice(&z[..n], slices).unwrap();
                for i in (0..n).step_by(1 + n / 50) {
                    let single = array(e.eval(z[i]));
                    for k in 0..4 {
                        let expected = if wanted >> k & 1 == 1 { single[k] } else { 7.0 };
                        let same = out[k][i].to_bits() == expected.to_bits();
                        assert!(same, "{alpha} {} {n} {wanted}: {} {expected}", z[i], out[k][i]);
                    }
                }
            }
        }
    }
}

#[test]
fn limits_and_errors() {
    for (alpha, beta) in [(0.3, 1.0), (1.0, 2.0), (1.9616, 1.0)] {
        assert_eq!(at(alpha, beta, f64::NEG_INFINITY), [0.0; 4]);
        assert!(at(alpha, beta, f64::NAN).iter().all(|x| x.is_nan()));
        let (high, low) = (f64::INFINITY, f64::NEG_INFINITY);
        for z in [1e200, 1e300, f64::MAX, f64::INFINITY] {
            assert_eq!(at(alpha, beta, z), [high, high, low, low], "{alpha} {z}");
        }
        for z in [-1e160, -f64::MAX] {
            assert!(at(alpha, beta, z).iter().all(|x| x.abs() < 1e-100), "{alpha} {z}");
        }
    }
    let error = |alpha, beta| MittagLefflerGradient::new(alpha, beta).unwrap_err();
    assert!(matches!(error(0.0, 1.0), SpecialError::NotPositive { name: "alpha", .. }));
    assert!(matches!(error(f64::NAN, 1.0), SpecialError::NotPositive { name: "alpha", .. }));
    assert!(matches!(error(2.0, 1.0), SpecialError::OutOfRange { name: "alpha", .. }));
    assert!(matches!(error(1.0, f64::NAN), SpecialError::NotFinite { name: "beta", .. }));
    assert!(matches!(error(1.0, -1.5), SpecialError::OutOfRange { name: "beta", .. }));
    assert!(matches!(error(1.0, 101.0), SpecialError::OutOfRange { name: "beta", .. }));
    let e = MittagLefflerGradient::new(0.5, 1.0).unwrap();
    let out = Partials { beta: Some(&mut [0.0][..]), ..Partials::default() };
    let refused = e.eval_slice(&[0.0, 1.0], out);
    assert_eq!(refused, Err(SpecialError::Length { found: 1, expected: 2 }));
    let old = MittagLeffler::new(0.5, 1.0).unwrap();
    assert!((e.eval(-2.0).z - old.derivative(-2.0, 1)).abs() < 1e-14);
}
