//! Lyapunov exponents: of linear systems, without memory, and published ones.

use hpfracc_ode::OdeError;
use hpfracc_ode::{
    AdamsBashforthMoulton, Differentiable, LyapunovOptions, Options, Parametric, Problem,
    ProductTrapezoid, Steps, TangentHistory, Variation, lyapunov_exponents, solve, tangent,
};
use hpfracc_special::mittag_leffler;

type Jacobians = fn(f64, &[f64], &[f64], &mut [f64], &mut [f64]);
type Rhs = fn(f64, &[f64], &[f64], &mut [f64]);

/// `D^a1 x = 0.8 x + 0.5 y`, `D^a2 y = -0.5 y`.
fn linear(orders: &[f64], t1: f64) -> Problem<impl Differentiable> {
    let rhs: Rhs = |_, y, _, dydt| (dydt[0], dydt[1]) = (0.8 * y[0] + 0.5 * y[1], -0.5 * y[1]);
    let jacobians: Jacobians = |_, _, _, f_y, _| f_y.copy_from_slice(&[0.8, 0.5, 0.0, -0.5]);
    Problem::of(Parametric::new(&[], rhs, jacobians), orders, (0.0, t1), &[&[1.0, 1.0]]).unwrap()
}

fn lorenz(orders: &[f64], t1: f64) -> Problem<impl Differentiable> {
    let rhs: Rhs = |_, y, p, dydt| {
        dydt[0] = p[0] * (y[1] - y[0]);
        dydt[1] = y[0] * (p[1] - y[2]) - y[1];
        dydt[2] = y[0] * y[1] - p[2] * y[2];
    };
    let jacobians: Jacobians = |_, y, p, f_y, _| {
        f_y.copy_from_slice(&[-p[0], p[0], 0.0, p[1] - y[2], -1.0, -y[0], y[1], y[0], -p[2]]);
    };
    let system = Parametric::new(&[10.0, 28.0, 8.0 / 3.0], rhs, jacobians);
    Problem::of(system, orders, (0.0, t1), &[&[1.0, 2.0, 20.0]]).unwrap()
}

fn rabinovich_fabrikant(alpha: f64, t1: f64) -> Problem<impl Differentiable> {
    let rhs: Rhs = |_, y, p, dydt| {
        dydt[0] = y[1] * (y[2] - 1.0 + y[0] * y[0]) + p[0] * y[0];
        dydt[1] = y[0] * (3.0 * y[2] + 1.0 - y[0] * y[0]) + p[0] * y[1];
        dydt[2] = -2.0 * y[2] * (p[1] + y[0] * y[1]);
    };
    let jacobians: Jacobians = |_, y, p, f_y, _| {
        f_y.copy_from_slice(&[
            2.0 * y[0] * y[1] + p[0],
            y[0] * y[0] + y[2] - 1.0,
            y[1],
            -3.0 * y[0] * y[0] + 3.0 * y[2] + 1.0,
            p[0],
            3.0 * y[0],
            -2.0 * y[1] * y[2],
            -2.0 * y[0] * y[2],
            -2.0 * (y[0] * y[1] + p[1]),
        ]);
    };
    let system = Parametric::new(&[0.1, 0.98], rhs, jacobians);
    Problem::of(system, &[alpha], (0.0, t1), &[&[0.1, 0.1, 0.1]]).unwrap()
}

fn options(steps: usize, every: usize, count: usize, memory: TangentHistory) -> LyapunovOptions {
    LyapunovOptions { steps, every, discard: 0, count, history: memory }
}

/// `ln E_alpha(lambda t^alpha)`.
fn growth(alpha: f64, lambda: f64, t: f64) -> f64 {
    mittag_leffler(alpha, 1.0, lambda * t.powf(alpha)).unwrap().ln()
}

#[test]
fn a_linear_system_that_keeps_its_memory() {
    // The triangular coupling turns the columns; the product of both factors, the determinant of
    // Phi, is that of the diagonal.
    for orders in [[0.8, 0.8], [0.9, 0.7]] {
        let problem = linear(&orders, 20.0);
        for every in [5, 100, 4000] {
            let options = options(4000, every, 2, TangentHistory::Full);
            let found = lyapunov_exponents(&problem, &ProductTrapezoid, &options).unwrap();
            let expected = growth(orders[0], 0.8, 20.0) / 20.0;
            let sum = expected + growth(orders[1], -0.5, 20.0) / 20.0;
            let errors = [found.exponents[0] - expected, found.exponents.iter().sum::<f64>() - sum];
            println!("{orders:?} {every} {:?} {expected} {errors:?}", found.exponents);
            assert!(errors.iter().all(|error| error.abs() < 1e-4), "{errors:?}");
        }
        // 0.8^(1/alpha) in the limit.
        let limit = 0.8f64.powf(1.0 / orders[0]);
        assert!((growth(orders[0], 0.8, 20.0) / 20.0 - limit).abs() < 0.02);
    }
}

#[test]
fn the_exponents_of_a_linear_system_that_forgets() {
    let orders = [0.9, 0.7];
    let problem = linear(&orders, 40.0);
    let options =
        LyapunovOptions { discard: 20, ..options(8000, 200, 2, TangentHistory::Restarted) };
    let found = lyapunov_exponents(&problem, &ProductTrapezoid, &options).unwrap();
    assert_eq!(found.times.len(), 20);
    for (exponent, (alpha, lambda)) in found.exponents.iter().zip([(0.9, 0.8), (0.7, -0.5)]) {
        let expected = growth(alpha, lambda, 1.0);
        println!("{exponent} {expected}");
        assert!((exponent - expected).abs() < 1e-3, "{exponent} {expected}");
    }
}

#[test]
fn lorenz_without_memory() {
    // 0.9056, 0, -14.5723: Sprott, Chaos and Time-Series Analysis (2003). Their sum is the
    // trace of the Jacobian, -41/3.
    let problem = lorenz(&[1.0], 400.0);
    let options =
        LyapunovOptions { discard: 500, ..options(80_000, 20, 3, TangentHistory::Restarted) };
    let found = lyapunov_exponents(&problem, &AdamsBashforthMoulton::default(), &options).unwrap();
    println!("{:?}", found.exponents);
    for (exponent, expected) in found.exponents.iter().zip([0.9056, 0.0, -14.5723]) {
        assert!((exponent - expected).abs() < 0.03, "{:?}", found.exponents);
    }
    let sum: f64 = found.exponents.iter().sum();
    assert!((sum + 41.0 / 3.0).abs() < 0.02, "{sum}");
}

#[test]
fn decay_without_memory_is_lost_with_the_full_history() {
    let problem = lorenz(&[1.0], 4.0);
    let all = options(4000, 10, 3, TangentHistory::Full);
    let error = lyapunov_exponents(&problem, &ProductTrapezoid, &all).unwrap_err();
    assert!(matches!(error, OdeError::LostInRounding { exponent: 2, .. }), "{error}");
    // The largest ones are not touched by it, and without memory both kinds are the same.
    let kept = options(4000, 10, 2, TangentHistory::Full);
    let restarted = options(4000, 10, 2, TangentHistory::Restarted);
    let kept = lyapunov_exponents(&problem, &ProductTrapezoid, &kept).unwrap();
    let restarted = lyapunov_exponents(&problem, &ProductTrapezoid, &restarted).unwrap();
    for (a, b) in kept.exponents.iter().zip(&restarted.exponents) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }
}

/// With the full history, the exponents of any system are those of the triangular factor of Phi,
/// which the tangents of the product trapezoid give column by column.
#[test]
fn nonlinear_systems_that_keep_their_memory() {
    for orders in [&[0.99][..], &[0.98, 0.95, 0.97]] {
        let (n, t1) = (2000, 8.0);
        let problem = lorenz(orders, t1);
        let solution =
            solve(&problem, &ProductTrapezoid, &Steps::Uniform(n), Options::default()).unwrap();
        let mut columns: Vec<Vec<f64>> = Vec::new();
        let mut expected = Vec::new();
        for component in 0..3 {
            let mut direction = Variation::zeros(&problem);
            direction.initial[[0, component]] = 1.0;
            let moved =
                tangent(&problem, &ProductTrapezoid, &solution, &direction, &Options::default())
                    .unwrap();
            let mut column = moved.row(n).to_vec();
            for earlier in columns.iter().chain(&columns) {
                let share: f64 = column.iter().zip(earlier).map(|(a, b)| a * b).sum();
                column.iter_mut().zip(earlier).for_each(|(a, b)| *a -= share * b);
            }
            let length = column.iter().map(|x| x * x).sum::<f64>().sqrt();
            expected.push(length.ln() / t1);
            column.iter_mut().for_each(|x| *x /= length);
            columns.push(column);
        }
        for every in [10, 200] {
            let options = options(n, every, 3, TangentHistory::Full);
            let found = lyapunov_exponents(&problem, &ProductTrapezoid, &options).unwrap();
            println!("{orders:?} {:?} {expected:?}", found.exponents);
            for (exponent, expected) in found.exponents.iter().zip(&expected) {
                assert!((exponent - expected).abs() < 1e-8, "{exponent} {expected}");
            }
        }
    }
}

#[test]
fn a_published_spectrum_of_a_fractional_system() {
    // The documentation of FOLyapunov in FractionalDiffEq.jl, whose program restarts every 0.02
    // with four steps of the predictor-corrector method, as that of Danca and Kuznetsov does. The
    // order is theirs, 0.999; the 0.98 printed with the figures cannot be: the Jacobian has the
    // constant trace -1.76, and the sum of the exponents over it is 1.004, as
    // tau^(alpha-1)/Gamma(alpha+1) is for 0.999 and not for 0.98. Chaos makes of rounding what is
    // left after eight digits.
    let problem = rabinovich_fabrikant(0.999, 300.0);
    let options = options(60_000, 4, 3, TangentHistory::Restarted);
    let found = lyapunov_exponents(&problem, &AdamsBashforthMoulton::default(), &options).unwrap();
    println!("{:?}", found.exponents);
    for (exponent, expected) in found.exponents.iter().zip([0.061116502, 0.003898140, -1.832464682])
    {
        assert!((exponent - expected).abs() < 1e-6, "{:?}", found.exponents);
    }
}

#[test]
fn bad_options_are_named() {
    let problem = linear(&[0.8], 1.0);
    let good = options(100, 10, 2, TangentHistory::Full);
    for bad in [
        LyapunovOptions { every: 0, ..good },
        LyapunovOptions { every: 7, ..good },
        LyapunovOptions { discard: 10, ..good },
        LyapunovOptions { count: 0, ..good },
        LyapunovOptions { count: 3, ..good },
    ] {
        let error = lyapunov_exponents(&problem, &ProductTrapezoid, &bad).unwrap_err();
        assert!(matches!(error, OdeError::OutOfRange { .. }), "{error}");
    }
    let rhs: Rhs = |_, _, _, dydt| dydt[0] = 0.0;
    let jacobians: Jacobians = |_, _, _, _, _| {};
    let system = Parametric::new(&[], rhs, jacobians);
    let two_rows = Problem::of(system, &[1.5], (0.0, 1.0), &[&[1.0], &[0.0]]).unwrap();
    let error = lyapunov_exponents(&two_rows, &ProductTrapezoid, &good).unwrap_err();
    assert!(matches!(error, OdeError::OutOfRange { value: 1.5, .. }), "{error}");
}
