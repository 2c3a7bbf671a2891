//! Operators fed sample by sample.

use hpfracc_backend::{Backend, BackendError, Direction, LinearMap, Plan, Reference, Workload};
use hpfracc_operators::{
    Bound, Caputo, GrunwaldLetnikov, Operator, OperatorError, Recurrence, RlIntegral, Stream,
    catalogue,
};
use hpfracc_special::gamma;
use hpfracc_types::{Grid, Order};
use ndarray::{Array1, Array2, ArrayView2, s};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

fn order(alpha: f64) -> Order {
    Order::new(alpha).unwrap()
}

fn half(longest: u64) -> Recurrence {
    Caputo::l1(order(0.5)).unwrap().recurrence(0.01, longest, 1e-9).unwrap()
}

/// Every operator that has a recurrence, an example of each order.
fn operators() -> Vec<Arc<dyn Operator>> {
    let examples = catalogue().flat_map(|entry| {
        let orders = entry.range.examples.iter();
        orders.map(|alpha| entry.example(order(*alpha)).unwrap())
    });
    let all: Vec<_> =
        examples.filter(|operator| operator.recurrence(1.0, 10, 1e-6).is_ok()).collect();
    assert!(all.len() >= 9);
    all
}

fn signal(n: usize, dt: f64) -> Array1<f64> {
    (0..n).map(|j| j as f64 * dt).map(|t| (9.0 * t).cos() + 0.5 * t - 0.2).collect()
}

fn one_by_one(recurrence: &Recurrence, f: &Array1<f64>) -> Array1<f64> {
    let mut stream = Stream::new(recurrence, 1, &Reference).unwrap();
    f.iter().map(|f| stream.push(*f).unwrap()).collect()
}

#[test]
fn a_stream_is_the_operator_within_the_bound() {
    let (n, dt) = (700, 0.01);
    let f = signal(n, dt);
    for operator in operators() {
        let recurrence = operator.recurrence(dt, n as u64, 1e-8).unwrap();
        let exact: Bound<f64> =
            operator.clone().on(Grid::uniform(n, dt).unwrap(), &Reference).unwrap();
        let exact = exact.apply(f.view()).unwrap();
        let found = one_by_one(&recurrence, &f);
        let all = (0..n as u64).map(|n| recurrence.weight(n).abs() + recurrence.start(n).abs());
        let terms: f64 = all.sum();
        for (n, (found, exact)) in found.iter().zip(&exact).enumerate() {
            let allowed = 3.0 * (recurrence.relative_error() + 1e-13) * terms;
            assert!((found - exact).abs() <= allowed, "{:?} {n} {found} {exact}", operator.name());
        }
    }
}

#[test]
fn powers_through_a_stream() {
    let (n, dt) = (4001, 0.0005);
    let t_end = dt * (n - 1) as f64;
    // Exact on t, and of their order on t^2.
    let cases: [(Arc<dyn Operator>, f64, f64); 4] = [
        (Arc::new(Caputo::l1(order(0.6)).unwrap()), -0.6, 2e-4),
        (Arc::new(GrunwaldLetnikov::new(order(0.6))), -0.6, 2e-3),
        (Arc::new(RlIntegral::trapezoid(order(0.6)).unwrap()), 0.6, 1e-6),
        (Arc::new(RlIntegral::rectangle(order(0.6)).unwrap()), 0.6, 2e-3),
    ];
    for (operator, shift, allowed) in cases {
        let recurrence = operator.recurrence(dt, n as u64, 1e-10).unwrap();
        for q in [1.0, 2.0] {
            let f: Array1<f64> = (0..n).map(|j| (j as f64 * dt).powf(q)).collect();
            let found = one_by_one(&recurrence, &f)[n - 1];
            let exact = gamma(q + 1.0) / gamma(q + 1.0 + shift) * t_end.powf(q + shift);
            let error = (found / exact - 1.0).abs();
            assert!(error < allowed, "{:?} t^{q}: {error:e}", operator.name());
        }
    }
}

#[test]
fn blocks_of_any_length_give_the_same_bits() {
    let n = 1200;
    let f = signal(n, 0.01);
    for operator in operators() {
        let recurrence = operator.recurrence(0.01, n as u64, 1e-6).unwrap();
        let expected = one_by_one(&recurrence, &f);
        // Two channels; the second is silent at first.
        let mut both = Array2::zeros((2, n));
        both.row_mut(0).assign(&f);
        both.slice_mut(s![1, 5..]).assign(&f.slice(s![..n - 5]));
        for len in [1, 2, 3, 31, 32, 33, 500, 1100, n] {
            let mut stream = Stream::new(&recurrence, 2, &Reference).unwrap();
            let mut found = Array2::from_elem((2, n), f64::NAN);
            for at in (0..n).step_by(len) {
                let these = s![.., at..n.min(at + len)];
                stream.push_block(both.slice(these), found.slice_mut(these)).unwrap();
            }
            assert_eq!(found.row(0), expected, "{:?} {len}", operator.name());
            assert_eq!(stream.pushed(), n as u64);
        }
    }
}

#[test]
fn it_stops_and_goes_on_at_every_sample_with_the_same_bits() {
    let n = 70;
    let f = signal(n, 0.01);
    for operator in operators() {
        let recurrence = operator.recurrence(0.01, n as u64, 1e-9).unwrap();
        let expected = one_by_one(&recurrence, &f);
        let mut stream = Stream::new(&recurrence, 1, &Reference).unwrap();
        for (n, f) in f.iter().enumerate() {
            stream = Stream::resume(&recurrence, &stream.state(), &Reference).unwrap();
            assert_eq!(stream.pushed(), n as u64);
            assert_eq!(stream.push(*f).unwrap(), expected[n], "{:?} {n}", operator.name());
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn text_keeps_every_bit() {
    use hpfracc_operators::StreamState;

    let f = signal(50, 0.01);
    let recurrence = half(50);
    let written = serde_json::to_string(&recurrence).unwrap();
    let read: Recurrence = serde_json::from_str(&written).unwrap();
    assert_eq!(read, recurrence);
    let mut stream: Stream<f64> = Stream::new(&recurrence, 1, &Reference).unwrap();
    f.iter().take(20).for_each(|f| {
        stream.push(*f).unwrap();
    });
    let text = serde_json::to_string(&stream.state()).unwrap();
    let state: StreamState = serde_json::from_str(&text).unwrap();
    let mut later: Stream<f64> = Stream::resume(&read, &state, &Reference).unwrap();
    for f in f.iter().skip(20) {
        assert_eq!(later.push(*f).unwrap(), stream.push(*f).unwrap());
    }
    // Damage: one bit of any field, the count of samples among them; and what is no recurrence.
    let saved: serde_json::Value = serde_json::from_str(&text).unwrap();
    let damage = |place: &dyn Fn(&mut serde_json::Value) -> &mut serde_json::Value| {
        let mut damaged = saved.clone();
        let number = place(&mut damaged);
        *number = number.as_u64().map_or(true.into(), |number| (number ^ 1).into());
        let damaged: StreamState = serde_json::from_value(damaged).unwrap();
        Stream::<f64>::resume(&read, &damaged, &Reference).unwrap_err()
    };
    for field in ["pushed", "channels", "recurrence", "failed", "checksum"] {
        let refused = damage(&|state| &mut state[field]);
        assert!(matches!(refused, OperatorError::DamagedState { .. }), "{field}: {refused}");
    }
    for k in 0..saved["numbers"].as_array().unwrap().len() {
        let refused = damage(&|state| &mut state["numbers"][k]);
        assert!(matches!(refused, OperatorError::DamagedState { .. }), "{k}: {refused}");
    }
    for (from, to) in [
        ("\"differences\":1", "\"differences\":3"),
        ("\"rates\":[", "\"rates\":[0,"),
        ("\"near\":[", "\"near\":[9218868437227405312,"), // infinity
        ("\"held\":true", "\"held\":true,\"else\":1"),
    ] {
        let wrong = written.replacen(from, to, 1);
        assert_ne!(wrong, written);
        assert!(serde_json::from_str::<Recurrence>(&wrong).is_err(), "{to}");
    }
}

#[test]
fn a_state_that_is_not_its_own_is_refused() {
    let recurrence = half(100);
    let mut stream: Stream<f64> = Stream::new(&recurrence, 2, &Reference).unwrap();
    stream.push_into(&[1.0, 2.0], &mut [0.0; 2]).unwrap();
    let state = stream.state();
    for other in
        [half(101), RlIntegral::trapezoid(order(0.5)).unwrap().recurrence(0.01, 100, 1e-9).unwrap()]
    {
        let refused = Stream::<f64>::resume(&other, &state, &Reference).unwrap_err();
        assert!(matches!(refused, OperatorError::ForeignState { .. }), "{refused}");
    }
    let refused = Stream::<f32>::resume(&recurrence, &state, &Reference).unwrap_err().to_string();
    assert!(refused.contains("scalar") && refused.contains("f64") && refused.contains("f32"));
    assert_eq!(Stream::<f64>::resume(&recurrence, &state, &Reference).unwrap().state(), state);
}

#[test]
fn bad_input_changes_nothing() {
    let recurrence = half(3);
    let mut stream: Stream<f64> = Stream::new(&recurrence, 2, &Reference).unwrap();
    stream.push_into(&[1.0, 2.0], &mut [0.0; 2]).unwrap();
    let before = stream.state();
    let mut two = [f64::NAN; 2];
    for refused in [
        stream.push(1.0).unwrap_err(),
        stream.push_into(&[1.0], &mut two).unwrap_err(),
        stream.push_into(&[], &mut two).unwrap_err(),
        stream.push_into(&[1.0, 2.0, 3.0], &mut two).unwrap_err(),
        stream.push_into(&[1.0, 2.0], &mut [0.0]).unwrap_err(),
        stream
            .push_block(Array2::ones((3, 1)).view(), Array2::ones((3, 1)).view_mut())
            .unwrap_err(),
    ] {
        assert!(matches!(refused, OperatorError::Channels { expected: 2, .. }), "{refused}");
    }
    let (samples, mut results) = (Array2::ones((2, 2)), Array2::ones((2, 1)));
    let refused = stream.push_block(samples.view(), results.view_mut()).unwrap_err();
    assert!(matches!(refused, OperatorError::Shape { .. }), "{refused}");
    assert_eq!(stream.state(), before);
    // Two more samples fit, three do not, and then none.
    let too_many = stream.push_block(Array2::ones((2, 3)).view(), Array2::ones((2, 3)).view_mut());
    let refused = too_many.unwrap_err();
    assert!(
        matches!(refused, OperatorError::SignalTooLong { samples: 4, longest: 3 }),
        "{refused}"
    );
    assert_eq!(stream.state(), before);
    stream.push_block(samples.view(), Array2::ones((2, 2)).view_mut()).unwrap();
    let refused = stream.push_into(&[1.0, 2.0], &mut two).unwrap_err();
    assert!(matches!(refused, OperatorError::SignalTooLong { samples: 4, longest: 3 }));
    assert!(two.iter().all(|y| y.is_nan()));
    // No samples are no error.
    stream
        .push_block(ArrayView2::from_shape((2, 0), &[]).unwrap(), Array2::ones((2, 0)).view_mut())
        .unwrap();
    let refused = Stream::<f64>::new(&recurrence, 0, &Reference).unwrap_err();
    assert!(matches!(refused, OperatorError::Channels { found: 0, .. }));
}

#[test]
fn refuses_operators_without_a_recurrence() {
    let l1 = Caputo::l1(order(0.5)).unwrap();
    for (dt, longest, tolerance) in [
        (0.0, 10, 1e-6),
        (f64::NAN, 10, 1e-6),
        (1.0, 0, 1e-6),
        (1.0, 1_000_000_000_000_001, 1e-6),
        (1.0, 10, 1e-13),
        (1.0, 10, 0.2),
        (1.0, 10, f64::NAN),
    ] {
        let refused = l1.recurrence(dt, longest, tolerance).unwrap_err();
        let expected = matches!(refused, OperatorError::Parameter { .. } | OperatorError::Grid(_));
        assert!(expected, "{dt} {longest} {tolerance}: {refused}");
    }
    assert!(l1.recurrence(1.0, 1_000_000_000_000_000, 1e-6).unwrap().rates().len() < 80);
    let none = Caputo::bdf(order(0.5), 2).unwrap().recurrence(1.0, 10, 1e-6).unwrap_err();
    assert!(matches!(none, OperatorError::NoRecurrence { scheme: "bdf2", .. }), "{none}");
    for refused in [
        RlIntegral::trapezoid(order(1.5)).unwrap().recurrence(1.0, 10, 1e-6).unwrap_err(),
        GrunwaldLetnikov::new(order(3.5)).recurrence(1.0, 10, 1e-6).unwrap_err(),
    ] {
        assert!(matches!(refused, OperatorError::OutOfRange { .. }), "{refused}");
    }
    let overflowing = l1.recurrence(1e-80, 10, 1e-6).unwrap();
    let refused = Stream::<f32>::new(&overflowing, 1, &Reference).unwrap_err();
    assert!(matches!(refused, OperatorError::Overflow { scalar: "f32", .. }), "{refused}");
}

#[test]
fn single_precision_keeps_long_memories() {
    // Of decays such as 0.9999999 nothing would be left in f32: 1e-4 of the result.
    let (n, dt) = (65_536, 0.001);
    let recurrence = Caputo::l1(order(0.5)).unwrap().recurrence(dt, n as u64, 1e-7).unwrap();
    for (trend, allowed) in [(0.0, 2e-6), (0.5, 5e-5)] {
        // The samples are taken as f32 has them: what is tested is the stream.
        let at = |j: u16| f32::from(j) * dt as f32;
        let f: Vec<f32> =
            (0..=u16::MAX).map(at).map(|t| (9.0 * t).cos() + trend * t - 0.2).collect();
        let exact = one_by_one(&recurrence, &f.iter().map(|f| f64::from(*f)).collect());
        let size = exact.iter().fold(0.0, |m: f64, y| m.max(y.abs()));
        let mut stream: Stream<f32> = Stream::new(&recurrence, 1, &Reference).unwrap();
        let error = f
            .iter()
            .zip(&exact)
            .fold(0.0, |m: f64, (f, y)| m.max((f64::from(stream.push(*f).unwrap()) - y).abs()));
        let nodes = recurrence.rates().len();
        println!("K = {nodes}, n = {n}, trend {trend}: {:.2e} of the largest", error / size);
        assert!(error < allowed * size, "trend {trend}: {:e}", error / size);
    }
}

/// The reference, whose maps fail from some call on.
#[derive(Clone)]
struct Failing(Arc<AtomicUsize>);

struct FailingPlan(Arc<dyn Plan<f64>>, Arc<AtomicUsize>);
struct FailingMap(Box<dyn LinearMap<f64>>, Arc<AtomicUsize>);

impl Backend<f64> for Failing {
    fn name(&self) -> &str {
        "failing"
    }
    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<f64>>, BackendError> {
        Ok(Arc::new(FailingPlan(Reference.plan(workload)?, Arc::clone(&self.0))))
    }
}

impl Plan<f64> for FailingPlan {
    fn workload(&self) -> Workload {
        self.0.workload()
    }
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
    fn bind(&self, kernel: &[f64]) -> Result<Box<dyn LinearMap<f64>>, BackendError> {
        Ok(Box::new(FailingMap(self.0.bind(kernel)?, Arc::clone(&self.1))))
    }
}

impl LinearMap<f64> for FailingMap {
    fn workload(&self) -> Workload {
        self.0.workload()
    }
    fn run(&self, direction: Direction, x: &[f64], y: &mut [f64]) -> Result<(), BackendError> {
        if direction == Direction::Forward && self.1.fetch_sub(1, SeqCst) == 0 {
            let reason = "it fails in this test";
            return Err(BackendError::unsupported("failing", self.workload(), reason));
        }
        self.0.run(direction, x, y)
    }
}

#[test]
fn a_device_that_fails_is_not_forgotten() {
    let recurrence = half(100);
    let left = Arc::new(AtomicUsize::new(3));
    let mut stream: Stream<f64> = Stream::new(&recurrence, 1, &Failing(left)).unwrap();
    let results: Vec<_> = (0..7).map(|n| stream.push(f64::from(n))).collect();
    // The first sample needs no map.
    assert!(results[..4].iter().all(Result::is_ok));
    assert!(matches!(results[4], Err(OperatorError::Backend(_))));
    assert!(results[5..].iter().all(|r| matches!(r, Err(OperatorError::StreamFailed))));
    // Not elsewhere either.
    let refused = Stream::<f64>::resume(&recurrence, &stream.state(), &Reference).unwrap_err();
    assert!(matches!(refused, OperatorError::StreamFailed), "{refused}");
}
