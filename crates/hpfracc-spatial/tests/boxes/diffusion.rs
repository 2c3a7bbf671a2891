//! Diffusion with variable coefficients.

use super::conformance::{Conformance, apply, random};
use super::{BOUNDARIES, Boundary, cells, grid};
use Boundary::{Dirichlet, Neumann, Periodic, Robin};
use hpfracc_spatial::{
    Axis, BoxGrid, Complex64, Diffusion, Discretisation, End, Face, FaceValues, Laplacian,
    SpatialError, SpatialOperator, Stopping,
};
use hpfracc_testkit::{max_abs, observed_order, relative_max_error};
use std::f64::consts::PI;

/// Smooth, and periodic over the axes of `cells`.
fn kappa(p: &[f64]) -> f64 {
    let waves = p.iter().enumerate().map(|(d, x)| (2.0 * PI * x / 1.4 + d as f64).sin());
    (0.8 * waves.sum::<f64>()).exp()
}

#[test]
fn constant_coefficients_are_the_laplacian() {
    for (k, boundaries) in BOUNDARIES.into_iter().enumerate() {
        let axes =
            [cells(7, boundaries), cells(6, BOUNDARIES[(k + 5) % 9]), cells(5, BOUNDARIES[k])];
        for dim in 1..=3 {
            let grid = grid(axes[..dim].to_vec());
            let x = random(grid.len(), 1);
            let expected = apply(&Laplacian::new(grid.clone(), &[1.7; 3][..dim]).unwrap(), &x);
            let diffusion = Diffusion::new(grid.clone(), |_| 1.7).unwrap();
            assert!(relative_max_error(&apply(&diffusion, &x), &expected) < 1e-14);
            let layers = Diffusion::from_cells(grid, &vec![1.7; x.len()]).unwrap();
            assert!(relative_max_error(&apply(&layers, &x), &expected) < 1e-14);
        }
    }
}

#[test]
fn one_axis_conforms() {
    for boundaries in BOUNDARIES {
        for n in [3, 4, 50] {
            let grid = grid(vec![cells(n, boundaries)]);
            let diffusion = Diffusion::new(grid, kappa).unwrap();
            Conformance::default().check(&diffusion);
            let c = random(n, 1).iter().map(|c| 1.0 + c).collect();
            Conformance::default().check(&diffusion.with_reaction(c).unwrap());
        }
    }
}

#[test]
fn two_and_three_axes_conform() {
    for (k, boundaries) in BOUNDARIES.into_iter().enumerate() {
        let pair = vec![cells(13, boundaries), cells(10, BOUNDARIES[(k + 4) % 9])];
        let diffusion = Diffusion::new(grid(pair), kappa).unwrap();
        Conformance::default().check(&diffusion);
        let c = random(130, 1).iter().map(|c| 1.0 + c).collect();
        Conformance::default().check(&diffusion.with_reaction(c).unwrap());
    }
    let axes = vec![cells(5, BOUNDARIES[1]), cells(6, BOUNDARIES[0]), cells(7, BOUNDARIES[6])];
    Conformance::default().check(&Diffusion::new(grid(axes), kappa).unwrap());
}

#[test]
fn layers_are_exact() {
    // kappa = 1 and 10: the flux is constant, u is linear in each layer.
    let grid = grid(vec![Axis::new(0.0, 1.0, 10, [Dirichlet; 2]).unwrap()]);
    let values = grid.sample(|x| if x[0] < 0.5 { 1.0 } else { 10.0 });
    let flux = 1.0 / (0.5 + 0.05);
    let exact = grid.sample(|x| flux * (x[0].min(0.5) + (x[0] - 0.5).max(0.0) / 10.0));
    let a = Diffusion::from_cells(grid, &values).unwrap();
    let mut u = vec![0.0; 10];
    let upper = Face { axis: 0, end: End::Upper };
    a.add_boundary_values(upper, FaceValues::Constant(1.0), &mut u).unwrap();
    a.shifted(Complex64::ZERO).unwrap().solve_real(&mut u).unwrap();
    assert!(relative_max_error(&u, &exact) < 1e-14, "{u:?} {exact:?}");
}

/// u = sin(x + 0.5) cos(2 y), kappa = exp(x + y / 2), c = 1 + x: the right-hand side, and the
/// boundary values.
fn manufactured(n: usize, pairs: [[Boundary; 2]; 2]) -> f64 {
    let grid = grid(pairs.map(|b| Axis::new(0.0, 1.0, n, b).unwrap()).to_vec());
    let u = |p: &[f64]| (p[0] + 0.5).sin() * (2.0 * p[1]).cos();
    let slopes = |p: &[f64]| {
        [(p[0] + 0.5).cos() * (2.0 * p[1]).cos(), -2.0 * (p[0] + 0.5).sin() * (2.0 * p[1]).sin()]
    };
    let kappa = |p: &[f64]| (p[0] + 0.5 * p[1]).exp();
    let c = grid.sample(|p| 1.0 + p[0]);
    let mut b = grid.sample(|p| {
        let [x, y] = slopes(p);
        -kappa(p) * (x + 0.5 * y - 5.0 * u(p)) + (1.0 + p[0]) * u(p)
    });
    let exact = grid.sample(u);
    let points = grid.axes()[0].points().to_vec();
    let a = Diffusion::new(grid, kappa).unwrap().with_reaction(c).unwrap();
    for (axis, pair) in pairs.iter().enumerate() {
        for (side, end) in [End::Lower, End::Upper].into_iter().enumerate() {
            let g = |q: f64| {
                let p = if axis == 0 { [side as f64, q] } else { [q, side as f64] };
                let normal = slopes(&p)[axis] * [-1.0, 1.0][side];
                match pair[side] {
                    Dirichlet => u(&p),
                    Neumann => normal,
                    Robin(beta) => normal + beta * u(&p),
                    Periodic => unreachable!(),
                }
            };
            let values: Vec<f64> = points.iter().map(|q| g(*q)).collect();
            a.add_boundary_values(Face { axis, end }, FaceValues::Each(&values), &mut b).unwrap();
        }
    }
    let solver = a.solver(Complex64::ZERO).unwrap();
    hpfracc_spatial::ShiftedSolver::solve_real(&solver, &mut b).unwrap();
    assert!((1..30).contains(&solver.iterations()), "{}", solver.iterations());
    max_abs(&b.iter().zip(&exact).map(|(a, b)| a - b).collect::<Vec<_>>())
}

#[test]
fn variable_coefficients_have_order_two() {
    for pairs in [
        [[Dirichlet, Dirichlet], [Neumann, Dirichlet]],
        [[Neumann, Neumann], [Robin(2.0), Neumann]],
        [[Robin(0.3), Dirichlet], [Dirichlet, Robin(1.0)]],
    ] {
        let errors = [32, 64, 96].map(|n| (1.0 / n as f64, manufactured(n, pairs)));
        let order = observed_order(&errors);
        assert!((order - 2.0).abs() < 0.1, "{pairs:?}: {order} {errors:?}");
    }
}

#[test]
fn iterations_do_not_grow_with_the_number_of_cells() {
    let iterations = |n: usize, z: Complex64, contrast: f64| {
        let grid = grid(vec![cells(n, [Dirichlet; 2]), cells(n, [Neumann; 2])]);
        let smooth = move |p: &[f64]| {
            let wave = (2.0 * PI * p[0] / 1.4).sin() * (PI * (p[1] + 0.3) / 1.4).cos();
            contrast.powf(0.5 * wave)
        };
        let a = Diffusion::new(grid, smooth)
            .unwrap()
            .with_stopping(Stopping { tolerance: 1e-8, ..Stopping::default() })
            .unwrap();
        let solver = a.solver(z).unwrap();
        let mut x: Vec<Complex64> = random(n * n, 1).into_iter().map(Complex64::from).collect();
        hpfracc_spatial::ShiftedSolver::solve(&solver, &mut x).unwrap();
        solver.iterations()
    };
    for (z, contrast, most) in [
        (Complex64::ZERO, 1.0, 1),
        (Complex64::ZERO, 10.0, 11),
        (Complex64::ZERO, 100.0, 14),
        (Complex64::new(-3.0, 10.0), 10.0, 11),
        (Complex64::new(-30.0, 100.0), 10.0, 19),
        (Complex64::new(-30.0, 100.0), 100.0, 37),
    ] {
        let counts = [16, 32, 64].map(|n| iterations(n, z, contrast));
        assert!(counts.iter().all(|c| *c <= most), "{z} {contrast}: {counts:?}");
    }
}

#[test]
fn jumps_take_more_iterations() {
    // A checkerboard of 8 x 8 blocks with kappa = 1 and 100.
    let iterations = |n: usize, z: Complex64| {
        let grid = grid(vec![cells(n, [Dirichlet; 2]), cells(n, [Neumann; 2])]);
        let block = |x: f64| ((x + 0.3) / 1.4 * 8.0) as usize;
        let even = |p: &[f64]| (block(p[0]) + block(p[1])).is_multiple_of(2);
        let kappa = grid.sample(|p| if even(p) { 1.0 } else { 100.0 });
        let a = Diffusion::from_cells(grid, &kappa)
            .unwrap()
            .with_stopping(Stopping { tolerance: 1e-8, ..Stopping::default() })
            .unwrap();
        let solver = a.solver(z).unwrap();
        let mut x: Vec<Complex64> = random(n * n, 1).into_iter().map(Complex64::from).collect();
        hpfracc_spatial::ShiftedSolver::solve(&solver, &mut x).unwrap();
        solver.iterations()
    };
    for z in [Complex64::ZERO, Complex64::new(-3.0, 10.0), Complex64::new(-30.0, 100.0)] {
        let counts = [16, 32, 64].map(|n| iterations(n, z));
        assert!(counts.iter().all(|c| *c <= 110), "{z}: {counts:?}");
    }
}

#[test]
fn threads_do_not_change_the_bits() {
    let grid = grid(vec![cells(140, BOUNDARIES[1]), cells(130, BOUNDARIES[0])]);
    let a = Diffusion::new(grid, kappa).unwrap();
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut x = random(a.len(), 3);
            a.shifted(Complex64::ONE).unwrap().solve_real(&mut x).unwrap();
            x
        })
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn bad_coefficients_are_refused_with_their_place() {
    let plane = grid(vec![cells(4, BOUNDARIES[1]), cells(5, BOUNDARIES[0])]);
    let negative = |p: &[f64]| if p[0] > 0.9 && p[1] > 0.9 { -1.0 } else { 1.0 };
    let found = Diffusion::new(plane.clone(), negative).err();
    let place = SpatialError::FaceValue {
        what: "kappa",
        axis: 0,
        index: 24,
        value: -1.0,
        expected: "a positive number",
    };
    assert_eq!(found, Some(place));
    let found = Diffusion::new(plane.clone(), |p| 1.0 + (p[1] + 0.3)).err();
    assert!(matches!(found, Some(SpatialError::FaceValue { axis: 1, index: 5, .. })), "{found:?}");
    let mut values = vec![1.0; 20];
    assert!(Diffusion::from_cells(plane.clone(), &values[1..]).is_err());
    values[7] = f64::NAN;
    let found = Diffusion::from_cells(plane.clone(), &values).err();
    assert!(matches!(found, Some(SpatialError::CellValue { index: 7, .. })), "{found:?}");
    let a = || Diffusion::new(plane.clone(), |_| 1.0).unwrap();
    values[7] = -1.0;
    let found = a().with_reaction(values).err();
    assert!(matches!(found, Some(SpatialError::CellValue { what: "reaction", index: 7, .. })));
    assert!(matches!(
        a().with_stopping(Stopping { tolerance: 0.0, ..Stopping::default() }),
        Err(SpatialError::OutOfRange { .. })
    ));
    let legendre = cells(6, BOUNDARIES[1]).with(Discretisation::Legendre).unwrap();
    let found =
        Diffusion::new(BoxGrid::new(vec![cells(4, BOUNDARIES[0]), legendre]).unwrap(), |_| 1.0);
    assert!(matches!(found, Err(SpatialError::Axis { axis: 1, .. })));
}
