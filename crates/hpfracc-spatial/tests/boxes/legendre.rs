//! Legendre points.

use super::conformance::{Conformance, apply};
use super::{BOUNDARIES, Boundary, axis, cells, grid};
use hpfracc_spatial::{Axis, Discretisation, Laplacian, Modes};
use std::f64::consts::PI;

#[test]
fn points_and_weights_are_those_of_the_quadrature() {
    let axis = Axis::new(-1.0, 1.0, 5, [Boundary::Neumann; 2]).unwrap();
    let axis = axis.with(Discretisation::Legendre).unwrap();
    let x = (3.0_f64 / 7.0).sqrt();
    for (found, exact) in axis.points().iter().zip([-1.0, -x, 0.0, x, 1.0]) {
        assert!((found - exact).abs() < 1e-15, "{found} {exact}");
    }
    for (found, exact) in axis.weights().iter().zip([0.1, 49.0 / 90.0, 32.0 / 45.0]) {
        assert!((found - exact).abs() < 1e-15, "{found} {exact}");
    }
}

#[test]
fn operators_conform() {
    for boundaries in &BOUNDARIES[1..] {
        for n in [3, 4, 17, 40] {
            let axis = axis(n, *boundaries, Discretisation::Legendre);
            Conformance::default().check(&Laplacian::new(grid(vec![axis]), &[0.7]).unwrap());
        }
        let pair = vec![axis(11, *boundaries, Discretisation::Legendre), cells(6, BOUNDARIES[0])];
        Conformance::default().check(&Laplacian::new(grid(pair), &[0.7, 1.0]).unwrap());
    }
}

#[test]
fn low_eigenvalues_are_those_of_the_interval() {
    for (boundaries, first) in [
        ([Boundary::Dirichlet; 2], 1.0),
        ([Boundary::Neumann; 2], 0.0),
        ([Boundary::Neumann, Boundary::Dirichlet], 0.5),
    ] {
        for n in [32, 200] {
            let axis = Axis::new(0.0, 1.0, n, boundaries).unwrap();
            let grid = grid(vec![axis.with(Discretisation::Legendre).unwrap()]);
            let a = Laplacian::new(grid, &[1.0]).unwrap();
            for k in 0..8 {
                let exact = (PI * (k as f64 + first)).powi(2);
                let found = Modes::eigenvalues(&a)[k];
                assert!((found - exact).abs() <= 2e-11 * exact, "{n} {k}: {found} {exact}");
            }
        }
    }
}

#[test]
fn second_derivatives_of_polynomials_are_exact() {
    let axis = Axis::new(-1.0, 1.0, 12, [Boundary::Dirichlet; 2]).unwrap();
    let grid = grid(vec![axis.with(Discretisation::Legendre).unwrap()]);
    let u = grid.sample(|x| 1.0 - x[0].powi(6));
    let exact = grid.sample(|x| 30.0 * x[0].powi(4));
    let found = apply(&Laplacian::new(grid, &[1.0]).unwrap(), &u);
    for (found, exact) in found.iter().zip(&exact) {
        assert!((found - exact).abs() < 1e-11, "{found} {exact}");
    }
}
