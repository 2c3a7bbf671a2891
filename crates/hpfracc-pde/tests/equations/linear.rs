//! Linear equations: exact modes, contours and time steps against each other.

use crate::reference::largest;
use hpfracc_ode::Steps;
use hpfracc_pde::models::Diffusion;
use hpfracc_pde::{Equation, PdeError, Settings, SpectralPower, TimeScheme, solve, solve_linear};
use hpfracc_spatial::{
    Axis, Boundary, BoxGrid, Complex64, Contour, Diffusion as VariableDiffusion, End, Face, Graph,
    GraphLaplacian, Laplacian, Modes, ShiftedSolver, SpatialError, SpatialOperator, Spectrum,
};
use hpfracc_special::mittag_leffler;
use hpfracc_testkit::observed_order;
use std::f64::consts::PI;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn interval(n: usize, boundary: Boundary) -> BoxGrid {
    BoxGrid::new(vec![Axis::new(0.0, 1.0, n, [boundary; 2]).unwrap()]).unwrap()
}

/// A mode decays by the Mittag-Leffler function of its eigenvalue, below and above order 1.
#[test]
fn modes_decay_by_mittag_leffler_functions() {
    for alpha in [0.3, 0.7, 1.0, 1.5] {
        let grid = interval(50, Boundary::Dirichlet);
        let laplacian = Laplacian::new(grid.clone(), &[1.0]).unwrap();
        let lambda = 0.2 * laplacian.eigenvalues()[2];
        let mode = grid.sample(|x| (3.0 * PI * x[0]).sin());
        let mut equation =
            Diffusion { alpha, kappa: 0.2 }.equation(grid).unwrap().start(&mode).unwrap();
        if alpha > 1.0 {
            let velocity: Vec<f64> = mode.iter().map(|u| 2.0 * u).collect();
            equation = equation.start_velocity(&velocity).unwrap();
        }
        let times = [0.0, 0.01, 0.5, 3.0];
        let found = solve_linear(&equation, &times, 1e-10).unwrap();
        for (t, u) in times.iter().zip(&found) {
            let z = -lambda * t.powf(alpha);
            let mut factor = mittag_leffler(alpha, 1.0, z).unwrap();
            if alpha > 1.0 {
                factor += 2.0 * t * mittag_leffler(alpha, 2.0, z).unwrap();
            }
            let exact: Vec<f64> = mode.iter().map(|u| factor * u).collect();
            assert!(largest(u, &exact) < 1e-12, "{alpha} {t}: {:e}", largest(u, &exact));
        }
    }
}

/// The same operator with modes and without: transforms and contours agree, with sources,
/// boundary values and velocities.
#[test]
fn contours_agree_with_modes() {
    let n = 40;
    for alpha in [0.4, 1.0, 1.4] {
        let grid = interval(n, Boundary::Dirichlet);
        let with_modes = Arc::new(Laplacian::new(grid.clone(), &[1.0]).unwrap());
        let without = Arc::new(VariableDiffusion::new(grid.clone(), |_| 1.0).unwrap());
        assert!(without.modes().is_none());
        let source = grid.sample(|x| x[0].exp());
        let complete = |equation: Equation<'static>| {
            let equation = equation.order(alpha).unwrap().coefficient(0.3).unwrap();
            let face = Face { axis: 0, end: End::Upper };
            let equation = equation.constant_source(0, &source).unwrap();
            let equation = equation.constant_boundary(0, face, 1.5).unwrap();
            let equation = equation.start_from(|x| 1.0 - x[0]).unwrap();
            if alpha > 1.0 { equation.start_velocity(&[0.5; 40]).unwrap() } else { equation }
        };
        let times = [0.02, 0.1, 0.15, 2.0, 7.0];
        let exact = solve_linear(&complete(Equation::on_box(with_modes)), &times, 1e-9).unwrap();
        let found = solve_linear(&complete(Equation::on_box(without)), &times, 1e-9).unwrap();
        for (a, b) in found.iter().zip(&exact) {
            assert!(largest(a, b) < 3e-7, "{alpha}: {:e}", largest(a, b));
        }
    }
}

/// Order 2 in time of the product trapezoid against the solution without steps, for a start that
/// disagrees with the boundary values.
#[test]
fn graded_steps_have_order_two() {
    for alpha in [0.5, 0.8, 1.5] {
        let grid = interval(30, Boundary::Dirichlet);
        let mut equation =
            Diffusion { alpha, kappa: 0.1 }.equation(grid).unwrap().start(&[1.0; 30]).unwrap();
        if alpha > 1.0 {
            equation = equation.start_velocity(&[0.3; 30]).unwrap();
        }
        let exact = solve_linear(&equation, &[1.0], 1e-11).unwrap();
        let error = |n: usize| {
            let steps = Some(hpfracc_pde::graded_steps(alpha, n).unwrap());
            let settings = Settings { steps, ..Settings::default() };
            let solution = solve(&equation, 1.0, settings).unwrap();
            (1.0 / n as f64, largest(solution.last(), &exact[0]))
        };
        let order = observed_order(&[error(80), error(160), error(320)]);
        assert!((order - 2.0).abs() < 0.1, "{alpha}: order {order}");
    }
}

/// L1 has order 2 - alpha; the fields at saved times are those of a solve that ends there.
#[test]
fn l1_has_order_two_minus_alpha() {
    let (alpha, n) = (0.6, 30);
    let equation = Diffusion { alpha, kappa: 0.1 }
        .equation(interval(n, Boundary::Dirichlet))
        .unwrap()
        .start(&[1.0; 30])
        .unwrap();
    let exact = solve_linear(&equation, &[0.5, 1.0], 1e-11).unwrap();
    let error = |count: usize| {
        let steps = Some(Steps::Graded { n: count, exponent: (2.0 - alpha) / alpha });
        let scheme = TimeScheme::L1;
        let settings = Settings { scheme, steps, save: vec![0.5], ..Settings::default() };
        let solution = solve(&equation, 1.0, settings).unwrap();
        assert!(largest(&solution.saved()[0], &exact[0]) < 0.2 / count as f64);
        (1.0 / count as f64, largest(solution.last(), &exact[1]))
    };
    let order = observed_order(&[error(80), error(160), error(320)]);
    assert!((order - (2.0 - alpha)).abs() < 0.15, "order {order}");
}

type Mode = fn(f64) -> f64;

/// Order 2 in space for each boundary condition.
#[test]
fn space_has_order_two() {
    // (boundary, mode, wave number)
    let cases: [(Boundary, Mode, f64); 3] = [
        (Boundary::Dirichlet, |x| (2.0 * PI * x).sin(), 2.0 * PI),
        (Boundary::Neumann, |x| (3.0 * PI * x).cos(), 3.0 * PI),
        (Boundary::Periodic, |x| (4.0 * PI * x + 1.0).sin(), 4.0 * PI),
    ];
    for (boundary, mode, wave) in cases {
        let factor = mittag_leffler(0.6, 1.0, -0.05 * wave * wave).unwrap();
        let error = |n: usize| {
            let grid = interval(n, boundary);
            let exact = grid.sample(|x| factor * mode(x[0]));
            let equation = Diffusion { alpha: 0.6, kappa: 0.05 }.equation(grid).unwrap();
            let equation = equation.start_from(|x| mode(x[0])).unwrap();
            let u = solve_linear(&equation, &[1.0], 1e-11).unwrap();
            (1.0 / n as f64, largest(&u[0], &exact))
        };
        let order = observed_order(&[error(40), error(80), error(160)]);
        assert!((order - 2.0).abs() < 0.1, "{boundary:?}: order {order}");
    }
}

/// Time-dependent sources and boundary values: an exact solution of order 2 in time.
#[test]
fn sources_and_boundary_values_depend_on_time() {
    // u = 1 + t^2 x, exact in space.
    let alpha = 0.7;
    let n = 20;
    let grid = interval(n, Boundary::Dirichlet);
    let rate = 2.0 / hpfracc_special::gamma(3.0 - alpha);
    let upper = Face { axis: 0, end: End::Upper };
    let lower = Face { axis: 0, end: End::Lower };
    let equation = Diffusion { alpha, kappa: 0.5 }
        .equation(grid.clone())
        .unwrap()
        .source(0, move |at| rate * at.t.powf(2.0 - alpha) * at.x[0])
        .unwrap()
        .boundary(0, upper, |t, x| 1.0 + t * t * x[0])
        .unwrap()
        .constant_boundary(0, lower, 1.0)
        .unwrap()
        .start(&[1.0; 20])
        .unwrap();
    let exact = grid.sample(|x| 1.0 + x[0]);
    for scheme in [TimeScheme::ProductTrapezoid, TimeScheme::ImplicitExplicit] {
        let error = |count: usize| {
            let steps = Some(Steps::Uniform(count));
            let settings = Settings { steps, scheme, ..Settings::default() };
            let solution = solve(&equation, 1.0, settings);
            match solution {
                Ok(solution) => (1.0 / count as f64, largest(solution.last(), &exact)),
                Err(error) => panic!("{scheme:?}: {error}"),
            }
        };
        let order = observed_order(&[error(20), error(40), error(80)]);
        assert!((order - 2.0).abs() < 0.2, "order {order}");
    }
    assert!(matches!(
        solve_linear(&equation, &[1.0], 1e-9),
        Err(PdeError::NotLinear { what: "a source that is a function of time" })
    ));
}

/// Mass on a graph and on a box with Neumann boundaries is conserved to rounding, without steps and
/// with them.
#[test]
fn mass_is_conserved() {
    let graph = Graph::small_world(60, 2, 0.2, 7).unwrap();
    let laplacian = Arc::new(GraphLaplacian::combinatorial(&graph).unwrap());
    let mut start = vec![0.0; 60];
    start[3] = 1.0;
    let on_graph = Equation::new(laplacian).order(0.6).unwrap().start(&start).unwrap();
    let grid = interval(60, Boundary::Neumann);
    let on_box = Diffusion { alpha: 0.6, kappa: 0.3 }.equation(grid).unwrap();
    let on_box = on_box.start(&start).unwrap();
    for equation in [on_graph, on_box] {
        let without = solve_linear(&equation, &[1.0], 1e-10).unwrap();
        let stepped = solve(&equation, 1.0, Settings::default()).unwrap();
        assert!((without[0].iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!((stepped.last().iter().sum::<f64>() - 1.0).abs() < 1e-11);
        assert!(largest(&without[0], stepped.last()) < 1e-4);
    }
}

/// Fractional in time and space: the contour and steps with a spectral power.
#[test]
fn space_fractional_diffusion() {
    let grid = BoxGrid::new(vec![
        Axis::periodic(0.0, 2.0 * PI, 24).unwrap(),
        Axis::new(0.0, 1.0, 20, [Boundary::Neumann; 2]).unwrap(),
    ])
    .unwrap();
    let laplacian = Arc::new(Laplacian::new(grid.clone(), &[1.0, 1.0]).unwrap());
    let power = Arc::new(SpectralPower::new(laplacian, 0.6).unwrap());
    let equation = Equation::new(power).with_grid(&grid).unwrap().order(0.8).unwrap();
    let equation = equation.start_from(|x| x[0].sin() + x[1] * x[1]).unwrap();
    let exact = solve_linear(&equation, &[1.0], 1e-11).unwrap();
    let error = |n: usize| {
        let steps = Some(hpfracc_pde::graded_steps(0.8, n).unwrap());
        let solution = solve(&equation, 1.0, Settings { steps, ..Settings::default() }).unwrap();
        (1.0 / n as f64, largest(solution.last(), &exact[0]))
    };
    let order = observed_order(&[error(40), error(80), error(160)]);
    assert!((order - 2.0).abs() < 0.1, "order {order}");
}

/// L1 keeps the bounds of the start: a discrete maximum principle.
#[test]
fn l1_has_a_maximum_principle() {
    let start: Vec<f64> = (0..50).map(|i| f64::from(u8::from(i % 7 < 3))).collect();
    let equation = Diffusion { alpha: 0.5, kappa: 1.0 }
        .equation(interval(50, Boundary::Neumann))
        .unwrap()
        .start(&start)
        .unwrap();
    let save: Vec<f64> = (1..40).map(|j| 1e-3 * f64::from(j)).collect();
    let settings = Settings { scheme: TimeScheme::L1, save, ..Settings::default() };
    let solution = solve(&equation, 0.04, settings).unwrap();
    let mut last: f64 = 1.0;
    for u in solution.saved() {
        let most = u.iter().copied().fold(0.0, f64::max);
        assert!(u.iter().all(|u| (-1e-9..=1.0 + 1e-9).contains(u)));
        assert!(most <= last + 1e-9);
        last = most;
    }
}

/// Operator without modes that counts the shifts for which it prepares solves.
struct Counting {
    of: VariableDiffusion,
    shifts: AtomicUsize,
}

impl SpatialOperator for Counting {
    fn len(&self) -> usize {
        self.of.len()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.of.apply(x, y);
    }

    fn spectrum(&self) -> Spectrum {
        self.of.spectrum()
    }

    fn shifted(&self, z: Complex64) -> Result<Box<dyn ShiftedSolver + '_>, SpatialError> {
        self.shifts.fetch_add(1, Ordering::SeqCst);
        self.of.shifted(z)
    }
}

/// Start, velocity and source share the nodes of a contour, and the times of a window too.
#[test]
fn shifts_are_prepared_once_for_all_data() {
    let of = VariableDiffusion::new(interval(20, Boundary::Dirichlet), |_| 1.0).unwrap();
    let highest = of.spectrum().highest;
    let operator = Arc::new(Counting { of, shifts: AtomicUsize::new(0) });
    let equation = Equation::new(operator.clone()).order(1.4).unwrap().start(&[1.0; 20]).unwrap();
    let equation = equation.start_velocity(&[0.5; 20]).unwrap();
    let equation = equation.constant_source(0, &[2.0; 20]).unwrap();
    solve_linear(&equation, &[5.0, 1.0, 2.0], 1e-8).unwrap();
    let contour = Contour::new(1.4, [1.0, 5.0], 1e-8, highest).unwrap();
    assert_eq!(operator.shifts.load(Ordering::SeqCst), contour.shifts().len());
}

/// Times in any order, repeated, and 0 among them.
#[test]
fn times_need_no_order() {
    for with_modes in [false, true] {
        let grid = interval(20, Boundary::Dirichlet);
        let equation = if with_modes {
            Equation::on_box(Arc::new(Laplacian::new(grid, &[1.0]).unwrap()))
        } else {
            Equation::on_box(Arc::new(VariableDiffusion::new(grid, |_| 1.0).unwrap()))
        };
        let equation = equation.order(0.6).unwrap().start_from(|x| x[0]).unwrap();
        let found = solve_linear(&equation, &[2.0, 0.0, 0.01, 2.0, 0.3], 1e-9).unwrap();
        assert_eq!(found[0], found[3]);
        let start: Vec<f64> = (0..20).map(|i| (f64::from(i) + 0.5) / 20.0).collect();
        assert!(largest(&found[1], &start) < 1e-14);
        for (t, u) in [2.0, 0.01, 0.3].iter().zip([&found[0], &found[2], &found[4]]) {
            assert!(largest(u, &solve_linear(&equation, &[*t], 1e-9).unwrap()[0]) < 1e-7);
        }
        assert!(solve_linear(&equation, &[], 1e-9).unwrap().is_empty());
    }
}

/// With coefficient 0 the solution is a sum of powers, with modes and without.
#[test]
fn powers_remain_without_a_linear_part() {
    let alpha = 1.3;
    for with_modes in [false, true] {
        let grid = interval(10, Boundary::Neumann);
        let equation = if with_modes {
            Equation::on_box(Arc::new(Laplacian::new(grid, &[1.0]).unwrap()))
        } else {
            Equation::on_box(Arc::new(VariableDiffusion::new(grid, |_| 1.0).unwrap()))
        };
        let equation = equation.without_linear_part().unwrap().order(alpha).unwrap();
        let equation = equation.start_from(|x| x[0]).unwrap().start_velocity(&[0.4; 10]).unwrap();
        let equation = equation.constant_source(0, &[3.0; 10]).unwrap();
        let times = [0.0, 0.7, 2.0];
        for (t, u) in times.iter().zip(solve_linear(&equation, &times, 1e-9).unwrap()) {
            let power = 3.0 * t.powf(alpha) / hpfracc_special::gamma(alpha + 1.0);
            for (i, u) in u.iter().enumerate() {
                let exact = (i as f64 + 0.5) / 10.0 + 0.4 * t + power;
                assert!((u - exact).abs() < 1e-13, "{t}: {u} {exact}");
            }
        }
        let stepped = solve(&equation, 2.0, Settings::default()).unwrap();
        let exact = &solve_linear(&equation, &[2.0], 1e-9).unwrap()[0];
        assert!(largest(stepped.last(), exact) < 1e-10);
    }
}

/// A^2 is A twice; an operator without modes is refused.
#[test]
fn spectral_powers() {
    let laplacian = Arc::new(Laplacian::new(interval(16, Boundary::Neumann), &[1.0]).unwrap());
    let square = SpectralPower::new(laplacian.clone(), 2.0).unwrap();
    let u: Vec<f64> = (0..16).map(|i| (0.8 * f64::from(i)).sin()).collect();
    let (mut once, mut twice, mut found) = (vec![0.0; 16], vec![0.0; 16], vec![0.0; 16]);
    laplacian.apply(&u, &mut once);
    laplacian.apply(&once, &mut twice);
    square.apply(&u, &mut found);
    let size = twice.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    assert!(largest(&found, &twice) < 1e-12 * size);
    let diffusion = VariableDiffusion::new(interval(16, Boundary::Neumann), |_| 1.0).unwrap();
    assert!(matches!(
        SpectralPower::new(Arc::new(diffusion), 0.5),
        Err(PdeError::Spatial(SpatialError::Unsupported { method: "SpectralPower", .. }))
    ));
    for s in [0.0, -1.0, f64::NAN] {
        let found = SpectralPower::new(laplacian.clone(), s);
        assert!(matches!(found, Err(PdeError::OutOfRange { .. })));
    }
}
