//! The benchmarks of the literature that have exact solutions.

use super::case::{Case, mittag_leffler};
use hpfracc_ode::Collocation;
use hpfracc_special::gamma;
use hpfracc_testkit::{Figure, Table, record};

/// Each to 3e-14 with fewer than 3000 unknowns; most to 2e-15 with a few hundred.
#[test]
fn thirteen_digits() {
    let cases = [
        relaxation(),
        powers(),
        products_of_powers(),
        forced_relaxation(),
        bagley_torvik(),
        oscillators(),
        matrices(),
        riccati(),
        kilbas_saigo(),
        half_orders(),
        stiff(),
        riemann_liouville(),
        other_derivatives(),
        whole_orders(),
    ];
    for case in cases.iter().flatten() {
        let solution = case.solve(1e-13);
        let (error, statistics) = (case.error(&solution), solution.statistics());
        println!("{:36} {error:.1e} {statistics:?}", case.name);
        record(
            "accuracy/collocation",
            &[("problem", &case.name)],
            &[
                ("error", Figure::error(error)),
                ("unknowns", Figure::number(statistics.unknowns as f64, 0)),
            ],
        );
        assert!(error < 3e-14, "{}: {error:e}", case.name);
        assert!(statistics.unknowns < 3000, "{}: {statistics:?}", case.name);
    }
}

/// An exponent that is not given costs unknowns, and no digits, even where f is infinite at the
/// start.
#[test]
fn exponents_save_unknowns() {
    let infinite = |case: &Case| case.scheme.exponents[0] < 0.0;
    for mut case in kilbas_saigo().into_iter().filter(infinite) {
        let with = case.solve(1e-12).statistics().unknowns;
        case.scheme.exponents = Vec::new();
        let without = case.solve(1e-12);
        let error = case.error(&without);
        assert!(error < 1e-12, "{}: {error:e}", case.name);
        let without = without.statistics().unknowns;
        println!("{}: {with} unknowns, without an exponent {without}", case.name);
        assert!(with < without, "{}: {with} {without}", case.name);
    }
}

/// A tolerance is met, and a larger one costs less.
#[test]
fn tolerances_are_met() {
    let cases = [products_of_powers(), stiff(), half_orders(), oscillators()];
    for case in cases.iter().flatten() {
        let unknowns = [1e-12, 1e-9, 1e-6, 1e-3].map(|tolerance| {
            let solution = case.solve(tolerance);
            let error = case.error(&solution);
            assert!(error < tolerance, "{}: {error:e}, tolerance {tolerance:e}", case.name);
            solution.statistics().unknowns
        });
        assert!(unknowns[3] < unknowns[0], "{}: {unknowns:?}", case.name);
    }
}

fn relaxation() -> Vec<Case> {
    let case = |alpha: f64, lambda: f64| {
        Case::scalar(
            format!("relaxation {alpha} {lambda}"),
            alpha,
            &[1.0],
            5.0,
            move |_, y| lambda * y,
            move |t| mittag_leffler(alpha, 1.0, lambda * t.powf(alpha)),
        )
    };
    [(0.1, -1.0), (0.3, -1.0), (0.5, -1.0), (0.8, -1.0), (0.99, -1.0), (0.5, 1.0)]
        .map(|(alpha, lambda)| case(alpha, lambda))
        .into()
}

fn zeros(alpha: f64) -> &'static [f64] {
    &[0.0; 3][..alpha.ceil() as usize]
}

fn powers() -> Vec<Case> {
    let case = |a: f64| {
        let rhs = move |t: f64, y: f64| -y + t * t + 2.0 / gamma(3.0 - a) * t.powf(2.0 - a);
        Case::scalar(format!("t^2, {a}"), a, zeros(a), 3.0, rhs, |t| t * t)
    };
    [0.3, 0.7, 1.5].map(case).into()
}

fn products_of_powers() -> Vec<Case> {
    let case = |a: f64| {
        let rhs = move |t: f64, y: f64| {
            40320.0 / gamma(9.0 - a) * t.powf(8.0 - a)
                - 3.0 * gamma(5.0 + a / 2.0) / gamma(5.0 - a / 2.0) * t.powf(4.0 - a / 2.0)
                + 2.25 * gamma(a + 1.0)
                + (1.5 * t.powf(a / 2.0) - t.powi(4)).powi(3)
                - y.abs().powf(1.5)
        };
        let exact = |t: f64| t.powi(8) - 3.0 * t.powf(4.0 + a / 2.0) + 2.25 * t.powf(a);
        Case::scalar(format!("t^8 - 3 t^(4+a/2) + 9/4 t^a, {a}"), a, zeros(a), 1.0, rhs, exact)
    };
    [0.3, 0.7, 1.25].map(case).into()
}

fn forced_relaxation() -> Vec<Case> {
    let case = |a: f64| {
        let exact = |t: f64| {
            let z = -t.powf(a);
            mittag_leffler(a, 1.0, z) + t.powf(1.0 + a) * mittag_leffler(a, a + 2.0, z)
        };
        Case::scalar(format!("-y + t, {a}"), a, &[1.0], 5.0, |t, y| t - y, exact)
    };
    [0.3, 0.7].map(case).into()
}

/// As `D^{3/2} y_1 = y_2`, `D^{1/2} y_2 = rhs - y_2 - y_1`. (A cubic would hide errors of some
/// schemes.)
fn bagley_torvik() -> Vec<Case> {
    let case = |name: &str, slope: f64, load: fn(f64) -> f64, exact: fn(f64) -> [f64; 2]| Case {
        name: format!("Bagley-Torvik {name}"),
        orders: vec![1.5, 0.5],
        initial: vec![vec![slope, 0.0], vec![slope, 0.0]],
        end: 5.0,
        rhs: Box::new(move |t, y, dydt| (dydt[0], dydt[1]) = (y[1], load(t) - y[1] - y[0])),
        exact: super::case::times(5.0).map(|t| (t, exact(t).to_vec())).collect(),
        scheme: Collocation::default(),
    };
    vec![
        case("1 + t", 1.0, |t| 1.0 + t, |t| [1.0 + t, 0.0]),
        case(
            "t^4",
            0.0,
            |t| 12.0 * t * t + 24.0 / gamma(3.5) * t.powf(2.5) + t.powi(4),
            |t| [t.powi(4), 24.0 / gamma(3.5) * t.powf(2.5)],
        ),
    ]
}

fn oscillators() -> Vec<Case> {
    let case = |a: f64| {
        let exact = |t: f64| {
            let z = -4.0 * t.powf(a);
            mittag_leffler(a, 1.0, z) + t * mittag_leffler(a, 2.0, z)
        };
        Case::scalar(format!("oscillator {a}"), a, &[1.0, 1.0], 10.0, |_, y| -4.0 * y, exact)
    };
    [1.2, 1.5, 1.9].map(case).into()
}

/// A defective matrix, far from normal.
fn matrices() -> Vec<Case> {
    let table = Table::parse(include_str!("../../data/collocation/matrix.csv"));
    let case = |alpha: f64| {
        let rows = table.rows().map(|row| row.numbers()).filter(|row| row[0] == alpha);
        Case {
            name: format!("matrix {alpha}"),
            orders: vec![alpha],
            initial: vec![vec![1.0; 3]],
            end: 4.0,
            rhs: Box::new(|_, y, dydt| {
                dydt[0] = -y[0] + 10.0 * y[1];
                dydt[1] = -y[1] + 10.0 * y[2];
                dydt[2] = -2.0 * y[2];
            }),
            exact: rows.map(|row| (row[1], row[2..].to_vec())).collect(),
            scheme: Collocation::default(),
        }
    };
    [0.4, 0.8].map(case).into()
}

fn riccati() -> Vec<Case> {
    let case = |a: f64| {
        let rhs = move |t: f64, y| {
            gamma(1.0 + 2.0 * a) / gamma(1.0 + a) * t.powf(a) + t.powf(4.0 * a) - y * y
        };
        Case::scalar(format!("t^(2a), {a}"), a, &[0.0], 1.0, rhs, |t| t.powf(2.0 * a))
    };
    [0.3, 0.7].map(case).into()
}

fn kilbas_saigo() -> Vec<Case> {
    let table = Table::parse(include_str!("../../data/collocation/kilbas_saigo.csv"));
    let case = |(alpha, b): (f64, f64)| {
        let rows = table.rows().map(|row| row.numbers());
        let rhs = move |t: f64, y: f64| -t.powf(b) * y;
        let mut case =
            Case::scalar(format!("Kilbas-Saigo {alpha} {b}"), alpha, &[1.0], 2.0, rhs, |_| 0.0);
        case.exact = rows
            .filter(|row| row[0] == alpha && row[1] == b)
            .map(|row| (row[2], vec![row[3]]))
            .collect();
        case.scheme.exponents = vec![b.min(0.0)];
        case
    };
    [(0.6, 1.0), (0.5, -0.25), (0.7, 0.3)].map(case).into()
}

fn half_orders() -> Vec<Case> {
    let exact = |t: f64| vec![(-t).exp(), -t.sqrt() * mittag_leffler(1.0, 1.5, -t)];
    vec![Case {
        name: "exp(-t) by half orders".into(),
        orders: vec![0.5],
        initial: vec![vec![1.0, 0.0]],
        end: 5.0,
        rhs: Box::new(|_, y, dydt| (dydt[0], dydt[1]) = (y[1], -y[0])),
        exact: super::case::times(5.0).map(|t| (t, exact(t))).collect(),
        scheme: Collocation::default(),
    }]
}

/// On the slow solution, and from a point next to it.
fn stiff() -> Vec<Case> {
    let case = |(rate, y0): (f64, f64)| {
        let a = 0.6;
        let rhs = move |t: f64, y: f64| {
            -rate * (y - t.cos()) - t.powf(2.0 - a) * mittag_leffler(2.0, 3.0 - a, -t * t)
        };
        let exact = |t: f64| t.cos() + (y0 - 1.0) * mittag_leffler(a, 1.0, -rate * t.powf(a));
        Case::scalar(format!("stiff {rate:e} from {y0}"), a, &[y0], 5.0, rhs, exact)
    };
    [(3.0, 1.0), (1e3, 1.0), (1e6, 1.0), (1e9, 1.0), (1e3, 2.0), (1e6, 2.0)].map(case).into()
}

/// `I^{1-a} y(0) = 1`: the unknown is the rest next to `t^(a-1)/Gamma(a)`.
fn riemann_liouville() -> Vec<Case> {
    let case = |a: f64| {
        let singular = move |t: f64| t.powf(a - 1.0) / gamma(a);
        // t^(a-1) E_{a,a}(-t^a) without its first term.
        let exact = |t: f64| -t.powf(2.0 * a - 1.0) * mittag_leffler(a, 2.0 * a, -t.powf(a));
        let rhs = move |t: f64, w: f64| -(w + singular(t));
        let name = format!("Riemann-Liouville {a}");
        let mut case = Case::scalar(name, a, &[0.0], 5.0, rhs, exact);
        case.scheme.exponents = vec![a - 1.0];
        case
    };
    [0.5, 0.7].map(case).into()
}

/// The tempered equation `D^(a,lambda) y = -y` for `u = exp(lambda t) y`, and that of Caputo and
/// Hadamard, `y' = -y + log(t/t_0)` with that derivative, in `x = log(t/t_0)`.
fn other_derivatives() -> Vec<Case> {
    const A: f64 = 0.6;
    let relaxation = |t: f64| mittag_leffler(A, 1.0, -t.powf(A));
    let tempered = |t: f64, u: f64| {
        let growth = (0.7 * t).exp();
        growth * -(u / growth)
    };
    let hadamard = |x: f64, y: f64| {
        let (t_0, t) = (2.0, 2.0 * x.exp());
        -y + f64::ln(t / t_0)
    };
    let forced = |x: f64| relaxation(x) + x.powf(1.0 + A) * mittag_leffler(A, A + 2.0, -x.powf(A));
    vec![
        Case::scalar("tempered", A, &[1.0], 4.0, tempered, relaxation),
        Case::scalar("Caputo-Hadamard", A, &[1.0], 3.0, hadamard, forced),
    ]
}

/// Ordinary differential equations.
fn whole_orders() -> Vec<Case> {
    let logistic = |t: f64| 1.0 / (1.0 + 9.0 * (-t).exp());
    vec![
        Case::scalar("logistic", 1.0, &[0.1], 8.0, |_, y| y * (1.0 - y), logistic),
        Case::scalar("cosine", 2.0, &[1.0, 0.0], 20.0, |_, y| -y, f64::cos),
        Case::scalar("y''' = -y", 3.0, &[1.0, -1.0, 1.0], 3.0, |_, y| -y, |t| (-t).exp()),
    ]
}
