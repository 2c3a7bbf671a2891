//! Members with stated speeds and faults. No time is measured: the stopwatches answer by a formula.

use super::Split;
use super::members::Stopwatch;
use crate::conformance::verify;
use crate::{Backend, BackendError, Direction, Kind, LinearMap, Plan, Reference, Workload};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

const ALL: [Kind; 5] = Kind::ALL;

/// The reference, with limits, faults and a count of what was made.
#[derive(Clone)]
struct Fake {
    name: &'static str,
    kinds: &'static [Kind],
    most_signals: usize,
    broken: Arc<AtomicBool>,
    made: Arc<AtomicUsize>,
}

impl Fake {
    fn new(name: &'static str) -> Self {
        let (broken, made) = Default::default();
        Self { name, kinds: &ALL, most_signals: usize::MAX, broken, made }
    }

    fn fault(&self) -> Result<(), BackendError> {
        if !self.broken.load(SeqCst) {
            return Ok(());
        }
        let source = format!("{} burnt out", self.name).into();
        Err(BackendError::Device { backend: self.name.to_owned(), source })
    }
}

impl Backend<f64> for Fake {
    fn name(&self) -> &str {
        self.name
    }
    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<f64>>, BackendError> {
        self.fault()?;
        let backend = self.name.to_owned();
        if !self.kinds.contains(&workload.kind()) {
            return Err(BackendError::Unsupported { backend, workload, reason: "it is a fake" });
        }
        let (needed, limit) = (workload.batch(), self.most_signals);
        if needed > limit {
            return Err(BackendError::Memory { backend, workload, needed, limit });
        }
        self.made.fetch_add(1, SeqCst);
        let inner = Backend::<f64>::plan(&Reference, workload)?;
        Ok(Arc::new(FakePlan { fake: self.clone(), inner }))
    }
}

struct FakePlan {
    fake: Fake,
    inner: Arc<dyn Plan<f64>>,
}

impl Plan<f64> for FakePlan {
    fn workload(&self) -> Workload {
        self.inner.workload()
    }
    fn bytes(&self) -> usize {
        self.inner.bytes()
    }
    fn bind(&self, kernel: &[f64]) -> Result<Box<dyn LinearMap<f64>>, BackendError> {
        self.fake.fault()?;
        self.fake.made.fetch_add(1, SeqCst);
        Ok(Box::new(FakeMap { fake: self.fake.clone(), inner: self.inner.bind(kernel)? }))
    }
}

struct FakeMap {
    fake: Fake,
    inner: Box<dyn LinearMap<f64>>,
}

impl LinearMap<f64> for FakeMap {
    fn workload(&self) -> Workload {
        self.inner.workload()
    }
    fn run(&self, direction: Direction, from: &[f64], to: &mut [f64]) -> Result<(), BackendError> {
        // A device may fail with part of the result written.
        to.fill(-7.0);
        self.fake.fault()?;
        self.inner.run(direction, from, to)
    }
}

fn split(fakes: &[&Fake], stopwatch: Stopwatch) -> Split<f64> {
    let backend = |fake: &&Fake| Arc::new((*fake).clone()) as Arc<dyn Backend<f64>>;
    Split::of(fakes.iter().map(backend).collect(), stopwatch)
}

const ALIKE: Stopwatch = |_, signals, _| Duration::from_millis(signals as u64);

fn signals_of(split: &Split<f64>, workload: Workload) -> Vec<usize> {
    split.shares(workload).iter().map(|share| share.signals).collect()
}

const KERNEL: [f64; 3] = [1.0, -0.5, 0.25];

fn convolution(batch: usize) -> Workload {
    Workload::CausalConvolution { len: 3, batch }
}

fn bind(split: &Split<f64>, workload: Workload) -> Box<dyn LinearMap<f64>> {
    split.plan(workload).unwrap().bind(&KERNEL).unwrap()
}

/// Applies the map and demands what the reference gives.
fn check(map: &dyn LinearMap<f64>) {
    let reference = Backend::<f64>::plan(&Reference, map.workload()).unwrap();
    let reference = reference.bind(&KERNEL).unwrap();
    let x: Vec<f64> = (0..3 * map.workload().batch()).map(|i| (i * i) as f64 * 0.1).collect();
    let (mut y, mut expected) = (vec![f64::NAN; x.len()], vec![0.0; x.len()]);
    map.apply(&x, &mut y).unwrap();
    reference.apply(&x, &mut expected).unwrap();
    assert_eq!(y, expected);
    map.apply_transpose(&x, &mut y).unwrap();
    reference.apply_transpose(&x, &mut expected).unwrap();
    assert_eq!(y, expected);
}

#[test]
fn conforms() {
    let two = Split::new(Reference).and(Reference);
    verify::<f64>(&two, &ALL, 1e-13).unwrap();
    verify::<f32>(&Split::new(Reference).and(Reference).and(Reference), &ALL, 1e-6).unwrap();
    let mut only_dense = Fake::new("only-dense");
    only_dense.kinds = &[Kind::Dense];
    verify(&split(&[&only_dense, &Fake::new("all")], ALIKE), &ALL, 1e-13).unwrap();
    verify(&split(&[&only_dense, &only_dense], ALIKE), &[Kind::Dense], 1e-13).unwrap();
}

#[test]
fn shares_follow_the_speeds_and_then_nothing_is_made() {
    let [slow, fast] = [Fake::new("slow"), Fake::new("fast")];
    let watch: Stopwatch = |member, signals, _| {
        let millis = if member == 0 { 3 } else { 1 };
        Duration::from_millis(millis * signals as u64)
    };
    let both = split(&[&slow, &fast], watch);
    assert_eq!(Backend::name(&both), "slow+fast");
    assert_eq!(signals_of(&both, convolution(64)), [32, 32]);
    let map = bind(&both, convolution(64));
    for _ in 0..3 {
        check(map.as_ref());
    }
    assert_eq!(signals_of(&both, convolution(64)), [16, 48]);
    let made = slow.made.load(SeqCst) + fast.made.load(SeqCst);
    for _ in 0..3 {
        check(map.as_ref());
    }
    assert_eq!(slow.made.load(SeqCst) + fast.made.load(SeqCst), made);
    // What was learnt holds for another batch of the same signals, and for no other signals.
    assert_eq!(signals_of(&both, convolution(128)), [32, 96]);
    let longer = Workload::CausalConvolution { len: 4, batch: 64 };
    assert_eq!(signals_of(&both, longer), [32, 32]);
}

#[test]
fn small_changes_of_speed_move_no_share() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let watch: Stopwatch = |_, signals, _| {
        let breath = [100, 104, 97, 102, 95][CALLS.fetch_add(1, SeqCst) % 5];
        Duration::from_micros(breath * signals as u64)
    };
    let [a, b] = [Fake::new("a"), Fake::new("b")];
    let both = split(&[&a, &b], watch);
    let map = bind(&both, convolution(640));
    for _ in 0..3 {
        check(map.as_ref());
    }
    let (shares, made) = (signals_of(&both, convolution(640)), a.made.load(SeqCst));
    for _ in 0..20 {
        check(map.as_ref());
        assert_eq!(signals_of(&both, convolution(640)), shares);
    }
    assert_eq!(a.made.load(SeqCst), made);
}

#[test]
fn a_batch_that_does_not_pay_stays_with_one() {
    // Alone, the first takes 1 ms a signal; the second is ten times as fast after 50 ms.
    let watch: Stopwatch = |member, signals, _| {
        let micros = [1000 * signals, 50_000 + 100 * signals][member];
        Duration::from_micros(micros as u64)
    };
    let both = split(&[&Fake::new("near"), &Fake::new("far")], watch);
    let map = bind(&both, convolution(640));
    for _ in 0..4 {
        check(map.as_ref());
    }
    let [near, far] = signals_of(&both, convolution(640))[..] else { panic!("two members") };
    assert!(near > 0 && far > 500, "{near}, {far}");
    assert_eq!(signals_of(&both, convolution(30)), [30, 0]);
    check(bind(&both, convolution(30)).as_ref());
}

#[test]
fn an_overhead_shows_although_equal_shares_end_together() {
    // 320 signals take 320 ms on either.
    let watch: Stopwatch = |member, signals, _| {
        let micros = [1000 * signals, 160_000 + 500 * signals][member];
        Duration::from_micros(micros as u64)
    };
    let both = split(&[&Fake::new("near"), &Fake::new("far")], watch);
    let map = bind(&both, convolution(640));
    for _ in 0..4 {
        check(map.as_ref());
    }
    assert_eq!(signals_of(&both, convolution(640)), [320, 320]);
    assert_eq!(signals_of(&both, convolution(100)), [100, 0]);
}

#[test]
fn fewer_signals_than_members_go_to_the_quickest() {
    let watch: Stopwatch =
        |member, signals, _| Duration::from_millis([3, 1, 2][member] * signals as u64);
    let fakes = ["a", "b", "c"].map(Fake::new);
    let all = split(&[&fakes[0], &fakes[1], &fakes[2]], watch);
    let map = bind(&all, convolution(2));
    for expected in [[2, 0, 0], [0, 2, 0], [0, 0, 2], [0, 2, 0], [0, 2, 0]] {
        assert_eq!(signals_of(&all, convolution(2)), expected);
        check(map.as_ref()); // twice: forward and transposed
    }
}

#[test]
fn a_member_that_fails_is_replaced_by_the_others() {
    let fakes = ["a", "b", "c"].map(Fake::new);
    let all = split(&[&fakes[0], &fakes[1], &fakes[2]], ALIKE);
    let map = bind(&all, convolution(9));
    check(map.as_ref());
    fakes[1].broken.store(true, SeqCst);
    check(map.as_ref());
    let shares = all.shares(convolution(9));
    assert_eq!(shares[1].signals, 0);
    assert_eq!(shares[1].left_out.as_deref(), Some("device of backend `b` failed: b burnt out"));
    assert_eq!((&shares[0].left_out, shares[0].signals + shares[2].signals), (&None, 9));
    // It stays out although it works again, and is not used when another fails.
    fakes[1].broken.store(false, SeqCst);
    fakes[2].broken.store(true, SeqCst);
    check(map.as_ref());
    assert_eq!(signals_of(&all, convolution(9)), [9, 0, 0]);
    // Only for signals of this size.
    let longer = Workload::CausalConvolution { len: 4, batch: 9 };
    assert_eq!(signals_of(&all, longer), [3, 3, 3]);
}

#[test]
fn when_all_fail_the_error_names_all_and_the_next_plan_asks_again() {
    let [a, b] = [Fake::new("a"), Fake::new("b")];
    let both = split(&[&a, &b], ALIKE);
    let map = bind(&both, convolution(4));
    a.broken.store(true, SeqCst);
    b.broken.store(true, SeqCst);
    let mut y = [0.0; 12];
    // The first call sees them fail, the second finds them left out.
    for _ in 0..2 {
        let error = map.apply(&[1.0; 12], &mut y).unwrap_err();
        assert!(matches!(&error, BackendError::Device { backend, .. } if backend == "a+b"));
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(cause.contains("burnt out"), "{cause}");
    }
    let error = both.plan(convolution(4)).err().unwrap();
    assert!(matches!(error, BackendError::Device { backend, .. } if backend == "a+b"));
    a.broken.store(false, SeqCst);
    check(bind(&both, convolution(4)).as_ref());
    assert_eq!(signals_of(&both, convolution(4)), [4, 0]);
}

#[test]
fn members_need_not_be_able_to_do_everything() {
    let [mut small, mut narrow] = [Fake::new("small"), Fake::new("narrow")];
    small.most_signals = 10;
    narrow.kinds = &[Kind::Dense];
    let all = split(&[&small, &narrow, &Fake::new("whole")], ALIKE);
    check(bind(&all, convolution(12)).as_ref());
    let shares = all.shares(convolution(12));
    assert!(shares[1].left_out.as_ref().is_some_and(|reason| reason.contains("cannot plan")));
    assert_eq!((shares[0].signals, shares[2].signals), (6, 6));
    check(bind(&all, convolution(40)).as_ref());
    assert_eq!(signals_of(&all, convolution(40)), [0, 0, 40]);
    // Nobody has room: the answer is of that kind, in the name of all.
    let error = split(&[&small, &small], ALIKE).plan(convolution(100)).err().unwrap();
    assert!(matches!(error, BackendError::Memory { backend, .. } if backend == "small+small"));
}

#[test]
fn bad_input_is_an_error_at_once() {
    let [a, b] = [Fake::new("a"), Fake::new("b")];
    let both = split(&[&a, &b], ALIKE);
    let plan = both.plan(convolution(4)).unwrap();
    assert!(matches!(plan.bind(&[1.0; 4]).err(), Some(BackendError::Length { .. })));
    let map = plan.bind(&KERNEL).unwrap();
    let mut y = [0.0; 12];
    assert!(matches!(map.apply(&[1.0; 9], &mut y), Err(BackendError::Length { .. })));
    assert!(matches!(both.plan(convolution(0)).err(), Some(BackendError::Size { .. })));
    assert!(both.shares(convolution(4)).iter().all(|share| share.left_out.is_none()));
}
