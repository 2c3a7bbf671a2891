//! The normal distribution against the scaled complementary error function.

use hpfracc_lanes::Elementary;
use hpfracc_special::erfcx;

/// With the square of a number of few bits, which is exact, and the rest.
fn density(x: f64) -> f64 {
    let few = f64::from(x as f32);
    (-0.5 * few * few).exp() * (-0.5 * (x - few) * (x + few)).exp() / std::f64::consts::TAU.sqrt()
}

fn distribution(x: f64) -> f64 {
    let mills =
        (0.5 * std::f64::consts::PI).sqrt() * erfcx(x.abs() * std::f64::consts::FRAC_1_SQRT_2);
    let tail = mills * density(x);
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// Largest relative error over arguments of all sizes, in roundings.
fn worst<T: Elementary>(range: (f64, f64), ours: fn(T) -> T, exact: fn(f64) -> f64) -> f64 {
    let (a, b) = range;
    let mut worst = 0.0f64;
    for i in 0..20_001 {
        let even = a + (b - a) * f64::from(i) / 20_000.0;
        let tiny = even * 2f64.powi(-(i % 30));
        for x in [T::narrow(even), T::narrow(tiny)] {
            let expected = exact(x.widen());
            let error = ((ours(x).widen() - expected) / expected).abs();
            if expected != 0.0 {
                worst = worst.max(error / T::EPSILON.widen());
            }
        }
    }
    worst
}

fn check<T: Elementary>(bounds: [f64; 2]) {
    let found = [
        worst::<T>((-12.0, 8.0), |x| x.normal().0, distribution),
        worst::<T>((-12.0, 12.0), |x| x.normal().1, density),
    ];
    println!("{}: {found:?} roundings", T::NAME);
    assert!(found[0] < bounds[0] && found[1] < bounds[1], "{}: {found:?} roundings", T::NAME);
}

#[test]
fn distribution_and_density() {
    check::<f32>([4.0, 4.0]);
    // The references themselves err by a rounding or more.
    check::<f64>([8.0, 4.0]);
}

/// Largest absolute errors of distribution function and density over all sizes of arguments.
fn absolute_errors<T: Elementary>() -> [f64; 2] {
    let mut worst = [0.0f64; 2];
    for i in 0..=200_000 {
        let x = T::narrow(-10.0 + 20.0 * f64::from(i) / 200_000.0);
        let (exact, found) = (x.widen(), x.absolute_normal());
        worst[0] = worst[0].max((found.0.widen() - distribution(exact)).abs());
        worst[1] = worst[1].max((found.1.widen() - density(exact)).abs());
    }
    worst
}

#[test]
fn absolute_distribution_and_density() {
    let [distribution, density] = absolute_errors::<f32>();
    assert!(distribution < 1.8e-7 && density < 1e-7, "{distribution:e} {density:e}");
    let [distribution, density] = absolute_errors::<f64>();
    assert!(distribution < 5e-16 && density < 4e-16, "{distribution:e} {density:e}");
    for (x, limit) in [(-f32::INFINITY, 0.0), (-5.7, 0.0), (0.0, 0.5), (6.0, 1.0), (f32::MAX, 1.0)]
    {
        assert_eq!(x.absolute_normal().0, limit, "{x}");
    }
    assert!(f32::NAN.absolute_normal().0.is_nan() && f32::NAN.absolute_normal().1.is_nan());
}
