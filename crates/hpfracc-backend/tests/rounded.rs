//! `Rounded`: computed in f32 and no worse, at any scale that f64 holds.

use hpfracc_backend::conformance::verify;
use hpfracc_backend::{
    Backend, BackendError, Direction, Kind, LinearMap, Pending, Plan, Reference, Rounded, Workload,
};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

const ALL: [Kind; 4] =
    [Kind::CausalConvolution, Kind::SpectralMultiplier, Kind::TrigonometricMultiplier, Kind::Dense];
const WORKLOAD: Workload = Workload::CausalConvolution { len: 5, batch: 2 };
const KERNEL: [f64; 5] = [1.0, -0.3, 0.7, 1e-4, 0.1];
const SIGNALS: [f64; 10] = [0.3, -1.7, 0.2, 1.1, 0.9, 1e-3, 2e-3, -3e-3, 0.0, 1e-9];

fn bind(kernel: &[f64]) -> Box<dyn LinearMap<f64>> {
    Rounded::new(Reference).plan(WORKLOAD).unwrap().bind(kernel).unwrap()
}

fn apply(kernel: &[f64], x: &[f64]) -> Vec<f64> {
    let mut y = vec![f64::NAN; x.len()];
    bind(kernel).apply(x, &mut y).unwrap();
    y
}

fn scaled(values: &[f64], exponent: i32) -> Vec<f64> {
    // In two steps, each within the range of exponents.
    let half = 2f64.powi(exponent / 2);
    values.iter().map(|v| v * half * 2f64.powi(exponent - exponent / 2)).collect()
}

#[test]
fn conforms_in_single_precision_and_not_in_double() {
    let report = verify::<f64>(&Rounded::new(Reference), &ALL, 1e-6).unwrap();
    println!("worst {:.1e}", report.worst);
    assert!(report.worst > 1e-9, "nothing was rounded");
}

#[test]
fn the_name_tells_the_precision() {
    let rounded = Rounded::new(Reference);
    assert_eq!(rounded.name(), "reference-rounded-to-f32");
    assert_eq!(format!("{rounded:?}"), "Rounded(\"reference-rounded-to-f32\")");
}

#[test]
fn powers_of_two_change_no_bit() {
    let y = apply(&KERNEL, &SIGNALS);
    for (of_kernel, of_signal) in
        [(0, 900), (0, -900), (900, -900), (-900, 900), (500, 500), (-500, -480), (1000, -980)]
    {
        let found = apply(&scaled(&KERNEL, of_kernel), &scaled(&SIGNALS, of_signal));
        assert_eq!(found, scaled(&y, of_kernel + of_signal), "2^{of_kernel} and 2^{of_signal}");
    }
}

#[test]
fn the_ends_of_the_range_are_kept() {
    // Subnormal and largest, one signal after the other.
    let tiny = f64::from_bits(3);
    let x = [tiny, 0.0, 0.0, 0.0, -tiny, f64::MAX, 0.0, -f64::MAX / 2.0, 0.0, 0.0];
    let identity = [1.0, 0.0, 0.0, 0.0, 0.0];
    assert_eq!(apply(&identity, &x), x);
    let delay = [0.0, 1.0, 0.0, 0.0, 0.0];
    let y = apply(&delay, &x);
    assert_eq!(y[..5], [0.0, tiny, 0.0, 0.0, 0.0]);
    // To 24 digits the largest number is 2^1024, beyond the range.
    assert_eq!(y[5..], [0.0, f64::INFINITY, 0.0, -2f64.powi(1023), 0.0]);
    assert_eq!(apply(&identity, &[0.0; 10]), [0.0; 10]);
}

#[test]
fn the_weight_at_lag_zero_is_not_rounded() {
    let y = apply(&[1.0 / 3.0, 0.0, 0.0, 0.0, 0.0], &SIGNALS);
    assert_eq!(y, SIGNALS.map(|x| x * (1.0 / 3.0)));
}

#[test]
fn the_mean_of_level_weights_is_not_rounded() {
    let third = 1.0 / 3.0;
    let level = bind(&[0.0, third, third, third, third]);
    let (mut y, mut back) = ([f64::NAN; 10], [f64::NAN; 10]);
    level.apply(&SIGNALS, &mut y).unwrap();
    level.apply_transpose(&SIGNALS, &mut back).unwrap();
    for (n, (y, back)) in y.into_iter().zip(back).enumerate() {
        let (signal, n) = (&SIGNALS[n / 5 * 5..][..5], n % 5);
        let [before, after] = [&signal[..n], &signal[n + 1..]].map(|s| s.iter().sum::<f64>());
        assert!((y - third * before).abs() < 1e-15, "{y} {before}");
        assert!((back - third * after).abs() < 1e-15, "{back} {after}");
    }
}

#[test]
fn each_signal_has_a_scale_of_its_own() {
    let alone = apply(&KERNEL, &SIGNALS);
    let mut beside_a_large_one = SIGNALS;
    beside_a_large_one[..5].fill(1e300);
    assert_eq!(apply(&KERNEL, &beside_a_large_one)[5..], alone[5..]);
}

#[test]
fn infinities_and_nan_propagate_and_set_no_scale() {
    for spoiled in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        let mut x = SIGNALS;
        x[2] = spoiled;
        let y = apply(&KERNEL, &x);
        let clean = apply(&KERNEL, &SIGNALS);
        assert_eq!(y[..2], clean[..2], "entries before it");
        assert!(y[2..5].iter().all(|v| !v.is_finite()));
        assert_eq!(y[5..], clean[5..], "the other signal");
        let mut kernel = KERNEL;
        kernel[4] = spoiled;
        assert_eq!(apply(&kernel, &SIGNALS)[..4], clean[..4]);
    }
}

#[test]
fn a_symbol_is_checked_in_double_precision() {
    let shape = hpfracc_backend::Shape::line(4);
    let workload = Workload::SpectralMultiplier { shape, batch: 1 };
    // An imaginary mean of 1e-12: rounding to f32 would not tell it from zero.
    let symbol = [1.0, 1e-12, 0.5, 0.5, 1.0, 0.0];
    let refused = Rounded::new(Reference).plan(workload).unwrap().bind(&symbol);
    assert!(matches!(refused.err(), Some(BackendError::NotHermitian { .. })));
}

#[test]
fn a_recurrence_is_declined() {
    let workload = Workload::Recurrence { nodes: 2, len: 3, batch: 1 };
    let error = Rounded::new(Reference).plan(workload).err().unwrap();
    assert!(matches!(error, BackendError::Unsupported { .. }), "{error}");
    assert!(error.to_string().contains("`reference-rounded-to-f32`"), "{error}");
}

#[test]
fn errors_carry_its_name() {
    struct Nothing;
    impl Backend<f32> for Nothing {
        fn name(&self) -> &str {
            "nothing"
        }
        fn plan(
            &self,
            workload: Workload,
        ) -> Result<std::sync::Arc<dyn hpfracc_backend::Plan<f32>>, BackendError> {
            let (backend, reason) = ("nothing".to_owned(), "it is a test");
            Err(BackendError::Unsupported { backend, workload, reason })
        }
    }
    let error = Rounded::new(Nothing).plan(WORKLOAD).err().unwrap();
    assert!(error.to_string().contains("`nothing-rounded-to-f32`"), "{error}");
}

/// The reference, where nothing may wait: there are futures only, and none is ready at once.
struct NeverWaits;

struct NeverWaitsHere<M: ?Sized>(Box<M>);

impl Backend<f32> for NeverWaits {
    fn name(&self) -> &str {
        "never-waits"
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<f32>>, BackendError> {
        struct Shared(Arc<dyn Plan<f32>>);
        impl Plan<f32> for Shared {
            fn workload(&self) -> Workload {
                self.0.workload()
            }
            fn bytes(&self) -> usize {
                self.0.bytes()
            }
            fn bind(&self, kernel: &[f32]) -> Result<Box<dyn LinearMap<f32>>, BackendError> {
                Ok(Box::new(NeverWaitsHere(self.0.bind(kernel)?)))
            }
        }
        Ok(Arc::new(Shared(Reference.plan(workload)?)))
    }
}

fn would_wait() -> BackendError {
    BackendError::Device { backend: "never-waits".to_owned(), source: "it would wait".into() }
}

async fn later() {
    let mut polled = false;
    std::future::poll_fn(|context| {
        context.waker().wake_by_ref();
        if std::mem::replace(&mut polled, true) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

impl LinearMap<f32> for NeverWaitsHere<dyn LinearMap<f32>> {
    fn workload(&self) -> Workload {
        self.0.workload()
    }
    fn run(&self, _: Direction, _: &[f32], _: &mut [f32]) -> Result<(), BackendError> {
        Err(would_wait())
    }
    fn run_async<'a>(
        &'a self,
        direction: Direction,
        from: &'a [f32],
        to: &'a mut [f32],
    ) -> Pending<'a> {
        Box::pin(async move {
            later().await;
            self.0.run(direction, from, to)
        })
    }
}

/// After how many polls the future was ready, and with what.
fn awaited(mut future: Pending<'_>) -> (usize, Result<(), BackendError>) {
    let mut context = Context::from_waker(Waker::noop());
    let mut polls = 1;
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(outcome) => return (polls, outcome),
            Poll::Pending => polls += 1,
        }
    }
}

#[test]
fn a_future_is_one_of_the_inner_map() {
    let map = Rounded::new(NeverWaits).plan(WORKLOAD).unwrap().bind(&KERNEL).unwrap();
    let (mut y, mut found) = (vec![f64::NAN; 10], vec![f64::NAN; 10]);
    let error = map.apply(&SIGNALS, &mut y).unwrap_err();
    assert!(error.to_string().contains("never-waits-rounded-to-f32"), "{error}");
    // Dropped half way, it owes nothing.
    let mut context = Context::from_waker(Waker::noop());
    assert!(map.apply_async(&SIGNALS, &mut found).as_mut().poll(&mut context).is_pending());
    let (polls, outcome) = awaited(map.apply_async(&SIGNALS, &mut found));
    outcome.unwrap();
    assert_eq!((polls, &found), (2, &apply(&KERNEL, &SIGNALS)));
    bind(&KERNEL).apply_transpose(&SIGNALS, &mut y).unwrap();
    let (polls, outcome) = awaited(map.apply_transpose_async(&SIGNALS, &mut found));
    outcome.unwrap();
    assert_eq!((polls, &found), (2, &y));
    let (_, short) = awaited(map.apply_async(&SIGNALS[1..], &mut found));
    assert!(matches!(short, Err(BackendError::Length { .. })));
}
