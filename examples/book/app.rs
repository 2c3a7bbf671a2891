//! Programs of the chapter "In your app": `cargo run --example book_app`.

use hpfracc::prelude::*;
use pictures::Outcome;

fn main() -> Outcome<()> {
    cancelled()?;
    in_time()?;
    limited()?;
    awaited()
}

// ANCHOR: background
use hpfracc::equation::Equation;
use hpfracc::ode::{Progress, Status};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// Times and values of the first unknown, and whether the solve reached its end.
struct Curve {
    t: Vec<f64>,
    y: Vec<f64>,
    complete: bool,
}

/// Solves on the calling thread until the end, `cancel`, or the deadline.
fn curve(
    text: &str,
    cancel: &AtomicBool,
    deadline: Instant,
) -> Result<Curve, Box<dyn std::error::Error>> {
    let problem = EquationProblem::new(&Equation::parse(text)?)?;
    let mut watch = |_: Progress| {
        if Instant::now() > deadline {
            cancel.store(true, Ordering::Relaxed);
        }
    };
    let options =
        Options { cancel: Some(cancel), progress: Some(&mut watch), ..Options::default() };
    let scheme = AdamsBashforthMoulton::default();
    let solution = problem.solve(&scheme, &Steps::Uniform(20_000), options)?;
    Ok(Curve {
        t: solution.times().to_vec(),
        y: solution.states().column(0).to_vec(),
        complete: solution.solution().status() != Status::Cancelled,
    })
}

/// Starts a solve on a thread of its own: its answer comes to `answers`, and the flag ends it.
fn start(text: String, answers: mpsc::Sender<Result<Curve, String>>) -> Arc<AtomicBool> {
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancel);
    thread::spawn(move || {
        let answer = curve(&text, &flag, Instant::now() + Duration::from_secs(10));
        // The window may be closed: then nobody reads the answer.
        answers.send(answer.map_err(|error| error.to_string())).ok();
    });
    cancel
}

const LORENZ: &str = "
    D^alpha x = 10 (y - x); D^alpha y = x (28 - z) - y; D^alpha z = x y - 8/3 z
    alpha = 0.995; x(0) = 1; y(0) = 1; z(0) = 1; t in [0, 50]";
// ANCHOR_END: background

fn cancelled() -> Outcome<()> {
    // ANCHOR: moved
    let (answers, received) = mpsc::channel();
    let running = start(LORENZ.to_owned(), answers.clone());
    // The user moves a slider: the solve before ends at its next step.
    running.store(true, Ordering::Relaxed);
    start(LORENZ.replace("0.995", "0.98"), answers);
    let curves = received.iter().collect::<Result<Vec<Curve>, String>>()?;
    assert_eq!(curves.iter().filter(|curve| curve.complete).count(), 1);
    // ANCHOR_END: moved
    let complete = curves.iter().find(|curve| curve.complete).ok_or("no complete curve")?;
    assert_eq!((complete.t.len(), complete.y.len()), (20_001, 20_001));
    println!("x(50) = {:.3} at the last position of the slider", complete.y[20_000]);
    Ok(())
}

fn in_time() -> Outcome<()> {
    let flag = AtomicBool::new(false);
    let partial = curve(LORENZ, &flag, Instant::now())?;
    assert!(!partial.complete && partial.t.len() < 20_001);
    println!("{} of 20001 nodes before a deadline that was over at once", partial.t.len());
    Ok(())
}

fn limited() -> Outcome<()> {
    // ANCHOR: attempts
    use hpfracc::equation::Equation;

    // y' = y^2 is infinite at t = 1: the error has the solution up to there.
    let problem = EquationProblem::new(&Equation::parse("y' = y^2; y(0) = 1; t in [0, 2]")?)?;
    let options = Options { max_steps: Some(2000), ..Options::default() };
    let steps = Steps::adaptive(1e-8, 1e-8);
    let failure = problem.solve(&Collocation::default(), &steps, options).err();
    let failure = failure.ok_or("expected an error")?;
    println!("{failure}");
    let partial = failure.partial.ok_or("expected a partial solution")?;
    assert!(partial.times().last().is_some_and(|t| *t > 0.9 && *t < 1.01));
    // ANCHOR_END: attempts
    Ok(())
}

/// Future of a backend of the processor: it is ready when it is polled first.
fn awaited() -> Outcome<()> {
    // ANCHOR: awaited
    async fn derivative(half: &Bound<f64>, x: Array1<f64>) -> Result<Array1<f64>, OperatorError> {
        half.apply_async(x.view()).await
    }
    // ANCHOR_END: awaited
    let half: Bound<f64> =
        Caputo::l1(Order::new(0.5)?)?.on(Grid::uniform(100, 0.01)?, &Machine::detect())?;
    let samples: Array1<f64> = (0..100).map(|k| 0.01 * f64::from(k)).collect();
    let expected = half.apply(samples.view())?;
    let mut future = std::pin::pin!(derivative(&half, samples));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let std::task::Poll::Ready(found) = future.as_mut().poll(&mut context) else {
        return Err("expected a result at once".into());
    };
    assert_eq!(found?, expected);
    Ok(())
}

pictures::runs_with_the_tests!();
