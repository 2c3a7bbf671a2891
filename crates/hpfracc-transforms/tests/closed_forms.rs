//! Functions whose transforms are known: Gaussians, shifted ones, Hermite functions, tones.

use hpfracc_transforms::{DiscreteFractionalFourier, FractionalDft, FractionalFourier, Transform};
use ndarray::Array1;
use num_complex::Complex;
use std::f64::consts::{FRAC_PI_2, PI};

type Signal = Array1<Complex<f64>>;

const ORDERS: [f64; 12] = [0.0, 0.3, 0.5, 0.75, 1.0, 1.4, 1.8, 2.0, 2.6, 3.3, -0.2, -6.45];
const LENGTHS: [usize; 5] = [64, 65, 256, 255, 1024];

fn distance(a: &Signal, b: &Signal) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0.0, |m: f64, (a, b)| {
        let d = (a - b).norm();
        if d.is_nan() { d } else { m.max(d) }
    })
}

fn transformed(n: usize, order: f64, f: impl Fn(f64) -> f64) -> (Array1<f64>, Signal) {
    let transform = FractionalFourier::<f64>::new(n, order).unwrap();
    let u = transform.coordinates();
    let samples = u.mapv(|x| Complex::from(f(x)));
    let result = transform.apply(samples.view()).unwrap();
    (u, result)
}

#[test]
fn the_gaussian_stays_itself() {
    let gaussian = |x: f64| (-PI * x * x).exp();
    for n in LENGTHS {
        for order in ORDERS {
            let (u, y) = transformed(n, order, gaussian);
            let error = distance(&y, &u.mapv(|u| Complex::from(gaussian(u))));
            println!("n = {n}, a = {order}: {error:.1e}");
            assert!(error < 3e-15, "n = {n}, a = {order}: {error:e}");
        }
    }
}

#[test]
fn the_third_hermite_function_turns_by_three_angles() {
    let hermite = |x: f64| {
        let t = (2.0 * PI).sqrt() * x;
        (8.0 * t * t * t - 12.0 * t) / 48f64.sqrt() * (-PI * x * x).exp()
    };
    for n in LENGTHS {
        for order in ORDERS {
            let (u, y) = transformed(n, order, hermite);
            let eigenvalue = Complex::cis(-1.5 * PI * order);
            let error = distance(&y, &u.mapv(|u| eigenvalue * hermite(u)));
            assert!(error < 8e-15, "n = {n}, a = {order}: {error:e}");
        }
    }
}

#[test]
fn a_shifted_gaussian_turns_in_the_plane() {
    for n in LENGTHS {
        for order in ORDERS {
            // From 3.5 inside the circle on, what is left outside is below rounding.
            for x0 in [3.5 - 0.5 * (n as f64).sqrt(), 0.4] {
                let (sin, cos) = (order * FRAC_PI_2).sin_cos();
                let (u, y) = transformed(n, order, |x| (-PI * (x - x0) * (x - x0)).exp());
                let exact = u.mapv(|u| {
                    let size = (-PI * (u - x0 * cos) * (u - x0 * cos)).exp();
                    size * Complex::cis(-PI * (2.0 * u * x0 * sin - x0 * x0 * sin * cos))
                });
                let error = distance(&y, &exact);
                // The phases of the closed form are rounded here, too.
                let bound = 5e-15 + f64::EPSILON * PI * x0.abs() * (n as f64).sqrt();
                assert!(error < bound, "n = {n}, a = {order}, x0 = {x0}: {error:e}");
            }
        }
    }
}

#[test]
fn single_precision_has_its_digits() {
    for n in [64, 255] {
        for order in [0.3_f64, 1.0, 1.4] {
            let transform = FractionalFourier::<f32>::new(n, order).unwrap();
            let u = transform.coordinates();
            let x0 = 0.7;
            let x = u.mapv(|x| Complex::from((-PI * (x - x0) * (x - x0)).exp() as f32));
            let y = transform.apply(x.view()).unwrap();
            let (sin, cos) = (order * FRAC_PI_2).sin_cos();
            for (u, y) in u.iter().zip(&y) {
                let size = (-PI * (u - x0 * cos) * (u - x0 * cos)).exp();
                let exact = size * Complex::cis(-PI * (2.0 * u * x0 * sin - x0 * x0 * sin * cos));
                let error = (Complex::new(f64::from(y.re), f64::from(y.im)) - exact).norm();
                assert!(error < 1e-6, "n = {n}, a = {order}, u = {u}: {error:e}");
            }
        }
    }
}

/// The centred unitary DFT, as a sum.
fn dft(x: &Signal) -> Signal {
    let n = x.len() as i64;
    let c = n / 2;
    let row = |k: i64| {
        let terms = x.iter().enumerate().map(|(j, x)| {
            let turns = ((k - c) * (j as i64 - c)).rem_euclid(n) as f64 / n as f64;
            x * Complex::cis(-2.0 * PI * turns)
        });
        terms.sum::<Complex<f64>>() / (n as f64).sqrt()
    };
    (0..n).map(row).collect()
}

/// Data of every kind: neither smooth nor small at the ends.
fn noise(n: usize) -> Signal {
    let at = |j: usize| ((j * j * 37 + j * 11 + 5) % 101) as f64 / 50.0 - 1.0;
    (0..n).map(|j| Complex::new(at(j), at(j + 1000))).collect()
}

#[test]
fn order_one_is_the_unitary_dft_for_any_data() {
    for n in [2, 3, 4, 5, 8, 64, 65, 255, 256] {
        let x = noise(n);
        let exact = dft(&x);
        let sampled = FractionalFourier::<f64>::new(n, 1.0).unwrap().apply(x.view()).unwrap();
        let error = distance(&sampled, &exact);
        assert!(error < 1e-14, "sampled, n = {n}: {error:e}");
        let back = FractionalFourier::<f64>::new(n, -1.0).unwrap().apply(exact.view()).unwrap();
        let error = distance(&back, &x);
        assert!(error < 1e-14, "sampled, inverse, n = {n}: {error:e}");
        let discrete = DiscreteFractionalFourier::<f64>::new(n, 1.0).unwrap();
        let error = distance(&discrete.apply(x.view()).unwrap(), &exact);
        println!("discrete, n = {n}: {error:.1e}");
        assert!(error < 1e-13, "discrete, n = {n}: {error:e}");
    }
}

#[test]
fn order_two_reverses_and_order_four_does_nothing() {
    for n in [2, 3, 8, 9, 64, 65] {
        let x = noise(n);
        let c = n / 2;
        let reversed: Signal = (0..n).map(|j| x[(2 * c + n - j) % n]).collect();
        for (order, exact) in [(0.0, &x), (2.0, &reversed), (-2.0, &reversed), (8.0, &x)] {
            let sampled = FractionalFourier::<f64>::new(n, order).unwrap();
            assert_eq!(&sampled.apply(x.view()).unwrap(), exact, "n = {n}, a = {order}");
            let discrete = DiscreteFractionalFourier::<f64>::new(n, order).unwrap();
            assert!(distance(&discrete.apply(x.view()).unwrap(), exact) < 1e-13, "n = {n}");
        }
        // Nothing jumps at the orders that only permute.
        for (order, exact) in
            [(1e-13, &x), (-1e-13, &x), (2.0 - 1e-13, &reversed), (2.0 + 1e-13, &reversed)]
        {
            let near = FractionalFourier::<f64>::new(n, order).unwrap();
            let error = distance(&near.apply(x.view()).unwrap(), exact);
            assert!(error > 0.0 && error < 1e-10, "n = {n}, a = {order}: {error:e}");
        }
    }
}

/// The discrete transform is a unitary matrix's power, near the integral transform only to about
/// 1/N.
#[test]
fn the_discrete_transform_approaches_the_integral() {
    let errors: Vec<f64> = [32, 128, 512]
        .into_iter()
        .map(|n| {
            let transform = DiscreteFractionalFourier::<f64>::new(n, 0.6).unwrap();
            let x0 = 0.7;
            let (sin, cos) = (0.6 * FRAC_PI_2).sin_cos();
            let u = transform.coordinates();
            let x = u.mapv(|x| Complex::from((-PI * (x - x0) * (x - x0)).exp()));
            let exact = u.mapv(|u| {
                let size = (-PI * (u - x0 * cos) * (u - x0 * cos)).exp();
                size * Complex::cis(-PI * (2.0 * u * x0 * sin - x0 * x0 * sin * cos))
            });
            distance(&transform.apply(x.view()).unwrap(), &exact)
        })
        .collect();
    println!("errors at n = 32, 128, 512: {errors:?}");
    let orders = [(errors[0] / errors[1]).log2() / 2.0, (errors[1] / errors[2]).log2() / 2.0];
    assert!(orders.iter().all(|order| (order - 1.0).abs() < 0.2), "{errors:?} {orders:?}");
}

#[test]
fn the_fractional_dft_with_step_one_over_n_is_the_dft() {
    for n in [1, 2, 5, 64, 100] {
        let x = noise(n);
        let y = FractionalDft::<f64>::new(n, 1.0 / n as f64).unwrap().apply(x.view()).unwrap();
        for (k, y) in y.iter().enumerate() {
            let terms = x
                .iter()
                .enumerate()
                .map(|(j, x)| x * Complex::cis(-2.0 * PI * (j * k % n) as f64 / n as f64));
            let error = (y - terms.sum::<Complex<f64>>()).norm();
            assert!(error < 1e-13 * n as f64, "n = {n}, k = {k}: {error:e}");
        }
    }
}

/// `exp(-pi (j - j0)^2 / w^2)` samples the integral: `w exp(-pi w^2 u^2 - 2 pi i u j0)`.
#[test]
fn the_fractional_dft_of_a_gaussian() {
    let (j0, w) = (50.0, 11.0);
    let x: Array1<Complex<f64>> =
        (0..101).map(|j| Complex::from((-PI * ((f64::from(j) - j0) / w).powi(2)).exp())).collect();
    let transform = FractionalDft::<f64>::zoom(101, 40, -0.1, 0.005).unwrap();
    let y = transform.apply(x.view()).unwrap();
    for (u, y) in transform.frequencies().iter().zip(&y) {
        let exact = w * (-PI * w * w * u * u).exp() * Complex::cis(-2.0 * PI * u * j0);
        assert!((y - exact).norm() < 1e-13, "u = {u}: {y} {exact}");
    }
}

#[test]
fn whole_cycles_per_sample_do_nothing() {
    let x = noise(50);
    let at = |first, step| FractionalDft::<f64>::zoom(50, 30, first, step).unwrap();
    let expected = at(0.25, 0.125).apply(x.view()).unwrap();
    let whole = |bits: i32| f64::from(bits).exp2();
    let shifted = at(0.25 + whole(48), 0.125 - whole(47)).apply(x.view()).unwrap();
    assert_eq!(shifted, expected);
}
