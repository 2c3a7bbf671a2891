//! Gradients of multi-term equations, with respect to their own orders and initial values.

use hpfracc_ode::{
    AdamsBashforthMoulton, Cotangents, DifferentiableScheme, LinearMultistep, MultiTerm, OdeError,
    Options, Parametric, Problem, ProductTrapezoid, Solution, Steps, Variation, gradient, solve,
    tangent,
};
use ndarray::{Array2, array};

/// `D^a_3 y = p_0 sin t - p_1 y_0 y_1 - D^a_2 y - p_2 D^a_1 y`, two components.
fn problem(
    at: &Variation,
) -> Problem<MultiTerm<Parametric<impl Rhs + use<>, impl Jacobians + use<>>>> {
    let system = Parametric::new(
        &at.parameters,
        |t: f64, x: &[f64], p: &[f64], out: &mut [f64]| {
            out[0] = p[0] * t.sin() - p[1] * x[0] * x[1] - x[4] - p[2] * x[2];
            out[1] = p[1] * x[0] - x[1] - x[5] - p[2] * x[3].sin();
        },
        |t: f64, x: &[f64], p: &[f64], f_x: &mut [f64], f_p: &mut [f64]| {
            let rows = [
                [-p[1] * x[1], -p[1] * x[0], -p[2], 0.0, -1.0, 0.0],
                [p[1], -1.0, 0.0, -p[2] * x[3].cos(), 0.0, -1.0],
            ];
            f_x[..12].copy_from_slice(&rows.concat());
            f_p[..6].copy_from_slice(&[t.sin(), -x[0] * x[1], -x[2], 0.0, x[0], -x[3].sin()]);
        },
    );
    let rows: Vec<Vec<f64>> = at.initial.rows().into_iter().map(|row| row.to_vec()).collect();
    let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
    MultiTerm::of(system, &at.orders, (0.0, 2.0), &rows).unwrap()
}

trait Rhs: Fn(f64, &[f64], &[f64], &mut [f64]) {}
impl<F: Fn(f64, &[f64], &[f64], &mut [f64])> Rhs for F {}
trait Jacobians: Fn(f64, &[f64], &[f64], &mut [f64], &mut [f64]) {}
impl<F: Fn(f64, &[f64], &[f64], &mut [f64], &mut [f64])> Jacobians for F {}

fn start() -> Variation {
    Variation {
        initial: array![[0.4, -0.3], [0.7, 0.5]],
        parameters: vec![0.9, 1.2, 0.6],
        orders: vec![0.45, 1.2, 1.7],
    }
}

fn solved(at: &Variation, scheme: &dyn DifferentiableScheme, steps: &Steps) -> Solution {
    solve(&problem(at), scheme, steps, Options::default()).unwrap()
}

/// Cotangents of y at two nodes.
const LOSS: [(usize, [f64; 6]); 2] =
    [(20, [0.3, -1.0, 0.0, 0.0, 0.0, 0.0]), (60, [1.0, 0.5, 0.0, 0.0, 0.0, 0.0])];

fn value(solution: &Solution) -> f64 {
    let of_node = |(node, bar): &(usize, [f64; 6])| -> f64 {
        solution.trajectory().state(*node).iter().zip(bar).map(|(y, bar)| y * bar).sum()
    };
    LOSS.iter().map(of_node).sum()
}

#[test]
fn gradients_agree_with_differences_and_with_tangents() {
    let pece = AdamsBashforthMoulton { passes: 2 };
    let graded = Steps::Graded { n: 60, exponent: 1.5 };
    let uniform = Steps::Uniform(60);
    let cases: [(&dyn DifferentiableScheme, &Steps); 4] = [
        (&pece, &uniform),
        (&ProductTrapezoid, &uniform),
        (&ProductTrapezoid, &graded),
        (&LinearMultistep::Bdf2, &uniform),
    ];
    for (scheme, steps) in cases {
        let at = start();
        let problem = problem(&at);
        let solution = solved(&at, scheme, steps);
        let loss = LOSS.each_ref().map(|(node, bar)| (*node, &bar[..]));
        let options = Options::default();
        let bar = gradient(&problem, scheme, &solution, Cotangents::At(&loss), &options).unwrap();
        let bar = problem.system().pull_back(&bar).unwrap();
        let mut direction = Variation {
            initial: array![[0.3, 1.0], [-0.7, 0.2]],
            parameters: vec![0.5, -0.4, 0.8],
            orders: vec![0.6, -0.9, 0.35],
        };
        let reduced = problem.system().push_forward(&direction).unwrap();
        let moved = tangent(&problem, scheme, &solution, &reduced, &options).unwrap();
        let forward: f64 = LOSS
            .iter()
            .map(|(node, bar)| moved.row(*node).iter().zip(bar).map(|(a, b)| a * b).sum::<f64>())
            .sum();
        assert!((forward - bar.dot(&direction)).abs() < 1e-12, "{} {forward}", scheme.name());
        // Each entry by itself.
        type Entry = fn(&mut Variation) -> Vec<&mut f64>;
        let entries: Entry =
            |v| v.initial.iter_mut().chain(&mut v.parameters).chain(&mut v.orders).collect();
        let mut bar = bar;
        for index in 0..entries(&mut direction).len() {
            let step = 1e-3;
            let pair = |share: f64| {
                let moved = |share: f64| {
                    let mut at = start();
                    *entries(&mut at)[index] += share * step;
                    value(&solved(&at, scheme, steps))
                };
                moved(share) - moved(-share)
            };
            let difference = (45.0 * pair(1.0) - 9.0 * pair(2.0) + pair(3.0)) / (60.0 * step);
            let found = *entries(&mut bar)[index];
            let error = (found - difference).abs() / (1.0 + difference.abs());
            assert!(error < 1e-8, "{} {index}: {found} {difference} {error:e}", scheme.name());
        }
    }
}

#[test]
fn variations_of_another_shape() {
    let problem = problem(&start());
    let own = start();
    let reduced = problem.system().push_forward(&own).unwrap();
    assert_eq!(reduced.initial.dim(), (2, 6));
    assert_eq!((reduced.parameters.len(), reduced.orders.len()), (3 + 2 + 4, 6));
    for wrong in [
        Variation { initial: Array2::zeros((1, 2)), ..own.clone() },
        Variation { parameters: vec![1.0], ..own.clone() },
        Variation { orders: vec![1.0], ..own.clone() },
    ] {
        let error = problem.system().push_forward(&wrong).unwrap_err();
        assert!(matches!(error, OdeError::Length { .. }), "{error}");
    }
    let error = problem.system().pull_back(&own).unwrap_err();
    assert!(matches!(error, OdeError::Length { .. }), "{error}");
}
