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
