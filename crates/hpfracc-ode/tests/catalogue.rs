//! Entries of the catalogue as problems: each solves, and reaches what is known of its solution.

use hpfracc_equation::Equation;
use hpfracc_equation::catalogue::{ENTRIES, Entry, named};
use hpfracc_ode::{
    AdamsBashforthMoulton, Collocation, EquationProblem, EquationSolution, L1, Options,
    ProductTrapezoid, Scheme, Steps,
};

/// Equation of an entry on the interval from 0 to an end.
fn until(entry: &Entry, end: f64) -> Equation {
    let lines = entry.text.lines().map(|line| match line.starts_with("t in ") {
        true => format!("t in [0, {end:e}]"),
        false => line.to_owned(),
    });
    Equation::parse(&lines.collect::<Vec<_>>().join("\n")).unwrap()
}

fn end(entry: &Entry) -> f64 {
    let equation = entry.equation().unwrap();
    equation.values(&equation.interval().unwrap())[1]
}

fn solve(name: &str, equation: &Equation, scheme: &dyn Scheme, steps: &Steps) -> EquationSolution {
    let problem = EquationProblem::new(equation).unwrap_or_else(|error| panic!("{name}: {error}"));
    let solution = problem.solve(scheme, steps, Options::default());
    solution.unwrap_or_else(|failure| panic!("{name}: {failure}"))
}

/// The first steps of each ordinary entry, with its own scheme.
#[test]
fn every_ordinary_entry_solves() {
    let mut count = 0;
    for entry in ENTRIES.iter().filter(|entry| !entry.scheme.ends_with("euler-maruyama")) {
        let n = entry.steps.min(400);
        let end = end(entry) * (n as f64 / entry.steps as f64).powf(entry.grading);
        let steps = match entry.grading {
            1.0 => Steps::Uniform(n),
            exponent => Steps::Graded { n, exponent },
        };
        let (scheme, steps): (Box<dyn Scheme>, Steps) = match entry.scheme {
            "pece" => (Box::new(AdamsBashforthMoulton::default()), steps),
            "trapezoid" => (Box::new(ProductTrapezoid), steps),
            "l1" => (Box::new(L1), steps),
            "collocation" => (Box::new(Collocation::default()), Steps::adaptive(1e-8, 1e-10)),
            other => panic!("{}: {other}", entry.name),
        };
        let solution = solve(entry.name, &until(entry, end), scheme.as_ref(), &steps);
        assert!(solution.last().iter().all(|value| value.is_finite()), "{}", entry.name);
        count += 1;
    }
    assert!(count > 45);
}

/// Exact solutions, with the entries' own numbers of steps.
#[test]
fn exact_solutions_are_reached() {
    for (name, tolerance) in [
        ("relaxation", 1e-4),
        ("oscillator", 2e-4),
        ("diethelm-ford-freed", 1e-3),
        ("quadratic-test", 1e-3),
        ("delay-quadratic", 1e-3),
        ("bagley-torvik-linear", 1e-10),
        ("riemann-liouville-step", 1e-4),
        ("caputo-fabrizio-relaxation", 1e-5),
        ("atangana-baleanu-relaxation", 1e-4),
    ] {
        let entry = named(name).unwrap();
        let scheme: Box<dyn Scheme> = match entry.scheme {
            "pece" => Box::new(AdamsBashforthMoulton::default()),
            _ => Box::new(ProductTrapezoid),
        };
        let steps = Steps::Uniform(entry.steps);
        let solution = solve(name, &entry.equation().unwrap(), scheme.as_ref(), &steps);
        let t = end(entry);
        let error = (solution.last()[0] - solution.shown(t).unwrap()[0]).abs();
        assert!(error < tolerance, "{name}: {error:e}");
    }
}

/// Values at order 1. Source: Mazzia and Magherini, Test Set for Initial Value Problem Solvers (2008).
#[test]
fn published_values_are_reached() {
    type Case = (&'static str, f64, &'static [f64], [f64; 2]);
    let cases: [Case; 3] = [
        (
            "hires",
            321.8122,
            &[
                0.737_131_257_332_566_8e-3,
                0.144_248_572_631_618_5e-3,
                0.588_872_974_096_757_5e-4,
                0.117_565_134_328_314_9e-2,
                0.238_635_619_883_133_1e-2,
                0.623_896_825_274_279_6e-2,
                0.284_999_839_518_576_9e-2,
                0.285_000_160_481_423_1e-2,
            ],
            [1e-14, 1e-6],
        ),
        (
            "oregonator",
            360.0,
            &[0.100_081_487_031_852_3e1, 0.122_817_852_154_991_7e4, 0.132_055_494_284_670_6e3],
            [1e-7, 1e-5],
        ),
        ("robertson", 40.0, &[0.715_827, 9.1855e-6, 0.284_164], [1e-14, 1e-5]),
    ];
    for (name, t, values, [atol, tolerance]) in cases {
        let equation = until(named(name).unwrap(), t).with_value("alpha", 1.0).unwrap();
        let steps = Steps::adaptive(1e-10, atol);
        let solution = solve(name, &equation, &Collocation::default(), &steps);
        for (found, expected) in solution.last().iter().zip(values) {
            let error = (found / expected - 1.0).abs();
            assert!(error < tolerance, "{name}: {found} {expected} {error:e}");
        }
    }
}

/// Rounds to a number of decimals, as printed tables do.
fn printed(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}")
}

/// Relaxation of order 1/2, `y(t) = w(i sqrt(t))`. Source: Abramowitz and Stegun, Handbook of Mathematical
/// Functions (1964), table 7.9, the values of w(iy).
#[test]
fn relaxation_of_order_one_half_has_the_tabulated_values() {
    let equation = named("relaxation").unwrap().equation().unwrap();
    let equation = equation.with_value("alpha", 0.5).unwrap();
    let steps = Steps::adaptive(1e-10, 1e-10);
    let solution = solve("relaxation", &equation, &Collocation::default(), &steps);
    let table = [
        (0.1_f64, "0.896457"),
        (0.2, "0.809020"),
        (0.3, "0.734599"),
        (0.4, "0.670788"),
        (0.5, "0.615690"),
        (0.6, "0.567805"),
        (0.7, "0.525930"),
        (0.8, "0.489101"),
        (0.9, "0.456532"),
        (1.0, "0.427584"),
    ];
    for (y, expected) in table {
        assert_eq!(printed(solution.at(y * y).unwrap()[0], 6), expected, "w(i {y})");
    }
}

/// Displacement of an oscillator damped by a half-derivative. Source: Arikoglu and Ozkol, Chaos Solitons
/// Fractals 34 (2007) 1473, DOI 10.1016/j.chaos.2006.09.004, the column of the fractional differential
/// transform.
#[test]
fn oscillator_with_a_half_derivative_has_the_published_values() {
    let equation = until(named("half-derivative-oscillator").unwrap(), 1.0);
    let steps = Steps::adaptive(1e-10, 1e-12);
    let solution = solve("oscillator", &equation, &Collocation::default(), &steps);
    let table = [
        "0.039750", "0.157036", "0.347370", "0.604695", "0.921768", "1.290457", "1.702008",
        "2.147287", "2.617001", "3.101906",
    ];
    for (k, expected) in (1..=10).zip(table) {
        let t = f64::from(k) / 10.0;
        assert_eq!(printed(solution.at(t).unwrap()[0], 6), expected, "t = {t}");
    }
}

/// Errors at t = 1 of the Adams method with one correction on 10, 20, ..., 640 steps. Source: Diethelm,
/// Ford and Freed, Numer. Algorithms 36 (2004) 31, DOI 10.1023/B:NUMA.0000027736.85078.be, the tables of
/// their nonlinear example.
#[test]
fn errors_of_the_adams_method_are_the_published_ones() {
    let tables = [
        (0.25, ["2.50e-1", "1.81e-2", "3.61e-3", "1.45e-3", "6.58e-4", "2.97e-4", "1.31e-4"]),
        (1.25, ["5.53e-3", "1.59e-3", "4.33e-4", "1.14e-4", "2.97e-5", "7.66e-6", "1.96e-6"]),
    ];
    for (alpha, table) in tables {
        let text = named("diethelm-ford-freed").unwrap().text;
        let slope = if alpha > 1.0 { "y'(0) = 0" } else { "" };
        let order = format!("alpha = {alpha}\n{slope}");
        let equation = Equation::parse(&text.replace("alpha = 0.5 in (0, 1]", &order)).unwrap();
        for (doublings, expected) in (0..).zip(table) {
            let (scheme, steps) =
                (AdamsBashforthMoulton::default(), Steps::Uniform(10 << doublings));
            let solution = solve("diethelm-ford-freed", &equation, &scheme, &steps);
            let error = (solution.last()[0] - 0.25).abs();
            assert_eq!(format!("{error:.2e}"), expected, "{alpha}, {} steps", 10 << doublings);
        }
    }
}

/// The reproduction number of the rates of Wuhan. Source: Ndairou, Area, Nieto and Torres, Chaos Solitons
/// Fractals 135 (2020) 109846, DOI 10.1016/j.chaos.2020.109846: 4.375.
#[test]
fn epidemic_of_covid_has_the_published_reproduction_number() {
    let equation = named("covid-19").unwrap().equation().unwrap();
    let p = |name: &str| equation.parameter(name).unwrap().value();
    let infected = p("gamma_a") + p("gamma_i") + p("delta_i");
    let hospital = p("gamma_r") + p("delta_h");
    let (beta, of_patients) = (p("beta"), p("gamma_a") * p("l"));
    let ordinary = beta * p("rho1") * (of_patients + hospital);
    let spreaders = (beta * of_patients + p("beta_p") * hospital) * p("rho2");
    assert_eq!(printed((ordinary + spreaders) / (infected * hospital), 3), "4.375");
    // All compartments together are the population.
    let steps = Steps::Uniform(400);
    let solution = solve("covid-19", &equation, &AdamsBashforthMoulton::default(), &steps);
    let total: f64 = solution.last().iter().sum();
    assert!((total / p("population") - 1.0).abs() < 1e-10, "{total}");
}

/// Heights of the ball between its impacts.
#[test]
fn the_ball_bounces() {
    let entry = named("bouncing-ball").unwrap();
    let (equation, steps) = (entry.equation().unwrap(), Steps::adaptive(1e-8, 1e-10));
    let solution = solve(entry.name, &equation, &Collocation::default(), &steps);
    let (g, restitution) = (9.81_f64, 0.8);
    let mut impact = (2.0 / g).sqrt();
    let mut speed = restitution * (2.0 * g).sqrt();
    for _ in 0..3 {
        let top = impact + speed / g;
        let height = solution.at(top).unwrap()[0];
        assert!((height - speed * speed / (2.0 * g)).abs() < 1e-6, "{top}: {height}");
        impact += 2.0 * speed / g;
        speed *= restitution;
    }
}
