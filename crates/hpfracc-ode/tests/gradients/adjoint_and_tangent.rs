//! Gradients and tangents against differences of sixth order and against each other.

use super::case::{Case, brusselator, chain, decay, entries, pendulum, scattered};
use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    AdamsBashforthMoulton, Cotangents, DifferentiableScheme, Exponential, L1, LinearMultistep,
    Options, ProductRectangle, ProductTrapezoid, Solution, Variation, gradient, tangent,
};
use ndarray::Array2;

const HISTORIES: [HistoryChoice; 3] = [
    HistoryChoice::Direct,
    HistoryChoice::Blocked,
    HistoryChoice::Exponentials { tolerance: 1e-12 },
];

const METHODS: [LinearMultistep; 3] =
    [LinearMultistep::Trapezoidal, LinearMultistep::NewtonGregory, LinearMultistep::Bdf2];

/// Cotangents of some nodes, the first and the last among them.
fn loss(dim: usize, n: usize) -> Vec<(usize, Vec<f64>)> {
    let mut next = scattered(n);
    [0, n / 7, n / 2 + 1, n - n / 5, n]
        .map(|node| (node, (0..dim).map(|_| next()).collect()))
        .to_vec()
}

fn value(solution: &Solution, loss: &[(usize, Vec<f64>)]) -> f64 {
    let at = |(node, bar): &(usize, Vec<f64>)| -> f64 {
        solution.trajectory().state(*node).iter().zip(bar).map(|(y, bar)| y * bar).sum()
    };
    loss.iter().map(at).sum()
}

/// Prints the largest relative errors of a gradient in rows, parameters and orders.
fn check(case: &Case, scheme: &dyn DifferentiableScheme, history: HistoryChoice) {
    let problem = case.problem(&case.at);
    let solution = case.solve(&case.at, scheme, history);
    let loss = loss(problem.dim(), case.n);
    let some: Vec<(usize, &[f64])> = loss.iter().map(|(node, bar)| (*node, &bar[..])).collect();
    let found = gradient(
        &problem,
        scheme,
        &solution,
        Cotangents::At(&some),
        &Options { history, ..Options::default() },
    )
    .unwrap();
    let mut worst = [0.0f64; 3];
    for (name, entry) in entries(&case.at) {
        let step = 1e-3;
        let moved = |share: f64| {
            let mut at = case.at.clone();
            *entry(&mut at) += share * step;
            value(&case.solve(&at, scheme, history), &loss)
        };
        let pair = |share: f64| moved(share) - moved(-share);
        let difference = (45.0 * pair(1.0) - 9.0 * pair(2.0) + pair(3.0)) / (60.0 * step);
        let entry = *entry(&mut found.clone());
        let error = (entry - difference).abs() / difference.abs();
        let kind = usize::from(name.starts_with('p')) + 2 * usize::from(name.starts_with('o'));
        worst[kind] = worst[kind].max(error);
        assert!(
            error < 1e-8,
            "{} {} {history:?}: {name}: {entry} {difference} {error:e}",
            case.name,
            scheme.name()
        );
    }
    let Case { name, n, .. } = case;
    let [rows, parameters, orders] = worst;
    println!(
        "| {name} | {n} | {} | {history:?} | {rows:.0e} | {parameters:.0e} | {orders:.0e} |",
        scheme.name()
    );
}

fn cases() -> Vec<Case> {
    vec![
        Case::new(("Brusselator", brusselator), &[&[1.2, 2.8]], &[1.0, 3.0], &[0.8], (6.0, 613)),
        Case::new(
            ("Brusselator, two orders", brusselator),
            &[&[1.2, 2.8]],
            &[1.0, 3.0],
            &[0.8, 0.55],
            (6.0, 101),
        ),
        Case::new(("pendulum", pendulum), &[&[0.3], &[1.1]], &[2.0, 0.7], &[1.6], (5.0, 331)),
        Case::new(
            ("chain, three orders", chain),
            &[&[0.4, 1.0, 0.9], &[0.0, 0.3, 0.0]],
            &[0.7, 1.3, 0.8],
            &[0.6, 1.4, 1.0],
            (3.0, 257),
        ),
        Case::new(
            ("chain, two steps", chain),
            &[&[0.4, 1.0, 0.9]],
            &[0.7, 1.3, 0.8],
            &[0.5],
            (0.5, 2),
        ),
        Case::new(("pendulum, one step", pendulum), &[&[0.3]], &[2.0, 0.7], &[0.5], (0.5, 1)),
    ]
}

#[test]
fn predictor_corrector_methods() {
    for case in cases() {
        for passes in [0, 1, 2, 3] {
            for history in HISTORIES {
                check(&case, &AdamsBashforthMoulton { passes }, history);
            }
        }
    }
}

#[test]
fn product_rectangles() {
    for case in cases() {
        check(&case, &ProductRectangle::Explicit, HistoryChoice::Blocked);
        for history in [HistoryChoice::Direct, HistoryChoice::Blocked] {
            check(&case, &ProductRectangle::Implicit, history);
        }
    }
}

#[test]
fn the_implicit_product_trapezoid() {
    for case in cases() {
        for history in HISTORIES {
            check(&case, &ProductTrapezoid, history);
        }
    }
}

#[test]
fn the_l1_scheme() {
    for case in cases().into_iter().map(Case::for_l1) {
        for history in [HistoryChoice::Direct, HistoryChoice::Blocked] {
            check(&case, &L1, history);
        }
    }
}

/// Cases with few steps do not reach the nodes that the starting weights couple.
fn multistep_cases() -> Vec<Case> {
    let mut cases: Vec<Case> = cases().into_iter().filter(|case| case.n > 100).collect();
    cases.push(Case::new(
        ("chain, six exponents", chain),
        &[&[0.4, 1.0, 0.9]],
        &[0.7, 1.3, 0.8],
        &[0.45, 0.7, 0.6],
        (2.0, 60),
    ));
    cases.push(Case::new(
        ("pendulum, coupled", pendulum),
        &[&[0.3]],
        &[2.0, 0.7],
        &[0.5],
        (0.5, 2),
    ));
    cases
}

#[test]
fn linear_multistep_methods() {
    for case in multistep_cases() {
        for method in METHODS {
            for history in [HistoryChoice::Direct, HistoryChoice::Blocked] {
                check(&case, &method, history);
            }
        }
    }
}

/// lambda = 0 is the predictor-corrector method; the last list does not fit one component.
fn exponentials(case: &Case) -> Vec<Exponential> {
    let dim = case.at.initial.ncols();
    let mixed: Vec<f64> = [-2.5, 0.0, 0.8][..dim].to_vec();
    [vec![-1.5], mixed]
        .iter()
        .flat_map(|l| [Exponential::rectangle(l), Exponential::trapezoid(l)])
        .collect()
}

#[test]
fn exponential_integrators() {
    let mut cases = cases();
    // Enough steps that derivatives of weights are interpolated.
    cases.push(Case::new(("pendulum, long", pendulum), &[&[0.3]], &[2.0, 0.7], &[0.6], (5.0, 900)));
    for mut case in cases {
        // Where 1/alpha is whole, the number of passes jumps.
        case.at.orders.iter_mut().filter(|order| **order == 0.5).for_each(|order| *order = 0.55);
        for scheme in exponentials(&case) {
            check(&case, &scheme, HistoryChoice::Blocked);
        }
    }
}

#[test]
fn unequal_steps() {
    let short = cases().into_iter().filter(|case| case.n < 300);
    for case in short.flat_map(|case| case.on_unequal_steps()) {
        for passes in [0, 1, 3] {
            check(&case, &AdamsBashforthMoulton { passes }, HistoryChoice::Direct);
        }
        check(&case, &ProductTrapezoid, HistoryChoice::Direct);
        check(&case.for_l1(), &L1, HistoryChoice::Direct);
    }
}

#[test]
fn tangents_are_the_transposes_of_gradients() {
    let pece = |passes| AdamsBashforthMoulton { passes };
    let product: [&dyn DifferentiableScheme; 4] = [&pece(0), &pece(1), &pece(3), &ProductTrapezoid];
    let multistep: Vec<&dyn DifferentiableScheme> =
        METHODS.iter().map(|method| method as &dyn DifferentiableScheme).collect();
    let (exact, direct) = (&HISTORIES[..2], &HISTORIES[..1]);
    type Group<'a> = (Vec<Case>, &'a [&'a dyn DifferentiableScheme], &'a [HistoryChoice]);
    let mut groups: Vec<Group<'_>> = vec![
        (cases(), &product, &HISTORIES),
        (cases(), &[&ProductRectangle::Implicit], exact),
        (cases().into_iter().map(Case::for_l1).collect(), &[&L1], exact),
        (multistep_cases(), &multistep, exact),
    ];
    let short = || cases().into_iter().filter(|case| case.n < 300);
    let unequal = || short().flat_map(|case| case.on_unequal_steps()).collect::<Vec<_>>();
    groups.push((unequal(), &product, direct));
    groups.push((unequal().into_iter().map(Case::for_l1).collect(), &[&L1], direct));
    let schemes = exponentials(&cases()[1]);
    let schemes: Vec<&dyn DifferentiableScheme> = schemes.iter().map(|s| s as _).collect();
    groups.push((cases()[..2].to_vec(), &schemes, exact));
    let mut worst = 0.0f64;
    for (cases, schemes, histories) in groups {
        for (case, scheme, history) in cases.iter().flat_map(|case| {
            schemes
                .iter()
                .flat_map(move |scheme| histories.iter().map(move |h| (case, *scheme, *h)))
        }) {
            {
                let problem = case.problem(&case.at);
                let solution = case.solve(&case.at, scheme, history);
                let mut next = scattered(case.n + 5);
                let bars = Array2::from_shape_fn((case.n + 1, problem.dim()), |_| next());
                let mut direction = Variation::zeros(&problem);
                for (_, entry) in entries(&case.at) {
                    *entry(&mut direction) = next();
                }
                let all = Cotangents::All(bars.view());
                let bar = gradient(
                    &problem,
                    scheme,
                    &solution,
                    all,
                    &Options { history, ..Options::default() },
                )
                .unwrap();
                let moved = tangent(
                    &problem,
                    scheme,
                    &solution,
                    &direction,
                    &Options { history, ..Options::default() },
                )
                .unwrap();
                let size: f64 = bars.iter().zip(&moved).map(|(a, b)| (a * b).abs()).sum();
                let forward: f64 = bars.iter().zip(&moved).map(|(a, b)| a * b).sum();
                let error = (forward - bar.dot(&direction)).abs() / size;
                worst = worst.max(error);
                assert!(error < 1e-12, "{} {} {history:?} {error:e}", case.name, scheme.name());
            }
        }
    }
    println!("{worst:e}");
}

/// At alpha = 1 the implicit schemes are the trapezoidal rule and Euler's backward method, whose
/// derivatives in the start are products of factors.
#[test]
fn the_classical_limit() {
    let (n, lambda) = (50, 1.3);
    let case = Case::new(("decay", decay), &[&[0.7]], &[lambda], &[1.0], (2.0, n));
    let h = 2.0 / n as f64;
    let schemes: [(&dyn DifferentiableScheme, f64); 2] = [
        (&ProductTrapezoid, (1.0 - 0.5 * lambda * h) / (1.0 + 0.5 * lambda * h)),
        (&L1, 1.0 / (1.0 + lambda * h)),
    ];
    for (scheme, factor) in schemes {
        let history = HistoryChoice::Exact;
        let solution = case.solve(&case.at, scheme, history);
        let end = Cotangents::At(&[(n, &[1.0])]);
        let found = gradient(
            &case.problem(&case.at),
            scheme,
            &solution,
            end,
            &Options { history, ..Options::default() },
        )
        .unwrap();
        let error = (found.initial[[0, 0]] / factor.powi(n as i32) - 1.0).abs();
        assert!(error < 1e-13, "{} {error:e}", scheme.name());
    }
}
