//! Gradients of collocation: twelve digits.

use super::case::{Case, brusselator, chain, decay, entries, pendulum, scattered};
use hpfracc_ode::{
    Collocation, Cotangents, OdeError, Options, Solution, Steps, Variation, gradient, solve,
    tangent,
};
use hpfracc_special::{MittagLeffler, gamma, prabhakar_beta_derivative};
use ndarray::Array2;

const STEPS: Steps = Steps::adaptive(1e-14, 1e-14);

fn solved(case: &Case, at: &Variation, scheme: &Collocation) -> Solution {
    solve(&case.problem(at), scheme, &STEPS, Options::default()).unwrap()
}

fn cases() -> Vec<(Case, Collocation)> {
    let plain = Collocation::default;
    let two = Case::new(
        ("Brusselator, two orders", brusselator),
        &[&[1.2, 2.8]],
        &[1.0, 3.0],
        &[0.8, 0.55],
        (3.0, 0),
    );
    let three = Case::new(
        ("chain, three orders", chain),
        &[&[0.4, 1.0, 0.9], &[0.0, 0.3, 0.0]],
        &[0.7, 1.3, 0.8],
        &[0.6, 1.4, 1.0],
        (3.0, 0),
    );
    let long = Case::new(("pendulum", pendulum), &[&[0.3], &[1.1]], &[2.0, 0.7], &[1.6], (20.0, 0));
    let broken = Collocation { breaks: vec![0.4, 1.7], points: 20, ..plain() };
    vec![(two, plain()), (three.clone(), plain()), (long, plain()), (three, broken)]
}

#[test]
fn gradients_agree_with_differences() {
    for (case, scheme) in cases() {
        let problem = case.problem(&case.at);
        let solution = solved(&case, &case.at, &scheme);
        let mut next = scattered(7);
        let bar: Vec<f64> = (0..problem.dim()).map(|_| next()).collect();
        let loss = [(solution.times().len() - 1, &bar[..])];
        let options = Options::default();
        let found =
            gradient(&problem, &scheme, &solution, Cotangents::At(&loss), &options).unwrap();
        for (name, entry) in entries(&case.at) {
            let step = 4e-3;
            let moved = |share: f64| -> f64 {
                let mut at = case.at.clone();
                *entry(&mut at) += share * step;
                let solution = solved(&case, &at, &scheme);
                solution.last().iter().zip(&bar).map(|(y, bar)| y * bar).sum()
            };
            let pair = |share: f64| moved(share) - moved(-share);
            // Of eighth order.
            let [a, b, c, d] = [1.0, 2.0, 3.0, 4.0].map(pair);
            let difference = (672.0 * a - 168.0 * b + 32.0 * c - 3.0 * d) / (840.0 * step);
            let entry = *entry(&mut found.clone());
            let error = (entry - difference).abs() / difference.abs().max(1.0);
            println!("{} {name} {error:.1e}", case.name);
            assert!(error < 1e-9, "{}: {name}: {entry} {difference} {error:e}", case.name);
        }
    }
}

#[test]
fn tangents_are_the_transposes_of_gradients() {
    for (case, scheme) in cases() {
        let problem = case.problem(&case.at);
        let solution = solved(&case, &case.at, &scheme);
        let mut next = scattered(11);
        let bars = Array2::from_shape_fn((solution.times().len(), problem.dim()), |_| next());
        let mut direction = Variation::zeros(&problem);
        for (_, entry) in entries(&case.at) {
            *entry(&mut direction) = next();
        }
        let options = Options::default();
        let all = Cotangents::All(bars.view());
        let bar = gradient(&problem, &scheme, &solution, all, &options).unwrap();
        let moved = tangent(&problem, &scheme, &solution, &direction, &options).unwrap();
        let size: f64 = bars.iter().zip(&moved).map(|(a, b)| (a * b).abs()).sum();
        let forward: f64 = bars.iter().zip(&moved).map(|(a, b)| a * b).sum();
        let error = (forward - bar.dot(&direction)).abs() / size;
        assert!(error < 1e-13, "{} {error:e}", case.name);
    }
}

/// `D^alpha y = -theta y`: y = E_alpha(-theta t^alpha), at all nodes.
#[test]
fn derivatives_of_mittag_leffler_functions() {
    let (theta, t1) = (1.3, 2.5);
    for alpha in [0.3f64, 0.7, 1.0, 1.5] {
        let rows: [&[f64]; 2] = [&[0.8], &[-0.4]];
        let case = Case::new(
            ("decay", decay),
            &rows[..alpha.ceil() as usize],
            &[theta],
            &[alpha],
            (t1, 0),
        );
        let scheme = Collocation::default();
        let (problem, solution) = (case.problem(&case.at), solved(&case, &case.at, &scheme));
        let changes = [0, 1, 2].map(|which| {
            let mut direction = Variation::zeros(&problem);
            match which {
                0 => direction.orders[0] = 1.0,
                1 => direction.parameters[0] = 1.0,
                _ => direction.initial[[0, 0]] = 1.0,
            }
            let options = Options::default();
            tangent(&problem, &scheme, &solution, &direction, &options).unwrap()
        });
        for (node, &t) in solution.times().iter().enumerate().skip(1) {
            let x = -theta * t.powf(alpha);
            // t^j E_{alpha,j+1}(x) for each row.
            let mut expected = [0.0; 3];
            for (j, row) in rows[..alpha.ceil() as usize].iter().enumerate() {
                let beta = j as f64 + 1.0;
                let e = MittagLeffler::new(alpha, beta).unwrap();
                let scale = row[0] * t.powi(j as i32) / gamma(1.0);
                let slope = e.derivative(x, 1);
                let by_order = prabhakar_beta_derivative(alpha, alpha + beta, 2.0, x).unwrap() * x;
                expected[0] += scale * (by_order + slope * x * t.ln());
                expected[1] += scale * slope * x / theta;
                if j == 0 {
                    expected[2] = e.eval(x);
                }
            }
            for (change, expected) in changes.iter().zip(expected) {
                let error = (change[[node, 0]] - expected).abs();
                assert!(error < 2e-12, "{alpha} {t}: {} {expected} {error:e}", change[[node, 0]]);
            }
        }
    }
}

#[test]
fn other_problems_are_refused() {
    let make = |theta: f64| Case::new(("decay", decay), &[&[0.8]], &[theta], &[0.6], (1.0, 0));
    let (case, other) = (make(1.0), make(1.1));
    let scheme = Collocation::default();
    let solution = solved(&case, &case.at, &scheme);
    let loss = Cotangents::At(&[]);
    let problem = other.problem(&other.at);
    let error = gradient(&problem, &scheme, &solution, loss, &Options::default()).unwrap_err();
    assert!(matches!(error, OdeError::OtherProblem { t: 1.0 }), "{error}");
}
