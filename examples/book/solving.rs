//! Programs of the chapter "Solving an equation": `cargo run --example book_solving`.

use hpfracc::prelude::*;
use pictures::Outcome;

fn main() -> Outcome<()> {
    system()?;
    uniform_steps()?;
    unstable()?;
    graded()?;
    long()?;
    tuned()?;
    event()?;
    jump()?;
    several_derivatives()?;
    delays()?;
    chaos()
}

fn system() -> Outcome<()> {
    // ANCHOR: system
    // D^0.8 x = v and D^0.9 v = -x - v/2, x(0) = 1, v(0) = 0: an order for each component.
    let rhs = |_t: f64, y: &[f64], dydt: &mut [f64]| {
        dydt[0] = y[1];
        dydt[1] = -y[0] - 0.5 * y[1];
    };
    let problem = Problem::new(&[0.8, 0.9], (0.0, 10.0), &[&[1.0, 0.0]], rhs)?;
    let steps = Steps::adaptive(1e-10, 1e-10);
    let exact = solve(&problem, &Collocation::default(), &steps, Options::default())?;
    let fast = solve(
        &problem,
        &AdamsBashforthMoulton::default(),
        &Steps::Uniform(2000),
        Options::default(),
    )?;
    assert!((exact.last()[0] - fast.last()[0]).abs() < 1e-4);
    // ANCHOR_END: system
    println!("x(10) = {:.10} by collocation, {:.10} by steps", exact.last()[0], fast.last()[0]);
    Ok(())
}

fn uniform_steps() -> Outcome<()> {
    // ANCHOR: orders
    use hpfracc::special::erfcx;

    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_t, y, dydt| dydt[0] = -y[0])?;
    let exact = erfcx(1.0); // exp(1) erfc(1)
    let scheme = AdamsBashforthMoulton::default();
    let mut errors = Vec::new();
    for steps in [200, 400, 800] {
        let solution = solve(&problem, &scheme, &Steps::Uniform(steps), Options::default())?;
        errors.push((solution.last()[0] - exact).abs());
    }
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 1.5).abs() < 0.05); // 1 + alpha
    }
    // ANCHOR_END: orders
    println!("errors of 200, 400 and 800 steps: {errors:?}");
    assert!(errors[2] < 2e-6);
    Ok(())
}

fn unstable() -> Outcome<()> {
    // ANCHOR: unstable
    use hpfracc::special::erfcx;

    // D^1/2 y = -20 y: y(1) = exp(400) erfc(20) = 0.0282
    let problem =
        Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_t, y, dydt| dydt[0] = -20.0 * y[0])?;
    let steps = Steps::Uniform(100);
    let explicit = solve(&problem, &AdamsBashforthMoulton::default(), &steps, Options::default())?;
    let hint = explicit.statistics().stability.ok_or("expected a stability hint")?;
    println!("explicit: y(1) = {:.1e}, {:.2} times the limit", explicit.last()[0], hint.excess);
    assert!(explicit.last()[0].abs() > 1e6 && hint.excess > 1.4);

    let implicit = solve(&problem, &ProductTrapezoid, &steps, Options::default())?;
    assert!((implicit.last()[0] - erfcx(20.0)).abs() < 1e-3);
    assert!(implicit.statistics().stability.is_none());
    // ANCHOR_END: unstable
    println!("implicit: y(1) = {:.5}, exactly {:.5}", implicit.last()[0], erfcx(20.0));

    // ANCHOR: overflow
    let stiffer = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_t, y, dydt| dydt[0] = -1e3 * y[0])?;
    let scheme = AdamsBashforthMoulton::default();
    let Err(failure) = solve(&stiffer, &scheme, &Steps::Uniform(1000), Options::default()) else {
        return Err("expected an overflow".into());
    };
    println!("{failure}");
    let before = failure.partial.ok_or("expected the nodes before it")?;
    assert!(before.last()[0].is_finite());
    // ANCHOR_END: overflow
    let message = failure.error.to_string();
    assert!(message.ends_with("not finite at t = 0.105 in component 0"), "{message}");
    let hint = before.statistics().stability.ok_or("expected a stability hint")?;
    assert!((hint.excess - 23.788).abs() < 1e-3 && hint.t == 0.001);
    Ok(())
}

fn graded() -> Outcome<()> {
    // ANCHOR: graded
    use hpfracc::special::mittag_leffler;

    let alpha = 0.4;
    let problem = Problem::new(&[alpha], (0.0, 1.0), &[&[1.0]], |_t, y, dydt| dydt[0] = -y[0])?;
    let mut errors = Vec::new();
    for steps in [Steps::Uniform(400), Steps::Graded { n: 400, exponent: 2.0 / alpha }] {
        let solution = solve(&problem, &ProductTrapezoid, &steps, Options::default())?;
        let mut largest: f64 = 0.0;
        for (t, y) in solution.times().iter().zip(solution.states().rows()) {
            let exact = mittag_leffler(alpha, 1.0, -t.powf(alpha))?;
            largest = largest.max((y[0] - exact).abs());
        }
        errors.push(largest);
    }
    let (uniform, graded) = (errors[0], errors[1]);
    assert!(graded < uniform / 50.0);
    // ANCHOR_END: graded
    assert!((uniform - 1.3e-3).abs() < 1e-4 && (graded - 9e-7).abs() < 1e-7);
    println!("400 steps, largest error: uniform {uniform:.1e}, graded {graded:.1e}");
    Ok(())
}

fn long() -> Outcome<()> {
    // ANCHOR: history
    let problem = Problem::new(&[0.5], (0.0, 100.0), &[&[1.0]], |_t, y, dydt| dydt[0] = -y[0])?;
    let scheme = AdamsBashforthMoulton::default();
    let solved = |history| {
        let options = Options { history, save_nodes: SaveNodes::Last, ..Options::default() };
        solve(&problem, &scheme, &Steps::Uniform(20_000), options)
    };
    let exact = solved(HistoryChoice::Exact)?;
    let by_exponentials = solved(HistoryChoice::Exponentials { tolerance: 1e-10 })?;
    assert!((exact.last()[0] - by_exponentials.last()[0]).abs() < 1e-9);
    // ANCHOR_END: history
    let difference = (exact.last()[0] - by_exponentials.last()[0]).abs();
    println!("exponentials change it by {difference:.1e}");
    assert!(difference < 1e-11);
    println!("y(100) = {:.12} and {:.12}", exact.last()[0], by_exponentials.last()[0]);
    Ok(())
}

fn tuned() -> Outcome<()> {
    // ANCHOR: autotuner
    use std::sync::Arc;

    let machine = Arc::new(Machine::detect());
    let problem = Problem::new(&[0.5], (0.0, 100.0), &[&[1.0]], |_t, y, dydt| dydt[0] = -y[0])?;
    let scheme = AdamsBashforthMoulton::default();
    let mut last = Vec::new();
    for _ in 0..5 {
        let options = Options {
            history: HistoryChoice::Within { tolerance: 1e-10 },
            autotuner: Some(machine.clone()),
            ..Options::default()
        };
        last.push(solve(&problem, &scheme, &Steps::Uniform(5000), options)?.last()[0]);
    }
    assert!(last.iter().all(|y| (y - last[0]).abs() < 1e-9));
    // ANCHOR_END: autotuner
    println!("five solves with a learned history: y(100) = {:.12}", last[4]);
    Ok(())
}

fn event() -> Outcome<()> {
    // ANCHOR: event
    let problem = Problem::new(&[0.5], (0.0, 2.0), &[&[1.0]], |_t, y, dydt| dydt[0] = -y[0])?;
    let mut half_decayed = Event::new(|_t, y| y[0] - 0.5).falling().stopping();
    let options = Options { observers: vec![&mut half_decayed], ..Options::default() };
    let steps = Steps::adaptive(1e-12, 1e-12);
    let solution = solve(&problem, &Collocation::default(), &steps, options)?;
    assert!((solution.last()[0] - 0.5).abs() < 1e-9);
    // ANCHOR_END: event
    println!("half of it has decayed at t = {:.6}", half_decayed.hits()[0].t);
    assert!((half_decayed.hits()[0].t - 0.591).abs() < 1e-3);
    Ok(())
}

fn jump() -> Outcome<()> {
    // ANCHOR: jump
    let problem = Problem::new(&[0.5], (0.0, 2.0), &[&[1.0]], |_t, y, dydt| dydt[0] = -y[0])?;
    // A dose whenever a half has decayed: the state jumps back to 1.
    let mut dose = Event::new(|_t, y| y[0] - 0.5).falling().jumping(|_t, y| y[0] = 1.0);
    let options = Options { observers: vec![&mut dose], ..Options::default() };
    let steps = Steps::adaptive(1e-10, 1e-10);
    let solution = solve(&problem, &Collocation::default(), &steps, options)?;
    assert_eq!(dose.hits().len(), solution.statistics().jumps);
    // ANCHOR_END: jump
    println!("doses at {:.3?}", dose.hits().iter().map(|hit| hit.t).collect::<Vec<_>>());
    Ok(())
}

fn several_derivatives() -> Outcome<()> {
    // ANCHOR: bagley_torvik
    // y'' + D^3/2 y + y = 1 + t, y(0) = y'(0) = 1: the solution is y = 1 + t.
    let rhs = |t: f64, terms: &[f64], highest: &mut [f64]| {
        let [y, three_halves] = [terms[0], terms[1]];
        highest[0] = 1.0 + t - y - three_halves;
    };
    let problem = MultiTerm::explicit(&[1.5, 2.0], (0.0, 5.0), &[&[1.0], &[1.0]], rhs)?;
    let steps = Steps::adaptive(1e-12, 1e-12);
    let solution = solve(&problem, &Collocation::default(), &steps, Options::default())?;
    assert!((solution.last()[0] - 6.0).abs() < 1e-10);
    // ANCHOR_END: bagley_torvik
    println!("Bagley and Torvik: y(5) = {:.12}", solution.last()[0]);
    Ok(())
}

fn delays() -> Outcome<()> {
    // ANCHOR: delays
    // D^0.9 y = y (1 - (y(t-1) + y(t-2))/2), and y(t) = 1/2 for t <= 0.
    let problem = DelayProblem::new(
        &[0.9],
        (0.0, 20.0),
        &[&[0.5]],
        vec![1.0, 2.0],
        |_t, y| y[0] = 0.5, // t <= 0
        |_t, y, lagged, dydt| dydt[0] = y[0] * (1.0 - 0.5 * (lagged[0] + lagged[1])),
    )?;
    let steps = problem.uniform_steps(2000).ok_or("the delays have no common step")?;
    let uniform = problem.solve(&AdamsBashforthMoulton::default(), &steps, Options::default())?;

    let breaks = problem.break_points(3).unwrap_or_default();
    let scheme = Collocation { breaks, ..Collocation::default() };
    let steps = Steps::adaptive(1e-8, 1e-8);
    let exact = problem.solve(&scheme, &steps, Options::default())?;
    assert!((uniform.last()[0] - exact.last()[0]).abs() < 1e-3);
    // ANCHOR_END: delays
    println!("two delays: y(20) = {:.6} and {:.6}", uniform.last()[0], exact.last()[0]);
    Ok(())
}

fn chaos() -> Outcome<()> {
    // ANCHOR: lyapunov
    use hpfracc::ode::{LyapunovOptions, Parametric, TangentHistory, lyapunov_exponents};

    // Lorenz's equations of order 0.99, with their Jacobian.
    let lorenz = Parametric::new(
        &[10.0, 28.0, 8.0 / 3.0],
        |_t: f64, y: &[f64], p: &[f64], dydt: &mut [f64]| {
            dydt[0] = p[0] * (y[1] - y[0]);
            dydt[1] = y[0] * (p[1] - y[2]) - y[1];
            dydt[2] = y[0] * y[1] - p[2] * y[2];
        },
        |_t: f64, y: &[f64], p: &[f64], f_y: &mut [f64], _f_p: &mut [f64]| {
            let (x, y, z) = (y[0], y[1], y[2]);
            f_y.copy_from_slice(&[-p[0], p[0], 0.0, p[1] - z, -1.0, -x, y, x, -p[2]]);
        },
    );
    let problem = Problem::of(lorenz, &[0.99], (0.0, 40.0), &[&[1.0, 2.0, 20.0]])?;
    let history = TangentHistory::Restarted;
    let options = LyapunovOptions { steps: 8000, every: 20, discard: 100, count: 3, history };
    let lyapunov = lyapunov_exponents(&problem, &AdamsBashforthMoulton::default(), &options)?;
    assert!(lyapunov.exponents[0] > 0.5); // chaos
    // ANCHOR_END: lyapunov
    println!("Lyapunov exponents {:.2?}", lyapunov.exponents);
    assert!(lyapunov.exponents[1].abs() < 0.3 && lyapunov.exponents[2] < -10.0);
    Ok(())
}

pictures::runs_with_the_tests!();
