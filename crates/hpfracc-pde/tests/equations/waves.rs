//! Cattaneo and Schroedinger equations.

use crate::diagonal::Diagonal;
use crate::reference::largest;
use hpfracc_ode::{Options, Problem, ProductTrapezoid, Steps};
use hpfracc_pde::models::{Cattaneo, CattaneoForm, Schroedinger, SchroedingerForm};
use hpfracc_pde::{PdeError, solve_linear};
use hpfracc_spatial::{
    AdvectionDiffusion, AdvectionScheme, Axis, Boundary, BoxGrid, Complex64, DenseModes,
    Diffusion as VariableDiffusion, Laplacian, Modes, PlusConstant, SpatialOperator,
};
use hpfracc_special::mittag_leffler_complex;
use std::f64::consts::PI;

const FORMS: [SchroedingerForm; 2] = [SchroedingerForm::PowerOfI, SchroedingerForm::PlainI];

fn interval(n: usize) -> BoxGrid {
    BoxGrid::new(vec![Axis::new(0.0, 1.0, n, [Boundary::Dirichlet; 2]).unwrap()]).unwrap()
}

/// For alpha = 1 modes are damped oscillations, for small wave numbers overdamped.
#[test]
fn cattaneo_of_order_one_is_the_telegraph_equation() {
    let (n, tau, kappa, t) = (40, 0.3, 0.05, 1.7);
    let grid = interval(n);
    let laplacian = Laplacian::new(grid.clone(), &[1.0]).unwrap();
    for form in [CattaneoForm::Subdiffusive, CattaneoForm::Diffusive] {
        for k in [1.0, 2.0, 7.0, 30.0] {
            let mode = grid.sample(|x| (k * PI * x[0]).sin());
            let model = Cattaneo { alpha: 1.0, tau, kappa, form };
            let velocity: Vec<f64> = mode.iter().map(|u| -0.4 * u).collect();
            let equation = model.equation(grid.clone()).unwrap().start(&mode).unwrap();
            let equation = equation.start_velocity(&velocity).unwrap();
            let found = solve_linear(&equation, &[t], 1e-10).unwrap();
            let lambda = kappa * laplacian.eigenvalues()[k as usize - 1];
            // exp(-t / 2 tau) (cos w t + (1 / 2 tau - 0.4) sin(w t) / w)
            let (rate, w) = (0.5 / tau, Complex64::from(lambda / tau - 0.25 / (tau * tau)).sqrt());
            let factor = (w * t).cos() + (rate - 0.4) * (w * t).sin() / w;
            let factor = (-rate * t).exp() * factor.re;
            let exact: Vec<f64> = mode.iter().map(|u| factor * u).collect();
            assert!(largest(&found[0], &exact) < 1e-12, "{k}: {:e}", largest(&found[0], &exact));
        }
    }
}

/// The second moment of a point source on a wide interval, whose transform is
/// `2 kappa / (s P(s))`, crosses over from alpha to 2 alpha, and from 1 to 1 + alpha.
#[test]
fn cattaneo_crosses_over() {
    let (n, half) = (801, 40.0);
    let axis = Axis::new(-half, half, n, [Boundary::Neumann; 2]).unwrap();
    let grid = BoxGrid::new(vec![axis]).unwrap();
    let x = grid.axes()[0].points();
    let mut start = vec![0.0; n];
    start[n / 2] = 1.0;
    let alpha = 0.4;
    for (form, orders) in
        [(CattaneoForm::Subdiffusive, [0.4, 0.8]), (CattaneoForm::Diffusive, [1.0, 1.4])]
    {
        let model = Cattaneo { alpha, tau: 1.0, kappa: 1.0, form };
        let mut equation = model.equation(grid.clone()).unwrap().start(&start).unwrap();
        assert_eq!(equation.order_of(0), orders[1]);
        if orders[1] > 1.0 {
            equation = equation.start_velocity(&vec![0.0; n]).unwrap();
        }
        let times = [0.1, 1.0, 8.0];
        let fields = solve_linear(&equation, &times, 1e-10).unwrap();
        for (t, u) in times.iter().zip(&fields) {
            let moment: f64 = x.iter().zip(u).map(|(x, u)| x * x * u).sum();
            // 2 t^(2b) E_(b, 2b + 1)(-t^b) with b = alpha, the difference of the orders.
            let z = Complex64::from(-t.powf(alpha));
            let beta = orders[1] + 1.0;
            let exact = mittag_leffler_complex(alpha, beta, z).unwrap().re;
            let exact = 2.0 * t.powf(orders[1]) * exact;
            assert!((moment / exact - 1.0).abs() < 1e-6, "{form:?} {t}: {moment} {exact}");
        }
    }
}

#[test]
fn cattaneo_refuses_bad_parameters() {
    let of = |alpha: f64, tau: f64, kappa: f64| {
        let model = Cattaneo { alpha, tau, kappa, form: CattaneoForm::Diffusive };
        model.equation(interval(10)).map(|_| ()).unwrap_err()
    };
    for error in [of(0.0, 1.0, 1.0), of(1.1, 1.0, 1.0), of(0.5, 0.0, 1.0), of(0.5, 1.0, -1.0)] {
        assert!(matches!(error, PdeError::OutOfRange { .. }), "{error}");
    }
}

fn norm(psi: &[Complex64]) -> f64 {
    psi.iter().map(Complex64::norm_sqr).sum()
}

fn farthest(one: &[Complex64], other: &[Complex64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

fn packet(grid: &BoxGrid) -> Vec<Complex64> {
    let of = |x: &f64| Complex64::new(-60.0 * (x - 0.4).powi(2), 12.0 * x).exp();
    grid.axes()[0].points().iter().map(of).collect()
}

/// `exp(-i H t) psi` by short Taylor steps of the Hamiltonian itself.
fn exponential(
    h: &dyn Fn(&[Complex64]) -> Vec<Complex64>,
    psi: &[Complex64],
    t: f64,
) -> Vec<Complex64> {
    let steps = 4000;
    let step = Complex64::new(0.0, -t / f64::from(steps));
    let mut psi = psi.to_vec();
    for _ in 0..steps {
        let mut term = psi.clone();
        for k in 1..=18 {
            term = h(&term).into_iter().map(|x| x * step / f64::from(k)).collect();
            psi.iter_mut().zip(&term).for_each(|(psi, x)| *psi += x);
        }
    }
    psi
}

/// Product with `kappa A + V`.
fn hamiltonian(
    a: &dyn SpatialOperator,
    kappa: f64,
    v: &[f64],
    psi: &[Complex64],
) -> Vec<Complex64> {
    let parts = [psi.iter().map(|z| z.re).collect::<Vec<_>>(), psi.iter().map(|z| z.im).collect()];
    let [re, im] = parts.map(|x: Vec<f64>| {
        let mut y = vec![0.0; x.len()];
        a.apply(&x, &mut y);
        y.iter_mut().zip(x.iter().zip(v)).for_each(|(y, (x, v))| *y = kappa * *y + v * x);
        y
    });
    re.into_iter().zip(im).map(|(re, im)| Complex64::new(re, im)).collect()
}

/// Order 1 conserves the norm and is the exponential function, with and without modes.
#[test]
fn order_one_is_unitary() {
    let (n, kappa) = (60, 0.5);
    let grid = interval(n);
    let start = packet(&grid);
    let with_modes = Laplacian::new(grid.clone(), &[1.0]).unwrap();
    let without = VariableDiffusion::new(grid.clone(), |x| 1.0 + x[0]).unwrap();
    let constant = vec![-7.0; n];
    let harmonic = grid.sample(|x| 300.0 * (x[0] - 0.5).powi(2) - 20.0);
    let cases: [(&dyn SpatialOperator, &[f64]); 4] = [
        (&with_modes, &[]),
        (&with_modes, &constant),
        (&with_modes, &harmonic),
        (&without, &harmonic),
    ];
    for (a, v) in cases {
        let padded = if v.is_empty() { vec![0.0; n] } else { v.to_vec() };
        let h = |psi: &[Complex64]| hamiltonian(a, kappa, &padded, psi);
        let exact = exponential(&h, &start, 0.2);
        for form in FORMS {
            let model = Schroedinger { alpha: 1.0, kappa, form };
            let found = model.solve(a, v, &start, &[0.0, 0.2, 50.0]).unwrap();
            assert_eq!(found[0], start);
            for psi in &found {
                assert!((norm(psi) / norm(&start) - 1.0).abs() < 1e-12, "{:e}", norm(psi));
            }
            assert!(farthest(&found[1], &exact) < 1e-11, "{:e}", farthest(&found[1], &exact));
        }
    }
}

/// Fractional orders against steps of the real system of both parts, and the scalar solutions.
#[test]
fn fractional_orders_agree_with_steps() {
    let (n, kappa, alpha) = (5, 0.02, 0.7);
    let grid = interval(n);
    let a = Laplacian::new(grid.clone(), &[1.0]).unwrap();
    let v = [0.3, -0.6, 1.1, 0.0, 0.2];
    let start = packet(&grid);
    for form in FORMS {
        let model = Schroedinger { alpha, kappa, form };
        let exact = model.solve(&a, &v, &start, &[1.5]).unwrap().remove(0);
        let angle = if form == SchroedingerForm::PowerOfI { alpha } else { 1.0 } * PI / 2.0;
        let factor = Complex64::cis(-angle);
        let rhs = |_: f64, y: &[f64], f: &mut [f64]| {
            let psi: Vec<Complex64> = (0..n).map(|i| Complex64::new(y[i], y[n + i])).collect();
            for (i, h) in hamiltonian(&a, kappa, &v, &psi).into_iter().enumerate() {
                let h = factor * h;
                (f[i], f[n + i]) = (h.re, h.im);
            }
        };
        let parts: Vec<f64> =
            start.iter().map(|z| z.re).chain(start.iter().map(|z| z.im)).collect();
        let problem = Problem::new(&[alpha], (0.0, 1.5), &[&parts], rhs).unwrap();
        let errors = [200, 400].map(|count| {
            let steps = Steps::Graded { n: count, exponent: 2.0 / alpha };
            let solution =
                hpfracc_ode::solve(&problem, &ProductTrapezoid, &steps, Options::default());
            let solution = solution.map_err(|failure| failure.error).unwrap();
            let y = solution.last();
            let psi: Vec<Complex64> = (0..n).map(|i| Complex64::new(y[i], y[n + i])).collect();
            farthest(&psi, &exact)
        });
        assert!(errors[1] < 1e-3 && (3.5..4.5).contains(&(errors[0] / errors[1])), "{errors:?}");
    }
    // Energies by a constant potential are those by an operator plus a constant.
    let plus = PlusConstant::new(&a, 3.0).unwrap();
    let model = Schroedinger { alpha, kappa: 1.0, form: SchroedingerForm::PlainI };
    let one = model.solve(&plus, &[], &start, &[0.4]).unwrap();
    let two = model.solve(&a, &[3.0; 5], &start, &[0.4]).unwrap();
    assert!(farthest(&one[0], &two[0]) < 1e-13);
}

/// Moduli at long times: 1 / alpha in the first form, t^-alpha / (lambda Gamma(1 - alpha)) in the
/// second.
#[test]
fn long_times_are_known() {
    let a = Diagonal { eigenvalues: vec![2.0, 5.0], with_modes: true };
    let start = [Complex64::ONE, Complex64::I];
    let (alpha, t) = (0.6, 1e6);
    let of = |form| {
        let model = Schroedinger { alpha, kappa: 1.0, form };
        model.solve(&a, &[], &start, &[t]).unwrap().remove(0)
    };
    for psi in of(SchroedingerForm::PowerOfI) {
        assert!((psi.norm() * alpha - 1.0).abs() < 1e-3);
    }
    for (psi, l) in of(SchroedingerForm::PlainI).iter().zip([2.0, 5.0]) {
        let exact = t.powf(-alpha) / (l * hpfracc_special::gamma(1.0 - alpha));
        assert!((psi.norm() / exact - 1.0).abs() < 1e-3);
    }
}

#[test]
fn schroedinger_refuses_bad_input() {
    let grid = interval(10);
    let a = Laplacian::new(grid.clone(), &[1.0]).unwrap();
    let start = vec![Complex64::ONE; 10];
    let model = Schroedinger { alpha: 0.5, kappa: 1.0, form: SchroedingerForm::PlainI };
    let range = |error: PdeError| assert!(matches!(error, PdeError::OutOfRange { .. }), "{error}");
    range(Schroedinger { alpha: 1.2, ..model }.solve(&a, &[], &start, &[1.0]).unwrap_err());
    range(Schroedinger { kappa: 0.0, ..model }.solve(&a, &[], &start, &[1.0]).unwrap_err());
    range(model.solve(&a, &[], &start, &[-1.0]).unwrap_err());
    range(model.solve(&a, &[], &start, &[f64::NAN]).unwrap_err());
    let short = model.solve(&a, &[], &start[1..], &[1.0]);
    assert!(matches!(short, Err(PdeError::Length { what: "the start", .. })));
    let short = model.solve(&a, &[1.0; 3], &start, &[1.0]);
    assert!(matches!(short, Err(PdeError::Length { what: "the potential", .. })));
    let mut bad = start.clone();
    bad[4].im = f64::NAN;
    let refused = model.solve(&a, &[], &bad, &[1.0]);
    assert!(matches!(refused, Err(PdeError::NotFinite { what: "the start", index: 4, .. })));
    let mut v = [0.0; 10];
    v[2] = f64::INFINITY;
    let refused = model.solve(&a, &v, &start, &[1.0]);
    assert!(matches!(refused, Err(PdeError::NotFinite { what: "the potential", index: 2, .. })));
    let diffusion = VariableDiffusion::new(grid, |_| 1.0).unwrap();
    let moving = AdvectionDiffusion::new(&diffusion, &[1.0; 11], AdvectionScheme::Central).unwrap();
    let error = model.solve(&moving, &[], &start, &[1.0]).unwrap_err();
    assert!(error.to_string().contains("self-adjoint"), "{error}");
    let large = VariableDiffusion::new(interval(2500), |_| 1.0).unwrap();
    let error = model.solve(&large, &[], &vec![Complex64::ONE; 2500], &[1.0]).unwrap_err();
    assert!(error.to_string().contains("dense"), "{error}");
}

/// Modes of a dense matrix are those of the operator, in its inner product.
#[test]
fn dense_modes_reproduce_the_operator() {
    let grid = interval(30);
    let a = VariableDiffusion::new(grid.clone(), |x| 1.0 + x[0]).unwrap();
    let v = grid.sample(|x| -40.0 * x[0]);
    let dense = DenseModes::plus_diagonal(&a, &v).unwrap();
    let x = grid.sample(|x| x[0].exp());
    let (mut product, mut by_modes) = (vec![0.0; 30], x.clone());
    dense.apply(&x, &mut product);
    dense.to_modes(&mut by_modes);
    by_modes.iter_mut().zip(dense.eigenvalues()).for_each(|(c, l)| *c *= l);
    dense.to_values(&mut by_modes);
    let size = product.iter().fold(0.0, |most: f64, y| most.max(y.abs()));
    assert!(largest(&product, &by_modes) < 1e-12 * size);
    assert!(DenseModes::plus_diagonal(&a, &v[1..]).is_err());
}
