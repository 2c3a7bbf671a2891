//! Manufactured solutions with boundary values.

use super::{Boundary, grid};
use Boundary::{Dirichlet, Neumann, Periodic, Robin};
use hpfracc_spatial::{
    Axis, BoxGrid, Complex64, Discretisation, End, Face, FaceValues, Laplacian, SpatialError,
    SpatialOperator,
};
use hpfracc_testkit::{max_abs, observed_order};
use std::f64::consts::PI;

const KAPPA: [f64; 2] = [0.6, 1.7];

/// u(x, y), its gradient, and `u - 0.6 u_xx - 1.7 u_yy`.
fn solution(p: &[f64]) -> (f64, [f64; 2], f64) {
    let (s, c) = (2.0 * PI * p[1] + 0.3).sin_cos();
    let e = (0.8 * p[0]).exp();
    let u = e * (2.0 + s);
    let (xx, yy) = (0.64 * u, -4.0 * PI * PI * e * s);
    (u, [0.8 * u, 2.0 * PI * e * c], u - KAPPA[0] * xx - KAPPA[1] * yy)
}

/// The boundary value g of a condition at a point of the face with this outward normal.
fn value(boundary: Boundary, axis: usize, normal: f64, p: &[f64]) -> f64 {
    let (u, gradient, _) = solution(p);
    match boundary {
        Dirichlet => u,
        Neumann => normal * gradient[axis],
        Robin(beta) => normal * gradient[axis] + beta * u,
        Periodic => f64::NAN,
    }
}

/// Adds the boundary values of all faces.
fn add_all(a: &Laplacian, b: &mut [f64]) {
    for axis in 0..2 {
        let (this, other) = (&a.grid().axes()[axis], &a.grid().axes()[1 - axis]);
        if this.is_periodic() {
            continue;
        }
        for (side, end) in [End::Lower, End::Upper].into_iter().enumerate() {
            let at = this.ends()[side];
            let normal = [-1.0, 1.0][side];
            let g: Vec<f64> = (other.points().iter())
                .map(|q| {
                    let p = if axis == 0 { [at, *q] } else { [*q, at] };
                    value(this.boundaries()[side], axis, normal, &p)
                })
                .collect();
            a.add_boundary_values(Face { axis, end }, FaceValues::Each(&g), b).unwrap();
        }
    }
}

fn error(n: usize, pairs: [[Boundary; 2]; 2], discretisation: Discretisation) -> f64 {
    let axis = |b: [Boundary; 2]| {
        let d = if b[0] == Periodic { Discretisation::Second } else { discretisation };
        Axis::new(0.0, 1.0, n, b).unwrap().with(d).unwrap()
    };
    let grid = grid(pairs.map(axis).to_vec());
    let exact = grid.sample(|p| solution(p).0);
    let mut u = grid.sample(|p| solution(p).2);
    let a = Laplacian::new(grid, &KAPPA).unwrap();
    add_all(&a, &mut u);
    a.shifted(Complex64::ONE).unwrap().solve_real(&mut u).unwrap();
    max_abs(&u.iter().zip(&exact).map(|(u, v)| u - v).collect::<Vec<_>>())
}

#[test]
fn boundary_values_keep_order_two() {
    let pairs = [
        [Dirichlet, Dirichlet],
        [Neumann, Neumann],
        [Dirichlet, Neumann],
        [Robin(0.5), Robin(3.0)],
        [Robin(2.0), Dirichlet],
        [Periodic, Periodic],
    ];
    for (k, first) in pairs[..5].iter().enumerate() {
        let both = [*first, pairs[(k + 3) % 6]];
        let errors =
            [64, 96, 128].map(|n| (1.0 / n as f64, error(n, both, Discretisation::Second)));
        let order = observed_order(&errors);
        assert!((order - 2.0).abs() < 0.1, "{both:?}: {order} {errors:?}");
    }
}

#[test]
fn boundary_values_on_legendre_points_converge_spectrally() {
    for pair in [[Dirichlet, Neumann], [Robin(0.5), Dirichlet], [Neumann, Robin(3.0)]] {
        let error = error(28, [pair, [Dirichlet, Robin(1.0)]], Discretisation::Legendre);
        assert!(error < 1e-11, "{pair:?}: {error:e}");
    }
}

#[test]
fn constants_are_solutions_of_constant_boundary_values() {
    for discretisation in [Discretisation::Second, Discretisation::Fourth] {
        let axis = Axis::new(0.0, 1.0, 16, [Dirichlet, Neumann]).unwrap();
        let grid = grid(vec![axis.with(discretisation).unwrap()]);
        let a = Laplacian::new(grid, &[2.0]).unwrap();
        let mut u = vec![0.0; 16];
        let lower = Face { axis: 0, end: End::Lower };
        a.add_boundary_values(lower, FaceValues::Constant(3.0), &mut u).unwrap();
        a.shifted(Complex64::ZERO).unwrap().solve_real(&mut u).unwrap();
        assert!(u.iter().all(|u| (u - 3.0).abs() < 1e-12), "{u:?}");
    }
}

#[test]
fn bad_faces_and_values_are_refused() {
    let x = Axis::new(0.0, 1.0, 4, [Dirichlet; 2]).unwrap();
    let y = Axis::periodic(0.0, 1.0, 5).unwrap();
    let a = Laplacian::new(BoxGrid::new(vec![x, y]).unwrap(), &[1.0, 1.0]).unwrap();
    let add = |axis, values: FaceValues<'_>, len| {
        let face = Face { axis, end: End::Upper };
        a.add_boundary_values(face, values, &mut vec![0.0; len])
    };
    let one = FaceValues::Constant(1.0);
    assert!(matches!(add(1, one, 20), Err(SpatialError::Axis { axis: 1, .. })));
    assert!(matches!(add(2, one, 20), Err(SpatialError::Axis { axis: 2, .. })));
    assert!(matches!(add(0, one, 19), Err(SpatialError::Length { found: 19, .. })));
    let short = FaceValues::Each(&[1.0; 4]);
    assert!(matches!(add(0, short, 20), Err(SpatialError::Length { expected: 5, .. })));
    let bad = FaceValues::Each(&[1.0, 1.0, f64::NAN, 1.0, 1.0]);
    assert!(matches!(add(0, bad, 20), Err(SpatialError::NotFinite { index: 2, .. })));
}
