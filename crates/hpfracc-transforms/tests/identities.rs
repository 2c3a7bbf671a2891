//! Properties that hold for every signal: linearity, adjoints, inverses, additivity, unitarity,
//! layout.

use hpfracc_testkit::samples;
use hpfracc_transforms::{DiscreteFractionalFourier, FractionalDft, FractionalFourier, Transform};
use ndarray::{Array1, Array2, Array3, Axis, s};
use num_complex::Complex;
use proptest::prelude::*;
use std::f64::consts::PI;

type Signal = Array1<Complex<f64>>;

const N: usize = 24;

fn signal(parts: &[f64]) -> Signal {
    let (re, im) = parts.split_at(parts.len() / 2);
    re.iter().zip(im).map(|(re, im)| Complex::new(*re, *im)).collect()
}

fn inner(a: &Signal, b: &Signal) -> Complex<f64> {
    a.iter().zip(b).map(|(a, b)| a * b.conj()).sum()
}

fn norm(a: &Signal) -> f64 {
    inner(a, a).re.sqrt()
}

/// Linearity and the adjoint, of one transform.
fn linear_with_adjoint<F: Transform<f64>>(a: &F, x: &Signal, z: &Signal, y: &Signal) {
    let ax = a.apply(x.view()).unwrap();
    let factor = Complex::new(0.3, -1.7);
    let combined = a.apply((x * factor + z).view()).unwrap();
    let separate = &ax * factor + a.apply(z.view()).unwrap();
    let scale = 1.0 + norm(x) + norm(z);
    let error = norm(&(combined - separate));
    assert!(error < 1e-13 * scale * (N as f64), "not linear: {error:e}");
    let back = a.vjp(y.view()).unwrap();
    let error = (inner(&ax, y) - inner(x, &back)).norm();
    let scale = norm(&ax) * norm(y) + norm(x) * norm(&back);
    assert!(error <= 1e-14 * scale, "not the adjoint: {error:e} of {scale:e}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn sampled(
        n in 2usize..40,
        order in -5.0..5.0f64,
        parts in samples(240),
    ) {
        let part = |at: usize| signal(&parts[at * 80..at * 80 + 2 * n]);
        let a = FractionalFourier::new(n, order).unwrap();
        linear_with_adjoint(&a, &part(0), &part(1), &part(2));
        // F^a commutes with the reversal; for odd n whatever the data.
        if n % 2 == 1 {
            let x = part(0);
            let reversed = a.apply(x.slice(s![..;-1])).unwrap();
            let expected = a.apply(x.view()).unwrap();
            let error = norm(&(&reversed - &expected.slice(s![..;-1])));
            prop_assert!(error < 1e-12 * (1.0 + norm(&x)), "{:e}", error);
        }
    }

    #[test]
    fn fractional_dft(
        n in 1usize..40,
        m in 1usize..40,
        first in -2.0..2.0f64,
        step in -2.0..2.0f64,
        parts in samples(240),
    ) {
        let part = |at: usize, len: usize| signal(&parts[at * 80..at * 80 + 2 * len]);
        let a = FractionalDft::zoom(n, m, first, step).unwrap();
        let x = part(0, n);
        linear_with_adjoint(&a, &x, &part(1, n), &part(2, m));
        let y = a.apply(x.view()).unwrap();
        for (y, u) in y.iter().zip(a.frequencies()) {
            let terms = x.iter().enumerate().map(|(j, x)| x * Complex::cis(-2.0 * PI * j as f64 * u));
            let error = (y - terms.sum::<Complex<f64>>()).norm();
            // The sum's own phases are rounded.
            let ulps = 2.0 * PI * (n * m) as f64 * 4.0 * f64::EPSILON;
            prop_assert!(error < ulps.max(1e-14) * (1.0 + norm(&x)) * n as f64, "{:e}", error);
        }
    }

    #[test]
    fn discrete(
        n in 2usize..40,
        a in -5.0..5.0f64,
        b in -5.0..5.0f64,
        parts in samples(240),
    ) {
        let part = |at: usize| signal(&parts[at * 80..at * 80 + 2 * n]);
        let first = DiscreteFractionalFourier::new(n, a).unwrap();
        let x = part(0);
        linear_with_adjoint(&first, &x, &part(1), &part(2));
        let y = first.apply(x.view()).unwrap();
        prop_assert!((norm(&y) - norm(&x)).abs() < 1e-13 * norm(&x));
        let both = first.at(b).unwrap().apply(y.view()).unwrap();
        let once = first.at(a + b).unwrap().apply(x.view()).unwrap();
        prop_assert!(norm(&(both - once)) < 1e-13 * norm(&x));
    }
}

/// Inside the circle the sampled transform is unitary and additive, and -a is the inverse.
#[test]
fn sampled_is_additive_and_unitary_inside_the_circle() {
    for n in [64, 65, 255, 256, 1024] {
        let at = |order| FractionalFourier::<f64>::new(n, order).unwrap();
        let u = at(0.0).coordinates();
        let x = u.mapv(|u| {
            Complex::new(u - 0.3, 1.0) * (-PI * (u - 0.4) * (u - 0.4)).exp()
                + Complex::cis(PI * (0.3 * u - 0.2) * u) * (-PI * u * u).exp()
        });
        let worst = |a: &Signal, b: &Signal| (a - b).iter().fold(0.0, |m: f64, d| m.max(d.norm()));
        for (a, b) in [(0.3, 0.75), (0.75, 1.4), (1.8, -0.9), (1.2, 1.3), (-0.45, 0.2)] {
            let first = at(a).apply(x.view()).unwrap();
            let both = at(b).apply(first.view()).unwrap();
            let error = worst(&both, &at(a + b).apply(x.view()).unwrap());
            assert!(error < 1.5e-14, "n = {n}, {a} + {b}: {error:e}");
            let error = (norm(&first) / norm(&x) - 1.0).abs();
            assert!(error < 3e-15, "n = {n}, a = {a}: the norm is off by {error:e}");
            let back = at(-a).apply(first.view()).unwrap();
            let error = worst(&back, &x);
            assert!(error < 1e-14, "n = {n}, a = {a}: the inverse is off by {error:e}");
        }
    }
}

#[test]
fn eigenvectors_are_orthonormal_where_eigenvalues_are_double() {
    // The matrix of order zero is V V'.
    for n in [2, 3, 4, 5, 8, 64, 65, 256] {
        let a = DiscreteFractionalFourier::<f64>::new(n, 0.0).unwrap();
        let units = Array2::<Complex<f64>>::eye(n);
        let error =
            (a.apply(units.view()).unwrap() - units).iter().fold(0.0, |m: f64, d| m.max(d.norm()));
        assert!(error < 1e-13, "n = {n}: {error:e}");
    }
}

/// Every axis, memory order and stride gives what single signals give.
fn along_axes<F: Transform<f64>>(make: impl Fn() -> F, along: impl Fn(F, Axis) -> F) {
    let (n, m) = make().lens();
    let entry = |i: usize| Complex::new((i * i % 17) as f64, (i % 5) as f64);
    for axis in 0..3 {
        let mut shape = [2, 3, 4];
        shape[axis] = n;
        let x = Array3::from_shape_fn(shape, |(i, j, k)| entry(i + 7 * j + 31 * k));
        let a = along(make(), Axis(axis));
        let y = a.apply(x.view()).unwrap();
        assert_eq!(y.shape()[axis], m);
        for (x, y) in x.lanes(Axis(axis)).into_iter().zip(y.lanes(Axis(axis))) {
            assert_eq!(make().apply(x).unwrap(), y);
        }
        let back = a.vjp(y.view()).unwrap();
        for (y, x) in y.lanes(Axis(axis)).into_iter().zip(back.lanes(Axis(axis))) {
            assert_eq!(make().vjp(y).unwrap(), x);
        }
        // Fortran order, and a view that runs backwards.
        let mut fortran = Array3::zeros(ndarray::ShapeBuilder::f(ndarray::Dim(shape)));
        fortran.assign(&x);
        assert_eq!(a.apply(fortran.view()).unwrap(), y);
        let turned = x.slice(s![..;-1, ..;-1, ..;-1]);
        assert_eq!(a.apply(turned).unwrap(), a.apply(turned.to_owned().view()).unwrap());
    }
}

#[test]
fn any_axis_and_memory_order() {
    along_axes(|| FractionalFourier::new(6, 0.8).unwrap(), FractionalFourier::along);
    along_axes(|| FractionalFourier::new(7, 2.0).unwrap(), FractionalFourier::along);
    along_axes(
        || DiscreteFractionalFourier::new(6, 0.8).unwrap(),
        DiscreteFractionalFourier::along,
    );
    along_axes(|| FractionalDft::zoom(6, 4, 0.1, 0.03).unwrap(), FractionalDft::along);
}
