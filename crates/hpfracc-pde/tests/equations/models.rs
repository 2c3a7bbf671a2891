//! Ready equations against exact solutions and known properties.

use crate::reference::largest;
use hpfracc_ode::Observer;
use hpfracc_pde::models::{
    AdvectionDiffusion, AllenCahn, Burgers, CahnHilliard, Diffusion, FisherKpp, FokkerPlanck,
    FractionalPoisson, GrayScott, PorousMedium,
};
use hpfracc_pde::{PdeError, Quantity, Settings, TimeScheme, graded_steps, solve, solve_linear};
use hpfracc_spatial::{AdvectionScheme, Axis, Boundary, BoxGrid, Laplacian, SpatialOperator};
use hpfracc_testkit::observed_order;

fn line(from: f64, to: f64, n: usize, boundary: Boundary) -> BoxGrid {
    BoxGrid::new(vec![Axis::new(from, to, n, [boundary; 2]).unwrap()]).unwrap()
}

/// The front of Ablowitz and Zeppetella at order 1.
#[test]
fn fisher_kpp_front() {
    let error = |n: usize| {
        let grid = line(-30.0, 40.0, n, Boundary::Neumann);
        let front = |t: f64| {
            grid.sample(|x| (1.0 + ((x[0] - 5.0 / 6f64.sqrt() * t) / 6f64.sqrt()).exp()).powi(-2))
        };
        let model = FisherKpp { alpha: 1.0, kappa: 1.0, rate: 1.0 };
        let equation = model.equation(grid.clone()).unwrap().start(&front(0.0)).unwrap();
        let steps = Some(graded_steps(1.0, n).unwrap());
        let solution = solve(&equation, 4.0, Settings { steps, ..Settings::default() }).unwrap();
        (1.0 / n as f64, largest(solution.last(), &front(4.0)))
    };
    let order = observed_order(&[error(150), error(300), error(600)]);
    assert!((order - 2.0).abs() < 0.1, "order {order}");
}

/// Mass is constant to rounding, and energy does not grow.
#[test]
fn cahn_hilliard_conserves_mass() {
    let square = BoxGrid::new(vec![
        Axis::periodic(0.0, 1.0, 16).unwrap(),
        Axis::new(0.0, 1.0, 12, [Boundary::Neumann; 2]).unwrap(),
    ])
    .unwrap();
    for grid in [line(0.0, 1.0, 50, Boundary::Neumann), square] {
        let model = CahnHilliard { alpha: 0.8, epsilon: 0.06 };
        let start = |x: &[f64]| 0.2 + 0.3 * x.iter().map(|x| (8.0 * x).cos()).product::<f64>();
        let equation = model.equation(grid.clone()).unwrap().start_from(start).unwrap();
        let mut mass = Quantity::new(|_, u| grid.integral(u).unwrap());
        let mut energy = Quantity::new(|_, u| model.energy(&grid, u).unwrap());
        let observers: Vec<&mut dyn Observer> = vec![&mut mass, &mut energy];
        solve(&equation, 0.05, Settings { observers, ..Settings::default() }).unwrap();
        let first = mass.values()[0];
        assert!(mass.values().iter().all(|m| (m - first).abs() < 1e-11));
        let values = energy.values();
        assert!(values.windows(2).all(|pair| pair[1] <= pair[0] + 1e-9));
    }
}

/// Without the catalyst the fuel relaxes to 1 by the Mittag-Leffler function; with it both schemes
/// agree.
#[test]
fn gray_scott() {
    let axis = || Axis::periodic(0.0, 1.0, 12).unwrap();
    let grid = BoxGrid::new(vec![axis(), axis()]).unwrap();
    let n = grid.len();
    for s in [0.7, 1.0] {
        let model = GrayScott { alpha: 0.8, s, diffusion: [2e-3, 1e-3], feed: 0.5, kill: 0.06 };
        let mut start = vec![0.0; 2 * n];
        let equation = model.equation(grid.clone()).unwrap();
        let alone = equation.clone().start(&start).unwrap();
        let solution = solve(&alone, 1.0, Settings::default()).unwrap();
        let exact = 1.0 - hpfracc_special::mittag_leffler(0.8, 1.0, -0.5).unwrap();
        assert!(solution.last()[..n].iter().all(|u| (u - exact).abs() < 1e-4));
        assert!(solution.last()[n..].iter().all(|v| v.abs() < 1e-12));
        start[..n].fill(1.0);
        start[n..]
            .copy_from_slice(&grid.sample(|x| (std::f64::consts::TAU * x[0]).sin().powi(2) * x[1]));
        let equation = equation.start(&start).unwrap();
        let by =
            |scheme| solve(&equation, 1.0, Settings { scheme, ..Settings::default() }).unwrap();
        let (newton, extrapolated) =
            (by(TimeScheme::ProductTrapezoid), by(TimeScheme::ImplicitExplicit));
        assert!(largest(newton.last(), extrapolated.last()) < 1e-3);
    }
}

#[test]
fn fractional_poisson() {
    let grid = line(0.0, 1.0, 40, Boundary::Dirichlet);
    let f = grid.sample(|x| x[0].exp());
    // Twice with s = 1/2 is once with s = 1, the inverse of the Laplacian.
    let half = FractionalPoisson { s: 0.5 };
    let once = half.solve(grid.clone(), &f).unwrap();
    let twice = half.solve(grid.clone(), &once).unwrap();
    let laplacian = Laplacian::new(grid, &[1.0]).unwrap();
    let mut back = vec![0.0; 40];
    laplacian.apply(&twice, &mut back);
    assert!(largest(&back, &f) < 1e-11);
    let closed = || line(0.0, 1.0, 40, Boundary::Neumann);
    let found = half.solve(closed(), &[2.0; 40]);
    assert!(matches!(found, Err(PdeError::MeanNotZero { mean }) if (mean - 2.0).abs() < 1e-12));
    let wave = closed().sample(|x| (3.0 * std::f64::consts::PI * x[0]).cos());
    let u = half.solve(closed(), &wave).unwrap();
    let scale = u[0] / wave[0];
    assert!(wave.iter().zip(&u).all(|(f, u)| (u - scale * f).abs() < 1e-13));
    assert!((scale - 1.0 / (3.0 * std::f64::consts::PI)).abs() < 1e-3);
    assert!(half.solve(closed(), &[1.0; 3]).is_err());
    let mut wrong = wave;
    wrong[7] = f64::NAN;
    assert!(matches!(half.solve(closed(), &wrong), Err(PdeError::Spatial(_))));
    assert!(FractionalPoisson { s: 0.0 }.solve(closed(), &[0.0; 40]).is_err());
}

/// Advection and diffusion of a Gaussian at order 1.
#[test]
fn advection_diffusion() {
    let scheme = AdvectionScheme::Central;
    let error = |n: usize| {
        let model = AdvectionDiffusion { alpha: 1.0, kappa: 0.05, scheme };
        let axis = Axis::periodic(-4.0, 4.0, n).unwrap();
        let grid = BoxGrid::new(vec![axis.clone()]).unwrap();
        let gauss = |t: f64, x: f64| {
            let width = 0.2 + 4.0 * 0.05 * t;
            (-(x - t).powi(2) / width).exp() / width.sqrt()
        };
        let equation = model.equation(axis, |_| 1.0).unwrap();
        let equation = equation.start_from(|x| gauss(0.0, x[0])).unwrap();
        let steps = Some(graded_steps(1.0, n).unwrap());
        let found = solve(&equation, 0.7, Settings { steps, ..Settings::default() }).unwrap();
        (1.0 / n as f64, largest(found.last(), &grid.sample(|x| gauss(0.7, x[0]))))
    };
    let order = observed_order(&[error(200), error(400), error(800)]);
    assert!((order - 2.0).abs() < 0.1, "order {order}");
}

/// The density tends to that of Boltzmann like t^-alpha, mass is constant, and the mean in a
/// harmonic trap decays by a Mittag-Leffler function.
#[test]
fn fokker_planck() {
    let (n, alpha) = (200, 0.6);
    let equation = FokkerPlanck { alpha, kappa: 0.5 }.equation((-4.0, 4.0), n, |x| x).unwrap();
    let grid = line(-4.0, 4.0, n, Boundary::Neumann);
    let start = |x: &[f64]| (-3.0 * (x[0] - 1.0).powi(2)).exp();
    let mass_of = |u: &[f64]| grid.integral(u).unwrap();
    let share = mass_of(&grid.sample(start)) / mass_of(&grid.sample(|x| (-x[0] * x[0]).exp()));
    let boltzmann = grid.sample(|x| share * (-x[0] * x[0]).exp());
    let equation = equation.start_from(start).unwrap();
    let mut mass = Quantity::new(|_, u| mass_of(u));
    let observers: Vec<&mut dyn Observer> = vec![&mut mass];
    let save = vec![1.0, 1000.0, 4000.0];
    let found = solve(&equation, 4000.0, Settings { observers, save, ..Settings::default() });
    let found = found.unwrap();
    let first = mass.values()[0];
    assert!(mass.values().iter().all(|m| (m - first).abs() < 1e-10));
    let positions = grid.sample(|x| x[0]);
    let mean = |u: &[f64]| u.iter().zip(&positions).map(|(u, x)| u * x).sum::<f64>();
    let decay = mean(&found.saved()[0]) / mean(&grid.sample(start));
    let exact = hpfracc_special::mittag_leffler(alpha, 1.0, -1.0).unwrap();
    assert!((decay - exact).abs() < 1e-3, "{decay} {exact}");
    // Order 2 in space moves the stationary density by 1e-4.
    let distance = |u: &[f64]| mean(u).abs();
    let rate = (distance(&found.saved()[1]) / distance(&found.saved()[2])).ln() / 4f64.ln();
    assert!((rate - alpha).abs() < 0.02, "rate {rate}");
    assert!(largest(&found.saved()[2], &boltzmann) < 1e-2);
    let stationary = equation.start(&boltzmann).unwrap();
    let still = solve(&stationary, 2.0, Settings::default()).unwrap();
    assert!(largest(still.last(), &boltzmann) < 1e-3);
}

/// Barenblatt's solution at order 1, away from the front; mass is constant at any order.
#[test]
fn porous_medium() {
    let n = 200;
    let grid = line(-3.0, 3.0, n, Boundary::Neumann);
    // m = 2 on a line: t^(-1/3) (1 - x^2 / (12 t^(2/3)))_+.
    let barenblatt = |t: f64| {
        grid.sample(|x| {
            (t.powf(-1.0 / 3.0) * (0.25 - x[0] * x[0] / (12.0 * t.powf(2.0 / 3.0)))).max(0.0)
        })
    };
    let equation = PorousMedium { alpha: 1.0, m: 2.0 }.equation(grid.clone()).unwrap();
    let equation = equation.start(&barenblatt(1.0)).unwrap();
    let solution = solve(&equation, 1.0, Settings::default()).unwrap();
    assert!(largest(solution.last(), &barenblatt(2.0)) < 3e-3);
    let slow = equation.order(0.7).unwrap();
    let solution = solve(&slow, 1.0, Settings::default()).unwrap();
    let mass = |u: &[f64]| grid.integral(u).unwrap();
    assert!((mass(solution.last()) - mass(&barenblatt(1.0))).abs() < 1e-11);
}

/// Diffusion on a graph-free plane: the mean square displacement
/// `4 kappa t^alpha / Gamma(1 + alpha)`.
#[test]
fn mean_square_displacement() {
    let axis = || Axis::periodic(-6.0, 6.0, 120).unwrap();
    let grid = BoxGrid::new(vec![axis(), axis()]).unwrap();
    let equation = Diffusion { alpha: 0.5, kappa: 0.1 }.equation(grid.clone()).unwrap();
    let start = |x: &[f64]| (-4.0 * (x[0] * x[0] + x[1] * x[1])).exp();
    let equation = equation.start_from(start).unwrap();
    let found = solve_linear(&equation, &[0.0, 1.0], 1e-10).unwrap();
    let square = grid.sample(|x| x[0] * x[0] + x[1] * x[1]);
    let mean = |u: &[f64]| {
        let moment: f64 = u.iter().zip(&square).map(|(u, r)| u * r).sum();
        moment / u.iter().sum::<f64>()
    };
    let grown = mean(&found[1]) - mean(&found[0]);
    let exact = 0.4 / hpfracc_special::gamma(1.5);
    assert!((grown / exact - 1.0).abs() < 1e-3, "{grown} {exact}");
}

/// An exact solution by the Cole-Hopf transform; on periodic axes momentum is constant.
#[test]
fn burgers() {
    // Cole-Hopf: phi = 1 + exp(-t nu k^2) cos(k x) / 2 gives u = -2 nu phi_x / phi.
    let (nu, k) = (0.1, std::f64::consts::PI);
    let exact = |t: f64, x: f64| {
        let decay = 0.5 * (-nu * k * k * t).exp();
        2.0 * nu * k * decay * (k * x).sin() / (1.0 + decay * (k * x).cos())
    };
    let error = |n: usize| {
        let axis = Axis::new(0.0, 1.0, n, [Boundary::Dirichlet; 2]).unwrap();
        let grid = line(0.0, 1.0, n, Boundary::Dirichlet);
        let equation = Burgers { alpha: 1.0, nu }.equation(axis).unwrap();
        let equation = equation.start_from(|x| exact(0.0, x[0])).unwrap();
        let solution = solve(&equation, 1.0, Settings::default()).unwrap();
        (1.0 / n as f64, largest(solution.last(), &grid.sample(|x| exact(1.0, x[0]))))
    };
    let order = observed_order(&[error(15), error(30), error(60)]);
    assert!((order - 2.0).abs() < 0.15, "order {order}");
    let axis = Axis::periodic(0.0, 1.0, 40).unwrap();
    let equation = Burgers { alpha: 0.6, nu: 0.05 }.equation(axis).unwrap();
    let equation = equation.start_from(|x| 0.3 + (std::f64::consts::TAU * x[0]).sin()).unwrap();
    let by = |scheme| solve(&equation, 1.0, Settings { scheme, ..Settings::default() }).unwrap();
    let (newton, extrapolated) =
        (by(TimeScheme::ProductTrapezoid), by(TimeScheme::ImplicitExplicit));
    assert!(largest(newton.last(), extrapolated.last()) < 1e-3);
    let sum = |u: &[f64]| u.iter().sum::<f64>();
    let before: f64 =
        (0..40).map(|i| 0.3 + (std::f64::consts::TAU * (f64::from(i) + 0.5) / 40.0).sin()).sum();
    assert!((sum(newton.last()) - before).abs() < 1e-10);
    let open = Axis::new(0.0, 1.0, 8, [Boundary::Neumann; 2]).unwrap();
    assert!(matches!(Burgers { alpha: 1.0, nu: 1.0 }.equation(open), Err(PdeError::Spatial(_))));
}

/// A smooth solution of order 0.7, positive everywhere: order 2 in space.
#[test]
fn porous_medium_has_order_two() {
    let (alpha, pi) = (0.7, std::f64::consts::PI);
    // u = 2 + t^2 cos(pi x) with m = 2.
    let rate = 2.0 / hpfracc_special::gamma(3.0 - alpha);
    let source = move |at: &hpfracc_pde::Site<'_>| {
        let (t, x) = (at.t, at.x[0]);
        let spread = 4.0 * t * t * (pi * x).cos() + 2.0 * t.powi(4) * (2.0 * pi * x).cos();
        rate * t.powf(2.0 - alpha) * (pi * x).cos() + pi * pi * spread
    };
    let error = |n: usize| {
        let grid = line(0.0, 1.0, n, Boundary::Neumann);
        let equation = PorousMedium { alpha, m: 2.0 }.equation(grid.clone()).unwrap();
        let equation = equation.source(0, source).unwrap().start(&vec![2.0; n]).unwrap();
        let steps = Some(graded_steps(alpha, 10 * n).unwrap());
        let solution = solve(&equation, 1.0, Settings { steps, ..Settings::default() }).unwrap();
        let exact = grid.sample(|x| 2.0 + (pi * x[0]).cos());
        (1.0 / n as f64, largest(solution.last(), &exact))
    };
    let order = observed_order(&[error(10), error(20), error(40)]);
    assert!((order - 2.0).abs() < 0.1, "order {order}");
}

/// Solutions of the Allen-Cahn equation stay in [-1, 1], those of Fisher-KPP in [0, 1].
#[test]
fn bounds_persist() {
    for alpha in [0.4, 1.0] {
        let grid = line(0.0, 1.0, 40, Boundary::Neumann);
        let phases = AllenCahn { alpha, epsilon: 0.05 }.equation(grid.clone()).unwrap();
        let growth = FisherKpp { alpha, kappa: 0.01, rate: 3.0 }.equation(grid).unwrap();
        for (equation, lowest) in [(phases, -1.0), (growth, 0.0)] {
            let start = |x: &[f64]| if (9.0 * x[0]).sin() > 0.2 { 1.0 } else { lowest };
            let equation = equation.start_from(start).unwrap();
            let scheme = TimeScheme::L1;
            let mut apart = Quantity::new(|_, u: &[f64]| {
                u.iter().map(|u| (lowest - u).max(u - 1.0)).fold(0.0, f64::max)
            });
            let observers: Vec<&mut dyn Observer> = vec![&mut apart];
            solve(&equation, 3.0, Settings { scheme, observers, ..Settings::default() }).unwrap();
            assert!(apart.values().iter().all(|apart| *apart < 1e-9), "{alpha} {lowest}");
        }
    }
}
