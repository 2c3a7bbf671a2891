//! Gradients with respect to the order against differences. Those with respect to the input are adjoints:
//! tests/identities.rs.

use hpfracc_transforms::{DiscreteFractionalFourier, FractionalFourier, Transform};
use ndarray::{Array1, Array2, Axis};
use num_complex::Complex;

fn entry(i: usize) -> Complex<f64> {
    Complex::new(((i * i + 3) % 17) as f64 / 8.0 - 1.0, (i % 5) as f64 / 2.0 - 1.0)
}

fn loss(y: &Array2<Complex<f64>>, ybar: &Array2<Complex<f64>>) -> f64 {
    y.iter().zip(ybar).map(|(y, b)| (y * b.conj()).re).sum()
}

/// `gradient(a)` against a difference of fourth order of the losses around it.
fn check(name: &str, gradient: f64, scale: f64, at: impl Fn(f64) -> f64) {
    let h = 1e-3;
    let difference = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
    let error = (gradient - difference).abs();
    assert!(gradient.abs() > 1e-3, "{name}: nothing to compare");
    assert!(error < 1e-6 * scale, "{name}: {gradient} {difference}");
}

/// Any data: it is the derivative of what is computed, not only of the integral.
#[test]
fn in_the_order() {
    for n in [12, 13] {
        let x = Array2::from_shape_fn((3, n), |(i, j)| entry(5 * i + j));
        let ybar = Array2::from_shape_fn((3, n), |(i, j)| entry(7 * i + 3 * j + 1));
        for a in [0.0, 0.3, 0.7, 1.0, 1.4, 2.0, -0.9, 3.2] {
            let sampled = FractionalFourier::<f64>::new(n, a).unwrap();
            let gradient = sampled.vjp_order(x.view(), ybar.view()).unwrap();
            check(&format!("sampled, n = {n}, a = {a}"), gradient, 100.0, |h| {
                loss(&sampled.at(a + h).unwrap().apply(x.view()).unwrap(), &ybar)
            });
            let discrete = DiscreteFractionalFourier::<f64>::new(n, a).unwrap();
            let gradient = discrete.vjp_order(x.view(), ybar.view()).unwrap();
            check(&format!("discrete, n = {n}, a = {a}"), gradient, 100.0, |h| {
                loss(&discrete.at(a + h).unwrap().apply(x.view()).unwrap(), &ybar)
            });
            // The other axis, the same signals.
            let columns = sampled.along(Axis(0));
            let turned = columns.vjp_order(x.t(), ybar.t()).unwrap();
            assert_eq!(turned, columns.at(a).unwrap().vjp_order(x.t(), ybar.t()).unwrap());
        }
    }
}

/// `F^a` of the Hermite function k is `exp(-i a k pi/2)` times it.
#[test]
fn of_an_eigenfunction() {
    use std::f64::consts::PI;
    for n in [64, 65] {
        for a in [0.0, 0.3, 1.0, 1.7, 2.0] {
            let transform = FractionalFourier::<f64>::new(n, a).unwrap();
            let u = transform.coordinates();
            let hermite = u.mapv(|u| Complex::from(u * (-PI * u * u).exp()));
            let ybar: Array1<_> = (0..n).map(entry).collect();
            let gradient = transform.vjp_order(hermite.view(), ybar.view()).unwrap();
            let slope = Complex::new(0.0, -0.5 * PI) * Complex::cis(-0.5 * PI * a);
            let products = hermite.iter().zip(&ybar).map(|(h, b)| (slope * h * b.conj()).re);
            let exact = products.sum::<f64>();
            assert!((gradient - exact).abs() < 1e-12, "n = {n}, a = {a}: {gradient} {exact}");
        }
    }
}
