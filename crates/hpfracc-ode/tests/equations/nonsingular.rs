use super::{largest, order, pece};
use hpfracc_ode::OdeError;
use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    AdamsBashforthMoulton, AtanganaBaleanu, CaputoFabrizio, Collocation, InitialConsistency,
    Nonsingular, Options, Problem, ProductTrapezoid, Rhs, Scheme, Steps, System, WithJacobian,
    solve,
};
use hpfracc_special::mittag_leffler;

/// The definitions: alpha, normalisation, and the order b of the memory.
#[derive(Debug, Clone, Copy)]
enum Kind {
    CaputoFabrizio(f64, f64),
    AtanganaBaleanu(f64, f64),
}
use Kind::{AtanganaBaleanu as Ab, CaputoFabrizio as Cf};

impl Kind {
    fn problem<S: System>(
        self,
        t1: f64,
        initial: &[f64],
        start: InitialConsistency,
        system: S,
    ) -> Result<Problem<Nonsingular<S>>, OdeError> {
        match self {
            Cf(alpha, normalisation) => {
                CaputoFabrizio { alpha, normalisation }.problem((0.0, t1), initial, start, system)
            }
            Ab(alpha, normalisation) => {
                AtanganaBaleanu { alpha, normalisation }.problem((0.0, t1), initial, start, system)
            }
        }
    }

    /// (1-a)/M, a/M, b.
    fn parts(self) -> (f64, f64, f64) {
        match self {
            Cf(a, m) => ((1.0 - a) / m, a / m, 1.0),
            Ab(a, m) => ((1.0 - a) / m, a / m, a),
        }
    }

    /// D t^2: M/(1-a) 2 t^2 E_{b,3}(-a t^b/(1-a)), the kernel convolved with 2 s.
    fn of_square(self, t: f64) -> f64 {
        let (local, memory, b) = self.parts();
        let e = mittag_leffler(b, 3.0, -memory / local * t.powf(b)).unwrap();
        2.0 * t * t * e / local
    }
}

const KINDS: [Kind; 5] = [Cf(0.3, 1.0), Cf(0.7, 2.0), Ab(0.3, 1.0), Ab(0.7, 1.0), Ab(0.7, 0.5)];

/// The solution of D y = t - y from 0. By Laplace's transform, with mu = memory/(1 + local):
/// y = (local t E_{b,2}(-mu t^b) + memory t^(1+b) E_{b,2+b}(-mu t^b))/(1 + local).
fn linear(kind: Kind) -> impl Fn(f64) -> f64 {
    let (local, memory, b) = kind.parts();
    move |t: f64| {
        let z = -memory / (1.0 + local) * t.powf(b);
        let e = |beta: f64| t.powf(beta - 1.0) * mittag_leffler(b, beta, z).unwrap();
        (local * e(2.0) + memory * e(2.0 + b)) / (1.0 + local)
    }
}

/// It has a power t^(1+b), for which the error of the first cell is h^(1+2b).
#[test]
fn a_linear_equation_over_all_nodes() {
    for kind in KINDS {
        let (_, _, b) = kind.parts();
        let exact = linear(kind);
        let rhs = Rhs(|t: f64, y: &[f64], out: &mut [f64]| out[0] = t - y[0]);
        let problem = kind.problem(2.0, &[0.0], InitialConsistency::Required, rhs).unwrap();
        // Enough passes that only the error of the trapezoidal rule remains.
        let passes = 10;
        let name = format!("{kind:?}, t - y, PECE {passes}");
        let (order, error) = order(&name, &[50, 100, 200, 400], |n| {
            let solution = pece(&problem, passes, n);
            let errors = solution.times().iter();
            largest(errors.map(|&t| problem.system().value(&solution, t).unwrap()[0] - exact(t)))
        });
        let expected = f64::min(2.0, 1.0 + 2.0 * b);
        assert!((order - expected).abs() < 0.2 && error < 1e-5, "{kind:?} {order} {error:e}");
    }
}

/// A right-hand side with a large slope, two components: Newton's iteration inside, and memory that
/// is not stiff. y_1 = t^2, y_2 = 1 + t^2.
#[test]
fn a_nonlinear_system_has_order_two() {
    for kind in KINDS {
        let rhs = move |t: f64, y: &[f64], out: &mut [f64]| {
            let (first, second) = (y[0] - t * t, y[1] - 1.0 - t * t);
            out[0] = kind.of_square(t) - 40.0 * first * (1.0 + y[0] * y[0]) + second;
            out[1] = kind.of_square(t) - first - second * y[1].exp();
        };
        let problem =
            kind.problem(1.0, &[0.0, 1.0], InitialConsistency::Required, Rhs(rhs)).unwrap();
        let passes = 10;
        let name = format!("{kind:?}, nonlinear, PECE {passes}");
        let (order, error) = order(&name, &[50, 100, 200, 400], |n| {
            let y = problem.system().value(&pece(&problem, passes, n), 1.0).unwrap();
            largest([y[0] - 1.0, y[1] - 2.0].into_iter())
        });
        assert!((order - 2.0).abs() < 0.25 && error < 1e-4, "{kind:?} {order} {error:e}");
    }
}

/// D y = -y from 1 is not consistent. Relaxed, it is E_b(-mu t^b), mu = memory/(1 + local).
#[test]
fn an_inconsistent_start_is_refused_or_relaxed() {
    for kind in KINDS {
        let rhs = || Rhs(|_: f64, y: &[f64], out: &mut [f64]| out[0] = -y[0]);
        let error =
            kind.problem(1.0, &[1.0], InitialConsistency::Required, rhs()).map(|_| ()).unwrap_err();
        let OdeError::Inconsistent { component: 0, value } = error else { panic!("{error}") };
        assert_eq!(value, -1.0);
        let problem = kind.problem(1.0, &[1.0], InitialConsistency::Relaxed, rhs()).unwrap();
        let (local, memory, b) = kind.parts();
        let exact = mittag_leffler(b, 1.0, -memory / (1.0 + local)).unwrap();
        let name = format!("{kind:?}, -y relaxed, PECE 4");
        let (order, error) = order(&name, &[100, 200, 400, 800], |n| {
            let y = problem.system().value(&pece(&problem, 4, n), 1.0).unwrap()[0];
            (y - exact).abs()
        });
        let expected = if b == 1.0 { 2.0 } else { 1.0 + b };
        assert!((order - expected).abs() < 0.2 && error < 1e-3, "{kind:?} {order} {error:e}");
    }
}

/// The kernel of Caputo and Fabrizio needs one number of memory.
#[test]
fn caputo_fabrizio_with_constant_memory() {
    let rhs = Rhs(|t: f64, y: &[f64], out: &mut [f64]| out[0] = t.sin() - y[0]);
    let problem = Cf(0.6, 1.0).problem(20.0, &[0.0], InitialConsistency::Required, rhs).unwrap();
    let run = |history| {
        let options = Options { history, ..Options::default() };
        let scheme = AdamsBashforthMoulton::default();
        let solution = solve(&problem, &scheme, &Steps::Uniform(2000), options).unwrap();
        problem.system().value(&solution, 20.0).unwrap()[0]
    };
    let exact = run(HistoryChoice::Direct);
    let streamed = run(HistoryChoice::Exponentials { tolerance: 1e-12 });
    assert!((exact - streamed).abs() < 1e-11, "{exact} {streamed}");
}

/// At order 1: y' = f/M, and near it nearly that.
#[test]
fn order_one_is_classical() {
    let rhs = || Rhs(|t: f64, y: &[f64], out: &mut [f64]| out[0] = t - y[0] * y[0]);
    for (near, one, other) in [
        (Cf(1.0 - 1e-9, 1.0), Cf(1.0, 1.0), Cf(1.0, 2.0)),
        (Ab(1.0 - 1e-9, 1.0), Ab(1.0, 1.0), Ab(1.0, 2.0)),
    ] {
        let at = |kind: Kind| {
            let problem = kind.problem(1.0, &[1.0], InitialConsistency::Relaxed, rhs()).unwrap();
            problem.system().value(&pece(&problem, 1, 200), 1.0).unwrap()[0]
        };
        let plain = |factor: f64| {
            let f = move |t: f64, y: &[f64], out: &mut [f64]| out[0] = factor * (t - y[0] * y[0]);
            pece(&Problem::new(&[1.0], (0.0, 1.0), &[&[1.0]], f).unwrap(), 1, 200).last()[0]
        };
        assert!((at(one) - plain(1.0)).abs() < 1e-14);
        assert!((at(other) - plain(0.5)).abs() < 1e-14);
        assert!((at(near) - plain(1.0)).abs() < 1e-7);
    }
}

/// Between the nodes; and a Jacobian changes no result, only how it is found.
#[test]
fn values_between_nodes_and_jacobians() {
    let rhs = Rhs(|t: f64, y: &[f64], out: &mut [f64]| out[0] = t - y[0].powi(3));
    let known = WithJacobian {
        system: rhs,
        jacobian: |_: f64, y: &[f64], out: &mut [f64]| out[0] = -3.0 * y[0] * y[0],
    };
    let differences = Ab(0.5, 1.0).problem(1.0, &[0.0], InitialConsistency::Required, rhs).unwrap();
    let jacobian = Ab(0.5, 1.0).problem(1.0, &[0.0], InitialConsistency::Required, known).unwrap();
    let (a, b) = (pece(&differences, 2, 100), pece(&jacobian, 2, 100));
    let fine = pece(&differences, 2, 3200);
    for t in [0.003, 0.1234, 0.995, 1.0] {
        let y = differences.system().value(&a, t).unwrap()[0];
        let with = jacobian.system().value(&b, t).unwrap()[0];
        let exact = differences.system().value(&fine, t).unwrap()[0];
        assert!((y - with).abs() < 1e-14, "{t}: {y} {with}");
        assert!((y - exact).abs() < 2e-5, "{t}: {y} {exact}");
    }
}

/// Elements are long: f is far from linear in them.
#[test]
fn values_inside_the_elements_of_a_collocation() {
    for kind in KINDS {
        let exact = linear(kind);
        let rhs = Rhs(|t: f64, y: &[f64], out: &mut [f64]| out[0] = t - y[0]);
        let problem = kind.problem(2.0, &[0.0], InitialConsistency::Required, rhs).unwrap();
        let steps = Steps::adaptive(1e-12, 1e-12);
        let solution =
            solve(&problem, &Collocation::default(), &steps, Options::default()).unwrap();
        for i in 1..=100 {
            let t = 0.02 * f64::from(i);
            let error = problem.system().value(&solution, t).unwrap()[0] - exact(t);
            assert!(error.abs() < 1e-11, "{kind:?} {t}: {error:e}");
        }
    }
}

#[test]
fn invalid_arguments_are_errors() {
    let rhs = |value: f64| Rhs(move |_: f64, _: &[f64], out: &mut [f64]| out[0] = value);
    let make = |kind: Kind, value: f64| {
        kind.problem(1.0, &[0.0], InitialConsistency::Relaxed, rhs(value)).map(|_| ()).unwrap_err()
    };
    for kind in [Cf(0.0, 1.0), Ab(1.5, 1.0), Cf(f64::NAN, 1.0), Ab(0.5, 0.0), Cf(0.5, -1.0)] {
        assert!(matches!(make(kind, 0.0), OdeError::OutOfRange { .. }), "{kind:?}");
    }
    assert!(matches!(make(Cf(0.5, 1.0), f64::NAN), OdeError::NotFinite { t: 0.0, .. }));
    let empty = Cf(0.5, 1.0)
        .problem(1.0, &[], InitialConsistency::Relaxed, rhs(0.0))
        .map(|_| ())
        .unwrap_err();
    assert!(matches!(empty, OdeError::Empty), "{empty}");
    // y - (1-a) f has no solution once x is beyond the fold of y - y^2/2.
    let square = Rhs(|t: f64, y: &[f64], out: &mut [f64]| out[0] = t + y[0] * y[0]);
    let problem = Cf(0.5, 1.0).problem(3.0, &[0.0], InitialConsistency::Required, square).unwrap();
    let scheme = AdamsBashforthMoulton::default();
    let failure = solve(&problem, &scheme, &Steps::Uniform(300), Options::default()).unwrap_err();
    let OdeError::NotFinite { t, .. } = failure.error else { panic!("{failure}") };
    assert!(t > 0.1 && t < 2.0, "{t}");
    assert!(failure.partial.unwrap().times().len() > 10);
}

/// Solutions of a linear equation are multiples of one, over 600 orders of magnitude; of subnormal
/// data they are subnormal. The forcing of Losada and Nieto subtracts f(t0, y_0).
#[test]
fn data_of_any_size() {
    for kind in KINDS {
        for scheme in [&ProductTrapezoid as &dyn Scheme, &Collocation::default()] {
            let last = |size: f64| {
                let rhs = Rhs(|_: f64, y: &[f64], out: &mut [f64]| out[0] = -3.0 * y[0]);
                let start = InitialConsistency::Relaxed;
                let problem = kind.problem(1.0, &[size], start, rhs).unwrap();
                let steps = match scheme.name() {
                    "collocation" if size > 1e-305 => Steps::adaptive(1e-6, 0.0),
                    "collocation" => Steps::adaptive(1e-6, f64::MIN_POSITIVE),
                    _ => Steps::Uniform(50),
                };
                let solution = solve(&problem, scheme, &steps, Options::default());
                let solution = solution.unwrap_or_else(|e| panic!("{kind:?}, {size:e}: {e}"));
                problem.system().value(&solution, 1.0).unwrap()[0]
            };
            let unit = last(1.0);
            for exponent in (-300..=300).step_by(60) {
                let size = 10f64.powi(exponent);
                let error = (last(size) / size / unit - 1.0).abs();
                assert!(error < 1e-7, "{kind:?}, {}, 1e{exponent}: {error:e}", scheme.name());
            }
            for size in [1e-310, 5e-324, 0.0] {
                let found = last(size);
                assert!((-1e-323..=size + 1e-323).contains(&found), "{kind:?}: {found:e}");
            }
        }
    }
}
