use super::{largest, order};
use hpfracc_ode::OdeError;
use hpfracc_ode::{
    AdamsBashforthMoulton, Collocation, DelayProblem, Delays, Interpolation, Node, Options,
    Problem, Progress, Scheme, Setup, Solution, StateDependent, Statistics, Stepper, Steps, System,
};
use hpfracc_special::gamma;

fn run<S, D, P>(problem: &DelayProblem<S, D, P>, passes: usize, n: usize) -> Solution
where
    S: System,
    D: Delays,
    P: Fn(f64, &mut [f64]),
{
    let scheme = AdamsBashforthMoulton { passes };
    problem.solve(&scheme, &Steps::Uniform(n), Options::default()).unwrap()
}

/// `D^a t^p`.
fn power(p: f64, a: f64, t: f64) -> f64 {
    gamma(p + 1.0) / gamma(p + 1.0 - a) * t.powf(p - a)
}

/// y = t^2 - t, whose derivative begins as t^(1-a).
#[test]
fn the_standard_example() {
    let (alpha, tau) = (0.6, 0.1);
    let f = move |t: f64, y: &[f64], lagged: &[f64], out: &mut [f64]| {
        out[0] =
            power(2.0, alpha, t) - power(1.0, alpha, t) + 2.0 * tau * t - tau * tau - tau - y[0]
                + lagged[0];
    };
    let phi = |t: f64, y: &mut [f64]| y[0] = t * t - t;
    let problem = DelayProblem::new(&[alpha], (0.0, 5.0), &[&[0.0]], vec![tau], phi, f).unwrap();
    let (order, error) = order("t^2 - t, tau 0.1, PECE 1", &[200, 400, 800, 1600], |n| {
        (run(&problem, 1, n).last()[0] - 20.0).abs()
    });
    assert!(order > 1.3 && error < 1e-2, "{order} {error:e}");
}

/// Collocation, whose steps are long, asks for lagged values from its dense output by itself:
/// linear ones would be off by 1e-3 without notice.
#[test]
fn the_standard_example_by_collocation() {
    let (alpha, tau) = (0.6, 0.5);
    let f = move |t: f64, y: &[f64], lagged: &[f64], out: &mut [f64]| {
        out[0] =
            power(2.0, alpha, t) - power(1.0, alpha, t) + 2.0 * tau * t - tau * tau - tau - y[0]
                + lagged[0];
    };
    let phi = |t: f64, y: &mut [f64]| y[0] = t * t - t;
    let problem = DelayProblem::new(&[alpha], (0.0, 2.0), &[&[0.0]], vec![tau], phi, f).unwrap();
    let breaks = problem.break_points(3).unwrap();
    // f begins as t^(1-a), and nothing of it is infinite.
    let scheme = Collocation { breaks, ..Collocation::default() };
    let steps = Steps::adaptive(1e-13, 1e-13);
    let solution = problem.solve(&scheme, &steps, Options::default()).unwrap();
    let error = (solution.last()[0] - 2.0).abs();
    assert!(error < 1e-13, "{error:e}");
}

/// `D^a y = -y(t-1)`, y = 1 up to 0: y = sum_k (-1)^k (t-k+1)^(k a)/Gamma(k a + 1) over t > k-1.
/// The slope behaves as (t-1)^a after the first break point, so that the order over all nodes is
/// 2a.
#[test]
fn the_method_of_steps() {
    for alpha in [0.8, 1.0] {
        let exact = |t: f64| -> f64 {
            (0..5)
                .map(|k| (f64::from(k), t - f64::from(k) + 1.0))
                .filter(|&(k, x)| k == 0.0 || x > 0.0)
                .map(|(k, x)| (-1.0f64).powf(k) * x.powf(k * alpha) / gamma(k * alpha + 1.0))
                .sum()
        };
        let problem = DelayProblem::new(
            &[alpha],
            (0.0, 3.0),
            &[&[1.0]],
            vec![1.0],
            |_, y| y[0] = 1.0,
            |_, _, lagged, out| out[0] = -lagged[0],
        )
        .unwrap();
        let name = format!("-y(t-1), alpha {alpha}, PECE 1");
        let (order, error) = order(&name, &[48, 96, 192, 384], |n| {
            let solution = run(&problem, 1, n);
            let errors = solution.times().iter().enumerate();
            largest(errors.map(|(j, &t)| solution.trajectory().state(j)[0] - exact(t)))
        });
        assert!((order - 2.0 * alpha).abs() < 0.2 && error < 1e-3, "{order} {error:e}");
        let solution = run(&problem, 1, 384);
        for t in [0.301, 1.7, 2.345] {
            assert!((solution.at(t).unwrap()[0] - exact(t)).abs() < 1e-3, "{t}");
        }
    }
}

/// y_1 = t^4, y_2 = 1 - t^3, with two delays that no node hits, one of which is shorter than a
/// step.
fn two_delays(interpolation: Interpolation) -> (f64, f64) {
    let alpha = 0.7;
    let exact = |t: f64| [t.powi(4), 1.0 - t.powi(3)];
    let (long, short) = (1.0 / 3.0 + 0.01, 1e-4);
    let f = move |t: f64, y: &[f64], lagged: &[f64], out: &mut [f64]| {
        let (far, near) = (exact(t - long), exact(t - short));
        out[0] = power(4.0, alpha, t) + lagged[1] * lagged[2] - far[1] * near[0];
        out[1] =
            -power(3.0, alpha, t) - y[1] * lagged[0] + exact(t)[1] * far[0] - lagged[3] + near[1];
    };
    let phi = move |t: f64, y: &mut [f64]| y.copy_from_slice(&exact(t));
    let initial: &[&[f64]] = &[&[0.0, 1.0]];
    let problem = DelayProblem::new(&[alpha], (0.0, 1.0), initial, vec![long, short], phi, f)
        .unwrap()
        .with_interpolation(interpolation);
    let name = format!("two delays, {interpolation:?}, PECE 2");
    order(&name, &[40, 80, 160, 320], |n| {
        let solution = run(&problem, 2, n);
        largest(exact(1.0).iter().zip(solution.last()).map(|(y, found)| y - found))
    })
}

#[test]
fn several_delays_and_short_ones() {
    for interpolation in
        [Interpolation::Linear, Interpolation::Quadratic, Interpolation::Dense { points: 2 }]
    {
        let (order, error) = two_delays(interpolation);
        assert!((order - 2.0).abs() < 0.2 && error < 1e-4, "{interpolation:?} {order} {error:e}");
    }
}

/// tau = (1 + y)/4 with y = 1 + t^3; reaches from before t0 to after it. From t0 = 1, to show that
/// times are not counted from 0.
#[test]
fn a_state_dependent_delay() {
    let alpha = 0.7;
    let exact = |x: f64| 1.0 + x.abs().powi(3);
    let f = move |t: f64, y: &[f64], lagged: &[f64], out: &mut [f64]| {
        let x = t - 1.0;
        let from = x - (1.0 + exact(x)) / 4.0;
        out[0] = power(3.0, alpha, x) + lagged[0] - exact(from) - (y[0] - exact(x));
    };
    let phi = move |t: f64, y: &mut [f64]| y[0] = exact(t - 1.0);
    let delays = StateDependent {
        count: 1,
        delays: |_: f64, y: &[f64], tau: &mut [f64]| tau[0] = (1.0 + y[0]) / 4.0,
    };
    let problem = DelayProblem::new(&[alpha], (1.0, 2.0), &[&[1.0]], delays, phi, f).unwrap();
    let (order, error) = order("tau = (1+y)/4, PECE 2", &[40, 80, 160, 320], |n| {
        (run(&problem, 2, n).last()[0] - 2.0).abs()
    });
    assert!((order - 2.0).abs() < 0.2 && error < 1e-4, "{order} {error:e}");
    assert!(problem.break_points(3).is_none() && problem.uniform_steps(10).is_none());
}

/// t - tau rounds to either side of t0, where phi is another than the start.
#[test]
fn a_lag_back_to_the_start() {
    let mut below = 0;
    for (t0, n) in [(0.0, 7), (0.0, 14), (0.3, 7), (0.3, 21), (-0.1, 7), (1.1, 35)] {
        let phi = |_: f64, y: &mut [f64]| y[0] = 0.0;
        let f = |_: f64, _: &[f64], lagged: &[f64], out: &mut [f64]| out[0] = -lagged[0];
        let problem =
            DelayProblem::new(&[1.0], (t0, t0 + 0.7), &[&[1.0]], vec![0.1], phi, f).unwrap();
        let solution = run(&problem, 1, n);
        let t = solution.times()[n / 7];
        below += usize::from(t - 0.1 < t0);
        assert_eq!(solution.trajectory().slope(n / 7), [-1.0], "{t0} {n}: {t}");
    }
    assert!(below > 0, "none rounds below t0");
}

/// Tries a state with a negative delay before its first step, as an iteration may.
struct Straying(AdamsBashforthMoulton);

struct StrayingStepper<'a> {
    problem: &'a Problem<dyn System + 'a>,
    stepper: Box<dyn Stepper + 'a>,
}

impl Scheme for Straying {
    fn name(&self) -> &'static str {
        "straying"
    }

    fn prepare<'a>(&self, setup: &Setup<'a>) -> Result<Box<dyn Stepper + 'a>, OdeError> {
        let stepper = self.0.prepare(setup)?;
        Ok(Box::new(StrayingStepper { problem: setup.problem, stepper }))
    }
}

impl Stepper for StrayingStepper<'_> {
    fn advance(&mut self, node: &mut Node, statistics: &mut Statistics) -> Result<(), OdeError> {
        if node.t == 0.0 {
            self.problem.system().rhs(0.1, &[-1.0], &mut [0.0]);
        }
        self.stepper.advance(node, statistics)
    }
}

/// A delay refused in an iteration is not the cause of a later failure.
#[test]
fn a_refused_delay_is_forgotten() {
    let delays =
        StateDependent { count: 1, delays: |_: f64, y: &[f64], tau: &mut [f64]| tau[0] = y[0] };
    let phi = |_: f64, y: &mut [f64]| y[0] = 1.0;
    let f = |t: f64, _: &[f64], _: &[f64], out: &mut [f64]| {
        out[0] = if t > 0.55 { f64::NAN } else { 0.0 };
    };
    let problem = DelayProblem::new(&[0.5], (0.0, 1.0), &[&[1.0]], delays, phi, f).unwrap();
    let scheme = Straying(AdamsBashforthMoulton::default());
    let failure = problem.solve(&scheme, &Steps::Uniform(10), Options::default()).unwrap_err();
    assert!(matches!(failure.error, OdeError::NotFinite { .. }), "{failure}");
}

/// Without a lag it is the equation without delay, and a solve leaves nothing for the next.
#[test]
fn no_lag_and_no_trace() {
    let make = |tau: f64| {
        let phi = |_: f64, y: &mut [f64]| y[0] = 1.0;
        let f = |_: f64, _: &[f64], lagged: &[f64], out: &mut [f64]| out[0] = -lagged[0];
        DelayProblem::new(&[0.5], (0.0, 1.0), &[&[1.0]], vec![tau], phi, f).unwrap()
    };
    let decay = |_: f64, y: &[f64], out: &mut [f64]| out[0] = -y[0];
    let plain = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], decay).unwrap();
    assert_eq!(run(&make(0.0), 2, 50).states(), super::pece(&plain, 2, 50).states());
    let lagging = make(0.3);
    let first = run(&lagging, 2, 77);
    run(&lagging, 2, 50);
    assert_eq!(first.states(), run(&lagging, 2, 77).states());
}

/// Others that look on still do.
#[test]
fn options_pass() {
    let problem = DelayProblem::new(
        &[0.5],
        (0.0, 1.0),
        &[&[1.0]],
        vec![0.25],
        |_, y| y[0] = 1.0,
        |_, _, lagged, out| out[0] = -lagged[0],
    )
    .unwrap();
    let mut times = Vec::new();
    let mut progress = |progress: Progress| times.push(progress.t);
    let options = Options { progress: Some(&mut progress), ..Options::default() };
    problem.solve(&AdamsBashforthMoulton::default(), &Steps::Uniform(4), options).unwrap();
    assert_eq!(times, [0.0, 0.25, 0.5, 0.75, 1.0]);
}

#[test]
fn break_points_and_the_steps_that_hit_them() {
    let make = |delays: Vec<f64>| {
        let phi = |_: f64, y: &mut [f64]| y[0] = 1.0;
        let f = |_: f64, _: &[f64], lagged: &[f64], out: &mut [f64]| out[0] = -lagged[0];
        DelayProblem::new(&[0.5], (1.0, 3.0), &[&[1.0]], delays, phi, f).unwrap()
    };
    let problem = make(vec![0.5, 0.75]);
    assert_eq!(problem.break_points(2).unwrap(), [1.5, 1.75, 2.0, 2.25, 2.5]);
    assert_eq!(problem.break_points(1).unwrap(), [1.5, 1.75]);
    assert_eq!(problem.uniform_steps(9), Some(Steps::Uniform(16)));
    assert_eq!(make(vec![0.1, 0.3]).uniform_steps(100), Some(Steps::Uniform(100)));
    assert_eq!(make(vec![2.0f64.sqrt()]).uniform_steps(10), None);
    // A step longer than the delay hits none.
    assert_eq!(make(vec![0.01]).uniform_steps(1), None);
    assert_eq!(make(vec![5.0]).uniform_steps(7), Some(Steps::Uniform(7)));
}

#[test]
fn invalid_arguments_are_errors() {
    let phi = |t: f64, y: &mut [f64]| y[0] = if t < -1.0 { f64::NAN } else { 1.0 };
    let f = |_: f64, _: &[f64], lagged: &[f64], out: &mut [f64]| out[0] = -lagged[0];
    for tau in [-0.1, f64::NAN, f64::INFINITY] {
        let error = DelayProblem::new(&[0.5], (0.0, 1.0), &[&[1.0]], vec![0.1, tau], phi, f)
            .map(|_| ())
            .unwrap_err();
        assert!(matches!(error, OdeError::Delay { index: 1, .. }), "{error}");
    }
    let empty = DelayProblem::new(&[0.5], (0.0, 1.0), &[], vec![0.1], phi, f).map(|_| ());
    assert!(matches!(empty.unwrap_err(), OdeError::Empty));
    let scheme = AdamsBashforthMoulton::default();
    // Advanced from t = 1/2 on.
    let advanced =
        StateDependent { count: 1, delays: |t: f64, _: &[f64], tau: &mut [f64]| tau[0] = 0.55 - t };
    let problem = DelayProblem::new(&[0.5], (0.0, 1.0), &[&[1.0]], advanced, phi, f).unwrap();
    let failure = problem.solve(&scheme, &Steps::Uniform(10), Options::default()).unwrap_err();
    let OdeError::Delay { index: 0, t, value } = failure.error else { panic!("{failure}") };
    assert!((t - 0.6).abs() < 1e-12 && (value + 0.05).abs() < 1e-12, "{t} {value}");
    assert_eq!(failure.partial.unwrap().times().len(), 6);
    // phi is not finite where it is evaluated.
    let problem = DelayProblem::new(&[0.5], (0.0, 1.0), &[&[1.0]], vec![2.0], phi, f).unwrap();
    let failure = problem.solve(&scheme, &Steps::Uniform(10), Options::default()).unwrap_err();
    assert!(matches!(failure.error, OdeError::NotFinite { t: 0.0, .. }), "{failure}");
}
