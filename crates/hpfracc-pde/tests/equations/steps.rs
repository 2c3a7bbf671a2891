//! Steps of all kinds, and jumps of the state.

use crate::reference::{by_collocation, largest};
use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{Event, Observer, OdeError, Steps, System};
use hpfracc_pde::models::{Diffusion, FisherKpp, GrayScott};
use hpfracc_pde::{
    Equation, MethodOfLines, PdeError, Reaction, Settings, TimeScheme, graded_steps, solve,
    solve_linear,
};
use hpfracc_spatial::{Axis, Boundary, BoxGrid, IntegralLaplacian, Laplacian};
use hpfracc_testkit::observed_order;
use std::sync::Arc;

fn interval(n: usize) -> BoxGrid {
    BoxGrid::new(vec![Axis::new(0.0, 1.0, n, [Boundary::Neumann; 2]).unwrap()]).unwrap()
}

fn growth() -> Equation<'static> {
    let model = FisherKpp { alpha: 0.7, kappa: 0.02, rate: 1.5 };
    model.equation(interval(12)).unwrap().start_from(|x| 0.1 + 0.2 * x[0]).unwrap()
}

/// A jump of all values by 1/2 at t = 0.5: the extrapolated terms are those after the jump, and the
/// schemes agree. The time is between two nodes, or one of them.
#[test]
fn jumps() {
    let jump = |scheme: TimeScheme, steps: Steps| {
        let mut event = Event::new(|t, _| t - 0.5).jumping(|_, u| {
            u.iter_mut().for_each(|u| *u += 0.5);
        });
        let observers: Vec<&mut dyn Observer> = vec![&mut event];
        let settings = Settings { scheme, steps: Some(steps), observers, ..Settings::default() };
        solve(&growth(), 1.0, settings).unwrap().last().to_vec()
    };
    let nodes = |n: usize| {
        let half = |j: usize| 0.5 * (j as f64 / n as f64).powi(3);
        let first = (0..=n).map(half);
        Steps::Given(first.chain((1..=n).map(|j| 0.5 + half(j))).collect())
    };
    let exact = jump(TimeScheme::ProductTrapezoid, nodes(2000));
    for scheme in [TimeScheme::ProductTrapezoid, TimeScheme::ImplicitExplicit] {
        let error = |n: usize| (1.0 / n as f64, largest(&jump(scheme, nodes(n)), &exact));
        let errors = [error(50), error(100), error(200)];
        let order = observed_order(&errors);
        assert!((order - 2.0).abs() < 0.25, "{scheme:?}: order {order}, {errors:?}");
        let between = |n: usize| {
            let found = jump(scheme, graded_steps(0.7, n).unwrap());
            (1.0 / n as f64, largest(&found, &exact))
        };
        // The step after the jump is as long as any: the singularity t^0.7 limits the order.
        let errors = [between(101), between(401), between(1601)];
        let order = observed_order(&errors);
        assert!(order > 1.2, "{scheme:?}: order {order}, {errors:?}");
    }
}

/// Adaptive steps keep their tolerance, for stiff fields as well.
#[test]
fn adaptive_steps() {
    let (n, kappa, rate) = (12_usize, 1.0, 20.0);
    let h = 1.0 / n as f64;
    let start: Vec<f64> = (0..n).map(|i| 0.5 + 0.4 * (3.0 * i as f64).sin()).collect();
    let rhs = |_: f64, u: &[f64], f: &mut [f64]| {
        for i in 0..n {
            let (before, after) = (u[i.saturating_sub(1)], u[(i + 1).min(n - 1)]);
            f[i] = kappa * (before - 2.0 * u[i] + after) / (h * h) - rate * u[i] * u[i].abs();
        }
    };
    let exact = by_collocation(&[0.7], 1.0, &[&start], rhs);
    let equation = Diffusion { alpha: 0.7, kappa }.equation(interval(n)).unwrap();
    let decay = Reaction::new(
        |_, [u]: &[f64; 1], [r]: &[f64; 1]| [-r * u * u.abs()],
        |_, [u], [r]| ([[-2.0 * r * u.abs()]], [[-u * u.abs()]]),
    );
    let equation = equation.term(decay, &[rate]).unwrap().start(&start).unwrap();
    for tolerance in [1e-4, 1e-6] {
        let steps = Some(Steps::adaptive(tolerance, tolerance));
        let solution = solve(&equation, 1.0, Settings { steps, ..Settings::default() }).unwrap();
        let error = largest(solution.last(), &exact);
        println!("{tolerance:e}: {error:e}, {:?}", solution.statistics());
        assert!(error < 2.0 * tolerance, "{tolerance}: {error:e}");
    }
}

#[test]
fn adaptive_steps_are_refused_by_other_schemes() {
    for (scheme, name) in
        [(TimeScheme::L1, "L1"), (TimeScheme::ImplicitExplicit, "ImplicitExplicit")]
    {
        let steps = Some(Steps::adaptive(1e-4, 1e-4));
        let found = solve(&growth(), 1.0, Settings { scheme, steps, ..Settings::default() });
        match found {
            Err(PdeError::Ode(OdeError::Steps { scheme, steps: "adaptive" })) => {
                assert_eq!(scheme, name);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn orders_above_one_are_refused_by_l1() {
    let equation = Diffusion { alpha: 1.5, kappa: 1.0 }.equation(interval(8)).unwrap();
    let equation = equation.start(&[1.0; 8]).unwrap().start_velocity(&[0.0; 8]).unwrap();
    let settings = Settings { scheme: TimeScheme::L1, ..Settings::default() };
    let found = solve(&equation, 1.0, settings);
    assert!(
        matches!(found, Err(PdeError::Ode(OdeError::OutOfRange { value: 1.5, .. }))),
        "{found:?}"
    );
}

/// The exponent is 2/alpha, between 1 and 5, and the shortest step is at least 1e-14.
#[test]
fn exponents_of_graded_steps() {
    let exponent = |alpha: f64, n: usize| match graded_steps(alpha, n) {
        Ok(Steps::Graded { n: count, exponent }) if count == n => exponent,
        other => panic!("{other:?}"),
    };
    assert_eq!(exponent(0.5, 200), 4.0);
    assert_eq!(exponent(1.0, 200), 2.0);
    assert_eq!(exponent(0.1, 200), 5.0);
    assert_eq!(exponent(0.1, 1), 5.0);
    assert!(exponent(1.99, 200) >= 1.0);
    for n in [10, 1000, 100_000] {
        assert!((n as f64).powf(-exponent(0.3, n)) > 0.999e-14);
    }
}

/// Decay at the rate L by extrapolated terms: stable while `L h^alpha / Gamma(alpha + 2)` is below
/// 1.
#[test]
fn stability_of_extrapolated_terms() {
    let (alpha, n) = (0.8, 100);
    let after = |ratio: f64| {
        let rate = ratio * hpfracc_special::gamma(alpha + 2.0) * (n as f64).powf(alpha);
        let decay = Reaction::new(
            |_, [u]: &[f64; 1], [l]: &[f64; 1]| [-l * u],
            |_, [u], [l]| ([[-l]], [[-u]]),
        );
        let equation = Diffusion { alpha, kappa: 1e-3 }.equation(interval(4)).unwrap();
        let equation = equation.term(decay, &[rate]).unwrap().start(&[1.0; 4]).unwrap();
        let (scheme, steps) = (TimeScheme::ImplicitExplicit, Some(Steps::Uniform(n)));
        let solution = solve(&equation, 1.0, Settings { scheme, steps, ..Settings::default() });
        solution.map_or(f64::INFINITY, |solution| solution.last()[0].abs())
    };
    assert!(after(0.25) < 0.1 && after(0.5) < 0.1, "{} {}", after(0.25), after(0.5));
    assert!(after(2.0) > 1e3);
}

#[test]
fn a_cancelled_solve_returns_the_fields_so_far() {
    let cancel = std::sync::atomic::AtomicBool::new(true);
    let settings = Settings { cancel: Some(&cancel), ..Settings::default() };
    let solution = solve(&growth(), 1.0, settings).unwrap();
    assert_eq!(solution.status(), hpfracc_ode::Status::Cancelled);
    assert!(solution.end() < 1.0 && solution.last().len() == 12);
}

/// Histories in single precision and without compression give the same fields.
#[test]
fn histories() {
    let by = |history: HistoryChoice| {
        solve(&growth(), 1.0, Settings { history, ..Settings::default() }).unwrap().last().to_vec()
    };
    let direct = by(HistoryChoice::Direct);
    assert!(largest(&by(Settings::default().history), &direct) < 1e-9);
    assert!(largest(&by(HistoryChoice::SingleExponentials { tolerance: 1e-6 }), &direct) < 1e-5);
}

/// Saved fields of several components.
#[test]
fn saved_fields() {
    let model = GrayScott { alpha: 0.8, s: 1.0, diffusion: [0.1; 2], feed: 0.5, kill: 0.06 };
    let start: Vec<f64> = (0..16).map(|i| f64::from(i) / 16.0).collect();
    let equation = model.equation(interval(8)).unwrap().start(&start).unwrap();
    let save = vec![0.0, 0.3, 1.0];
    let solution = solve(&equation, 1.0, Settings { save, ..Settings::default() }).unwrap();
    assert_eq!(solution.times(), [0.0, 0.3, 1.0]);
    assert_eq!(solution.field(0, 1), &start[8..]);
    assert_eq!([solution.field(2, 0), solution.field(2, 1)].concat(), solution.last());
}

/// Minus the logarithmic norm of the Jacobian: of the reaction alone, as the rows of a Laplacian
/// sum to 0, and unknown without the entries of a matrix.
#[test]
fn dissipativity() {
    let decay =
        || Reaction::new(|_, [u]: &[f64; 1], _: &[f64; 0]| [-5.0 * u], |_, _, _| ([[-5.0]], [[]]));
    let of = |equation: Equation<'static>| {
        let len = equation.len();
        let system = MethodOfLines::new(equation);
        let mut jacobian = system.shifted_jacobian().unwrap();
        jacobian.linearise(0.0, &vec![1.0; len]);
        assert!(jacobian.shift(&vec![0.1; len]));
        jacobian.dissipativity()
    };
    let diffusion = |alpha: f64| Diffusion { alpha, kappa: 0.2 }.equation(interval(10)).unwrap();
    assert!((of(diffusion(0.5).term(decay(), &[]).unwrap()) - 5.0).abs() < 1e-11);
    assert!(of(diffusion(0.5)) < 1e-11);
    let square = BoxGrid::new(vec![Axis::periodic(0.0, 1.0, 5).unwrap(); 2]).unwrap();
    let plane = Diffusion { alpha: 0.5, kappa: 0.2 }.equation(square).unwrap();
    assert_eq!(of(plane.term(decay(), &[]).unwrap()), 0.0);
    let coupled = Reaction::new(
        |_, [u, v]: &[f64; 2], _: &[f64; 0]| [-5.0 * u + 2.0 * v, -4.0 * v - 3.0 * u],
        |_, _, _| ([[-5.0, 2.0], [-3.0, -4.0]], [[], []]),
    );
    let laplacian = || Arc::new(Laplacian::new(interval(10), &[1.0]).unwrap());
    let two = Equation::coupled(vec![laplacian(), laplacian()]).unwrap();
    assert!((of(two.term(coupled, &[]).unwrap()) - 1.0).abs() < 1e-10);
}

/// Adaptive steps of a field that relaxes to sin(t) at the rate 1000 grow beyond those of a slow one:
/// with the dissipativity unknown they are three times as many.
#[test]
fn adaptive_steps_grow_where_fields_relax() {
    let relax = Reaction::new(
        |at, [u]: &[f64; 1], [r]: &[f64; 1]| [r * (at.t.sin() - u)],
        |at, [u], [r]| ([[-r]], [[at.t.sin() - u]]),
    );
    let equation = Diffusion { alpha: 0.7, kappa: 1.0 }.equation(interval(40)).unwrap();
    let equation = equation.term(relax, &[1000.0]).unwrap().start_from(|x| x[0]).unwrap();
    let steps = Some(Steps::adaptive(1e-4, 1e-4));
    let solution = solve(&equation, 1.0, Settings { steps, ..Settings::default() }).unwrap();
    assert!(solution.statistics().steps < 500, "{:?}", solution.statistics());
    let fine = Some(graded_steps(0.7, 2000).unwrap());
    let exact = solve(&equation, 1.0, Settings { steps: fine, ..Settings::default() }).unwrap();
    assert!(largest(solution.last(), exact.last()) < 2e-4);
}

/// Times in the first step of a stiff equation, where integrals of the right-hand side at the nodes
/// are far from the solution: saved times are nodes, with any scheme.
#[test]
fn saved_fields_of_a_start_that_disagrees_with_the_boundary() {
    let axis = Axis::new(0.0, 1.0, 100, [Boundary::Dirichlet; 2]).unwrap();
    let grid = BoxGrid::new(vec![axis]).unwrap();
    let times = vec![0.001, 0.01, 0.1];
    for alpha in [0.5, 1.0] {
        let equation = Diffusion { alpha, kappa: 1.0 }.equation(grid.clone()).unwrap();
        let equation = equation.start(&[1.0; 100]).unwrap();
        let exact = solve_linear(&equation, &times, 1e-10).unwrap();
        for scheme in [TimeScheme::ProductTrapezoid, TimeScheme::L1, TimeScheme::ImplicitExplicit] {
            for steps in [Some(Steps::Uniform(64)), None] {
                // On equal steps of order 1 the product trapezoid alternates in sign.
                let allowed = if steps.is_some() { 1.0 } else { 0.05 };
                let settings =
                    Settings { scheme, steps, save: times.clone(), ..Settings::default() };
                let found = solve(&equation, 1.0, settings).unwrap();
                assert_eq!(found.times(), times);
                for (found, exact) in found.saved().iter().zip(&exact) {
                    let error = largest(found, exact);
                    assert!(error < allowed, "{alpha} {scheme:?}: {error}");
                }
            }
        }
    }
    let equation = Diffusion { alpha: 0.5, kappa: 1.0 }.equation(grid).unwrap();
    let equation = equation.start(&[1.0; 100]).unwrap();
    let (scheme, steps) = (TimeScheme::L1, Some(Steps::Uniform(64)));
    let settings = Settings { scheme, steps, ..Settings::default() };
    let at_the_end = solve(&equation, 1.0, settings).unwrap();
    let exact = solve_linear(&equation, &[1.0], 1e-10).unwrap();
    assert!(largest(at_the_end.last(), &exact[0]) < 1e-3);
}

/// An affine right-hand side with direct solves takes one correction a step: by tridiagonal factors
/// in one dimension, by transforms in two. Iterative solves take more.
#[test]
fn one_linear_solve_a_step() {
    let iterations = |equation: &Equation<'_>| {
        let settings = Settings { scheme: TimeScheme::ImplicitExplicit, ..Settings::default() };
        solve(equation, 1.0, settings).unwrap().statistics().newton_iterations
    };
    assert_eq!(iterations(&growth()), 200);
    let axis = || Axis::new(0.0, 1.0, 8, [Boundary::Neumann; 2]).unwrap();
    let square = BoxGrid::new(vec![axis(), axis()]).unwrap();
    let model = FisherKpp { alpha: 0.7, kappa: 0.02, rate: 1.5 };
    let plane = model.equation(square).unwrap().start_from(|x| 0.1 + 0.2 * x[0] * x[1]).unwrap();
    assert_eq!(iterations(&plane), 200);
    let domain = IntegralLaplacian::on(1.0, &[(-1.0, 1.0, 6), (-1.0, 1.0, 6)]).unwrap();
    let lost = Equation::new(Arc::new(domain)).order(0.7).unwrap().start(&[1.0; 36]).unwrap();
    assert!(iterations(&lost) > 200);
}
