//! Advection, with and without diffusion.

use super::conformance::{Conformance, apply, random};
use super::{BOUNDARIES, Boundary, cells, grid};
use Boundary::{Dirichlet, Neumann, Robin};
use hpfracc_spatial::{
    Advection, AdvectionDiffusion, AdvectionScheme, Axis, Complex64, Diffusion, End, Face,
    FaceValues, Limiter, NullSpace, SpatialError, SpatialOperator,
};
use hpfracc_testkit::{max_abs, observed_order, relative_max_error};
use std::f64::consts::PI;

const LIMITERS: [Limiter; 4] =
    [Limiter::Minmod, Limiter::VanLeer, Limiter::Superbee, Limiter::MonotonizedCentral];

fn schemes() -> Vec<AdvectionScheme> {
    let limited = LIMITERS.map(AdvectionScheme::Limited);
    [AdvectionScheme::Central, AdvectionScheme::Upwind].into_iter().chain(limited).collect()
}

#[test]
fn sums_are_kept_on_periodic_axes_and_without_flux() {
    let axes = [cells(9, BOUNDARIES[0]), cells(7, [Neumann; 2]), cells(8, BOUNDARIES[0])];
    for dim in 1..=3 {
        let grid = grid(axes[..dim].to_vec());
        let mut velocity: Vec<Vec<f64>> = (0..dim)
            .map(|d| {
                let n = axes[d].len();
                random(grid.len() / n * (n + 1), d as u64)
            })
            .collect();
        for (d, v) in velocity.iter_mut().enumerate() {
            let n = axes[d].len();
            let inner: usize = axes[d + 1..dim].iter().map(Axis::len).product();
            for slab in v.chunks_exact_mut((n + 1) * inner) {
                let (first, last) = slab.split_at_mut(n * inner);
                if d == 1 {
                    first[..inner].fill(0.0);
                }
                last.copy_from_slice(&first[..inner]);
            }
        }
        let u = random(grid.len(), 9);
        for scheme in schemes() {
            let a = Advection::from_faces(grid.clone(), velocity.clone(), scheme).unwrap();
            let mut y = vec![f64::NAN; u.len()];
            a.apply(&u, &mut y).unwrap();
            assert!(max_abs(&y) > 0.1);
            assert!(y.iter().sum::<f64>().abs() < 1e-12 * max_abs(&y) * y.len() as f64);
        }
    }
}

#[test]
fn total_variation_does_not_grow() {
    let grid = grid(vec![Axis::periodic(0.0, 1.0, 60).unwrap()]);
    let variation = |u: &[f64]| (0..60).map(|i| (u[(i + 1) % 60] - u[i]).abs()).sum::<f64>();
    for scheme in &schemes()[1..] {
        for v in [1.0, -0.7] {
            let a = Advection::new(grid.clone(), &[v], *scheme).unwrap();
            let mut u = random(60, 4);
            let mut change = vec![0.0; 60];
            for _ in 0..100 {
                let before = variation(&u);
                a.apply(&u, &mut change).unwrap();
                u.iter_mut().zip(&change).for_each(|(u, c)| *u -= 0.5 / 60.0 * c);
                assert!(variation(&u) <= before * (1.0 + 1e-14), "{scheme:?} {v}");
            }
            assert!(variation(&u) > 0.1, "{scheme:?} {v}: not a constant");
        }
    }
}

/// The mean error of `div(v u)` for smooth u without a boundary.
fn error(n: usize, scheme: AdvectionScheme, velocity: [f64; 2]) -> f64 {
    let grid =
        grid(vec![Axis::periodic(0.0, 1.0, n).unwrap(), Axis::periodic(0.0, 2.0, n).unwrap()]);
    let wave = |p: &[f64]| (2.0 * PI * p[0] + PI * p[1]).sin();
    let u = grid.sample(wave);
    let slope = PI * (2.0 * velocity[0] + velocity[1]);
    let exact = grid.sample(|p| slope * (2.0 * PI * p[0] + PI * p[1]).cos());
    let a = Advection::new(grid.clone(), &velocity, scheme).unwrap();
    let mut y = vec![0.0; u.len()];
    a.apply(&u, &mut y).unwrap();
    let difference: Vec<f64> = y.iter().zip(&exact).map(|(a, b)| (a - b).abs()).collect();
    grid.integral(&difference).unwrap()
}

#[test]
fn orders_are_two_and_one() {
    for velocity in [[1.0, 0.5], [-1.0, 0.3], [0.4, -2.0], [-0.7, -0.2]] {
        let order = |scheme| {
            observed_order(&[64, 128, 256].map(|n| (1.0 / n as f64, error(n, scheme, velocity))))
        };
        assert!((order(AdvectionScheme::Central) - 2.0).abs() < 0.1);
        assert!((order(AdvectionScheme::Upwind) - 1.0).abs() < 0.1);
        for limiter in [Limiter::VanLeer, Limiter::MonotonizedCentral] {
            // Order 1 at the extrema, a share h of all cells.
            let order = order(AdvectionScheme::Limited(limiter));
            assert!(order > 1.8, "{limiter:?}: {order}");
        }
    }
}

#[test]
fn boundary_values_enter_with_the_flow() {
    let axis = || Axis::new(0.0, 1.0, 5, [Dirichlet; 2]).unwrap();
    let h = 0.2;
    let u = [1.0, 3.0, 4.0, 4.5, 5.0];
    let lower = Face { axis: 0, end: End::Lower };
    let mut a = Advection::new(grid(vec![axis()]), &[2.0], AdvectionScheme::Upwind).unwrap();
    a.set_boundary_values(lower, FaceValues::Constant(0.5)).unwrap();
    let mut y = [0.0; 5];
    a.apply(&u, &mut y).unwrap();
    for (found, exact) in y.iter().zip([0.5, 2.0, 1.0, 0.5, 0.5]) {
        assert!((found - 2.0 * exact / h).abs() < 1e-12, "{found} {exact}");
    }
    // The same along the first axis of a plane, for each column its own value.
    let plane = grid(vec![axis(), cells(3, BOUNDARIES[0])]);
    let mut a = Advection::new(plane, &[2.0, 0.0], AdvectionScheme::Upwind).unwrap();
    a.set_boundary_values(lower, FaceValues::Each(&[0.5, 0.0, 1.0])).unwrap();
    let field: Vec<f64> = u.iter().flat_map(|u| [*u; 3]).collect();
    let mut y = [0.0; 15];
    a.apply(&field, &mut y).unwrap();
    for (found, exact) in y.iter().zip([0.5, 1.0, 0.0, 2.0, 2.0, 2.0, 1.0, 1.0, 1.0]) {
        assert!((found - 2.0 * exact / h).abs() < 1e-12, "{found} {exact}");
    }
}

#[test]
fn linear_profiles_are_exact_up_to_the_boundary() {
    // u = x has the boundary values 0 and 1, and div(v u) = v.
    for v in [1.5, -1.5] {
        for scheme in [AdvectionScheme::Central, AdvectionScheme::Limited(Limiter::VanLeer)] {
            for dim in [1, 2] {
                let x = Axis::new(0.0, 1.0, 6, [Dirichlet; 2]).unwrap();
                let mut axes = vec![x, cells(4, BOUNDARIES[0])];
                axes.truncate(dim);
                let grid = grid(axes);
                let u = grid.sample(|p| p[0]);
                let mut a = Advection::new(grid, &[v, 0.3][..dim], scheme).unwrap();
                let upper = Face { axis: 0, end: End::Upper };
                a.set_boundary_values(upper, FaceValues::Constant(1.0)).unwrap();
                let mut y = vec![0.0; u.len()];
                a.apply(&u, &mut y).unwrap();
                assert!(y.iter().all(|y| (y - v).abs() < 1e-12), "{v} {scheme:?} {dim}: {y:?}");
            }
        }
    }
}

fn advection_diffusion(
    boundaries: [Boundary; 2],
    n: usize,
    v: impl Fn(f64) -> f64,
    scheme: AdvectionScheme,
) -> AdvectionDiffusion {
    let axis = cells(n, boundaries);
    let h = axis.cell_width();
    let mut velocity: Vec<f64> = (0..=n).map(|j| v(j as f64 * h)).collect();
    if axis.is_periodic() {
        velocity[n] = velocity[0];
    }
    let kappa = |p: &[f64]| 1.0 + 0.5 * (2.0 * PI * p[0] / 1.4).sin();
    let diffusion = Diffusion::new(grid(vec![axis]), kappa).unwrap();
    AdvectionDiffusion::new(&diffusion, &velocity, scheme).unwrap()
}

#[test]
fn advection_diffusion_conforms() {
    let check = Conformance { self_adjoint: false, ..Conformance::default() };
    for boundaries in BOUNDARIES {
        for scheme in [AdvectionScheme::Central, AdvectionScheme::Upwind] {
            for n in [3, 4, 60] {
                for v in [3.0, -3.0, 500.0] {
                    check.check(&advection_diffusion(boundaries, n, |_| v, scheme));
                }
                let closed = |x: f64| 5.0 * x * (1.4 - x) * (1.0 + x);
                check.check(&advection_diffusion(boundaries, n, closed, scheme));
            }
        }
    }
}

#[test]
fn closed_boxes_have_a_null_vector() {
    let closed = |x: f64| if x > 0.01 && x < 1.39 { 5.0 * x } else { 0.0 };
    let a = advection_diffusion([Neumann; 2], 50, closed, AdvectionScheme::Upwind);
    let NullSpace::Components { vector, .. } = a.spectrum().null_space else { panic!() };
    assert!(vector[0] != vector[49]);
    let a = advection_diffusion([Neumann; 2], 50, |_| 1.0, AdvectionScheme::Upwind);
    let NullSpace::Components { vector, .. } = a.spectrum().null_space else { panic!() };
    assert!(vector.iter().all(|v| *v == 1.0));
    let a = advection_diffusion([Neumann; 2], 50, |x| 1.0 + x, AdvectionScheme::Upwind);
    assert_eq!(a.spectrum().null_space, NullSpace::Zero);
}

#[test]
fn linear_advection_is_the_same_with_and_without_diffusion() {
    for boundaries in BOUNDARIES {
        for scheme in [AdvectionScheme::Central, AdvectionScheme::Upwind] {
            for v in [2.0, -2.0] {
                let a = advection_diffusion(boundaries, 12, |_| v, scheme);
                let still = advection_diffusion(boundaries, 12, |_| 0.0, scheme);
                let u = random(12, 5);
                let (a, still) = (apply(&a, &u), apply(&still, &u));
                let found: Vec<f64> = a.iter().zip(&still).map(|(a, b)| a - b).collect();
                let grid = grid(vec![cells(12, boundaries)]);
                let mut expected = vec![0.0; 12];
                Advection::new(grid, &[v], scheme).unwrap().apply(&u, &mut expected).unwrap();
                assert!(relative_max_error(&found, &expected) < 1e-12, "{boundaries:?} {v}");
            }
        }
    }
}

#[test]
fn boundary_layers_have_the_order_of_their_scheme() {
    // -u'' + v u' = 0 with u = exp(v x).
    let v = 3.0_f64;
    let error = |n: usize, boundaries: [Boundary; 2], scheme| {
        let axis = Axis::new(0.0, 1.0, n, boundaries).unwrap();
        let grid = grid(vec![axis]);
        let exact = grid.sample(|x| (v * x[0]).exp());
        let diffusion = Diffusion::new(grid, |_| 1.0).unwrap();
        let a = AdvectionDiffusion::new(&diffusion, &vec![v; n + 1], scheme).unwrap();
        assert!((a.largest_cell_peclet() - v / n as f64).abs() < 1e-12);
        let mut u = vec![0.0; n];
        for (side, end) in [End::Lower, End::Upper].into_iter().enumerate() {
            let (value, slope) = ((v * side as f64).exp(), v * (v * side as f64).exp());
            let g = match boundaries[side] {
                Dirichlet => value,
                Robin(beta) => [-1.0, 1.0][side] * slope + beta * value,
                _ => [-1.0, 1.0][side] * slope,
            };
            a.add_boundary_value(end, g, &mut u).unwrap();
        }
        a.shifted(Complex64::ZERO).unwrap().solve_real(&mut u).unwrap();
        max_abs(&u.iter().zip(&exact).map(|(a, b)| a - b).collect::<Vec<_>>())
    };
    for boundaries in [[Dirichlet; 2], [Dirichlet, Neumann], [Robin(2.0), Dirichlet]] {
        for (scheme, order) in [(AdvectionScheme::Central, 2.0), (AdvectionScheme::Upwind, 1.0)] {
            let errors = [100, 200, 400].map(|n| (1.0 / n as f64, error(n, boundaries, scheme)));
            let found = observed_order(&errors);
            assert!((found - order).abs() < 0.1, "{boundaries:?} {scheme:?}: {found} {errors:?}");
        }
    }
}

#[test]
fn bad_input_is_refused() {
    let line = grid(vec![cells(4, BOUNDARIES[1])]);
    let central = AdvectionScheme::Central;
    let found = Advection::new(line.clone(), &[f64::NAN], central).err();
    assert!(matches!(found, Some(SpatialError::FaceValue { axis: 0, index: 0, .. })), "{found:?}");
    assert!(matches!(Advection::new(line.clone(), &[], central), Err(SpatialError::Length { .. })));
    let mut a = Advection::new(line.clone(), &[1.0], central).unwrap();
    assert!(matches!(
        a.apply(&[0.0; 3], &mut [0.0; 4]),
        Err(SpatialError::Length { found: 3, .. })
    ));
    assert!(matches!(
        a.apply(&[0.0; 4], &mut [0.0; 3]),
        Err(SpatialError::Length { found: 3, .. })
    ));
    let face = Face { axis: 1, end: End::Lower };
    assert!(a.set_boundary_values(face, FaceValues::Constant(1.0)).is_err());
    let periodic = grid(vec![cells(4, BOUNDARIES[0])]);
    let found = Advection::from_faces(periodic, vec![vec![1.0, 1.0, 1.0, 1.0, 2.0]], central).err();
    assert!(matches!(found, Some(SpatialError::FaceValue { index: 4, .. })), "{found:?}");
    let diffusion = Diffusion::new(line, |_| 1.0).unwrap();
    let limited = AdvectionScheme::Limited(Limiter::Minmod);
    let found = AdvectionDiffusion::new(&diffusion, &[1.0; 5], limited).err();
    assert!(matches!(found, Some(SpatialError::Axis { .. })));
    let found = AdvectionDiffusion::new(&diffusion, &[1.0; 4], central).err();
    assert!(matches!(found, Some(SpatialError::Length { .. })));
    let a = AdvectionDiffusion::new(&diffusion, &[1.0; 5], central).unwrap();
    assert!(a.add_boundary_value(End::Lower, f64::NAN, &mut [0.0; 4]).is_err());
}
