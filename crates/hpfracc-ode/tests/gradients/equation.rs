//! Total derivatives of equations as texts, against differences of whole solves: parameters of delays,
//! histories and the ends of the interval.

use hpfracc_equation::Equation;
use hpfracc_ode::{
    AdamsBashforthMoulton, Collocation, Cotangents, DifferentiableScheme, EquationProblem,
    EquationProblemError, EquationSolution, Exponential, L1, LinearMultistep, OdeError, Options,
    ProductRectangle, ProductTrapezoid, Steps,
};

fn solved(
    equation: &Equation,
    scheme: &dyn DifferentiableScheme,
    steps: &Steps,
) -> (EquationProblem, EquationSolution) {
    let problem = EquationProblem::new(equation).unwrap();
    let solution = problem.solve(scheme, steps, Options::default()).unwrap();
    (problem, solution)
}

/// Compares gradient, sensitivities and differences for all parameters: of a sum over the last node and
/// one in the middle.
fn check(text: &str, scheme: &dyn DifferentiableScheme, steps: &Steps, tolerance: f64) {
    let equation = Equation::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let name = format!("{} {} {text}", scheme.name(), steps.name());
    let (problem, solution) = solved(&equation, scheme, steps);
    let (last, dim) = (solution.times().len() - 1, solution.solution().last().len());
    // Other values of parameters have other adaptive nodes, but for the last.
    let share = if matches!(steps, Steps::Adaptive { .. }) { 0.0 } else { 0.7 };
    let bars = [vec![1.0; dim], vec![share; dim]];
    let loss = [(last, &bars[0][..]), (last / 2, &bars[1][..])];
    let options = Options::default();
    let total = problem.gradient(scheme, &solution, Cotangents::At(&loss), &options).unwrap();
    let of = |states: ndarray::ArrayView2<'_, f64>| {
        let last = states.nrows() - 1;
        states.row(last).sum() + share * states.row(last / 2).sum()
    };
    let names: Vec<&str> = equation.parameters().iter().map(|parameter| parameter.name()).collect();
    let together = problem.sensitivities(scheme, &solution, &names, &options).unwrap();
    for (k, parameter) in equation.parameters().iter().enumerate() {
        let (what, value) = (parameter.name(), parameter.value());
        let difference = |step: f64| {
            let moved = |by: f64| {
                let moved = equation.clone().with_value(what, value + by).unwrap();
                of(solved(&moved, scheme, steps).1.solution().states())
            };
            (moved(step) - moved(-step)) / (2.0 * step)
        };
        // One-sided derivatives of second order may differ: errors have the powers 1, 2, ... of the step.
        // On graded nodes the step is small, so that lagged times hardly pass nodes.
        let step = if matches!(steps, Steps::Graded { .. }) { 1e-6 } else { 1e-4 };
        let [a, b, c] = [4.0, 2.0, 1.0].map(|multiple| difference(multiple * step));
        let (ab, bc) = (2.0 * b - a, 2.0 * c - b);
        let difference = (4.0 * bc - ab) / 3.0;
        let size = difference.abs().max(1.0);
        let error = (total[k] - difference).abs() / size;
        assert!(error < tolerance, "{name} {what}: {} {difference} {error:e}", total[k]);
        let sensitivity = problem.sensitivity(scheme, &solution, what, &options).unwrap();
        let error = (of(sensitivity.view()) - total[k]).abs() / size;
        assert!(error < 1e-11, "{name} {what}: {} {error:e}", total[k]);
        let error = (of(together[k].view()) - total[k]).abs() / size;
        assert!(error < 1e-11, "{name} {what} with others: {} {error:e}", total[k]);
    }
}

const N: usize = 40;

/// Delays between nodes, at nodes and within a step; histories with kinks at t0, and constants.
#[test]
fn parameters_of_delays_and_histories() {
    let text = |first: &str, second: &str| {
        format!(
            "D^a x = -c x(t - p) + y(t - 2 p) / 4
             D^0.7 y = x(t - q) - c y + a b
             a = 0.85; c = 0.8; p = {first}; q = {second}; b = 0.4; w = 1.3
             x(t) = b cos(w t) + c t for t <= 0; y(t) = b^2 for t <= 0; t in [0, 2]"
        )
    };
    let pece = AdamsBashforthMoulton { passes: 2 };
    let exponential = Exponential::trapezoid(&[-0.5]);
    let uniform = Steps::Uniform(N);
    let graded = Steps::Graded { n: N, exponent: 1.7 };
    let cases: [(&dyn DifferentiableScheme, &Steps); 9] = [
        (&AdamsBashforthMoulton::default(), &uniform),
        (&pece, &uniform),
        (&ProductRectangle::Explicit, &uniform),
        (&ProductTrapezoid, &uniform),
        (&L1, &uniform),
        (&exponential, &uniform),
        (&pece, &graded),
        (&ProductTrapezoid, &graded),
        (&L1, &graded),
    ];
    for (scheme, steps) in cases {
        check(&text("0.43", "1.21"), scheme, steps, 1e-8);
        check(&text("0.5", "0.75"), scheme, steps, 1e-8);
        check(&text("0.5", "0.02"), scheme, steps, 1e-8);
    }
    check(&text("0.53", "0.75"), &LinearMultistep::Bdf2, &uniform, 1e-8);
}

/// The ends of the interval, in orders above 1, lower derivatives, known terms, forcing, delays and
/// histories.
#[test]
fn parameters_of_the_interval() {
    let texts = [
        "D^(2 a) y + b D^a y + y = sin(w t) + a; D^a z = t y - z
         a = 0.9; b = 0.5; w = 1.5; s = 0.3; e = 1.7; y(s) = e / 2; y'(s) = s^2 + b; z(s) = b
         t in [s, s + e]",
        "D^a y = -y(t - p) + t z(t - 0.5); D^0.6 z = y - z^2 / 2
         a = 0.85; p = 0.37; s = 0.2; e = 2.2; y(t) = cos(p t) for t <= s; z(t) = e / 4 for t <= s
         t in [s, e]",
        "D^a y = -y(t - p); a = 0.85; p = 0.5; s = 0; e = 2; y(t) = p + sin(t) for t <= s; t in [s, e]",
    ];
    let pece = AdamsBashforthMoulton { passes: 2 };
    let uniform = Steps::Uniform(N);
    let graded = Steps::Graded { n: N, exponent: 1.7 };
    for text in texts {
        check(text, &pece, &uniform, 1e-8);
        check(text, &ProductTrapezoid, &uniform, 1e-8);
        check(text, &pece, &graded, 1e-8);
        check(text, &ProductTrapezoid, &graded, 1e-8);
        if text.contains("2 a") {
            check(text, &Collocation::default(), &Steps::adaptive(1e-11, 1e-11), 1e-7);
        } else {
            check(text, &L1, &uniform, 1e-8);
            check(text, &L1, &graded, 1e-8);
        }
    }
    check(texts[0], &LinearMultistep::Bdf2, &uniform, 1e-8);
}

/// At the last node: the derivative with respect to the end is the slope of the solution.
#[test]
fn the_end_of_the_interval_gives_the_slope() {
    let equation = Equation::parse("y' = -y^2; e = 2; y(0) = 1; t in [0, e]").unwrap();
    let (scheme, steps) = (Collocation::default(), Steps::adaptive(1e-12, 1e-12));
    let (problem, solution) = solved(&equation, &scheme, &steps);
    let last = [(solution.times().len() - 1, &[1.0][..])];
    let total =
        problem.gradient(&scheme, &solution, Cotangents::At(&last), &Options::default()).unwrap();
    // y = 1/(1 + t).
    assert!((total[0] + 1.0 / 9.0).abs() < 1e-10, "{total:?}");
}

#[test]
fn refusals() {
    let refused = |text: &str, scheme: &dyn DifferentiableScheme| {
        let (problem, solution) =
            solved(&Equation::parse(text).unwrap(), scheme, &Steps::Uniform(N));
        let (loss, options) = (Cotangents::At(&[]), Options::default());
        let error = problem.gradient(scheme, &solution, loss, &options).unwrap_err();
        let EquationProblemError::Problem(OdeError::NotDifferentiable { what }) = error else {
            panic!("{error}")
        };
        let of = problem.sensitivity(scheme, &solution, "p", &options);
        assert!(of.is_err(), "{text}");
        // The other parameter has a derivative.
        problem.sensitivity(scheme, &solution, "c", &options).unwrap();
        what
    };
    let scheme = AdamsBashforthMoulton::default();
    let text =
        "D^0.9 y = -c y(t - p); p = 0.5; c = 1; y(t) = cos(t) for t < 0; y(0) = 2; t in [0, 2]";
    assert!(refused(text, &scheme).contains("do not end at the initial values"));
    let text = "D^0.9 y = -c y; p = 2; c = 1; y(0) = 2; t in [0, p]";
    assert!(refused(text, &Exponential::trapezoid(&[-1.0])).contains("end of the interval"));
}
